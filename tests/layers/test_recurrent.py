"""The recurrent layers against torch.nn, against themselves on padded batches, and on bad input."""

import copy
import warnings

import pytest
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from lmcourse.kernels import recurrent as recurrent_kernels
from lmcourse.layers.recurrent import (
    GRU,
    LSTM,
    RNN,
    CausalConv,
    gru_cell,
    init_forget_bias,
    lstm_cell,
    receptive_field,
    rnn_cell,
    unroll,
)

KINDS = {"rnn": (RNN, nn.RNN), "gru": (GRU, nn.GRU), "lstm": (LSTM, nn.LSTM)}
B, T, I, H = 3, 11, 5, 7  # every size another prime
TOLERANCES = {torch.float64: 1e-12, torch.float32: 2e-5, torch.bfloat16: 3e-2}

every_layer = pytest.mark.parametrize("kind", KINDS)
both_paths = pytest.mark.parametrize("fused", [True, False], ids=["fused", "loop"])
both_directions = pytest.mark.parametrize("bidirectional", [False, True], ids=["one-way", "two-way"])


def twins(kind, *, fused, num_layers=1, bidirectional=False, dtype=torch.float64, device="cpu"):
    """Return torch.nn's layer and ours with the same weights."""
    ours, theirs = KINDS[kind]
    torch.manual_seed(7)
    reference = theirs(I, H, num_layers, batch_first=True, bidirectional=bidirectional, dtype=dtype, device=device)
    layer = ours(I, H, num_layers, bidirectional=bidirectional, fused=fused, dtype=dtype, device=device)
    layer.load_state_dict(reference.state_dict())
    return reference, layer


def draw_state(kind, rows, batch=B, dtype=torch.float64, device="cpu"):
    def draw():
        return torch.randn(rows, batch, H, dtype=dtype, device=device).requires_grad_()

    return (draw(), draw()) if kind == "lstm" else draw()


def parts(state):
    return list(state) if isinstance(state, tuple) else [state]


def everything(module, x, state, **options):
    """Return outputs, final states, and the gradient of all inputs and parameters, for a loss that uses all."""
    x = x.detach().clone().requires_grad_()
    leaves = [part.detach().clone().requires_grad_() for part in parts(state)]
    outputs, final = module(x, tuple(leaves) if isinstance(state, tuple) else leaves[0], **options)
    mix = torch.linspace(-1, 1, outputs.numel(), dtype=x.dtype, device=x.device).view_as(outputs)
    loss = (outputs.sin() * mix).sum() + sum((part**2 * (i + 1)).sum() for i, part in enumerate(parts(final)))
    names = [name for name, _ in module.named_parameters()]
    grads = torch.autograd.grad(loss, [x, *leaves, *module.parameters()])
    return {
        "outputs": outputs.detach(),
        **{f"final {i}": part.detach() for i, part in enumerate(parts(final))},
        **dict(zip(["x", *(f"state {i}" for i in range(len(leaves))), *names], grads, strict=True)),
    }


def assert_equal(got, wanted, tolerance):
    assert got.keys() == wanted.keys()
    for name in wanted:
        assert got[name].shape == wanted[name].shape, name
        scale = max(1.0, float(wanted[name].abs().max()))
        error = float((got[name] - wanted[name]).abs().max())
        assert error <= tolerance * scale, f"{name}: {error} beside {scale}"


@every_layer
@both_paths
@both_directions
@pytest.mark.parametrize("num_layers", [1, 2, 3])
def test_outputs_states_and_gradients_equal_torch(kind, fused, bidirectional, num_layers):
    reference, layer = twins(kind, fused=fused, num_layers=num_layers, bidirectional=bidirectional)
    x = torch.randn(B, T, I, dtype=torch.float64)
    state = draw_state(kind, num_layers * (2 if bidirectional else 1))
    assert_equal(everything(layer, x, state), everything(reference, x, state), TOLERANCES[torch.float64])


@every_layer
@both_paths
def test_state_dicts_load_both_ways(kind, fused):
    reference, layer = twins(kind, fused=fused, num_layers=2, bidirectional=True)
    assert list(layer.state_dict()) == list(reference.state_dict())
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.add_(0.1)
    reference.load_state_dict(layer.state_dict())
    x = torch.randn(B, T, I, dtype=torch.float64)
    torch.testing.assert_close(reference(x)[0], layer(x)[0], rtol=1e-12, atol=1e-12)


@every_layer
@both_paths
@both_directions
def test_a_padded_batch_gives_each_sequence_what_it_gets_alone(kind, fused, bidirectional):
    _, layer = twins(kind, fused=fused, num_layers=2, bidirectional=bidirectional)
    rows = 4 if bidirectional else 2
    lengths = torch.tensor([5, 8, 1])  # unsorted, with the shortest there can be, and none as long as T
    x, state = torch.randn(B, T, I, dtype=torch.float64), draw_state(kind, rows)
    padded = x.clone()
    for b, length in enumerate(lengths):
        padded[b, length:] = float("nan")  # whatever stands in the padding
    outputs, final = layer(padded, state, lengths=lengths)
    for b, length in enumerate(lengths):
        one = [part[:, b : b + 1] for part in parts(state)]
        alone, alone_final = layer(x[b : b + 1, :length], tuple(one) if kind == "lstm" else one[0])
        torch.testing.assert_close(outputs[b, :length], alone[0], rtol=0, atol=1e-14)
        assert (outputs[b, length:] == 0).all()
        for part, part_alone in zip(parts(final), parts(alone_final), strict=True):
            torch.testing.assert_close(part[:, b], part_alone[:, 0], rtol=0, atol=1e-14)


@every_layer
@both_paths
@both_directions
def test_gradients_of_a_padded_batch_equal_those_of_packed_sequences(kind, fused, bidirectional):
    reference, layer = twins(kind, fused=fused, num_layers=2, bidirectional=bidirectional)
    lengths = torch.tensor([5, 8, 1])

    class Packed(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = reference

        def forward(self, x, state):
            packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
            outputs, final = self.inner(packed, state)
            return pad_packed_sequence(outputs, batch_first=True, total_length=T)[0], final

    x, state = torch.randn(B, T, I, dtype=torch.float64), draw_state(kind, 4 if bidirectional else 2)
    wanted = {name.removeprefix("inner."): value for name, value in everything(Packed(), x, state).items()}
    got = everything(layer, x, state, lengths=lengths)
    assert_equal(got, wanted, TOLERANCES[torch.float64])
    for b, length in enumerate(lengths):
        assert (got["x"][b, length:] == 0).all()


@pytest.mark.parametrize("kind", KINDS)
def test_nan_in_the_padding_does_not_reach_the_gradients(kind):
    _, layer = twins(kind, fused=False, bidirectional=True)
    x = torch.randn(B, T, I, dtype=torch.float64)
    x[0, 5:] = float("nan")
    outputs, _ = layer(x, lengths=torch.tensor([5, 11, 11]))
    outputs.sum().backward()
    assert all(parameter.grad.isfinite().all() for parameter in layer.parameters())


@every_layer
@both_paths
def test_a_text_in_two_parts_equals_the_text_in_one(kind, fused):
    _, layer = twins(kind, fused=fused, num_layers=2)
    x = torch.randn(B, T, I, dtype=torch.float64)
    whole, final = layer(x)
    first, state = layer(x[:, :4])
    second, state = layer(x[:, 4:], state)
    torch.testing.assert_close(torch.cat([first, second], 1), whole, rtol=0, atol=1e-14)
    for part, part_whole in zip(parts(state), parts(final), strict=True):
        torch.testing.assert_close(part, part_whole, rtol=0, atol=1e-14)


@every_layer
def test_one_way_outputs_do_not_depend_on_later_inputs(kind):
    _, layer = twins(kind, fused=False, num_layers=2)
    x = torch.randn(B, T, I, dtype=torch.float64)
    changed = x.clone()
    changed[:, 6:] += 1.0
    assert torch.equal(layer(x)[0][:, :6], layer(changed)[0][:, :6])
    assert not torch.equal(layer(x)[0][:, 6:], layer(changed)[0][:, 6:])


@every_layer
def test_frozen_weights_and_no_grad(kind):
    _, layer = twins(kind, fused=False)
    x = torch.randn(B, T, I, dtype=torch.float64)
    with_grad = layer(x)[0]
    with torch.no_grad():
        torch.testing.assert_close(layer(x)[0], with_grad, rtol=0, atol=0)
    layer.weight_hh_l0.requires_grad_(False)
    layer(x)[0].sum().backward()
    assert layer.weight_hh_l0.grad is None
    assert layer.weight_ih_l0.grad is not None


@every_layer
def test_a_loss_on_an_early_step_gives_the_weights_their_gradient(kind):
    reference, layer = twins(kind, fused=False)
    x = torch.randn(B, T, I, dtype=torch.float64)
    for module in (reference, layer):
        module(x)[0][:, 2].sum().backward()
    for mine, theirs in zip(layer.parameters(), reference.parameters(), strict=True):
        torch.testing.assert_close(mine.grad, theirs.grad, rtol=1e-12, atol=1e-12)


def test_dropout_acts_between_layers_in_training_only():
    torch.manual_seed(0)
    layer = LSTM(I, H, 2, dropout=0.5, fused=False, dtype=torch.float64)
    x = torch.randn(B, T, I, dtype=torch.float64)
    assert not torch.equal(layer(x)[0], layer(x)[0])
    first_layer = torch.equal(layer(x)[1][0][0], layer(x)[1][0][0])
    assert first_layer  # nothing is dropped before the first layer
    layer.eval()
    assert torch.equal(layer(x)[0], layer(x)[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch says that one layer has no place for dropout
        single = LSTM(I, H, 1, dropout=0.5, fused=False, dtype=torch.float64)
    assert torch.equal(single(x)[0], single(x)[0])


def test_layers_can_be_copied():
    for fused in (True, False):
        layer = GRU(I, H, fused=fused)
        twin = copy.deepcopy(layer)
        x = torch.randn(B, T, I)
        assert torch.equal(twin(x)[0], layer(x)[0])
        assert twin.fused is fused


def test_rnn_cell_by_hand():
    # W_ih = [[1]], W_hh = [[0.5]], no biases; x = 1 then 0: h_1 = tanh(1) = 0.761594, h_2 = tanh(0.380797) = 0.363403
    first = rnn_cell(torch.tensor([[1.0]]))
    torch.testing.assert_close(first, torch.tensor([[0.761594]]))
    torch.testing.assert_close(rnn_cell(0.5 * first), torch.tensor([[0.363403]]), atol=1e-5, rtol=0)


def test_lstm_cell_by_hand():
    # i = f = o = sigmoid(0) = 1/2, g = tanh(1) = 0.761594; c = 1/2 * 2 + 1/2 * 0.761594 = 1.380797;
    # h = 1/2 * tanh(1.380797) = 0.440565
    hidden, cell = lstm_cell(torch.tensor([[0.0, 0.0, 1.0, 0.0]]), torch.tensor([[2.0]]))
    torch.testing.assert_close(cell, torch.tensor([[1.380797]]))
    torch.testing.assert_close(hidden, torch.tensor([[0.440565]]), atol=1e-5, rtol=0)
    # an open forget gate and a shut input gate carry the cell on unchanged, and its gradient too
    old = torch.tensor([[2.0]], requires_grad=True)
    _, cell = lstm_cell(torch.tensor([[-40.0, 40.0, 1.0, 0.0]]), old)
    cell.sum().backward()
    assert cell.item() == 2.0
    assert old.grad.item() == 1.0


def test_gru_cell_by_hand():
    # r = z = sigmoid(0) = 1/2; n = tanh(0.5 + 1/2 * 1) = 0.761594; h = 1/2 * 0.761594 + 1/2 * 2 = 1.380797
    inputs, hidden = torch.tensor([[0.0, 0.0, 0.5]]), torch.tensor([[0.0, 0.0, 1.0]])
    torch.testing.assert_close(gru_cell(inputs, hidden, torch.tensor([[2.0]])), torch.tensor([[1.380797]]))
    kept = gru_cell(torch.tensor([[0.0, 40.0, 0.5]]), hidden, torch.tensor([[2.0]]))
    assert kept.item() == 2.0  # an update gate of 1 keeps the state


def test_unroll_refuses_an_unknown_cell():
    with pytest.raises(ValueError, match="`kind` must be one of 'rnn', 'gru', 'lstm', got kind='elman'"):
        unroll("elman", torch.zeros(1, 1, 1), torch.zeros(1, 1), *[torch.zeros(1, 1)] * 2, *[torch.zeros(1)] * 2)


def test_the_loop_says_that_it_is_differentiable_once():
    _, layer = twins("rnn", fused=False)
    x = torch.randn(B, T, I, dtype=torch.float64, requires_grad=True)
    (grad,) = torch.autograd.grad(layer(x)[0].sum(), x, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        grad.sum().backward()


@pytest.mark.parametrize("ours", [True, False], ids=["ours", "torch.nn"])
def test_init_forget_bias(ours):
    lstm = (LSTM if ours else nn.LSTM)(I, H, 2, bidirectional=True)
    before = {name: parameter.clone() for name, parameter in lstm.named_parameters()}
    init_forget_bias(lstm, 1.5)
    for name, parameter in lstm.named_parameters():
        if name.startswith("bias"):
            assert (parameter[H : 2 * H] == (1.5 if "ih" in name else 0.0)).all(), name
            assert torch.equal(parameter[:H], before[name][:H])
            assert torch.equal(parameter[2 * H :], before[name][2 * H :])
        else:
            assert torch.equal(parameter, before[name])
    with pytest.raises(TypeError, match="`lstm` must be an LSTM, got GRU"):
        init_forget_bias(GRU(I, H))


def test_autocast_runs_both_paths_close_to_float32():
    for kind in KINDS:
        results = []
        for fused in (True, False):
            _, layer = twins(kind, fused=fused, dtype=torch.float32)
            x = torch.linspace(-1, 1, B * T * I).view(B, T, I)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                outputs, state = layer(x)
                outputs, _ = layer(x, state)  # a state comes back in bfloat16 and must be taken
            outputs.float().sum().backward()
            assert all(parameter.grad.dtype == torch.float32 for parameter in layer.parameters())
            exact = layer(x, layer(x)[1])[0]
            torch.testing.assert_close(outputs.float(), exact, atol=TOLERANCES[torch.bfloat16], rtol=0)
            results.append(outputs.float())
        torch.testing.assert_close(*results, atol=TOLERANCES[torch.bfloat16], rtol=0)


@pytest.mark.parametrize(("kind", "by_loop"), [("lstm", True), ("gru", False), ("rnn", False)])
def test_on_a_processor_without_bfloat16_an_lstm_runs_its_loop_under_autocast(kind, by_loop, monkeypatch):
    monkeypatch.setattr(recurrent_kernels, "_processor_has_bfloat16", lambda: False)
    _, layer = twins(kind, fused=True, dtype=torch.float32)
    monkeypatch.setattr(layer, "_run_fused", lambda *_: pytest.fail("torch's kernel") if by_loop else (x, None))
    x = torch.linspace(-1, 1, B * T * I).view(B, T, I)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        outputs, _ = layer(x)
    assert outputs.dtype == (torch.bfloat16 if by_loop else torch.float32)
    monkeypatch.setattr(layer, "_run_fused", lambda *_: ("torch's kernel", None))
    assert layer(x)[0] == "torch's kernel"  # in float32 it runs everywhere


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"x": torch.zeros(0, T, I)}, ValueError, "at least one sequence and one step, got shape"),
        ({"x": torch.zeros(B, 0, I)}, ValueError, "at least one sequence and one step, got shape"),
        ({"x": torch.zeros(B, T, I + 1)}, ValueError, r"`x` must have shape \(..., 5\), got \(3, 11, 6\)"),
        ({"x": torch.zeros(T, I)}, ValueError, r"\(B, T, 5\), got \(11, 5\)"),
        (
            {"x": torch.zeros(B, T, I, dtype=torch.long)},
            TypeError,
            "floating-point tensor, got a tensor of torch.int64",
        ),
        ({"x": [[1.0]]}, TypeError, "floating-point tensor, got list"),
        ({"state": (torch.zeros(2, B, H), torch.zeros(1, B, H))}, ValueError, r"\(1, 3, 7\), got \(2, 3, 7\)"),
        ({"state": (torch.zeros(1, B, H), torch.zeros(1, B, H + 1))}, ValueError, r"\(1, 3, 7\), got \(1, 3, 8\)"),
        ({"state": (torch.zeros(1, B + 1, H),) * 2}, ValueError, r"\(1, 3, 7\), got \(1, 4, 7\)"),
        ({"state": torch.zeros(1, B, H)}, TypeError, "pair .hidden, cell. of tensors, got Tensor"),
        ({"state": (torch.zeros(1, B, H),)}, TypeError, "pair .hidden, cell. of tensors, got tuple of 1"),
        ({"lengths": torch.tensor([1, 0, 3])}, ValueError, r"`lengths` must be in 1\.\.11, got values from 0 to 3"),
        ({"lengths": torch.tensor([1, 12, 3])}, ValueError, r"`lengths` must be in 1\.\.11, got values from 1 to 12"),
        ({"lengths": torch.tensor([1, 2])}, ValueError, r"shape \(3,\), got \(2,\)"),
        ({"lengths": torch.tensor([1.0, 2.0, 3.0])}, TypeError, "whole numbers, got a tensor of torch.float32"),
    ],
)
@both_paths
def test_bad_input(arguments, error, message, fused):
    layer = LSTM(I, H, fused=fused)
    with pytest.raises(error, match=message):
        layer(**{"x": torch.zeros(B, T, I), **arguments})


def test_a_pair_is_no_state_of_a_gru():
    with pytest.raises(TypeError, match="`state` of GRU must be one tensor, got tuple of 2"):
        GRU(I, H)(torch.zeros(B, T, I), (torch.zeros(1, B, H),) * 2)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"hidden_size": 0}, ValueError, "`hidden_size` must be at least 1, got hidden_size=0"),
        ({"input_size": 2.0}, TypeError, "`input_size` must be a whole number, got input_size=2.0"),
        ({"num_layers": -1}, ValueError, "`num_layers` must be at least 1, got num_layers=-1"),
        ({"dropout": 1.0}, ValueError, "`dropout` must be at least 0 and less than 1, got dropout=1"),
    ],
)
@every_layer
def test_bad_sizes(arguments, error, message, kind):
    with pytest.raises(error, match=message):
        KINDS[kind][0](**{"input_size": I, "hidden_size": H, **arguments})


def test_causal_conv_by_hand():
    # W_0 = 2 (now), W_1 = 1 (two steps back, dilation 2), b = 0.5; x = 1 2 3 4: y = 2.5 4.5 7.5 10.5
    conv = CausalConv(1, 1, 2, dilation=2)
    with torch.no_grad():
        conv.conv.weight.copy_(torch.tensor([[[1.0, 2.0]]]))
        conv.conv.bias.fill_(0.5)
    x = torch.tensor([1.0, 2.0, 3.0, 4.0]).view(1, 4, 1)
    torch.testing.assert_close(conv(x).flatten(), torch.tensor([2.5, 4.5, 7.5, 10.5]))


def test_causal_conv_sees_its_receptive_field_and_no_more():
    torch.manual_seed(0)
    layers = [CausalConv(2, 3, 3), CausalConv(3, 5, 2, dilation=5)]
    reach = receptive_field(layers)
    assert [layer.receptive_field for layer in layers] == [3, 6]
    assert reach == 1 + 2 + 5
    x = torch.randn(2, 17, 2, requires_grad=True)
    y = layers[1](layers[0](x))
    assert y.shape == (2, 17, 5)
    (grad,) = torch.autograd.grad(y[:, 13].sum(), x)
    seen = [t for t in range(17) if grad[:, t].abs().sum() > 0]
    assert seen[0] == 13 - reach + 1
    assert seen[-1] == 13
    with pytest.raises(ValueError, match=r"in_channels=2\) with B and T at least 1, got \(2, 0, 2\)"):
        layers[0](torch.zeros(2, 0, 2))
    with pytest.raises(ValueError, match="`dilation` must be at least 1, got dilation=0"):
        CausalConv(1, 1, 2, dilation=0)


@pytest.mark.gpu
@every_layer
@both_paths
@both_directions
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_on_a_gpu_equal_to_torch_on_the_cpu(kind, fused, bidirectional, dtype):
    allowed = torch.backends.cudnn.allow_tf32
    torch.backends.cudnn.allow_tf32 = False  # else float32 products keep 10 bits
    try:
        rows = 4 if bidirectional else 2
        reference, layer = twins(kind, fused=fused, num_layers=2, bidirectional=bidirectional)
        layer = layer.to("cuda", dtype)
        x, state = torch.randn(B, T, I, dtype=torch.float64), draw_state(kind, rows)
        lengths = torch.tensor([5, 8, 1])
        with torch.no_grad():
            packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
            wanted = pad_packed_sequence(reference(packed, state)[0], batch_first=True, total_length=T)[0]
            on_gpu = [part.to("cuda", dtype) for part in parts(state)]
            got, _ = layer(x.to("cuda", dtype), tuple(on_gpu) if kind == "lstm" else on_gpu[0], lengths=lengths)
        torch.testing.assert_close(got.cpu().double(), wanted, atol=TOLERANCES[dtype], rtol=0)
        if dtype == torch.float32:
            gpu_state = tuple(on_gpu) if kind == "lstm" else on_gpu[0]
            moved = {
                name: value.cpu().double() for name, value in everything(layer, x.cuda().float(), gpu_state).items()
            }
            assert_equal(moved, everything(reference, x, state), 10 * TOLERANCES[dtype])
    finally:
        torch.backends.cudnn.allow_tf32 = allowed
