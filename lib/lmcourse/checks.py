"""Checks of arguments, for the doors of the library: constructors and public functions.

Every message names the argument, the rule and the value. Checks of tensors are in `tensor_checks`.
"""

import math
import numbers
import operator
import os
from collections.abc import Collection, Iterable, Mapping, Sequence, Sized
from typing import Any


def whole(*, at_least: int | None = None, at_most: int | None = None, below: int | None = None, **values: Any) -> None:
    """Raise unless every value is a whole number (int or NumPy integer, not bool) within the bounds.

    >>> whole(num_heads=4, at_least=1)

    Raises:
        TypeError: a value of another kind.
        ValueError: a value out of bounds.
    """
    for name, value in values.items():
        if isinstance(value, bool) or not _is_whole(value):
            raise TypeError(f"`{name}` must be a whole number, got {name}={value!r}.")
        _check_bounds(name, operator.index(value), at_least=at_least, at_most=at_most, below=below)


def whole_items(*, at_least: int | None = None, below: int | None = None, **collections: Any) -> None:
    """Raise unless every argument is a collection of whole numbers within the bounds.

    >>> whole_items(stop_ids=(1, 2), at_least=0, below=50257)

    Raises:
        TypeError: not a collection, or an item of another kind.
        ValueError: an item out of bounds.
    """
    for name, items in collections.items():
        if isinstance(items, str | bytes) or not isinstance(items, Collection):
            raise TypeError(f"`{name}` must be a collection of whole numbers, got {name}={items!r}.")
        for item in items:
            whole(at_least=at_least, below=below, **{f"{name}[...]": item})


def number(
    *,
    at_least: float | None = None,
    above: float | None = None,
    at_most: float | None = None,
    below: float | None = None,
    **values: Any,
) -> None:
    """Raise unless every value is a finite real number (not bool) within the bounds.

    >>> number(dropout=0.1, at_least=0.0, below=1.0)

    Raises:
        TypeError: a value of another kind.
        ValueError: NaN, infinity, or a value out of bounds.
    """
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            raise TypeError(f"`{name}` must be a number, got {name}={value!r}.")
        if not math.isfinite(value):
            raise ValueError(f"`{name}` must be finite, got {name}={value}.")
        _check_bounds(name, float(value), at_least=at_least, above=above, at_most=at_most, below=below)


def one_of(choices: Iterable[Any], **values: Any) -> None:
    """Raise ValueError unless every value is one of `choices`.

    >>> one_of(("pre", "post"), norm="pre")
    """
    allowed = list(choices)
    for name, value in values.items():
        if not any(type(value) is type(choice) and value == choice for choice in allowed):
            listed = ", ".join(repr(choice) for choice in allowed)
            raise ValueError(f"`{name}` must be one of {listed}, got {name}={value!r}.")


def divides(**values: int) -> None:
    """Raise ValueError unless the first of two values divides the second.

    >>> divides(num_heads=4, embed_dim=64)
    """
    (small, divisor), (large, value) = values.items()
    if value % divisor:
        raise ValueError(f"`{small}` must divide `{large}`, got {small}={divisor}, {large}={value}.")


def instance(kinds: type | tuple[type, ...], **values: Any) -> None:
    """Raise TypeError unless every value is an instance of one of `kinds`.

    >>> instance(str, text="To be")
    """
    for name, value in values.items():
        if not isinstance(value, kinds):
            allowed = " or ".join(kind.__name__ for kind in (kinds if isinstance(kinds, tuple) else (kinds,)))
            raise TypeError(f"`{name}` must be of type {allowed}, got {type(value).__name__}.")


def file_path(**values: Any) -> None:
    """Raise TypeError unless every value is a path: a str or an `os.PathLike`."""
    instance((str, os.PathLike), **values)


def texts(**sequences: Any) -> None:
    """Raise TypeError unless every argument is a sequence of str, and not one str."""
    items(str, **sequences)


def items(kind: Any, **sequences: Any) -> None:
    """Raise TypeError unless every argument is a sequence of instances of `kind`, a class, and not one str.

    >>> items(Case, cases=[case("the worked example", 1)])
    """
    for name, sequence in sequences.items():
        if isinstance(sequence, str) or not isinstance(sequence, Sequence):
            raise TypeError(f"`{name}` must be a sequence of {kind.__name__}, got {type(sequence).__name__}.")
        for index, item in enumerate(sequence):
            if not isinstance(item, kind):
                raise TypeError(f"`{name}` must be a sequence of {kind.__name__}, got {item!r} at index {index}.")


def function(**values: Any) -> None:
    """Raise TypeError unless every value can be called."""
    for name, value in values.items():
        if not callable(value):
            raise TypeError(f"`{name}` must be a function, got {type(value).__name__}.")


def pair(**values: Any) -> tuple[Any, Any]:
    """Return the two parts of a value that must be a pair, such as a batch (inputs, targets).

    Raises:
        TypeError: anything else than a tuple or list of two.
    """
    ((name, value),) = values.items()
    if not isinstance(value, tuple | list) or len(value) != 2:
        size = f" of {len(value)}" if isinstance(value, tuple | list) else ""
        raise TypeError(f"`{name}` must be a pair, got {type(value).__name__}{size}.")
    return value[0], value[1]


def keys(wanted: Iterable[str], **mappings: Any) -> None:
    """Raise unless every argument is a mapping that holds the `wanted` keys.

    Raises:
        TypeError: no mapping.
        ValueError: a key is missing.
    """
    for name, mapping in mappings.items():
        instance(Mapping, **{name: mapping})
        missing = [key for key in wanted if key not in mapping]
        if missing:
            raise ValueError(
                f"`{name}` must hold {', '.join(missing)}, got {', '.join(map(str, mapping)) or 'nothing'}."
            )


def not_empty(**values: Sized) -> None:
    """Raise ValueError if one of the values has length 0."""
    for name, value in values.items():
        if len(value) == 0:
            raise ValueError(f"`{name}` must not be empty, got {value!r}.")


def _is_whole(value: Any) -> bool:
    if isinstance(value, float):
        return False
    try:
        operator.index(value)
    except TypeError:
        return False
    return getattr(value, "shape", ()) == ()


def _check_bounds(
    name: str,
    value: float,
    *,
    at_least: float | None = None,
    above: float | None = None,
    at_most: float | None = None,
    below: float | None = None,
) -> None:
    broken = (
        (at_least is not None and value < at_least)
        or (above is not None and value <= above)
        or (at_most is not None and value > at_most)
        or (below is not None and value >= below)
    )
    if broken:
        bounds = {"at least": at_least, "more than": above, "at most": at_most, "less than": below}
        rule = " and ".join(f"{words} {bound:g}" for words, bound in bounds.items() if bound is not None)
        raise ValueError(f"`{name}` must be {rule}, got {name}={value:g}.")
