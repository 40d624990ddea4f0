import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch05.shared import double
from lmcourse.tasks.ch06.shared import CLOSE, draw


def feed_forward(x, w1, b1, w2, b2):
    """Return the feed-forward block of a transformer.

    Args:
        x: a tensor (..., D); there may be no positions at all.
        w1, b1: tensors (D, F) and (F,), which expand.
        w2, b2: tensors (F, D) and (D,), which collapse.

    Returns:
        A tensor (..., D).

    >>> x, b1, b2 = torch.tensor([[1.0, 0, 1]]), torch.tensor([-1.0, -1]), torch.zeros(3)
    >>> w1 = torch.tensor([[1.0, -1], [-1, 1], [1, 1]])
    >>> w2 = torch.tensor([[1.0, 0, 0], [0, 1, 0]])
    >>> feed_forward(x, w1, b1, w2, b2).tolist()
    [[1.0, 0.0, 0.0]]
    """
    return torch.relu(x @ w1 + b1) @ w2 + b2


@drawn(4)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def weights(D: int, F: int, dtype: torch.dtype = torch.float64) -> list[Tensor]:
        shapes = ((D, F), (F,), (F, D), (D,))
        return [draw(rng, *shape, dtype=dtype) for shape in shapes]

    pairs = [double([[1, -1], [-1, 1], [1, 1]]), double([-1, -1]), double([[1, 0, 0], [0, 1, 0]]), double([0, 0, 0])]
    mixed = [double([[1, -1], [0.5, 2]]), double([0.5, -1]), double([[1, -3], [2, 1]]), double([-0.25, 1])]
    return [
        case("the worked example", double([[1, 0, 1]]), *pairs),
        case("hidden numbers of both signs", double([[1, 1], [-2, 0], [3, -4]]), *mixed),
        case("seven positions, 3 wide, 5 hidden", draw(rng, 7, 3), *weights(3, 5)),
        case("as wide as hidden", draw(rng, 4, 3), *weights(3, 3)),
        case("a batch of sentences", draw(rng, 2, 5, 3), *weights(3, 11)),
        case("a batch with another axis", draw(rng, 2, 3, 2, 4), *weights(4, 5)),
        border("one position as a vector", draw(rng, 5), *weights(5, 2)),
        border("an empty sentence", torch.zeros(0, 3, dtype=torch.float64), *weights(3, 7)),
        border("a batch of empty sentences", torch.zeros(2, 0, 3, dtype=torch.float64), *weights(3, 7)),
        border("hidden width 1", draw(rng, 5, 3), *weights(3, 1)),
        border("large numbers", 1e4 * draw(rng, 3, 3), *weights(3, 5)),
        case("float32", draw(rng, 5, 3, dtype=torch.float32), *weights(3, 13, torch.float32)),
    ]


SLIPS = mistakes("""
no_relu: "Return the feed-forward block of a transformer"
    torch.relu(x @ w1 + b1) => (x @ w1 + b1)
  There is no ReLU between the two matrices, so together they are no more than one matrix. Set the hidden numbers below
  0 to 0 first.
relu_twice
    torch.relu(x @ w1 + b1) @ w2 + b2 => torch.relu(torch.relu(x @ w1 + b1) @ w2 + b2)
  The output went through a ReLU too. It may be negative: only the hidden numbers are cut at 0.
relu_at_the_end: "Return the feed-forward block of a transformer"
    torch.relu(x @ w1 + b1) @ w2 + b2 => torch.relu((x @ w1 + b1) @ w2 + b2)
  The ReLU stands at the end. It belongs between the two matrices, on the hidden numbers.
relu_before_bias: "tensors (D, F) and (F,), which expand"
    torch.relu(x @ w1 + b1) => (torch.relu(x @ w1) + b1)
  The bias b1 was added after the ReLU. It sets the threshold of each neuron, so it belongs inside: relu(x @ w1 + b1).
no_second_bias: "tensors (F, D) and (D,), which collapse"
    @ w2 + b2 => @ w2
  The second bias, b2, is missing: it is added after the second matrix.
residual: "Return the feed-forward block of a transformer"
    return torch => return x + torch
  The input was added. The transformer does that outside of this block; return the block's own output.
gelu: "Return the feed-forward block of a transformer"
    torch.relu => torch.nn.functional.gelu
  This is the GELU, which later models use. Here the block cuts at 0: max(0, ...), the ReLU.
absolute
    torch.relu(x @ w1 + b1) => (x @ w1 + b1).abs()
  Hidden numbers below 0 were made positive. They become 0: max(0, ...), the ReLU.
""")
HINTS = hints("""
- Expand, cut, collapse: three steps, each a line at most.
- The hidden numbers are x @ w1 + b1 with everything below 0 set to 0 (torch.relu).
- return torch.relu(x @ w1 + b1) @ w2 + b2
""")
task = Task(feed_forward, points=1, difficulty=1, minutes=10, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
