"""BERT: an encoder that reads in both directions, trained to restore the words that were masked out.

B batch, T length, D width, V vocabulary, L layers.
"""

from collections.abc import Collection
from dataclasses import dataclass
from os import PathLike
from types import NoneType
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse import checks, tensor_checks
from lmcourse.kernels.switch import eager
from lmcourse.layers.losses import IGNORE_INDEX
from lmcourse.layers.positions import LearnedPositionalEmbedding, sinusoidal_positions
from lmcourse.layers.transformer import EncoderLayer
from lmcourse.models.pretrained import load_weights, read_bert


@dataclass(frozen=True)
class BERTConfig:
    """The sizes of a `BERT`. BERT-base: vocabulary 30,522, 512 positions, 768 wide, 12 heads, 12 layers.

    Attributes:
        vocab_size: V.
        context_length: number of learned positions; a longer text is an error.
        embed_dim: D.
        num_heads: heads of each layer.
        num_layers: L.
        hidden_size: of the feed-forward blocks; None means 4 D.
        num_segments: kinds of segment; 2 for pairs of sentences.
        dropout: on the embeddings and on the output of every sublayer.
        norm_eps: added to the variance.
    """

    vocab_size: int
    context_length: int = 128
    embed_dim: int = 128
    num_heads: int = 4
    num_layers: int = 4
    hidden_size: int | None = None
    num_segments: int = 2
    dropout: float = 0.0
    norm_eps: float = 1e-12

    def __post_init__(self) -> None:
        checks.whole(
            at_least=1,
            vocab_size=self.vocab_size,
            context_length=self.context_length,
            embed_dim=self.embed_dim,
            num_heads=self.num_heads,
            hidden_size=self.feed_forward_size,
            num_segments=self.num_segments,
        )
        checks.whole(at_least=0, num_layers=self.num_layers)
        checks.divides(num_heads=self.num_heads, embed_dim=self.embed_dim)
        checks.number(at_least=0.0, below=1.0, dropout=self.dropout, norm_eps=self.norm_eps)

    @property
    def feed_forward_size(self) -> int:
        """The hidden width of the feed-forward blocks."""
        return 4 * self.embed_dim if self.hidden_size is None else self.hidden_size


class BERT(nn.Module):
    """The encoder: x = norm(E[ids] + P + S[segments]), then L layers, each normalised after its sublayers.

    Source: Devlin et al., "BERT", 2019, section 3 and figure 2.
    """

    def __init__(self, config: BERTConfig) -> None:
        super().__init__()
        checks.instance(BERTConfig, config=config)
        self.config = config
        D = config.embed_dim
        self.embedding = nn.Embedding(config.vocab_size, D)
        self.positions = LearnedPositionalEmbedding(config.context_length, D)
        self.segment_embedding = nn.Embedding(config.num_segments, D)
        self.norm = nn.LayerNorm(D, eps=config.norm_eps)
        self.dropout = nn.Dropout(config.dropout)
        self.layers = nn.ModuleList(
            EncoderLayer(
                D,
                config.num_heads,
                config.feed_forward_size,
                norm="post",
                norm_eps=config.norm_eps,
                activation="gelu",
                dropout=config.dropout,
            )
            for _ in range(config.num_layers)
        )
        self._init_matrices()

    def reset_parameters(self) -> None:
        """Draw all matrices anew, normal with standard deviation 0.02; biases become 0 and gains 1."""
        nn.init.normal_(self.positions.weight, std=0.02)
        for module in self.modules():
            if isinstance(module, nn.LayerNorm):
                module.reset_parameters()
        self._init_matrices()

    def _init_matrices(self) -> None:
        for module in self.modules():
            if isinstance(module, nn.Linear | nn.Embedding):
                nn.init.normal_(module.weight, std=0.02)
            if isinstance(module, nn.Linear):
                nn.init.zeros_(module.bias)

    def forward(self, ids: Tensor, attention_mask: Tensor | None = None, segments: Tensor | None = None) -> Tensor:
        """Return a vector for each token in its context.

        Args:
            ids: (B, T).
            attention_mask: (B, T) bool, True = a token, False = padding.
            segments: (B, T), 0 for the first sentence and 1 for the second; None is 0 everywhere.

        Returns:
            (B, T, D). The vectors at padded positions mean nothing.

        Raises:
            TypeError: `ids` or `segments` are not whole numbers, or the mask is not bool.
            ValueError: other shapes, a text longer than `context_length`, an id outside its table (seen on the CPU).
        """
        x, attention_mask = self._embed(ids, attention_mask, segments)
        for layer in self.layers:
            x = layer(x, attention_mask)
        return x

    def hidden_states(
        self, ids: Tensor, attention_mask: Tensor | None = None, segments: Tensor | None = None
    ) -> list[Tensor]:
        """Return the input of the first layer and the output of each layer, L + 1 tensors (B, T, D).

        The last one is what `forward` returns; the arguments are the same.
        """
        x, attention_mask = self._embed(ids, attention_mask, segments)
        states = [x]
        for layer in self.layers:
            states.append(layer(states[-1], attention_mask))
        return states

    @torch.no_grad()
    def attention_maps(
        self, ids: Tensor, attention_mask: Tensor | None = None, segments: Tensor | None = None
    ) -> list[Tensor]:
        """Return the attention weights of each layer, L tensors (B, H, T, T); the arguments are those of `forward`."""
        x, attention_mask = self._embed(ids, attention_mask, segments)
        maps = []
        for layer in self.layers:
            x, weights = layer(x, attention_mask, return_weights=True)
            maps.append(weights)
        return maps

    @classmethod
    def from_pretrained(cls, path: str | PathLike[str], *, dtype: torch.dtype = torch.float32) -> "BERT":
        """Return a model with the weights of a BERT folder (config.json, safetensors), without the heads on top.

        Raises:
            FileNotFoundError: no such folder, or no config.json or safetensors in it.
            ValueError: another architecture, a setting that this class does not have, missing or surplus tensors, or
                tensors of another shape (the names are listed).
        """
        settings, weights = read_bert(path)
        return load_weights(cls, BERTConfig(**settings), weights, dtype)

    def _embed(
        self, ids: Tensor, attention_mask: Tensor | None, segments: Tensor | None
    ) -> tuple[Tensor, Tensor | None]:
        """Return the input of the first layer, (B, T, D), and the mask as (B, 1, 1, T)."""
        tensor_checks.token_ids(self.embedding, ids=ids)
        segments = torch.zeros_like(ids) if segments is None else segments
        tensor_checks.token_ids(self.segment_embedding, segments=segments)
        tensor_checks.same_shape(ids=ids, segments=segments)
        if ids.shape[1] > self.config.context_length:
            raise ValueError(
                f"`ids` must not be longer than context_length={self.config.context_length}, got T={ids.shape[1]}."
            )
        if attention_mask is not None:
            tensor_checks.boolean(attention_mask=attention_mask)
            tensor_checks.same_shape(ids=ids, attention_mask=attention_mask)
            tensor_checks.same_device(ids=ids, attention_mask=attention_mask)
            attention_mask = attention_mask[:, None, None, :]  # (B, T) -> (B, 1, 1, T)
        x = self.positions(self.embedding(ids.long())) + self.segment_embedding(segments.long())  # (B, T, D)
        return self.dropout(self.norm(x)), attention_mask


@torch.no_grad()
def small_start(model: "BERT | MaskedLM") -> None:
    """Initialise the weights of a small BERT (or a `MaskedLM`) anew, so that it learns in minutes where to look.

    BERT's own initialisation, 0.02 everywhere, suits 768 numbers a token and weeks of training. A narrow model that
    starts so takes very long to find the neighbours of a blank: its positions are faint, and its attention is uniform.
    Here matrices get standard deviation 0.8 / sqrt(D), word vectors 0.1, and the learned positions start as 0.3 times
    the sinusoids, in which a shift is a rotation (chapter 06).

    Args:
        model: changed in place.

    Raises:
        TypeError: another model.
        ValueError: an odd width, for which there are no sinusoids.
    """
    checks.instance((BERT, MaskedLM), model=model)
    encoder = model.encoder if isinstance(model, MaskedLM) else model
    D = encoder.config.embed_dim
    for module in model.modules():
        if isinstance(module, nn.Linear):
            nn.init.normal_(module.weight, std=0.8 * D**-0.5)
    nn.init.normal_(encoder.embedding.weight, std=0.1)
    waves = sinusoidal_positions(encoder.config.context_length, D)
    encoder.positions.weight.copy_(0.3 * waves)


class MaskedLM(nn.Module):
    """BERT with a head that predicts the masked words: logits = E norm(gelu(W x + b)) + c, E the embedding table.

    Source: Devlin et al., 2019, section 3.1, task 1, and the code that goes with it.
    """

    def __init__(self, config: BERTConfig) -> None:
        super().__init__()
        self.config = config
        self.encoder = BERT(config)
        self.transform = nn.Linear(config.embed_dim, config.embed_dim)
        self.norm = nn.LayerNorm(config.embed_dim, eps=config.norm_eps)
        self.bias = nn.Parameter(torch.empty(config.vocab_size))
        self._reset_head()

    def reset_parameters(self) -> None:
        """Draw all weights anew, as `BERT.reset_parameters`."""
        self.encoder.reset_parameters()
        self._reset_head()

    def forward(self, ids: Tensor, attention_mask: Tensor | None = None, segments: Tensor | None = None) -> Tensor:
        """Return logits (B, T, V); the arguments are those of `BERT.forward`."""
        return self.score(self.encoder(ids, attention_mask, segments))

    def loss(
        self, ids: Tensor, labels: Tensor, attention_mask: Tensor | None = None, segments: Tensor | None = None
    ) -> Tensor:
        """Return the mean cross-entropy at the positions to predict; 0 if there is none.

        The head costs more than all the rest of a small model, so it is applied at those positions only.

        Args:
            ids: (B, T), some of them masked, the inputs that `mask_tokens` gives.
            labels: (B, T), the ids to predict, elsewhere `IGNORE_INDEX`.
            attention_mask, segments: as for `BERT.forward`.

        Returns:
            nats, a scalar.
        """
        check_labels(ids, labels, self.config.vocab_size)
        chosen, vectors = labels != IGNORE_INDEX, self.encoder(ids, attention_mask, segments)  # (B, T), (B, T, D)
        if eager(labels):  # elsewhere nobody knows how many there are
            vectors, labels = vectors[chosen], labels[chosen]  # (N, D), (N,)
        logits = self.score(vectors).flatten(0, -2).float()
        nats = F.cross_entropy(logits, labels.flatten().long(), ignore_index=IGNORE_INDEX, reduction="sum")
        return nats / chosen.sum().clamp(min=1)

    def score(self, x: Tensor) -> Tensor:
        """Return logits (..., V) for vectors x (..., D) of the encoder."""
        tensor_checks.vectors(self.config.embed_dim, self.transform.weight, x=x)
        return F.linear(self.norm(F.gelu(self.transform(x))), self.encoder.embedding.weight, self.bias)

    def _reset_head(self) -> None:
        nn.init.normal_(self.transform.weight, std=0.02)
        nn.init.zeros_(self.transform.bias)
        self.norm.reset_parameters()
        nn.init.zeros_(self.bias)


def mask_tokens(
    ids: Tensor,
    mask_id: int,
    vocab_size: int,
    *,
    special_ids: Collection[int] = (),
    share: float = 0.15,
    generator: torch.Generator | None = None,
) -> tuple[Tensor, Tensor]:
    """Mask some tokens of `ids`, and return what they were.

    Each token that is not special is chosen with probability `share`. Of the chosen ones, 80 % become `mask_id`, 10 %
    a random token (any that is not special) and 10 % stay as they are, so that the model cannot trust what it sees.

    Args:
        ids: whole numbers of any shape, (B, T) for `MaskedLM`.
        mask_id: of [MASK].
        vocab_size: V.
        special_ids: tokens that are neither chosen nor sampled ([PAD], [CLS], [SEP], ...); `mask_id` is one of them.
        share: of the tokens, above 0 and at most 1.
        generator: for reproducible results, on the device of `ids`.

    Returns:
        inputs, the corrupted ids, and labels: the token at a chosen position, elsewhere `IGNORE_INDEX`; both of the
        shape of `ids`, labels int64.

    Raises:
        TypeError: an argument of another kind.
        ValueError: `share` out of range, an id outside the vocabulary, nothing but special tokens to sample from.

    Source: Devlin et al., 2019, section 3.1 and appendix A.1.
    """
    checks.whole(at_least=1, vocab_size=vocab_size)
    checks.whole(at_least=0, below=vocab_size, mask_id=mask_id)
    checks.whole_items(at_least=0, below=vocab_size, special_ids=special_ids)
    checks.number(above=0.0, at_most=1.0, share=share)
    checks.instance((torch.Generator, NoneType), generator=generator)
    tensor_checks.integers(at_least=0, below=vocab_size, ids=ids)
    special, ordinary = torch.tensor(sorted({*special_ids, mask_id})), torch.arange(vocab_size)
    ordinary = ordinary[~torch.isin(ordinary, special)].to(ids.device)
    if len(ordinary) == 0:
        raise ValueError(f"`special_ids` must leave tokens to sample from, got all {vocab_size} of the vocabulary.")
    where: dict[str, Any] = {"generator": generator, "device": ids.device}
    chosen = (torch.rand(ids.shape, **where) < share) & ~torch.isin(ids, special.to(ids.device))
    kind = torch.rand(ids.shape, **where)
    random_ids = ordinary[torch.randint(len(ordinary), ids.shape, **where)].to(ids.dtype)
    inputs = torch.where(chosen & (kind < 0.8), mask_id, ids)
    inputs = torch.where(chosen & (kind >= 0.9), random_ids, inputs)
    return inputs, torch.where(chosen, ids.long(), IGNORE_INDEX)


def check_labels(ids: Tensor, labels: Tensor, num_classes: int) -> None:
    """Raise unless `labels` has the shape and device of `ids` and holds classes or `IGNORE_INDEX`."""
    tensor_checks.integers(ids=ids, labels=labels)
    tensor_checks.same_shape(ids=ids, labels=labels)
    tensor_checks.same_device(ids=ids, labels=labels)
    if tensor_checks.values_are_readable(labels):
        tensor_checks.integers(at_least=0, below=num_classes, labels=labels[labels != IGNORE_INDEX])
