"""Learning-rate schedules: pure functions of the step, counted from 1.

`fit` multiplies the optimizer's own learning rate by what the schedule gives at the step. The cosine and linear
schedules give a share of 1; Noam's gives a learning rate as it stands, so its optimizer starts with lr=1.
"""

import math


def noam_schedule(step: int, embed_dim: int, warmup: int) -> float:
    """Return the learning rate embed_dim^-0.5 * min(step^-0.5, step * warmup^-1.5).

    It rises in a line for `warmup` steps to (embed_dim * warmup)^-0.5, then falls with the root of the step.

    Args:
        step: 1 or more.
        embed_dim: width of the model.
        warmup: steps of the rise.

    Source: Vaswani et al., "Attention is all you need", 2017, equation 3.
    """
    _check_step(step)
    _check_positive("embed_dim", embed_dim)
    _check_positive("warmup", warmup)
    return embed_dim**-0.5 * min(step**-0.5, step * warmup**-1.5)


def cosine_schedule(step: int, *, max_steps: int, warmup: int = 0, final: float = 0.0) -> float:
    """Return a share of the learning rate: up in a line over `warmup` steps, then down half a cosine to `final`.

    After the warm-up: final + (1 - final) * (1 + cos(pi * (step - warmup) / (max_steps - warmup))) / 2.

    Args:
        step: 1 or more; beyond `max_steps` the share stays at `final`.
        max_steps: the step at which `final` is reached.
        warmup: steps of the rise, fewer than `max_steps`.
        final: the last share, 0 to 1.

    Source: Loshchilov and Hutter, "SGDR", 2017, equation 5, one period.
    """
    progress = _progress(step, max_steps, warmup, final)
    if step < warmup:
        return step / warmup
    return final + (1.0 - final) * (1.0 + math.cos(math.pi * progress)) / 2.0


def linear_schedule(step: int, *, max_steps: int, warmup: int = 0, final: float = 0.0) -> float:
    """Return a share of the learning rate: up in a line over `warmup` steps, then down in a line to `final`.

    The arguments are those of `cosine_schedule`.
    """
    progress = _progress(step, max_steps, warmup, final)
    if step < warmup:
        return step / warmup
    return 1.0 - (1.0 - final) * progress


def teacher_forcing_ratio(
    step: int, *, schedule: str = "inverse sigmoid", k: float, slope: float = 0.0, least: float = 0.0
) -> float:
    """Return the share of target tokens that scheduled sampling still takes from the teacher at a step.

    With i = step - 1: "linear": max(least, k - slope * i); "exponential": k^i; "inverse sigmoid": k / (k + exp(i / k)).

    Args:
        step: 1 or more.
        schedule: one of the three.
        k: where a line begins, 0 to 1; the base of the exponential, less than 1; the speed of the sigmoid, at least 1:
            the share is still 1/2 when i = k ln k.
        slope, least: of the line.

    Source: Bengio, Vinyals, Jaitly and Shazeer, 2015, section 2.4.
    """
    _check_step(step)
    i = step - 1
    if schedule == "linear":
        if not 0.0 <= least <= k <= 1.0 or slope < 0.0:
            raise ValueError(f"`least` <= `k` must be in 0..1 and `slope` 0 or more, got {least}, {k} and {slope}.")
        return max(least, k - slope * i)
    if schedule == "exponential":
        if not 0.0 < k < 1.0:
            raise ValueError(f"`k` of an exponential must be more than 0 and less than 1, got {k}.")
        return float(k**i)
    if schedule == "inverse sigmoid":
        if not k >= 1.0:
            raise ValueError(f"`k` of an inverse sigmoid must be at least 1, got {k}.")
        return k / (k + math.exp(min(i / k, 700.0)))  # exp(700) is near the largest float
    raise ValueError(f'`schedule` must be "linear", "exponential" or "inverse sigmoid", got {schedule!r}.')


def _progress(step: int, max_steps: int, warmup: int, final: float) -> float:
    """Check the arguments and return how much of the way from `warmup` to `max_steps` is done, 0 to 1."""
    _check_step(step)
    _check_positive("max_steps", max_steps)
    if not 0 <= warmup < max_steps:
        raise ValueError(f"`warmup` must be at least 0 and less than max_steps={max_steps}, got {warmup}.")
    if not 0.0 <= final <= 1.0:
        raise ValueError(f"`final` must be in 0..1, got {final}.")
    return min(max(step - warmup, 0) / (max_steps - warmup), 1.0)


def _check_step(step: int) -> None:
    if step < 1:
        raise ValueError(f"`step` counts from 1, got {step}.")


def _check_positive(name: str, value: int) -> None:
    if value < 1:
        raise ValueError(f"`{name}` must be at least 1, got {value}.")
