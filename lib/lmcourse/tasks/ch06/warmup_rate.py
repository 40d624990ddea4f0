import numpy as np

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes


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
        case("the first step after the warm-up", warmup + 1, D, warmup),
        case("long after", 40 * warmup, D, warmup),
        border("a warm-up of one step", int(rng.integers(2, 90)), D, 1),
        border("the first step of a warm-up of one", 1, 16, 1),
        border("a width of one", 9, 1, 4),
        border("step zero", 0, 64, 400),
        border("no warm-up: zero steps", 5, 64, 0),
        border("a step below zero", -3, 64, 400),
        border("a warm-up below zero", 5, 64, -2),
        border("step and warm-up below zero", -1, 64, -1),
    ]


SLIPS = mistakes("""
max: "Return the learning rate of a step"
    min( => max(
  The larger of the two was taken, so the rate starts high and rises again later. The smaller one counts: first the
  line, then the fall.
no_width: "the model's width"
    D**-0.5 * =>
  The factor D^-0.5 is missing: a wider model gets a lower rate.
exponent_halved
    warmup**-1.5 => warmup**-0.5
  The exponent of the warm-up is -1.5, so that line and fall meet at step = warmup. It is -0.5 here.
no_warm_up
    min(step**-0.5, step * warmup**-1.5) => step**-0.5
  There is no warm-up: the first step has the highest rate of all.
no_fall: "Return the learning rate of a step"
    min(step**-0.5, step * warmup**-1.5) => (step * warmup**-1.5)
  The rate rises for ever. From step = warmup on it falls with the root of the step.
constant_after
    min(step**-0.5, step * warmup**-1.5) => min(warmup**-0.5, step * warmup**-1.5)
  After the warm-up the rate stays where it is. It falls with the root of the step: step^-0.5.
steps_from_zero: "from 1"
    step**-0.5 => max(step - 1, 1e-30) ** -0.5
    step * warmup => (step - 1) * warmup
  The steps were counted from 0, so that the first has the rate 0. They are counted from 1: use step as it is.
warmup_unchecked: "or a warm-up below 1"
    step < 1 or warmup < 1 => step < 1
  The step is checked, the warm-up is not. Raise ValueError for either below 1.
""")
CLOSE = Compare(rtol=1e-9, atol=0.0)
HINTS = hints("""
- Two curves, one that rises in a line and one that falls; the schedule is the lower of the two.
- The falling one is step ** -0.5, the rising one step * warmup ** -1.5. Both are multiplied by D ** -0.5.
- return D ** -0.5 * min(step ** -0.5, step * warmup ** -1.5), after a check that both are at least 1.
""")
task = Task(warmup_rate, points=1, difficulty=1, minutes=10, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
