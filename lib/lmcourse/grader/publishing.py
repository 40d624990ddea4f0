"""Make what people read from the results: tables, feedback pages, notebooks for formgrader, the grade book."""

import hashlib
import json
import secrets
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

import jinja2
import nbformat

from lmcourse import atomic
from lmcourse.grader import gradebook
from lmcourse.grader.classroom import STATE, Classroom, GradingError
from lmcourse.grader.page import Page, assignments, load_page
from lmcourse.grader.results import GRADES, MARKS, Result, grade_rows, late_by, mark_rows, write_table
from lmcourse.grader.submissions import UngradableError, key_of, read_plain

_TEMPLATES = jinja2.Environment(
    loader=jinja2.PackageLoader("lmcourse.grader"), autoescape=True, trim_blocks=True, lstrip_blocks=True
)
_MARKUP = {*"<>&\"'"}
_STATUS_LABELS = {
    "marked": "marked",
    "ungradable": "not gradable yet",
    "timeout": "stopped: took too long",
    "memory": "stopped: took too much memory",
    "violated": "stopped: broke the rules of the sandbox",
}


def publish(
    room: Classroom, results: list[Result], due: dict[str, datetime], tell: Callable[[str], None] = print
) -> dict[str, datetime]:
    """Write tables, feedback, rebuilt notebooks and the grade book; what is there already is not made again.

    Returns:
        The due dates that hold: those given, else those of the grade book.

    Raises:
        GradingError: something cannot be written.
    """
    try:
        _write_tables(room, results, due)  # first: a grade book that cannot be used costs nobody a mark
        with gradebook.opened(room.out) if gradebook.has_nbgrader() else nullcontext() as book:
            if book is None:
                tell("nbgrader is not installed (pip install 'lmcourse[teach]'): no grade book was written")
            else:
                due = gradebook.due_dates(book) | due
                _config(room)
            for name in sorted({result.assignment for result in results} & set(assignments(room.course))):
                of_it = [result for result in results if result.assignment == name]
                _publish_assignment(room, load_page(room.course, name), of_it, due.get(name), book)
        _write_tables(room, results, due)
    except OSError as error:
        message = error.strerror or str(error)
        raise GradingError(
            f"{error.filename or room.out} cannot be written: {message}. Run the same command again."
        ) from error
    except gradebook.GradebookError as error:
        raise GradingError(f"{error}. Every mark is kept; run the same command again.") from error
    return due


def _write_tables(room: Classroom, results: list[Result], due: dict[str, datetime]) -> None:
    write_table(room.out / "marks.csv", MARKS, mark_rows(results))
    write_table(room.out / "grades.csv", GRADES, grade_rows(results, due))


def _publish_assignment(
    room: Classroom, page: Page, results: Iterable[Result], due: datetime | None, book: Any
) -> None:
    ready = False
    for result in results:
        student = folder_name(result.student)
        _for_the_exchange(room.submissions / result.student / page.name, room.out / "feedback" / student / page.name)
        record = json.dumps([asdict(result), str(due), book is not None, page.digest, _style()])
        stamp = hashlib.sha256(record.encode()).hexdigest()
        mark = room.out / STATE / page.name / f"{key_of(result.student)}.published"
        if mark.exists() and mark.read_text(encoding="ascii") == stamp:
            continue
        if book is not None and not ready:
            gradebook.set_up(book, page, due)
            ready = True
        if result.status != "absent":
            message = {task.name: result.why for task in page.tasks} | {task.task: _told(task) for task in result.tasks}
            rebuilt = page.rebuilt(result.answers, result.manual, message)
            _write(room.out / "autograded" / student / page.name / f"{page.name}.ipynb", nbformat.writes(rebuilt))
        _write(room.out / "feedback" / student / page.name / f"{page.name}.html", feedback(page, result, due))
        if book is not None:
            gradebook.enter(book, page, result, student)
        atomic.write(mark, stamp, sync=False)


def folder_name(student: str) -> str:
    """The student's name as a folder's, and as nbgrader knows it, whose pages take a name for HTML."""
    plain = len(student.encode()) <= 200 and not _MARKUP & {*student}
    return student if plain else key_of(student)


def _told(task: Any) -> str:
    return f"{task.earned:g} of {task.points} points ({_STATUS_LABELS[task.status]})\n{task.reason}"


def feedback(page: Page, result: Result, due: datetime | None) -> str:
    """A student's page: points, reasons, what comes next. HTML that needs nothing else to be shown."""
    return _TEMPLATES.get_template("feedback.html").render(
        title=_title(page),
        result=result,
        status_labels=_STATUS_LABELS,
        late=late_by(result, due),
        answers=result.answers,
        difficulty={task.name: task.difficulty for task in page.tasks},
    )


def _title(page: Page) -> str:
    lines = (line for cell in page.notebook.cells if cell.cell_type == "markdown" for line in cell.source.splitlines())
    return next((line.lstrip("# ").strip() for line in lines if line.startswith("# ")), page.name)


def _style() -> str:
    source, _, _ = _TEMPLATES.loader.get_source(_TEMPLATES, "feedback.html")  # type: ignore[union-attr]
    return hashlib.sha256(source.encode()).hexdigest()


def _for_the_exchange(submission: Path, feedback: Path) -> None:
    """What `nbgrader release_feedback` asks for beside a page, to lay it where only its owner finds it."""
    for name, otherwise in (("timestamp.txt", ""), ("submission_secret.txt", secrets.token_hex(64))):
        old = feedback / name
        try:
            content = read_plain(submission / name, 1000).decode()
        except (OSError, UngradableError, UnicodeDecodeError):  # it did not come through the exchange
            content = old.read_text(encoding="utf-8") if old.exists() else otherwise
        if not old.exists() or old.read_text(encoding="utf-8") != content:
            feedback.mkdir(parents=True, exist_ok=True)
            atomic.write(old, content, sync=False)


def _write(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic.write(path, content if content.endswith("\n") else content + "\n", sync=False)


def _config(room: Classroom) -> None:
    """So that JupyterLab, started in this folder, shows the class in formgrader."""
    path = room.out / "nbgrader_config.py"
    if not path.exists():
        template = _TEMPLATES.get_template("nbgrader_config.py.txt")
        values = {
            "course_id": gradebook.COURSE,
            "root": str(room.out.resolve()),
            "submitted": str(room.submissions.resolve()),
            "course": str(room.course.resolve()),
        }
        atomic.write(path, template.render({name: repr(value) for name, value in values.items()}) + "\n")
