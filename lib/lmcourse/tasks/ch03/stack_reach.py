"""Exercise `stack_reach`."""

from collections.abc import Sequence

import torch

from lmcourse.exercises import Case, Slip, Task, border, case


def stack_reach(layers):
    """Return the receptive field of stacked causal convolutions.

    Args:
        layers: a list of tuples (kernel_size, dilation), both at least 1, from the bottom to the top; it may be empty:
            then only the present input is seen.

    Returns:
        The number of inputs from the earliest that is seen to the present one, both included, an int.

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
        case("the widest layer at the bottom", [(5, 4), (3, 2), (2, 1)]),
        case("the same layer three times", [(3, 2), (3, 2), (3, 2)]),
        case("kernels of three, dilations that double", [(3, 1), (3, 2), (3, 4), (3, 8)]),
        border("no dilation", [(3, 1), (3, 1), (5, 1)]),
        border("one layer", stack(1)),
        border("one layer of a kernel of two, far apart", [(2, 100)]),
        border("kernels of one: nothing before is seen", [(1, 1), (1, 5)]),
        border("a kernel of one between others", [(3, 2), (1, 7), (2, 3)]),
        border("three hundred layers", [(2, 3)] * 300),
        border("no layers", []),
    ]


def _reach_by_hand(layers: Sequence[tuple[int, int]]) -> int:
    seen = {0}
    for kernel_size, dilation in layers:
        seen = {position - back * dilation for position in seen for back in range(kernel_size)}
    return 1 - min(seen)


def _reach_step_by_step(layers: Sequence[tuple[int, int]]) -> int:
    first = last = 0
    for kernel_size, dilation in reversed(layers):
        first -= dilation * kernel_size - dilation
    return last - first + 1


task = Task(
    stack_reach,
    points=1,
    difficulty=1,
    minutes=10,
    cases=cases,
    slips=(
        Slip(
            "product",
            (
                "return 1 + sum((kernel_size - 1) * dilation for kernel_size, dilation in layers)",
                "total = 1\n"
                "    for kernel_size, dilation in layers:\n"
                "        total *= (kernel_size - 1) * dilation + 1\n"
                "    return total",
            ),
            "The reaches were multiplied. Each layer looks (kernel - 1) * dilation further back than the one below: "
            "the steps add up.",
        ),
        Slip(
            "no_dilation",
            (" * dilation", ""),
            "The dilation plays no part. It is the distance between two inputs of the kernel, so it stretches the "
            "reach.",
        ),
        Slip(
            "without_itself",
            ("1 + ", ""),
            "That is how far back the earliest input is. The present one is seen too: one more.",
        ),
        Slip(
            "one_a_layer",
            ("1 + sum((kernel_size - 1) * dilation", "sum((kernel_size - 1) * dilation + 1"),
            "The present input was counted once in each layer. It is one and the same: add 1 only once.",
        ),
        Slip(
            "kernel_not_less_one",
            ("(kernel_size - 1)", "kernel_size"),
            "A kernel of k inputs spans k - 1 distances, not k.",
        ),
        Slip(
            "kernels_times_dilations",
            ("1 + sum((kernel_size - 1) * dilation", "sum(kernel_size * dilation"),
            "Kernel sizes were multiplied by dilations and added. A kernel of k inputs spans k - 1 distances; add "
            "those, and 1 for the present input.",
        ),
        Slip(
            "one_less_at_the_end",
            ("(kernel_size - 1) * dilation", "(kernel_size * dilation - 1)"),
            "1 was taken from the product. It is taken from the kernel size: k inputs have k - 1 distances between "
            "them, each of them `dilation` long.",
        ),
        Slip(
            "dilation_less_one",
            ("(kernel_size - 1) * dilation", "kernel_size * (dilation - 1)"),
            "1 was taken from the dilation, or the two numbers of a layer are exchanged. A tuple is (kernel_size, "
            "dilation), and k inputs have k - 1 distances between them.",
        ),
        Slip(
            "dilations_added",
            ("(kernel_size - 1) * dilation", "(kernel_size - 1 + dilation)"),
            "The dilation was added. It is the length of each of the k - 1 distances, so multiply.",
        ),
        Slip(
            "dilations_multiplied",
            (
                "return 1 + sum((kernel_size - 1) * dilation for kernel_size, dilation in layers)",
                "total = spread = 1\n"
                "    for kernel_size, dilation in layers:\n"
                "        spread *= dilation\n"
                "        total += (kernel_size - 1) * spread\n"
                "    return total",
            ),
            "The dilations were multiplied from layer to layer, as strides are. A dilation counts positions of the "
            "text in every layer.",
        ),
        Slip(
            "widest_layer",
            (
                "1 + sum((kernel_size - 1) * dilation for kernel_size, dilation in layers)",
                "1 + max([(kernel_size - 1) * dilation for kernel_size, dilation in layers], default=0)",
            ),
            "Only the layer that looks furthest was counted. An output of the top layer sees through all of them.",
        ),
        Slip(
            "top_layer",
            ("in layers)", "in layers[-1:])"),
            "Only the top layer was counted. Its inputs are outputs of the layers below, which look further back.",
        ),
        Slip(
            "both_sides",
            ("1 + sum", "1 + 2 * sum"),
            "The reach was counted on both sides. A causal convolution looks back only.",
        ),
        Slip(
            "power_of_two",
            ("1 + sum((kernel_size - 1) * dilation for kernel_size, dilation in layers)", "2 ** len(layers)"),
            "This holds for kernels of two whose dilations double, as in the worked example. Add (k - 1) * d for "
            "each layer.",
        ),
        Slip(
            "no_layers_no_reach",
            ("return 1", "return 0 if not layers else 1"),
            "Without layers the present input is seen all the same: the reach is 1.",
        ),
        Slip(
            "a_float",
            ("(kernel_size - 1) * dilation", "(kernel_size - 1) * dilation / 1"),
            "The number is right, but it is a float. A number of inputs is an int: leave / out.",
        ),
    ),
    alternatives=(_reach_by_hand, _reach_step_by_step),
    hints=(
        "How far back does one layer look? Then: the earliest input it sees is itself an output of the layer below.",
        "One layer looks (kernel_size - 1) * dilation positions back. The steps of the layers add up.",
        "return 1 + sum((kernel_size - 1) * dilation for kernel_size, dilation in layers)",
    ),
)
