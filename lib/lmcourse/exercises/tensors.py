"""torch as the engine knows it. In a sandbox whose answers have no use for it, `inside/no_tensors.py` stands here."""

from typing import Any

import torch

from lmcourse import checks

__all__ = ["TENSOR", "plain_tensor", "torch"]

TENSOR: Any = (torch.Tensor,)  # for isinstance


def plain_tensor(value: Any) -> Any:
    """Return what a tensor holds, detached; a subclass has no say in it."""
    checks.instance(TENSOR, value=value)
    with torch._C.DisableTorchFunctionSubclass():  # the documented way to write `__torch_function__`
        plain = value.detach()
        return plain if type(plain) is torch.Tensor else plain.as_subclass(torch.Tensor)
