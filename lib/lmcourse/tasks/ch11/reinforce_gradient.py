"""Exercise `reinforce_gradient`."""

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch11.shared import drawer, numbers


def reinforce_gradient(logits, arms, rewards, baseline=0.0):
    """Return the estimate of the gradient of the expected reward from pulls.

    Large logits must not overflow.

    Args:
        logits: of the arms, (K,).
        arms: which arm was pulled, whole numbers (N,).
        rewards: what each pull earned, (N,).
        baseline: b.

    Returns:
        (K,).

    >>> found = reinforce_gradient(torch.zeros(3), torch.tensor([0, 2]), torch.tensor([1.0, 0.0]), 0.4)
    >>> [round(value, 3) for value in found.tolist()]
    [0.267, -0.033, -0.233]
    """
    score = F.one_hot(arms, len(logits)) - logits.softmax(dim=0)  # (N, K)
    return ((rewards - baseline).unsqueeze(1) * score).mean(dim=0)


def cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)
    generator = torch.Generator().manual_seed(seed + 1)

    def arms(n: int, count: int) -> Tensor:
        return torch.randint(n, (count,), generator=generator)

    return [
        case("the worked example", numbers(0, 0, 0), torch.tensor([0, 2]), numbers(1.0, 0.0), 0.4),
        case("eleven pulls of five arms", draw(5), arms(5, 11), draw(11), 0.3),
        border("no baseline given", draw(3), arms(3, 7), draw(7)),
        border("one pull", draw(5), arms(5, 1), draw(1), -0.5),
        border("one arm", draw(1), arms(1, 5), draw(5), 0.2),
        border("rewards equal to the baseline", draw(3), arms(3, 5), torch.full((5,), 0.5, dtype=torch.float64), 0.5),
        border("negative rewards", draw(3), arms(3, 7), -1 - draw(7).abs(), -1.0),
        case("float32", single(5), arms(5, 3), single(3), 0.1),
        case(
            "pulls in a fixed order",
            numbers(1.0, 0.0, -1.0),
            torch.tensor([2, 0, 0, 1]),
            numbers(1.0, -2.0, 3.0, 0.5),
            0.25,
        ),
        case("an arm that was never pulled", draw(4), torch.tensor([0, 2, 2, 0, 3]), draw(5), 0.1),
        border(
            "rewards of different magnitudes",
            numbers(0.0, 1.0),
            torch.tensor([0, 1, 1]),
            numbers(1e4, 1e-30, -1e4),
            1.0,
        ),
        border("the same arm at every pull", draw(3), torch.tensor([1, 1, 1]), draw(3), 0.5),
        border("logits near 1,000, where exp overflows", 1000 + draw(5), arms(5, 7), draw(7), 0.3),
        border(
            "one logit far above the others",
            numbers(1e4, 0.0, -1e4),
            torch.tensor([0, 1, 2]),
            numbers(1.0, 2.0, 3.0),
            0.5,
        ),
        border("a baseline below 0", draw(3), arms(3, 5), draw(5), -2.0),
    ]


def _reinforce_loop(logits: Tensor, arms: Tensor, rewards: Tensor, baseline: float = 0.0) -> Tensor:
    probs = torch.softmax(logits, dim=-1)
    total = torch.zeros_like(logits)
    for arm, reward in zip(arms.tolist(), rewards, strict=True):
        total -= (reward - baseline) * probs
        total[arm] += reward - baseline
    return total / len(rewards)


def _reinforce_autograd(logits: Tensor, arms: Tensor, rewards: Tensor, baseline: float = 0.0) -> Tensor:
    with torch.enable_grad():
        leaf = logits.detach().clone().requires_grad_(True)
        log_probs = leaf.log_softmax(0)[arms]
        surrogate = torch.mean(log_probs * (rewards - baseline))
        return torch.autograd.grad(surrogate, leaf)[0]


task = Task(
    reinforce_gradient,
    points=3,
    difficulty=3,
    minutes=20,
    cases=cases,
    compare=Compare(rtol=1e-5, atol=1e-7),
    slips=(
        Slip(
            "no_baseline",
            ("(rewards - baseline)", "rewards"),
            "The baseline was not used. Take it off each reward; the estimate stays right on "
            "average and scatters less.",
        ),
        Slip(
            "added",
            ("rewards - baseline", "rewards + baseline"),
            "The baseline was added. What counts is by how much a pull beat it: reward - baseline.",
        ),
        Slip(
            "no_probs",
            (" - logits.softmax(dim=0)", ""),
            "Only the pulled arm was moved. The derivative of log p(arm) is 1 - p for the pulled arm and -p for every "
            "other: one-hot minus probabilities.",
        ),
        Slip(
            "of_prob",
            ("* score)", "* score * logits.softmax(dim=0)[arms].unsqueeze(1))"),
            "That is the derivative of the probability, not of its logarithm. A pull is drawn with its probability "
            "already: weighing it once more counts it twice.",
        ),
        Slip(
            "divided",
            ("* score)", "* score / logits.softmax(dim=0)[arms].unsqueeze(1))"),
            "The pulls were divided by their probability on top of the logarithm. Its derivative has that division in "
            "it already.",
        ),
        Slip(
            "sum",
            ("mean(dim=0)", "sum(dim=0)"),
            "The pulls were added up. The estimate is their mean, so that it does not grow with the number of pulls.",
        ),
        Slip(
            "sign",
            ("return ", "return -"),
            "The sign is turned around: an arm that did better than the baseline must become likelier.",
        ),
        Slip(
            "mean_as_baseline",
            ("rewards - baseline", "rewards - rewards.mean()"),
            "The mean of the rewards was taken off in place of the baseline. The baseline is an argument.",
        ),
        Slip(
            "one_for_each_pull",
            (".mean(dim=0)", ""),
            "There is one row for each pull here. The estimate is their mean, one number for each arm.",
        ),
        Slip(
            "over_arms",
            ("mean(dim=0)", "mean(dim=1)"),
            "The mean was taken over the arms. Take it over the pulls, so that one number is left for each arm.",
        ),
        Slip(
            "all_in_one",
            ("mean(dim=0)", "mean()"),
            "Everything was averaged into one number. The estimate has one number for each arm: take the mean over the "
            "pulls.",
        ),
        Slip(
            "by_arm",
            ("mean(dim=0)", "sum(dim=0) / torch.bincount(arms, minlength=len(logits)).clamp(min=1)"),
            "Each arm's sum was divided by how often it was pulled. Divide by the number of all pulls: every pull says "
            "something about every arm.",
        ),
        Slip(
            "overflow",
            ("logits.softmax(dim=0)", "logits.exp() / logits.exp().sum()"),
            "exp of a large logit is infinite, and infinity divided by infinity is not a number. softmax subtracts the "
            "maximum first.",
        ),
        Slip(
            "baseline_on_score",
            (("(rewards - baseline)", "rewards"), ("* score)", "* (score - baseline))")),
            "The baseline was taken off the derivative. It belongs to the reward: (r - b) times the derivative.",
        ),
        Slip(
            "by_arms_pulled",
            (".mean(dim=0)", ".sum(dim=0) / len(arms.unique())"),
            "The sum was divided by the number of different arms that were pulled. Divide by the number of pulls.",
        ),
        Slip(
            "written_once",
            (
                "return ((rewards - baseline).unsqueeze(1) * score).mean(dim=0)",
                "total = -(rewards - baseline).sum() * logits.softmax(dim=0)\n"
                "    total[arms] += rewards - baseline\n"
                "    return total / len(arms)",
            ),
            "total[arms] += ... writes an arm that comes several times only once. Use index_add_, or a one-hot vector "
            "for each pull.",
        ),
        Slip(
            "mean_of_each_arm",
            (
                "return ((rewards - baseline).unsqueeze(1) * score).mean(dim=0)",
                "means = [(rewards[arms == arm].mean() - baseline) * score[arms == arm][0] for arm in arms.unique()]\n"
                "    return torch.stack(means).mean(dim=0)",
            ),
            "The rewards of each arm were averaged first, so that an arm that was pulled often counts no more than "
            "another. Every pull counts once.",
        ),
    ),
    alternatives=(_reinforce_loop, _reinforce_autograd),
    hints=(
        "For one pull: by how much did it beat the baseline, and how does the log-probability of that arm change with "
        "each logit?",
        "The derivative of log softmax(logits)[arm] is a one-hot vector at the arm minus the probabilities.",
        "score = F.one_hot(arms, len(logits)) - logits.softmax(0); return ((rewards - baseline).unsqueeze(1) * "
        "score).mean(0)",
    ),
)
