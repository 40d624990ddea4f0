"""Exercise `comparison_loss`."""

import math
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch11.shared import drawer, numbers


def comparison_loss(chosen, rejected):
    """Return the mean loss of comparisons, in nats.

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
    ]


def _comparison_wrong(chosen: Tensor, rejected: Tensor, *, how: str) -> Tensor:
    difference = chosen - rejected
    if how == "swapped":
        difference = -difference
    if how == "no_log":
        return (1 - difference.sigmoid()).mean()
    if how == "sum":
        return -F.logsigmoid(difference).sum()
    if how == "overflow":
        return -torch.log(torch.sigmoid(difference)).mean()
    if how == "hinge":
        return F.relu(1 - difference).mean()
    if how == "mean_first":
        return -F.logsigmoid(difference.mean())
    if how == "each":
        return -F.logsigmoid(chosen).mean() - F.logsigmoid(-rejected).mean()
    loss = -F.logsigmoid(difference).mean()
    return loss / math.log(2) if how == "bits" else loss


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
            partial(_comparison_wrong, how="swapped"),
            "Chosen and rejected are swapped: the loss falls when the rejected reply earns more. It is chosen - "
            "rejected inside the sigmoid.",
        ),
        Slip(
            "no_log",
            partial(_comparison_wrong, how="no_log"),
            "That is one minus the probability. The loss is minus its logarithm: a sure mistake must cost much.",
        ),
        Slip("sum", partial(_comparison_wrong, how="sum"), "The pairs were added up; the loss is their mean, in nats."),
        Slip(
            "overflow",
            partial(_comparison_wrong, how="overflow"),
            "For rewards far apart the sigmoid is rounded to 0 and its logarithm is minus infinity. logsigmoid does "
            "both in one step, without rounding in between.",
        ),
        Slip(
            "hinge",
            partial(_comparison_wrong, how="hinge"),
            "That is a hinge: no loss beyond a margin of 1. Bradley and Terry's loss is -log "
            "sigmoid(chosen - rejected).",
        ),
        Slip(
            "mean_first",
            partial(_comparison_wrong, how="mean_first"),
            "The differences were averaged before the logarithm. Each pair has a loss of its own; average those.",
        ),
        Slip(
            "each_alone",
            partial(_comparison_wrong, how="each"),
            "Each reward was pushed to its own side of zero. Only the difference counts: a constant added to all "
            "rewards must change nothing.",
        ),
        Slip(
            "bits",
            partial(_comparison_wrong, how="bits"),
            "That is in bits. Losses are in nats here: the natural logarithm.",
        ),
    ),
    alternatives=(_comparison_softplus, _comparison_softmax),
    hints=(
        "How likely is it, by Bradley and Terry, that the chosen reply is chosen? The loss is minus the log of that.",
        "The probability is sigmoid(chosen - rejected). torch has the logarithm of the sigmoid as one function.",
        "return -F.logsigmoid(chosen - rejected).mean()",
    ),
)
