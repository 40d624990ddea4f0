"""Exercise `embed_with_positions`."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch06.shared import CLOSE, double, draw


def embed_with_positions(ids, table, start=0):
    """Return scaled embeddings plus sinusoidal positions.

    Args:
        ids: whole numbers, a tensor (..., T).
        table: the embeddings, a tensor (V, D), D even.
        start: the position of the first token.

    Returns:
        A tensor (..., T, D) of the table's dtype.

    >>> table = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])
    >>> [[round(value, 3) for value in row] for row in embed_with_positions(torch.tensor([2, 0]), table).tolist()]
    [[0.707, 1.707], [2.256, 0.54]]
    """
    D = table.shape[1]
    positions = torch.arange(start, start + ids.shape[-1], dtype=torch.float64)[:, None]
    angles = positions / 10000 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)  # (T, D / 2)
    waves = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)
    return math.sqrt(D) * table[ids] + waves.to(table.dtype)


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def ids(V: int, *shape: int) -> Tensor:
        return torch.from_numpy(rng.integers(0, V, size=shape))

    return [
        case("the worked example", torch.tensor([2, 0]), double([[1, 0], [0, 1], [0.5, 0.5]])),
        case("seven tokens, 6 wide", ids(11, 7), draw(rng, 11, 6)),
        case("a batch of sentences", ids(5, 3, 7), draw(rng, 5, 10)),
        case("the same token twice, whose vectors differ", torch.tensor([3, 3]), draw(rng, 5, 4)),
        border("one token further on, as when writing", ids(7, 2, 1), draw(rng, 7, 6), 13),
        case("a start in the middle", ids(7, 5), draw(rng, 7, 8), start=3),
        border("an empty sentence", ids(5, 0), draw(rng, 5, 4)),
        case("float32", ids(13, 5), draw(rng, 13, 6, dtype=torch.float32)),
    ]


def _embed_in_loops(ids: Tensor, table: Tensor, start: int = 0) -> Tensor:
    V, D = table.shape
    out = F.one_hot(ids.long(), V).to(table.dtype) @ table * D**0.5
    for t in range(ids.shape[-1]):
        for j in range(0, D, 2):
            angle = (start + t) / 10000 ** (j / D)
            out[..., t, j] += math.sin(angle)
            out[..., t, j + 1] += math.cos(angle)
    return out


def _embed_by_exp(ids: Tensor, table: Tensor, start: int = 0) -> Tensor:
    D, T = table.shape[1], ids.shape[-1]
    rates = torch.exp(-math.log(10000.0) * torch.arange(D).div(2, rounding_mode="floor").double() * 2 / D)
    angle = (start + torch.arange(T).double())[:, None] * rates
    even = torch.arange(D) % 2 == 0
    return F.embedding(ids, table).mul(D**0.5).add(torch.where(even, angle.sin(), angle.cos()).to(table.dtype))


def _embed_wrong(
    ids: Tensor,
    table: Tensor,
    start: int = 0,
    *,
    scale: float | None = None,
    halves: bool = False,
    first: int = 0,
    swapped: bool = False,
    step: int = 2,
    use_start: bool = True,
    add: bool = True,
) -> Tensor:
    D = table.shape[1]
    begin = first + (start if use_start else 0)
    position = torch.arange(begin, begin + ids.shape[-1], dtype=torch.float64)[:, None]
    angle = position / 10000 ** (torch.arange(0, D, 2, dtype=torch.float64) / D * step / 2)
    parts = [angle.cos(), angle.sin()] if swapped else [angle.sin(), angle.cos()]
    waves = torch.cat(parts, dim=-1) if halves else torch.stack(parts, dim=-1).flatten(-2)
    word = table[ids] * (math.sqrt(D) if scale is None else scale)
    return word + waves.to(table.dtype) if add else word


task = Task(
    embed_with_positions,
    points=2,
    difficulty=2,
    minutes=15,
    cases=cases,
    compare=CLOSE,
    slips=(
        Slip(
            "unscaled",
            lambda ids, table, start=0: _embed_wrong(ids, table, start, scale=1.0),
            "The embedding was not multiplied by the root of D, so the position drowns the word.",
        ),
        Slip(
            "divided",
            lambda ids, table, start=0: _embed_wrong(ids, table, start, scale=table.shape[1] ** -0.5),
            "The embedding was divided by the root of D. That is what scores of attention need; here the word must "
            "become longer, not shorter: multiply.",
        ),
        Slip(
            "from_one",
            lambda ids, table, start=0: _embed_wrong(ids, table, start, first=1),
            "The first position is 1 here. It is 0 (plus `start`): its sines are 0 and its cosines 1.",
        ),
        Slip(
            "halves",
            lambda ids, table, start=0: _embed_wrong(ids, table, start, halves=True),
            "All sines come first and then all cosines. In the paper they alternate: sine in column 2i, cosine in "
            "column 2i + 1.",
        ),
        Slip(
            "swapped",
            lambda ids, table, start=0: _embed_wrong(ids, table, start, swapped=True),
            "Cosines stand in the even columns and sines in the odd ones; it is the other way round.",
        ),
        Slip(
            "start_ignored",
            lambda ids, table, start=0: _embed_wrong(ids, table, start, use_start=False),
            "`start` is ignored: every call begins at position 0. A decoder that writes one token at a time would "
            "believe that each is the first.",
        ),
        Slip(
            "exponent",
            lambda ids, table, start=0: _embed_wrong(ids, table, start, step=1),
            "The exponent is i / D; it must be 2i / D, so that the last pair is nearly 10,000 times slower than the "
            "first, not 100 times.",
        ),
        Slip(
            "no_positions",
            lambda ids, table, start=0: _embed_wrong(ids, table, start, add=False),
            "The positions are missing: the same token has the same vector wherever it stands.",
        ),
    ),
    alternatives=(_embed_in_loops, _embed_by_exp),
    hints=(
        "Two things are added: the token's row of the table, made longer, and a vector that only the position decides.",
        "table[ids] times sqrt(D). For the positions: a column of start .. start + T - 1, divided by the row "
        "10000 ** (arange(0, D, 2) / D), gives the angles (T, D / 2).",
        "torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2) interleaves the two; add it to the scaled rows "
        "and keep the table's dtype.",
    ),
)
