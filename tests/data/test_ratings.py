"""Ratings of film-review snippets by people."""

import pytest

from lmcourse import data


@pytest.fixture(scope="module")
def ratings():
    if not data.is_cached("ratings"):
        pytest.skip("the corpus `ratings` is not on this machine")
    return {split: data.load_ratings(split=split) for split in ("train", "valid", "test")}


def test_sizes_and_votes(ratings):
    everything = data.load_ratings()
    assert len(everything) == sum(map(len, ratings.values())) == 10_603  # two of the 10,605 come twice
    assert 0.78 < len(ratings["train"]) / len(everything) < 0.82
    for rating in everything:
        assert len(rating.votes) >= 10
        assert rating.mean == pytest.approx(sum(rating.votes) / len(rating.votes))
        assert -4 <= min(rating.votes) <= max(rating.votes) <= 4


def test_splits_are_disjoint(ratings):
    letters = {
        split: {"".join(filter(str.isalnum, rating.text.lower())) for rating in part} for split, part in ratings.items()
    }
    assert not letters["train"] & letters["test"]
    assert not letters["train"] & letters["valid"]
    assert not letters["valid"] & letters["test"]


def test_an_unknown_split():
    with pytest.raises(ValueError, match="`split` must be one of 'train', 'valid', 'test', None, got split='dev'"):
        data.load_ratings(split="dev")
