"""Exercise `tempered_probs`."""

import math
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch03.shared import drawer


def tempered_probs(logits, temperature):
    """Return the probabilities from which a token is drawn.

    Args:
        logits: (V,) or (B, V), of any size.
        temperature: 0 or more.

    Returns:
        A tensor like `logits`; each row sums to 1.

    Raises:
        ValueError: the temperature is negative.

    >>> [round(value, 3) for value in tempered_probs(torch.tensor([0.0, math.log(2)]), 0.5).tolist()]
    [0.2, 0.8]
    """
    if temperature < 0:
        raise ValueError(f"`temperature` must be 0 or more, got {temperature}.")
    if temperature == 0:
        return F.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    return torch.softmax(logits / temperature, dim=-1)


def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    worked = torch.tensor([0.0, math.log(2.0)], dtype=torch.float64)
    return [
        case("the worked example", worked, 0.5),
        border("one row of seven logits, cold", draw(7), 0.3),
        case("hot", draw(5), 2.5),
        case("three rows at once", draw(3, 5), 0.7),
        case("as many rows as logits", 3 * draw(3, 3), 1.7),
        border("temperature 1: the model's own", draw(5), 1.0),
        border("temperature 0: the likeliest token", draw(3, 5), 0.0),
        border("temperature 0 and two equal logits", torch.tensor([1.0, 3.0, 3.0], dtype=torch.float64), 0.0),
        border("logits far above 0", 5 * draw(5) + 900, 0.5),
        border("one token", draw(1), 0.8),
        case("float32", drawer(seed, torch.float32)(2, 3), 0.6),
        border("a negative temperature", draw(3), -1.0),
    ]


def _tempered_wrong(logits: Tensor, temperature: float, *, how: str) -> Tensor:
    if temperature < 0 and how != "any":
        raise ValueError("temperature")
    if temperature == 0 and how not in ("nan", "all_best"):
        return F.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    if temperature == 0 and how == "all_best":
        best = (logits == logits.max(-1, keepdim=True).values).to(logits.dtype)
        return best / best.sum(-1, keepdim=True)
    if how == "times":
        return (logits * temperature).softmax(-1)
    if how == "ignored":
        return logits.softmax(-1)
    if how == "softmax_first":
        return (logits.softmax(-1) / temperature).softmax(-1)
    if how == "unstable":
        raised = (logits / temperature).exp()
        return raised / raised.sum(-1, keepdim=True)
    if how == "first_dim":
        return (logits / temperature).softmax(0)
    if how == "not_divided":
        return (logits.softmax(-1)) ** (1 / temperature)
    return (logits / temperature).softmax(-1)


def _tempered_by_powers(logits: Tensor, temperature: float) -> Tensor:
    if not temperature >= 0:
        raise ValueError("negative")
    if not temperature:
        probs = torch.zeros_like(logits)
        return probs.scatter_(-1, logits.argmax(-1, keepdim=True), 1.0)
    logs = logits.log_softmax(-1) / temperature
    return (logs - logs.logsumexp(-1, keepdim=True)).exp()


def _tempered_by_differences(logits: Tensor, temperature: float) -> Tensor:
    if temperature < 0.0:
        raise ValueError("temperature < 0")
    first = logits.max(-1, keepdim=True)
    if temperature == 0.0:
        return (torch.arange(logits.shape[-1]) == first.indices).to(logits.dtype)
    weights = ((logits - first.values) / temperature).exp()
    return weights / weights.sum(-1, keepdim=True)


task = Task(
    tempered_probs,
    points=2,
    difficulty=2,
    minutes=10,
    cases=cases,
    compare=Compare(rtol=1e-5, atol=1e-8),
    slips=(
        Slip(
            "times",
            partial(_tempered_wrong, how="times"),
            "The logits were multiplied with the temperature, so that hot and cold are exchanged. Divide: a small "
            "temperature makes the differences large.",
        ),
        Slip(
            "ignored",
            partial(_tempered_wrong, how="ignored"),
            "The temperature changes nothing here: it is not used, or the probabilities were divided by it and then "
            "made to sum to 1 again. Divide the logits by it, before the softmax.",
        ),
        Slip(
            "softmax_first",
            partial(_tempered_wrong, how="softmax_first"),
            "The softmax was taken twice, before the division and after it. Divide the logits, then take it once.",
        ),
        Slip(
            "not_normalised",
            partial(_tempered_wrong, how="not_divided"),
            "The probabilities were raised to the power 1 / temperature, which is right, but they no longer sum to 1.",
        ),
        Slip(
            "zero_divides",
            partial(_tempered_wrong, how="nan"),
            "At temperature 0 the logits are divided by 0 and the result is NaN. By convention 0 means: the likeliest "
            "token with probability 1.",
        ),
        Slip(
            "ties_share",
            partial(_tempered_wrong, how="all_best"),
            "At temperature 0 two equal logits share the probability. Here the first of them gets all, so that greedy "
            "choices are always the same.",
        ),
        Slip(
            "unstable",
            partial(_tempered_wrong, how="unstable"),
            "exp of a large logit is infinite, and infinity by infinity is no number. torch.softmax subtracts the "
            "largest logit first.",
        ),
        Slip(
            "first_dimension",
            partial(_tempered_wrong, how="first_dim"),
            "The softmax ran over the first dimension. Each row is a distribution of its own: dim=-1.",
        ),
        Slip(
            "any_temperature",
            partial(_tempered_wrong, how="any"),
            "The numbers are right, but a negative temperature prefers the least likely tokens in silence. Raise "
            "ValueError.",
        ),
    ),
    alternatives=(_tempered_by_powers, _tempered_by_differences),
    hints=(
        "What happens to the differences between logits when all are divided by 0.5? By 2?",
        "torch.softmax(logits / temperature, dim=-1), with two cases to treat before: 0 and below 0.",
        "if temperature == 0: return F.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)",
    ),
)
