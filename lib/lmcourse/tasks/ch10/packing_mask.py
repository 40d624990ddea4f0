"""Exercise `packing_mask`."""

from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case


def packing_mask(segments):
    """Return who may look at whom.

    Args:
        segments: (B, T), the number of each token's example from 1 on, 0 at padding.

    Returns:
        (B, T, T) bool; [b, t, s] says whether token t may look at token s.

    >>> packing_mask(torch.tensor([[1, 1, 2, 0]]))[0].int().tolist()
    [[1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]]
    """
    same = segments[:, :, None] == segments[:, None, :]
    return same.tril() & (segments > 0)[:, :, None]


def _segments(seed: int, B: int, T: int, most: int) -> Tensor:
    lengths = torch.randint(1, most, (B, T), generator=torch.Generator().manual_seed(seed))
    ends = lengths.cumsum(1)
    place = torch.arange(T)
    numbered = 1 + (place[None, :, None] >= ends[:, None, :]).sum(2)
    left = T - torch.arange(B)[:, None] % 3
    return numbered.masked_fill(place[None] >= left, 0)


def cases(seed: int) -> list[Case]:
    return [
        case("the worked example", torch.tensor([[1, 1, 2, 0]])),
        case("three rows of seven", _segments(seed, 3, 7, 5)),
        case("many short examples", _segments(seed + 1, 2, 11, 3)),
        border("one example fills the row", torch.ones(2, 5, dtype=torch.long)),
        case("every token an example of its own", torch.arange(1, 6)[None]),
        border("a row of padding, fully masked", torch.tensor([[1, 2, 2], [0, 0, 0]])),
        border("one token", torch.tensor([[1], [0]])),
        case("numbers that start again in the next row", torch.tensor([[1, 1, 2, 2, 3], [1, 2, 2, 2, 2]])),
    ]


def _packing_wrong(segments: Tensor, *, how: str) -> Tensor:
    T = segments.shape[1]
    same = segments[:, :, None] == segments[:, None, :]
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    real = (segments > 0)[:, :, None]
    if how == "not_causal":
        return same & real
    if how == "not_separate":
        return causal & real & (segments > 0)[:, None, :]
    if how == "padding":
        return same & causal
    if how == "future":
        return same & causal.T & real
    if how == "strict":
        return same & causal.tril(-1) & real
    return ~(same & causal & real)


def _packing_by_loop(segments: Tensor) -> Tensor:
    B, T = segments.shape
    mask = torch.zeros(B, T, T, dtype=torch.bool)
    for b in range(B):
        for t in range(T):
            for s in range(t + 1):
                mask[b, t, s] = bool(segments[b, t] == segments[b, s] and segments[b, t] != 0)
    return mask


def _packing_by_one_hot(segments: Tensor) -> Tensor:
    belongs = F.one_hot(segments)[..., 1:].double()
    together = (belongs @ belongs.mT) > 0.5
    return together.tril()


task = Task(
    packing_mask,
    points=3,
    difficulty=3,
    minutes=20,
    cases=cases,
    slips=(
        Slip(
            "not_causal",
            partial(_packing_wrong, how="not_causal"),
            "The future is in sight: within an example token t may see only the tokens up to t.",
        ),
        Slip(
            "not_separate",
            partial(_packing_wrong, how="not_separate"),
            "Tokens see the examples that happen to stand before theirs in the row. Compare the segments.",
        ),
        Slip(
            "padding",
            partial(_packing_wrong, how="padding"),
            "Padding sees padding: segment 0 is no example, and its rows of the mask are False throughout.",
        ),
        Slip(
            "future",
            partial(_packing_wrong, how="future"),
            "The causal mask is turned round: mask[b, t, s] says whether t may look at s, so s must be at most t.",
        ),
        Slip(
            "strict",
            partial(_packing_wrong, how="strict"),
            "No token sees itself, and the first of each example sees nothing. s = t is allowed.",
        ),
        Slip(
            "inverted",
            partial(_packing_wrong, how="inverted"),
            "True and False are swapped. In this course True in a mask means: takes part.",
        ),
    ),
    alternatives=(_packing_by_loop, _packing_by_one_hot),
    hints=(
        "Three conditions must hold for token t to look at token s. Write down each as a table of True and False.",
        "segments[:, :, None] == segments[:, None, :] compares all pairs; tril() keeps s <= t; segment 0 is padding.",
        "same = segments[:, :, None] == segments[:, None, :]; return same.tril() & (segments > 0)[:, :, None]",
    ),
)
