from collections.abc import Callable

import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch03.shared import drawer


def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    """Return hidden and cell state after one step of an LSTM with peepholes.

    Args:
        x: (B, I).
        hidden: the old hidden state, (B, H); it stays as it is.
        cell: the old cell state, (B, H); it stays as it is.
        weight_ih: (4H, I), for i, f, g, o in this order.
        weight_hh: (4H, H).
        bias: (4H,).
        peepholes: (3, H), the weights with which the gates i, f and o see the cell state, in this order.

    Returns:
        A tuple: the new hidden state (B, H), the new cell state (B, H). The gradient must flow through both to all
        seven arguments.

    >>> zero, bias = torch.zeros(4, 1), torch.tensor([0.0, 1.0, 1.0, 0.0])
    >>> peepholes = torch.tensor([[0.0], [1.0], [2.0]])
    >>> x, hidden, cell = torch.zeros(1, 1), torch.zeros(1, 1), torch.ones(1, 1)
    >>> hidden, cell = peephole_step(x, hidden, cell, zero, zero, bias, peepholes)
    >>> round(hidden.item(), 3), round(cell.item(), 3)
    (0.788, 1.262)
    """
    i, f, g, o = (x @ weight_ih.T + hidden @ weight_hh.T + bias).chunk(4, dim=-1)
    peep_i, peep_f, peep_o = peepholes
    i, f = torch.sigmoid(i + peep_i * cell), torch.sigmoid(f + peep_f * cell)
    new = f * cell + i * torch.tanh(g)
    o = torch.sigmoid(o + peep_o * new)
    return o * torch.tanh(new), new


@drawn(3)
def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    single = drawer(seed, torch.float32)

    def inputs(
        batch: int, width: int, units: int, make: Callable[..., Tensor] = draw, grad: bool = False
    ) -> tuple[Tensor, ...]:
        G = 4 * units
        sizes = (batch, width), (batch, units), (batch, units), (G, width), (G, units), (G,), (3, units)
        return tuple(make(*size, grad=grad) for size in sizes)

    def numbers(*values: float) -> Tensor:
        return torch.tensor(values, dtype=torch.float64)

    zero, one = torch.zeros(1, 1, dtype=torch.float64), torch.ones(1, 1, dtype=torch.float64)
    no_weights = torch.zeros(4, 1, dtype=torch.float64)
    peeps = numbers(0.0, 1.0, 2.0)[:, None]
    large = list(inputs(3, 5, 7))
    large[2] = 4 * large[2]
    return [
        case("the worked example", zero, zero, one, no_weights, no_weights, numbers(0.0, 1.0, 1.0, 0.0), peeps),
        case("three sequences at once", *inputs(3, 5, 7)),
        case("cells far from 0", *large),
        case("as many units as peepholes", *inputs(2, 5, 3)),
        case("the gradients", *inputs(2, 3, 5, grad=True)),
        case("float32", *inputs(2, 3, 5, single)),
        border("one unit", *inputs(1, 1, 1)),
        border("one sequence, the gradients", *inputs(1, 3, 2, grad=True)),
        border("no peepholes: all of their weights 0", *inputs(2, 3, 5)[:6], torch.zeros(3, 5, dtype=torch.float64)),
        border("a first step, from zeros", draw(2, 3), 0 * draw(2, 5), 0 * draw(2, 5), *inputs(2, 3, 5)[3:]),
    ]


SLIPS = mistakes("""
gate_order: "(4H, I), for i, f, g, o in this order"
    i, f, g, o = => i, f, o, g =
  The third and the fourth quarter are exchanged: the order is i, f, g, o. The third gets the tanh, the fourth is the
  output gate.
interleaved: "(4H, I), for i, f, g, o in this order"
    .chunk(4, dim=-1) => .unflatten(-1, (-1, 4)).unbind(-1)
  Each gate got every fourth number. The first H numbers belong to i, the next H to f, and so on: .chunk(4, dim=-1).
nothing_forgotten: "Return hidden and cell state after one step of an LSTM with peepholes"
    f * cell + i => cell + i
  The old cell was kept in full. So it was in the LSTM of 1997; since 2000 it is multiplied by the forget gate.
no_tanh_at_the_end
    torch.tanh(new), new => new, new
  The cell was shown as it is. It can be large, since it is a sum; the output is o * tanh(c).
swapped: "A tuple: the new hidden state (B, H), the new cell state (B, H)"
    return o * torch.tanh(new), new => return new, o * torch.tanh(new)
  Both are right, but in the wrong order: hidden state first, then cell.
cell_in_place: "it stays as it is"
    new = f * cell + i => new = cell.mul_(f) + i
  The caller's cell was overwritten (*= or mul_). Compute a new one, or the old state is lost and no gradient flows
  through it.
output_sees_the_old_cell
    peep_o * new => peep_o * cell
  The output gate looked at the old cell state. It decides what is shown of the new one, and sees that.
peephole_order: "(3, H), the weights with which the gates i, f and o see the cell state, in this order"
    peep_i, peep_f, peep_o = => peep_f, peep_i, peep_o =
  The first two rows of the peepholes are exchanged: the order is i, f, o.
""")
CLOSE = Compare(rtol=1e-5, atol=1e-6, gradient=True, new=True)
HINTS = hints("""
- Begin with the LSTM of the page: one product, four quarters. The peepholes change only what goes into the three
  sigmoids.
- i and f decide about the old cell state and see the old one: torch.sigmoid(i + peepholes[0] * cell). The output gate
  comes after the new cell state and sees that.
- new = f * cell + i * torch.tanh(g); o = torch.sigmoid(o + peepholes[2] * new); return o * new.tanh(), new
""")
task = Task(peephole_step, points=4, difficulty=4, minutes=25, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
