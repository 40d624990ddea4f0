"""What `fit` writes into a checkpoint, and how it resumes from one: all that the next step depends on.

Of several processes each has random generators, a position in its batches and perhaps a loss with a state of its own;
all else is the same in all of them, and is stored once.
"""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from lmcourse.models.weight_names import load_own_state, own_state, without_wrappers
from lmcourse.training import distributed, sharded
from lmcourse.training.checkpoints import CheckpointError
from lmcourse.training.history import History
from lmcourse.training.states import load_training_state, save_training_state

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

    def save(self, path: Path) -> None:
        """Write all that the next step depends on; the first process does it, or all do if the model is sharded.

        Raises:
            OSError: it cannot be written.
        """
        own = distributed.gathered_objects(self._own_state())
        state = self._shared_state() | own[0] | ({"others": own[1:]} if len(own) > 1 else {})
        if distributed.is_sharded(self.model):
            state["model"] = _shapes(own_state(self.model))
            sharded.save(path, state, self.model, self.optimizer)
            return
        if distributed.rank() == 0:
            state |= {"model": own_state(self.model), "optimizer": self.optimizer.state_dict()}
            save_training_state(path, state)
        distributed.barrier()  # nobody looks for the file before it is there

    def is_saved(self, path: Path) -> bool:
        """Return whether there is something to load; a folder may be left of a run killed at its first writing."""
        return path.exists() and (not path.is_dir() or not distributed.is_sharded(self.model) or sharded.is_there(path))

    def load(self, path: Path, max_steps: int) -> None:
        """Return to the point at which the state was saved.

        Raises:
            CheckpointError: it is damaged, of another training, or beyond `max_steps`.
        """
        divided = distributed.is_sharded(self.model)
        if divided != path.is_dir():
            raise CheckpointError(
                f"{path.name} is {'a folder' if path.is_dir() else 'a file'}, as fit writes for a model that is "
                f"{'' if path.is_dir() else 'not '}sharded; this one is {'' if divided else 'not '}sharded."
            )
        state = sharded.load_shared(path) if divided else load_training_state(path)
        if isinstance(state.get("model"), dict):
            names = own_state(self.model)
            state["model"] = {k if k in names else without_wrappers(k): v for k, v in state["model"].items()}
        self._check(state, path.name, max_steps, () if divided else ("optimizer",))
        if divided:
            sharded.load(path, self.model, self.optimizer)
        else:
            try:
                self.optimizer.load_state_dict(state["optimizer"])
            except ValueError as error:
                raise CheckpointError(f"{path.name} does not fit `optimizer`: {error}") from error
            load_own_state(self.model, state["model"])
        self.base_rates = state["base_rates"]
        for name in ("loss", "lr", "grad_norm"):
            getattr(self.history, name)[:] = state["history"][name].tolist()
        self.history.validation[:] = state["history"]["validation"]
        self.history.resumed_from = len(self.history)
        self._load_own_state([state, *state.get("others", [])], path.name)

    def _shared_state(self) -> dict[str, Any]:
        """What is the same in all processes, but for model and optimizer."""
        history = self.history
        curves = {
            name: torch.tensor(getattr(history, name), dtype=torch.float64) for name in ("loss", "lr", "grad_norm")
        }
        return {
            "optimizer_kind": type(self.optimizer).__name__,
            "base_rates": self.base_rates,
            "accumulate": self.accumulate,
            "history": {**curves, "validation": history.validation},
        }

    def _own_state(self) -> dict[str, Any]:
        """What each process has for itself."""
        return {
            "loss": dict(self.loss.state_dict()) if hasattr(self.loss, "state_dict") else None,
            "feed": self.feed.state_dict(),
            "generators": generator_states(self.device),
        }

    def _check(self, state: dict[str, Any], file: str, max_steps: int, more: tuple[str, ...]) -> None:
        missing = {"model", "loss", "feed", "generators", *more, *self._shared_state()} - state.keys()
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

    def _load_own_state(self, states: list[dict[str, Any]], file: str) -> None:
        """Take what this process had, or, where another number of processes trains now, what can be had of it."""
        rank, fits = distributed.rank(), len(states) == distributed.world_size()
        own = states[min(rank, len(states) - 1)]
        if not fits and (own["loss"] is not None or own["feed"]["begun_at"]):
            raise CheckpointError(
                f"{file} is of a training with {len(states)} processes, here {distributed.world_size()} train: that "
                "needs batches as a function of the step, and a loss without a state."
            )
        if own["loss"] is not None:
            self.loss.load_state_dict(own["loss"])  # type: ignore[attr-defined]
        self.feed.load_state_dict(own["feed"], self.device)
        set_generator_states(own["generators"], self.device)  # last: loading may itself use random numbers
        if rank >= len(states):  # no two processes may have the same random numbers
            torch.manual_seed(int(torch.randint(2**62, ())) + rank)


def _shapes(state: dict[str, Tensor]) -> dict[str, list[int]]:
    return {name: list(tensor.shape) for name, tensor in state.items()}


def _check_same_model(stored: dict[str, Any], model: nn.Module, file: str) -> None:
    here = {name: tuple(shape) for name, shape in _shapes(own_state(model)).items()}
    there = {name: tuple(value.shape if isinstance(value, Tensor) else value) for name, value in stored.items()}
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
