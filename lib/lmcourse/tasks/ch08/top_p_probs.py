from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from lmcourse.exercises import Case, Task, border, case, difference, hints, mistakes
from lmcourse.tasks.ch08.shared import CLOSE, drawer


def top_p_probs(probs, p):
    """Return the probabilities with all but the nucleus cut.

    The nucleus of a row is the smallest set of its likeliest tokens whose probabilities sum to at least p; of equally
    likely tokens any may be kept.

    Args:
        probs: (..., V), summing to 1.
        p: above 0, at most 1.

    Returns:
        (..., V), in the order of the tokens, summing to 1.

    Raises:
        ValueError: p outside (0, 1].

    >>> [round(share, 3) for share in top_p_probs(torch.tensor([0.1, 0.4, 0.2, 0.3]), 0.65).tolist()]
    [0.0, 0.571, 0.0, 0.429]
    """
    if not 0 < p <= 1:
        raise ValueError(f"`p` must be above 0 and at most 1, got {p}.")
    ordered, order = probs.sort(dim=-1, descending=True, stable=True)
    before = ordered.cumsum(dim=-1) - ordered  # what the likelier tokens sum to
    kept = torch.zeros_like(probs).scatter(-1, order, ordered * (before < p))
    return kept / kept.sum(dim=-1, keepdim=True)


def _sharp(draw: Callable[..., Tensor], *sizes: int) -> Tensor:
    return (2 * draw(*sizes)).softmax(-1)


_NO_ROUNDING = "all sums are exact"


def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    spread = torch.tensor([0.1, 0.4, 0.2, 0.3], dtype=torch.float64)
    return [
        case("the worked example", spread, 0.65),
        case("seven tokens", _sharp(draw, 7), 0.8),
        case("several rows, each with its own number of tokens", _sharp(draw, 3, 5), 0.75),
        case("rows of rows", _sharp(draw, 2, 3, 7), 0.9),
        border("p smaller than the likeliest token: that one is kept", _sharp(draw, 3, 5), 0.01),
        border("p is 1: nothing is cut", _sharp(draw, 2, 5), 1.0),
        case("float32", _sharp(drawer(seed, torch.float32), 2, 7), 0.6),
        replace(
            border("a tie: four equal tokens, and two reach p", torch.full((2, 4), 0.25, dtype=torch.float64), 0.5),
            truth=_NO_ROUNDING,
        ),
        replace(
            border("p is reached exactly", torch.tensor([0.125, 0.5, 0.125, 0.25], dtype=torch.float64), 0.75),
            truth=_NO_ROUNDING,
        ),
        border("p is 0", spread, 0.0),
        border("p above 1", spread, 1.5),
        border("p very small", _sharp(draw, 2, 5), 1e-9),
        border("p just below 1", torch.tensor([0.5, 0.25, 0.125, 0.125 - 2**-10, 2**-10]).double(), 1 - 2**-11),
        border("a token of probability 0", torch.tensor([[0.0, 0.625, 0.375]]).double(), 1.0),
        border("a tensor whose rows do not lie in a row", _sharp(draw, 3, 7).T.contiguous().T, 0.7),
        border("p below 0", spread, -0.5),
        border("p a little above 1", spread, 1.0001),
    ]


def judge(item: Case, result: Any) -> str | None:
    """Where ties or rounding leave a choice, the result is compared with the right one that has made the same."""
    probs, p = item.args
    right = top_p_probs(probs, p)
    if isinstance(result, Tensor) and result.shape == probs.shape:
        kept, rounding = result > 0, 0.0 if item.truth == _NO_ROUNDING else 10 * torch.finfo(probs.dtype).eps
        chosen = probs * kept
        total = chosen.sum(-1, keepdim=True)
        least = probs.masked_fill(~kept, torch.inf).amin(-1, keepdim=True)
        likeliest = least >= probs.masked_fill(kept, 0.0).amax(-1, keepdim=True)
        fewest = (total >= p - rounding) & (total - least < p + rounding)
        right = torch.where(likeliest & fewest & kept.any(-1, keepdim=True), chosen / total, right)
    return difference(right, result, CLOSE)


SLIPS = mistakes("""
stops_short: "whose probabilities sum to at least p"
    before < p => (before + ordered <= p) | (torch.arange(probs.shape[-1]) == 0)
  The token with which the sum reaches p was left out. The kept ones must sum to at least p: a token stays if what is
  likelier than it sums to less than p.
not_renormalised: "summing to 1"
    / kept.sum(dim=-1, keepdim=True) =>
  The right tokens are kept, but their probabilities no longer sum to 1. Divide by their sum.
order_lost: "in the order of the tokens"
    torch.zeros_like(probs).scatter(-1, order, ordered * (before < p)) => ordered * (before < p)
  The result is in order of size. Put each probability back where its token stands in the vocabulary (scatter).
one_more: "the smallest set"
    before < p => before <= p
  Where the sum reaches p exactly, one token too many was kept. Keep a token if those that are likelier sum to less than
  p.
softmax_again
    kept / kept.sum(dim=-1, keepdim=True) => kept.masked_fill(kept == 0, float("-inf")).softmax(dim=-1)
  A softmax was taken of probabilities. Divide what is kept by its sum.
zero_allowed: "p outside (0, 1]"
    not 0 < p => not 0 <= p
  p = 0 was taken without a word. It must be above 0: raise ValueError.
one_refused: "above 0, at most 1"
    p <= 1 => p < 1
  p = 1 was refused. It is allowed, and keeps every token.
mask_gathered
    torch.zeros_like(probs).scatter(-1, order, ordered * (before < p)) => probs * (before < p).gather(-1, order)
  The mask of the sorted tokens was carried back by gather, which does not undo the sort. scatter puts each entry back
  where it came from.
one_sum_for_all
    kept.sum(dim=-1, keepdim=True) => kept.sum()
  What is kept was divided by the sum of the whole tensor. Each row sums to 1: divide by its own sum.
""")
HINTS = hints("""
- Sort from likely to unlikely and add up. Which tokens are reached before the sum is p?
- cumsum minus the probability itself is what stands before a token; keep it if that is less than p. The likeliest has 0
  before it, so it always stays.
- ordered, order = probs.sort(-1, descending=True); before = ordered.cumsum(-1) - ordered; kept =
  torch.zeros_like(probs).scatter(-1, order, ordered * (before < p)); divide by kept.sum(-1, keepdim=True)
""")
task = Task(
    top_p_probs, points=3, difficulty=3, minutes=15, cases=cases, compare=CLOSE, judge=judge, slips=SLIPS, hints=HINTS
)
