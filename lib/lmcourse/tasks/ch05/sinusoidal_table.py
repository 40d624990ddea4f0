import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch05.shared import CLOSE


def sinusoidal_table(positions, embed_dim, base=10000.0):
    """Return the sinusoidal vectors of the positions that are given.

    Args:
        positions: a tensor of any shape, of whole numbers or of floats: a position may come more than once, lie between
            two whole numbers or be negative. There may be none.
        embed_dim: D, even.
        base: how slow the last pair is, a positive number.

    Returns:
        A tensor of the shape of `positions` with a last axis of D more, (..., D), of float64, computed in float64.

    Raises:
        ValueError: D is odd.

    >>> sinusoidal_table(torch.tensor([[0, 1], [1, 0]]), 4).numpy().round(3).tolist()
    [[[0.0, 1.0, 0.0, 1.0], [0.841, 0.54, 0.01, 1.0]], [[0.841, 0.54, 0.01, 1.0], [0.0, 1.0, 0.0, 1.0]]]
    """
    if embed_dim % 2:
        raise ValueError(f"`embed_dim` must be even, got {embed_dim}.")
    pairs = torch.arange(0, embed_dim, 2, dtype=torch.float64)
    angles = positions.double()[..., None] / base ** (pairs / embed_dim)  # (..., D / 2)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def whole(*shape: int, top: int = 50) -> Tensor:
        return torch.from_numpy(rng.integers(0, top, size=shape))

    return [
        case("the worked example", torch.tensor([[0, 1], [1, 0]]), 4),
        case("a batch of rows, fourteen dimensions", whole(3, 11), 14),
        case("another base", whole(7), 10, float(rng.uniform(50, 500))),
        case("three axes", whole(2, 3, 5), 4),
        case("positions in no order, some twice", torch.tensor([7, 2, 2, 40, 0]), 8),
        case("positions near 2,000", torch.arange(1990, 2000), 10),
        case("positions between whole numbers, in float32", torch.tensor([0.5, 2.25, 7.0]), 6),
        case("positions in float64", torch.tensor([[0.1], [1999.9]], dtype=torch.float64), 4),
        case("a base that is a whole number", torch.arange(5), 6, 100),
        case("a base given by name", torch.arange(5), 4, base=4.0),
        border("negative positions", torch.tensor([-1, -3, 2]), 4),
        border("a base of 1: all pairs turn at the same rate", torch.arange(4), 6, 1.0),
        border("a base below 1", torch.arange(4), 6, 0.5),
        border("one position, without an axis", torch.tensor(3), 6),
        border("no positions", torch.zeros(0, dtype=torch.int64), 4),
        border("no rows of positions", torch.zeros(0, 3, dtype=torch.int64), 4),
        border("an odd width, of which no pairs can be made", torch.arange(3), 5),
        border("a width of one", torch.arange(3), 1),
        border("an odd width and no positions", torch.zeros(0, dtype=torch.int64), 3),
    ]


SLIPS = mistakes("""
halves: "Return the sinusoidal vectors of the positions that are given"
    torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2) => torch.cat([angles.sin(), angles.cos()], dim=-1)
  All sines come first, then all cosines. Here they alternate: sine at even columns, cosine at odd.
cosine_first: "Return the sinusoidal vectors of the positions that are given"
    [angles.sin(), angles.cos()] => [angles.cos(), angles.sin()]
  Sine and cosine are exchanged: even columns hold the sine.
rounded: "lie between two whole numbers"
    positions.double() => positions.long().double()
  Positions between two whole numbers were cut to whole ones. Sine and cosine have values there, too: use the positions
  as they are.
exponent_halved: "Return the sinusoidal vectors of the positions that are given"
    pairs / embed_dim => pairs / 2 / embed_dim
  The exponent is i / D instead of 2i / D, so the slowest pair is far too fast. The pairs share the exponents from 0 to
  nearly 1.
base_ignored: "how slow the last pair is, a positive number"
    / base ** => / 10000.0 **
  The base is 10,000 whatever the argument says. Use `base`.
computed_in_single: "computed in float64"
    float64 => float32
    positions.double() => positions.float()
    .flatten(-2) => .flatten(-2).double()
  The angles were computed in float32 and only the table was turned into float64: at position 1999 some digits are lost.
  Turn the positions into float64 first: positions.double().
""")
HINTS = hints("""
- One angle for each position and each pair of columns. How large is the angle of position 1 in the first pair, and in
  the last? Which shape do the angles have if the positions are (B, T)?
- rates = base ** (-torch.arange(0, embed_dim, 2) / embed_dim), (D / 2,). positions[..., None] has one axis more at the
  end, along which it is stretched: positions[..., None] * rates is (..., D / 2).
- torch.stack([angles.sin(), angles.cos()], dim=-1) is (..., D / 2, 2), and .flatten(-2) joins the last two axes; all of
  it in float64.
""")
task = Task(sinusoidal_table, points=2, difficulty=3, minutes=15, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
