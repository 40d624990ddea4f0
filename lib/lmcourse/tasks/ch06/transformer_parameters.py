import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes


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
        case("sizes in a fixed order", 11, 7, 5, 3),
        case("three tables in a fixed order", 11, 7, 5, 3, False),
        border("a small one", sizes[0], sizes[1], sizes[2], int(rng.integers(1, 7))),
        border("three tables instead of one", sizes[3], sizes[4], sizes[5], int(rng.integers(1, 7)), False),
        border("one table, given by name", 13, 5, 3, 2, shared=True),
        border("no layers: zero", sizes[0], sizes[1], sizes[2], 0),
        border("no layers and three tables", 13, 5, 3, 0, shared=False),
        border("one hidden unit", 13, 5, 1, 2),
    ]


SLIPS = mistakes("""
no_attention_biases
    4 * (D * D + D) => 4 * D * D
  The biases of the attention's projections are missing: each of the four has D.
feed_forward_biases_exchanged: "F, the hidden width of the feed-forward blocks"
    + hidden + D => + 2 * D
  The first layer of the feed-forward block has a bias of F numbers, not of D: a bias has as many numbers as there are
  outputs.
no_cross_attention: "Return the number of parameters of a transformer"
    2 * attention => attention
  A decoder layer has two attentions, to itself and to the source. The second is missing.
two_norms
    3 * norm => 2 * norm
  A decoder layer has three sublayers and so three layer norms; two were counted.
norm_of_one_vector: "width"
    norm = 2 * D => norm = D
  A layer norm was counted with D numbers. It has two vectors, the gain and the bias.
norms_after_the_last
    return tables => return 4 * D + tables
  A norm after the last layer of encoder and decoder was counted. There is none here.
always_one_table: "one table for source, target and scores, or three"
    (1 if shared else 3) => 1
  One table was counted even where shared=False. Then there are three: source, target and scores.
two_tables: "one table for source, target and scores, or three"
    (1 if shared else 3) => (1 if shared else 2)
  Without sharing there are three tables, not two: the source's, the target's and that of the scores.
no_bias_of_the_scores
    tables + V + => tables +
  The scores have a bias too: V numbers, whether or not the table is shared.
bias_of_each_table: "words of the vocabulary, one for both sides"
    tables + V + => tables + (1 if shared else 3) * V +
  Each of the three tables got a bias. Only the scores have one: V numbers.
positions: "Return the number of parameters of a transformer"
    return tables => return V * D + tables
  A table was counted too much, of positions or of scores. Positions are not learned, and shared=True means one table
  for everything.
encoder_only: "L, encoder layers, and as many decoder layers"
    (encoder + decoder) => encoder
  Only the encoder's layers were counted; there are as many decoder layers.
""")
HINTS = hints("""
- Count one attention, one feed-forward block and one norm, then see how many of each a layer has.
- attention = 4 (D² + D); feed-forward = 2 D hidden + hidden + D; norm = 2 D. Encoder layer: 1, 1, 2 of them. Decoder
  layer: 2, 1, 3.
- tables = V D (or 3 V D), plus V for the scores' bias, plus layers times (encoder layer + decoder layer).
""")
task = Task(transformer_parameters, points=3, difficulty=3, minutes=20, cases=cases, slips=SLIPS, hints=HINTS)
