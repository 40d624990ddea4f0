"""Exercise `lstm_step`."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch03.shared import drawer


def lstm_step(x, hidden, cell, weight_ih, weight_hh, bias):
    """Return hidden and cell state after one step of an LSTM.

    Args:
        x: (B, I).
        hidden: the old hidden state, (B, H); it stays as it is.
        cell: the old cell state, (B, H); it stays as it is.
        weight_ih: (4H, I), for i, f, g, o in this order.
        weight_hh: (4H, H).
        bias: (4H,).

    Returns:
        A tuple: the new hidden state (B, H), the new cell state (B, H). The gradient must flow through both to all six
        arguments.

    >>> zero, bias = torch.zeros(4, 1), torch.tensor([0.0, 2.0, 1.0, 0.0])
    >>> hidden, cell = lstm_step(torch.zeros(1, 1), torch.zeros(1, 1), torch.ones(1, 1), zero, zero, bias)
    >>> round(hidden.item(), 3), round(cell.item(), 3)
    (0.426, 1.262)
    """
    i, f, g, o = (x @ weight_ih.T + hidden @ weight_hh.T + bias).chunk(4, dim=-1)
    cell = f.sigmoid() * cell + i.sigmoid() * g.tanh()
    return o.sigmoid() * cell.tanh(), cell


def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    single = drawer(seed, torch.float32)

    def inputs(
        batch: int, width: int, units: int, make: Callable[..., Tensor] = draw, grad: bool = False
    ) -> tuple[Tensor, ...]:
        G = 4 * units
        sizes = (batch, width), (batch, units), (batch, units), (G, width), (G, units), (G,)
        return tuple(make(*size, grad=grad) for size in sizes)

    def only_bias(*values: float) -> Tensor:
        return torch.tensor(values, dtype=torch.float64)

    zero, one = torch.zeros(1, 1, dtype=torch.float64), torch.ones(1, 1, dtype=torch.float64)
    no_weights = torch.zeros(4, 1, dtype=torch.float64)
    large = list(inputs(3, 5, 7))
    large[2] = 4 * large[2]
    return [
        case("the worked example", zero, zero, one, no_weights, no_weights, only_bias(0.0, 2.0, 1.0, 0.0)),
        case("three sequences at once", *inputs(3, 5, 7)),
        case("cells far from 0", *large),
        case("as many units as inputs", *inputs(2, 3, 3)),
        case("four sequences, as many as there are gates", *inputs(4, 3, 4)),
        case("the gradients", *inputs(2, 3, 5, grad=True)),
        case("float32", *inputs(2, 3, 5, single)),
        border("one unit", *inputs(1, 1, 1)),
        border("one sequence, the gradients", *inputs(1, 3, 2, grad=True)),
        case(
            "a forget gate that is open and an input gate that is shut: the cell stays the same",
            zero,
            zero,
            5 * one,
            no_weights,
            no_weights,
            only_bias(-40.0, 40.0, 1.0, 0.5),
        ),
        border(
            "a forget gate that is shut and an input gate that is open: all of the cell is new",
            zero,
            zero,
            5 * one,
            no_weights,
            no_weights,
            only_bias(40.0, -40.0, -1.0, 0.5),
        ),
        border("an output gate that is shut", *inputs(1, 1, 1)[:5], only_bias(0.3, 0.2, 0.1, -60.0)),
        border("a first step, from zeros", draw(2, 3), 0 * draw(2, 5), 0 * draw(2, 5), *inputs(2, 3, 5)[3:]),
    ]


def _lstm_by_linear(
    x: Tensor, hidden: Tensor, cell: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias: Tensor
) -> tuple[Tensor, Tensor]:
    H = hidden.shape[-1]
    gates = F.linear(x, weight_ih, bias) + F.linear(hidden, weight_hh)
    shares = torch.sigmoid(gates)
    after = shares[:, H : 2 * H] * cell + shares[:, :H] * torch.tanh(gates[:, 2 * H : 3 * H])
    return shares[:, 3 * H :] * torch.tanh(after), after


def _lstm_by_torch(
    x: Tensor, hidden: Tensor, cell: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias: Tensor
) -> tuple[Tensor, Tensor]:
    return torch.lstm_cell(x, [hidden, cell], weight_ih, weight_hh, bias, torch.zeros_like(bias))


task = Task(
    lstm_step,
    points=4,
    difficulty=3,
    minutes=25,
    cases=cases,
    compare=Compare(rtol=1e-5, atol=1e-6, gradient=True, new=True),
    slips=(
        Slip(
            "gate_order",
            ("i, f, g, o =", "i, f, o, g ="),
            "The third and the fourth quarter are exchanged: the order is i, f, g, o. The third gets the tanh, the "
            "fourth is the output gate.",
        ),
        Slip(
            "input_and_forget_exchanged",
            ("i, f, g, o =", "f, i, g, o ="),
            "Input and forget gate are exchanged: the first quarter scales what is new, the second what is kept.",
        ),
        Slip(
            "both_exchanged",
            ("i, f, g, o =", "f, i, o, g ="),
            "The quarters are in another order here: f, i, o, g. The order is i, f, g, o.",
        ),
        Slip(
            "output_second",
            ("i, f, g, o =", "i, o, f, g ="),
            "The quarters are in another order here: i, o, f, g. The order is i, f, g, o.",
        ),
        Slip(
            "content_first",
            ("i, f, g, o =", "g, i, f, o ="),
            "The quarters are in another order here: g, i, f, o. The order is i, f, g, o.",
        ),
        Slip(
            "interleaved",
            (".chunk(4, dim=-1)", ".unflatten(-1, (-1, 4)).unbind(-1)"),
            "Each gate got every fourth number. The first H numbers belong to i, the next H to f, and so on: "
            ".chunk(4, dim=-1).",
        ),
        Slip(
            "nothing_forgotten",
            ("f.sigmoid() * cell", "cell"),
            "The old cell was kept in full. So it was in the LSTM of 1997; since 2000 it is multiplied with the "
            "forget gate.",
        ),
        Slip(
            "coupled",
            ("f.sigmoid() *", "(1 - i.sigmoid()) *"),
            "What is kept was taken as 1 - i. That is the GRU's idea; the LSTM has a forget gate of its own.",
        ),
        Slip(
            "no_input_gate",
            ("i.sigmoid() * ", ""),
            "The new content was added in full. Multiply it with the input gate, i * g.",
        ),
        Slip(
            "no_output_gate",
            ("o.sigmoid() * ", ""),
            "The output gate plays no part. The hidden state is o * tanh(c).",
        ),
        Slip(
            "g_sigmoid",
            ("g.tanh()", "g.sigmoid()"),
            "The new content got a sigmoid, so it can only add and never take away. It is no gate: it gets a tanh.",
        ),
        Slip(
            "g_linear",
            ("g.tanh()", "g"),
            "The new content was taken as it is. It gets a tanh: between -1 and 1.",
        ),
        Slip(
            "output_tanh",
            ("o.sigmoid()", "o.tanh()"),
            "The output gate got a tanh. A gate says how much, from 0 to 1: a sigmoid.",
        ),
        Slip(
            "gates_without_sigmoid",
            (
                ("f.sigmoid()", "f"),
                ("i.sigmoid()", "i"),
                ("o.sigmoid()", "o"),
            ),
            "The gates are plain sums. A gate says how much, from 0 to 1: i, f and o get a sigmoid.",
        ),
        Slip(
            "no_tanh_at_the_end",
            ("cell.tanh(), cell", "cell, cell"),
            "The cell was shown as it is. It can be large, since it is a sum; the output is o * tanh(c).",
        ),
        Slip(
            "cell_squashed",
            ("cell.tanh(), cell", "cell.tanh(), cell.tanh()"),
            "The new cell was returned after a tanh. The tanh belongs to the hidden state only; the cell is handed "
            "on as it is.",
        ),
        Slip(
            "old_cell_shown",
            (
                ("cell = f", "new = f"),
                ("cell.tanh(), cell", "cell.tanh(), new"),
            ),
            "The output shows the old cell. Renew the cell first, then h = o * tanh(new cell).",
        ),
        Slip(
            "old_cell_returned",
            (
                ("cell = f", "new = f"),
                ("cell.tanh(), cell", "new.tanh(), cell"),
            ),
            "The hidden state is right, but the old cell came back. The new one is to be handed on.",
        ),
        Slip(
            "hidden_for_cell",
            ("f.sigmoid() * cell", "f.sigmoid() * hidden"),
            "The forget gate was applied to the hidden state. It scales the old cell: f * c.",
        ),
        Slip(
            "swapped",
            ("return o.sigmoid() * cell.tanh(), cell", "return cell, o.sigmoid() * cell.tanh()"),
            "Both are right, but in the wrong order: hidden state first, then cell.",
        ),
        Slip(
            "forget_bias",
            ("f.sigmoid()", "(f + 1).sigmoid()"),
            "1 was added to the forget gate. That is a way to start training; it belongs into the bias, which is "
            "given here.",
        ),
        Slip(
            "no_bias",
            (" + bias", ""),
            "The bias is missing: it is added to the products, before the gates are cut apart.",
        ),
        Slip(
            "state_forgotten",
            (" + hidden @ weight_hh.T", ""),
            "The old hidden state plays no part. Add hidden @ weight_hh.T.",
        ),
        Slip(
            "cell_in_place",
            (("cell = f.sigmoid() * cell + i", "cell = cell.mul_(f.sigmoid()) + i"),),
            "The caller's cell was overwritten (*= or mul_). Compute a new one, or the old state is lost and no "
            "gradient flows through it.",
        ),
        Slip(
            "cut_gradient",
            ("return o.sigmoid() * cell.tanh(), cell", "return (o.sigmoid() * cell.tanh()).detach(), cell.detach()"),
            "The values are right, but the gradient was cut (detach, .data or no_grad), so that nothing could be "
            "learned. Leave the tensors as they come.",
        ),
        Slip(
            "cell_cut",
            ("f.sigmoid() * cell", "f.sigmoid() * cell.detach()"),
            "The values are right, but the old cell was cut from the graph (detach or .data). The cell is the way on "
            "which the gradient of an LSTM flows back in time.",
        ),
    ),
    alternatives=(_lstm_by_linear, _lstm_by_torch),
    hints=(
        "One product gives all four gates; cut it into four quarters. Three of them are shares between 0 and 1.",
        "i, f, g, o = gates.chunk(4, dim=-1). The new cell is a share f of the old one plus a share i of tanh(g).",
        "cell = f.sigmoid() * cell + i.sigmoid() * g.tanh(); return o.sigmoid() * cell.tanh(), cell",
    ),
)
