"""What pages write by hand computes what the library or torch computes: outputs and gradients, sizes all prime."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from lmcourse import layers
from lmcourse.alignment import ppo, ppo_value_loss
from lmcourse.layers.recurrent import CausalConv
from lmcourse.models import GPT, GPTConfig
from tests.notebooks.by_hand import defined


@pytest.fixture(autouse=True)
def _seeded_and_exact():
    torch.manual_seed(0)
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def from_page(page: str, *names: str) -> SimpleNamespace:
    return SimpleNamespace(**defined(page, *names))


def same(ours: torch.Tensor, theirs: torch.Tensor, *pairs: tuple[torch.Tensor, torch.Tensor], atol=1e-9) -> None:
    """Outputs are equal, and so are the gradients of each pair of parameters."""
    torch.testing.assert_close(ours, theirs, atol=atol, rtol=0)
    weights = torch.randn_like(ours)
    for out, number in ((ours, 0), (theirs, 1)):
        (out * weights).sum().backward()
        assert all(pair[number].grad is not None for pair in pairs)
    for one, other in pairs:
        torch.testing.assert_close(one.grad, other.grad, atol=atol, rtol=0)


def randomised(module: nn.Module) -> nn.Module:
    """No weight is zero or one, as fresh ones may be."""
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(torch.randn_like(parameter) / 3)
    return module


def with_weights_of(cell: nn.Module, kind: type[nn.RNNBase]) -> tuple[nn.RNNBase, list[tuple]]:
    """torch's layer with the weights of a page's cell, and the pairs of parameters."""
    layer = kind(cell.from_input.in_features, cell.from_state.in_features, batch_first=True)
    pairs = []
    for name, part in (("ih", cell.from_input), ("hh", cell.from_state)):
        pairs.append((part.weight, getattr(layer, f"weight_{name}_l0")))
        bias = getattr(layer, f"bias_{name}_l0")
        if part.bias is None:
            nn.init.zeros_(bias)
        else:
            pairs.append((part.bias, bias))
    with torch.no_grad():
        for ours, theirs in pairs:
            theirs.copy_(ours)
    return layer, pairs


@pytest.mark.parametrize(("ours", "theirs"), [("RNNCell", nn.RNN), ("GRUCell", nn.GRU)])
def test_the_cells_unrolled_are_those_of_torch(ours, theirs):
    page = from_page("03_recurrent", ours, "unroll")
    cell, x = getattr(page, ours)(5, 7), torch.randn(3, 11, 5)
    layer, pairs = with_weights_of(cell, theirs)
    same(page.unroll(cell, x, torch.zeros(3, 7)), layer(x)[0], *pairs)


def test_the_lstm_cell_is_that_of_torch():
    cell, x = from_page("03_recurrent", "LSTMCell").LSTMCell(5, 7), torch.randn(3, 11, 5)
    layer, pairs = with_weights_of(cell, nn.LSTM)
    h = c = torch.zeros(3, 7)
    states = []
    for t in range(11):
        h, c = cell(x[:, t], (h, c))
        states.append(h)
    theirs, (last_h, last_c) = layer(x)
    torch.testing.assert_close(torch.stack([h, c]), torch.stack([last_h[0], last_c[0]]))
    same(torch.stack(states, dim=1), theirs, *pairs)


def test_the_convolution_is_that_of_the_library():
    make = from_page("03_recurrent", "CausalConv").CausalConv
    ours, theirs = make(5, 7, kernel_size=3, dilation=2), CausalConv(5, 7, kernel_size=3, dilation=2)
    theirs.load_state_dict(ours.state_dict())
    x = torch.randn(2, 13, 5)
    same(ours(x), theirs(x), *zip(ours.parameters(), theirs.parameters(), strict=True))


def test_positions_are_those_of_the_library():
    page = from_page("05_self_attention", "sinusoids", "rotate")
    torch.testing.assert_close(page.sinusoids(13, 22), layers.sinusoidal_positions(13, 22).double(), atol=1e-6, rtol=0)
    x = torch.randn(2, 3, 13, 22)
    torch.testing.assert_close(page.rotate(x), layers.RotaryPositionalEmbedding(22)(x), atol=1e-5, rtol=0)


def test_attention_in_numpy_is_that_of_the_library_for_a_sentence_and_for_a_batch():
    attend = from_page("05_self_attention", "softmax", "attention_numpy").attention_numpy
    query, key, value = np.random.default_rng(0).normal(size=(3, 2, 7, 5))
    theirs = layers.scaled_dot_product_attention(*(torch.tensor(part)[:, None] for part in (query, key, value)))[:, 0]
    np.testing.assert_allclose(attend(query, key, value), theirs, atol=1e-12)
    np.testing.assert_allclose(attend(query[0], key[0], value[0]), theirs[0], atol=1e-12)


@pytest.mark.parametrize("key_value_heads", [None, 2])
def test_the_gpt_is_the_librarys_also_with_grouped_queries(key_value_heads):
    names = ("CausalSelfAttention", "FeedForward", "Block", "GPT")
    page = from_page("08_gpt", *names)  # the second class, with a cache and grouped queries
    ours = randomised(page.GPT(53, 24, num_heads=6, num_layers=2, num_kv_heads=key_value_heads))
    config = GPTConfig(53, 16, 24, 6, 2, num_kv_heads=key_value_heads, positions="rotary", norm="rms", bias=False)
    theirs = GPT(config)
    theirs.load_state_dict(ours.state_dict())
    ids = torch.randint(53, (2, 11))
    by_name = dict(theirs.named_parameters())
    pairs = [(parameter, by_name[name]) for name, parameter in ours.named_parameters() if name in by_name]
    assert len(pairs) > 10
    loss = F.cross_entropy(ours(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
    torch.testing.assert_close(ours(ids), theirs(ids), atol=1e-5, rtol=0)
    same(loss, theirs.loss(ids[:, :-1], ids[:, 1:]), *pairs, atol=1e-5)


def test_five_rounds_of_the_polynomial_do_what_torchs_muon_does():
    update = torch.randn(17, 11)
    weight = nn.Parameter(torch.zeros(17, 11))
    weight.grad = update.clone()
    torch.optim.Muon([weight], lr=1.0, momentum=0.0, weight_decay=0.0, nesterov=False).step()
    ours = from_page("08_gpt", "orthogonalise").orthogonalise(update)
    assert float(F.cosine_similarity(ours.flatten(), -weight.detach().flatten(), dim=0)) > 0.999


def test_ppos_whitening_and_value_loss_are_those_of_the_library():
    page = from_page("11_rlhf", "whiten", "value_loss")
    values, old_values, returns, advantages = torch.randn(4, 3, 7)
    mask = torch.arange(7)[None] < torch.tensor([7, 4, 1])[:, None]
    torch.testing.assert_close(page.whiten(advantages, mask), ppo.whiten(advantages, mask))
    ours = page.value_loss(values, old_values, returns, mask)
    torch.testing.assert_close(ours, ppo_value_loss(values, old_values, returns, mask))
