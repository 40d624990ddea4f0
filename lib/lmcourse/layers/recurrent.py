"""Recurrent layers: the cells gate by gate, the loop that unrolls them in time, and torch's kernels beside it.

`RNN`, `GRU` and `LSTM` have the parameters of `torch.nn`'s layers, by the same names and with the gates in the same
order, so that state dicts load both ways. With `fused=True` they run torch's own kernel; with `fused=False` the
loop below: the same numbers, readable. The room ends with the other layer for sequences, a causal convolution.

B batch, T time steps, I input width, H hidden width, G width of all gates together (H, 3H or 4H).
"""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

State = Tensor | tuple[Tensor, Tensor]  # the LSTM's is (hidden, cell), the others' is the hidden state alone


def rnn_cell(gates: Tensor) -> Tensor:
    """One step of a plain recurrent network: h_t = tanh(W_ih x_t + b_ih + W_hh h_{t-1} + b_hh).

    Args:
        gates: the sum inside the tanh, (B, H).

    Returns:
        The new hidden state, (B, H).

    Source: Elman, 1990; as `torch.nn.RNNCell`.
    """
    return gates.tanh()


def lstm_cell(gates: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
    """One step of a long short-term memory.

    i, f, o = sigmoid of their gates, g = tanh of its own; c_t = f * c_{t-1} + i * g; h_t = o * tanh(c_t).
    The cell state is carried by a sum, not through a matrix: where f is near 1, the gradient passes unchanged.

    Args:
        gates: W_ih x_t + b_ih + W_hh h_{t-1} + b_hh, (B, 4H), in the order i, f, g, o.
        cell: c_{t-1}, (B, H).

    Returns:
        The new hidden state and the new cell state, each (B, H).

    Source: Hochreiter and Schmidhuber, 1997; the forget gate f from Gers, Schmidhuber and Cummins, 2000.
    """
    i, f, g, o = gates.chunk(4, dim=-1)  # (B, 4H) -> 4 x (B, H)
    cell = torch.addcmul(f.sigmoid() * cell, i.sigmoid(), g.tanh())  # f * c + i * g
    return o.sigmoid() * cell.tanh(), cell


def gru_cell(input_gates: Tensor, hidden_gates: Tensor, hidden: Tensor) -> Tensor:
    """One step of a gated recurrent unit.

    r = sigmoid(r_x + r_h); z = sigmoid(z_x + z_h); n = tanh(n_x + r * n_h); h_t = (1 - z) * n + z * h_{t-1}.
    The reset gate r multiplies n_h with its bias inside, which is why this cell needs the two halves apart.

    Args:
        input_gates: W_ih x_t + b_ih, (B, 3H), in the order r, z, n.
        hidden_gates: W_hh h_{t-1} + b_hh, (B, 3H).
        hidden: h_{t-1}, (B, H).

    Returns:
        The new hidden state, (B, H).

    Source: Cho et al., 2014, equations 5 to 8, where r multiplies h_{t-1} before the matrix; this is the form of
    `torch.nn.GRU` and cuDNN, with r after it.
    """
    r_x, z_x, n_x = input_gates.chunk(3, dim=-1)
    r_h, z_h, n_h = hidden_gates.chunk(3, dim=-1)
    reset, update = (r_x + r_h).sigmoid(), (z_x + z_h).sigmoid()
    new = torch.addcmul(n_x, reset, n_h).tanh()
    return torch.lerp(new, hidden, update)


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


def unroll(
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
    """Run one layer in one direction over all steps of `x`: the loop that `fused=True` replaces.

    W_ih x_t does not depend on the step before, so it is one product for all steps, ahead of the loop.

    Args:
        kind: "rnn", "gru" or "lstm".
        x: the inputs, (B, T, I).
        state: the state before the first step: (B, H), for "lstm" a pair of them.
        weight_ih, weight_hh, bias_ih, bias_hh: (G, I), (G, H), (G,), (G,), as in `torch.nn`.
        reverse: run from the last step to the first; outputs stay at the place of their inputs.
        mask: bool, (B, T), False at padding, where the state stays as it was and the output is 0. Padding in `x`
            must be 0 itself.

    Returns:
        The outputs, (B, T, H), and the state after the last step.

    The gradient can be taken once, not twice, as with cuDNN's kernels.
    """
    if kind not in ("rnn", "gru", "lstm"):
        raise ValueError(f'`kind` must be "rnn", "gru" or "lstm", got {kind!r}.')
    time_major = x.transpose(0, 1)  # (B, T, I) -> (T, B, I)
    input_steps: Sequence[Tensor] = ()
    if kind == "gru":  # its cell needs the halves apart: what the recurrent product is added to is the bias alone
        inputs = F.linear(time_major, weight_ih, bias_ih)  # (T, B, 3H)
        input_steps, gates = inputs.unbind(0), bias_hh.to(inputs.dtype).expand_as(inputs)
    else:
        gates = F.linear(time_major, weight_ih, bias_ih + bias_hh)  # (T, B, G)
    hiddens: list[Tensor] = []
    weight = weight_hh
    if torch.is_grad_enabled():
        gates, weight = _OneProduct.apply(gates, weight_hh, hiddens), weight_hh.detach()
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
            new, new_cell = lstm_cell(summed, cell)
        elif kind == "gru":
            new = gru_cell(input_steps[t], summed, hidden)
        else:
            new = rnn_cell(summed)
        if mask is None:
            hidden, cell = new, new_cell
            outputs.append(new)
        else:
            kept = mask[:, t, None]  # (B, 1)
            hidden, cell = torch.where(kept, new, hidden), torch.where(kept, new_cell, cell)
            outputs.append(new.masked_fill(~kept, 0.0))
    if reverse:  # both lists go by place in the sequence, not by when the loop came there
        outputs.reverse()
        hiddens.reverse()
    return torch.stack(outputs, dim=1), ((hidden, cell) if kind == "lstm" else hidden)


class _Recurrent(nn.Module):
    """What the three layers share: arguments, checks, and the choice of path. Parameters are torch.nn's own."""

    kind: ClassVar[str]
    input_size: int
    hidden_size: int
    num_layers: int
    dropout: float
    bidirectional: bool

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        *,
        dropout: float = 0.0,
        bidirectional: bool = False,
        fused: bool = True,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        for name, value in (("input_size", input_size), ("hidden_size", hidden_size), ("num_layers", num_layers)):
            _check_positive(name, value)
        if not 0.0 <= dropout < 1.0:
            raise ValueError(f"`dropout` must be at least 0 and less than 1, got {dropout}.")
        super().__init__(
            input_size,
            hidden_size,
            num_layers,
            batch_first=True,
            dropout=dropout,
            bidirectional=bidirectional,
            device=device,
            dtype=dtype,
        )
        self.fused = fused

    def forward(self, x: Tensor, state: State | None = None, *, lengths: Tensor | None = None) -> tuple[Tensor, State]:
        """Run over a batch of sequences.

        Args:
            x: (B, T, input_size).
            state: where to start, by default zeros: (num_layers * directions, B, hidden_size) as in `torch.nn`; for
                the LSTM a pair (hidden, cell) of that shape.
            lengths: ints (B,), the true length of each sequence, 1 to T; the steps beyond it are padding. Each
                sequence gets what it would get alone: its final state is the one at its true end, the backward
                direction starts there, and outputs beyond it are 0.

        Returns:
            outputs (B, T, hidden_size * directions), forward direction first, and the final state.

        Raises:
            ValueError: an empty batch, no steps, a wrong width, a state of another shape, a length outside 1..T.
            TypeError: `x` is not floating point; the state is of the wrong kind; lengths are not whole numbers.
        """
        self._check_input(x)
        if lengths is not None:
            lengths = self._checked_lengths(lengths, x)
        if state is not None:
            self._check_state(state, x)
        return self._run_fused(x, state, lengths) if self.fused else self._run_loop(x, state, lengths)

    def _run_fused(self, x: Tensor, state: State | None, lengths: Tensor | None) -> tuple[Tensor, State]:
        if lengths is None:
            return super().forward(x, state)
        packed = pack_padded_sequence(x, lengths.cpu(), batch_first=True, enforce_sorted=False)
        outputs, state = super().forward(packed, state)
        outputs, _ = pad_packed_sequence(outputs, batch_first=True, total_length=x.shape[1])
        return outputs, state

    def _run_loop(self, x: Tensor, state: State | None, lengths: Tensor | None) -> tuple[Tensor, State]:
        directions = 2 if self.bidirectional else 1
        if state is None:
            zeros = x.new_zeros(self.num_layers * directions, x.shape[0], self.hidden_size)
            state = (zeros, zeros) if self.kind == "lstm" else zeros
        mask = None
        if lengths is not None:
            mask = torch.arange(x.shape[1], device=x.device) < lengths.to(x.device)[:, None]  # (B, T)
            x = x.masked_fill(~mask[:, :, None], 0.0)  # a NaN in the padding must not reach the gradients
        finals: list[tuple[Tensor, ...]] = []
        for layer in range(self.num_layers):
            outputs: list[Tensor] = []
            for direction in range(directions):
                at = layer * directions + direction
                start = (state[0][at], state[1][at]) if isinstance(state, tuple) else state[at]
                output, final = unroll(
                    self.kind, x, start, *self.weights(layer, direction), reverse=direction == 1, mask=mask
                )
                outputs.append(output)
                finals.append(final if isinstance(final, tuple) else (final,))
            x = torch.cat(outputs, dim=-1) if self.bidirectional else outputs[0]  # (B, T, H * directions)
            if self.training and self.dropout > 0.0 and layer < self.num_layers - 1:
                x = F.dropout(x, self.dropout)
        parts = [torch.stack(part) for part in zip(*finals, strict=True)]
        return x, ((parts[0], parts[1]) if self.kind == "lstm" else parts[0])

    def weights(self, layer: int = 0, direction: int = 0) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return weight_ih (G, I), weight_hh (G, H), bias_ih (G,), bias_hh (G,) of one layer and direction."""
        suffix = f"_l{layer}" + ("_reverse" if direction == 1 else "")
        w_ih, w_hh, b_ih, b_hh = (
            getattr(self, name + suffix) for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        )
        return w_ih, w_hh, b_ih, b_hh

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, fused={self.fused}"

    def _check_input(self, x: Tensor) -> None:
        if not isinstance(x, Tensor) or not x.is_floating_point():
            kind = x.dtype if isinstance(x, Tensor) else type(x).__name__
            raise TypeError(f"`x` must be a floating-point tensor, got {kind}.")
        if x.dim() != 3 or x.shape[-1] != self.input_size:
            raise ValueError(f"`x` must have shape (B, T, input_size={self.input_size}), got {tuple(x.shape)}.")
        if x.shape[0] == 0 or x.shape[1] == 0:
            raise ValueError(f"`x` must hold at least one sequence and one step, got shape {tuple(x.shape)}.")

    def _check_state(self, state: State, x: Tensor) -> None:
        rows = self.num_layers * (2 if self.bidirectional else 1)
        shape = (rows, x.shape[0], self.hidden_size)
        parts = state if isinstance(state, tuple) else (state,)
        if len(parts) != (2 if self.kind == "lstm" else 1) or not all(isinstance(part, Tensor) for part in parts):
            rule = "a pair (hidden, cell) of tensors" if self.kind == "lstm" else "one tensor"
            got = type(state).__name__ + (f" of {len(state)}" if isinstance(state, tuple) else "")
            raise TypeError(f"`state` of {type(self).__name__} must be {rule}, got {got}.")
        for part in parts:
            if tuple(part.shape) != shape:
                raise ValueError(
                    "`state` must have shape (num_layers * directions, B, hidden_size) = "
                    f"{shape}, got {tuple(part.shape)}."
                )

    @staticmethod
    def _checked_lengths(lengths: Tensor, x: Tensor) -> Tensor:
        lengths = torch.as_tensor(lengths)
        if lengths.is_floating_point() or lengths.is_complex() or lengths.dtype == torch.bool:
            raise TypeError(f"`lengths` must be whole numbers, got {lengths.dtype}.")
        if tuple(lengths.shape) != (x.shape[0],):
            raise ValueError(f"`lengths` must have shape (B,) = ({x.shape[0]},), got {tuple(lengths.shape)}.")
        low, high = int(lengths.min()), int(lengths.max())
        if low < 1 or high > x.shape[1]:
            raise ValueError(f"`lengths` must be in 1..T with T={x.shape[1]}, got {low} to {high}.")
        return lengths


class RNN(_Recurrent, nn.RNN):  # type: ignore[misc]  # `lengths` instead of packed sequences
    """Plain recurrent network with tanh, batch first: h_t = tanh(W_ih x_t + b_ih + W_hh h_{t-1} + b_hh).

    Args:
        input_size: width of the inputs.
        hidden_size: width H of the state.
        num_layers: layers stacked; the outputs of one are the inputs of the next.
        dropout: share of the outputs between layers that is zeroed in training.
        bidirectional: a second set of weights runs from the end; outputs are 2H wide.
        fused: run torch's kernel; False runs `unroll`, the same numbers from a loop one can read.

    Differs from `torch.nn.RNN`: always batch first, with biases and tanh; padded batches by `lengths`.
    Cost: O(T H (I + H)) for each sequence and layer, T steps one after another.
    Source: Elman, "Finding structure in time", 1990.
    """

    kind = "rnn"


class GRU(_Recurrent, nn.GRU):  # type: ignore[misc]  # `lengths` instead of packed sequences
    """Gated recurrent unit, batch first; see `gru_cell` for the equations and `RNN` for the arguments.

    Source: Cho et al., "Learning phrase representations using RNN encoder-decoder", 2014, in cuDNN's form.
    """

    kind = "gru"


class LSTM(_Recurrent, nn.LSTM):  # type: ignore[misc]  # `lengths` instead of packed sequences
    """Long short-term memory, batch first; see `lstm_cell` for the equations and `RNN` for the arguments.

    Source: Hochreiter and Schmidhuber, "Long short-term memory", 1997, with Gers et al.'s forget gate, 2000.
    """

    kind = "lstm"


@torch.no_grad()
def init_forget_bias(lstm: nn.LSTM, value: float = 1.0) -> None:
    """Set the bias of every forget gate: bias_ih to `value`, bias_hh to 0, since the gate sees their sum.

    At 0 a fresh LSTM forgets half its cell at each step (sigmoid(0) = 0.5); at 1 it keeps 0.73 of it, at 3 0.95.

    Args:
        lstm: an LSTM of this module or of `torch.nn`; changed in place.
        value: b_f.

    Raises:
        TypeError: `lstm` is no LSTM.

    Source: Gers et al., 2000; Jozefowicz, Zaremba and Sutskever, 2015, section 2.2.
    """
    if not isinstance(lstm, nn.LSTM):
        raise TypeError(f"`lstm` must be an LSTM, got {type(lstm).__name__}.")
    forget = slice(lstm.hidden_size, 2 * lstm.hidden_size)  # gate order i, f, g, o
    for name, parameter in lstm.named_parameters():
        if name.startswith("bias_ih"):
            parameter[forget] = value
        elif name.startswith("bias_hh"):
            parameter[forget] = 0.0


class CausalConv(nn.Module):
    """Convolution over time that looks back only: y_t = b + sum over k of W_k x_{t - k * dilation}.

    All steps are computed at once, unlike a recurrent layer, but y_t sees `receptive_field` inputs and no more.

    Args:
        in_channels, out_channels: widths of the inputs and outputs.
        kernel_size: how many inputs each output sees.
        dilation: the distance between two of them.

    Differs from `torch.nn.Conv1d`: batch first, width last, padded with zeros at the left only.
    Cost: O(T * kernel_size * in_channels * out_channels), parallel in T.
    Source: van den Oord et al., "WaveNet", 2016, section 2.1.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        *,
        dilation: int = 1,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        for name, value in (
            ("in_channels", in_channels),
            ("out_channels", out_channels),
            ("kernel_size", kernel_size),
            ("dilation", dilation),
        ):
            _check_positive(name, value)
        self.in_channels = in_channels
        self.receptive_field = (kernel_size - 1) * dilation + 1
        self.conv = nn.Conv1d(in_channels, out_channels, kernel_size, dilation=dilation, device=device, dtype=dtype)

    def forward(self, x: Tensor) -> Tensor:
        """Map x (B, T, in_channels) to (B, T, out_channels)."""
        if x.dim() != 3 or x.shape[-1] != self.in_channels or x.shape[0] == 0 or x.shape[1] == 0:
            raise ValueError(
                f"`x` must have shape (B, T, in_channels={self.in_channels}) with B and T at least 1, "
                f"got {tuple(x.shape)}."
            )
        channels_first = F.pad(x.transpose(1, 2), (self.receptive_field - 1, 0))  # (B, C, R - 1 + T)
        return self.conv(channels_first).transpose(1, 2)  # (B, T, out_channels)


def receptive_field(layers: Iterable[CausalConv]) -> int:
    """Return how many inputs one output of these layers, stacked, depends on: 1 + sum of (kernel - 1) * dilation."""
    return 1 + sum(layer.receptive_field - 1 for layer in layers)


def _check_positive(name: str, value: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"`{name}` must be an int, got {type(value).__name__}.")
    if value < 1:
        raise ValueError(f"`{name}` must be at least 1, got {value}.")
