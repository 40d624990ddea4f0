"""A trusted exercise page, and a submission rebuilt from it: everything is the page's own but the answers."""

import ast
import copy
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from lmcourse.exercises.registry import all_tasks
from lmcourse.exercises.task import Task
from lmcourse.grader.sandbox import Cell
from lmcourse.notebook import read_notebook

#: The check cells of a page as it was handed out: label -> points and source.
Edition = Mapping[str, tuple[float, str]]
_ANSWER = re.compile(r"(\w+)-answer")


@dataclass(frozen=True)
class Page:
    """An exercise page of the course.

    Attributes:
        name: the assignment, "01_ngrams".
        notebook: as it was given out.
        solved: the same with the course's own answers.
        tasks: in the page's order.
        worth: task -> points, where a class gives others than the course.
        optional: tasks whose points are not among those that there are.
    """

    name: str
    notebook: NotebookNode
    solved: NotebookNode
    tasks: tuple[Task, ...]
    worth: Mapping[str, float] = field(default_factory=dict)
    optional: frozenset[str] = frozenset()

    @cached_property
    def digest(self) -> str:
        """Changes when the page does."""
        own = json.dumps([nbformat.writes(self.notebook), dict(self.worth), sorted(self.optional)])
        return hashlib.sha256(own.encode()).hexdigest()

    def points_of(self, tasks: Iterable[str]) -> float:
        """All the points that there are for these tasks."""
        points = {task.name: task.points for task in self.tasks} | dict(self.worth)
        return sum(points[task] for task in tasks if task not in self.optional)

    @cached_property
    def given(self) -> dict[str, str]:
        """Task -> the source of its answer cell as given out."""
        return {task: cell.source for cell in self.notebook.cells if (task := answered(cell))}

    @cached_property
    def solution(self) -> dict[str, str]:
        """Task -> the source of its answer cell with the course's answer."""
        return {task: cell.source for cell in self.solved.cells if (task := answered(cell))}

    @cached_property
    def checks(self) -> Edition:
        """The check cells."""
        return {
            graded_id(cell): (nbgrader_of(cell)["points"], cell.source)
            for cell in self.notebook.cells
            if graded_id(cell).endswith("-check")
        }

    @cached_property
    def _plan(self) -> list[tuple[str, str]]:
        """What runs, in order: the task of each answer cell, or "" and the source of a cell of the page's own."""
        cells = ((answered(cell), cell) for cell in self.notebook.cells)
        return [(task, cell.source) for task, cell in cells if task or _is_own(cell)]

    @cached_property
    def sources(self) -> frozenset[str]:
        """What stands in the page's cells."""
        return frozenset(cell.source for cell in self.notebook.cells)

    @cached_property
    def manual(self) -> dict[str, float]:
        """The cells that a person marks, with their points."""
        return {
            graded_id(cell): float(nbgrader_of(cell).get("points", 0)) for cell in self.notebook.cells if by_hand(cell)
        }

    @property
    def own_code(self) -> str:
        """The page's own code cells: imports, helpers."""
        return "\n\n".join(cell.source for cell in self.notebook.cells if _is_own(cell))

    def cells(self, answers: Mapping[str, str], asked: Iterable[str]) -> list[Cell]:
        """What is to run: the page's own cells and these answers, in the page's order, up to the last one asked for."""
        asked = set(asked)
        seconds = {task.name: task.seconds for task in self.tasks}
        chosen: list[Cell] = []
        for task, source in self._plan:
            if not task:
                chosen.append(Cell(source))
            elif task in answers:
                chosen.append(Cell(answers[task], task, task in asked, seconds[task] if task in asked else 0.0))
        while chosen and not (chosen[-1].task and chosen[-1].asked):
            chosen.pop()
        return chosen

    def in_points(self) -> NotebookNode:
        """The notebook as a grade book is to know it: in the points of the class."""
        notebook = copy.deepcopy(self.notebook)
        for cell in notebook.cells:
            task = graded_id(cell).removesuffix("-check")
            if graded_id(cell).endswith("-check") and (task in self.worth or task in self.optional):
                points = 0 if task in self.optional else self.worth[task]
                cell.metadata.nbgrader.points = points
        return notebook

    def rebuilt(
        self, answers: Mapping[str, str], manual: Mapping[str, str], message: Mapping[str, str]
    ) -> NotebookNode:
        """The page with a learner's answers, and under each check what was found."""
        notebook = copy.deepcopy(self.notebook)
        for cell in notebook.cells:
            grade_id = graded_id(cell)
            cell.source = answers.get(answered(cell), cell.source)
            if grade_id in manual:
                cell.source = _quoted(manual[grade_id]) if cell.cell_type == "markdown" else manual[grade_id]
            task = grade_id.removesuffix("-check")
            if cell.cell_type == "code" and grade_id.endswith("-check") and task in message:
                cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text=message[task] + "\n")]
        return notebook


def load_page(course: Path, name: str) -> Page:
    """Read an assignment of the course.

    Args:
        course: the folder with `exercises/` and `solutions/`.
        name: the assignment's name.

    Raises:
        ValueError: the course has no such assignment, or its page and its tasks do not fit together.
    """
    paths = [course / part / name / f"{name}.ipynb" for part in ("exercises", "solutions")]
    if name not in assignments(course):
        raise ValueError(f"this course has no assignment {name!r}; it has {', '.join(assignments(course))}.")
    notebook, solved = map(read_notebook, paths)
    tasks = {task.name: task for task in all_tasks(name)}
    on_page = [task for cell in notebook.cells if (task := answered(cell))]
    if sorted(on_page) != sorted(tasks):
        odd = ", ".join(sorted(set(on_page) ^ set(tasks)))
        raise ValueError(f"the page {name} and the tasks of the library do not belong together: {odd}.")
    for cell in solved.cells:
        if task := answered(cell):
            ast.parse(cell.source, task)
    return Page(name, notebook, solved, tuple(tasks[task] for task in on_page))


def assignments(course: Path) -> list[str]:
    """The names of all assignments of the course."""
    return sorted(
        path.parent.name for path in (course / "exercises").glob("*/*.ipynb") if path.stem == path.parent.name
    )


def graded_id(cell: Mapping) -> str:
    """nbgrader's name for a cell; "" if it has none."""
    grade_id = nbgrader_of(cell).get("grade_id", "")
    return grade_id if isinstance(grade_id, str) else ""


def answered(cell: Mapping) -> str:
    """The task that a cell of a trusted page answers; "" if none."""
    found = _ANSWER.fullmatch(graded_id(cell))
    return found[1] if found and cell["cell_type"] == "code" and nbgrader_of(cell).get("solution") else ""


def by_hand(cell: Mapping) -> bool:
    """Whether a person marks this cell of a trusted page."""
    record = nbgrader_of(cell)
    return bool(record.get("task") or (record.get("grade") and record.get("solution")))


def _quoted(text: str) -> str:
    """Markdown that shows `text` as it is: formgrader would run what HTML it holds in the teacher's browser."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}text\n{text}\n{fence}"


def _is_own(cell: NotebookNode) -> bool:
    return cell.cell_type == "code" and not graded_id(cell)


def nbgrader_of(cell: Mapping) -> Mapping:
    """nbgrader's record of a cell, which may be anybody's; empty if there is none."""
    metadata = cell.get("metadata", {})
    record = metadata.get("nbgrader", {}) if isinstance(metadata, Mapping) else {}
    return record if isinstance(record, Mapping) else {}
