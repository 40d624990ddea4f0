"""Exercise `sinusoidal_table`."""

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch05.shared import CLOSE


def sinusoidal_table(length, embed_dim, base=10000.0):
    """Return the sinusoidal positions.

    Args:
        length: number of places, from 0.
        embed_dim: D, even.
        base: how slow the last pair is.

    Returns:
        A tensor (length, D) of float64.

    Raises:
        ValueError: D is odd.

    >>> [round(number, 3) for number in sinusoidal_table(3, 4)[1].tolist()]
    [0.841, 0.54, 0.01, 1.0]
    """
    if embed_dim % 2:
        raise ValueError(f"`embed_dim` must be even, got {embed_dim}.")
    pairs = torch.arange(0, embed_dim, 2, dtype=torch.float64)
    places = torch.arange(length, dtype=torch.float64)
    angles = places[:, None] / base ** (pairs / embed_dim)  # (length, D / 2)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", 3, 4),
        case("eleven places, fourteen dimensions", 11, 14),
        case("many places", int(rng.integers(50, 99)), 6),
        case("another base", 7, 10, float(rng.uniform(50, 500))),
        border("one place, which is place 0", 1, 6),
        border("no places", 0, 4),
        border("one pair of dimensions", 5, 2),
        border("an odd width, of which no pairs can be made", 3, 5),
    ]


def _sinusoidal_in_loops(length: int, embed_dim: int, base: float = 10000.0) -> Tensor:
    if embed_dim % 2 == 1:
        raise ValueError("odd")
    table = torch.zeros(length, embed_dim, dtype=torch.float64)
    for place in range(length):
        for pair in range(embed_dim // 2):
            angle = place / base ** (2 * pair / embed_dim)
            table[place, 2 * pair], table[place, 2 * pair + 1] = np.sin(angle), np.cos(angle)
    return table


def _sinusoidal_by_slices(length: int, embed_dim: int, base: float = 10000.0) -> Tensor:
    if embed_dim != embed_dim // 2 * 2:
        raise ValueError("odd")
    table = torch.empty(length, embed_dim, dtype=torch.float64)
    exponents = torch.linspace(0, 1, embed_dim // 2 + 1, dtype=torch.float64)[:-1]
    turned = torch.outer(torch.arange(length, dtype=torch.float64), 1 / base**exponents)
    table[:, ::2], table[:, 1::2] = torch.sin(turned), torch.cos(turned)
    return table


def _sinusoidal_wrongly(
    *, start: int = 0, step: int = 2, order: str = "sc", joined: bool = False, slow: bool = True
) -> Callable[..., Tensor]:
    def answer(length: int, embed_dim: int, base: float = 10000.0) -> Tensor:
        if embed_dim % 2:
            raise ValueError("odd")
        exponents = torch.arange(embed_dim // 2, dtype=torch.float64) * step / embed_dim
        rates = base ** (-exponents if slow else exponents)
        angles = (torch.arange(length, dtype=torch.float64)[:, None] + start) * rates
        parts = [angles.sin() if kind == "s" else angles.cos() for kind in order]
        return torch.cat(parts, -1) if joined else torch.stack(parts, -1).reshape(length, embed_dim)

    return answer


def _odd_cut(length: int, embed_dim: int, base: float = 10000.0) -> Tensor:
    return sinusoidal_table(length, embed_dim + embed_dim % 2, base)[:, :embed_dim]


task = Task(
    sinusoidal_table,
    points=2,
    difficulty=3,
    minutes=15,
    cases=cases,
    compare=CLOSE,
    slips=(
        Slip(
            "halves",
            _sinusoidal_wrongly(joined=True),
            "All sines come first, then all cosines. In the paper they alternate: sine at even columns, cosine at odd.",
        ),
        Slip(
            "cosine_first",
            _sinusoidal_wrongly(order="cs"),
            "Sine and cosine are exchanged: even columns hold the sine.",
        ),
        Slip(
            "from_one",
            _sinusoidal_wrongly(start=1),
            "The places are counted from 1. Place 0 has sine 0 and cosine 1.",
        ),
        Slip(
            "exponent_halved",
            _sinusoidal_wrongly(step=1),
            "The exponent is i / D instead of 2i / D, so the slowest pair is far too fast. The pairs share the "
            "exponents from 0 to nearly 1.",
        ),
        Slip(
            "ever_faster",
            _sinusoidal_wrongly(slow=False),
            "The angles are multiplied by the power of the base, so that later pairs turn faster. Divide: they turn "
            "slower.",
        ),
        Slip(
            "only_sines",
            _sinusoidal_wrongly(order="ss"),
            "Both columns of a pair hold the sine. With the cosine beside it a pair is a point on a circle, and a "
            "shift is a rotation.",
        ),
        Slip(
            "odd_width",
            _odd_cut,
            "An odd width leaves the last pair without its cosine, unnoticed. Raise ValueError.",
        ),
    ),
    alternatives=(_sinusoidal_in_loops, _sinusoidal_by_slices),
    hints=(
        "One angle for each place and each pair of columns. How large is the angle of place 1 in the first pair, and "
        "in the last?",
        "rates = base ** (-torch.arange(0, embed_dim, 2) / embed_dim); the angles are places times rates, "
        "(length, embed_dim / 2).",
        "torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(length, embed_dim), in float64.",
    ),
)
