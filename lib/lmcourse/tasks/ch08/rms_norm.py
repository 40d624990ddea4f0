import torch

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch05.shared import double, leaf
from lmcourse.tasks.ch08.shared import GRADIENTS, drawer


def rms_norm(x, gain, eps=1e-5):
    """Return each vector of x divided by the root of its mean square, times the gain.

    Args:
        x: (..., D).
        gain: (D,).
        eps: added under the root.

    Returns:
        (..., D). The gradient must flow through it.

    >>> [round(value, 3) for value in rms_norm(torch.tensor([3.0, 4.0]), torch.tensor([1.0, 2.0])).tolist()]
    [0.849, 2.263]
    """
    return x / (x.pow(2).mean(dim=-1, keepdim=True) + eps).sqrt() * gain


@drawn(3)
def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    return [
        case("the worked example", double([3.0, 4.0]), double([1.0, 2.0]), eps=0.0),
        case("a batch of texts", draw(2, 3, 7) + 1, draw(7)),
        case("the gradients", draw(3, 5, grad=True), draw(5, grad=True)),
        case("a large eps", draw(3, 7), draw(7), eps=0.5),
        border("numbers near zero, where eps counts", 1e-3 * draw(3, 5), draw(5)),
        case("float32", drawer(seed, torch.float32)(2, 5), drawer(seed, torch.float32)(5)),
        case("eps is 0", draw(3, 5), draw(5), eps=0.0),
        case("a gain below 0", double([3.0, 4.0]), double([-1.0, 0.5])),
        border("the gradients of very small numbers", (1e-4 * draw(2, 3)).requires_grad_(), draw(3, grad=True)),
        border("a tensor whose rows do not lie in a row", draw(7, 3).T, draw(7)),
        border("the gradients of a row of zeros", leaf([[0.0, 0.0], [1.0, -2.0]]), leaf([1.0, 3.0])),
    ]


SLIPS = mistakes("""
layer_norm
    return x => x = x - x.mean(dim=-1, keepdim=True)
    |    return x
  The mean was taken off first: that is LayerNorm. RMSNorm divides by the root of the mean square and leaves the mean
  where it is.
length_one
    mean(dim=-1 => sum(dim=-1
  The squares were summed, so that the vector gets length 1. Take their mean: the result has a mean square of 1.
eps_outside: "added under the root"
    x / ( => x / ((
    + eps).sqrt() => ).sqrt() + eps)
  eps was added to the root. It belongs under the root, to the mean square: near zero that matters.
no_root: "Return each vector of x divided by the root of its mean square, times the gain"
    .sqrt() =>
  x was divided by the mean square, without the root.
no_gain: "Return each vector of x divided by the root of its mean square, times the gain"
    * gain =>
  The gain is missing: each of the D numbers is multiplied with a learned one at the end.
one_plus_gain: "(D,)"
    * gain => * (1 + gain)
  The result was multiplied with 1 + gain. Some models store their gains so; here it is the gain itself.
over_rows: "(..., D)"
    dim=-1 => dim=0
  The mean was taken over the first axis. Each vector is normalised by itself, over its last axis.
variance: "Return each vector of x divided by the root of its mean square, times the gain"
    x.pow(2).mean(dim=-1, keepdim=True) => x.var(dim=-1, keepdim=True, unbiased=False)
  x was divided by its standard deviation, in which the mean is taken off. RMSNorm takes the mean of x squared as it is.
over_everything: "(..., D)"
    mean(dim=-1, keepdim=True) => mean()
  One mean square was taken over the whole tensor. Each vector has its own: mean(dim=-1, keepdim=True).
always_the_same_eps: "added under the root"
    + eps => + 1e-5
  eps is 1e-5 whatever was passed. Use the argument; 1e-5 is only its default.
gain_inside
    x.pow(2).mean(dim=-1, keepdim=True) => (x * gain).pow(2).mean(dim=-1, keepdim=True)
  The gain was multiplied in before the mean square was taken. Normalise x first, then multiply by the gain.
eps_as_a_limit
    + eps).sqrt() => ).clamp(min=eps).sqrt()
  eps is only a lower limit here. It is added to the mean square, whatever its size.
""")
HINTS = hints("""
- Which of LayerNorm's steps are left out? There is no mean to take off and no bias to add.
- x.pow(2).mean(dim=-1, keepdim=True) is the mean square of each vector; add eps, take the root, divide.
- return x / (x.pow(2).mean(dim=-1, keepdim=True) + eps).sqrt() * gain
""")
task = Task(rms_norm, points=1, difficulty=2, minutes=10, cases=cases, compare=GRADIENTS, slips=SLIPS, hints=HINTS)
