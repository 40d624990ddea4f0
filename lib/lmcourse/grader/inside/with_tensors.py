"""What stands for `lmcourse.exercises.tensors` in a sandbox with torch: it is loaded before the first answer runs."""

from typing import Any

import torch

TENSOR: Any = (torch.Tensor,)


def plain_tensor(value: Any) -> Any:
    """Return what a tensor holds, detached; a subclass has no say in it."""
    with torch._C.DisableTorchFunctionSubclass():
        plain = value.detach()
        return plain if type(plain) is torch.Tensor else plain.as_subclass(torch.Tensor)
