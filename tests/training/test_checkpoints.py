"""Checkpoints: what is saved comes back, and what does not fit is refused by name."""

import json
import os
from dataclasses import dataclass

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import nn

from lmcourse.training import checkpoints
from lmcourse.training.checkpoints import (
    CheckpointError,
    load_checkpoint,
    load_training_state,
    read_recipe,
    save_checkpoint,
    save_training_state,
)

WORDS = ["<unk>", "and", "ä", "\n", "z"]


@dataclass(frozen=True)
class Config:
    vocab_size: int = 5
    embed_dim: int = 3


class Model(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocab_size, config.embed_dim)
        self.head = nn.Linear(config.embed_dim, config.vocab_size)
        self.head.weight = self.embedding.weight  # tied
        self.register_buffer("steps", torch.tensor(7))


def test_a_checkpoint_comes_back_with_its_recipe(tmp_path):
    torch.manual_seed(0)
    model = Model(Config())
    recipe = {"command": "make checkpoints", "seed": 3, "score": {"bits_per_byte": 2.5}}
    written = save_checkpoint(tmp_path / "deep" / "v1.2", model, recipe=recipe, vocabulary=WORDS)
    assert written == tmp_path / "deep" / "v1.2.safetensors"
    assert sorted(path.name for path in written.parent.iterdir()) == ["v1.2.json", "v1.2.safetensors"]
    read = read_recipe(written)
    assert read["model"] == "Model"
    assert read["vocabulary"] == WORDS
    assert read["parameters"] == 5 * 3 + 5  # the tied table counts once
    assert {key: read[key] for key in recipe} == recipe
    other = Model(Config(**read["config"]))
    assert load_checkpoint(written, other, vocabulary=WORDS) == read
    for name, tensor in model.state_dict().items():
        assert torch.equal(other.state_dict()[name], tensor)
    assert other.head.weight is other.embedding.weight
    assert sorted(load_file(written)) == ["embedding.weight", "head.bias", "steps"]  # and is stored once


def saved(tmp_path, **options):
    return save_checkpoint(tmp_path / "m", Model(Config()), **options)


def refuses(path, model, message, **options):
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    with pytest.raises(CheckpointError, match=message):
        load_checkpoint(path, model, **options)
    for name, tensor in model.state_dict().items():
        assert torch.equal(tensor, before[name])  # untouched


def test_missing_files(tmp_path):
    refuses(tmp_path / "m", Model(Config()), "m.json is missing")
    saved(tmp_path).unlink()
    refuses(tmp_path / "m", Model(Config()), "m.safetensors is missing")


@pytest.mark.parametrize("at", [3, 200, -1])
def test_a_flipped_bit_is_found(tmp_path, at):
    path = saved(tmp_path)
    blob = bytearray(path.read_bytes())
    blob[at] ^= 1
    path.write_bytes(bytes(blob))
    refuses(path, Model(Config()), "is damaged: its SHA-256")


def test_a_cut_off_file_is_found(tmp_path):
    path = saved(tmp_path)
    path.write_bytes(path.read_bytes()[:-5])
    refuses(path, Model(Config()), "is damaged")


def test_foreign_files(tmp_path):
    path = saved(tmp_path)
    recipe = path.with_suffix(".json")
    good = recipe.read_text()
    recipe.write_text("{ not json")
    refuses(path, Model(Config()), "recipe m.json is damaged")
    recipe.write_text('{"format": "pt"}')
    refuses(path, Model(Config()), "format 'lmcourse-checkpoint-1', got 'pt'")
    recipe.write_text("[1]")
    refuses(path, Model(Config()), "got 'list'")
    recipe.write_text(good)
    save_file({"weight": torch.zeros(2)}, path)  # safetensors, but not ours; the recipe made to fit
    content = json.loads(good) | {"sha256": checkpoints.hashlib.sha256(path.read_bytes()).hexdigest()}
    recipe.write_text(json.dumps(content))
    refuses(path, Model(Config()), "must be of format")


def test_another_model(tmp_path):
    path = saved(tmp_path)
    refuses(path, Model(Config(vocab_size=6)), r"embedding.weight must have shape \(6, 3\), got \(5, 3\)")
    refuses(path, nn.Linear(2, 2), r"another model than Linear: missing \['bias', 'weight'\]")


def test_another_vocabulary(tmp_path):
    path = saved(tmp_path, vocabulary=WORDS)
    swapped = [*WORDS[:1], WORDS[2], WORDS[1], *WORDS[3:]]
    refuses(path, Model(Config()), "id 1 is 'and' there, 'ä' here", vocabulary=swapped)
    refuses(path, Model(Config()), "5 tokens there, 4 here", vocabulary=WORDS[:4])
    refuses(saved(tmp_path), Model(Config()), "saved without one", vocabulary=WORDS)


def test_reserved_and_unwritable_recipes(tmp_path):
    with pytest.raises(ValueError, match=r"must not use the names \['sha256'\]"):
        saved(tmp_path, recipe={"sha256": "0"})
    with pytest.raises(TypeError, match="not JSON serializable"):
        saved(tmp_path, recipe={"when": object()})
    assert not list(tmp_path.iterdir())  # nothing half written


def test_a_training_state_comes_back_bit_by_bit(tmp_path):
    tree = {
        "model": {"a.b": torch.tensor([0.1, float("nan")], dtype=torch.float64), "a": {"b": torch.arange(3)}},
        "optimizer": {"state": {0: {"step": torch.tensor(3.0)}, 1: {}}, "param_groups": [{"betas": (0.9, 1 / 3)}]},
        "generators": (3, torch.tensor([1, 2], dtype=torch.uint8), None, True, "MT19937"),
        "half": torch.tensor([[1.5], [2.5]], dtype=torch.bfloat16).T,  # not contiguous
        "empty": [],
    }
    save_training_state(tmp_path / "state", tree)
    back = load_training_state(tmp_path / "state")

    def same(a, b):
        assert type(a) is type(b)
        if isinstance(a, torch.Tensor):
            assert a.dtype == b.dtype
            torch.testing.assert_close(a, b, rtol=0, atol=0, equal_nan=True)
        elif isinstance(a, dict):
            assert list(a) == list(b)
            for key in a:
                same(a[key], b[key])
        elif isinstance(a, list | tuple):
            assert len(a) == len(b)
            for x, y in zip(a, b, strict=True):
                same(x, y)
        else:
            assert a == b

    same(tree, back)
    with pytest.raises(TypeError, match=r"tensors and plain values, got object at '\.x'"):
        save_training_state(tmp_path / "state", {"x": object()})
    same(tree, load_training_state(tmp_path / "state"))


def test_damaged_and_foreign_training_states(tmp_path):
    path = tmp_path / "state"
    with pytest.raises(CheckpointError, match="state is missing"):
        load_training_state(path)
    save_training_state(path, {"x": torch.arange(100)})
    path.write_bytes(path.read_bytes()[:-50])
    with pytest.raises(CheckpointError, match="state is damaged or no safetensors file"):
        load_training_state(path)
    path.write_bytes(b"PK\x03\x04 a pickle")
    with pytest.raises(CheckpointError, match="state is damaged or no safetensors file"):
        load_training_state(path)
    save_file({"x": torch.zeros(1)}, path)
    with pytest.raises(CheckpointError, match="must be of format 'lmcourse-training-state-1', got None"):
        load_training_state(path)
    save_file({"x": torch.zeros(1)}, path, {"format": checkpoints.STATE_FORMAT, "tree": '{"dict": [["x", {"ten'})
    with pytest.raises(CheckpointError, match="do not fit together"):
        load_training_state(path)


def test_a_write_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "state"
    save_training_state(path, {"x": torch.tensor(1)})

    def full(_):
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        save_training_state(path, {"x": torch.tensor(2)})
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == ["state"]
    assert load_training_state(path)["x"].item() == 1
