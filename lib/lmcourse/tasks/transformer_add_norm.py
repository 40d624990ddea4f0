"""Tasks of chapter 06, second part: layer norm, and where it stands around a sublayer."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, case
from lmcourse.tasks.transformer import CHAPTER, CLOSE, double, draw

# -------------------------------------------------------------------------------------------------- layer_normalise


def _norm(x: Tensor, gain: Tensor, bias: Tensor, eps: float = 1e-5) -> Tensor:
    centred = x - x.mean(dim=-1, keepdim=True)
    return gain * centred / (centred.pow(2).mean(dim=-1, keepdim=True) + eps).sqrt() + bias


def _norm_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def learned(D: int, dtype: torch.dtype = torch.float64) -> tuple[Tensor, Tensor]:
        return draw(rng, D, dtype=dtype), draw(rng, D, dtype=dtype)

    return [
        case("the worked example", double([1, 3, -5, 5]), double([1, 1, 1, 1]), double([0, 0, 0, 0]), 0.0),
        case("seven tokens, 5 wide", draw(rng, 7, 5), *learned(5)),
        case("a batch of sentences", 3 * draw(rng, 2, 5, 7) + 2, *learned(7)),
        case("as many tokens as features", draw(rng, 5, 5), *learned(5), 0.1),
        case("equal numbers, whose variance is 0", torch.full((2, 3), 4.0, dtype=torch.float64), *learned(3)),
        case("small numbers, where eps matters", 0.01 * draw(rng, 3, 5), *learned(5), 1e-3),
        case("an empty sentence", torch.zeros(0, 3, dtype=torch.float64), *learned(3)),
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


layer_normalise = Task(
    name="layer_normalise",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=15,
    cases=_norm_cases,
    reference=_norm,
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


# --------------------------------------------------------------------------------------------------- residual_block


def _block(x: Tensor, w: Tensor, order: str = "pre") -> Tensor:
    if order not in ("pre", "post"):
        raise ValueError(f'`order` must be "pre" or "post", got {order!r}.')
    D = x.shape[-1:]
    if order == "pre":
        return x + F.layer_norm(x, D) @ w
    return F.layer_norm(x + x @ w, D)


def _block_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", double([[1, 3]]), double([[0, 1], [1, 0]]), "pre"),
        case("the same, post-norm: the first with the norm last", double([[1, 3]]), double([[0, 1], [1, 0]]), "post"),
        case("seven tokens, pre-norm", 2 * draw(rng, 7, 5), draw(rng, 5, 5), "pre"),
        case("seven tokens, post-norm", 2 * draw(rng, 7, 5), draw(rng, 5, 5), "post"),
        case("a batch, order not given", draw(rng, 2, 3, 7), draw(rng, 7, 7)),
        case("a sublayer of zeros, pre-norm: nothing changes", draw(rng, 3, 5), torch.zeros(5, 5).double(), "pre"),
        case("a sublayer of zeros, post-norm", draw(rng, 3, 5), torch.zeros(5, 5).double(), "post"),
        case("one token, float32", draw(rng, 1, 5, dtype=torch.float32), draw(rng, 5, 5, dtype=torch.float32), "post"),
        case("an order that there is not", draw(rng, 2, 3), draw(rng, 3, 3), "both"),
    ]


def _by_hand(x: Tensor) -> Tensor:
    centred = x - x.mean(-1, keepdim=True)
    return centred / (centred.var(-1, correction=0, keepdim=True) + 1e-5).sqrt()


def _block_by_hand(x: Tensor, w: Tensor, order: str = "pre") -> Tensor:
    orders = {"pre": lambda: x + _by_hand(x) @ w, "post": lambda: _by_hand(x + x @ w)}
    if order not in orders:
        raise ValueError("order")
    return orders[order]()


def _block_by_modules(x: Tensor, w: Tensor, order: str = "pre") -> Tensor:
    norm = torch.nn.LayerNorm(x.shape[-1], elementwise_affine=False, dtype=x.dtype)
    if order == "pre":
        note = torch.einsum("...i,ij->...j", norm(x), w)
        return note + x
    if order == "post":
        note = torch.einsum("...i,ij->...j", x, w)
        return norm(note + x)
    raise ValueError("no such order")


def _block_wrong(x: Tensor, w: Tensor, order: str = "pre", *, how: str) -> Tensor:
    if how != "unchecked" and order not in ("pre", "post"):
        raise ValueError("order")
    D = x.shape[-1:]
    if how == "no_sum":
        return F.layer_norm(x, D) @ w if order == "pre" else F.layer_norm(x @ w, D)
    if how == "swapped":
        return F.layer_norm(x + x @ w, D) if order == "pre" else x + F.layer_norm(x, D) @ w
    if how == "no_norm":
        return x + x @ w
    if how == "stream_normalised" and order == "pre":
        working = F.layer_norm(x, D)
        return working + working @ w
    if how == "norm_of_note":
        return x + F.layer_norm(x @ w, D)
    if how == "both":
        return F.layer_norm(x + F.layer_norm(x, D) @ w, D)
    return _block(x, w, "pre" if order == "pre" else "post")


residual_block = Task(
    name="residual_block",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=15,
    cases=_block_cases,
    reference=_block,
    compare=CLOSE,
    slips=(
        Slip(
            "no_sum",
            lambda *a: _block_wrong(*a, how="no_sum"),
            "The old x is gone: what the sublayer gives replaces it. A block adds its note to the stream: x + ...",
        ),
        Slip(
            "swapped",
            lambda *a: _block_wrong(*a, how="swapped"),
            "The two orders are exchanged. Pre-norm normalises before the sublayer, post-norm after the sum.",
        ),
        Slip(
            "no_norm",
            lambda *a: _block_wrong(*a, how="no_norm"),
            "There is no layer norm anywhere, so the stream grows with every block. Pre: norm what the sublayer reads; "
            "post: norm the sum.",
        ),
        Slip(
            "stream_normalised",
            lambda *a: _block_wrong(*a, how="stream_normalised"),
            "In pre-norm the official copy was normalised too. Only the sublayer's working copy is: x + norm(x) @ w, "
            "with x itself left as it was.",
        ),
        Slip(
            "norm_of_note",
            lambda *a: _block_wrong(*a, how="norm_of_note"),
            "The norm is on the sublayer's output alone. Pre-norm puts it on the input, post-norm on the sum.",
        ),
        Slip(
            "both",
            lambda *a: _block_wrong(*a, how="both"),
            "Two norms were used, before and after. Each order has one.",
        ),
        Slip(
            "unchecked",
            lambda *a: _block_wrong(*a, how="unchecked"),
            "An unknown order was taken for post-norm. Raise ValueError unless it is 'pre' or 'post'.",
        ),
    ),
    alternatives=(_block_by_hand, _block_by_modules),
    hints=(
        "One sum and one norm in either order. Where does the norm stand?",
        "pre: x + sublayer(norm(x)); post: norm(x + sublayer(x)). The sublayer here is a product with w.",
        "F.layer_norm(x, x.shape[-1:]) normalises without learned parts. pre: x + F.layer_norm(x, x.shape[-1:]) @ w.",
    ),
)
