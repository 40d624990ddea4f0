"""What several exercises of chapter 04 share: drawing cases, and what counts as the same result."""

from collections.abc import Sequence

import torch
from torch import Tensor

Rows = Sequence[Sequence[int]]


def generator_of(seed: int) -> torch.Generator:
    """A torch generator for cases; seeds may be larger than an int of C."""
    return torch.Generator().manual_seed(seed)


def mask(B: int, S: int, lengths: Sequence[int]) -> Tensor:
    return torch.arange(S) < torch.tensor(lengths)[:B, None]
