"""A config file: what it gives, and that all its faults are told at once, by name."""

from dataclasses import replace

import pytest

from lmcourse.models import GPT
from lmcourse.pretraining import ConfigError, expected_cost, preset_names, preset_text, read_config
from lmcourse.training.scaling import DEVICES

GOOD = """
[model]
context_length = 7
embed_dim = 24
num_heads = 3
num_layers = 2
[data]
tokens = "tokens"
[training]
out = "run"
max_steps = 5
batch_size = 6
"""


def write(folder, text):
    path = folder / "config.toml"
    path.write_text(text)
    return path


def faults(folder, text):
    with pytest.raises(ConfigError) as found:
        read_config(write(folder, text))
    return str(found.value).splitlines()


def test_a_config_is_read(tmp_path):
    config = read_config(write(tmp_path, GOOD))
    assert (config.model.embed_dim, config.vocab_size) == (24, None)
    assert config.tokens == tmp_path / "tokens"
    assert config.out == tmp_path / "run"
    assert (config.training.optimizer, config.training.strategy, config.training.clip_norm) == ("adamw", "ddp", 1.0)
    assert read_config(write(tmp_path, GOOD.replace("[data]", "vocab_size = 99\n[data]"))).vocab_size == 99


def test_all_faults_are_told_at_once(tmp_path):
    text = GOOD.replace("num_heads = 3", "num_heads = 5\nnum_layer = 2\nnorm = 'layers'").replace(
        'out = "run"', "adamw_lrs = 0.1\nwarmup = 9\nprecision = 'fp16'\nfinal = 2"
    ).replace("batch_size = 6", "batch_size = 6\naccumulate = 4") + "[optim]\nx = 1\n"  # fmt: skip
    assert faults(tmp_path, text) == [
        "config.toml cannot be used:",
        "- [optim] is not a section; there are model, data, training.",
        "- [model] `num_layer` is no setting; do you mean num_layers.",
        "- [model] `num_heads` must divide `embed_dim`, got num_heads=5, embed_dim=24.",
        "- [model] `norm` must be one of 'layer', 'rms', got norm='layers'.",
        "- [training] `adamw_lrs` is no setting; do you mean adamw_lr.",
        "- [training] `out` is missing.",
        "- [training] `accumulate` must divide `batch_size`, got accumulate=4, batch_size=6.",
        "- [training] `warmup` must be less than `max_steps`, got warmup=9, max_steps=5.",
        "- [training] `final` must be at least 0 and at most 1, got final=2.",
        "- [training] `precision` must be one of 'auto', 'float32', 'bfloat16', got precision='fp16'.",
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("embed_dim = 24", 'embed_dim = "24"'), "[model] `embed_dim` must be a whole number, got embed_dim='24'."),
        (("embed_dim = 24", "embed_dim = 0"), "[model] `embed_dim` must be at least 1, got embed_dim=0."),
        (("max_steps = 5", "max_steps = 0"), "[training] `max_steps` must be at least 1, got max_steps=0."),
        (("max_steps = 5", ""), "[training] `max_steps` is missing."),
        (("batch_size = 6", ""), "[training] `batch_size` is missing."),
        (('tokens = "tokens"', ""), "[data] `tokens` is missing."),
        (('tokens = "tokens"', "tokens = 3"), "[data] `tokens` must be of type str, got int."),
        (('out = "run"', 'out = ""'), "[training] `out` must not be empty, got ''."),
        (("batch_size = 6", "batch_size = 6\ncompile = 1"), "[training] `compile` must be of type bool, got int."),
        (("batch_size = 6", "batch_size = 6\nlr = nan"), "[training] `lr` must be finite"),
        (("batch_size = 6", "batch_size = 6\nlearning_rate = 1e-3"), "[training] `learning_rate` is no setting."),
        (("batch_size = 6", "batch_size = 6\nseed = -1"), "[training] `seed` must be at least 0"),
    ],
)
def test_one_fault(tmp_path, change, message):
    first, *found = faults(tmp_path, GOOD.replace(*change))
    assert first == "config.toml cannot be used:"
    assert len(found) == 1
    assert found[0].startswith(f"- {message}")


def test_a_section_that_is_none_and_a_missing_one(tmp_path):
    assert "- [model] must be a section, got model = 3." in faults(tmp_path, "model = 3\n")
    assert "- [data] `tokens` is missing." in faults(tmp_path, "")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_config_that_windows_wrote(tmp_path, encoding):
    """Notepad puts a mark before UTF-8; the `>` of PowerShell 5 writes UTF-16."""
    path = tmp_path / "config.toml"
    path.write_bytes(preset_text("tiny").replace("\n", "\r\n").encode(encoding))
    if encoding == "utf-8-sig":
        assert read_config(path).training.max_steps > 0
    else:
        with pytest.raises(ConfigError, match=r"config.toml must be UTF-8, got UTF-16 or UTF-32.*Out-File"):
            read_config(path)


def test_no_file_and_no_toml(tmp_path):
    with pytest.raises(ConfigError, match=r"must be that of a config file: .*none.toml: No such file"):
        read_config(tmp_path / "none.toml")
    assert "is not TOML" in faults(tmp_path, "[model")[0]
    (tmp_path / "config.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="is not TOML"):
        read_config(tmp_path / "config.toml")


def test_a_batch_is_divided_between_processes(tmp_path):
    config = read_config(write(tmp_path, GOOD.replace("batch_size = 6", "batch_size = 12\naccumulate = 2")))
    assert [config.batch_size_of(n) for n in (1, 2, 3, 6)] == [6, 3, 2, 1]
    with pytest.raises(ConfigError, match="`batch_size` must be a multiple of `accumulate` times `processes`"):
        config.batch_size_of(4)
    single = read_config(write(tmp_path, GOOD + 'strategy = "single"\n'))
    with pytest.raises(ConfigError) as found:
        single.batch_size_of(4)
    assert len(str(found.value).splitlines()) == 2  # both faults


def test_what_a_preset_costs_is_computed_beforehand(tmp_path):
    one, eight = (read_config(write(tmp_path, preset_text(f"gpt2_small_{n}"))) for n in ("1_gpu", "8_gpus"))
    cost = expected_cost(one, "A100")
    # 123.6 million weights in matrices: 18 bytes each; 64 windows of 1,024 tokens keep 34 h bytes a token in 12 layers;
    # 2^26 logits at once, 10 bytes each
    weights = 12 * 7_077_888 + 50_304 * 768
    assert cost.memory_bytes == 18 * weights + 64 * 1024 * 12 * 34 * 768 + 2**26 * 10
    assert cost.tokens == 512 * 1024
    assert cost.model_flops == 512 * 1024 * (6 * weights + 12 * 12 * 1024 * 768)
    assert 0.5 < cost.share_of_peak < 0.7
    assert 7.5 < expected_cost(eight, "A100", 8).tokens_per_s / cost.tokens_per_s < 8
    with pytest.raises(ConfigError, match="processes=8"):
        expected_cost(read_config(write(tmp_path, GOOD)), "A100", 8)
    with pytest.raises(ValueError, match="`device` must be one of 'V100'"):
        expected_cost(one, "B100")
    with pytest.raises(ValueError, match="must have a vocab_size"):
        expected_cost(read_config(write(tmp_path, GOOD)), "A100")


def test_the_preset_for_a_card_of_8_gb_fits_it(tmp_path):
    config = read_config(write(tmp_path, preset_text("gpt2_small_8_gb")))
    cost = expected_cost(config, "RTX 3070")
    # as above, but 8 windows keep 2 h bytes a token in 12 layers, and one layer all of its 34 h
    weights = 12 * 7_077_888 + 50_304 * 768
    assert cost.memory_bytes == 18 * weights + 8 * 1024 * (12 * 2 + 34) * 768 + 2**26 * 10
    assert cost.memory_bytes < 0.5 * DEVICES["RTX 3070"].memory_bytes
    whole = expected_cost(replace(config, training=replace(config.training, compile_whole=True)), "RTX 3070")
    assert whole.memory_bytes - cost.memory_bytes == pytest.approx(10 * (8 * 1024 * 50_304 - 2**26))


def test_presets_can_be_used(tmp_path):
    names = preset_names()
    assert "tiny" in names
    for name in names:
        config = read_config(write(tmp_path, preset_text(name)))
        assert config.batch_size_of(8 if name.endswith("8_gpus") else 1) > 0
        if name == "tiny":
            GPT(config.model)
    with pytest.raises(ValueError, match="`name` must be one of"):
        preset_text("huge")
