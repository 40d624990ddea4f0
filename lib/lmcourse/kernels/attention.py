"""Attention by torch's fused kernels, or in three steps where those are slower.

B batch, T query length, S key length, H heads, G key/value heads, K head width.
"""

import torch
import torch.nn.functional as F
from torch import Tensor

STEPS_AT_MOST = 512 * 512  # table entries up to which three steps beat torch's bfloat16 kernel on a CPU
FLOAT32_SOFTMAX_BELOW = 1 << 18  # table entries up to which torch's bfloat16 softmax takes twice as long


def fused_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None = None,
    *,
    causal: bool = False,
    scale: float | None = None,
    dropout_p: float = 0.0,
    bias: Tensor | None = None,
) -> Tensor:
    """Return what `lmcourse.layers.naive_attention` returns, for inputs that have been checked at its door.

    Cost: O(B H T S K) time. Memory O(B H T S) with dropout on a CPU; otherwise the kernels keep no table of weights.
    """
    T, S = query.shape[-2], key.shape[-2]
    if T == 1 and S > 0:
        causal = False  # a single query is the newest: it sees all keys
    # In bfloat16 on a CPU torch's kernel takes twice as long as plain products, and 2 to 5 times as long backward.
    in_steps = query.dtype == torch.bfloat16 and query.device.type == "cpu" and T * S <= STEPS_AT_MOST
    attend = _attention_in_steps if in_steps else _attention_by_torch
    return attend(query, key, value, attention_mask, causal, scale, dropout_p, bias)


def _attention_by_torch(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    causal: bool,
    scale: float | None,
    dropout_p: float,
    bias: Tensor | None,
) -> Tensor:
    if scale is not None and scale <= 0.0:  # the kernels multiply the -inf of their causal mask by the scale
        query, scale = query * scale, 1.0
    has_key = None
    if mask is not None or bias is not None or query.shape[-2] != key.shape[-2]:
        mask, has_key = _visible(mask, causal, query, key)  # the kernels' own flag is aligned at the top left
        causal = False
    if bias is not None:
        bias = bias.to(query.dtype)
        mask = bias if mask is None else torch.where(mask, bias, float("-inf"))
    if mask is not None and mask.dim() < 4:
        mask = mask.view((1,) * (4 - mask.dim()) + mask.shape)
    context = F.scaled_dot_product_attention(
        query,
        key,
        value,
        attn_mask=mask,
        is_causal=causal,
        scale=scale,
        dropout_p=dropout_p,
        enable_gqa=query.shape[1] != key.shape[1],
    )
    return context if has_key is None else context.masked_fill(~has_key, 0.0)


def _attention_in_steps(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    causal: bool,
    scale: float | None,
    dropout_p: float,
    bias: Tensor | None,
) -> Tensor:
    (H, T, K), S = query.shape[1:], key.shape[-2]
    scores = (query * (K**-0.5 if scale is None else scale)) @ _repeat_heads(key, H).transpose(-2, -1)  # (B, H, T, S)
    if bias is not None:
        scores = scores + bias
    has_key = None
    if causal and mask is None and T <= S:  # adding is cheaper than filling, and takes no backward pass
        scores = scores + scores.new_full((T, S), float("-inf")).triu(S - T + 1)
    else:
        mask, has_key = _visible(mask, causal, query, key)
        scores = scores if mask is None else scores.masked_fill(~mask, float("-inf"))
    if scores.numel() < FLOAT32_SOFTMAX_BELOW:
        weights = scores.softmax(dim=-1, dtype=torch.float32).to(scores.dtype)
    else:
        weights = scores.softmax(dim=-1)
    context = F.dropout(weights, dropout_p) @ _repeat_heads(value, H)
    return context if has_key is None else context.masked_fill(~has_key, 0.0)


def _visible(mask: Tensor | None, causal: bool, query: Tensor, key: Tensor) -> tuple[Tensor | None, Tensor | None]:
    """Return what each query may attend to, and which queries may attend to anything; None where that is all.

    A query without a key is shown all of them, since the kernels differ in what they make of an empty row.
    """
    T, S = query.shape[-2], key.shape[-2]
    all_have_keys = mask is None and T <= S
    if causal:
        lower = torch.ones(T, S, dtype=torch.bool, device=query.device).tril(S - T)
        mask = lower if mask is None else mask & lower
    if mask is None or all_have_keys:
        return mask, None
    has_key = mask.any(-1, keepdim=True)  # (..., T, 1)
    return mask | ~has_key, has_key


def within_window(mask: Tensor | None, query: Tensor, key: Tensor, window: int) -> Tensor | None:
    """Return the mask of the S newest keys that also hides keys `window` or more tokens before a query.

    Args:
        mask: bool, broadcastable to (B, H, T, S or more), or None: all are shown.
        query, key: (B, H, T, K) and (B, G, S, K), the queries being those of the newest tokens.
    """
    T, S = query.shape[-2], key.shape[-2]
    mask = None if mask is None else mask[..., -S:]
    if window >= S:
        return mask
    recent = torch.ones(T, S, dtype=torch.bool, device=query.device).triu(S - T - window + 1)
    return recent if mask is None else mask & recent


def _repeat_heads(shared: Tensor, num_heads: int) -> Tensor:
    times = num_heads // shared.shape[1]
    return shared if times == 1 else shared.repeat_interleave(times, dim=1)  # (B, G, S, K) -> (B, H, S, K)
