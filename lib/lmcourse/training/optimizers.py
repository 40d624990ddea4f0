"""Muon for the matrices inside a model, AdamW for the rest: one optimizer for `fit`."""

from collections.abc import Callable
from typing import Any

import torch
from torch import nn


class CombinedOptimizer(torch.optim.Optimizer):
    """Several optimizers that step as one; each keeps its own parameter groups and state.

    Raises:
        ValueError: no optimizers, or a parameter in two of them.
    """

    def __init__(self, *optimizers: torch.optim.Optimizer) -> None:
        # torch's __init__ would make groups of its own; here they are those of the parts
        if not optimizers:
            raise ValueError("`optimizers` must be at least one, got none.")
        owned = [id(p) for optimizer in optimizers for group in optimizer.param_groups for p in group["params"]]
        if len(owned) != len(set(owned)):
            raise ValueError("`optimizers` must share no parameter, got one that two of them would update.")
        self.parts = optimizers

    @property
    def param_groups(self) -> list[dict[str, Any]]:  # type: ignore[override]
        return [group for part in self.parts for group in part.param_groups]

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
        if closure is not None:
            raise ValueError("`closure` must be None: each part would call it anew.")
        for part in self.parts:
            part.step()
        return None

    def zero_grad(self, set_to_none: bool = True) -> None:
        for part in self.parts:
            part.zero_grad(set_to_none)

    def state_dict(self) -> dict[str, Any]:
        return {"parts": [part.state_dict() for part in self.parts]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        if len(state_dict.get("parts", ())) != len(self.parts):
            raise ValueError(f"`state_dict` must be of {len(self.parts)} optimizers that step as one.")
        for part, state in zip(self.parts, state_dict["parts"], strict=True):
            part.load_state_dict(state)

    def __repr__(self) -> str:
        return f"CombinedOptimizer({', '.join(type(part).__name__ for part in self.parts)})"


def muon(
    model: nn.Module, lr: float = 0.02, *, adamw_lr: float = 3e-3, momentum: float = 0.95, weight_decay: float = 0.01
) -> CombinedOptimizer:
    """Return Muon on the weights of the linear layers inside `model`, AdamW on embeddings, head, gains and biases.

    Muon replaces the momentum G = U S V^T of a matrix by nearly U V^T: all directions that the gradient knows get
    steps of one size. It reaches a given loss in fewer steps than AdamW, at the cost of some matrix products a step.

    Args:
        model: the head is known by its name: a linear layer called `head`.
        lr: of a matrix (R, C); the step is lr * sqrt(max(1, R / C)) times a matrix whose singular values are near 1.
        adamw_lr: of the rest.
        momentum: of Muon.
        weight_decay: of all matrices: decoupled, each times its own learning rate.

    Raises:
        ValueError: no linear layer but the head.

    Source: Jordan et al., "Muon: an optimizer for hidden layers in neural networks", 2024; `torch.optim.Muon`.
    """
    linear = [part for name, part in model.named_modules() if isinstance(part, nn.Linear) and not name.endswith("head")]
    inside = [part.weight for part in linear if part.weight.requires_grad]
    if not inside:
        raise ValueError(f"`model` must have linear layers besides a head, {type(model).__name__} has none to train.")
    chosen = {id(parameter) for parameter in inside}
    others = [p for p in model.parameters() if p.requires_grad and id(p) not in chosen]
    groups = [
        {"params": [p for p in others if p.dim() >= 2], "weight_decay": weight_decay},
        {"params": [p for p in others if p.dim() < 2], "weight_decay": 0.0},
    ]
    parts: list[torch.optim.Optimizer] = [torch.optim.Muon(inside, lr=lr, momentum=momentum, weight_decay=weight_decay)]
    if others:
        kept = [group for group in groups if group["params"]]
        parts.append(torch.optim.AdamW(kept, lr=adamw_lr, betas=(0.9, 0.95), fused=True))
    return CombinedOptimizer(*parts)
