"""The answers of chapter 03's exercises agree with the library's layers and with torch."""

import math

import pytest
import torch
from torch import nn

from lmcourse.exercises import find_task
from lmcourse.generation import generate
from lmcourse.layers.recurrent import GRU, LSTM, RNN, CausalConv, receptive_field
from lmcourse.models import RecurrentConfig, RecurrentLM
from lmcourse.training import bits_per_byte

B, T, I, H = 3, 11, 5, 7


def answer(name):
    return find_task(name).reference


@pytest.fixture
def x():
    return torch.randn(B, T, I, generator=torch.Generator().manual_seed(3), dtype=torch.float64)


def parts(layer):
    weight_ih, weight_hh, bias_ih, bias_hh = layer.weights()
    return weight_ih, weight_hh, bias_ih + bias_hh


def test_a_leak_of_one_is_the_rnn_and_its_last_states_are_those_of_packed_texts(x):
    layer, start = RNN(I, H).double(), torch.full((1, B, H), 0.3, dtype=torch.float64)
    outputs, _ = layer(x, start)
    torch.testing.assert_close(answer("leaky_step")(x[:, 0], start[0], *parts(layer), 1.0), outputs[:, 0])
    half = answer("leaky_step")(x[:, 0], start[0], *parts(layer), 0.5)
    torch.testing.assert_close(half, (outputs[:, 0] + start[0]) / 2)
    lengths = torch.tensor([4, T, 1])
    _, last = layer(x, start, lengths=lengths)
    torch.testing.assert_close(answer("last_states")(x, start[0], *parts(layer), lengths), last[0])


def test_the_gradient_by_hand_is_the_layers():
    inputs, target = [0.5, -1.0, 0.25, 2.0], 0.3
    layer = RNN(1, 1).double()
    nn.init.zeros_(layer.bias_ih_l0)
    nn.init.zeros_(layer.bias_hh_l0)
    outputs, _ = layer(torch.tensor(inputs, dtype=torch.float64)[None, :, None])
    wanted = torch.autograd.grad((outputs[0, -1, 0] - target) ** 2 / 2, [layer.weight_hh_l0, layer.weight_ih_l0])
    found = answer("bptt_gradient")(layer.weight_hh_l0.item(), layer.weight_ih_l0.item(), inputs, target)
    assert found == pytest.approx([gradient.item() for gradient in wanted], rel=1e-12)


def test_without_peepholes_it_is_the_lstm(x):
    lstm = LSTM(I, H).double()
    hidden = cell = torch.full((B, H), 0.3, dtype=torch.float64)
    for t in range(T):
        hidden, cell = answer("peephole_step")(x[:, t], hidden, cell, *parts(lstm), torch.zeros(3, H).double())
    start = torch.full((1, B, H), 0.3, dtype=torch.float64)
    _, (last_hidden, last_cell) = lstm(x, (start, start))
    torch.testing.assert_close((hidden, cell), (last_hidden[0], last_cell[0]))


def test_a_peephole_is_a_weight_from_the_cell_state(x):
    """With the hidden state equal to the old cell state, a diagonal of weight_hh does what a peephole does."""
    lstm = LSTM(I, H).double()
    weight_ih, weight_hh, bias = parts(lstm)
    cell = torch.randn(B, H, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    peepholes = torch.randn(3, H, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    peepholes[2] = 0.0  # the output gate sees the new cell state
    seen = weight_hh.clone()
    seen[:H] += peepholes[0].diag()
    seen[H : 2 * H] += peepholes[1].diag()
    found = answer("peephole_step")(x[:, 0], cell, cell, weight_ih, weight_hh, bias, peepholes)
    torch.testing.assert_close(found, torch.lstm_cell(x[:, 0], [cell, cell], weight_ih, seen, bias, 0 * bias))


def test_chos_gru_is_torchs_where_the_reset_gate_is_open(x):
    """With r = 1 it makes no difference whether r acts before the matrix or after it."""
    gru, state = GRU(I, H).double(), torch.full((B, H), 0.3, dtype=torch.float64)
    weight_ih, weight_hh, bias_ih, bias_hh = (part.detach().clone() for part in gru.weights())
    bias_ih[:H], bias_hh[2 * H :] = 60.0, 0.0
    wanted = torch.gru_cell(x[:, 0], state, weight_ih, weight_hh, bias_ih, bias_hh)
    found = answer("cho_gru_step")(x[:, 0], state, weight_ih, weight_hh, bias_ih + bias_hh)
    torch.testing.assert_close(found, wanted)


@pytest.mark.parametrize("limit", [0.5, 1e3])
def test_clipping_is_torchs(limit):
    parameters = [nn.Parameter(torch.randn(*shape).double()) for shape in ((3, 5), (7,))]
    for parameter in parameters:
        parameter.grad = torch.randn_like(parameter)
    clipped, norm = answer("clip_gradients")([parameter.grad for parameter in parameters], limit)
    assert norm == pytest.approx(nn.utils.clip_grad_norm_(parameters, limit).item())
    for ours, parameter in zip(clipped, parameters, strict=True):
        torch.testing.assert_close(ours, parameter.grad, rtol=1e-5, atol=1e-9)


def test_rows_read_on_and_lose_only_what_fills_no_window():
    ids = list(range(100, 153))
    batches = answer("reading_rows")(ids, 3, 4)
    for row in range(3):
        read = [token for inputs, _ in batches for token in inputs[row]]
        guessed = [token for _, targets in batches for token in targets[row]]
        assert read == list(range(read[0], read[0] + len(read)))
        assert guessed == [token + 1 for token in read]
    assert len(batches) == (53 - 1) // 3 // 4


def test_bits_are_those_of_the_model():
    torch.manual_seed(0)
    model = RecurrentLM(RecurrentConfig(13, 5, 7)).double()
    ids = torch.randint(13, (29,))
    bits = answer("text_bits")(model(ids[None, :-1])[0][0], ids[1:], 40)
    assert bits == pytest.approx(bits_per_byte(model.total_nll(ids), 40), rel=1e-6)


def test_temperature_is_that_of_sampling():
    torch.manual_seed(0)
    model = RecurrentLM(RecurrentConfig(5, 3, 7)).double()
    start = torch.zeros(20_000, 1, dtype=torch.long)
    drawn = generate(model, start, 1, temperature=0.2, generator=torch.Generator().manual_seed(1))[:, 1]
    shares = drawn.bincount(minlength=5) / len(drawn)
    wanted = answer("tempered_probs")(model(start[:1])[0][0, -1], 0.2)
    assert torch.allclose(shares.double(), wanted, atol=4 * math.sqrt(0.25 / 20_000))


def test_convolution_and_reach_are_the_layers(x):
    layer = CausalConv(I, 2, kernel_size=3, dilation=2).double()
    found = answer("causal_convolution")(x, layer.conv.weight, layer.conv.bias, 2)
    torch.testing.assert_close(found, layer(x))
    layers = [(2, 1), (3, 4), (5, 2)]
    stack = [CausalConv(1, 1, kernel_size, dilation=dilation) for kernel_size, dilation in layers]
    assert answer("stack_reach")(layers) == receptive_field(stack)
