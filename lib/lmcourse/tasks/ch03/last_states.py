from collections.abc import Callable

import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch03.shared import drawer


def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    """Return the state of each text after its own last word.

    Args:
        x: the inputs, (B, T, I), T at least 1. Beyond the end of its text a row holds padding, which means nothing.
        hidden: the states before the first step, (B, H); they stay as they are.
        weight_ih: (H, I).
        weight_hh: (H, H).
        bias: (H,).
        lengths: the number of words of each text, whole numbers (B,) from 0 to T.

    Returns:
        A new tensor (B, H). The gradient must flow through all steps, back to `x`, `hidden`, the weights and the bias.

    >>> one, padding = torch.ones(1, 1), 9.0
    >>> x = torch.tensor([[[0.5], [0.0], [0.0]], [[0.5], [padding], [padding]]])
    >>> states = last_states(x, torch.zeros(2, 1), one, one, torch.zeros(1), torch.tensor([3, 1]))
    >>> [round(value, 3) for value in states.flatten().tolist()]
    [0.407, 0.462]
    """
    for t in range(x.shape[1]):
        new = torch.tanh(x[:, t] @ weight_ih.T + hidden @ weight_hh.T + bias)
        hidden = torch.where(t < lengths[:, None], new, hidden)
    return hidden


@drawn(3)
def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    single = drawer(seed, torch.float32)
    one = torch.ones(1, 1, dtype=torch.float64)
    steps = torch.tensor([[[0.5], [0.0], [0.0]], [[0.5], [9.0], [9.0]]], dtype=torch.float64)

    def given(
        batch: int,
        steps: int,
        width: int,
        units: int,
        *lengths: int,
        grad: bool = False,
        make: Callable[..., Tensor] = draw,
    ) -> tuple[Tensor, ...]:
        sizes = ((batch, steps, width), (batch, units), (units, width), (units, units), (units,))
        return (*(make(*size, grad=grad) for size in sizes), torch.tensor(lengths))

    far = list(given(3, 5, 2, 3, 2, 5, 4))
    far[0][0, 2:], far[0][2, 4:] = 1e6, -1e6
    return [
        case("the worked example", steps, 0 * steps[:, 0], one, one, 0 * one[0], torch.tensor([3, 1])),
        case("three texts of different lengths", *given(3, 5, 2, 7, 3, 5, 1)),
        case("the gradients, of the first state too", *given(3, 5, 3, 2, 2, 5, 4, grad=True)),
        case("the gradients of longer texts", *given(2, 13, 2, 5, 13, 7, grad=True)),
        case("padding that is far from 0", *far),
        case("float32", *given(2, 3, 2, 5, 2, 3, make=single)),
        border("texts of the same length, no padding", *given(3, 4, 2, 5, 4, 4, 4)),
        border("an empty text keeps its first state", *given(3, 4, 2, 5, 0, 3, 4)),
        border("an empty text, the gradients", *given(2, 3, 3, 2, 0, 2, grad=True)),
        border("empty texts only: the first states, in a new tensor", *given(2, 3, 2, 5, 0, 0)),
    ]


SLIPS = mistakes("""
padding_read: "Return the state of each text after its own last word"
    torch.where(t < lengths[:, None], new, hidden) => new
  The padding was read, too: every row took all T steps. A text that has ended keeps its state.
one_step_too_many: "Return the state of each text after its own last word"
    t < lengths => t <= lengths
  Each text took one step too many. Counted from 0, the last word of a text is at position length - 1.
one_step_short: "Return the state of each text after its own last word"
    t < lengths => t + 1 < lengths
  The last word of each text was left out. A text of n words takes the steps t = 0 to n - 1.
input_zeroed: "Beyond the end of its text a row holds padding, which means nothing"
    x[:, t] @ => (x[:, t] * (t < lengths[:, None])) @
    torch.where(t < lengths[:, None], new, hidden) => new
  The padding was set to 0, but the state still took those steps, and an input of 0 changes it as well. Leave the state
  as it is once its text has ended.
shortest_for_all: "the number of words of each text, whole numbers (B,) from 0 to T"
    t < lengths[:, None] => (t < lengths.min()).expand(len(x), 1)
  All texts took as many steps as the shortest. Each has its own length.
zeros: "the states before the first step, (B, H)"
    for t in => hidden = torch.zeros_like(hidden)
    |    for t in
  The loop began with zeros instead of the `hidden` that was given.
not_transposed: "(H, H)"
    weight_hh.T => weight_hh
  weight_hh was used without transposing it. The product is hidden @ weight_hh.T; a square matrix hides the mistake.
cut_every_step: "The gradient must flow through all steps, back to `x`, `hidden`, the weights and the bias"
    hidden @ weight_hh.T => hidden.detach() @ weight_hh.T
  The values are right, but the state was cut from the graph (detach) at each step, so no gradient flows back in time.
  Cut between batches, never between steps.
""")
CLOSE = Compare(rtol=1e-5, atol=1e-6, gradient=True, new=True)
HINTS = hints("""
- Run the loop of the page. What should happen at a step to a text that has already ended?
- Compute `new` for all rows, and then choose for each row: torch.where(condition, new, hidden).
- The condition is t < lengths[:, None], of shape (B, 1): row b takes the steps 0 to lengths[b] - 1.
""")
task = Task(last_states, points=3, difficulty=3, minutes=20, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
