"""Make what people read from the results: tables, feedback pages, notebooks for formgrader, the grade book."""

import hashlib
import json
import secrets
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import jinja2
import nbformat

from lmcourse import atomic
from lmcourse.grader import gradebook, regrades
from lmcourse.grader.classroom import STATE, Classroom, GradingError
from lmcourse.grader.marking import TaskResult
from lmcourse.grader.page import Page, assignments
from lmcourse.grader.results import CHANGES, MARKS, Result, change_rows, mark_rows, write_table
from lmcourse.grader.submissions import UngradableError, key_of, read_plain
from lmcourse.grader.tables import Person, absent, write_tables
from lmcourse.grader.term import Standing, Term, standings

_TEMPLATES = jinja2.Environment(
    loader=jinja2.PackageLoader("lmcourse.grader"), autoescape=True, trim_blocks=True, lstrip_blocks=True
)
_BY_HAND = "points given by hand"
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

    The tables are of the whole class: of the assignments of this run, of those that were marked before, and of
    students of whom nothing came.

    Returns:
        The due dates that hold: those given, else those of the term's file, else those of the grade book.

    Raises:
        GradingError: something cannot be written.
    """
    try:
        looked = regrades.brought_together(room.out / regrades.NAME, regrades.requests(room.submissions, results))
    except (ValueError, UnicodeDecodeError) as error:
        raise GradingError(str(error)) from error
    whole = [regrades.decided(result, looked) for result in _whole_class(room, results)]
    now = {(result.assignment, result.student) for result in results}
    if waiting := sum(row["points"] == "" for row in looked):
        tell(f"{waiting} requests for a second look wait in {room.out / regrades.NAME}")
    people: dict[str, Person] = {}
    by_hand: dict[tuple[str, str], dict[str, float]] = {}
    try:
        if looked:
            regrades.write(room.out / regrades.NAME, looked)
        _write_tables(room, whole, room.term.due | due, people)  # first: no grade book costs nobody a mark
        with gradebook.opened(room.out) if gradebook.has_nbgrader() else nullcontext() as book:
            if book is None:
                tell("nbgrader is not installed (pip install 'lmcourse[teach]'): no grade book was written")
                due = room.term.due | due
            else:
                due = gradebook.due_dates(book) | room.term.due | due
                _config(room)
            everything = standings(room.term, whole, due)
            for name in sorted({assignment for assignment, _ in now} & set(assignments(room.course))):
                of_it = [
                    one for one in everything if one.result.assignment == name and (name, one.result.student) in now
                ]
                _publish_assignment(room, room.page(name), of_it, due.get(name), book)
            if book is not None:
                people, by_hand = gradebook.people(book), gradebook.given_by_hand(book)
        _write_tables(room, [_with_hand(result, by_hand) for result in whole], due, people)
    except OSError as error:
        message = error.strerror or str(error)
        raise GradingError(
            f"{error.filename or room.out} cannot be written: {message}. Run the same command again."
        ) from error
    except gradebook.GradebookError as error:
        raise GradingError(f"{error}. Every mark is kept; run the same command again.") from error
    return due


def _whole_class(room: Classroom, results: list[Result]) -> list[Result]:
    """These results, and what is kept of all others."""
    now = {(result.assignment, result.student) for result in results}
    earlier = [one for one in room.store.all() if (one.assignment, one.student) not in now]
    return sorted([*results, *earlier], key=lambda one: (one.assignment, one.student))


def _with_hand(result: Result, by_hand: dict[tuple[str, str], dict[str, float]]) -> Result:
    """The result with the points that a person gave, in place of those that the marking gave."""
    given = dict(by_hand.get((result.assignment, folder_name(result.student)), {}))
    if not given or not result.tasks:
        return result
    tasks = []
    for task in result.tasks:
        points = given.pop(f"{task.task}-check", None)
        tasks.append(task if points is None else replace(task, earned=points, status="marked", note=_BY_HAND))
    if not given:
        return replace(result, tasks=tasks)
    tasks += [TaskResult(cell, points, points, "marked", _BY_HAND) for cell, points in given.items()]  # open questions
    return replace(result, tasks=tasks, points=result.points + result.manual_points, manual_points=0.0)


def _write_tables(room: Classroom, results: list[Result], due: dict[str, datetime], people: dict[str, Person]) -> None:
    write_table(room.out / "marks.csv", MARKS, mark_rows(results))
    write_table(room.out / "changes.csv", CHANGES, change_rows(results))
    called = {folder_name(result.student): result.student for result in results}
    named = {called.get(id_, id_): replace(one, student=called.get(id_, id_)) for id_, one in people.items()}
    everything = [*results, *absent(results, named)]
    everything.sort(key=lambda one: (one.assignment, one.student))
    write_tables(room.out, room.term, standings(room.term, everything, due), named)


def _publish_assignment(
    room: Classroom, page: Page, class_: Iterable[Standing], due: datetime | None, book: Any
) -> None:
    ready = False
    for standing in class_:
        result = standing.result
        student = folder_name(result.student)
        _for_the_exchange(room.submissions / result.student / page.name, room.out / "feedback" / student / page.name)
        record = json.dumps([asdict(standing), str(due), room.term.zone.key, book is not None, page.digest, _style()])
        stamp = hashlib.sha256(record.encode()).hexdigest()
        mark = room.out / STATE / page.name / f"{key_of(result.student)}.published"
        if mark.exists() and mark.read_text(encoding="ascii") == stamp:
            continue
        if book is not None and not ready:
            gradebook.set_up(book, page, due, room.out / STATE / page.name / "gradebook.kept")
            ready = True
        if result.status != "absent":
            message = {task.name: result.why for task in page.tasks} | {task.task: _told(task) for task in result.tasks}
            rebuilt = page.rebuilt(result.answers, result.manual, message)
            _write(room.out / "autograded" / student / page.name / f"{page.name}.ipynb", nbformat.writes(rebuilt))
        _write(
            room.out / "feedback" / student / page.name / f"{page.name}.html", feedback(page, standing, due, room.term)
        )
        if book is not None:
            gradebook.enter(book, page, result, student)
        atomic.write(mark, stamp, sync=False)


def folder_name(student: str) -> str:
    """The student's name as a folder's, and as nbgrader knows it, whose pages take a name for HTML."""
    plain = len(student.encode()) <= 200 and not _MARKUP & {*student}
    return student if plain else key_of(student)


def _told(task: Any) -> str:
    return f"{task.earned:g} of {task.points:g} points ({_STATUS_LABELS[task.status]})\n{task.reason}"


def feedback(page: Page, standing: Standing, due: datetime | None, term: Term) -> str:
    """A student's page: points, reasons, what comes next. HTML that needs nothing else to be shown."""
    result = standing.result
    return _TEMPLATES.get_template("feedback.html").render(
        title=_title(page),
        result=result,
        status_labels=_STATUS_LABELS,
        standing=standing,
        due=term.told(due.isoformat()) if due else "",
        told=term.told,
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
