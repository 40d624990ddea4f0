"""torch as the engine knows it. In a sandbox whose answers have no use for it, `inside/no_tensors.py` stands here."""

from typing import Any

import torch

__all__ = ["TENSOR", "TENSORS", "torch"]

TENSOR: Any = (torch.Tensor,)  # for isinstance
TENSORS: Any = (torch.Tensor, torch.nn.Parameter)  # exactly these: a subclass may say anything of itself
