"""Matrices laid out anew while a model writes: the numbers stay, and nothing is left behind."""

import copy

import pytest
import torch

from lmcourse.generation import layout
from lmcourse.generation.layout import laid_out
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
    names = {"forward", "project"}
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
        assert {"layers.0.attention.project", up} <= changed(model)
        torch.testing.assert_close(model(ids), before)
        with torch.no_grad():  # what is used is a copy
            model.layers[0].feed_forward.up.weight.zero_()
            model.layers[0].attention.v_proj.weight.zero_()
        torch.testing.assert_close(model(ids), before)
    assert not changed(model)
    assert all(parameter is weights[name] for name, parameter in model.named_parameters())
    assert model.head.weight is model.embedding.weight  # still tied
    assert not torch.allclose(model(ids), before)


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
        assert changed(model) == {"layers.0.attention.project", "layers.1.attention.project"}


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
        assert not changed(model)
    with laid_out(lambda ids: ids, 1):
        pass
