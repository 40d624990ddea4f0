"""Exercise `cosine_similarity`."""

import math

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case
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
        border("one number each", np.array([[-2.0], [0.5]]), np.array([[3.0], [-1.0], [4.0]])),
        case("whole numbers", np.array([[3, 4], [1, 0]]), np.array([[4, -3], [6, 8], [0, 2]])),
        border("entries that sum to 0", np.array([[1.0, -1.0]]), np.array([[2.0, 3.0], [1.0, 1.0]])),
        border("entries of y that sum to 0", np.array([[2.0, 3.0]]), np.array([[1.0, 1.0], [1.0, -1.0]])),
        border("very short vectors beside long ones", np.array([[1e-9], [1.0], [1e9]]) * x, 1e-9 * y),
        border("very long vectors", 1e9 * x, 1e9 * y),
        border("vectors of lengths near 10 ** -20, which are not zero", 1e-20 * x, 1e-20 * y),
        border("a zero vector in x", zero, y),
        border("a zero vector in y", y, zero),
        border("a zero vector with a zero vector", np.zeros((1, 2)), np.zeros((1, 2))),
        case("widths that differ", x, np.array([[1.0, 2.0]])),
        case("a width of one and of three", np.array([[2.0]]), x),
        border("widths that differ, as many rows", x, np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])),
    ]


def _cosine_by_loops(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    def cosine(a: np.ndarray, b: np.ndarray) -> float:
        if len(a) != len(b):
            raise ValueError("widths differ")
        squares = math.fsum(u * u for u in a) * math.fsum(v * v for v in b)
        if not squares:
            raise ValueError("a zero vector")
        return math.fsum(u * v for u, v in zip(a, b, strict=True)) / math.sqrt(squares)

    return np.array([[cosine(a, b) for b in y] for a in x])


def _cosine_of_units(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    if x.shape[1] != y.shape[1] or not x.any(axis=1).all() or not y.any(axis=1).all():
        raise ValueError("x and y")
    of_x = x / np.sqrt((x**2).sum(axis=1, keepdims=True))
    return np.einsum("ik,jk->ij", of_x, y / np.sqrt((y**2).sum(axis=1, keepdims=True)))


_RETURN = "return products / lengths"

task = Task(
    cosine_similarity,
    points=2,
    difficulty=2,
    minutes=15,
    cases=cases,
    slips=(
        Slip(
            "dot_product",
            (_RETURN, "return products"),
            "These are the dot products, which grow with the lengths of the vectors. Divide by both lengths: the "
            "cosine depends on the angle alone and lies between -1 and 1.",
        ),
        Slip(
            "mean_product",
            (_RETURN, "return products / x.shape[1]"),
            "The dot products were divided by the number of entries. Divide by the lengths of the vectors, the square "
            "roots of the sums of squares.",
        ),
        Slip(
            "one_length",
            (_RETURN, "return products / np.linalg.norm(x, axis=1)[:, None]"),
            "Only the lengths of x's rows were divided out, so the result still grows with those of y. Divide by both.",
        ),
        Slip(
            "length_of_the_table",
            (_RETURN, "return products / (np.linalg.norm(x) * np.linalg.norm(y))"),
            "The dot products were divided by the length of the whole array. Each row has a length of its own: "
            "np.linalg.norm(x, axis=1).",
        ),
        Slip(
            "lengths_of_columns",
            (
                _RETURN,
                "columns = np.linalg.norm(x, axis=0).sum() * np.linalg.norm(y, axis=0).sum()\n"
                "    return products / columns",
            ),
            "The lengths were taken down the columns. A vector is a row: np.linalg.norm(x, axis=1).",
        ),
        Slip(
            "transposed",
            (_RETURN, "return (products / lengths).T"),
            "Rows and columns are exchanged. Entry (i, j) compares row i of x with row j of y, so the shape is (N, M).",
        ),
        Slip(
            "row_by_row",
            (
                _RETURN,
                "n_rows = min(len(x), len(y))\n"
                "    return np.diagonal(products)[:n_rows] / np.diagonal(lengths)[:n_rows]",
            ),
            "Row i of x was compared with row i of y alone. Each row of x is compared with **each** row of y, which "
            "gives a table: x @ y.T has all the dot products.",
        ),
        Slip(
            "squared_lengths",
            (_RETURN, "return products / lengths**2"),
            "The division is by the squared lengths. A length is the square root of the sum of squares: np.sqrt is "
            "missing.",
        ),
        Slip(
            "distance",
            (_RETURN, "return 1 - products / lengths"),
            "This is the cosine distance, 1 minus the similarity. The same direction must give 1, not 0.",
        ),
        Slip(
            "absolute",
            (_RETURN, "return np.abs(products) / lengths"),
            "The sign is lost: opposite vectors must give -1. Take no absolute value.",
        ),
        Slip(
            "sums_of_absolutes",
            (_RETURN, "return products / np.outer(np.abs(x).sum(axis=1), np.abs(y).sum(axis=1))"),
            "The vectors were divided by the sum of their absolute entries. Length here is the Euclidean one, the "
            "square root of the sum of squares.",
        ),
        Slip(
            "centred",
            (
                _RETURN,
                "from_x, from_y = x - x.mean(axis=1, keepdims=True), y - y.mean(axis=1, keepdims=True)\n"
                "    spread = np.outer(np.linalg.norm(from_x, axis=1), np.linalg.norm(from_y, axis=1))\n"
                "    return from_x @ from_y.T / np.where(spread == 0, 1, spread)",
            ),
            "The means were subtracted first: this is the correlation. The cosine takes the vectors as they are.",
        ),
        Slip(
            "zero_gives_nan",
            ("(lengths == 0).any()", "False"),
            "A zero vector gave 0 / 0 = NaN, which then spreads through all that is computed with it. Raise "
            "ValueError: it has no direction.",
        ),
        Slip(
            "zero_gives_zero",
            (("(lengths == 0).any()", "False"), (_RETURN, "return products / np.where(lengths == 0, 1, lengths)")),
            "A zero vector gave similarity 0, the same as a right angle. It has no direction at all: raise ValueError.",
        ),
        Slip(
            "zero_only_if_all_are",
            ("(lengths == 0).any()", "(lengths == 0).all()"),
            "A zero vector was refused only where all vectors are zero. One row of zeros is enough: raise ValueError.",
        ),
    ),
    alternatives=(_cosine_by_loops, _cosine_of_units),
    hints=(
        "A dot product is length times length times cosine. Which matrix product holds the dot products of all rows of "
        "x with all rows of y?",
        "x @ y.T is the (N, M) table of dot products. The lengths of the rows of x are np.linalg.norm(x, axis=1), "
        "shape (N,). Each entry must be divided by the length of its row and by that of its column.",
        "lengths = np.outer(np.linalg.norm(x, axis=1), np.linalg.norm(y, axis=1)); raise ValueError if "
        "(lengths == 0).any(); return x @ y.T / lengths.",
    ),
)
