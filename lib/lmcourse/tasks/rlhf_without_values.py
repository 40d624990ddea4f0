"""Tasks of chapter 11, fourth part: DPO, GRPO, and three estimates of a KL divergence."""

from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, case
from lmcourse.tasks.rlhf import CHAPTER, drawer, numbers

# ---------------------------------------------------------------------------------------------- dpo_comparison_loss


def _dpo(
    chosen: Tensor, rejected: Tensor, reference_chosen: Tensor, reference_rejected: Tensor, beta: float = 0.1
) -> Tensor:
    h = (chosen - reference_chosen) - (rejected - reference_rejected)
    return -F.logsigmoid(beta * h).mean()


def _dpo_cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)

    def sums(n: int, grad: bool = False) -> Tensor:
        return (-10 - 3 * draw(n).abs()).requires_grad_(grad)

    same = sums(3)
    return [
        case("the worked example", numbers(-8.0), numbers(-11.0), numbers(-9.0), numbers(-10.0), 0.5),
        case("seven pairs", sums(7), sums(7), sums(7), sums(7), 0.3),
        case("beta not given", sums(5), sums(5), sums(5), sums(5)),
        case("the gradients", sums(5, True), sums(5, True), sums(5), sums(5), 0.5),
        case("the policy is the reference: zero", same, same - 2, same.clone(), same - 2, 0.7),
        case("one pair", sums(1), sums(1), sums(1), sums(1), 1.0),
        case("far from the reference: no overflow", *(numbers(x) for x in (-5000.0, -10.0, -10.0, -12.0)), 1.0),
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


dpo_comparison_loss = Task(
    name="dpo_comparison_loss",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=20,
    cases=_dpo_cases,
    reference=_dpo,
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

# -------------------------------------------------------------------------------------------------- group_relative


def _group(rewards: Tensor, epsilon: float = 1e-4) -> Tensor:
    centred = rewards - rewards.mean(dim=1, keepdim=True)
    return centred / (rewards.std(dim=1, keepdim=True) + epsilon)


def _group_cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)
    return [
        case("the worked example", torch.tensor([[1.0, 2.0, 3.0], [4.0, 4.0, 4.0]], dtype=torch.float64)),
        case("five prompts, seven replies each", draw(5, 7)),
        case("as many prompts as replies", draw(3, 3)),
        case("one prompt", draw(1, 5)),
        case("two replies each", draw(5, 2)),
        case("all rewards equal", torch.full((2, 3), 2.0, dtype=torch.float64)),
        case("groups of unlike difficulty", draw(3, 5) + torch.arange(3).unsqueeze(1) * 10),
        case("another epsilon", draw(2, 5), 0.5),
        case("float32", single(2, 7)),
    ]


def _group_wrong(rewards: Tensor, epsilon: float = 1e-4, *, how: str) -> Tensor:
    dim = 0 if how == "over_prompts" else 1
    mean, spread = rewards.mean(dim, keepdim=True), rewards.std(dim, keepdim=True, correction=int(how != "population"))
    if how == "over_prompts" and len(rewards) == 1:
        spread = torch.zeros_like(mean)
    if how == "over_all":
        mean, spread = rewards.mean(), rewards.std()
    if how == "variance":
        spread = spread**2
    if how == "not_divided":
        return rewards - mean
    if how == "not_centred":
        return rewards / (spread + epsilon)
    if how == "no_epsilon":
        return (rewards - mean) / spread
    if how == "best":
        return (rewards - rewards.max(1, keepdim=True).values) / (spread + epsilon)
    return (rewards - mean) / (spread + epsilon)


def _group_by_rows(rewards: Tensor, epsilon: float = 1e-4) -> Tensor:
    rows = []
    for row in rewards:
        difference = row - row.sum() / len(row)
        spread = torch.sqrt((difference**2).sum() / (len(row) - 1))
        rows.append(difference / (spread + epsilon))
    return torch.stack(rows)


def _group_transposed(rewards: Tensor, epsilon: float = 1e-4) -> Tensor:
    columns = rewards.T
    spread, mean = torch.std_mean(columns, dim=0)
    return ((columns - mean) / (spread + epsilon)).T.contiguous()


group_relative = Task(
    name="group_relative",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=10,
    cases=_group_cases,
    reference=_group,
    compare=Compare(rtol=1e-5, atol=1e-7),
    slips=(
        Slip(
            "over_all",
            partial(_group_wrong, how="over_all"),
            "All prompts were thrown together. Then an easy prompt's worst reply beats a hard prompt's best: compare "
            "within a row.",
        ),
        Slip(
            "over_prompts",
            partial(_group_wrong, how="over_prompts"),
            "Columns were compared, replies to different prompts. A group is a row: dim=1.",
        ),
        Slip(
            "not_divided",
            partial(_group_wrong, how="not_divided"),
            "The group's mean was taken off, but the spread is still in it. Divide by standard deviation plus epsilon.",
        ),
        Slip(
            "not_centred",
            partial(_group_wrong, how="not_centred"),
            "The rewards were divided, but the group's mean was not taken off. It is what stands in for a value.",
        ),
        Slip(
            "no_epsilon",
            partial(_group_wrong, how="no_epsilon"),
            "A group of equal rewards gives 0 / 0. With epsilon in the divisor it gives 0: nothing to be "
            "learned there.",
        ),
        Slip(
            "population",
            partial(_group_wrong, how="population"),
            "The standard deviation was divided by G. It is a sample's: divided by G - 1, as torch.std does.",
        ),
        Slip(
            "variance",
            partial(_group_wrong, how="variance"),
            "That divides by the variance. Divide by its root, the standard deviation.",
        ),
        Slip(
            "best",
            partial(_group_wrong, how="best"),
            "The best of the group was taken off, so that nothing is ever good. Take off the mean.",
        ),
    ),
    alternatives=(_group_by_rows, _group_transposed),
    hints=(
        "The other replies to the same prompt say what was to be expected of it.",
        "Take off the mean of the row, divide by its standard deviation plus epsilon; keepdim=True keeps the shapes.",
        "return (rewards - rewards.mean(1, keepdim=True)) / (rewards.std(1, keepdim=True) + epsilon)",
    ),
)

# ---------------------------------------------------------------------------------------------------- kl_estimates


def _kl(log_probs: Tensor, reference_log_probs: Tensor) -> dict[str, float]:
    log_x = reference_log_probs - log_probs
    k1, k2, k3 = -log_x, log_x**2 / 2, log_x.exp() - 1 - log_x
    return {"k1": k1.mean().item(), "k2": k2.mean().item(), "k3": k3.mean().item()}


def _kl_cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)

    def near(n: int) -> tuple[Tensor, Tensor]:
        log_probs = -draw(n).abs()
        return log_probs, log_probs + 0.6 * draw(n)

    same = -draw(5).abs()
    return [
        case("the worked example", torch.log(numbers(0.5, 0.5)), torch.log(numbers(0.25, 1.0))),
        case("eleven tokens", *near(11)),
        case("one token", *near(1)),
        case("equal policies: zero", same, same.clone()),
        case("the reference likes each token more: k1 below zero", -1 - draw(7).abs(), -draw(7).abs() * 0 - 0.5),
        case("far apart", *(5 * part for part in near(5))),
        case("float32", -single(7).abs(), -single(7).abs()),
    ]


def _kl_wrong(log_probs: Tensor, reference_log_probs: Tensor, *, how: str) -> dict[str, float]:
    log_x = reference_log_probs - log_probs
    if how == "reversed":
        log_x = -log_x
    estimates = {"k1": -log_x, "k2": log_x**2 / 2, "k3": log_x.exp() - 1 - log_x}
    if how == "sign":
        estimates["k1"] = log_x
    if how == "not_halved":
        estimates["k2"] = log_x**2
    if how == "upside_down":
        estimates["k3"] = (-log_x).exp() - 1 + log_x
    if how == "no_one":
        estimates["k3"] = log_x.exp() - log_x
    if how == "plus_log":
        estimates["k3"] = log_x.exp() - 1 + log_x
    return {name: (each.sum() if how == "sum" else each.mean()).item() for name, each in estimates.items()}


def _kl_by_probs(log_probs: Tensor, reference_log_probs: Tensor) -> dict[str, float]:
    x = reference_log_probs.exp() / log_probs.exp()
    k1 = (log_probs - reference_log_probs).mean()
    k2 = 0.5 * (log_probs - reference_log_probs).square().mean()
    k3 = (x - 1).mean() + k1
    return {"k1": float(k1), "k2": float(k2), "k3": float(k3)}


def _kl_by_loop(log_probs: Tensor, reference_log_probs: Tensor) -> dict[str, float]:
    totals = {"k1": 0.0, "k2": 0.0, "k3": 0.0}
    for ours, theirs in zip(log_probs, reference_log_probs, strict=True):
        gap = ours - theirs
        for name, value in (("k1", gap), ("k2", gap * gap / 2), ("k3", torch.expm1(-gap) + gap)):
            totals[name] += value.item() / len(log_probs)
    return totals


kl_estimates = Task(
    name="kl_estimates",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=15,
    cases=_kl_cases,
    reference=_kl,
    compare=Compare(rtol=1e-4, atol=1e-6),
    slips=(
        Slip(
            "reversed",
            partial(_kl_wrong, how="reversed"),
            "Policy and reference are swapped. The tokens were drawn from the policy: x = ref / pi, and k1 = -log x.",
        ),
        Slip(
            "sign",
            partial(_kl_wrong, how="sign"),
            "k1 has the wrong sign. It is log pi - log ref, minus log x: positive on average.",
        ),
        Slip("not_halved", partial(_kl_wrong, how="not_halved"), "k2 is half of the square: (log x)^2 / 2."),
        Slip(
            "upside_down",
            partial(_kl_wrong, how="upside_down"),
            "k3 was made of pi / ref. x is ref / pi: its mean over the policy's own tokens is 1, and that is what "
            "keeps k3 right on average.",
        ),
        Slip(
            "no_one",
            partial(_kl_wrong, how="no_one"),
            "k3 lacks the -1: for equal policies it must be 0. x - 1 - log x.",
        ),
        Slip(
            "plus_log",
            partial(_kl_wrong, how="plus_log"),
            "The logarithm in k3 has the wrong sign: x - 1 - log x is never negative.",
        ),
        Slip(
            "sum", partial(_kl_wrong, how="sum"), "The tokens were added up; each estimate is a mean over the tokens."
        ),
    ),
    alternatives=(_kl_by_probs, _kl_by_loop),
    hints=(
        "All three are made of one number for each token: x, how much likelier it is under the reference.",
        "log x = reference_log_probs - log_probs. k1 = -log x, k2 = (log x)^2 / 2, k3 = x - 1 - log x.",
        "log_x = reference_log_probs - log_probs; k3 = (log_x.exp() - 1 - log_x).mean().item(), and so on.",
    ),
)
