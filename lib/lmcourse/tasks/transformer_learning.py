"""Tasks of chapter 06, fourth part: label smoothing and the warm-up."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, case
from lmcourse.tasks.transformer import CHAPTER, CLOSE, double, draw

# ------------------------------------------------------------------------------------------------------ smoothed_kl


def _kl(logits: Tensor, targets: Tensor, smoothing: float, pad_id: int = -1) -> Tensor:
    V = logits.shape[-1]
    q = torch.full_like(logits, smoothing / V)
    rows = torch.arange(len(targets))
    counts = targets != pad_id
    q[rows, targets.clamp(min=0)] += 1 - smoothing
    kl = (torch.xlogy(q, q) - q * logits.log_softmax(dim=-1)).sum(dim=-1)
    return kl[counts].sum() / max(1, int(counts.sum()))


def _kl_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def ids(V: int, n: int) -> Tensor:
        return torch.from_numpy(rng.integers(1, V, size=n))

    padded = ids(7, 5)
    padded[-2:] = 0
    return [
        case("the worked example", double([[math.log(3), 0.0]]), torch.tensor([0]), 0.2),
        case("eleven tokens, 7 words", draw(rng, 11, 7), ids(7, 11), 0.1),
        case("smoothing zero: cross-entropy", draw(rng, 5, 3), ids(3, 5), 0.0),
        case("strong smoothing", 2 * draw(rng, 5, 11), ids(11, 5), 0.5),
        case("padding does not count", draw(rng, 5, 7), padded, 0.1, 0),
        case("nothing but padding: 0", draw(rng, 3, 5), torch.zeros(3, dtype=torch.long), 0.1, 0),
        case("one token", draw(rng, 1, 5), ids(5, 1), 0.3),
        case("scores near 1,000, where exp overflows", 1000 * draw(rng, 3, 5), ids(5, 3), 0.1),
        case("float32", draw(rng, 7, 5, dtype=torch.float32), ids(5, 7), 0.1),
    ]


def _kl_by_cross_entropy(logits: Tensor, targets: Tensor, smoothing: float, pad_id: int = -1) -> Tensor:
    V = logits.shape[1]
    kept = targets != pad_id
    if not bool(kept.any()):
        return logits.new_zeros(())
    least, rest = 1 - smoothing + smoothing / V, smoothing / V
    entropy = -least * math.log(least) - ((V - 1) * rest * math.log(rest) if rest > 0 else 0.0)
    return F.cross_entropy(logits[kept], targets[kept], label_smoothing=smoothing) - entropy


def _kl_by_kl_div(logits: Tensor, targets: Tensor, smoothing: float, pad_id: int = -1) -> Tensor:
    total, n = logits.new_zeros(()), 0
    for row, target in zip(logits, targets.tolist(), strict=True):
        if target != pad_id:
            wanted = torch.nn.functional.one_hot(torch.tensor(target), len(row)).to(row.dtype)
            wanted = wanted * (1 - smoothing) + smoothing / len(row)
            total, n = total + F.kl_div(row.log_softmax(0), wanted, reduction="sum"), n + 1
    return total / n if n else total


def _kl_wrong(logits: Tensor, targets: Tensor, smoothing: float, pad_id: int = -1, *, how: str) -> Tensor:
    V = logits.shape[-1]
    counts = torch.ones_like(targets, dtype=torch.bool) if how == "pads_count" else targets != pad_id
    others = smoothing / (V - 1) if how == "others_only" else smoothing / V
    q = torch.full_like(logits, others)
    rows, at = torch.arange(len(targets)), targets.clamp(min=0)
    if how in ("others_only", "replaced"):
        q[rows, at] = 1 - smoothing
    else:
        q[rows, at] += 1 - smoothing
    log_p = logits.softmax(-1).log() if how == "log_of_softmax" else logits.log_softmax(-1)
    if how == "cross_entropy":
        kl = -(q * log_p).sum(-1)
    elif how == "reversed":
        kl = (log_p.exp() * (log_p - q.clamp(min=1e-30).log())).sum(-1)
    elif how == "bits":
        kl = (torch.xlogy(q, q) - q * log_p).sum(-1) / math.log(2)
    elif how == "q_log_q":
        kl = (q * q.log() - q * log_p).sum(-1)
    else:
        kl = (torch.xlogy(q, q) - q * log_p).sum(-1)
    if how == "sum":
        return kl[counts].sum()
    if how == "divided_by_all":
        return kl[counts].sum() / len(targets)
    return kl[counts].sum() / max(1, int(counts.sum()))


smoothed_kl = Task(
    name="smoothed_kl",
    chapter=CHAPTER,
    points=3,
    difficulty=4,
    minutes=25,
    cases=_kl_cases,
    reference=_kl,
    compare=CLOSE,
    slips=(
        Slip(
            "cross_entropy",
            lambda *a: _kl_wrong(*a, how="cross_entropy"),
            "This is the cross-entropy of the smoothed target. The divergence is that less the target's own entropy, "
            "so that a perfect model gets 0: sum of q (log q - log p).",
        ),
        Slip(
            "reversed",
            lambda *a: _kl_wrong(*a, how="reversed"),
            "The divergence runs the wrong way, from the model to the target. The average is taken with the target's "
            "probabilities: sum of q (log q - log p).",
        ),
        Slip(
            "others_only",
            lambda *a: _kl_wrong(*a, how="others_only"),
            "The smoothing was spread over the V - 1 wrong tokens. Here it is spread over all V, the right one too: it "
            "gets 1 - eps + eps / V.",
        ),
        Slip(
            "replaced",
            lambda *a: _kl_wrong(*a, how="replaced"),
            "The right token's eps / V was overwritten, so the target sums to less than 1. Add 1 - eps to it.",
        ),
        Slip(
            "zero_times_infinity",
            lambda *a: _kl_wrong(*a, how="q_log_q"),
            "At smoothing 0 the wrong tokens have q = 0, and 0 * log 0 gives NaN. torch.xlogy(q, q) gives 0 there.",
        ),
        Slip(
            "log_of_softmax",
            lambda *a: _kl_wrong(*a, how="log_of_softmax"),
            "log(softmax) gives minus infinity for far scores, where a probability rounds to 0. Use log_softmax.",
        ),
        Slip(
            "pads_count",
            lambda *a: _kl_wrong(*a, how="pads_count"),
            "Padding was counted. Rows whose target is pad_id do not take part, in the sum or in the number.",
        ),
        Slip(
            "divided_by_all",
            lambda *a: _kl_wrong(*a, how="divided_by_all"),
            "The sum leaves padding out, but the mean is over all rows. Divide by the number of rows that count.",
        ),
        Slip(
            "sum",
            lambda *a: _kl_wrong(*a, how="sum"),
            "This is the sum over the tokens. Return their mean.",
        ),
        Slip(
            "bits",
            lambda *a: _kl_wrong(*a, how="bits"),
            "This is in bits. Losses are in nats in this course: the natural logarithm.",
        ),
    ),
    alternatives=(_kl_by_cross_entropy, _kl_by_kl_div),
    hints=(
        "Build the target distribution q of each row first: eps / V everywhere, and 1 - eps more for the right token.",
        "q = torch.full_like(logits, eps / V); q[rows, targets] += 1 - eps. Then the sum over the words of q log q - q "
        "log p, with torch.xlogy(q, q) for q log q.",
        "Keep rows with targets != pad_id: kl[keep].sum() / max(1, keep.sum()); log p is logits.log_softmax(-1).",
    ),
)


# ------------------------------------------------------------------------------------------------------ warmup_rate


def _rate(step: int, D: int, warmup: int) -> float:
    if step < 1 or warmup < 1:
        raise ValueError(f"`step` and `warmup` must be at least 1, got {step} and {warmup}.")
    return D**-0.5 * min(step**-0.5, step * warmup**-1.5)


def _rate_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    warmup, D = int(rng.integers(50, 500)), int(rng.integers(3, 700))
    return [
        case("the worked example", 100, 64, 400),
        case("the first step", 1, D, warmup),
        case("during the warm-up", warmup // 2, D, warmup),
        case("the last step of the warm-up", warmup, D, warmup),
        case("long after", 40 * warmup, D, warmup),
        case("a warm-up of one step", int(rng.integers(2, 90)), D, 1),
        case("step zero", 0, 64, 400),
        case("no warm-up: zero steps", 5, 64, 0),
    ]


def _rate_by_cases(step: int, D: int, warmup: int) -> float:
    if min(step, warmup) <= 0:
        raise ValueError("steps count from 1")
    peak = 1 / math.sqrt(D * warmup)
    return peak * step / warmup if step < warmup else peak * math.sqrt(warmup / step)


def _rate_by_logs(step: int, D: int, warmup: int) -> float:
    if not (step > 0 and warmup > 0):
        raise ValueError("step or warmup")
    log = -0.5 * math.log(D) + min(-0.5 * math.log(step), math.log(step) - 1.5 * math.log(warmup))
    return math.exp(log)


def _rate_wrong(step: int, D: int, warmup: int, *, how: str) -> float:
    if how != "unchecked" and (step < 1 or warmup < 1):
        raise ValueError("step")
    if how == "unchecked":
        step, warmup = max(step, 1), max(warmup, 1)
    up, down = step * warmup**-1.5, step**-0.5
    return {
        "max": D**-0.5 * max(down, up),
        "no_width": min(down, up),
        "width": D**0.5 * min(down, up),
        "one_exponent": D**-0.5 * min(down, step * warmup**-1.0),
        "only_down": D**-0.5 * down,
        "only_up": D**-0.5 * up,
        "linear_fall": D**-0.5 * min(warmup**0.5 / step, up),
        "unchecked": D**-0.5 * min(down, up),
    }[how]


warmup_rate = Task(
    name="warmup_rate",
    chapter=CHAPTER,
    points=1,
    difficulty=1,
    minutes=10,
    cases=_rate_cases,
    reference=_rate,
    compare=Compare(rtol=1e-9, atol=0.0),
    slips=(
        Slip(
            "max",
            lambda *a: _rate_wrong(*a, how="max"),
            "The larger of the two was taken, so the rate starts high and rises again later. The smaller one rules: "
            "first the line, then the fall.",
        ),
        Slip(
            "no_width",
            lambda *a: _rate_wrong(*a, how="no_width"),
            "The factor D^-0.5 is missing: a wider model gets a lower rate.",
        ),
        Slip(
            "width_upside_down",
            lambda *a: _rate_wrong(*a, how="width"),
            "The rate is multiplied by the root of D; it must be divided by it.",
        ),
        Slip(
            "exponent",
            lambda *a: _rate_wrong(*a, how="one_exponent"),
            "The line rises as step / warmup. It is step * warmup^-1.5, so that line and fall meet at step = warmup.",
        ),
        Slip(
            "no_warm_up",
            lambda *a: _rate_wrong(*a, how="only_down"),
            "There is no warm-up: the first step has the highest rate of all.",
        ),
        Slip(
            "no_fall",
            lambda *a: _rate_wrong(*a, how="only_up"),
            "The rate rises for ever. From step = warmup on it falls with the root of the step.",
        ),
        Slip(
            "falls_too_fast",
            lambda *a: _rate_wrong(*a, how="linear_fall"),
            "After the warm-up the rate falls with the step. It falls with the root of the step: step^-0.5.",
        ),
        Slip(
            "unchecked",
            lambda *a: _rate_wrong(*a, how="unchecked"),
            "The formula is right, but a step or a warm-up of 0 was let through. Steps count from 1: raise ValueError.",
        ),
    ),
    alternatives=(_rate_by_cases, _rate_by_logs),
    hints=(
        "Two curves, one that rises in a line and one that falls; the schedule is the lower of the two.",
        "The falling one is step ** -0.5, the rising one step * warmup ** -1.5. Both are multiplied by D ** -0.5.",
        "return D ** -0.5 * min(step ** -0.5, step * warmup ** -1.5), after a check that both are at least 1.",
    ),
)
