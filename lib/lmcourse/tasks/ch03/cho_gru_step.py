from collections.abc import Callable

import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch03.shared import drawer


def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    """Return the state after one step of a GRU in the form of Cho et al., with the reset gate before the matrix.

    Args:
        x: (B, I).
        hidden: the old state, (B, H); it stays as it is.
        weight_ih: (3H, I), for r, z, n in this order.
        weight_hh: (3H, H), in the same order.
        bias: (3H,), in the same order.

    Returns:
        The new state, a new tensor of shape (B, H). The gradient must flow through it to all five arguments.

    >>> zero, one = torch.zeros(3, 1), torch.ones(1, 1)
    >>> weight_hh = torch.tensor([[0.0], [0.0], [1.0]])
    >>> round(cho_gru_step(one, one, zero, weight_hh, torch.tensor([0.0, 2.0, 1.0])).item(), 3)
    0.989
    """
    r_x, z_x, n_x = (x @ weight_ih.T + bias).chunk(3, dim=-1)
    weight_r, weight_z, weight_n = weight_hh.chunk(3)
    r = torch.sigmoid(r_x + hidden @ weight_r.T)
    z = torch.sigmoid(z_x + hidden @ weight_z.T)
    n = torch.tanh(n_x + (r * hidden) @ weight_n.T)
    return (1 - z) * n + z * hidden


@drawn(3)
def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    single = drawer(seed, torch.float32)

    def inputs(
        batch: int, width: int, units: int, make: Callable[..., Tensor] = draw, grad: bool = False
    ) -> tuple[Tensor, ...]:
        G = 3 * units
        return tuple(
            make(*sizes, grad=grad) for sizes in ((batch, width), (batch, units), (G, width), (G, units), (G,))
        )

    def numbers(*values: float) -> Tensor:
        return torch.tensor(values, dtype=torch.float64)

    one = torch.ones(1, 1, dtype=torch.float64)
    no_weights, last_weight = torch.zeros(3, 1, dtype=torch.float64), numbers(0.0, 0.0, 1.0)[:, None]
    return [
        case("the worked example", one, one, no_weights, last_weight, numbers(0.0, 2.0, 1.0)),
        case("three sequences at once", *inputs(3, 5, 7)),
        case("as many sequences as gates, inputs and units", *inputs(3, 3, 3)),
        case("the gradients too", *inputs(2, 3, 5, grad=True)),
        case("float32", *inputs(2, 3, 5, single)),
        border("one unit", *inputs(1, 1, 1)),
        border("one sequence, the gradients", *inputs(1, 3, 2, grad=True)),
        border("z near 1: the state stays the same", one, 3 * one, no_weights, last_weight, numbers(0.0, 40.0, 1.0)),
        border(
            "z near 0: the state is new throughout", one, 3 * one, no_weights, last_weight, numbers(0.0, -40.0, 1.0)
        ),
        border("a first step, from zeros", draw(2, 3), 0 * draw(2, 5), *inputs(2, 3, 5)[2:]),
    ]


SLIPS = mistakes("""
z_exchanged: "in the form of Cho et al."
    (1 - z) * n => z * n
    + z * hidden => + (1 - z) * hidden
  z and 1 - z are exchanged. Here z is the share of the old state that is kept, as in Cho et al. 2014; some textbooks
  have it the other way round.
no_mix: "one step of a GRU"
    (1 - z) * n => n
  The new content was added in full. The GRU mixes: a share z of the old, and the rest, 1 - z, of the new.
no_reset: "with the reset gate before the matrix"
    (r * hidden) @ => hidden @
  The reset gate plays no part. It scales the old state that the new content sees: (r * hidden) @ weight_n.T.
reset_after, as on the page: "with the reset gate before the matrix"
    (r * hidden) @ weight_n.T => r * (hidden @ weight_n.T)
  The reset gate scaled the product of matrix and old state. PyTorch does so; in the form of Cho et al. the gate comes
  first: (r * hidden) @ weight_n.T.
reset_in_the_mixture
    + z * hidden => + z * (r * hidden)
  The old state was reset in the mixture, too. The reset gate acts only on what the new content sees.
update_resets
    (r * hidden) @ => (z * hidden) @
  The update gate z was put where the reset gate belongs: (r * hidden) @ weight_n.T.
gate_order: "(3H, I), for r, z, n in this order"
    r_x, z_x, n_x = => z_x, r_x, n_x =
    weight_r, weight_z, weight_n = => weight_z, weight_r, weight_n =
  Reset and update gate are exchanged: the first third is r, the second z, the third n.
state_cut: "The gradient must flow through it to all five arguments"
    + z * hidden => + z * hidden.detach()
  Right values, but the old state was cut from the graph (detach or .data), and with it the straight way back in time.
""")
CLOSE = Compare(rtol=1e-5, atol=1e-6, gradient=True, new=True)
HINTS = hints("""
- The gates are those of the page. Only the new content differs: the old state is reset before its matrix.
- weight_hh.chunk(3) gives the matrices of r, z and n. Compute r and z first; n needs r.
- n = torch.tanh(n_x + (r * hidden) @ weight_n.T); return (1 - z) * n + z * hidden
""")
task = Task(cho_gru_step, points=3, difficulty=3, minutes=20, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
