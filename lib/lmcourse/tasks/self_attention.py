"""Tasks of chapter 05, first part: self-attention without parameters, a soft dictionary, the scaled form."""

import math
from collections.abc import Callable

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, case

CHAPTER = "05_self_attention"
Scale = Callable[[Tensor, Tensor, Tensor], float]
CLOSE = Compare(rtol=1e-5, atol=1e-6)  # float32 sums differ by the order of their terms


def normal(rng: np.random.Generator, *shape: int, dtype: torch.dtype = torch.float64) -> Tensor:
    """Draw a tensor of standard normal numbers, for cases."""
    return torch.from_numpy(rng.normal(size=shape)).to(dtype)


# -------------------------------------------------------------------------------------------- simple_self_attention


def _simple(x: Tensor) -> Tensor:
    return (x @ x.T).softmax(dim=-1) @ x


def _simple_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", torch.tensor([[1.0, 0.0], [0.0, 1.0]], dtype=torch.float64)),
        case("seven words of width three", normal(rng, 7, 3)),
        case("two words of width eleven", normal(rng, 2, 11) / 2),
        case("as many words as features", normal(rng, 5, 5)),
        case("one word, which is only with itself", normal(rng, 1, 5)),
        case("two words that are the same", normal(rng, 1, 3).expand(2, 3).clone()),
        case("an empty sentence", torch.zeros(0, 3, dtype=torch.float64)),
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


simple_self_attention = Task(
    name="simple_self_attention",
    chapter=CHAPTER,
    points=1,
    difficulty=1,
    minutes=10,
    cases=_simple_cases,
    reference=_simple,
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
            lambda x: x + _simple(x),
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


# ------------------------------------------------------------------------------------------------------ soft_lookup


def _lookup(query: Tensor, keys: Tensor, values: Tensor, sharpness: float = 1.0) -> Tensor:
    if sharpness < 0:
        raise ValueError(f"`sharpness` must be at least 0, got {sharpness}.")
    return (sharpness * (keys @ query)).softmax(dim=-1) @ values


def _lookup_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    keys, values = torch.eye(3, dtype=torch.float64), torch.tensor([[0.0, 9.0], [4.0, 4.0], [8.0, 1.0]]).double()
    return [
        case("the worked example", torch.tensor([0.0, 1.0, 0.0]).double(), keys, values, 2.0),
        case("a query between two keys", torch.tensor([0.5, 0.5, 0.0]).double(), keys, values, 50.0),
        case("sharpness 0, which asks for nothing", normal(rng, 3), normal(rng, 7, 3), normal(rng, 7, 5), 0),
        case("a sharp query, nearly a dictionary", normal(rng, 5), normal(rng, 11, 5), normal(rng, 11, 2), 40.0),
        case("ordinary vectors, sharpness not given", normal(rng, 3), normal(rng, 5, 3), normal(rng, 5, 7)),
        case("two equal keys", torch.ones(2).double(), torch.ones(2, 2).double(), normal(rng, 2, 3), 3.0),
        case("one drawer", normal(rng, 3), normal(rng, 1, 3), normal(rng, 1, 2), 2.0),
        case("values as wide as the keys", normal(rng, 3), normal(rng, 5, 3), normal(rng, 5, 3), 0.5),
        case(
            "scores near 1,000, where exp overflows",
            torch.full((2,), 50.0).double(),
            normal(rng, 5, 2) + 20,
            normal(rng, 5, 3),
        ),
        case("a negative sharpness", normal(rng, 3), normal(rng, 5, 3), normal(rng, 5, 7), -1.0),
    ]


def _lookup_one_by_one(query: Tensor, keys: Tensor, values: Tensor, sharpness: float = 1.0) -> Tensor:
    if sharpness < 0:
        raise ValueError("negative")
    scores = [sharpness * float(key @ query) for key in keys]
    shares = [math.exp(score - max(scores)) for score in scores]
    found = torch.zeros_like(values[0])
    for share, value in zip(shares, values, strict=True):
        found = found + share / sum(shares) * value
    return found


def _lookup_by_sigmoid_of_logs(query: Tensor, keys: Tensor, values: Tensor, sharpness: float = 1.0) -> Tensor:
    if not sharpness >= 0:
        raise ValueError("negative")
    scores = torch.einsum("sk,k->s", keys, query).mul(sharpness)
    return torch.einsum("s,sv->v", (scores - scores.logsumexp(dim=0)).exp(), values)


def _checked(sharpness: float) -> float:
    if sharpness < 0:
        raise ValueError("negative")
    return sharpness


soft_lookup = Task(
    name="soft_lookup",
    chapter=CHAPTER,
    points=1,
    difficulty=2,
    minutes=10,
    cases=_lookup_cases,
    reference=_lookup,
    compare=CLOSE,
    slips=(
        Slip(
            "hard",
            lambda query, keys, values, sharpness=1.0: values[(keys @ query * _checked(sharpness)).argmax()],
            "This is the hard lookup: the one best drawer. The soft one gives every drawer a share, or there would be "
            "no gradient.",
        ),
        Slip(
            "divided",
            lambda query, keys, values, sharpness=1.0: (
                (keys @ query / max(_checked(sharpness), 1e-12)).softmax(dim=-1) @ values
            ),
            "The scores are divided by the sharpness, so that a sharper query gets blunter. Multiply; dividing is "
            "what a temperature does.",
        ),
        Slip(
            "sharpened_after",
            lambda query, keys, values, sharpness=1.0: _checked(sharpness) * (keys @ query).softmax(dim=-1) @ values,
            "The sharpness multiplies the weights after the softmax, so they no longer sum to 1. It belongs to the "
            "scores.",
        ),
        Slip(
            "no_sharpness",
            lambda query, keys, values, sharpness=1.0: (
                (keys @ query + 0 * _checked(sharpness)).softmax(dim=-1) @ values
            ),
            "The sharpness has no effect here. Multiply the scores by it before the softmax.",
        ),
        Slip(
            "weights",
            lambda query, keys, values, sharpness=1.0: (_checked(sharpness) * (keys @ query)).softmax(dim=-1),
            "These are the weights, one for each drawer. What was asked for is what lies in them: weights @ values.",
        ),
        Slip(
            "keys_returned",
            lambda query, keys, values, sharpness=1.0: (_checked(sharpness) * (keys @ query)).softmax(dim=-1) @ keys,
            "The weights are applied to the keys, the labels on the drawers. The values lie inside.",
        ),
        Slip(
            "negative_accepted",
            lambda query, keys, values, sharpness=1.0: (sharpness * (keys @ query)).softmax(dim=-1) @ values,
            "A negative sharpness prefers the worst match and goes through unnoticed. Raise ValueError.",
        ),
    ),
    alternatives=(_lookup_one_by_one, _lookup_by_sigmoid_of_logs),
    hints=(
        "How well does the query fit each key? One dot product a key. Then shares, then a mean of the values.",
        "keys @ query gives all scores at once, (S,). Where does the sharpness go so that 0 gives a plain mean?",
        "Check the sharpness, then: return (sharpness * (keys @ query)).softmax(dim=-1) @ values",
    ),
)


# -------------------------------------------------------------------------------------------- scaled_dot_product


def _scaled(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(f"`key` must be as wide as `query`, got {key.shape[-1]} and {query.shape[-1]}.")
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    return scores.softmax(dim=-1) @ value


def _scaled_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    worked = torch.tensor([[2.0, 0.0, 0.0, 0.0]]).double(), torch.eye(2, 4).double(), torch.eye(2).double()
    return [
        case("the worked example", *worked),
        case("one sentence", normal(rng, 5, 3), normal(rng, 5, 3), normal(rng, 5, 3)),
        case("a batch with heads", normal(rng, 2, 3, 5, 7), normal(rng, 2, 3, 5, 7), normal(rng, 2, 3, 5, 7)),
        case("more keys than queries", normal(rng, 2, 3, 5), normal(rng, 2, 7, 5), normal(rng, 2, 7, 5)),
        case("values of another width", normal(rng, 7, 5), normal(rng, 7, 5), normal(rng, 7, 11)),
        case("width 64", 2 * normal(rng, 3, 64), normal(rng, 3, 64), normal(rng, 3, 64)),
        case("one query, one key", normal(rng, 1, 3), normal(rng, 1, 3), normal(rng, 1, 2)),
        case("float32", *(normal(rng, 3, 5, 2, dtype=torch.float32) for _ in range(3))),
        case("a key of another width, which no query fits", normal(rng, 5, 3), normal(rng, 5, 2), normal(rng, 5, 3)),
    ]


def _scaled_with(
    score_scale: Scale, dim: int = -1, take: Callable[..., Tensor] = lambda query, key, value: value
) -> Callable[..., Tensor]:
    def answer(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        if query.shape[-1] != key.shape[-1]:
            raise ValueError("widths differ")
        scores = query @ key.transpose(-2, -1) * score_scale(query, key, value)
        return scores.softmax(dim=dim) @ take(query, key, value)

    return answer


def _scaled_fused(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths differ")
    return F.scaled_dot_product_attention(query, key, value)


def _scaled_by_exponentials(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    *_, width = query.shape
    if width != key.size(-1):
        raise ValueError("widths differ")
    scores = torch.einsum("...tk,...sk->...ts", query / math.sqrt(width), key)
    shares = torch.exp(scores - scores.amax(-1, keepdim=True))
    return torch.einsum("...ts,...sv->...tv", shares / shares.sum(-1, keepdim=True), value)


def _root(query: Tensor, key: Tensor, value: Tensor) -> float:
    return query.shape[-1] ** -0.5


def _last_axes_only_for_two(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths differ")
    scores = query @ key.permute(*reversed(range(key.dim()))) / query.shape[-1] ** 0.5
    return scores.softmax(dim=-1) @ value


scaled_dot_product = Task(
    name="scaled_dot_product",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=15,
    cases=_scaled_cases,
    reference=_scaled,
    compare=CLOSE,
    slips=(
        Slip(
            "no_scale",
            _scaled_with(lambda query, key, value: 1.0),
            "The scores are not scaled. Their variance grows with the width; divide them by its square root before the "
            "softmax.",
        ),
        Slip(
            "divided_by_width",
            _scaled_with(lambda query, key, value: 1 / query.shape[-1]),
            "The scores are divided by the width itself, which makes them too small. The standard deviation of a dot "
            "product is the square root of the width.",
        ),
        Slip(
            "root_of_length",
            _scaled_with(lambda query, key, value: key.shape[-2] ** -0.5),
            "The scores are divided by the root of the number of keys. It is the width of the vectors that makes the "
            "scores large, not how many there are.",
        ),
        Slip(
            "multiplied",
            _scaled_with(lambda query, key, value: query.shape[-1] ** 0.5),
            "The scores are multiplied by the root of the width. Divide: the point is to make them smaller.",
        ),
        Slip(
            "over_queries",
            _scaled_with(_root, dim=-2),
            "The softmax runs over the queries, so each column sums to 1. Each query spreads its weight over the keys: "
            "the last axis.",
        ),
        Slip(
            "keys_averaged",
            _scaled_with(_root, take=lambda query, key, value: key),
            "The weighted mean is taken of the keys. Keys are there to be matched; what is handed over are the values.",
        ),
        Slip(
            "all_axes_turned",
            _last_axes_only_for_two,
            "Right for one sentence, but on a batch .T turns all axes round. Say which two you mean: "
            "key.transpose(-2, -1).",
        ),
    ),
    alternatives=(_scaled_fused, _scaled_by_exponentials),
    hints=(
        "Scores (..., T, S), softmax over the keys, weighted mean of the values. What do you divide the scores by, and "
        "when?",
        "key.transpose(-2, -1) exchanges the last two axes, whatever stands before them.",
        "After the check of the widths: scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5, then "
        "scores.softmax(dim=-1) @ value.",
    ),
)
