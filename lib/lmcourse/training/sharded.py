"""Checkpoints of a sharded model: a folder that all processes write together, each its own part of every tensor.

    PATH/step-00000100/     one training state: files of torch.distributed.checkpoint, and `shared`, a file of `states`
    PATH/writing-.../       one that is being written, or that was when the processes were killed

A training state is written under another name first, and renamed when it is complete; then the one before it is
removed. So processes that are killed at any moment leave the old state or the new one. Another number of processes may
read it: torch.distributed.checkpoint finds the parts that each of them needs.
"""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

import torch
from torch import nn

from lmcourse.training import distributed
from lmcourse.training.checkpoints import CheckpointError
from lmcourse.training.states import load_training_state, save_training_state

SHARED = "shared"


def save(path: Path, shared: dict[str, Any], model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
    """Write a training state: `shared` is what all processes know, and has the history."""
    import torch.distributed.checkpoint as dcp

    name = f"step-{len(shared['history']['loss']):08}"
    writing, final = path / f"writing-{name}", path / name
    if distributed.rank() == 0:
        path.mkdir(parents=True, exist_ok=True)
        for left in [*path.glob("writing-*"), final]:
            shutil.rmtree(left, ignore_errors=True)
        writing.mkdir()
        save_training_state(writing / SHARED, shared)
    distributed.barrier()
    dcp.save(_tensors(model, optimizer), checkpoint_id=writing)
    distributed.barrier()
    if distributed.rank() == 0:
        writing.rename(final)
        for old in path.glob("step-*"):
            if old != final:
                shutil.rmtree(old, ignore_errors=True)
    distributed.barrier()


def is_there(path: Path) -> bool:
    """Return whether a training state was ever completed in this folder."""
    return any(path.glob("step-*"))


def load_shared(path: Path) -> dict[str, Any]:
    """Return what all processes know of the latest training state.

    Raises:
        CheckpointError: there is none, or it is damaged.
    """
    return load_training_state(_latest(path) / SHARED)


def load(path: Path, model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
    """Fill model and optimizer from the latest training state.

    Raises:
        CheckpointError: it is damaged, or of another optimizer.
    """
    import torch.distributed.checkpoint as dcp
    from torch.distributed.checkpoint.api import CheckpointException
    from torch.distributed.checkpoint.state_dict import set_state_dict

    tensors = _tensors(model, optimizer)
    try:
        dcp.load(tensors, checkpoint_id=_latest(path))
    except (CheckpointException, OSError, KeyError, RuntimeError, ValueError) as error:
        raise CheckpointError(f"{path.name} is damaged, or does not fit `optimizer`: {error}") from error
    set_state_dict(model, _parts(optimizer), model_state_dict=tensors["model"], optim_state_dict=tensors["optimizer"])


def whole_state_dict(model: nn.Module) -> dict[str, torch.Tensor]:
    """Return the whole tensors of a sharded model in the first process, on the CPU, and nothing in the others.

    All processes must call it.
    """
    from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict

    whole = get_model_state_dict(model, options=StateDictOptions(full_state_dict=True, cpu_offload=True))
    return cast(dict[str, torch.Tensor], whole)


def _tensors(model: nn.Module, optimizer: torch.optim.Optimizer) -> dict[str, Any]:
    from torch.distributed.checkpoint.state_dict import get_state_dict

    of_model, of_optimizer = get_state_dict(model, _parts(optimizer))
    return {"model": of_model, "optimizer": of_optimizer}


def _parts(optimizer: torch.optim.Optimizer) -> Iterable[torch.optim.Optimizer]:
    return getattr(optimizer, "parts", (optimizer,))  # torch knows how to join several


def _latest(path: Path) -> Path:
    found = sorted(path.glob("step-*"))
    if not found:
        raise CheckpointError(f"{path.name} must be the folder of a sharded training, but it holds no complete state.")
    return found[-1]
