from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch05.shared import normal


def is_equivariant(layer, x, permutation):
    """Return whether shuffling the words of x only shuffles the outputs of the layer.

    Numbers that differ by rounding only count as the same: compare as torch.allclose with atol=1e-6 does.

    Args:
        layer: a function from a tensor (T, D) to a tensor (T, D).
        x: the words, a tensor (T, D).
        permutation: a tensor (T,) of the row numbers in their new order: x[permutation] are the shuffled words. No
            other order is asked about.

    Returns:
        A bool.

    >>> exchanged = torch.tensor([1, 0])
    >>> is_equivariant(torch.tanh, torch.tensor([[1.0], [2.0]]), exchanged)
    True
    >>> is_equivariant(lambda x: x.cumsum(dim=0) - x, torch.tensor([[1.0], [2.0]]), exchanged)
    False
    """
    shuffled_first = layer(x[permutation])
    shuffled_afterwards = layer(x)[permutation]
    return torch.allclose(shuffled_first, shuffled_afterwards, atol=1e-6)


Layer = Callable[[Tensor], Tensor]


def _weights(x: Tensor) -> Tensor:
    return x @ x.mT / x.shape[-1] ** 0.5


def _layers() -> dict[str, Layer]:
    """What the cases test, by name: cases hold plain values."""
    return {
        "attention": lambda x: _weights(x).softmax(dim=-1) @ x,
        "causal attention": lambda x: (
            _weights(x).masked_fill(~torch.ones(len(x), len(x), dtype=torch.bool).tril(), float("-inf")).softmax(-1) @ x
        ),
        "each word alone": torch.tanh,
        "the mean for everybody": lambda x: x.mean(dim=0).expand_as(x),
        "attention and rounding noise": lambda x: x.softmax(-1) + 1e-9 * torch.arange(len(x))[:, None],
        "attention with positions": lambda x: x + 0.1 * torch.arange(len(x))[:, None],
        "tiny positions": lambda x: x.tanh() + 1e-4 * torch.arange(len(x))[:, None],
        "hardly any positions": lambda x: 0.1 * x.tanh() + 2e-6 * torch.arange(len(x))[:, None],
        "noise on large numbers": lambda x: 1000 + 1e-3 * torch.arange(len(x), dtype=x.dtype)[:, None] + 0 * x,
        "noise alone": lambda x: 0 * x + 1e-7 * torch.arange(len(x))[:, None],
        "positions in one feature": lambda x: x + torch.arange(len(x))[:, None] * torch.eye(x.shape[1])[-1],
        "positions around zero": lambda x: x + (torch.arange(len(x)) - (len(x) - 1) / 2)[:, None],
        "moved on by one": lambda x: x.roll(1, 0),
        "zeros": torch.zeros_like,
        "sorted by the first feature": lambda x: x[x[:, 0].argsort()],
        "turned round": lambda x: x.flip(0),
    }


def _call_with_layer(answer: Callable, layer: str, x: Tensor, permutation: Tensor) -> object:
    return answer(_layers()[layer], x, permutation)


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    cycle = torch.tensor([1, 2, 3, 4, 0])
    swap = torch.tensor([1, 0, 2, 3, 4])
    first_stays = torch.tensor([0, 2, 3, 4, 1])

    def words() -> Tensor:
        return normal(rng, 5, 3)

    return [
        case("the worked example", "attention", torch.eye(5, dtype=torch.float64), cycle),
        case("attention", "attention", words(), cycle),
        case("causal attention", "causal attention", words(), cycle),
        case("causal attention, two words exchanged", "causal attention", words(), swap),
        case("the same mean for everybody", "the mean for everybody", words(), cycle),
        border("a difference in the last digits, below any tolerance", "attention and rounding noise", words(), cycle),
        border("positions of 0.0001 added, above the tolerance", "tiny positions", words(), cycle),
        border("positions of 0.000002 added, above the tolerance", "hardly any positions", words(), cycle),
        border("a difference of 0.0000004, below the tolerance, and zeros otherwise", "noise alone", words(), cycle),
        border(
            "a difference in the sixth digit of 1,000, below the tolerance", "noise on large numbers", words(), cycle
        ),
        case("positions added, the first word stays", "attention with positions", words(), first_stays),
        case("only the last feature gets positions", "positions in one feature", words(), cycle),
        case("turned round", "turned round", words(), cycle),
        case(
            "turned round, and the shuffle turns round as well", "turned round", words(), torch.tensor([4, 3, 2, 1, 0])
        ),
        case("each word is its neighbour", "moved on by one", words(), cycle),
        case("each word is its neighbour, two words exchanged", "moved on by one", words(), swap),
        border("a shuffle that leaves all words where they are", "causal attention", words(), torch.arange(5)),
    ]


SLIPS = mistakes("""
invariance: "Return whether shuffling the words of x only shuffles the outputs of the layer"
    layer(x)[permutation] => layer(x)
  This asks whether shuffling changes nothing at all, which is called invariance. Equivariance: the outputs are shuffled
  too, in the same way.
inverse: "a tensor (T,) of the row numbers in their new order: x[permutation] are the shuffled words"
    layer(x)[permutation] => layer(x)[permutation.argsort()]
  The outputs are shuffled backwards. Row i of x[permutation] is row permutation[i] of x, and the outputs must move in
  the same way: layer(x)[permutation].
exact: "Numbers that differ by rounding only count as the same: compare as torch.allclose with atol=1e-6 does"
    torch.allclose(shuffled_first, shuffled_afterwards, atol=1e-6) => torch.equal(shuffled_first, shuffled_afterwards)
  The numbers are compared exactly. Sums taken in another order differ in their last digits; allow a difference of 1e-6.
default_tolerance: "Numbers that differ by rounding only count as the same: compare as torch.allclose with atol=1e-6"
    , atol=1e-6) => )
  torch.allclose allows a difference of 1e-8 by itself where the numbers are 0. Give it atol=1e-6.
too_loose: "Numbers that differ by rounding only count as the same: compare as torch.allclose with atol=1e-6 does"
    1e-6 => 1e-2
  Numbers that differ by 0.0001 count as the same here. Allow 1e-6.
sums: "a function from a tensor (T, D) to a tensor (T, D)"
    , shuffled_afterwards => .sum(0), shuffled_afterwards.sum(0)
  Only sums over the words are compared. A layer that exchanges the words passes that test; compare word by word.
yes: "Return whether shuffling the words of x only shuffles the outputs of the layer"
    torch.allclose(shuffled_first, shuffled_afterwards, atol=1e-6) => True
  This says yes to every layer. A layer with a causal mask or with positions is not equivariant.
a_tensor: "A bool"
    torch.allclose(shuffled_first, shuffled_afterwards, atol=1e-6) =>
        torch.isclose(shuffled_first, shuffled_afterwards, atol=1e-6).all()
  The answer is right, but it is a tensor. Return a bool: bool(...), or .item().
""")
HINTS = hints("""
- There are two ways to go: shuffle and apply the layer, or apply it and shuffle. When do they end in the same result?
- x[permutation] shuffles the rows of x. Compare whole tensors, with a tolerance.
- return torch.allclose(layer(x[permutation]), layer(x)[permutation], atol=1e-6)
""")
task = Task(
    is_equivariant, points=2, difficulty=2, minutes=12, cases=cases, call=_call_with_layer, slips=SLIPS, hints=HINTS
)
