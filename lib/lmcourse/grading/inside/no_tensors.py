"""What stands for `lmcourse.grading.tensors` inside a sandbox without torch: a fork of it takes a third of the time."""

from typing import Any

torch: Any = None
TENSOR: Any = ()
TENSORS: Any = ()
