"""A recurrent layer's loop in Python, as fast as it gets: one product for all inputs, one for the gradient of W_hh.

B batch, T time steps, I input width, H hidden width, G width of all gates together (H, 3H or 4H).
"""

import warnings
from collections.abc import Sequence
from functools import cache
from typing import Any, cast

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

# cuDNN copies weights that do not lie side by side, at every call. It costs nothing that could be measured: 20.7 ms a
# step beside 20.8 of torch.nn.LSTM (H100; 64 texts of 256 steps, two layers of 512).
warnings.filterwarnings("ignore", message="RNN module weights are not part of single contiguous chunk of memory")

State = Tensor | tuple[Tensor, Tensor]  # the LSTM's is (hidden, cell), the others' is the hidden state alone


@cache
def _processor_has_bfloat16() -> bool:
    """Whether oneDNN, which torch computes an LSTM with on a CPU, knows bfloat16 here (AVX-512 or newer)."""
    return not torch.backends.mkldnn.is_available() or bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())


def torch_kernel_runs(kind: str, x: Tensor) -> bool:
    """Return whether torch's own kernel can run a layer here.

    Under autocast to bfloat16, torch's LSTM fails on processors on which oneDNN has none: "could not create a primitive
    descriptor". Under torch.compile, its gradient fails on a CPU: "expected all tensors_saved_with_vc_check to be
    Tensors". The loop computes the same there.
    """
    if kind != "lstm" or x.device.type != "cpu":
        return True
    if torch.compiler.is_compiling() and not torch.compiler.is_exporting() and torch.is_grad_enabled():
        return False
    return (
        not torch.is_autocast_enabled("cpu")
        or torch.get_autocast_dtype("cpu") != torch.bfloat16
        or _processor_has_bfloat16()
    )


def run_torch_kernel(
    kind: str,
    x: Tensor,
    state: State,
    weights: list[Tensor],
    lengths: Tensor | None = None,
    *,
    num_layers: int,
    dropout: float,
    bidirectional: bool,
) -> tuple[Tensor, State]:
    """Return what a whole layer of `lmcourse.layers.recurrent` returns, computed by torch's kernel.

    Args:
        kind, x, state, lengths: as of the layer's `forward`.
        weights: weight_ih, weight_hh, bias_ih, bias_hh of each layer and direction, one after the other.
        num_layers, bidirectional: of the layer.
        dropout: between layers.
    """
    kernel: Any = {"rnn": torch.rnn_tanh, "gru": torch.gru, "lstm": torch.lstm}[kind]
    learns = torch.is_grad_enabled()  # cuDNN keeps what a gradient needs only if it is told to train
    settings = (weights, True, num_layers, dropout, learns or dropout > 0.0, bidirectional)
    if lengths is None:
        outputs, *after = kernel(x, state, *settings, True)
        return outputs, (after[0], after[1]) if kind == "lstm" else after[0]
    packed = pack_padded_sequence(x, lengths.cpu(), batch_first=True, enforce_sorted=False)
    order, back = cast(Tensor, packed.sorted_indices), cast(Tensor, packed.unsorted_indices)
    sorted_state = _rows(state, order)
    data, *after = kernel(packed.data, packed.batch_sizes, sorted_state, *settings)
    packed = PackedSequence(data, packed.batch_sizes, order, back)
    outputs, _ = pad_packed_sequence(packed, batch_first=True, total_length=x.shape[1])
    return outputs, _rows((after[0], after[1]) if kind == "lstm" else after[0], back)


def _rows(state: State, rows: Tensor) -> State:
    if isinstance(state, tuple):
        return state[0].index_select(1, rows), state[1].index_select(1, rows)
    return state.index_select(1, rows)


def fast_unroll(
    kind: str,
    x: Tensor,
    state: State,
    weight_ih: Tensor,
    weight_hh: Tensor,
    bias_ih: Tensor,
    bias_hh: Tensor,
    *,
    reverse: bool = False,
    mask: Tensor | None = None,
) -> tuple[Tensor, State]:
    """Return what `lmcourse.layers.recurrent.unroll` returns.

    W_ih x_t does not depend on the step before, so it is one product for all steps, ahead of the loop. The gradient
    can be taken once, not twice, as with cuDNN's kernels.
    """
    time_major = x.transpose(0, 1)  # (B, T, I) -> (T, B, I)
    input_steps: Sequence[Tensor] = ()
    if kind == "gru":  # it needs the two halves of its gates apart: the recurrent product is added to the bias alone
        inputs = F.linear(time_major, weight_ih, bias_ih)  # (T, B, 3H)
        input_steps, gates = inputs.unbind(0), bias_hh.to(inputs.dtype).expand_as(inputs)
    else:
        gates = F.linear(time_major, weight_ih, bias_ih + bias_hh)  # (T, B, G)
    hiddens: list[Tensor] = []
    weight = weight_hh
    if torch.is_grad_enabled():
        gates, weight = _OneProduct.apply(gates, weight_hh, hiddens), weight_hh.detach()  # type: ignore[no-untyped-call]
    gate_steps, weight = gates.unbind(0), weight.T.to(gates.dtype)  # under autocast the gates are narrower

    hidden, cell = state if isinstance(state, tuple) else (state, state)
    hidden, cell = hidden.to(gates.dtype), cell.to(gates.dtype)
    outputs: list[Tensor] = []
    steps = range(x.shape[1])
    for t in reversed(steps) if reverse else steps:
        hiddens.append(hidden.detach())
        summed = torch.addmm(gate_steps[t], hidden, weight)  # (B, G)
        new_cell = cell
        if kind == "lstm":
            new, new_cell = _lstm_cell(summed, cell)
        elif kind == "gru":
            new = _gru_cell(input_steps[t], summed, hidden)
        else:
            new = summed.tanh()
        if mask is None:
            hidden, cell = new, new_cell
            outputs.append(new)
        else:
            kept = mask[:, t, None]  # (B, 1)
            hidden, cell = torch.where(kept, new, hidden), torch.where(kept, new_cell, cell)
            outputs.append(new.masked_fill(~kept, 0.0))
    if reverse:  # both lists are in the order of the sequence, not in that of the loop
        outputs.reverse()
        hiddens.reverse()
    return torch.stack(outputs, dim=1), ((hidden, cell) if kind == "lstm" else hidden)


def _lstm_cell(gates: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
    i, f, g, o = gates.chunk(4, dim=-1)
    cell = torch.addcmul(f.sigmoid() * cell, i.sigmoid(), g.tanh())  # f * c + i * g
    return o.sigmoid() * cell.tanh(), cell


def _gru_cell(input_gates: Tensor, hidden_gates: Tensor, hidden: Tensor) -> Tensor:
    r_x, z_x, n_x = input_gates.chunk(3, dim=-1)
    r_h, z_h, n_h = hidden_gates.chunk(3, dim=-1)
    reset, update = (r_x + r_h).sigmoid(), (z_x + z_h).sigmoid()
    return torch.lerp(torch.addcmul(n_x, reset, n_h).tanh(), hidden, update)  # (1 - z) * n + z * h


class _OneProduct(torch.autograd.Function):
    """Identity on `gates` that gathers the gradient of the recurrent weight W_hh over all steps into one product.

    With gates_t = ... + W_hh h_{t-1}, dL/dW_hh = sum over t of dL/dgates_t h_{t-1}^T. Autograd would form T small
    products and add them up; the gradient that arrives here holds all dL/dgates_t, so one large product does.
    """

    @staticmethod
    def forward(ctx: Any, gates: Tensor, weight_hh: Tensor, hiddens: list[Tensor]) -> Tensor:  # gates (T, B, G)
        ctx.hiddens = hiddens  # filled by the loop after this call: h_{t-1} of every step, each (B, H)
        return gates.view_as(gates)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor | None, None]:
        if not ctx.needs_input_grad[1]:
            return grad, None, None
        hiddens = torch.cat(ctx.hiddens).to(grad.dtype)  # (T B, H)
        return grad, grad.flatten(0, 1).T @ hiddens, None  # (G, T B) x (T B, H)
