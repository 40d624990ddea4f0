"""Recurrent layers: the cells gate by gate, the loop that unrolls them in time, and torch's kernels beside it.

`RNN`, `GRU` and `LSTM` have the parameters of `torch.nn`'s layers, by the same names and with the gates in the same
order, so that state dicts load both ways. With `fused=True` they run torch's own kernel; with `fused=False`, and inside
`lmcourse.kernels.plain()`, they give the same numbers by a loop in Python. The file ends with another layer for
sequences, a causal convolution.

B batch, T time steps, I input width, H hidden width, G width of all gates together (H, 3H or 4H).
"""

from collections.abc import Iterable
from typing import Any, ClassVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse import checks, tensor_checks
from lmcourse.kernels.recurrent import State, fast_unroll, run_torch_kernel, torch_kernel_runs
from lmcourse.kernels.switch import eager, enabled, enabled_eagerly

__all__ = [
    "GRU",
    "LSTM",
    "RNN",
    "CausalConv",
    "gru_cell",
    "init_forget_bias",
    "lstm_cell",
    "receptive_field",
    "rnn_cell",
    "unroll",
]


def rnn_cell(gates: Tensor) -> Tensor:
    """One step of a plain recurrent network: h_t = tanh(W_ih x_t + b_ih + W_hh h_{t-1} + b_hh).

    Args:
        gates: the sum inside the tanh, (B, H).

    Returns:
        The new hidden state, (B, H).

    Source: Elman, 1990; as `torch.nn.RNNCell`.
    """
    tensor_checks.floating(gates=gates)
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
    _check_step({"cell": cell}, 4, gates=gates)
    i, f, g, o = gates.chunk(4, dim=-1)  # (B, 4H) -> 4 x (B, H)
    cell = f.sigmoid() * cell + i.sigmoid() * g.tanh()
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
    _check_step({"hidden": hidden}, 3, input_gates=input_gates, hidden_gates=hidden_gates)
    r_x, z_x, n_x = input_gates.chunk(3, dim=-1)
    r_h, z_h, n_h = hidden_gates.chunk(3, dim=-1)
    r, z = (r_x + r_h).sigmoid(), (z_x + z_h).sigmoid()
    n = (n_x + r * n_h).tanh()
    return (1 - z) * n + z * hidden


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

    Args:
        kind: "rnn", "gru" or "lstm".
        x: the inputs, (B, T, I).
        state: the state before the first step: (B, H), for "lstm" a pair of them.
        weight_ih, weight_hh, bias_ih, bias_hh: (G, I), (G, H), (G,), (G,), as in `torch.nn`.
        reverse: run from the last step to the first; each output keeps the index of its input.
        mask: bool, (B, T), False at padding, where the state stays as it was and the output is 0.

    Returns:
        The outputs, (B, T, H), and the state after the last step.

    Raises:
        TypeError: inputs, a state or weights that are not floating point; a mask that is not bool; a state of the wrong
            kind.
        ValueError: another `kind`, no steps, shapes that do not fit.
    """
    _check_unroll(kind, x, state, mask, weight_ih=weight_ih, weight_hh=weight_hh, bias_ih=bias_ih, bias_hh=bias_hh)
    hidden, cell = state if isinstance(state, tuple) else (state, state)
    outputs, steps = [], range(x.shape[1])
    for t in reversed(steps) if reverse else steps:
        from_input = F.linear(x[:, t], weight_ih, bias_ih)  # W_ih x_t + b_ih, (B, G)
        from_hidden = F.linear(hidden, weight_hh, bias_hh)  # W_hh h_{t-1} + b_hh, (B, G)
        after = _cell(kind, from_input, from_hidden, hidden, cell)
        hidden, cell = after if mask is None else _where_token(mask[:, t], after, (hidden, cell))
        outputs.append(hidden)
    output = torch.stack(outputs[::-1] if reverse else outputs, dim=1)  # T x (B, H) -> (B, T, H)
    output = output if mask is None else output.masked_fill(~mask[:, :, None], 0.0)
    return output, (hidden, cell) if kind == "lstm" else hidden


def _check_step(state: dict[str, Tensor], num_gates: int, **gates: Tensor) -> None:
    """Raise unless the gates are (..., num_gates H) for a state (..., H), on its device."""
    ((name, hidden),) = state.items()
    tensor_checks.floating(**state, **gates)
    if hidden.dim() == 0:
        raise ValueError(f"`{name}` must have shape (B, H), got one number.")
    tensor_checks.shape((*hidden.shape[:-1], num_gates * hidden.shape[-1]), **gates)
    tensor_checks.same_device(**state, **gates)


def _check_unroll(kind: str, x: Tensor, state: State, mask: Tensor | None, **weights: Tensor) -> None:
    checks.one_of(("rnn", "gru", "lstm"), kind=kind)
    parts: tuple[Any, ...] = tuple(checks.pair(state=state)) if kind == "lstm" else (state,)
    for part in parts:
        tensor_checks.floating(x=x, state=part, **weights)
    tensor_checks.shape(("B", "T", "I"), x=x)
    if x.shape[0] == 0 or x.shape[1] == 0:
        raise ValueError(f"`x` must hold at least one sequence and one step, got shape {tuple(x.shape)}.")
    B, T, inputs = x.shape
    tensor_checks.shape(("G", "H"), weight_hh=weights["weight_hh"])
    H = weights["weight_hh"].shape[1]
    G = {"rnn": 1, "gru": 3, "lstm": 4}[kind] * H
    tensor_checks.shape((G, H), weight_hh=weights["weight_hh"])
    tensor_checks.shape((G, inputs), weight_ih=weights["weight_ih"])
    tensor_checks.shape((G,), bias_ih=weights["bias_ih"], bias_hh=weights["bias_hh"])
    for part in parts:
        tensor_checks.shape((B, H), state=part)
        tensor_checks.same_device(x=x, state=part, **weights)
        tensor_checks.same_dtype(x=x, state=part, **weights)
    if mask is not None:
        tensor_checks.mask_of(x[:, :, 0] if inputs else x.new_zeros(B, T), mask=mask)
        tensor_checks.shape((B, T), mask=mask)


def _cell(kind: str, from_input: Tensor, from_hidden: Tensor, hidden: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
    """Return the hidden state and the cell state after one step; only an LSTM has a cell state."""
    if kind == "lstm":
        return lstm_cell(from_input + from_hidden, cell)
    if kind == "gru":
        return gru_cell(from_input, from_hidden, hidden), cell
    return rnn_cell(from_input + from_hidden), cell


def _where_token(
    is_token: Tensor, after: tuple[Tensor, Tensor], before: tuple[Tensor, Tensor]
) -> tuple[Tensor, Tensor]:
    """Return the states after a step of the rows (B,) that have a token there, and those before it of the others."""
    return torch.where(is_token[:, None], after[0], before[0]), torch.where(is_token[:, None], after[1], before[1])


class _Recurrent(nn.RNNBase):
    """What the three layers share: arguments, checks, and the choice of path. Parameters are torch.nn's own.

    It is no `nn.RNN`, `nn.GRU` or `nn.LSTM`: torch.compile refuses these and their subclasses by name.
    """

    kind: ClassVar[str]
    mode_of_torch: ClassVar[str]

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
        checks.whole(input_size=input_size, hidden_size=hidden_size, num_layers=num_layers, at_least=1)
        checks.number(dropout=dropout, at_least=0.0, below=1.0)
        super().__init__(
            self.mode_of_torch,
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
            TypeError: `x` or the state is not of the layer's dtype; the state is of the wrong kind; lengths are not
                whole numbers.
        """
        self._check_input(x)
        if lengths is not None:
            lengths = self._checked_lengths(lengths, x)
        if state is None:
            state = self._zeros(x)
        else:
            self._check_state(state, x)
        fused = self.fused and enabled() and torch_kernel_runs(self.kind, x)
        if fused and (lengths is None or eager(x, lengths)):  # packing by length cannot be traced
            return self._run_fused(x, state, lengths)
        return self._run_loop(x, state, lengths)

    def _zeros(self, x: Tensor) -> State:
        rows = self.num_layers * (2 if self.bidirectional else 1)
        zeros = x.new_zeros(rows, x.shape[0], self.hidden_size)
        return (zeros, zeros) if self.kind == "lstm" else zeros

    def _run_fused(self, x: Tensor, state: State, lengths: Tensor | None) -> tuple[Tensor, State]:
        directions = range(2 if self.bidirectional else 1)
        weights = [each for layer in range(self.num_layers) for at in directions for each in self.weights(layer, at)]
        return run_torch_kernel(
            self.kind,
            x,
            state,
            weights,
            lengths,
            num_layers=self.num_layers,
            dropout=self.dropout if self.training else 0.0,
            bidirectional=self.bidirectional,
        )

    def _run_loop(self, x: Tensor, state: State, lengths: Tensor | None) -> tuple[Tensor, State]:
        directions = 2 if self.bidirectional else 1
        run = fast_unroll if enabled_eagerly(x) else unroll
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
                output, final = run(
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
        checks.whole(at_least=0, below=self.num_layers, layer=layer)
        checks.whole(at_least=0, at_most=int(self.bidirectional), direction=direction)
        suffix = f"_l{layer}" + ("_reverse" if direction == 1 else "")
        w_ih, w_hh, b_ih, b_hh = (
            getattr(self, name + suffix) for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        )
        return w_ih, w_hh, b_ih, b_hh

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, fused={self.fused}"

    def _check_input(self, x: Tensor) -> None:
        tensor_checks.vectors(self.input_size, self.weights()[0], x=x)
        tensor_checks.shape(("B", "T", self.input_size), x=x)
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
            tensor_checks.vectors(self.hidden_size, self.weights()[1], state=part)

    @staticmethod
    def _checked_lengths(lengths: Tensor, x: Tensor) -> Tensor:
        lengths = tensor_checks.converted(lengths=lengths)
        tensor_checks.integers(lengths=lengths)
        tensor_checks.shape((x.shape[0],), lengths=lengths)
        tensor_checks.integers(lengths=lengths, at_least=1, below=x.shape[1] + 1)
        if lengths.is_meta and not x.is_meta:
            tensor_checks.has_values(lengths=lengths)
        return lengths


class RNN(_Recurrent):
    """Plain recurrent network with tanh, batch first: h_t = tanh(W_ih x_t + b_ih + W_hh h_{t-1} + b_hh).

    Args:
        input_size: width of the inputs.
        hidden_size: width H of the state.
        num_layers: layers stacked; the outputs of one are the inputs of the next.
        dropout: share of the outputs between layers that is zeroed in training.
        bidirectional: a second set of weights runs from the end; outputs are 2H wide.
        fused: run torch's kernel; False gives the same numbers by a loop in Python. Inside `lmcourse.kernels.plain()`
            the loop is `unroll` whatever `fused` says; elsewhere it is a faster one.

    Differs from `torch.nn.RNN`: always batch first, with biases and tanh; padded batches by `lengths`; it
    compiles into one graph.
    Cost: O(T H (I + H)) for each sequence and layer, T steps one after another.
    Source: Elman, "Finding structure in time", 1990.
    """

    kind, mode_of_torch = "rnn", "RNN_TANH"


class GRU(_Recurrent):
    """Gated recurrent unit, batch first; see `gru_cell` for the equations and `RNN` for the arguments.

    Source: Cho et al., "Learning phrase representations using RNN encoder-decoder", 2014, in cuDNN's form.
    """

    kind, mode_of_torch = "gru", "GRU"


class LSTM(_Recurrent):
    """Long short-term memory, batch first; see `lstm_cell` for the equations and `RNN` for the arguments.

    Source: Hochreiter and Schmidhuber, "Long short-term memory", 1997, with Gers et al.'s forget gate, 2000.
    """

    kind, mode_of_torch = "lstm", "LSTM"


@torch.no_grad()
def init_forget_bias(lstm: nn.LSTM | LSTM, value: float = 1.0) -> None:
    """Set the bias of every forget gate: bias_ih to `value`, bias_hh to 0, since the gate sees their sum.

    At 0 a fresh LSTM forgets half its cell at each step (sigmoid(0) = 0.5); at 1 it keeps 0.73 of it, at 3 0.95.

    Args:
        lstm: an LSTM of this module or of `torch.nn`; changed in place.
        value: b_f, from -100, where the gate is shut, to 100, where it is open.

    Raises:
        TypeError: `lstm` is no LSTM, or `value` no number.
        ValueError: `value` is out of range.

    Source: Gers et al., 2000; Jozefowicz, Zaremba and Sutskever, 2015, section 2.2.
    """
    if not isinstance(lstm, nn.LSTM | LSTM):
        raise TypeError(f"`lstm` must be an LSTM, got {type(lstm).__name__}.")
    checks.number(value=value, at_least=-100.0, at_most=100.0)
    forget = slice(lstm.hidden_size, 2 * lstm.hidden_size)  # gate order i, f, g, o
    for name, parameter in lstm.named_parameters():
        if name.startswith("bias_ih"):
            parameter[forget] = value
        elif name.startswith("bias_hh"):
            parameter[forget] = 0.0


class CausalConv(nn.Module):
    """Convolution over time that sees the past only: y_t = b + sum over k of W_k x_{t - k * dilation}.

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
        checks.whole(
            in_channels=in_channels, out_channels=out_channels, kernel_size=kernel_size, dilation=dilation, at_least=1
        )
        self.in_channels = in_channels
        self.receptive_field = (kernel_size - 1) * dilation + 1
        self.conv = nn.Conv1d(in_channels, out_channels, kernel_size, dilation=dilation, device=device, dtype=dtype)

    def forward(self, x: Tensor) -> Tensor:
        """Map x (B, T, in_channels) to (B, T, out_channels)."""
        tensor_checks.vectors(self.in_channels, self.conv.weight, x=x)
        if x.dim() != 3 or x.shape[0] == 0 or x.shape[1] == 0:
            raise ValueError(
                f"`x` must have shape (B, T, in_channels={self.in_channels}) with B and T at least 1, "
                f"got {tuple(x.shape)}."
            )
        channels_first = F.pad(x.transpose(1, 2), (self.receptive_field - 1, 0))  # (B, C, R - 1 + T)
        outputs: Tensor = self.conv(channels_first)  # (B, out_channels, T)
        return outputs.transpose(1, 2)


def receptive_field(layers: Iterable[CausalConv]) -> int:
    """Return how many inputs one output of these layers, stacked, depends on: 1 + sum of (kernel - 1) * dilation.

    Raises:
        TypeError: something else than layers `CausalConv`.
    """
    checks.instance(Iterable, layers=layers)
    layers = list(layers)
    for layer in layers:
        checks.instance(CausalConv, **{"layers[...]": layer})
    return 1 + sum(layer.receptive_field - 1 for layer in layers)
