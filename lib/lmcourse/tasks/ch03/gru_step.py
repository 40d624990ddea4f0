"""Exercise `gru_step`."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch03.shared import drawer


def gru_step(x, hidden, weight_ih, weight_hh, bias_ih, bias_hh):
    """Return the state after one step of a GRU.

    Args:
        x: (B, I).
        hidden: the old state, (B, H); it stays as it is.
        weight_ih: (3H, I), for r, z, n in this order.
        weight_hh: (3H, H).
        bias_ih: (3H,).
        bias_hh: (3H,).

    Returns:
        The new state, a new tensor of shape (B, H). The gradient must flow through it to all six arguments.

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

    def numbers(*values: float) -> Tensor:
        return torch.tensor(values, dtype=torch.float64)

    one = torch.ones(1, 1, dtype=torch.float64)
    no_weights, no_bias = torch.zeros(3, 1, dtype=torch.float64), torch.zeros(3, dtype=torch.float64)
    shut, open_ = numbers(0.0, 40.0, 1.0), numbers(0.0, -40.0, 1.0)
    return [
        case("the worked example", 0 * one, one, no_weights, no_weights, numbers(0.0, 0.0, 1.0), no_bias),
        case("three sequences at once", *inputs(3, 5, 7)),
        case("as many sequences as gates, inputs and units", *inputs(3, 3, 3)),
        case("the gradients too", *inputs(2, 3, 5, grad=True)),
        case("float32", *inputs(2, 3, 5, single)),
        border("one unit", *inputs(1, 1, 1)),
        border("one sequence, the gradients", *inputs(1, 3, 2, grad=True)),
        border("z near 1: the state stays the same", one, 3 * one, no_weights, no_weights, shut, no_bias),
        border("z near 0: the state is new throughout", one, 3 * one, no_weights, no_weights, open_, no_bias),
        border(
            "r near 0: the old state has no part in the new content, nor has its bias",
            one,
            3 * one,
            no_weights,
            no_weights + 0.5,
            numbers(-40.0, 0.3, 0.2),
            numbers(0.0, 0.0, 0.7),
        ),
        border("a first step, from zeros", draw(2, 3), 0 * draw(2, 5), *inputs(2, 3, 5)[2:]),
    ]


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
    compare=Compare(rtol=1e-5, atol=1e-6, gradient=True, new=True),
    slips=(
        Slip(
            "z_exchanged",
            (
                ("(1 - z) * torch", "z * torch"),
                ("+ z * hidden", "+ (1 - z) * hidden"),
            ),
            "z and 1 - z are exchanged. Here z is the share of the old state that is kept, as in Cho et al. 2014; "
            "some textbooks have it the other way round.",
        ),
        Slip(
            "no_mix",
            ("(1 - z) * torch", "torch"),
            "The new content was added in full. The GRU mixes: a share z of the old, and the rest, 1 - z, of the new.",
        ),
        Slip(
            "all_kept",
            ("+ z * hidden", "+ hidden"),
            "The old state was kept in full. A share z of it is: z * h.",
        ),
        Slip(
            "nothing_kept",
            (" + z * hidden", ""),
            "The old state is missing in the mix: a share z of it is kept, z * h.",
        ),
        Slip(
            "only_new",
            (
                ("(1 - z) * torch", "torch"),
                (" + z * hidden", ""),
            ),
            "This is the new content. The state is a mix of it and the old one: (1 - z) * n + z * h.",
        ),
        Slip(
            "no_reset",
            ("r * n_h", "n_h"),
            "The reset gate plays no part. It scales what the old state gives to the new content: n_x + r * n_h.",
        ),
        Slip(
            "reset_everything",
            ("n_x + r * n_h", "r * (n_x + n_h)"),
            "The reset gate scaled the input's part too. It scales only the part of the old state.",
        ),
        Slip(
            "reset_of_the_input",
            ("n_x + r * n_h", "r * n_x + n_h"),
            "The reset gate scaled the part of the input. It scales the part of the old state: n_x + r * n_h.",
        ),
        Slip(
            "reset_first",
            ("n_x + r * n_h", "n_x + (r * hidden) @ weight_hh[-hidden.shape[1] :].T + bias_hh[-hidden.shape[1] :]"),
            "The reset gate was multiplied with the old state before the matrix. Cho et al. do so; torch and this "
            "exercise multiply after it, so that one product serves all three gates.",
        ),
        Slip(
            "bias_outside",
            ("r * n_h", "r * (n_h - bias_hh[-hidden.shape[1] :]) + bias_hh[-hidden.shape[1] :]"),
            "Nearly: the bias of the old state's part belongs inside the reset gate's product, r * (W h + b_hh).",
        ),
        Slip(
            "update_resets",
            ("r * n_h", "z * n_h"),
            "The update gate z was put where the reset gate belongs: n_x + r * n_h.",
        ),
        Slip(
            "gate_order",
            (
                ("r_x, z_x, n_x =", "z_x, r_x, n_x ="),
                ("r_h, z_h, n_h =", "z_h, r_h, n_h ="),
            ),
            "Reset and update gate are exchanged: the first third is r, the second z, the third n.",
        ),
        Slip(
            "content_first",
            (
                ("r_x, z_x, n_x =", "n_x, r_x, z_x ="),
                ("r_h, z_h, n_h =", "n_h, r_h, z_h ="),
            ),
            "The thirds are in another order here: n, r, z. The order is r, z, n.",
        ),
        Slip(
            "interleaved",
            (
                ("bias_ih).chunk(3, dim=-1)", "bias_ih).unflatten(-1, (-1, 3)).unbind(-1)"),
                ("bias_hh).chunk(3, dim=-1)", "bias_hh).unflatten(-1, (-1, 3)).unbind(-1)"),
            ),
            "Each gate got every third number. The first H numbers belong to r, the next H to z, and so on: "
            ".chunk(3, dim=-1).",
        ),
        Slip(
            "n_sigmoid",
            ("torch.tanh(n_x", "torch.sigmoid(n_x"),
            "The new content got a sigmoid. It is no gate but content, from -1 to 1: a tanh.",
        ),
        Slip(
            "n_linear",
            ("torch.tanh(n_x", "(n_x"),
            "The new content was taken as it is. It gets a tanh: between -1 and 1.",
        ),
        Slip(
            "gates_tanh",
            ("torch.sigmoid(r_x + r_h), torch.sigmoid(z_x + z_h)", "torch.tanh(r_x + r_h), torch.tanh(z_x + z_h)"),
            "The gates got a tanh. A gate says how much, from 0 to 1: a sigmoid.",
        ),
        Slip(
            "no_bias_hh",
            (" + bias_hh", ""),
            "The bias of the old state's part, bias_hh, is missing.",
        ),
        Slip(
            "no_bias_ih",
            (" + bias_ih", ""),
            "The bias of the input's part, bias_ih, is missing.",
        ),
        Slip(
            "no_biases",
            (
                (" + bias_hh", ""),
                (" + bias_ih", ""),
            ),
            "Both biases are missing, bias_ih with the input and bias_hh with the old state.",
        ),
        Slip(
            "cut_gradient",
            (
                "return (1 - z) * torch.tanh(n_x + r * n_h) + z * hidden",
                "return ((1 - z) * torch.tanh(n_x + r * n_h) + z * hidden).detach()",
            ),
            "The values are right, but the gradient was cut (detach, .data or no_grad), so that nothing could be "
            "learned. Leave the tensors as they come.",
        ),
        Slip(
            "state_cut",
            ("z * hidden", "z * hidden.detach()"),
            "The values are right, but the old state was cut from the graph (detach or .data), and with it the "
            "straight way back in time.",
        ),
    ),
    alternatives=(_gru_by_lerp, _gru_part_by_part),
    hints=(
        "Keep the input's part and the state's part apart: the reset gate needs them so.",
        "Cut both into thirds. r and z are sigmoids of the sums of their parts; new content: tanh(n_x + r * n_h).",
        "return (1 - z) * torch.tanh(n_x + r * n_h) + z * hidden",
    ),
)
