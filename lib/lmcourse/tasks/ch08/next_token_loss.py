"""Exercise `next_token_loss`."""

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch08.shared import draw_ids, drawer


def next_token_loss(logits, ids):
    """Return the mean cost of the tokens after the first, in nats.

    Large logits must not overflow.

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
        border(
            "rows of different magnitudes",
            (draw(2, 2, 5) * torch.tensor([[[0.3], [10_000.0]], [[300.0], [1e-30]]])).requires_grad_(),
            torch.tensor([[0, 3], [4, 1]]),
        ),
        border("one token in the vocabulary", draw(2, 3, 1), torch.zeros(2, 3, dtype=torch.int64)),
        border("logits near 1,000, where exp overflows", 1000 + draw(2, 3, 5), draw_ids(seed + 6, 5, 2, 3)),
        border(
            "a target with almost no chance",
            torch.tensor([[[0.0, 2000.0, 1.0], [0.0, 0.0, 0.0]]]),
            torch.tensor([[1, 0]]),
        ),
        border(
            "tensors whose parts do not lie in a row", draw(5, 7, 3).mT.contiguous().mT, draw_ids(seed + 7, 3, 7, 5).T
        ),
        border(
            "a text near 10,000 above one near -10,000",
            torch.tensor([[[1e4, 9999.0], [9998.0, 1e4]], [[-1e4, -9999.0], [0.0, 1.0]]]).double(),
            torch.tensor([[0, 1], [1, 0]]),
        ),
    ]


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
            (("logits[:, :-1].reshape", "logits.reshape"), ("ids[:, 1:]", "ids")),
            "Each position was asked for the token that it has just read. The logits at t are about the token at "
            "t + 1: leave out the last logits and the first token.",
        ),
        Slip(
            "backwards",
            (("logits[:, :-1]", "logits[:, 1:]"), ("ids[:, 1:]", "ids[:, :-1]")),
            "Shifted the wrong way: each position was asked for the token before it. It must be logits[:, :-1] with "
            "ids[:, 1:].",
        ),
        Slip(
            "last_only",
            (("logits[:, :-1]", "logits[:, -2:-1]"), ("ids[:, 1:]", "ids[:, -1:]")),
            "Only the last prediction was counted. A decoder predicts at every position at once; that is what makes it "
            "cheap to train.",
        ),
        Slip(
            "sum",
            ("reshape(-1))", 'reshape(-1), reduction="sum")'),
            "This is the sum over all predictions. Return the mean, so that the size of a batch does not matter.",
        ),
        Slip(
            "bits",
            ("reshape(-1))", "reshape(-1)) / torch.tensor(2.0).log()"),
            "The result is in bits. Losses in this course are in nats: natural logarithms, no division by ln 2.",
        ),
        Slip(
            "softmax_first",
            ("logits[:, :-1]", "logits[:, :-1].softmax(-1)"),
            "cross_entropy takes a softmax itself, so two were taken. Give it the logits.",
        ),
        Slip(
            "rolled",
            (("logits[:, :-1].reshape", "logits.reshape"), ("ids[:, 1:]", "ids.roll(-1, dims=1)")),
            "After roll, the last position is asked for the first token of the text. It has no next token: leave it "
            "out.",
        ),
        Slip(
            "no_log",
            (
                "F.cross_entropy(logits[:, :-1].reshape(-1, V), ids[:, 1:].reshape(-1))",
                "-logits[:, :-1].softmax(-1).gather(2, ids[:, 1:, None]).mean()",
            ),
            "The probabilities of the right tokens were averaged without a logarithm. The loss is the mean of -log p.",
        ),
        Slip(
            "divided_by_all",
            ("reshape(-1))", 'reshape(-1), reduction="sum") / ids.numel()'),
            "The sum was divided by all B * T tokens. The first token of a text is not predicted: there are B * (T - "
            "1) predictions.",
        ),
        Slip(
            "sum_over_a_text",
            ("reshape(-1))", 'reshape(-1), reduction="sum") / len(ids)'),
            "The costs of a text were added, and only the texts were averaged. Take one mean over all B * (T - 1) "
            "predictions.",
        ),
        Slip(
            "one_each",
            ("reshape(-1))", 'reshape(-1), reduction="none").view(len(ids), -1)'),
            "These are the costs of the single predictions. Return their mean, one number.",
        ),
        Slip(
            "a_mean_for_each_text",
            ("reshape(-1))", 'reshape(-1), reduction="none").view(len(ids), -1).mean(1)'),
            "There is one mean for each text here. Return the mean over the whole batch, one number.",
        ),
        Slip(
            "first_text_only",
            (("logits[:, :-1]", "logits[:1, :-1]"), ("ids[:, 1:]", "ids[:1, 1:]")),
            "Only the first text of the batch was counted. Use all B of them.",
        ),
        Slip(
            "overflow",
            (
                "F.cross_entropy(logits[:, :-1].reshape(-1, V), ids[:, 1:].reshape(-1))",
                "-(logits.exp() / logits.exp().sum(-1, keepdim=True))[:, :-1].gather(2, ids[:, 1:, None]).log().mean()",
            ),
            "exp of a large logit is infinite, and infinity divided by infinity is not a number. Use log_softmax or "
            "F.cross_entropy, which subtract the maximum first.",
        ),
        Slip(
            "softmax_then_log",
            (
                "F.cross_entropy(logits[:, :-1].reshape(-1, V), ids[:, 1:].reshape(-1))",
                "-logits[:, :-1].softmax(-1).gather(2, ids[:, 1:, None]).log().mean()",
            ),
            "A probability that softmax rounds to 0 has the logarithm minus infinity. Use log_softmax or "
            "F.cross_entropy, which stay finite.",
        ),
        Slip(
            "over_tokens",
            (
                "F.cross_entropy(logits[:, :-1].reshape(-1, V), ids[:, 1:].reshape(-1))",
                "-logits.log_softmax(1)[:, :-1].gather(2, ids[:, 1:, None]).mean()",
            ),
            "The softmax was taken over the tokens of the text. Take it over the vocabulary, the last axis.",
        ),
        Slip(
            "zero_as_padding",
            ("reshape(-1))", "reshape(-1), ignore_index=0)"),
            "Token 0 was left out as if it were padding. It is a token like any other: every token after the first "
            "counts.",
        ),
        Slip(
            "texts_mixed",
            ("ids[:, 1:].reshape(-1)", "ids[:, 1:].T.reshape(-1)"),
            "The logits were laid out text by text, and the ids token by token, so that they no longer belong "
            "together. Flatten both in the same order.",
        ),
        Slip(
            "one_maximum",
            (
                "F.cross_entropy(logits[:, :-1].reshape(-1, V), ids[:, 1:].reshape(-1))",
                "-((logits - logits.max()) - (logits - logits.max()).exp().sum(-1, keepdim=True).log())"
                "[:, :-1].gather(2, ids[:, 1:, None]).mean()",
            ),
            "One maximum was subtracted from the whole batch, so that a position far below it underflows. log_softmax "
            "and F.cross_entropy subtract that of each position.",
        ),
    ),
    alternatives=(_loss_by_gather, _loss_by_loop),
    hints=(
        "Of T tokens, how many can be predicted, and which logits are about the token at position 1?",
        "Take logits[:, :-1] and ids[:, 1:]; both have T - 1 positions. F.cross_entropy wants (N, V) and (N,).",
        "V = logits.shape[-1]; return F.cross_entropy(logits[:, :-1].reshape(-1, V), ids[:, 1:].reshape(-1))",
    ),
)
