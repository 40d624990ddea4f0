"""What several exercises of chapter 13 share: drawing cases, and what counts as the same result."""

from collections.abc import Callable

import torch
from torch import Tensor

from lmcourse.exercises import Compare

CLOSE = Compare(rtol=1e-5, atol=1e-8)
GRADIENTS = Compare(rtol=1e-5, atol=1e-6, gradient=True)  # in float32 a sum near 0 has an error of that size


def drawer(seed: int, dtype: torch.dtype = torch.float64) -> Callable[..., Tensor]:
    """Return a function that draws tensors of the given sizes, for cases."""
    generator = torch.Generator().manual_seed(seed)

    def draw(*sizes: int, grad: bool = False) -> Tensor:
        return torch.randn(*sizes, generator=generator, dtype=dtype).requires_grad_(grad)

    return draw
