"""Optimizers for `fit`: AdamW as language models use it, and Muon for the matrices inside a model."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from types import NoneType
from typing import Any

import torch
from torch import Tensor, nn

from lmcourse import checks


def adamw(
    model: nn.Module, lr: float = 1e-3, *, betas: tuple[float, float] = (0.9, 0.99), weight_decay: float = 0.01
) -> torch.optim.AdamW:
    """Return AdamW with weight decay on matrices only: biases and gains have no reason to be small.

    Args:
        model: its parameters that require a gradient are trained.
        lr: learning rate, at least 0.
        betas: decay of the averages of the gradient and of its square, each at least 0 and less than 1.
        weight_decay: decoupled, times the learning rate; at least 0.

    Raises:
        TypeError: a setting that is not a number.
        ValueError: a setting out of range, or a model without parameters to train.

    Source: Loshchilov and Hutter, "Decoupled weight decay regularization", 2019.
    """
    checks.number(lr=lr, weight_decay=weight_decay, at_least=0.0)
    first, second = checks.pair(betas=betas)
    checks.number(**{"betas[0]": first, "betas[1]": second}, at_least=0.0, below=1.0)
    parameters = trainable(model)
    fused = all(p.device.type in ("cpu", "cuda") for p in parameters)  # one kernel instead of a dozen
    return torch.optim.AdamW(_by_decay(parameters, weight_decay), lr=lr, betas=betas, fused=fused)


def muon(
    model: nn.Module,
    lr: float = 0.02,
    *,
    adamw_lr: float = 3e-3,
    momentum: float = 0.95,
    weight_decay: float = 0.01,
    bfloat16: bool | None = None,
) -> "CombinedOptimizer":
    """Return Muon on the weights of the linear layers inside `model`, AdamW on embeddings, head, gains and biases.

    Muon replaces the momentum G = U S V^T of a matrix by approximately U V^T: every direction in the gradient gets a
    step of the same size. It reaches a given loss in fewer steps than AdamW, and each step costs a few matrix products
    more.

    Args:
        model: a linear layer counts as its head if its name ends with "head".
        lr: of Muon: the update of a matrix has singular values near lr.
        adamw_lr: of AdamW, for all other parameters.
        momentum: of Muon, at least 0 and less than 1.
        weight_decay: of all matrices, embeddings included: decoupled, times the learning rate of each.
        bfloat16: orthogonalise in this precision, as torch does, or in that of the gradient. By default in bfloat16
            unless the weights are on the CPU: many CPUs are slower in bfloat16, and it rounds to three digits.

    Raises:
        TypeError: a setting that is not a number, or a `bfloat16` that is not True, False or None.
        ValueError: a setting out of range, or no linear layer besides the head.

    Source: Jordan et al., "Muon: an optimizer for hidden layers in neural networks", 2024; `torch.optim.Muon`.
    """
    checks.number(lr=lr, adamw_lr=adamw_lr, weight_decay=weight_decay, at_least=0.0)
    checks.number(momentum=momentum, at_least=0.0, below=1.0)
    checks.instance(nn.Module, model=model)
    checks.instance((bool, NoneType), bfloat16=bfloat16)
    linear = [part for name, part in model.named_modules() if isinstance(part, nn.Linear) and not name.endswith("head")]
    inside = {id(part.weight): part.weight for part in linear if part.weight.requires_grad}  # layers may share one
    if not inside:
        raise ValueError(f"`model` must have linear layers besides a head, {type(model).__name__} has none to train.")
    others = [parameter for parameter in trainable(model) if id(parameter) not in inside]
    if bfloat16 is None:
        bfloat16 = all(weight.device.type != "cpu" for weight in inside.values())
    kind = torch.optim.Muon if bfloat16 else FullMuon
    parts: list[torch.optim.Optimizer] = [kind(inside.values(), lr=lr, momentum=momentum, weight_decay=weight_decay)]
    if others:
        groups = _by_decay(others, weight_decay)
        parts.append(torch.optim.AdamW(groups, lr=adamw_lr, betas=(0.9, 0.95), fused=True))
    return CombinedOptimizer(*parts)


class FullMuon(torch.optim.Muon):
    """`torch.optim.Muon` that orthogonalises in the precision of the gradient."""

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if "momentum_buffer" not in state:
                    state["momentum_buffer"] = torch.zeros_like(p.grad)
                momentum = state["momentum_buffer"].lerp_(p.grad, 1 - group["momentum"])
                update = p.grad.lerp(momentum, group["momentum"]) if group["nesterov"] else momentum
                update = _orthogonalise(update, group["ns_coefficients"], group["ns_steps"], group["eps"])
                p.mul_(1 - group["lr"] * group["weight_decay"])
                p.add_(update, alpha=-group["lr"] * max(1.0, p.shape[0] / p.shape[1]) ** 0.5)
        return loss


def _orthogonalise(update: Tensor, coefficients: tuple[float, float, float], steps: int, eps: float) -> Tensor:
    """Newton-Schulz: push the singular values of a matrix towards 1."""
    a, b, c = coefficients
    x = update if update.shape[0] <= update.shape[1] else update.T
    x = x / x.norm().clamp(min=eps)
    for _ in range(steps):
        gram = x @ x.T
        x = torch.addmm(x, torch.addmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x if update.shape[0] <= update.shape[1] else x.T


class CombinedOptimizer(torch.optim.Optimizer):
    """Several optimizers that step as one.

    It can be used wherever an optimizer can (schedulers, hooks, copies, state dicts). Its parameter groups are those of
    its parts, one part after the other, and its state is the union of theirs. `add_param_group` adds to the last part.

    Args:
        optimizers: the parts, at least one; no parameter is in two of them.

    Raises:
        ValueError: no optimizers, or a parameter in two of them.
    """

    def __init__(self, *optimizers: torch.optim.Optimizer) -> None:
        if not optimizers:
            raise ValueError("`optimizers` must be at least one optimizer, got none.")
        for optimizer in optimizers:
            checks.instance(torch.optim.Optimizer, optimizers=optimizer)
        owned = [id(p) for optimizer in optimizers for group in optimizer.param_groups for p in group["params"]]
        if len(owned) != len(set(owned)):
            raise ValueError("`optimizers` must not share parameters, got a parameter that is in two of them.")
        self.parts: tuple[torch.optim.Optimizer, ...] = ()  # while torch fills in its own attributes
        super().__init__([group for optimizer in optimizers for group in optimizer.param_groups], {})
        self.parts = optimizers

    @property
    def param_groups(self) -> list[dict[str, Any]]:
        return [group for part in self.parts for group in part.param_groups]

    @param_groups.setter
    def param_groups(self, groups: list[dict[str, Any]]) -> None:
        """Ignore what torch's constructor sets: the groups belong to the parts."""

    @property
    def state(self) -> defaultdict[Tensor, Any]:
        return defaultdict(dict, {p: state for part in self.parts for p, state in part.state.items()})

    @state.setter
    def state(self, state: defaultdict[Tensor, Any]) -> None:
        """Ignore what torch's constructor sets: the state belongs to the parts."""

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
        """Let every part take a step; a `closure` is called once, before the first of them."""
        loss = None
        if closure is not None:
            checks.function(closure=closure)
            with torch.enable_grad():
                loss = closure()
        for part in self.parts:
            part.step()
        return loss

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group to the last part.

        Raises:
            TypeError: a group that is not a dict with parameters.
            ValueError: no parameters, one that is in the optimizer already, or a tensor that was computed.
        """
        if not self.parts:
            return  # torch's constructor adds the groups that the parts have already
        checks.keys(("params",), param_group=param_group)
        given = param_group["params"]
        params = [given] if isinstance(given, Tensor) else list(given) if isinstance(given, Iterable) else [given]
        if not all(isinstance(parameter, Tensor) for parameter in params):
            raise TypeError(f'`param_group` must have parameters under "params", got {given!r}.')
        if not all(parameter.is_leaf for parameter in params):
            raise ValueError("`param_group` must hold parameters, got a tensor that was computed from others.")
        added = {id(parameter) for parameter in params}
        if not added:
            raise ValueError("`param_group` must have at least one parameter, got none.")
        if any(id(p) in added for group in self.param_groups for p in group["params"]):
            raise ValueError("`param_group` must hold new parameters only, got one that the optimizer has already.")
        self.parts[-1].add_param_group({**param_group, "params": params})

    def __getstate__(self) -> dict[str, Any]:
        return {"defaults": self.defaults, "parts": self.parts}

    def __setstate__(self, state: dict[str, Any]) -> None:
        if "parts" in state:  # of a copy or a pickle
            super().__setstate__(state)
            return
        groups = iter(state["param_groups"])  # of a state dict: the groups of all parts in one list
        for part in self.parts:
            own = [next(groups) for _ in part.param_groups]
            held = defaultdict(dict, {p: state["state"][p] for g in own for p in g["params"] if p in state["state"]})
            part.__setstate__({"state": held, "param_groups": own})

    def __repr__(self) -> str:
        return f"CombinedOptimizer({', '.join(type(part).__name__ for part in self.parts)})"


def trainable(model: nn.Module) -> list[nn.Parameter]:
    """Return the parameters that require a gradient.

    Raises:
        ValueError: there are none.
    """
    checks.instance(nn.Module, model=model)
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    if not parameters:
        raise ValueError(f"`model` must have parameters to train, {type(model).__name__} has none.")
    return parameters


def _by_decay(parameters: Iterable[Tensor], weight_decay: float) -> list[dict[str, Any]]:
    """Parameter groups: matrices with weight decay, gains and biases without."""
    parameters = list(parameters)
    groups = [
        {"params": [p for p in parameters if p.dim() >= 2], "weight_decay": weight_decay},
        {"params": [p for p in parameters if p.dim() < 2], "weight_decay": 0.0},
    ]
    return [group for group in groups if group["params"]]
