"""Project `LowRankTuning`: adapters of low rank teach a frozen network a format."""

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, hints, mistakes, probe, properties


class LowRankTuning:
    """A frozen network with an adapter on each of its matrices.

    The network is W_n relu(... relu(W_1 x)), its outputs are logits. An adapter adds alpha / r B A to its matrix.

    Args:
        weights: the matrices W_1 .. W_n, a list of tensors (out, in). They must never change.
        downs: the matrices A at the start, a list of tensors (r, in); each is copied.
        alpha: the adapters are scaled by alpha / r. (r may differ from matrix to matrix.)

    Attributes:
        A: the trained matrices A, a list of leaf tensors (r, in) that require a gradient.
        B: the trained matrices B, a list of leaf tensors (out, r) that require a gradient, at the start all 0.

    >>> model = LowRankTuning([torch.eye(2)], [torch.ones(1, 2)], alpha=2.0)
    >>> model.forward(torch.tensor([[1.0, 2.0]])).tolist()       # a fresh adapter changes nothing
    [[1.0, 2.0]]
    >>> model.B[0] = torch.tensor([[1.0], [0.0]])                # now A x = 3, and 2 / 1 times B A x is (6, 0)
    >>> model.forward(torch.tensor([[1.0, 2.0]])).tolist()
    [[7.0, 2.0]]
    """

    def __init__(self, weights, downs, alpha):
        self.weights = weights
        self.alpha = alpha
        self.A = [down.clone().requires_grad_(True) for down in downs]
        self.B = [torch.zeros(len(W), len(A), dtype=W.dtype, requires_grad=True) for W, A in zip(weights, downs)]

    def forward(self, x):
        """Return the logits of the network with its adapters: (N, in) -> (N, V)."""
        last = len(self.weights) - 1
        for i, (W, A, B) in enumerate(zip(self.weights, self.A, self.B)):
            y = x @ W.T + self.alpha / len(A) * (x @ A.T @ B.T)
            x = y if i == last else torch.relu(y)
        return x

    def merged(self):
        """Return the matrices of a network without adapters that gives the same logits: a list of new tensors."""
        with torch.no_grad():
            return [W + self.alpha / len(A) * B @ A for W, A, B in zip(self.weights, self.A, self.B)]

    def num_trained(self):
        """Return how many numbers are trained: an int."""
        return sum(part.numel() for part in self.A + self.B)

    def fit(self, x, targets, lr, steps):
        """Take steps of gradient descent on all A and B; return the losses, before each step.

        The loss is the mean cross-entropy of `targets`, whole numbers (N,), given the rows of x (N, in). A step
        subtracts lr times the gradient.

        Returns:
            A list of floats.
        """
        losses = []
        for _ in range(steps):
            loss = F.cross_entropy(self.forward(x), targets)
            losses.append(loss.item())
            gradients = torch.autograd.grad(loss, self.A + self.B)
            with torch.no_grad():
                for part, gradient in zip(self.A + self.B, gradients):
                    part -= lr * gradient
        return losses


def use(
    answer: Callable[..., Any], asked: str, weights: list[Tensor], downs: list[Tensor], alpha: float, *given: Any
) -> Any:
    """What a model of the class gives, where asked."""
    before = [W.clone() for W in weights]
    if asked != "start":  # that A is a copy is asked there alone, and costs nothing elsewhere
        downs = [A.clone() for A in downs]
    model = answer(weights, downs, alpha)
    if asked == "start":
        (x,) = given
        found = {"logits": model.forward(x).detach(), "B": [B.detach().clone() for B in model.B]}
        with torch.no_grad():
            model.A[0][0] += 1.0
        return found | {"the caller's A": [A.detach().clone() for A in downs]}
    if asked == "count":
        return int(model.num_trained())
    if asked in ("forward", "merged"):
        ups, x = given
        model.B = [B.clone().requires_grad_(True) for B in ups]
        if asked == "forward":
            return model.forward(x).detach()
        merged = list(model.merged())
        return {
            "merged": [W.detach().clone() for W in merged],
            "weights untouched": all(map(torch.equal, weights, before)),
            "new tensors": all(new.data_ptr() != old.data_ptr() for new, old in zip(merged, weights, strict=True)),
        }
    x, targets, lr, steps = given[:4]
    losses = [float(loss) for loss in model.fit(x, targets, lr, steps)]
    if asked == "fit":
        return {
            "losses": losses,
            "A": [A.detach() for A in model.A],
            "B": [B.detach() for B in model.B],
            "weights untouched": all(map(torch.equal, weights, before)),
        }
    return {
        "next": model.forward(given[4]).detach().argmax(1),
        "weights untouched": all(map(torch.equal, weights, before)),
    }


WORDS = 9
OPEN, CLOSE, ASK, END = WORDS, WORDS + 1, WORDS + 2, WORDS + 3
V = WORDS + 4


def _format(generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Windows of three tokens with the token that follows them in the format `ask word ( word ) end`, and others."""
    words = torch.randperm(WORDS * WORDS, generator=generator)
    windows, targets = [], []
    for pair in words.tolist():
        word, earlier = divmod(pair, WORDS)
        windows += [(earlier, ASK, word), (ASK, word, OPEN), (word, OPEN, word), (OPEN, word, CLOSE)]
        targets += [OPEN, word, CLOSE, END]
    ids = torch.tensor(windows)
    x = F.one_hot(ids, V).double().flatten(1)  # (N, 3 V)
    train = torch.arange(len(ids)) < 4 * 40
    return x[train], torch.tensor(targets)[train], x[~train]


def cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def draw(*sizes: int) -> Tensor:
        return torch.randn(*sizes, generator=generator, dtype=torch.float64)

    def network(*sizes: int, rank: int) -> tuple[list[Tensor], list[Tensor]]:
        weights = [draw(out, into) / into**0.5 for into, out in zip(sizes, sizes[1:], strict=False)]
        return weights, [draw(rank, into) / into**0.5 for into in sizes[:-1]]

    def ups(weights: list[Tensor], downs: list[Tensor]) -> list[Tensor]:
        return [draw(len(W), len(A)) for W, A in zip(weights, downs, strict=True)]

    def nothing(weights: list[Tensor], downs: list[Tensor]) -> list[Tensor]:
        return [W.new_zeros(len(W), len(A)) for W, A in zip(weights, downs, strict=True)]

    two, one, three = network(5, 11, 7, rank=3), network(5, 7, rank=1), network(5, 11, 3, 7, rank=2)
    uneven = two[0], [draw(3, 5), draw(2, 11)]
    x, targets = draw(13, 5), torch.randint(7, (13,), generator=generator)
    found = []
    for label, (weights, downs), alpha in (
        ("two matrices, rank 3", two, 4.0),
        ("one matrix, rank 1", one, 1.0),
        ("three matrices, rank 2", three, 3.0),
        ("ranks 3 and 2", uneven, 5.0),
    ):
        found += [
            probe("start", label, "start", weights, downs, alpha, x),
            probe("count", label, "count", weights, downs, alpha),
            probe("forward", label, "forward", weights, downs, alpha, ups(weights, downs), x),
            probe("merged", label, "merged", weights, downs, alpha, ups(weights, downs), x),
            probe("merged", f"{label}, every B still 0", "merged", weights, downs, alpha, nothing(weights, downs), x),
            probe("fit", f"{label}, one step", "fit", weights, downs, alpha, x, targets, 0.5, 1),
            probe("fit", f"{label}, twenty steps", "fit", weights, downs, alpha, x, targets, 0.2, 20),
        ]
    found.append(probe("fit", "no step", "fit", *two, 4.0, x, targets, 0.5, 0))
    order = torch.randperm(4 * (WORDS * WORDS - 40), generator=generator)
    generator.manual_seed(0)  # what a mistake can still learn is chance: here it is the same for all, all but the order
    weights, downs = network(3 * V, 64, V, rank=8)
    windows, following, new = _format(generator)
    new = new[order]
    found.append(
        probe("learns", "a network of 64 neurons", "learns", weights, downs, 8.0, windows, following, 0.8, 200, new)
    )
    return sorted(found, key=lambda each: [p.name for p in task.properties].index(each.of))


SLIPS = mistakes("""
merged_in_place: loses merged
    return [W + self.alpha / len(A) * B @ A for => return [W.add_(self.alpha / len(A) * B @ A) for
  `merged` adds to the frozen matrices themselves. Make new ones: whoever merges twice would add twice, and the network
  could never be had back.
no_scale: loses forward, fit
    self.alpha / len(A) * (x @ A.T @ B.T) => (x @ A.T @ B.T)
  The adapter's output is not scaled. Multiply it by alpha / r.
rank_of_the_first: loses forward, fit
    self.alpha / len(A) * (x @ A.T @ B.T) => self.alpha / len(self.A[0]) * (x @ A.T @ B.T)
  All adapters were scaled by the rank of the first one. Each has a rank of its own: r is len(A).
relu_at_the_end: loses start, forward, fit, learns
    x = y if i == last else torch.relu(y) => x = torch.relu(y)
  The logits went through a relu, too, and lost their negative values. It stands between the matrices only.
no_relu: loses start, forward, fit
    x = y if i == last else torch.relu(y) => x = y
  There is no relu between the matrices, so that all of them together are one linear map.
not_a_copy: loses start
    down.clone().requires_grad_(True) => down.detach().requires_grad_(True)
  The model trains the caller's own matrices A. Copy them, or a second model could not start at the same place.
only_b_counted: loses count
    for part in self.A + self.B) => for part in self.B)
  Only the numbers in B were counted. A is trained, too: r (in + out) for each matrix.
frozen_counted: loses count
    for part in self.A + self.B) => for part in self.A + self.B + self.weights)
  The frozen matrices were counted as well. Only A and B are trained.
only_b_trained: loses fit, learns
    torch.autograd.grad(loss, self.A + self.B) => torch.autograd.grad(loss, self.B)
    zip(self.A + self.B, gradients) => zip(self.B, gradients)
  Only B moves. A has a gradient, too, as soon as B is no longer 0: step on both.
upwards: loses fit, learns
    part -= lr * gradient => part += lr * gradient
  The steps go up: the loss grows. Subtract lr times the gradient.
frozen_trained: loses fit, learns
    losses = [] => losses = []
    |        trained = [W.requires_grad_(True) for W in self.weights] + self.A + self.B
    torch.autograd.grad(loss, self.A + self.B) => torch.autograd.grad(loss, trained)
    zip(self.A + self.B, gradients) => zip(trained, gradients)
  The frozen matrices were trained along. Step on A and B only.
""")
HINTS = hints("""
- Begin with `__init__` and `forward`: a fresh adapter must change nothing. The shapes say the rest: x (N, in), A (r,
  in), B (out, r), so that x A^T is (N, r) and x A^T B^T is (N, out).
- `merged` is W + alpha / r B A for each matrix, as new tensors and without a gradient. r is the number of rows of A.
- In `fit`: the loss of `forward(x)`, `torch.autograd.grad(loss, self.A + self.B)`, and under `torch.no_grad()` subtract
  lr times its gradient from each part. Keep `loss.item()` before the step.
""")
PROPERTIES = properties("""
start, 2: A new model gives the logits of the network alone: every B is 0, and every A is a copy.
count, 1: The count of trained numbers is right, for ranks that differ too.
forward, 2: With any A and B the logits are those of W + alpha / r B A, with a relu in between.
merged, 2: Merged, the matrices give the same logits, and the frozen ones are untouched.
fit, 2: `fit` takes the right steps on all A and B, returns the losses, and leaves W untouched.
learns, 1: Tuned on 160 windows of a made-up format, it continues 164 others, W untouched.
""")
task = Task(
    LowRankTuning,
    points=10,
    difficulty=4,
    minutes=50,
    cases=cases,
    compare=Compare(rtol=1e-6, atol=1e-9, dtype=False),
    call=use,
    seconds=60.0,
    properties=PROPERTIES,
    slips=SLIPS,
    hints=HINTS,
)
