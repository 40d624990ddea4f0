"""Sentences as a speech recogniser hears them."""

import pytest

from lmcourse import data
from lmcourse.data import sentences
from lmcourse.data.sentences import UNKNOWN_CAPITAL, Heard, load_sentences
from lmcourse.tokenizers.words import split_words

NONE = UNKNOWN_CAPITAL
PLAY = """ACT I.

[Enter Horatio and Marcellus with torches.]

Ber.
Say, is Horatio there, my Lord
Of Denmark? What, I and O Caesar!
Too short.
Of Denmark ever more.--Stand ho, good Marcellus.

Hor.
Say, is Horatio there, my Lord
Of Denmark?
"""


@pytest.fixture
def play(monkeypatch):
    monkeypatch.setattr(sentences, "load_works", lambda name, split=None: {"play": PLAY})
    monkeypatch.setattr(sentences, "text_source", lambda name: name)
    sentences._sentences.cache_clear()
    yield
    sentences._sentences.cache_clear()


def test_by_hand(play):
    found = load_sentences("some play")
    assert found == [
        # the first word of a sentence and of a line tells nothing, nor does what follows a mark at its start
        Heard(
            ("say", ",", "is", "horatio", "there", ",", "my", "lord", "of", "denmark"),
            1,
            (NONE, NONE, 0, 1, 0, NONE, 0, 1, NONE, 1),
        ),
        Heard(("what", ",", "i", "and", "o", "caesar"), 0, (NONE, NONE, NONE, 0, NONE, 1)),
        Heard(("of", "denmark", "ever", "more"), 0, (NONE, 1, 0, 0)),
        Heard(("-", "-", "stand", "ho", ",", "good", "marcellus"), 0, (NONE, NONE, NONE, 0, NONE, 0, 1)),
    ]


def test_each_once_and_no_stage_directions(play):
    texts = [one.words for one in load_sentences("some play")]
    assert len(texts) == len(set(texts))
    assert not any("enter" in words for words in texts)


def test_the_cut_into_words_is_that_of_the_tokenizers():
    text = "Who's there?--O'er the mother-in-law's 12 h\u00e9rons; nay, \u2019tis \u00e9t\u00e9_x"
    assert sentences._WORD.findall(text) == split_words(text, lowercase=False)


def test_the_corpus_that_is_here():
    name = data.text_source("shakespeare")
    for split in ("train", "test"):
        found = load_sentences(split=split)
        assert len(found) > (3_000 if name == "shakespeare" else 50)
        for one in found[:500]:
            assert len(one.words) == len(one.capitals)
            assert sentences.SHORTEST <= len(one.words) <= sentences.LONGEST
            assert set(one.capitals) <= {0, 1, NONE}
            assert not {".", "!", "?"} & set(one.words)
    if name == "shakespeare":
        assert 0.15 < sum(one.question for one in load_sentences(split="train")) / 39_014 < 0.22


def test_a_split_that_is_none():
    with pytest.raises(ValueError, match="`split` must be one of 'train', 'valid', 'test'"):
        load_sentences(split="dev")
