"""From one sequence to another: an encoder, a decoder, and between them one vector, or attention.

Without attention, all that the decoder knows of the source is the last state of the encoder. With it, each step of
the decoder attends to every state of the encoder.

B batch, S source length, T target length, V target vocabulary, D embedding width, H state width.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse import checks, tensor_checks
from lmcourse.kernels.recurrent import State
from lmcourse.layers.recurrent import GRU, LSTM
from lmcourse.layers.rnn_attention import BahdanauAttention, LuongDotAttention, LuongGeneralAttention

LAYERS = {"gru": GRU, "lstm": LSTM}
Attention = Literal["additive", "dot", "general"]


@dataclass(frozen=True)
class Seq2SeqConfig:
    """The sizes of a `Seq2Seq`.

    Attributes:
        source_vocab_size, target_vocab_size: number of tokens on either side, padding, start and stop included.
        embed_dim: D.
        hidden_size: H, of the states of decoder and encoder; a bidirectional encoder has H / 2 in each direction.
        num_layers: recurrent layers, in the encoder and in the decoder.
        cell: "gru" or "lstm".
        bidirectional: the encoder reads in both directions.
        input_feeding: the attentional vector is an input of the decoder's next step. It costs a loop in training.
        dropout: on the embeddings, between layers, and before the head.
        pad_id: padding, the same on both sides.
        start_id, stop_id: the tokens that begin and end a target.
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
        checks.whole(
            at_least=1,
            source_vocab_size=self.source_vocab_size,
            target_vocab_size=self.target_vocab_size,
            embed_dim=self.embed_dim,
            hidden_size=self.hidden_size,
            num_layers=self.num_layers,
        )
        checks.one_of(LAYERS, cell=self.cell)
        checks.number(at_least=0.0, below=1.0, dropout=self.dropout)
        checks.whole(
            at_least=0,
            below=self.target_vocab_size,
            pad_id=self.pad_id,
            start_id=self.start_id,
            stop_id=self.stop_id,
        )
        checks.whole(below=self.source_vocab_size, pad_id=self.pad_id)
        if len({self.pad_id, self.start_id, self.stop_id}) < 3:
            raise ValueError(
                "`pad_id`, `start_id`, `stop_id` must be three different ids, "
                f"got {self.pad_id}, {self.start_id}, {self.stop_id}."
            )
        if self.bidirectional and self.hidden_size % 2:
            raise ValueError(f"`hidden_size` must be even for a bidirectional encoder, got {self.hidden_size}.")


class Encoded(NamedTuple):
    """The output of the encoder.

    Attributes:
        memory: its state at every token, (B, S, H).
        attention_mask: True at tokens, False at padding, (B, S).
        state: its last state, from which the decoder starts: (num_layers, B, H), for an LSTM a pair.
    """

    memory: Tensor
    attention_mask: Tensor
    state: State


class Decoded(NamedTuple):
    """The output of the decoder.

    Attributes:
        logits: (B, T, V).
        state: after the last token.
        attended: the attentional vector after the last token, (B, H).
        weights: of the attention, (B, T, S); None without attention.
    """

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
    take the state before it and feed c_t into the step. So all steps of a known target run at once, except with
    `input_feeding`.

    Source: Sutskever, Vinyals and Le, 2014; Cho et al., 2014; Bahdanau, Cho and Bengio, 2015; Luong et al., 2015.
    """

    def __init__(self, config: Seq2SeqConfig, attention: Attention | None = None) -> None:
        super().__init__()
        checks.instance(Seq2SeqConfig, config=config)
        checks.one_of(("additive", "dot", "general", None), attention=attention)
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

    def reset_parameters(self) -> None:
        """Draw all weights anew, each layer as torch.nn does."""
        for module in self.modules():
            if isinstance(module, nn.Embedding | nn.Linear | nn.RNNBase):
                module.reset_parameters()

    def encode(self, source: Tensor) -> Encoded:
        """Read the sources.

        Args:
            source: ids (B, S), padded at the end with `pad_id`.

        Raises:
            TypeError: `source` are not whole numbers.
            ValueError: empty, padding only, padding before a token, an id outside the vocabulary (seen on the CPU).
        """
        tensor_checks.token_ids(self.source_embedding, source=source)
        attention_mask = source != self.config.pad_id  # (B, S)
        embedded = self.dropout(self.source_embedding(source.long()))  # (B, S, D)
        memory, state = self.encoder(embedded, lengths=_lengths(attention_mask))
        if self.config.bidirectional:
            state = (_join(state[0]), _join(state[1])) if isinstance(state, tuple) else _join(state)
        return Encoded(memory, attention_mask, state)

    def decode(
        self, ids: Tensor, encoded: Encoded, state: State | None = None, attended: Tensor | None = None
    ) -> Decoded:
        """Continue from target tokens: teacher forcing if they are the right ones, generation if they are its own.

        Args:
            ids: (B, T); the first token of all is `start_id`.
            encoded: from `encode`.
            state: the decoder's state before `ids`; None starts from the encoder's.
            attended: from `decode`, together with that state; only `input_feeding` needs it.
        """
        self._check_decode(ids, encoded, attended)
        inputs = self.dropout(self.target_embedding(ids.long()))  # (B, T, D)
        state = encoded.state if state is None else state
        if self.config.input_feeding:
            return self._decode_step_by_step(inputs, encoded, state, attended)
        hidden, state = self.decoder(inputs, state)  # (B, T, H)
        return self._attend(hidden, state, encoded)

    def _decode_step_by_step(self, inputs: Tensor, encoded: Encoded, state: State, attended: Tensor | None) -> Decoded:
        """Return what `decode` does where each step reads the attentional vector of the step before."""
        if attended is None:
            attended = encoded.memory.new_zeros(len(inputs), self.config.hidden_size)
        logits, weights = [], []
        for t in range(inputs.shape[1]):
            fed = torch.cat([inputs[:, t : t + 1], attended[:, None]], dim=-1)  # (B, 1, D + H)
            hidden, state = self.decoder(fed, state)
            step = self._attend(hidden, state, encoded)
            attended = step.attended
            logits.append(step.logits)
            weights.append(cast(Tensor, step.weights))
        return Decoded(torch.cat(logits, dim=1), state, attended, torch.cat(weights, dim=1))

    def _attend(self, hidden: Tensor, state: State, encoded: Encoded) -> Decoded:
        weights = None
        if self.attention is not None and self.combine is not None:
            context, weights = self.attention(hidden, encoded.memory, encoded.attention_mask)  # (B, T, H), (B, T, S)
            hidden = self.combine(torch.cat([context, hidden], dim=-1)).tanh()
        return Decoded(self.head(self.dropout(hidden)), state, hidden[:, -1], weights)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Return the logits (B, T, V) of the token after each of `target` (B, T), which begins with `start_id`."""
        self._check_pair(source, target)
        return self.decode(target, self.encode(source)).logits

    def loss(self, source: Tensor, target: Tensor) -> Tensor:
        """Return the mean cross-entropy of the targets' tokens in nats, with teacher forcing.

        Args:
            source: (B, S).
            target: (B, T + 1), each row from `start_id` to `stop_id`, then padding.

        Raises:
            ValueError: a target that does not go from start to stop (seen on the CPU).
        """
        self.check_target(target)
        return self.cross_entropy(self(source, target[:, :-1]), target[:, 1:])

    def cross_entropy(self, logits: Tensor, following: Tensor) -> Tensor:
        """Return the mean of -log p over the tokens that follow; padding does not count.

        Args:
            logits: (B, T, V).
            following: ids (B, T).

        Returns:
            nats, a scalar.
        """
        tensor_checks.floating(logits=logits)
        tensor_checks.token_ids(self.target_embedding, following=following)
        tensor_checks.shape((*following.shape, self.config.target_vocab_size), logits=logits)
        tensor_checks.same_device(logits=logits, following=following)
        return F.cross_entropy(logits.flatten(0, 1), following.long().flatten(), ignore_index=self.config.pad_id)

    def check_target(self, target: Tensor) -> None:
        """Raise unless each target (B, T + 1) goes from start to stop and is then padded (seen on the CPU)."""
        tensor_checks.token_ids(self.target_embedding, target=target)
        if target.shape[1] < 2:
            raise ValueError(f"`target` must have shape (B, T + 1) with T at least 1, got {tuple(target.shape)}.")
        if not tensor_checks.values_are_readable(target):
            return
        if bool((target[:, 0] != self.start_id).any()):
            raise ValueError(f"`target` must begin with start_id={self.start_id}, got {target[:, 0].tolist()[:8]}.")
        ended = (target == self.stop_id).cumsum(1)  # (B, T + 1)
        wrong = (ended[:, -1] != 1) | ((target[:, 1:] == self.config.pad_id) != (ended[:, :-1] > 0)).any(1)
        if bool(wrong.any()):
            row = int(wrong.int().argmax())
            raise ValueError(
                f"`target` must have stop_id={self.stop_id} once in each row, and padding only after it, "
                f"got {target[row].tolist()[:16]} in row {row}."
            )

    def alignment(self, source: Tensor, target: Tensor) -> Tensor:
        """Return the attention weights (B, T, S) of each step of a known target.

        Row t belongs to the token that was to be predicted then, target[:, t + 1].

        Raises:
            RuntimeError: the model has no attention.
        """
        self._check_pair(source, target)
        weights = self.decode(target, self.encode(source)).weights
        if weights is None:
            raise RuntimeError("`alignment` needs attention, this model has attention=None.")
        return weights

    def _check_pair(self, source: Tensor, target: Tensor) -> None:
        tensor_checks.token_ids(self.source_embedding, source=source)
        tensor_checks.token_ids(self.target_embedding, target=target)
        tensor_checks.shape((len(source), "T"), target=target)

    def _check_decode(self, ids: Tensor, encoded: Encoded, attended: Tensor | None) -> None:
        tensor_checks.token_ids(self.target_embedding, ids=ids)
        checks.instance(Encoded, encoded=encoded)
        H = self.config.hidden_size
        tensor_checks.shape((len(ids), "S", H), **{"encoded.memory": encoded.memory})
        if attended is not None and self.config.input_feeding:
            tensor_checks.vectors(H, self.head.weight, attended=attended)
            tensor_checks.shape((len(ids), H), attended=attended)

    def stepper(self, source: Tensor) -> Callable[[Tensor, Tensor], Tensor]:
        """Return a `step(ids, rows)` for `lmcourse.generation`; it keeps the state of each hypothesis."""
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


def _lengths(attention_mask: Tensor) -> Tensor | None:
    """Return the lengths (B,) for the encoder, which wants them on the CPU; None if nothing is padded.

    Raises:
        ValueError: a row of padding only, or padding before a token.
    """
    lengths = attention_mask.sum(1)
    if lengths.device.type not in ("cpu", "meta"):
        lengths, attention_mask = lengths.cpu(), attention_mask.cpu()
    if not tensor_checks.values_are_readable(lengths):
        return lengths
    if int(lengths.min()) == 0:
        raise ValueError(f"`source` must hold a token in each row, got padding only in row {int(lengths.argmin())}.")
    if bool((attention_mask[:, 1:] & ~attention_mask[:, :-1]).any()):
        raise ValueError("`source` must be padded at its end, got a token after padding.")
    return None if bool((lengths == attention_mask.shape[1]).all()) else lengths


def _join(state: Tensor) -> Tensor:
    """Put the last states of both directions side by side: (layers * 2, B, H / 2) -> (layers, B, H)."""
    return torch.cat([state[0::2], state[1::2]], dim=-1)


def _select(state: State, rows: Tensor) -> State:
    if isinstance(state, tuple):
        return state[0].index_select(1, rows), state[1].index_select(1, rows)
    return state.index_select(1, rows)
