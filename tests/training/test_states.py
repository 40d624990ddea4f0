"""Training states: bit by bit, whole or not at all, and no damage goes unnoticed."""

import os

import pytest
import torch
from safetensors.torch import save_file

from lmcourse.training import CheckpointError, states
from lmcourse.training.states import load_training_state, save_training_state


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
    with pytest.raises(TypeError, match=r"`tree` must hold tensors and plain values, got object at '\.x'"):
        save_training_state(tmp_path / "state", {"x": object()})
    same(tree, load_training_state(tmp_path / "state"))


def test_damaged_and_foreign_training_states(tmp_path):
    path = tmp_path / "state"
    with pytest.raises(CheckpointError, match="but state is missing"):
        load_training_state(path)
    save_training_state(path, {"x": torch.arange(100)})
    path.write_bytes(path.read_bytes()[:-50])
    with pytest.raises(CheckpointError, match="state is damaged or no safetensors file"):
        load_training_state(path)
    path.write_bytes(b"PK\x03\x04 a pickle")
    with pytest.raises(CheckpointError, match="state is damaged or no safetensors file"):
        load_training_state(path)
    save_file({"x": torch.zeros(1)}, path)
    with pytest.raises(CheckpointError, match="must be of format 'lmcourse-training-state-2', got None"):
        load_training_state(path)
    save_file({"x": torch.zeros(1)}, path, {"format": states.FORMAT, "tree": "{}"})
    with pytest.raises(CheckpointError, match="its checksum is wrong"):
        load_training_state(path)


@pytest.mark.parametrize("tree", ['{"dict": [["x", {"ten', "[]", "{}", '{"dict": 3}', '{"list": ' * 9_999])
def test_a_tree_that_nobody_can_read(tmp_path, tree, monkeypatch):
    monkeypatch.setattr(states.json, "dumps", lambda _: tree)
    save_training_state(tmp_path / "state", {})
    with pytest.raises(CheckpointError, match="do not fit together"):
        load_training_state(tmp_path / "state")


def test_every_flipped_bit_is_found(tmp_path):
    path = tmp_path / "state"
    save_training_state(path, {"x": torch.arange(20), "half": torch.ones(3, dtype=torch.bfloat16), "rate": 0.1})
    whole = path.read_bytes()
    for at in range(len(whole)):
        blob = bytearray(whole)
        blob[at] ^= 1 << at % 8
        path.write_bytes(blob)
        with pytest.raises(CheckpointError):
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
