"""Learning-rate schedules: pure functions of the step, counted from 1.

`fit` multiplies the optimizer's own learning rate by the value of the schedule at the step. The cosine and linear
schedules give a factor between 0 and 1; Noam's gives the learning rate itself, so its optimizer is made with lr=1.
"""

import math

from lmcourse import checks


def noam_schedule(step: int, embed_dim: int, warmup: int) -> float:
    """Return the learning rate embed_dim^-0.5 * min(step^-0.5, step * warmup^-1.5).

    It rises linearly for `warmup` steps to (embed_dim * warmup)^-0.5, then decays as 1 / sqrt(step).

    Args:
        step: 1 or more.
        embed_dim: width of the model, at least 1.
        warmup: steps of the rise, at least 1.

    Raises:
        TypeError: an argument that is not an integer.
        ValueError: an argument below 1.

    Source: Vaswani et al., "Attention is all you need", 2017, equation 3.
    """
    checks.whole(step=step, embed_dim=embed_dim, warmup=warmup, at_least=1)
    return embed_dim**-0.5 * min(step**-0.5, step * warmup**-1.5)


def cosine_schedule(step: int, *, max_steps: int, warmup: int = 0, final: float = 0.0) -> float:
    """Return a factor on the learning rate: a linear rise over `warmup` steps, then half a cosine down to `final`.

    After the warm-up: final + (1 - final) * (1 + cos(pi * (step - warmup) / (max_steps - warmup))) / 2.

    Args:
        step: 1 or more; beyond `max_steps` the factor stays at `final`.
        max_steps: the step at which `final` is reached.
        warmup: steps of the rise, fewer than `max_steps`.
        final: the last factor, 0 to 1.

    Raises:
        TypeError: steps that are not integers.
        ValueError: an argument out of range.

    Source: Loshchilov and Hutter, "SGDR", 2017, equation 5, one period.
    """
    progress = _progress(step, max_steps, warmup, final)
    if step < warmup:
        return step / warmup
    return final + (1.0 - final) * (1.0 + math.cos(math.pi * progress)) / 2.0


def linear_schedule(step: int, *, max_steps: int, warmup: int = 0, final: float = 0.0) -> float:
    """Return a factor on the learning rate: a linear rise over `warmup` steps, then a linear decay to `final`.

    Arguments and errors are those of `cosine_schedule`.
    """
    progress = _progress(step, max_steps, warmup, final)
    if step < warmup:
        return step / warmup
    return 1.0 - (1.0 - final) * progress


def teacher_forcing_ratio(
    step: int, *, schedule: str = "inverse sigmoid", k: float, slope: float = 0.0, least: float = 0.0
) -> float:
    """Return the probability with which scheduled sampling feeds the target token, not the model's own, at a step.

    With i = step - 1: "linear": max(least, k - slope * i); "exponential": k^i; "inverse sigmoid": k / (k + exp(i / k)).

    Args:
        step: 1 or more.
        schedule: "linear", "exponential" or "inverse sigmoid".
        k: the first value of the line, 0 to 1; the base of the exponential, less than 1; the speed of the sigmoid, at
            least 1: the ratio has fallen to 1/2 when i = k ln k.
        slope, least: of the line.

    Raises:
        TypeError: a `step` that is not an integer.
        ValueError: an argument out of range.

    Source: Bengio, Vinyals, Jaitly and Shazeer, 2015, section 2.4.
    """
    checks.whole(step=step, at_least=1)
    checks.one_of(("linear", "exponential", "inverse sigmoid"), schedule=schedule)
    i = step - 1
    if schedule == "linear":
        checks.number(k=k, at_least=0.0, at_most=1.0)
        checks.number(least=least, at_least=0.0, at_most=k)
        checks.number(slope=slope, at_least=0.0)
        return max(least, k - slope * i)
    if schedule == "exponential":
        checks.number(k=k, above=0.0, below=1.0)
        return float(k**i)
    checks.number(k=k, at_least=1.0)
    return k / (k + math.exp(min(i / k, 700.0)))  # exp(700) is near the largest float


def _progress(step: int, max_steps: int, warmup: int, final: float) -> float:
    """Check the arguments and return the fraction of the steps from `warmup` to `max_steps` that is done, 0 to 1."""
    checks.whole(step=step, max_steps=max_steps, at_least=1)
    checks.whole(warmup=warmup, at_least=0)
    checks.number(final=final, at_least=0.0, at_most=1.0)
    if warmup >= max_steps:
        raise ValueError(f"`warmup` must be less than `max_steps`, got warmup={warmup}, max_steps={max_steps}.")
    return min(max(step - warmup, 0) / (max_steps - warmup), 1.0)
