"""Exercise `is_equivariant`."""

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch05.shared import normal


def is_equivariant(layer, x, permutation):
    """Return whether shuffling the words of x only shuffles the outputs of the layer.

    Args:
        layer: a function from a tensor (T, D) to a tensor (T, D).
        x: the words, a tensor (T, D).
        permutation: a tensor (T,) of the row numbers in their new order: x[permutation] are the shuffled words.

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
        "attention with places": lambda x: x + 0.1 * torch.arange(len(x))[:, None],
        "sorted by the first feature": lambda x: x[x[:, 0].argsort()],
        "turned round": lambda x: x.flip(0),
    }


def _call_with_layer(answer: Callable, layer: str, x: Tensor, permutation: Tensor) -> object:
    return answer(_layers()[layer], x, permutation)


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    cycle = torch.tensor([1, 2, 3, 4, 0])
    swap = torch.tensor([1, 0, 2, 3, 4])
    first_stays = torch.tensor([0, 2, 3, 4, 1])

    def words() -> Tensor:
        return normal(rng, 5, 3)

    return [
        case("the worked example", "attention", torch.eye(5, dtype=torch.float64), cycle),
        case("causal attention", "causal attention", words(), cycle),
        case("each word alone, two words exchanged", "each word alone", words(), swap),
        case("each word alone, all moved on", "each word alone", words(), cycle),
        case("the same mean for everybody", "the mean for everybody", words(), cycle),
        border("a difference in the last digits, below any tolerance", "attention and rounding noise", words(), cycle),
        case("positions added, the first word stays", "attention with places", words(), first_stays),
        case("words sorted", "sorted by the first feature", words(), cycle),
        case("turned round", "turned round", words(), cycle),
        border("one word", "causal attention", normal(rng, 1, 3), torch.tensor([0])),
    ]


def _equivariant_by_difference(layer: Layer, x: Tensor, permutation: Tensor) -> bool:
    first_shuffled = layer(x.index_select(0, permutation))
    then_shuffled = layer(x).index_select(0, permutation)
    return bool((first_shuffled - then_shuffled).abs().max() < 1e-6)


def _equivariant_row_by_row(layer: Layer, x: Tensor, permutation: Tensor) -> bool:
    before, after = layer(x), layer(x[permutation])
    return all(bool(np.allclose(after[new], before[old], atol=1e-6)) for new, old in enumerate(permutation.tolist()))


def _close(left: Tensor, right: Tensor) -> bool:
    return torch.allclose(left, right, atol=1e-6)


def _compared(
    left: Callable[..., Tensor], right: Callable[..., Tensor], same: Callable[[Tensor, Tensor], bool] = _close
) -> Callable[..., bool]:
    return lambda layer, x, permutation: same(left(layer, x, permutation), right(layer, x, permutation))


def _of_shuffled(layer: Layer, x: Tensor, permutation: Tensor) -> Tensor:
    return layer(x[permutation])


def _shuffled_of(layer: Layer, x: Tensor, permutation: Tensor) -> Tensor:
    return layer(x)[permutation]


task = Task(
    is_equivariant,
    points=2,
    difficulty=2,
    minutes=12,
    cases=cases,
    call=_call_with_layer,
    slips=(
        Slip(
            "invariance",
            _compared(_of_shuffled, lambda layer, x, permutation: layer(x)),
            "This asks whether shuffling changes nothing at all, which is called invariance. Equivariance: the outputs "
            "are shuffled too, in the same way.",
        ),
        Slip(
            "inverse",
            _compared(_of_shuffled, lambda layer, x, permutation: layer(x)[permutation.argsort()]),
            "The outputs are shuffled backwards. Row i of x[permutation] is row permutation[i] of x, and the outputs "
            "must move in the same way: layer(x)[permutation].",
        ),
        Slip(
            "exact",
            _compared(_of_shuffled, _shuffled_of, torch.equal),
            "The numbers are compared exactly. Sums taken in another order differ in their last digits; allow a "
            "difference of 1e-6.",
        ),
        Slip(
            "sums",
            _compared(lambda *given: _of_shuffled(*given).sum(0), lambda *given: _shuffled_of(*given).sum(0)),
            "Only the sums over the words are compared. A layer that exchanges the words passes that test; compare "
            "word by word.",
        ),
        Slip(
            "first_word",
            _compared(lambda *given: _of_shuffled(*given)[0], lambda *given: _shuffled_of(*given)[0]),
            "Only the first word is compared, and it may have stayed where it was. Compare all of them.",
        ),
        Slip(
            "yes",
            lambda layer, x, permutation: True,
            "This says yes to every layer. A layer with a causal mask or with positions is not equivariant.",
        ),
    ),
    alternatives=(_equivariant_by_difference, _equivariant_row_by_row),
    hints=(
        "There are two ways to go: shuffle and apply the layer, or apply it and shuffle. When do they end in the same "
        "place?",
        "x[permutation] shuffles the rows of x. Compare whole tensors, with a tolerance.",
        "return torch.allclose(layer(x[permutation]), layer(x)[permutation], atol=1e-6)",
    ),
)
