from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, border, case, difference, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch04.shared import generator_of


def beam_step(totals, next_log_probs, beam_size):
    """Return the best continuations of all hypotheses, the best first; of equally good ones any may come first.

    Args:
        totals: the log-probabilities of the k hypotheses so far, (k,), k at least 1.
        next_log_probs: of the next token after each of them, (k, V); minus infinity where a token is impossible.
        beam_size: how many to keep, an int; if there are fewer candidates, all of them are.

    Returns:
        The new totals, of the element type of `totals`; the parents (which hypothesis each goes on from) and the
        tokens, both int64. Each has the shape (beam_size,), or (k * V,) if that is less.

    Raises:
        ValueError: `beam_size` is below 1, or `next_log_probs` has not one row for each hypothesis.

    >>> totals = torch.tensor([0.6, 0.4]).log()
    >>> best, parents, tokens = beam_step(totals, torch.tensor([[0.5, 0.3, 0.2], [0.9, 0.05, 0.05]]).log(), 2)
    >>> [round(p, 2) for p in best.exp().tolist()], parents.tolist(), tokens.tolist()
    ([0.36, 0.3], [1, 0], [0, 0])
    """
    if beam_size < 1 or len(totals) != len(next_log_probs):
        raise ValueError(f"`beam_size` must be at least 1, with a row for each hypothesis, got {beam_size}.")
    every = (totals[:, None] + next_log_probs).flatten().to(totals.dtype)  # (k * V,)
    best, indices = every.topk(min(beam_size, every.numel()))
    V = next_log_probs.shape[1]
    return best, indices // V, indices % V


@drawn(3)
def cases(seed: int) -> list[Case]:
    generator = generator_of(seed)

    def draw(k: int, V: int, dtype: torch.dtype = torch.float32) -> tuple[Tensor, Tensor]:
        totals = -3 * torch.rand(k, generator=generator, dtype=torch.float64)
        log_probs = (2 * torch.randn(k, V, generator=generator, dtype=torch.float64)).log_softmax(1)
        return totals.to(dtype), log_probs.to(dtype)

    worked = torch.tensor([[0.5, 0.3, 0.2], [0.9, 0.05, 0.05]]).log()
    totals, log_probs = draw(5, 11)
    lonely = totals.clone()
    lonely[1:] = -50.0  # all the best continue the first
    forbidden = log_probs.clone()
    forbidden[:, 3] = -torch.inf
    unlike = torch.tensor([-1.0, -4.0, -2.5]), torch.tensor([[0.2, 0.7, 0.1], [0.05, 0.05, 0.9], [0.6, 0.3, 0.1]]).log()
    halves = torch.tensor([0.5, 0.25]).log(), torch.tensor([[0.25, 0.75], [0.5, 0.5]]).log()
    return [
        case("the worked example", torch.tensor([0.6, 0.4]).log(), worked, 2),
        case("5 hypotheses, 11 tokens", totals, log_probs, 5),
        case("7 hypotheses, 5 tokens", *draw(7, 5), 7),
        case("as many hypotheses as tokens", *unlike, 3),
        case("a beam larger than the number of hypotheses", *draw(2, 7), 5),
        case("float64", *draw(3, 7, torch.float64), 3),
        case("a beam larger than all there is", *draw(2, 3), 11),
        border("a token of probability zero", totals, forbidden, 3),
        border("an impossible candidate fits in", totals[:2], torch.tensor([[0.0, 1.0], [0.5, 0.5]]).log(), 4),
        border("totals of float64, log-probabilities of float32", draw(3, 7, torch.float64)[0], draw(3, 7)[1], 3),
        border("totals of float32, log-probabilities of float64", draw(3, 7)[0], draw(3, 7, torch.float64)[1], 3),
        border("totals far below 0", draw(3, 7, torch.float64)[0] - 1000, draw(3, 7, torch.float64)[1], 3),
        border("a beam of one: greedy", *draw(1, 7), 1),
        border("a beam of one among several hypotheses", *draw(3, 7), 1),
        border("a tie: six equal candidates, four fit in", torch.zeros(2), torch.full((2, 3), 1 / 3).log(), 4),
        border("a tie across hypotheses", *halves, 3),
        border("a beam of size zero", *draw(2, 3), 0),
        border("a beam below zero", *draw(2, 3), -1),
        border("a row too many, of no hypothesis", draw(2, 3)[0], draw(3, 3)[1], 2),
        border("one row for two hypotheses", draw(2, 3)[0], draw(1, 3)[1], 2),
        border("one hypothesis and two rows", draw(1, 3)[0], draw(2, 3)[1], 2),
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
            given = (totals[parents] + next_log_probs[parents, tokens]).to(totals.dtype)
            if difference(right[0], given, _CLOSE) is None:
                right = (right[0], parents, tokens)
    return difference(right, result, _CLOSE)


SLIPS = mistakes("""
best_of_each: "the best continuations of all hypotheses"
    return best, indices // V, indices % V => tokens = next_log_probs.argmax(1)
    |    return every.view(-1, V).gather(1, tokens[:, None])[:, 0], torch.arange(len(totals)), tokens
  Each hypothesis went on with its own best token: that is several greedy searches side by side. The best are chosen
  among all continuations of all hypotheses.
best_of_each_sorted
    return best, indices // V, indices % V => tokens = next_log_probs.argmax(1)
    |    best, parents = every.view(-1, V).gather(1, tokens[:, None])[:, 0].topk(min(beam_size, len(totals)))
    |    return best, parents, tokens[parents]
  Each hypothesis went on with its own best token only. One of them may go on twice and another not at all: choose among
  all k * V candidates.
rank_for_token: "the tokens"
    V = next_log_probs.shape[1] => kept = min(beam_size, next_log_probs.shape[1])
    |    best_of_each = (totals[:, None] + next_log_probs).to(totals.dtype).topk(kept, dim=1).values
    |    best, indices = best_of_each.flatten().topk(min(beam_size, best_of_each.numel()))
    |    V = kept
  The totals are right, but the positions are those within the best of each hypothesis: a rank was returned where the
  token is wanted, or the parent was worked out from it. The indices of the first topk say which tokens these are.
no_totals
    (totals[:, None] + next_log_probs) => next_log_probs
  The totals so far play no part, neither in the choice nor in what came back. Add them: totals[:, None] +
  next_log_probs.
multiplied: "the log-probabilities of the k hypotheses so far, (k,), k at least 1"
    totals[:, None] + next_log_probs => totals[:, None] * next_log_probs
  Log-probabilities were multiplied. Probabilities multiply; their logarithms add.
worst_first: "the best first"
    return best, indices // V, indices % V => return best.flip(0), (indices // V).flip(0), (indices % V).flip(0)
  The right candidates were kept, but the worst of them comes first. Sort them in descending order.
parents_and_tokens_swapped: "the parents (which hypothesis each goes on from) and the tokens, both int64"
    indices // V, indices % V => indices % V, indices // V
  Parents and tokens are exchanged. In the flat list of k * V sums, position // V is the hypothesis and position % V the
  token.
divided_by_the_beam
    V = next_log_probs.shape[1] => V = len(totals)
  The flat positions were divided by the number of hypotheses. A row of the table has V entries, so divide by V.
too_few_candidates: "if there are fewer candidates, all of them are"
    min(beam_size, every.numel()) => beam_size
  The step is right, but where there are fewer candidates than beam_size it fails. All of them are kept then:
  topk(min(beam_size, k * V)).
""")
HINTS = hints("""
- There are k hypotheses and V tokens, so k * V candidates. What is the log-probability of each, and how do you find the
  largest of a table?
- every = totals[:, None] + next_log_probs is the table (k, V). Flatten it, take topk, and turn each flat position back
  into a row (the parent) and a column (the token).
- best, indices = every.flatten().topk(min(beam_size, every.numel())); V = next_log_probs.shape[1]; return best, indices
  // V, indices % V
""")
task = Task(
    beam_step, points=4, difficulty=4, minutes=30, cases=cases, compare=_CLOSE, judge=judge, slips=SLIPS, hints=HINTS
)
