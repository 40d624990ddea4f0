"""The recall experiment asks what it says, and its recorded run is whole."""

from pathlib import Path

import pytest
import torch

from experiments import recall
from lmcourse.training import load_recorded

RECORDED = Path(__file__).parents[2] / "chapters" / "recorded"


def test_recall_asks_for_the_key_that_stands_so_far_back():
    ids, keys = recall.recall_batch(7, 5, torch.Generator().manual_seed(0))
    assert ids.shape == (7, 6)
    assert torch.equal(ids[:, :1], keys)
    assert (ids[:, 1:-1] >= recall.KEYS).all()  # noise never looks like a key
    assert (ids[:, 1:-1] < recall.KEYS + recall.NOISE).all()
    assert (ids[:, -1] == recall.KEYS + recall.NOISE).all()


def test_copy_asks_for_the_symbols_in_their_order():
    ids, symbols = recall.copy_batch(5, 3, torch.Generator().manual_seed(0))
    assert torch.equal(ids[:, :3], symbols)
    assert (ids[:, 3:] == recall.KEYS + recall.NOISE).all()


def test_a_run_can_succeed_and_can_fail():
    options = {"cell": "lstm", "forget_bias": 3.0}
    learned = recall.run("recall", 3, options, seed=0, hidden_size=32, max_steps=200)
    assert learned["accuracy"] > 0.95
    assert learned["steps"] <= 200
    assert recall.run("recall", 64, {"cell": "rnn"}, seed=0, hidden_size=8, max_steps=50)["accuracy"] < 0.4


def test_the_recorded_run_has_every_model_size_and_seed():
    rows = load_recorded("recall", RECORDED)["rows"]
    wanted = {
        (task, size, model, seed)
        for task, sizes in (("recall", recall.DISTANCES), ("copy", recall.LENGTHS))
        for size in sizes
        for model in recall.MODELS
        for seed in range(recall.REPEATS)
    }
    assert {(row["task"], row["size"], row["model"], row["seed"]) for row in rows} == wanted
    assert len(rows) == len(wanted)
    for row in rows:
        assert 0 <= row["accuracy"] <= 1
        assert row["accuracy"] >= recall.SOLVED or row["steps"] == pytest.approx(3_000)
