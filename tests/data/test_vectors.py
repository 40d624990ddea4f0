"""Word vectors: a small table in the same two files, the real one where it is cached, and how they can be missing."""

import sys

import numpy as np
import pytest

from lmcourse import data
from lmcourse.data import fetching, vectors

WORDS = ["the", ",", "of", "naïve", "king"]
TABLE = np.arange(35, dtype=np.float32).reshape(5, 7) / 4


@pytest.fixture
def small(tmp_path, monkeypatch):
    """The two files with five words of seven numbers, where the corpus would lie."""
    from arro3.core import Array, DataType, Table
    from arro3.io import write_parquet

    def make(words=WORDS, table=TABLE):
        arrays = {"index": Array(words, type=DataType.string())}
        write_parquet(Table.from_pydict(arrays), str(tmp_path / vectors._INDEX))
        np.save(tmp_path / vectors._TABLE, table)

    make()
    monkeypatch.setattr(vectors, "fetch", lambda name: tmp_path)
    return make


@pytest.mark.usefixtures("small")
def test_words_and_rows_belong_together():
    words, table = data.load_word_vectors()
    assert words == WORDS
    assert table.dtype == np.float32
    assert np.array_equal(table, TABLE)
    assert table.flags.writeable  # the reader's own copy, not the file


@pytest.mark.usefixtures("small")
def test_a_limit_keeps_the_first_rows():
    words, table = data.load_word_vectors(limit=3)
    assert words == WORDS[:3]
    assert np.array_equal(table, TABLE[:3])
    assert len(data.load_word_vectors(limit=99)[0]) == 5
    with pytest.raises(ValueError, match="`limit` must be at least 1"):
        data.load_word_vectors(limit=0)


def test_files_that_do_not_fit_are_told(small):
    small(table=TABLE[:4])
    with pytest.raises(data.DataUnavailableError, match="5 words, but 4 vectors"):
        data.load_word_vectors()


def test_a_double_table_becomes_float32(small):
    small(table=TABLE.astype(np.float64))
    assert data.load_word_vectors()[1].dtype == np.float32


@pytest.mark.usefixtures("small")
def test_a_missing_reader_is_told_with_the_command_that_mends_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "arro3.io", None)
    with pytest.raises(data.DataUnavailableError, match=r'pip install "lmcourse\[lab\]"'):
        data.load_word_vectors()


def test_offline_is_told_with_what_stands_in(tmp_path, monkeypatch):
    monkeypatch.setenv("LMCOURSE_CACHE", str(tmp_path))
    monkeypatch.setenv("LMCOURSE_OFFLINE", "1")
    monkeypatch.setattr(fetching, "_failed", {})
    with pytest.raises(data.DataUnavailableError, match="lmcourse data fetch word-vectors") as told:
        data.load_word_vectors()
    assert "the course uses vectors trained in chapter 02" in str(told.value)


@pytest.mark.skipif(not data.is_cached("word-vectors"), reason="word-vectors is not on this machine")
def test_the_real_vectors():
    words, table = data.load_word_vectors()
    assert table.shape == (400_000, 50)
    assert len(set(words)) == 400_000
    assert words[:4] == ["the", ",", ".", "of"]
    # the first row of glove.6B.50d.txt, as published
    assert np.allclose(table[0, :3], [0.418, 0.24968, -0.41242], atol=1e-6)
