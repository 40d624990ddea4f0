"""Exercise `text_bits`."""

import math
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch03.shared import drawer


def text_bits(logits, targets, n_bytes):
    """Return the bits per byte that a model needs for a text.

    Args:
        logits: (T, V), floating point, of any size: exp of them may be infinite.
        targets: the ids of the tokens that came, (T,).
        n_bytes: the length of the text in bytes.

    Returns:
        A float.

    Raises:
        ValueError: `n_bytes` is below 1.

    >>> round(text_bits(torch.tensor([[1.0, 1.0], [3.0, 3.0]]), torch.tensor([0, 1]), 2), 3)
    1.0
    """
    if n_bytes < 1:
        raise ValueError(f"`n_bytes` must be at least 1, got {n_bytes}.")
    log_probs = torch.log_softmax(logits, dim=-1)
    nats = -log_probs.gather(1, targets[:, None]).sum()
    return nats.item() / (n_bytes * math.log(2))


def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    generator = torch.Generator().manual_seed(seed)

    def ids(count: int, size: int) -> Tensor:
        return torch.randint(size, (count,), generator=generator)

    halves = torch.tensor([[1.0, 1.0], [3.0, 3.0]], dtype=torch.float64)
    large = torch.tensor([[900.0, 890.0, 0.0], [0.0, 5.0, 900.0]], dtype=torch.float64) + draw(2, 3)
    return [
        case("the worked example", halves, torch.tensor([0, 1]), 2),
        border("five characters of one byte each", draw(5, 7), ids(5, 7), 5),
        case("three tokens that stand for eleven bytes", draw(3, 13), ids(3, 13), 11),
        case("as many tokens as the vocabulary has", 2 * draw(5, 5), ids(5, 5), 5),
        border("one token", draw(1, 3), ids(1, 3), 1),
        border("logits so large that exp gives infinity", large, torch.tensor([1, 1]), 2),
        case("float32", drawer(seed, torch.float32)(4, 3), ids(4, 3), 6),
        border("no bytes", draw(2, 3), ids(2, 3), 0),
    ]


def _bits_wrong(logits: Tensor, targets: Tensor, n_bytes: int, *, how: str) -> float:
    if how != "any_bytes" and n_bytes < 1:
        raise ValueError("n_bytes")
    if how == "over_time":
        logs = logits.log_softmax(0)
    elif how == "unstable":
        logs = (logits.exp() / logits.exp().sum(-1, keepdim=True)).log()
    elif how == "twice":
        logs = logits.softmax(-1).log_softmax(-1)
    elif how == "raw":
        logs = logits
    else:
        logs = logits.log_softmax(-1)
    of_targets = logs[torch.arange(len(targets)), targets]
    if how == "likeliest":
        of_targets = logs.max(-1).values
    if how == "mean_prob":
        return float(-of_targets.exp().mean().log2()) * len(targets) / n_bytes
    nats = -of_targets.double().sum().item()
    if how == "nats":
        return nats / n_bytes
    if how == "per_token":
        return nats / math.log(2) / len(targets)
    if how == "total":
        return nats / math.log(2)
    if how == "perplexity":
        return math.exp(min(nats / len(targets), 700))
    if how == "any_bytes":
        return nats / math.log(2) / n_bytes if n_bytes else 0.0
    return nats / math.log(2) / n_bytes


def _bits_by_cross_entropy(logits: Tensor, targets: Tensor, n_bytes: int) -> float:
    if n_bytes <= 0:
        raise ValueError("n_bytes")
    return F.cross_entropy(logits, targets, reduction="sum").item() / math.log(2) / n_bytes


def _bits_by_loop(logits: Tensor, targets: Tensor, n_bytes: int) -> float:
    if not n_bytes > 0:
        raise ValueError("no bytes")
    bits = 0.0
    for row, target in zip(logits.double().tolist(), targets.tolist(), strict=True):
        top = max(row)
        bits += math.log2(sum(math.exp(value - top) for value in row)) - (row[target] - top) / math.log(2)
    return bits / n_bytes


task = Task(
    text_bits,
    points=3,
    difficulty=2,
    minutes=15,
    cases=cases,
    compare=Compare(rtol=1e-5, atol=1e-8),
    slips=(
        Slip(
            "nats",
            partial(_bits_wrong, how="nats"),
            "These are nats: torch's logarithm is the natural one. Divide by ln 2 to have bits.",
        ),
        Slip(
            "per_token",
            partial(_bits_wrong, how="per_token"),
            "These are bits a token. A token may stand for several bytes: divide by the number of bytes.",
        ),
        Slip(
            "total",
            partial(_bits_wrong, how="total"),
            "These are the bits of the whole text, most of the way. Divide by the number of its bytes.",
        ),
        Slip(
            "unstable",
            partial(_bits_wrong, how="unstable"),
            "Right for small logits, but exp(900) is infinite, and infinity by infinity is no number. Use log_softmax, "
            "which subtracts the largest logit first.",
        ),
        Slip(
            "softmax_twice",
            partial(_bits_wrong, how="twice"),
            "The softmax was taken twice: log_softmax (and cross_entropy) already turns logits into log-probabilities.",
        ),
        Slip(
            "softmax_over_time",
            partial(_bits_wrong, how="over_time"),
            "The softmax ran over the text instead of the vocabulary. At each place the probabilities of all tokens "
            "sum to 1: dim=-1.",
        ),
        Slip(
            "likeliest",
            partial(_bits_wrong, how="likeliest"),
            "The probability of the likeliest token was counted. What counts is the probability of the token that "
            "came, targets.",
        ),
        Slip(
            "mean_of_probabilities",
            partial(_bits_wrong, how="mean_prob"),
            "The probabilities were averaged before the logarithm. The text's probability is their product, so the "
            "logarithms are added.",
        ),
        Slip(
            "perplexity",
            partial(_bits_wrong, how="perplexity"),
            "That is the perplexity, a token's. Bits per byte is a sum of logarithms, divided by the bytes.",
        ),
        Slip(
            "any_bytes",
            partial(_bits_wrong, how="any_bytes"),
            "The numbers are right, but a text of no bytes has no bits per byte. Raise ValueError.",
        ),
    ),
    alternatives=(_bits_by_cross_entropy, _bits_by_loop),
    hints=(
        "What did the model say about each token that came? Add up what those tokens cost.",
        "torch.log_softmax(logits, dim=-1) gives the log-probabilities; .gather(1, targets[:, None]) picks one a row.",
        "nats = -log_probs.gather(1, targets[:, None]).sum(); return nats.item() / (n_bytes * math.log(2))",
    ),
)
