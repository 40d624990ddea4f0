"""Exercise `simple_self_attention`."""

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch05.shared import CLOSE, normal


def simple_self_attention(x):
    """Return each word as a weighted mean of all words, weights from their dot products.

    Large scores must not overflow.

    Args:
        x: the words, a tensor (T, D); T may be 0.

    Returns:
        A tensor (T, D), of the element type of x.

    >>> simple_self_attention(torch.eye(2).double()).numpy().round(3).tolist()  # the words (1, 0) and (0, 1)
    [[0.731, 0.269], [0.269, 0.731]]
    """
    scores = x @ x.T  # (T, T)
    weights = scores.softmax(dim=-1)  # rows sum to 1
    return weights @ x


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    loud_and_quiet = torch.tensor([[40.0, 0.0], [0.01, 0.02], [-0.03, 0.5]]).double()
    return [
        case("the worked example", torch.tensor([[1.0, 0.0], [0.0, 1.0]], dtype=torch.float64)),
        case("three words in a fixed order", torch.tensor([[1.0, 2.0], [0.5, -1.0], [-2.0, 0.25]]).double()),
        case("seven words of width three", normal(rng, 7, 3)),
        case("two words of width eleven", normal(rng, 2, 11) / 2),
        case("as many words as features", normal(rng, 5, 5)),
        case("words of length 1", torch.nn.functional.normalize(normal(rng, 4, 3))),
        border("one word, which is only with itself", normal(rng, 1, 5)),
        case("two words that are the same", normal(rng, 1, 3).expand(2, 3).clone()),
        border("one feature", normal(rng, 3, 1)),
        border("an empty sentence", torch.zeros(0, 3, dtype=torch.float64)),
        border("words of zeros", torch.zeros(2, 3, dtype=torch.float64)),
        border("scores above 1,000, where exp overflows", 40 * normal(rng, 5, 3)),
        border("two long words, scores of 1,600 and 1,560", torch.tensor([[40.0, 0.0], [39.0, 0.0]]).double()),
        border("a long word among short ones", loud_and_quiet),
        border("very short words", 1e-9 * normal(rng, 3, 2)),
        case("a tensor whose rows do not lie one after the other", normal(rng, 3, 5).T),
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
            ("dim=-1", "dim=0"),
            "Here the columns of the weights sum to 1. Each word divides one unit of attention among all of them, so "
            "each **row** must sum to 1: softmax(dim=-1).",
        ),
        Slip(
            "no_softmax",
            (".softmax(dim=-1)", ""),
            "The scores themselves are used as weights. They are not positive and do not sum to 1; put a softmax over "
            "each row between the two products.",
        ),
        Slip(
            "uniform",
            ("x @ x.T", "0 * (x @ x.T)"),
            "This is the plain mean: every word gets the same weight. The weights must come from the dot products.",
        ),
        Slip(
            "scaled",
            ("x @ x.T", "x @ x.T / x.shape[1] ** 0.5"),
            "The scores are divided by the root of the width. That comes two exercises later; the simple form has no "
            "scaling.",
        ),
        Slip(
            "weights",
            ("weights @ x", "weights"),
            "These are the weights, (T, T). One step is missing: take the mean of the words with them, weights @ x.",
        ),
        Slip(
            "features",
            (("x @ x.T", "x.T @ x"), ("weights @ x", "x @ weights")),
            "Here features attend to features: x.T @ x is (D, D). Words should attend to words: x @ x.T is (T, T).",
        ),
        Slip(
            "without_self",
            ("x @ x.T", "(x @ x.T).masked_fill(torch.eye(len(x), dtype=torch.bool), -1e9)"),
            "Each word is kept from looking at itself. It may: the diagonal takes part in the softmax.",
        ),
        Slip(
            "causal",
            ("x @ x.T", '(x @ x.T).masked_fill(torch.ones(len(x), len(x)).triu(1) > 0, float("-inf"))'),
            "Each word sees only itself and the words before it. There is no mask in this exercise: every word takes "
            "part in every mean.",
        ),
        Slip(
            "residual",
            ("return weights @ x", "return x + weights @ x"),
            "The old vectors were added to the new ones. A transformer does that, but outside of attention; return the "
            "weighted means alone.",
        ),
        Slip(
            "cosine",
            ("x @ x.T", "torch.nn.functional.normalize(x) @ torch.nn.functional.normalize(x).T"),
            "The scores are cosines: the words were scaled to length 1 first. Take the plain dot products.",
        ),
        Slip(
            "distances",
            ("x @ x.T", "-(x[:, None] - x).square().sum(dim=-1)"),
            "The scores come from the distances between the words. Take the dot products, x @ x.T.",
        ),
        Slip(
            "not_normalised",
            ("scores.softmax(dim=-1)", "scores.exp()"),
            "The exponentials are not divided by their sum. The weights of a row must sum to 1.",
        ),
        Slip(
            "shares_of_scores",
            ("scores.softmax(dim=-1)", "scores / scores.sum(dim=-1, keepdim=True)"),
            "The scores were divided by their sum, without the exponential. Dot products may be negative, and so may "
            "these weights; use softmax.",
        ),
        Slip(
            "whole_table",
            ("scores.softmax(dim=-1)", "scores.flatten().softmax(dim=0).reshape(scores.shape)"),
            "The softmax runs over the whole table, so that all T x T weights together sum to 1. Each row must sum to "
            "1 by itself.",
        ),
        Slip(
            "hard",
            ("scores.softmax(dim=-1)", "torch.eye(len(x), dtype=x.dtype)[scores.argmax(dim=-1)]"),
            "Each word takes over the one word with the best score. It should be a mean of all of them, with the "
            "softmax as weights.",
        ),
        Slip(
            "sigmoid",
            ("softmax(dim=-1)", "sigmoid()"),
            "A sigmoid turns each score into a number by itself, so the weights of a row do not sum to 1: softmax.",
        ),
        Slip(
            "divided_by_length",
            ("return weights @ x", "return weights @ x / len(x)"),
            "The result was divided by the number of words. The weights already sum to 1, so weights @ x is the mean.",
        ),
        Slip(
            "overflow",
            ("scores.softmax(dim=-1)", "scores.exp() / scores.exp().sum(dim=-1, keepdim=True)"),
            "Right for small scores, but exp overflows when they are large, and infinity divided by infinity is not a "
            "number. Subtract from each row its maximum first, or use torch's softmax, which does so.",
        ),
        Slip(
            "one_maximum",
            (
                "scores.softmax(dim=-1)",
                "(scores - scores.max()).exp() / (scores - scores.max()).exp().sum(dim=-1, keepdim=True)",
            ),
            "One maximum was subtracted from the whole table, so a row far below it becomes 0 divided by 0. Subtract "
            "from each row its own: amax(dim=-1, keepdim=True).",
        ),
    ),
    alternatives=(_simple_in_loops, _simple_by_einsum),
    hints=(
        "Three steps: scores of every word with every word, weights that sum to 1, weighted means.",
        "x @ x.T is the (T, T) table of dot products. Which way must the softmax go so that a row sums to 1?",
        "return (x @ x.T).softmax(dim=-1) @ x",
    ),
)
