"""Exercise `top_k_probs`."""

from typing import Any

import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case, difference
from lmcourse.tasks.ch08.shared import CLOSE, drawer


def top_k_probs(logits, k):
    """Return the probabilities from which the next token is drawn, all but the k likeliest cut.

    Each row has its own k likeliest tokens. Of tokens that are equally likely as the k-th any may be kept, or all of
    them. Large logits must not overflow.

    Args:
        logits: (..., V).
        k: 1 or more; it may be larger than V.

    Returns:
        (..., V), in the order of the tokens, summing to 1.

    >>> top_k_probs(torch.tensor([3.0, 1.0, 1.0, 3.0]).log(), 2).tolist()
    [0.5, 0.0, 0.0, 0.5]
    """
    least = logits.topk(min(k, logits.shape[-1]), dim=-1).values[..., -1:]
    return logits.masked_fill(logits < least, float("-inf")).softmax(dim=-1)


def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    return [
        case("the worked example", torch.tensor([3.0, 1.0, 1.0, 3.0], dtype=torch.float64).log(), 2),
        case("three of seven", draw(7), 3),
        case("several rows at once", draw(3, 5), 2),
        case("rows of rows", draw(2, 3, 7), 5),
        border("k is 1: the likeliest alone", draw(3, 5), 1),
        case("k is the size of the vocabulary", draw(2, 5), 5),
        case("k beyond the size of the vocabulary", draw(3), 11),
        border("logits far above 0", 3 * draw(5) + 900, 2),
        case("float32", drawer(seed, torch.float32)(2, 7), 3),
        border("a tie: two of equal logits, and one fits in", torch.tensor([1.0, 3.0, 1.0, 2.0, 0.0]), 3),
        border("all logits equal", torch.zeros(2, 5, dtype=torch.float64), 2),
        border(
            "rows of different magnitudes",
            torch.tensor(
                [[1e-30, 3e-30, 2e-30, 0.0], [1e4, 9999.0, 9998.0, 0.0], [-1e4, -9999.0, -1e4, -9998.0]]
            ).double(),
            2,
        ),
        case(
            "rows whose likeliest tokens differ", torch.tensor([[5.0, 4.0, 0.0, 1.0], [0.0, 1.0, 2.0, 3.0]]).double(), 2
        ),
        border("logits far below 0", draw(2, 5) - 20_000, 3),
        border("one token in the vocabulary", draw(3, 1), 1),
        border("k beyond the size of the vocabulary, several rows", draw(2, 3), 4),
        border("a tensor whose rows do not lie in a row", draw(7, 3).T, 2),
    ]


def judge(item: Case, probs: Any) -> str | None:
    """Where ties leave a choice, the result is compared with the right one that has made the same."""
    logits, k = item.args
    right = top_k_probs(logits, k)
    if isinstance(probs, Tensor) and probs.shape == logits.shape:
        kept, least = probs > 0, logits.topk(min(k, logits.shape[-1]), dim=-1).values[..., -1:]
        allowed = (kept >= (logits > least)) & (kept <= (logits >= least))
        enough = kept.sum(-1, keepdim=True) >= min(k, logits.shape[-1])
        same = logits.masked_fill(~kept, -torch.inf).softmax(dim=-1)
        right = torch.where(allowed.all(-1, keepdim=True) & enough, same, right)
    return difference(right, probs, CLOSE)


def _top_k_by_rank(logits: Tensor, k: int) -> Tensor:
    rank = logits.argsort(dim=-1, descending=True, stable=True).argsort(-1)
    weights = (logits - logits.max(-1, keepdim=True).values).exp() * (rank < k)
    return weights / weights.sum(-1, keepdim=True)


def _top_k_by_threshold(logits: Tensor, k: int) -> Tensor:
    least = logits.sort(-1, descending=True).values[..., min(k, logits.shape[-1]) - 1].unsqueeze(-1)
    return torch.where(logits >= least, logits, torch.tensor(-torch.inf, dtype=logits.dtype)).softmax(-1)


def _sorted_back_wrongly(logits: Tensor, k: int) -> Tensor:
    ordered, order = logits.sort(dim=-1, descending=True)
    kept = ordered.masked_fill(torch.arange(logits.shape[-1]) >= k, -torch.inf)
    return kept.softmax(-1).gather(-1, order)


task = Task(
    top_k_probs,
    points=2,
    difficulty=2,
    minutes=15,
    cases=cases,
    compare=CLOSE,
    judge=judge,
    slips=(
        Slip(
            "not_renormalised",
            (
                'logits.masked_fill(logits < least, float("-inf")).softmax(dim=-1)',
                "logits.softmax(dim=-1).masked_fill(logits < least, 0.0)",
            ),
            "The unlikely tokens were taken out after the softmax, and the rest no longer sums to 1. Mask the logits "
            "before it, or divide by the sum.",
        ),
        Slip(
            "zeros_as_logits",
            ('float("-inf")', "0.0"),
            "The logits of the others were set to 0, and exp(0) is 1: they can still be drawn. Set them to minus "
            "infinity.",
        ),
        Slip(
            "uniform",
            (
                'logits.masked_fill(logits < least, float("-inf")).softmax(dim=-1)',
                "(logits >= least).to(logits.dtype) / (logits >= least).sum(-1, keepdim=True)",
            ),
            "The k tokens that are kept all got the same probability. Between them the model's own shares stay.",
        ),
        Slip(
            "lowest",
            (("dim=-1).values", "dim=-1, largest=False).values"), ("logits < least", "logits > least")),
            "The k least likely tokens were kept. Keep the k likeliest.",
        ),
        Slip(
            "sorted",
            ("softmax(dim=-1)", "softmax(dim=-1).sort(-1, descending=True).values"),
            "The probabilities come back in order of size, so that nobody knows which token is which. Entry i of the "
            "result is for token i.",
        ),
        Slip(
            "one_more",
            ("min(k, ", "min(k + 1, "),
            "One token too many was kept. With k = 1 only the likeliest is left.",
        ),
        Slip(
            "strictly_above",
            ("logits < least", "logits <= least"),
            "The k-th likeliest token itself was dropped: keep what is at least as large, not only what is larger.",
        ),
        Slip(
            "k_unlimited",
            ("min(k, logits.shape[-1])", "k"),
            "topk fails when k is larger than the vocabulary. Use the smaller of the two: min(k, logits.shape[-1]).",
        ),
        Slip(
            "one_threshold",
            (
                "logits.topk(min(k, logits.shape[-1]), dim=-1).values[..., -1:]",
                "logits.flatten().topk(min(k, logits.shape[-1])).values[-1]",
            ),
            "One threshold was used for the whole tensor. Each row has a k-th largest logit of its own: topk along the "
            "last axis.",
        ),
        Slip(
            "other_axis",
            ("softmax(dim=-1)", "softmax(dim=0)"),
            "The softmax runs over the first axis. Each row must sum to 1 over the vocabulary, the last axis.",
        ),
        Slip(
            "no_softmax",
            (".softmax(dim=-1)", ""),
            "These are the logits that are kept. Probabilities are asked for: take the softmax at the end.",
        ),
        Slip(
            "only_the_kept",
            (
                'logits.masked_fill(logits < least, float("-inf")).softmax(dim=-1)',
                "logits.topk(min(k, logits.shape[-1]), dim=-1).values.softmax(dim=-1)",
            ),
            "Only k numbers come back for each row. The result has one for every token of the vocabulary, 0 for those "
            "that are cut.",
        ),
        Slip(
            "overflow",
            (
                'logits.masked_fill(logits < least, float("-inf")).softmax(dim=-1)',
                "logits.exp() * (logits >= least) / (logits.exp() * (logits >= least)).sum(-1, keepdim=True)",
            ),
            "exp of a large logit is infinite, and infinity divided by infinity is not a number. softmax subtracts the "
            "maximum first.",
        ),
        Slip(
            "large_instead_of_infinite",
            ('float("-inf")', "-10_000.0"),
            "The others got the logit -10,000, which is not low enough when all logits are lower still. Use minus "
            "infinity.",
        ),
        Slip(
            "sorted_back_wrongly",
            _sorted_back_wrongly,
            "gather with the order of the sort does not undo it. `order` says where each sorted logit came from: "
            "scatter puts it back there.",
        ),
    ),
    alternatives=(_top_k_by_rank, _top_k_by_threshold),
    hints=(
        "What must the logit of a token be, so that its probability after the softmax is exactly 0?",
        "logits.topk(k, dim=-1).values[..., -1:] is the smallest logit that is kept. k may be larger than the "
        "vocabulary: use min(k, logits.shape[-1]).",
        "least = logits.topk(min(k, V), dim=-1).values[..., -1:]; return logits.masked_fill(logits < least, "
        "float('-inf')).softmax(-1)",
    ),
)
