"""Where the words of a number come from, by hand; and for every pair, no word from outside its part."""

import pytest

from lmcourse.data import load_pairs, number_alignment


def shown(source, target, language):
    """Each target word with the source words it comes from."""
    words, rows = source.split(), number_alignment(source, target, language)
    return [
        (word, row and row.kind, [words[j] for j in sorted(row.positions)] if row else [])
        for word, row in zip(target.split(), rows, strict=True)
    ]


def test_german_crosses():
    assert shown("thirty four", "vier und dreißig", "de") == [
        ("vier", "digit", ["four"]),
        ("und", None, []),
        ("dreißig", "tens", ["thirty"]),
    ]


def test_parts_keep_apart():
    source = "two hundred and thirteen thousand two hundred and thirty"
    target = "zwei hundert dreizehn tausend zwei hundert dreißig"
    rows = number_alignment(source, target, "de")
    assert [sorted(row.positions) for row in rows] == [[0], [1], [3], [4], [5], [6], [8]]
    assert [row.kind for row in rows] == ["digit", "hundred", "digit", "thousand", "digit", "hundred", "tens"]


def test_one_million():
    assert shown("one million one thousand", "eine Million ein tausend", "de") == [
        ("eine", "digit", ["one"]),
        ("Million", "million", ["million"]),
        ("ein", "digit", ["one"]),
        ("tausend", "thousand", ["thousand"]),
    ]
    rows = number_alignment("one million one thousand", "eine Million ein tausend", "de")
    assert [sorted(row.positions) for row in rows] == [[0], [1], [2], [3]]


def test_french_counts_by_twenties():
    assert shown("seventy six", "soixante seize", "fr") == [
        ("soixante", "tens", ["seventy"]),
        ("seize", "digit", ["seventy", "six"]),
    ]
    assert shown("eighty one", "quatre vingt un", "fr") == [
        ("quatre", "tens", ["eighty"]),
        ("vingt", "tens", ["eighty"]),
        ("un", "digit", ["one"]),
    ]
    assert [row[2] for row in shown("ninety nine", "quatre vingt dix neuf", "fr")] == [
        ["ninety"],
        ["ninety"],
        ["ninety", "nine"],
        ["nine"],
    ]


def test_spanish_fuses():
    assert shown("two hundred and twenty one", "doscientos veintiuno", "es") == [
        ("doscientos", "hundred", ["two", "hundred"]),
        ("veintiuno", "digit", ["twenty", "one"]),
    ]


@pytest.mark.parametrize("language", ["de", "fr", "es"])
def test_every_word_but_links_comes_from_somewhere(language):
    links = {"de": {"und"}, "fr": {"et"}, "es": {"y"}}[language]
    for source, target in load_pairs(f"numbers-en-{language}", split="test"):
        for word, row in zip(target.split(), number_alignment(source, target, language), strict=True):
            assert (row is None) == (word in links)
            if row is not None and not (word in ("mil", "mille") and not row.positions):
                assert row.positions, (source, target, word)


def test_bad_input():
    with pytest.raises(ValueError, match="`language` must be one of"):
        number_alignment("one", "uno", "it")
    with pytest.raises(ValueError, match="`target` must be number words of its language, got 'fuenf' in 'fuenf'"):
        number_alignment("five", "fuenf", "de")
