import math

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.tasks.ch03.shared import drawer


def bptt_gradient(w, u, inputs, target):
    """Return the derivatives of the loss with respect to w and u, by backpropagation through time.

    Args:
        w: the weight of the old state, a float.
        u: the weight of the input, a float.
        inputs: x_1 to x_T, a list of floats; if it is empty, both derivatives are 0.
        target: y, a float.

    Returns:
        A tuple of two floats (Python's or NumPy's), dL/dw and dL/du.

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
        return [round((0.6 + abs(value)) * (-1) ** position, 3) for position, value in enumerate(numbers(2))]

    return [
        case("the worked example", 0.5, 1.0, [1.0, 0.0, 0.0], 1.0),
        case("two steps", *weights(), numbers(2), 0.3),
        case("five steps", *weights(), numbers(5), -0.2),
        case("twenty steps", 1.1, 0.4, numbers(20), 0.9),
        case("two negative weights", -0.8, -1.1, [0.3, 0.6, -0.4], -0.5),
        case("a gradient that grows on the way back", 1.5, 0.7, [0.01, 0.02, -0.01, 0.01], 0.8),
        border("one step", *weights(), numbers(1), 0.5),
        border("w = 0: a network without memory", 0.0, 0.8, numbers(3), 0.5),
        border("u = 0: a network that reads nothing", 0.9, 0.0, numbers(3), 0.5),
        border("a state so near 1 that its slope is nearly 0", 0.7, 1.2, [0.3, 6.0, 0.2], 0.4),
        border("a target far from the state", 0.9, 0.5, [0.2, -0.7, 0.4], 1e4),
        border("no inputs", 0.7, 1.2, [], 0.4),
    ]


SLIPS = mistakes("""
last_step_only: "Return the derivatives of the loss with respect to w and u, by backpropagation through time"
    of_state = of_sum * w => break
  Only the last step's share is counted. The same weight is used at every step, so its gradient is the sum of the shares
  of all steps.
slope_not_squared
    hidden[t] ** 2 => hidden[t]
  The slope of the tanh is 1 - h * h; the square is missing.
slope_of_the_state_before
    1 - hidden[t] ** 2 => 1 - hidden[t - 1] ** 2
  The slope of the tanh at step t was taken from the state before. It is 1 - h_t * h_t, of the state that the step has
  made.
no_slope_on_the_way
    of_sum * w => of_state * w
  From step to step the slope of the tanh was left out. What goes back is a_t * w, not delta_t * w.
new_state
    hidden[t - 1] => hidden[t]
  The share of w at step t was multiplied with h_t. w multiplies the old state, h_(t-1), so its share is a_t * h_(t-1).
back_without_w: "Return the derivatives of the loss with respect to w and u, by backpropagation through time"
    of_sum * w => of_sum
  From step t to step t - 1 the gradient goes through w * h_(t-1), so it is multiplied with w. That factor, once a step,
  is why gradients vanish.
wrong_sign: "y, a float"
    hidden[-1] - target => target - hidden[-1]
  The sign is reversed: the derivative of (h - target)^2 / 2 is h - target.
no_half: "Return the derivatives of the loss with respect to w and u, by backpropagation through time"
    hidden[-1] - target => 2 * (hidden[-1] - target)
  Twice too large. The loss is half the square, so that its derivative is h - target without a factor 2.
loss_at_every_step
    of_state = of_sum * w => of_state = of_sum * w + hidden[t - 1] - target
  A loss was taken at every step. Here there is one at the end only, so nothing is added on the way.
swapped: "A tuple of two floats (Python's or NumPy's), dL/dw and dL/du"
    return of_w, of_u => return of_u, of_w
  The two derivatives are exchanged: dL/dw comes first.
not_added
    of_w += => of_w =
    of_u += => of_u =
  Each step overwrites the share of the one after it. Add them: +=.
inputs_reversed: "x_1 to x_T, a list of floats"
    inputs[t - 1] => inputs[-t]
  On the way back the inputs were paired with the wrong steps. Step t read x_t, which is inputs[t - 1].
no_empty_list: "if it is empty, both derivatives are 0"
    hidden = [0.0] => hidden = [0.0][: len(inputs)]
  An empty list of inputs fails. The state is h_0 = 0 then, and both derivatives are 0.
""")
CLOSE = Compare(rtol=1e-8, atol=1e-12)
HINTS = hints("""
- First run forwards and keep every state. Then walk back from the last step with one number: the derivative of the loss
  with respect to the present state.
- At step t: of_sum = of_state * (1 - h_t * h_t). It gives w the share of_sum * h_(t-1) and u the share of_sum * x_t.
- After the shares are added, the state before gets of_state = of_sum * w; the walk starts with of_state = h_T - target.
""")
task = Task(bptt_gradient, points=4, difficulty=4, minutes=30, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
