"""What several exercises of chapter 03 share: drawing cases, and what counts as the same result."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor


def drawer(seed: int, dtype: torch.dtype = torch.float64) -> Callable[..., Tensor]:
    """Return a function that draws tensors of the given sizes, for cases."""
    generator = torch.Generator().manual_seed(seed)

    def draw(*sizes: int, grad: bool = False) -> Tensor:
        return torch.randn(*sizes, generator=generator, dtype=dtype).requires_grad_(grad)

    return draw


def log_probs_of(model: Any, *ids: Tensor) -> Tensor:
    """What a trained model expects next, after each id."""
    model.eval()
    with torch.no_grad():
        return torch.log_softmax(model(*ids).float(), dim=-1)


def draw_matrices(model: Any, seed: int, size: float = 1.5) -> None:
    """Draw every matrix of a model anew and large, so that everything shows in what it predicts."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in model.parameters():
            if weight.dim() > 1:
                weight.copy_(torch.randn(weight.shape, generator=generator) * size * weight.shape[-1] ** -0.5)
