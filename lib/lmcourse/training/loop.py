"""The one training loop of the course.

`fit` knows no model: it calls `loss(model, batch)`, which gives a scalar. What it does beyond gradient, clip, step:
a learning rate by schedule, validation, mixed precision, a progress bar, a history, and checkpoints from which a
killed training goes on to the same result, bit for bit. Steps count from 1, and nothing depends on the clock.
"""

import contextlib
import math
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from tqdm.auto import tqdm

from lmcourse.training.checkpoints import CheckpointError, load_training_state, save_training_state

Loss = Callable[[Any, Any], Tensor]
Batches = Iterable[Any] | Callable[[int], Any]


@dataclass
class History:
    """What a training did. The lists have one entry a step: that of step s is at s - 1.

    Attributes:
        loss: the loss of each step's batch, before that step's update.
        lr: of the first parameter group.
        grad_norm: the norm of the whole gradient before clipping.
        validation: (step, value) pairs.
        resumed_from: the step of the checkpoint from which this call went on; 0 for a fresh start.
    """

    loss: list[float] = field(default_factory=list)
    lr: list[float] = field(default_factory=list)
    grad_norm: list[float] = field(default_factory=list)
    validation: list[tuple[int, float]] = field(default_factory=list)
    resumed_from: int = 0

    def __len__(self) -> int:
        return len(self.loss)

    def smoothed(self, window: int = 50) -> list[float]:
        """Return the mean loss of the last `window` steps, at every step (of fewer, near the start)."""
        if window < 1:
            raise ValueError(f"`window` must be at least 1, got {window}.")
        sums = np.concatenate([[0.0], np.cumsum(self.loss)])
        ends = np.arange(1, len(self.loss) + 1)
        starts = np.maximum(ends - window, 0)
        return ((sums[ends] - sums[starts]) / (ends - starts)).tolist()

    def to_dict(self) -> dict[str, Any]:
        """Return the history as plain lists, for JSON."""
        return asdict(self)


def fit(
    model: nn.Module,
    batches: Batches,
    loss: Loss,
    *,
    optimizer: torch.optim.Optimizer | None = None,
    schedule: Callable[[int], float] | None = None,
    max_steps: int,
    clip_norm: float | None = 1.0,
    validate: Callable[[Any], float] | None = None,
    validate_every: int | None = None,
    precision: str = "auto",
    progress: bool = True,
    checkpoint: str | Path | None = None,
    checkpoint_every: int | None = None,
) -> History:
    """Train `model` in place for a fixed number of steps; it is left in evaluation mode.

    Args:
        model: trained on the device where its parameters are; batches are moved there.
        batches: a function of the step, counted from 1 (`token_batches` and `example_batches` give one), or an
            iterable: a list, a DataLoader, a generator. An iterable that ends is begun again.
        loss: `loss(model, batch)` gives a scalar. If it keeps something between steps (the state that a recurrent
            model carries on), it has `state_dict` and `load_state_dict`, and a checkpoint holds that too.
        optimizer: by default `adamw(model)`.
        schedule: function of the step that gives the factor on the optimizer's learning rate; None keeps it at 1.
            The learning rate is put back when `fit` returns.
        max_steps: in all, the steps before a resumption included.
        clip_norm: a longer gradient is scaled down to this norm; None leaves it.
        validate: `validate(model)` gives a number; called in evaluation mode and without gradients.
        validate_every: steps between validations, by default a tenth of `max_steps`; always after the last step.
        precision: "float32" (the precision of the parameters), "bfloat16" (autocast: matrix products in bfloat16,
            parameters and sums in float32), or "auto": bfloat16 on a GPU that has it, else float32. On a CPU it
            helps wide models only, on some processors, so there one has to ask for it.
        progress: show a progress bar.
        checkpoint: a file for the training state. If it is there, training goes on from it.
        checkpoint_every: steps between writes, by default a tenth of `max_steps`; always after the last step.

    Returns:
        The history, of the steps before a resumption too.

    Raises:
        RuntimeError: the loss or the gradient is not finite (the message names the step; neither the model nor the
            checkpoint has taken it up), or `batches` ran out.
        CheckpointError: the checkpoint is damaged, foreign, of another model or optimizer, or beyond `max_steps`.
        ValueError, TypeError: an argument out of range; a loss that is no scalar or has no gradient.

    A killed run goes on to the same result, bit for bit, if it is called in the same way: the checkpoint holds the
    parameters, the optimizer, the state of the generators (Python, NumPy, torch) and the place in `batches`. A
    function of the step is at once at its place; an iterable is read up to it, with the generators set back to
    where its epoch began. A `torch.Generator` of the caller's own is not stored: use a function of the step.
    On CUDA, kernels that add in no fixed order, and the dropout inside cuDNN's recurrent layers, are not covered.
    """
    counts = {"max_steps": max_steps, "validate_every": validate_every, "checkpoint_every": checkpoint_every}
    for name, count in counts.items():
        if count is not None and count < 1:
            raise ValueError(f"`{name}` must be at least 1, got {count}.")
    if clip_norm is not None and not clip_norm > 0.0:
        raise ValueError(f"`clip_norm` must be more than 0 (or None), got {clip_norm}.")
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    if not parameters:
        raise ValueError(f"`model` must have parameters to train, {type(model).__name__} has none.")
    device = parameters[0].device
    in_precision = autocast(precision, device)
    if optimizer is None:
        optimizer = adamw(model)
    base_rates = [float(group["lr"]) for group in optimizer.param_groups]
    tenth = max(1, max_steps // 10)
    validate_every, checkpoint_every = validate_every or tenth, checkpoint_every or tenth
    feed, history = _Feed(batches), History()
    if checkpoint is not None and Path(checkpoint).exists():
        state = load_training_state(checkpoint)
        base_rates = _resume(state, Path(checkpoint).name, max_steps, model, optimizer, loss, feed, history, device)

    done = len(history)
    model.train()
    try:
        with tqdm(total=max_steps, initial=done, disable=not progress, unit="step") as bar:
            for step in range(done + 1, max_steps + 1):
                factor = 1.0 if schedule is None else schedule(step)
                for group, rate in zip(optimizer.param_groups, base_rates, strict=True):
                    group["lr"] = rate * factor
                batch = _to(feed.next(step), device)
                optimizer.zero_grad(set_to_none=True)
                with in_precision():
                    value = loss(model, batch)
                _check_loss(value)
                value.backward()
                norm = nn.utils.clip_grad_norm_(parameters, math.inf if clip_norm is None else clip_norm)
                loss_now, norm_now = torch.stack([value.detach().to(norm.dtype), norm]).tolist()
                _check_finite(step, loss_now, norm_now)
                optimizer.step()
                history.loss.append(loss_now)
                history.grad_norm.append(norm_now)
                history.lr.append(float(optimizer.param_groups[0]["lr"]))
                last = step == max_steps
                if validate is not None and (last or step % validate_every == 0):
                    model.eval()
                    with torch.no_grad():
                        history.validation.append((step, float(validate(model))))
                    model.train()
                if checkpoint is not None and (last or step % checkpoint_every == 0):
                    state = _snapshot(model, optimizer, base_rates, loss, feed, history, device)
                    save_training_state(checkpoint, state)
                bar.update()
                if last or step % max(1, max_steps // 100) == 0:
                    bar.set_postfix_str(f"loss {loss_now:.3f}", refresh=False)
    finally:
        for group, rate in zip(optimizer.param_groups, base_rates, strict=True):
            group["lr"] = rate
        model.eval()
    return history


def adamw(
    model: nn.Module, lr: float = 1e-3, *, betas: tuple[float, float] = (0.9, 0.99), weight_decay: float = 0.01
) -> torch.optim.AdamW:
    """Return AdamW with weight decay on matrices only: biases and gains have no reason to be small.

    Source: Loshchilov and Hutter, "Decoupled weight decay regularization", 2019.
    """
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    groups = [
        {"params": [p for p in parameters if p.dim() >= 2], "weight_decay": weight_decay},
        {"params": [p for p in parameters if p.dim() < 2], "weight_decay": 0.0},
    ]
    fused = all(p.device.type in ("cpu", "cuda") for p in parameters)  # one kernel instead of a dozen
    return torch.optim.AdamW([group for group in groups if group["params"]], lr=lr, betas=betas, fused=fused)


class _Feed:
    """Gives the batch of each step, and knows how to come back to its place."""

    def __init__(self, batches: Batches) -> None:
        if not callable(batches) and not isinstance(batches, Iterable):
            raise TypeError(f"`batches` must be an iterable or a function of the step, got {type(batches).__name__}.")
        self.batches = batches
        self.iterator: Iterator[Any] | None = None
        self.taken = 0  # batches taken since the iterable was begun
        self.begun_at: dict[str, Any] = {}  # the generators then: a DataLoader draws its order from them

    def next(self, step: int) -> Any:
        if not isinstance(self.batches, Iterable):
            return self.batches(step)
        if self.iterator is None:
            self._begin()
        try:
            batch = next(self.iterator)  # type: ignore[arg-type]
        except StopIteration:
            self._begin()
            try:
                batch = next(self.iterator)  # type: ignore[arg-type]
            except StopIteration:
                raise RuntimeError(
                    f"`batches` ran out before step {step}: give a list, a DataLoader or a function of the step, "
                    "or a generator that goes on long enough."
                ) from None
        self.taken += 1
        return batch

    def state_dict(self) -> dict[str, Any]:
        return {"taken": self.taken, "begun_at": self.begun_at}

    def load_state_dict(self, state: dict[str, Any], device: torch.device) -> None:
        if not isinstance(self.batches, Iterable) or not state["begun_at"]:
            return
        _set_generators(state["begun_at"], device)
        self._begin()
        self.begun_at = state["begun_at"]
        for step in range(state["taken"]):
            self.next(step + 1)

    def _begin(self) -> None:
        self.begun_at = _generators(torch.device("cpu"))
        self.iterator = iter(self.batches)  # type: ignore[arg-type]
        self.taken = 0


def _snapshot(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    base_rates: list[float],
    loss: Loss,
    feed: _Feed,
    history: History,
    device: torch.device,
) -> dict[str, Any]:
    """Return all that the next step depends on."""
    keeps_state = hasattr(loss, "state_dict")
    curves = {name: torch.tensor(getattr(history, name), dtype=torch.float64) for name in ("loss", "lr", "grad_norm")}
    return {
        "model": dict(model.state_dict()),
        "optimizer_kind": type(optimizer).__name__,
        "optimizer": optimizer.state_dict(),
        "base_rates": base_rates,
        "loss": dict(loss.state_dict()) if keeps_state else None,  # type: ignore[attr-defined]
        "feed": feed.state_dict(),
        "history": {**curves, "validation": history.validation},
        "generators": _generators(device),
    }


def _resume(
    state: dict[str, Any],
    file: str,
    max_steps: int,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    loss: Loss,
    feed: _Feed,
    history: History,
    device: torch.device,
) -> list[float]:
    """Bring everything back to where the snapshot was taken; return the learning rates without schedule."""
    step = len(state["history"]["loss"])
    if step > max_steps:
        raise CheckpointError(f"{file} is at step {step}, beyond max_steps={max_steps}.")
    wanted = {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}
    stored = {name: tuple(tensor.shape) for name, tensor in state["model"].items()}
    if wanted != stored:
        names = sorted(name for name in wanted.keys() | stored.keys() if wanted.get(name) != stored.get(name))
        raise CheckpointError(
            f"{file} is of another model than this {type(model).__name__}: they differ in {names[:3]}, "
            f"{[stored.get(name) for name in names[:3]]} there, {[wanted.get(name) for name in names[:3]]} here."
        )
    kind = type(optimizer).__name__
    if state["optimizer_kind"] != kind:
        raise CheckpointError(f"{file} is of a training with {state['optimizer_kind']}, `optimizer` is {kind}.")
    try:
        optimizer.load_state_dict(state["optimizer"])
    except ValueError as error:
        raise CheckpointError(f"{file} does not fit `optimizer`: {error}") from error
    if (state["loss"] is not None) != hasattr(loss, "state_dict"):
        raise CheckpointError(f"{file} is of a training with another `loss`: only one of the two keeps a state.")
    model.load_state_dict(state["model"])
    if state["loss"] is not None:
        loss.load_state_dict(state["loss"])  # type: ignore[attr-defined]
    for name in ("loss", "lr", "grad_norm"):
        getattr(history, name).extend(state["history"][name].tolist())
    history.validation.extend(state["history"]["validation"])
    history.resumed_from = step
    feed.load_state_dict(state["feed"], device)
    _set_generators(state["generators"], device)  # last: whatever drew numbers above no longer counts
    return state["base_rates"]


def autocast(precision: str, device: torch.device) -> Callable[[], contextlib.AbstractContextManager[Any]]:
    """Return what makes the context in which `fit` takes the loss: autocast to bfloat16, or none; see `fit`."""
    if precision not in ("auto", "float32", "bfloat16"):
        raise ValueError(f'`precision` must be "auto", "float32" or "bfloat16", got {precision!r}.')
    helps = device.type == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False)
    if precision == "bfloat16" or (precision == "auto" and helps):
        return lambda: torch.autocast(device.type, dtype=torch.bfloat16)
    return contextlib.nullcontext


def _check_loss(value: Any) -> None:
    if not isinstance(value, Tensor) or value.dim() != 0:
        got = f"a tensor of shape {tuple(value.shape)}" if isinstance(value, Tensor) else type(value).__name__
        raise TypeError(f"`loss` must return a scalar tensor, got {got}.")
    if not value.requires_grad:
        raise ValueError("`loss` must depend on the model's parameters; what it returned has no gradient.")


def _check_finite(step: int, loss_now: float, norm_now: float) -> None:
    if math.isfinite(loss_now) and math.isfinite(norm_now):
        return
    what, value = ("loss", loss_now) if not math.isfinite(loss_now) else ("norm of the gradient", norm_now)
    raise RuntimeError(
        f"training stopped at step {step}: the {what} is {value}. The model is as step {step - 1} left it, and a "
        "checkpoint stays as it was last written. A smaller learning rate, a warm-up or a smaller clip_norm may help."
    )


def _to(batch: Any, device: torch.device) -> Any:
    """Move the tensors of a batch (a tensor; a tuple, list or dict of them) to a device."""
    if isinstance(batch, Tensor):
        return batch.to(device, non_blocking=True)
    if isinstance(batch, dict):
        return {key: _to(value, device) for key, value in batch.items()}
    if isinstance(batch, tuple | list):
        items = [_to(value, device) for value in batch]
        return type(batch)(*items) if hasattr(batch, "_fields") else type(batch)(items)
    return batch


def _generators(device: torch.device) -> dict[str, Any]:
    """Return the state of the global random generators."""
    version, words, gauss = random.getstate()
    kind, key, position, has_gauss, cached = np.random.get_state()  # noqa: NPY002 - third-party code draws from it
    return {
        "python": (version, torch.tensor(words), gauss),
        "numpy": (kind, torch.from_numpy(np.asarray(key, dtype=np.int64)), position, has_gauss, cached),
        "torch": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state(device) if device.type == "cuda" else None,
    }


def _set_generators(state: dict[str, Any], device: torch.device) -> None:
    version, words, gauss = state["python"]
    random.setstate((version, tuple(words.tolist()), gauss))
    kind, key, position, has_gauss, cached = state["numpy"]
    np.random.set_state((kind, key.numpy().astype(np.uint32), position, has_gauss, cached))  # noqa: NPY002
    torch.set_rng_state(state["torch"])
    if device.type == "cuda" and state["cuda"] is not None:
        torch.cuda.set_rng_state(state["cuda"], device)
