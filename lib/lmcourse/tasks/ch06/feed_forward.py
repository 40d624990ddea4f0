"""Exercise `feed_forward`."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch06.shared import CLOSE, double, draw


def feed_forward(x, w1, b1, w2, b2):
    """Return the feed-forward block of a transformer.

    Args:
        x: a tensor (..., D).
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


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def weights(D: int, F: int, dtype: torch.dtype = torch.float64) -> list[Tensor]:
        shapes = ((D, F), (F,), (F, D), (D,))
        return [draw(rng, *shape, dtype=dtype) for shape in shapes]

    pairs = [
        double([[1, -1], [-1, 1], [1, 1]]),
        double([-1, -1]),
        double([[1, 0, 0], [0, 1, 0]]),
        double([0, 0, 0]),
    ]
    return [
        case("the worked example", double([[1, 0, 1]]), *pairs),
        case("seven positions, 3 wide, 5 hidden", draw(rng, 7, 3), *weights(3, 5)),
        case("a batch of sentences", draw(rng, 2, 5, 3), *weights(3, 11)),
        border("one position as a vector", draw(rng, 5), *weights(5, 2)),
        border("an empty sentence", torch.zeros(0, 3, dtype=torch.float64), *weights(3, 7)),
        border("hidden width 1", draw(rng, 5, 3), *weights(3, 1)),
        case("float32", draw(rng, 5, 3, dtype=torch.float32), *weights(3, 13, torch.float32)),
    ]


def _feed_by_linear(x: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor) -> Tensor:
    return F.linear(F.linear(x, w1.T, b1).clamp(min=0), w2.T, b2)


def _feed_by_neurons(x: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor) -> Tensor:
    out = torch.zeros_like(x) + b2
    for j in range(len(b1)):
        activity = ((x * w1[:, j]).sum(-1, keepdim=True) + b1[j]).clamp(min=0)
        out = out + activity * w2[j]
    return out


task = Task(
    feed_forward,
    points=1,
    difficulty=1,
    minutes=10,
    cases=cases,
    compare=CLOSE,
    slips=(
        Slip(
            "no_relu",
            lambda x, w1, b1, w2, b2: (x @ w1 + b1) @ w2 + b2,
            "There is no ReLU between the two matrices, so they are one matrix in disguise and find no pairs. Cut the "
            "hidden numbers at 0 first.",
        ),
        Slip(
            "relu_twice",
            lambda x, w1, b1, w2, b2: torch.relu(torch.relu(x @ w1 + b1) @ w2 + b2),
            "The output went through a ReLU too. What is handed to the stream may be negative: only the hidden "
            "numbers are cut.",
        ),
        Slip(
            "relu_before_bias",
            lambda x, w1, b1, w2, b2: (torch.relu(x @ w1) + b1) @ w2 + b2,
            "The bias b1 was added after the ReLU. It sets the threshold of each neuron, so it belongs inside: "
            "relu(x @ w1 + b1).",
        ),
        Slip(
            "no_second_bias",
            lambda x, w1, b1, w2, b2: torch.relu(x @ w1 + b1) @ w2,
            "The second bias, b2, is missing: it is added after the second matrix.",
        ),
        Slip(
            "no_first_bias",
            lambda x, w1, b1, w2, b2: torch.relu(x @ w1) @ w2 + b2,
            "The first bias, b1, is missing, so no neuron has a threshold and none can ask for two facts at once.",
        ),
        Slip(
            "residual",
            lambda x, w1, b1, w2, b2: x + torch.relu(x @ w1 + b1) @ w2 + b2,
            "The input was added. The transformer does that, outside of this block; here return the block's own part.",
        ),
        Slip(
            "sigmoid",
            lambda x, w1, b1, w2, b2: torch.sigmoid(x @ w1 + b1) @ w2 + b2,
            "This is a sigmoid. The paper's block cuts at 0: max(0, .), the ReLU.",
        ),
    ),
    alternatives=(_feed_by_linear, _feed_by_neurons),
    hints=(
        "Expand, cut, collapse: three steps, each a line at most.",
        "The hidden numbers are x @ w1 + b1 with everything below 0 set to 0 (torch.relu).",
        "return torch.relu(x @ w1 + b1) @ w2 + b2",
    ),
)
