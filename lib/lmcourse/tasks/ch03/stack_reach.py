import torch

from lmcourse.exercises import Case, Task, border, case, hints, mistakes


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
        border("no dilation", [(3, 1), (3, 1), (5, 1)]),
        border("one layer", stack(1)),
        border("kernels of one: nothing before is seen", [(1, 1), (1, 5)]),
        border("a kernel of one between others", [(3, 2), (1, 7), (2, 3)]),
        border("three hundred layers", [(2, 3)] * 300),
        border("no layers", []),
    ]


SLIPS = mistakes("""
product: "Return the receptive field of stacked causal convolutions"
    return 1 + sum((kernel_size - 1) * dilation for kernel_size, dilation in layers) => total = 1
    |    for kernel_size, dilation in layers:
    |        total *= (kernel_size - 1) * dilation + 1
    |    return total
  The reaches were multiplied. Each layer looks (kernel - 1) * dilation further back than the one below: the steps add
  up.
no_dilation: "Return the receptive field of stacked causal convolutions"
    * dilation =>
  The dilation plays no part. It is the distance between two inputs of the kernel, so it stretches the reach.
without_itself: "both included"
    1 + =>
  That is how far back the earliest input is. The present one is seen too: one more.
kernel_not_less_one: "a list of tuples (kernel_size, dilation), both at least 1, from the bottom to the top"
    (kernel_size - 1) => kernel_size
  A kernel of k inputs spans k - 1 distances, not k.
one_less_at_the_end
    (kernel_size - 1) * dilation => (kernel_size * dilation - 1)
  1 was taken from the product. It is taken from the kernel size: k inputs have k - 1 distances between them, each of
  them `dilation` long.
dilation_less_one: "a list of tuples (kernel_size, dilation), both at least 1, from the bottom to the top"
    (kernel_size - 1) * dilation => kernel_size * (dilation - 1)
  1 was taken from the dilation, or the two numbers of a layer are exchanged. A tuple is (kernel_size, dilation), and k
  inputs have k - 1 distances between them.
widest_layer: "Return the receptive field of stacked causal convolutions"
    1 + sum((kernel_size - 1) * dilation for kernel_size, dilation in layers) =>
        1 + max([(kernel_size - 1) * dilation for kernel_size, dilation in layers], default=0)
  Only the layer that looks furthest was counted. An output of the top layer sees through all of them.
both_sides: "Return the receptive field of stacked causal convolutions"
    1 + sum => 1 + 2 * sum
  The reach was counted on both sides. A causal convolution looks back only.
no_layers_no_reach: "it may be empty: then only the present input is seen"
    return 1 => return 0 if not layers else 1
  Without layers the present input is seen all the same: the reach is 1.
""")
HINTS = hints("""
- How far back does one layer look? Then: the earliest input it sees is itself an output of the layer below.
- One layer looks (kernel_size - 1) * dilation positions back. The steps of the layers add up.
- return 1 + sum((kernel_size - 1) * dilation for kernel_size, dilation in layers)
""")
task = Task(stack_reach, points=1, difficulty=1, minutes=10, cases=cases, slips=SLIPS, hints=HINTS)
