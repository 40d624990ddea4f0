"""The learner's folder: complete, brought up to date, and nothing of the learner's ever overwritten."""

import json
import os
import shutil
import stat
from pathlib import Path

import pytest

import lmcourse
from lmcourse import course


@pytest.fixture
def edition(tmp_path, monkeypatch):
    """A small course of our own to deliver, in place of the real one."""
    source = tmp_path / "source"
    for name in (
        "chapters/00_start_here.ipynb",
        "chapters/ladder.csv",
        "exercises/00/00.ipynb",
        "solutions/00/00.ipynb",
    ):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(f"first edition of {name}")
    (source / "chapters" / ".ipynb_checkpoints").mkdir()
    (source / "chapters" / ".ipynb_checkpoints" / "x.ipynb").write_text("no")
    (source / "chapters" / "figures" / "__pycache__").mkdir(parents=True)
    (source / "chapters" / "figures" / "__pycache__" / "x.pyc").write_text("no")
    monkeypatch.setattr(course, "source_folder", lambda: source)
    return source


def test_the_whole_course_is_delivered(edition, tmp_path):
    done = course.deliver(tmp_path / "mine")
    assert len(done.new) == 6
    assert (tmp_path / "mine" / course.START).read_text() == "first edition of chapters/00_start_here.ipynb"
    assert not list((tmp_path / "mine").rglob("x.*"))
    again = course.deliver(tmp_path / "mine")
    assert (again.new, again.updated, again.beside) == ([], [], [])
    assert len(again.kept) == 6


def test_a_new_edition_replaces_only_what_was_not_changed(edition, tmp_path, monkeypatch):
    mine = tmp_path / "mine"
    course.deliver(mine)
    (mine / "exercises/00/00.ipynb").write_text("my answer")
    for path in edition.rglob("*.ipynb"):
        path.write_text("second edition")
    monkeypatch.setattr(lmcourse, "__version__", "0.2.0")
    done = course.deliver(mine)
    assert (mine / "exercises/00/00.ipynb").read_text() == "my answer"
    assert (mine / "exercises/00/00.new-0.2.0.ipynb").read_text() == "second edition"
    assert (mine / course.START).read_text() == "second edition"
    assert done.beside == ["exercises/00/00.new-0.2.0.ipynb"]
    assert sorted(done.updated) == ["chapters/00_start_here.ipynb", "solutions/00/00.ipynb"]
    (mine / "exercises/00/00.new-0.2.0.ipynb").write_text("I work in this one")
    for path in edition.rglob("*.ipynb"):
        path.write_text("second edition, mended")
    course.deliver(mine)
    assert (mine / "exercises/00/00.new-0.2.0.ipynb").read_text() == "I work in this one"


def test_a_page_that_was_only_opened_is_brought_up_to_date(edition, tmp_path, monkeypatch):
    """JupyterLab writes its own metadata and its own line breaks into a page that it saves by itself."""
    mine = tmp_path / "mine"
    cell = {
        "cell_type": "code",
        "id": "a",
        "metadata": {},
        "source": ["x = 1\n", "x"],
        "outputs": [],
        "execution_count": 1,
    }
    page = {
        "cells": [cell],
        "metadata": {"kernelspec": {"display_name": "Python 3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (edition / course.START).write_text(json.dumps(page))
    course.deliver(mine)
    opened = page | {
        "cells": [cell | {"source": "x = 1\nx"}],
        "metadata": {"kernelspec": {"display_name": "Python 3 (ipykernel)"}},
    }
    changed = opened | {"cells": [cell | {"source": "x = 2\nx"}]}
    (edition / course.START).write_text(json.dumps(page | {"cells": [cell, cell | {"id": "b"}]}))
    monkeypatch.setattr(lmcourse, "__version__", "0.2.0")
    (mine / course.START).write_text(json.dumps(opened, indent=1))
    assert course.deliver(mine).updated == [str(course.START)]
    assert len(json.loads((mine / course.START).read_text())["cells"]) == 2
    (mine / course.START).write_text(json.dumps(changed))
    (edition / course.START).write_text(json.dumps(page | {"cells": []}))
    assert course.deliver(mine).beside
    assert json.loads((mine / course.START).read_text()) == changed


def test_an_assistant_is_told_how_to_tutor(edition, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "CLAUDE.md").write_text("my own")
    course.deliver(tmp_path / "mine", parts=())
    assert "lmcourse hint" in (tmp_path / "mine" / "AGENTS.md").read_text()
    assert (tmp_path / "mine" / "CLAUDE.md").read_text() == "my own"
    assert not (tmp_path / "mine" / "chapters").exists()


def test_a_file_that_was_there_before_is_kept(edition, tmp_path):
    mine = tmp_path / "mine"
    (mine / "chapters").mkdir(parents=True)
    (mine / course.START).write_text("my own notes")
    course.deliver(mine)
    assert (mine / course.START).read_text() == "my own notes"


def test_a_deleted_file_comes_back(edition, tmp_path):
    course.deliver(tmp_path)
    (tmp_path / course.START).unlink()
    assert course.deliver(tmp_path).new == ["chapters/00_start_here.ipynb"]


def test_a_break_in_the_middle_loses_nothing(edition, tmp_path, monkeypatch):
    mine, real, calls = tmp_path / "mine", course._write, []

    def fails_at_the_third(path, content):
        calls.append(path)
        if len(calls) == 3:
            raise OSError(28, "No space left on device")
        real(path, content)

    monkeypatch.setattr(course, "_write", fails_at_the_third)
    with pytest.raises(OSError, match="No space left"):
        course.deliver(mine)
    monkeypatch.setattr(course, "_write", real)
    done = course.deliver(mine)
    assert len(done.new) == 4
    assert done.beside == []
    assert not list(mine.rglob(".*-*"))


def test_a_folder_that_cannot_be_used_is_told(edition, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        course.deliver(tmp_path / "file" / "folder")
    assert stat.S_ISREG((tmp_path / "file").stat().st_mode)


@pytest.mark.parametrize("record", ["", "{", "[]", "null", '{"a": 1}', "[" * 5_000, '{"a":' * 5_000, "\x00"])
def test_a_damaged_record_is_named_and_nothing_is_written(edition, tmp_path, record):
    mine = tmp_path / "mine"
    course.deliver(mine)
    (mine / course.START).write_text("my own notes")
    (edition / course.START).write_text("second edition")
    path = mine / ".lmcourse" / "delivered.json"
    path.write_text(record)
    with pytest.raises(ValueError, match=r"delivered\.json is damaged.*Delete it and run the command again"):
        course.deliver(mine)
    assert path.read_text() == record
    path.unlink()
    course.deliver(mine)
    assert (mine / course.START).read_text() == "my own notes"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("name", [str(course.START), ".lmcourse/delivered.json"])
def test_a_named_pipe_in_the_folder_is_refused_and_not_waited_for(edition, tmp_path, name):
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(tmp_path / name)
    with pytest.raises((OSError, ValueError), match=rf"{Path(name).name} must be a regular file"):
        course.deliver(tmp_path)


def test_half_written_files_of_a_killed_run_are_removed(edition, tmp_path):
    course.deliver(tmp_path)
    old, young = (tmp_path / "chapters" / f".00_start_here.ipynb.{tag}.part" for tag in ("0123abcd", "4567cdef"))
    mine = tmp_path / "chapters" / ".my.film.part"
    for path in (old, young, mine):
        path.write_text("half")
    for path in (old, mine):
        os.utime(path, (0, 0))
    course.deliver(tmp_path)
    assert sorted(path.name for path in (tmp_path / "chapters").glob(".*.part")) == sorted([young.name, mine.name])


def test_an_installation_without_notebooks_says_so(monkeypatch, tmp_path):
    package = tmp_path / "site" / "lmcourse"
    package.mkdir(parents=True)
    monkeypatch.setattr(lmcourse, "__file__", str(package / "__init__.py"))
    with pytest.raises(RuntimeError, match="has no notebooks"):
        course.source_folder()
    shutil.rmtree(package)
