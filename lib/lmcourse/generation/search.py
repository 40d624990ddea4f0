"""Greedy and beam search, for any model that gives scores for the next token.

The model is driven through one function, `step(ids, rows)`, which gives the logits of the next token:

- `ids` (N, t) are the hypotheses so far, the start token first. A model without a memory needs no more than these.
- `rows` (N,) says from which row of the *call before* each row goes on. A model with a state or a cache keeps it
  between calls and takes it up with `state = state.index_select(batch_dimension, rows)`; then only the last column of
  `ids` is new to it. In the first call `rows` is 0 .. N-1, the sources themselves, so the same line serves.
- It returns logits or log-probabilities (N, V).

So one source or many, a beam of one or of ten, an LSTM or a transformer with a cache are all driven alike.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from lmcourse import checks, tensor_checks

Step = Callable[[Tensor, Tensor], Tensor]


@dataclass(frozen=True)
class Hypothesis:
    """One sequence that a search found.

    Attributes:
        ids: the tokens, without start and stop.
        log_prob: its log-probability in nats, the stop token's included if there is one.
        score: what the search ranks by: `log_prob`, divided by the length penalty.
        finished: whether it ended with the stop token; False says that `max_length` cut it off.
    """

    ids: tuple[int, ...]
    log_prob: float
    score: float
    finished: bool


def length_divisor(length: int, length_penalty: float) -> float:
    """Return ((5 + length) / 6) ** length_penalty, by which log-probabilities are divided before they are compared.

    With 0 it is 1. The larger it is, the less a long sequence suffers from being a product of more factors.

    Args:
        length: of the sequence, 0 or more.
        length_penalty: alpha, 0 to 10.

    Source: Wu et al., 2016, equation 14.
    """
    checks.whole(at_least=0, length=length)
    _check_penalty(length_penalty)
    return float(((5.0 + length) / 6.0) ** length_penalty)


def beam_search(
    step: Step,
    start_id: int,
    stop_id: int,
    *,
    beam_size: int,
    max_length: int,
    length_penalty: float = 0.0,
    device: torch.device | str | None = None,
) -> list[Hypothesis]:
    """Return the best sequences that a beam finds for one source, the best first.

    At every step each of the `beam_size` hypotheses is tried with every next token, and the `beam_size` best of all
    are kept. One that took the stop token is finished: it stays in the beam with its score unless better ones push it
    out. The search ends when every hypothesis is finished, or after `max_length` tokens. A beam of 1 is greedy search;
    a beam that can hold every sequence finds the best one. Anything between may miss it.

    Args:
        step: gives the logits of the next token; see the module.
        start_id, stop_id: the tokens that begin and end a sequence.
        beam_size: hypotheses kept; at most that many are returned.
        max_length: tokens to choose at most, the stop token included.
        length_penalty: alpha, 0 to 10; see `length_divisor`.
        device: where `ids` are made; by default the CPU.

    Raises:
        ValueError: sizes below 1, a negative penalty, logits of the wrong shape, with NaN, or with no token possible.

    Source: Graves, 2012; Sutskever, Vinyals and Le, 2014, section 3.2; length penalty from Wu et al., 2016.
    """
    return beam_search_batch(
        step,
        start_id,
        stop_id,
        batch_size=1,
        beam_size=beam_size,
        max_length=max_length,
        length_penalty=length_penalty,
        device=device,
    )[0]


@torch.no_grad()
def beam_search_batch(
    step: Step,
    start_id: int,
    stop_id: int,
    *,
    batch_size: int,
    beam_size: int,
    max_length: int,
    length_penalty: float = 0.0,
    device: torch.device | str | None = None,
) -> list[list[Hypothesis]]:
    """Return `beam_search`'s result for each of `batch_size` sources, searched side by side.

    The first call of `step` has one row a source, later ones `beam_size` rows a source, source by source.
    """
    checks.function(step=step)
    checks.whole(at_least=0, start_id=start_id, stop_id=stop_id)
    checks.whole(at_least=1, batch_size=batch_size, beam_size=beam_size, max_length=max_length)
    _check_penalty(length_penalty)
    B, K = batch_size, beam_size
    ids = torch.full((B, 1), start_id, device=device)  # (B K, t); at first one row a source
    rows = torch.arange(B, device=device)
    log_probs = torch.zeros(B, 1, device=device)  # (B, K)
    lengths = torch.zeros(B, 1, dtype=torch.long, device=device)
    finished = torch.zeros(B, 1, dtype=torch.bool, device=device)
    for t in range(1, max_length + 1):
        next_log_probs = _log_probs(step(ids, rows), len(ids), stop_id)  # (B k, V)
        V, k = next_log_probs.shape[-1], log_probs.shape[1]
        totals = log_probs[:, :, None] + next_log_probs.view(B, k, V)  # (B, k, V)
        # A finished hypothesis goes on in one way only: as it is. The column of the stop token stands for that.
        as_it_is = torch.full_like(totals, -torch.inf)
        as_it_is[:, :, stop_id] = log_probs
        totals = torch.where(finished[:, :, None], as_it_is, totals)
        ended_at = torch.where(finished, lengths, t)  # (B, k)
        divisors = ((5.0 + ended_at) / 6.0) ** length_penalty
        ranked = (totals / divisors[:, :, None]).flatten(1)  # (B, k V)
        indices = ranked.topk(min(K, k * V), dim=1).indices  # (B, K)
        parents, tokens = indices // V, indices % V
        log_probs = totals.flatten(1).gather(1, indices)
        lengths = ended_at.gather(1, parents)
        finished = finished.gather(1, parents) | (tokens == stop_id)
        rows = (torch.arange(B, device=device)[:, None] * k + parents).flatten()
        ids = torch.cat([ids[rows], tokens.flatten()[:, None]], dim=1)
        if bool((finished | log_probs.isneginf()).all()):
            break
    return _collect(ids.view(B, -1, ids.shape[1]), log_probs, lengths, finished, length_penalty)


@torch.no_grad()
def greedy_search(
    step: Step,
    start_id: int,
    stop_id: int,
    *,
    max_length: int,
    batch_size: int = 1,
    device: torch.device | str | None = None,
) -> list[Hypothesis]:
    """Return one sequence for each source: always the likeliest next token, until the stop token or `max_length`.

    Args:
        step, start_id, stop_id, max_length, device: as for `beam_search`.
        batch_size: the number of sources, one row each.
    """
    checks.function(step=step)
    checks.whole(at_least=0, start_id=start_id, stop_id=stop_id)
    checks.whole(at_least=1, batch_size=batch_size, max_length=max_length)
    ids = torch.full((batch_size, 1), start_id, device=device)
    rows = torch.arange(batch_size, device=device)
    totals = torch.zeros(batch_size, device=device)
    lengths = torch.full((batch_size,), max_length, device=device)
    finished = torch.zeros(batch_size, dtype=torch.bool, device=device)
    for t in range(1, max_length + 1):
        best, tokens = _log_probs(step(ids, rows), batch_size, stop_id).max(-1)
        totals = totals + best.masked_fill(finished, 0.0)
        tokens = tokens.masked_fill(finished, stop_id)
        lengths = torch.where(~finished & (tokens == stop_id), t, lengths)
        finished = finished | (tokens == stop_id)
        ids = torch.cat([ids, tokens[:, None]], dim=1)
        if bool(finished.all()):
            break
    found = _collect(ids[:, None], totals[:, None], lengths[:, None], finished[:, None], 0.0)
    return [hypotheses[0] for hypotheses in found]


class Translator(Protocol):
    """A model that can be searched: the transformer of chapter 06 is one too."""

    start_id: int
    stop_id: int

    def stepper(self, source: Tensor) -> Step:
        """Return a `step` for the sources (B, S), padded; see the module."""


def translate(
    model: Translator, source: Tensor, *, max_length: int, beam_size: int = 1, length_penalty: float = 0.0
) -> list[Hypothesis]:
    """Return the best translation of each source that a search finds.

    Args:
        model: in evaluation mode.
        source: ids (B, S), padded, on the model's device.
        max_length: tokens at most, the stop token included.
        beam_size: 1 is greedy.
        length_penalty: see `length_divisor`.
    """
    if not all(hasattr(model, name) for name in ("stepper", "start_id", "stop_id")):
        raise TypeError(
            f"`model` must have `stepper`, `start_id` and `stop_id` (see `Translator`), got {type(model).__name__}."
        )
    checks.whole(at_least=1, max_length=max_length, beam_size=beam_size)
    _check_penalty(length_penalty)
    with torch.no_grad():
        step = model.stepper(source)
    start_id, stop_id, n, device = model.start_id, model.stop_id, len(source), source.device
    if beam_size == 1:
        return greedy_search(step, start_id, stop_id, max_length=max_length, batch_size=n, device=device)
    found = beam_search_batch(
        step,
        start_id,
        stop_id,
        batch_size=n,
        beam_size=beam_size,
        max_length=max_length,
        length_penalty=length_penalty,
        device=device,
    )
    return [hypotheses[0] for hypotheses in found]


def _log_probs(logits: Tensor, n_rows: int, stop_id: int) -> Tensor:
    tensor_checks.floating(**{"step(ids, rows)": logits})
    if logits.dim() != 2 or logits.shape[0] != n_rows or not 0 <= stop_id < logits.shape[1]:
        raise ValueError(
            f"`step` must return logits (N, V) with N={n_rows} and V above stop_id={stop_id}, "
            f"got {tuple(logits.shape)}."
        )
    log_probs = logits.float().log_softmax(-1) if logits.dtype != torch.float64 else logits.log_softmax(-1)
    if log_probs.isnan().any():
        raise ValueError("`step` must return logits without NaN, with at least one token possible in each row.")
    return log_probs


def _collect(
    ids: Tensor, log_probs: Tensor, lengths: Tensor, finished: Tensor, length_penalty: float
) -> list[list[Hypothesis]]:
    """Turn tensors (B, K, ...) into hypotheses, the best first; entries that were never filled are left out."""
    found = []
    for rows, totals, ends, flags in zip(
        ids.tolist(), log_probs.tolist(), lengths.tolist(), finished.tolist(), strict=True
    ):
        hypotheses = [
            Hypothesis(
                ids=tuple(row[1:end] if done else row[1 : end + 1]),  # without start, and without stop
                log_prob=total,
                score=total / length_divisor(end, length_penalty),
                finished=done,
            )
            for row, total, end, done in zip(rows, totals, ends, flags, strict=True)
            if total > -torch.inf
        ]
        found.append(sorted(hypotheses, key=lambda hypothesis: -hypothesis.score))
    return found


def _check_penalty(length_penalty: float) -> None:
    checks.number(at_least=0.0, at_most=10.0, length_penalty=length_penalty)
