"""nbgrader's grade book, through its own API: formgrader shows there what was marked, and a person adds what waits."""

import json
import os
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lmcourse import atomic
from lmcourse.grader.page import Page
from lmcourse.grader.results import Result
from lmcourse.grader.tables import Person

COURSE = "lmcourse"
NAME = "gradebook.db"
_TAG = re.compile(r"<(?=[A-Za-z/!?])")  # nbgrader shows comments as Markdown, in which HTML is HTML


class GradebookError(Exception):
    """The grade book cannot be used; the message says why."""


def has_nbgrader() -> bool:
    """Whether nbgrader is installed (the extra `teach`)."""
    from importlib.util import find_spec

    return find_spec("nbgrader") is not None


@contextmanager
def opened(folder: Path) -> Iterator[Any]:
    """Open the grade book of a folder; a new one is made whole or not at all.

    Raises:
        GradebookError: it is damaged, locked, or the disk is full.
    """
    from nbgrader.api import Gradebook, InvalidEntry
    from sqlalchemy.exc import SAWarning, SQLAlchemyError

    folder = folder.resolve()
    path = folder / NAME
    programs = os.environ.get("PATH", os.defpath)
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{programs}"  # nbgrader calls alembic by its name
    try:
        warnings.filterwarnings("ignore", category=SAWarning, message=".*add operation along.*")  # nbgrader's own
        if not path.exists():
            fresh = folder / f".{NAME}.new"
            try:
                fresh.unlink(missing_ok=True)
                # alembic reads the working folder's pyproject.toml
                with TemporaryDirectory() as scratch, chdir(scratch):
                    Gradebook(f"sqlite:///{fresh}", COURSE).close()
                os.replace(fresh, path)
            finally:
                for half in folder.glob(f"{fresh.name}*"):  # its journal too
                    half.unlink(missing_ok=True)
        book = Gradebook(f"sqlite:///{path}", COURSE)
        book.db().expire_on_commit = False
        try:
            yield book
        finally:
            book.close()
    except (SQLAlchemyError, InvalidEntry) as error:
        message = " ".join(str(getattr(error, "orig", error)).split())[:200]
        raise GradebookError(f"the grade book {path} cannot be used: {message}") from error
    except subprocess.CalledProcessError as error:  # alembic's
        raise GradebookError(f"the grade book {path} cannot be made: alembic ended with {error.returncode}") from error
    except FileNotFoundError as error:
        if error.filename != "alembic":
            raise
        raise GradebookError("nbgrader needs its program alembic, which is not on the PATH") from error
    finally:
        os.environ["PATH"] = programs


def set_up(book: Any, page: Page, due: datetime | None, kept: Path) -> None:
    """Enter an assignment and its cells; where marks are there for other cells, carry them over.

    Whatever a person gave or wrote stays with the cell of that name, and so does the rest. All of it is written to
    `kept` before the old cells are taken out, so that a run that is killed meanwhile loses nothing: the next one goes
    on from there. A file `kept` with a time in its name stays.
    """
    if not kept.exists():
        try:
            _save_cells(book, page, due)
            return
        except RuntimeError:  # nbgrader's: cells were added or removed
            atomic.write(kept, json.dumps(_everything(book, page.name)))
    marks = json.loads(kept.read_text(encoding="utf-8"))
    if any(one.name == page.name for one in book.assignments):
        book.remove_assignment(page.name)
    _save_cells(book, page, due or (datetime.fromisoformat(marks["due"]) if marks["due"] else None))
    for student, submission in marks["submissions"].items():
        _enter_again(book, page.name, student, submission)
    book.db.commit()
    os.replace(kept, kept.with_suffix(f".{datetime.now(UTC):%Y%m%d-%H%M%S}"))


def _save_cells(book: Any, page: Page, due: datetime | None) -> None:
    from nbgrader.preprocessors import SaveCells

    book.update_or_create_assignment(page.name, **({"duedate": due} if due else {}))
    resources = {"nbgrader": {"notebook": page.name, "assignment": page.name, "db_url": str(book.engine.url)}}
    SaveCells().preprocess(page.in_points(), resources)
    book.db.expire_all()


_GRADE, _COMMENT = (
    ("auto_score", "manual_score", "extra_credit", "needs_manual_grade"),
    ("auto_comment", "manual_comment"),
)


def _everything(book: Any, assignment: str) -> dict[str, Any]:
    """All marks and comments of an assignment: student -> cell -> what is there."""
    submissions = {}
    for submission in book.assignment_submissions(assignment):
        cells: dict[str, dict[str, Any]] = {}
        for notebook in submission.notebooks:
            for parts, names in ((notebook.grades, _GRADE), (notebook.comments, _COMMENT)):
                for part in parts:
                    cells.setdefault(part.name, {}).update({name: getattr(part, name) for name in names})
        time = submission.timestamp.isoformat() if submission.timestamp else None
        submissions[submission.student.id] = {"timestamp": time, "cells": cells}
    due = due_dates(book).get(assignment)
    return {"due": due.isoformat() if due else None, "submissions": submissions}


def _enter_again(book: Any, assignment: str, student: str, old: dict[str, Any]) -> None:
    time = datetime.fromisoformat(old["timestamp"]) if old["timestamp"] else None
    submission = book.update_or_create_submission(assignment, student, timestamp=time)
    for notebook in submission.notebooks:
        for parts, names in ((notebook.grades, _GRADE), (notebook.comments, _COMMENT)):
            for part in parts:
                for name in names:
                    if name in old["cells"].get(part.name, {}):
                        setattr(part, name, old["cells"][part.name][name])


def given_by_hand(book: Any) -> dict[tuple[str, str], dict[str, float]]:
    """(assignment, student) -> cell -> the points that a person gave."""
    from nbgrader.api import Grade

    found: dict[tuple[str, str], dict[str, float]] = {}
    for grade in book.db.query(Grade).filter(Grade.manual_score.isnot(None)):
        found.setdefault((grade.assignment.name, grade.student.id), {})[grade.name] = grade.manual_score
    return found


def people(book: Any) -> dict[str, Person]:
    """The students that the grade book knows."""
    return {
        one.id: Person(one.id, one.last_name or "", one.first_name or "", one.email or "", one.lms_user_id or "")
        for one in book.students
    }


def due_dates(book: Any) -> dict[str, datetime]:
    """Assignment -> its due date, where one was set."""
    return {one.name: one.duedate.replace(tzinfo=UTC) for one in book.assignments if one.duedate}


def enter(book: Any, page: Page, result: Result, student: str) -> None:
    """Enter one submission, in one step. What a person gave or wrote stays.

    Points that were decided become automatic scores; a task that was not decided has none, and waits for a person, as
    do the questions that only a person can mark.
    """
    book.update_or_create_student(student)
    if result.status == "absent":
        return
    time = datetime.fromisoformat(result.handed_in).replace(tzinfo=None) if result.handed_in else None
    submission = book.update_or_create_submission(page.name, student, timestamp=time)
    decided = {task.task: task for task in result.tasks}
    (notebook,) = submission.notebooks
    for grade in notebook.grades:
        task = decided.get(grade.name.removesuffix("-check"))
        if grade.name.endswith("-check") and task and task.status == "marked":
            changed = grade.manual_score is not None and grade.auto_score != task.earned
            grade.auto_score, grade.needs_manual_grade = float(task.earned), changed
        elif grade.name.endswith("-check") and result.tasks and not task:  # it was not handed out to this student
            grade.auto_score, grade.needs_manual_grade = None, False
        elif grade.manual_score is None:
            grade.auto_score, grade.needs_manual_grade = None, True
    for comment in notebook.comments:
        task = decided.get(comment.name.removesuffix("-answer"))
        message = result.why or (task.reason if task and task.earned < task.points else "")
        comment.auto_comment = _TAG.sub("&lt;", message) or None
    book.db.commit()
