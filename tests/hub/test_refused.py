"""nbgrader's own marking has no sandbox: every configuration of the course makes it refuse before it runs anything."""

from pathlib import Path

import pytest

nbgrader = pytest.importorskip("nbgrader", reason="nbgrader is not installed")
ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "lib" / "lmcourse"


@pytest.mark.parametrize(
    "path",
    [
        ROOT / "nbgrader_config.py",
        LIBRARY / "grader" / "templates" / "nbgrader_config.py.txt",
        LIBRARY / "hub" / "templates" / "etc" / "teacher" / "nbgrader_config.py.txt",
    ],
    ids=["clone", "marks", "hub"],
)
def test_autograde_refuses_and_names_the_command(path, tmp_path):
    from nbgrader.converters import Autograde
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config import Config

    (line,) = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("c.Autograde")]
    config = Config()
    exec(line, {"c": config})
    work = tmp_path / "submitted" / "ada" / "ps1" / "ps1.ipynb"
    work.parent.mkdir(parents=True)
    work.write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
    where = CourseDirectory(root=str(tmp_path))
    where.assignment_id, where.student_id = "ps1", "ada"
    with pytest.raises(nbgrader.converters.base.NbGraderException, match="lmcourse grade"):
        Autograde(coursedir=where, config=config).start()
    assert [one.name for one in tmp_path.iterdir()] == ["submitted"]
