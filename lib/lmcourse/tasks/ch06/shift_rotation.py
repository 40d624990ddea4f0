import math

import numpy as np

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn


def shift_rotation(n, D):
    """Return the matrix that turns the sinusoidal vector of any position into that of n positions further.

    Here a vector holds all D / 2 sines first and then the D / 2 cosines, each half from the fastest to the slowest.

    Args:
        n: the shift, an int; below 0 it goes back.
        D: the width, even.

    Returns:
        A NumPy array of float64, (D, D), by which a vector is multiplied from the left: M @ vector.

    Raises:
        ValueError: D is odd or below 2.

    >>> shift_rotation(1, 4).round(2).tolist()
    [[0.54, 0.0, 0.84, 0.0], [0.0, 1.0, 0.0, 0.01], [-0.84, 0.0, 0.54, 0.0], [0.0, -0.01, 0.0, 1.0]]
    """
    if D < 2 or D % 2:
        raise ValueError(f"`D` must be even and at least 2, got {D}.")
    matrix = np.zeros((D, D))
    for i in range(D // 2):
        angle = n / 10000 ** (2 * i / D)
        c, s = math.cos(angle), math.sin(angle)
        pair = [i, D // 2 + i]  # its sine and its cosine
        matrix[np.ix_(pair, pair)] = [[c, s], [-s, c]]
    return matrix


@drawn(4)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", 1, 4),
        case("two words further, three pairs", 2, 6),
        case("a few words further", int(rng.integers(2, 9)), 6),
        case("far", int(rng.integers(100, 1_000)), 10),
        border("a shift of zero, which changes nothing", 0, 2 * int(rng.integers(2, 6))),
        border("backwards, below zero", -int(rng.integers(1, 20)), 4),
        border("one word backwards, one pair", -1, 2),
        border("one pair, whose sine and cosine are neighbours", 1, 2),
        case("five words further, five pairs", 5, 10),
        border("two words backwards, two pairs", -2, 4),
        case("a wide model", int(rng.integers(1, 9)), 34),
        case("an odd width", 3, 5),
        border("no width", 3, 0),
        border("a width below zero", 3, -2),
        border("an odd width and a shift of zero", 0, 3),
    ]


SLIPS = mistakes("""
backwards: "by which a vector is multiplied from the left"
    [[c, s], [-s, c]] => [[c, -s], [s, c]]
  This turns the wrong way: it leads n positions back. With (sine, cosine) in a pair, sin(a + b) = sin a cos b + cos a
  sin b puts a plus on the sine in the first row.
one_speed: "Return the matrix that turns the sinusoidal vector of any position into that of n positions further"
    n / 10000 ** (2 * i / D) => n
  Every pair is turned by the same angle n. Pair i turns by n / 10000^(2i / D): the later, the slower.
first_block_only: "the width, even"
    range(D // 2) => range(1)
  Only the first pair is turned. Each of the D / 2 pairs has an angle of its own and four entries of the matrix.
shift_in_length: "below 0 it goes back"
    n / 10000 ** (2 * i / D) => abs(n) / 10000 ** (2 * i / D)
  A negative shift was taken for a positive one. It leads back: the angle is negative.
blocks_on_the_diagonal, as on the page: "all D / 2 sines first and then the D / 2 cosines"
    [i, D // 2 + i] => [2 * i, 2 * i + 1]
  These are 2 by 2 blocks on the diagonal: the matrix for the page's table, in which sine and cosine of a pair are
  neighbours. Here all sines come first: the cosine of pair i stands at D / 2 + i.
single: "of float64"
    np.zeros((D, D)) => np.zeros((D, D), dtype=np.float32)
  The matrix is in float32. float64 is asked for, which np.zeros gives by itself.
unchecked: "D is odd"
    D < 2 or D % 2 => False
    np.zeros((D, D)) => np.zeros((max(D, 0), max(D, 0)))
  The matrix is right, but an odd width was accepted, where one column has no partner. Raise ValueError unless D is even
  and at least 2.
zero_accepted: "below 2"
    D < 2 or D % 2 => D % 2
  A width of 0 was accepted. Raise ValueError unless D is even and at least 2.
""")
CLOSE = Compare(rtol=1e-9, atol=1e-9)
HINTS = hints("""
- How do you get from (sin a, cos a) to (sin(a + b), cos(a + b))? Write the two addition formulas as a 2 by 2 matrix.
- For pair i the angle is b = n / 10000 ** (2 * i / D). Its sine stands at i, its cosine at D / 2 + i: which four
  entries of M do the two formulas fill?
- matrix = np.zeros((D, D)); h = D // 2; for i in range(h): matrix[i, i] = matrix[h + i, h + i] = cos, matrix[i, h + i]
  = sin, matrix[h + i, i] = -sin. Check D first.
""")
task = Task(shift_rotation, points=3, difficulty=3, minutes=20, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
