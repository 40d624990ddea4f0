import numpy as np
import torch

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch05.shared import CLOSE, normal


def rotate(x, start=0, base=10000.0):
    """Turn each pair of neighbouring columns by an angle in proportion to the row's position.

    Args:
        x: queries or keys, a tensor (T, K), K even; T may be 0.
        start: the position of the first row, 0 or more.
        base: how slow the last pair is, a positive number.

    Returns:
        A tensor (T, K), of the element type of x.

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


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", torch.tensor([[1.0, 0.0], [1.0, 0.0]]).double()),
        case("seven positions, ten dimensions", normal(rng, 7, 10)),
        case("as many positions as dimensions", normal(rng, 6, 6)),
        case("a start given by name", normal(rng, 3, 4), start=7),
        case("another base", normal(rng, 7, 6), 2, float(rng.uniform(20, 200))),
        case("a base that is a whole number, given by name", normal(rng, 4, 8), base=100),
        border("a base of 1: all pairs turn at the same rate", normal(rng, 3, 6), 1, 1.0),
        border("one position, which is position 0", normal(rng, 1, 6)),
        border("one position, far from the beginning", normal(rng, 1, 6), 1000),
        border("no positions", normal(rng, 0, 4)),
        border("no positions, and a start", normal(rng, 0, 4), 3),
        border("large numbers", 1e4 * normal(rng, 3, 4), 1),
        case("float32", normal(rng, 5, 6, dtype=torch.float32), 2),
        border("an odd width, of which no pairs can be made", normal(rng, 3, 5)),
        border("a width of one", normal(rng, 3, 1)),
        border("an odd width and no positions", normal(rng, 0, 3)),
    ]


SLIPS = mistakes("""
halves: "each pair of neighbouring columns"
    a, b = x[:, 0::2], x[:, 1::2] => a, b = x.chunk(2, dim=-1)
    torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).reshape(T, K) =>
        torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)
  Pairs were made of the two halves of the width. That is the other of the two orders in use; here neighbours form a
  pair: columns 0 and 1, 2 and 3. Weights trained with one order are useless with the other.
not_put_back: "each pair of neighbouring columns"
    torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).reshape(T, K) =>
        torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)
  The pairs are turned rightly, but all first numbers come first, then all second ones. Each number belongs where it
  was: neighbours stay neighbours.
backwards: "Turn"
    [a * cos - b * sin, a * sin + b * cos] => [a * cos + b * sin, b * cos - a * sin]
  The pairs turn clockwise. (a, b) becomes (a cos - b sin, a sin + b cos).
start_ignored: "the position of the first row, 0 or more"
    torch.arange(start, start + T => torch.arange(T
  The first row is always position 0 here. With earlier words in a cache it is position `start`.
from_one: "in proportion to the row's position"
    torch.arange(start, start + T => torch.arange(start + 1, start + 1 + T
  The positions are one too large: the first row stands at `start`, and position 0 is not turned at all.
exponent_halved: "how slow the last pair is, a positive number"
    0, K, 2, dtype=x.dtype) / K => 0, K, 2, dtype=x.dtype) / 2 / K
  The exponent is i / K instead of 2i / K, so the later pairs turn too fast.
one_rate: "how slow the last pair is, a positive number"
    base ** (-torch.arange(0, K, 2, dtype=x.dtype) / K) => torch.ones(K // 2, dtype=x.dtype)
  All pairs turn at the same rate. Pair i turns by 1 / base^(2i/K) from one position to the next.
base_ignored: "how slow the last pair is, a positive number"
    base ** ( => 10000.0 ** (
  The base is 10,000 whatever the argument says. Use `base`.
overwritten: "Turn"
    return torch => a = a * cos - b * sin
    |    b = a * sin + b * cos
    |    return torch.stack([a, b], dim=-1).reshape(T, K)
    |    return torch
  The first number of the pair was overwritten before the second was computed from it. Both come from the old pair: keep
  a until b is done.
double_returned: "A tensor (T, K), of the element type of x"
    reshape(T, K) => reshape(T, K).double()
  For float32 the result is float64. Make the angles with dtype=x.dtype.
""")
HINTS = hints("""
- Take one pair (a, b) of neighbouring columns as a point of the plane, and turn it by position times rate.
- The rates are those of the sinusoidal table. x[:, 0::2] are all the a, x[:, 1::2] all the b.
- torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).reshape(T, K) puts each turned pair back into its columns.
""")
task = Task(rotate, points=3, difficulty=4, minutes=20, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
