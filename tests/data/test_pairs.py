"""Pairs to translate: splits, sizes, what stands in, and bad names."""

import pytest

from lmcourse import data
from lmcourse.data import fetching, pairs
from lmcourse.data.dates import MAX_CHARACTERS
from lmcourse.data.numbers import MAX_WORDS, number_pairs

NUMBERS = ("numbers-en-de", "numbers-en-fr", "numbers-en-es")
INTERFACE = ("interface-en-de", "interface-en-fr", "interface-en-es")
SIZES = {  # at least: train, valid, test, longer
    "numbers-en-de": (14_000, 750, 1_600, 1_400),
    "numbers-en-fr": (14_000, 750, 1_600, 1_400),
    "numbers-en-es": (12_500, 700, 1_500, 1_200),
    "dates": (30_000, 1_500, 3_000, 400),
    "interface-en-de": (5_500, 320, 700),
    "interface-en-fr": (3_200, 190, 400),
    "interface-en-es": (5_500, 320, 700),
}


def cached(name):
    return pytest.param(name, marks=pytest.mark.skipif(not data.corpus(name).here, reason=f"{name} is not here"))


# Daily one language: writing another takes 3 s (how each writes its numbers is in test_numbers).
numbers = ["numbers-en-de", *(pytest.param(name, marks=pytest.mark.slow) for name in NUMBERS[1:])]
every_corpus = pytest.mark.parametrize("name", [*numbers, "dates", *map(cached, INTERFACE)])


def parts(name):
    splits = ("train", "valid", "test") + (() if name in INTERFACE else ("longer",))
    return {split: data.load_pairs(name, split=split) for split in splits}


@every_corpus
def test_splits_have_their_sizes_and_share_no_source_and_no_pair(name):
    splits = parts(name)
    for held, least in zip(splits.values(), SIZES[name], strict=True):
        assert least <= len(held) < 1.2 * least + 200
    sources = [source for held in splits.values() for source, _ in held]
    assert len(sources) == len(set(sources))
    assert len(data.load_pairs(name)) == len(sources)
    if name != "dates":  # many ways to write a day lead to one target
        targets = [target for held in splits.values() for _, target in held]
        assert len(targets) == len(set(targets))


@every_corpus
def test_pairs_are_clean(name):
    for source, target in data.load_pairs(name):
        for text in (source, target):
            assert text
            assert text == text.strip()
            assert "\n" not in text


@every_corpus
def test_a_second_call_gives_an_own_list_of_the_same(name):
    first = data.load_pairs(name, split="test")
    kept = list(first)
    first.clear()
    assert data.load_pairs(name, split="test") == kept


@pytest.mark.parametrize("name", [*numbers, "dates"])
def test_longer_sources_are_longer_than_any_other(name):
    length, limit = (len, MAX_CHARACTERS) if name == "dates" else (lambda text: len(text.split()), MAX_WORDS)
    for split, held in parts(name).items():
        lengths = [length(source) for source, _ in held]
        assert (min(lengths) > limit) if split == "longer" else (max(lengths) == limit), split


@pytest.mark.slow
def test_the_three_languages_hold_out_the_same_numbers():
    german, spanish = (dict(data.load_pairs(name, split="train")) for name in (NUMBERS[0], NUMBERS[2]))
    for name in NUMBERS:
        for source, _ in data.load_pairs(name, split="test"):
            assert source not in german
            assert source not in spanish


@pytest.mark.parametrize("name", numbers)
def test_training_has_every_word_of_the_other_splits(name):
    def words(held):
        return {word for pair in held for text in pair for word in text.split()}

    splits = parts(name)
    assert words(splits["valid"]) | words(splits["test"]) | words(splits["longer"]) <= words(splits["train"])


def test_bad_names():
    with pytest.raises(ValueError, match=r"`name` must be a corpus of the course, got 'numbers'; there are"):
        data.load_pairs("numbers")
    with pytest.raises(ValueError, match=r"`name` must be a corpus of pairs, got 'shakespeare'; there are numbers-en"):
        data.load_pairs("shakespeare")
    with pytest.raises(
        ValueError, match=r"`split` must be one of 'train', 'valid', 'test', 'longer', None, got split='d"
    ):
        data.load_pairs("dates", split="dev")


def test_offline_numbers_stand_in_for_the_interface_and_it_is_said(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("LMCOURSE_CACHE", str(tmp_path))
    monkeypatch.setenv("LMCOURSE_OFFLINE", "1")
    monkeypatch.setattr(fetching, "_failed", {})
    pairs._resolve.cache_clear()
    try:
        assert data.pairs_source("interface-en-de") == "numbers-en-de"
        stand_in = data.load_pairs("interface-en-de", split="test")
        assert stand_in == data.load_pairs("numbers-en-de", split="test")
        assert capsys.readouterr().out.count("the course uses numbers-en-") == 1
    finally:
        pairs._resolve.cache_clear()


@pytest.mark.skipif(not data.corpus("interface-en-de").here, reason="interface-en-de is not here")
def test_longer_is_no_split_of_the_interface():
    with pytest.raises(ValueError, match="`split` must be one of 'train', 'valid', 'test', None"):
        data.load_pairs("interface-en-de", split="longer")


def test_pairs_of_another_version_of_their_package_have_another_name(monkeypatch):
    pairs._digest.cache_clear()
    assert data.pairs_source("numbers-en-de") == "numbers-en-de"
    others = tuple((text.upper(), words) for text, words in number_pairs("de", "test"))
    monkeypatch.setitem(pairs._READERS, "numbers-en-de", lambda split: others)
    pairs._digest.cache_clear()
    assert data.pairs_source("numbers-en-de") == "numbers-en-de, as another version of its package writes them"
    assert data.load_pairs("numbers-en-de", split="test") == list(others)
    pairs._digest.cache_clear()
