import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch03.shared import drawer


def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    """Return the state after one step of a leaky recurrent network.

    Args:
        x: the inputs of this step, (B, I).
        hidden: the old states, (B, H).
        weight_ih: (H, I).
        weight_hh: (H, H).
        bias: (H,).
        leak: the share of the state that is replaced, a float from 0 to 1.

    Returns:
        The new states, a new tensor of shape (B, H), of the element type of the arguments. The gradient must flow
        through it to all five tensors.

    >>> weight_ih, weight_hh, bias = torch.tensor([[0.6]]), torch.tensor([[0.4]]), torch.tensor([0.1])
    >>> round(leaky_step(torch.tensor([[1.0]]), torch.tensor([[0.5]]), weight_ih, weight_hh, bias, 0.25).item(), 3)
    0.554
    """
    new = torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)
    return (1 - leak) * hidden + leak * new


@drawn(3)
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
        case("the worked example", *worked, 0.25),
        case("three sequences at once", draw(3, 5), draw(3, 7), draw(7, 5), draw(7, 7), draw(7), 0.3),
        case("the gradients, of the weights too", *gradients(2, 3, 5), 0.6),
        case("as many sequences as inputs and units", *gradients(3, 3, 3), 0.2),
        case("matrices that are transposed views", draw(2, 5), draw(2, 3), draw(5, 3).T, draw(3, 3).T, draw(3), 0.4),
        case("float32", single(2, 3), single(2, 5), single(5, 3), single(5, 5), single(5), 0.7),
        border("one unit, one input", draw(1, 1), draw(1, 1), draw(1, 1), draw(1, 1), draw(1), 0.8),
        border("one sequence, the gradients", *gradients(1, 3, 5), 0.9),
        border("a leak of 0: the state stays the same", draw(2, 5), draw(2, 3), draw(3, 5), draw(3, 3), draw(3), 0.0),
        border("an old state far outside -1 to 1", draw(2, 5), 9 * draw(2, 3), draw(3, 5), draw(3, 3), draw(3), 0.1),
    ]


SLIPS = mistakes("""
no_tanh: "Return the state after one step of a leaky recurrent network"
    torch.tanh( => (
  The tanh is missing. Without it the states can grow without bound, and many steps in a row would do no more than a
  single matrix.
sigmoid
    torch.tanh => torch.sigmoid
  A sigmoid was used: it lies between 0 and 1 and is right for gates. The new content of this cell is a tanh, between -1
  and 1.
bias_outside_the_tanh: "(H,)"
    + bias) => ) + bias
  The bias was added after the tanh. All three parts belong inside.
not_transposed: "(H, H)"
    weight_hh.T => weight_hh
  weight_hh was used without transposing it. Row j of the matrix holds the weights of unit j, so the product is hidden @
  weight_hh.T; a square matrix hides the mistake.
no_leak, as on the page: "the share of the state that is replaced, a float from 0 to 1"
    (1 - leak) * hidden + leak * new => new
  The leak plays no part: this is the plain recurrent cell. Only a share `leak` of the state is replaced.
leak_exchanged: "the share of the state that is replaced, a float from 0 to 1"
    (1 - leak) * hidden + leak * new => leak * hidden + (1 - leak) * new
  leak and 1 - leak are exchanged. The leak is the share of the new content; 1 - leak of the old is kept.
old_state_in_full: "the share of the state that is replaced, a float from 0 to 1"
    (1 - leak) * hidden => hidden
  The old state was kept in full, so the state can grow at every step. Keep the share 1 - leak of it.
mixed_inside_the_tanh
    torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias) => x @ weight_ih.T + hidden @ weight_hh.T + bias
    return (1 - leak) * hidden + leak * new => return torch.tanh((1 - leak) * hidden + leak * new)
  Old state and new content were mixed inside the tanh. The tanh belongs to the new content only.
state_cut: "The gradient must flow through it to all five tensors"
    hidden @ => hidden.detach() @
    (1 - leak) * hidden => (1 - leak) * hidden.detach()
  The values are right, but the old state was cut from the graph (detach or .data), so that no gradient flows back in
  time. Leave it as it comes.
""")
CLOSE = Compare(rtol=1e-5, atol=1e-6, gradient=True, new=True)
HINTS = hints("""
- First compute the state that a plain recurrent cell would have. Then mix it with the old one.
- new = torch.tanh(...) of three parts: input and old state have a matrix each, both transposed, and the bias.
- return (1 - leak) * hidden + leak * torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)
""")
task = Task(leaky_step, points=2, difficulty=2, minutes=10, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
