"""Attention: the function, its readable twin, and many heads of it.

Masks have one polarity: `attention_mask`, bool, True = takes part. A query that has nothing left to attend to gets zeros,
and zero gradients, never NaN.

B batch, T query length, S key length, D width, H heads, G key/value heads, K head width.
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse.layers.cache import KVCache
from lmcourse.layers.masks import causal_mask, check_mask, padding_mask
from lmcourse.layers.positions import RotaryPositionalEmbedding
from lmcourse.layers.rnn_attention import BahdanauAttention, LuongDotAttention, LuongGeneralAttention

__all__ = [
    "BahdanauAttention",
    "KVCache",
    "LuongDotAttention",
    "LuongGeneralAttention",
    "MultiHeadAttention",
    "attention_weights",
    "causal_mask",
    "naive_attention",
    "padding_mask",
    "scaled_dot_product_attention",
]


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None = None,
    *,
    causal: bool = False,
    scale: float | None = None,
    dropout_p: float = 0.0,
) -> Tensor:
    """Return scaled dot-product attention: softmax(Q K^T / sqrt(K)) V, by torch's fused kernels.

    Args:
        query: (B, H, T, K).
        key: (B, G, S, K); G is H, or divides it: head h then reads key/value head h // (H // G).
        value: (B, G, S, Kv); its width may differ from K.
        attention_mask: bool, True = takes part, broadcastable to (B, H, T, S).
        causal: query t sees the keys up to its own place, aligned at the bottom right as in `causal_mask`.
        scale: what the scores are multiplied with, by default K^-0.5.
        dropout_p: share of the weights that is zeroed. It acts whenever it is above 0: pass 0 in evaluation.

    Returns:
        (B, H, T, Kv): for each query a weighted mean of the values; zeros where nothing may be attended to.

    Raises:
        TypeError: a mask that is not bool; tensors of mixed dtypes.
        ValueError: shapes that do not fit together, mixed devices, `dropout_p` outside 0..1.

    Cost: O(B H T S K) time. Memory O(B H T S) with dropout on a CPU, else the kernels keep no table of weights.
    Source: Vaswani et al., "Attention is all you need", 2017, equation 1; grouped heads from Ainslie et al., 2023.
    """
    _check_inputs(query, key, value, attention_mask, dropout_p)
    return attend(query, key, value, attention_mask, causal, scale, dropout_p)


def attend(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None = None,
    causal: bool = False,
    scale: float | None = None,
    dropout_p: float = 0.0,
) -> Tensor:
    """`scaled_dot_product_attention` of tensors that are known to fit: without checks."""
    T, S = query.shape[-2], key.shape[-2]
    if _is_faster_in_steps(query, key):
        return naive_attention(query, key, value, attention_mask, causal=causal, scale=scale, dropout_p=dropout_p)
    all_have_keys = attention_mask is None and T <= S
    if causal and (attention_mask is not None or T != S):  # the kernels' own flag is aligned at the top left
        causal = False
        if T > 1 or S == 0:  # a single query is the last: it sees all
            lower = causal_mask(T, S, device=query.device)
            attention_mask = lower if attention_mask is None else attention_mask & lower
    has_key = None
    if attention_mask is not None and not all_have_keys:
        has_key = attention_mask.any(-1, keepdim=True)  # (..., T, 1)
        attention_mask = attention_mask | ~has_key  # the kernels differ in what they make of an empty row
    if attention_mask is not None and attention_mask.dim() < 4:
        attention_mask = attention_mask.view((1,) * (4 - attention_mask.dim()) + attention_mask.shape)
    context = F.scaled_dot_product_attention(
        query,
        key,
        value,
        attn_mask=attention_mask,
        is_causal=causal,
        scale=scale,
        dropout_p=dropout_p,
        enable_gqa=query.shape[1] != key.shape[1],
    )
    return context if has_key is None else context.masked_fill(~has_key, 0.0)


def naive_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None = None,
    *,
    causal: bool = False,
    scale: float | None = None,
    dropout_p: float = 0.0,
) -> Tensor:
    """Return the same as `scaled_dot_product_attention`, in three steps one can read: weights, dropout, weighted mean.

    Cost: O(B H T S) memory for the weights; at most 6 times the time of `scaled_dot_product_attention` (`benchmarks/attention.py`).
    """
    _check_inputs(query, key, value, attention_mask, dropout_p)
    weights = attention_weights(query, key, attention_mask, causal=causal, scale=scale)
    return F.dropout(weights, dropout_p) @ _repeat_heads(value, query.shape[1])  # (B, H, T, S) x (B, H, S, Kv)


def attention_weights(
    query: Tensor,
    key: Tensor,
    attention_mask: Tensor | None = None,
    *,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    """Return the weights of attention: softmax(Q K^T / sqrt(K)) over the keys.

    Masked scores become minus infinity before the softmax, so that their weights are exactly 0 and the others sum
    to 1. In the row of a query that may attend to nothing that would be 0/0: its weights are all 0.

    Args:
        query: (B, H, T, K).
        key: (B, G, S, K).
        attention_mask, causal, scale: as in `scaled_dot_product_attention`.

    Returns:
        (B, H, T, S), each row a distribution over the keys.

    Source: Vaswani et al., 2017, equation 1 and section 3.2.3.
    """
    _check_inputs(query, key, None, attention_mask, 0.0)
    T, S = query.shape[-2], key.shape[-2]
    scale = query.shape[-1] ** -0.5 if scale is None else scale
    scores = (query * scale) @ _repeat_heads(key, query.shape[1]).transpose(-2, -1)  # (B, H, T, S)
    if causal and attention_mask is None and T <= S:  # each query has its own key at least
        hidden = scores.new_full((T, S), float("-inf")).triu(S - T + 1)
        return _softmax(scores + hidden)  # to add is cheaper than to fill, and takes no backward pass
    if causal:
        lower = causal_mask(T, S, device=query.device)
        attention_mask = lower if attention_mask is None else attention_mask & lower
    if attention_mask is None:
        return _softmax(scores)
    has_key = attention_mask.any(-1, keepdim=True)  # (..., T, 1)
    weights = _softmax(scores.masked_fill(~attention_mask & has_key, float("-inf")))
    return weights.masked_fill(~has_key, 0.0)


class MultiHeadAttention(nn.Module):
    """Attention with several heads: concat(head_1 .. head_H) W_O, head_h = attention(x W_Q^h, m W_K^h, m W_V^h).

    Args:
        embed_dim: D.
        num_heads: H; each head is K = D / H wide.
        num_kv_heads: G, which divides H: heads h of one group share keys and values. By default H; 1 is
            multi-query attention.
        bias: of the four projections.
        dropout: on the weights, in training.
        rotary: positions turned into queries and keys, for self-attention.
        qk_norm: queries and keys go through an RMSNorm of their own (one gain for all heads) before they are turned:
            the size of a score is then bounded by the gains, whatever the weights do.

    Differs from `nn.MultiheadAttention`: batch first, mask polarity, one projection each for queries, keys, values
    and output (torch packs the first three), weights only on request.
    Source: Vaswani et al., 2017, section 3.2.2; Shazeer, 2019 (multi-query); Ainslie et al., 2023 (grouped);
    Henry et al., 2020 (norm of queries and keys, there to length 1).
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        *,
        num_kv_heads: int | None = None,
        bias: bool = True,
        dropout: float = 0.0,
        rotary: RotaryPositionalEmbedding | None = None,
        qk_norm: bool = False,
        norm_eps: float = 1e-5,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        num_kv_heads = num_heads if num_kv_heads is None else num_kv_heads
        for name, size in (("embed_dim", embed_dim), ("num_heads", num_heads), ("num_kv_heads", num_kv_heads)):
            if size < 1:
                raise ValueError(f"`{name}` must be at least 1, got {name}={size}.")
        if embed_dim % num_heads:
            raise ValueError(f"`num_heads` must divide `embed_dim`, got num_heads={num_heads}, embed_dim={embed_dim}.")
        if num_heads % num_kv_heads:
            raise ValueError(
                f"`num_kv_heads` must divide `num_heads`, got num_kv_heads={num_kv_heads}, num_heads={num_heads}."
            )
        if not 0.0 <= dropout < 1.0:
            raise ValueError(f"`dropout` must be at least 0 and less than 1, got {dropout}.")
        self.embed_dim, self.num_heads, self.num_kv_heads = embed_dim, num_heads, num_kv_heads
        self.head_dim = embed_dim // num_heads
        if rotary is not None and rotary.head_dim != self.head_dim:
            raise ValueError(
                f"`rotary` must have head_dim = embed_dim / num_heads = {self.head_dim}, got {rotary.head_dim}."
            )
        self.dropout = dropout
        self.rotary = rotary
        self.q_norm = _HeadNorm(self.head_dim, eps=norm_eps, device=device, dtype=dtype) if qk_norm else None
        self.k_norm = _HeadNorm(self.head_dim, eps=norm_eps, device=device, dtype=dtype) if qk_norm else None
        kv_dim = num_kv_heads * self.head_dim
        self.q_proj = nn.Linear(embed_dim, embed_dim, bias=bias, device=device, dtype=dtype)
        self.k_proj = nn.Linear(embed_dim, kv_dim, bias=bias, device=device, dtype=dtype)
        self.v_proj = nn.Linear(embed_dim, kv_dim, bias=bias, device=device, dtype=dtype)
        self.out_proj = nn.Linear(embed_dim, embed_dim, bias=bias, device=device, dtype=dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the weights by Glorot and Bengio's rule; biases start at 0."""
        for projection in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
            nn.init.xavier_uniform_(projection.weight)
            if projection.bias is not None:
                nn.init.zeros_(projection.bias)

    def forward(
        self,
        x: Tensor,
        memory: Tensor | None = None,
        attention_mask: Tensor | None = None,
        *,
        causal: bool = False,
        cache: KVCache | None = None,
        return_weights: bool = False,
    ) -> Tensor | tuple[Tensor, Tensor]:
        """Attend from `x` to itself, or to `memory`.

        Args:
            x: (B, T, D), what asks.
            memory: (B, S, D), what is asked (cross-attention); None is self-attention.
            attention_mask: bool, True = takes part, broadcastable to (B, H, T, S), S counting the cached tokens too.
            causal: hide the future, with the cached tokens as the past.
            cache: keys and values of the tokens before `x`; those of `x` are added. With `memory`, the first call
                fills it and later calls read it, without projecting `memory` again.
            return_weights: also return the weights (of the readable path).

        Returns:
            (B, T, D), or that and the weights (B, H, T, S).

        Raises:
            TypeError: inputs that are not floating point, a mask that is not bool, mixed dtypes.
            ValueError: shapes that do not fit, mixed devices, rotary positions or `causal` with `memory`.
            RuntimeError: the cache is too short, or was filled from another memory.
        """
        self._check(x, memory, causal)
        filled = cache if memory is not None and cache is not None and cache.length > 0 else None
        if memory is not None and filled is not None and filled.length != memory.shape[1]:
            raise RuntimeError(
                f"`cache` must hold the S={memory.shape[1]} places of `memory`, got {filled.length}: "
                "was it filled from another one?"
            )
        if filled is not None:
            projected, key, value = self.q_proj(x), filled.keys, filled.values
        else:
            projected, *others = self.project(x, x if memory is None else memory)
            key, value = (_split_heads(part, self.num_kv_heads) for part in others)  # (B, S, D) -> (B, G, S, K)
        query = _split_heads(projected, self.num_heads)  # (B, T, D) -> (B, H, T, K)
        if self.q_norm is not None:
            query = self.q_norm(query)
        if filled is None:
            if self.k_norm is not None:
                key = self.k_norm(key)
            if self.rotary is not None:
                offset = 0 if cache is None else cache.length
                query, key = self.rotary(query, offset), self.rotary(key, offset)
            if cache is not None:
                key, value = cache.append(key, value)
        dropout_p = self.dropout if self.training else 0.0
        if return_weights:
            _check_inputs(query, key, value, attention_mask, dropout_p)
            weights = attention_weights(query, key, attention_mask, causal=causal)
            context = F.dropout(weights, dropout_p) @ _repeat_heads(value, self.num_heads)
            return self.out_proj(context.transpose(1, 2).flatten(2)), weights
        if attention_mask is not None:
            check_mask(attention_mask, (*query.shape[:3], key.shape[2]), query.device)
        context = attend(query, key, value, attention_mask, causal, None, dropout_p)
        return self.out_proj(context.transpose(1, 2).flatten(2))  # (B, H, T, K) -> (B, T, D)

    def project(self, x: Tensor, source: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the queries of x (B, T, D), and keys and values of `source` (B, S, D), their heads side by side."""
        return self.q_proj(x), self.k_proj(source), self.v_proj(source)

    def new_cache(self, batch_size: int, max_length: int) -> KVCache:
        """Return an empty cache for this layer, on its device and in its dtype (under autocast, in that one)."""
        device, dtype = self.k_proj.weight.device, self.k_proj.weight.dtype
        if torch.is_autocast_enabled(device.type):
            dtype = torch.get_autocast_dtype(device.type)
        return KVCache(batch_size, self.num_kv_heads, max_length, self.head_dim, device=device, dtype=dtype)

    def extra_repr(self) -> str:
        return (
            f"embed_dim={self.embed_dim}, num_heads={self.num_heads}, num_kv_heads={self.num_kv_heads}, "
            f"dropout={self.dropout}"
        )

    def _check(self, x: Tensor, memory: Tensor | None, causal: bool) -> None:
        for name, given in (("x", x), ("memory", memory)):
            if given is None:
                continue
            if not isinstance(given, Tensor) or not given.is_floating_point():
                kind = given.dtype if isinstance(given, Tensor) else type(given).__name__
                raise TypeError(f"`{name}` must be a floating-point tensor, got {kind}.")
            if given.dim() != 3 or given.shape[-1] != self.embed_dim:
                shape = "(B, T, D)" if name == "x" else "(B, S, D)"
                raise ValueError(f"`{name}` must have shape {shape} with D={self.embed_dim}, got {tuple(given.shape)}.")
            if given.device != self.q_proj.weight.device:
                raise ValueError(
                    f"`{name}` must be on the layer's device, got {given.device} and {self.q_proj.weight.device}."
                )
            if given.dtype != self.q_proj.weight.dtype and not torch.is_autocast_enabled(given.device.type):
                raise TypeError(f"`{name}` must have the layer's dtype, got {given.dtype}, {self.q_proj.weight.dtype}.")
        if memory is not None:
            if memory.shape[0] != x.shape[0]:
                raise ValueError(
                    f"`x` and `memory` must have one batch size, got {tuple(x.shape)} and {tuple(memory.shape)}."
                )
            if causal or self.rotary is not None:
                raise ValueError(
                    "`memory` must come without `causal` and rotary positions: its places are not those of `x`."
                )


class _HeadNorm(nn.RMSNorm):
    """RMSNorm that stays in the dtype of its input: autocast gives queries and keys in bfloat16."""

    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x, self.normalized_shape, self.weight.to(x.dtype), self.eps)


def _split_heads(projected: Tensor, num_heads: int) -> Tensor:
    B, T, width = projected.shape
    return projected.view(B, T, num_heads, width // num_heads).transpose(1, 2)  # (B, T, H K) -> (B, H, T, K)


def _repeat_heads(shared: Tensor, num_heads: int) -> Tensor:
    """Give each of `num_heads` heads the key/value head of its group: (B, G, S, K) -> (B, H, S, K)."""
    times = num_heads // shared.shape[1]
    return shared if times == 1 else shared.repeat_interleave(times, dim=1)


def _softmax(scores: Tensor) -> Tensor:
    """softmax over the keys, of float32 for a small table of bfloat16 on a CPU: torch's own takes twice as long."""
    if scores.dtype == torch.bfloat16 and scores.device.type == "cpu" and scores.numel() < 1 << 18:
        return scores.softmax(dim=-1, dtype=torch.float32).to(scores.dtype)
    return scores.softmax(dim=-1)


def _is_faster_in_steps(query: Tensor, key: Tensor) -> bool:
    """Whether plain products beat the kernel, which in bfloat16 on a CPU takes twice as long (back, 2 to 5 times)."""
    small = query.shape[-2] * key.shape[-2] <= 512 * 512  # the table of weights is kept
    return small and query.dtype == torch.bfloat16 and query.device.type == "cpu"


def _check_inputs(query: Tensor, key: Tensor, value: Tensor | None, mask: Tensor | None, dropout_p: float) -> None:
    given = {"query": query, "key": key} if value is None else {"query": query, "key": key, "value": value}
    for name, tensor in given.items():
        if not isinstance(tensor, Tensor) or not tensor.is_floating_point():
            kind = tensor.dtype if isinstance(tensor, Tensor) else type(tensor).__name__
            raise TypeError(f"`{name}` must be a floating-point tensor, got {kind}.")
        if tensor.dim() != 4:
            raise ValueError(f"`{name}` must have 4 dimensions (B, heads, length, width), got {tuple(tensor.shape)}.")
    shapes = ", ".join(f"{name} {tuple(tensor.shape)}" for name, tensor in given.items())
    if len({tensor.device for tensor in given.values()}) > 1:
        devices = ", ".join(f"{name} {tensor.device}" for name, tensor in given.items())
        raise ValueError(f"`query`, `key` and `value` must be on one device, got {devices}.")
    if len({tensor.dtype for tensor in given.values()}) > 1 and not torch.is_autocast_enabled(query.device.type):
        dtypes = ", ".join(f"{name} {tensor.dtype}" for name, tensor in given.items())
        raise TypeError(f"`query`, `key` and `value` must have one dtype, got {dtypes}.")
    B, H, T, K = query.shape
    _, G, S, _ = key.shape
    if key.shape[0] != B or key.shape[3] != K:
        raise ValueError(f"`key` must be (B, G, S, K) with the query's B={B} and K={K}, got {shapes}.")
    if value is not None and value.shape[:3] != key.shape[:3]:
        raise ValueError(f"`value` must be (B, G, S, Kv) with the key's B, G and S, got {shapes}.")
    if G == 0 or H % G:
        raise ValueError(f"the key's heads must divide the query's, got {shapes}.")
    if not 0.0 <= dropout_p <= 1.0:
        raise ValueError(f"`dropout_p` must be in 0..1, got {dropout_p}.")
    if mask is not None:
        check_mask(mask, (B, H, T, S), query.device)
