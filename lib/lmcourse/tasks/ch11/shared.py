"""What several exercises of chapter 11 share: drawing cases, and what counts as the same result."""

from collections.abc import Callable

import torch
from torch import Tensor


def drawer(seed: int, dtype: torch.dtype = torch.float64) -> Callable[..., Tensor]:
    """Return a function that draws tensors of the given sizes, for cases."""
    generator = torch.Generator().manual_seed(seed)

    def draw(*sizes: int, grad: bool = False) -> Tensor:
        return torch.randn(*sizes, generator=generator, dtype=dtype).requires_grad_(grad)

    return draw


def numbers(*values: float) -> Tensor:
    """Return the values as float64."""
    return torch.tensor(values, dtype=torch.float64)


def leaf(*values: float) -> Tensor:
    """Return the values as float64; the gradient with respect to them is asked."""
    return numbers(*values).requires_grad_()
