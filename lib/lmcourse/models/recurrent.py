"""The recurrent language model: an embedding, a recurrent layer, a score for every token.

It has what the n-gram lacked: a state that is carried from token to token, with no fixed window.

B batch, T length, D embedding width, H state width, V vocabulary.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import NoneType
from typing import Any, Literal, overload

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse import checks, tensor_checks
from lmcourse.kernels.recurrent import State
from lmcourse.layers.recurrent import GRU, LSTM, RNN, init_forget_bias
from lmcourse.models.tying import tie
from lmcourse.runtime import evaluation_mode

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
        tie_embeddings: the head uses the embedding table; `embed_dim` must then equal `hidden_size`.
        forget_bias: of an LSTM at the start; see `init_forget_bias`. More than 0 helps where something must be
            remembered for long; a short training on characters went better with 0.
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
        checks.whole(
            at_least=1,
            vocab_size=self.vocab_size,
            embed_dim=self.embed_dim,
            hidden_size=self.hidden_size,
            num_layers=self.num_layers,
        )
        checks.one_of(LAYERS, cell=self.cell)
        checks.number(at_least=0.0, below=1.0, dropout=self.dropout)
        checks.number(at_least=-100.0, at_most=100.0, forget_bias=self.forget_bias)
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
        checks.instance(RecurrentConfig, config=config)
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
        self._init_biases_and_tied_table()

    def reset_parameters(self) -> None:
        """Draw all weights anew."""
        self.embedding.reset_parameters()
        self.recurrent.reset_parameters()
        self.head.reset_parameters()
        self._init_biases_and_tied_table()

    def _init_biases_and_tied_table(self) -> None:
        if isinstance(self.recurrent, LSTM):
            init_forget_bias(self.recurrent, self.config.forget_bias)
        if self.config.tie_embeddings:  # the table gives the scores too: smaller numbers than nn.Embedding's
            tie(self.head, self.embedding)
            nn.init.normal_(self.embedding.weight, std=self.config.embed_dim**-0.5)
        nn.init.zeros_(self.head.bias)

    @overload
    def forward(self, ids: Tensor, state: State | None = None) -> tuple[Tensor, State]: ...

    @overload
    def forward(
        self,
        ids: Tensor,
        *,
        cache: "RecurrentCache",
        attention_mask: Tensor | None = None,
        last_only: bool = False,
    ) -> Tensor: ...

    def forward(
        self,
        ids: Tensor,
        state: State | None = None,
        *,
        cache: "RecurrentCache | None" = None,
        attention_mask: Tensor | None = None,
        last_only: bool = False,
    ) -> tuple[Tensor, State] | Tensor:
        """Return the logits of the next token after each of `ids`, and the state after the last.

        The state is passed in and returned; or, as for sampling, a `cache` holds it, and the logits alone are returned.

        Args:
            ids: (B, T).
            state: after the text before; None starts with zeros.
            cache: of `new_cache`: the state after the text before; the state after `ids` replaces it.
            attention_mask: (B, S) bool, False at padding on the left, S counting the tokens before too. The state of
                a row starts after its padding.
            last_only: return the logits after the last token alone, (B, 1, V).

        Returns:
            logits (B, T, V) and a state to pass on; cut it with `detach` before the next training step.

        Raises:
            TypeError: `ids` are not whole numbers, a mask that is not bool, a cache of another kind.
            ValueError: `ids` is empty or not (B, T), or holds an id outside the vocabulary (seen on the CPU); a state
                or a mask of another shape; a cache together with a state; a mask or `last_only` without a cache.
        """
        self._check(ids, state, cache, attention_mask, last_only)
        if cache is not None:
            outputs = self._read_on(ids.long(), cache, attention_mask)  # (B, T, H)
            logits: Tensor = self.head(self.dropout(outputs[:, -1:] if last_only else outputs))
            return logits
        x = self.dropout(self.embedding(ids.long()))  # (B, T, D)
        outputs, state = self.recurrent(x, state)  # (B, T, D) -> (B, T, H)
        return self.head(self.dropout(outputs)), state

    def _check(
        self,
        ids: Tensor,
        state: State | None,
        cache: "RecurrentCache | None",
        attention_mask: Tensor | None,
        last_only: bool,
    ) -> None:
        tensor_checks.token_ids(self.embedding, ids=ids)
        if cache is None:
            if attention_mask is not None or last_only:
                raise ValueError("`attention_mask` and `last_only` must come with a `cache`, got None.")
            return
        checks.instance(RecurrentCache, cache=cache)
        if state is not None:
            raise ValueError("`state` must be None where a `cache` holds it.")
        if attention_mask is None:
            return
        B, T = ids.shape
        tensor_checks.boolean(attention_mask=attention_mask)
        if attention_mask.dim() != 2 or len(attention_mask) != B or attention_mask.shape[1] < T:
            raise ValueError(
                f"`attention_mask` must have shape (B, S) with B={B} and S at least T={T}, "
                f"got {tuple(attention_mask.shape)}."
            )
        tensor_checks.same_device(ids=ids, attention_mask=attention_mask)
        tensor_checks.padding_on_the_left(attention_mask=attention_mask)

    def _read_on(self, ids: Tensor, cache: "RecurrentCache", attention_mask: Tensor | None) -> Tensor:
        """Return the outputs (B, T, H). Padding is moved to the end of its row, where a length says what it is."""
        outputs: Tensor
        if attention_mask is None:
            outputs, cache.state = self.recurrent(self.dropout(self.embedding(ids)), cache.state)
            return outputs
        T = ids.shape[1]
        lengths, steps = attention_mask[:, -T:].sum(1), torch.arange(T, device=ids.device)  # (B,), (T,)
        x = self.dropout(self.embedding(ids.gather(1, (steps - lengths[:, None]) % T)))
        outputs, cache.state = self.recurrent(x, cache.state, lengths=lengths)
        back = (steps + lengths[:, None]) % T  # (B, T)
        return outputs.gather(1, back[:, :, None].expand_as(outputs))

    def new_cache(self, batch_size: int, max_length: int) -> "RecurrentCache":
        """Return an empty cache. It takes texts of any number and length: a state is as large after any of them."""
        checks.whole(at_least=1, batch_size=batch_size, max_length=max_length)
        return RecurrentCache()

    def loss(self, inputs: Tensor, targets: Tensor, state: State | None = None) -> tuple[Tensor, State]:
        """Return the mean cross-entropy of `targets`, in nats, and the state after the last of `inputs`.

        Args:
            inputs: ids (B, T).
            targets: (B, T), the token after each of `inputs`.
            state: as for `forward`.
        """
        tensor_checks.token_ids(self.embedding, inputs=inputs, targets=targets)
        tensor_checks.same_shape(inputs=inputs, targets=targets)
        logits, state = self(inputs, state)
        return F.cross_entropy(logits.flatten(0, 1), targets.long().flatten()), state

    @torch.no_grad()
    def total_nll(
        self, ids: Tensor, state: State | None = None, *, rows: int = 1, warm_up: int = 512, chunk: int = 512
    ) -> float:
        """Return the total cost of a long text: the sum of -log p(ids[t] | ids[0..t-1]) for t = 1 .. N-1, in nats.

        The state is carried from chunk to chunk, so every prediction rests on all of the text before it. The first
        token is given, unless `state` comes from a text before it: then it is still only read.

        Args:
            ids: (N,), N at least 2.
            state: where to start; only with rows=1.
            rows: cut the text into this many pieces that are read side by side, which is much faster. Each piece
                starts from a state that has read only the `warm_up` tokens before it.
            warm_up: see `rows`.
            chunk: tokens read at once. It changes the memory used, not the result.

        Raises:
            TypeError: `ids` are not whole numbers.
            ValueError: fewer than 2 tokens, an id outside the vocabulary, sizes below 1, a state with rows above 1.
        """
        tensor_checks.integers(ids=ids, at_least=0, below=self.config.vocab_size)
        tensor_checks.shape(("N",), ids=ids)
        tensor_checks.on_device(self.embedding.weight.device, ids=ids)
        checks.whole(at_least=1, rows=rows, chunk=chunk)
        checks.whole(at_least=0, warm_up=warm_up)
        if len(ids) < 2:
            raise ValueError(f"`ids` must have shape (N,) with N at least 2, got {tuple(ids.shape)}.")
        if rows > 1 and state is not None:
            raise ValueError(f"`state` goes with rows=1 only, got rows={rows}.")
        predictions = len(ids) - 1
        length = -(-predictions // rows)  # of a piece, rounded up: the last ones may end beyond the text
        starts = torch.arange(rows, device=ids.device)[:, None] * length  # (rows, 1)
        sums = []
        with evaluation_mode(self.modules()):
            if rows > 1:
                before = torch.arange(-min(warm_up, length), 0, device=ids.device)
                for steps in before.split(chunk) if warm_up else ():
                    _, state = self(ids[(starts[1:] + steps).clamp(max=predictions)], state)
                state = None if state is None else _map(state, _with_zeros_for_row_0)
            for steps in torch.arange(length, device=ids.device).split(chunk):
                positions = starts + steps  # (rows, T)
                logits, state = self(ids[positions.clamp(max=predictions)], state)
                targets = ids[(positions + 1).clamp(max=predictions)].long()
                nats = F.cross_entropy(logits.flatten(0, 1).float(), targets.flatten(), reduction="none")
                sums.append(nats.where((positions < predictions).flatten(), 0.0).sum())
        return float(torch.stack(sums).cpu().double().sum())


class RecurrentCache:
    """The state of a `RecurrentLM` after the tokens that it has read; None before the first."""

    def __init__(self) -> None:
        self.state: State | None = None

    def reorder(self, rows: Tensor) -> None:
        """Make row b a copy of what was row rows[b], for as many rows as there are."""
        if self.state is not None:
            self.state = _map(self.state, lambda part: part.index_select(1, rows))


class TruncatedBPTTLoss:
    """The loss for `fit` that carries the state of a `RecurrentLM` from batch to batch: truncated backpropagation.

    The state is carried over, its gradient is not: it is cut between batches. Each row of a batch must continue the
    same row of the batch before, as those of `token_batches` do. `fit` stores the state in its checkpoints.

    Source: Williams and Peng, 1990.
    """

    def __init__(self) -> None:
        self.state: State | None = None

    def __call__(self, model: RecurrentLM, batch: tuple[Tensor, Tensor]) -> Tensor:
        checks.instance(RecurrentLM, model=model)
        inputs, targets = checks.pair(batch=batch)
        before = None if self.state is None else _map(self.state, lambda part: part.to(inputs.device))
        value, state = model.loss(inputs, targets, before)
        self.state = _map(state, Tensor.detach)
        return value

    def state_dict(self) -> dict[str, Any]:
        return {"state": self.state}

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        checks.keys(("state",), saved=saved)
        checks.instance((Tensor, tuple, NoneType), **{"saved[state]": saved["state"]})
        self.state = saved["state"]


def _map(state: State, change: Callable[[Tensor], Tensor]) -> State:
    return (change(state[0]), change(state[1])) if isinstance(state, tuple) else change(state)


def _with_zeros_for_row_0(state: Tensor) -> Tensor:
    """(layers, rows - 1, H) -> (layers, rows, H): the first piece begins the text and has nothing to warm up on."""
    return F.pad(state, (0, 0, 1, 0))
