"""What several exercises of chapter 06 share: drawing cases, and what counts as the same result."""

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Compare

CLOSE = Compare(rtol=1e-5, atol=1e-6)  # float32 sums differ by the order of their terms


def draw(rng: np.random.Generator, *shape: int, dtype: torch.dtype = torch.float64) -> Tensor:
    """Draw a tensor of standard normal numbers, for cases."""
    return torch.from_numpy(rng.normal(size=shape)).to(dtype)
