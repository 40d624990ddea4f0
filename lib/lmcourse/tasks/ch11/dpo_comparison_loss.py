"""Exercise `dpo_comparison_loss`."""

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch11.shared import drawer, numbers


def dpo_comparison_loss(chosen, rejected, reference_chosen, reference_rejected, beta=0.1):
    """Return the mean DPO loss of comparisons, in nats; it stays finite however far the policy has gone.

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
        case(
            "pairs in a fixed order",
            numbers(-8.0, -3.0),
            numbers(-11.0, -2.0),
            numbers(-9.0, -5.0),
            numbers(-10.0, -1.0),
            0.5,
        ),
        border(
            "numbers of different magnitudes",
            numbers(-1e4, -1.0, -1e-30),
            numbers(-1.0, -1e4, -2.0),
            numbers(-2.0, -3.0, -1.0),
            numbers(-1e4, -5.0, -1e-30),
            0.5,
        ),
        border(
            "the gradients far from the reference",
            numbers(-5000.0, -1.0).requires_grad_(),
            numbers(-1.0, -5000.0).requires_grad_(),
            numbers(-2.0, -2.0),
            numbers(-2.0, -2.0),
            1.0,
        ),
        border("a small beta", sums(3), sums(3), sums(3), sums(3), 0.001),
        border("a beta of 0", sums(3), sums(3), sums(3), sums(3), 0.0),
        border("only the rejected reply has moved", numbers(-5.0), numbers(-9.0), numbers(-5.0), numbers(-6.0), 0.5),
        border("only the chosen reply has moved", numbers(-4.0), numbers(-6.0), numbers(-5.0), numbers(-6.0), 0.5),
    ]


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
            ("(chosen - reference_chosen) - (rejected - reference_rejected)", "chosen - rejected"),
            "The reference was left out. What counts is by how much the policy has moved: log pi - log ref, of each "
            "reply.",
        ),
        Slip(
            "added",
            (
                "(chosen - reference_chosen) - (rejected - reference_rejected)",
                "(chosen + reference_chosen) - (rejected + reference_rejected)",
            ),
            "The reference's difference was added, or the two references were exchanged. It is taken off: (chosen - "
            "reference_chosen) - (rejected - reference_rejected).",
        ),
        Slip(
            "sign",
            ("beta * h", "-beta * h"),
            "The sign is turned around: the loss must fall when the chosen reply becomes likelier.",
        ),
        Slip(
            "beta_outside",
            ("-F.logsigmoid(beta * h)", "-beta * F.logsigmoid(h)"),
            "beta stands before the logarithm. It belongs inside the sigmoid: beta log(pi / ref) is the reward.",
        ),
        Slip(
            "no_beta",
            ("beta * h", "h"),
            "beta was not used. It says how many nats from the reference a unit of reward is worth.",
        ),
        Slip(
            "divided",
            ("beta * h", "h / beta"),
            "h was divided by beta. The implied reward is beta times log(pi / ref).",
        ),
        Slip("sum", (".mean()", ".sum()"), "The pairs were added up; the loss is the mean over the pairs."),
        Slip(
            "overflow",
            ("F.logsigmoid(beta * h)", "(beta * h).sigmoid().log()"),
            "Far from the reference the exp overflows, or the sigmoid is rounded to 0, and the loss is infinite. "
            "logsigmoid does both in one step.",
        ),
        Slip(
            "no_log",
            ("-F.logsigmoid(beta * h)", "(1 - (beta * h).sigmoid())"),
            "That is one minus the probability of the comparison. The loss is minus its logarithm.",
        ),
        Slip(
            "chosen_only",
            ("(chosen - reference_chosen) - (rejected - reference_rejected)", "chosen - reference_chosen"),
            "Only the chosen reply was looked at. The rejected one's reward is taken off: (chosen - reference_chosen) "
            "- (rejected - reference_rejected).",
        ),
        Slip(
            "reference_only",
            ("(chosen - reference_chosen) - (rejected - reference_rejected)", "reference_chosen - reference_rejected"),
            "Only the reference was looked at. The policy's log-probabilities are what is learned.",
        ),
        Slip(
            "mean_first",
            ("F.logsigmoid(beta * h).mean()", "F.logsigmoid((beta * h).mean())"),
            "The differences were averaged before the logarithm. Each pair has a loss of its own; average those.",
        ),
        Slip(
            "one_each",
            (".mean()", ""),
            "These are the losses of the single pairs. Return their mean, one number.",
        ),
        Slip(
            "always_a_tenth",
            ("beta * h", "0.1 * h"),
            "beta is 0.1 whatever was passed. Use the argument; 0.1 is only its default.",
        ),
        Slip(
            "probabilities",
            (
                "(chosen - reference_chosen) - (rejected - reference_rejected)",
                "(chosen.exp() - reference_chosen.exp()) - (rejected.exp() - reference_rejected.exp())",
            ),
            "Probabilities were subtracted. The reward is made of their logarithms, beta * (log pi - log ref).",
        ),
        Slip(
            "plain_difference",
            ("-F.logsigmoid(beta * h)", "-beta * h"),
            "That is the plain difference of the rewards. The loss is minus the logarithm of its sigmoid.",
        ),
        Slip(
            "bits",
            (".mean()", ".mean() / torch.tensor(2.0).log()"),
            "That is in bits. Losses are in nats here: the natural logarithm.",
        ),
    ),
    alternatives=(_dpo_by_rewards, _dpo_by_softmax),
    hints=(
        "It is Bradley and Terry's loss once more. What stands in the place of the reward?",
        "The reward of a reply is beta * (log pi - log ref). Take the rejected one's from the chosen one's.",
        "h = (chosen - reference_chosen) - (rejected - reference_rejected); return -F.logsigmoid(beta * h).mean()",
    ),
)
