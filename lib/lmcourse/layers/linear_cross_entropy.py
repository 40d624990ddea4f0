"""A language model's last layer and its loss in one: the logits of all tokens are never held at once.

N tokens, D width, V vocabulary.
"""

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

LOGITS = {"cpu": 1 << 20, "cuda": 1 << 26}  # held at once: what a processor's cache takes, what keeps a GPU busy
LEAST_ROWS = 256  # and never fewer than D: each part reads and writes the gradient of the whole matrix


def rows_at_once(device: str, width: int, vocabulary: int) -> int:
    """How many rows' logits are held at once."""
    return max(LOGITS.get(device, LOGITS["cuda"]) // vocabulary, width, LEAST_ROWS)


def linear_cross_entropy(hidden: Tensor, weight: Tensor, targets: Tensor) -> Tensor:
    """Return the mean of -log softmax(hidden W^T) at the targets, in nats: `F.cross_entropy` of a linear layer.

    The gradient of the logits is softmax - [k = target], which is known as soon as the logits are. So they are made a
    few rows at a time, and only the gradients of `hidden` and `weight` are kept: O(N D + V D) memory, where the two
    steps one after the other keep N V logits several times over. Under autocast the products are of its dtype; all
    else is of float32.

    Args:
        hidden: (N, D).
        weight: (V, D).
        targets: class indices, (N,), N at least 1.

    Returns:
        a scalar, float32 (float64 for float64). It can be differentiated once.

    Raises:
        TypeError: the targets are not whole numbers.
        ValueError: shapes that do not fit, or (checked on the CPU) a target outside 0..V-1.

    Source: Wijmans et al., "Cut your losses in large-vocabulary language models", 2024, section 4.
    """
    if targets.is_floating_point() or targets.dtype == torch.bool:
        raise TypeError(f"`targets` must be class indices (whole numbers), got {targets.dtype}.")
    if hidden.dim() != 2 or weight.dim() != 2 or hidden.shape[1] != weight.shape[1] or targets.numel() == 0:
        raise ValueError(
            "`hidden` and `weight` must have shapes (N, D) and (V, D) with N at least 1, got "
            f"{tuple(hidden.shape)} and {tuple(weight.shape)}."
        )
    if targets.shape != hidden.shape[:1]:
        raise ValueError(f"`targets` must have shape (N,) with N={len(hidden)}, got {tuple(targets.shape)}.")
    if targets.device.type == "cpu" and not 0 <= int(targets.min()) <= int(targets.max()) < len(weight):
        raise ValueError(
            f"`targets` must be in 0..V-1 with V={len(weight)}, got {int(targets.min())} to {int(targets.max())}."
        )
    return _LinearCrossEntropy.apply(hidden, weight, targets)


class _LinearCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, hidden: Tensor, weight: Tensor, targets: Tensor) -> Tensor:
        device = hidden.device.type
        dtype = torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else hidden.dtype
        rows, matrix = hidden.to(dtype), weight.to(dtype)
        trains = any(ctx.needs_input_grad)
        grad_hidden = torch.empty_like(rows) if trains else None
        grad_weight = torch.zeros_like(weight) if trains else None
        parts = min(len(rows), rows_at_once(device, *reversed(weight.shape)))
        total = hidden.new_zeros((), dtype=torch.promote_types(dtype, torch.float32))
        product = rows.new_empty(parts, len(matrix))  # memory is asked for once: to get it costs as much as to fill it
        exact = product if dtype == total.dtype else torch.empty_like(product, dtype=total.dtype)
        step = torch.empty_like(matrix) if trains and dtype != weight.dtype else None
        for start in range(0, len(rows), parts):
            here, wanted = rows[start : start + parts], targets[start : start + parts, None]
            rounded, logits = product[: len(here)], exact[: len(here)]  # (n, V)
            torch.mm(here, matrix.t(), out=rounded)
            if rounded.dtype != logits.dtype:
                logits.copy_(rounded)
            logits -= logits.amax(1, keepdim=True)
            of_target = logits.gather(1, wanted)
            sums = logits.exp_().sum(1, keepdim=True)
            total += (sums.log() - of_target).sum()
            if grad_hidden is not None and grad_weight is not None:
                logits /= sums
                logits.scatter_add_(1, wanted, -torch.ones_like(of_target))  # softmax - [k = target]
                if rounded.dtype != logits.dtype:
                    rounded.copy_(logits)
                torch.mm(rounded, matrix, out=grad_hidden[start : start + parts])
                if step is None:
                    grad_weight.addmm_(rounded.t(), here)
                else:
                    grad_weight += torch.mm(rounded.t(), here, out=step)
        ctx.save_for_backward(grad_hidden, grad_weight)
        return total / len(rows)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor, None]:
        grad_hidden, grad_weight = ctx.saved_tensors
        scale = grad / len(grad_hidden)
        return grad_hidden * scale.to(grad_hidden.dtype), grad_weight * scale.to(grad_weight.dtype), None
