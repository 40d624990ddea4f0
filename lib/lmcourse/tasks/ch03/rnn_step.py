"""Exercise `rnn_step`."""

from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch03.shared import drawer


def rnn_step(x, hidden, weight_ih, weight_hh, bias):
    """Return the state after one step of a plain recurrent network.

    Args:
        x: the inputs of this step, (B, I).
        hidden: the old states, (B, H).
        weight_ih: (H, I).
        weight_hh: (H, H).
        bias: (H,).

    Returns:
        The new states, (B, H). The gradient must flow through it.

    >>> weight_ih, weight_hh, bias = torch.tensor([[0.6]]), torch.tensor([[0.4]]), torch.tensor([0.1])
    >>> round(rnn_step(torch.tensor([[1.0]]), torch.tensor([[0.5]]), weight_ih, weight_hh, bias).item(), 3)
    0.716
    """
    return torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)


def cases(seed: int) -> list[Case]:
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
        border("one unit, one input", draw(1, 1), draw(1, 1), draw(1, 1), draw(1, 1), draw(1)),
        border("a first state of zero", draw(2, 5), torch.zeros(2, 3).double(), draw(3, 5), draw(3, 3), draw(3)),
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


task = Task(
    rnn_step,
    points=2,
    difficulty=1,
    minutes=10,
    cases=cases,
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
