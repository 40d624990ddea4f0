"""Bits per byte by hand, and the ladder's file."""

import json
import math

import pytest

from lmcourse.training import Ladder, bits_per_byte, load_recorded, recorded_seconds

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
    assert ladder._repr_markdown_().splitlines()[2].startswith("| a | 03 | live | 3.000 | 7 | 0.0 MB |  |")
    before = path.read_bytes(), path.stat().st_mtime_ns
    Ladder(path).record("b", bits_per_byte=1.5000001, **ROW)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_seconds_are_shown_as_a_reader_reads_them(tmp_path):
    for seconds, shown in ((1.536, "1.54 s"), (169.4, "169 s"), (6063.0, "6,060 s")):
        table = Ladder(tmp_path / "l.csv").record("a", bits_per_byte=2.0, **{**ROW, "seconds": seconds})
        assert f"| {shown} |" in table._repr_markdown_()


def test_a_folder_that_may_not_be_written_loses_nothing(tmp_path, capsys, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.open", refuse)
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


def test_runs_that_are_not_to_be_kept(tmp_path, monkeypatch):
    Ladder(tmp_path / "ladder.csv", keep=False).record("a", bits_per_byte=2.0, **ROW)
    monkeypatch.setenv("LMCOURSE_PRESET", "smoke")
    Ladder(tmp_path / "ladder.csv").record("a", bits_per_byte=2.0, **ROW)
    assert not (tmp_path / "ladder.csv").exists()


def test_recorded_runs(tmp_path):
    rows = [
        {"what": "fit", "who": who, "value": value, "unit": "s"} for who, value in (("a peer", 9.0), ("lmcourse", 1.5))
    ]
    run = {"name": "x", "command": "c", "machine": "m", "date": "d", "seed": 0, "rows": rows}
    (tmp_path / "x.json").write_text(json.dumps(run))
    assert load_recorded("x", tmp_path) == run
    assert recorded_seconds("x", "fit", tmp_path) == 1.5
    assert recorded_seconds("x", "walk", tmp_path) is None
    assert recorded_seconds("y", "fit", tmp_path) is None
    with pytest.raises(FileNotFoundError, match="no recorded run 'y'"):
        load_recorded("y", tmp_path)
    (tmp_path / "x.json").write_text("{")
    with pytest.raises(ValueError, match=r"x\.json is damaged"):
        load_recorded("x", tmp_path)


def test_a_page_shows_no_later_chapters(tmp_path):
    path = tmp_path / "l.csv"
    Ladder(path).record("late", bits_per_byte=1.0, **ROW | {"chapter": "08"})
    early = Ladder(path).record("early", bits_per_byte=2.0, **ROW | {"chapter": "02"})
    assert "early" in repr(early)
    assert "late" not in repr(early) + early._repr_markdown_()
    assert "late" in repr(Ladder(path))
