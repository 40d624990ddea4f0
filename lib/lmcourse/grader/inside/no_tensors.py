"""What stands for `lmcourse.exercises.tensors` in a sandbox without torch: a fork of it takes a third of the time."""

from typing import Any

torch: Any = None
TENSOR: Any = ()


def plain_tensor(value: Any) -> Any:
    """There are no tensors here."""
    return value
