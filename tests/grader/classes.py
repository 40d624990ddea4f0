"""Made classes: notebooks with chosen answers, in nbgrader's folders."""

import json
from pathlib import Path
from typing import Any

import pytest

from lmcourse.exercises.registry import all_tasks
from lmcourse.grader.bubblewrap import missing_sandbox

ROOT = Path(__file__).parents[2]
_WHY = missing_sandbox()
needs_sandbox = pytest.mark.skipif(_WHY is not None, reason=f"no sandbox on this machine: {_WHY}")
#: System calls that make processes: they pass where a test asks what else holds a submission that has made some.
MAKE_PROCESSES = ("clone", "fork", "vfork", "setsid", "execve", "wait4", "kill")


def exercise(assignment: str, kind: str = "exercises") -> dict[str, Any]:
    """The notebook as given out, or (`kind="solutions"`) with the course's answers."""
    path = ROOT / kind / assignment / f"{assignment}.ipynb"
    return json.loads(path.read_text(encoding="utf-8"))


def points_of(assignment: str) -> int:
    """All points of an assignment."""
    return sum(task.points for task in all_tasks() if task.chapter == assignment)


def solutions(assignment: str) -> dict[str, str]:
    """Task -> the course's answer."""
    return {
        cell["id"].removesuffix("-answer"): "".join(cell["source"])
        for cell in exercise(assignment, "solutions")["cells"]
        if cell["id"].endswith("-answer")
    }


def answered(assignment: str, answers: dict[str, str]) -> dict[str, Any]:
    """The exercise with these answers; the other cells stay as given out."""
    notebook = exercise(assignment)
    for cell in notebook["cells"]:
        task = cell["id"].removesuffix("-answer")
        if task in answers and cell["id"].endswith("-answer"):
            cell["source"] = answers[task]
    return notebook


def hand_in(folder: Path, student: str, assignment: str, content: Any, *, time: str = "") -> Path:
    """Put a notebook (a dict, text or bytes) where a student hands it in; return its path."""
    home = folder / student / assignment
    home.mkdir(parents=True, exist_ok=True)
    path = home / f"{assignment}.ipynb"
    if isinstance(content, dict):
        content = json.dumps(content)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    if time:
        (home / "timestamp.txt").write_text(time)
    return path
