"""Checks of tensors, for the doors of the library; every message names the argument, the rule and what was found.

Shapes, dtypes and devices are always checked. Values are checked only where reading them costs nothing and is possible:
on the CPU, outside of `torch.compile`, `torch.export`, `torch.func` transforms and fake or meta tensors.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeTensor

from lmcourse import checks

INTEGERS = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)


def values_are_readable(tensor: Tensor) -> bool:
    """Return whether the values of a tensor can be looked at here without a device synchronisation or a graph break."""
    return (
        tensor.device.type == "cpu"
        and not torch.compiler.is_compiling()
        and not isinstance(tensor, FakeTensor)
        and not torch._C._functorch.is_functorch_wrapped_tensor(tensor)  # torch has no public name for it
    )


def floating(**tensors: Any) -> None:
    """Raise TypeError unless every argument is a floating-point tensor."""
    for name, tensor in tensors.items():
        if not isinstance(tensor, Tensor) or not tensor.is_floating_point():
            raise TypeError(f"`{name}` must be a floating-point tensor, got {_kind(tensor)}.")


def boolean(**tensors: Any) -> None:
    """Raise TypeError unless every argument is a bool tensor (a mask: True = attend, or True = counts)."""
    for name, tensor in tensors.items():
        if not isinstance(tensor, Tensor) or tensor.dtype != torch.bool:
            raise TypeError(f"`{name}` must be a bool tensor, got {_kind(tensor)}.")


def integers(*, at_least: int | None = None, below: int | None = None, **tensors: Any) -> None:
    """Raise unless every argument is a tensor of whole numbers (any integer dtype) within the bounds.

    Raises:
        TypeError: not a tensor, or of another dtype.
        ValueError: a value out of bounds, where values can be read.
    """
    for name, tensor in tensors.items():
        if not isinstance(tensor, Tensor) or tensor.dtype not in INTEGERS:
            raise TypeError(f"`{name}` must be a tensor of whole numbers, got {_kind(tensor)}.")
        if (at_least is None and below is None) or tensor.numel() == 0 or not values_are_readable(tensor):
            continue
        low, high = (int(bound) for bound in tensor.aminmax())
        if (at_least is not None and low < at_least) or (below is not None and high >= below):
            rule = {
                (False, True): f"at least {at_least}",
                (True, False): f"less than {below}",
                (False, False): f"in {at_least}..{(below or 0) - 1}",
            }[at_least is None, below is None]
            raise ValueError(f"`{name}` must be {rule}, got values from {low} to {high}.")


def token_ids(table: nn.Embedding, **ids: Any) -> None:
    """Raise unless every argument holds ids (B, T), not empty, of vectors in `table`, and is on its device.

    Raises:
        TypeError: not a tensor of whole numbers.
        ValueError: another shape or device, or an id outside 0..V-1, where values can be read.
    """
    for name, each in ids.items():
        integers(**{name: each})
        if each.dim() != 2 or each.numel() == 0:
            raise ValueError(f"`{name}` must have shape (B, T) with B and T at least 1, got {tuple(each.shape)}.")
        on_device(table.weight.device, **{name: each})
        integers(at_least=0, below=table.num_embeddings, **{name: each})


def place(weight: Tensor | Callable[[], Tensor]) -> tuple[torch.device, torch.dtype]:
    """Return where a layer with this weight computes, and in which dtype.

    In the layers that torch's `quantize_dynamic` puts in, `weight` is a method, and they compute in float32.
    """
    return (weight().device, torch.float32) if callable(weight) else (weight.device, weight.dtype)


def vectors(width: int, weight: Tensor | Callable[[], Tensor], **tensors: Any) -> None:
    """Raise unless every argument holds vectors (..., width) that can be multiplied with `weight`.

    Raises:
        TypeError: not a floating-point tensor, or another dtype than `weight` outside of autocast.
        ValueError: another width or device.
    """
    device, dtype = place(weight)
    for name, tensor in tensors.items():
        floating(**{name: tensor})
        if tensor.dim() == 0 or tensor.shape[-1] != width:
            raise ValueError(f"`{name}` must have shape (..., {width}), got {tuple(tensor.shape)}.")
        on_device(device, **{name: tensor})
        if tensor.dtype != dtype and not autocasts(device):
            raise TypeError(f"`{name}` must be a tensor of {dtype}, as the weights are, got {tensor.dtype}.")


def on_device(device: torch.device, **tensors: Tensor) -> None:
    """Raise ValueError unless every tensor is on `device`, where the parameters are."""
    for name, tensor in tensors.items():
        if tensor.device != device:
            raise ValueError(f"`{name}` must be on the device of the parameters, {device}, got {tensor.device}.")


def real(**tensors: Any) -> None:
    """Raise TypeError unless every argument is a tensor of real numbers: floating point or whole, not bool."""
    for name, tensor in tensors.items():
        if not isinstance(tensor, Tensor) or tensor.is_complex() or tensor.dtype == torch.bool:
            raise TypeError(f"`{name}` must be a tensor of real numbers, got {_kind(tensor)}.")


def converted(**values: Any) -> Tensor:
    """Return a tensor, an array or a list of numbers as a tensor; raise TypeError for anything else."""
    ((name, value),) = values.items()
    try:
        return torch.as_tensor(value)
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"`{name}` must be a tensor, an array or a list of numbers, got {value!r}.") from error


def at_least(bound: float, **tensors: Tensor) -> None:
    """Raise ValueError unless all values are finite and at least `bound`, where values can be read."""
    for name, tensor in tensors.items():
        if not values_are_readable(tensor) or tensor.numel() == 0:
            continue
        low, high = (float(value) for value in tensor.aminmax())
        if not bound <= low <= high < math.inf:
            raise ValueError(f"`{name}` must be at least {bound:g} and finite, got values from {low:g} to {high:g}.")


def id_rows(**rows: Any) -> list[Tensor]:
    """Return rows of token ids (lists, tuples, arrays) as tensors of integers.

    Raises:
        TypeError: no sequence, or a row that is not a sequence of whole numbers.
        ValueError: no rows, or an empty one.
    """
    ((name, value),) = rows.items()
    if isinstance(value, str | bytes) or not isinstance(value, Sequence | np.ndarray | Tensor):
        raise TypeError(f"`{name}` must be rows of token ids, got {type(value).__name__}.")
    if len(value) == 0:
        raise ValueError(f"`{name}` must hold at least one row, got none.")
    found = []
    for index, row in enumerate(value):
        try:
            tensor = torch.as_tensor(row)
        except (TypeError, ValueError, RuntimeError) as error:
            raise TypeError(f"`{name}` must be rows of token ids, got {row!r} at index {index}.") from error
        if tensor.dim() == 1 and len(tensor) == 0:
            raise ValueError(f"`{name}` must have at least one token id in each row, got none at index {index}.")
        if tensor.dim() != 1 or tensor.dtype not in INTEGERS:
            raise TypeError(f"`{name}` must be rows of token ids, got {row!r} at index {index}.")
        found.append(tensor)
    return found


def has_values(**tensors: Tensor) -> None:
    """Raise ValueError if a tensor is on the meta device, which has shapes and no values."""
    for name, tensor in tensors.items():
        if tensor.is_meta:
            raise ValueError(f"`{name}` must hold values, got a tensor on the meta device.")


def not_empty(**tensors: Tensor) -> None:
    """Raise ValueError if a tensor has no elements."""
    for name, tensor in tensors.items():
        if tensor.numel() == 0:
            raise ValueError(f"`{name}` must not be empty, got shape {tuple(tensor.shape)}.")


def sizes(*, at_least: int = 0, **values: Any) -> None:
    """Raise unless every value is a whole number of at least `at_least`; nothing is checked while torch traces.

    For numbers that come from a tensor's shape: in `torch.compile` and `torch.export` they are symbols.
    """
    if not torch.compiler.is_compiling():
        checks.whole(at_least=at_least, **values)


def shape(wanted: tuple[int | str, ...], **tensors: Tensor) -> None:
    """Raise ValueError unless every tensor has this shape; a str stands for a size that is free.

    >>> shape(("B", "T", 64), x=x)   # any batch and length, 64 wide
    """
    for name, tensor in tensors.items():
        fits = tensor.dim() == len(wanted) and all(
            isinstance(size, str) or size == found for size, found in zip(wanted, tensor.shape, strict=True)
        )
        if not fits:
            listed = ", ".join(str(size) for size in wanted) + ("," if len(wanted) == 1 else "")
            raise ValueError(f"`{name}` must have shape ({listed}), got {tuple(tensor.shape)}.")


def same_shape(**tensors: Tensor) -> None:
    """Raise ValueError unless all tensors have one shape."""
    if _differ([tensor.shape for tensor in tensors.values()]):
        names = ", ".join(f"`{name}`" for name in tensors)
        shapes = ", ".join(f"{name} {tuple(tensor.shape)}" for name, tensor in tensors.items())
        raise ValueError(f"{names} must have the same shape, got {shapes}.")


def same_device(**tensors: Tensor) -> None:
    """Raise ValueError unless all tensors are on one device."""
    if _differ([tensor.device for tensor in tensors.values()]):
        names = ", ".join(f"`{name}`" for name in tensors)
        devices = ", ".join(f"{name} {tensor.device}" for name, tensor in tensors.items())
        raise ValueError(f"{names} must be on one device, got {devices}.")


def padding_on_the_left(**masks: Tensor) -> None:
    """Raise ValueError unless every bool mask (B, T) is False at the start of a row only, where values can be read."""
    for name, mask in masks.items():
        if not values_are_readable(mask):
            continue
        if not bool(mask[:, -1].all()) or bool((mask[:, :-1] & ~mask[:, 1:]).any()):
            raise ValueError(
                f"`{name}` must have its padding, False, on the left of each row, and a token on the right."
            )


def same_dtype(**tensors: Tensor) -> None:
    """Raise TypeError unless all tensors have one dtype; under autocast they may differ, since it casts them."""
    if _differ([tensor.dtype for tensor in tensors.values()]):
        if autocasts(next(iter(tensors.values())).device):
            return
        names = ", ".join(f"`{name}`" for name in tensors)
        dtypes = ", ".join(f"{name} {tensor.dtype}" for name, tensor in tensors.items())
        raise TypeError(f"{names} must have the same dtype, got {dtypes}.")


def autocasts(device: torch.device) -> bool:
    """Return whether autocast is on for a device."""
    return torch.amp.is_autocast_available(device.type) and torch.is_autocast_enabled(device.type)


def attention_mask(mask: Any, wanted: tuple[int, int, int, int], device: torch.device) -> None:
    """Raise unless `mask` is None or a bool tensor on the device, broadcastable to (B, H, T, S).

    Raises:
        TypeError: not a bool tensor.
        ValueError: a shape that does not broadcast, or another device.
    """
    if mask is not None:
        boolean(attention_mask=mask)
        advice = " A padding mask (B, S) is given as mask[:, None, None, :]."
        _broadcasts("attention_mask", mask, wanted, device, advice)


def attention_bias(bias: Any, wanted: tuple[int, int, int, int], device: torch.device) -> None:
    """Raise unless `bias` is a floating-point tensor on the device, broadcastable to (B, H, T, S).

    Raises:
        TypeError: not a floating-point tensor.
        ValueError: a shape that does not broadcast, or another device.
    """
    floating(bias=bias)
    _broadcasts("bias", bias, wanted, device)


def mask_of(tensor: Tensor, **masks: Any) -> None:
    """Raise unless every argument is a bool tensor on the device of `tensor`, broadcastable to its shape.

    Raises:
        TypeError: not a bool tensor.
        ValueError: a shape that does not broadcast, or another device.
    """
    boolean(**masks)
    for name, mask in masks.items():
        if not _fits(mask, tuple(tensor.shape)):
            raise ValueError(f"`{name}` must be broadcastable to {tuple(tensor.shape)}, got {tuple(mask.shape)}.")
        if mask.device != tensor.device:
            raise ValueError(f"`{name}` must be on {tensor.device}, got {mask.device}.")


def _broadcasts(
    name: str, tensor: Tensor, wanted: tuple[int, int, int, int], device: torch.device, hint: str = ""
) -> None:
    if tensor.dim() == 0 or not _fits(tensor, wanted):
        raise ValueError(
            f"`{name}` must be broadcastable to (B, H, T, S) = {tuple(wanted)}, got {tuple(tensor.shape)}.{hint}"
        )
    if tensor.device != device:
        raise ValueError(f"`{name}` must be on the query's device, got {tensor.device} and {device}.")


def _fits(tensor: Tensor, wanted: tuple[int, ...]) -> bool:
    """Return whether a tensor broadcasts to a shape without making it larger."""
    return tensor.dim() <= len(wanted) and all(
        size in (1, full) for size, full in zip(reversed(tensor.shape), reversed(wanted), strict=False)
    )


def _differ(values: list[Any]) -> bool:
    return any(value != values[0] for value in values[1:])


def _kind(value: Any) -> str:
    return f"a tensor of {value.dtype}" if isinstance(value, Tensor) else type(value).__name__
