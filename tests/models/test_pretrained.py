"""Settings of other people's models: each that changes the numbers is honoured, beside transformers, or refused."""

import json

import gguf
import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from lmcourse.models import BERT, GPT, GPTConfig
from lmcourse.models.export import export_gguf

transformers = pytest.importorskip("transformers")

V, C, D, H, L = 53, 37, 24, 6, 2
SMALL = {
    "gpt2": {"vocab_size": V, "n_positions": C, "n_embd": D, "n_head": H, "n_layer": L},
    "llama": {
        "vocab_size": V,
        "max_position_embeddings": C,
        "hidden_size": D,
        "intermediate_size": 43,
        "num_attention_heads": H,
        "num_key_value_heads": 2,
        "num_hidden_layers": L,
    },
    "bert": {
        "vocab_size": V,
        "max_position_embeddings": C,
        "hidden_size": D,
        "intermediate_size": 43,
        "num_attention_heads": H,
        "num_hidden_layers": L,
    },
}
CLASSES = {
    "gpt2": (transformers.GPT2Config, transformers.GPT2LMHeadModel, GPT),
    "llama": (transformers.LlamaConfig, transformers.LlamaForCausalLM, GPT),
    "bert": (transformers.BertConfig, transformers.BertModel, BERT),
}


def saved(kind: str, folder, **settings) -> torch.nn.Module:
    """A model of transformers with weights that matter, written to a folder."""
    config_class, model_class, _ = CLASSES[kind]
    torch.manual_seed(3)
    ids = {} if kind == "bert" else {"bos_token_id": None, "eos_token_id": None}
    model = model_class(config_class(**SMALL[kind], **ids, **settings)).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
    model.save_pretrained(folder)
    return model


def changed(folder, **settings) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | settings))


def outputs(kind: str, model: torch.nn.Module, ids: torch.Tensor) -> torch.Tensor:
    result = model(ids)
    return result if isinstance(result, torch.Tensor) else result[0]


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("gpt2", {"activation_function": "relu"}),
        ("gpt2", {"activation_function": "gelu"}),
        ("gpt2", {"layer_norm_epsilon": 0.1}),
        ("gpt2", {"n_inner": 41}),
        ("gpt2", {"tie_word_embeddings": False}),
        ("gpt2", {"reorder_and_upcast_attn": True}),
        ("gpt2", {"attn_pdrop": 0.5, "resid_pdrop": 0.5, "embd_pdrop": 0.5}),
        ("llama", {"attention_bias": True, "mlp_bias": True}),
        ("llama", {"rope_parameters": {"rope_type": "default", "rope_theta": 50.0}}),
        ("llama", {"rms_norm_eps": 0.1}),
        ("llama", {"tie_word_embeddings": True}),
        ("llama", {"num_key_value_heads": None}),
        ("bert", {"layer_norm_eps": 0.1}),
        ("bert", {"type_vocab_size": 5}),
        ("bert", {"pad_token_id": 7}),
    ],
)
def test_a_setting_that_is_honoured(kind, settings, tmp_path):
    small, SMALL[kind] = SMALL[kind], {name: value for name, value in SMALL[kind].items() if name not in settings}
    try:
        theirs = saved(kind, tmp_path, **settings)
    finally:
        SMALL[kind] = small
    ours = CLASSES[kind][2].from_pretrained(tmp_path)
    ids = torch.randint(V, (3, 29), generator=torch.Generator().manual_seed(1))
    torch.testing.assert_close(outputs(kind, ours, ids), outputs(kind, theirs, ids), atol=3e-5, rtol=3e-5)


@pytest.mark.parametrize(
    ("kind", "settings", "message"),
    [
        ("gpt2", {"scale_attn_weights": False}, "`scale_attn_weights` in config.json must be True, got False"),
        ("gpt2", {"scale_attn_by_inverse_layer_idx": True}, "`scale_attn_by_inverse_layer_idx` .* must be False"),
        ("gpt2", {"add_cross_attention": True}, "`add_cross_attention` in config.json must be False, got True"),
        ("gpt2", {"activation_function": "silu"}, "`activation_function` in config.json must be one of gelu_new"),
        ("gpt2", {"quantization_config": {"bits": 4}}, "`quantization_config` in config.json must be absent"),
        ("llama", {"rope_parameters": {"rope_type": "linear", "factor": 2.0}}, "`rope_scaling` .* must be absent"),
        ("llama", {"rope_parameters": None, "rope_scaling": {"factor": 2.0}}, "`rope_scaling` .* must be absent"),
        ("llama", {"rope_parameters": None, "rope_scaling": {"type": "dynamic", "factor": 2.0}}, "`rope_scaling`"),
        ("llama", {"partial_rotary_factor": 0.5}, "`partial_rotary_factor` in config.json must be 1.0, got 0.5"),
        ("llama", {"head_dim": 8}, "must match the config, got .*24, 24. instead of .48, 24."),
        ("llama", {"hidden_act": "gelu"}, "`hidden_act` in config.json must be 'silu', got 'gelu'"),
        ("llama", {"attention_bias": True}, "missing: layers.0.attention.k_proj.bias"),
        ("llama", {"model_type": "gemma"}, "`model_type` in config.json must be one of gpt2, llama, .*, got 'gemma'"),
        ("bert", {"is_decoder": True}, "`is_decoder` in config.json must be False, got True"),
        ("bert", {"add_cross_attention": True}, "`add_cross_attention` in config.json must be False"),
        ("bert", {"position_embedding_type": "relative_key"}, "`position_embedding_type` .* must be 'absolute'"),
        ("bert", {"hidden_act": "gelu_new"}, "`hidden_act` in config.json must be 'gelu', got 'gelu_new'"),
    ],
)
def test_a_setting_that_is_refused(kind, settings, message, tmp_path):
    saved(kind, tmp_path)
    changed(tmp_path, **settings)
    with pytest.raises(ValueError, match=message):
        CLASSES[kind][2].from_pretrained(tmp_path)


@pytest.mark.parametrize(
    ("kind", "settings", "message"),
    [
        ("gpt2", {"n_embd": None}, "`n_embd` must be a whole number, got n_embd=None"),
        ("gpt2", {"activation_function": []}, r"`activation_function` .* must be one of gelu_new.*, got \[\]"),
        ("gpt2", {"n_layer": 10**9}, "`num_layers` must fit the file, which has .* tensors, got 1000000000"),
        ("bert", {"num_hidden_layers": 10**9}, "`num_layers` must fit the file"),
        ("llama", {"hidden_size": "x"}, "`hidden_size` must be a whole number"),
        ("llama", {"num_attention_heads": 0}, "`num_attention_heads` must be at least 1"),
        ("llama", {"rope_parameters": "x"}, "`rope_parameters` must be of type dict, got str"),
        ("llama", {"rope_parameters": {"rope_theta": "x"}}, "`rope_theta` must be a number"),
    ],
    ids=str,
)
def test_a_setting_that_no_model_has_is_named(kind, settings, message, tmp_path):
    saved(kind, tmp_path)
    changed(tmp_path, **settings)
    with pytest.raises((TypeError, ValueError), match=message):
        CLASSES[kind][2].from_pretrained(tmp_path)


@pytest.mark.parametrize("content", ["", "[]", "null", '[["model_type", "gpt2"]]', "[" * 10**5])
def test_a_config_that_is_none_is_damaged(content, tmp_path):
    saved("gpt2", tmp_path)
    (tmp_path / "config.json").write_text(content)
    with pytest.raises(ValueError, match=r"config\.json is damaged"):
        GPT.from_pretrained(tmp_path)


@pytest.mark.parametrize(
    ("kind", "setting"),
    [
        ("gpt2", "n_positions"),
        ("gpt2", "layer_norm_epsilon"),
        ("llama", "rms_norm_eps"),
        ("llama", "max_position_embeddings"),
        ("llama", "num_key_value_heads"),
        ("bert", "max_position_embeddings"),
        ("bert", "type_vocab_size"),
    ],
)
def test_a_setting_that_is_missing_has_transformers_default(kind, setting, tmp_path):
    small = SMALL[kind]
    SMALL[kind] = {name: value for name, value in small.items() if name != setting}
    try:
        theirs = saved(kind, tmp_path)
    finally:
        SMALL[kind] = small
    content = json.loads((tmp_path / "config.json").read_text())
    content.pop(setting)
    (tmp_path / "config.json").write_text(json.dumps(content))
    ours = CLASSES[kind][2].from_pretrained(tmp_path)
    ids = torch.randint(V, (3, 29), generator=torch.Generator().manual_seed(1))
    torch.testing.assert_close(outputs(kind, ours, ids), outputs(kind, theirs, ids), atol=3e-5, rtol=3e-5)


@pytest.mark.parametrize(
    "beside",
    ["adapter_model", "consolidated", "model-00001-of-00002", "a", "model.fp16", "zzz", "model_ema", "optimizer"],
)
@pytest.mark.parametrize("sharded", [False, True])
def test_only_what_the_index_or_the_usual_name_says_is_read(beside, sharded, tmp_path):
    theirs = saved("llama", tmp_path)
    if sharded:
        (tmp_path / "model.safetensors").unlink()
        theirs.save_pretrained(tmp_path, max_shard_size="20KB")
        assert len(list(tmp_path.glob("model-*"))) > 1
    if not (tmp_path / f"{beside}.safetensors").exists() and not (sharded and beside.startswith("model-")):
        save_file({"model.norm.weight": torch.zeros(D), "surplus": torch.zeros(2)}, tmp_path / f"{beside}.safetensors")
    ids = torch.randint(V, (3, 29), generator=torch.Generator().manual_seed(1))
    found = GPT.from_pretrained(tmp_path)(ids)
    torch.testing.assert_close(found, theirs(ids).logits, atol=3e-5, rtol=3e-5)


@pytest.mark.parametrize(
    ("index", "message"),
    [
        ({"weight_map": {"model.norm.weight": "gone.safetensors"}}, "gone.safetensors"),
        ({"weight_map": {"model.norm.weight": "../model.safetensors"}}, "model.safetensors.index.json is damaged"),
        ({"weight_map": ["model-1.safetensors"]}, "model.safetensors.index.json is damaged"),
        ({}, "model.safetensors.index.json is damaged"),
        ([], "model.safetensors.index.json is damaged"),
        (None, "`path` must hold config.json and model.safetensors"),
    ],
)
def test_an_index_that_is_wrong_is_named(index, message, tmp_path):
    saved("llama", tmp_path)
    (tmp_path / "model.safetensors").rename(tmp_path / "other.safetensors")
    if index is not None:
        (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index))
    with pytest.raises((ValueError, FileNotFoundError), match=message):
        GPT.from_pretrained(tmp_path)


def test_a_folder_in_place_of_the_tensors_is_damaged(tmp_path):
    saved("gpt2", tmp_path)
    (tmp_path / "model.safetensors").unlink()
    (tmp_path / "model.safetensors").mkdir()
    with pytest.raises(ValueError, match=r"model\.safetensors is damaged"):
        GPT.from_pretrained(tmp_path)


def test_a_head_of_its_own_that_is_missing_is_told(tmp_path):
    saved("llama", tmp_path)
    weights = load_file(tmp_path / "model.safetensors")
    del weights["lm_head.weight"]
    save_file(weights, tmp_path / "model.safetensors")
    with pytest.raises(ValueError, match=r"missing: head.weight; surplus: none"):
        GPT.from_pretrained(tmp_path)


def test_a_tied_head_may_stand_in_the_file_but_must_be_the_table(tmp_path):
    theirs = saved("gpt2", tmp_path)
    weights = load_file(tmp_path / "model.safetensors")
    table, ids = weights["transformer.wte.weight"], torch.randint(V, (2, 7))
    save_file(weights | {"lm_head.weight": table.clone()}, tmp_path / "model.safetensors")
    torch.testing.assert_close(GPT.from_pretrained(tmp_path)(ids), theirs(ids).logits, atol=3e-5, rtol=3e-5)
    save_file(weights | {"lm_head.weight": table + 1.0}, tmp_path / "model.safetensors")
    with pytest.raises(ValueError, match=r"`tie_word_embeddings` in config.json must be False for a head that differs"):
        GPT.from_pretrained(tmp_path)


def test_quantised_tensors_are_refused(tmp_path):
    saved("gpt2", tmp_path)
    weights = load_file(tmp_path / "model.safetensors")
    weights["transformer.wpe.weight"] = weights["transformer.wpe.weight"].to(torch.int8)
    save_file(weights, tmp_path / "model.safetensors")
    with pytest.raises(ValueError, match=r"not quantised, got positions.weight of torch.int8"):
        GPT.from_pretrained(tmp_path)
    with pytest.raises(TypeError, match=r"`dtype` must be a floating-point dtype, got torch.int8"):
        GPT.from_pretrained(tmp_path, dtype=torch.int8)


# GGUF -----------------------------------------------------------------------------------------------------------------


def llama() -> GPT:
    torch.manual_seed(0)
    kind = {"positions": "rotary", "norm": "rms", "activation": "swiglu", "bias": False, "tie_embeddings": False}
    return GPT(GPTConfig(V, C, D, H, L, num_kv_heads=2, **kind)).eval()


def with_fields(path, fields: dict[str, object], *, extra: dict[str, np.ndarray] | None = None):
    """The file of `llama()` with some fields added or changed: keys and their values, None to leave one out."""
    export_gguf(llama(), path, dtype="F32")
    reader = gguf.GGUFReader(path)
    writer = gguf.GGUFWriter(path.with_suffix(".new"), "llama")
    values = {name: field.contents() for name, field in reader.fields.items() if not name.startswith("GGUF.")}
    types = {name: field.types[0] for name, field in reader.fields.items()}
    kinds = {str: gguf.GGUFValueType.STRING, float: gguf.GGUFValueType.FLOAT32, bool: gguf.GGUFValueType.BOOL}
    for name, value in (values | fields).items():
        if name != "general.architecture" and value is not None:
            kind = kinds.get(type(value), gguf.GGUFValueType.UINT32) if name in fields else types[name]
            writer.add_key_value(name, value, kind)
    tensors = {tensor.name: np.array(tensor.data) for tensor in reader.tensors}
    for name, tensor in (tensors | (extra or {})).items():
        writer.add_tensor(name, tensor)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path.with_suffix(".new")


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"llama.rope.scaling.type": "none"},
        {"llama.rope.scaling.type": "none", "llama.rope.scaling.factor": 4.0},
        {"llama.rope.scaling.type": "linear", "llama.rope.scaling.factor": 1.0},
        {"llama.rope.scaling.factor": 0.0},
        {"llama.attention.key_length": D // H, "llama.attention.value_length": D // H},
        {"llama.rope.dimension_count": None},
        {"llama.expert_count": 0},
        {"llama.attention.scale": 0.0},
    ],
)
def test_a_gguf_field_that_changes_nothing(fields, tmp_path):
    ids = torch.randint(V, (2, 29), generator=torch.Generator().manual_seed(1))
    again = GPT.from_pretrained(with_fields(tmp_path / "a.gguf", fields))
    torch.testing.assert_close(again(ids), llama()(ids), atol=2e-6, rtol=2e-6)


def test_the_base_of_the_rotation_and_the_eps_are_read(tmp_path):
    fields = {"llama.rope.freq_base": 50.0, "llama.attention.layer_norm_rms_epsilon": 0.25}
    config = GPT.from_pretrained(with_fields(tmp_path / "a.gguf", fields)).config
    assert (config.rotary_base, config.norm_eps) == (50.0, 0.25)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"llama.rope.scaling.factor": 4.0}, r"`llama.rope.scaling` of a.new must be absent .* 'linear', factor 4"),
        ({"llama.rope.scale_linear": 4.0}, r"`llama.rope.scaling` of a.new must be absent"),
        ({"llama.rope.scaling.type": "linear", "llama.rope.scaling.factor": 4.0}, "`llama.rope.scaling`"),
        ({"llama.rope.scaling.type": "yarn"}, r"got type 'yarn', factor 0"),
        ({"llama.rope.dimension_count": 2}, r"`llama.rope.dimension_count` of a.new must be 4, got 2"),
        ({"llama.attention.key_length": 8}, r"`llama.rope.dimension_count` of a.new must be 8, got 4"),
        ({"llama.attention.scale": 0.5}, r"`llama.attention.scale` of a.new must be 0.0, got 0.5"),
        ({"llama.attention.sliding_window": 8}, r"`llama.attention.sliding_window` of a.new must be 0, got 8"),
        ({"llama.attention.clamp_kqv": 8.0}, r"`llama.attention.clamp_kqv` of a.new must be 0.0, got 8.0"),
        ({"llama.expert_count": 8}, r"`llama.expert_count` of a.new must be 0, got 8"),
        ({"llama.logit_scale": 0.5}, r"`llama.logit_scale` of a.new must be 0.0 or 1.0, got 0.5"),
        ({"llama.final_logit_softcapping": 30.0}, r"`llama.final_logit_softcapping` of a.new must be 0.0"),
        ({"llama.attention.causal": False}, r"`llama.attention.causal` of a.new must be True, got False"),
        ({"llama.attention.head_count": None}, r"a.new must hold the field llama.attention.head_count"),
    ],
)
def test_a_gguf_field_that_is_refused(fields, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        GPT.from_pretrained(with_fields(tmp_path / "a.gguf", fields))


def test_scaled_frequencies_of_a_gguf_file_that_are_not_llama_3s_are_refused(tmp_path):
    path = with_fields(tmp_path / "a.gguf", {}, extra={"rope_freqs.weight": np.array([1.0, 3.0], dtype=np.float32)})
    with pytest.raises(ValueError, match=r"`rope_freqs.weight` of a.new must be absent, or Llama 3's in a llama, got"):
        GPT.from_pretrained(path)
    plain = with_fields(tmp_path / "b.gguf", {}, extra={"rope_freqs.weight": np.ones(2, dtype=np.float32)})
    assert GPT.from_pretrained(plain).config.rotary_scaling is None
