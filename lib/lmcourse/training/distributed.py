"""Several processes that train one model: the process group, and what `fit` asks of it.

The engine is `torch.distributed`: `torchrun` starts the processes, DistributedDataParallel and FSDP2 join their
gradients. Gloo connects processes on CPUs, NCCL those on GPUs. In one process without a group, all functions here do
what one process would expect.
"""

import math
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, cast

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from lmcourse import runtime

Loss = Callable[[Any, Any], Any]
NORMS_AGREE = 1e-3  # relative: each process computes the norm of one and the same gradient, so only rounding may differ


def is_running() -> bool:
    """Return whether this process belongs to a process group."""
    return dist.is_available() and dist.is_initialized()


def rank() -> int:
    """Return the number of this process among those that train together, from 0; 0 without a group."""
    return dist.get_rank() if is_running() else 0


def world_size() -> int:
    """Return how many processes train together; 1 without a group."""
    return dist.get_world_size() if is_running() else 1


@contextmanager
def process_group() -> Iterator[None]:
    """Join the processes that `torchrun` has started, for as long as the context lasts.

    On GPUs each process takes the one with its local number. Without torchrun, a group of this process alone is made,
    which opens no port. A group that exists already is used, and left as it is.

    Raises:
        RuntimeError: this build of torch has no distributed part, there are more processes on this machine than it has
            GPUs, or the other processes cannot be reached.
    """
    if not dist.is_available():
        raise RuntimeError("this build of torch cannot join processes: torch.distributed is not available.")
    if is_running():
        yield
        return
    on_gpu = runtime.device().type == "cuda"
    if on_gpu:
        _take_own_gpu()
    backend = "cpu:gloo,cuda:nccl" if on_gpu else "gloo"
    if "RANK" in os.environ and "MASTER_ADDR" in os.environ:
        dist.init_process_group(backend)
    else:
        dist.init_process_group(backend, store=dist.HashStore(), rank=0, world_size=1)
    ended_well = False
    try:
        yield
        ended_well = True
    finally:
        if ended_well or not on_gpu or dist.get_world_size() == 1:  # NCCL would wait for a process that has died
            dist.destroy_process_group()


def _take_own_gpu() -> None:
    """Make the GPU with this process's local number the current one."""
    processes, gpus = int(os.environ.get("LOCAL_WORLD_SIZE", "1")), torch.cuda.device_count()
    if processes > gpus:
        raise RuntimeError(
            f"each process needs a GPU of its own, got {processes} processes and {gpus} GPU{'s' * (gpus != 1)} on this "
            "machine: give torchrun a smaller --nproc-per-node, or set LMCOURSE_DEVICE=cpu."
        )
    torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))


def unwrapped(model: nn.Module) -> nn.Module:
    """Return the model inside of DistributedDataParallel, or the model itself."""
    return cast(nn.Module, model.module) if _is_ddp(model) else model


def is_sharded(model: nn.Module) -> bool:
    """Return whether `torch.distributed.fsdp.fully_shard` has divided the model's parameters between processes."""
    if not dist.is_available():
        return False
    from torch.distributed.tensor import DTensor

    return any(isinstance(parameter, DTensor) for parameter in model.parameters())


class JoinedLoss:
    """batch -> loss, the gradient of which is the mean over all processes once `backward` has been called.

    A plain model in a group of several processes is trained by DistributedDataParallel, which averages the gradients of
    what goes through the `forward` of the module that it wraps. So that module is the loss with the model inside, and
    `loss` may call whatever it likes. A model that the caller has wrapped or sharded is left as it is.
    """

    def __init__(self, model: nn.Module, loss: Loss) -> None:
        self._model, self._loss = model, loss
        self._joined: nn.Module | None = None
        self._handle: RemovableHandle | None = None
        self._calls = 0  # of the forward of a model that came wrapped
        if _is_ddp(model):
            self._joined = model
            self._handle = model.register_forward_pre_hook(self._count)
        elif world_size() > 1 and not is_sharded(model):
            self._joined = nn.parallel.DistributedDataParallel(_LossOfModel(model, loss), gradient_as_bucket_view=True)

    def __call__(self, batch: Any) -> Any:
        if self._joined is None:
            return self._loss(self._model, batch)
        if self._joined is not self._model:
            return self._joined(batch)
        before = self._calls
        found = self._loss(self._model, batch)
        if self._calls == before:
            raise ValueError(
                "`loss` must call `model(...)`, got a loss that goes round the forward of DistributedDataParallel "
                "(by model.module, perhaps): the processes would train apart. Give `fit` the model without the "
                "wrapper: in a process group it joins the gradients itself, whatever the loss calls."
            )
        return found

    def alone(self) -> AbstractContextManager[Any]:
        """Return a context in which `backward` only adds to this process's gradient, where that saves messages."""
        return self._joined.no_sync() if self._joined is not None else nullcontext()  # type: ignore[operator]

    def close(self) -> None:
        """Leave the model as it was."""
        if self._handle is not None:
            self._handle.remove()

    def _count(self, *_: Any) -> None:
        self._calls += 1


class _LossOfModel(nn.Module):
    def __init__(self, model: nn.Module, loss: Loss) -> None:
        super().__init__()
        self.model, self.loss = model, loss

    def forward(self, batch: Any) -> Any:
        return self.loss(self.model, batch)


def gathered(*values: float | Tensor, device: torch.device) -> list[list[float]]:
    """Return the values of every process, in the order of their ranks."""
    dtype = torch.float32 if device.type == "mps" else torch.float64  # Apple's GPUs have no float64
    own = torch.stack([torch.as_tensor(value, device=device).detach().to(dtype) for value in values])
    if world_size() == 1:
        return [own.tolist()]
    rows = [torch.empty_like(own) for _ in range(world_size())]
    dist.all_gather(rows, own)
    return torch.stack(rows).tolist()


def gathered_objects(value: Any) -> list[Any]:
    """Return the object of every process, in the order of their ranks."""
    if world_size() == 1:
        return [value]
    objects: list[Any] = [None] * world_size()
    dist.all_gather_object(objects, value)
    return objects


def mean(value: float | Tensor, device: torch.device) -> float:
    """Return the mean of a number over all processes."""
    return math.fsum(row[0] for row in gathered(value, device=device)) / world_size()


def barrier() -> None:
    """Wait until every process has come here."""
    if world_size() > 1:
        dist.barrier()


def check_same(**values: Any) -> None:
    """Raise ValueError, in every process, unless all have the same values."""
    for name, each in ((name, [row[name] for row in gathered_objects(values)]) for name in values):
        if any(value != each[0] for value in each):
            raise ValueError(f"`{name}` must be the same in all processes, got {each}.")


def check_norms(step: int, norms: list[float]) -> None:
    """Raise unless the norm of the gradient is the same in all processes."""
    if max(norms) - min(norms) > NORMS_AGREE * max(norms):
        raise RuntimeError(
            f"training stopped at step {step}: the gradients of the processes differ (their norms are {norms}), so "
            "part of the loss has gone round DistributedDataParallel."
        )


def _is_ddp(model: nn.Module) -> bool:
    return dist.is_available() and isinstance(model, nn.parallel.DistributedDataParallel)
