import numpy as np

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.tasks.ch13.shared import drawer


def fit_power_law(sizes, losses):
    """Return a and b of the power law a * size^-b through the points.

    Args:
        sizes: positive numbers, a list.
        losses: positive numbers, as many.

    Returns:
        a and b, floats; b is below 0 where the losses rise.

    Raises:
        ValueError: fewer than two different sizes.

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
        case("losses that rise", [1.0, 10.0, 100.0], [1.0, 1.5, 3.0]),
        border("sizes and losses below 1", [1e-3, 0.5, 1e-30], [0.25, 0.125, 1e-4]),
        border("a point that stands twice", [2.0, 7.0, 2.0, 30.0], [4.0, 2.0, 4.0, 1.5]),
        border("the same size at the beginning and at the end", [2.0, 8.0, 2.0], [3.0, 1.0, 4.0]),
        border("no points", [], []),
        border("one size, twice", [3.0, 3.0], [2.0, 4.0]),
    ]


SLIPS = mistakes("""
sign
    float(-slope) => float(slope)
  The slope of the line was returned as it is. The law is a * size^-b: b is minus the slope, positive when the loss
  falls.
log_of_factor: "a and b, floats"
    np.exp(start) => start
  The first number is the logarithm of a, where the line meets the axis. Return exp of it.
log_of_sizes_only: "Return a and b of the power law a * size^-b through the points"
    np.log(losses) => losses
  Only the sizes were turned into logarithms. A power law is a straight line when both are.
base_ten
    np.log(sizes) => np.log10(sizes)
    np.log(losses) => np.log10(losses)
  The logarithms have base 10 and were undone with exp, so that a is wrong. Use one base throughout.
other_way: "Return a and b of the power law a * size^-b through the points"
    slope, start = np.polyfit(np.log(sizes), np.log(losses), 1) => back = np.polyfit(np.log(losses), np.log(sizes), 1)
    |    slope, start = 1 / back[0], -back[1] / back[0]
  Sizes were fitted as a function of losses and the line turned round. Least squares must act on what was measured with
  error, the losses.
slope_of_positive: "b is below 0 where the losses rise"
    float(-slope) => float(abs(slope))
  b is positive here even where the losses rise. It is minus the slope, whatever its sign.
smallest_and_largest
    np.log(sizes), np.log(losses) => *np.log([min(zip(sizes, losses)), max(zip(sizes, losses))]).T
  The line was drawn through the smallest and the largest size. Use all points: least squares.
""")
CLOSE = Compare(rtol=1e-4, atol=1e-6)
HINTS = hints("""
- Take logarithms on both sides of loss = a * size^-b. What kind of curve is that?
- log loss = log a - b log size: a straight line. np.polyfit(np.log(sizes), np.log(losses), 1) gives its slope and where
  it starts.
- if len(set(sizes)) < 2: raise ValueError(...); slope, start = np.polyfit(np.log(sizes), np.log(losses), 1); return
  float(np.exp(start)), float(-slope)
""")
task = Task(fit_power_law, points=2, difficulty=3, minutes=20, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
