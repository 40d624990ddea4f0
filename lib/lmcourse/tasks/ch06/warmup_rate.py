"""Exercise `warmup_rate`."""

import math

import numpy as np

from lmcourse.exercises import Case, Compare, Slip, Task, border, case


def warmup_rate(step, D, warmup):
    """Return the learning rate of a step.

    Args:
        step: from 1.
        D: the model's width.
        warmup: steps of the rise, at least 1.

    Returns:
        A float.

    Raises:
        ValueError: a step or a warm-up below 1.

    >>> round(warmup_rate(100, 64, 400), 7)
    0.0015625
    """
    if step < 1 or warmup < 1:
        raise ValueError(f"`step` and `warmup` must be at least 1, got {step} and {warmup}.")
    return D**-0.5 * min(step**-0.5, step * warmup**-1.5)


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    warmup, D = int(rng.integers(50, 500)), int(rng.integers(3, 700))
    return [
        case("the worked example", 100, 64, 400),
        case("the first step", 1, D, warmup),
        case("during the warm-up", warmup // 2, D, warmup),
        case("the last step of the warm-up", warmup, D, warmup),
        case("long after", 40 * warmup, D, warmup),
        border("a warm-up of one step", int(rng.integers(2, 90)), D, 1),
        border("step zero", 0, 64, 400),
        border("no warm-up: zero steps", 5, 64, 0),
    ]


def _rate_by_cases(step: int, D: int, warmup: int) -> float:
    if min(step, warmup) <= 0:
        raise ValueError("steps count from 1")
    peak = 1 / math.sqrt(D * warmup)
    return peak * step / warmup if step < warmup else peak * math.sqrt(warmup / step)


def _rate_by_logs(step: int, D: int, warmup: int) -> float:
    if not (step > 0 and warmup > 0):
        raise ValueError("step or warmup")
    log = -0.5 * math.log(D) + min(-0.5 * math.log(step), math.log(step) - 1.5 * math.log(warmup))
    return math.exp(log)


def _rate_wrong(step: int, D: int, warmup: int, *, how: str) -> float:
    if how != "unchecked" and (step < 1 or warmup < 1):
        raise ValueError("step")
    if how == "unchecked":
        step, warmup = max(step, 1), max(warmup, 1)
    up, down = step * warmup**-1.5, step**-0.5
    return {
        "max": D**-0.5 * max(down, up),
        "no_width": min(down, up),
        "width": D**0.5 * min(down, up),
        "one_exponent": D**-0.5 * min(down, step * warmup**-1.0),
        "only_down": D**-0.5 * down,
        "only_up": D**-0.5 * up,
        "linear_fall": D**-0.5 * min(warmup**0.5 / step, up),
        "unchecked": D**-0.5 * min(down, up),
    }[how]


task = Task(
    warmup_rate,
    points=1,
    difficulty=1,
    minutes=10,
    cases=cases,
    compare=Compare(rtol=1e-9, atol=0.0),
    slips=(
        Slip(
            "max",
            lambda *a: _rate_wrong(*a, how="max"),
            "The larger of the two was taken, so the rate starts high and rises again later. The smaller one rules: "
            "first the line, then the fall.",
        ),
        Slip(
            "no_width",
            lambda *a: _rate_wrong(*a, how="no_width"),
            "The factor D^-0.5 is missing: a wider model gets a lower rate.",
        ),
        Slip(
            "width_upside_down",
            lambda *a: _rate_wrong(*a, how="width"),
            "The rate is multiplied by the root of D; it must be divided by it.",
        ),
        Slip(
            "exponent",
            lambda *a: _rate_wrong(*a, how="one_exponent"),
            "The line rises as step / warmup. It is step * warmup^-1.5, so that line and fall meet at step = warmup.",
        ),
        Slip(
            "no_warm_up",
            lambda *a: _rate_wrong(*a, how="only_down"),
            "There is no warm-up: the first step has the highest rate of all.",
        ),
        Slip(
            "no_fall",
            lambda *a: _rate_wrong(*a, how="only_up"),
            "The rate rises for ever. From step = warmup on it falls with the root of the step.",
        ),
        Slip(
            "falls_too_fast",
            lambda *a: _rate_wrong(*a, how="linear_fall"),
            "After the warm-up the rate falls with the step. It falls with the root of the step: step^-0.5.",
        ),
        Slip(
            "unchecked",
            lambda *a: _rate_wrong(*a, how="unchecked"),
            "The formula is right, but a step or a warm-up of 0 was let through. Steps count from 1: raise ValueError.",
        ),
    ),
    alternatives=(_rate_by_cases, _rate_by_logs),
    hints=(
        "Two curves, one that rises in a line and one that falls; the schedule is the lower of the two.",
        "The falling one is step ** -0.5, the rising one step * warmup ** -1.5. Both are multiplied by D ** -0.5.",
        "return D ** -0.5 * min(step ** -0.5, step * warmup ** -1.5), after a check that both are at least 1.",
    ),
)
