"""Exercise `soft_lookup`."""

import math

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch05.shared import CLOSE, normal


def soft_lookup(query, keys, values, sharpness=1.0):
    """Return the mean of the values, weighted by how well the query fits their keys.

    Args:
        query: a tensor (K,).
        keys: a tensor (S, K).
        values: a tensor (S, V).
        sharpness: what the scores are multiplied with; 0 gives the plain mean.

    Returns:
        A tensor (V,).

    Raises:
        ValueError: the sharpness is negative.

    >>> keys, values = torch.eye(3), torch.tensor([[0.0, 9.0], [4.0, 4.0], [8.0, 1.0]])
    >>> [round(number, 2) for number in soft_lookup(torch.tensor([0.0, 1.0, 0.0]), keys, values, 2.0).tolist()]
    [4.0, 4.21]
    """
    if sharpness < 0:
        raise ValueError(f"`sharpness` must be at least 0, got {sharpness}.")
    scores = sharpness * (keys @ query)  # (S,)
    return scores.softmax(dim=-1) @ values


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    keys, values = torch.eye(3, dtype=torch.float64), torch.tensor([[0.0, 9.0], [4.0, 4.0], [8.0, 1.0]]).double()
    return [
        case("the worked example", torch.tensor([0.0, 1.0, 0.0]).double(), keys, values, 2.0),
        case("a query between two keys", torch.tensor([0.5, 0.5, 0.0]).double(), keys, values, 50.0),
        border("sharpness 0, which asks for nothing", normal(rng, 3), normal(rng, 7, 3), normal(rng, 7, 5), 0),
        case("a sharp query, nearly a dictionary", normal(rng, 5), normal(rng, 11, 5), normal(rng, 11, 2), 40.0),
        case("ordinary vectors, sharpness not given", normal(rng, 3), normal(rng, 5, 3), normal(rng, 5, 7)),
        border("two equal keys", torch.ones(2).double(), torch.ones(2, 2).double(), normal(rng, 2, 3), 3.0),
        border("one drawer", normal(rng, 3), normal(rng, 1, 3), normal(rng, 1, 2), 2.0),
        case("values as wide as the keys", normal(rng, 3), normal(rng, 5, 3), normal(rng, 5, 3), 0.5),
        border(
            "scores near 1,000, where exp overflows",
            torch.full((2,), 50.0).double(),
            normal(rng, 5, 2) + 20,
            normal(rng, 5, 3),
        ),
        border("a negative sharpness", normal(rng, 3), normal(rng, 5, 3), normal(rng, 5, 7), -1.0),
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


task = Task(
    soft_lookup,
    points=1,
    difficulty=2,
    minutes=10,
    cases=cases,
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
