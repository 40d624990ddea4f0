"""The translator that copies."""

import pytest

from experiments.nearest_neighbour import NearestNeighbour, terms

PAIRS = [("turn the light on", "an"), ("turn the light off", "aus"), ("open the door", "auf"), ("cat, cat!", "Katze")]


def test_the_most_similar_source_is_found():
    copier = NearestNeighbour(PAIRS)
    assert copier.nearest("turn the big light off")[1] == "aus"
    assert copier.nearest("the door")[1] == "auf"
    assert copier.nearest("Cat?")[1] == "Katze"
    assert all(copier.nearest(source) == (source, target) for source, target in PAIRS)


def test_rare_words_weigh_more():
    # "the" stands in three of four, "door" in one: log(4/3) against log(4)
    copier = NearestNeighbour(PAIRS)
    assert copier.idf["door"] == pytest.approx(4.82 * copier.idf["the"], rel=0.01)
    unit = copier._unit({"door": 1, "the": 1, "unheard-of": 3})
    assert sum(weight**2 for weight in unit.values()) == pytest.approx(1.0)


def test_nothing_in_common_gives_the_first_pair():
    assert NearestNeighbour(PAIRS).nearest("zzz") == PAIRS[0]


def test_terms_are_words_and_neighbours():
    assert terms("Turn it ON.") == ["turn", "it", "on", ("turn", "it"), ("it", "on")]
