"""Exercise `masked_softmax`."""

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch05.shared import normal


def masked_softmax(scores, attention_mask):
    """Return the softmax over the last axis, over the kept entries only.

    Args:
        scores: a tensor (..., S).
        attention_mask: bool, broadcastable to the scores; True = takes part.

    Returns:
        A tensor like the scores; rows sum to 1, or hold zeros where nothing is kept.

    >>> masked_softmax(torch.tensor([[1.0, 1.0, 5.0]]), torch.tensor([[True, True, False]])).tolist()
    [[0.5, 0.5, 0.0]]
    """
    has_key = attention_mask.any(dim=-1, keepdim=True)
    hidden = ~attention_mask & has_key  # a row with no key keeps finite scores, so that no NaN arises
    weights = scores.masked_fill(hidden, float("-inf")).softmax(dim=-1)
    return weights.masked_fill(~has_key, 0.0)


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(*shape: int) -> Tensor:
        return normal(rng, *shape).requires_grad_()

    def mask(*shape: int) -> Tensor:
        kept = torch.from_numpy(rng.random(shape) < 0.6)
        kept[..., 0] = True
        return kept

    nothing_left = mask(5, 3)
    nothing_left[2] = False
    lower = torch.ones(7, 7, dtype=torch.bool).tril()
    loud = normal(rng, 3, 5)
    loud[:, 4] = 900.0
    loud_hidden = torch.ones(3, 5, dtype=torch.bool)
    loud_hidden[:, 4] = False
    worked = torch.tensor([[1.0, 1.0, 5.0]]).double().requires_grad_()
    return [
        case("the worked example", worked, torch.tensor([[True, True, False]])),
        case("a causal mask", draw(7, 7), lower),
        case("a random mask on a batch", draw(2, 3, 5), mask(2, 3, 5)),
        border("one mask for all heads of a batch", draw(2, 3, 5, 7), mask(2, 1, 1, 7)),
        border("nothing masked", draw(3, 5), torch.ones(3, 5, dtype=torch.bool)),
        border("a row with no key left", draw(5, 3), nothing_left),
        border("a fully masked table", draw(2, 3), torch.zeros(2, 3, dtype=torch.bool)),
        border("a large score that is masked, where exp would overflow", loud.requires_grad_(), loud_hidden),
        border(
            "large negative scores, as low as -1e9 and below", (draw(3, 5) - 2e9).detach().requires_grad_(), mask(3, 5)
        ),
        border("one key", draw(3, 1), torch.ones(3, 1, dtype=torch.bool)),
    ]


def _masked_by_where(scores: Tensor, attention_mask: Tensor) -> Tensor:
    lowest = torch.finfo(scores.dtype).min
    kept = attention_mask.expand_as(scores)
    top = torch.where(kept, scores, lowest).amax(dim=-1, keepdim=True).detach()
    shares = torch.where(kept, torch.exp(torch.where(kept, scores - top, 0.0)), 0.0)
    total = shares.sum(dim=-1, keepdim=True)
    return shares / torch.where(total > 0, total, 1.0)


def _masked_row_by_row(scores: Tensor, attention_mask: Tensor) -> Tensor:
    kept = attention_mask.expand(scores.shape).reshape(-1, scores.shape[-1])
    rows = []
    for row, keep in zip(scores.reshape(-1, scores.shape[-1]), kept, strict=True):
        weights = torch.zeros_like(row)
        places = keep.nonzero().flatten()
        rows.append(weights.index_put((places,), row[places].softmax(dim=0)) if len(places) else row * 0.0)
    return torch.stack(rows).reshape(scores.shape)


def _no_row_left(attention_mask: Tensor) -> Tensor:
    return ~attention_mask.any(dim=-1, keepdim=True)


def _renormalised(scores: Tensor, attention_mask: Tensor) -> Tensor:
    weights = scores.softmax(dim=-1) * attention_mask
    return weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-12)


task = Task(
    masked_softmax,
    points=3,
    difficulty=3,
    minutes=20,
    cases=cases,
    compare=Compare(rtol=1e-6, atol=1e-9, gradient=True),
    slips=(
        Slip(
            "zeros_before",
            lambda scores, attention_mask: scores.masked_fill(~attention_mask, 0.0).softmax(dim=-1),
            "The masked scores were set to 0, and e to the power of 0 is 1: the masked keys take part. Use minus "
            "infinity.",
        ),
        Slip(
            "zeros_after",
            lambda scores, attention_mask: scores.softmax(dim=-1) * attention_mask,
            "The weights were set to 0 after the softmax, so a row no longer sums to 1. Mask the scores, before it.",
        ),
        Slip(
            "nan_rows",
            lambda scores, attention_mask: scores.masked_fill(~attention_mask, float("-inf")).softmax(dim=-1),
            "Right wherever a key is left. A row with none is 0/0, which is NaN and spreads into everything. Give "
            "such a row zeros.",
        ),
        Slip(
            "finite_minus",
            lambda scores, attention_mask: scores.masked_fill(~attention_mask, -1e9).softmax(dim=-1),
            "-1e9 is not low enough: real scores may lie below it, and a row with no key left becomes a plain mean of "
            "what was hidden. Use minus infinity, and zeros for such a row.",
        ),
        Slip(
            "inverted",
            lambda scores, attention_mask: masked_softmax(scores, ~attention_mask),
            "What should be kept is masked, and the other way round. True means: takes part.",
        ),
        Slip(
            "renormalised",
            _renormalised,
            "Dividing by the sum afterwards is right on paper. But a large masked score presses all others to 0 first, "
            "and there is nothing left to divide. Mask before the softmax.",
        ),
        Slip(
            "over_queries",
            lambda scores, attention_mask: (
                scores.masked_fill(~attention_mask & attention_mask.any(-1, keepdim=True), float("-inf"))
                .softmax(dim=-2)
                .nan_to_num(0.0)
                .masked_fill(_no_row_left(attention_mask), 0.0)
            ),
            "The softmax runs over the queries. The weights of one query over the keys must sum to 1: the last axis.",
        ),
    ),
    alternatives=(_masked_by_where, _masked_row_by_row),
    hints=(
        "Which number becomes 0 under exp? Put it where the mask says False, before the softmax.",
        "attention_mask.any(dim=-1, keepdim=True) tells which rows have a key left. What happens in the softmax of "
        "a row "
        "that holds nothing but minus infinity?",
        "has_key = attention_mask.any(dim=-1, keepdim=True); "
        "fill minus infinity only where ~attention_mask & has_key, take the "
        "softmax, then fill zeros where ~has_key.",
    ),
)
