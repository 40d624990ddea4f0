"""Losses that more than one chapter trains with, in nats."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse import checks, tensor_checks


def label_smoothed_kl(
    logits: Tensor, targets: Tensor, *, smoothing: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """Return the KL divergence, in nats, from the smoothed target distribution to the model's, averaged.

    q(k) = (1 - eps) * [k = target] + eps / V; KL(q || p) = sum over k of q(k) * (log q(k) - log p(k)). That is
    `F.cross_entropy(..., label_smoothing=eps)` less the entropy of q, a constant: the gradients are the same, but 0
    is reached exactly when p = q.

    Args:
        logits: (..., V). A logit of -inf is a probability of 0: with `smoothing` above 0 the divergence is infinite.
        targets: class indices, (...), of any integer dtype.
        smoothing: eps, at least 0 and less than 1.
        ignore_index: targets of this value do not count; None counts all.

    Returns:
        The mean over the targets that count, a scalar; 0 if none does (where `F.cross_entropy` gives NaN).

    Raises:
        TypeError: logits that are not floating-point, or targets that are not integers.
        ValueError: shapes that do not match, no targets, `smoothing` out of range, or (checked on the CPU) a target
            outside 0..V-1.

    Source: Szegedy et al., 2016, section 7; Vaswani et al., 2017, section 5.4.
    """
    checks.number(smoothing=smoothing, at_least=0.0, below=1.0)
    if ignore_index is not None:
        checks.whole(ignore_index=ignore_index)
    tensor_checks.floating(logits=logits)
    tensor_checks.integers(targets=targets)
    if logits.dim() == 0 or logits.shape[:-1] != targets.shape or logits.numel() == 0:
        raise ValueError(
            "`logits` must have the shape of `targets` and one dimension more, not empty, "
            f"got {tuple(logits.shape)} and {tuple(targets.shape)}."
        )
    tensor_checks.same_device(logits=logits, targets=targets)
    counted = torch.ones_like(targets, dtype=torch.bool) if ignore_index is None else targets != ignore_index
    V = logits.shape[-1]
    indices = targets.long().masked_fill(~counted, 0)
    tensor_checks.integers(targets=indices, at_least=0, below=V)
    if logits.dtype in (torch.float16, torch.bfloat16):
        logits = logits.float()
    log_probs = F.log_softmax(logits, dim=-1)  # (..., V)
    of_target = log_probs.gather(-1, indices.unsqueeze(-1)).squeeze(-1)  # (...)
    cross_entropy = -(1.0 - smoothing) * of_target
    if smoothing > 0.0:  # 0 times the log-probability of a logit of -inf would be NaN
        cross_entropy = cross_entropy - smoothing * log_probs.mean(-1)
    kl = cross_entropy - smoothed_entropy(V, smoothing)
    return kl.masked_fill(~counted, 0.0).sum() / counted.sum().clamp(min=1)


def smoothed_entropy(num_classes: int, smoothing: float) -> float:
    """Return the entropy, in nats, of the smoothed target distribution: the smallest cross-entropy with it.

    Args:
        num_classes: V, at least 1.
        smoothing: eps, at least 0 and less than 1.
    """
    checks.whole(num_classes=num_classes, at_least=1)
    checks.number(smoothing=smoothing, at_least=0.0, below=1.0)
    of_each = smoothing / num_classes
    of_target = 1.0 - smoothing + of_each
    entropy = -of_target * math.log(of_target)
    if of_each > 0.0:
        entropy -= (num_classes - 1) * of_each * math.log(of_each)
    return entropy
