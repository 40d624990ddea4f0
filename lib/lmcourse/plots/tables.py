"""A table of a page: the numbers rounded, the columns named, each kind of cell where the eye looks for it."""

import numbers
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from IPython.display import Markdown

from lmcourse import checks


def as_table(rows: Iterable[Sequence[Any]], columns: Mapping[str, str] | Sequence[str]) -> Markdown:
    """Return a table for a page to show, as Markdown.

    Args:
        rows: of each row its cells, one a column. None is an empty cell; of a text, line breaks and bars are kept.
        columns: the names, in order; as a mapping, name -> how its numbers are written, such as ".2f" or ".0%".

    A column that holds nothing but numbers (and empty cells) is set to the right.

    >>> print(as_table([("add-1", 1234.567), ("none", None)], {"smoothing": "", "perplexity": ",.1f"}).data)
    | smoothing | perplexity |
    |---|--:|
    | add-1 | 1,234.6 |
    | none |  |

    Raises:
        TypeError: no names of columns, or nothing to read rows from.
        ValueError: no columns; a row with another number of cells; a number that cannot be written as its column says.
    """
    checks.texts(columns=list(columns) if isinstance(columns, Mapping) else columns)
    checks.not_empty(columns=columns)
    formats = list(columns.values()) if isinstance(columns, Mapping) else [""] * len(columns)
    for how in formats:
        _written(1, how)
    checks.instance(Iterable, rows=rows)
    filled = [list(row) if isinstance(row, list | tuple) else [row] for row in rows]
    for row in filled:
        if len(row) != len(columns):
            raise ValueError(f"`rows` must hold {len(columns)} cells each, one for each of `columns`, got {row!r}.")
    numeric = [all(_is_number(cell) or cell is None for cell in cells) for cells in zip(*filled, strict=True)]
    sides = ["--:" if right else "---" for right in numeric] or ["---"] * len(columns)
    body = [[_written(cell, how) for cell, how in zip(row, formats, strict=True)] for row in filled]
    lines = [_line([_written(name, "") for name in columns]), f"|{'|'.join(sides)}|", *map(_line, body)]
    return Markdown("\n".join(lines))


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _is_number(cell: Any) -> bool:
    return isinstance(cell, numbers.Number) and not isinstance(cell, bool)


def _written(cell: Any, how: str) -> str:
    if cell is None:
        return ""
    if not _is_number(cell):
        return str(cell).replace("|", r"\|").replace("\n", "<br>")
    checks.instance(str, **{"columns[...]": how})
    try:
        return format(cell, how)
    except ValueError as error:
        raise ValueError(f'`columns` must say how numbers are written, as in ".2f", got {how!r}.') from error
