"""torch as the engine knows it: not loaded here, because most exercises of some chapters do without it.

Before something else has loaded torch, no value is a tensor. In a sandbox, `inside/with_tensors.py` or
`inside/no_tensors.py` takes the place of this module.
"""

import importlib
import sys
from typing import TYPE_CHECKING, Any

from lmcourse import checks

__all__ = ["TENSOR", "plain_tensor", "torch"]


class _Torch:
    """True once torch is loaded; its names load it, and are kept: looking them up here each time would cost a tenth."""

    def __bool__(self) -> bool:
        return sys.modules.get("torch") is not None

    def __getattr__(self, name: str) -> Any:
        value = getattr(importlib.import_module("torch"), name)
        setattr(self, name, value)
        return value


class _AnyTensor(type):
    """The class of a class that stands for `torch.Tensor`, whether or not it is loaded."""

    def __instancecheck__(cls, value: Any) -> bool:
        return bool(torch) and isinstance(value, torch.Tensor)

    def __subclasscheck__(cls, kind: type) -> bool:
        return bool(torch) and issubclass(kind, torch.Tensor)


if TYPE_CHECKING:
    import torch
else:
    torch = _Torch()

TENSOR: Any = (_AnyTensor("Tensor", (), {}),)  # for isinstance


def plain_tensor(value: Any) -> Any:
    """Return what a tensor holds, detached; a subclass has no say in it."""
    checks.instance(TENSOR, value=value)
    with torch._C.DisableTorchFunctionSubclass():  # the documented way to write `__torch_function__`
        plain = value.detach()
        return plain if type(plain) is torch.Tensor else plain.as_subclass(torch.Tensor)
