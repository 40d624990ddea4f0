"""Exercise `rotate`."""

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch05.shared import CLOSE, normal


def rotate(x, start=0, base=10000.0):
    """Turn each pair of neighbouring columns by an angle in proportion to the row's place.

    Args:
        x: queries or keys, a tensor (T, K), K even.
        start: the place of the first row.
        base: how slow the last pair is.

    Returns:
        A tensor (T, K).

    Raises:
        ValueError: K is odd.

    >>> rotate(torch.tensor([[1.0, 0.0], [1.0, 0.0]], dtype=torch.float64)).numpy().round(3).tolist()
    [[1.0, 0.0], [0.54, 0.841]]
    """
    T, K = x.shape
    if K % 2:
        raise ValueError(f"the width of `x` must be even, got {K}.")
    rates = base ** (-torch.arange(0, K, 2, dtype=x.dtype) / K)
    angles = torch.arange(start, start + T, dtype=x.dtype)[:, None] * rates  # (T, K / 2)
    cos, sin = angles.cos(), angles.sin()
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).reshape(T, K)


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", torch.tensor([[1.0, 0.0], [1.0, 0.0]]).double()),
        case("seven places, ten dimensions", normal(rng, 7, 10)),
        case("places that begin later", normal(rng, 5, 6), int(rng.integers(3, 40))),
        case("another base", normal(rng, 7, 6), 2, float(rng.uniform(20, 200))),
        border("one pair of dimensions", normal(rng, 11, 2), 3),
        border("one place, which is place 0", normal(rng, 1, 6)),
        border("no places", normal(rng, 0, 4)),
        case("float32", normal(rng, 5, 6, dtype=torch.float32), 2),
        border("an odd width, of which no pairs can be made", normal(rng, 3, 5)),
    ]


def _rotate_by_complex_numbers(x: Tensor, start: int = 0, base: float = 10000.0) -> Tensor:
    T, K = x.shape
    if K & 1:
        raise ValueError("odd")
    pairs = torch.view_as_complex(x.reshape(T, K // 2, 2).contiguous())
    places = torch.arange(start, start + T, dtype=x.dtype)
    angles = torch.outer(places, 1 / base ** (torch.arange(K // 2, dtype=x.dtype) * 2 / K))
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).reshape(T, K)


def _rotate_by_matrices(x: Tensor, start: int = 0, base: float = 10000.0) -> Tensor:
    if x.size(1) % 2 != 0:
        raise ValueError("odd")
    out = torch.zeros_like(x)
    for t in range(x.size(0)):
        for i in range(x.size(1) // 2):
            angle = (start + t) / base ** (2 * i / x.size(1))
            matrix = torch.tensor([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]], dtype=x.dtype)
            out[t, 2 * i : 2 * i + 2] = matrix @ x[t, 2 * i : 2 * i + 2]
    return out


def _rotate_wrongly(
    *, halves: bool = False, sign: float = 1.0, first: int = 0, step: int = 2, mirror: bool = False, added: bool = False
) -> Callable[..., Tensor]:
    def answer(x: Tensor, start: int = 0, base: float = 10000.0) -> Tensor:
        if x.shape[-1] % 2:
            raise ValueError("odd")
        T, K = x.shape
        rates = base ** (-torch.arange(K // 2, dtype=x.dtype) * step / K)
        angles = sign * (start + first + torch.arange(T, dtype=x.dtype))[:, None] * rates
        a, b = x.chunk(2, dim=-1) if halves else (x[:, 0::2], x[:, 1::2])
        cos, sin = angles.cos(), angles.sin()
        if added:
            return x + torch.stack([sin, cos], -1).reshape(T, K)
        turned = [a * cos - b * sin, a * sin - b * cos if mirror else a * sin + b * cos]
        return torch.cat(turned, -1) if halves else torch.stack(turned, -1).reshape(T, K)

    return answer


task = Task(
    rotate,
    points=3,
    difficulty=4,
    minutes=20,
    cases=cases,
    compare=CLOSE,
    slips=(
        Slip(
            "halves",
            _rotate_wrongly(halves=True),
            "Pairs were made of the two halves of the width. That is the other of the two orders in use; here "
            "neighbours form a pair: columns 0 and 1, 2 and 3. Weights trained with one order are useless with the "
            "other.",
        ),
        Slip(
            "backwards",
            _rotate_wrongly(sign=-1.0),
            "The pairs turn clockwise. (a, b) becomes (a cos - b sin, a sin + b cos).",
        ),
        Slip(
            "start_ignored",
            lambda x, start=0, base=10000.0: rotate(x, 0, base),
            "The first row is always place 0 here. With earlier words in a cache it is place `start`.",
        ),
        Slip(
            "from_one",
            _rotate_wrongly(first=1),
            "The places are counted from 1. Place 0 is not turned at all.",
        ),
        Slip(
            "exponent_halved",
            _rotate_wrongly(step=1),
            "The exponent is i / K instead of 2i / K, so the later pairs turn too fast.",
        ),
        Slip(
            "mirrored",
            _rotate_wrongly(mirror=True),
            "A sign is wrong: (a cos - b sin, a sin - b cos) is a mirror, no rotation. The second number is "
            "a sin + b cos.",
        ),
        Slip(
            "added",
            _rotate_wrongly(added=True),
            "The positions were added, as sinusoidal ones are. Rotary positions turn the vector and leave its length.",
        ),
    ),
    alternatives=(_rotate_by_complex_numbers, _rotate_by_matrices),
    hints=(
        "Take one pair (a, b) of neighbouring columns as a point of the plane, and turn it by place times rate.",
        "The rates are those of the sinusoidal table. x[:, 0::2] are all the a, x[:, 1::2] all the b.",
        "torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).reshape(T, K) puts the turned pairs back in "
        "place.",
    ),
)
