"""Exercise `sinusoidal_table`."""

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch05.shared import CLOSE


def sinusoidal_table(length, embed_dim, base=10000.0):
    """Return the sinusoidal positions.

    Args:
        length: number of positions, counted from 0; it may be 0.
        embed_dim: D, even.
        base: how slow the last pair is, a positive number.

    Returns:
        A tensor (length, D) of float64, computed in float64.

    Raises:
        ValueError: D is odd.

    >>> [round(number, 3) for number in sinusoidal_table(3, 4)[1].tolist()]
    [0.841, 0.54, 0.01, 1.0]
    """
    if embed_dim % 2:
        raise ValueError(f"`embed_dim` must be even, got {embed_dim}.")
    pairs = torch.arange(0, embed_dim, 2, dtype=torch.float64)
    positions = torch.arange(length, dtype=torch.float64)
    angles = positions[:, None] / base ** (pairs / embed_dim)  # (length, D / 2)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", 3, 4),
        case("eleven positions, fourteen dimensions", 11, 14),
        case("as many positions as dimensions", 6, 6),
        case("many positions", int(rng.integers(50, 99)), 6),
        case("two thousand positions", 2000, 10),
        case("another base", 7, 10, float(rng.uniform(50, 500))),
        case("a base that is a whole number", 5, 6, 100),
        case("a base given by name", 5, 4, base=4.0),
        border("a base of 1: all pairs turn at the same rate", 4, 6, 1.0),
        border("a base below 1", 4, 6, 0.5),
        border("one position, which is position 0", 1, 6),
        border("no positions", 0, 4),
        border("one pair of dimensions", 5, 2),
        border("an odd width, of which no pairs can be made", 3, 5),
        border("a width of one", 3, 1),
        border("an odd width and no positions", 0, 3),
    ]


def _sinusoidal_in_loops(length: int, embed_dim: int, base: float = 10000.0) -> Tensor:
    if embed_dim % 2 == 1:
        raise ValueError("odd")
    table = torch.zeros(length, embed_dim, dtype=torch.float64)
    for position in range(length):
        for pair in range(embed_dim // 2):
            angle = position / base ** (2 * pair / embed_dim)
            table[position, 2 * pair], table[position, 2 * pair + 1] = np.sin(angle), np.cos(angle)
    return table


def _sinusoidal_by_slices(length: int, embed_dim: int, base: float = 10000.0) -> Tensor:
    if embed_dim != embed_dim // 2 * 2:
        raise ValueError("odd")
    table = torch.empty(length, embed_dim, dtype=torch.float64)
    exponents = torch.linspace(0, 1, embed_dim // 2 + 1, dtype=torch.float64)[:-1]
    turned = torch.outer(torch.arange(length, dtype=torch.float64), 1 / base**exponents)
    table[:, ::2], table[:, 1::2] = torch.sin(turned), torch.cos(turned)
    return table


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
            (
                "torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)",
                "torch.cat([angles.sin(), angles.cos()], dim=-1)",
            ),
            "All sines come first, then all cosines. Here they alternate: sine at even columns, cosine at odd.",
        ),
        Slip(
            "cosine_first",
            ("[angles.sin(), angles.cos()]", "[angles.cos(), angles.sin()]"),
            "Sine and cosine are exchanged: even columns hold the sine.",
        ),
        Slip(
            "from_one",
            ("torch.arange(length,", "torch.arange(1, length + 1,"),
            "The positions are counted from 1. Position 0 has sine 0 and cosine 1.",
        ),
        Slip(
            "exponent_halved",
            ("pairs / embed_dim", "pairs / 2 / embed_dim"),
            "The exponent is i / D instead of 2i / D, so the slowest pair is far too fast. The pairs share the "
            "exponents from 0 to nearly 1.",
        ),
        Slip(
            "exponent_doubled",
            ("pairs / embed_dim", "2 * pairs / embed_dim"),
            "The exponent is 4i / D: the first column of pair i is already column 2i, and was doubled once more. The "
            "exponents lie between 0 and 1.",
        ),
        Slip(
            "spread_to_one",
            ("pairs / embed_dim", "pairs / max(embed_dim - 2, 1)"),
            "The exponents run up to 1, for the last pair. By the formula they are 2i / D, so the last one stays "
            "below 1.",
        ),
        Slip(
            "exponent_of_each_column",
            ("angles.cos()", "(positions[:, None] / base ** ((pairs + 1) / embed_dim)).cos()"),
            "The sines are right. The cosine of pair i has the exponent (2i + 1) / D here: both columns of a pair "
            "share one angle, with 2i / D.",
        ),
        Slip(
            "ever_faster",
            ("/ base **", "* base **"),
            "The angles are multiplied by the power of the base, so that later pairs turn faster. Divide: they turn "
            "slower.",
        ),
        Slip(
            "one_rate",
            ("base ** (pairs / embed_dim)", "(base ** (0 * pairs))"),
            "All pairs turn at the same rate. Pair i turns by 1 / base^(2i/D) from one position to the next.",
        ),
        Slip(
            "base_ignored",
            ("/ base **", "/ 10000.0 **"),
            "The base is 10,000 whatever the argument says. Use `base`.",
        ),
        Slip(
            "only_sines",
            ("angles.cos()", "angles.sin()"),
            "Both columns of a pair hold the sine. With the cosine beside it a pair is a point on a circle, and a "
            "shift is a rotation.",
        ),
        Slip(
            "dimensions_first",
            (
                "return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)",
                "return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).T",
            ),
            "Rows and columns are exchanged: a row for each position, (length, D).",
        ),
        Slip(
            "pairs_not_joined",
            (".flatten(1)", ""),
            "The pairs still have an axis of their own, (length, D / 2, 2). Join the last two axes: (length, D).",
        ),
        Slip(
            "single",
            (".flatten(1)", ".flatten(1).float()"),
            "The table is in float32. The statement asks for float64: give dtype=torch.float64 to torch.arange, or "
            "the angles lose digits.",
        ),
        Slip(
            "computed_in_single",
            (
                (
                    "pairs = torch.arange(0, embed_dim, 2, dtype=torch.float64)",
                    "pairs = torch.arange(0, embed_dim, 2, dtype=torch.float32)",
                ),
                ("torch.arange(length, dtype=torch.float64)", "torch.arange(length, dtype=torch.float32)"),
                (".flatten(1)", ".flatten(1).double()"),
            ),
            "The angles were computed in float32 and only the table was turned into float64: at position 2000 some "
            "digits are lost. Give dtype=torch.float64 to torch.arange.",
        ),
        Slip(
            "odd_width",
            (("if embed_dim % 2:", "if False:"), ("flatten(1)", "flatten(1)[:, :embed_dim]")),
            "An odd width leaves the last pair without its cosine, unnoticed. Raise ValueError.",
        ),
        Slip(
            "odd_width_widened",
            ("if embed_dim % 2:", "if False:"),
            "For an odd width the table has one column more than asked for. Raise ValueError.",
        ),
        Slip(
            "zero_length_refused",
            ("if embed_dim % 2:", "if embed_dim % 2 or length < 1:"),
            "A length of 0 was refused. It is allowed: the table has no rows then.",
        ),
    ),
    alternatives=(_sinusoidal_in_loops, _sinusoidal_by_slices),
    hints=(
        "One angle for each position and each pair of columns. How large is the angle of position 1 in the first "
        "pair, and in the last?",
        "rates = base ** (-torch.arange(0, embed_dim, 2) / embed_dim); the angles are positions times rates, "
        "(length, embed_dim / 2).",
        "torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(length, embed_dim), in float64.",
    ),
)
