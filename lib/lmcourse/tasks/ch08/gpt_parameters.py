from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.tasks.ch08.shared import draw_ids


def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    """Return the number of parameters of a model of GPT-2's kind.

    Args:
        vocab_size: V.
        context_length: C.
        embed_dim: D.
        num_layers: L, 0 or more.

    Returns:
        An int.

    >>> gpt_parameters(3, 2, 1, 1)
    32
    """
    D = embed_dim
    attention = 4 * D * D + 4 * D
    feed_forward = 2 * 4 * D * D + 5 * D
    norms = 2 * 2 * D
    return (vocab_size + context_length) * D + num_layers * (attention + feed_forward + norms) + 2 * D


def cases(seed: int) -> list[Case]:
    vocabulary, context, width, layers = (7 + 2 * int(n) for n in draw_ids(seed, 500, 4))
    return [
        case("the worked example", 3, 2, 1, 1),
        case("a model of some size", vocabulary, context, width, layers),
        case("GPT-2 small", 50_257, 1_024, 768, 12),
        case("GPT-2 XL", 50_257, 1_024, 1_600, 48),
        border("no layers: embeddings and the last norm", vocabulary, context, width, 0),
        border("one layer", vocabulary, context, width, 1),
        border("a width of one", vocabulary, context, 1, layers),
        border("one token, one position", 1, 1, 3, 2),
        border("no layers and a width of one", 7, 5, 1, 0),
        border("more parameters than a float can count", 7, 5, 10**8 + 1, 3),
    ]


SLIPS = mistakes("""
matrices_only, as on the page: "Return the number of parameters of a model of GPT-2's kind"
    4 * D * D + 4 * D => 4 * D * D
    + 5 * D =>
    norms = 2 * 2 * D => norms = 0
    norms) + 2 * D => norms)
  That is the page's rule of thumb, 12 L D^2 and the embeddings. Here every parameter counts: the biases of all linear
  layers, and gain and bias of every norm.
layers_only, as on the page: "V"
    4 * D * D + 4 * D => 4 * D * D
    + 5 * D =>
    norms = 2 * 2 * D => norms = 0
    (vocab_size + context_length) * D + =>
    norms) + 2 * D => norms)
  That is 12 L D^2 alone, the page's rule of thumb for the matrices of the layers. Count the embeddings, the biases and
  the norms, too.
untied: "V"
    (vocab_size + context_length) => (2 * vocab_size + context_length)
  The head was counted as a matrix of its own. In GPT-2 it is the embedding table, used a second time.
no_positions: "C"
    (vocab_size + context_length) => vocab_size
  The learned positions are missing: a vector of D numbers for each of the C positions.
no_last_norm
    norms) + 2 * D => norms)
  The norm after the last layer is missing: it has 2 D parameters more.
no_output_projection
    4 * D * D + 4 * D => 3 * D * D + 3 * D
  The attention has four projections, not three: queries, keys, values, and the output after the heads are joined.
norm_without_bias
    norms = 2 * 2 * D => norms = 2 * D
    norms) + 2 * D => norms) + D
  A LayerNorm has a gain and a bias, 2 D; only the gain was counted, as an RMSNorm would have it.
one_norm_a_layer
    norms = 2 * 2 * D => norms = 2 * D
  Only one LayerNorm a layer was counted. There are two: one before the attention, one before the feed-forward block.
no_attention_biases: "Return the number of parameters of a model of GPT-2's kind"
    4 * D * D + 4 * D => 4 * D * D
  The biases of the attention are missing: each of its four projections has D of them.
equal_biases
    + 5 * D => + 8 * D
  Both layers of the feed-forward block were given 4 D biases. A linear layer has as many as it has outputs: 4 D and D.
small_biases
    + 5 * D => + 2 * D
  Both layers of the feed-forward block were given D biases. A linear layer has as many as it has outputs: 4 D and D.
last_norm_in_each_layer: "L, 0 or more"
    norms = 2 * 2 * D => norms = 3 * 2 * D
    norms) + 2 * D => norms)
  The last LayerNorm was counted in every layer. It stands once, after all layers.
positions_in_each_layer
    (vocab_size + context_length) * D + num_layers * ( => vocab_size * D + num_layers * (context_length * D +
  The learned positions were counted in every layer. They are added once, to the token vectors.
biases_as_numbers: "An int"
    4 * D * D + 4 * D => 4 * D * D + 4
    + 5 * D => + 5
  Each bias was counted as one number. It is a vector, as wide as the output of its layer.
""")
HINTS = hints("""
- Go through the model in order: two tables; per layer a norm, the attention, a norm, the feed-forward; a norm.
- Attention: four matrices D by D with biases, 4 D D + 4 D. Feed-forward: D by 4 D and 4 D by D, biases 5 D.
- return (vocab_size + context_length) * D + num_layers * (12 * D * D + 13 * D) + 2 * D
""")
task = Task(gpt_parameters, points=2, difficulty=2, minutes=15, cases=cases, slips=SLIPS, hints=HINTS)
