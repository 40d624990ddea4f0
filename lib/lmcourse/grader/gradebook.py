"""nbgrader's grade book, through its own API: formgrader shows there what was marked, and a person adds what waits."""

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

from lmcourse.grader.page import Page
from lmcourse.grader.results import Result

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


def set_up(book: Any, page: Page, due: datetime | None) -> None:
    """Enter an assignment and its cells.

    Raises:
        GradebookError: it is there with other cells, and submissions were marked on them.
    """
    from nbgrader.preprocessors import SaveCells

    given = {"duedate": due} if due else {}
    book.update_or_create_assignment(page.name, **given)
    resources = {"nbgrader": {"notebook": page.name, "assignment": page.name, "db_url": str(book.engine.url)}}
    try:
        SaveCells().preprocess(page.notebook, resources)
    except RuntimeError as error:
        raise GradebookError(
            f"the grade book has {page.name} from another version of the course, with marks: move {NAME} away first."
        ) from error
    book.db.expire_all()


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
        elif grade.manual_score is None:
            grade.auto_score, grade.needs_manual_grade = None, True
    for comment in notebook.comments:
        task = decided.get(comment.name.removesuffix("-answer"))
        message = result.why or (task.reason if task and task.earned < task.points else "")
        comment.auto_comment = _TAG.sub("&lt;", message) or None
    book.db.commit()
