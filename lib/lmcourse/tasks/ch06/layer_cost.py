"""Exercise `layer_cost`."""

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case


def layer_cost(n, D, hidden):
    """Return the multiplications of an encoder layer, by part.

    Args:
        n: tokens.
        D: width.
        hidden: F, the hidden width of the feed-forward block.

    Returns:
        A dict of ints: "projections", "scores", "values", "feed_forward".

    >>> layer_cost(3, 2, 8)
    {'projections': 48, 'scores': 18, 'values': 18, 'feed_forward': 96}
    """
    return {
        "projections": 4 * n * D * D,
        "scores": n * n * D,
        "values": n * n * D,
        "feed_forward": 2 * n * D * hidden,
    }


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", 3, 2, 8),
        case("a short text", int(rng.integers(5, 50)), 64, 256),
        case("a long text", int(rng.integers(5_000, 50_000)), 64, 256),
        case("other sizes", *(int(size) for size in rng.integers(2, 100, size=3))),
        border("one token", 1, int(rng.integers(2, 100)), 13),
        border("an empty text", 0, 8, 32),
        case("the base model", 100, 512, 2_048),
    ]


def _cost_by_products(n: int, D: int, hidden: int) -> dict[str, int]:
    def product(rows: int, inner: int, columns: int) -> int:
        return rows * inner * columns

    return {
        "projections": sum(product(n, D, D) for _ in "qkvo"),
        "scores": product(n, D, n),
        "values": product(n, n, D),
        "feed_forward": product(n, D, hidden) + product(n, hidden, D),
    }


def _cost_by_totals(n: int, D: int, hidden: int) -> dict[str, int]:
    square, line = pow(n, 2) * D, n * D
    return dict(
        zip(
            ("projections", "scores", "values", "feed_forward"),
            (line * D << 2, square, square, line * hidden << 1),
            strict=True,
        )
    )


def _cost_wrong(n: int, D: int, hidden: int, *, how: str) -> dict[str, int]:
    cost = {"projections": 4 * n * D * D, "scores": n * n * D, "values": n * n * D, "feed_forward": 2 * n * D * hidden}
    change = {
        "three": {"projections": 3 * n * D * D},
        "no_width": {"scores": n * n, "values": n * n},
        "linear_values": {"values": n * D * D},
        "one_feed": {"feed_forward": n * D * hidden},
        "feed_square": {"feed_forward": 2 * n * n * hidden},
        "one_token": {"projections": 4 * D * D, "feed_forward": 2 * D * hidden},
        "flops": {name: 2 * value for name, value in cost.items()},
    }
    return cost | change[how]


task = Task(
    layer_cost,
    points=2,
    difficulty=3,
    minutes=15,
    cases=cases,
    slips=(
        Slip(
            "three_projections",
            lambda *a: _cost_wrong(*a, how="three"),
            "There are four projections: queries, keys, values and the output.",
        ),
        Slip(
            "no_width",
            lambda *a: _cost_wrong(*a, how="no_width"),
            "n² entries were counted, but each score is a dot product of D numbers (all heads together), and each "
            "weight multiplies D numbers.",
        ),
        Slip(
            "linear_values",
            lambda *a: _cost_wrong(*a, how="linear_values"),
            "The weighted values are an (n x n) table times an (n x D) matrix: n * n * D.",
        ),
        Slip(
            "one_feed_forward_matrix",
            lambda *a: _cost_wrong(*a, how="one_feed"),
            "The feed-forward block has two matrices, D x hidden and hidden x D.",
        ),
        Slip(
            "feed_forward_square",
            lambda *a: _cost_wrong(*a, how="feed_square"),
            "The feed-forward block never sees two positions at once, so it cannot grow with n². It runs n times.",
        ),
        Slip(
            "one_token",
            lambda *a: _cost_wrong(*a, how="one_token"),
            "Projections and feed-forward were counted for one token. All n tokens go through them.",
        ),
        Slip(
            "flops",
            lambda *a: _cost_wrong(*a, how="flops"),
            "Every count is doubled: these are operations, an addition for each multiplication. Count multiplications.",
        ),
    ),
    alternatives=(_cost_by_products, _cost_by_totals),
    hints=(
        "A product of an (a x b) and a (b x c) matrix takes a * b * c multiplications. Which products are there?",
        "Four of (n x D) with (D x D); queries with keys, (n x D) with (D x n); weights with values, (n x n) with "
        "(n x D); and the two of the feed-forward block.",
        "{'projections': 4 * n * D * D, 'scores': n * n * D, 'values': n * n * D, 'feed_forward': 2 * n * D * hidden}",
    ),
)
