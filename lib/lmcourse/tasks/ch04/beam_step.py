"""Exercise `beam_step`."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case, difference
from lmcourse.tasks.ch04.shared import generator_of


def beam_step(totals, next_log_probs, beam_size):
    """Return the best continuations of all hypotheses, the best first; of equally good ones any may come first.

    Args:
        totals: the log-probabilities of the k hypotheses so far, (k,).
        next_log_probs: of the next token after each of them, (k, V).
        beam_size: how many to keep; if there are fewer candidates, all of them are.

    Returns:
        The new totals, the parents (which hypothesis each goes on from) and the tokens, each (beam_size,).

    Raises:
        ValueError: `beam_size` is below 1, or `next_log_probs` has not one row a hypothesis.

    >>> totals = torch.tensor([0.6, 0.4]).log()
    >>> best, parents, tokens = beam_step(totals, torch.tensor([[0.5, 0.3, 0.2], [0.9, 0.05, 0.05]]).log(), 2)
    >>> [round(p, 2) for p in best.exp().tolist()], parents.tolist(), tokens.tolist()
    ([0.36, 0.3], [1, 0], [0, 0])
    """
    if beam_size < 1 or len(totals) != len(next_log_probs):
        raise ValueError(f"`beam_size` must be at least 1, with a row for each hypothesis, got {beam_size}.")
    every = (totals[:, None] + next_log_probs).flatten()  # (k * V,)
    best, places = every.topk(min(beam_size, every.numel()))
    V = next_log_probs.shape[1]
    return best, places // V, places % V


def cases(seed: int) -> list[Case]:
    generator = generator_of(seed)

    def draw(k: int, V: int, dtype: torch.dtype = torch.float32) -> tuple[Tensor, Tensor]:
        totals = -3 * torch.rand(k, generator=generator, dtype=torch.float64)
        return totals.to(dtype), (2 * torch.randn(k, V, generator=generator, dtype=torch.float64)).log_softmax(1).to(
            dtype
        )

    worked = torch.tensor([[0.5, 0.3, 0.2], [0.9, 0.05, 0.05]]).log()
    totals, log_probs = draw(5, 11)
    lonely = totals.clone()
    lonely[1:] = -50.0  # all the best continue the first
    forbidden = log_probs.clone()
    forbidden[:, 3] = -torch.inf
    return [
        case("the worked example", torch.tensor([0.6, 0.4]).log(), worked, 2),
        case("5 hypotheses, 11 tokens", totals, log_probs, 5),
        case("7 hypotheses, 5 tokens", *draw(7, 5), 7),
        border("all the best go on from one hypothesis", lonely, log_probs, 5),
        border("a token of probability zero", totals, forbidden, 3),
        case("float64", *draw(3, 7, torch.float64), 3),
        border("the first step: one hypothesis, a beam of 5", *draw(1, 13), 5),
        border("a beam of one: greedy", *draw(1, 7), 1),
        case("a beam larger than all there is", *draw(2, 3), 11),
        border("a tie: six equal candidates, four fit in", torch.zeros(2), torch.full((2, 3), 1 / 3).log(), 4),
        border(
            "a tie across hypotheses",
            torch.tensor([0.5, 0.25]).log(),
            torch.tensor([[0.25, 0.75], [0.5, 0.5]]).log(),
            3,
        ),
        border("a beam of size zero", *draw(2, 3), 0),
        border("a row too many, of no hypothesis", draw(2, 3)[0], draw(3, 3)[1], 2),
    ]


_CLOSE = Compare(rtol=1e-5, atol=1e-6)


def _is_like(right: Tensor) -> Callable[[Any], bool]:
    return lambda part: isinstance(part, Tensor) and part.shape == right.shape and part.dtype == right.dtype


def judge(item: Case, result: Any) -> str | None:
    """Among equally good candidates any choice is right: the result is compared with the right one that has made it."""
    totals, next_log_probs, beam_size = item.args
    right = beam_step(totals, next_log_probs, beam_size)
    if isinstance(result, (tuple, list)) and len(result) == 3 and all(map(_is_like(right[1]), result[1:])):
        k, V = next_log_probs.shape
        _, parents, tokens = result
        inside = bool(((parents >= 0) & (parents < k) & (tokens >= 0) & (tokens < V)).all())
        if inside and len(set(zip(parents.tolist(), tokens.tolist(), strict=True))) == len(parents):
            given = totals[parents] + next_log_probs[parents, tokens]
            if difference(right[0], given, _CLOSE) is None:
                right = (right[0], parents, tokens)
    return difference(right, result, _CLOSE)


def _beam_wrong(totals: Tensor, next_log_probs: Tensor, beam_size: int, *, how: str) -> tuple[Tensor, Tensor, Tensor]:
    if beam_size < 1 or len(totals) != len(next_log_probs):
        if how == "unchecked":
            n = min(len(totals), len(next_log_probs))
            totals, next_log_probs, beam_size = totals[:n], next_log_probs[:n], max(beam_size, 1)
        else:
            raise ValueError("sizes")
    k, V = next_log_probs.shape
    size = min(beam_size, k * V)
    every = totals[:, None] + next_log_probs
    if how == "per_hypothesis":
        tokens = next_log_probs.argmax(1)
        return every.gather(1, tokens[:, None])[:, 0], torch.arange(k), tokens
    if how == "no_totals":
        _, places = next_log_probs.flatten().topk(size)
        return every.flatten()[places], places // V, places % V
    if how == "multiplied":
        best, places = (totals[:, None] * next_log_probs).flatten().nan_to_num(neginf=-1e9, posinf=-1e9).topk(size)
        return best, places // V, places % V
    if how == "worst":
        best, places = every.flatten().topk(size, largest=False)
        return best, places // V, places % V
    best, places = every.flatten().topk(size)
    if how == "swapped":
        return best, places % V, places // V
    if how == "wrong_divisor":
        return best, places // k, places % k
    if how == "probabilities":
        return best.exp(), places // V, places % V
    if how == "step_only":
        return next_log_probs.flatten()[places], places // V, places % V
    return best, places // V, places % V  # "unchecked"


def _beam_by_sorting(totals: Tensor, next_log_probs: Tensor, beam_size: int) -> tuple[Tensor, Tensor, Tensor]:
    if not beam_size > 0 or totals.shape[0] != next_log_probs.shape[0]:
        raise ValueError("sizes")
    candidates = [
        (totals[parent] + log_prob, parent, token)
        for parent, row in enumerate(next_log_probs)
        for token, log_prob in enumerate(row)
    ]
    kept = sorted(candidates, key=lambda c: float(c[0]), reverse=True)[:beam_size]
    parents, tokens = (torch.tensor([c[i] for c in kept]) for i in (1, 2))
    return torch.stack([c[0] for c in kept]), parents, tokens


def _beam_by_unravel(totals: Tensor, next_log_probs: Tensor, beam_size: int) -> tuple[Tensor, Tensor, Tensor]:
    if beam_size <= 0 or totals.numel() != next_log_probs.size(0):
        raise ValueError("sizes")
    every = next_log_probs + totals.unsqueeze(1)
    order = every.reshape(-1).argsort(descending=True, stable=True)[:beam_size]
    parents, tokens = torch.unravel_index(order, every.shape)
    return every[parents, tokens], parents, tokens


task = Task(
    beam_step,
    points=4,
    difficulty=4,
    minutes=30,
    cases=cases,
    compare=_CLOSE,
    judge=judge,
    slips=(
        Slip(
            "best_of_each",
            partial(_beam_wrong, how="per_hypothesis"),
            "Each hypothesis went on with its own best token: that is several greedy searches side by side. The best "
            "are chosen among all continuations of all hypotheses.",
        ),
        Slip(
            "totals_forgotten",
            partial(_beam_wrong, how="no_totals"),
            "The choice went by the new token alone. A likely token after an unlikely beginning is an unlikely "
            "sentence: add the total so far before you choose.",
        ),
        Slip(
            "multiplied",
            partial(_beam_wrong, how="multiplied"),
            "Log-probabilities were multiplied. Probabilities multiply; their logarithms add.",
        ),
        Slip(
            "worst",
            partial(_beam_wrong, how="worst"),
            "The least likely continuations were kept. Log-probabilities are negative: the best are those nearest to "
            "0, the largest.",
        ),
        Slip(
            "parents_and_tokens_swapped",
            partial(_beam_wrong, how="swapped"),
            "Parents and tokens are exchanged. In the flat list of k * V sums, place // V is the hypothesis and "
            "place % V the token.",
        ),
        Slip(
            "divided_by_the_beam",
            partial(_beam_wrong, how="wrong_divisor"),
            "The flat places were divided by the number of hypotheses. A row of the table has V entries, so divide "
            "by V.",
        ),
        Slip(
            "step_only",
            partial(_beam_wrong, how="step_only"),
            "The right continuations were chosen, but what came back are their last steps alone. Return the totals, "
            "which the next step goes on from.",
        ),
        Slip(
            "probabilities",
            partial(_beam_wrong, how="probabilities"),
            "The totals came back as probabilities. Stay with logarithms: after a hundred steps the product is below "
            "the smallest float.",
        ),
        Slip(
            "unchecked",
            partial(_beam_wrong, how="unchecked"),
            "The step is right, but a beam of size 0, or a row without a hypothesis, went through. Raise ValueError.",
        ),
    ),
    alternatives=(_beam_by_sorting, _beam_by_unravel),
    hints=(
        "There are k hypotheses and V tokens, so k * V candidates. What is the log-probability of each, and how do you "
        "find the largest of a table?",
        "every = totals[:, None] + next_log_probs is the table (k, V). Flatten it, take topk, and turn each flat place "
        "back into a row (the parent) and a column (the token).",
        "best, places = every.flatten().topk(min(beam_size, every.numel())); V = next_log_probs.shape[1]; return best, "
        "places // V, places % V",
    ),
)
