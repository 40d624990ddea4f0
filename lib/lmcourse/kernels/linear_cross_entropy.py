"""A language model's last layer and its loss in one: the logits of all tokens are never held at once.

N tokens, D width, V vocabulary.
"""

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

LOGITS = {"cpu": 1 << 20, "cuda": 1 << 27}  # held at once: what a processor's cache takes, what keeps a GPU busy
CACHED = 1 << 18  # of them, those that all passes of softmax go over while a core's own cache holds them
LEAST_ROWS = 256  # and never fewer than D: each part reads and writes the gradient of the whole matrix


def rows_at_once(device: str, width: int, vocabulary: int) -> int:
    """Return how many rows' logits are held at once."""
    return max(LOGITS.get(device, LOGITS["cuda"]) // vocabulary, width, LEAST_ROWS)


def linear_cross_entropy_in_parts(hidden: Tensor, weight: Tensor, targets: Tensor) -> Tensor:
    """Return the sum that `lmcourse.layers.linear_cross_entropy` returns, for inputs that were checked at its door.

    The gradient of the logits is softmax - [k = target], which is known as soon as the logits are. So they are made a
    few rows at a time, and only the gradients of `hidden` and `weight` are kept: O(N D + V D) memory, where the two
    steps one after the other keep N V logits several times over. Where no gradient is asked for, none is computed.
    Under autocast the products are of its dtype; all else is of float32.

    Source: Wijmans et al., "Cut your losses in large-vocabulary language models", 2024, section 4.
    """
    if torch.is_grad_enabled() and (hidden.requires_grad or weight.requires_grad):
        loss: Tensor = _LinearCrossEntropy.apply(hidden, weight, targets)  # type: ignore[no-untyped-call]
        return loss
    return _sum_and_gradients(hidden, weight, targets, False, False)[0]


class _LinearCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, hidden: Tensor, weight: Tensor, targets: Tensor) -> Tensor:
        total, *gradients = _sum_and_gradients(hidden, weight, targets, *ctx.needs_input_grad[:2])
        ctx.save_for_backward(*gradients)
        return total

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, Tensor | None, None]:
        of_hidden, of_weight = (
            None if gradient is None else gradient * grad.to(gradient.dtype) for gradient in ctx.saved_tensors
        )
        return of_hidden, of_weight, None


def _sum_and_gradients(
    hidden: Tensor, weight: Tensor, targets: Tensor, needs_hidden: bool, needs_weight: bool
) -> tuple[Tensor, Tensor | None, Tensor | None]:
    """Return the sum of the losses, and its gradients with respect to `hidden` and `weight` if they are needed."""
    device = hidden.device.type
    dtype = torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else hidden.dtype
    rows, matrix = hidden.detach().to(dtype), weight.detach().to(dtype)
    grad_hidden = torch.empty_like(rows) if needs_hidden else None
    grad_weight = torch.zeros_like(weight) if needs_weight else None
    parts = min(len(rows), rows_at_once(device, *reversed(weight.shape)))
    total = hidden.new_zeros((), dtype=torch.promote_types(dtype, torch.float32))
    product = rows.new_empty(parts, len(matrix))  # memory is asked for once: getting it costs as much as filling it
    step = torch.empty_like(matrix) if needs_weight and dtype != weight.dtype else None
    for start in range(0, len(rows), parts):
        here, wanted = rows[start : start + parts], targets[start : start + parts, None]
        logits = torch.mm(here, matrix.t(), out=product[: len(here)])  # (n, V)
        total -= _log_probs(logits, wanted, total.dtype, needs_hidden or needs_weight).sum()
        if grad_hidden is not None:
            torch.mm(logits, matrix, out=grad_hidden[start : start + parts])
        if grad_weight is not None and step is None:
            grad_weight.addmm_(logits.t(), here)
        elif grad_weight is not None:
            grad_weight += torch.mm(logits.t(), here, out=step)
    return total, grad_hidden, grad_weight


def _log_probs(logits: Tensor, wanted: Tensor, exact: torch.dtype, needs_gradient: bool) -> Tensor:
    """Return log p of the tokens `wanted` (n, 1), and leave the gradient, softmax - [k = target], in the logits (n, V).

    Each pass over the logits reads and writes all of them, and that is what the time goes into. So a GPU makes as few
    passes as can be, and the CPU makes all of them over a few rows, which stay in its cache, before it goes on.
    """
    on_cpu = logits.device.type == "cpu"
    rows = max(1, CACHED * torch.get_num_threads() // logits.shape[1]) if on_cpu else len(logits)
    room = logits.new_empty(rows, logits.shape[1], dtype=exact) if on_cpu and logits.dtype != exact else None
    parts = zip(logits.split(rows), wanted.split(rows), strict=True)
    return torch.cat([_log_probs_of_part(*part, exact, needs_gradient, room) for part in parts])


def _log_probs_of_part(
    logits: Tensor, wanted: Tensor, exact: torch.dtype, needs_gradient: bool, room: Tensor | None
) -> Tensor:
    if logits.dtype != exact and room is None:  # from bfloat16 to float32 in one pass, and back in another
        log_probs = torch.log_softmax(logits, 1, dtype=exact)
        of_target = log_probs.gather(1, wanted)
        if needs_gradient:
            torch.exp(log_probs, out=logits).scatter_(1, wanted, of_target.expm1().to(logits.dtype))
        return of_target
    if room is not None:  # to convert alone and compute alone is vectorized; to do both in one pass is not
        log_probs = room[: len(logits)].copy_(logits)
        of_target = torch.log_softmax(log_probs, 1, out=log_probs).gather(1, wanted)
        if needs_gradient:
            logits.copy_(log_probs.exp_().scatter_(1, wanted, of_target.expm1()))
        return of_target
    logits -= logits.amax(1, keepdim=True)  # no second table, and one exponential
    of_target = logits.gather(1, wanted)
    sums = logits.exp_().sum(1, keepdim=True)
    if needs_gradient:
        logits /= sums
        logits.scatter_add_(1, wanted, -torch.ones_like(of_target))
    return of_target - sums.log()
