"""Exercise `layer_normalise`."""

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch06.shared import CLOSE, double, draw


def layer_normalise(x, gain, bias, eps=1e-5):
    """Return layer norm over the last dimension.

    Args:
        x: a tensor (..., D); there may be no tokens at all.
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

    magnitudes = double([[1e4], [1.0], [1e-2], [1e-30]])
    return [
        case("the worked example", double([1, 3, -5, 5]), double([1, 1, 1, 1]), double([0, 0, 0, 0]), 0.0),
        case("a gain and a bias", double([[1, 3], [5, 1]]), double([2, -1]), double([0.5, 10])),
        case("seven tokens, 5 wide", draw(rng, 7, 5), *learned(5)),
        case("a batch of sentences", 3 * draw(rng, 2, 5, 7) + 2, *learned(7)),
        case("as many tokens as features", draw(rng, 5, 5), *learned(5), 0.1),
        case("as many sentences as tokens and features", draw(rng, 4, 4, 4), *learned(4)),
        border("one token as a vector", 2 * draw(rng, 5) - 1, *learned(5)),
        border("equal numbers, whose variance is 0", torch.full((2, 3), 4.0, dtype=torch.float64), *learned(3)),
        border("one feature, whose variance is 0", draw(rng, 3, 1), *learned(1)),
        case("small numbers, where eps matters", 0.01 * draw(rng, 3, 5), *learned(5), 1e-3),
        case("small numbers, eps not given", 0.003 * draw(rng, 3, 5), *learned(5)),
        case("eps given by name", 0.1 * draw(rng, 3, 5), *learned(5), eps=0.01),
        border("tokens of different magnitudes", magnitudes * draw(rng, 4, 5), *learned(5)),
        border("small differences on top of a large number", draw(rng, 3, 5) - 1000, *learned(5)),
        border("an empty sentence", torch.zeros(0, 3, dtype=torch.float64), *learned(3)),
        border("a batch of empty sentences", torch.zeros(2, 0, 3, dtype=torch.float64), *learned(3)),
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
            (
                ("x.mean(dim=-1, keepdim=True)", "x.mean(dim=0 if x.dim() > 1 else -1, keepdim=True)"),
                ("pow(2).mean(dim=-1, keepdim=True)", "pow(2).mean(dim=0 if x.dim() > 1 else -1, keepdim=True)"),
            ),
            "Mean and variance run over the first dimension: that is batch norm, where a token's numbers depend on "
            "its neighbours. Use the last dimension, each token by itself.",
        ),
        Slip(
            "everything",
            (("x.mean(dim=-1, keepdim=True)", "x.mean()"), ("pow(2).mean(dim=-1, keepdim=True)", "pow(2).mean()")),
            "One mean and one variance were taken over the whole tensor. Each token has its own: dim=-1, keepdim=True.",
        ),
        Slip(
            "one_variance",
            ("pow(2).mean(dim=-1, keepdim=True)", "pow(2).mean()"),
            "Each token has its own mean here, but one variance was taken over the whole tensor. Each token has its "
            "own: dim=-1, keepdim=True.",
        ),
        Slip(
            "sentence",
            (
                ("x.mean(dim=-1, keepdim=True)", "x.mean(dim=tuple(range(-min(2, x.dim()), 0)), keepdim=True)"),
                (
                    "pow(2).mean(dim=-1, keepdim=True)",
                    "pow(2).mean(dim=tuple(range(-min(2, x.dim()), 0)), keepdim=True)",
                ),
            ),
            "Mean and variance run over a whole sentence, the last two dimensions. Each token has its own: dim=-1 "
            "alone.",
        ),
        Slip(
            "sample_variance",
            ("pow(2).mean(dim=-1, keepdim=True)", "pow(2).sum(dim=-1, keepdim=True) / (x.shape[-1] - 1)"),
            "The variance was divided by D - 1 (torch's `var` does that by default). Layer norm divides by D.",
        ),
        Slip(
            "sum_of_squares",
            ("pow(2).mean", "pow(2).sum"),
            "The squared differences were added up and not divided by D. The variance is their mean.",
        ),
        Slip(
            "mean_deviation",
            ("centred.pow(2).mean(dim=-1, keepdim=True)", "centred.abs().mean(dim=-1, keepdim=True) ** 2"),
            "The numbers were divided by the mean absolute difference. Divide by the root of the mean square "
            "difference.",
        ),
        Slip(
            "variance_not_root",
            (".sqrt()", ""),
            "The numbers were divided by the variance. Divide by its square root, or their size is not 1 afterwards.",
        ),
        Slip(
            "eps_outside",
            ("(variance + eps).sqrt()", "(variance.sqrt() + eps)"),
            "eps was added to the standard deviation, outside of the root. It belongs to the variance, under the root.",
        ),
        Slip(
            "no_eps",
            ("(variance + eps)", "variance"),
            "eps is missing: a token whose numbers are all equal gives 0 / 0. Add eps to the variance.",
        ),
        Slip(
            "eps_ignored",
            ("(variance + eps)", "(variance + 1e-5)"),
            "eps is 1e-5 whatever the argument says. Add `eps`.",
        ),
        Slip(
            "eps_at_least",
            ("(variance + eps)", "variance.clamp(min=eps)"),
            "eps was taken for the least variance. It is added to every variance.",
        ),
        Slip(
            "other_default",
            ("eps=1e-5", "eps=1e-8"),
            "The default of eps is not 1e-5 here. Leave the first line of the function as it is given.",
        ),
        Slip(
            "rms",
            ("x - x.mean(dim=-1, keepdim=True)", "x"),
            "The mean was not subtracted: this is RMSNorm (chapter 08), a simpler relative of layer norm.",
        ),
        Slip(
            "not_centred",
            ("gain * centred", "gain * x"),
            "The numbers were divided by the standard deviation, but their mean was not subtracted: gain * (x - "
            "mean) / root + bias.",
        ),
        Slip(
            "only_centred",
            ("gain * centred / (variance + eps).sqrt() + bias", "gain * centred + bias"),
            "The mean was subtracted, but the numbers were not divided by the root of the variance.",
        ),
        Slip(
            "unlearned",
            ("gain * centred / (variance + eps).sqrt() + bias", "centred / (variance + eps).sqrt()"),
            "The learned gain and bias are not used. The result is gain * normalised + bias.",
        ),
        Slip(
            "no_gain",
            ("gain * centred", "centred"),
            "The gain is not used: gain * normalised + bias.",
        ),
        Slip(
            "no_bias",
            (".sqrt() + bias", ".sqrt()"),
            "The bias is not added: gain * normalised + bias.",
        ),
        Slip(
            "bias_first",
            ("gain * centred / (variance + eps).sqrt() + bias", "gain * (centred / (variance + eps).sqrt() + bias)"),
            "The bias was added before the gain was multiplied, so the gain scales it too: gain * normalised + bias.",
        ),
        Slip(
            "exchanged",
            ("gain * centred / (variance + eps).sqrt() + bias", "bias * centred / (variance + eps).sqrt() + gain"),
            "Gain and bias are exchanged: the gain multiplies, the bias is added.",
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
