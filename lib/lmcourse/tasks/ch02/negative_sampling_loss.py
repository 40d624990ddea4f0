"""Exercise `negative_sampling_loss`."""

from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, case


def negative_sampling_loss(centre, context, noise):
    """Return the mean loss of skip-gram with negative sampling.

    Args:
        centre: vectors of the centres, a tensor of shape (B, D).
        context: vectors of the words that really were near, (B, D).
        noise: vectors of the noise words, (B, K, D).

    Returns:
        A tensor with one number, through which gradients reach all three.

    >>> v, u, n = torch.tensor([[2.0]]), torch.tensor([[1.5]]), torch.tensor([[[0.5], [-1.0]]])
    >>> round(negative_sampling_loss(v, u, n).item(), 4)
    1.4888
    """
    true = (context * centre).sum(-1)  # (B,)
    false = (noise @ centre.unsqueeze(-1)).squeeze(-1)  # (B, K, D) -> (B, K)
    return -(F.logsigmoid(true) + F.logsigmoid(-false).sum(1)).mean()


def cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def vectors(label: str, B: int, K: int, D: int, dtype: torch.dtype = torch.float64, size: float = 1.0) -> Case:
        def table(*shape: int) -> Tensor:
            return (size * torch.randn(*shape, generator=generator, dtype=torch.float64)).to(dtype).requires_grad_()

        return case(label, table(B, D), table(B, D), table(B, K, D))

    def column(*numbers: float) -> Tensor:
        return torch.tensor(numbers, dtype=torch.float64).unsqueeze(1)

    return [
        case("the worked example", column(2.0), column(1.5), column(0.5, -1.0).unsqueeze(0)),
        vectors("three pairs, five noise words each", 3, 5, 7),
        vectors("as many pairs as noise words as numbers", 3, 3, 3),
        vectors("eleven pairs", 11, 2, 5),
        vectors("one pair", 1, 5, 3),
        vectors("one noise word", 5, 1, 7),
        vectors("float32", 3, 5, 7, torch.float32),
        vectors("scores of some thousands, where exp is 0 or infinite", 5, 3, 7, size=30.0),
    ]


def _loss_wrong(centre: Tensor, context: Tensor, noise: Tensor, *, how: str) -> Tensor:
    true, false = (context * centre).sum(-1), (noise @ centre.unsqueeze(-1)).squeeze(-1)
    good, bad = F.logsigmoid(true), F.logsigmoid(-false)
    return {
        "sign": lambda: (good + bad.sum(1)).mean(),
        "noise_as_true": lambda: -(good + F.logsigmoid(false).sum(1)).mean(),
        "mean_noise": lambda: -(good + bad.mean(1)).mean(),
        "summed": lambda: -(good + bad.sum(1)).sum(),
        "true_only": lambda: -good.mean(),
        "noise_only": lambda: -bad.sum(1).mean(),
        "overflow": lambda: -(torch.sigmoid(true).log() + torch.sigmoid(-false).log().sum(1)).mean(),
        "softmax": lambda: -torch.cat([true[:, None], false], 1).log_softmax(1)[:, 0].mean(),
        "no_log": lambda: -(torch.sigmoid(true) + torch.sigmoid(-false).sum(1)).mean(),
        "detached": lambda: (
            -(
                F.logsigmoid((context * centre).sum(-1))
                + F.logsigmoid(-torch.einsum("bkd,bd->bk", noise.detach(), centre)).sum(1)
            ).mean()
        ),
    }[how]()


def _loss_by_softplus(centre: Tensor, context: Tensor, noise: Tensor) -> Tensor:
    per_pair = F.softplus(-torch.einsum("bd,bd->b", centre, context))
    return (per_pair + F.softplus((noise * centre[:, None]).sum(2)).sum(1)).mean()


def _loss_by_bce(centre: Tensor, context: Tensor, noise: Tensor) -> Tensor:
    words = torch.cat([context.unsqueeze(1), noise], dim=1)
    scores = torch.bmm(words, centre.unsqueeze(2)).squeeze(2)
    labels = torch.zeros_like(scores)
    labels[:, 0] = 1
    return F.binary_cross_entropy_with_logits(scores, labels, reduction="sum") / len(centre)


task = Task(
    negative_sampling_loss,
    points=3,
    difficulty=3,
    minutes=20,
    cases=cases,
    compare=Compare(rtol=1e-5, atol=1e-7, gradient=True),
    slips=(
        Slip(
            "sign",
            partial(_loss_wrong, how="sign"),
            "This is the logarithm of the probability, which should be large. A loss is its negative.",
        ),
        Slip(
            "noise_as_true",
            partial(_loss_wrong, how="noise_as_true"),
            "The noise words are rewarded like the true one. Their score enters with a minus: sigmoid(-score) is the "
            "probability that a word is noise.",
        ),
        Slip(
            "mean_noise",
            partial(_loss_wrong, how="mean_noise"),
            "The K noise words of a pair were averaged. They are added: each is a decision of its own.",
        ),
        Slip(
            "summed",
            partial(_loss_wrong, how="summed"),
            "The losses of the pairs were added. Take their mean, so that the loss does not grow with the batch.",
        ),
        Slip(
            "true_only",
            partial(_loss_wrong, how="true_only"),
            "The noise words are missing. Without them the loss falls to 0 by making all vectors alike and long.",
        ),
        Slip(
            "noise_only",
            partial(_loss_wrong, how="noise_only"),
            "The word that really was near is missing: its term -log sigmoid(u . v) comes first.",
        ),
        Slip(
            "overflow",
            partial(_loss_wrong, how="overflow"),
            "Right on paper, but sigmoid(-2000) is 0 in a computer, and log 0 is minus infinity. F.logsigmoid computes "
            "both steps in one without that.",
        ),
        Slip(
            "softmax",
            partial(_loss_wrong, how="softmax"),
            "This is a softmax over the true word and the noise. Negative sampling makes K + 1 separate yes-or-no "
            "decisions, each with a sigmoid.",
        ),
        Slip(
            "no_log",
            partial(_loss_wrong, how="no_log"),
            "The logarithms are missing: these are probabilities, added up. Take the log of each.",
        ),
        Slip(
            "detached",
            partial(_loss_wrong, how="detached"),
            "The value is right, but no gradient reaches the noise words. They learn too: they are pushed away.",
        ),
    ),
    alternatives=(_loss_by_softplus, _loss_by_bce),
    hints=(
        "K + 1 yes-or-no questions a pair. What are the scores, and which of them should be large?",
        "True score: (context * centre).sum(-1). Noise scores: (noise @ centre.unsqueeze(-1)).squeeze(-1), shape "
        "(B, K). F.logsigmoid is the safe logarithm of the sigmoid.",
        "return -(F.logsigmoid(true) + F.logsigmoid(-noise_scores).sum(1)).mean()",
    ),
)
