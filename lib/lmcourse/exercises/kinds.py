"""What kind of difference there is between right results and given ones, in a sentence: twice too large, and so on."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lmcourse.exercises.compare import Compare, difference
from lmcourse.exercises.tensors import TENSOR, plain_tensor

Pairs = Sequence[tuple[Any, Any]]


def kind_of_difference(pairs: Pairs, compare: Compare) -> str:
    """Return one sentence that holds for every pair of a right and a wrong result, or "".

    Args:
        pairs: (right, given), of the cases that went wrong.
        compare: what counts as the same.
    """
    loose = Compare(rtol=max(compare.rtol, 1e-6), atol=max(compare.atol, 1e-9), dtype=False)
    telling = [(right, given) for right, given in pairs if _size(right) > 0]
    if not telling or (len(telling) < 2 and _size(telling[0][0]) < 2):
        return ""
    for sentence, changed in _CHANGES:
        if all(_becomes(right, given, changed, loose) for right, given in telling):
            return sentence
    return _scaled(telling, loose)


def _becomes(right: Any, given: Any, changed: Callable[[Any], Any], compare: Compare) -> bool:
    try:
        with np.errstate(all="ignore"):
            other = changed(right)
    except (TypeError, ValueError, IndexError, KeyError, AttributeError, RuntimeError):
        return False
    return other is not None and difference(other, given, compare) is None


def _scaled(pairs: Pairs, compare: Compare) -> str:
    """One factor, or one summand, for all of them."""
    rights, givens = _numbers([right for right, _ in pairs]), _numbers([given for _, given in pairs])
    if rights is None or givens is None or rights.shape != givens.shape or len(rights) < 2:
        return ""
    if not (np.isfinite(rights).all() and np.isfinite(givens).all()):
        return ""
    big = np.abs(rights) > 1e-6
    if big.sum() >= 2 and np.allclose(givens[~big], 0.0, atol=1e-6):
        factors = givens[big] / rights[big]
        factor = float(factors[0])
        if np.allclose(factors, factor, rtol=1e-4) and math.isfinite(factor) and abs(factor - 1) > 1e-3:
            if abs(factor + 1) < 1e-4:
                return "Every number has the wrong sign."
            times = factor if abs(factor) > 1 else 1 / factor if factor else 0.0
            if factor and abs(times) < 1e4:
                return f"Every number is {abs(times):.4g} times too {'large' if abs(factor) > 1 else 'small'}."
    summands = givens - rights
    if np.allclose(summands, summands[0], rtol=1e-4, atol=1e-9) and np.ptp(rights) > 1e-6 and abs(summands[0]) > 1e-6:
        return f"Every number is {abs(float(summands[0])):.4g} too {'large' if summands[0] > 0 else 'small'}."
    return ""


def _numbers(values: list[Any]) -> np.ndarray | None:
    """All of them in one row, or None where one has no numbers to read: on another device, nested, no number at all."""
    parts = []
    for value in values:
        kind = type(value)
        if value is None or issubclass(kind, (bool, np.bool_, str, bytes)):
            return None
        try:
            if issubclass(kind, TENSOR):
                value = plain_tensor(value).numpy()
            if np.iscomplexobj(value):
                return None
            parts.append(np.asarray(value, dtype=float).ravel())
        except Exception:  # what a learner returns may raise anything when it is read
            return None
    return np.concatenate(parts) if parts else None


def _size(value: Any) -> int:
    if isinstance(value, TENSOR):
        return int(value.numel())
    if isinstance(value, np.ndarray):
        return int(value.size)
    return len(value) if isinstance(value, (list, tuple, dict, set, str, bytes)) else 1


def _is_array(value: Any) -> bool:
    return isinstance(value, (np.ndarray, *TENSOR))


def _transposed(value: Any) -> Any:
    return value.swapaxes(-1, -2) if _is_array(value) and value.ndim >= 2 else None


def _reversed(value: Any) -> Any:
    if isinstance(value, TENSOR):
        return value.flip(0) if value.ndim else None
    return value[::-1] if isinstance(value, (list, tuple, str)) or np.ndim(value) else None


def _part(number: int) -> Callable[[Any], Any]:
    return lambda value: value[number] if isinstance(value, (tuple, list)) and len(value) > 1 else None


def _swapped(value: Any) -> Any:
    return (value[1], value[0]) if isinstance(value, tuple) and len(value) == 2 else None


def _with_axis(value: Any) -> Any:
    return value[None] if _is_array(value) else None


def _listed(value: Any) -> Any:
    if _is_array(value):
        return value.tolist()
    return value.item() if isinstance(value, np.generic) else None


def _rounded(digits: int) -> Callable[[Any], Any]:
    def changed(value: Any) -> Any:
        if isinstance(value, TENSOR):
            return value.detach().round(decimals=digits)
        return np.round(value, digits) if isinstance(value, (float, np.ndarray, np.floating)) else None

    return changed


_CHANGES: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("The values are right, but their element type is not the one that is asked for.", lambda value: value),
    ("The numbers are right, but the last two axes are exchanged.", _transposed),
    ("The parts are right, but in the reverse order.", _reversed),
    ("The two parts of the result are exchanged.", _swapped),
    ("Only the first part of the result is returned; the others are missing.", _part(0)),
    ("Only the second part of the result is returned; the first is missing.", _part(1)),
    ("Only the last part of the result is returned; the others are missing.", _part(-1)),
    ("The numbers are right, but the result has one axis too many in front.", _with_axis),
    (
        "The values are right, but of another kind: an array or tensor is wanted, not a list or a Python number.",
        _listed,
    ),
    ("The first element is missing; the others are right.", lambda value: value[1:] if _size(value) > 1 else None),
    ("The last element is missing; the others are right.", lambda value: value[:-1] if _size(value) > 1 else None),
    *((f"The numbers are right, but rounded to {n} digit{'s' * (n > 1)}.", _rounded(n)) for n in (1, 2, 3, 4)),
    (
        "It is the logarithm of the right result.",
        lambda value: value.log() if isinstance(value, TENSOR) else np.log(value),
    ),
    (
        "It is the exponential of the right result.",
        lambda value: value.exp() if isinstance(value, TENSOR) else np.exp(value),
    ),
    ("It is the square of the right result.", lambda value: value**2 if not isinstance(value, (list, str)) else None),
    (
        "It is the square root of the right result.",
        lambda value: math.sqrt(value) if isinstance(value, (int, float)) else value**0.5,
    ),
    ("It is one minus the right result.", lambda value: 1 - value if not isinstance(value, (list, str)) else None),
)
