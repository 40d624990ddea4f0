"""The model of compute, memory and links: sizes by hand, and the error beside published trainings."""

import statistics

import pytest

from lmcourse.models import GPT, GPTConfig
from lmcourse.training.scaling import (
    DEVICES,
    Layout,
    TransformerSize,
    best_layout,
    layer_activation_bytes,
    training_cost,
    training_memory,
)
from lmcourse.training.scaling_runs import RUNS

GPT2 = TransformerSize(12, 768, 12, 50_257)
A100 = DEVICES["A100"]


def errors(source):
    return [run.error for run in RUNS if run.source.startswith(source)]


def test_megatrons_ten_models_are_met_within_six_per_cent():
    found = errors("Narayanan")
    assert len(found) == 10
    assert max(map(abs, found)) < 0.06
    assert statistics.mean(map(abs, found)) < 0.03


def test_the_other_runs_are_met_as_the_module_says():
    assert all(0.1 < error < 0.45 for error in errors("Touvron"))
    assert all(0.1 < error < 0.3 for error in errors("Smith"))
    assert all(abs(error) < 0.2 for error in (*errors("Chowdhery"), *errors("Grattafiori")))


def test_the_same_model_on_the_same_gpus_in_two_programs_lies_on_both_sides():
    nano, c = (errors(f"Karpathy ({name})")[0] for name in ("nanoGPT", "llm.c"))
    assert 0.8 < nano < 1.1
    assert -0.15 < c < 0


def test_without_the_links_the_runs_are_missed(monkeypatch):
    monkeypatch.setattr("lmcourse.training.scaling._ring", lambda *_: 0.0)
    assert statistics.mean(errors("Narayanan")) > 0.1


def test_gpt2_by_hand():
    # a layer: 4 * 768^2 of attention, 2 * 768 * 3072 of the feed-forward block: 7,077,888; the table: 38,597,376
    assert GPT2.layer_parameters == 7_077_888
    assert GPT2.parameters == 12 * 7_077_888 + 38_597_376 == 123_532_032
    # 6 * 123,532,032 + 12 * 12 * 1024 * 768
    assert GPT2.flops_per_token(1024) == 741_192_192 + 113_246_208


def test_parameters_are_those_of_the_model():
    config = GPTConfig(97, 11, 24, 4, 3, num_kv_heads=2, hidden_size=37, activation="swiglu", tie_embeddings=False)
    size = TransformerSize(3, 24, 4, 97, 37, gated=True, kv_heads=2, tied=False)
    matrices = sum(p.numel() for name, p in GPT(config).named_parameters() if p.dim() == 2 and "positions" not in name)
    assert size.parameters == matrices


def test_activations_by_hand():
    # Korthikanti et al., equation 1: s b h (34 + 5 a s / h) with s = 1024, b = 2, h = 768, a = 12
    layout = Layout(micro_batch=2, flash=False)
    assert layer_activation_bytes(GPT2, layout, 1024) == 1024 * 2 * 768 * (34 + 5 * 12 * 1024 / 768)
    # equation 2, t = 4: s b h (10 + 24 / t + 5 a s / (h t)), and equation 4: all of it over t
    divided = Layout(micro_batch=2, flash=False, tensor=4)
    assert layer_activation_bytes(GPT2, divided, 1024) == 1024 * 2 * 768 * (10 + 24 / 4 + 5 * 12 * 1024 / 768 / 4)
    whole = Layout(micro_batch=2, flash=False, tensor=4, sequence=True)
    assert layer_activation_bytes(GPT2, whole, 1024) == layer_activation_bytes(GPT2, layout, 1024) / 4


def test_memory_of_seven_billion_weights():
    seven = TransformerSize(32, 4096, 32, 32_000, 11_008, gated=True, tied=False)
    states = training_memory(seven, Layout(recompute="full"), length=1)
    assert states == pytest.approx(18 * seven.parameters, rel=0.001)  # 16 bytes a weight, and 2 of its copy
    shared = training_memory(seven, Layout(data=64, sharded=True, recompute="full"), length=1)
    assert shared < states / 40


def test_a_step_has_all_its_parts():
    size = TransformerSize(48, 8192, 64, 51_200)
    cost = training_cost(size, A100, Layout(32, 8, 2, overlap=False, flash=False), batch_size=1536, length=2048)
    parts = (cost.compute_s, cost.moves_s, cost.tensor_s, cost.waiting_s, cost.data_s, cost.optimizer_s)
    assert min(parts) > 0
    assert cost.step_s == pytest.approx(sum(parts))
    assert cost.tokens_per_s == pytest.approx(1536 * 2048 / cost.step_s)
    assert cost.devices == 512
    faster = training_cost(size, A100, Layout(32, 8, 2, flash=False), batch_size=1536, length=2048)
    assert faster.data_s < cost.data_s


def test_more_devices_never_slow_the_best_layout_until_the_batch_is_used_up():
    rates = []
    for devices in (1, 2, 8, 64, 512):
        found = best_layout(GPT2, DEVICES["H100"], devices, batch_size=512, length=1024)
        assert found is not None
        assert found[0].devices == devices
        assert found[1].memory_bytes < DEVICES["H100"].memory_bytes
        rates.append(found[1].tokens_per_s)
    assert rates == sorted(rates)
    assert rates[-1] < 512 * rates[0] * 0.5  # a window each is too little work to hide the messages


def test_a_model_that_does_not_fit_has_no_layout():
    assert best_layout(TransformerSize(80, 8192, 64, 32_000), A100, 1, batch_size=64, length=2048) is None


@pytest.mark.parametrize(
    ("layout", "batch_size", "message"),
    [
        (Layout(data=3), 8, "`batch_size` must be a multiple of data times micro_batch, got 8, data=3"),
        (Layout(pipeline=13), 8, "at most a stage a layer and a device a head, got pipeline=13, layers=12"),
        (Layout(tensor=16), 8, "at most a stage a layer and a device a head"),
    ],
)
def test_layouts_that_do_not_fit_are_refused(layout, batch_size, message):
    with pytest.raises(ValueError, match=message):
        training_cost(GPT2, A100, layout, batch_size=batch_size, length=8)


def test_bad_sizes_are_refused_by_name():
    with pytest.raises(ValueError, match="`heads` must divide `width`"):
        TransformerSize(2, 10, 3, 5)
    with pytest.raises(ValueError, match="`micro_batch` must be at least 1"):
        Layout(micro_batch=0)
