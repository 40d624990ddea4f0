import math

import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch03.shared import drawer


def clip_gradients(gradients, limit):
    """Scale gradients down so that their common norm is at most the limit.

    Args:
        gradients: a list of tensors of any shapes, one for each parameter, at least one; they stay as they are.
        limit: the largest norm, more than 0; it may be infinite.

    Returns:
        A tuple: a list of tensors of the same shapes and element types, new ones even where nothing was clipped; and
        the norm before clipping, a float. Gradients of zero stay zero.

    Raises:
        ValueError: the limit is 0 or negative.

    >>> clipped, norm = clip_gradients([torch.tensor([3.0, 0.0]), torch.tensor([4.0])], 1.0)
    >>> [[round(value, 3) for value in part.tolist()] for part in clipped], norm
    ([[0.6, 0.0], [0.8]], 5.0)
    """
    if not limit > 0:
        raise ValueError(f"`limit` must be more than 0, got {limit}.")
    norm = math.sqrt(sum(float((gradient**2).sum()) for gradient in gradients))
    factor = min(1.0, limit / norm) if norm > 0 else 1.0
    return [factor * gradient for gradient in gradients], norm


@drawn(3)
def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    single = drawer(seed, torch.float32)

    def two(*values: float) -> Tensor:
        return torch.tensor(values, dtype=torch.float64)

    return [
        case("the worked example", [two(3.0, 0.0), two(4.0)], 1.0),
        case("a long gradient of three parameters", [5 * draw(3, 5), 5 * draw(7), 5 * draw(2, 3)], 2.0),
        case("a short gradient, which stays as it is", [0.01 * draw(3, 5), 0.01 * draw(7)], 2.0),
        case("a parameter below the limit, and all together above it", [two(0.8, 0.0), two(0.6), two(0.9)], 1.0),
        case("negative entries", [two(-3.0, 1.0), two(-4.0)], 2.0),
        case("a parameter of one number, without dimensions", [torch.tensor(3.0).double(), two(4.0)], 1.0),
        case("exactly at the limit", [two(0.6), two(0.8)], 1.0),
        case("float32", [9 * single(5), 9 * single(3)], 1.0),
        case("float32, a short gradient", [0.01 * single(5), 0.01 * single(3)], 1.0),
        border("a limit below 1", [draw(5, 2), draw(3)], 0.25),
        border("a norm below 1, above the limit", [two(0.3), two(0.4)], 0.25),
        border("a norm above 1, below the limit", [two(3.0), two(4.0)], 6.0),
        border("very long gradients", [two(3e8), two(-4e8, 0.0)], 2.0),
        border("a norm below one ten-thousandth", [two(3e-5, 0.0), two(4e-5)], 2e-5),
        border("very short gradients, above a shorter limit", [two(3e-8), two(-4e-8, 0.0)], 1e-8),
        border("element types that differ", [9 * draw(3), 9 * single(5)], 1.0),
        border("gradients of zero", [0 * draw(3), 0 * draw(2, 2)], 1.0),
        border("no limit: infinity", [10 * draw(3)], math.inf),
        border("no limit: infinity, and gradients of zero", [0 * draw(3)], math.inf),
        border("a limit of 0", [draw(3)], 0.0),
        border("a limit of 0 and gradients of zero", [0 * draw(3)], 0.0),
        border("a limit below 0", [draw(3)], -1.0),
    ]


SLIPS = mistakes("""
each_by_itself: "their common norm"
    factor * gradient => gradient * min(1.0, limit / max(float(gradient.norm()), 1e-30))
  Each parameter's gradient was cut by itself, so the direction of the step changed. All share one factor, from the norm
  of all of them together.
values
    [factor * gradient for gradient in gradients] => [gradient.clamp(-limit, limit) for gradient in gradients]
  The single values were cut to the limit. That turns the step into another direction; scale all of them with one factor
  instead.
always_scaled: "at most the limit"
    min(1.0, limit / norm) => limit / norm
  Short gradients were made longer: every gradient came out at the limit. Only a norm above the limit is scaled down.
always_scaled_but_for_infinity
    min(1.0, limit / norm) => (limit / norm if math.isfinite(limit) else 1.0)
  Every gradient came out at the limit, short ones made longer. Only a norm above the limit is scaled down: min(1, limit
  / norm).
sum_of_norms: "their common norm"
    math.sqrt(sum(float((gradient**2).sum()) for gradient in gradients)) =>
        sum(float(gradient.norm()) for gradient in gradients)
  The norms of the parameters were added up. The norm of all together is the root of the sum of their squares.
largest_entry
    math.sqrt(sum(float((gradient**2).sum()) for gradient in gradients)) =>
        max(float(gradient.abs().max()) for gradient in gradients)
  The largest entry was taken for the norm. The norm is the root of the sum of the squares of all entries.
norm_after: "the norm before clipping"
    gradients], norm => gradients], min(norm, limit)
  The gradients are right, but the norm that came back is the one after clipping. The one before shows when a training
  is in danger.
norm_a_tensor: "a float"
    gradients], norm => gradients], torch.tensor(norm)
  The norm is right, but it came back as a tensor. A float is asked for: .item().
in_place: "they stay as they are"
    factor * gradient for => gradient.mul_(factor) for
  The result is right, but the caller's tensors were changed. torch does so for speed; here, return new ones.
same_tensors: "new ones even where nothing was clipped"
    [ => gradients if factor == 1.0 else [
  The numbers are right, but short gradients came back as the very tensors that were given, and whoever changes the
  result changes them, too. Return new ones.
zero_divides: "Gradients of zero stay zero"
    if norm > 0 else 1.0 =>
  Gradients of zero have the norm 0, and limit / 0 is an error. They stay zero: handle that norm by itself.
zero_becomes_nan: "Gradients of zero stay zero"
    min(1.0, limit / norm) if norm > => torch.tensor(limit).double() / norm if norm > limit or norm ==
  Gradients of zero became NaN: 0 times infinity, since the limit was divided by the norm 0. They stay zero: scale only
  if the norm is above the limit.
no_infinite_limit: "it may be infinite"
    if not limit > 0: => if not 0 < limit < math.inf:
  An infinite limit was refused. It is allowed: nothing is clipped then, and the norm comes back.
only_negative_refused: "the limit is 0 or negative"
    not limit > 0 => limit < 0
  A limit below 0 is refused, but 0 is not: it stops all learning in silence. Raise ValueError for both.
""")
CLOSE = Compare(rtol=1e-5, atol=1e-7, new=True)
HINTS = hints("""
- One number for all tensors: think of all gradients as one long vector. How long is it?
- norm = root of the sum over all tensors of (gradient ** 2).sum(). The factor is limit / norm, but never more than 1.
- factor = min(1.0, limit / norm) if norm > 0 else 1.0; return [factor * g for g in gradients], norm
""")
task = Task(clip_gradients, points=3, difficulty=2, minutes=15, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
