"""The switch between the fast twins in this room and the plain code in `lmcourse.layers`.

    with lmcourse.kernels.plain():
        model(ids)  # computed by the code that the pages teach

It turns off the twins in this room, and torch's own kernels of `RNN`, `GRU` and `LSTM`. Fast and plain code give the
same outputs and gradients but for rounding. The switch is one for all threads of the process: while any of them is
inside `plain()`, all compute plainly.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensor

_lock = threading.Lock()
_contexts = 0  # how many `plain()` are open, in all threads together; a plain int, which torch.compile can read


@contextmanager
def plain() -> Iterator[None]:
    """Turn the fast twins off inside the context."""
    global _contexts
    with _lock:
        _contexts += 1
    try:
        yield
    finally:
        with _lock:
            _contexts -= 1


def enabled() -> bool:
    """Return whether the fast twins are used here: outside of `plain()`."""
    return _contexts == 0


def eager(*tensors: Tensor) -> bool:
    """Return whether tensors hold values here and nothing traces what is done with them.

    It is False under `torch.compile`, `torch.export` and `torch.func`, and for fake or meta tensors.
    """
    return (
        not torch.compiler.is_compiling()
        and not torch._C._are_functorch_transforms_active()  # torch has no public name for it
        and not any(isinstance(tensor, FakeTensor) or tensor.is_meta for tensor in tensors)
    )


def enabled_eagerly(*tensors: Tensor) -> bool:
    """Return whether a fast twin that torch cannot trace is used here: it needs `enabled` and `eager`."""
    return enabled() and eager(*tensors)
