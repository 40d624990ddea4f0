"""The recurrent language model: an embedding, a recurrent layer, a score for every token.

What the n-gram lacked is here: a state that is carried from token to token, with no fixed window.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse.layers.recurrent import GRU, LSTM, RNN, State, init_forget_bias

LAYERS = {"rnn": RNN, "gru": GRU, "lstm": LSTM}


@dataclass(frozen=True)
class RecurrentConfig:
    """The sizes of a `RecurrentLM`.

    Attributes:
        vocab_size: V, the number of tokens.
        embed_dim: D, width of the embeddings.
        hidden_size: H, width of the state.
        num_layers: recurrent layers, stacked.
        cell: "rnn", "gru" or "lstm".
        dropout: on the embeddings, between layers, and on the outputs.
        tie_embeddings: the scores use the embedding table; `embed_dim` must then equal `hidden_size`.
        forget_bias: of an LSTM at the start; see `init_forget_bias`. More than 0 helps where something must be kept
            for long; a short training on characters went better with 0.
        fused: torch's kernel (True) or the readable loop.
    """

    vocab_size: int
    embed_dim: int = 64
    hidden_size: int = 256
    num_layers: int = 1
    cell: Literal["rnn", "gru", "lstm"] = "lstm"
    dropout: float = 0.0
    tie_embeddings: bool = False
    forget_bias: float = 0.0
    fused: bool = True

    def __post_init__(self) -> None:
        for name in ("vocab_size", "embed_dim", "hidden_size", "num_layers"):
            if getattr(self, name) < 1:
                raise ValueError(f"`{name}` must be at least 1, got {getattr(self, name)}.")
        if self.cell not in LAYERS:
            raise ValueError(f"`cell` must be one of {', '.join(LAYERS)}, got {self.cell!r}.")
        if not 0.0 <= self.dropout < 1.0:
            raise ValueError(f"`dropout` must be at least 0 and less than 1, got {self.dropout}.")
        if self.tie_embeddings and self.embed_dim != self.hidden_size:
            raise ValueError(
                "`tie_embeddings` needs embed_dim = hidden_size, "
                f"got embed_dim={self.embed_dim}, hidden_size={self.hidden_size}."
            )


class RecurrentLM(nn.Module):
    """Language model with a recurrent state: logits_t = W h_t + b, h_t = cell(E[id_t], h_{t-1}).

    Source: Mikolov et al., "Recurrent neural network based language model", 2010; tying from Press and Wolf, 2017.
    """

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocab_size, config.embed_dim)
        self.recurrent = LAYERS[config.cell](
            config.embed_dim,
            config.hidden_size,
            config.num_layers,
            dropout=config.dropout if config.num_layers > 1 else 0.0,
            fused=config.fused,
        )
        self.dropout = nn.Dropout(config.dropout)
        self.head = nn.Linear(config.hidden_size, config.vocab_size)
        if isinstance(self.recurrent, LSTM):
            init_forget_bias(self.recurrent, config.forget_bias)
        if config.tie_embeddings:
            nn.init.normal_(self.embedding.weight, std=config.embed_dim**-0.5)  # as scores, not only as inputs
            self.head.weight = self.embedding.weight
        nn.init.zeros_(self.head.bias)

    def forward(self, ids: Tensor, state: State | None = None) -> tuple[Tensor, State]:
        """Return the logits of the next token after each of `ids`, and the state after the last.

        Args:
            ids: (B, T).
            state: of the text before; None starts afresh.

        Returns:
            logits (B, T, V) and a state to pass on; cut it with `detach` before the next training step.

        Raises:
            ValueError: `ids` is empty or not (B, T), or (found on the CPU) holds an id outside the vocabulary;
                a state of another shape.
            TypeError: `ids` are not whole numbers.
        """
        outputs, state = self.recurrent(self.dropout(self._embed(ids)), state)  # (B, T, D) -> (B, T, H)
        return self.head(self.dropout(outputs)), state

    def loss(self, inputs: Tensor, targets: Tensor, state: State | None = None) -> tuple[Tensor, State]:
        """Return the mean cross-entropy of `targets` (B, T), in nats, and the state after the last input."""
        logits, state = self(inputs, state)
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten()), state

    @torch.no_grad()
    def total_nll(
        self, ids: Tensor, state: State | None = None, *, rows: int = 1, warm_up: int = 512, chunk: int = 512
    ) -> float:
        """Return the total cost of a long text: the sum of -log p(ids[t] | ids[0..t-1]) for t = 1 .. N-1, in nats.

        The state is carried from chunk to chunk, so every prediction rests on all of the text before it. The first
        token is given, unless the `state` of a text before it is: then it is still only read.

        Args:
            ids: (N,), N at least 2.
            state: where to start; only with rows=1.
            rows: cut the text into this many pieces that are read side by side: a good deal faster. Each piece
                begins with a state that has read only the `warm_up` tokens before it.
            warm_up: see `rows`.
            chunk: tokens taken at once. It changes the memory used, not the result.

        Raises:
            ValueError: fewer than 2 tokens, sizes below 1, a state together with rows above 1.
        """
        if ids.dim() != 1 or len(ids) < 2:
            raise ValueError(f"`ids` must have shape (N,) with N at least 2, got {tuple(ids.shape)}.")
        if rows < 1 or chunk < 1 or warm_up < 0:
            raise ValueError(f"`rows` and `chunk` must be at least 1, got {rows}, {chunk}; `warm_up` 0, got {warm_up}.")
        if rows > 1 and state is not None:
            raise ValueError(f"`state` goes with rows=1 only, got rows={rows}.")
        was_training = self.training
        self.eval()
        predictions = len(ids) - 1
        piece = -(-predictions // rows)  # rounded up
        starts = torch.arange(rows) * piece
        warm_up = min(warm_up, piece)
        total = torch.zeros((), dtype=torch.float64)
        at = -warm_up if rows > 1 else 0
        while at < piece:
            end = min(at + chunk, 0 if at < 0 else piece)
            # Row 0 has nothing to warm up on, and the last rows may end beyond the text: what such a place reads
            # is some other token, and it is not counted.
            places = starts[:, None] + torch.arange(at, end)  # (rows, steps)
            inputs = ids[places.clamp(0, predictions - 1).to(ids.device)]
            if at == 0 and state is not None and rows > 1:
                state = _map(state, lambda part: part.index_fill(1, part.new_zeros(1, dtype=torch.long), 0.0))
            logits, state = self(inputs, state)
            if at >= 0:
                targets = ids[(places + 1).clamp(max=predictions).to(ids.device)]
                nats = F.cross_entropy(logits.flatten(0, 1).float(), targets.flatten(), reduction="none")
                counts = (places < predictions).flatten().to(ids.device)
                total += nats[counts].sum(dtype=torch.float32).cpu().double()
            at = end
        self.train(was_training)
        return float(total)

    @torch.no_grad()
    def sample(
        self,
        ids: Tensor,
        max_new_tokens: int,
        *,
        temperature: float = 1.0,
        state: State | None = None,
        generator: torch.Generator | None = None,
    ) -> Tensor:
        """Go on from `ids`, one token at a time, each drawn from softmax(logits / temperature).

        Args:
            ids: (B, T), the beginning.
            max_new_tokens: tokens to draw.
            temperature: below 1 prefers likely tokens more than the model does; 0 always takes the likeliest.
            state: of the text before `ids`.
            generator: for reproducible draws, on the device of `ids`.

        Returns:
            (B, T + max_new_tokens): the beginning and what follows it.

        Raises:
            ValueError: a negative temperature or number of tokens.
        """
        if not temperature >= 0.0 or math.isinf(temperature):
            raise ValueError(f"`temperature` must be 0 or more and finite, got {temperature}.")
        if max_new_tokens < 0:
            raise ValueError(f"`max_new_tokens` must be at least 0, got {max_new_tokens}.")
        was_training = self.training
        self.eval()
        pieces, last = [ids], ids
        for _ in range(max_new_tokens):
            logits, state = self(last, state)  # after the beginning, one token a step: the state has the rest
            scores = logits[:, -1].float()  # (B, V)
            if temperature == 0.0:
                last = scores.argmax(-1, keepdim=True)
            else:
                last = torch.multinomial((scores / temperature).softmax(-1), 1, generator=generator)
            pieces.append(last)
        self.train(was_training)
        return torch.cat(pieces, dim=1)

    def _embed(self, ids: Tensor) -> Tensor:
        if ids.is_floating_point() or ids.dtype == torch.bool:
            raise TypeError(f"`ids` must be whole numbers, got {ids.dtype}.")
        if ids.dim() != 2 or ids.numel() == 0:
            raise ValueError(f"`ids` must have shape (B, T) with B and T at least 1, got {tuple(ids.shape)}.")
        try:
            return self.embedding(ids)  # (B, T, D)
        except IndexError as error:
            raise ValueError(
                f"`ids` must be in 0..V-1 with V={self.config.vocab_size}, "
                f"got {int(ids.min())} to {int(ids.max())}: is it the same vocabulary?"
            ) from error


class TruncatedBPTTLoss:
    """The loss for `fit` that carries a `RecurrentLM`'s state from batch to batch: truncated backpropagation.

    The state goes on, its gradient does not: it is cut between batches. Needs batches whose rows read on where they
    stopped, such as `token_batches` gives. `fit` keeps the state in its checkpoints.

    Source: Williams and Peng, 1990.
    """

    def __init__(self) -> None:
        self.state: State | None = None

    def __call__(self, model: RecurrentLM, batch: tuple[Tensor, Tensor]) -> Tensor:
        inputs, targets = batch
        before = None if self.state is None else _map(self.state, lambda part: part.to(inputs.device))
        value, state = model.loss(inputs, targets, before)
        self.state = _map(state, Tensor.detach)
        return value

    def state_dict(self) -> dict[str, Any]:
        return {"state": self.state}

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        self.state = saved["state"]


def _map(state: State, change: Callable[[Tensor], Tensor]) -> State:
    return (change(state[0]), change(state[1])) if isinstance(state, tuple) else change(state)
