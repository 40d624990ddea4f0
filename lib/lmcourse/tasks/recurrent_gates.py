"""Tasks of chapter 03, second part: the gated cells."""

from collections.abc import Callable
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, case
from lmcourse.tasks.recurrent import CHAPTER, drawer

# ------------------------------------------------------------------------------------------------------- lstm_step


def _lstm_step(
    x: Tensor, hidden: Tensor, cell: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias: Tensor
) -> tuple[Tensor, Tensor]:
    i, f, g, o = (x @ weight_ih.T + hidden @ weight_hh.T + bias).chunk(4, dim=-1)
    cell = f.sigmoid() * cell + i.sigmoid() * g.tanh()
    return o.sigmoid() * cell.tanh(), cell


def _lstm_cases(seed: int) -> list[Case]:
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
        case("one unit", *inputs(1, 1, 1)),
        case(
            "a forget gate that is open and an input gate that is shut: the cell stays the same",
            zero,
            zero,
            5 * one,
            no_weights,
            no_weights,
            only_bias(-40.0, 40.0, 1.0, 0.5),
        ),
        case("a first step, from zeros", draw(2, 3), 0 * draw(2, 5), 0 * draw(2, 5), *inputs(2, 3, 5)[3:]),
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


lstm_step = Task(
    name="lstm_step",
    chapter=CHAPTER,
    points=4,
    difficulty=3,
    minutes=25,
    cases=_lstm_cases,
    reference=_lstm_step,
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


# -------------------------------------------------------------------------------------------------------- gru_step


def _gru_step(
    x: Tensor, hidden: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias_ih: Tensor, bias_hh: Tensor
) -> Tensor:
    r_x, z_x, n_x = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    r_h, z_h, n_h = (hidden @ weight_hh.T + bias_hh).chunk(3, dim=-1)
    r, z = (r_x + r_h).sigmoid(), (z_x + z_h).sigmoid()
    return (1 - z) * (n_x + r * n_h).tanh() + z * hidden


def _gru_cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    single = drawer(seed, torch.float32)

    def inputs(
        batch: int, width: int, units: int, make: Callable[..., Tensor] = draw, grad: bool = False
    ) -> tuple[Tensor, ...]:
        G = 3 * units
        return tuple(
            make(*sizes, grad=grad) for sizes in ((batch, width), (batch, units), (G, width), (G, units), (G,), (G,))
        )

    one = torch.ones(1, 1, dtype=torch.float64)
    no_weights, no_bias = torch.zeros(3, 1, dtype=torch.float64), torch.zeros(3, dtype=torch.float64)
    shut = torch.tensor([0.0, 40.0, 1.0], dtype=torch.float64)
    return [
        case(
            "the worked example",
            0 * one,
            one,
            no_weights,
            no_weights,
            torch.tensor([0.0, 0.0, 1.0], dtype=torch.float64),
            no_bias,
        ),
        case("three sequences at once", *inputs(3, 5, 7)),
        case("the gradients too", *inputs(2, 3, 5, grad=True)),
        case("one unit", *inputs(1, 1, 1)),
        case("z near 1: the state stays the same", one, 3 * one, no_weights, no_weights, shut, no_bias),
        case("a first step, from zeros", draw(2, 3), 0 * draw(2, 5), *inputs(2, 3, 5)[2:]),
        case("float32", *inputs(2, 3, 5, single)),
    ]


def _gru_wrong(
    x: Tensor, hidden: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias_ih: Tensor, bias_hh: Tensor, *, how: str
) -> Tensor:
    H = hidden.shape[-1]
    r_x, z_x, n_x = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    r_h, z_h, n_h = (hidden @ weight_hh.T + bias_hh).chunk(3, dim=-1)
    if how == "order":
        r_x, r_h, z_x, z_h = z_x, z_h, r_x, r_h
    r, z = (r_x + r_h).sigmoid(), (z_x + z_h).sigmoid()
    inner = {
        "no_reset": n_x + n_h,
        "reset_all": r * (n_x + n_h),
        "reset_first": n_x + (r * hidden) @ weight_hh[2 * H :].T + bias_hh[2 * H :],
        "bias_outside": n_x + r * (hidden @ weight_hh[2 * H :].T) + bias_hh[2 * H :],
        "update_resets": n_x + z * n_h,
    }.get(how, n_x + r * n_h)
    new = inner.sigmoid() if how == "n_sigmoid" else inner.tanh()
    if how == "z_swapped":
        return z * new + (1 - z) * hidden
    if how == "no_mix":
        return new + z * hidden
    return (1 - z) * new + z * hidden


def _gru_by_lerp(
    x: Tensor, hidden: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias_ih: Tensor, bias_hh: Tensor
) -> Tensor:
    H = hidden.shape[-1]
    inputs, states = F.linear(x, weight_ih, bias_ih), F.linear(hidden, weight_hh, bias_hh)
    reset, update = torch.sigmoid(inputs[:, : 2 * H] + states[:, : 2 * H]).split(H, dim=1)
    return torch.lerp(torch.tanh(torch.addcmul(inputs[:, 2 * H :], reset, states[:, 2 * H :])), hidden, update)


def _gru_part_by_part(
    x: Tensor, hidden: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias_ih: Tensor, bias_hh: Tensor
) -> Tensor:
    parts = []
    for w_x, w_h, b_x, b_h in zip(
        weight_ih.chunk(3), weight_hh.chunk(3), bias_ih.chunk(3), bias_hh.chunk(3), strict=True
    ):
        parts.append((x @ w_x.T + b_x, hidden @ w_h.T + b_h))
    reset = 1 / (1 + torch.exp(-(parts[0][0] + parts[0][1])))
    update = 1 / (1 + torch.exp(-(parts[1][0] + parts[1][1])))
    new = torch.tanh(parts[2][0] + reset * parts[2][1])
    return new + update * (hidden - new)


gru_step = Task(
    name="gru_step",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=20,
    cases=_gru_cases,
    reference=_gru_step,
    compare=Compare(rtol=1e-5, atol=1e-6, gradient=True),
    slips=(
        Slip(
            "z_exchanged",
            partial(_gru_wrong, how="z_swapped"),
            "z and 1 - z are exchanged. Here z is the share of the old state that is kept, as in Cho et "
            "al. 2014; some textbooks have it the other way round.",
        ),
        Slip(
            "no_mix",
            partial(_gru_wrong, how="no_mix"),
            "The new content was added in full. The GRU mixes: a share z of the old, and the rest, 1 - z, of the new.",
        ),
        Slip(
            "no_reset",
            partial(_gru_wrong, how="no_reset"),
            "The reset gate plays no part. It scales what the old state gives to the new content: n_x + r * n_h.",
        ),
        Slip(
            "reset_everything",
            partial(_gru_wrong, how="reset_all"),
            "The reset gate scaled the input's part too. It scales only the part of the old state.",
        ),
        Slip(
            "reset_first",
            partial(_gru_wrong, how="reset_first"),
            "The reset gate was multiplied with the old state before the matrix. Cho et al. do so; torch and this "
            "exercise multiply after it, so that one product serves all three gates.",
        ),
        Slip(
            "bias_outside",
            partial(_gru_wrong, how="bias_outside"),
            "Nearly: the bias of the old state's part belongs inside the reset gate's product, r * (W h + b_hh).",
        ),
        Slip(
            "gate_order",
            partial(_gru_wrong, how="order"),
            "Reset and update gate are exchanged: the first third is r, the second z, the third n.",
        ),
        Slip(
            "n_sigmoid",
            partial(_gru_wrong, how="n_sigmoid"),
            "The new content got a sigmoid. It is no gate but content, from -1 to 1: a tanh.",
        ),
    ),
    alternatives=(_gru_by_lerp, _gru_part_by_part),
    hints=(
        "Keep the input's part and the state's part apart: the reset gate needs them so.",
        "Cut both into thirds. r and z are sigmoids of the sums of their parts; new content: tanh(n_x + r * n_h).",
        "return (1 - z) * torch.tanh(n_x + r * n_h) + z * hidden",
    ),
)
