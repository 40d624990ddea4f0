"""Numbers in words: cut into parts, read back, checked against each language's rule."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from num2words import num2words

from lmcourse.data import number_words, read_number
from lmcourse.data import numbers as module
from lmcourse.data.lexicon import LANGUAGES
from lmcourse.data.numbers import english_length

SOME = [*range(1_300), *random.Random(0).sample(range(10**9), 1_500), 999_999_999, 1_000_000, 80_000_080]
ROWS = [  # number, English, German, French, Spanish
    (0, "zero", "null", "zéro", "cero"),
    (34, "thirty four", "vier und dreißig", "trente quatre", "treinta y cuatro"),
    (76, "seventy six", "sechs und siebzig", "soixante seize", "setenta y seis"),
    (91, "ninety one", "ein und neunzig", "quatre vingt onze", "noventa y uno"),
    (101, "one hundred and one", "ein hundert eins", "cent un", "ciento uno"),
    (
        234_080,
        "two hundred and thirty four thousand and eighty",
        "zwei hundert vier und dreißig tausend achtzig",
        "deux cent trente quatre mille quatre vingts",
        "doscientos treinta y cuatro mil ochenta",
    ),
    (
        1_000_200,
        "one million two hundred",
        "eine Million zwei hundert",
        "un million deux cents",
        "un millón doscientos",
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row[0]))
def test_words_by_hand(row):
    number, *written = row
    assert [number_words(number, language) for language in LANGUAGES] == written
    assert [read_number(words, language) for words, language in zip(written, LANGUAGES, strict=True)] == [number] * 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_written_by_the_rule_is_read_back(language):
    kept = 0
    for number in SOME:
        try:
            words = number_words(number, language)
        except ValueError:
            continue
        kept += 1
        assert read_number(words, language) == number
    assert kept > 0.75 * len(SOME)
    if language in ("en", "fr"):
        assert kept == len(SOME)


def test_german_parts_together_are_num2words_own_spelling():
    for number in SOME[::3]:
        assert "".join(module._written(number, "de")) == num2words(number, lang="de").replace(" ", "")


@pytest.mark.parametrize(
    ("number", "language"), [(201_000, "de"), (101_000_000, "de"), (21_000, "es"), (31_000_000, "es"), (101_001, "es")]
)
def test_numbers_that_num2words_gets_wrong_are_left_out(number, language):
    with pytest.raises(ValueError, match="must be the last word"):
        number_words(number, language)


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_no_pair_breaks_the_rule(language):
    held = module.number_pairs(language, "test")
    drawn = [n for n in module._numbers()["test"] if not module._fault(n, module._written(n, language), language)]
    assert [read_number(source) for source, _ in held] == drawn
    assert len(held) == len(module._numbers()["test"]) or language in ("de", "es")


def test_a_french_s_in_the_middle_is_a_fault():
    assert "must be the last word" in module._fault(280, ["deux", "cents", "quatre", "vingts"], "fr")
    assert "must be the last word" in module._fault(81, ["quatre", "vingts", "un"], "fr")
    assert module._fault(80_000_000, ["quatre", "vingts", "millions"], "fr") == ""


def test_words_that_say_another_number_are_a_fault():
    assert module._fault(43, ["vier", "und", "dreißig"], "de") == "its words say 34"


@given(st.integers(0, 999_999_999))
def test_english_length_counts_the_words(number):
    assert english_length(number) == len(number_words(number).split())


@pytest.mark.parametrize(
    ("words", "language"),
    [
        ("", "en"),
        ("thirty forty", "en"),
        ("four thirty", "en"),
        ("one million two million", "en"),
        ("two thousand five million", "en"),
        ("million", "en"),
        ("two zero", "en"),
        ("twelve hundred", "en"),
        ("thirty four and", "en"),
        ("vier dreißig", "de"),
        ("vier und", "de"),
        ("vier und hundert", "de"),
        ("dreißig vier", "de"),
        ("trente seize", "fr"),
        ("cinq vingt", "fr"),
        ("dos ciento", "es"),
        ("vier und dreissig", "de"),
    ],
)
def test_words_that_say_no_number_are_an_error(words, language):
    with pytest.raises(ValueError, match="`words` must say a number"):
        read_number(words, language)


def test_bad_arguments():
    with pytest.raises(ValueError, match=r"`language` must be one of en, de, fr, es, got 'it'"):
        number_words(3, "it")
    with pytest.raises(ValueError, match=r"`language` must be one of"):
        read_number("tre", "it")
    for number in (-1, 10**9, 2.0, True):
        with pytest.raises(ValueError, match=r"`number` must be an int in 0 .. 999,999,999"):
            number_words(number)
