"""BERT: an encoder that sees both sides, trained to put back the words that were hidden from it.

B batch, T length, D width, V vocabulary, L layers.
"""

from collections.abc import Collection
from dataclasses import dataclass
from os import PathLike

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse.layers.positions import LearnedPositionalEmbedding, sinusoidal_positions
from lmcourse.layers.transformer import EncoderLayer
from lmcourse.models.pretrained import load_weights, read_bert

IGNORE_INDEX = -100  # the label of a place that is not to be predicted, as in F.cross_entropy


@dataclass(frozen=True)
class BERTConfig:
    """The sizes of a `BERT`. BERT-base: vocabulary 30,522, 512 positions, 768 wide, 12 heads, 12 layers.

    Attributes:
        vocab_size: V.
        context_length: learned positions; a longer text is an error.
        embed_dim: D.
        num_heads: heads of each layer.
        num_layers: L.
        hidden_size: of the feed-forward blocks, by default 4 D.
        num_segments: kinds of segment; 2 for pairs of sentences.
        dropout: on the embeddings and on every sublayer's output.
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
        for name in ("vocab_size", "context_length", "embed_dim", "num_heads", "num_segments"):
            if getattr(self, name) < 1:
                raise ValueError(f"`{name}` must be at least 1, got {getattr(self, name)}.")
        if self.num_layers < 0:
            raise ValueError(f"`num_layers` must be at least 0, got {self.num_layers}.")
        if not 0.0 <= self.dropout < 1.0:
            raise ValueError(f"`dropout` must be at least 0 and less than 1, got {self.dropout}.")


class BERT(nn.Module):
    """The encoder: x = norm(E[ids] + P + S[segments]), then L layers that normalise after each sublayer.

    Source: Devlin et al., "BERT", 2019, section 3 and figure 2.
    """

    def __init__(self, config: BERTConfig) -> None:
        super().__init__()
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
                config.hidden_size or 4 * D,
                norm="post",
                norm_eps=config.norm_eps,
                activation="gelu",
                dropout=config.dropout,
            )
            for _ in range(config.num_layers)
        )
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw all matrices anew, normal with standard deviation 0.02; biases start at 0."""
        for module in self.modules():
            if isinstance(module, nn.Linear | nn.Embedding):
                nn.init.normal_(module.weight, std=0.02)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)

    def forward(self, ids: Tensor, attention_mask: Tensor | None = None, segments: Tensor | None = None) -> Tensor:
        """Return a vector for each token in its context.

        Args:
            ids: (B, T).
            attention_mask: (B, T) bool, True = a token, False = padding.
            segments: (B, T), 0 for the first sentence and 1 for the second; None is 0 everywhere.

        Returns:
            (B, T, D). What stands at padded places means nothing.

        Raises:
            TypeError: `ids` or `segments` are not whole numbers, a mask that is not bool.
            ValueError: other shapes, a text beyond `context_length`, an id outside its table (found on the CPU).
        """
        x, mask = self._embed(ids, attention_mask, segments)
        for layer in self.layers:
            x = layer(x, mask)
        return x

    def hidden_states(
        self, ids: Tensor, attention_mask: Tensor | None = None, segments: Tensor | None = None
    ) -> list[Tensor]:
        """Return what goes into the first layer and what each layer makes of it, L + 1 tensors (B, T, D).

        The last is what `forward` returns; the arguments are the same.
        """
        x, mask = self._embed(ids, attention_mask, segments)
        states = [x]
        for layer in self.layers:
            states.append(layer(states[-1], mask))
        return states

    @torch.no_grad()
    def attention_maps(
        self, ids: Tensor, attention_mask: Tensor | None = None, segments: Tensor | None = None
    ) -> list[Tensor]:
        """Return the weights of each layer, L x (B, H, T, T)."""
        x, mask = self._embed(ids, attention_mask, segments)
        maps = []
        for layer in self.layers:
            x, weights = layer(x, mask, return_weights=True)
            maps.append(weights)
        return maps

    @classmethod
    def from_pretrained(cls, path: str | PathLike[str], *, dtype: torch.dtype = torch.float32) -> "BERT":
        """Return a model with the weights of a BERT folder (config.json, safetensors); heads on top are left out.

        Raises:
            FileNotFoundError: no such folder, or no config.json or safetensors in it.
            ValueError: another architecture; missing or surplus tensors or other shapes (names are listed).
        """
        settings, weights = read_bert(path)
        return load_weights(cls, BERTConfig(**settings), weights, dtype)

    def _embed(
        self, ids: Tensor, attention_mask: Tensor | None, segments: Tensor | None
    ) -> tuple[Tensor, Tensor | None]:
        segments = torch.zeros_like(ids) if segments is None else segments
        for name, given in (("ids", ids), ("segments", segments)):
            if given.is_floating_point() or given.dtype == torch.bool:
                raise TypeError(f"`{name}` must be whole numbers, got {given.dtype}.")
            if given.dim() != 2 or given.numel() == 0 or given.shape != ids.shape:
                raise ValueError(f"`{name}` must have shape (B, T) with B and T at least 1, got {tuple(given.shape)}.")
        if attention_mask is not None and attention_mask.shape != ids.shape:
            raise ValueError(f"`attention_mask` must have shape {tuple(ids.shape)}, got {tuple(attention_mask.shape)}.")
        try:
            x = self.positions(self.embedding(ids)) + self.segment_embedding(segments)  # (B, T, D)
        except IndexError as error:
            raise ValueError(
                f"`ids` must be in 0..V-1 with V={self.config.vocab_size} and `segments` in "
                f"0..{self.config.num_segments - 1}, got ids {int(ids.min())} to {int(ids.max())}, "
                f"segments {int(segments.min())} to {int(segments.max())}."
            ) from error
        return self.dropout(self.norm(x)), None if attention_mask is None else attention_mask[:, None, None, :]


@torch.no_grad()
def small_start(model: nn.Module) -> None:
    """Draw the weights of a small BERT (or a `MaskedLM`) anew, so that it learns in minutes where to look.

    BERT's own start, 0.02 everywhere, suits 768 numbers a token and weeks of training. A narrow model started so takes
    very long to find the neighbours of a blank: its positions are faint, and attention is even. Here matrices get
    standard deviation 0.8 / sqrt(D), words 0.1, and the learned positions start as 0.3 times the sinusoids, in which
    a shift is a rotation (chapter 06).

    Args:
        model: changed in place.
    """
    encoder = model.encoder if isinstance(model, MaskedLM) else model
    if not isinstance(encoder, BERT):
        raise TypeError(f"`model` must be a BERT or a MaskedLM, got {type(model).__name__}.")
    D = encoder.config.embed_dim
    for module in model.modules():
        if isinstance(module, nn.Linear):
            nn.init.normal_(module.weight, std=0.8 * D**-0.5)
    nn.init.normal_(encoder.embedding.weight, std=0.1)
    waves = sinusoidal_positions(encoder.config.context_length, D)
    encoder.positions.weight.copy_(0.3 * waves)


class MaskedLM(nn.Module):
    """BERT with a head that says which word was hidden: logits = E norm(gelu(W x + b)) + c, E the embedding table.

    Source: Devlin et al., 2019, section 3.1, task 1, and the code that goes with it.
    """

    def __init__(self, config: BERTConfig) -> None:
        super().__init__()
        self.config = config
        self.encoder = BERT(config)
        self.transform = nn.Linear(config.embed_dim, config.embed_dim)
        self.norm = nn.LayerNorm(config.embed_dim, eps=config.norm_eps)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))
        nn.init.normal_(self.transform.weight, std=0.02)
        nn.init.zeros_(self.transform.bias)

    def forward(self, ids: Tensor, attention_mask: Tensor | None = None, segments: Tensor | None = None) -> Tensor:
        """Return logits (B, T, V); the arguments are those of `BERT.forward`."""
        return self.score(self.encoder(ids, attention_mask, segments))

    def loss(
        self, inputs: Tensor, labels: Tensor, attention_mask: Tensor | None = None, segments: Tensor | None = None
    ) -> Tensor:
        """Return the mean cross-entropy in nats at the places whose label is not `IGNORE_INDEX`; 0 if there is none.

        The head is the dearest part, so it is applied at those places only.
        """
        chosen = labels != IGNORE_INDEX
        logits = self.score(self.encoder(inputs, attention_mask, segments)[chosen])  # (N, V)
        return F.cross_entropy(logits.float(), labels[chosen], reduction="sum") / chosen.sum().clamp(min=1)

    def score(self, x: Tensor) -> Tensor:
        """Return logits (..., V) for vectors (..., D) of the encoder."""
        return F.linear(self.norm(F.gelu(self.transform(x))), self.encoder.embedding.weight, self.bias)


def mask_tokens(
    ids: Tensor,
    mask_id: int,
    vocab_size: int,
    *,
    special_ids: Collection[int] = (),
    share: float = 0.15,
    generator: torch.Generator | None = None,
) -> tuple[Tensor, Tensor]:
    """Hide some tokens of `ids`, and say what they were.

    Each token that is not special is chosen with probability `share`. Of the chosen, 80 % become `mask_id`, 10 % a
    random token (any that is not special), 10 % stay as they are, so that the model cannot trust what it sees.

    Args:
        ids: (B, T).
        mask_id: of [MASK].
        vocab_size: V.
        special_ids: tokens that are neither chosen nor drawn ([PAD], [CLS], [SEP], ...); `mask_id` is one too.
        share: of the tokens, above 0 and at most 1.
        generator: for reproducible draws, on the device of `ids`.

    Returns:
        inputs (B, T), the corrupted ids, and labels (B, T): the token at a chosen place, elsewhere `IGNORE_INDEX`.

    Raises:
        TypeError: `ids` are not whole numbers.
        ValueError: `share` out of range, a `mask_id` outside the vocabulary, nothing but special tokens to draw from.

    Source: Devlin et al., 2019, section 3.1 and appendix A.1.
    """
    if ids.is_floating_point() or ids.dtype == torch.bool:
        raise TypeError(f"`ids` must be whole numbers, got {ids.dtype}.")
    if not 0.0 < share <= 1.0:
        raise ValueError(f"`share` must be above 0 and at most 1, got {share}.")
    if not 0 <= mask_id < vocab_size:
        raise ValueError(f"`mask_id` must be in 0..V-1 with V={vocab_size}, got {mask_id}.")
    special = torch.tensor(sorted({*special_ids, mask_id}), device=ids.device)
    ordinary = torch.arange(vocab_size, device=ids.device)
    ordinary = ordinary[~torch.isin(ordinary, special)]
    if len(ordinary) == 0:
        raise ValueError(f"`special_ids` must leave tokens to draw from, got all {vocab_size} of the vocabulary.")
    place = {"generator": generator, "device": ids.device}
    chosen = (torch.rand(ids.shape, **place) < share) & ~torch.isin(ids, special)  # type: ignore[arg-type]
    lot = torch.rand(ids.shape, **place)  # type: ignore[arg-type]
    drawn = ordinary[torch.randint(len(ordinary), ids.shape, **place)]  # type: ignore[arg-type]
    inputs = torch.where(chosen & (lot < 0.8), torch.full_like(ids, mask_id), ids)
    inputs = torch.where(chosen & (lot >= 0.9), drawn.to(ids.dtype), inputs)
    return inputs, torch.where(chosen, ids, torch.full_like(ids, IGNORE_INDEX))
