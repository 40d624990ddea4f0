"""Exercise `transformer_parameters`."""

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case


def transformer_parameters(V, D, hidden, layers, shared=True):
    """Return the number of parameters of a transformer.

    Args:
        V: words of the vocabulary, one for both sides.
        D: width.
        hidden: F, the hidden width of the feed-forward blocks.
        layers: L, encoder layers, and as many decoder layers.
        shared: one table for source, target and scores, or three.

    Returns:
        An int.

    >>> transformer_parameters(10, 2, 3, 1)
    156
    """
    attention = 4 * (D * D + D)
    feed = 2 * D * hidden + hidden + D
    norm = 2 * D
    encoder = attention + feed + 2 * norm
    decoder = 2 * attention + feed + 3 * norm
    tables = (1 if shared else 3) * V * D
    return tables + V + layers * (encoder + decoder)


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    sizes = [int(size) for size in rng.integers(3, 60, size=6)]
    return [
        case("the worked example", 10, 2, 3, 1),
        case("the paper's base model", 37_000, 512, 2_048, 6),
        border("a small one", sizes[0], sizes[1], sizes[2], int(rng.integers(1, 7))),
        border("three tables instead of one", sizes[3], sizes[4], sizes[5], int(rng.integers(1, 7)), False),
        border("no layers: zero", sizes[0], sizes[1], sizes[2], 0),
        case("hidden as wide as the model", 11, 7, 7, 3),
        border("one hidden unit", 13, 5, 1, 2),
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


task = Task(
    transformer_parameters,
    points=3,
    difficulty=3,
    minutes=20,
    cases=cases,
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
