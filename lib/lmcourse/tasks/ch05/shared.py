"""What several exercises of chapter 05 share: drawing cases, and what counts as the same result."""

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Compare

CLOSE = Compare(rtol=1e-5, atol=1e-6)  # float32 sums differ by the order of their terms


def normal(rng: np.random.Generator, *shape: int, dtype: torch.dtype = torch.float64) -> Tensor:
    """Draw a tensor of standard normal numbers, for cases."""
    return torch.from_numpy(rng.normal(size=shape)).to(dtype)


def check_split(x: Tensor, num_heads: int) -> None:
    if num_heads < 1 or x.shape[-1] % num_heads:
        raise ValueError(f"`num_heads` must divide the width, got num_heads={num_heads}, width={x.shape[-1]}.")


def split(x: Tensor, num_heads: int) -> Tensor:
    check_split(x, num_heads)
    B, T, D = x.shape
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)


def merge(heads: Tensor) -> Tensor:
    B, H, T, K = heads.shape
    return heads.transpose(1, 2).reshape(B, T, H * K)


def marks(rows: str) -> Tensor:
    """Return a mask, True where a 1 is written: `marks("110 011")` has two rows of three."""
    return torch.tensor([[sign == "1" for sign in row] for row in rows.split()])


def double(rows: list) -> Tensor:
    """Return a tensor of float64."""
    return torch.tensor(rows, dtype=torch.float64)


def leaf(rows: list) -> Tensor:
    """Return a tensor of float64 with respect to which the gradient is asked."""
    return double(rows).requires_grad_()
