import torch

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch08.shared import drawer


def alibi_bias(slopes, length):
    """Return what ALiBi adds to the scores.

    Args:
        slopes: one for each head, a list of H floats, 0 or more.
        length: T, 0 or more.

    Returns:
        A tensor of float64, (H, T, T); rows are queries, columns are keys.

    >>> alibi_bias([0.5], 3)[0, 2, :2].tolist()
    [-1.0, -0.5]
    """
    positions = torch.arange(length, dtype=torch.float64)
    distance = positions[:, None] - positions
    bias = -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance
    return bias.masked_fill(distance < 0, float("-inf"))


@drawn(3)
def cases(seed: int) -> list[Case]:
    drawn = drawer(seed)(7).abs().add(0.01).tolist()
    return [
        case("the worked example", [0.5], 3),
        case("three heads, seven tokens", drawn[:3], 7),
        case("as many heads as tokens", drawn[:5], 5),
        case("seven heads, two tokens", drawn, 2),
        border("no tokens", drawn[:3], 0),
        border("a slope of zero: no positions at all", [0.0, drawn[0]], 3),
        border("slopes of different magnitudes", [1e4, 1e-30, 0.25], 5),
        case("slopes in a fixed order", [0.5, 0.125, 2.0], 3),
        border("all slopes zero, several heads", [0.0, 0.0, 0.0], 4),
        border("one head, no tokens", [0.5], 0),
    ]


SLIPS = mistakes("""
sign: "Return what ALiBi adds to the scores"
    -torch => torch
  Far tokens get a bonus here. The distance is taken off the score: far away counts less.
no_mask: "Return what ALiBi adds to the scores"
    * distance => * distance.abs()
    .masked_fill(distance < 0, float("-inf")) =>
  Tokens that come later got a finite score. In a decoder the future is minus infinity.
transposed: "rows are queries, columns are keys"
    positions[:, None] - positions => positions - positions[:, None]
  Rows and columns are exchanged: rows are queries, columns keys, and a query sees the keys at its left.
one_slope: "one for each head, a list of H floats, 0 or more"
    torch.tensor(slopes => torch.tensor(slopes[:1] * len(slopes)
  All heads got the slope of the first. Each head has its own, so that some look near and some far.
large_instead_of_infinite
    float("-inf") => -1e9
  The future got a large negative number. Minus infinity is asked for, float('-inf').
itself_hidden
    distance < 0 => distance <= 0
  The token itself was hidden. A query sees the keys up to and with its own position: the diagonal is 0.
one_too_far: "T, 0 or more"
    * distance => * (distance + 1)
  Every distance is one too large. A token's distance from itself is 0.
single: "A tensor of float64, (H, T, T)"
    = torch.arange(length, dtype=torch.float64) => = torch.arange(length, dtype=torch.float32)
    slopes, dtype=torch.float64 => slopes, dtype=torch.float32
  The bias is in float32. The statement asks for float64: pass dtype=torch.float64.
zero_times_infinity
    return bias.masked_fill(distance < 0, float("-inf")) => return bias
    * distance => * distance.masked_fill(distance < 0, float("inf"))
  An infinite distance was multiplied with the slopes, and 0 times infinity is not a number. Multiply first, then set
  the future to minus infinity.
""")
CLOSE = Compare(rtol=1e-9, atol=1e-12)
HINTS = hints("""
- Make a table of distances first: query t, key s, t - s.
- distance = torch.arange(T)[:, None] - torch.arange(T); -slope * distance for each head; where distance < 0, -inf.
- positions = torch.arange(length).double(); d = positions[:, None] - positions; bias =
  -torch.tensor(slopes).double()[:, None, None] * d; return bias.masked_fill(d < 0, float('-inf'))
""")
task = Task(alibi_bias, points=2, difficulty=2, minutes=10, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
