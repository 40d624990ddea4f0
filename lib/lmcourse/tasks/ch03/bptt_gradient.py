"""Exercise `bptt_gradient`."""

import math
from collections.abc import Sequence
from functools import partial

import torch

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch03.shared import drawer


def bptt_gradient(w, u, inputs, target):
    """Return the derivatives of the loss with respect to w and u, by backpropagation through time.

    Args:
        w: the weight of the old state, a float.
        u: the weight of the input, a float.
        inputs: x_1 to x_T, a list of floats; it may be empty.
        target: y, a float.

    Returns:
        A tuple of two floats, dL/dw and dL/du.

    >>> of_w, of_u = bptt_gradient(0.5, 1.0, [1.0], 1.0)
    >>> of_w == 0, round(of_u, 3)
    (True, -0.1)
    """
    hidden = [0.0]
    for x in inputs:
        hidden.append(math.tanh(w * hidden[-1] + u * x))
    of_state, of_w, of_u = hidden[-1] - target, 0.0, 0.0
    for t in range(len(inputs), 0, -1):
        of_sum = of_state * (1 - hidden[t] ** 2)
        of_w += of_sum * hidden[t - 1]
        of_u += of_sum * inputs[t - 1]
        of_state = of_sum * w
    return of_w, of_u


def cases(seed: int) -> list[Case]:
    draw = drawer(seed)

    def numbers(count: int) -> list[float]:
        return [round(float(value), 3) for value in draw(count)]

    def weights() -> list[float]:  # far from 0, so that every mistake is seen
        return [round((0.6 + abs(value)) * (-1) ** place, 3) for place, value in enumerate(numbers(2))]

    return [
        case("the worked example", 0.5, 1.0, [1.0, 0.0, 0.0], 1.0),
        case("two steps", *weights(), numbers(2), 0.3),
        case("five steps", *weights(), numbers(5), -0.2),
        case("twenty steps", 1.1, 0.4, numbers(20), 0.9),
        border("one step", *weights(), numbers(1), 0.5),
        border("w = 0: a network without memory", 0.0, 0.8, numbers(3), 0.5),
        border("inputs of zero", 0.7, 1.2, [0.0, 0.0], 0.4),
        border("no inputs", 0.7, 1.2, [], 0.4),
    ]


def _bptt_wrong(w: float, u: float, inputs: Sequence[float], target: float, *, how: str) -> tuple[float, float]:
    hidden = [0.0]
    for x in inputs:
        hidden.append(math.tanh(w * hidden[-1] + u * x))
    of_state, of_w, of_u = hidden[-1] - target, 0.0, 0.0
    of_state *= {"sign": -1.0, "no_half": 2.0}.get(how, 1.0)
    for t in range(len(inputs), 0, -1):
        slope = 1.0 if how == "linear" else 1 - hidden[t] if how == "not_squared" else 1 - hidden[t] ** 2
        of_sum = of_state * slope
        of_w += of_sum * hidden[t if how == "new_state" else t - 1]
        of_u += of_sum * inputs[t - 1]
        of_state = of_sum * {"u_back": u, "no_w": 1.0}.get(how, w)
        if how == "last_step":
            break
    return of_w, of_u


def _bptt_by_autograd(w: float, u: float, inputs: Sequence[float], target: float) -> tuple[float, float]:
    leaves = [torch.tensor(value, dtype=torch.float64, requires_grad=True) for value in (w, u)]
    state = torch.zeros((), dtype=torch.float64)
    for x in inputs:
        state = torch.tanh(leaves[0] * state + leaves[1] * x)
    if not inputs:
        return 0.0, 0.0
    of_w, of_u = torch.autograd.grad((state - target) ** 2 / 2, leaves)
    return float(of_w), float(of_u)


def _bptt_forwards(w: float, u: float, inputs: Sequence[float], target: float) -> tuple[float, float]:
    state = by_w = by_u = 0.0  # the state, and its derivative with respect to each weight
    for x in inputs:
        new = math.tanh(w * state + u * x)
        slope = 1 - new * new
        by_w, by_u, state = slope * (state + w * by_w), slope * (x + w * by_u), new
    return (state - target) * by_w, (state - target) * by_u


task = Task(
    bptt_gradient,
    points=4,
    difficulty=4,
    minutes=30,
    cases=cases,
    compare=Compare(rtol=1e-8, atol=1e-12),
    slips=(
        Slip(
            "last_step_only",
            partial(_bptt_wrong, how="last_step"),
            "Only the last step's share is counted. The same weight is used at every step, so its gradient is the sum "
            "of the shares of all steps.",
        ),
        Slip(
            "no_slope",
            partial(_bptt_wrong, how="linear"),
            "The slope of the tanh is missing: going back through h = tanh(s) multiplies with 1 - h * h.",
        ),
        Slip(
            "slope_not_squared",
            partial(_bptt_wrong, how="not_squared"),
            "The slope of the tanh is 1 - h * h; the square is missing.",
        ),
        Slip(
            "new_state",
            partial(_bptt_wrong, how="new_state"),
            "The share of w at step t was multiplied with h_t. w stands before the old state, h_(t-1), so its share is "
            "of_sum * hidden[t - 1].",
        ),
        Slip(
            "back_without_w",
            partial(_bptt_wrong, how="no_w"),
            "From step t to step t - 1 the gradient goes through w * h_(t-1), so it is multiplied with w. That factor, "
            "once a step, is why gradients vanish.",
        ),
        Slip(
            "back_through_u",
            partial(_bptt_wrong, how="u_back"),
            "The gradient was sent back through u. u leads to the input; the way to the state before leads through w.",
        ),
        Slip(
            "wrong_sign",
            partial(_bptt_wrong, how="sign"),
            "The sign is reversed: the derivative of (h - target)^2 / 2 is h - target.",
        ),
        Slip(
            "no_half",
            partial(_bptt_wrong, how="no_half"),
            "Twice too large. The loss is half the square, so that its derivative is h - target without a factor 2.",
        ),
    ),
    alternatives=(_bptt_by_autograd, _bptt_forwards),
    hints=(
        "First run forwards and keep every state. Then walk back from the last step with one number: the derivative of "
        "the loss with respect to the present state.",
        "At step t: of_sum = of_state * (1 - h_t * h_t). It gives w the share of_sum * h_(t-1) and u the share of_sum "
        "* x_t.",
        "After the shares are added, the state before gets of_state = of_sum * w; the walk starts with of_state = "
        "h_T - target.",
    ),
)
