"""Exercise `gru_step`."""

from collections.abc import Callable
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch03.shared import drawer


def gru_step(x, hidden, weight_ih, weight_hh, bias_ih, bias_hh):
    """Return the state after one step of a GRU.

    Args:
        x: (B, I).
        hidden: the old state, (B, H).
        weight_ih: (3H, I), for r, z, n in this order.
        weight_hh: (3H, H).
        bias_ih: (3H,).
        bias_hh: (3H,).

    Returns:
        The new state, (B, H). The gradient must flow through it.

    >>> zero, one = torch.zeros(3, 1), torch.ones(1, 1)
    >>> round(gru_step(one, one, zero, zero, torch.tensor([0.0, 0.0, 1.0]), torch.zeros(3)).item(), 3)
    0.881
    """
    r_x, z_x, n_x = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    r_h, z_h, n_h = (hidden @ weight_hh.T + bias_hh).chunk(3, dim=-1)
    r, z = torch.sigmoid(r_x + r_h), torch.sigmoid(z_x + z_h)
    return (1 - z) * torch.tanh(n_x + r * n_h) + z * hidden


def cases(seed: int) -> list[Case]:
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
        border("one unit", *inputs(1, 1, 1)),
        border("z near 1: the state stays the same", one, 3 * one, no_weights, no_weights, shut, no_bias),
        border("a first step, from zeros", draw(2, 3), 0 * draw(2, 5), *inputs(2, 3, 5)[2:]),
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


task = Task(
    gru_step,
    points=3,
    difficulty=3,
    minutes=20,
    cases=cases,
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
