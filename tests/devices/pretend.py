"""A device that is not there: its tensors compute on the CPU, and refuse to meet a tensor of the CPU, as CUDA's do.

A tensor on "pretend" wraps one on the CPU. Every operation is carried out on what is wrapped, so values, sampling and
`.item()` are real. An operation on tensors of both devices raises `DeviceMixError`, but for those that CUDA also lets
pass: copies from one to the other, CPU scalars, indices.

`install` changes the process for good, so it belongs in one of its own.
"""

from functools import partial
from typing import Any

import torch
from torch import Tensor
from torch.utils._mode_utils import no_dispatch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map_only
from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

NAME = "pretend"
_ACROSS = {  # operations whose arguments may be on two devices
    torch.ops.aten.copy_.default,
    torch.ops.aten._to_copy.default,
    torch.ops.aten.index.Tensor,
    torch.ops.aten.index_put.default,
    torch.ops.aten.index_put_.default,
    torch.ops.aten._index_put_impl_.default,
    torch.ops.aten._pack_padded_sequence.default,  # lengths are on the CPU
    torch.ops.aten._pad_packed_sequence.default,
}
_SEED = 0x9E3779B97F4A7C15 >> 1  # of the generators that count as the device's
_LIBRARY = torch.library.Library("aten", "IMPL")


class DeviceMixError(RuntimeError):
    """Tensors of two devices in one operation."""


class Pretend(Tensor):
    """A tensor on the device that is not there."""

    inner: Tensor
    __torch_function__ = torch._C._disabled_torch_function_impl

    @staticmethod
    def __new__(cls, inner: Tensor) -> "Pretend":
        made = torch.Tensor._make_wrapper_subclass(
            cls,
            inner.shape,
            strides=inner.stride(),
            storage_offset=inner.storage_offset(),
            dtype=inner.dtype,
            device=torch.device(NAME, 0),
            requires_grad=inner.requires_grad,
        )
        made.inner = inner
        return made

    def __repr__(self, **_: Any) -> str:
        return f"Pretend({self.inner!r})"

    def tolist(self) -> Any:
        return self.inner.tolist()

    def numpy(self, **_: Any) -> Any:
        raise TypeError(f"can't convert a tensor of {NAME} to numpy; copy it to the CPU first")

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        return _run(function, args, kwargs or {})


class Device(TorchDispatchMode):
    """Inside it, tensors can be made on the device."""

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        return _run(function, args, kwargs or {})


def install() -> None:
    """Make the device known to this process."""
    _setup_privateuseone_for_python_backend(NAME)
    getattr(torch, NAME).get_amp_supported_dtype = lambda: [torch.bfloat16]
    for name in ("empty.memory_format", "empty_strided"):  # what torch's own code calls, below the dispatch mode
        operation = getattr(torch.ops.aten, name.split(".")[0])
        operation = getattr(operation, ([*name.split("."), "default"])[1])
        _LIBRARY.impl(name, partial(_made, operation), "PrivateUse1")
    _LIBRARY.impl("_copy_from", _copy_from, "PrivateUse1")


def to_device(tensor: Tensor) -> Pretend:
    """Return a tensor of the CPU on the device, one of the device as it is."""
    return tensor if isinstance(tensor, Pretend) else Pretend(tensor.detach())


def generator_of_device(generator: torch.Generator) -> torch.Generator:
    """Return a generator that counts as the device's: torch can't make one there, and it is known by its seed."""
    return generator.manual_seed(_SEED)


def _made(operation: Any, *args: Any, **kwargs: Any) -> Pretend:
    return Pretend(operation(*args, **{**kwargs, "device": torch.device("cpu"), "pin_memory": False}))


def _copy_from(source: Tensor, target: Tensor, non_blocking: bool = False) -> Tensor:
    (target.inner if isinstance(target, Pretend) else target).copy_(
        source.inner if isinstance(source, Pretend) else source
    )
    return target


def _run(function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    flat, _ = tree_flatten((args, kwargs))
    here = [each for each in flat if isinstance(each, Pretend)]
    elsewhere = [each for each in flat if isinstance(each, Tensor) and not isinstance(each, Pretend) and each.dim() > 0]
    if here and elsewhere and function not in _ACROSS:
        shapes = [f"{type(each).__name__} {tuple(each.shape)}" for each in (*here, *elsewhere)]
        raise DeviceMixError(f"{function} got tensors of {NAME} and of the CPU: {', '.join(shapes)}")
    asked = kwargs.get("device")
    to_here = bool(here) if asked is None else torch.device(asked).type == NAME
    if function is torch.ops.aten.copy_.default:
        to_here = isinstance(args[0], Pretend)
    generator = kwargs.get("generator")
    its_own = generator is not None and generator.initial_seed() == _SEED
    if generator is not None and to_here != its_own and (to_here or asked is None):
        raise DeviceMixError(f"{function} got a generator of another device than its tensor's")
    if asked is not None and to_here:
        kwargs = {**kwargs, "device": torch.device("cpu")}
    kwargs.pop("pin_memory", None)
    inner_args, inner_kwargs = tree_map_only(Pretend, lambda each: each.inner, (args, kwargs))
    result = _FUSED.get(function, function)(*inner_args, **inner_kwargs)
    if not to_here:
        return result
    if torch.Tag.inplace_view in function.tags:  # `transpose_` and its like change the outer tensor too
        with no_dispatch():
            function(*args, **kwargs)
    if function is torch.ops.aten._pack_padded_sequence.default:
        return Pretend(result[0]), result[1]  # batch sizes stay on the CPU
    known = {id(each.inner): each for each in here}  # an operation in place returns its argument
    return tree_map_only(Tensor, lambda each: known[id(each)] if id(each) in known else Pretend(each), result)


# Devices other than the CPU run a step of an LSTM or GRU by operations that the CPU does not have.


def _lstm_cell(inputs, hiddens, cell, input_bias=None, hidden_bias=None):
    gates = inputs + hiddens + sum(bias for bias in (input_bias, hidden_bias) if bias is not None)
    i, f, g, o = gates.chunk(4, 1)
    i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
    new_cell = f * cell + i * g
    return o * new_cell.tanh(), new_cell, torch.cat([i, f, g, o], 1)


def _lstm_cell_backward(grad_hidden, grad_cell, cell, new_cell, gates, has_bias):
    i, f, g, o = gates.chunk(4, 1)
    squashed = new_cell.tanh()
    grad_hidden = torch.zeros_like(cell) if grad_hidden is None else grad_hidden
    grad = grad_hidden * o * (1 - squashed**2) + (0 if grad_cell is None else grad_cell)
    parts = [grad * g * i * (1 - i), grad * cell * f * (1 - f), grad * i * (1 - g**2)]
    grad_gates = torch.cat([*parts, grad_hidden * squashed * o * (1 - o)], 1)
    return grad_gates, grad * f, grad_gates.sum(0) if has_bias else None


def _gru_cell(inputs, hiddens, hidden, input_bias=None, hidden_bias=None):
    if input_bias is not None:
        inputs, hiddens = inputs + input_bias, hiddens + hidden_bias
    (input_r, input_z, input_n), (hidden_r, hidden_z, hidden_n) = inputs.chunk(3, 1), hiddens.chunk(3, 1)
    r, z = (input_r + hidden_r).sigmoid(), (input_z + hidden_z).sigmoid()
    n = (input_n + r * hidden_n).tanh()
    return n + z * (hidden - n), torch.cat([r, z, n, hidden, hidden_n], 1)


def _gru_cell_backward(grad, workspace, has_bias):
    r, z, n, hidden, hidden_n = workspace.chunk(5, 1)
    grad_n = grad * (1 - z) * (1 - n**2)
    grad_z, grad_r = grad * (hidden - n) * z * (1 - z), grad_n * hidden_n * r * (1 - r)
    inputs, hiddens = torch.cat([grad_r, grad_z, grad_n], 1), torch.cat([grad_r, grad_z, grad_n * r], 1)
    return inputs, hiddens, grad * z, *((inputs.sum(0), hiddens.sum(0)) if has_bias else (None, None))


_FUSED = {
    torch.ops.aten._thnn_fused_lstm_cell.default: _lstm_cell,
    torch.ops.aten._thnn_fused_lstm_cell_backward_impl.default: _lstm_cell_backward,
    torch.ops.aten._thnn_fused_gru_cell.default: _gru_cell,
    torch.ops.aten._thnn_fused_gru_cell_backward.default: _gru_cell_backward,
}
