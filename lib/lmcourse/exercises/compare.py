"""Are two results the same, and if not, where do they first differ? In words a learner can use."""

import math
import numbers
from dataclasses import dataclass
from typing import Any

import numpy as np

from lmcourse import checks
from lmcourse.exercises.tensors import TENSOR, plain_tensor, torch

_SHOWN = 120  # characters of a value that a reason quotes
NOT_PLAIN = (np.ma.MaskedArray, np.matrix)  # arrays whose operations mean something else
_ATOMS = frozenset((type(None), bool, int, float, str, bytes))
_NUMPY_NUMBERS = frozenset(kind for kind in np.sctypeDict.values() if issubclass(kind, (np.integer, np.floating)))


@dataclass(frozen=True)
class Compare:
    """What counts as the same result.

    Attributes:
        rtol, atol: |actual - expected| <= atol + rtol * |expected|, elementwise.
        dtype: whether arrays and tensors must have the expected element type.
        gradient: whether the gradients with respect to the inputs that require them are compared too.
        inputs_unchanged: whether the answer may not change its arguments.
        new: whether the result must be new: no list, dict, array or tensor in it is one of an argument's, or shares its
            memory.

    Raises:
        TypeError, ValueError: a tolerance that is no finite number of at least 0.
    """

    rtol: float = 1e-6
    atol: float = 1e-9
    dtype: bool = True
    gradient: bool = False
    inputs_unchanged: bool = True
    new: bool = False

    def __post_init__(self) -> None:
        checks.number(at_least=0, rtol=self.rtol, atol=self.atol)


def short(value: Any, limit: int = _SHOWN) -> str:
    """A value on one line, cut when long."""
    if issubclass(type(value), TENSOR):
        value = plain_tensor(value)
    try:
        text = " ".join(line.strip() for line in repr(value).splitlines())  # spaces within a string are kept
    except Exception:  # an object may have any __repr__, and an int beyond 4,300 digits has none
        text = f"({type(value).__name__} that cannot be shown)"
    return text if len(text) <= limit else text[: limit - 3] + "..."


def difference(expected: Any, actual: Any, compare: Compare, where: str = "the result") -> str | None:
    """Return the first difference between two results in words, or None when they are the same.

    Values are compared by kind: numbers with numbers (NumPy's count, bools do not; where a whole number is expected, a
    float is none, and nothing is rounded), lists with lists or tuples, dicts key by key, arrays and tensors by shape,
    element type and value. A subclass counts by what it holds, not by what its methods say. An object of any other
    class never equals anything, whatever its own `__eq__` says.

    Raises:
        TypeError: `expected` is not made of plain values; `compare` or `where` of another kind.
    """
    checks.instance(Compare, compare=compare)
    checks.instance(str, where=where)
    return None if identical(expected, actual) else _difference(expected, actual, compare, where)


def identical(expected: Any, actual: Any) -> bool:
    """Whether two values are of the same plain classes and hold the same; False where it takes more to tell.

    It is here for its speed: most results are right, and most arguments unchanged.
    """
    kind = type(expected)
    if type(actual) is not kind:
        return False
    if kind in _ATOMS:
        return bool(expected == actual)
    if kind in (list, tuple):
        return len(expected) == len(actual) and all(map(identical, expected, actual))
    if kind is dict:
        return len(expected) == len(actual) and all(
            key in actual and identical(value, actual[key]) for key, value in expected.items()
        )
    if kind is np.ndarray and expected.dtype.kind in "biufcSU":
        same_form = expected.dtype == actual.dtype and expected.shape == actual.shape
        return bool(same_form and expected.tobytes() == actual.tobytes())
    if not torch or kind is not torch.Tensor:  # a subclass has methods of its own
        return False
    return _identical_tensors(expected, actual)


def _identical_tensors(expected: Any, actual: Any) -> bool:
    """Of two tensors; of those that are not plain memory of this machine it takes more to tell."""
    return bool(
        not (expected.is_nested or actual.is_nested)
        and expected.dtype == actual.dtype
        and expected.shape == actual.shape
        and all(value.layout is torch.strided and value.device.type == "cpu" for value in (expected, actual))
        and not any(value.is_neg() or value.is_conj() or value.is_inference() for value in (expected, actual))
        and torch.equal(expected, actual)
    )


@dataclass(frozen=True, slots=True)
class _Inside:
    """Where a part of a value stands; put into words only where a difference is told."""

    outer: "str | _Inside"
    key: Any

    def __str__(self) -> str:
        return f"{self.outer}[{short(self.key)}]"


def _difference(expected: Any, actual: Any, compare: Compare, where: str | _Inside) -> str | None:
    if isinstance(expected, (*TENSOR, np.ndarray)):
        return _array_difference(expected, actual, compare, where)
    if expected is None or isinstance(expected, (bool, np.bool_, str, bytes)):
        return _plain_difference(expected, actual, where)
    if isinstance(expected, numbers.Number):
        return _number_difference(expected, actual, compare, where)
    if isinstance(expected, dict):
        return _dict_difference(expected, actual, compare, where)
    if isinstance(expected, (list, tuple)):
        return _list_difference(expected, actual, compare, where)
    if isinstance(expected, (set, frozenset)):
        if type(actual) not in (set, frozenset):
            return f"{where} should be a set, got {_kind(actual)}"
        if expected == actual:
            return None
        return (
            f"{where} lacks {short(set(expected) - set(actual))} and has {short(set(actual) - set(expected))} too much"
        )
    raise TypeError(f"`expected` must be made of plain values, got {type(expected).__name__} where {where} stands.")


def _kind(value: Any) -> str:
    if value is None:
        return "None (is a `return` missing?)"
    if type(value) is np.ndarray or (issubclass(type(value), TENSOR) and not value.is_nested):
        return f"{_one(type(value).__name__)} of shape {tuple(value.shape)}"
    return _one(type(value).__name__)


def _one(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' or kind == 'ndarray' else 'a'} {kind}"


_SAME_KIND: dict[type, tuple[type, ...]] = {
    bool: (bool, np.bool_), np.bool_: (bool, np.bool_), str: (str, np.str_), np.str_: (str, np.str_),
    bytes: (bytes, np.bytes_), np.bytes_: (bytes, np.bytes_),
}  # fmt: skip


def _plain_difference(expected: Any, actual: Any, where: str | _Inside) -> str | None:
    same_kind = type(actual) in _SAME_KIND.get(type(expected), (type(expected),))
    if same_kind and actual == expected:
        return None
    if not same_kind:
        return f"{where} should be {short(expected)}, got {_kind(actual)}: {short(actual)}"
    return f"{where} should be {short(expected)}, got {short(actual)}"


def _number_difference(expected: Any, actual: Any, compare: Compare, where: str | _Inside) -> str | None:
    if type(actual) not in (int, float) and type(actual) not in _NUMPY_NUMBERS:
        return f"{where} should be a number, got {_kind(actual)}" + ("" if actual is None else f": {short(actual)}")
    if compare.dtype and isinstance(expected, (int, np.integer)):
        if not isinstance(actual, (int, np.integer)):
            return f"{where} should be the whole number {expected}, got {_kind(actual)}: {short(actual)}"
        return None if int(actual) == int(expected) else f"{where} should be {expected}, got {short(actual)}"
    left, right = float(expected), _float(actual)
    if left == right or (math.isnan(left) and math.isnan(right)):
        return None
    if math.isfinite(left) and abs(right - left) <= compare.atol + compare.rtol * abs(left):
        return None
    return f"{where} should be {_pair(left, right)}"


def _pair(expected: Any, actual: Any) -> str:
    """Two numbers that differ, with as many digits as it takes to see it."""
    for digits in (6, 9, 12, 17):
        left, right = f"{expected:.{digits}g}", f"{actual:.{digits}g}"
        if left != right:
            break
    return f"{left}, got {right}"


def _float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:  # an int beyond the largest float
        return math.inf if value > 0 else -math.inf


def _dict_difference(expected: dict, actual: Any, compare: Compare, where: str | _Inside) -> str | None:
    if not issubclass(type(actual), dict):
        return f"{where} should be a dict, got {_kind(actual)}"
    actual = dict(dict.items(actual))  # what a Counter or defaultdict holds, not what a subclass's methods say
    missing = [key for key in expected if key not in actual]
    surplus = [key for key in actual if key not in expected]
    if missing:
        return f"{where} lacks the key {short(missing[0])}" + (
            f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
        )
    if surplus:
        return f"{where} has a key it should not have: {short(surplus[0])}"
    for key, value in expected.items():
        found = _difference(value, actual[key], compare, _Inside(where, key))
        if found:
            return found
    return None


def _list_difference(expected: list | tuple, actual: Any, compare: Compare, where: str | _Inside) -> str | None:
    kind = next((kind for kind in (list, tuple) if issubclass(type(actual), kind)), None)
    if kind is None:
        return f"{where} should be a {type(expected).__name__}, got {_kind(actual)}"
    actual = list(kind.__iter__(actual))  # what a named tuple or a subclass holds, not what its methods say
    if len(actual) != len(expected):
        return f"{where} should have {len(expected)} items, got {len(actual)}: {short(actual)}"
    for index, value in enumerate(expected):
        found = _difference(value, actual[index], compare, _Inside(where, index))
        if found:
            return found
    return None


def _array_difference(expected: Any, actual: Any, compare: Compare, where: str | _Inside) -> str | None:
    is_tensor = isinstance(expected, TENSOR)
    if not issubclass(type(actual), TENSOR if is_tensor else np.ndarray) or type(actual) in NOT_PLAIN:
        return f"{where} should be {'a Tensor' if is_tensor else 'an ndarray'}, got {_kind(actual)}"
    if is_tensor:
        actual = plain_tensor(actual)
        if actual.is_nested:
            return f"{where} should have shape {tuple(expected.shape)}, got a nested tensor"
    if tuple(actual.shape) != tuple(expected.shape):
        return f"{where} should have shape {tuple(expected.shape)}, got {tuple(actual.shape)}"
    if compare.dtype and actual.dtype != expected.dtype:
        return f"{where} should have element type {expected.dtype}, got {actual.dtype}"
    if is_tensor and actual.device != expected.device:
        return f"{where} should be on {expected.device}, got {actual.device}"
    if is_tensor and actual.layout != expected.layout:
        return f"{where} should have the layout {expected.layout}, got {actual.layout}"
    left, right = _numpy(expected), _numpy(actual)
    if right.dtype.kind == "O" or (left.dtype.kind in "biufc") != (right.dtype.kind in "biufc"):
        return f"{where} should hold elements of type {left.dtype}, got {right.dtype}"
    if left.dtype.kind in "fc" or right.dtype.kind in "fc":
        wrong = ~np.isclose(right, left, rtol=compare.rtol, atol=compare.atol, equal_nan=True)
    else:
        wrong = left != right
    if not wrong.any():
        return None
    at = tuple(int(index) for index in np.argwhere(wrong)[0])
    place = str(where) if at == () else f"{where}[{', '.join(map(str, at))}]"
    share = f" ({int(wrong.sum())} of {wrong.size} entries differ)" if wrong.size > 1 else ""
    if left.dtype.kind in "fc":
        return f"{place} should be {_pair(left[at], right[at])}{share}"
    return f"{place} should be {left[at].item()!r}, got {right[at].item()!r}{share}"


def _numpy(value: Any) -> np.ndarray:
    if not isinstance(value, TENSOR):
        return np.ndarray.view(value, np.ndarray)  # a subclass counts by what it holds
    dense = plain_tensor(value).cpu().resolve_conj().resolve_neg()
    return (dense.double() if dense.is_floating_point() else dense).numpy()
