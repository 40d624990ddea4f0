"""The transformer of 2017: an encoder that reads the source, a decoder that attends to it and writes the target.

B batch, S source length, T target length, D width, V target vocabulary, L layers.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from types import NoneType
from typing import NamedTuple, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse import checks, tensor_checks
from lmcourse.layers.cache import KVCache
from lmcourse.layers.positions import SinusoidalPositions
from lmcourse.layers.transformer import ACTIVATIONS, Activation, DecoderLayer, EncoderLayer, Norm, reset_parts
from lmcourse.models.tying import tie


@dataclass(frozen=True)
class TransformerConfig:
    """The sizes of a `Transformer`. The paper's base model: 512 wide, 8 heads, 6 + 6 layers, hidden 2,048.

    Attributes:
        source_vocab_size, target_vocab_size: numbers of tokens; the target's is by default the source's.
        embed_dim: D, of the whole stream.
        num_heads: H.
        num_encoder_layers, num_decoder_layers: L.
        hidden_size: of the feed-forward blocks, by default 4 D.
        norm: "post" as published, or "pre", which trains without a warm-up and to greater depth.
        activation: of the feed-forward blocks.
        dropout: on the embeddings and on every sublayer's output.
        pad_id, start_id, stop_id: the special tokens, alike on both sides; padding is not attended to.
        tie_embeddings: the scores use the target's embedding table.
        share_embeddings: source and target use one table; the vocabularies are then one.
        final_norm: normalise once more at the end of encoder and decoder; by default with norm="pre" alone, whose
            stream would else leave unnormalised. (`nn.Transformer` does it always.)
    """

    source_vocab_size: int
    target_vocab_size: int | None = None
    embed_dim: int = 64
    num_heads: int = 4
    num_encoder_layers: int = 2
    num_decoder_layers: int = 2
    hidden_size: int | None = None
    norm: Norm = "pre"
    activation: Activation = "relu"
    dropout: float = 0.0
    pad_id: int = 0
    start_id: int = 1
    stop_id: int = 2
    tie_embeddings: bool = True
    share_embeddings: bool = False
    final_norm: bool | None = None

    def __post_init__(self) -> None:
        for name in ("source_vocab_size", "embed_dim", "num_heads", "num_encoder_layers", "num_decoder_layers"):
            checks.whole(at_least=1, **{name: getattr(self, name)})
        for name in ("target_vocab_size", "hidden_size"):
            if getattr(self, name) is not None:
                checks.whole(at_least=1, **{name: getattr(self, name)})
        checks.whole(pad_id=self.pad_id, start_id=self.start_id, stop_id=self.stop_id, at_least=0)
        if self.embed_dim % self.num_heads or self.embed_dim % 2:
            raise ValueError(
                "`embed_dim` must be even and divisible by `num_heads`, "
                f"got embed_dim={self.embed_dim}, num_heads={self.num_heads}."
            )
        checks.one_of(("pre", "post"), norm=self.norm)
        checks.one_of(ACTIVATIONS, activation=self.activation)
        checks.number(dropout=self.dropout, at_least=0.0, below=1.0)
        ids = (self.pad_id, self.start_id, self.stop_id)
        V = self.target_vocab_size or self.source_vocab_size
        if len(set(ids)) < 3 or max(ids) >= V:
            raise ValueError(
                f"`pad_id`, `start_id`, `stop_id` must be three ids below target_vocab_size={V}, got {ids}."
            )
        if self.share_embeddings and self.target_vocab_size not in (None, self.source_vocab_size):
            raise ValueError(
                "`share_embeddings` needs one vocabulary, "
                f"got source_vocab_size={self.source_vocab_size}, target_vocab_size={self.target_vocab_size}."
            )


class AttentionMaps(NamedTuple):
    """The weights of every layer, queries in rows and keys in columns."""

    encoder: tuple[Tensor, ...]  # L x (B, H, S, S)
    decoder: tuple[Tensor, ...]  # L x (B, H, T, T)
    cross: tuple[Tensor, ...]  # L x (B, H, T, S)


class DecodingState:
    """What a decoder keeps between the tokens that it writes: the memory, its mask, and a cache for each layer.

    The mask is None where no source is padded.
    """

    def __init__(self, memory: Tensor, attention_mask: Tensor | None, caches: list[tuple[KVCache, KVCache]]) -> None:
        self.memory, self.attention_mask, self.caches = memory, attention_mask, caches
        self.length = 0  # tokens decoded

    @property
    def capacity(self) -> int:
        """The most tokens that the caches can hold."""
        return self.caches[0][0].max_length

    def grow(self, capacity: int) -> None:
        """Make the caches longer; what they hold stays."""
        for own, _ in self.caches:
            own.grow(capacity)

    def reorder(self, rows: Tensor) -> None:
        """Make row b continue what was row rows[b], as beam search does when it drops and splits hypotheses."""
        self.memory = self.memory[rows]
        self.attention_mask = None if self.attention_mask is None else self.attention_mask[rows]
        for own, of_memory in self.caches:
            own.reorder(rows)
            of_memory.reorder(rows)


class Transformer(nn.Module):
    """p(target | source) = product over t of softmax(decode(target before t, encode(source)))[target_t].

    x = dropout(sqrt(D) E[id] + PE); encoder layers; decoder layers; scores W x + b with W the embedding table if tied.

    Source: Vaswani et al., "Attention is all you need", 2017, figure 1 and sections 3.1 to 3.5.
    """

    def __init__(self, config: TransformerConfig) -> None:
        checks.instance(TransformerConfig, config=config)
        super().__init__()
        self.config = config
        self.start_id, self.stop_id = config.start_id, config.stop_id
        D, V = config.embed_dim, config.target_vocab_size or config.source_vocab_size
        self.source_embedding = nn.Embedding(config.source_vocab_size, D)
        self.target_embedding = self.source_embedding if config.share_embeddings else nn.Embedding(V, D)
        self.positions = SinusoidalPositions(D)
        self.dropout = nn.Dropout(config.dropout)
        hidden_size = config.hidden_size or 4 * D
        self.encoder_layers = nn.ModuleList(
            EncoderLayer(
                D,
                config.num_heads,
                hidden_size,
                norm=config.norm,
                activation=config.activation,
                dropout=config.dropout,
            )
            for _ in range(config.num_encoder_layers)
        )
        self.decoder_layers = nn.ModuleList(
            DecoderLayer(
                D,
                config.num_heads,
                hidden_size,
                norm=config.norm,
                activation=config.activation,
                dropout=config.dropout,
            )
            for _ in range(config.num_decoder_layers)
        )
        final = config.norm == "pre" if config.final_norm is None else config.final_norm
        self.encoder_norm = nn.LayerNorm(D) if final else nn.Identity()
        self.decoder_norm = nn.LayerNorm(D) if final else nn.Identity()
        self.head = nn.Linear(D, V)
        self._reset_embeddings()

    def reset_parameters(self) -> None:
        """Draw all weights anew."""
        reset_parts(self)
        self._reset_embeddings()

    def _reset_embeddings(self) -> None:
        if self.config.tie_embeddings:
            tie(self.head, self.target_embedding)
        for embedding in (self.source_embedding, self.target_embedding):
            nn.init.normal_(
                embedding.weight, std=self.config.embed_dim**-0.5
            )  # times sqrt(D) in the stream: variance 1
        nn.init.zeros_(self.head.bias)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Return the logits of the token after each of `target`, for training with the right answer so far.

        Args:
            source: ids (B, S), padded with `pad_id`.
            target: ids (B, T), the target shifted right: start token first, last token left out. Padding belongs at
                the end, where no earlier token sees it; its own logits mean nothing.

        Returns:
            logits (B, T, V).

        Raises:
            TypeError: ids that are not whole numbers, a mask that is not bool.
            ValueError: other shapes; (checked on the CPU) an id outside the vocabulary, a source without a token.
        """
        self._check_ids(source, target)
        attention_mask = self.source_mask(source)
        return self.decode(target, self.encode(source, attention_mask), attention_mask)

    def loss(self, source: Tensor, target: Tensor) -> Tensor:
        """Return the mean cross-entropy of the targets' tokens, in nats; padding does not count.

        Args:
            source: (B, S).
            target: (B, T + 1), each row from `start_id` to `stop_id`, then padding. The decoder gets all but the last
                token and has to give all but the first: the same tokens, shifted right by one.

        Raises:
            TypeError, ValueError: as `forward`; a target of fewer than two tokens.
        """
        self._check_ids(source, target)
        if target.shape[1] < 2:
            raise ValueError(f"`target` must have shape (B, T + 1) with T at least 1, got {tuple(target.shape)}.")
        logits = self(source, target[:, :-1])
        return F.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten().long(), ignore_index=self.config.pad_id)

    def encode(self, source: Tensor, attention_mask: Tensor | None = None) -> Tensor:
        """Return the memory (B, S, D) of source ids (B, S).

        Args:
            source: ids (B, S).
            attention_mask: (B, S), True = attend; by default True where there is no padding.

        Raises as `forward`.
        """
        x, mask = self._encoder_input(source, attention_mask)
        for layer in self.encoder_layers:
            x = layer(x, mask)
        memory: Tensor = self.encoder_norm(x)
        return memory

    def decode(
        self,
        target: Tensor,
        memory: Tensor,
        attention_mask: Tensor | None = None,
        *,
        state: DecodingState | None = None,
    ) -> Tensor:
        """Return logits (B, T, V) for target ids (B, T), given the memory (B, S, D) and its `attention_mask` (B, S).

        With a `state` of `start_decoding`, the tokens are those after the ones already decoded. Raises as `forward`.
        """
        checks.instance((DecodingState, NoneType), state=state)
        x, mask = self._decoder_input(target, memory, attention_mask, 0 if state is None else state.length)
        return self._decode(x, memory, mask, state)

    def _decode(self, x: Tensor, memory: Tensor, mask: Tensor | None, state: DecodingState | None) -> Tensor:
        """Return the logits (B, T, V) of embedded targets (B, T, D); mask (B, 1, 1, S)."""
        for i, layer in enumerate(self.decoder_layers):
            x = layer(x, memory, None, mask, cache=None if state is None else state.caches[i])
        if state is not None:
            state.length += x.shape[1]
        logits: Tensor = self.head(self.decoder_norm(x))
        return logits

    @torch.no_grad()
    def start_decoding(self, source: Tensor, max_length: int) -> DecodingState:
        """Read the sources (B, S) and return a state from which `step` writes up to `max_length` tokens."""
        attention_mask = self.source_mask(source)
        memory = self.encode(source, attention_mask)
        B, S = source.shape
        padded = not tensor_checks.values_are_readable(source) or not bool(attention_mask.all())
        layers = (cast(DecoderLayer, layer) for layer in self.decoder_layers)
        return DecodingState(
            memory, attention_mask if padded else None, [layer.new_cache(B, max_length, S) for layer in layers]
        )

    @torch.no_grad()
    def step(self, ids: Tensor, state: DecodingState) -> Tensor:
        """Return the logits (B, V) of the token after `ids` (B,), which follow the tokens of the steps before.

        The same numbers as `decode` of the whole beginning, at the cost of one token: O(S + T) instead of O(T (S + T)).
        """
        checks.instance(DecodingState, state=state)
        tensor_checks.integers(ids=ids)
        tensor_checks.shape((state.memory.shape[0],), ids=ids)
        tensor_checks.token_ids(self.target_embedding, ids=ids[:, None])
        x = self._embed(self.target_embedding, ids[:, None], state.length)  # (B, 1, D)
        mask = None if state.attention_mask is None else state.attention_mask[:, None, None, :]
        return self._decode(x, state.memory, mask, state)[:, -1]

    def stepper(self, source: Tensor, *, capacity: int = 32) -> Callable[[Tensor, Tensor], Tensor]:
        """Return a `step(ids, rows)` for `lmcourse.generation`; the caches are kept here and follow their hypotheses.

        Args:
            source: ids (B, S), padded.
            capacity: tokens that the caches hold at first; they grow when they are full.
        """
        checks.whole(capacity=capacity, at_least=1)
        state = self.start_decoding(source, capacity)
        unmoved = torch.arange(len(source), device=source.device)

        def step(ids: Tensor, rows: Tensor) -> Tensor:
            nonlocal unmoved
            if not torch.equal(rows, unmoved):  # greedy search never moves a row
                state.reorder(rows)
                unmoved = torch.arange(len(rows), device=rows.device)
            if state.length == state.capacity:
                state.grow(2 * state.capacity)
            return self.step(ids[:, -1], state)

        return step

    @torch.no_grad()
    def attention_maps(self, source: Tensor, target: Tensor, attention_mask: Tensor | None = None) -> AttentionMaps:
        """Return the weights of every head for sources (B, S) and targets (B, T), shifted right."""
        self._check_ids(source, target)
        x, mask = self._encoder_input(source, attention_mask)
        maps: tuple[list[Tensor], ...] = ([], [], [])
        for layer in self.encoder_layers:
            x, weights = layer(x, mask, return_weights=True)
            maps[0].append(weights)
        memory = self.encoder_norm(x)
        attention_mask = self.source_mask(source) if attention_mask is None else attention_mask
        x, memory_mask = self._decoder_input(target, memory, attention_mask, 0)
        for layer in self.decoder_layers:
            x, own, cross = layer(x, memory, None, memory_mask, return_weights=True)
            maps[1].append(own)
            maps[2].append(cross)
        return AttentionMaps(*(tuple(part) for part in maps))

    def source_mask(self, source: Tensor) -> Tensor:
        """Return the mask of the sources, (B, S): True where there is no padding."""
        tensor_checks.token_ids(self.source_embedding, source=source)
        return source != self.config.pad_id

    def _check_ids(self, source: Tensor, target: Tensor) -> None:
        tensor_checks.token_ids(self.source_embedding, source=source)
        tensor_checks.token_ids(self.target_embedding, target=target)
        tensor_checks.shape((len(source), "T"), target=target)

    def _encoder_input(self, source: Tensor, attention_mask: Tensor | None) -> tuple[Tensor, Tensor]:
        tensor_checks.token_ids(self.source_embedding, source=source)
        x = self._embed(self.source_embedding, source, 0)
        return x, _checked_mask(self.source_mask(source) if attention_mask is None else attention_mask, source.shape)

    def _decoder_input(
        self, target: Tensor, memory: Tensor, attention_mask: Tensor | None, offset: int
    ) -> tuple[Tensor, Tensor | None]:
        tensor_checks.token_ids(self.target_embedding, target=target)
        x = self._embed(self.target_embedding, target, offset)
        tensor_checks.floating(memory=memory)
        tensor_checks.shape((target.shape[0], "S", self.config.embed_dim), memory=memory)
        return x, None if attention_mask is None else _checked_mask(attention_mask, memory.shape[:2])

    def _embed(self, embedding: nn.Embedding, ids: Tensor, offset: int) -> Tensor:
        embedded = math.sqrt(self.config.embed_dim) * embedding(ids.long())
        x: Tensor = self.dropout(self.positions(embedded, offset))  # (B, T, D)
        return x


def _checked_mask(attention_mask: Tensor, shape: torch.Size | tuple[int, ...]) -> Tensor:
    """Return the mask (B, S) as (B, 1, 1, S), once it has been checked."""
    tensor_checks.boolean(attention_mask=attention_mask)
    tensor_checks.shape(tuple(shape), attention_mask=attention_mask)
    if tensor_checks.values_are_readable(attention_mask) and not bool(attention_mask.any(-1).all()):
        row = int(attention_mask.any(-1).int().argmin())
        raise ValueError(
            f"`attention_mask` must be True for at least one token of every source, got none in row {row}: "
            "is True the padding? True means attend."
        )
    return attention_mask[:, None, None, :]
