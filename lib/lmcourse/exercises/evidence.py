"""Read the numbers that are evidence in projects with a model to train; the judges of several chapters do so."""

from typing import Any

import torch
from torch import Tensor


def as_numbers(evidence: Any, *shape: int) -> Tensor:
    """Return finite numbers of a shape, in float64.

    Raises:
        ValueError: they are none.
    """
    if not isinstance(evidence, Tensor) or evidence.shape != shape or not torch.isfinite(evidence).all():
        raise ValueError(f"no finite numbers of the shape {shape}")
    return evidence.double()


def as_log_probs(evidence: Any, *shape: int) -> Tensor:
    """Return log-probabilities of a shape, in float64; the last axis sums to 1.

    Raises:
        ValueError: they are none.
    """
    log_probs = as_numbers(evidence, *shape)
    if (log_probs.logsumexp(-1).abs() > 1e-3).any():
        raise ValueError("not normalised")
    return log_probs
