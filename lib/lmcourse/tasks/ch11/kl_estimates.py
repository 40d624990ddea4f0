"""Exercise `kl_estimates`."""

from functools import partial

import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch11.shared import drawer, numbers


def kl_estimates(log_probs, reference_log_probs):
    """Return three estimates of the KL divergence from draws of the policy.

    Args:
        log_probs: of the drawn tokens under the policy, (N,).
        reference_log_probs: under the reference, (N,).

    Returns:
        A dict of floats with the keys "k1", "k2" and "k3".

    >>> ours, theirs = torch.tensor([0.5, 0.5]).log(), torch.tensor([0.25, 1.0]).log()
    >>> {name: round(value, 3) + 0.0 for name, value in kl_estimates(ours, theirs).items()}
    {'k1': 0.0, 'k2': 0.24, 'k3': 0.25}
    """
    log_x = reference_log_probs - log_probs
    k1, k2, k3 = -log_x, log_x**2 / 2, log_x.exp() - 1 - log_x
    return {"k1": k1.mean().item(), "k2": k2.mean().item(), "k3": k3.mean().item()}


def cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)

    def near(n: int) -> tuple[Tensor, Tensor]:
        log_probs = -draw(n).abs()
        return log_probs, log_probs + 0.6 * draw(n)

    same = -draw(5).abs()
    return [
        case("the worked example", torch.log(numbers(0.5, 0.5)), torch.log(numbers(0.25, 1.0))),
        case("eleven tokens", *near(11)),
        border("one token", *near(1)),
        border("equal policies: zero", same, same.clone()),
        border("the reference likes each token more: k1 below zero", -1 - draw(7).abs(), -draw(7).abs() * 0 - 0.5),
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


task = Task(
    kl_estimates,
    points=3,
    difficulty=3,
    minutes=15,
    cases=cases,
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
