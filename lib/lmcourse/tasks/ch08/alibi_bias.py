"""Exercise `alibi_bias`."""

from functools import partial

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch08.shared import CLOSE, drawer


def alibi_bias(slopes, length):
    """Return what ALiBi adds to the scores.

    Args:
        slopes: one for each head, a list of floats.
        length: T, 0 or more.

    Returns:
        (H, T, T) in float64, rows are queries.

    >>> alibi_bias([0.5], 3)[0, 2, :2].tolist()
    [-1.0, -0.5]
    """
    place = torch.arange(length, dtype=torch.float64)
    distance = place[:, None] - place
    bias = -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance
    return bias.masked_fill(distance < 0, float("-inf"))


def cases(seed: int) -> list[Case]:
    drawn = drawer(seed)(7).abs().add(0.01).tolist()
    return [
        case("the worked example", [0.5], 3),
        case("three heads, seven tokens", drawn[:3], 7),
        case("as many heads as tokens", drawn[:5], 5),
        case("seven heads, two tokens", drawn, 2),
        border("one token", drawn[:2], 1),
        border("no tokens", drawn[:3], 0),
        border("a slope of zero: no positions at all", [0.0, drawn[0]], 3),
    ]


def _alibi_wrong(slopes: list[float], length: int, *, how: str) -> Tensor:
    place = torch.arange(length, dtype=torch.float64)
    distance = place[:, None] - place
    of_heads = torch.tensor(slopes, dtype=torch.float64)[:, None, None]
    future = distance < 0
    if how == "sign":
        return (of_heads * distance).masked_fill(future, -torch.inf)
    if how == "no_mask":
        return -of_heads * distance.abs()
    if how == "transposed":
        return (of_heads * distance).masked_fill(distance > 0, -torch.inf)
    if how == "one_slope":
        return (-of_heads[:1] * distance).masked_fill(future, -torch.inf).expand(len(slopes), -1, -1).clone()
    if how == "place_not_distance":
        return (-of_heads * place.expand(length, -1)).masked_fill(future, -torch.inf)
    if how == "finite":
        return (-of_heads * distance).masked_fill(future, 0.0)
    return (-of_heads * distance.clamp(min=0).sqrt()).masked_fill(future, -torch.inf)


def _alibi_by_loops(slopes: list[float], length: int) -> Tensor:
    bias = torch.full((len(slopes), length, length), -torch.inf, dtype=torch.float64)
    for h, slope in enumerate(slopes):
        for t in range(length):
            for s in range(t + 1):
                bias[h, t, s] = slope * (s - t)
    return bias


def _alibi_by_numpy(slopes: list[float], length: int) -> Tensor:
    steps = np.arange(length)
    table = np.subtract.outer(steps, steps).astype(float)
    scaled = np.multiply.outer(-np.array(slopes), table)
    return torch.from_numpy(np.where(table >= 0, scaled, -np.inf))


task = Task(
    alibi_bias,
    points=2,
    difficulty=2,
    minutes=15,
    cases=cases,
    compare=CLOSE,
    slips=(
        Slip(
            "sign",
            partial(_alibi_wrong, how="sign"),
            "Far tokens get a bonus here. The distance is taken off the score: far away counts less.",
        ),
        Slip(
            "no_mask",
            partial(_alibi_wrong, how="no_mask"),
            "Tokens that come later got a finite score. In a decoder the future is minus infinity.",
        ),
        Slip(
            "transposed",
            partial(_alibi_wrong, how="transposed"),
            "Rows and columns are exchanged: rows are queries, columns keys, and a query sees the keys at its left.",
        ),
        Slip(
            "one_slope",
            partial(_alibi_wrong, how="one_slope"),
            "All heads got the slope of the first. Each head has its own, so that some look near and some far.",
        ),
        Slip(
            "place_not_distance",
            partial(_alibi_wrong, how="place_not_distance"),
            "The slope was multiplied with the key's place, not with its distance from the query. Moved along by one "
            "token, the scores must stay the same.",
        ),
        Slip(
            "finite",
            partial(_alibi_wrong, how="finite"),
            "The future got 0, which is as good as the token itself. It must be minus infinity.",
        ),
        Slip(
            "root",
            partial(_alibi_wrong, how="root"),
            "The penalty grows with the root of the distance here. It is linear: twice as far, twice as much off.",
        ),
    ),
    alternatives=(_alibi_by_loops, _alibi_by_numpy),
    hints=(
        "Make a table of distances first: query t, key s, t - s.",
        "distance = torch.arange(T)[:, None] - torch.arange(T); -slope * distance for each head; where distance < 0, "
        "-inf.",
        "place = torch.arange(length).double(); d = place[:, None] - place; bias = -torch.tensor(slopes).double()[:, "
        "None, None] * d; return bias.masked_fill(d < 0, float('-inf'))",
    ),
)
