"""Exercise `reply_log_prob`."""

from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch11.shared import drawer


def reply_log_prob(logits, ids, attention_mask):
    """Return the log-probability of each reply.

    Args:
        logits: (B, T, V).
        ids: the tokens that stand there, (B, T).
        attention_mask: True at the tokens of the reply, False at padding, (B, T).

    Returns:
        (B,). The gradient must flow through it.

    >>> logits = torch.tensor([[[0.0, 0.0], [math.log(3), 0.0], [5.0, 0.0]]])
    >>> attention_mask = torch.tensor([[True, True, False]])
    >>> round(reply_log_prob(logits, torch.tensor([[1, 0, 0]]), attention_mask).item(), 3)
    -0.981
    """
    log_probs = logits.log_softmax(dim=-1)
    chosen = log_probs.gather(-1, ids.unsqueeze(-1)).squeeze(-1)  # (B, T)
    return chosen.masked_fill(~attention_mask, 0.0).sum(dim=1)


def cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)
    generator = torch.Generator().manual_seed(seed + 1)

    def ids(*sizes: int, vocab: int) -> Tensor:
        return torch.randint(vocab, sizes, generator=generator)

    def lengths(*values: int, T: int) -> Tensor:
        return torch.arange(T) < torch.tensor(values).unsqueeze(1)

    worked = torch.tensor([[[0.0, 0.0], [1.0986122886681098, 0.0], [5.0, 0.0]]], dtype=torch.float64)
    return [
        case("the worked example", worked, torch.tensor([[1, 0, 0]]), torch.tensor([[True, True, False]])),
        case("three replies of unequal length", draw(3, 7, 5), ids(3, 7, vocab=5), lengths(7, 2, 5, T=7)),
        case("the gradient", draw(2, 5, 3, grad=True), ids(2, 5, vocab=3), lengths(3, 5, T=5)),
        border("one token", draw(2, 1, 7), ids(2, 1, vocab=7), lengths(1, 1, T=1)),
        border("a fully masked reply", draw(2, 3, 5), ids(2, 3, vocab=5), lengths(3, 0, T=3)),
        case("padding on the left", draw(2, 5, 3), ids(2, 5, vocab=3), lengths(2, 4, T=5).flip(1)),
        case("float32", single(2, 3, 11), ids(2, 3, vocab=11), lengths(1, 3, T=3)),
    ]


def _log_prob_wrong(logits: Tensor, ids: Tensor, attention_mask: Tensor, *, how: str) -> Tensor:
    log_probs = logits.log_softmax(1 if how == "over_places" else -1)
    if how == "raw":
        log_probs = logits
    if how == "probs":
        log_probs = logits.softmax(-1)
    if how == "best":
        of_ids = log_probs.max(-1).values
    else:
        of_ids = log_probs.gather(-1, ids.unsqueeze(-1)).squeeze(-1)
    if how == "shifted":
        of_ids = torch.cat([of_ids[:, 1:], torch.zeros_like(of_ids[:, :1])], dim=1)
    if how != "no_mask":
        of_ids = of_ids.masked_fill(~attention_mask, 0.0)
    if how == "mean":
        return of_ids.sum(1) / attention_mask.sum(1).clamp(min=1)
    return -of_ids.sum(1) if how == "sign" else of_ids.sum(1)


def _log_prob_cross_entropy(logits: Tensor, ids: Tensor, attention_mask: Tensor) -> Tensor:
    targets = ids.masked_fill(~attention_mask, -100)
    nats = F.cross_entropy(logits.transpose(1, 2), targets, ignore_index=-100, reduction="none")
    return -nats.sum(dim=1)


def _log_prob_one_by_one(logits: Tensor, ids: Tensor, attention_mask: Tensor) -> Tensor:
    totals = []
    for scores, row, keep in zip(logits, ids, attention_mask, strict=True):
        chosen = scores[torch.arange(len(row)), row] - torch.logsumexp(scores, dim=-1)
        totals.append((chosen * keep).sum())
    return torch.stack(totals)


task = Task(
    reply_log_prob,
    points=2,
    difficulty=2,
    minutes=15,
    cases=cases,
    compare=Compare(rtol=1e-5, atol=1e-7, gradient=True),
    slips=(
        Slip(
            "mean",
            partial(_log_prob_wrong, how="mean"),
            "The tokens' log-probabilities were averaged. The probability of a reply is a product, so its logarithm is "
            "the sum.",
        ),
        Slip(
            "no_mask",
            partial(_log_prob_wrong, how="no_mask"),
            "Padding was counted as part of the replies. Only places where attention_mask is True take part.",
        ),
        Slip(
            "raw",
            partial(_log_prob_wrong, how="raw"),
            "Raw logits were added up. They become log-probabilities by log_softmax over the vocabulary.",
        ),
        Slip(
            "probs",
            partial(_log_prob_wrong, how="probs"),
            "Probabilities were added up. Probabilities multiply; their logarithms add.",
        ),
        Slip(
            "over_places",
            partial(_log_prob_wrong, how="over_places"),
            "The softmax was taken over the places. At each place the probabilities over the vocabulary, the last "
            "dimension, sum to 1.",
        ),
        Slip(
            "best",
            partial(_log_prob_wrong, how="best"),
            "That is the likeliest token of each place. Gather the log-probability of the token that stands there.",
        ),
        Slip(
            "shifted",
            partial(_log_prob_wrong, how="shifted"),
            "The first token was left out. The logits are lined up with the ids here already: place t "
            "scores ids[:, t].",
        ),
        Slip(
            "sign",
            partial(_log_prob_wrong, how="sign"),
            "The sign is turned around: a log-probability is never above 0.",
        ),
    ),
    alternatives=(_log_prob_cross_entropy, _log_prob_one_by_one),
    hints=(
        "First the log-probability of every token at every place, then pick the ones that stand there.",
        "log_softmax over the last dimension, gather at ids.unsqueeze(-1), then 0 where attention_mask is False.",
        "chosen = logits.log_softmax(-1).gather(-1, ids.unsqueeze(-1)).squeeze(-1); return "
        "chosen.masked_fill(~attention_mask, 0.0).sum(1)",
    ),
)
