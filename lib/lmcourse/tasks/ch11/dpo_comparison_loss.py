"""Exercise `dpo_comparison_loss`."""

from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch11.shared import drawer, numbers


def dpo_comparison_loss(chosen, rejected, reference_chosen, reference_rejected, beta=0.1):
    """Return the mean DPO loss of comparisons, in nats.

    Args:
        chosen, rejected: log-probabilities of whole replies under the policy, (N,).
        reference_chosen, reference_rejected: the same under the reference, (N,).
        beta: strength of the tie.

    Returns:
        A tensor without dimensions. The gradient must flow through it.

    >>> sums = [torch.tensor([value]) for value in (-8.0, -11.0, -9.0, -10.0)]
    >>> round(dpo_comparison_loss(*sums, beta=0.5).item(), 3)
    0.313
    """
    h = (chosen - reference_chosen) - (rejected - reference_rejected)
    return -F.logsigmoid(beta * h).mean()


def cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)

    def sums(n: int, grad: bool = False) -> Tensor:
        return (-10 - 3 * draw(n).abs()).requires_grad_(grad)

    same = sums(3)
    return [
        case("the worked example", numbers(-8.0), numbers(-11.0), numbers(-9.0), numbers(-10.0), 0.5),
        case("seven pairs", sums(7), sums(7), sums(7), sums(7), 0.3),
        case("beta not given", sums(5), sums(5), sums(5), sums(5)),
        case("the gradients", sums(5, True), sums(5, True), sums(5), sums(5), 0.5),
        border("the policy is the reference: zero", same, same - 2, same.clone(), same - 2, 0.7),
        border("one pair", sums(1), sums(1), sums(1), sums(1), 1.0),
        border("far from the reference: no overflow", *(numbers(x) for x in (-5000.0, -10.0, -10.0, -12.0)), 1.0),
        case("float32", single(3) - 9, single(3) - 9, single(3) - 9, single(3) - 9, 0.2),
    ]  # fmt: skip


def _dpo_wrong(
    chosen: Tensor,
    rejected: Tensor,
    reference_chosen: Tensor,
    reference_rejected: Tensor,
    beta: float = 0.1,
    *,
    how: str,
) -> Tensor:
    ours, theirs = chosen - rejected, reference_chosen - reference_rejected
    h = ours - theirs
    if how == "no_reference":
        h = ours
    if how == "added":
        h = ours + theirs
    if how == "sign":
        h = -h
    if how == "beta_outside":
        return -beta * F.logsigmoid(h).mean()
    if how == "no_beta":
        return -F.logsigmoid(h).mean()
    if how == "divided":
        return -F.logsigmoid(h / beta).mean()
    if how == "sum":
        return -F.logsigmoid(beta * h).sum()
    if how == "overflow":
        return -torch.log(torch.sigmoid(beta * h)).mean()
    if how == "no_log":
        return (1 - torch.sigmoid(beta * h)).mean()
    return -F.logsigmoid(beta * h).mean()


def _dpo_by_rewards(
    chosen: Tensor, rejected: Tensor, reference_chosen: Tensor, reference_rejected: Tensor, beta: float = 0.1
) -> Tensor:
    reward_chosen, reward_rejected = beta * (chosen - reference_chosen), beta * (rejected - reference_rejected)
    return F.softplus(reward_rejected - reward_chosen).mean()


def _dpo_by_softmax(
    chosen: Tensor, rejected: Tensor, reference_chosen: Tensor, reference_rejected: Tensor, beta: float = 0.1
) -> Tensor:
    implicit = beta * torch.stack([chosen - reference_chosen, rejected - reference_rejected], dim=1)  # (B, 2)
    return F.cross_entropy(implicit, torch.zeros(len(chosen), dtype=torch.long))


task = Task(
    dpo_comparison_loss,
    points=3,
    difficulty=3,
    minutes=20,
    cases=cases,
    compare=Compare(rtol=1e-5, atol=1e-7, gradient=True),
    slips=(
        Slip(
            "no_reference",
            partial(_dpo_wrong, how="no_reference"),
            "The reference was left out. What counts is by how much the policy has moved: log pi - log ref, of each "
            "reply.",
        ),
        Slip(
            "added",
            partial(_dpo_wrong, how="added"),
            "The reference's difference was added. It is taken off: (chosen - reference_chosen) - (rejected - "
            "reference_rejected).",
        ),
        Slip(
            "sign",
            partial(_dpo_wrong, how="sign"),
            "The sign is turned around: the loss must fall when the chosen reply becomes likelier.",
        ),
        Slip(
            "beta_outside",
            partial(_dpo_wrong, how="beta_outside"),
            "beta stands before the logarithm. It belongs inside the sigmoid: beta log(pi / ref) is the reward.",
        ),
        Slip(
            "no_beta",
            partial(_dpo_wrong, how="no_beta"),
            "beta was not used. It says how many nats from the reference a unit of reward is worth.",
        ),
        Slip(
            "divided",
            partial(_dpo_wrong, how="divided"),
            "h was divided by beta. The implied reward is beta times log(pi / ref).",
        ),
        Slip("sum", partial(_dpo_wrong, how="sum"), "The pairs were added up; the loss is the mean over the pairs."),
        Slip(
            "overflow",
            partial(_dpo_wrong, how="overflow"),
            "Far from the reference the sigmoid is rounded to 0, and its logarithm is minus infinity. logsigmoid does "
            "both in one step.",
        ),
        Slip(
            "no_log",
            partial(_dpo_wrong, how="no_log"),
            "That is one minus the probability of the comparison. The loss is minus its logarithm.",
        ),
    ),
    alternatives=(_dpo_by_rewards, _dpo_by_softmax),
    hints=(
        "It is Bradley and Terry's loss once more. What stands in the place of the reward?",
        "The reward of a reply is beta * (log pi - log ref). Take the rejected one's from the chosen one's.",
        "h = (chosen - reference_chosen) - (rejected - reference_rejected); return -F.logsigmoid(beta * h).mean()",
    ),
)
