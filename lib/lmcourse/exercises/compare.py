"""Are two results the same, and if not, where do they first differ? In words a learner can use."""

import math
import numbers
from dataclasses import dataclass
from typing import Any

import numpy as np

from lmcourse.exercises.tensors import TENSOR, TENSORS

_SHOWN = 120  # characters of a value that a reason quotes
_NUMPY_NUMBERS = frozenset(kind for kind in np.sctypeDict.values() if issubclass(kind, (np.integer, np.floating)))


@dataclass(frozen=True)
class Compare:
    """What counts as the same result.

    Attributes:
        rtol, atol: |actual - expected| <= atol + rtol * |expected|, elementwise.
        dtype: whether arrays and tensors must have the expected element type.
        gradient: whether the gradients with respect to the inputs that require them are compared too.
        inputs_unchanged: whether the answer may not change its arguments.
    """

    rtol: float = 1e-6
    atol: float = 1e-9
    dtype: bool = True
    gradient: bool = False
    inputs_unchanged: bool = True


def short(value: Any) -> str:
    """A value on one line, cut when long."""
    if type(value) in TENSORS:
        value = value.detach()
    try:
        text = " ".join(line.strip() for line in repr(value).splitlines())  # spaces within a string are kept
    except Exception:  # an object may have any __repr__, and an int beyond 4,300 digits has none
        text = f"({type(value).__name__} that cannot be shown)"
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def difference(expected: Any, actual: Any, compare: Compare, where: str = "the result") -> str | None:
    """Return the first difference between two results in words, or None when they are the same.

    Values are compared by kind: numbers with numbers (NumPy's count, bools do not), lists with lists or tuples, dicts
    key by key, arrays and tensors by shape, element type and value. An object of any other class never equals anything,
    whatever its own `__eq__` says.
    """
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
    raise TypeError(f"a task's result must be made of plain values, got {type(expected).__name__}")


def _kind(value: Any) -> str:
    if value is None:
        return "None (is a `return` missing?)"
    if type(value) is np.ndarray or type(value) in TENSORS:
        return f"a {type(value).__name__} of shape {tuple(value.shape)}"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _plain_difference(expected: Any, actual: Any, where: str) -> str | None:
    same_kind = (
        type(actual) in (bool, np.bool_) if isinstance(expected, (bool, np.bool_)) else type(actual) is type(expected)
    )
    if same_kind and actual == expected:
        return None
    if not same_kind:
        return f"{where} should be {short(expected)}, got {_kind(actual)}: {short(actual)}"
    return f"{where} should be {short(expected)}, got {short(actual)}"


def _number_difference(expected: Any, actual: Any, compare: Compare, where: str) -> str | None:
    if type(actual) not in (int, float) and type(actual) not in _NUMPY_NUMBERS:
        return f"{where} should be a number, got {_kind(actual)}" + ("" if actual is None else f": {short(actual)}")
    left, right = float(expected), _float(actual)
    if left == right or (math.isnan(left) and math.isnan(right)):
        return None
    if math.isfinite(left) and abs(right - left) <= compare.atol + compare.rtol * abs(left):
        return None
    return f"{where} should be {left:.6g}, got {right:.6g}"


def _float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:  # an int beyond the largest float
        return math.inf if value > 0 else -math.inf


def _dict_difference(expected: dict, actual: Any, compare: Compare, where: str) -> str | None:
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
        found = difference(value, actual[key], compare, f"{where}[{short(key)}]")
        if found:
            return found
    return None


def _list_difference(expected: list | tuple, actual: Any, compare: Compare, where: str) -> str | None:
    if type(actual) not in (list, tuple):
        return f"{where} should be a {type(expected).__name__}, got {_kind(actual)}"
    if len(actual) != len(expected):
        return f"{where} should have {len(expected)} items, got {len(actual)}: {short(actual)}"
    for index, value in enumerate(expected):
        found = difference(value, actual[index], compare, f"{where}[{index}]")
        if found:
            return found
    return None


def _array_difference(expected: Any, actual: Any, compare: Compare, where: str) -> str | None:
    is_tensor = isinstance(expected, TENSOR)
    if type(actual) not in (TENSORS if is_tensor else (np.ndarray,)):
        return f"{where} should be a {'Tensor' if is_tensor else 'ndarray'}, got {_kind(actual)}"
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
    place = where if at == () else f"{where}[{', '.join(map(str, at))}]"
    share = f" ({int(wrong.sum())} of {wrong.size} entries differ)" if wrong.size > 1 else ""
    return f"{place} should be {_entry(left[at])}, got {_entry(right[at])}{share}"


def _entry(value: np.generic) -> str:
    return f"{value:.6g}" if value.dtype.kind in "iufc" else repr(value.item())


def _numpy(value: Any) -> np.ndarray:
    if not isinstance(value, TENSOR):
        return np.asarray(value)
    dense = value.detach().cpu().resolve_conj()
    return (dense.double() if dense.is_floating_point() else dense).numpy()
