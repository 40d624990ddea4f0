"""`make pages` fails if running the pages changes a file that git tracks."""

import subprocess
import sys

import pytest

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
    monkeypatch.setattr(pages, "page_environment", lambda _: {})
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
