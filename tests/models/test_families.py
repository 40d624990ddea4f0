"""Families beside Llama in one class: logits, greedy text, adapters and exports are those of transformers.

`python -m tests.models.test_families` prints the table of docs/models.md.
"""

import json
import tempfile
from pathlib import Path

import peft
import pytest
import torch
from torch import nn

from lmcourse.alignment.lora import add_lora, save_lora
from lmcourse.generation import generate
from lmcourse.models import GPT, GPTConfig
from lmcourse.models.export import export_gguf, export_huggingface
from lmcourse.models.pretrained_gguf import scaling_of, slower_pairs

transformers = pytest.importorskip("transformers")

V, C = 53, 37
SIZES = {
    "vocab_size": V,
    "max_position_embeddings": C,
    "hidden_size": 24,
    "intermediate_size": 43,
    "num_attention_heads": 6,
    "num_key_value_heads": 2,
    "num_hidden_layers": 3,
    "bos_token_id": None,
    "eos_token_id": None,
    "pad_token_id": None,
}
LLAMA3 = {
    "rope_type": "llama3", "rope_theta": 100.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    "original_max_position_embeddings": 16,
}  # fmt: skip
FAMILIES = {
    "Llama with biases in attention": ("Llama", {"attention_bias": True, "tie_word_embeddings": True}),
    "Llama 3.1": ("Llama", {"rope_parameters": LLAMA3}),
    "Llama 3.2": ("Llama", {"rope_parameters": LLAMA3 | {"factor": 32.0, "rope_theta": 50.0}, "hidden_size": 96}),
    "Qwen3, stretched": ("Qwen3", {"head_dim": 4, "rope_parameters": LLAMA3 | {"low_freq_factor": 0.5}}),
    "Llama with biases in the MLP": ("Llama", {"mlp_bias": True}),
    "Mistral": ("Mistral", {"sliding_window": None, "rope_parameters": {"rope_type": "default", "rope_theta": 1e4}}),
    "Mistral, one group": ("Mistral", {"sliding_window": C, "num_key_value_heads": 1}),
    "Mistral, short window": ("Mistral", {"sliding_window": 7}),
    "Mistral, window of two": ("Mistral", {"sliding_window": 2, "num_key_value_heads": 6}),
    "Mistral, window of the text": ("Mistral", {"sliding_window": 13, "tie_word_embeddings": True}),
    "Qwen2": ("Qwen2", {"tie_word_embeddings": True}),
    "Qwen2, a head a group": ("Qwen2", {"num_key_value_heads": 6, "rms_norm_eps": 0.01}),
    "Qwen3": ("Qwen3", {"head_dim": 4, "tie_word_embeddings": True}),
    "Qwen3, wide heads": ("Qwen3", {"head_dim": 10}),
    "Llama, narrow heads": ("Llama", {"head_dim": 2, "num_key_value_heads": 3}),
    "Mistral, wide heads": ("Mistral", {"head_dim": 14, "sliding_window": 11}),
    "Qwen3, other eps": ("Qwen3", {"head_dim": 4, "rms_norm_eps": 0.1}),
    "Qwen3 with biases": ("Qwen3", {"head_dim": 4, "attention_bias": True}),
    "SmolLM3": ("SmolLM3", {"num_hidden_layers": 5}),
    "SmolLM3, every second layer": ("SmolLM3", {"no_rope_layer_interval": 2, "tie_word_embeddings": False}),
    "SmolLM3, first and last": ("SmolLM3", {"no_rope_layers": [0, 1, 0, 1], "attention_bias": True, "mlp_bias": True}),
    "SmolLM3, no rotary at all, wide heads": ("SmolLM3", {"no_rope_layers": [0, 0, 0], "head_dim": 6}),
    "SmolLM3, stretched": ("SmolLM3", {"no_rope_layers": [1, 0, 1], "rope_parameters": LLAMA3, "mlp_bias": True}),
}

# What llama.cpp does not compute in a family's architecture (or, for two pairs, its file cannot tell).
NOT_IN_GGUF = {
    "Llama 3.1": "rotary_scaling",
    "Qwen3, stretched": "rotary_scaling",
    "Mistral, short window": "window",
    "Mistral, window of two": "window",
    "Mistral, window of the text": "window",
    "Mistral, wide heads": "window",
    "Qwen3 with biases": "bias",
    "SmolLM3, every second layer": "unrotated_layers",
    "SmolLM3, first and last": "bias",
    "SmolLM3, no rotary at all, wide heads": "unrotated_layers",
    "SmolLM3, stretched": "bias",
}


def saved(name, folder, **more):
    family, settings = FAMILIES[name]
    torch.manual_seed(3)
    config = getattr(transformers, f"{family}Config")(**SIZES | settings | more)
    model = getattr(transformers, f"{family}ForCausalLM")(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
    model.save_pretrained(folder)
    return model


def ids(*shape):
    return torch.randint(V, shape, generator=torch.Generator().manual_seed(1))


@pytest.fixture(params=FAMILIES)
def pair(request, tmp_path):
    return saved(request.param, tmp_path / "theirs"), GPT.from_pretrained(tmp_path / "theirs")


@torch.no_grad()
def test_logits_and_greedy_text_are_theirs(pair):
    theirs, ours = pair
    torch.testing.assert_close(ours(ids(3, 29)), theirs(ids(3, 29)).logits, atol=3e-5, rtol=3e-5)
    for rows in (1, 3):
        text = ids(rows, 5)
        wanted = theirs.generate(text, max_new_tokens=12, do_sample=False)
        for use_cache in (True, False):
            assert torch.equal(generate(ours, text, 12, temperature=0.0, use_cache=use_cache), wanted)


@torch.no_grad()
def test_padded_rows_are_theirs(pair):
    """Padding on the left, and greedy text from there, beyond the window where there is one."""
    theirs, ours = pair
    text, mask = ids(3, 11), torch.ones(3, 11, dtype=torch.bool)
    mask[0, :5] = mask[2, :2] = False
    wanted = theirs(text, attention_mask=mask.long()).logits
    torch.testing.assert_close(ours(text, attention_mask=mask)[mask], wanted[mask], atol=3e-5, rtol=3e-5)
    wanted = theirs.generate(text, attention_mask=mask.long(), max_new_tokens=12, do_sample=False)
    for use_cache in (True, False):
        assert torch.equal(generate(ours, text, 12, temperature=0.0, attention_mask=mask, use_cache=use_cache), wanted)


@torch.no_grad()
@pytest.mark.parametrize("positions", ["rotary", "alibi", "learned"])
@pytest.mark.parametrize("fast", [True, False])
def test_a_window_in_the_cache_is_one_in_the_mask_however_the_text_is_cut(positions, fast):
    """Parts shorter and longer than the window and than the cache's room; it holds two windows at most."""
    torch.manual_seed(5)
    model = GPT(GPTConfig(V, C, 24, 6, 3, num_kv_heads=2, positions=positions, window=5)).eval()
    text, mask = ids(3, 31), torch.ones(3, 31, dtype=torch.bool)
    mask[1, :3] = False
    for given in (None, mask):
        whole = model(text, attention_mask=given)
        for parts in ([1] * 31, [2, 3, 5, 7, 11, 3], [29, 1, 1], [4, 1, 17, 9]):
            cache, run = model.new_cache(3, 31), model.decoder() if fast else model
            done = 0
            for part in parts:
                seen = None if given is None else given[:, : done + part]
                logits = run(text[:, done : done + part], cache=cache, attention_mask=seen)
                shown = slice(None) if given is None else mask[:, done : done + part]
                torch.testing.assert_close(logits[shown], whole[:, done : done + part][shown], atol=1e-5, rtol=1e-5)
                done += part
            assert all(layer.buffer.shape[3] == 10 and layer.keys.shape[2] <= 10 for layer in cache.layers)
    far = text.clone()
    far[:, :15] = 0  # three layers of a window of 5 see 1 + 3 * 4 tokens
    torch.testing.assert_close(model(far)[:, 27:], model(text)[:, 27:], atol=1e-6, rtol=1e-6)
    assert not torch.allclose(model(far)[:, 26], model(text)[:, 26], atol=1e-6)


@torch.no_grad()
def test_what_is_exported_is_read_by_transformers_and_by_us(pair, request, tmp_path):
    theirs, ours = pair
    name = request.node.callspec.params["pair"]
    logits = theirs(ids(3, 29)).logits
    export_huggingface(ours, tmp_path / "ours")
    kind = json.loads((tmp_path / "ours" / "config.json").read_text())["model_type"]
    assert kind == theirs.config.model_type or name == "Mistral"  # without a window it is a Llama
    again = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / "ours").eval()
    torch.testing.assert_close(again(ids(3, 29)).logits, logits, atol=3e-5, rtol=3e-5)
    torch.testing.assert_close(GPT.from_pretrained(tmp_path / "ours")(ids(3, 29)), ours(ids(3, 29)))
    if refused := NOT_IN_GGUF.get(name):
        with pytest.raises(ValueError, match=f"`{refused}` must be .* to be exported as "):
            export_gguf(ours, tmp_path / "ours.gguf")
        return
    export_gguf(ours, tmp_path / "ours.gguf", dtype="F32")
    torch.testing.assert_close(GPT.from_pretrained(tmp_path / "ours.gguf")(ids(3, 29)), logits, atol=3e-5, rtol=3e-5)


@torch.no_grad()
def test_an_adapter_of_ours_is_read_by_peft(pair, tmp_path):
    theirs, ours = pair
    for layer in add_lora(ours, ("q_proj", "k_proj", "down"), rank=2).values():
        nn.init.normal_(layer.lora_B, std=0.2)
    save_lora(tmp_path / "adapter", ours)
    tuned = peft.PeftModel.from_pretrained(theirs, tmp_path / "adapter").eval()
    torch.testing.assert_close(ours(ids(3, 29)), tuned(ids(3, 29)).logits, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("Mistral", {"sliding_window": 0}, "`window` must be at least 1, got window=0"),
        ("Mistral", {"sliding_window": "all"}, "`window` must be a whole number"),
        ("Qwen2", {"use_sliding_window": True}, "`use_sliding_window` in config.json must be False"),
        ("Qwen2", {"layer_types": ["full_attention", "sliding_attention"]}, "`layer_types` in config.json must be"),
        ("Qwen3", {"head_dim": 0}, "`head_dim` must be at least 1, got head_dim=0"),
        ("Qwen3", {"head_dim": ...}, "must match the config, got .*instead of .768, 24."),
        ("Qwen2", {"num_key_value_heads": ...}, "config.json must hold 'num_key_value_heads'"),
        ("Qwen3", {"rope_parameters": {"rope_type": "yarn", "factor": 4.0}}, "`rope_scaling` in config.json must be"),
        ("Qwen2", {"rope_parameters": LLAMA3 | {"high_freq_factor": 1.0}}, r"scaling\[2\]` must be more than 1"),
        ("Qwen2", {"rope_parameters": {"rope_type": "llama3", "factor": 8.0}}, r"scaling\[1\]` must be a number"),
        ("Mistral", {"model_type": "gemma2"}, "`model_type` in config.json must be one of .* got 'gemma2'"),
        ("SmolLM3", {"no_rope_layers": [1, 0]}, "`no_rope_layers` in config.json must have .* each of 5 layers"),
        ("SmolLM3", {"no_rope_layers": [1, 0, 2, 1, 1]}, "`no_rope_layers.*` must be at least 0 and less than 2"),
        (
            "SmolLM3",
            {"no_rope_layers": None, "no_rope_layer_interval": 0},
            "`no_rope_layer_interval` must be at least 1",
        ),
        ("SmolLM3", {"use_sliding_window": True}, "`use_sliding_window` in config.json must be False"),
        ("SmolLM3", {"num_hidden_layers": 10**12, "no_rope_layers": None}, "`num_layers` must fit the file"),
    ],
)
def test_what_is_not_read_is_named(name, settings, message, tmp_path):
    saved(name, tmp_path)
    content = json.loads((tmp_path / "config.json").read_text()) | settings
    content = {key: value for key, value in content.items() if value is not ...}
    (tmp_path / "config.json").write_text(json.dumps(content))
    with pytest.raises((TypeError, ValueError), match=message):
        GPT.from_pretrained(tmp_path)


@pytest.mark.parametrize(
    ("base", "head_dim", "scaling"),
    [(5e5, 128, (8.0, 1.0, 4.0, 8192)), (5e5, 64, (32.0, 1.0, 4.0, 8192)), (1e4, 64, (8.3, 0.5, 9.0, 500))],
)
def test_the_numbers_of_a_gguf_file_say_what_stretched_them(base, head_dim, scaling):
    """Those of Llama 3.1 and 3.2, and others, as float32; where `low` is not 1, in other words."""
    slower = slower_pairs(head_dim, base, scaling)
    found = scaling_of(slower.float(), base)
    torch.testing.assert_close(slower_pairs(head_dim, base, found), slower, rtol=1e-6, atol=0.0)
    low = scaling[1]
    assert found == pytest.approx((scaling[0], 1.0, scaling[2] / low, scaling[3] / low), rel=1e-5)


@pytest.mark.parametrize("numbers", [[1.0] * 8, [4.0] * 8, [1.0, 1.5, 1.2, 8.0], [1.0, 8.0], [1.0, 1.1, 1.2, 3.0, 8.0]])
def test_other_numbers_are_not_llama_3s(numbers):
    assert scaling_of(torch.tensor(numbers), 100.0) is None


@torch.no_grad()
@pytest.mark.parametrize("name", ["Qwen2", "Qwen2, a head a group"])
def test_transformers_reads_the_gguf_file_of_a_qwen2(name, tmp_path):
    theirs = saved(name, tmp_path / "theirs")
    export_gguf(GPT.from_pretrained(tmp_path / "theirs"), tmp_path / "ours.gguf", dtype="F32")
    again = transformers.AutoModelForCausalLM.from_pretrained(tmp_path, gguf_file="ours.gguf").eval()
    torch.testing.assert_close(again(ids(3, 29)).logits, theirs(ids(3, 29)).logits, atol=3e-5, rtol=3e-5)


# What the documents say -----------------------------------------------------------------------------------------------


def off(logits, wanted):
    return float((logits - wanted).abs().max())


@torch.no_grad()
def row(name, folder):
    """What the table has of a family; in bfloat16 the errors of ours and theirs, as shares of the greatest logit."""
    theirs = saved(name, folder / "theirs")
    ours, logits = GPT.from_pretrained(folder / "theirs"), theirs(ids(3, 29)).logits
    wanted = theirs.generate(ids(3, 5), max_new_tokens=12, do_sample=False)
    same = torch.equal(generate(ours, ids(3, 5), 12, temperature=0.0), wanted)
    export_huggingface(ours, folder / "ours")
    again = transformers.AutoModelForCausalLM.from_pretrained(folder / "ours").eval()
    cells = [name, f"{off(ours(ids(3, 29)), logits):.0e}", "same" if same else "differs", again.config.model_type]
    cells.append(f"{off(again(ids(3, 29)).logits, logits):.0e}")
    halves = GPT.from_pretrained(folder / "theirs", dtype=torch.bfloat16)(ids(3, 29))
    of_theirs = theirs.to(torch.bfloat16)(ids(3, 29)).logits
    cells.append(
        ", ".join(f"{off(each.float(), logits) / float(logits.abs().max()):.1%}" for each in (halves, of_theirs))
    )
    if name in NOT_IN_GGUF:
        return [*cells, f"refused (`{NOT_IN_GGUF[name]}`)"]
    export_gguf(ours, folder / "ours.gguf", dtype="F32")
    return [*cells, f"{off(GPT.from_pretrained(folder / 'ours.gguf')(ids(3, 29)), logits):.0e}"]


def rows_of_the_documents():
    lines = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.count("|") == 8]


def test_the_documents_have_a_row_for_each():
    rows = {cells[0]: cells[1:] for cells in rows_of_the_documents()}
    assert set(FAMILIES) <= set(rows)
    for name in FAMILIES:
        logits, text, kind, back, _, in_gguf = rows[name]
        assert float(logits) < 3e-5
        assert float(back) < 3e-5
        assert (text, kind) == ("same", "llama" if name == "Mistral" else FAMILIES[name][0].lower())
        assert in_gguf == f"refused (`{NOT_IN_GGUF[name]}`)" if name in NOT_IN_GGUF else float(in_gguf) < 3e-5


def main():
    for name in FAMILIES:
        with tempfile.TemporaryDirectory() as folder:
            print("|", " | ".join(row(name, Path(folder))), "|", flush=True)


if __name__ == "__main__":
    main()
