"""Fast decoding: the newest tokens of a text through a layer, from its parameters alone.

With a few rows at a time a model reads every weight for every token and computes little. What remains to be saved are
the checks, wrappers and copies around the products, which take a third of a small model's time, and part of the
products' own time, by copies of the weights in the order in which they are read fastest: for several rows as oneDNN
packs them, which halves the time; for one row column by column, where a matrix is wider than its input. That depends on
the processor: on an AMD EPYC one text of 64 tokens is written 1.3 times as fast with a vocabulary of 50,257 and 1.06
times with one of 2,048; where a plain product is as fast as memory, .9 times, and a longer text is not slower.

B batch, T length of the new tokens, S of all tokens so far, D width, H heads, G key/value heads, K head width.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.kernels.attention import fused_attention

Function = Callable[[Tensor], Tensor]

PACKED_FROM_TOKENS = 16  # for several rows a copy takes as long as a few tokens
BY_COLUMNS_FROM_TOKENS = 64  # for one row it saves less
PACKED_FROM_WEIGHTS = 1 << 17  # below, a copy saves nothing
PRODUCTS_FROM_KEYS = 1 << 13  # numbers among the keys from which on plain products beat torch's kernel
FUSED: dict[str, Function] = {
    "none": lambda x: x,
    "relu": F.relu,
    "gelu": F.gelu,
    "gelu_tanh": partial(F.gelu, approximate="tanh"),
}
_ONEDNN_NAMES = {"none": ("none", ""), "relu": ("relu", ""), "gelu": ("gelu", "none"), "gelu_tanh": ("gelu", "tanh")}


class KeyValueBuffer(Protocol):
    """The keys and values of a layer, (2, B, G, max_length, K), and the number of tokens that are there."""

    buffer: Tensor
    length: int


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
        end = cache.length = start + T
        keys, values = cache.buffer.narrow(3, 0, end).unbind(0)  # (B, G, S, K)
        keys.narrow(2, start, T).copy_(key)
        values.narrow(2, start, T).copy_(value)
        if T == 1 and attention_mask is None and self.alibi is None:
            context = attention_of_newest(query, keys, values)
        else:
            bias = None if self.alibi is None else self.alibi(query, keys, positions)
            context = fused_attention(query, keys, values, attention_mask, causal=causal, bias=bias)
        if T > 1:
            context = context.transpose(1, 2)
        x = x + self.out(context.reshape(x.shape))
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
    """Return x W^T + b as a function of x (..., in_features) that reads the weights as they are."""
    if torch.is_autocast_enabled(weight.device.type):
        return partial(F.linear, weight=weight, bias=bias)

    def product(x: Tensor) -> Tensor:
        if x.dim() > 1:
            return F.linear(x, weight, bias)
        return torch.mv(weight, x) if bias is None else torch.addmv(bias, weight, x)

    return product


def packs(weights: Sequence[Tensor], rows: int, new_tokens: int) -> bool:
    """Return whether matrices that read the same input are worth a copy, for `new_tokens` steps of `rows` rows."""
    if rows > 1:
        pays = new_tokens >= PACKED_FROM_TOKENS and hasattr(torch.ops.mkldnn, "_linear_pointwise")
    else:
        wide = sum(weight.shape[0] for weight in weights) > weights[0].shape[1]
        pays = new_tokens >= BY_COLUMNS_FROM_TOKENS and wide
    return (
        pays
        and sum(weight.numel() for weight in weights) >= PACKED_FROM_WEIGHTS
        and all(
            weight.device.type == "cpu" and weight.dtype == torch.float32 and not weight.is_inference()
            for weight in weights
        )
        and not torch.is_autocast_enabled("cpu")
    )


class PackedLinear:
    """act(x W^T + b), with a copy of W in the order in which it is read fastest.

    For several rows that is oneDNN's, whose operators torch.compile uses too; where the processor has none, the product
    is a plain one. For one row the copy lies column by column. A weight that is changed in place is copied again before
    its next use.

    Args:
        weights: float32 on the CPU, (out_features, in_features) each; W is one below the other.
        biases: one for each of them, or None; b is one after the other.
        rows: the rows that x will have.
        activation: one of `FUSED`, applied to the result.
    """

    def __init__(
        self, weights: Sequence[Tensor], biases: Sequence[Tensor | None], rows: int, activation: str = "none"
    ) -> None:
        given = [bias for bias in biases if bias is not None]
        if given and len(given) < len(weights):
            raise ValueError(f"`biases` must be given for all weights or for none, got {len(given)} of {len(weights)}.")
        self.weights, self.biases, self.rows, self.activation = weights, given, rows, activation
        self._copy()

    def _copy(self) -> None:
        self.versions = self._versions()
        weight = _below_each_other([weight.detach() for weight in self.weights])
        bias = _below_each_other([bias.detach() for bias in self.biases]) if self.biases else None
        self.product = self._by_columns(weight, bias) if self.rows == 1 else self._by_onednn(weight, bias)

    def _by_columns(self, weight: Tensor, bias: Tensor | None) -> Function:
        product, act = linear(weight.t().contiguous().t(), bias), FUSED[self.activation]
        return product if self.activation == "none" else lambda x: act(product(x))

    def _by_onednn(self, weight: Tensor, bias: Tensor | None) -> Function:
        try:
            packed = torch.ops.mkldnn._reorder_linear_weight(weight, self.rows)
        except RuntimeError:
            return lambda x: FUSED[self.activation](F.linear(x, weight, bias))
        name, kind = _ONEDNN_NAMES[self.activation]
        apply = torch.ops.mkldnn._linear_pointwise
        return lambda x: apply(x, packed, bias, name, [], kind)

    def _versions(self) -> list[int]:
        return [part._version for part in (*self.weights, *self.biases)]  # torch has no public name for this count

    def __call__(self, x: Tensor) -> Tensor:
        if self._versions() != self.versions:
            self._copy()
        return self.product(x)


def _below_each_other(parts: Sequence[Tensor]) -> Tensor:
    return parts[0] if len(parts) == 1 else torch.cat(list(parts))
