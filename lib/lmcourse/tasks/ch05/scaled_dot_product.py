import numpy as np
import torch

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch05.shared import CLOSE, double, normal


def scaled_dot_product(query, key, value):
    """Return scaled dot-product attention.

    Large scores must not overflow.

    Args:
        query: a tensor (..., T, K).
        key: a tensor (..., S, K).
        value: a tensor (..., S, V).

    Returns:
        A tensor (..., T, V).

    Raises:
        ValueError: key and query differ in width.

    >>> out = scaled_dot_product(torch.tensor([[2.0, 0, 0, 0]]), torch.eye(2, 4), torch.eye(2))
    >>> [round(number, 3) for number in out[0].tolist()]
    [0.731, 0.269]
    """
    width = query.shape[-1]
    if key.shape[-1] != width:
        raise ValueError(f"`key` must be as wide as `query`, got {key.shape[-1]} and {width}.")
    scores = query @ key.transpose(-2, -1) / width**0.5  # (..., T, S)
    return scores.softmax(dim=-1) @ value


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    worked = double([[2.0, 0.0, 0.0, 0.0]]), torch.eye(2, 4).double(), torch.eye(2).double()
    magnitudes = double([[1e4], [1.0], [1e-30], [-1e4]])
    far = normal(rng, 2, 3, 4) + 50, normal(rng, 2, 5, 4) + 10
    turned = (normal(rng, 2, 5, 3).mT, normal(rng, 2, 5, 7).mT, normal(rng, 2, 4, 7).mT)
    return [
        case("the worked example", *worked),
        border("one sentence", normal(rng, 5, 3), normal(rng, 5, 3), normal(rng, 5, 3)),
        case("a batch", normal(rng, 2, 5, 3), normal(rng, 2, 5, 3), normal(rng, 2, 5, 3)),
        case("a batch with heads", normal(rng, 2, 3, 5, 7), normal(rng, 2, 3, 5, 7), normal(rng, 2, 3, 5, 7)),
        case("three axes before the last two", *(normal(rng, 2, 3, 2, 4, 5) for _ in range(3))),
        case("more keys than queries", normal(rng, 2, 3, 5), normal(rng, 2, 7, 5), normal(rng, 2, 7, 5)),
        case("fewer keys than queries", normal(rng, 2, 7, 5), normal(rng, 2, 3, 5), normal(rng, 2, 3, 5)),
        case("values of another width", normal(rng, 7, 5), normal(rng, 7, 5), normal(rng, 7, 11)),
        case("as many words as features", normal(rng, 2, 4, 4), normal(rng, 2, 4, 4), normal(rng, 2, 4, 4)),
        case("as many texts as words and features", normal(rng, 3, 3, 3), normal(rng, 3, 3, 3), normal(rng, 3, 3, 3)),
        case("width 64", 2 * normal(rng, 3, 64), normal(rng, 3, 64), normal(rng, 3, 64)),
        border("one query, one key", normal(rng, 1, 3), normal(rng, 1, 3), normal(rng, 1, 2)),
        border("width one", normal(rng, 3, 1), normal(rng, 5, 1), normal(rng, 5, 1)),
        border("queries of different magnitudes", magnitudes * normal(rng, 4, 3), normal(rng, 5, 3), normal(rng, 5, 2)),
        border("scores near 1,000, where exp overflows", *far, normal(rng, 2, 5, 2)),
        border("scores of 2,000 and 1,999", torch.ones(1, 1).double(), double([[2000.0], [1999.0]]), normal(rng, 2, 3)),
        case("tensors whose rows do not lie one after the other", *turned),
        case("float32", *(normal(rng, 3, 5, 2, dtype=torch.float32) for _ in range(3))),
        border("a key of another width, which no query fits", normal(rng, 5, 3), normal(rng, 5, 2), normal(rng, 5, 3)),
        border("a key of width one", normal(rng, 5, 3), normal(rng, 4, 1), normal(rng, 4, 3)),
        border("a key of another width, and no queries", torch.zeros(0, 3), torch.zeros(2, 5), torch.zeros(2, 2)),
        border("a query of width one and a wider key", normal(rng, 5, 1), normal(rng, 5, 3), normal(rng, 5, 3)),
        border(
            "a batch of keys wider than the queries", normal(rng, 2, 5, 3), normal(rng, 2, 3, 5), normal(rng, 2, 3, 5)
        ),
    ]


SLIPS = mistakes("""
divided_by_width
    width**0.5 => width
  The scores are divided by the width itself (or by its root twice), which makes them too small. The standard deviation
  of a dot product is the square root of the width.
root_of_length: "Return scaled dot-product attention"
    width**0.5 => key.shape[-2] ** 0.5
  The scores are divided by the root of the number of keys. It is the width of the vectors that makes the scores large,
  not how many there are.
root_of_value_width: "a tensor (..., S, V)"
    width**0.5 => value.shape[-1] ** 0.5
  The scores are divided by the root of the width of the values. The dot products are of queries and keys: their width
  counts.
over_queries: "Return scaled dot-product attention"
    dim=-1 => dim=-2
  The softmax runs over the queries, so each column sums to 1. Each query divides its weight among the keys: the last
  axis.
over_the_second_axis: "(..., T, K)"
    softmax(dim=-1) => softmax(dim=1)
  Right for one sentence, but with a batch axis 1 is no longer that of the keys. Count from the end: dim=-1.
all_axes_turned: "(..., T, K)"
    key.transpose(-2, -1) => key.permute(*reversed(range(key.dim())))
  Right for one sentence, but on a batch .T exchanges all axes. Say which two you mean: key.transpose(-2, -1).
overflow: "Large scores must not overflow"
    scores.softmax(dim=-1) => (scores.exp() / scores.exp().sum(dim=-1, keepdim=True))
  Right for small scores, but exp overflows when they are large, and infinity divided by infinity is not a number.
  Subtract from each row its maximum first, or use torch's softmax, which does so.
one_maximum: "Large scores must not overflow"
    scores.softmax(dim=-1) => ((scores - scores.max()).exp() / (scores - scores.max()).exp().sum(dim=-1, keepdim=True))
  One maximum was subtracted from all scores, so a query far below it gets 0 divided by 0. Subtract from each row its
  own: amax(dim=-1, keepdim=True).
other_error: "key and query differ in width"
    key.shape[-1] != width => False
  Where queries and keys differ in width, the error is the one that torch raises for the matrix product. Compare the
  widths first, and raise ValueError.
lengths_refused
    key.shape[-1] != width => key.shape != query.shape
  Keys of the same width as the queries were refused, because there were more or fewer of them. Only the widths must be
  the same.
""")
HINTS = hints("""
- Scores (..., T, S), softmax over the keys, weighted mean of the values. What do you divide the scores by, and when?
- key.transpose(-2, -1) exchanges the last two axes, whatever stands before them.
- After the check of the widths: scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5, then
  scores.softmax(dim=-1) @ value.
""")
task = Task(
    scaled_dot_product, points=2, difficulty=2, minutes=15, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS
)
