"""Checks and sums that the losses of this room share."""

import torch
from torch import Tensor


def same_shape(**tensors: Tensor) -> None:
    """Raise ValueError unless all tensors have one shape with at least one element."""
    shapes = {name: tuple(tensor.shape) for name, tensor in tensors.items()}
    if len(set(shapes.values())) != 1 or 0 in next(iter(shapes.values())):
        names = ", ".join(f"`{name}`" for name in shapes)
        raise ValueError(f"{names} must have one shape, not empty, got {', '.join(map(str, shapes.values()))}.")


def check_mask(attention_mask: Tensor) -> None:
    """Raise TypeError unless the mask is bool (True = takes part)."""
    if attention_mask.dtype != torch.bool:
        raise TypeError(f"`attention_mask` must be bool (True = takes part), got {attention_mask.dtype}.")


def masked_mean(values: Tensor, attention_mask: Tensor) -> Tensor:
    """Return the mean over the places that take part; 0 if none does. What stands elsewhere may be NaN."""
    return values.masked_fill(~attention_mask, 0.0).sum() / attention_mask.sum().clamp(min=1)
