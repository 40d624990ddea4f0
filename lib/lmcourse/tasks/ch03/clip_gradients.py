"""Exercise `clip_gradients`."""

import math
from collections.abc import Sequence
from functools import partial

import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch03.shared import drawer


def clip_gradients(gradients, limit):
    """Scale gradients down so that their common norm is at most the limit.

    Args:
        gradients: a list of tensors of any shapes, one for each parameter.
        limit: the largest norm, more than 0; it may be infinite.

    Returns:
        A tuple: a list of new tensors of the same shapes, and the norm before clipping, a float. Gradients of zero
        stay zero.

    Raises:
        ValueError: the limit is not more than 0.

    >>> clipped, norm = clip_gradients([torch.tensor([3.0, 0.0]), torch.tensor([4.0])], 1.0)
    >>> [[round(value, 3) for value in part.tolist()] for part in clipped], norm
    ([[0.6, 0.0], [0.8]], 5.0)
    """
    if not limit > 0:
        raise ValueError(f"`limit` must be more than 0, got {limit}.")
    norm = math.sqrt(sum(float((gradient**2).sum()) for gradient in gradients))
    factor = min(1.0, limit / norm) if norm > 0 else 1.0
    return [factor * gradient for gradient in gradients], norm


def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    single = drawer(seed, torch.float32)

    def two(*values: float) -> Tensor:
        return torch.tensor(values, dtype=torch.float64)

    return [
        case("the worked example", [two(3.0, 0.0), two(4.0)], 1.0),
        case("a long gradient of three parameters", [5 * draw(3, 5), 5 * draw(7), 5 * draw(2, 3)], 2.0),
        case("a short gradient, which stays as it is", [0.01 * draw(3, 5), 0.01 * draw(7)], 2.0),
        border("one large parameter beside a small one", [100 * (1 + draw(3).abs()), 0.1 * draw(5)], 1.0),
        border("a limit below 1", [draw(5, 2), draw(3)], 0.25),
        case("exactly at the limit", [two(0.6), two(0.8)], 1.0),
        border("one parameter", [10 * (1 + draw(7).abs())], 5.0),
        border("gradients of zero", [0 * draw(3), 0 * draw(2, 2)], 1.0),
        border("no limit: infinity", [10 * draw(3)], math.inf),
        case("float32", [9 * single(5), 9 * single(3)], 1.0),
        border("a limit of 0", [draw(3)], 0.0),
    ]


def _clip_wrong(gradients: Sequence[Tensor], limit: float, *, how: str) -> tuple[list[Tensor], float]:
    if how != "any_limit" and not limit > 0:
        raise ValueError("limit")
    norm = math.sqrt(sum(float((gradient**2).sum()) for gradient in gradients))
    if how == "sum_of_norms":
        norm = sum(float(gradient.norm()) for gradient in gradients)
    if how == "absolute":
        norm = sum(float(gradient.abs().sum()) for gradient in gradients)
    if how == "not_rooted":
        norm = norm**2
    if how == "each":
        return [g * min(1.0, limit / max(float(g.norm()), 1e-30)) for g in gradients], norm
    if how == "values":
        return [g.clamp(-limit, limit) for g in gradients], norm
    if how == "zeroed":
        return [g if norm <= limit else 0 * g for g in gradients], norm
    factor = limit / norm if norm else 1.0
    if how != "always":
        factor = min(1.0, factor)
    elif math.isinf(limit):
        factor = 1.0
    if how == "in_place":
        return [g.mul_(factor) for g in gradients], norm
    return [factor * g for g in gradients], min(norm, limit) if how == "norm_after" else norm


def _clip_joined(gradients: Sequence[Tensor], limit: float) -> tuple[list[Tensor], float]:
    if limit <= 0:
        raise ValueError("limit <= 0")
    norm = float(torch.cat([gradient.flatten() for gradient in gradients]).norm())
    return [gradient.clone() if norm <= limit else gradient * (limit / norm) for gradient in gradients], norm


def _clip_by_parts(gradients: Sequence[Tensor], limit: float) -> tuple[list[Tensor], float]:
    if not limit > 0.0:
        raise ValueError("`limit` > 0")
    norm = torch.stack([torch.linalg.vector_norm(gradient) for gradient in gradients]).norm()
    factor = limit / torch.clamp(norm, min=limit) if math.isfinite(limit) else torch.ones_like(norm)
    return [gradient * factor for gradient in gradients], norm.item()


task = Task(
    clip_gradients,
    points=3,
    difficulty=2,
    minutes=15,
    cases=cases,
    compare=Compare(rtol=1e-5, atol=1e-7),
    slips=(
        Slip(
            "each_by_itself",
            partial(_clip_wrong, how="each"),
            "Each parameter's gradient was cut by itself, so the direction of the step changed. All share one factor, "
            "from the norm of all of them together.",
        ),
        Slip(
            "values",
            partial(_clip_wrong, how="values"),
            "The single values were cut to the limit. That turns the step into another direction; scale all of them "
            "with one factor instead.",
        ),
        Slip(
            "always_scaled",
            partial(_clip_wrong, how="always"),
            "Short gradients were made longer: every gradient came out at the limit. Only a norm above the limit is "
            "scaled down.",
        ),
        Slip(
            "zeroed",
            partial(_clip_wrong, how="zeroed"),
            "A long gradient was thrown away. Its direction is good; scale it to the limit.",
        ),
        Slip(
            "sum_of_norms",
            partial(_clip_wrong, how="sum_of_norms"),
            "The norms of the parameters were added up. The norm of all together is the root of the sum of their "
            "squares.",
        ),
        Slip(
            "absolute_values",
            partial(_clip_wrong, how="absolute"),
            "The absolute values were added up. The norm is the root of the sum of the squares.",
        ),
        Slip(
            "not_rooted",
            partial(_clip_wrong, how="not_rooted"),
            "That is the square of the norm: take the root of the sum of the squares.",
        ),
        Slip(
            "norm_after",
            partial(_clip_wrong, how="norm_after"),
            "The gradients are right, but the norm that came back is the one after clipping. The one before shows when "
            "a training is in danger.",
        ),
        Slip(
            "in_place",
            partial(_clip_wrong, how="in_place"),
            "The result is right, but the caller's tensors were changed. torch does so for speed; here, return new "
            "ones.",
        ),
        Slip(
            "any_limit",
            partial(_clip_wrong, how="any_limit"),
            "The gradients are right, but a limit of 0 stops all learning in silence. Raise ValueError.",
        ),
    ),
    alternatives=(_clip_joined, _clip_by_parts),
    hints=(
        "One number for all tensors: think of all gradients as one long vector. How long is it?",
        "norm = root of the sum over all tensors of (gradient ** 2).sum(). The factor is limit / norm, but never more "
        "than 1.",
        "factor = min(1.0, limit / norm) if norm > 0 else 1.0; return [factor * g for g in gradients], norm",
    ),
)
