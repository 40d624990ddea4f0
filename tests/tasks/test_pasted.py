"""No function that a chapter's page shows earns full marks when it is pasted as the answer to an exercise."""

import ast
import contextlib
import inspect
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import jupytext
import pytest

from lmcourse.exercises import Case, Task, all_tasks
from lmcourse.exercises.check import PUBLIC_SEED
from lmcourse.exercises.running import run_in_time
from lmcourse.exercises.verdict import Judge

PAGES = sorted((Path(__file__).parents[2] / "texts" / "chapters").glob("*.md"))
SECONDS = 2.0  # of processor time, for a pasted function


def shown_functions(page: Path) -> dict[str, Any]:
    """The functions of a page's visible cells, with the page's imports and constants around them."""
    names: dict[str, Any] = {"__name__": "page"}
    shown = []
    for cell in jupytext.reads(page.read_text(encoding="utf-8"), fmt="md:myst").cells:
        if cell.cell_type != "code":
            continue
        source = "\n".join(line for line in cell.source.splitlines() if not line.startswith(("%", "!")))
        for node in ast.parse(source).body:
            constant = isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant | ast.Lambda)
            if constant or isinstance(node, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef):
                with contextlib.suppress(Exception):  # a decorator or a base that only a run of the page makes
                    exec(compile(ast.Module([node], []), page.stem, "exec"), names)
                    if isinstance(node, ast.FunctionDef) and "role" not in cell.metadata:
                        shown.append(node.name)
    return {name: names[name] for name in shown if name in names}


def _fits(function: Any, item: Case) -> bool:
    """Whether it can be called with the arguments of a case at all."""
    try:
        inspect.signature(function).bind(*item.args, **item.kwargs)
    except TypeError:
        return False
    return True


def full_marks(task: Task, functions: dict[str, Any]) -> list[str]:
    """The functions that the task's cases take for a right answer."""
    judge, quick = Judge(task, task.cases(PUBLIC_SEED)), replace(task, seconds=SECONDS)
    taken = []
    for name, function in functions.items():
        if not _fits(function, judge.cases[0]):
            continue
        with contextlib.redirect_stdout(io.StringIO()):
            if judge.verdict(run_in_time(quick, function, judge.cases)).passed:
                taken.append(name)
    return taken


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem[:2])
def test_no_function_of_the_page_is_an_answer(page: Path) -> None:
    functions = shown_functions(page)
    assert functions
    tasks = [task for task in all_tasks(page.stem) if not task.properties]
    assert {task.name: full_marks(task, functions) for task in tasks} == {task.name: [] for task in tasks}


def test_a_pasted_answer_is_found() -> None:
    task = next(task for task in all_tasks() if not task.properties)
    assert full_marks(task, {"pasted": task.reference}) == ["pasted"]
