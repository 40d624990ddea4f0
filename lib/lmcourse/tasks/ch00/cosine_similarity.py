import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn


def cosine_similarity(x, y):
    """Return the cosine of the angle between each row of x and each row of y.

    Args:
        x: an array of shape (N, n), N and n at least 1: a vector in each row.
        y: an array of shape (M, n), M at least 1.

    Returns:
        An array of shape (N, M), of numbers from -1 to 1: entry (i, j) compares row i of x with row j of y.

    Raises:
        ValueError: a row of x or of y is a zero vector, or their widths differ (a matrix product raises that by
            itself).

    >>> cosine_similarity(np.array([[1.0, 3.0, -5.0]]), np.array([[4.0, -2.0, -1.0], [-2.0, -6.0, 10.0]])).round(3)
    array([[ 0.111, -1.   ]])
    """
    products = x @ y.T  # (N, M)
    lengths = np.outer(np.linalg.norm(x, axis=1), np.linalg.norm(y, axis=1))  # (N, M)
    if (lengths == 0).any():
        raise ValueError("`x` and `y` must have no zero vectors: they have no direction.")
    return products / lengths


@drawn(5)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    x = np.array([[1.0, -2.0, 0.5], [0.3, 0.1, -0.7], [2.0, 2.0, 1.0]])
    y = np.array([[-1.0, 0.4, 2.0], [0.2, 0.9, -0.3]])
    zero = np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]])
    return [
        case("the worked example", np.array([[1.0, 3.0, -5.0]]), np.array([[4.0, -2.0, -1.0], [-2.0, -6.0, 10.0]])),
        case("random vectors", rng.normal(size=(5, 7)), rng.normal(size=(3, 7))),
        case("three vectors with two", x, y),
        case("two vectors with three", y, x),
        case("as many vectors as entries", rng.normal(size=(4, 4)), rng.normal(size=(4, 4))),
        case("vectors far from the origin", 5 + rng.normal(size=(2, 11)), 3 + rng.normal(size=(4, 11))),
        case("vectors with themselves", x, x),
        case("the same direction, three times as long, and the opposite one", x, np.concatenate([3 * x, -x])),
        border("one-hot vectors, all at right angles but with themselves", np.eye(3), np.eye(3)[1:]),
        border("one vector with one", x[:1], y[:1]),
        border("entries that sum to 0", np.array([[1.0, -1.0]]), np.array([[2.0, 3.0], [1.0, 1.0]])),
        border("entries of y that sum to 0", np.array([[2.0, 3.0]]), np.array([[1.0, 1.0], [1.0, -1.0]])),
        border("very short vectors beside long ones", np.array([[1e-9], [1.0], [1e9]]) * x, 1e-9 * y),
        border("vectors of lengths near 10 ** -20, which are not zero", 1e-20 * x, 1e-20 * y),
        border("a zero vector in x", zero, y),
        border("a zero vector in y", y, zero),
        border("a zero vector with a zero vector", np.zeros((1, 2)), np.zeros((1, 2))),
        case("a width of one and of three", np.array([[2.0]]), x),
        border("widths that differ, as many rows", x, np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])),
    ]


SLIPS = mistakes("""
dot_product: "the cosine of the angle"
    return products / lengths => return products
  These are the dot products, which grow with the lengths of the vectors. Divide by both lengths: the cosine depends on
  the angle alone and lies between -1 and 1.
one_length: "the cosine of the angle"
    return products / lengths => return products / np.linalg.norm(x, axis=1)[:, None]
  Only the lengths of x's rows were divided out, so the result still grows with those of y. Divide by both.
length_of_the_table: "between each row of x and each row of y"
    return products / lengths => return products / (np.linalg.norm(x) * np.linalg.norm(y))
  The dot products were divided by the length of the whole array. Each row has a length of its own: np.linalg.norm(x,
  axis=1).
zero_gives_nan: "a row of x or of y is a zero vector"
    (lengths == 0).any() => False
  A zero vector gave 0 / 0 = NaN, which then spreads through all that is computed with it. Raise ValueError: it has no
  direction.
zero_gives_zero: "a row of x or of y is a zero vector"
    (lengths == 0).any() => False
    return products / lengths => return products / np.where(lengths == 0, 1, lengths)
  A zero vector gave similarity 0, the same as a right angle. It has no direction at all: raise ValueError.
zero_only_if_all_are: "a row of x or of y is a zero vector"
    (lengths == 0).any() => (lengths == 0).all()
  A zero vector was refused only where all vectors are zero. One row of zeros is enough: raise ValueError.
""")
HINTS = hints("""
- A dot product is length times length times cosine. Which matrix product holds the dot products of all rows of x with
  all rows of y?
- x @ y.T is the (N, M) table of dot products. The lengths of the rows of x are np.linalg.norm(x, axis=1), shape (N,).
  Each entry must be divided by the length of its row and by that of its column.
- lengths = np.outer(np.linalg.norm(x, axis=1), np.linalg.norm(y, axis=1)); raise ValueError if (lengths == 0).any();
  return x @ y.T / lengths.
""")
task = Task(cosine_similarity, points=2, difficulty=2, minutes=15, cases=cases, slips=SLIPS, hints=HINTS)
