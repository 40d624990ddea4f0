"""Exercise `rms_norm`."""

from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch08.shared import GRADIENTS, drawer


def rms_norm(x, gain, eps=1e-5):
    """Return x divided by the root of its mean square, times the gain.

    Args:
        x: (..., D).
        gain: (D,).
        eps: added under the root.

    Returns:
        (..., D). The gradient must flow through it.

    >>> [round(value, 3) for value in rms_norm(torch.tensor([3.0, 4.0]), torch.tensor([1.0, 2.0])).tolist()]
    [0.849, 2.263]
    """
    return x / (x.pow(2).mean(dim=-1, keepdim=True) + eps).sqrt() * gain


def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    worked = (torch.tensor([3.0, 4.0], dtype=torch.float64), torch.tensor([1.0, 2.0], dtype=torch.float64))
    return [
        case("the worked example", *worked, eps=0.0),
        case("a batch of texts", draw(2, 3, 7) + 1, draw(7)),
        case("the gradients", draw(3, 5, grad=True), draw(5, grad=True)),
        case("as many rows as numbers", draw(5, 5), draw(5)),
        case("a large eps", draw(3, 7), draw(7), eps=0.5),
        border("numbers near zero, where eps counts", 1e-3 * draw(3, 5), draw(5)),
        border("a row of zeros", torch.zeros(2, 3).double(), draw(3)),
        border("one number", draw(3, 1), draw(1)),
        case("float32", drawer(seed, torch.float32)(2, 5), drawer(seed, torch.float32)(5)),
    ]


def _rms_wrong(x: Tensor, gain: Tensor, eps: float = 1e-5, *, how: str) -> Tensor:
    square = x.pow(2).mean(-1, keepdim=True)
    if how == "layer_norm":
        centred = x - x.mean(-1, keepdim=True)
        return centred / (centred.pow(2).mean(-1, keepdim=True) + eps).sqrt() * gain
    if how == "length_one":
        return x / (x.pow(2).sum(-1, keepdim=True) + eps).sqrt() * gain
    if how == "eps_outside":
        return x / (square.sqrt() + eps) * gain
    if how == "no_root":
        return x / (square + eps) * gain
    if how == "no_gain":
        return x / (square + eps).sqrt()
    if how == "no_eps":
        return x / square.sqrt().clamp(min=1e-30) * gain
    if how == "one_plus_gain":
        return x / (square + eps).sqrt() * (1 + gain)
    return x / (x.pow(2).mean(0, keepdim=True) + eps).sqrt() * gain


def _rms_by_torch(x: Tensor, gain: Tensor, eps: float = 1e-5) -> Tensor:
    return F.rms_norm(x, gain.shape, gain, eps)


def _rms_by_norm(x: Tensor, gain: Tensor, eps: float = 1e-5) -> Tensor:
    width = x.shape[-1]
    inverse = torch.rsqrt(torch.einsum("...d,...d->...", x, x) / width + eps)
    return gain * (x * inverse.unsqueeze(-1))


task = Task(
    rms_norm,
    points=1,
    difficulty=2,
    minutes=10,
    cases=cases,
    compare=GRADIENTS,
    slips=(
        Slip(
            "layer_norm",
            partial(_rms_wrong, how="layer_norm"),
            "The mean was taken off first: that is LayerNorm. RMSNorm divides by the root of the mean square and "
            "leaves the mean where it is.",
        ),
        Slip(
            "length_one",
            partial(_rms_wrong, how="length_one"),
            "The squares were summed, so that the vector gets length 1. Take their mean: the result has a mean square "
            "of 1.",
        ),
        Slip(
            "eps_outside",
            partial(_rms_wrong, how="eps_outside"),
            "eps was added to the root. It belongs under the root, to the mean square: near zero that matters.",
        ),
        Slip(
            "no_root",
            partial(_rms_wrong, how="no_root"),
            "x was divided by the mean square, without the root.",
        ),
        Slip(
            "no_gain",
            partial(_rms_wrong, how="no_gain"),
            "The gain is missing: each of the D numbers is multiplied with a learned one at the end.",
        ),
        Slip(
            "no_eps",
            partial(_rms_wrong, how="no_eps"),
            "eps was not used. It keeps a vector of near-zeros from being blown up, and one of zeros from 0/0.",
        ),
        Slip(
            "one_plus_gain",
            partial(_rms_wrong, how="one_plus_gain"),
            "The result was multiplied with 1 + gain. Some models store their gains so; here it is the gain itself.",
        ),
        Slip(
            "over_rows",
            partial(_rms_wrong, how="over_rows"),
            "The mean was taken over the first axis. Each vector is normalised by itself, over its last axis.",
        ),
    ),
    alternatives=(_rms_by_torch, _rms_by_norm),
    hints=(
        "Which of LayerNorm's steps are left out? There is no mean to take off and no bias to add.",
        "x.pow(2).mean(dim=-1, keepdim=True) is the mean square of each vector; add eps, take the root, divide.",
        "return x / (x.pow(2).mean(dim=-1, keepdim=True) + eps).sqrt() * gain",
    ),
)
