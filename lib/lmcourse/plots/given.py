"""Checks of what the figures that several chapters share are given to draw."""

from collections.abc import Mapping
from typing import Any

from lmcourse import checks
from lmcourse.plots.style import COLOURS


def named(*, at_most: int | None = None, **mappings: Any) -> None:
    """Raise unless every argument is a mapping from names to something, of one entry at least.

    Raises:
        TypeError: no mapping, or a name that is no str.
        ValueError: no entry, or more than `at_most`.
    """
    for name, mapping in mappings.items():
        checks.instance(Mapping, **{name: mapping})
        checks.not_empty(**{name: mapping})
        for key in mapping:
            checks.instance(str, **{f"{name}[...]": key})
        if at_most is not None and len(mapping) > at_most:
            raise ValueError(f"`{name}` must hold at most {at_most} entries, got {len(mapping)}.")


def colourable(**mappings: Any) -> None:
    """As `named`, and there is a colour for every entry."""
    named(at_most=len(COLOURS), **mappings)


def numbers(*, length: int, **sequences: Any) -> None:
    """Raise unless every argument is a list, an array or a tensor of `length` finite numbers.

    Raises:
        TypeError: of another kind, or an item that is no number.
        ValueError: of another length, or an item that is NaN or infinite.
    """
    for name, values in sequences.items():
        items = values.tolist() if hasattr(values, "tolist") else values
        if not isinstance(items, list | tuple):
            raise TypeError(f"`{name}` must be a sequence of numbers, got {type(values).__name__}.")
        if len(items) != length:
            raise ValueError(f"`{name}` must hold {length} numbers, got {len(items)}.")
        for index, item in enumerate(items):
            checks.number(**{f"{name}[{index}]": item.item() if hasattr(item, "item") else item})


def number_format(number: Any) -> None:
    """Raise unless `number` is a format for numbers, such as ".2f"."""
    checks.instance(str, number=number)
    try:
        format(0.5, number)
    except ValueError as error:
        raise ValueError(f'`number` must be a format for numbers such as ".2f", got {number!r}.') from error
