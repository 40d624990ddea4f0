"""Tasks of chapter 03, first part: a recurrent step, the loop over time, and the gradient back through it."""

import math
from collections.abc import Callable, Sequence
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, case

CHAPTER = "03_recurrent"


def drawer(seed: int, dtype: torch.dtype = torch.float64) -> Callable[..., Tensor]:
    """Return a function that draws tensors of the given sizes, for cases."""
    generator = torch.Generator().manual_seed(seed)

    def draw(*sizes: int, grad: bool = False) -> Tensor:
        return torch.randn(*sizes, generator=generator, dtype=dtype).requires_grad_(grad)

    return draw


# -------------------------------------------------------------------------------------------------------- rnn_step


def _rnn_step(x: Tensor, hidden: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias: Tensor) -> Tensor:
    return torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)


def _rnn_step_cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    single = drawer(seed, torch.float32)
    worked = (
        torch.tensor([[1.0, 0.0]], dtype=torch.float64),
        torch.tensor([[0.5, -0.5]], dtype=torch.float64),
        torch.tensor([[0.6, 0.2], [-0.3, 0.8]], dtype=torch.float64),
        torch.tensor([[0.4, 0.2], [0.2, -0.6]], dtype=torch.float64),
        torch.tensor([0.1, 0.0], dtype=torch.float64),
    )
    return [
        case("the worked example", *worked),
        case("three sequences at once", draw(3, 5), draw(3, 7), draw(7, 5), draw(7, 7), draw(7)),
        case(
            "the gradients, of the weights too",
            draw(2, 3, grad=True),
            draw(2, 5, grad=True),
            draw(5, 3, grad=True),
            draw(5, 5, grad=True),
            draw(5, grad=True),
        ),
        case("as many inputs as units", draw(4, 3), draw(4, 3), draw(3, 3), draw(3, 3), draw(3)),
        case("one unit, one input", draw(1, 1), draw(1, 1), draw(1, 1), draw(1, 1), draw(1)),
        case("a first state of zero", draw(2, 5), torch.zeros(2, 3).double(), draw(3, 5), draw(3, 3), draw(3)),
        case("float32", single(2, 3), single(2, 5), single(5, 3), single(5, 5), single(5)),
    ]


def _rnn_step_wrong(
    x: Tensor, hidden: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias: Tensor, *, how: str
) -> Tensor:
    before = {
        "no_state": x @ weight_ih.T + bias,
        "no_bias": x @ weight_ih.T + hidden @ weight_hh.T,
        "added_state": x @ weight_ih.T + hidden + bias,
        "outside": x @ weight_ih.T + bias,
        "not_transposed": x @ weight_ih.T + hidden @ weight_hh + bias,
    }.get(how, x @ weight_ih.T + hidden @ weight_hh.T + bias)
    if how == "linear":
        return before
    if how == "outside":
        return before.tanh() + hidden @ weight_hh.T
    if how == "detached":
        return before.detach().tanh()
    return {"sigmoid": torch.sigmoid, "relu": torch.relu}.get(how, torch.tanh)(before)


def _rnn_step_by_linear(x: Tensor, hidden: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias: Tensor) -> Tensor:
    return F.linear(torch.cat([x, hidden], -1), torch.cat([weight_ih, weight_hh], -1), bias).tanh()


def _rnn_step_by_sums(x: Tensor, hidden: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias: Tensor) -> Tensor:
    units = []
    for unit in range(len(bias)):
        total = (x * weight_ih[unit]).sum(-1) + (hidden * weight_hh[unit]).sum(-1) + bias[unit]
        units.append(1 - 2 / ((2 * total).exp() + 1))
    return torch.stack(units, dim=-1)


rnn_step = Task(
    name="rnn_step",
    chapter=CHAPTER,
    points=2,
    difficulty=1,
    minutes=10,
    cases=_rnn_step_cases,
    reference=_rnn_step,
    compare=Compare(rtol=1e-5, atol=1e-6, gradient=True),
    slips=(
        Slip(
            "no_tanh",
            partial(_rnn_step_wrong, how="linear"),
            "This is the sum inside the tanh. Without the tanh the states can grow without bound, and many steps in a "
            "row would do no more than a single matrix.",
        ),
        Slip(
            "sigmoid",
            partial(_rnn_step_wrong, how="sigmoid"),
            "A sigmoid was used: it lies between 0 and 1 and is right for gates. The state of this cell is a tanh, "
            "between -1 and 1.",
        ),
        Slip(
            "relu",
            partial(_rnn_step_wrong, how="relu"),
            "A relu was used, so that negative values became 0. The state of this cell is a tanh, between -1 and 1.",
        ),
        Slip(
            "state_forgotten",
            partial(_rnn_step_wrong, how="no_state"),
            "The old state plays no part, so this network has no memory: every word is read as if it were the first. "
            "Add hidden @ weight_hh.T.",
        ),
        Slip(
            "state_without_weights",
            partial(_rnn_step_wrong, how="added_state"),
            "The old state was added as it is. It has a matrix of its own, weight_hh, that mixes its units.",
        ),
        Slip(
            "state_outside_the_tanh",
            partial(_rnn_step_wrong, how="outside"),
            "The old state was added after the tanh, so that the new one may lie outside -1 to 1. All three parts "
            "belong inside.",
        ),
        Slip(
            "not_transposed",
            partial(_rnn_step_wrong, how="not_transposed"),
            "weight_hh was used without transposing it. Row j of the matrix holds the weights of unit j, so the "
            "product is hidden @ weight_hh.T; a square matrix hides the mistake.",
        ),
        Slip(
            "no_bias",
            partial(_rnn_step_wrong, how="no_bias"),
            "The bias is missing: it is added to the sum, inside the tanh.",
        ),
        Slip(
            "cut_gradient",
            partial(_rnn_step_wrong, how="detached"),
            "The values are right, but the gradient was cut (detach, .data or no_grad), so that nothing could be "
            "learned. Leave the tensors as they come.",
        ),
    ),
    alternatives=(_rnn_step_by_linear, _rnn_step_by_sums),
    hints=(
        "Three things are added up, then one function is applied to the sum.",
        "The input and the old state have a matrix each. Rows of the matrices belong to units, so both are transposed.",
        "return torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)",
    ),
)


# --------------------------------------------------------------------------------------------------------- run_rnn


def _run_rnn(x: Tensor, hidden: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias: Tensor) -> Tensor:
    states = []
    for t in range(x.shape[1]):
        hidden = torch.tanh(x[:, t] @ weight_ih.T + hidden @ weight_hh.T + bias)
        states.append(hidden)
    return torch.stack(states, dim=1)


def _run_rnn_cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    single = drawer(seed, torch.float32)
    half = torch.tensor([[0.5]], dtype=torch.float64)
    steps = torch.tensor([[[1.0], [0.0], [0.0]]], dtype=torch.float64)
    return [
        case("the worked example", steps, 0 * half, 2 * half, 2 * half, torch.zeros(1, dtype=torch.float64)),
        case("two sequences of five steps", draw(2, 5, 3), draw(2, 7), draw(7, 3), draw(7, 7), draw(7)),
        case(
            "the gradients, of the first state too",
            draw(2, 5, 3, grad=True),
            draw(2, 3, grad=True),
            draw(3, 3, grad=True),
            draw(3, 3, grad=True),
            draw(3, grad=True),
        ),
        case("as many steps as sequences", draw(3, 3, 2), draw(3, 5), draw(5, 2), draw(5, 5), draw(5)),
        case("one step", draw(3, 1, 2), draw(3, 5), draw(5, 2), draw(5, 5), draw(5)),
        case("one sequence of eleven steps", draw(1, 11, 2), draw(1, 3), draw(3, 2), draw(3, 3), draw(3)),
        case("float32", single(2, 3, 2), single(2, 5), single(5, 2), single(5, 5), single(5)),
    ]


def _run_rnn_wrong(
    x: Tensor, hidden: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias: Tensor, *, how: str
) -> Tensor:
    first = hidden = torch.zeros_like(hidden) if how == "zeros" else hidden
    states = []
    order = reversed(range(x.shape[1])) if how == "backwards" else range(x.shape[1])
    for t in order:
        states.append(hidden)
        before = first if how == "not_carried" else hidden.detach() if how == "detached" else hidden
        hidden = torch.tanh(x[:, t] @ weight_ih.T + before @ weight_hh.T + bias)
    after = [*states[1:], hidden]
    if how == "last":
        return hidden
    if how == "time_first":
        return torch.stack(after)
    if how == "with_first":
        return torch.stack([*states, hidden], 1)
    return torch.stack(states if how == "before" else after, 1)


def _run_rnn_by_input_first(x: Tensor, hidden: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias: Tensor) -> Tensor:
    states = [hidden]
    for gates in F.linear(x, weight_ih, bias).unbind(1):
        states.append((gates + states[-1] @ weight_hh.T).tanh())
    return torch.stack(states, 1)[:, 1:]


def _run_rnn_by_recursion(x: Tensor, hidden: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias: Tensor) -> Tensor:
    if x.shape[1] == 0:
        return hidden[:, None][:, :0]
    first = torch.tanh(F.linear(x[:, 0], weight_ih, bias) + F.linear(hidden, weight_hh))
    rest = _run_rnn_by_recursion(x[:, 1:], first, weight_ih, weight_hh, bias)
    return torch.cat([first[:, None], rest], dim=1)


run_rnn = Task(
    name="run_rnn",
    chapter=CHAPTER,
    points=3,
    difficulty=2,
    minutes=15,
    cases=_run_rnn_cases,
    reference=_run_rnn,
    compare=Compare(rtol=1e-5, atol=1e-6, gradient=True),
    slips=(
        Slip(
            "not_carried",
            partial(_run_rnn_wrong, how="not_carried"),
            "Every step started from the first state. Hand the new state on: the step's result is the next step's "
            "`hidden`.",
        ),
        Slip(
            "zeros",
            partial(_run_rnn_wrong, how="zeros"),
            "The loop began with zeros instead of the `hidden` that was given. A text that goes on needs the state of "
            "what came before.",
        ),
        Slip(
            "last_only",
            partial(_run_rnn_wrong, how="last"),
            "Only the last state came back. A language model predicts after every word: keep the state of each step.",
        ),
        Slip(
            "time_first",
            partial(_run_rnn_wrong, how="time_first"),
            "The states are stacked along the first dimension, (T, B, H). Batch first in this course: "
            "torch.stack(states, dim=1).",
        ),
        Slip(
            "with_the_first_state",
            partial(_run_rnn_wrong, how="with_first"),
            "There is one state too many: the one before the first step was kept too. The result has as many states as "
            "there are inputs.",
        ),
        Slip(
            "state_before",
            partial(_run_rnn_wrong, how="before"),
            "Each place holds the state before its input was read. Take the step first, then append the new state.",
        ),
        Slip(
            "backwards",
            partial(_run_rnn_wrong, how="backwards"),
            "The sequence was read from its end. Go from t = 0 to T - 1.",
        ),
        Slip(
            "cut_every_step",
            partial(_run_rnn_wrong, how="detached"),
            "The values are right, but the state was cut from the graph (detach) at each step, so no gradient flows "
            "back in time. Cut between batches, never between steps.",
        ),
    ),
    alternatives=(_run_rnn_by_input_first, _run_rnn_by_recursion),
    hints=(
        "A loop over t, one step each, and a list of what comes out.",
        "x[:, t] is the input of step t, (B, I). Put the new state into `hidden`, and append it to the list.",
        "for t in range(x.shape[1]): hidden = torch.tanh(x[:, t] @ weight_ih.T + hidden @ weight_hh.T + bias); "
        "states.append(hidden); at the end torch.stack(states, dim=1).",
    ),
)


# --------------------------------------------------------------------------------------------------- bptt_gradient


def _bptt_gradient(w: float, u: float, inputs: Sequence[float], target: float) -> tuple[float, float]:
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


def _bptt_cases(seed: int) -> list[Case]:
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
        case("one step", *weights(), numbers(1), 0.5),
        case("w = 0: a network without memory", 0.0, 0.8, numbers(3), 0.5),
        case("inputs of zero", 0.7, 1.2, [0.0, 0.0], 0.4),
        case("no inputs", 0.7, 1.2, [], 0.4),
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


bptt_gradient = Task(
    name="bptt_gradient",
    chapter=CHAPTER,
    points=4,
    difficulty=4,
    minutes=30,
    cases=_bptt_cases,
    reference=_bptt_gradient,
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
