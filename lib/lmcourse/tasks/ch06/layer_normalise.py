"""Exercise `layer_normalise`."""

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch06.shared import CLOSE, double, draw


def layer_normalise(x, gain, bias, eps=1e-5):
    """Return layer norm over the last dimension.

    Args:
        x: a tensor (..., D).
        gain, bias: tensors (D,), gamma and beta.
        eps: added to the variance.

    Returns:
        A tensor of the shape of x.

    >>> x = torch.tensor([1.0, 3.0, -5.0, 5.0])
    >>> [round(value, 3) for value in layer_normalise(x, torch.ones(4), torch.zeros(4)).tolist()]
    [0.0, 0.535, -1.604, 1.069]
    """
    centred = x - x.mean(dim=-1, keepdim=True)
    variance = centred.pow(2).mean(dim=-1, keepdim=True)
    return gain * centred / (variance + eps).sqrt() + bias


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def learned(D: int, dtype: torch.dtype = torch.float64) -> tuple[Tensor, Tensor]:
        return draw(rng, D, dtype=dtype), draw(rng, D, dtype=dtype)

    return [
        case("the worked example", double([1, 3, -5, 5]), double([1, 1, 1, 1]), double([0, 0, 0, 0]), 0.0),
        case("seven tokens, 5 wide", draw(rng, 7, 5), *learned(5)),
        case("a batch of sentences", 3 * draw(rng, 2, 5, 7) + 2, *learned(7)),
        case("as many tokens as features", draw(rng, 5, 5), *learned(5), 0.1),
        border("equal numbers, whose variance is 0", torch.full((2, 3), 4.0, dtype=torch.float64), *learned(3)),
        case("small numbers, where eps matters", 0.01 * draw(rng, 3, 5), *learned(5), 1e-3),
        border("an empty sentence", torch.zeros(0, 3, dtype=torch.float64), *learned(3)),
        case("float32", draw(rng, 5, 11, dtype=torch.float32), *learned(11, torch.float32)),
    ]


def _norm_by_var(x: Tensor, gain: Tensor, bias: Tensor, eps: float = 1e-5) -> Tensor:
    variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
    return torch.addcmul(bias, (x - mean) * (variance + eps).rsqrt(), gain)


def _norm_by_moments(x: Tensor, gain: Tensor, bias: Tensor, eps: float = 1e-5) -> Tensor:
    D = x.shape[-1]
    mean = x.sum(-1) / D
    spread = ((x * x).sum(-1) / D - mean**2).clamp(min=0)
    scaled = torch.stack([(x[..., j] - mean) / torch.sqrt(spread + eps) for j in range(D)], dim=-1)
    return scaled * gain + bias


def _norm_wrong(x: Tensor, gain: Tensor, bias: Tensor, eps: float = 1e-5, *, how: str) -> Tensor:
    dim = tuple(range(x.dim())) if how == "everything" else 0 if how == "batch" and x.dim() > 1 else -1
    centred = x - x.mean(dim=dim, keepdim=True)
    variance = centred.pow(2).mean(dim=dim, keepdim=True)
    if how == "sample":
        variance = variance * x.shape[-1] / (x.shape[-1] - 1)
    if how == "rms":
        return gain * x / (x.pow(2).mean(-1, keepdim=True) + eps).sqrt() + bias
    root = {"eps_outside": variance.sqrt() + eps, "variance": variance + eps, "no_eps": variance.sqrt()}
    normal = centred / root.get(how, (variance + eps).sqrt())
    if how == "unlearned":
        return normal
    return gain * (normal + bias) if how == "bias_first" else gain * normal + bias


task = Task(
    layer_normalise,
    points=2,
    difficulty=2,
    minutes=15,
    cases=cases,
    compare=CLOSE,
    slips=(
        Slip(
            "batch",
            lambda *a: _norm_wrong(*a, how="batch"),
            "Mean and variance run over the first dimension: that is batch norm, where a token's numbers depend on its "
            "neighbours. Use the last dimension, each token by itself.",
        ),
        Slip(
            "everything",
            lambda *a: _norm_wrong(*a, how="everything"),
            "One mean and one variance were taken over the whole tensor. Each token has its own: dim=-1, keepdim=True.",
        ),
        Slip(
            "sample_variance",
            lambda *a: _norm_wrong(*a, how="sample"),
            "The variance was divided by D - 1 (torch's `var` does that by default). Layer norm divides by D.",
        ),
        Slip(
            "variance_not_root",
            lambda *a: _norm_wrong(*a, how="variance"),
            "The numbers were divided by the variance. Divide by its square root, or their size is not 1 afterwards.",
        ),
        Slip(
            "eps_outside",
            lambda *a: _norm_wrong(*a, how="eps_outside"),
            "eps was added to the standard deviation, outside of the root. It belongs to the variance, under the root.",
        ),
        Slip(
            "no_eps",
            lambda *a: _norm_wrong(*a, how="no_eps"),
            "eps is missing: a token whose numbers are all equal gives 0 / 0. Add eps to the variance.",
        ),
        Slip(
            "rms",
            lambda *a: _norm_wrong(*a, how="rms"),
            "The mean was not subtracted: this is RMSNorm (chapter 08), layer norm's younger relative.",
        ),
        Slip(
            "unlearned",
            lambda *a: _norm_wrong(*a, how="unlearned"),
            "The learned gain and bias are not used. The result is gain * normalised + bias.",
        ),
        Slip(
            "bias_first",
            lambda *a: _norm_wrong(*a, how="bias_first"),
            "The bias was added before the gain was multiplied, so the gain scales it too: gain * normalised + bias.",
        ),
    ),
    alternatives=(_norm_by_var, _norm_by_moments),
    hints=(
        "Mean and variance of each token's own D numbers; then subtract, divide, stretch, shift.",
        "x.mean(dim=-1, keepdim=True) keeps a dimension to subtract along. The variance is the mean square of the "
        "differences, over D.",
        "centred = x - x.mean(-1, keepdim=True); return gain * centred / ((centred**2).mean(-1, keepdim=True) + "
        "eps).sqrt() + bias",
    ),
)
