"""Tell how much of the code that a reader of each page sees is plumbing.

    python -m tools.plumbing             # a line for each page
    python -m tools.plumbing 05 --lines  # and the lines themselves

Plumbing is what a page needs but does not teach: imports of helpers, seeds, drawing, checks, printed tables. It belongs
into folded cells (`:role:`, docs/writing-pages.md); at most one visible line in ten may be plumbing.
"""

import argparse
import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import jupytext

from tools.notebooks import texts

LIMIT = 0.1  # of the visible lines
_HELPERS = ("figures.", "lmcourse.plots", "lmcourse.runtime", "lmcourse.exercises", "IPython", "matplotlib")
_SEEDS = {"manual_seed", "default_rng", "Generator", "seed_everything"}
_PRINTS = {"print", "display"}


@dataclass(frozen=True)
class Count:
    """The code of one page.

    Args:
        visible: lines of code in cells that are seen open; blank lines and comments do not count.
        plumbing: those of them that are plumbing.
        folded: lines of code in folded cells.
    """

    visible: int
    plumbing: tuple[str, ...]
    folded: int

    @property
    def share(self) -> float:
        return len(self.plumbing) / max(self.visible, 1)


def count(text: Path) -> Count:
    """Return how much of the code of a text is visible, folded, and plumbing."""
    cells = jupytext.reads(text.read_text(encoding="utf-8"), fmt="md:myst").cells
    sources = [(cell.source, "role" in cell.metadata) for cell in cells if cell.cell_type == "code"]
    helpers = {name for source, _ in sources for name in _helper_names(ast.parse(source))}
    visible, plumbing, folded = 0, [], 0
    for source, is_folded in sources:
        lines = [line for line in source.splitlines() if line.strip() and not line.strip().startswith("#")]
        if is_folded:
            folded += len(lines)
            continue
        visible += len(lines)
        rows = source.splitlines()
        numbers = sorted({number for first, last in _plumbing(source, helpers) for number in range(first, last + 1)})
        plumbing += [rows[number - 1] for number in numbers if rows[number - 1].strip()]
    return Count(visible, tuple(plumbing), folded)


def _helper_names(tree: ast.Module) -> Iterator[str]:
    """The names that a cell imports from modules that no page teaches."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if f"{node.module}.{alias.name}".startswith(_HELPERS):
                    yield alias.asname or alias.name
        elif isinstance(node, ast.Import):
            yield from (alias.asname or alias.name for alias in node.names if alias.name.startswith(_HELPERS))


def _plumbing(source: str, helpers: set[str]) -> Iterator[tuple[int, int]]:
    """The first and the last line of each statement of a cell that is plumbing."""
    for statement in _statements(ast.parse(source).body):
        names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            is_plumbing = bool(set(_helper_names(ast.Module([statement], []))))
        else:
            is_plumbing = bool(names & (helpers | {"claim"})) or _seeds(statement) or _prints_a_table(statement)
        if is_plumbing:
            yield statement.lineno, statement.end_lineno or statement.lineno


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a cell, and those inside of loops and functions one by one, unless the whole is a table."""
    for statement in body:
        inner = getattr(statement, "body", None)
        if inner and not _prints_a_table(statement):
            yield from _statements([*inner, *getattr(statement, "orelse", [])])
        else:
            yield statement


def _seeds(statement: ast.stmt) -> bool:
    called = [node.func for node in ast.walk(statement) if isinstance(node, ast.Call)]
    names = {node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "") for node in called}
    return isinstance(statement, (ast.Assign, ast.Expr)) and bool(names & _SEEDS) and len(called) <= 2


def _prints_a_table(statement: ast.stmt) -> bool:
    """Whether a statement does nothing but print, and in a loop or over several lines."""
    if isinstance(statement, (ast.For, ast.With, ast.If)):
        return all(_is_print(each) or _prints_a_table(each) for each in statement.body)
    return _is_print(statement) and (statement.end_lineno or 0) > statement.lineno


def _is_print(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    return getattr(statement.value.func, "id", "") in _PRINTS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chapters", nargs="*", help="chapters, by the start of their names; all by default")
    parser.add_argument("--lines", action="store_true", help="print the lines that are plumbing")
    arguments = parser.parse_args()
    print(f"{'page':<36} visible  plumbing        folded")
    for text in texts(*arguments.chapters):
        counted = count(text)
        note = "  too much" if counted.share > LIMIT else ""
        name = f"{text.parent.name}/{text.stem}"
        shares = f"{counted.visible:>7} {len(counted.plumbing):>9} {counted.share:>5.0%} {counted.folded:>8}"
        print(f"{name:<36} {shares}{note}")
        if arguments.lines:
            print("".join(f"    {line}\n" for line in counted.plumbing), end="")


if __name__ == "__main__":
    main()
