"""Exercise `fit_power_law`."""

import math
from functools import partial

import numpy as np
import torch

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch08.shared import drawer


def fit_power_law(sizes, losses):
    """Return a and b of the power law a * size^-b through the points.

    Args:
        sizes: positive numbers, a list.
        losses: positive numbers, as many.

    Returns:
        a and b, floats.

    Raises:
        ValueError: all sizes are the same.

    >>> [round(number, 3) for number in fit_power_law([1.0, 100.0], [4.0, 2.0])]
    [4.0, 0.151]
    """
    if len(set(sizes)) < 2:
        raise ValueError(f"`sizes` must hold at least two different values, got {sizes}.")
    slope, start = np.polyfit(np.log(sizes), np.log(losses), 1)
    return float(np.exp(start)), float(-slope)


def cases(seed: int) -> list[Case]:
    draws = drawer(seed)(23).abs().add(0.1).tolist()
    sizes = [3.0**n * (1 + draws[n]) for n in range(7)]
    noisy = [5 * size**-0.2 * (1 + 0.1 * draw) for size, draw in zip(sizes, draws[7:], strict=False)]
    return [
        case("the worked example", [1.0, 100.0], [4.0, 2.0]),
        border("seven points on no exact line", sizes, noisy),
        case("three points", sizes[:3], noisy[2:5]),
        case("five points in another order", sizes[4::-1], noisy[4::-1]),
        case("two points: the line goes through both", sizes[2:4], noisy[4:6]),
        border("losses that are all the same: a slope of zero", sizes[:3], [draws[0]] * 3),
        case("the same size twice", [2.0, 2.0, 7.0], noisy[:3]),
        border("one point", sizes[:1], noisy[:1]),
        border("one size, three times", [5.0] * 3, noisy[:3]),
    ]


def _power_wrong(sizes: list[float], losses: list[float], *, how: str) -> tuple[float, float]:
    if len(set(sizes)) < 2:
        if how == "unchecked":
            return losses[0], 0.0
        raise ValueError("sizes")
    x, y = np.log(sizes), np.log(losses)
    if how == "ends_only":
        slope = (y[-1] - y[0]) / (x[-1] - x[0])
        return float(np.exp(y[0] - slope * x[0])), float(-slope)
    if how == "log_of_sizes_only":
        y = np.asarray(losses)
    if how == "log_of_losses_only":
        x = np.asarray(sizes)
    if how == "base_ten":
        x, y = np.log10(sizes), np.log10(losses)
    if how == "other_way":
        back, _ = np.polyfit(y, x, 1) if len(set(losses)) > 1 else (math.inf, 0.0)
        slope = 1 / back
        return float(np.exp(y.mean() - slope * x.mean())), float(-slope)
    slope, intercept = np.polyfit(x, y, 1)
    if how == "sign":
        return float(np.exp(intercept)), float(slope)
    if how == "log_of_factor":
        return float(intercept), float(-slope)
    return float(np.exp(intercept)), float(-slope)


def _power_by_polyfit(sizes: list[float], losses: list[float]) -> tuple[float, float]:
    if min(sizes) == max(sizes):
        raise ValueError("one size only")
    slope, intercept = np.polyfit(np.log(sizes), np.log(losses), deg=1)
    return float(np.exp(intercept)), float(-slope)


def _power_by_least_squares(sizes: list[float], losses: list[float]) -> tuple[float, float]:
    logs = torch.tensor(sizes, dtype=torch.float64).log()
    if float(logs.max() - logs.min()) == 0.0:
        raise ValueError("sizes must differ")
    columns = torch.stack([torch.ones_like(logs), -logs], dim=1)
    found = torch.linalg.lstsq(columns, torch.tensor(losses, dtype=torch.float64).log()[:, None]).solution[:, 0]
    return float(found[0].exp()), float(found[1])


task = Task(
    fit_power_law,
    points=2,
    difficulty=3,
    minutes=20,
    cases=cases,
    compare=Compare(rtol=1e-6, atol=1e-9),
    slips=(
        Slip(
            "sign",
            partial(_power_wrong, how="sign"),
            "The slope of the line was returned as it is. The law is a * size^-b: b is minus the slope, positive when "
            "the loss falls.",
        ),
        Slip(
            "log_of_factor",
            partial(_power_wrong, how="log_of_factor"),
            "The first number is the logarithm of a, where the line meets the axis. Return exp of it.",
        ),
        Slip(
            "ends_only",
            partial(_power_wrong, how="ends_only"),
            "The line was drawn through the first and the last point. Use all points: least squares.",
        ),
        Slip(
            "log_of_sizes_only",
            partial(_power_wrong, how="log_of_sizes_only"),
            "Only the sizes were turned into logarithms. A power law is a straight line when both are.",
        ),
        Slip(
            "log_of_losses_only",
            partial(_power_wrong, how="log_of_losses_only"),
            "Only the losses were turned into logarithms: that fits an exponential. Take the logarithm of both.",
        ),
        Slip(
            "base_ten",
            partial(_power_wrong, how="base_ten"),
            "The logarithms have base 10 and were undone with exp, so that a is wrong. Use one base throughout.",
        ),
        Slip(
            "other_way",
            partial(_power_wrong, how="other_way"),
            "Sizes were fitted as a function of losses and the line turned round. Least squares must act on what was "
            "measured with error, the losses.",
        ),
        Slip(
            "unchecked",
            partial(_power_wrong, how="unchecked"),
            "With a single size there is no slope to find, and something was returned all the same. Raise ValueError.",
        ),
    ),
    alternatives=(_power_by_polyfit, _power_by_least_squares),
    hints=(
        "Take logarithms on both sides of loss = a * size^-b. What kind of curve is that?",
        "log loss = log a - b log size: a straight line. np.polyfit(np.log(sizes), np.log(losses), 1) gives its slope "
        "and where it starts.",
        "if len(set(sizes)) < 2: raise ValueError(...); slope, start = np.polyfit(np.log(sizes), np.log(losses), 1); "
        "return float(np.exp(start)), float(-slope)",
    ),
)
