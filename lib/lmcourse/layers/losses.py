"""A language model's last layer and its loss in one.

N tokens, D width, V vocabulary.
"""

from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse import checks, tensor_checks
from lmcourse.kernels.linear_cross_entropy import linear_cross_entropy_in_parts
from lmcourse.kernels.switch import enabled_eagerly

IGNORE_INDEX = -100  # the label of a position that is not to be predicted, as in F.cross_entropy


def linear_cross_entropy(
    hidden: Tensor, weight: Tensor, targets: Tensor, *, reduction: Literal["mean", "sum"] = "mean"
) -> Tensor:
    """Return -log softmax(hidden W^T) at the targets, in nats: `F.cross_entropy` of a linear layer.

    The plain form keeps all N V logits several times over. Outside of `lmcourse.kernels.plain()`, a fast twin makes
    them a part at a time.

    Args:
        hidden: (N, D).
        weight: (V, D).
        targets: class indices, (N,), N at least 1.
        reduction: "mean" or "sum" over the tokens.

    Returns:
        a scalar, float32 (float64 for float64). The fast twin can be differentiated once.

    Raises:
        TypeError: targets that are not whole numbers; hidden and weight that are not of one floating-point dtype.
        ValueError: shapes that do not fit, or (checked on the CPU) a target outside 0..V-1.
    """
    tensor_checks.floating(hidden=hidden, weight=weight)
    tensor_checks.same_dtype(hidden=hidden, weight=weight)
    tensor_checks.shape(("N", "D"), hidden=hidden)
    tensor_checks.shape(("V", hidden.shape[1]), weight=weight)
    tensor_checks.integers(targets=targets, at_least=0, below=len(weight))
    tensor_checks.shape((len(hidden),), targets=targets)
    tensor_checks.same_device(hidden=hidden, weight=weight, targets=targets)
    checks.one_of(("mean", "sum"), reduction=reduction)
    if len(hidden) == 0:
        raise ValueError(f"`hidden` must have shape (N, D) with N at least 1, got {tuple(hidden.shape)}.")
    if enabled_eagerly(hidden, weight, targets):
        total = linear_cross_entropy_in_parts(hidden, weight, targets.long())
        return total / len(hidden) if reduction == "mean" else total
    logits = F.linear(hidden, weight)  # (N, V)
    logits = logits.to(torch.promote_types(logits.dtype, torch.float32))
    return F.cross_entropy(logits, targets.long(), reduction=reduction)
