"""Exercise `shift_rotation`."""

import math

import numpy as np

from lmcourse.exercises import Case, Compare, Slip, Task, border, case


def shift_rotation(n, D):
    """Return the matrix that turns the sinusoidal vector of any position into that of n positions further.

    Args:
        n: the shift, an int; below 0 it goes back.
        D: the width, even.

    Returns:
        A NumPy array of float64, (D, D), with 2 by 2 blocks on its diagonal.

    Raises:
        ValueError: D is odd or below 2.

    >>> shift_rotation(1, 2).round(3).tolist()
    [[0.54, 0.841], [-0.841, 0.54]]
    """
    if D < 2 or D % 2:
        raise ValueError(f"`D` must be even and at least 2, got {D}.")
    matrix = np.zeros((D, D))
    for j in range(0, D, 2):
        angle = n / 10000 ** (j / D)
        c, s = math.cos(angle), math.sin(angle)
        matrix[j : j + 2, j : j + 2] = [[c, s], [-s, c]]
    return matrix


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", 1, 2),
        case("a few words further", int(rng.integers(2, 9)), 6),
        case("far", int(rng.integers(100, 1_000)), 10),
        border("a shift of zero, which changes nothing", 0, 2 * int(rng.integers(2, 6))),
        border("backwards, below zero", -int(rng.integers(1, 20)), 4),
        case("a wide model", int(rng.integers(1, 9)), 34),
        case("an odd width", 3, 5),
        border("no width", 3, 0),
    ]


def _shift_by_parts(n: int, D: int) -> np.ndarray:
    if D % 2 or D <= 0:
        raise ValueError("`D`")
    angles = n * 10000.0 ** (-np.arange(0, D, 2) / D)
    matrix = np.diag(np.repeat(np.cos(angles), 2))
    rows = np.arange(0, D, 2)
    matrix[rows, rows + 1], matrix[rows + 1, rows] = np.sin(angles), -np.sin(angles)
    return matrix


def _shift_by_complex(n: int, D: int) -> np.ndarray:
    if D < 1 or D & 1:
        raise ValueError("D is not even")
    turns = np.exp(1j * n * np.power(10000.0, -np.arange(D // 2) * 2 / D))
    matrix = np.zeros((D // 2, 2, D // 2, 2))
    for i, turn in enumerate(turns):
        matrix[i, :, i, :] = [[turn.real, turn.imag], [-turn.imag, turn.real]]
    return matrix.reshape(D, D)


def _shift_wrong(n: int, D: int, *, how: str) -> np.ndarray:
    if how != "unchecked" and (D < 2 or D % 2):
        raise ValueError("D")
    matrix = np.zeros((D, D))
    for j in range(0, D - 1, 2):
        angle = {"one_speed": float(n), "exponent": n / 10000 ** (j / 2 / D)}.get(how, n / 10000 ** (j / D))
        c, s = math.cos(angle), math.sin(angle)
        block = {"backwards": [[c, -s], [s, c]], "mirror": [[c, s], [s, -c]], "no_minus": [[c, s], [s, c]]}
        matrix[j : j + 2, j : j + 2] = block.get(how, [[c, s], [-s, c]])
    if how == "halves":
        order = np.concatenate([np.arange(0, D, 2), np.arange(1, D, 2)])
        return matrix[np.ix_(order, order)]
    return matrix


task = Task(
    shift_rotation,
    points=3,
    difficulty=3,
    minutes=20,
    cases=cases,
    compare=Compare(rtol=1e-9, atol=1e-9),
    slips=(
        Slip(
            "backwards",
            lambda n, D: _shift_wrong(n, D, how="backwards"),
            "This turns the wrong way: it gives position pos - n. With (sine, cosine) in a pair, sin(a + b) = sin a "
            "cos b + cos a sin b puts a plus on the sine in the first row.",
        ),
        Slip(
            "one_speed",
            lambda n, D: _shift_wrong(n, D, how="one_speed"),
            "Every pair is turned by the same angle n. Pair i turns by n / 10000^(2i / D): the later, the slower.",
        ),
        Slip(
            "exponent",
            lambda n, D: _shift_wrong(n, D, how="exponent"),
            "The exponent is i / D for pair i; it must be 2i / D, the column's number over D.",
        ),
        Slip(
            "mirror",
            lambda n, D: _shift_wrong(n, D, how="mirror"),
            "Each block is a reflection, not a rotation: its determinant is -1. The second row is (-sin, cos).",
        ),
        Slip(
            "no_minus",
            lambda n, D: _shift_wrong(n, D, how="no_minus"),
            "A minus sign is missing, so lengths change: cos(a + b) = cos a cos b - sin a sin b gives the second row.",
        ),
        Slip(
            "halves",
            lambda n, D: _shift_wrong(n, D, how="halves"),
            "The pairs lie half a vector apart here. In the paper's table a pair is two neighbouring columns, so the "
            "matrix has 2 by 2 blocks on its diagonal.",
        ),
        Slip(
            "unchecked",
            lambda n, D: _shift_wrong(n, D, how="unchecked"),
            "The matrix is right, but an odd width went through, where one column has no partner. Raise ValueError "
            "unless D is even and at least 2.",
        ),
    ),
    alternatives=(_shift_by_parts, _shift_by_complex),
    hints=(
        "How do you get from (sin a, cos a) to (sin(a + b), cos(a + b))? Write the two addition formulas as a 2 by 2 "
        "matrix.",
        "For pair i the angle is b = n / 10000 ** (2 * i / D), and its block stands at rows and columns 2i and 2i + 1.",
        "matrix = np.zeros((D, D)); for j in range(0, D, 2): angle = n / 10000 ** (j / D); matrix[j:j+2, j:j+2] = "
        "[[cos, sin], [-sin, cos]]. Check D first.",
    ),
)
