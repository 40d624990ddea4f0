"""Matrices laid out anew while a model writes: the numbers stay, and nothing is left behind."""

import copy
from itertools import pairwise

import pytest
import torch

from lmcourse.generation import layout
from lmcourse.generation.layout import laid_out
from lmcourse.layers import EncoderLayer
from lmcourse.models.gpt import GPT, GPTConfig
from lmcourse.models.transformer import Transformer, TransformerConfig

V = 11
KINDS = {
    "GPT-2": {"activation": "gelu_tanh"},
    "Llama": {"positions": "rotary", "norm": "rms", "activation": "swiglu", "num_kv_heads": 1, "bias": False},
    "with a norm of queries and keys": {"qk_norm": True},
    "relu": {"activation": "relu"},
    "relu's square": {"activation": "relu2"},
}


def gpt(kind: str) -> GPT:
    torch.manual_seed(0)
    model = GPT(GPTConfig(V, 40, 24, 2, 2, **KINDS[kind]))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
    return model


def changed(model: torch.nn.Module) -> set[str]:
    names = {"forward"}
    return {f"{name}.{method}" for name, part in model.named_modules() for method in names & set(vars(part))}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("batch_size", [1, 3])
def test_the_numbers_stay_and_the_copies_go(kind, batch_size, monkeypatch):
    monkeypatch.setattr(layout, "LARGE", 0)
    model = gpt(kind)
    ids = torch.randint(V, (batch_size, 5))
    before, weights = model(ids), dict(model.named_parameters())
    with laid_out(model, batch_size):
        in_one = batch_size > 1 and kind not in ("Llama", "relu's square")  # with the non-linearity behind it
        up = "layers.1.feed_forward.forward" if in_one else "layers.1.feed_forward.up.forward"
        assert up in changed(model)
        torch.testing.assert_close(model(ids), before)
        with torch.no_grad():  # what is used is a copy
            model.layers[0].feed_forward.up.weight.zero_()
        torch.testing.assert_close(model(ids), before)
    assert not changed(model)
    assert all(parameter is weights[name] for name, parameter in model.named_parameters())
    assert model.head.weight is model.embedding.weight  # still tied
    assert not torch.allclose(model(ids), before)


def general_calls(model: GPT, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The lengths of what goes through layers the general way, as it goes."""
    lengths, forward = [], EncoderLayer.forward
    monkeypatch.setattr(
        EncoderLayer, "forward", lambda self, x, *a, **k: (lengths.append(x.shape[1]), forward(self, x, *a, **k))[1]
    )
    return lengths


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("batch_size", [1, 3])
def test_a_new_token_takes_the_short_way_to_the_same_place(kind, batch_size, monkeypatch):
    model = gpt(kind).double().eval()
    ids = torch.randint(V, (batch_size, 30))
    with torch.no_grad():
        expected = model(ids)
        lengths = general_calls(model, monkeypatch)
        with laid_out(model, batch_size):
            cache = model.new_cache(batch_size, 30)
            parts = [model(ids[:, begin:end], cache=cache) for begin, end in pairwise([0, 3, *range(4, 29), 30])]
    torch.testing.assert_close(torch.cat(parts, 1), expected)
    assert lengths == [3, 3, 2, 2]  # two layers each: the prompt, and the two tokens at once


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("batch_size", [1, 3])
def test_the_short_way_with_matrices_laid_out(kind, batch_size, monkeypatch):
    monkeypatch.setattr(layout, "LARGE", 0)
    model, ids = gpt(kind).eval(), torch.randint(V, (batch_size, 12))
    with torch.no_grad():
        expected = model(ids)
        lengths = general_calls(model, monkeypatch)
        with laid_out(model, batch_size):
            cache = model.new_cache(batch_size, 12)
            parts = [model(ids[:, begin:end], cache=cache) for begin, end in pairwise([0, *range(3, 13)])]
    torch.testing.assert_close(torch.cat(parts, 1), expected)
    assert lengths == [3, 3]


def test_a_layer_with_another_feed_forward_block_keeps_it():
    class Doubled(torch.nn.Module):
        def forward(self, x):
            return 2.0 * x

    model, ids = gpt("GPT-2").eval(), torch.randint(V, (3, 6))
    model.layers[1].feed_forward = Doubled()
    with torch.no_grad(), laid_out(model, 3):
        cache = model.new_cache(3, 6)
        parts = [model(ids[:, :5], cache=cache), model(ids[:, 5:], cache=cache)]
    torch.testing.assert_close(torch.cat(parts, 1), model(ids))


def test_what_is_not_one_plain_token_takes_the_general_way(monkeypatch):
    model, ids = gpt("GPT-2").eval(), torch.randint(V, (2, 6))
    heard: list[torch.Size] = []
    lengths = general_calls(model, monkeypatch)
    hook = model.layers[1].attention.register_forward_hook(lambda *seen: heard.append(seen[2].shape))
    keep = torch.tensor([[False, *[True] * 5], [True] * 6])
    with torch.no_grad(), laid_out(model, 2):
        cache = model.new_cache(2, 6)
        model(ids[:, :5], cache=cache)
        model(ids[:, 5:], cache=cache)
    assert lengths == [5, 5, 1]  # the layer that is listened to
    assert [shape[1] for shape in heard] == [5, 1]
    hook.remove()
    with torch.no_grad(), laid_out(model, 2):
        cache = model.new_cache(2, 6)
        model(ids[:, :5], cache=cache, attention_mask=keep[:, :5])
        padded = model(ids[:, 5:], cache=cache, attention_mask=keep)
    assert lengths == [5, 5, 1, 5, 5, 1, 1]
    torch.testing.assert_close(padded, model(ids, attention_mask=keep)[:, 5:])
    with laid_out(model, 2):  # a gradient may be wanted
        cache = model.new_cache(2, 6)
        assert model(ids[:, :1], cache=cache).requires_grad
    assert lengths[-2:] == [1, 1]


def test_an_error_leaves_nothing_behind():
    model = gpt("GPT-2")

    def stop():
        assert changed(model)
        raise RuntimeError("stop here")

    with pytest.raises(RuntimeError, match="stop here"), laid_out(model, 1):
        stop()
    assert not changed(model)


def test_few_rows_of_small_matrices_keep_their_layout():
    model = gpt("GPT-2")
    with laid_out(model, 3):  # one product for three is faster all the same
        layers = {"layers.0.forward", "layers.1.forward"}
        assert changed(model) == layers


def test_attention_to_another_text_stays_as_it_is(monkeypatch):
    monkeypatch.setattr(layout, "LARGE", 0)
    torch.manual_seed(0)
    model = Transformer(TransformerConfig(V, embed_dim=24, num_heads=2)).eval()
    source, target = torch.randint(3, V, (3, 6)), torch.randint(3, V, (3, 4))
    with torch.no_grad():
        before = model(source, target)
        with laid_out(model, 3):
            torch.testing.assert_close(model(source, target), before)


def test_what_is_no_plain_float32_matrix_on_a_cpu_is_left_alone():
    model = copy.deepcopy(gpt("GPT-2")).double()
    with laid_out(model, 1):
        assert changed(model) == {"layers.0.forward", "layers.1.forward"}
    with laid_out(lambda ids: ids, 1):
        pass
