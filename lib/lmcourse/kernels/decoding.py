"""Fast decoding: the newest tokens of a text through a layer, from its parameters alone.

With a few rows at a time a model reads every weight for every token and computes little. What can be saved are the
checks, wrappers and copies around the products: a third of a small model's time. (Copies of the weights in the order in
which they are read fastest, oneDNN's or column by column, were tried: as fast for one row, and for 4 and 16 rows a
tenth slower, the time for the copies included.)

B batch, T length of the new tokens, S of all tokens so far, D width, H heads, G key/value heads, K head width.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.kernels.attention import fused_attention, within_window

Function = Callable[[Tensor], Tensor]

PRODUCTS_FROM_KEYS = 1 << 13  # numbers among the keys from which on plain products beat torch's kernel


class KeyValueBuffer(Protocol):
    """The keys and values of a layer, and the number of tokens so far."""

    length: int

    def extend(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]: ...


@dataclass(frozen=True)
class DecodingLayer:
    """A pre-norm layer in evaluation mode, made of the functions of its parts; it is called as the layer is.

    x = x + attention(norm(x)), x = x + feed_forward(norm(x)), for the new tokens alone.
    """

    head_dim: int
    attention_norm: Function
    query_key_value: Callable[[Tensor], Sequence[Tensor]]  # (B, T, D) -> (B, T, H K), (B, T, G K), (B, T, G K)
    out: Function  # (B, T, H K) -> (B, T, D)
    feed_forward_norm: Function
    feed_forward: Function
    query_norm: Function | None = None  # of heads, (B, H, T, K)
    key_norm: Function | None = None
    rotary: Callable[[Tensor, int | Tensor], Tensor] | None = None  # heads and their positions
    alibi: Callable[[Tensor, Tensor, Tensor | None], Tensor] | None = None  # queries, keys and their positions
    window: int | None = None  # tokens that one sees, itself included

    def __call__(
        self,
        x: Tensor,
        attention_mask: Tensor | None,
        *,
        causal: bool,
        cache: KeyValueBuffer,
        positions: Tensor | None,
    ) -> Tensor:
        """Map x (B, T, D), or for T = 1 (B, D) or (D,), to the same shape; its keys and values go to the cache.

        Args:
            x: the new tokens; the cache must be long enough for them.
            attention_mask: bool, True = attend, broadcastable to (B, H, T, S).
            causal: hide the future.
            cache: the tokens before.
            positions: (B, S), or None to number the tokens from 0.
        """
        T = x.shape[1] if x.dim() == 3 else 1
        B = x.shape[0] if x.dim() > 1 else 1
        start, K = cache.length, self.head_dim
        query, key, value = self.query_key_value(self.attention_norm(x))
        if T == 1:
            query, key, value = query.view(B, -1, 1, K), key.view(B, -1, 1, K), value.view(B, -1, 1, K)
        else:  # (B, T, H K) -> (B, H, T, K)
            query, key, value = (part.view(B, T, -1, K).transpose(1, 2) for part in (query, key, value))
        if self.query_norm is not None and self.key_norm is not None:
            query, key = self.query_norm(query), self.key_norm(key)
        if self.rotary is not None:
            at = start if positions is None else positions[:, -T:]
            query, key = self.rotary(query, at), self.rotary(key, at)
        keys, values = cache.extend(key, value)  # (B, G, S, K)
        if self.window is not None:
            attention_mask = within_window(attention_mask, query, keys, self.window)
            positions = None if positions is None else positions[:, -keys.shape[2] :]
        if T == 1 and attention_mask is None and self.alibi is None:
            context = attention_of_newest(query, keys, values)
        else:
            bias = None if self.alibi is None else self.alibi(query, keys, positions)
            context = fused_attention(query, keys, values, attention_mask, causal=causal, bias=bias)
        if T > 1:
            context = context.transpose(1, 2)
        x = x + self.out(context.reshape(*x.shape[:-1], -1))
        return x + self.feed_forward(self.feed_forward_norm(x))


def attention_of_newest(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Return the attention of one query, the newest token of each row, to all keys: (B, H, 1, K).

    Args:
        query: (B, H, 1, K).
        key, value: (B, G, S, K).
    """
    if query.dtype == torch.bfloat16 or query.device.type != "cpu":
        return fused_attention(query, key, value)
    (B, H, _, K), G = query.shape, key.shape[1]
    if H == G or key.numel() < PRODUCTS_FROM_KEYS:
        return F.scaled_dot_product_attention(query, key, value, enable_gqa=H != G)
    # torch's kernel reads the keys that heads share once for each head; plain products read them once.
    queries = (query * K**-0.5).view(B * G, H // G, K)
    scores = torch.bmm(queries, key.flatten(0, 1).transpose(1, 2))  # (B G, H / G, S)
    return torch.bmm(scores.softmax(-1), value.flatten(0, 1)).view(B, H, 1, K)


def linear(weight: Tensor, bias: Tensor | None) -> Function:
    """Return x W^T + b as a function of x (..., in_features)."""
    if torch.is_autocast_enabled(weight.device.type):
        return partial(F.linear, weight=weight, bias=bias)

    def product(x: Tensor) -> Tensor:
        if x.dim() > 1:
            return F.linear(x, weight, bias)
        return torch.mv(weight, x) if bias is None else torch.addmv(bias, weight, x)

    return product
