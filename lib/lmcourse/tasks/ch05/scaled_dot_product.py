"""Exercise `scaled_dot_product`."""

import math
from collections.abc import Callable

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch05.shared import CLOSE, normal


def scaled_dot_product(query, key, value):
    """Return scaled dot-product attention.

    Args:
        query: a tensor (..., T, K).
        key: a tensor (..., S, K).
        value: a tensor (..., S, V).

    Returns:
        A tensor (..., T, V).

    Raises:
        ValueError: key and query differ in width.

    >>> out = scaled_dot_product(torch.tensor([[2.0, 0, 0, 0]]), torch.eye(2, 4), torch.eye(2))
    >>> [round(number, 3) for number in out[0].tolist()]
    [0.731, 0.269]
    """
    width = query.shape[-1]
    if key.shape[-1] != width:
        raise ValueError(f"`key` must be as wide as `query`, got {key.shape[-1]} and {width}.")
    scores = query @ key.transpose(-2, -1) / width**0.5  # (..., T, S)
    return scores.softmax(dim=-1) @ value


Scale = Callable[[Tensor, Tensor, Tensor], float]


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    worked = torch.tensor([[2.0, 0.0, 0.0, 0.0]]).double(), torch.eye(2, 4).double(), torch.eye(2).double()
    return [
        case("the worked example", *worked),
        border("one sentence", normal(rng, 5, 3), normal(rng, 5, 3), normal(rng, 5, 3)),
        case("a batch with heads", normal(rng, 2, 3, 5, 7), normal(rng, 2, 3, 5, 7), normal(rng, 2, 3, 5, 7)),
        case("more keys than queries", normal(rng, 2, 3, 5), normal(rng, 2, 7, 5), normal(rng, 2, 7, 5)),
        case("values of another width", normal(rng, 7, 5), normal(rng, 7, 5), normal(rng, 7, 11)),
        case("width 64", 2 * normal(rng, 3, 64), normal(rng, 3, 64), normal(rng, 3, 64)),
        border("one query, one key", normal(rng, 1, 3), normal(rng, 1, 3), normal(rng, 1, 2)),
        case("float32", *(normal(rng, 3, 5, 2, dtype=torch.float32) for _ in range(3))),
        border("a key of another width, which no query fits", normal(rng, 5, 3), normal(rng, 5, 2), normal(rng, 5, 3)),
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


task = Task(
    scaled_dot_product,
    points=2,
    difficulty=2,
    minutes=15,
    cases=cases,
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
