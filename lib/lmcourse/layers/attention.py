"""Attention: the function as the pages write it, the choice of its fast twin, and many heads of it.

Masks have one polarity: `attention_mask`, bool, True = attend. A query that has nothing to attend to gets zeros, and
zero gradients, never NaN.

B batch, T query length, S key length, D width, H heads, G key/value heads, K head width.
"""

from collections.abc import Callable
from types import NoneType
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse import checks, kernels, tensor_checks
from lmcourse.kernels.attention import fused_attention, within_window
from lmcourse.kernels.shared_prefix import SharedPrefixCache
from lmcourse.layers.cache import KVCache
from lmcourse.layers.masks import causal_mask, masked_softmax, padding_mask
from lmcourse.layers.positions import ALiBi, RotaryPositionalEmbedding

__all__ = [
    "KVCache",
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
    bias: Tensor | None = None,
) -> Tensor:
    """Return scaled dot-product attention: softmax(Q K^T / sqrt(K)) V.

    Args:
        query: (B, H, T, K).
        key: (B, G, S, K); G is H or divides it: head h then reads key/value head h // (H // G).
        value: (B, G, S, Kv); its width may differ from K.
        attention_mask: bool, True = attend, broadcastable to (B, H, T, S). What it hides must be finite: numbers there,
            however large, change nothing, but a NaN or infinity may make the result NaN (0 times NaN is NaN), never
            another number. No path looks for one: to clean keys and values takes twice as long as the attention of a
            new token, and zeros in their place would hide that a run has diverged.
        causal: query t sees the keys up to its own position, aligned at the bottom right as in `causal_mask`.
        scale: the factor of the scores, by default K^-0.5.
        dropout_p: share of the weights that is zeroed. It acts whenever it is above 0: pass 0 in evaluation.
        bias: added to the scores, broadcastable to (B, H, T, S); see `ALiBi`.

    Returns:
        (B, H, T, Kv): for each query a weighted mean of the values; zeros where there is nothing to attend to.

    Raises:
        TypeError: a mask that is not bool; tensors of mixed dtypes.
        ValueError: shapes that do not fit together, mixed devices, `dropout_p` outside 0..1.

    The work is done by `naive_attention` inside `lmcourse.kernels.plain()`, elsewhere by torch's fused kernels.
    Source: Vaswani et al., "Attention is all you need", 2017, equation 1; grouped heads from Ainslie et al., 2023.
    """
    tensor_checks.floating(value=value)
    _check_inputs(query, key, value, attention_mask, scale, dropout_p, bias)
    return _attend()(query, key, value, attention_mask, causal=causal, scale=scale, dropout_p=dropout_p, bias=bias)


def _attend() -> Callable[..., Tensor]:
    return fused_attention if kernels.enabled() else naive_attention


def naive_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor | None,
    attention_mask: Tensor | None = None,
    *,
    causal: bool = False,
    scale: float | None = None,
    dropout_p: float = 0.0,
    bias: Tensor | None = None,
) -> Tensor:
    """Return the same as `scaled_dot_product_attention`, in steps that can be read; without a `value`, the weights.

    Cost: O(B H T S) memory for the weights; `benchmarks/attention.py` has its time.
    """
    _check_inputs(query, key, value, attention_mask, scale, dropout_p, bias)
    scale = query.shape[-1] ** -0.5 if scale is None else scale
    scores = scale * query @ repeat_heads(key, query.shape[1]).transpose(-2, -1)  # Q K^T / sqrt(K), (B, H, T, S)
    scores = scores if bias is None else scores + bias
    weights = masked_softmax(scores, *_visible(attention_mask, causal, scores))  # (B, H, T, S)
    return weights if value is None else F.dropout(weights, dropout_p) @ repeat_heads(value, query.shape[1])


def attention_weights(
    query: Tensor,
    key: Tensor,
    attention_mask: Tensor | None = None,
    *,
    causal: bool = False,
    scale: float | None = None,
    bias: Tensor | None = None,
) -> Tensor:
    """Return the weights of attention: softmax(Q K^T / sqrt(K)) over the keys.

    Args:
        query: (B, H, T, K).
        key: (B, G, S, K).
        attention_mask, causal, scale, bias: as in `scaled_dot_product_attention`.

    Returns:
        (B, H, T, S), each row a distribution over the keys, or zeros if there is nothing to attend to.

    Source: Vaswani et al., 2017, equation 1 and section 3.2.3.
    """
    return naive_attention(query, key, None, attention_mask, causal=causal, scale=scale, bias=bias)


def _visible(mask: Tensor | None, causal: bool, scores: Tensor) -> tuple[Tensor | None, bool]:
    """Return the mask with the future hidden too, if it is to be, and whether a query may be left without a key."""
    T, S = scores.shape[-2:]
    if not causal:
        return mask, mask is not None
    lower = causal_mask(T, S, device=scores.device)  # (T, S)
    return (lower, T > S) if mask is None else (mask & lower, True)


def repeat_heads(shared: Tensor, num_heads: int) -> Tensor:
    """Return for each of `num_heads` heads the key/value head of its group: (B, G, S, K) -> (B, H, S, K)."""
    return shared.repeat_interleave(num_heads // shared.shape[1], dim=1)


class MultiHeadAttention(nn.Module):
    """Attention with several heads: concat(head_1 .. head_H) W_O, head_h = attention(x W_Q^h, m W_K^h, m W_V^h).

    Args:
        embed_dim: D.
        num_heads: H.
        num_kv_heads: G, which divides H: the heads of one group share keys and values. By default H; 1 is
            multi-query attention.
        bias: of the four projections.
        dropout: on the weights, in training.
        rotary: positions rotated into queries and keys, for self-attention.
        alibi: positions as a bias of the scores, for self-attention.
        qk_norm: queries and keys go through an RMSNorm of their own (one gain for all heads) before they are rotated:
            the size of a score is then bounded by the gains, whatever the weights do.
        norm_eps: of those norms.
        head_dim: K, by default D / H; else q_proj makes H K numbers of D, and out_proj D of H K.
        window: a query sees so many tokens, itself included, by default all; for causal self-attention.

    Differs from `nn.MultiheadAttention`: batch first, mask polarity, one projection each for queries, keys, values
    and output (torch packs the first three), weights only on request.
    Source: Vaswani et al., 2017, section 3.2.2; Shazeer, 2019 (multi-query); Ainslie et al., 2023 (grouped);
    Henry et al., 2020 (norm of queries and keys, there to length 1);
    Beltagy et al., "Longformer", 2020, section 3.1 (sliding window).
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
        alibi: ALiBi | None = None,
        qk_norm: bool = False,
        norm_eps: float = 1e-5,
        head_dim: int | None = None,
        window: int | None = None,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        num_kv_heads = num_heads if num_kv_heads is None else num_kv_heads
        _check_sizes(embed_dim, num_heads, num_kv_heads, head_dim, rotary, alibi)
        checks.number(dropout=dropout, at_least=0.0, below=1.0)
        checks.number(norm_eps=norm_eps, at_least=0.0, below=1.0)
        self.embed_dim, self.num_heads, self.num_kv_heads = embed_dim, num_heads, num_kv_heads
        self.head_dim = head_dim or embed_dim // num_heads
        if window is not None:
            checks.whole(window=window, at_least=1)
        self.dropout, self.rotary, self.alibi, self.window = dropout, rotary, alibi, window
        self.q_norm = HeadNorm(self.head_dim, eps=norm_eps, device=device, dtype=dtype) if qk_norm else None
        self.k_norm = HeadNorm(self.head_dim, eps=norm_eps, device=device, dtype=dtype) if qk_norm else None
        all_dim, kv_dim = num_heads * self.head_dim, num_kv_heads * self.head_dim
        self.q_proj = nn.Linear(embed_dim, all_dim, bias=bias, device=device, dtype=dtype)
        self.k_proj = nn.Linear(embed_dim, kv_dim, bias=bias, device=device, dtype=dtype)
        self.v_proj = nn.Linear(embed_dim, kv_dim, bias=bias, device=device, dtype=dtype)
        self.out_proj = nn.Linear(all_dim, embed_dim, bias=bias, device=device, dtype=dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the weights by Glorot and Bengio's rule; biases start at 0, gains at 1."""
        for projection in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
            nn.init.xavier_uniform_(projection.weight)
            if projection.bias is not None:
                nn.init.zeros_(projection.bias)
        for norm in (self.q_norm, self.k_norm):
            if norm is not None:
                norm.reset_parameters()

    def forward(
        self,
        x: Tensor,
        memory: Tensor | None = None,
        attention_mask: Tensor | None = None,
        *,
        causal: bool = False,
        cache: KVCache | SharedPrefixCache | None = None,
        positions: Tensor | None = None,
        return_weights: bool = False,
    ) -> Tensor | tuple[Tensor, Tensor]:
        """Attend from `x` to itself, or to `memory`.

        Args:
            x: (B, T, D), where the queries come from.
            memory: (B, S, D), where keys and values come from (cross-attention); None is self-attention.
            attention_mask: bool, True = attend, broadcastable to (B, H, T, S), S counting the cached tokens too.
            causal: hide the future, with the cached tokens as the past.
            cache: keys and values of the tokens before `x`; those of `x` are added. With `memory`, the first call
                fills it and later calls read it, without projecting `memory` again.
            positions: (B, S), the position of each token for `rotary` and `alibi`, the cached tokens included; by
                default they are numbered from 0.
            return_weights: also return the weights, as they are before dropout.

        Returns:
            (B, T, D), or that and the weights (B, H, T, S).

        Raises:
            TypeError: inputs that are not floating point, a mask that is not bool, mixed dtypes.
            ValueError: shapes that do not fit, mixed devices; positions or `causal` with `memory`.
            RuntimeError: the cache is too short, or was filled from another memory.
        """
        self._check(x, memory, attention_mask, causal, cache, positions)
        before = 0 if cache is None else cache.length
        start = before if positions is None else positions[:, -x.shape[1] :]
        query = self.queries(x, start)  # (B, H, T, K)
        if memory is not None and cache is not None and before > 0:
            key, value = cache.keys, cache.values  # of the memory, from the first call
        else:
            key, value = self.keys_and_values(x if memory is None else memory, start)  # (B, G, S, K)
            key, value = (key, value) if cache is None else cache.append(key, value)
        if self.window is not None:
            attention_mask = within_window(attention_mask, query, key, self.window)
            positions = None if positions is None else positions[:, -key.shape[2] :]
        bias = None if self.alibi is None else self.alibi(query, key, positions)
        options: dict[str, Any] = {"attention_mask": attention_mask, "causal": causal, "bias": bias}
        context = _attend()(query, key, value, dropout_p=self.dropout * self.training, **options)  # (B, H, T, K)
        output = self.out_proj(context.transpose(1, 2).flatten(2))  # (B, H, T, K) -> (B, T, D)
        return (output, attention_weights(query, key, **options)) if return_weights else output

    def queries(self, x: Tensor, start: int | Tensor = 0) -> Tensor:
        """Return the queries of x (B, T, D), whose first token is at position `start`: (B, H, T, K)."""
        B, T, _ = x.shape
        query: Tensor = self.q_proj(x).view(B, T, self.num_heads, self.head_dim).transpose(1, 2)
        query = query if self.q_norm is None else self.q_norm(query)
        return query if self.rotary is None else self.rotary(query, start)

    def keys_and_values(self, source: Tensor, start: int | Tensor = 0) -> tuple[Tensor, Tensor]:
        """Return the keys and values of `source` (B, S, D), whose first token is at `start`: twice (B, G, S, K)."""
        B, S, _ = source.shape
        key = self.k_proj(source).view(B, S, self.num_kv_heads, self.head_dim).transpose(1, 2)
        value = self.v_proj(source).view(B, S, self.num_kv_heads, self.head_dim).transpose(1, 2)
        key = key if self.k_norm is None else self.k_norm(key)
        return key if self.rotary is None else self.rotary(key, start), value

    def new_cache(self, batch_size: int, max_length: int) -> KVCache:
        """Return an empty cache for this layer, on its device and in its dtype (under autocast, in that one)."""
        device, dtype = tensor_checks.place(self.k_proj.weight)
        if tensor_checks.autocasts(device):
            dtype = torch.get_autocast_dtype(device.type)
        made: dict[str, Any] = {"device": device, "dtype": dtype}
        return KVCache(batch_size, self.num_kv_heads, max_length, self.head_dim, window=self.window, **made)

    def extra_repr(self) -> str:
        return (
            f"embed_dim={self.embed_dim}, num_heads={self.num_heads}, num_kv_heads={self.num_kv_heads}, "
            f"dropout={self.dropout}"
        )

    def _check(
        self,
        x: Tensor,
        memory: Tensor | None,
        attention_mask: Tensor | None,
        causal: bool,
        cache: KVCache | SharedPrefixCache | None,
        positions: Tensor | None,
    ) -> None:
        tensor_checks.vectors(self.embed_dim, self.q_proj.weight, x=x)
        tensor_checks.shape(("B", "T", self.embed_dim), x=x)
        if positions is not None:
            tensor_checks.integers(positions=positions, at_least=0)
            tensor_checks.shape((x.shape[0], "S"), positions=positions)
            tensor_checks.same_device(x=x, positions=positions)
        checks.instance((KVCache, SharedPrefixCache, NoneType), cache=cache)
        if isinstance(cache, KVCache):
            wanted, (_, B, G, _, K) = (x.shape[0], self.num_kv_heads, self.head_dim), cache.buffer.shape
            if wanted != (B, G, K):
                raise ValueError(f"`cache` must be for (B, G, K) = {wanted}, got one for {(B, G, K)}.")
            if cache.window not in (None, self.window):
                raise ValueError(f"`cache` must have window={self.window} as the layer, got window={cache.window}.")
        if self.window is not None and (memory is not None or not causal):
            raise ValueError(f"`causal` must be True, and `memory` None, where window={self.window}, got {causal=}.")
        if memory is not None:
            self._check_memory(memory, x, causal, cache)
        S = memory.shape[1] if memory is not None else x.shape[1] + (0 if cache is None else cache.length)
        tensor_checks.attention_mask(attention_mask, (x.shape[0], self.num_heads, x.shape[1], S), x.device)

    def _check_memory(self, memory: Tensor, x: Tensor, causal: bool, cache: KVCache | SharedPrefixCache | None) -> None:
        tensor_checks.vectors(self.embed_dim, self.q_proj.weight, memory=memory)
        tensor_checks.shape((x.shape[0], "S", self.embed_dim), memory=memory)
        if causal or self.rotary is not None or self.alibi is not None:
            raise ValueError(
                "`memory` must come without `causal` and without positions: its positions are not those of `x`."
            )
        if cache is not None and cache.length not in (0, memory.shape[1]):
            raise RuntimeError(
                f"`cache` must hold the S={memory.shape[1]} tokens of `memory`, got {cache.length}: "
                "was it filled from another one?"
            )


class HeadNorm(nn.RMSNorm):
    """RMSNorm that stays in the dtype of its input: autocast gives queries and keys in bfloat16."""

    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x, self.normalized_shape, self.weight.to(x.dtype), self.eps)


def _check_sizes(
    embed_dim: int,
    num_heads: int,
    num_kv_heads: int,
    head_dim: int | None,
    rotary: RotaryPositionalEmbedding | None,
    alibi: ALiBi | None,
) -> None:
    checks.whole(embed_dim=embed_dim, num_heads=num_heads, num_kv_heads=num_kv_heads, at_least=1)
    if head_dim is None:
        checks.divides(num_heads=num_heads, embed_dim=embed_dim)
    else:
        checks.whole(head_dim=head_dim, at_least=1)
    checks.divides(num_kv_heads=num_kv_heads, num_heads=num_heads)
    checks.instance((RotaryPositionalEmbedding, NoneType), rotary=rotary)
    checks.instance((ALiBi, NoneType), alibi=alibi)
    K, rule = (embed_dim // num_heads, "embed_dim / num_heads = ") if head_dim is None else (head_dim, "")
    if rotary is not None and rotary.head_dim != K:
        raise ValueError(f"`rotary` must have head_dim = {rule}{K}, got {rotary.head_dim}.")
    if alibi is not None and alibi.num_heads != num_heads:
        raise ValueError(f"`alibi` must have num_heads={num_heads} as the layer, got {alibi.num_heads}.")


def _check_inputs(
    query: Tensor,
    key: Tensor,
    value: Tensor | None,
    attention_mask: Tensor | None,
    scale: float | None,
    dropout_p: float,
    bias: Tensor | None,
) -> None:
    given = {"query": query, "key": key} if value is None else {"query": query, "key": key, "value": value}
    tensor_checks.floating(**given)
    for name, tensor in given.items():
        if tensor.dim() != 4:
            raise ValueError(f"`{name}` must have 4 dimensions (B, heads, length, width), got {tuple(tensor.shape)}.")
    tensor_checks.same_device(**given)
    tensor_checks.same_dtype(**given)
    B, H, T, K = query.shape
    _, G, S, _ = key.shape
    rule = None
    if key.shape[0] != B or key.shape[3] != K:
        rule = f"`key` must be (B, G, S, K) with the query's B={B} and K={K}"
    elif value is not None and value.shape[:3] != key.shape[:3]:
        rule = "`value` must be (B, G, S, Kv) with the key's B, G and S"
    elif G == 0 or H % G:
        rule = "`key` must have a number of heads that divides the query's"
    if rule is not None:
        raise ValueError(f"{rule}, got {', '.join(f'{name} {tuple(each.shape)}' for name, each in given.items())}.")
    if scale is not None:
        checks.number(scale=scale)
    checks.number(dropout_p=dropout_p, at_least=0.0, at_most=1.0)
    tensor_checks.attention_mask(attention_mask, (B, H, T, S), query.device)
    if bias is not None:
        tensor_checks.attention_bias(bias, (B, H, T, S), query.device)
        tensor_checks.same_dtype(query=query, bias=bias)
