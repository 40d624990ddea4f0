"""Exercise `stack_reach`."""

import math
from collections.abc import Sequence
from functools import partial

import torch

from lmcourse.exercises import Case, Slip, Task, border, case


def stack_reach(layers):
    """Return the receptive field of stacked causal convolutions.

    Args:
        layers: a list of tuples (kernel_size, dilation), from the bottom to the top; it may be empty.

    Returns:
        The number of inputs, an int.

    >>> stack_reach([(2, 1), (2, 2), (2, 4)])
    8
    """
    return 1 + sum((kernel_size - 1) * dilation for kernel_size, dilation in layers)


def cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def stack(count: int) -> list[tuple[int, int]]:
        numbers = torch.randint(2, 9, (count, 2), generator=generator).tolist()
        return [(kernel, dilation) for kernel, dilation in numbers]

    return [
        case("the worked example", [(2, 1), (2, 2), (2, 4)]),
        case("three layers", stack(3)),
        case("seven layers", stack(7)),
        border("no dilation", [(3, 1), (3, 1), (5, 1)]),
        border("one layer", stack(1)),
        border("kernels of one: nothing before is seen", [(1, 1), (1, 5)]),
        border("no layers", []),
    ]


def _reach_by_hand(layers: Sequence[tuple[int, int]]) -> int:
    seen = {0}
    for kernel_size, dilation in layers:
        seen = {place - back * dilation for place in seen for back in range(kernel_size)}
    return 1 - min(seen)


def _reach_step_by_step(layers: Sequence[tuple[int, int]]) -> int:
    first = last = 0
    for kernel_size, dilation in reversed(layers):
        first -= dilation * kernel_size - dilation
    return last - first + 1


def _reach_wrong(layers: Sequence[tuple[int, int]], *, how: str) -> int:
    pairs = [(int(kernel), int(dilation)) for kernel, dilation in layers]
    if how == "product":
        return math.prod((kernel - 1) * dilation + 1 for kernel, dilation in pairs)
    if how == "no_dilation":
        return 1 + sum(kernel - 1 for kernel, _ in pairs)
    if how == "no_self":
        return sum((kernel - 1) * dilation for kernel, dilation in pairs)
    if how == "own_ones":
        return sum((kernel - 1) * dilation + 1 for kernel, dilation in pairs)
    if how == "kernel_times_dilation":
        return 1 + sum(kernel * dilation for kernel, dilation in pairs)
    if how == "multiplied":
        total, spread = 1, 1
        for kernel, dilation in pairs:
            spread *= dilation
            total += (kernel - 1) * spread
        return total
    return 1 + max([(kernel - 1) * dilation for kernel, dilation in pairs], default=0)


task = Task(
    stack_reach,
    points=1,
    difficulty=1,
    minutes=10,
    cases=cases,
    slips=(
        Slip(
            "product",
            partial(_reach_wrong, how="product"),
            "The reaches were multiplied. Each layer looks (kernel - 1) * dilation further back than the one below: "
            "the steps add up.",
        ),
        Slip(
            "no_dilation",
            partial(_reach_wrong, how="no_dilation"),
            "The dilation plays no part. It is the distance between two inputs of the kernel, so it stretches the "
            "reach.",
        ),
        Slip(
            "without_itself",
            partial(_reach_wrong, how="no_self"),
            "That is how far back the earliest input stands. The present one is seen too: one more.",
        ),
        Slip(
            "one_a_layer",
            partial(_reach_wrong, how="own_ones"),
            "The present input was counted once a layer. It is one and the same: add 1 only once.",
        ),
        Slip(
            "kernel_not_less_one",
            partial(_reach_wrong, how="kernel_times_dilation"),
            "A kernel of k inputs spans k - 1 distances, not k.",
        ),
        Slip(
            "dilations_multiplied",
            partial(_reach_wrong, how="multiplied"),
            "The dilations were multiplied from layer to layer, as strides are. A dilation counts places of the text "
            "in every layer.",
        ),
        Slip(
            "widest_layer",
            partial(_reach_wrong, how="max"),
            "Only the layer that looks furthest was counted. An output of the top layer sees through all of them.",
        ),
    ),
    alternatives=(_reach_by_hand, _reach_step_by_step),
    hints=(
        "How far back does one layer look? Then: the earliest input it sees is itself an output of the layer below.",
        "One layer looks (kernel_size - 1) * dilation places back. The steps of the layers add up.",
        "return 1 + sum((kernel_size - 1) * dilation for kernel_size, dilation in layers)",
    ),
)
