"""Masks of attention: bool, True = takes part. T query length, S key length."""

import torch
from torch import Tensor


def causal_mask(T: int, S: int | None = None, *, device: torch.device | str | None = None) -> Tensor:
    """Return the keep mask that hides the future: keep[t, s] = s <= t + S - T.

    Aligned at the bottom right: the last query sees all keys, so with S - T earlier keys in a cache the T queries
    are the newest of S places.

    Args:
        T: number of queries.
        S: number of keys, by default T. With S < T the first T - S queries see nothing.

    Returns:
        bool (T, S).
    """
    S = T if S is None else S
    for name, size in (("T", T), ("S", S)):
        if size < 0:
            raise ValueError(f"`{name}` must be at least 0, got {name}={size}.")
    return torch.ones(T, S, dtype=torch.bool, device=device).tril(S - T)


def padding_mask(lengths: Tensor, max_length: int | None = None) -> Tensor:
    """Return the keep mask of a padded batch: keep[b, s] = s < lengths[b].

    To use it as `attention_mask`, give it the dimensions of heads and queries: `mask[:, None, None, :]`.

    Args:
        lengths: whole numbers (B,), the true lengths.
        max_length: S, by default the greatest length.

    Returns:
        bool (B, S), True at true tokens, on the device of `lengths`.

    Raises:
        TypeError: lengths that are not whole numbers.
        ValueError: lengths not of shape (B,), or (checked on the CPU) outside 0..S.
    """
    lengths = torch.as_tensor(lengths)
    if lengths.is_floating_point() or lengths.is_complex() or lengths.dtype == torch.bool:
        raise TypeError(f"`lengths` must be whole numbers, got {lengths.dtype}.")
    if lengths.dim() != 1 or len(lengths) == 0:
        raise ValueError(f"`lengths` must have shape (B,) with B at least 1, got {tuple(lengths.shape)}.")
    S = int(lengths.max()) if max_length is None else max_length
    if lengths.device.type == "cpu" and not 0 <= int(lengths.min()) <= int(lengths.max()) <= S:
        raise ValueError(f"`lengths` must be in 0..max_length={S}, got {int(lengths.min())} to {int(lengths.max())}.")
    return torch.arange(S, device=lengths.device) < lengths[:, None]  # (B, S)


def check_mask(mask: Tensor, shape: tuple[int, int, int, int], device: torch.device) -> None:
    """Refuse a mask that is not bool, does not fit (B, H, T, S), or is on another device."""
    if not isinstance(mask, Tensor) or mask.dtype != torch.bool:
        kind = mask.dtype if isinstance(mask, Tensor) else type(mask).__name__
        raise TypeError(f"`attention_mask` must be a bool tensor (True = takes part), got {kind}.")
    fits = mask.dim() <= 4 and all(
        size in (1, full) for size, full in zip(reversed(mask.shape), reversed(shape), strict=False)
    )
    if not fits or mask.dim() == 0:
        raise ValueError(
            f"`attention_mask` must be broadcastable to (B, H, T, S) = {shape}, got {tuple(mask.shape)}. "
            "A padding mask (B, S) is given as mask[:, None, None, :]."
        )
    if mask.device != device:
        raise ValueError(f"`attention_mask` must be on the query's device, got {mask.device} and {device}.")
