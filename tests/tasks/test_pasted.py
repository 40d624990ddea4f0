"""A function that stands on the chapter's page, pasted as the answer to an exercise, does not earn all its points."""

import ast
import contextlib
import functools
import io
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lmcourse.exercises import Task, all_tasks
from lmcourse.exercises.check import PUBLIC_SEED
from lmcourse.exercises.running import run_in_time
from lmcourse.exercises.verdict import Judge

TEXTS = Path(__file__).parents[2] / "texts" / "chapters"
CHAPTERS = ("07", "08", "09", "10", "11", "12", "13")
_CELL = re.compile(r"^```\{code-cell\}[^\n]*\n((?::[^\n]*\n)*)(.*?)^```$", re.MULTILINE | re.DOTALL)
_SECONDS = 2.0  # of processor time: a function of the page is quick, or it waits for what it is not given


@functools.cache
def page_functions(chapter: str) -> dict[str, Callable[..., Any]]:
    """The functions that a page defines, in visible cells; what they call from the page is there, too."""
    (path,) = TEXTS.glob(f"{chapter}_*.md")
    names: dict[str, Any] = {"__name__": "page"}
    found = []
    for options, source in _CELL.findall(path.read_text(encoding="utf-8")):
        plain = "\n".join(line for line in source.splitlines() if not line.startswith(("%", "!")))
        for node in ast.parse(plain).body:
            if not isinstance(node, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)):
                continue
            with contextlib.suppress(Exception):  # a class may be made with what only a whole run of the page has
                exec(compile(ast.Module([node], []), path.name, "exec"), names)
            if isinstance(node, ast.FunctionDef) and ":role:" not in options:
                found.append(node.name)
    return {name: names[name] for name in found if name in names}


def pasted(task: Task, functions: dict[str, Callable[..., Any]]) -> dict[str, float]:
    """What each function earns as the answer to a task."""
    judge = Judge(task, task.cases(PUBLIC_SEED))
    quick = replace(task, seconds=min(task.seconds, _SECONDS))
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return {
            name: judge.verdict(run_in_time(quick, function, judge.cases)).earned
            for name, function in functions.items()
        }


def tasks_of(chapter: str) -> list[Task]:
    return [task for task in all_tasks() if task.chapter.startswith(chapter) and not task.properties]


@pytest.mark.course
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_function_of_the_page_earns_all_points(chapter: str) -> None:
    functions = page_functions(chapter)
    assert functions
    earned = {
        (task.name, name): points / task.points
        for task in tasks_of(chapter)
        for name, points in pasted(task, functions).items()
    }
    assert [pair for pair, share in earned.items() if share == 1] == []


def test_a_right_answer_would_be_found() -> None:
    task = tasks_of("07")[0]
    assert pasted(task, {"right": task.reference}) == {"right": task.points}
