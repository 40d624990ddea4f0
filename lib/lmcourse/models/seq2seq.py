"""From one sequence to another: an encoder, a decoder, and between them one vector, or attention.

Without attention, all that the decoder learns of the source is the state in which the encoder stopped. With it, each
step of the decoder looks back at every state of the encoder.

B batch, S source length, T target length, V target vocabulary, D embedding width, H state width.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse.layers.recurrent import GRU, LSTM, State
from lmcourse.layers.rnn_attention import BahdanauAttention, LuongDotAttention, LuongGeneralAttention

LAYERS = {"gru": GRU, "lstm": LSTM}
Attention = Literal["additive", "dot", "general"]


@dataclass(frozen=True)
class Seq2SeqConfig:
    """The sizes of a `Seq2Seq`.

    Attributes:
        source_vocab_size, target_vocab_size: number of tokens on either side, padding, start and stop included.
        embed_dim: D.
        hidden_size: H, of the decoder's state and of each of the encoder's: a bidirectional encoder has H / 2 a way.
        num_layers: recurrent layers, in the encoder and in the decoder.
        cell: "gru" or "lstm".
        bidirectional: the encoder reads both ways.
        input_feeding: what the decoder looked back at is an input of its next step. It costs a loop in training.
        dropout: on the embeddings, between layers, and before the scores.
        pad_id, start_id, stop_id: the special tokens, alike on both sides.
    """

    source_vocab_size: int
    target_vocab_size: int
    embed_dim: int = 32
    hidden_size: int = 32
    num_layers: int = 1
    cell: Literal["gru", "lstm"] = "lstm"
    bidirectional: bool = True
    input_feeding: bool = False
    dropout: float = 0.0
    pad_id: int = 0
    start_id: int = 1
    stop_id: int = 2

    def __post_init__(self) -> None:
        for name in ("source_vocab_size", "target_vocab_size", "embed_dim", "hidden_size", "num_layers"):
            if getattr(self, name) < 1:
                raise ValueError(f"`{name}` must be at least 1, got {getattr(self, name)}.")
        if self.cell not in LAYERS:
            raise ValueError(f"`cell` must be one of {', '.join(LAYERS)}, got {self.cell!r}.")
        if self.bidirectional and self.hidden_size % 2:
            raise ValueError(f"`hidden_size` must be even for a bidirectional encoder, got {self.hidden_size}.")
        if not 0.0 <= self.dropout < 1.0:
            raise ValueError(f"`dropout` must be at least 0 and less than 1, got {self.dropout}.")
        ids = (self.pad_id, self.start_id, self.stop_id)
        if len(set(ids)) < 3 or not 0 <= min(ids) <= max(ids) < self.target_vocab_size:
            raise ValueError(
                f"`pad_id`, `start_id`, `stop_id` must be three ids below target_vocab_size={self.target_vocab_size}, "
                f"got {ids}."
            )


class Encoded(NamedTuple):
    """What the encoder makes of the sources.

    Attributes:
        memory: its state at every token, (B, S, H).
        attention_mask: True at tokens, False at padding, (B, S).
        state: its last state, with which the decoder begins: (num_layers, B, H), of an LSTM a pair.
    """

    memory: Tensor
    attention_mask: Tensor
    state: State


class Decoded(NamedTuple):
    """What the decoder gives for target tokens: logits (B, T, V), its state after the last, the attentional vector
    after the last (B, H), and weights (B, T, S), which are None without attention."""

    logits: Tensor
    state: State
    attended: Tensor
    weights: Tensor | None


class Seq2Seq(nn.Module):
    """Encoder and decoder, with or without attention.

    memory, state = encoder(source); s_t = cell(E[y_{t-1}], s_{t-1}); without attention logits_t = W s_t + b. With it,
    c_t = attention(s_t, memory), a_t = tanh(W_c [c_t; s_t]), logits_t = W a_t + b.

    Args:
        config: the sizes.
        attention: "additive", "dot", "general", or None.

    The query is the state after the step (Luong et al. 2015, equations 5 and 6), for all three scores; Bahdanau et al.
    take the state before it and feed c_t into the step. So, but for `input_feeding`, all steps of a known target run
    at once.

    Source: Sutskever, Vinyals and Le, 2014; Cho et al., 2014; Bahdanau, Cho and Bengio, 2015; Luong et al., 2015.
    """

    def __init__(self, config: Seq2SeqConfig, attention: Attention | None = None) -> None:
        super().__init__()
        if attention not in (None, "additive", "dot", "general"):
            raise ValueError(f'`attention` must be "additive", "dot", "general" or None, got {attention!r}.')
        if attention is None and config.input_feeding:
            raise ValueError("`input_feeding` needs attention, got attention=None.")
        D, H = config.embed_dim, config.hidden_size
        layer, between = LAYERS[config.cell], config.dropout if config.num_layers > 1 else 0.0
        self.config = config
        self.start_id, self.stop_id = config.start_id, config.stop_id
        self.source_embedding = nn.Embedding(config.source_vocab_size, D, padding_idx=config.pad_id)
        self.target_embedding = nn.Embedding(config.target_vocab_size, D, padding_idx=config.pad_id)
        width = H // 2 if config.bidirectional else H
        self.encoder = layer(D, width, config.num_layers, dropout=between, bidirectional=config.bidirectional)
        self.decoder = layer(D + H * config.input_feeding, H, config.num_layers, dropout=between)
        self.dropout = nn.Dropout(config.dropout)
        self.attention: BahdanauAttention | LuongDotAttention | LuongGeneralAttention | None = None
        if attention == "additive":
            self.attention = BahdanauAttention(H, H, H)
        elif attention == "general":
            self.attention = LuongGeneralAttention(H, H)
        elif attention == "dot":
            self.attention = LuongDotAttention()
        self.combine = nn.Linear(2 * H, H, bias=False) if attention else None
        self.head = nn.Linear(H, config.target_vocab_size)

    def encode(self, source: Tensor) -> Encoded:
        """Read the sources.

        Args:
            source: ids (B, S), padded at the end with `pad_id`.

        Raises:
            ValueError: empty, padding only, padding before a token, an id outside the vocabulary.
            TypeError: `source` are not whole numbers.
        """
        embedded = self._embed("source", source, self.source_embedding)  # (B, S, D)
        attention_mask = source != self.config.pad_id  # (B, S)
        lengths = attention_mask.sum(1).cpu()  # one look for the checks and for the encoder
        if int(lengths.min()) == 0:
            row = int(lengths.argmin())
            raise ValueError(f"`source` must hold a token in each row, got padding only in row {row}.")
        if source.device.type == "cpu" and bool((attention_mask[:, 1:] & ~attention_mask[:, :-1]).any()):
            raise ValueError("`source` must be padded at its end, got a token after padding.")
        memory, state = self.encoder(embedded, lengths=None if bool((lengths == source.shape[1]).all()) else lengths)
        if self.config.bidirectional:
            state = (_join(state[0]), _join(state[1])) if isinstance(state, tuple) else _join(state)
        return Encoded(memory, attention_mask, state)

    def decode(
        self, ids: Tensor, encoded: Encoded, state: State | None = None, attended: Tensor | None = None
    ) -> Decoded:
        """Go on from target tokens: teacher forcing if they are the right ones, generation if they are its own.

        Args:
            ids: (B, T); the first token of all is `start_id`.
            encoded: what `encode` gave.
            state: the decoder's state before `ids`; None begins with the encoder's.
            attended: what `decode` gave with that state; only `input_feeding` needs it.
        """
        inputs = self._embed("target", ids, self.target_embedding)  # (B, T, D)
        if state is None:
            state = encoded.state
        if not self.config.input_feeding:
            hidden, state = self.decoder(inputs, state)
            return self._attend(hidden, state, encoded)
        steps: list[Decoded] = []
        if attended is None:
            attended = encoded.memory.new_zeros(len(ids), self.config.hidden_size)
        for t in range(ids.shape[1]):
            fed = torch.cat([inputs[:, t : t + 1], attended[:, None]], dim=-1)  # (B, 1, D + H)
            hidden, state = self.decoder(fed, state)
            steps.append(self._attend(hidden, state, encoded))
            state, attended = steps[-1].state, steps[-1].attended
        logits = torch.cat([step.logits for step in steps], dim=1)
        return Decoded(logits, state, attended, torch.cat([step.weights for step in steps], dim=1))  # type: ignore[misc]

    def _attend(self, hidden: Tensor, state: State, encoded: Encoded) -> Decoded:
        weights = None
        if self.attention is not None and self.combine is not None:
            context, weights = self.attention(hidden, encoded.memory, encoded.attention_mask)  # (B, T, H), (B, T, S)
            hidden = self.combine(torch.cat([context, hidden], dim=-1)).tanh()
        return Decoded(self.head(self.dropout(hidden)), state, hidden[:, -1], weights)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Return the logits (B, T, V) of the token after each of `target` (B, T), which begins with `start_id`."""
        return self.decode(target, self.encode(source)).logits

    def loss(self, source: Tensor, target: Tensor) -> Tensor:
        """Return the mean cross-entropy of the targets' tokens, in nats: teacher forcing.

        Args:
            source: (B, S).
            target: (B, T + 1), each row from `start_id` to `stop_id`, then padding.

        Raises:
            ValueError: (found on the CPU) a target that does not begin with start or has no stop.
        """
        self.check_target(target)
        return self.cross_entropy(self(source, target[:, :-1]), target[:, 1:])

    def cross_entropy(self, logits: Tensor, following: Tensor) -> Tensor:
        """Return the mean of -log p over the tokens that follow, (B, T); padding does not count."""
        return F.cross_entropy(logits.flatten(0, 1), following.flatten(), ignore_index=self.config.pad_id)

    def check_target(self, target: Tensor) -> None:
        """Raise ValueError if a target, on the CPU, does not begin with start or does not end with stop."""
        if target.device.type != "cpu":
            return
        if target.dim() != 2 or target.shape[1] < 2 or bool((target[:, 0] != self.start_id).any()):
            raise ValueError(f"`target` must have shape (B, T + 1), begin with start_id={self.start_id}, and go on.")
        without = (target == self.stop_id).sum(1) != 1
        if bool(without.any()):
            row = int(without.int().argmax())
            raise ValueError(f"`target` must have stop_id={self.stop_id} once in each row, row {row} has not.")

    def alignment(self, source: Tensor, target: Tensor) -> Tensor:
        """Return the weights (B, T, S) with which each step of a known target looked back at the source.

        Row t belongs to the token that was then to come, target[:, t + 1].

        Raises:
            RuntimeError: the model has no attention.
        """
        if self.attention is None:
            raise RuntimeError("`alignment` needs attention, this model has attention=None.")
        weights = self.decode(target, self.encode(source)).weights
        assert weights is not None
        return weights

    def stepper(self, source: Tensor) -> Callable[[Tensor, Tensor], Tensor]:
        """Return a `step(ids, rows)` for `lmcourse.generation`: the state is kept here and follows its hypothesis."""
        encoded = self.encode(source)
        state, attended = encoded.state, None

        def step(ids: Tensor, rows: Tensor) -> Tensor:
            nonlocal encoded, state, attended
            encoded = Encoded(encoded.memory[rows], encoded.attention_mask[rows], encoded.state)
            state = _select(state, rows)
            attended = None if attended is None else attended[rows]
            decoded = self.decode(ids[:, -1:], encoded, state, attended)
            state, attended = decoded.state, decoded.attended
            return decoded.logits[:, -1]

        return step

    def _embed(self, name: str, ids: Tensor, table: nn.Embedding) -> Tensor:
        if ids.is_floating_point() or ids.dtype == torch.bool:
            raise TypeError(f"`{name}` must be whole numbers, got {ids.dtype}.")
        if ids.dim() != 2 or ids.numel() == 0:
            raise ValueError(f"`{name}` must have shape (B, length), not empty, got {tuple(ids.shape)}.")
        try:
            return self.dropout(table(ids))
        except IndexError as error:
            raise ValueError(
                f"`{name}` must hold ids in 0..{table.num_embeddings - 1}, got {int(ids.min())} to {int(ids.max())}: "
                "is it the same vocabulary?"
            ) from error


def _join(state: Tensor) -> Tensor:
    """Both ways' last states side by side: (layers * 2, B, H / 2) -> (layers, B, H)."""
    return torch.cat([state[0::2], state[1::2]], dim=-1)


def _select(state: State, rows: Tensor) -> State:
    if isinstance(state, tuple):
        return state[0].index_select(1, rows), state[1].index_select(1, rows)
    return state.index_select(1, rows)
