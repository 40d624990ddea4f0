"""What `fit` writes into a checkpoint, and how it resumes from one: all that the next step depends on."""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from lmcourse.training.checkpoints import CheckpointError
from lmcourse.training.history import History

Loss = Callable[[Any, Any], Tensor | tuple[Tensor, int | Tensor]]
Batches = Iterable[Any] | Callable[[int], Any]


class Feed:
    """Gives one batch after the other, and can return to its position in an iterable."""

    def __init__(self, batches: Batches) -> None:
        if isinstance(batches, str | bytes) or (not callable(batches) and not isinstance(batches, Iterable)):
            raise TypeError(f"`batches` must be an iterable or a function of the step, got {type(batches).__name__}.")
        self.batches = batches
        self.iterator: Iterator[Any] | None = None
        self.taken = 0  # batches taken since the iterable was begun
        self.begun_at: dict[str, Any] = {}  # random generators at that time: a DataLoader samples its order from them

    def next(self, number: int) -> Any:
        """Return the batch of this number, from 1."""
        if not isinstance(self.batches, Iterable):
            return self.batches(number)
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
                    f"`batches` ran out before batch {number}: give a list, a DataLoader or a function of the step, "
                    "or a generator that yields enough batches."
                ) from None
        self.taken += 1
        return batch

    def state_dict(self) -> dict[str, Any]:
        return {"taken": self.taken, "begun_at": self.begun_at}

    def load_state_dict(self, state: dict[str, Any], device: torch.device) -> None:
        if not isinstance(self.batches, Iterable) or not state["begun_at"]:
            return
        set_generator_states(state["begun_at"], device)
        self._begin()
        self.begun_at = state["begun_at"]
        for number in range(state["taken"]):
            self.next(number + 1)

    def _begin(self) -> None:
        self.begun_at = generator_states(torch.device("cpu"))
        self.iterator = iter(self.batches)  # type: ignore[arg-type]
        self.taken = 0


@dataclass
class Run:
    """One training.

    Attributes:
        base_rates: the learning rate of each parameter group without the schedule.
        accumulate: batches per step.
    """

    model: nn.Module
    optimizer: torch.optim.Optimizer
    base_rates: list[float]
    loss: Loss
    feed: Feed
    history: History
    accumulate: int
    device: torch.device

    def state_dict(self) -> dict[str, Any]:
        """Return all that the next step depends on."""
        history = self.history
        curves = {
            name: torch.tensor(getattr(history, name), dtype=torch.float64) for name in ("loss", "lr", "grad_norm")
        }
        return {
            "model": dict(self.model.state_dict()),
            "optimizer_kind": type(self.optimizer).__name__,
            "optimizer": self.optimizer.state_dict(),
            "base_rates": self.base_rates,
            "loss": dict(self.loss.state_dict()) if hasattr(self.loss, "state_dict") else None,
            "feed": self.feed.state_dict(),
            "accumulate": self.accumulate,
            "history": {**curves, "validation": history.validation},
            "generators": generator_states(self.device),
        }

    def load_state_dict(self, state: dict[str, Any], file: str, max_steps: int) -> None:
        """Return to the point at which the state was taken.

        Raises:
            CheckpointError: the state (of this file) is of another training, or beyond `max_steps`.
        """
        missing = self.state_dict().keys() - state.keys()
        if missing:
            raise CheckpointError(f"{file} is no training state of `fit`: it has no {', '.join(sorted(missing))}.")
        step = len(state["history"]["loss"])
        if step > max_steps:
            raise CheckpointError(f"{file} is at step {step}, beyond max_steps={max_steps}.")
        if state["accumulate"] != self.accumulate:
            raise CheckpointError(
                f"{file} is of a training with accumulate={state['accumulate']}, got accumulate={self.accumulate}."
            )
        _check_same_model(state["model"], self.model, file)
        kind = type(self.optimizer).__name__
        if state["optimizer_kind"] != kind:
            raise CheckpointError(f"{file} is of a training with {state['optimizer_kind']}, `optimizer` is {kind}.")
        if (state["loss"] is not None) != hasattr(self.loss, "state_dict"):
            raise CheckpointError(f"{file} is of a training with another `loss`: only one of the two has a state.")
        try:
            self.optimizer.load_state_dict(state["optimizer"])
        except ValueError as error:
            raise CheckpointError(f"{file} does not fit `optimizer`: {error}") from error
        self.model.load_state_dict(state["model"])
        if state["loss"] is not None:
            self.loss.load_state_dict(state["loss"])  # type: ignore[attr-defined]
        self.base_rates = state["base_rates"]
        for name in ("loss", "lr", "grad_norm"):
            getattr(self.history, name)[:] = state["history"][name].tolist()
        self.history.validation[:] = state["history"]["validation"]
        self.history.resumed_from = step
        self.feed.load_state_dict(state["feed"], self.device)
        set_generator_states(state["generators"], self.device)  # last: loading may itself use random numbers


def _check_same_model(stored: dict[str, Tensor], model: nn.Module, file: str) -> None:
    here = {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}
    there = {name: tuple(tensor.shape) for name, tensor in stored.items()}
    if here == there:
        return
    names = sorted(name for name in here.keys() | there.keys() if here.get(name) != there.get(name))[:3]
    raise CheckpointError(
        f"{file} is of another model than this {type(model).__name__}: they differ in {names}, "
        f"{[there.get(name) for name in names]} there, {[here.get(name) for name in names]} here."
    )


def generator_states(device: torch.device) -> dict[str, Any]:
    """Return the states of the global random generators."""
    version, words, gauss = random.getstate()
    kind, key, position, has_gauss, cached = np.random.get_state()  # noqa: NPY002 - third-party code samples from it
    return {
        "python": (version, torch.tensor(words), gauss),
        "numpy": (kind, torch.from_numpy(np.asarray(key, dtype=np.int64)), position, has_gauss, cached),
        "torch": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state(device) if device.type == "cuda" else None,
    }


def set_generator_states(state: dict[str, Any], device: torch.device) -> None:
    """Set the global random generators to what `generator_states` returned."""
    version, words, gauss = state["python"]
    random.setstate((version, tuple(words.tolist()), gauss))
    kind, key, position, has_gauss, cached = state["numpy"]
    np.random.set_state((kind, key.numpy().astype(np.uint32), position, has_gauss, cached))  # noqa: NPY002
    torch.set_rng_state(state["torch"])
    if device.type == "cuda" and state["cuda"] is not None:
        torch.cuda.set_rng_state(state["cuda"], device)
