"""Bits per byte by hand, and the ladder's file."""

import math

import pytest

from lmcourse.training import Ladder, bits_per_byte

ROW = {"chapter": "01", "kind": "live", "parameters": 7, "train_bytes": 11}


def test_bits_per_byte_by_hand():
    # 8 bytes at probability 1/4 each: 8 x 2 bits over 8 bytes
    assert math.isclose(bits_per_byte(8 * math.log(4), 8), 2.0)
    # the same text in 4 tokens of 2 bytes, 1/16 each, costs the same
    assert math.isclose(bits_per_byte(4 * math.log(16), 8), 2.0)
    assert bits_per_byte(math.inf, 3) == math.inf
    for nats, n in ((1.0, 0), (-1.0, 5), (math.nan, 5)):
        with pytest.raises(ValueError, match="must be"):
            bits_per_byte(nats, n)


def test_rows_are_kept_replaced_and_sorted(tmp_path):
    path = tmp_path / "ladder.csv"
    Ladder(path).record("b", bits_per_byte=2.0, **ROW).record("a", bits_per_byte=3.00049, **ROW | {"chapter": "03"})
    Ladder(path).record("b", bits_per_byte=1.5, **ROW)
    ladder = Ladder(path)
    assert [(row.model, row.bits_per_byte) for row in ladder.rungs] == [("b", 1.5), ("a", 3.0)]
    assert ladder._repr_markdown_().splitlines()[2].startswith("| a | 03 | live | 3.000 | 7 |")
    before = path.read_bytes(), path.stat().st_mtime_ns
    Ladder(path).record("b", bits_per_byte=1.5000001, **ROW)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_a_folder_that_may_not_be_written_loses_nothing(tmp_path, capsys, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    ladder = Ladder(tmp_path / "ladder.csv").record("a", bits_per_byte=2.0, **ROW)
    assert [row.model for row in ladder.rungs] == ["a"]
    assert "the ladder is not kept: Permission denied" in capsys.readouterr().out


def test_bad_rows(tmp_path):
    ladder = Ladder(tmp_path / "ladder.csv")
    with pytest.raises(ValueError, match="`kind` must be one of live, trained, got 'best'"):
        ladder.record("a", bits_per_byte=2.0, **ROW | {"kind": "best"})
    with pytest.raises(ValueError, match="`bits_per_byte` must be between 0 and 64, got nan"):
        ladder.record("a", bits_per_byte=math.nan, **ROW)
    with pytest.raises(TypeError):
        ladder.record("a", bits_per_byte=2.0)
    (tmp_path / "other.csv").write_text("x,y\n1,2\n")
    with pytest.raises(ValueError, match="must have the columns model"):
        Ladder(tmp_path / "other.csv")
