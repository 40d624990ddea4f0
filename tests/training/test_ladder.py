"""The ladder: which file a row goes to, and what a page shows."""

import math

import pytest

from lmcourse.training import Ladder

ROW = {"chapter": "01", "kind": "live", "parameters": 7, "train_bytes": 11}


@pytest.fixture
def building(monkeypatch):
    monkeypatch.setenv("LMCOURSE_BUILD", "1")


def test_the_builder_keeps_replaces_and_sorts_rows(tmp_path, building):
    path = tmp_path / "ladder.csv"
    Ladder(path).record("b", bits_per_byte=2.0, **ROW).record("a", bits_per_byte=3.00049, **ROW | {"chapter": "03"})
    Ladder(path).record("b", bits_per_byte=1.5, **ROW)
    ladder = Ladder(path)
    assert [(row.model, row.bits_per_byte) for row in ladder.rungs] == [("b", 1.5), ("a", 3.0)]
    assert ladder._repr_markdown_().splitlines()[2].startswith("| a | 03 | live | 3.000 | 7 | 0.0 MB |  |")
    before = path.read_bytes(), path.stat().st_mtime_ns
    Ladder(path).record("b", bits_per_byte=1.5000001, **ROW)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert [file.name for file in tmp_path.iterdir()] == ["ladder.csv"]


def table(tmp_path, monkeypatch):
    """A table of the course with one row."""
    path = tmp_path / "ladder.csv"
    with monkeypatch.context() as building:
        building.setenv("LMCOURSE_BUILD", "1")
        Ladder(path).record("course", bits_per_byte=2.0, **ROW)
    return path


def test_a_page_that_is_run_shows_its_own_number_and_leaves_the_table_as_it_is(tmp_path, monkeypatch):
    path = table(tmp_path, monkeypatch)
    before = path.read_bytes()
    shown = Ladder(path).record("course", bits_per_byte=2.001, **ROW)
    assert [(row.model, row.bits_per_byte) for row in shown.rungs] == [("course", 2.001)]
    assert [(row.model, row.bits_per_byte) for row in Ladder(path).rungs] == [("course", 2.0)]
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["ladder.csv"]


def test_a_model_of_ones_own_is_kept_beside_the_table(tmp_path, monkeypatch):
    path = table(tmp_path, monkeypatch)
    before = path.read_bytes()
    Ladder(path).record("mine", bits_per_byte=1.5, **ROW).record("mine", bits_per_byte=1.4, **ROW)
    assert [(row.model, row.bits_per_byte) for row in Ladder(path).rungs] == [("course", 2.0), ("mine", 1.4)]
    assert path.read_bytes() == before
    assert (tmp_path / ".lmcourse" / "ladder.csv").read_text().count("\n") == 2
    monkeypatch.setenv("LMCOURSE_BUILD", "1")
    assert [row.model for row in Ladder(path).rungs] == ["course"]  # the course is built from its own rows alone
    Ladder(path).record("mine", bits_per_byte=1.7, **ROW)  # now a row of the course
    monkeypatch.delenv("LMCOURSE_BUILD")
    assert [(row.model, row.bits_per_byte) for row in Ladder(path).rungs] == [("course", 2.0), ("mine", 1.7)]


def test_a_folder_that_is_not_writable_loses_nothing(tmp_path, capsys, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.open", refuse)
    ladder = Ladder(tmp_path / "ladder.csv").record("a", bits_per_byte=2.0, **ROW)
    assert [row.model for row in ladder.rungs] == ["a"]
    assert "the ladder is not stored: Permission denied" in capsys.readouterr().out


def test_seconds_are_shown_as_a_reader_reads_them(tmp_path):
    for seconds, shown in ((1.536, "1.54 s"), (169.4, "169 s"), (6063.0, "6,060 s")):
        table = Ladder(tmp_path / "l.csv").record("a", bits_per_byte=2.0, **{**ROW, "seconds": seconds})
        assert f"| {shown} |" in table._repr_markdown_()


def test_bad_rows(tmp_path):
    ladder = Ladder(tmp_path / "ladder.csv")
    with pytest.raises(ValueError, match="`kind` must be one of 'live', 'trained', got kind='best'"):
        ladder.record("a", bits_per_byte=2.0, **ROW | {"kind": "best"})
    with pytest.raises(ValueError, match="`bits_per_byte` must be finite"):
        ladder.record("a", bits_per_byte=math.nan, **ROW)
    with pytest.raises(ValueError, match="`bits_per_byte` must be more than 0 and less than 64, got bits_per_byte=64"):
        ladder.record("a", bits_per_byte=64.0, **ROW)
    with pytest.raises(ValueError, match="`parameters` must be at least 0, got parameters=-1"):
        ladder.record("a", bits_per_byte=2.0, **ROW | {"parameters": -1})
    with pytest.raises(ValueError, match="`chapter` must be two digits such as \"03\", got '3'"):
        ladder.record("a", bits_per_byte=2.0, **ROW | {"chapter": "3"})
    with pytest.raises(ValueError, match="`seconds` must be finite, got seconds=nan"):
        ladder.record("a", bits_per_byte=2.0, **ROW | {"seconds": math.nan})
    with pytest.raises(TypeError, match="`flops` must be a number, got flops='many'"):
        ladder.record("a", bits_per_byte=2.0, **ROW | {"flops": "many"})
    with pytest.raises(TypeError):
        ladder.record("a", bits_per_byte=2.0)
    (tmp_path / "other.csv").write_text("x,y\n1,2\n")
    with pytest.raises(ValueError, match=r"other\.csv cannot be read: it must have the columns model"):
        Ladder(tmp_path / "other.csv")
    names = "model,chapter,kind,bits_per_byte,parameters,train_bytes,flops,seconds"
    for row in ("a,01,live,many,1,1,,", "a,01,live", '"'):
        (tmp_path / "other.csv").write_text(f"{names}\n{row}\n")
        with pytest.raises(ValueError, match=r"other\.csv cannot be read"):
            Ladder(tmp_path / "other.csv")


def test_runs_that_are_not_kept(tmp_path, monkeypatch):
    Ladder(tmp_path / "ladder.csv", keep=False).record("a", bits_per_byte=2.0, **ROW)
    monkeypatch.setenv("LMCOURSE_PRESET", "smoke")
    Ladder(tmp_path / "ladder.csv").record("a", bits_per_byte=2.0, **ROW)
    assert not list(tmp_path.iterdir())


def test_a_page_shows_no_later_chapters(tmp_path):
    path = tmp_path / "l.csv"
    Ladder(path).record("late", bits_per_byte=1.0, **ROW | {"chapter": "08"})
    early = Ladder(path).record("early", bits_per_byte=2.0, **ROW | {"chapter": "02"})
    assert "early" in repr(early)
    assert "late" not in repr(early) + early._repr_markdown_()
    assert "late" in repr(Ladder(path))
