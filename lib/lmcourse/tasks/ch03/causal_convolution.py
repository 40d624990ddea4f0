"""Exercise `causal_convolution`."""

from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch03.shared import drawer


def causal_convolution(x, weight, bias, dilation=1):
    """Return the outputs of a causal convolution over time.

    Args:
        x: (B, T, I).
        weight: (O, I, k), as in `F.conv1d`.
        bias: (O,).
        dilation: the distance between the inputs of the kernel.

    Returns:
        (B, T, O). The gradient must flow through it.

    >>> steps = torch.tensor([[[1.0], [2.0], [3.0]]])
    >>> causal_convolution(steps, torch.tensor([[[10.0, 1.0]]]), torch.zeros(1)).flatten().tolist()
    [1.0, 12.0, 23.0]
    """
    padding = (weight.shape[-1] - 1) * dilation
    channels_first = F.pad(x.transpose(1, 2), (padding, 0))
    return F.conv1d(channels_first, weight, bias, dilation=dilation).transpose(1, 2)


def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    single = drawer(seed, torch.float32)
    steps = torch.tensor([[[1.0], [2.0], [3.0]]], dtype=torch.float64)
    weight = torch.tensor([[[10.0, 1.0]]], dtype=torch.float64)
    return [
        case("the worked example", steps, weight, torch.zeros(1, dtype=torch.float64)),
        case("two sequences, a kernel of three", draw(2, 11, 3), draw(5, 3, 3), draw(5)),
        case("a dilation of four", draw(2, 13, 3), draw(5, 3, 3), draw(5), 4),
        case(
            "the gradients too",
            draw(2, 7, 2, grad=True),
            draw(3, 2, 2, grad=True),
            draw(3, grad=True),
            dilation=2,
        ),
        case("a sequence shorter than the kernel's reach", draw(2, 3, 2), draw(3, 2, 5), draw(3), 2),
        case("as many steps as channels", draw(3, 3, 3), draw(3, 3, 3), draw(3)),
        border("a kernel of one", draw(2, 5, 3), draw(7, 3, 1), draw(7)),
        border("one step", draw(2, 1, 3), draw(5, 3, 2), draw(5)),
        case("float32", single(2, 5, 3), single(2, 3, 3), single(2)),
    ]


def _conv_wrong(x: Tensor, weight: Tensor, bias: Tensor, dilation: int = 1, *, how: str) -> Tensor:
    if how == "no_dilation":
        dilation = 1
    if how == "reversed":
        weight = weight.flip(-1)
    if how == "no_bias":
        bias = torch.zeros_like(bias)
    padding = (weight.shape[-1] - 1) * dilation
    sides = {
        "both_sides": (padding // 2, padding - padding // 2),
        "right": (0, padding),
        "shifted": (padding + 1, 0),
        "too_little": (weight.shape[-1] - 1, 0),
    }.get(how, (padding, 0))
    if how == "valid" and padding < x.shape[1]:
        sides = (0, 0)
    channels_first = x.transpose(1, 2)
    if how == "edge":
        padded = F.pad(channels_first, (padding, 0), mode="replicate")
    else:
        padded = F.pad(channels_first, sides)
    result = F.conv1d(padded, weight, bias, dilation=dilation)
    if how == "shifted":
        result = result[..., : x.shape[1]]
    return result if how == "channels_first" else result.transpose(1, 2)


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
        for place in range(weight.shape[-1]):
            at = t - (weight.shape[-1] - 1 - place) * dilation
            if at >= 0:
                total = total + x[:, at] @ weight[:, :, place].T
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
            partial(_conv_wrong, how="both_sides"),
            "Zeros were put on both sides, as for pictures, so an output sees inputs that come after it. A language "
            "model would read its answer. All zeros go to the left.",
        ),
        Slip(
            "right_side",
            partial(_conv_wrong, how="right"),
            "The zeros were put at the end, so that each output sees only what comes after it. They belong before the "
            "start.",
        ),
        Slip(
            "shifted",
            partial(_conv_wrong, how="shifted"),
            "One zero too many: the output at t does not see the input at t. That is right for a first layer that "
            "guesses its own input, but this one reads a token and guesses the next.",
        ),
        Slip(
            "reversed",
            partial(_conv_wrong, how="reversed"),
            "The kernel is used the wrong way round: its last entry belongs to the present input, its first to the "
            "one furthest back.",
        ),
        Slip(
            "no_dilation",
            partial(_conv_wrong, how="no_dilation"),
            "The dilation plays no part. Neighbouring entries of the kernel read inputs `dilation` places apart.",
        ),
        Slip(
            "padding_without_dilation",
            partial(_conv_wrong, how="too_little"),
            "The padding fits a dilation of 1 only, so the result is too short. The reach is (kernel - 1) * dilation.",
        ),
        Slip(
            "repeated_edge",
            partial(_conv_wrong, how="edge"),
            "Before the start the first input was repeated. There is nothing there: zeros.",
        ),
        Slip(
            "no_bias",
            partial(_conv_wrong, how="no_bias"),
            "The bias is missing: it is added to every output.",
        ),
        Slip(
            "channels_first",
            partial(_conv_wrong, how="channels_first"),
            "The result is (B, C, T), as F.conv1d gives it. Batch first and width last: transpose it back.",
        ),
    ),
    alternatives=(_conv_by_shifts, _conv_step_by_step),
    hints=(
        "An output must see the present input and those before it. What stands before the start of the text?",
        "F.conv1d wants (B, C, T): transpose. F.pad(..., (left, 0)) puts zeros at the left; how many does the "
        "furthest entry of the kernel need?",
        "padded = F.pad(x.transpose(1, 2), ((weight.shape[-1] - 1) * dilation, 0)); then F.conv1d(padded, weight, "
        "bias, dilation=dilation).transpose(1, 2).",
    ),
)
