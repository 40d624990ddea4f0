"""Exercise `cosine_similarity`."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case


def cosine_similarity(x, y):
    """Return the cosine of the angle between two vectors.

    Args:
        x, y: arrays of shape (n,).

    Returns:
        A float from -1 to 1.

    Raises:
        ValueError: x or y is a zero vector, or their sizes differ (np.dot raises that by itself).

    >>> round(cosine_similarity(np.array([1.0, 3.0, -5.0]), np.array([4.0, -2.0, -1.0])), 4)
    0.1107
    """
    lengths = np.linalg.norm(x) * np.linalg.norm(y)
    if lengths == 0:
        raise ValueError("`x` and `y` must not be zero vectors: they have no direction.")
    return float(np.dot(x, y) / lengths)


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=7)
    return [
        case("the worked example", np.array([1.0, 3.0, -5.0]), np.array([4.0, -2.0, -1.0])),
        case("random vectors", x, rng.normal(size=7)),
        case("vectors far from the origin", 5 + rng.normal(size=11), 3 + rng.normal(size=11)),
        case("the same direction, three times as long", x, 3 * x),
        case("the opposite direction", x, -x),
        border("two different one-hot vectors", np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])),
        border("one number each", np.array([-2.0]), np.array([float(rng.uniform(1, 5))])),
        case("whole numbers", np.array([3, 4]), np.array([4, -3])),
        border("entries that sum to 0", np.array([1.0, -1.0]), np.array([2.0, 3.0])),
        border("very short vectors", 1e-9 * x, 1e-9 * rng.normal(size=7)),
        border("very long vectors", 1e9 * x, 1e9 * rng.normal(size=7)),
        border("the first is a zero vector", np.zeros(3), np.array([1.0, 2.0, 3.0])),
        border("the second is a zero vector", np.array([1.0, 2.0, 3.0]), np.zeros(3)),
        border("two zero vectors", np.zeros(2), np.zeros(2)),
        case("sizes that differ", np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0])),
        case("one number and three", np.array([2.0]), np.array([1.0, 2.0, 3.0])),
    ]


def _cosine_wrong(change: Callable[[np.ndarray, np.ndarray], float]) -> Callable[[np.ndarray, np.ndarray], float]:
    def answer(x: np.ndarray, y: np.ndarray) -> float:
        cosine_similarity(x, y)  # the same checks
        return float(change(x, y))

    return answer


def _cosine_of_zero(x: np.ndarray, y: np.ndarray, *, zero: float) -> float:
    return cosine_similarity(x, y) if np.dot(x, x) * np.dot(y, y) > 0 else zero


def _cosine_by_loops(x: np.ndarray, y: np.ndarray) -> float:
    if len(x) != len(y):
        raise ValueError("sizes differ")
    product = math.fsum(a * b for a, b in zip(x, y, strict=True))
    squares = math.fsum(a * a for a in x) * math.fsum(b * b for b in y)
    if not squares:
        raise ValueError("a zero vector")
    return product / math.sqrt(squares)


def _cosine_of_units(x: np.ndarray, y: np.ndarray) -> float:
    if x.shape != y.shape or not x.any() or not y.any():
        raise ValueError("x and y")
    return float(((x / np.sqrt((x**2).sum())) * (y / np.sqrt((y**2).sum()))).sum())


task = Task(
    cosine_similarity,
    points=2,
    difficulty=1,
    minutes=10,
    cases=cases,
    slips=(
        Slip(
            "dot_product",
            _cosine_wrong(lambda x, y: np.dot(x, y)),
            "This is the dot product, which grows with the lengths of the vectors. Divide by both lengths: the cosine "
            "depends on the angle alone and lies between -1 and 1.",
        ),
        Slip(
            "mean_product",
            _cosine_wrong(lambda x, y: np.mean(x * y)),
            "The dot product was divided by the number of entries. Divide by the lengths of the vectors, the square "
            "roots of the sums of squares.",
        ),
        Slip(
            "one_length",
            _cosine_wrong(lambda x, y: np.dot(x, y) / np.linalg.norm(x)),
            "Only the length of the first vector was divided out, so the result still grows with the second. Divide "
            "by both.",
        ),
        Slip(
            "squared_lengths",
            _cosine_wrong(lambda x, y: np.dot(x, y) / (np.dot(x, x) * np.dot(y, y))),
            "The division is by the squared lengths. A length is the square root of the sum of squares: np.sqrt is "
            "missing.",
        ),
        Slip(
            "distance",
            _cosine_wrong(lambda x, y: 1 - cosine_similarity(x, y)),
            "This is the cosine distance, 1 minus the similarity. The same direction must give 1, not 0.",
        ),
        Slip(
            "absolute",
            _cosine_wrong(lambda x, y: abs(cosine_similarity(x, y))),
            "The sign is lost: opposite vectors must give -1. Take no absolute value.",
        ),
        Slip(
            "sums_of_absolutes",
            _cosine_wrong(lambda x, y: np.dot(x, y) / (np.abs(x).sum() * np.abs(y).sum())),
            "The vectors were divided by the sum of their absolute entries. Length here is the Euclidean one, the "
            "square root of the sum of squares.",
        ),
        Slip(
            "centred",
            _cosine_wrong(lambda x, y: np.dot(x - x.mean(), y - y.mean()) / (len(x) * x.std() * y.std() or 1.0)),
            "The means were subtracted first: this is the correlation. The cosine takes the vectors as they are.",
        ),
        Slip(
            "zero_gives_nan",
            partial(_cosine_of_zero, zero=math.nan),
            "A zero vector gave 0 / 0 = NaN, which then spreads through all that is computed with it. Raise "
            "ValueError: it has no direction.",
        ),
        Slip(
            "zero_gives_zero",
            partial(_cosine_of_zero, zero=0.0),
            "A zero vector gave similarity 0, the same as a right angle. It has no direction at all: raise ValueError.",
        ),
    ),
    alternatives=(_cosine_by_loops, _cosine_of_units),
    hints=(
        "The dot product is length times length times cosine. Which of the three do you want?",
        "The length of x is np.sqrt((x * x).sum()), or np.linalg.norm(x). Divide the dot product by both lengths.",
        "lengths = np.linalg.norm(x) * np.linalg.norm(y); raise ValueError if lengths == 0; "
        "return float(np.dot(x, y) / lengths).",
    ),
)
