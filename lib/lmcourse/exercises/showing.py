"""How inputs and results are shown to a learner: as they would be typed, and no more of them than one can read."""

import contextlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from lmcourse.exercises.compare import short
from lmcourse.exercises.task import Case
from lmcourse.exercises.tensors import TENSOR, plain_tensor, torch

_WHOLE = 160  # characters: an argument that takes no more is shown as it is
_ROW = 6  # of a longer one: the most that is shown of a row
_DIGITS = 4
_ANY_LENGTH = 10_000


def size(value: Any) -> int:
    """How much there is to read: numbers, and letters of words."""
    value = _plain(value)
    if _is_array(value):
        return int(np.prod(value.shape))
    if type(value) is dict:
        return sum(size(key) + size(part) for key, part in value.items())
    if type(value) in (list, tuple, set):
        return sum(map(size, value))
    return len(value) if type(value) is str else 1


def arguments(item: Case, names: Sequence[str] = ()) -> str:
    """The arguments of a case as they would be typed, none left out; of long ones only the ends.

    Args:
        names: what the statement calls those that have no name in the case.
    """
    named = dict(zip(names, item.args, strict=False)) if 1 < len(item.args) <= len(names) else {}
    texts = [] if named else [_typed(value) for value in item.args]
    return ", ".join([*texts, *(f"{name}={_typed(value)}" for name, value in {**named, **item.kwargs}.items())])


def both(expected: Any, actual: Any) -> str:
    """Two results side by side, "[1, 2], got [1, 3]", where they are short and one sees that they differ; else ""."""
    if max(size(expected), size(actual)) > _ROW:
        return ""
    left, right = brief(expected), brief(actual)
    return f"{left}, got {right}" if left != right else ""


def brief(value: Any) -> str:
    """A value on one line with at most six parts a row, and numbers with fewer digits."""
    value = _plain(value)
    if _is_array(value):
        is_long = max(value.shape, default=0) > _ROW
        options: Any = {"edgeitems": _ROW // 2, "precision": _DIGITS, "threshold": 0 if is_long else size(value) + 1}
        of_tensors = torch._tensor_str.printoptions(**options) if torch else contextlib.nullcontext()
        with of_tensors, np.printoptions(**options):
            return short(value, _ANY_LENGTH)
    if type(value) is dict:
        return f"{{{_row([f'{short(key)}: {brief(part)}' for key, part in value.items()])}}}"
    if type(value) in (list, tuple):
        left, right = "[]" if type(value) is list else "()"
        return f"{left}{_row([brief(part) for part in value])}{',' * (right == ')' and len(value) == 1)}{right}"
    return f"{value:.6g}" if type(value) is float else short(value, _WHOLE)


def _plain(value: Any) -> Any:
    """What a tensor holds: a subclass would be asked for its own shape, and may say anything."""
    return plain_tensor(value) if issubclass(type(value), TENSOR) else value


def _is_array(value: Any) -> bool:
    return issubclass(type(value), (np.ndarray, *TENSOR))  # not by isinstance: a result may lie about its class


def _row(parts: list[str]) -> str:
    return ", ".join(parts if len(parts) <= _ROW else [*parts[: _ROW // 2], "...", *parts[-_ROW // 2 :]])


def _typed(value: Any) -> str:
    text = short(value, _ANY_LENGTH)
    if len(text) <= _WHOLE:
        return text
    text = brief(value)
    if hasattr(value, "shape"):
        return f"{text} of shape {tuple(value.shape)}" if "..." in text and "shape=" not in text else text
    if isinstance(value, str) or (hasattr(value, "__len__") and len(value) > _ROW):
        return f"{text} of {len(value)} {'characters' if isinstance(value, str) else 'items'}"
    return text
