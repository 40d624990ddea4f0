"""`make pages` and `make unit` fail if running the pages, or the tests, changes a file that git tracks."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from tests import unchanged
from tools import pages


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A small clone of our own, with one page."""
    (tmp_path / "ladder.csv").write_text("a,1\n")
    (tmp_path / "page.ipynb").write_text("{}")
    for command in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    monkeypatch.setattr(pages, "texts", lambda *_: ["page"])
    monkeypatch.setattr(pages, "target", lambda text: tmp_path / f"{text}.ipynb")
    monkeypatch.setattr(pages, "page_environment", lambda *_: {})
    monkeypatch.setattr(sys, "argv", ["pages"])
    return tmp_path


@pytest.mark.parametrize(("page_writes", "status"), [("ladder.csv", 1), ("notes.txt", 0)])
def test_a_page_that_changes_a_tracked_file_fails(clone, monkeypatch, capsys, page_writes, status):
    real = subprocess.run

    def run(command, **options):
        if "pytest" in command:
            (clone / page_writes).write_text("a,2\n")
            return subprocess.CompletedProcess(command, 0)
        return real(command, **options)

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(SystemExit) as ended:
        pages.main()
    assert ended.value.code == status
    assert ("changed ladder.csv" in capsys.readouterr().out) == bool(status)


@pytest.mark.parametrize(("test_writes", "status"), [("ladder.csv", 1), ("notes.txt", 0)])
def test_tests_that_change_a_tracked_file_fail(clone, monkeypatch, capsys, test_writes, status):
    monkeypatch.setattr(unchanged, "_before", {})
    session = SimpleNamespace(config=SimpleNamespace(), exitstatus=0)
    unchanged.pytest_sessionstart(session)
    (clone / test_writes).write_text("a,2\n")
    unchanged.pytest_sessionfinish(session)
    assert session.exitstatus == status
    assert ("running the tests changed ladder.csv" in capsys.readouterr().out) == bool(status)


def test_a_process_of_several_leaves_that_to_the_first(clone, monkeypatch):
    monkeypatch.setattr(unchanged, "_before", {})
    worker = SimpleNamespace(config=SimpleNamespace(workerinput={}), exitstatus=0)
    unchanged.pytest_sessionstart(worker)
    (clone / "ladder.csv").write_text("a,2\n")
    unchanged.pytest_sessionfinish(worker)
    assert (worker.exitstatus, unchanged._before) == (0, {})
