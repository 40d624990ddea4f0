"""The commands of docs/teaching.md in their order: a student at both ends, nbgrader and `lmcourse grade` between."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.grader.classes import ROOT, answered, hand_in, needs_sandbox, points_of, solutions

CHAPTER = "00_start_here"
POINTS = points_of(CHAPTER)
OVERFLOWS = """def softmax(scores, banned):
    if len(set(banned)) == len(scores):
        raise ValueError("no word is left")
    e = np.exp(scores)
    e[banned] = 0
    return e / e.sum()"""
pytestmark = [pytest.mark.slow, needs_sandbox]
pytest.importorskip("nbgrader", reason="nbgrader is not installed")


@pytest.fixture
def clone(tmp_path) -> Path:
    """What of a clone the commands need."""
    folder = tmp_path / "clone"
    for part in ("exercises", "solutions"):
        shutil.copytree(ROOT / part / CHAPTER, folder / part / CHAPTER)
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    return folder


def test_from_release_to_feedback_in_the_students_hands(clone, tmp_path):
    programs = Path(sys.executable).parent
    environment = os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "JUPYTER_PREFER_ENV_PATH": "1"}
    environment |= {"HOME": str(tmp_path / "home"), "JUPYTER_DATA_DIR": str(tmp_path / "data")}
    (tmp_path / "exchange").mkdir(mode=0o777)
    (tmp_path / "exchange").chmod(0o777)

    def run(*line: str, cwd: Path = clone) -> str:
        exchange = [f"--Exchange.root={tmp_path / 'exchange'}"] if line[0] == "nbgrader" and "db" not in line else []
        command = [str(programs / line[0]), *line[1:], *exchange]
        done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (line, done.stdout[-1500:], done.stderr[-1500:])
        return done.stdout + done.stderr

    (clone / "class.csv").write_text("id,first_name,last_name\nben,Ben,B\n")
    run("nbgrader", "db", "student", "import", "class.csv")
    run("nbgrader", "release_assignment", CHAPTER)

    home = tmp_path / "student"
    home.mkdir()
    run("nbgrader", "fetch_assignment", CHAPTER, "--course", "lmcourse", cwd=home)
    assert (home / CHAPTER / f"{CHAPTER}.ipynb").read_bytes() == (
        clone / "exercises" / CHAPTER / f"{CHAPTER}.ipynb"
    ).read_bytes()
    slip = solutions(CHAPTER) | {"softmax": OVERFLOWS}
    hand_in(tmp_path, "student", CHAPTER, answered(CHAPTER, slip))
    run("nbgrader", "submit", CHAPTER, "--course", "lmcourse", cwd=home)

    run("nbgrader", "collect", CHAPTER)
    hand_in(clone / ".grading" / "submitted", "ben", CHAPTER, answered(CHAPTER, {}))  # handed in by other ways
    line = ["lmcourse", "grade", ".grading/submitted", "--out", ".grading", "--chapter", "00"]
    told = run(*line, "--due", "2026-12-01 23:59 Europe/Berlin", "--report")
    assert f"{POINTS - 0.5} of {POINTS}" in told
    assert "1 x no_shift" in told
    run("nbgrader", "release_feedback", CHAPTER)
    run("nbgrader", "export")
    assert f"{CHAPTER},2026-12-01 22:59:00" in (clone / "grades.csv").read_text()

    run("nbgrader", "fetch_feedback", CHAPTER, "--course", "lmcourse", cwd=home)
    (page,) = home.rglob("*.html")
    assert f"{POINTS - 0.5} of {POINTS} points" in page.read_text()
    assert "exp(1000)" in page.read_text()
