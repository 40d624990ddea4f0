"""Chapter 09's comparison of starts: its scores by hand, and its recorded runs whole."""

from pathlib import Path

import pytest
import torch

from experiments import bert, bert_labels
from experiments.bert_labels import RATES, SEEDS, SIZES
from lmcourse.layers.losses import IGNORE_INDEX
from lmcourse.training import load_recorded

RECORDED = Path(__file__).parents[2] / "chapters" / "recorded"


def test_naive_bayes_by_hand():
    # good: a a b, each word once a sentence; (2 + 1) / (1 + 1) for "a" and (1 + 1) / (2 + 1) for "c", by their totals
    said = bert_labels.naive_bayes([["a"], ["a", "b"], ["c"], ["c", "b"]], [1, 1, 0, 0], [["a"], ["c"], ["new"]])
    assert said == [1, 0, 0]


def test_balanced_draws_as_many_of_each_and_says_when_it_cannot():
    drawn = bert_labels.balanced(range(20), lambda n: n % 4 == 0, 6, seed=1)
    assert [n % 4 == 0 for n in drawn] == [False, True] * 3
    assert len(set(drawn)) == 6
    with pytest.raises(ValueError, match=r"not 7 of each class, but \[15, 5\]"):
        bert_labels.balanced(range(20), lambda n: n % 4 == 0, 14, seed=1)


def test_pairs_follow_each_other_as_often_as_asked():
    ids = torch.arange(5, 4_005)
    inputs, labels, segments, follows = bert.pairs_of(ids, 4_005, share_next=0.5, seed=1)(1)
    rows = torch.where(labels == IGNORE_INDEX, inputs, labels)
    assert torch.equal((rows[:, 32] == rows[:, 30] + 1).long(), follows)
    assert 0 < follows.sum() < len(follows)
    assert rows[:, [0, 31, 63]].tolist() == [[2, 3, 3]] * len(rows)
    assert segments[0].tolist() == [0] * 32 + [1] * 32
    assert bert.pairs_of(ids, 4_005, share_next=1.0, seed=1)(1)[3].all()


@pytest.mark.parametrize("task", ["questions", "reviews", "ratings"])
def test_the_recorded_runs_compare_like_with_like(task):
    run = load_recorded(f"bert-{task}", RECORDED)
    assert run["command"] == f"python -m experiments.bert_labels {task}"
    for start in ("from scratch", "pretrained"):
        rows = [row for row in run["rows"] if row["start"] == start]
        assert [(row["labels"], row["seed"]) for row in rows] == [(n, seed) for n in SIZES for seed in SEEDS]
        assert {row["rate"] for row in rows} <= set(RATES)
        assert len({row["rate"] for row in rows}) == 1
        assert all(row["task"] == task and 0 <= row["score"] <= 1 for row in rows)
