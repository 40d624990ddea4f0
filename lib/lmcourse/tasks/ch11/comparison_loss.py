"""Exercise `comparison_loss`."""

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch11.shared import drawer, numbers


def comparison_loss(chosen, rejected):
    """Return the mean loss of comparisons, in nats; it stays finite for rewards that are far apart.

    Args:
        chosen: rewards of the replies that were preferred, (N,).
        rejected: rewards of the others, (N,).

    Returns:
        A tensor without dimensions. The gradient must flow through it.

    >>> round(comparison_loss(torch.tensor([math.log(3)]), torch.tensor([0.0])).item(), 3)
    0.288
    """
    return -F.logsigmoid(chosen - rejected).mean()


def cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)
    return [
        case("the worked example", numbers(1.0986122886681098), numbers(0.0)),
        case("seven pairs", draw(7), draw(7)),
        case("the gradients", draw(5, grad=True), draw(5, grad=True)),
        border("one pair, judged wrongly", numbers(-2.0), numbers(1.5)),
        border("equal rewards", draw(3) * 0 + 0.4, draw(3) * 0 + 0.4),
        border("rewards far apart: no overflow", numbers(-900.0, 900.0), numbers(100.0, 0.0)),
        case("a constant added to all", draw(3) + 50, draw(3) + 50),
        case("float32", single(5), single(5)),
        case("pairs in a fixed order", numbers(1.0, -2.0, 0.5), numbers(0.0, 1.0, 0.25)),
        border(
            "rewards of different magnitudes",
            numbers(1e4, 1e-30, -3.0).requires_grad_(),
            numbers(-1e4, 0.0, 1e4).requires_grad_(),
        ),
        border(
            "the gradients of rewards far apart",
            numbers(-900.0, 900.0).requires_grad_(),
            numbers(100.0, 0.0).requires_grad_(),
        ),
        border("float32 and rewards 200 apart", torch.tensor([-100.0, 100.0]), torch.tensor([100.0, -100.0])),
        border("both rewards zero", numbers(0.0), numbers(0.0)),
        border("large rewards that are close", numbers(1e6, 1e6 + 1), numbers(1e6 - 1, 1e6)),
    ]


def _comparison_softplus(chosen: Tensor, rejected: Tensor) -> Tensor:
    return torch.mean(F.softplus(rejected - chosen))


def _comparison_softmax(chosen: Tensor, rejected: Tensor) -> Tensor:
    both = torch.stack([chosen, rejected], dim=-1)
    return (torch.logsumexp(both, dim=-1) - chosen).sum() / chosen.numel()


task = Task(
    comparison_loss,
    points=2,
    difficulty=1,
    minutes=10,
    cases=cases,
    compare=Compare(rtol=1e-5, atol=1e-7, gradient=True),
    slips=(
        Slip(
            "swapped",
            ("chosen - rejected", "rejected - chosen"),
            "Chosen and rejected are swapped: the loss falls when the rejected reply earns more. It is chosen - "
            "rejected inside the sigmoid.",
        ),
        Slip(
            "no_log",
            ("-F.logsigmoid(chosen - rejected)", "(1 - (chosen - rejected).sigmoid())"),
            "That is one minus the probability. The loss is minus its logarithm: a sure mistake must cost much.",
        ),
        Slip("sum", (".mean()", ".sum()"), "The pairs were added up; the loss is their mean, in nats."),
        Slip(
            "overflow",
            ("F.logsigmoid(chosen - rejected)", "(chosen - rejected).sigmoid().log()"),
            "For rewards far apart the exp overflows, or the sigmoid is rounded to 0, and the loss is infinite. "
            "logsigmoid does both in one step, without rounding in between.",
        ),
        Slip(
            "hinge",
            ("-F.logsigmoid(chosen - rejected)", "F.relu(1 - (chosen - rejected))"),
            "That is a hinge: no loss beyond a margin of 1. Bradley and Terry's loss is -log "
            "sigmoid(chosen - rejected).",
        ),
        Slip(
            "mean_first",
            ("(chosen - rejected).mean()", "((chosen - rejected).mean())"),
            "The differences were averaged before the logarithm. Each pair has a loss of its own; average those.",
        ),
        Slip(
            "each_alone",
            (
                "-F.logsigmoid(chosen - rejected).mean()",
                "-F.logsigmoid(chosen).mean() - F.logsigmoid(-rejected).mean()",
            ),
            "Each reward was pushed to its own side of zero. Only the difference counts: a constant added to all "
            "rewards must change nothing.",
        ),
        Slip(
            "bits",
            (".mean()", ".mean() / torch.tensor(2.0).log()"),
            "That is in bits. Losses are in nats here: the natural logarithm.",
        ),
        Slip(
            "plain_difference",
            ("-F.logsigmoid(chosen - rejected)", "(rejected - chosen)"),
            "That is the plain difference of the rewards. The loss is minus the logarithm of its sigmoid.",
        ),
        Slip(
            "one_each",
            (".mean()", ""),
            "These are the losses of the single pairs. Return their mean, one number.",
        ),
        Slip(
            "no_sigmoid",
            ("-F.logsigmoid(chosen - rejected)", "-(chosen - rejected).abs().log()"),
            "A logarithm was taken of the difference itself. It is taken of its sigmoid, which is a probability.",
        ),
        Slip(
            "squared",
            ("-F.logsigmoid(chosen - rejected)", "(1 - (chosen - rejected).sigmoid()).square()"),
            "That is a squared error of the probability. The loss is minus its logarithm.",
        ),
        Slip(
            "halved",
            (".mean()", ".mean() / 2"),
            "The losses were divided by the number of replies. There are half as many pairs: take the mean over the "
            "pairs.",
        ),
        Slip(
            "cut_off",
            ("chosen - rejected", "(chosen - rejected).clamp(-100, 100)"),
            "The differences were cut off at 100. Rewards may be farther apart, and the loss grows with the "
            "difference.",
        ),
        Slip(
            "all_with_all",
            ("chosen - rejected", "chosen[:, None] - rejected"),
            "Every chosen reply was compared with every rejected one. A pair is chosen[n] and rejected[n].",
        ),
        Slip(
            "log_of_the_mean",
            ("-F.logsigmoid(chosen - rejected).mean()", "-(chosen - rejected).sigmoid().mean().log()"),
            "The probabilities were averaged before the logarithm. Each pair has a loss of its own; average those.",
        ),
    ),
    alternatives=(_comparison_softplus, _comparison_softmax),
    hints=(
        "How likely is it, by Bradley and Terry, that the chosen reply is chosen? The loss is minus the log of that.",
        "The probability is sigmoid(chosen - rejected). torch has the logarithm of the sigmoid as one function.",
        "return -F.logsigmoid(chosen - rejected).mean()",
    ),
)
