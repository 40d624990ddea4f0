import math

import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn


def perplexity(probs):
    """Return the perplexity of a model from the probabilities that it gave to the tokens that came next.

    Args:
        probs: a list of floats from 0 to 1, one for each token; it may be long.

    Returns:
        A float of at least 1; math.inf if a probability is 0.

    Raises:
        ValueError: the list is empty, or a number is below 0 or above 1.

    >>> round(perplexity([0.5, 0.25, 0.125]), 4)
    4.0
    """
    if not probs or min(probs) < 0 or max(probs) > 1:
        raise ValueError("`probs` must hold at least one number, each from 0 to 1.")
    if min(probs) == 0:
        return math.inf
    return math.exp(-sum(math.log(prob) for prob in probs) / len(probs))


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    ordinary = [float(prob) for prob in rng.uniform(0.01, 0.9, size=23)]
    long = [float(prob) for prob in rng.uniform(0.001, 0.02, size=1009)]
    return [
        case("the worked example", [0.5, 0.25, 0.125]),
        case("23 tokens", ordinary),
        border("one token", [float(rng.uniform(0.1, 0.9))]),
        border("equal chances among 10", [0.1] * 7),
        case("certainty", [1.0, 1.0, 1.0, 1.0, 1.0]),
        border("1,009 tokens, whose product is below the smallest float", long),
        border("a token that got probability 0", [0.5, 0.0, 0.25]),
        border("the smallest float above 0", [0.5, 5e-324]),
        border("a probability of 0 and one of 1", [1.0, 0.0]),
        border("no tokens", []),
        border("a number above 1 after a 0", [0.0, 1.5]),
        border("a number below 0 after a 0", [0.0, -0.5]),
        border("one number below 0", [-0.5]),
        border("two numbers below 0, whose product is positive", [-0.5, -0.5]),
        border("a number above 1", [0.5, 1.5]),
        border("a number below 0", [0.5, -0.5]),
    ]


SLIPS = mistakes("""
entropy_in_nats: "Return the perplexity of a model from the probabilities that it gave to the tokens that came next"
    math.exp(-sum(math.log(prob) for prob in probs) / len(probs)) => -sum(math.log(prob) for prob in probs) / len(probs)
  This is the mean of -log p, the cross-entropy in nats. Perplexity is exp of it: the number of equally likely words
  that would puzzle the model as much.
mean_of_inverses: "Return the perplexity of a model from the probabilities that it gave to the tokens that came next"
    math.exp(-sum(math.log(prob) for prob in probs) / len(probs)) => sum(1 / prob for prob in probs) / len(probs)
  This is the mean of 1 / p. Perplexity is the geometric mean of 1 / p: average the logarithms, and take exp at the end.
inverse_of_the_mean: "Return the perplexity of a model from the probabilities that it gave to the tokens that came next"
    return math.inf => pass
    exp(-sum(math.log(prob) for prob in probs) / len(probs) => inf if not any(probs) else len(probs) / sum(probs
  This is 1 over the mean probability, so one good guess hides many bad ones. Average the logarithms of the
  probabilities, not the probabilities.
no_mean: "Return the perplexity of a model from the probabilities that it gave to the tokens that came next"
    math.exp(-sum(math.log(prob) for prob in probs) / len(probs)) => math.prod(1 / prob for prob in probs)
  The logarithms were summed but not divided by the number of tokens, so a longer text looks worse. Take the mean.
mixed_bases: "Return the perplexity of a model from the probabilities that it gave to the tokens that came next"
    math.exp => 2 **
  2 was raised to a power in nats. Stay with one base: exp with log, or 2 ** with log2.
product_underflows: "it may be long"
    math.exp(-sum(math.log(prob) for prob in probs) / len(probs)) => float(np.prod(probs) ** (-1 / len(probs)))
  The product of a thousand small probabilities is below the smallest float and becomes 0, and the perplexity infinite.
  Sum logarithms instead of multiplying.
log_of_zero: "math.inf if a probability is 0"
    if min(probs) == 0 => if False
  math.log(0) stops with an error. A model that gave 0 to a token that came next has infinite perplexity: return
  math.inf.
""")
HINTS = hints("""
- How surprised is the model at a token, and how surprised is it on average? Then undo the logarithm.
- exp of the mean of -log p. A product of many probabilities underflows, a sum of logarithms does not.
- if 0 in probs: return math.inf; return math.exp(-sum(math.log(p) for p in probs) / len(probs)); before that,
  ValueError if probs is empty or any p is outside 0 to 1.
""")
task = Task(perplexity, points=2, difficulty=2, minutes=10, cases=cases, slips=SLIPS, hints=HINTS)
