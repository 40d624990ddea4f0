import math

import torch
import torch.nn.functional as F

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch03.shared import drawer
from lmcourse.tasks.ch05.shared import double


def tempered_probs(logits, temperature):
    """Return the probabilities from which a token is sampled.

    Args:
        logits: (V,) or (B, V), floating point, finite, also when divided by the temperature, but of any size: exp of
            them may be infinite.
        temperature: a number, 0 or more; one that is not 0 is at least 0.01.

    Returns:
        A new tensor of the shape and the element type of `logits`; each row sums to 1. At temperature 0 the likeliest
        token of each row has probability 1, the first of them if several are equal.

    Raises:
        ValueError: the temperature is negative.

    >>> [round(value, 3) for value in tempered_probs(torch.tensor([0.0, math.log(2)]), 0.5).tolist()]
    [0.2, 0.8]
    """
    if temperature < 0:
        raise ValueError(f"`temperature` must be 0 or more, got {temperature}.")
    if temperature == 0:
        return F.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    return torch.softmax(logits / temperature, dim=-1)


@drawn(3)
def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    single = drawer(seed, torch.float32)
    worked, sizes = double([0.0, math.log(2.0)]), double([[1e4], [-1e4], [0.0]])
    ties = double([[1.0, 3.0, 3.0, 0.0], [2.0, 2.0, 2.0, 2.0], [-1.0, -2.0, -1.0, -1.0]])
    return [
        case("the worked example", worked, 0.5),
        case("hot", draw(5), 2.5),
        case("three rows at once", draw(3, 5), 0.7),
        case("as many rows as logits", 3 * draw(3, 3), 1.7),
        case("a whole number", draw(2, 5), 3),
        case("float32", single(2, 3), 0.6),
        border("one row in a batch", draw(1, 5), 0.7),
        border("temperature 0, float32", single(2, 3), 0.0),
        border("temperature 0 and two equal logits", torch.tensor([1.0, 3.0, 3.0], dtype=torch.float64), 0.0),
        border("temperature 0 and equal logits in several rows", ties, 0.0),
        border("temperature 0.05, far below 1", torch.tensor([1.0, 1.05, 0.9], dtype=torch.float64), 0.05),
        border("temperature 0 and nearly equal logits", double([1.0, 1.0 - 1e-9, 1.0 + 1e-9]), 0.0),
        border("logits far below 0", 5 * draw(5) - 900, 0.5),
        border("a row near 10,000, one near -10,000 and one near 0", sizes + draw(3, 5), 1.3),
        border("a negative temperature", draw(3), -1.0),
        border("a negative temperature and one token", torch.zeros(1), -1.0),
        border("a temperature a little below 0", draw(3), -1e-9),
    ]


SLIPS = mistakes("""
times: "Return the probabilities from which a token is sampled"
    logits / temperature => logits * temperature
  The logits were multiplied by the temperature, so that hot and cold are exchanged. Divide: a small temperature makes
  the differences large.
ties_share: "the first of them if several are equal"
    F.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype) => (logits == logits.amax(-1,
        keepdim=True)).to(logits.dtype) / (logits == logits.amax(-1, keepdim=True)).sum(-1, keepdim=True)
  At temperature 0 two equal logits share the probability. Here the first of them gets all, so that greedy choices are
  always the same.
last_of_equals: "the first of them if several are equal"
    F.one_hot(logits.argmax(-1), logits.shape[-1]) => F.one_hot(logits.flip(-1).argmax(-1), logits.shape[-1]).flip(-1)
  At temperature 0 the last of several equal logits got all. The first of them does.
tiny_for_zero
    if temperature == 0:
    |        return F.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype) =>
        temperature = max(temperature, 1e-6)
  A tiny temperature was used instead of 0. Equal logits then share the probability, and nearly equal ones, too. At 0
  the first of the likeliest gets all.
one_hot_of_ints: "element type of `logits`"
    .to(logits.dtype) =>
  At temperature 0 the result holds ints. It has the element type of the logits: .to(logits.dtype).
unstable: "of any size"
    torch.softmax(logits / temperature, dim=-1) =>
        (logits / temperature).exp() / (logits / temperature).exp().sum(-1, keepdim=True)
  exp of a large logit is infinite, and infinity by infinity is NaN. torch.softmax subtracts the largest logit first.
one_maximum: "of any size"
    torch.softmax(logits / temperature, dim=-1) => ((logits - logits.max()) / temperature).exp() / ((logits -
        logits.max()) / temperature).exp().sum(-1, keepdim=True)
  One maximum was subtracted from all rows, so that in a row far below it every exp is 0, and 0 / 0 is not a number.
  Each row has its own, and torch.softmax takes care of that.
first_dimension: "(V,) or (B, V)"
    dim=-1 => dim=0
  The softmax ran over the first dimension. Each row is a distribution of its own: dim=-1.
in_place: "A new tensor"
    logits / temperature => logits.div_(temperature)
  The probabilities are right, but the caller's logits were divided in place (/= or div_). Leave them as they are.
zero_refused: "the temperature is negative"
    temperature < 0 => temperature <= 0
  Temperature 0 was refused. It is allowed: the likeliest token gets probability 1.
""")
CLOSE = Compare(rtol=1e-5, atol=1e-8, new=True)
HINTS = hints("""
- What happens to the differences between logits when all are divided by 0.5? By 2?
- torch.softmax(logits / temperature, dim=-1), with two cases to treat before: 0 and below 0.
- if temperature == 0: return F.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
""")
task = Task(tempered_probs, points=2, difficulty=2, minutes=10, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
