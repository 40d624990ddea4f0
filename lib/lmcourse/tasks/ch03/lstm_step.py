"""Exercise `lstm_step`."""

from collections.abc import Callable
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch03.shared import drawer


def lstm_step(x, hidden, cell, weight_ih, weight_hh, bias):
    """Return hidden and cell state after one step of an LSTM.

    Args:
        x: (B, I).
        hidden: the old hidden state, (B, H).
        cell: the old cell state, (B, H).
        weight_ih: (4H, I), for i, f, g, o in this order.
        weight_hh: (4H, H).
        bias: (4H,).

    Returns:
        A tuple: the new hidden state (B, H), the new cell state (B, H).

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

    def inputs(batch: int, width: int, units: int, make: Callable[..., Tensor] = draw) -> tuple[Tensor, ...]:
        return (
            make(batch, width),
            make(batch, units),
            2 * make(batch, units),
            make(4 * units, width),
            make(4 * units, units),
            make(4 * units),
        )

    def only_bias(*values: float) -> Tensor:
        return torch.tensor(values, dtype=torch.float64)

    zero, one = torch.zeros(1, 1, dtype=torch.float64), torch.ones(1, 1, dtype=torch.float64)
    no_weights = torch.zeros(4, 1, dtype=torch.float64)
    return [
        case("the worked example", zero, zero, one, no_weights, no_weights, only_bias(0.0, 2.0, 1.0, 0.0)),
        case("three sequences at once", *inputs(3, 5, 7)),
        case("as many units as inputs", *inputs(2, 3, 3)),
        border("one unit", *inputs(1, 1, 1)),
        case(
            "a forget gate that is open and an input gate that is shut: the cell stays the same",
            zero,
            zero,
            5 * one,
            no_weights,
            no_weights,
            only_bias(-40.0, 40.0, 1.0, 0.5),
        ),
        border("a first step, from zeros", draw(2, 3), 0 * draw(2, 5), 0 * draw(2, 5), *inputs(2, 3, 5)[3:]),
        case("float32", *inputs(2, 3, 5, single)),
    ]


def _lstm_wrong(
    x: Tensor, hidden: Tensor, cell: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias: Tensor, *, how: str
) -> tuple[Tensor, Tensor]:
    i, f, g, o = (x @ weight_ih.T + hidden @ weight_hh.T + bias).chunk(4, dim=-1)
    if how == "order":
        o, g = g, o
    if how == "input_first":
        i, f = f, i
    new = g.sigmoid() if how == "g_sigmoid" else g.tanh()
    keep = {"keep_all": torch.ones_like(f), "coupled": 1 - i.sigmoid()}.get(how, f.sigmoid())
    after = keep * cell + (new if how == "no_input_gate" else i.sigmoid() * new)
    shown = {"no_tanh": after, "old_cell": cell.tanh()}.get(how, after.tanh())
    out = o.tanh() * shown if how == "o_tanh" else o.sigmoid() * shown
    return (after, out) if how == "swapped" else (out, after)


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
    layer = torch.nn.LSTMCell(x.shape[1], hidden.shape[1], dtype=x.dtype)
    with torch.no_grad():
        for name, value in (("weight_ih", weight_ih), ("weight_hh", weight_hh), ("bias_ih", bias)):
            getattr(layer, name).copy_(value)
        layer.bias_hh.zero_()
        return layer(x, (hidden, cell))


task = Task(
    lstm_step,
    points=4,
    difficulty=3,
    minutes=25,
    cases=cases,
    compare=Compare(rtol=1e-5, atol=1e-6),
    slips=(
        Slip(
            "gate_order",
            partial(_lstm_wrong, how="order"),
            "The third and the fourth quarter are exchanged: the order is i, f, g, o. The third gets the tanh, the "
            "fourth is the output gate.",
        ),
        Slip(
            "input_and_forget_exchanged",
            partial(_lstm_wrong, how="input_first"),
            "Input and forget gate are exchanged: the first quarter scales what is new, the second what is kept.",
        ),
        Slip(
            "nothing_forgotten",
            partial(_lstm_wrong, how="keep_all"),
            "The old cell was kept in full. So it was in the LSTM of 1997; since 2000 it is multiplied with the forget "
            "gate.",
        ),
        Slip(
            "coupled",
            partial(_lstm_wrong, how="coupled"),
            "What is kept was taken as 1 - i. That is the GRU's idea; the LSTM has a forget gate of its own.",
        ),
        Slip(
            "no_input_gate",
            partial(_lstm_wrong, how="no_input_gate"),
            "The new content was added in full. Multiply it with the input gate, i * g.",
        ),
        Slip(
            "g_sigmoid",
            partial(_lstm_wrong, how="g_sigmoid"),
            "The new content got a sigmoid, so it can only add and never take away. It is no gate: it gets a tanh.",
        ),
        Slip(
            "output_tanh",
            partial(_lstm_wrong, how="o_tanh"),
            "The output gate got a tanh. A gate says how much, from 0 to 1: a sigmoid.",
        ),
        Slip(
            "no_tanh_at_the_end",
            partial(_lstm_wrong, how="no_tanh"),
            "The cell was shown as it is. It can be large, since it is a sum; the output is o * tanh(c).",
        ),
        Slip(
            "old_cell_shown",
            partial(_lstm_wrong, how="old_cell"),
            "The output shows the old cell. Renew the cell first, then h = o * tanh(new cell).",
        ),
        Slip(
            "swapped",
            partial(_lstm_wrong, how="swapped"),
            "Both are right, but in the wrong order: hidden state first, then cell.",
        ),
    ),
    alternatives=(_lstm_by_linear, _lstm_by_torch),
    hints=(
        "One product gives all four gates; cut it into four quarters. Three of them are shares between 0 and 1.",
        "i, f, g, o = gates.chunk(4, dim=-1). The new cell is a share f of the old one plus a share i of tanh(g).",
        "cell = f.sigmoid() * cell + i.sigmoid() * g.tanh(); return o.sigmoid() * cell.tanh(), cell",
    ),
)
