"""Fast decoding of a stack of transformer layers: an object made from a model, which it never changes.

B batch, T length of the new tokens, S of all tokens so far, D width, V vocabulary.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar

import torch
from torch import Tensor, nn

from lmcourse.kernels.decoding import FUSED, DecodingLayer, Function, PackedLinear, linear, packs
from lmcourse.kernels.unmodified import Unmodified
from lmcourse.layers.attention import HeadNorm, KVCache, MultiHeadAttention
from lmcourse.layers.positions import (
    ALiBi,
    LearnedPositionalEmbedding,
    RotaryPositionalEmbedding,
    SinusoidalPositions,
)
from lmcourse.layers.transformer import ACTIVATIONS, EncoderLayer, FeedForward

_unmodified = Unmodified(
    [
        EncoderLayer, MultiHeadAttention, FeedForward, HeadNorm, RotaryPositionalEmbedding, LearnedPositionalEmbedding,
        SinusoidalPositions, ALiBi, nn.Linear, nn.LayerNorm, nn.RMSNorm, nn.Dropout, nn.Embedding,
    ]
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

    It reads the model's own parameters, or copies of them that are made anew when they change; it leaves out dropout,
    checks between layers, and the calls of modules. Whatever it does not know, it calls: a part of a layer that
    somebody replaced, subclassed or wrapped, that has hooks or a `forward` of its own. What it calls must be in
    evaluation mode (`modules`).

    Args:
        layers: the model's layers.
        norm, head: what comes after them.
        embeddings: the modules that `start` calls.
        dropout: of the embeddings.
        start: gives for ids (B, T), the number of tokens before, and a mask (B, S) or None: embeddings (B, T, D), the
            layers' mask and positions.
        new_cache: makes an empty cache.
        rows, new_tokens: how many rows, for how many tokens: what it may cost to prepare.
    """

    def __init__(
        self,
        layers: Iterable[nn.Module],
        norm: nn.Module,
        head: nn.Module,
        *,
        embeddings: Iterable[nn.Module],
        dropout: nn.Module,
        start: Start,
        new_cache: Callable[[int, int], C],
        rows: int,
        new_tokens: int,
    ) -> None:
        self._rows, self._new_tokens = rows, new_tokens
        self._called: list[nn.Module] = []
        self._start, self.new_cache = start, new_cache
        for module in embeddings:
            self._known(module, type(module))
        self._dropout = None if _unmodified(dropout, nn.Dropout) else self._call(dropout)
        self._layers = [self._layer(layer) for layer in layers]
        self._norm, self.head = self._function(norm), self._function(head)

    @staticmethod
    def is_possible() -> bool:
        """Return whether the classes of layers are as this module knows them, and nobody listens to all modules."""
        return _unmodified.classes()

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
        if self._dropout is not None:
            x = self._dropout(x)
        B, T, D = x.shape
        if T == 1:
            x = x.reshape(D) if B == 1 else x.reshape(B, D)
        for layer, layer_cache in zip(self._layers, cache.layers, strict=True):
            x = layer(x, mask, causal=True, cache=layer_cache, positions=positions)
        cache.length = end
        return self._norm(x)

    def modules(self) -> Iterator[nn.Module]:
        """Yield the modules that are called, and so must be in evaluation mode."""
        return iter(self._called)

    def _call(self, module: nn.Module) -> Callable[..., Tensor]:
        """Return a call of a module as it is, with the shapes that it knows."""
        self._called.extend(module.modules())

        def call(x: Tensor, *arguments: Any, **options: Any) -> Tensor:
            result: Tensor = module(x if x.dim() == 3 else x.view(-1, 1, x.shape[-1]), *arguments, **options)
            return result.view(*x.shape[:-1], -1)

        return call

    def _known(self, module: nn.Module | None, kind: type[nn.Module]) -> Callable[..., Tensor] | None:
        """Return a call of a module; one of this kind does the same in training mode."""
        if module is not None and not _unmodified(module, kind):
            self._called.extend(module.modules())
        return module

    def _layer(self, layer: nn.Module) -> Callable[..., Tensor]:
        if not isinstance(layer, EncoderLayer) or not _unmodified(layer, EncoderLayer) or not layer.pre_norm:
            return self._call(layer)
        attention = layer.attention
        if not _unmodified(layer.dropout, nn.Dropout) or not _unmodified(attention, MultiHeadAttention):
            return self._call(layer)
        return DecodingLayer(
            head_dim=attention.head_dim,
            attention_norm=self._function(layer.attention_norm),
            query_key_value=self._together(attention.q_proj, attention.k_proj, attention.v_proj),
            out=self._function(attention.out_proj),
            feed_forward_norm=self._function(layer.feed_forward_norm),
            feed_forward=self._feed_forward(layer.feed_forward),
            query_norm=self._known(attention.q_norm, HeadNorm),
            key_norm=self._known(attention.k_norm, HeadNorm),
            rotary=self._known(attention.rotary, RotaryPositionalEmbedding),
            alibi=self._known(attention.alibi, ALiBi),
        )

    def _together(self, *parts: nn.Linear) -> Callable[[Tensor], Sequence[Tensor]]:
        """Return what several parts make of the same input, in one product where they are packed."""
        widths = [part.out_features for part in parts]
        if len({part.bias is None for part in parts}) == 1 and self._is_packed(*parts):
            joined = PackedLinear([part.weight for part in parts], [part.bias for part in parts], self._rows)
            return lambda x: joined(x).split(widths, dim=-1)
        functions = [self._function(part) for part in parts]
        return lambda x: [function(x) for function in functions]

    def _feed_forward(self, block: nn.Module) -> Function:
        if not isinstance(block, FeedForward) or not _unmodified(block, FeedForward):
            return self._call(block)
        if not _unmodified(block.dropout, nn.Dropout):
            return self._call(block)
        act, down = ACTIVATIONS[block.activation], self._function(block.down)
        if block.gate is not None:
            up, gate = self._function(block.up), self._function(block.gate)
            return lambda x: down(act(gate(x)) * up(x))
        if block.activation in FUSED and self._is_packed(block.up):
            hidden = PackedLinear([block.up.weight], [block.up.bias], self._rows, block.activation)
            return lambda x: down(hidden(x))
        up = self._function(block.up)
        return lambda x: down(act(up(x)))

    def _function(self, part: nn.Module) -> Function:
        """Return what a part computes in evaluation mode."""
        if any(type(parameter) is not nn.Parameter for parameter in part.parameters(recurse=False)):
            return self._call(part)
        if isinstance(part, nn.Linear) and _unmodified(part, nn.Linear):
            if self._is_packed(part):
                return PackedLinear([part.weight], [part.bias], self._rows)
            return linear(part.weight, part.bias)
        if isinstance(part, nn.LayerNorm) and _unmodified(part, nn.LayerNorm):
            shape, weight, bias, eps = list(part.normalized_shape), part.weight, part.bias, part.eps
            return lambda x: torch.layer_norm(x, shape, weight, bias, eps)
        if isinstance(part, nn.RMSNorm) and _unmodified(part, nn.RMSNorm):
            shape, gain, epsilon = list(part.normalized_shape), part.weight, part.eps
            return lambda x: torch.rms_norm(x, shape, gain, epsilon)
        return self._call(part)

    def _is_packed(self, *parts: nn.Linear) -> bool:
        """Return whether parts that read the same input have a copy of their weights, one below the other."""
        plain = all(
            _unmodified(part, nn.Linear)
            and all(type(parameter) is nn.Parameter for parameter in part.parameters(recurse=False))
            for part in parts
        )
        return plain and packs([part.weight for part in parts], self._rows, self._new_tokens)
