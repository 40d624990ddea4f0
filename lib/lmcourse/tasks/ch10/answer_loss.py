"""Exercise `answer_loss`."""

from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch10.shared import draw_ids, draw_marks


def answer_loss(logits, ids, answer):
    """Return the mean cost of the tokens of answers, in nats.

    Args:
        logits: (B, T, V), T at least 2.
        ids: the tokens that were read, (B, T).
        answer: (B, T) bool, True at the tokens of answers.

    Returns:
        A scalar tensor. The gradient must flow through it.

    >>> logits = torch.tensor([[[9.0, 0.0], [0.0, math.log(3.0)], [5.0, 5.0]]])
    >>> answer = torch.tensor([[False, False, True]])
    >>> round(answer_loss(logits, torch.tensor([[0, 1, 1]]), answer).item(), 3)
    0.288
    """
    log_probs = logits[:, :-1].log_softmax(-1)
    costs = -log_probs.gather(2, ids[:, 1:, None])[..., 0]
    counted = answer[:, 1:].to(costs.dtype)
    return (counted * costs).sum() / counted.sum().clamp(min=1)


def cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def draw(*sizes: int, grad: bool = False, dtype: torch.dtype = torch.float64) -> Tensor:
        return torch.randn(*sizes, generator=generator, dtype=dtype).requires_grad_(grad)

    worked = torch.tensor([[[9.0, 0.0], [0.0, 1.0986122886681098], [5.0, 5.0]]], dtype=torch.float64)

    def ids(B: int, T: int, V: int) -> Tensor:
        return draw_ids(seed, B, T, vocab_size=V)

    uneven = torch.arange(11)[None] >= torch.tensor([[3], [10]])
    return [
        case("the worked example", worked, torch.tensor([[0, 1, 1]]), torch.tensor([[False, False, True]])),
        case("three texts of seven tokens", draw(3, 7, 5), ids(3, 7, 5), draw_marks(seed, 3, 7)),
        case("answers of different lengths", draw(2, 11, 3), ids(2, 11, 3), uneven),
        case("the gradients", draw(2, 5, 3, grad=True), ids(2, 5, 3), uneven[:, 3:8]),
        border("one row without an answer", draw(2, 5, 7), ids(2, 5, 7), uneven[:, :5]),
        border("nothing to learn, all masked: the loss is 0", draw(2, 3, 5), ids(2, 3, 5), uneven[:, :3]),
        border("two tokens, one prediction", draw(1, 2, 5), ids(1, 2, 5), torch.tensor([[False, True]])),
        case("float32", draw(2, 5, 3, dtype=torch.float32), ids(2, 5, 3), uneven[:, 3:8]),
    ]


def _loss_wrong(logits: Tensor, ids: Tensor, answer: Tensor, *, how: str) -> Tensor:
    costs = -logits[:, :-1].log_softmax(-1).gather(2, ids[:, 1:, None])[..., 0]
    m = answer[:, 1:].to(logits.dtype)
    n = m.sum().clamp(min=1)
    if how == "all":
        return costs.mean()
    if how == "over_all":
        return (m * costs).mean()
    if how == "by_row":
        return ((m * costs).sum(1) / m.sum(1).clamp(min=1)).mean()
    if how == "sum":
        return (m * costs).sum()
    if how == "mask_not_shifted":
        m = answer[:, :-1].to(logits.dtype)
        return (m * costs).sum() / m.sum().clamp(min=1)
    if how == "not_shifted":
        here = -logits.log_softmax(-1).gather(2, ids[..., None])[..., 0]
        return (answer * here).sum() / answer.sum().clamp(min=1)
    if how == "nan":
        return (m * costs).sum() / m.sum()
    return ((1 - m) * costs).sum() / (1 - m).sum().clamp(min=1) + 0 * n


def _loss_by_gather(logits: Tensor, ids: Tensor, answer: Tensor) -> Tensor:
    log_probs = logits.log_softmax(-1)[:, :-1].gather(2, ids[:, 1:].unsqueeze(2)).squeeze(2)
    kept = answer[:, 1:]
    return -torch.where(kept, log_probs, torch.zeros_like(log_probs)).sum() / max(1, int(kept.sum()))


def _loss_by_selecting(logits: Tensor, ids: Tensor, answer: Tensor) -> Tensor:
    kept = answer[:, 1:]
    if not bool(kept.any()):
        return logits.sum() * 0.0
    return F.cross_entropy(logits[:, :-1][kept], ids[:, 1:][kept])


task = Task(
    answer_loss,
    points=3,
    difficulty=3,
    minutes=20,
    cases=cases,
    compare=Compare(rtol=1e-5, atol=1e-8, gradient=True),
    slips=(
        Slip(
            "all",
            partial(_loss_wrong, how="all"),
            "The prompts are in the loss, too. Only tokens that are marked as answer count.",
        ),
        Slip(
            "over_all",
            partial(_loss_wrong, how="over_all"),
            "The answers' cost was divided by the number of all tokens, so a long prompt makes the loss small. "
            "Divide by "
            "the number of answer tokens.",
        ),
        Slip(
            "by_row",
            partial(_loss_wrong, how="by_row"),
            "This is the mean of the rows' means: a token of a short answer weighs more than one of a long "
            "answer. Divide "
            "the sum over the batch by the number of answer tokens in it.",
        ),
        Slip(
            "sum",
            partial(_loss_wrong, how="sum"),
            "This is the sum. Divide by the number of answer tokens, so that the size of a batch does not matter.",
        ),
        Slip(
            "mask_not_shifted",
            partial(_loss_wrong, how="mask_not_shifted"),
            "The marks are one place off: the prediction at place t counts if token t + 1 is part of an answer.",
        ),
        Slip(
            "not_shifted",
            partial(_loss_wrong, how="not_shifted"),
            "Each place was asked for the token that it has just read. The logits at t are about token t + 1.",
        ),
        Slip(
            "nan",
            partial(_loss_wrong, how="nan"),
            "A batch with nothing to learn gives 0/0, and one NaN spoils all weights. Its loss is 0.",
        ),
        Slip(
            "prompts",
            partial(_loss_wrong, how="prompts"),
            "This is the loss on the prompts. The marks say what counts, not what is left out.",
        ),
    ),
    alternatives=(_loss_by_gather, _loss_by_selecting),
    hints=(
        "Make the cost of every prediction first, (B, T - 1). Which of them count, and what is the sum divided by?",
        "costs = -log_softmax gathered at ids[:, 1:]; m = answer[:, 1:]; (m * costs).sum() / m.sum(), and beware of 0.",
        "costs = -logits[:, :-1].log_softmax(-1).gather(2, ids[:, 1:, None])[..., 0]; m = answer[:, "
        "1:].to(costs.dtype); "
        "return (m * costs).sum() / m.sum().clamp(min=1)",
    ),
)
