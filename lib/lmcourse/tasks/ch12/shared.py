"""What several exercises of chapter 12 share: drawing cases, and what counts as the same result."""

from collections.abc import Callable

import torch
from torch import Tensor

from lmcourse.exercises import Compare

CLOSE = Compare(rtol=1e-5, atol=1e-6)  # sums differ by the order of their terms


def drawer(seed: int, dtype: torch.dtype = torch.float64) -> Callable[..., Tensor]:
    """Return a function that draws tensors of the given sizes, for cases."""
    generator = torch.Generator().manual_seed(seed)

    def draw(*sizes: int) -> Tensor:
        return torch.randn(*sizes, generator=generator, dtype=dtype)

    return draw


def draw_weights(seed: int, *sizes: int) -> Tensor:
    """Return random causal attention weights (..., T, T), for cases."""
    scores = drawer(seed)(*sizes)
    hidden = torch.ones(sizes[-1], sizes[-1], dtype=torch.bool).triu(1)
    return (2 * scores).masked_fill(hidden, float("-inf")).softmax(dim=-1)
