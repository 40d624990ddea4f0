import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
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
        case("a kernel of four", draw(1, 9, 2), draw(3, 2, 4), draw(3), dilation=2),
        case("the gradients too", *gradients((2, 7, 2), (3, 2, 2), (3,)), dilation=2),
        case("the gradients without dilation", *gradients((2, 5, 3), (2, 3, 3), (2,))),
        case("a sequence shorter than the kernel's reach", draw(2, 3, 2), draw(3, 2, 5), draw(3), 2),
        case("float32", single(2, 5, 3), single(2, 3, 3), single(2)),
        border("a kernel of one", draw(2, 5, 3), draw(7, 3, 1), draw(7)),
        border("a kernel of one and a dilation of three", draw(2, 5, 3), draw(7, 3, 1), draw(7), 3),
        border("one step, the gradients", *gradients((2, 1, 3), (5, 3, 2), (5,))),
        border("a dilation as long as the text", draw(2, 3, 2), draw(3, 2, 2), draw(3), 3),
        border("one sequence, one input, one output", draw(1, 7, 1), draw(1, 1, 3), draw(1), 2),
        border("a first input that is far from 0", 100 + draw(1, 4, 1), draw(2, 1, 3), draw(2)),
    ]


SLIPS = mistakes("""
both_sides: "causal"
    (padding, 0)) => (padding // 2, padding - padding // 2))
  Zeros were put on both sides, as for pictures, so an output sees inputs that come after it. A language model would
  read its answer. All zeros go to the left.
right_side: "causal"
    (padding, 0)) => (0, padding))
  The zeros were put at the end, so that each output sees only what comes after it. They belong before the start.
shifted: "causal"
    (padding, 0)) => (padding + 1, -1))
  One zero too many: the output at t does not see the input at t. That is right for a first layer that guesses its own
  input, but this one reads a token and guesses the next.
reversed: "(O, I, k), as in `F.conv1d`, k at least 1"
    (channels_first, weight, bias, => (channels_first, weight.flip(-1), bias,
  The kernel is used the wrong way round: its last entry belongs to the present input, its first to the one furthest
  back.
no_dilation: "the distance between the inputs of the kernel, an int, at least 1"
    * dilation =>
    dilation=dilation => dilation=1
  The dilation plays no part. Neighbouring entries of the kernel read inputs `dilation` positions apart.
padding_without_dilation: "the distance between the inputs of the kernel, an int, at least 1"
    * dilation =>
  The padding fits a dilation of 1 only, so the result is too short. The reach is (kernel - 1) * dilation.
repeated_edge
    , 0)) => , 0), mode='replicate')
  Before the start the first input was repeated. There is nothing there: zeros.
no_bias: "(O,)"
    (channels_first, weight, bias, => (channels_first, weight, None,
  The bias is missing: it is added to every output.
channels_first: "(B, T, I), T at least 1"
    dilation=dilation).transpose(1, 2) => dilation=dilation)
  The result is (B, O, T), as F.conv1d gives it. Time comes before the channels in this course: transpose it back.
reshaped
    x.transpose(1, 2) => x.reshape(x.shape[0], x.shape[2], x.shape[1])
  The axes were exchanged with reshape or view, which only cuts the row of numbers anew and mixes steps and channels.
  Use transpose(1, 2).
""")
CLOSE = Compare(rtol=1e-5, atol=1e-5, gradient=True)
HINTS = hints("""
- An output must see the present input and those before it. What is before the start of the text?
- F.conv1d wants (B, C, T): transpose. F.pad(..., (left, 0)) puts zeros at the left; how many does the furthest entry of
  the kernel need?
- padded = F.pad(x.transpose(1, 2), ((weight.shape[-1] - 1) * dilation, 0)); then F.conv1d(padded, weight, bias,
  dilation=dilation).transpose(1, 2).
""")
task = Task(
    causal_convolution, points=3, difficulty=3, minutes=25, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS
)
