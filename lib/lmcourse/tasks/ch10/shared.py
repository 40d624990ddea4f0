"""What several exercises of chapter 10 share: drawing cases, and what counts as the same result."""

import torch
from torch import Tensor


def draw_ids(seed: int, *sizes: int, vocab_size: int = 11) -> Tensor:
    return torch.randint(vocab_size, sizes, generator=torch.Generator().manual_seed(seed))


def draw_marks(seed: int, *sizes: int) -> Tensor:
    return torch.rand(*sizes, generator=torch.Generator().manual_seed(seed)) < 0.5
