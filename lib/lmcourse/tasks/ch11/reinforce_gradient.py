"""Exercise `reinforce_gradient`."""

from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch11.shared import drawer, numbers


def reinforce_gradient(logits, arms, rewards, baseline=0.0):
    """Return the estimate of the gradient of the expected reward from pulls.

    Args:
        logits: (K,).
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
    ]


def _reinforce_wrong(logits: Tensor, arms: Tensor, rewards: Tensor, baseline: float = 0.0, *, how: str) -> Tensor:
    probs = logits.softmax(0)
    pulled = F.one_hot(arms, len(logits)).to(logits.dtype)
    gain = (rewards - (0.0 if how == "no_baseline" else baseline)).unsqueeze(1)
    if how == "added":
        gain = (rewards + baseline).unsqueeze(1)
    score = pulled - probs
    if how == "no_probs":
        score = pulled
    if how == "of_prob":
        score = score * probs[arms].unsqueeze(1)
    if how == "divided":
        score = score / probs[arms].unsqueeze(1)
    terms = gain * score
    if how == "sum":
        return terms.sum(0)
    return -terms.mean(0) if how == "sign" else terms.mean(0)


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
            partial(_reinforce_wrong, how="no_baseline"),
            "The baseline was not used. Take it off each reward; the estimate stays right on "
            "average and scatters less.",
        ),
        Slip(
            "added",
            partial(_reinforce_wrong, how="added"),
            "The baseline was added. What counts is by how much a pull beat it: reward - baseline.",
        ),
        Slip(
            "no_probs",
            partial(_reinforce_wrong, how="no_probs"),
            "Only the pulled arm was moved. The derivative of log p(arm) is 1 - p for the pulled arm and -p for every "
            "other: one-hot minus probabilities.",
        ),
        Slip(
            "of_prob",
            partial(_reinforce_wrong, how="of_prob"),
            "That is the derivative of the probability, not of its logarithm. A pull is drawn with its probability "
            "already: weighing it once more counts it twice.",
        ),
        Slip(
            "divided",
            partial(_reinforce_wrong, how="divided"),
            "The pulls were divided by their probability on top of the logarithm. Its derivative has that division in "
            "it already.",
        ),
        Slip(
            "sum",
            partial(_reinforce_wrong, how="sum"),
            "The pulls were added up. The estimate is their mean, so that it does not grow with the number of pulls.",
        ),
        Slip(
            "sign",
            partial(_reinforce_wrong, how="sign"),
            "The sign is turned around: an arm that did better than the baseline must become likelier.",
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
