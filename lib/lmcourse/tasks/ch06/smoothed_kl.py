"""Exercise `smoothed_kl`."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch06.shared import CLOSE, double, draw


def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    """Return the mean KL divergence, in nats, from the smoothed targets to the model.

    Args:
        logits: a tensor (N, V).
        targets: whole numbers, a tensor (N,).
        smoothing: epsilon, at least 0 and less than 1.
        pad_id: targets of this id do not count.

    Returns:
        A scalar tensor; 0 if no target counts.

    >>> round(smoothed_kl(torch.tensor([[math.log(3), 0.0]]), torch.tensor([0]), 0.2).item(), 3)
    0.072
    """
    V = logits.shape[-1]
    q = torch.full_like(logits, smoothing / V)
    q[torch.arange(len(targets)), targets.clamp(min=0)] += 1 - smoothing
    kl = (torch.xlogy(q, q) - q * logits.log_softmax(dim=-1)).sum(dim=-1)  # (N,)
    counts = targets != pad_id
    return kl[counts].sum() / max(1, int(counts.sum()))


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def ids(V: int, n: int) -> Tensor:
        return torch.from_numpy(rng.integers(1, V, size=n))

    padded = ids(7, 5)
    padded[-2:] = 0
    return [
        case("the worked example", double([[math.log(3), 0.0]]), torch.tensor([0]), 0.2),
        case("eleven tokens, 7 words", draw(rng, 11, 7), ids(7, 11), 0.1),
        border("smoothing zero: cross-entropy", draw(rng, 5, 3), ids(3, 5), 0.0),
        case("strong smoothing", 2 * draw(rng, 5, 11), ids(11, 5), 0.5),
        case("padding does not count", draw(rng, 5, 7), padded, 0.1, 0),
        border("nothing but padding: 0", draw(rng, 3, 5), torch.zeros(3, dtype=torch.long), 0.1, 0),
        border("one token", draw(rng, 1, 5), ids(5, 1), 0.3),
        border("scores near 1,000, where exp overflows", 1000 * draw(rng, 3, 5), ids(5, 3), 0.1),
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


task = Task(
    smoothed_kl,
    points=3,
    difficulty=4,
    minutes=25,
    cases=cases,
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
