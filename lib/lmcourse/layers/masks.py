"""Masks of attention: bool, True = attend. B batch, T query length, S key length."""

import torch
from torch import Tensor

from lmcourse import checks, tensor_checks

__all__ = ["causal_mask", "masked_softmax", "padding_mask"]


def causal_mask(T: int, S: int | None = None, *, device: torch.device | str | None = None) -> Tensor:
    """Return the mask that hides the future: mask[t, s] = s <= t + S - T.

    Aligned at the bottom right: the last query sees all keys, so with S - T earlier keys in a cache the T queries
    are the newest of S tokens.

    Args:
        T: number of queries.
        S: number of keys, by default T. With S < T the first T - S queries see nothing.

    Returns:
        bool (T, S).

    Raises:
        TypeError: a size that is not a whole number.
        ValueError: a negative size.
    """
    S = T if S is None else S
    tensor_checks.sizes(T=T, S=S)
    return torch.ones(T, S, dtype=torch.bool, device=device).tril(S - T)


def padding_mask(lengths: Tensor, max_length: int | None = None) -> Tensor:
    """Return the mask of a padded batch: mask[b, s] = s < lengths[b].

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
    lengths = tensor_checks.converted(lengths=lengths)
    tensor_checks.integers(lengths=lengths)
    tensor_checks.shape(("B",), lengths=lengths)
    checks.not_empty(lengths=lengths)
    if max_length is not None:
        checks.whole(max_length=max_length, at_least=0)
    if max_length is None:
        tensor_checks.has_values(lengths=lengths)
    S = int(lengths.max()) if max_length is None else max_length
    tensor_checks.integers(lengths=lengths, at_least=0, below=S + 1)
    return torch.arange(S, device=lengths.device) < lengths[:, None]  # (B, S)


def masked_softmax(scores: Tensor, mask: Tensor | None, empty_rows: bool = True) -> Tensor:
    """Return the softmax of `scores` (..., S) over the entries where `mask` is True; the others get exactly 0.

    Where a row has no such entry, all of it is 0; there -inf in place of the least number would give 0/0.

    Args:
        scores: floating point.
        mask: bool, broadcastable to the scores; None is True everywhere.
        empty_rows: whether there may be such rows. False spares a pass over the table.

    Raises:
        TypeError: scores that are not floating point, a mask that is not bool.
        ValueError: a mask that does not broadcast, or on another device.
    """
    tensor_checks.floating(scores=scores)
    checks.instance(bool, empty_rows=empty_rows)
    if scores.dim() == 0:
        raise ValueError("`scores` must have shape (..., S), got one number.")
    if mask is None:
        return scores.softmax(-1)
    tensor_checks.mask_of(scores, mask=mask)
    if not empty_rows:
        return scores.masked_fill(~mask, float("-inf")).softmax(-1)
    return scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(-1).masked_fill(~mask, 0.0)
