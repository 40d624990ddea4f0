"""Exercise `simple_self_attention`."""

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch05.shared import CLOSE, normal


def simple_self_attention(x):
    """Return each word as a weighted mean of all words, weights from their dot products.

    Args:
        x: the words, a tensor (T, D).

    Returns:
        A tensor (T, D).

    >>> simple_self_attention(torch.tensor([[1.0, 0.0], [0.0, 1.0]])).numpy().round(3).tolist()
    [[0.7310000061988831, 0.26899999380111694], [0.26899999380111694, 0.7310000061988831]]
    """
    scores = x @ x.T  # (T, T)
    weights = scores.softmax(dim=-1)  # rows sum to 1
    return weights @ x


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", torch.tensor([[1.0, 0.0], [0.0, 1.0]], dtype=torch.float64)),
        case("seven words of width three", normal(rng, 7, 3)),
        case("two words of width eleven", normal(rng, 2, 11) / 2),
        case("as many words as features", normal(rng, 5, 5)),
        border("one word, which is only with itself", normal(rng, 1, 5)),
        case("two words that are the same", normal(rng, 1, 3).expand(2, 3).clone()),
        border("an empty sentence", torch.zeros(0, 3, dtype=torch.float64)),
        case("float32", normal(rng, 5, 2, dtype=torch.float32)),
    ]


def _simple_in_loops(x: Tensor) -> Tensor:
    rows = []
    for word in x:
        scores = torch.stack([word @ other for other in x])
        shares = torch.exp(scores - scores.max())
        rows.append(sum((share / shares.sum()) * other for share, other in zip(shares, x, strict=True)))
    return torch.stack(rows) if rows else torch.zeros_like(x)


def _simple_by_einsum(x: Tensor) -> Tensor:
    weights = torch.einsum("id,jd->ij", x, x).log_softmax(dim=1).exp()
    return torch.einsum("ij,jd->id", weights, x)


def _without_self(x: Tensor) -> Tensor:
    hidden = torch.eye(len(x), dtype=torch.bool)
    return (x @ x.T).masked_fill(hidden, -1e9).softmax(dim=-1) @ x


task = Task(
    simple_self_attention,
    points=1,
    difficulty=1,
    minutes=10,
    cases=cases,
    compare=CLOSE,
    slips=(
        Slip(
            "columns",
            lambda x: (x @ x.T).softmax(dim=0) @ x,
            "Here the columns of the weights sum to 1. Each word hands out one unit of attention, so each **row** "
            "must: softmax(dim=-1).",
        ),
        Slip(
            "no_softmax",
            lambda x: x @ x.T @ x,
            "The scores themselves are used as weights. They are not positive and do not sum to 1; put a softmax over "
            "each row between the two products.",
        ),
        Slip(
            "uniform",
            lambda x: x.mean(dim=0).expand(len(x), -1).clone(),
            "This is the plain mean: every word gets the same weight. The weights must come from the dot products.",
        ),
        Slip(
            "scaled",
            lambda x: (x @ x.T / x.shape[1] ** 0.5).softmax(dim=-1) @ x,
            "The scores are divided by the root of the width. That comes two exercises later; the simple form has no "
            "scaling.",
        ),
        Slip(
            "weights",
            lambda x: (x @ x.T).softmax(dim=-1),
            "These are the weights, (T, T). One step is missing: take the mean of the words with them, weights @ x.",
        ),
        Slip(
            "features",
            lambda x: x @ (x.T @ x).softmax(dim=-1),
            "Here features attend to features: x.T @ x is (D, D). Words shall attend to words: x @ x.T is (T, T).",
        ),
        Slip(
            "without_self",
            _without_self,
            "Each word is kept from looking at itself. It may: the diagonal takes part in the softmax.",
        ),
        Slip(
            "residual",
            lambda x: x + simple_self_attention(x),
            "The old vectors were added to the new ones. A transformer does that, but outside of attention; return the "
            "weighted means alone.",
        ),
    ),
    alternatives=(_simple_in_loops, _simple_by_einsum),
    hints=(
        "Three steps: scores of every word with every word, weights that sum to 1, weighted means.",
        "x @ x.T is the (T, T) table of dot products. Which way must the softmax go so that a row sums to 1?",
        "return (x @ x.T).softmax(dim=-1) @ x",
    ),
)
