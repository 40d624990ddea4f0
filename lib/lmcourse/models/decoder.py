"""Fast decoding of a stack of transformer layers: an object made from a model, which it never changes.

B batch, T length of the new tokens, S of all tokens so far, D width, V vocabulary.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, Protocol, TypeVar, cast

import torch
from torch import Tensor, nn

from lmcourse.kernels.decoding import DecodingLayer, Function, linear
from lmcourse.layers.attention import HeadNorm, KVCache, MultiHeadAttention
from lmcourse.layers.positions import (
    ALiBi,
    LearnedPositionalEmbedding,
    RotaryPositionalEmbedding,
    SinusoidalPositions,
)
from lmcourse.layers.transformer import ACTIVATIONS, EncoderLayer, FeedForward

#: What a model is made of that `Decoder` can read; of no other module it knows what it computes.
PARTS: tuple[type[nn.Module], ...] = (
    EncoderLayer, MultiHeadAttention, FeedForward, HeadNorm, RotaryPositionalEmbedding, LearnedPositionalEmbedding,
    SinusoidalPositions, ALiBi, nn.Linear, nn.LayerNorm, nn.RMSNorm, nn.Dropout, nn.Embedding, nn.ModuleList,
)  # fmt: skip


class LayerCaches(Protocol):
    """The caches of all layers, and how many tokens they hold."""

    layers: list[KVCache]
    length: int

    def reorder(self, rows: Tensor) -> None: ...


C = TypeVar("C", bound=LayerCaches)
Start = Callable[[Tensor, int, Tensor | None], tuple[Tensor, Tensor | None, Tensor | None]]


class Decoder(Generic[C]):
    """A language model with the logits of another one in evaluation mode, but for rounding, at less cost.

    It reads the model's own parameters, and leaves out dropout, checks between layers, and the calls of modules. So it
    is for a model of `PARTS` that nobody has changed (`kernels.unmodified.AsMade`).

    Args:
        layers: the model's layers, pre-norm.
        norm, head: what comes after them.
        start: gives for ids (B, T), the number of tokens before, and a mask (B, S) or None: embeddings (B, T, D), the
            layers' mask and positions.
        new_cache: makes an empty cache.
    """

    def __init__(
        self,
        layers: Iterable[nn.Module],
        norm: nn.Module,
        head: nn.Module,
        *,
        start: Start,
        new_cache: Callable[[int, int], C],
    ) -> None:
        self._start, self.new_cache = start, new_cache
        self._layers = [self._layer(cast(EncoderLayer, layer)) for layer in layers]
        self._norm, self.head = self._function(norm), self._function(head)

    def __call__(
        self, ids: Tensor, *, cache: C, attention_mask: Tensor | None = None, last_only: bool = False
    ) -> Tensor:
        """Return the logits of the token after each of `ids` (B, T), (B, T, V), or (B, 1, V) with `last_only`."""
        (B, T), x = ids.shape, self._read(ids, cache, attention_mask)
        x = x[:, -1:] if last_only and T > 1 else x
        return self.head(x).view(B, 1 if last_only else T, -1)

    def hidden(self, ids: Tensor, *, cache: C, attention_mask: Tensor | None = None) -> Tensor:
        """Return what the head reads, (B, T, D)."""
        return self._read(ids, cache, attention_mask).view(*ids.shape, -1)

    def modules(self) -> Iterator[nn.Module]:
        """Yield the modules that must be in evaluation mode: none."""
        return iter(())

    def _read(self, ids: Tensor, cache: C, attention_mask: Tensor | None) -> Tensor:
        """Return what the head reads: (B, T, D), for T = 1 (B, D), for one token in all (D,).

        The parts of a layer take vectors in fewer steps than tensors of more dimensions.
        """
        end = cache.length + ids.shape[1]
        if cache.layers and end > cache.layers[0].max_length:
            raise RuntimeError(
                f"`cache` must be long enough for the new tokens, got max_length={cache.layers[0].max_length}, "
                f"length={cache.length}, new tokens={ids.shape[1]}."
            )
        x, mask, positions = self._start(ids, cache.length, attention_mask)
        B, T, D = x.shape
        if T == 1:
            x = x.reshape(D) if B == 1 else x.reshape(B, D)
        for layer, layer_cache in zip(self._layers, cache.layers, strict=True):
            x = layer(x, mask, causal=True, cache=layer_cache, positions=positions)
        cache.length = end
        return self._norm(x)

    def _layer(self, layer: EncoderLayer) -> DecodingLayer:
        attention = layer.attention
        return DecodingLayer(
            head_dim=attention.head_dim,
            attention_norm=self._function(layer.attention_norm),
            query_key_value=self._together(attention.q_proj, attention.k_proj, attention.v_proj),
            out=self._function(attention.out_proj),
            feed_forward_norm=self._function(layer.feed_forward_norm),
            feed_forward=self._feed_forward(layer.feed_forward),
            query_norm=attention.q_norm,
            key_norm=attention.k_norm,
            rotary=attention.rotary,
            alibi=attention.alibi,
            window=attention.window,
        )

    def _together(self, *parts: nn.Linear) -> Callable[[Tensor], Sequence[Tensor]]:
        """Return what several parts make of the same input."""
        functions = [self._function(part) for part in parts]
        return lambda x: [function(x) for function in functions]

    def _feed_forward(self, block: FeedForward) -> Function:
        act, up, down = ACTIVATIONS[block.activation], self._function(block.up), self._function(block.down)
        if block.gate is None:
            return lambda x: down(act(up(x)))
        gate = self._function(block.gate)
        return lambda x: down(act(gate(x)) * up(x))

    def _function(self, part: nn.Module) -> Function:
        """Return what a linear layer or a norm computes."""
        if isinstance(part, nn.Linear):
            return linear(part.weight, part.bias)
        if isinstance(part, nn.LayerNorm):
            shape, gain, bias, eps = list(part.normalized_shape), part.weight, part.bias, part.eps
            return lambda x: torch.layer_norm(x, shape, gain, bias, eps)
        norm = cast(nn.RMSNorm, part)
        return lambda x: torch.rms_norm(x, list(norm.normalized_shape), norm.weight, norm.eps)
