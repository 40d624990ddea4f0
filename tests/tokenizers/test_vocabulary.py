"""Vocabulary: the order of numbers, round trips, unknown tokens, errors; and that torch stays out."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcourse import checks
from lmcourse.tokenizers import split_sentences, split_words
from lmcourse.tokenizers.vocabulary import Vocabulary


def test_specials_then_falling_count_then_first_appearance():
    vocabulary = Vocabulary.build(["the", "cat", "saw", "the", "dog", "and", "the", "cat"])
    assert vocabulary.tokens == ("<unk>", "the", "cat", "saw", "dog", "and")
    assert vocabulary.counts == {"the": 3, "cat": 2, "saw": 1, "dog": 1, "and": 1}
    assert vocabulary.encode(["dog", "zebra", "the"]) == [4, 0, 1]
    assert vocabulary.decode([1, 2, 0]) == ["the", "cat", "<unk>"]
    assert len(vocabulary) == 6
    assert "cat" in vocabulary
    assert "zebra" not in vocabulary
    assert list(vocabulary)[1] == "the"
    assert vocabulary.index("saw") == 3
    assert repr(vocabulary).startswith("Vocabulary(6 tokens: '<unk>', 'the'")


def test_min_count_and_specials():
    vocabulary = Vocabulary.build(["a", "b", "a", "<pad>"], min_count=2, special_tokens=("<pad>", "<unk>"))
    assert vocabulary.tokens == ("<pad>", "<unk>", "a")
    assert vocabulary.encode(["b", "<pad>"]) == [1, 0]
    assert vocabulary.unk_id == 1
    assert vocabulary.counts["b"] == 1


def test_a_str_is_its_characters():
    assert Vocabulary.build("abba", special_tokens=()).tokens == ("a", "b")


def test_numpy_numbers_decode():
    assert Vocabulary(["a", "b"]).decode(np.array([1, 0])) == ["b", "a"]


def test_an_empty_text_leaves_the_specials():
    assert Vocabulary.build([]).tokens == ("<unk>",)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=3), max_size=20))
def test_round_trip(tokens):
    vocabulary = Vocabulary.build(tokens)
    assert vocabulary.decode(vocabulary.encode(tokens)) == tokens
    assert Vocabulary.build(tokens).tokens == vocabulary.tokens


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: Vocabulary("abc"), TypeError, "`tokens` must be a sequence of str"),
        (lambda: Vocabulary(["a", "b", "a"]), ValueError, "'a' more than once"),
        (lambda: Vocabulary(["a", 1]), TypeError, "got 1 of type int"),
        (lambda: Vocabulary.build(["a", None]), TypeError, "got None"),
        (lambda: Vocabulary.build([["a"]]), TypeError, "`tokens` must be an iterable of str"),
        (lambda: Vocabulary.build(3), TypeError, "`tokens` must be an iterable of str"),
        (lambda: Vocabulary.build(["a"], min_count=0), ValueError, "got min_count=0"),
        (lambda: Vocabulary.build(["a"], min_count=1.5), TypeError, "`min_count` must be a whole number"),
        (lambda: Vocabulary.from_counts({"a": 2, "b": 1.0}), TypeError, r"`counts\['b'\]` must be a whole number"),
        (lambda: Vocabulary.from_counts({"a": 2, "b": True}), TypeError, r"`counts\['b'\]` must be a whole number"),
        (lambda: Vocabulary.from_counts({"a": 2, "b": -1}), ValueError, r"`counts\['b'\]` must be at least 0, got"),
        (lambda: Vocabulary.build(["a"], special_tokens="<unk>"), TypeError, "`special_tokens` must be a sequence"),
        (lambda: Vocabulary.build(["a"], special_tokens=("x", "x")), ValueError, "more than once"),
        (lambda: Vocabulary(["a"]).encode(["b"]), ValueError, "vocabulary of 1 tokens, .* got 'b'"),
        (lambda: Vocabulary(["a"]).encode([1]), TypeError, "got 1"),
        (lambda: Vocabulary(["a", "<unk>"]).encode([1]), TypeError, "got 1"),
        (lambda: Vocabulary(["a", "<unk>"]).encode([["a"]]), TypeError, "got .'a'."),
        (lambda: Vocabulary(["a"]).decode([1]), ValueError, "between 0 and 0, got 1"),
        (lambda: Vocabulary(["a"]).decode([-1]), ValueError, "got -1"),
        (lambda: Vocabulary(["a"]).decode([0.0]), TypeError, "must hold integers, got 0.0"),
        (lambda: Vocabulary(["a"]).decode(["a"]), TypeError, "must hold integers, got 'a'"),
        (lambda: Vocabulary(None), TypeError, "`tokens` must be a sequence of str, got NoneType"),
        (lambda: Vocabulary.build(["a"], special_tokens=[["b"]]), TypeError, "`special_tokens` must hold str"),
        (lambda: Vocabulary.build(["a"], special_tokens=None), TypeError, "`special_tokens` must be a sequence"),
        (lambda: Vocabulary(["a"]).encode(None), TypeError, "`tokens` must be an iterable of str, got None"),
        (lambda: Vocabulary(["a"]).decode(0), TypeError, "`ids` must be an iterable of integers, got 0"),
        (lambda: Vocabulary(["a"]).decode(np.ones((2, 3), int)), TypeError, "`ids` must hold integers"),
    ],
)
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_good_counts_are_checked_together(monkeypatch):
    """A check for each word takes longer than all the rest."""
    calls, whole = [], checks.whole
    monkeypatch.setattr(checks, "whole", lambda **named: (calls.append(named), whole(**named))[1])
    found = Vocabulary.from_counts({f"w{n}": n for n in range(1000)})
    assert len(found) == 1000  # <unk> came, and w0, which never occurs, was left out
    assert len(calls) == 1  # of min_count
    assert len(Vocabulary.from_counts({"a": np.int64(2), "b": 1})) == 3


def test_no_torch_is_imported():
    code = "import sys, lmcourse.tokenizers; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("split", [split_words, split_sentences])
@pytest.mark.parametrize("text", [None, 5, b"a b", ["a"]])
def test_words_are_cut_from_a_str_only(split, text):
    with pytest.raises(TypeError, match="`text` must be a str, got"):
        split(text)
