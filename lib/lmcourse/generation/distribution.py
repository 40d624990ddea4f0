"""From a model's logits to a distribution over the next token, and from that to a token.

B rows, V vocabulary.
"""

import math
from types import NoneType
from typing import Unpack

import torch
from torch import Tensor

from lmcourse import checks, tensor_checks
from lmcourse.generation.config import SamplingConfig, SamplingSettings, configured


def sampling_distribution(
    logits: Tensor,
    config: SamplingConfig | None = None,
    *,
    seen: Tensor | None = None,
    **settings: Unpack[SamplingSettings],
) -> Tensor:
    """Return the probabilities from which the next token is sampled.

    softmax(logits / temperature), of which only some tokens are kept and made to sum to 1 again: the `top_k`
    likeliest; of these the fewest likeliest whose probabilities sum to at least `top_p`; of these the ones at least
    `min_p` times as likely as the likeliest. At temperature 0 all of the probability is on the likeliest token (the
    first of equals). Before all of this, `repetition_penalty` divides the logits of `seen` tokens that are positive,
    and multiplies those that are negative.

    Args:
        logits: (..., V).
        config: the settings; by default those of `SamplingConfig()`.
        seen: (..., V) bool, True = the text holds this token; needed with a repetition penalty only.
        settings: single settings by name, such as `temperature=0.7`; they replace those of `config`.

    Returns:
        (..., V) in float32 (float64 for float64 logits).

    Raises:
        TypeError: logits that are not floating point, `seen` not bool, a setting of another kind.
        ValueError: a setting out of range, a row of logits with NaN, +inf or no possible token (seen on the CPU),
            `seen` of another shape than the logits, or missing.

    Source: top-k from Fan, Lewis and Dauphin, 2018, section 5.4; top-p from Holtzman et al., 2020, equation 2; min-p
    from Nguyen et al., 2024, section 3; repetition penalty from Keskar et al., 2019, section 4.1, whose division would
    favour a token with a negative logit.
    """
    config = configured(config, settings)
    tensor_checks.floating(logits=logits)
    if logits.dim() == 0 or logits.shape[-1] == 0:
        raise ValueError(f"`logits` must have shape (..., V) with V at least 1, got {tuple(logits.shape)}.")
    if seen is not None:
        tensor_checks.boolean(seen=seen)
        tensor_checks.same_shape(logits=logits, seen=seen)
        tensor_checks.same_device(logits=logits, seen=seen)
    logits = _penalized(logits if logits.dtype == torch.float64 else logits.float(), seen, config.repetition_penalty)
    highest, likeliest = logits.max(-1, keepdim=True)
    _check_finite(highest)
    if config.temperature == 0.0:
        return torch.zeros_like(logits).scatter_(-1, likeliest, 1.0)
    smallest = torch.finfo(
        logits.dtype
    ).tiny  # less counts as 0: dividing by it gives NaN, a `top_p` of it keeps no token
    scaled = (logits - highest) / max(config.temperature, smallest)
    if config.top_k is not None and config.top_k < logits.shape[-1]:
        kept = scaled.topk(config.top_k, dim=-1).indices
        scaled = torch.full_like(scaled, -torch.inf).scatter_(-1, kept, scaled.gather(-1, kept))
    probs = scaled.softmax(dim=-1)
    if config.top_p is not None and config.top_p < 1.0:
        ordered, order = probs.sort(dim=-1, descending=True, stable=True)
        before = ordered.cumsum(dim=-1) - ordered  # the sum of the likelier tokens
        kept = ordered.masked_fill(before >= max(config.top_p, smallest), 0.0)
        probs = torch.zeros_like(probs).scatter_(-1, order, kept)
    if config.min_p is not None:
        probs = probs.masked_fill(probs < config.min_p * probs.amax(-1, keepdim=True), 0.0)
    if config.top_p is None and config.min_p is None:
        return probs
    return probs / probs.sum(dim=-1, keepdim=True)


def next_token(
    logits: Tensor, config: SamplingConfig, *, seen: Tensor | None = None, generator: torch.Generator | None = None
) -> Tensor:
    """Return the next token of each row of logits (B, V), (B,), sampled from `sampling_distribution`."""
    if config.temperature == 0.0:  # without a random number
        highest, token = _penalized(logits, seen, config.repetition_penalty).max(-1)
        _check_finite(highest)
        return token
    return sample_categorical(sampling_distribution(logits, config, seen=seen), generator=generator)


def sample_categorical(probs: Tensor, *, generator: torch.Generator | None = None) -> Tensor:
    """Return one index for each row of probabilities (B, V), sampled by inversion, (B,).

    It is the first whose cumulative probability is above a uniform random number: one random number for each row,
    where `torch.multinomial` needs V. An index of probability 0 is never sampled.

    Args:
        probs: (B, V), 0 or more; a row need not sum to 1.
        generator: for reproducible samples, on the device of `probs`.

    Raises:
        TypeError: `probs` are not floating point.
        ValueError: another shape, or a row that holds NaN, infinity, a negative number, or nothing but zeros.

    Source: Devroye, "Non-uniform random variate generation", 1986, section II.2.
    """
    tensor_checks.floating(probs=probs)
    tensor_checks.shape(("B", "V"), probs=probs)
    tensor_checks.has_values(probs=probs)
    checks.instance((torch.Generator, NoneType), generator=generator)
    if probs.numel() == 0:
        raise ValueError(f"`probs` must have shape (B, V) with B and V at least 1, got {tuple(probs.shape)}.")
    cumulative = probs.cumsum(-1, dtype=torch.float64)  # (B, V)
    total = cumulative[:, -1:]
    least, smallest, largest = torch.stack([probs.min().double(), *total.aminmax()]).tolist()
    if not (least >= 0.0 and 0.0 < smallest <= largest < math.inf):
        raise ValueError(
            "`probs` must be finite, 0 or more, with a sum above 0 in each row: are the model's logits finite?"
        )
    uniform = torch.rand(total.shape, dtype=torch.float64, device=probs.device, generator=generator) * total
    below = torch.minimum(uniform, total.nextafter(torch.zeros_like(total)))  # a product may be rounded up
    return torch.searchsorted(cumulative, below, right=True).squeeze(1)


def _penalized(logits: Tensor, seen: Tensor | None, penalty: float) -> Tensor:
    if penalty == 1.0:
        return logits
    if seen is None:
        raise ValueError(f"`seen` must be given with repetition_penalty={penalty}, got None.")
    return torch.where(seen, torch.where(logits > 0, logits / penalty, logits * penalty), logits)


def _check_finite(highest: Tensor) -> None:
    """Refuse logits whose largest of a row is NaN or infinite."""
    if tensor_checks.values_are_readable(highest) and not all(map(math.isfinite, highest.flatten().tolist())):
        raise ValueError(
            "`logits` must be finite, or -inf for some tokens of a row but not for all of them: are the weights finite?"
        )
