"""A judge of real people's taste: what chapter 11 promises of it, from three seeds."""

import pytest

from experiments import ratings_judge
from lmcourse import data


def test_features_are_words_and_pairs_of_neighbours():
    assert ratings_judge.features("Not bad, is it?") == [
        "not", "bad", "is", "it", "?", "not bad", "bad is", "is it", "it ?"
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_real_ratings_are_foreseen(seed):
    try:
        data.load_ratings(split="test")
    except data.DataUnavailableError:
        pytest.skip("the corpus `ratings` is not here: `lmcourse data fetch ratings` brings it")
    found = ratings_judge.accuracy(seed)
    assert found[1.0] >= 0.81
    assert found[0.1] > 0.72
    assert found[3.0] > found[1.0] + 0.04 > found[0.1] + 0.08
