"""Tasks of chapter 06, fifth part: counting parameters and multiplications."""

import numpy as np

from lmcourse.exercises import Case, Slip, Task, case
from lmcourse.tasks.transformer import CHAPTER

# ------------------------------------------------------------------------------------------- transformer_parameters


def _count(V: int, D: int, hidden: int, layers: int, shared: bool = True) -> int:
    attention = 4 * (D * D + D)
    feed = 2 * D * hidden + hidden + D
    norm = 2 * D
    encoder = attention + feed + 2 * norm
    decoder = 2 * attention + feed + 3 * norm
    tables = (1 if shared else 3) * V * D
    return tables + V + layers * (encoder + decoder)


def _count_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    sizes = [int(size) for size in rng.integers(3, 60, size=6)]
    return [
        case("the worked example", 10, 2, 3, 1),
        case("the paper's base model", 37_000, 512, 2_048, 6),
        case("a small one", sizes[0], sizes[1], sizes[2], int(rng.integers(1, 7))),
        case("three tables instead of one", sizes[3], sizes[4], sizes[5], int(rng.integers(1, 7)), False),
        case("no layers: zero", sizes[0], sizes[1], sizes[2], 0),
        case("hidden as wide as the model", 11, 7, 7, 3),
        case("one hidden unit", 13, 5, 1, 2),
    ]


def _count_by_library(V: int, D: int, hidden: int, layers: int, shared: bool = True) -> int:
    total = 0
    for blocks, norms in ((1, 2), (2, 3)):
        linears = [(D, D)] * (4 * blocks) + [(D, hidden), (hidden, D)]
        total += layers * (sum(rows * columns + columns for rows, columns in linears) + norms * (D + D))
    return total + sum(V * D for _ in range(1 if shared else 3)) + V


def _count_by_polynomial(V: int, D: int, hidden: int, layers: int, shared: bool = True) -> int:
    a_layer_pair = 12 * D**2 + 4 * D * hidden + 24 * D + 2 * hidden
    return layers * a_layer_pair + V * (D * [3, 1][bool(shared)] + 1)


def _count_wrong(V: int, D: int, hidden: int, layers: int, shared: bool = True, *, how: str) -> int:
    bias = 0 if how == "no_biases" else 1
    attention = {"three": 3, "heads": 3}.get(how, 4) * (D * D + bias * D)
    feed = 2 * D * hidden + bias * (hidden + D)
    if how == "one_feed":
        feed = D * hidden + hidden
    norm = 0 if how == "no_norms" else D if how == "one_vector" else 2 * D
    encoder = attention + feed + 2 * norm
    decoder = (1 if how == "no_cross" else 2) * attention + feed + (2 if how == "two_norms" else 3) * norm
    tables = 1 if shared else 3
    if how == "untied":
        tables = 3
    stack = layers * (encoder + (0 if how == "encoder_only" else decoder))
    return tables * V * D + (0 if how in ("no_head_bias", "no_biases") else V) + stack


transformer_parameters = Task(
    name="transformer_parameters",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=20,
    cases=_count_cases,
    reference=_count,
    slips=(
        Slip(
            "no_biases",
            lambda *a: _count_wrong(*a, how="no_biases"),
            "The biases are missing. Every linear layer has one number a column: D in a projection, hidden and D in "
            "the feed-forward block, V in the scores.",
        ),
        Slip(
            "three_projections",
            lambda *a: _count_wrong(*a, how="three"),
            "Attention has four projections: queries, keys, values, and the output. One is missing.",
        ),
        Slip(
            "no_cross_attention",
            lambda *a: _count_wrong(*a, how="no_cross"),
            "A decoder layer has two attentions, to itself and to the source. The second is missing.",
        ),
        Slip(
            "two_norms",
            lambda *a: _count_wrong(*a, how="two_norms"),
            "A decoder layer has three sublayers and so three layer norms; two were counted.",
        ),
        Slip(
            "no_norms",
            lambda *a: _count_wrong(*a, how="no_norms"),
            "The layer norms are missing: each has a gain and a bias, 2 D numbers.",
        ),
        Slip(
            "norm_of_one_vector",
            lambda *a: _count_wrong(*a, how="one_vector"),
            "A layer norm was counted with D numbers. It has two vectors, the gain and the bias.",
        ),
        Slip(
            "one_feed_forward_matrix",
            lambda *a: _count_wrong(*a, how="one_feed"),
            "The feed-forward block has two matrices, one that expands and one that collapses.",
        ),
        Slip(
            "tables_untied",
            lambda *a: _count_wrong(*a, how="untied"),
            "Three tables were counted though they are shared. With shared=True source, target and scores use one.",
        ),
        Slip(
            "no_bias_of_the_scores",
            lambda *a: _count_wrong(*a, how="no_head_bias"),
            "The scores have a bias too: V numbers, whether or not the table is shared.",
        ),
        Slip(
            "encoder_only",
            lambda *a: _count_wrong(*a, how="encoder_only"),
            "Only the encoder's layers were counted; there are as many decoder layers.",
        ),
    ),
    alternatives=(_count_by_library, _count_by_polynomial),
    hints=(
        "Count one attention, one feed-forward block and one norm, then see how many of each a layer has.",
        "attention = 4 (D² + D); feed-forward = 2 D hidden + hidden + D; norm = 2 D. Encoder layer: 1, 1, 2 of them. "
        "Decoder layer: 2, 1, 3.",
        "tables = V D (or 3 V D), plus V for the scores' bias, plus layers times (encoder layer + decoder layer).",
    ),
)


# ------------------------------------------------------------------------------------------------------- layer_cost


def _cost(n: int, D: int, hidden: int) -> dict[str, int]:
    return {
        "projections": 4 * n * D * D,
        "scores": n * n * D,
        "values": n * n * D,
        "feed_forward": 2 * n * D * hidden,
    }


def _cost_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", 3, 2, 8),
        case("a short text", int(rng.integers(5, 50)), 64, 256),
        case("a long text", int(rng.integers(5_000, 50_000)), 64, 256),
        case("other sizes", *(int(size) for size in rng.integers(2, 100, size=3))),
        case("one token", 1, int(rng.integers(2, 100)), 13),
        case("an empty text", 0, 8, 32),
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


layer_cost = Task(
    name="layer_cost",
    chapter=CHAPTER,
    points=2,
    difficulty=3,
    minutes=15,
    cases=_cost_cases,
    reference=_cost,
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
