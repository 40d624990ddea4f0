"""Tokenizers and vocabularies of every kind come back from a file, or from a dict within another file."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmcourse.tokenizers import (
    BPETokenizer,
    Vocabulary,
    WordPiece,
    load_tokenizer,
    save_tokenizer,
    tokenizer_from_dict,
    tokenizer_to_dict,
)

TEXT = "The cat\u00e9 sat <s> on the mat."


def bpe():
    return BPETokenizer.train(
        "the cat and the hat " * 3, 271, pattern=r"\p{L}+|[^\p{L}]", special_tokens=["<s>", "</s>"]
    )


def vocabulary():
    return Vocabulary.build(
        ["the", "cat", "sat", "on", "the", "mat", "and", "the", "dog"], min_count=2, special_tokens=("<pad>", "<unk>")
    )


def word_piece():
    return WordPiece(["[UNK]", "[CLS]", "The", "the", "cat", "##t", "s", "##a"], lower_case=False)


def everything(tokenizer):
    """All that tells one tokenizer from another."""
    if isinstance(tokenizer, Vocabulary):
        return tokenizer.tokens, tokenizer.counts, tokenizer.unk_id, tokenizer.encode(TEXT.split())
    if isinstance(tokenizer, WordPiece):
        return tokenizer.vocabulary, tokenizer.lower_case, tokenizer.special_tokens, tokenizer.encode(TEXT)
    return tokenizer.merges, tokenizer.pattern, tokenizer.special_tokens, tokenizer.encode(TEXT, allowed_special="all")


@pytest.fixture(params=[bpe, vocabulary, word_piece])
def tokenizer(request):
    return request.param()


def test_every_kind_comes_back(tokenizer, tmp_path):
    path = tmp_path / "tokenizer.json"
    save_tokenizer(tokenizer, path)
    for again in (load_tokenizer(str(path)), type(tokenizer).load(path), tokenizer_from_dict(tokenizer.to_dict())):
        assert type(again) is type(tokenizer)
        assert everything(again) == everything(tokenizer)
    tokenizer.save(tmp_path / "own.json")
    assert (tmp_path / "own.json").read_bytes() == path.read_bytes()


def test_a_dict_may_stand_in_any_json(tokenizer):
    recipe = json.loads(json.dumps({"seed": 7, "vocabulary": tokenizer_to_dict(tokenizer)}))
    assert everything(tokenizer_from_dict(recipe["vocabulary"])) == everything(tokenizer)


@given(st.lists(st.text(max_size=3), unique=True, max_size=9))
def test_any_token_survives(tokens):
    with tempfile.TemporaryDirectory() as folder:
        Vocabulary(tokens).save(Path(folder, "vocabulary.json"))
        assert Vocabulary.load(Path(folder, "vocabulary.json")).tokens == tuple(tokens)


def test_a_lone_surrogate_survives(tmp_path):
    Vocabulary(["\ud800", "a"]).save(tmp_path / "vocabulary.json")
    assert Vocabulary.load(tmp_path / "vocabulary.json").tokens == ("\ud800", "a")


def test_word_piece_still_reads_berts_file(tmp_path):
    path = tmp_path / "vocab.txt"
    path.write_text("[UNK]\nthe\n{\n", encoding="utf-8")
    assert WordPiece.load(path).lower_case
    assert not WordPiece.load(path, lower_case=False).lower_case
    word_piece().save(path)
    assert not WordPiece.load(path).lower_case, "what save wrote, it says itself"
    assert WordPiece.load(path, lower_case=True).lower_case


def test_the_old_file_survives_a_failure(tokenizer, tmp_path, monkeypatch):
    path = tmp_path / "tokenizer.json"
    path.write_text("the old one")

    def fail(self, target):
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        tokenizer.save(path)
    assert path.read_text() == "the old one"
    assert list(tmp_path.iterdir()) == [path]


def test_any_cut_of_a_file_is_noticed(tokenizer, tmp_path):
    path = tmp_path / "cut.json"
    tokenizer.save(path)
    whole = path.read_bytes()
    for length in range(0, len(whole) - 2, 37):
        path.write_bytes(whole[:length])
        for load in (load_tokenizer, type(tokenizer).load):
            with pytest.raises(ValueError, match=r"cut\.json"):
                load(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[1, 2]", "a JSON object is expected, got a list"),
        (b"{}", "\"format\" must be one of 'lmcourse-bpe', 'lmcourse-vocabulary', 'lmcourse-wordpiece', got None"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"format": "lmcourse-vocabulary", "version": 2}', "its version must be 1, got 2"),
        (b'{"format": "lmcourse-vocabulary"}', "'version' is missing"),
        (b'{"format": "lmcourse-vocabulary", "version": 1}', "'tokens' is missing"),
        (b'{"format": "lmcourse-vocabulary", "version": 1, "tokens": [1]}', "`tokens` must hold str, got 1"),
        (b'{"format": "lmcourse-vocabulary", "version": 1, "tokens": ["a"], "counts": {"a": 1.5}}', "whole number"),
        (b'{"format": "lmcourse-vocabulary", "version": 1, "tokens": ["a"], "counts": 3}', "can't be read"),
        (
            b'{"format": "lmcourse-wordpiece", "version": 1, "lower_case": true, "vocabulary": ["a"]}',
            "must hold '.UNK.'",
        ),
        (b'{"format": "lmcourse-wordpiece", "version": 1, "lower_case": 7, "vocabulary": ["[UNK]"]}', "`lower_case`"),
    ],
)
def test_damage_is_named(tmp_path, content, message):
    path = tmp_path / "damaged.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message) as caught:
        load_tokenizer(path)
    assert str(path) in str(caught.value)


def test_the_kinds_are_told_apart(tmp_path):
    vocabulary().save(tmp_path / "vocabulary.json")
    with pytest.raises(ValueError, match="\"format\" must be 'lmcourse-bpe', got 'lmcourse-vocabulary'"):
        BPETokenizer.load(tmp_path / "vocabulary.json")
    with pytest.raises(FileNotFoundError):
        load_tokenizer(tmp_path / "none.json")


@pytest.mark.parametrize("other", [None, ["a", "b"], "tokenizer", BPETokenizer])
def test_what_is_no_tokenizer_is_refused(other, tmp_path):
    with pytest.raises(TypeError, match="`tokenizer` must be a BPETokenizer, Vocabulary or WordPiece, got"):
        save_tokenizer(other, tmp_path / "tokenizer.json")
    with pytest.raises(ValueError, match="format"):
        tokenizer_from_dict(other)
