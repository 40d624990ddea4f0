"""Exercise `rnn_step`."""

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
        The new states, a new tensor of shape (B, H), of the element type of the arguments. The gradient must flow
        through it to all five.

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

    def gradients(batch: int, width: int, units: int) -> tuple[Tensor, ...]:
        sizes = ((batch, width), (batch, units), (units, width), (units, units), (units,))
        return tuple(draw(*size, grad=True) for size in sizes)

    return [
        case("the worked example", *worked),
        case("three sequences at once", draw(3, 5), draw(3, 7), draw(7, 5), draw(7, 7), draw(7)),
        case("the gradients, of the weights too", *gradients(2, 3, 5)),
        case("as many inputs as units", draw(4, 3), draw(4, 3), draw(3, 3), draw(3, 3), draw(3)),
        case("as many sequences as inputs and units", *gradients(3, 3, 3)),
        case("matrices that are transposed views", draw(2, 5), draw(2, 3), draw(5, 3).T, draw(3, 3).T, draw(3)),
        case("float32", single(2, 3), single(2, 5), single(5, 3), single(5, 5), single(5)),
        border("one unit, one input", draw(1, 1), draw(1, 1), draw(1, 1), draw(1, 1), draw(1)),
        border("one sequence, the gradients", *gradients(1, 3, 5)),
        border("a first state of zero", draw(2, 5), torch.zeros(2, 3).double(), draw(3, 5), draw(3, 3), draw(3)),
        border("an input of zero", torch.zeros(2, 5).double(), draw(2, 3), draw(3, 5), draw(3, 3), draw(3)),
        border("a state near 1 or -1", 10 * draw(2, 5), draw(2, 3), draw(3, 5), draw(3, 3), draw(3)),
    ]


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
    compare=Compare(rtol=1e-5, atol=1e-6, gradient=True, new=True),
    slips=(
        Slip(
            "no_tanh",
            ("torch.tanh(", "("),
            "This is the sum inside the tanh. Without the tanh the states can grow without bound, and many steps in "
            "a row would do no more than a single matrix.",
        ),
        Slip(
            "sigmoid",
            ("torch.tanh", "torch.sigmoid"),
            "A sigmoid was used: it lies between 0 and 1 and is right for gates. The state of this cell is a tanh, "
            "between -1 and 1.",
        ),
        Slip(
            "relu",
            ("torch.tanh", "torch.relu"),
            "A relu was used, so that negative values became 0. The state of this cell is a tanh, between -1 and 1.",
        ),
        Slip(
            "state_forgotten",
            (" + hidden @ weight_hh.T", ""),
            "The old state plays no part, so this network has no memory: every word is read as if it were the first. "
            "Add hidden @ weight_hh.T.",
        ),
        Slip(
            "input_forgotten",
            ("x @ weight_ih.T + ", ""),
            "The input plays no part: add x @ weight_ih.T.",
        ),
        Slip(
            "state_without_weights",
            ("hidden @ weight_hh.T", "hidden"),
            "The old state was added as it is. It has a matrix of its own, weight_hh, that mixes its units.",
        ),
        Slip(
            "state_outside_the_tanh",
            (" + hidden @ weight_hh.T + bias)", " + bias) + hidden @ weight_hh.T"),
            "The old state was added after the tanh, so that the new one may lie outside -1 to 1. All three parts "
            "belong inside.",
        ),
        Slip(
            "bias_outside_the_tanh",
            (" + bias)", ") + bias"),
            "The bias was added after the tanh. All three parts belong inside.",
        ),
        Slip(
            "not_transposed",
            ("weight_hh.T", "weight_hh"),
            "weight_hh was used without transposing it. Row j of the matrix holds the weights of unit j, so the "
            "product is hidden @ weight_hh.T; a square matrix hides the mistake.",
        ),
        Slip(
            "input_not_transposed",
            ("weight_ih.T", "weight_ih"),
            "weight_ih was used without transposing it. Row j of the matrix holds the weights of unit j, so the "
            "product is x @ weight_ih.T.",
        ),
        Slip(
            "neither_transposed",
            (
                ("weight_ih.T", "weight_ih"),
                ("weight_hh.T", "weight_hh"),
            ),
            "The matrices were used without transposing them. Row j of a matrix holds the weights of unit j, so the "
            "products are x @ weight_ih.T and hidden @ weight_hh.T.",
        ),
        Slip(
            "no_bias",
            (" + bias", ""),
            "The bias is missing: it is added to the sum, inside the tanh.",
        ),
        Slip(
            "multiplied",
            (
                (" + hidden @", " * (hidden @"),
                ("weight_hh.T +", "weight_hh.T) +"),
            ),
            "The part of the input and that of the old state were multiplied. Add them.",
        ),
        Slip(
            "mixed_with_the_old_state",
            (
                "return torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)",
                "return hidden + torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)",
            ),
            "The old state was added to the new one. A plain recurrent cell replaces it; what is kept comes through "
            "weight_hh.",
        ),
        Slip(
            "cut_gradient",
            ("+ bias)", "+ bias).detach()"),
            "The values are right, but the gradient was cut (detach, .data or no_grad), so that nothing could be "
            "learned. Leave the tensors as they come.",
        ),
        Slip(
            "state_cut",
            ("hidden @", "hidden.detach() @"),
            "The values are right, but the old state was cut from the graph (detach or .data), so that no gradient "
            "flows back in time. Leave it as it comes.",
        ),
        Slip(
            "one_axis_lost",
            ("+ bias)", "+ bias).squeeze()"),
            "squeeze took away an axis of length 1: with one sequence or one unit the shape is no longer (B, H).",
        ),
    ),
    alternatives=(_rnn_step_by_linear, _rnn_step_by_sums),
    hints=(
        "Three things are added up, then one function is applied to the sum.",
        "The input and the old state have a matrix each. Rows of the matrices belong to units, so both are transposed.",
        "return torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)",
    ),
)
