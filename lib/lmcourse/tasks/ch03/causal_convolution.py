"""Exercise `causal_convolution`."""

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch03.shared import drawer


def causal_convolution(x, weight, bias, dilation=1):
    """Return the outputs of a causal convolution over time.

    Args:
        x: (B, T, I), T at least 1.
        weight: (O, I, k), as in `F.conv1d`, k at least 1.
        bias: (O,).
        dilation: the distance between the inputs of the kernel, an int, at least 1.

    Returns:
        A tensor of shape (B, T, O) and of the element type of `x`. The gradient must flow through it to x, weight and
        bias.

    >>> steps = torch.tensor([[[1.0], [2.0], [3.0]]])
    >>> causal_convolution(steps, torch.tensor([[[10.0, 1.0]]]), torch.zeros(1)).flatten().tolist()
    [1.0, 12.0, 23.0]
    """
    padding = (weight.shape[-1] - 1) * dilation
    channels_first = F.pad(x.transpose(1, 2), (padding, 0))
    return F.conv1d(channels_first, weight, bias, dilation=dilation).transpose(1, 2)


@drawn(3)
def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    single = drawer(seed, torch.float32)
    steps = torch.tensor([[[1.0], [2.0], [3.0]]], dtype=torch.float64)
    weight = torch.tensor([[[10.0, 1.0]]], dtype=torch.float64)

    def gradients(*sizes: tuple[int, ...]) -> tuple[Tensor, ...]:
        return tuple(draw(*size, grad=True) for size in sizes)

    return [
        case("the worked example", steps, weight, torch.zeros(1, dtype=torch.float64)),
        case("two sequences, a kernel of three", draw(2, 11, 3), draw(5, 3, 3), draw(5)),
        case("a dilation of four", draw(2, 13, 3), draw(5, 3, 3), draw(5), 4),
        case("a kernel of two and a dilation of three", draw(2, 11, 3), draw(5, 3, 2), draw(5), 3),
        case("a kernel of four", draw(1, 9, 2), draw(3, 2, 4), draw(3), dilation=2),
        case("the gradients too", *gradients((2, 7, 2), (3, 2, 2), (3,)), dilation=2),
        case("the gradients without dilation", *gradients((2, 5, 3), (2, 3, 3), (2,))),
        case("a sequence shorter than the kernel's reach", draw(2, 3, 2), draw(3, 2, 5), draw(3), 2),
        case("as many steps as channels", draw(3, 3, 3), draw(3, 3, 3), draw(3)),
        case("float32", single(2, 5, 3), single(2, 3, 3), single(2)),
        border("a kernel of one", draw(2, 5, 3), draw(7, 3, 1), draw(7)),
        border("a kernel of one and a dilation of three", draw(2, 5, 3), draw(7, 3, 1), draw(7), 3),
        border("one step", draw(2, 1, 3), draw(5, 3, 2), draw(5)),
        border("one step, the gradients", *gradients((2, 1, 3), (5, 3, 2), (5,))),
        border("a dilation as long as the text", draw(2, 3, 2), draw(3, 2, 2), draw(3), 3),
        border("one sequence, one input, one output", draw(1, 7, 1), draw(1, 1, 3), draw(1), 2),
        border("a first input that is far from 0", 100 + draw(1, 4, 1), draw(2, 1, 3), draw(2)),
    ]


def _conv_by_shifts(x: Tensor, weight: Tensor, bias: Tensor, dilation: int = 1) -> Tensor:
    n_steps, kernel_size = x.shape[1], weight.shape[-1]
    result = bias.expand(*x.shape[:2], -1)
    for back in range(kernel_size):
        shift = min(back * dilation, n_steps)
        shifted = torch.cat([torch.zeros_like(x[:, :shift]), x[:, : n_steps - shift]], 1)
        result = result + shifted @ weight[:, :, kernel_size - 1 - back].T
    return result


def _conv_step_by_step(x: Tensor, weight: Tensor, bias: Tensor, dilation: int = 1) -> Tensor:
    outputs = []
    for t in range(x.shape[1]):
        total = bias + torch.zeros_like(x[:, t] @ weight[:, :, 0].T)
        for tap in range(weight.shape[-1]):
            at = t - (weight.shape[-1] - 1 - tap) * dilation
            if at >= 0:
                total = total + x[:, at] @ weight[:, :, tap].T
        outputs.append(total)
    return torch.stack(outputs, 1)


task = Task(
    causal_convolution,
    points=3,
    difficulty=3,
    minutes=25,
    cases=cases,
    compare=Compare(rtol=1e-5, atol=1e-5, gradient=True),
    slips=(
        Slip(
            "both_sides",
            ("(padding, 0))", "(padding // 2, padding - padding // 2))"),
            "Zeros were put on both sides, as for pictures, so an output sees inputs that come after it. A language "
            "model would read its answer. All zeros go to the left.",
        ),
        Slip(
            "not_cut",
            ("(padding, 0))", "(padding, padding))"),
            "Zeros were put on both sides, so that the result is too long. Put them on the left only, or cut the end "
            "off.",
        ),
        Slip(
            "right_side",
            ("(padding, 0))", "(0, padding))"),
            "The zeros were put at the end, so that each output sees only what comes after it. They belong before "
            "the start.",
        ),
        Slip(
            "shifted",
            ("(padding, 0))", "(padding + 1, -1))"),
            "One zero too many: the output at t does not see the input at t. That is right for a first layer that "
            "guesses its own input, but this one reads a token and guesses the next.",
        ),
        Slip(
            "no_padding",
            ("(padding, 0))", "(0, 0))"),
            "There is no padding, so the first outputs are missing. What lies before the start of the text is 0, and "
            "there are as many outputs as inputs.",
        ),
        Slip(
            "reversed",
            ("(channels_first, weight, bias,", "(channels_first, weight.flip(-1), bias,"),
            "The kernel is used the wrong way round: its last entry belongs to the present input, its first to the "
            "one furthest back.",
        ),
        Slip(
            "no_dilation",
            (
                (" * dilation", ""),
                ("dilation=dilation", "dilation=1"),
            ),
            "The dilation plays no part. Neighbouring entries of the kernel read inputs `dilation` positions apart.",
        ),
        Slip(
            "padding_without_dilation",
            (" * dilation", ""),
            "The padding fits a dilation of 1 only, so the result is too short. The reach is (kernel - 1) * dilation.",
        ),
        Slip(
            "dilation_in_the_padding_only",
            (", dilation=dilation", ""),
            "The padding fits the dilation, but the convolution does not use it, so that the result is too long: "
            "F.conv1d(..., dilation=dilation).",
        ),
        Slip(
            "one_too_long",
            ("(weight.shape[-1] - 1)", "weight.shape[-1]"),
            "The padding fits k inputs before the present one. The kernel has k entries, of which the last reads the "
            "present input: k - 1 distances.",
        ),
        Slip(
            "repeated_edge",
            (", 0))", ", 0), mode='replicate')"),
            "Before the start the first input was repeated. There is nothing there: zeros.",
        ),
        Slip(
            "no_bias",
            ("(channels_first, weight, bias,", "(channels_first, weight, None,"),
            "The bias is missing: it is added to every output.",
        ),
        Slip(
            "channels_first",
            ("dilation=dilation).transpose(1, 2)", "dilation=dilation)"),
            "The result is (B, O, T), as F.conv1d gives it. Time comes before the channels in this course: transpose "
            "it back.",
        ),
        Slip(
            "reshaped",
            ("x.transpose(1, 2)", "x.reshape(x.shape[0], x.shape[2], x.shape[1])"),
            "The axes were exchanged with reshape or view, which only cuts the row of numbers anew and mixes steps "
            "and channels. Use transpose(1, 2).",
        ),
        Slip(
            "detached",
            ("return F", "x = x.detach()\n    channels_first = F.pad(x.transpose(1, 2), (padding, 0))\n    return F"),
            "The values are right, but no gradient reaches x (detach, .data or a new tensor made from its numbers). "
            "The layers below would never learn.",
        ),
        Slip(
            "all_detached",
            ("dilation=dilation).transpose(1, 2)", "dilation=dilation).transpose(1, 2).detach()"),
            "The values are right, but the gradient was cut (detach, .data or no_grad), so that nothing could be "
            "learned. Leave the tensors as they come.",
        ),
        Slip(
            "last_tap_only",
            (
                "(channels_first, weight, bias,",
                "(channels_first, F.pad(weight[..., -1:], (weight.shape[-1] - 1, 0)), bias,",
            ),
            "Only the last entry of the kernel was used. All k of them have a part, each with an input further back.",
        ),
    ),
    alternatives=(_conv_by_shifts, _conv_step_by_step),
    hints=(
        "An output must see the present input and those before it. What is before the start of the text?",
        "F.conv1d wants (B, C, T): transpose. F.pad(..., (left, 0)) puts zeros at the left; how many does the "
        "furthest entry of the kernel need?",
        "padded = F.pad(x.transpose(1, 2), ((weight.shape[-1] - 1) * dilation, 0)); then F.conv1d(padded, weight, "
        "bias, dilation=dilation).transpose(1, 2).",
    ),
)
