"""Checkpoints: what is saved comes back, and what does not fit is refused by name."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import nn

from lmcourse.tokenizers import BPETokenizer, Vocabulary, tokenizer_from_dict
from lmcourse.training import checkpoints
from lmcourse.training.checkpoints import (
    CheckpointError,
    load_checkpoint,
    read_recipe,
    save_checkpoint,
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
    refuses(path, nn.Linear(2, 2), r"got Linear: missing \['bias', 'weight'\]")


def test_another_vocabulary(tmp_path):
    path = saved(tmp_path, vocabulary=WORDS)
    swapped = [*WORDS[:1], WORDS[2], WORDS[1], *WORDS[3:]]
    refuses(path, Model(Config()), "id 1 is 'and' there, 'ä' here", vocabulary=swapped)
    refuses(path, Model(Config()), "5 tokens there, 4 here", vocabulary=WORDS[:4])
    refuses(saved(tmp_path), Model(Config()), "saved without one", vocabulary=WORDS)


class Letters:
    """A tokenizer of one's own."""

    def __init__(self, letters):
        self.letters = letters

    def to_dict(self):
        return {"format": "letters", "letters": tuple(self.letters)}


def test_the_vocabulary_of_any_tokenizer(tmp_path):
    path = saved(tmp_path, vocabulary=Vocabulary(WORDS))
    assert read_recipe(path)["vocabulary"] == WORDS
    load_checkpoint(path, Model(Config()), vocabulary=Vocabulary(WORDS))
    load_checkpoint(path, Model(Config()), vocabulary=tuple(WORDS))
    refuses(path, Model(Config()), "5 tokens there, 2 here", vocabulary=Vocabulary(WORDS[:2]))
    refuses(path, Model(Config()), "tokens there, letters here", vocabulary=Letters("ab"))
    path = saved(tmp_path, vocabulary=Letters("abc"))
    assert read_recipe(path)["vocabulary"] == {"format": "letters", "letters": ["a", "b", "c"]}
    load_checkpoint(path, Model(Config()), vocabulary=Letters("abc"))
    load_checkpoint(path, Model(Config()), vocabulary=read_recipe(path)["vocabulary"])
    refuses(path, Model(Config()), "letters there, letters here, and they differ", vocabulary=Letters("ab"))
    refuses(path, Model(Config()), "letters there, tokens here", vocabulary=WORDS)
    for wrong in ("abc", 5, [1, 2], {"a": 0}):
        with pytest.raises(TypeError, match="`vocabulary` must be a Vocabulary, a tokenizer with `to_dict`, or"):
            saved(tmp_path, vocabulary=wrong)


BPE = BPETokenizer.train("low lower lowest newer wider " * 9, 270, special_tokens=["<|end|>"])


def test_a_tokenizer_comes_back_from_a_checkpoint(tmp_path):
    path = saved(tmp_path, vocabulary=BPE)
    load_checkpoint(path, Model(Config()), vocabulary=BPE)
    back = tokenizer_from_dict(read_recipe(path)["vocabulary"])
    text = "lower than the lowest<|end|>"
    assert back.encode(text, allowed_special="all") == BPE.encode(text, allowed_special="all")
    other = BPETokenizer.train("low lower lowest newer wider " * 9, 271, special_tokens=["<|end|>"])
    refuses(path, Model(Config()), "they differ", vocabulary=other)


def test_damaged_recipes(tmp_path):
    path = saved(tmp_path)
    recipe = path.with_suffix(".json")
    good = json.loads(recipe.read_text())
    recipe.write_text(json.dumps({key: value for key, value in good.items() if key != "vocabulary"}))
    refuses(path, Model(Config()), r"recipe m\.json is damaged: vocabulary missing")
    recipe.write_text("[" * 200_000)
    refuses(path, Model(Config()), r"recipe m\.json is damaged")
    recipe.write_bytes(b'"\xff"')
    refuses(path, Model(Config()), r"recipe m\.json is damaged")
    recipe.unlink()
    recipe.mkdir()
    refuses(path, Model(Config()), r"m\.json cannot be read")


def filled(value):
    model = Model(Config())
    nn.init.constant_(model.embedding.weight, value)
    return model


@pytest.mark.parametrize("kill_at", range(10))
def test_a_kill_at_any_moment_leaves_a_whole_checkpoint(tmp_path, kill_at):
    """In a process of its own that ends without a word before or after each file operation of a second save."""
    save_checkpoint(tmp_path / "m[1]", filled(1.0), recipe={"score": 1})
    child = os.fork()
    if child == 0:
        left = kill_at

        def dying(operation):
            def run(*arguments, **options):
                nonlocal left
                for moment in ("before", "after"):
                    if left == 0:
                        os._exit(9)
                    left -= 1
                    result = operation(*arguments, **options) if moment == "before" else result  # noqa: F821
                return result

            return run

        os.fsync, Path.replace = dying(os.fsync), dying(Path.replace)
        save_checkpoint(tmp_path / "m[1]", filled(2.0), recipe={"score": 2})
        os._exit(0)
    assert os.waitpid(child, 0)[1] >> 8 == 9
    model = Model(Config())
    score = load_checkpoint(tmp_path / "m[1]", model)["score"]
    assert (model.embedding.weight == score).all()
    assert score == (1 if kill_at < 7 else 2)
    save_checkpoint(tmp_path / "m[1]", filled(3.0))
    assert load_checkpoint(tmp_path / "m[1]", model)
    assert sorted(file.name for file in tmp_path.glob("*.safetensors")) == ["m[1].safetensors"]


@pytest.mark.parametrize("fail_at", range(1, 6))
def test_a_write_that_fails_leaves_a_whole_checkpoint(tmp_path, monkeypatch, fail_at):
    save_checkpoint(tmp_path / "m", filled(1.0), recipe={"score": 1})
    calls = 0

    def failing(operation):
        def run(*arguments, **options):
            nonlocal calls
            calls += 1
            if calls == fail_at:
                raise OSError("no space left on device")
            return operation(*arguments, **options)

        return run

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", failing(os.fsync))
        patch.setattr(Path, "replace", failing(Path.replace))
        with pytest.raises(OSError, match="no space"):
            save_checkpoint(tmp_path / "m", filled(2.0), recipe={"score": 2})
    model = Model(Config())
    score = load_checkpoint(tmp_path / "m", model)["score"]
    assert (model.embedding.weight == score).all()
    assert score == (2 if fail_at == 5 else 1)
    assert len(list(tmp_path.iterdir())) == (3 if fail_at == 5 else 2)  # new weights, not yet renamed


def test_reserved_and_unwritable_recipes(tmp_path):
    with pytest.raises(ValueError, match=r"must not use the names \['sha256'\]"):
        saved(tmp_path, recipe={"sha256": "0"})
    for value, message in ((object(), "not JSON serializable"), (float("nan"), "not JSON compliant")):
        with pytest.raises(TypeError, match=f"`recipe` must hold JSON values only: .*{message}"):
            saved(tmp_path, recipe={"score": value})
    assert not list(tmp_path.iterdir())  # nothing half written
