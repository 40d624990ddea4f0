"""Tasks of chapter 08, third part: ALiBi, RMSNorm, a mixture of experts, and a power law through measured losses."""

import math
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, case
from lmcourse.tasks.gpt import CHAPTER, CLOSE, drawer

GRADIENTS = Compare(rtol=1e-5, atol=1e-6, gradient=True)  # in float32 a sum near 0 has an error of that size

# ------------------------------------------------------------------------------------------------------ alibi_bias


def _alibi_bias(slopes: list[float], length: int) -> Tensor:
    place = torch.arange(length, dtype=torch.float64)
    distance = place[:, None] - place
    bias = -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance
    return bias.masked_fill(distance < 0, -torch.inf)


def _alibi_cases(seed: int) -> list[Case]:
    drawn = drawer(seed)(7).abs().add(0.01).tolist()
    return [
        case("the worked example", [0.5], 3),
        case("three heads, seven tokens", drawn[:3], 7),
        case("as many heads as tokens", drawn[:5], 5),
        case("seven heads, two tokens", drawn, 2),
        case("one token", drawn[:2], 1),
        case("no tokens", drawn[:3], 0),
        case("a slope of zero: no positions at all", [0.0, drawn[0]], 3),
    ]


def _alibi_wrong(slopes: list[float], length: int, *, how: str) -> Tensor:
    place = torch.arange(length, dtype=torch.float64)
    distance = place[:, None] - place
    of_heads = torch.tensor(slopes, dtype=torch.float64)[:, None, None]
    future = distance < 0
    if how == "sign":
        return (of_heads * distance).masked_fill(future, -torch.inf)
    if how == "no_mask":
        return -of_heads * distance.abs()
    if how == "transposed":
        return (of_heads * distance).masked_fill(distance > 0, -torch.inf)
    if how == "one_slope":
        return (-of_heads[:1] * distance).masked_fill(future, -torch.inf).expand(len(slopes), -1, -1).clone()
    if how == "place_not_distance":
        return (-of_heads * place.expand(length, -1)).masked_fill(future, -torch.inf)
    if how == "finite":
        return (-of_heads * distance).masked_fill(future, 0.0)
    return (-of_heads * distance.clamp(min=0).sqrt()).masked_fill(future, -torch.inf)


def _alibi_by_loops(slopes: list[float], length: int) -> Tensor:
    bias = torch.full((len(slopes), length, length), -torch.inf, dtype=torch.float64)
    for h, slope in enumerate(slopes):
        for t in range(length):
            for s in range(t + 1):
                bias[h, t, s] = slope * (s - t)
    return bias


def _alibi_by_numpy(slopes: list[float], length: int) -> Tensor:
    steps = np.arange(length)
    table = np.subtract.outer(steps, steps).astype(float)
    scaled = np.multiply.outer(-np.array(slopes), table)
    return torch.from_numpy(np.where(table >= 0, scaled, -np.inf))


alibi_bias = Task(
    name="alibi_bias",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=15,
    cases=_alibi_cases,
    reference=_alibi_bias,
    compare=CLOSE,
    slips=(
        Slip(
            "sign",
            partial(_alibi_wrong, how="sign"),
            "Far tokens get a bonus here. The distance is taken off the score: far away counts less.",
        ),
        Slip(
            "no_mask",
            partial(_alibi_wrong, how="no_mask"),
            "Tokens that come later got a finite score. In a decoder the future is minus infinity.",
        ),
        Slip(
            "transposed",
            partial(_alibi_wrong, how="transposed"),
            "Rows and columns are exchanged: rows are queries, columns keys, and a query sees the keys at its left.",
        ),
        Slip(
            "one_slope",
            partial(_alibi_wrong, how="one_slope"),
            "All heads got the slope of the first. Each head has its own, so that some look near and some far.",
        ),
        Slip(
            "place_not_distance",
            partial(_alibi_wrong, how="place_not_distance"),
            "The slope was multiplied with the key's place, not with its distance from the query. Moved along by one "
            "token, the scores must stay the same.",
        ),
        Slip(
            "finite",
            partial(_alibi_wrong, how="finite"),
            "The future got 0, which is as good as the token itself. It must be minus infinity.",
        ),
        Slip(
            "root",
            partial(_alibi_wrong, how="root"),
            "The penalty grows with the root of the distance here. It is linear: twice as far, twice as much off.",
        ),
    ),
    alternatives=(_alibi_by_loops, _alibi_by_numpy),
    hints=(
        "Make a table of distances first: query t, key s, t - s.",
        "distance = torch.arange(T)[:, None] - torch.arange(T); -slope * distance for each head; where distance < 0, "
        "-inf.",
        "place = torch.arange(length).double(); d = place[:, None] - place; bias = -torch.tensor(slopes).double()[:, "
        "None, None] * d; return bias.masked_fill(d < 0, float('-inf'))",
    ),
)


# -------------------------------------------------------------------------------------------------------- rms_norm


def _rms_norm(x: Tensor, gain: Tensor, eps: float = 1e-5) -> Tensor:
    return x / (x.pow(2).mean(dim=-1, keepdim=True) + eps).sqrt() * gain


def _rms_cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    worked = (torch.tensor([3.0, 4.0], dtype=torch.float64), torch.tensor([1.0, 2.0], dtype=torch.float64))
    return [
        case("the worked example", *worked, eps=0.0),
        case("a batch of texts", draw(2, 3, 7) + 1, draw(7)),
        case("the gradients", draw(3, 5, grad=True), draw(5, grad=True)),
        case("as many rows as numbers", draw(5, 5), draw(5)),
        case("a large eps", draw(3, 7), draw(7), eps=0.5),
        case("numbers near zero, where eps counts", 1e-3 * draw(3, 5), draw(5)),
        case("a row of zeros", torch.zeros(2, 3).double(), draw(3)),
        case("one number", draw(3, 1), draw(1)),
        case("float32", drawer(seed, torch.float32)(2, 5), drawer(seed, torch.float32)(5)),
    ]


def _rms_wrong(x: Tensor, gain: Tensor, eps: float = 1e-5, *, how: str) -> Tensor:
    square = x.pow(2).mean(-1, keepdim=True)
    if how == "layer_norm":
        centred = x - x.mean(-1, keepdim=True)
        return centred / (centred.pow(2).mean(-1, keepdim=True) + eps).sqrt() * gain
    if how == "length_one":
        return x / (x.pow(2).sum(-1, keepdim=True) + eps).sqrt() * gain
    if how == "eps_outside":
        return x / (square.sqrt() + eps) * gain
    if how == "no_root":
        return x / (square + eps) * gain
    if how == "no_gain":
        return x / (square + eps).sqrt()
    if how == "no_eps":
        return x / square.sqrt().clamp(min=1e-30) * gain
    if how == "one_plus_gain":
        return x / (square + eps).sqrt() * (1 + gain)
    return x / (x.pow(2).mean(0, keepdim=True) + eps).sqrt() * gain


def _rms_by_torch(x: Tensor, gain: Tensor, eps: float = 1e-5) -> Tensor:
    return F.rms_norm(x, gain.shape, gain, eps)


def _rms_by_norm(x: Tensor, gain: Tensor, eps: float = 1e-5) -> Tensor:
    width = x.shape[-1]
    inverse = torch.rsqrt(torch.einsum("...d,...d->...", x, x) / width + eps)
    return gain * (x * inverse.unsqueeze(-1))


rms_norm = Task(
    name="rms_norm",
    chapter=CHAPTER,
    points=1,
    difficulty=2,
    minutes=10,
    cases=_rms_cases,
    reference=_rms_norm,
    compare=GRADIENTS,
    slips=(
        Slip(
            "layer_norm",
            partial(_rms_wrong, how="layer_norm"),
            "The mean was taken off first: that is LayerNorm. RMSNorm divides by the root of the mean square and "
            "leaves the mean where it is.",
        ),
        Slip(
            "length_one",
            partial(_rms_wrong, how="length_one"),
            "The squares were summed, so that the vector gets length 1. Take their mean: the result has a mean square "
            "of 1.",
        ),
        Slip(
            "eps_outside",
            partial(_rms_wrong, how="eps_outside"),
            "eps was added to the root. It belongs under the root, to the mean square: near zero that matters.",
        ),
        Slip(
            "no_root",
            partial(_rms_wrong, how="no_root"),
            "x was divided by the mean square, without the root.",
        ),
        Slip(
            "no_gain",
            partial(_rms_wrong, how="no_gain"),
            "The gain is missing: each of the D numbers is multiplied with a learned one at the end.",
        ),
        Slip(
            "no_eps",
            partial(_rms_wrong, how="no_eps"),
            "eps was not used. It keeps a vector of near-zeros from being blown up, and one of zeros from 0/0.",
        ),
        Slip(
            "one_plus_gain",
            partial(_rms_wrong, how="one_plus_gain"),
            "The result was multiplied with 1 + gain. Some models store their gains so; here it is the gain itself.",
        ),
        Slip(
            "over_rows",
            partial(_rms_wrong, how="over_rows"),
            "The mean was taken over the first axis. Each vector is normalised by itself, over its last axis.",
        ),
    ),
    alternatives=(_rms_by_torch, _rms_by_norm),
    hints=(
        "Which of LayerNorm's steps are left out? There is no mean to take off and no bias to add.",
        "x.pow(2).mean(dim=-1, keepdim=True) is the mean square of each vector; add eps, take the root, divide.",
        "return x / (x.pow(2).mean(dim=-1, keepdim=True) + eps).sqrt() * gain",
    ),
)


# ---------------------------------------------------------------------------------------------- mixture_of_experts


def _mixture_of_experts(x: Tensor, router: Tensor, up: Tensor, down: Tensor, k: int) -> Tensor:
    scores, chosen = (x @ router).topk(k, dim=-1)
    shares = scores.softmax(dim=-1)
    result = torch.zeros_like(x)
    for expert in range(len(up)):
        rows, place = (chosen == expert).nonzero(as_tuple=True)
        answers = F.relu(x[rows] @ up[expert]) @ down[expert]
        result = result.index_add(0, rows, shares[rows, place, None] * answers)
    return result


def _mixture_cases(seed: int) -> list[Case]:
    draw = drawer(seed)

    def drawn(N: int, D: int, E: int, F_: int, grad: bool = False) -> tuple[Tensor, ...]:
        return tuple(draw(*shape, grad=grad) for shape in ((N, D), (D, E), (E, D, F_), (E, F_, D)))

    single = drawer(seed, torch.float32)
    one = torch.ones(1, 1, dtype=torch.float64)
    worked = (
        one,
        torch.tensor([[0.0, 1.0986122886681098, -9.0]], dtype=torch.float64),
        torch.tensor([1.0, 2.0, 5.0], dtype=torch.float64).view(3, 1, 1),
        torch.ones(3, 1, 1, dtype=torch.float64),
    )
    return [
        case("the worked example", *worked, 2),
        case("seven tokens, five experts, two of them each", *drawn(7, 3, 5, 11), 2),
        case("three of five", *drawn(5, 2, 5, 3), 3),
        case("as many tokens as experts", *drawn(3, 5, 3, 2), 2),
        case("the gradients", *drawn(5, 3, 4, 2, grad=True), 2),
        case("one expert for each token", *drawn(5, 3, 4, 2), 1),
        case("all experts for every token, none left out", *drawn(5, 3, 3, 2), 3),
        case("one token", *drawn(1, 3, 5, 2), 2),
        case("no tokens", *drawn(0, 3, 5, 2), 2),
        case("float32", single(5, 3), single(3, 4), single(4, 3, 2), single(4, 2, 3), 2),
    ]


def _mixture_wrong(x: Tensor, router: Tensor, up: Tensor, down: Tensor, k: int, *, how: str) -> Tensor:
    logits = x @ router
    probs = logits.softmax(-1)
    largest = how != "least_likely"
    kept = logits.topk(k, dim=-1, largest=largest).indices
    inside = torch.zeros_like(logits, dtype=torch.bool).scatter(-1, kept, True)
    shares = logits.masked_fill(~inside, -torch.inf).softmax(-1)
    if how == "all_experts":
        shares = probs
    if how == "not_renormalised":
        shares = probs * inside
    if how == "equal_shares":
        shares = inside.to(x.dtype) / k
    if how == "summed":
        shares = inside.to(x.dtype)
    if how == "only_the_best":
        best = logits.topk(1, dim=-1).indices
        shares = torch.zeros_like(shares).scatter(-1, best, 1.0)
    hidden = torch.einsum("nd,edf->enf", x, up)
    hidden = hidden if how == "no_relu" else hidden.relu()
    answers = torch.einsum("enf,efd->end", hidden, down)
    return torch.einsum("ne,end->nd", shares, answers)


def _mixture_by_tokens(x: Tensor, router: Tensor, up: Tensor, down: Tensor, k: int) -> Tensor:
    rows = []
    for token in x:
        best = torch.topk(token @ router, k)
        weights = torch.softmax(best.values, 0)
        parts = [w * ((token @ up[e]).clamp(min=0) @ down[e]) for w, e in zip(weights, best.indices, strict=True)]
        rows.append(torch.stack(parts).sum(0))
    return torch.stack(rows) if rows else x.clone()


def _mixture_by_masking(x: Tensor, router: Tensor, up: Tensor, down: Tensor, k: int) -> Tensor:
    logits = x @ router
    rank = logits.argsort(-1, descending=True).argsort(-1)
    shares = logits.masked_fill(rank >= k, float("-inf")).softmax(-1)
    result = x * 0
    for e, (first, second) in enumerate(zip(up, down, strict=True)):
        result = result + shares[:, e : e + 1] * (torch.relu(x @ first) @ second)
    return result


mixture_of_experts = Task(
    name="mixture_of_experts",
    chapter=CHAPTER,
    points=4,
    difficulty=4,
    minutes=30,
    cases=_mixture_cases,
    reference=_mixture_of_experts,
    compare=GRADIENTS,
    slips=(
        Slip(
            "all_experts",
            partial(_mixture_wrong, how="all_experts"),
            "Every expert worked on every token. Only the k with the highest scores do; that is what saves the work.",
        ),
        Slip(
            "not_renormalised",
            partial(_mixture_wrong, how="not_renormalised"),
            "The shares are those of a softmax over all experts, so the k that are used sum to less than 1. Take the "
            "softmax over their k scores.",
        ),
        Slip(
            "equal_shares",
            partial(_mixture_wrong, how="equal_shares"),
            "The k experts were averaged. Their shares are the softmax of their scores: so the router learns.",
        ),
        Slip(
            "summed",
            partial(_mixture_wrong, how="summed"),
            "The answers of the k experts were added without shares. Weight each with the softmax of its score.",
        ),
        Slip(
            "only_the_best",
            partial(_mixture_wrong, how="only_the_best"),
            "Only the best expert was asked. Each token goes to k of them.",
        ),
        Slip(
            "least_likely",
            partial(_mixture_wrong, how="least_likely"),
            "The k experts with the lowest scores were chosen. Take the highest.",
        ),
        Slip(
            "no_relu",
            partial(_mixture_wrong, how="no_relu"),
            "The relu between the two matrices is missing: without it an expert is a single linear map.",
        ),
    ),
    alternatives=(_mixture_by_tokens, _mixture_by_masking),
    hints=(
        "First for one token: which k experts have the highest scores, and what are their shares?",
        "(x @ router).topk(k, dim=-1) gives scores and numbers of the experts; softmax the scores. Then go through the "
        "experts, or through the tokens, and add share * answer.",
        "scores, chosen = (x @ router).topk(k, -1); shares = scores.softmax(-1); for e in range(len(up)): rows, place "
        "= (chosen == e).nonzero(as_tuple=True); result = result.index_add(0, rows, shares[rows, place, None] * "
        "(F.relu(x[rows] @ up[e]) @ down[e]))",
    ),
)


# -------------------------------------------------------------------------------------------------- fit_power_law


def _fit_power_law(sizes: list[float], losses: list[float]) -> tuple[float, float]:
    if len(set(sizes)) < 2:
        raise ValueError(f"`sizes` must hold two different values at least, got {sizes}.")
    x, y = [math.log(size) for size in sizes], [math.log(loss) for loss in losses]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    slope = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True)) / sum((a - mean_x) ** 2 for a in x)
    return math.exp(mean_y - slope * mean_x), -slope


def _power_cases(seed: int) -> list[Case]:
    draws = drawer(seed)(23).abs().add(0.1).tolist()
    sizes = [3.0**n * (1 + draws[n]) for n in range(7)]
    noisy = [5 * size**-0.2 * (1 + 0.1 * draw) for size, draw in zip(sizes, draws[7:], strict=False)]
    return [
        case("the worked example", [1.0, 100.0], [4.0, 2.0]),
        case("seven points on no exact line", sizes, noisy),
        case("three points", sizes[:3], noisy[2:5]),
        case("five points in another order", sizes[4::-1], noisy[4::-1]),
        case("two points: the line goes through both", sizes[2:4], noisy[4:6]),
        case("losses that are all the same: a slope of zero", sizes[:3], [draws[0]] * 3),
        case("the same size twice", [2.0, 2.0, 7.0], noisy[:3]),
        case("one point", sizes[:1], noisy[:1]),
        case("one size, three times", [5.0] * 3, noisy[:3]),
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


fit_power_law = Task(
    name="fit_power_law",
    chapter=CHAPTER,
    points=2,
    difficulty=3,
    minutes=20,
    cases=_power_cases,
    reference=_fit_power_law,
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
