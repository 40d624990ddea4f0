"""Exercise `next_token_loss`."""

from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch08.shared import draw_ids, drawer


def next_token_loss(logits, ids):
    """Return the mean cost of the tokens after the first, in nats.

    Args:
        logits: (B, T, V), T at least 2.
        ids: the tokens that were read, (B, T).

    Returns:
        A scalar tensor. The gradient must flow through it.

    >>> logits = torch.tensor([[[0.0, 0.0], [0.0, math.log(3.0)], [5.0, 5.0]]])
    >>> round(next_token_loss(logits, torch.tensor([[0, 1, 1]])).item(), 3)
    0.49
    """
    V = logits.shape[-1]
    return F.cross_entropy(logits[:, :-1].reshape(-1, V), ids[:, 1:].reshape(-1))


def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    worked = torch.tensor([[[0.0, 0.0], [0.0, 1.0986122886681098], [5.0, 5.0]]], dtype=torch.float64)
    return [
        case("the worked example", worked, torch.tensor([[0, 1, 1]])),
        case("three texts of seven tokens", draw(3, 7, 5), draw_ids(seed, 5, 3, 7)),
        case("the gradients", draw(2, 5, 3, grad=True), draw_ids(seed + 1, 3, 2, 5)),
        case("as many tokens as there are in the vocabulary", draw(2, 5, 5), draw_ids(seed + 2, 5, 2, 5)),
        border("two tokens: one prediction", draw(3, 2, 7), draw_ids(seed + 3, 7, 3, 2)),
        border("one text", 3 * draw(1, 11, 2), draw_ids(seed + 4, 2, 1, 11)),
        case("the same token throughout", draw(1, 5, 3), torch.full((1, 5), 2)),
        case("float32", drawer(seed, torch.float32)(2, 3, 5), draw_ids(seed + 5, 5, 2, 3)),
    ]


def _loss_wrong(logits: Tensor, ids: Tensor, *, how: str) -> Tensor:
    V = logits.shape[-1]
    if how == "not_shifted":
        return F.cross_entropy(logits.reshape(-1, V), ids.reshape(-1))
    if how == "backwards":
        return F.cross_entropy(logits[:, 1:].reshape(-1, V), ids[:, :-1].reshape(-1))
    if how == "last_only":
        return F.cross_entropy(logits[:, -2], ids[:, -1])
    shifted, targets = logits[:, :-1].reshape(-1, V), ids[:, 1:].reshape(-1)
    if how == "sum":
        return F.cross_entropy(shifted, targets, reduction="sum")
    if how == "bits":
        return F.cross_entropy(shifted, targets) / torch.log(torch.tensor(2.0, dtype=logits.dtype))
    if how == "softmax_first":
        return F.cross_entropy(shifted.softmax(-1), targets)
    if how == "rolled":
        return F.cross_entropy(logits.reshape(-1, V), ids.roll(-1, dims=1).reshape(-1))
    return -shifted.softmax(-1).gather(-1, targets[:, None]).mean()


def _loss_by_gather(logits: Tensor, ids: Tensor) -> Tensor:
    log_probs = torch.log_softmax(logits, dim=-1)[:, :-1]
    return -log_probs.gather(2, ids[:, 1:, None]).mean()


def _loss_by_loop(logits: Tensor, ids: Tensor) -> Tensor:
    B, T, _ = logits.shape
    costs = [logits[b, t].logsumexp(0) - logits[b, t, ids[b, t + 1]] for b in range(B) for t in range(T - 1)]
    return torch.stack(costs).mean()


task = Task(
    next_token_loss,
    points=2,
    difficulty=2,
    minutes=15,
    cases=cases,
    compare=Compare(rtol=1e-5, atol=1e-8, gradient=True),
    slips=(
        Slip(
            "not_shifted",
            partial(_loss_wrong, how="not_shifted"),
            "Each position was asked for the token that it has just read. The logits at t are about the token at "
            "t + 1: leave out the last logits and the first token.",
        ),
        Slip(
            "backwards",
            partial(_loss_wrong, how="backwards"),
            "Shifted the wrong way: each position was asked for the token before it. It must be logits[:, :-1] with "
            "ids[:, 1:].",
        ),
        Slip(
            "last_only",
            partial(_loss_wrong, how="last_only"),
            "Only the last prediction was counted. A decoder predicts at every position at once; that is what makes it "
            "cheap to train.",
        ),
        Slip(
            "sum",
            partial(_loss_wrong, how="sum"),
            "This is the sum over all predictions. Return the mean, so that the size of a batch does not matter.",
        ),
        Slip(
            "bits",
            partial(_loss_wrong, how="bits"),
            "The result is in bits. Losses in this course are in nats: natural logarithms, no division by ln 2.",
        ),
        Slip(
            "softmax_first",
            partial(_loss_wrong, how="softmax_first"),
            "cross_entropy takes a softmax itself, so two were taken. Give it the logits.",
        ),
        Slip(
            "rolled",
            partial(_loss_wrong, how="rolled"),
            "After roll, the last position is asked for the first token of the text. It has no next token: leave it "
            "out.",
        ),
        Slip(
            "no_log",
            partial(_loss_wrong, how="no_log"),
            "The probabilities of the right tokens were averaged without a logarithm. The loss is the mean of -log p.",
        ),
    ),
    alternatives=(_loss_by_gather, _loss_by_loop),
    hints=(
        "Of T tokens, how many can be predicted, and which logits are about the token at place 1?",
        "Take logits[:, :-1] and ids[:, 1:]; both have T - 1 places. F.cross_entropy wants (N, V) and (N,).",
        "V = logits.shape[-1]; return F.cross_entropy(logits[:, :-1].reshape(-1, V), ids[:, 1:].reshape(-1))",
    ),
)
