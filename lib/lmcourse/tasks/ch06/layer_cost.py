import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes


def layer_cost(n, D, hidden):
    """Return the multiplications of an encoder layer, by part.

    Args:
        n: tokens, 0 or more.
        D: width.
        hidden: F, the hidden width of the feed-forward block.

    Returns:
        A dict of ints: "projections" (of queries, keys, values and output), "scores", "values" (their weighted
        sums), "feed_forward".

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
        case("sizes in a fixed order", 7, 5, 3),
        case("a short text", int(rng.integers(5, 50)), 64, 256),
        case("a long text", int(rng.integers(5_000, 50_000)), 64, 256),
        case("other sizes", *(int(size) for size in rng.integers(2, 100, size=3))),
        border("one token", 1, int(rng.integers(2, 100)), 13),
        border("an empty text", 0, 8, 32),
        border("width one", 5, 1, 3),
        border("one hidden unit", 5, 3, 1),
        case("sizes whose products a float rounds", 3_000_001, 4_001, 16_001),
    ]


SLIPS = mistakes("""
three_projections: ""projections" (of queries, keys, values and output)"
    4 * n * D * D => 3 * n * D * D
  There are four projections: queries, keys, values and the output.
no_width: "width"
    "scores": n * n * D => "scores": n * n
    "values": n * n * D => "values": n * n
  n² entries were counted, but each score is a dot product of D numbers (all heads together), and each weight multiplies
  D numbers.
linear_values: ""values" (their weighted sums)"
    "values": n * n * D => "values": n * D * D
  The weighted values are an (n x n) table times an (n x D) matrix: n * n * D.
linear_scores: ""scores""
    "scores": n * n * D => "scores": n * D * D
  The scores are an (n x D) matrix times a (D x n) matrix: n * n * D.
one_feed_forward_matrix: ""feed_forward""
    2 * n * D * hidden => n * D * hidden
  The feed-forward block has two matrices, D x hidden and hidden x D.
feed_forward_four_times_as_wide: "F, the hidden width of the feed-forward block"
    2 * n * D * hidden => 8 * n * D * D
  The hidden width was taken for 4 D. It is the argument `hidden`: two products, n * D * hidden each.
flops: "Return the multiplications of an encoder layer, by part"
    4 * n * D * D => 8 * n * D * D
    "scores": n * n * D => "scores": 2 * n * n * D
    "values": n * n * D => "values": 2 * n * n * D
    2 * n * D * hidden => 4 * n * D * hidden
  Every count is doubled: these are operations, an addition for each multiplication. Count multiplications.
causal
    "scores": n * n * D => "scores": n * (n + 1) // 2 * D
    "values": n * n * D => "values": n * (n + 1) // 2 * D
  Only one triangle of the table was counted, as with a causal mask. In an encoder every token looks at every token: n².
""")
HINTS = hints("""
- A product of an (a x b) and a (b x c) matrix takes a * b * c multiplications. Which products are there?
- Four of (n x D) with (D x D); queries with keys, (n x D) with (D x n); weights with values, (n x n) with (n x D); and
  the two of the feed-forward block.
- {'projections': 4 * n * D * D, 'scores': n * n * D, 'values': n * n * D, 'feed_forward': 2 * n * D * hidden}
""")
task = Task(layer_cost, points=2, difficulty=3, minutes=15, cases=cases, slips=SLIPS, hints=HINTS)
