"""The fast loop of the recurrent layers beside the one that can be read."""

import pytest
import torch

from lmcourse import kernels
from lmcourse.kernels.recurrent import fast_unroll
from lmcourse.layers import GRU, LSTM, RNN, recurrent
from lmcourse.layers.recurrent import unroll

B, T, I, H = 3, 5, 7, 11
KINDS = {"rnn": (RNN, 1), "gru": (GRU, 3), "lstm": (LSTM, 4)}
TOLERANCES = {torch.float64: 1e-12, torch.float32: 2e-5, torch.float16: 0.02, torch.bfloat16: 0.1}

every_kind = pytest.mark.parametrize("kind", KINDS)


def inputs(kind, dtype):
    generator, gates = torch.Generator().manual_seed(0), KINDS[kind][1] * H
    shapes = [(B, T, I), (B, H), (B, H), (gates, I), (gates, H), (gates,), (gates,)]
    return [(0.5 * torch.randn(shape, generator=generator)).to(dtype).requires_grad_() for shape in shapes]


def everything(function, kind, leaves, **options):
    """Return outputs, final state and all gradients, for a loss that uses each output differently."""
    x, hidden, cell, *weights = leaves
    outputs, state = function(kind, x, (hidden, cell) if kind == "lstm" else hidden, *weights, **options)
    parts = [outputs, *(state if kind == "lstm" else (state,))]
    loss = sum(
        (part.sin() * torch.linspace(-1, 1, part.numel(), dtype=part.dtype).view_as(part)).sum() for part in parts
    )
    used = leaves if kind == "lstm" else [leaf for i, leaf in enumerate(leaves) if i != 2]
    return [part.detach() for part in parts] + list(torch.autograd.grad(loss, used))


@every_kind
@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("lengths", [None, [2, 5, 1]])
def test_the_twins_are_equal(kind, dtype, reverse, lengths):
    mask = None if lengths is None else torch.arange(T) < torch.tensor(lengths)[:, None]
    leaves = inputs(kind, dtype)
    if mask is not None:
        leaves[0] = (leaves[0].detach() * mask[:, :, None]).requires_grad_()
    fast = everything(fast_unroll, kind, leaves, reverse=reverse, mask=mask)
    exact = [leaf.detach().double().requires_grad_() for leaf in leaves]
    plain = everything(unroll, kind, exact, reverse=reverse, mask=mask)
    for got, want in zip(fast, plain, strict=True):
        scale = max(1.0, float(want.abs().max()))
        assert float((got.double() - want).abs().max()) <= TOLERANCES[dtype] * scale


@every_kind
def test_the_layer_takes_the_fast_loop_outside_of_plain_only(kind, monkeypatch):
    called = []
    for name in ("fast_unroll", "unroll"):
        original = getattr(recurrent, name)
        monkeypatch.setattr(
            recurrent, name, lambda *a, name=name, original=original, **o: (called.append(name), original(*a, **o))[1]
        )
    layer, x = KINDS[kind][0](I, H, fused=False), torch.randn(B, T, I)
    fast = layer(x)[0]
    with kernels.plain():
        plain = layer(x)[0]
    assert called == ["fast_unroll", "unroll"]
    torch.testing.assert_close(fast, plain)


@every_kind
@pytest.mark.parametrize("lengths", [None, [2, 5, 1]])
def test_inside_plain_torchs_kernel_does_not_run(kind, lengths, monkeypatch):
    called, original = [], recurrent.unroll
    monkeypatch.setattr(recurrent, "unroll", lambda *a, **o: (called.append(1), original(*a, **o))[1])
    layer, x = KINDS[kind][0](I, H, num_layers=2, bidirectional=True), torch.randn(B, T, I)
    lengths = lengths and torch.tensor(lengths)
    fused, fused_state = layer(x, lengths=lengths)
    assert called == []
    with kernels.plain():
        plain, plain_state = layer(x, lengths=lengths)
    assert called == [1] * 4
    torch.testing.assert_close(plain, fused)
    torch.testing.assert_close(plain_state, fused_state)


@every_kind
def test_the_plain_loop_can_be_differentiated_twice(kind):
    layer = KINDS[kind][0](2, 3, fused=False, dtype=torch.float64)
    x = torch.randn(2, 3, 2, dtype=torch.float64, requires_grad=True)
    with kernels.plain():
        assert torch.autograd.gradgradcheck(lambda x: layer(x)[0], (x,))


@every_kind
def test_under_torch_func_the_plain_loop_serves(kind):
    layer, x = KINDS[kind][0](I, H, fused=False, dtype=torch.float64), torch.randn(B, T, I, dtype=torch.float64)
    parameters = dict(layer.named_parameters())
    by_func = torch.func.grad(lambda p: torch.func.functional_call(layer, p, (x,))[0].sin().sum())(parameters)
    wanted = torch.autograd.grad(layer(x)[0].sin().sum(), list(parameters.values()))
    for got, want in zip(by_func.values(), wanted, strict=True):
        torch.testing.assert_close(got, want)


@pytest.mark.parametrize("grad", [False, True])
def test_torchs_kernel_is_told_to_train_where_a_gradient_is_wanted(grad, monkeypatch):
    """Without it, cuDNN has no gradient; processors take it either way."""
    told, kernel = [], torch.lstm

    def lstm(*arguments):
        told.append(arguments[6])
        return kernel(*arguments)

    monkeypatch.setattr(torch, "lstm", lstm)
    with torch.set_grad_enabled(grad):
        LSTM(I, H)(torch.zeros(B, T, I))
    assert told == [grad]
