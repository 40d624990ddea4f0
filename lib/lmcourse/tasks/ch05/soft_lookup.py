import numpy as np
import torch

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch05.shared import CLOSE, double, normal


def soft_lookup(query, keys, values, sharpness=1.0):
    """Return the mean of the values, weighted by how well the query fits their keys.

    Large scores must not overflow.

    Args:
        query: a tensor (K,).
        keys: a tensor (S, K), S at least 1.
        values: a tensor (S, V).
        sharpness: what the scores are multiplied by, at least 0; 0 gives the plain mean.

    Returns:
        A tensor (V,).

    Raises:
        ValueError: the sharpness is negative.

    >>> keys, values = torch.eye(3), torch.tensor([[0.0, 9.0], [4.0, 4.0], [8.0, 1.0]])
    >>> [round(number, 2) for number in soft_lookup(torch.tensor([0.0, 1.0, 0.0]), keys, values, 2.0).tolist()]
    [4.0, 4.21]
    """
    if sharpness < 0:
        raise ValueError(f"`sharpness` must be at least 0, got {sharpness}.")
    scores = sharpness * (keys @ query)  # (S,)
    return scores.softmax(dim=-1) @ values


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng, other = np.random.default_rng(seed), np.random.default_rng([seed, 1])
    keys, values = torch.eye(3, dtype=torch.float64), double([[0.0, 9.0], [4.0, 4.0], [8.0, 1.0]])
    between = double([0.5, 0.5, 0.0])
    long_keys = double([[3.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    two, one, far, near = torch.ones(2).double(), double([1.0]), double([[2000.0], [0.0]]), double([[1000.0], [999.0]])
    return [
        case("the worked example", double([0.0, 1.0, 0.0]), keys, values, 2.0),
        case("a drawn query", normal(other, 3), normal(other, 6, 3), normal(other, 6, 2), 1.5),
        case("a query between two keys", between, keys, values, 50.0),
        case("keys of different lengths", double([1.0, 2.0]), long_keys, values, 0.5),
        border("sharpness 0, which gives the plain mean", normal(rng, 3), normal(rng, 7, 3), normal(rng, 7, 5), 0),
        border("sharpness nearly 0", normal(rng, 3), normal(rng, 7, 3), normal(rng, 7, 5), 1e-30),
        case("a sharp query, nearly a dictionary", normal(rng, 5), normal(rng, 11, 5), normal(rng, 11, 2), 40.0),
        case("sharpness not given", double([1.0, 2.0]), long_keys, normal(rng, 3, 4)),
        case("ordinary vectors, sharpness not given", normal(rng, 3), normal(rng, 5, 3), normal(rng, 5, 7)),
        border("two equal keys", two, torch.ones(2, 2).double(), normal(rng, 2, 3), 3.0),
        border("one key", normal(rng, 3), normal(rng, 1, 3), normal(rng, 1, 2), 2.0),
        border("values of width one", normal(rng, 3), normal(rng, 5, 3), normal(rng, 5, 1), 2.0),
        border("a query of zeros", torch.zeros(3).double(), normal(rng, 5, 3), normal(rng, 5, 2), 2.0),
        case("values as wide as the keys", normal(rng, 3), normal(rng, 5, 3), normal(rng, 5, 3), 0.5),
        case("as many keys as features", normal(rng, 4), normal(rng, 4, 4), normal(rng, 4, 4), 0.5),
        border("scores near 1,000, where exp overflows", 50 * two, normal(rng, 5, 2) + 20, normal(rng, 5, 3)),
        border("scores of 2,000 and 1,999", double([1.0]), double([[2000.0], [1999.0]]), normal(rng, 2, 3)),
        border("scores near -1,000, where exp gives 0", -50 * two, 0.01 * normal(rng, 5, 2) + 20, normal(rng, 5, 3)),
        border("scores of 2,000 and 0, and a sharpness of 0.001", one, far, normal(rng, 2, 3), 0.001),
        border("scores of 1,000 and 999, and a sharpness of 3", one, near, normal(rng, 2, 3), 3.0),
        border("a negative sharpness", normal(rng, 3), normal(rng, 5, 3), normal(rng, 5, 7), -1.0),
        border("a sharpness just below 0", normal(rng, 3), normal(rng, 5, 3), normal(rng, 5, 7), -1e-9),
        border("a negative sharpness and one key", torch.ones(2), torch.ones(1, 2), torch.ones(1, 3), -1.0),
    ]


SLIPS = mistakes("""
divided: "what the scores are multiplied by, at least 0"
    sharpness * (keys @ query) => (keys @ query) / max(sharpness, 1e-12)
  The scores are divided by the sharpness, so that a greater sharpness makes the weights more even. Multiply; dividing
  is what a temperature does.
sharpened_after: "what the scores are multiplied by, at least 0"
    sharpness * (keys @ query) => keys @ query
    return scores => return sharpness * scores
  The sharpness multiplies the weights after the softmax, so they no longer sum to 1. It belongs to the scores.
negative_accepted: "the sharpness is negative"
    sharpness < 0 => False
  A negative sharpness prefers the worst match and is accepted here. Raise ValueError.
negative_as_positive: "the sharpness is negative"
    sharpness < 0 => False
    sharpness * (keys => abs(sharpness) * (keys
  A negative sharpness was taken for the same number without its sign. Raise ValueError.
zero_refused: "0 gives the plain mean"
    sharpness < 0 => sharpness <= 0
  A sharpness of 0 was refused. It is allowed, and gives the plain mean of the values.
zero_as_missing: "0 gives the plain mean"
    sharpness * (keys => (sharpness or 1.0) * (keys
  A sharpness of 0 was taken for one that is not given. 0 is a number like any other: it makes all weights equal.
scaled
    keys @ query => keys @ query / len(query) ** 0.5
  The scores were divided by the root of the width. That comes in the next exercise; here the sharpness alone scales
  them.
cosine
    keys @ query => torch.cosine_similarity(keys, query[None], dim=-1)
  The scores are cosines, so that the lengths of query and keys do not count. Take the dot products.
overflow: "Large scores must not overflow"
    scores.softmax(dim=-1) => (scores.exp() / scores.exp().sum())
  Right for small scores, but exp overflows when they are large, and infinity divided by infinity is not a number.
  Subtract the maximum first, or use torch's softmax, which does so.
""")
HINTS = hints("""
- How well does the query fit each key? One dot product for each key. Then weights that sum to 1, then a mean of the
  values.
- keys @ query gives all scores at once, (S,). Where does the sharpness go so that 0 gives a plain mean?
- Check the sharpness, then: return (sharpness * (keys @ query)).softmax(dim=-1) @ values
""")
task = Task(soft_lookup, points=1, difficulty=2, minutes=10, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
