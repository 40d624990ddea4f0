"""Find what was handed in and read the answers out of it, whatever it is. Nothing of it is run here."""

import contextlib
import hashlib
import json
import os
import re
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from lmcourse.contents import contents
from lmcourse.grader.ipython import is_python, to_python
from lmcourse.grader.page import Edition, Page, graded_id, nbgrader_of

SIZE_LIMIT = 25_000_000
_CELLS_LIMIT = 5_000
_ANSWER_LIMIT = 200_000
_TIMESTAMP_LIMIT = 200
TIMESTAMP, CLAIMED = "timestamp.txt", "timestamp.student.txt"  # where a hub's own is the first, the second is beside it
_EARLIEST, _CLOCKS_APART = datetime(2025, 1, 1, tzinfo=UTC), timedelta(days=1)  # no work is older, or from after now
_HASHED = re.compile(r" \(name [0-9a-f]{16}\)$")  # as `shown` ends a name that it had to change


class UngradableError(Exception):
    """A submission that no mark can be given to; the message says why."""


@dataclass(frozen=True)
class Submission:
    """A student's folder for an assignment.

    Attributes:
        student: the folder's name; what is no plain text in it is shown as escapes.
        assignment: the assignment's name.
        folder: where it lies; None when the student submission nothing in for it.
    """

    student: str
    assignment: str
    folder: Path | None

    @property
    def key(self) -> str:
        return key_of(self.student)


def key_of(student: str) -> str:
    """A file name that belongs to this student alone, plain and short."""
    raw = student.encode("utf-8")
    plain = quote(raw, safe="")
    return plain if len(plain) <= 100 else f"{plain[:60]}-{hashlib.sha256(raw).hexdigest()[:16]}"


@dataclass
class Answers:
    """What a notebook holds.

    Attributes:
        sources: task -> the source of its answer.
        python: task -> the same as Python, where it is not: split over several cells, or in IPython's own syntax.
        missing: task -> why it has no answer.
        not_asked: tasks that the page did not have when it was handed out.
        manual: cell -> what was written for a person to mark.
        extra: the code of cells that are no answers; not run.
        notes: what the teacher may want to know.
    """

    sources: dict[str, str] = field(default_factory=dict)
    python: dict[str, str] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    not_asked: list[str] = field(default_factory=list)
    manual: dict[str, str] = field(default_factory=dict)
    extra: str = ""
    notes: list[str] = field(default_factory=list)


def find_submissions(submissions: Path, chosen: str | None = None) -> list[Submission]:
    """Everything under SUBMISSIONS/STUDENT/ASSIGNMENT, by student; with those who lack an assignment that others have.

    Args:
        submissions: the folder, in nbgrader's layout.
        chosen: only assignments whose names start so.

    Raises:
        NotADirectoryError: there is no such folder.
        ValueError: it holds no students.
    """
    if not submissions.is_dir():
        raise NotADirectoryError(f"there is no folder {submissions}.")
    students = sorted((path for path in submissions.iterdir() if _is_student(path)), key=lambda path: os.fsencode(path))
    if not students:
        raise ValueError(f"{submissions} holds no submissions; they lie in {submissions.name}/STUDENT/ASSIGNMENT/.")
    held = {student: _assignments_in(student, chosen or "") for student in students}
    names = sorted({name for folders in held.values() if folders is not None for name in folders})
    return [
        Submission(shown(student.name), shown(name), student / name if folders is None else folders.get(name))
        for name in names
        for student, folders in held.items()
    ]


def _assignments_in(student: Path, chosen: str) -> dict[str, Path] | None:
    """A student's folders by name; None when they cannot be listed, which is said when one of them is to be read."""
    try:
        return {
            path.name: path
            for path in (() if student.is_symlink() else student.iterdir())
            if not path.name.startswith(".") and path.name.startswith(chosen) and (path.is_symlink() or path.is_dir())
        }
    except PermissionError:
        return None


def _is_student(path: Path) -> bool:
    if path.name.startswith("."):  # .git, .ipynb_checkpoints: unless work was handed in there
        return not path.is_symlink() and any(path.glob("*/*.ipynb"))
    return path.is_symlink() or path.is_dir()


def shown(name: str) -> str:
    """A file's name as `printable` text; one that had to be changed ends in a hash, so that no two look the same."""
    raw = os.fsencode(name)
    text = printable(raw.decode("utf-8", "backslashreplace"))
    if raw == text.encode() and not _HASHED.search(text):
        return text
    return f"{text} (name {hashlib.sha256(raw).hexdigest()[:16]})"


def printable(text: str) -> str:
    """Text in one line, with escapes for what a terminal, a table or a log would obey instead of showing it."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def read_submission(submission: Submission) -> bytes:
    """The notebook's bytes.

    Raises:
        UngradableError: there is none to be read, and why.
    """
    folder, name = submission.folder, f"{submission.assignment}.ipynb"
    if folder is None:
        raise UngradableError("nothing was handed in")
    try:
        for place in (folder.parent, folder, folder / name):
            if place.is_symlink():
                raise UngradableError(f"{shown(place.name)} is a symbolic link, which is not followed")
        return read_plain(folder / name, SIZE_LIMIT)
    except FileNotFoundError:
        others: list[str] = []
        with contextlib.suppress(OSError):
            others = sorted(shown(path.name) for path in folder.iterdir() if path.suffix == ".ipynb")[:3]
        held = f"; it holds {', '.join(others)}" if others else ""
        raise UngradableError(f"the folder holds no {name}{held}") from None
    except OSError as error:
        raise UngradableError(f"{name} cannot be read: {error.strerror or error}") from error


def read_plain(path: Path, limit: int, *, owner: int | None = None) -> bytes:
    """Read an ordinary file; never wait for a pipe, follow a link, or take in more than the limit.

    Raises:
        UngradableError: it is none, it is too large, or it is not the `owner`'s.
    """
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    kind = os.fstat(number)
    if not stat.S_ISREG(kind.st_mode):
        os.close(number)
        raise UngradableError(f"{shown(path.name)} is not an ordinary file")
    if owner is not None and kind.st_uid != owner:
        os.close(number)
        raise UngradableError(f"{shown(path.name)} was put there by somebody else")
    with os.fdopen(number, "rb") as file:
        if kind.st_size > limit:
            raise UngradableError(f"{shown(path.name)} has {kind.st_size / 1e6:.0f} MB; {limit / 1e6:.0f} are allowed")
        return file.read(limit + 1)[:limit]


def submitted_at(submission: Submission, name: str = TIMESTAMP) -> datetime | None:
    """When it was handed in, from nbgrader's timestamp.txt; None when that is missing, no time, or none that can be."""
    try:
        if submission.folder is None or submission.folder.is_symlink():
            return None
        time = parse_time(read_plain(submission.folder / name, _TIMESTAMP_LIMIT).decode())
    except (OSError, UngradableError, UnicodeDecodeError):
        return None
    return time if time and _EARLIEST <= time <= datetime.now(UTC) + _CLOCKS_APART else None


def parse_time(text: str) -> datetime | None:
    """A time as nbgrader writes it, "2026-11-21 15:58:23.9 Europe/Berlin", or in ISO form; None if it is none.

    Without a zone it is UTC.
    """
    date, _, zone = text.strip().rpartition(" ")
    try:
        place = ZoneInfo(zone) if date and re.fullmatch(r"[A-Za-z_]+(/[A-Za-z_+-]+)*", zone) else None
        time = datetime.fromisoformat(date if place else text.strip())
        return time.replace(tzinfo=time.tzinfo or place or UTC).astimezone(UTC)
    except (ValueError, OverflowError, ZoneInfoNotFoundError, OSError):  # OSError: a folder of zones, as `America`
        return None


# ----------------------------------------------------------------------------------------------------- the notebook


def read_answers(content: bytes, page: Page, editions: Sequence[Edition] = ()) -> Answers:
    """Take the answer cells out of a notebook; everything else in it is left behind.

    Args:
        editions: the page as it was earlier, of which this may be one.

    A cell is known by nbgrader's name for it, or by its id, or, when both were lost, as the only code cell that defines
    the task's function.

    Raises:
        UngradableError: the bytes are no notebook of this course, and why.
    """
    cells, notes = _cells(content)
    answers = Answers(notes=notes)
    wanted = {f"{task.name}-answer": task.name for task in page.tasks}
    _strangers(cells, wanted, page, answers, editions)
    rest = [cell for cell in cells if cell["cell_type"] == "code"]
    for label, task in wanted.items():
        found, how = _find(cells, task)
        if not found:
            answers.missing[task] = how
            if _came_before(cells, editions, task):
                answers.not_asked.append(task)
            continue
        source = "\n\n".join(cell["source"] for cell in found)
        if len(source) > _ANSWER_LIMIT:
            answers.missing[task] = f"the answer cell has {len(source):,} characters; {_ANSWER_LIMIT:,} are allowed"
            continue
        answers.sources[task] = source
        if how:
            answers.notes.append(f"{task}: {how}")
        _take_as_python(task, [cell["source"] for cell in found], answers)
        rest = [cell for cell in rest if cell["label"] != label and not any(cell is one for one in found)]
    answers.extra = "\n".join(cell["source"] for cell in rest if cell["source"] not in page.sources)
    for cell in cells:
        if cell["label"] in page.manual:
            answers.manual[cell["label"]] = cell["source"][:_ANSWER_LIMIT]
    return answers


def _find(cells: list[dict[str, Any]], task: str) -> tuple[list[dict[str, Any]], str]:
    """The cells that answer a task, in their order, with a note; or none, and why.

    JupyterLab gives both halves of a split cell the same name. One that comes after the check is no part of what was
    checked, as long as there is one before it.
    """
    label = f"{task}-answer"
    named = [cell for cell in cells if cell["label"] == label] or [cell for cell in cells if cell.get("id") == label]
    found = [cell for cell in named if cell["cell_type"] == "code"]
    if len(found) > 1:
        checks = [number for number, cell in enumerate(cells) if cell["label"] == f"{task}-check"]
        before = cells[: checks[-1]] if checks else cells
        found = [cell for cell in found if any(cell is one for one in before)] or found
    if found:
        return found, f"its answer is in {len(found)} cells, run in their order" if len(found) > 1 else ""
    defines = re.compile(rf"^(def|class)\s+{task}\b", re.MULTILINE)
    found = [cell for cell in cells if cell["cell_type"] == "code" and defines.search(cell["source"])]
    if len(found) == 1:
        return found, "its answer cell had lost its name and was found by the function that it defines"
    if named:
        return [], "its answer cell is no code cell any more"
    return [], "its answer cell is missing" + (" (several cells define the function)" if found else "")


def _take_as_python(task: str, parts: list[str], answers: Answers) -> None:
    """Keep what is to run, where that is not the source itself; of several parts, those that can be run at all."""
    read = [to_python(part) for part in parts]
    if left_out := [each for _, more in read for each in more]:
        answers.notes.append(printable(f"{task}: left out, as only IPython knows it: {', '.join(left_out[:5])}"))
    sound = [python for python, _ in read if len(parts) == 1 or is_python(python)]
    python = "\n\n".join(sound)
    if sound and python != answers.sources[task]:
        answers.python[task] = python


def _came_before(cells: list[dict[str, Any]], editions: Sequence[Edition], task: str) -> bool:
    """Whether this is an earlier edition of the page, whole, that did not have the task yet."""
    checks = {cell["label"] for cell in cells if cell["label"].endswith("-check")}
    return any(checks == edition.keys() and f"{task}-check" not in edition for edition in editions)


def _strangers(
    cells: list[dict[str, Any]], wanted: Mapping[str, str], page: Page, answers: Answers, editions: Sequence[Edition]
) -> None:
    """Notes about what does not fit the page: other tasks, and cells of the page that were changed.

    Raises:
        UngradableError: it is the notebook of another chapter.
    """
    changed: dict[str, list[str]] = {"points": [], "code": []}
    named = {cell["label"] for cell in cells if cell["label"].endswith("-answer")}
    foreign = sorted(label.removesuffix("-answer") for label in named - wanted.keys())
    chapters = sorted({contents()[task].chapter for task in foreign if task in contents()})
    if chapters and not named & wanted.keys():
        raise UngradableError(f"this is the notebook of {chapters[0]}, handed in as {page.name}")
    if foreign:
        names = ", ".join(printable(task)[:80] for task in foreign[:5])
        where = f"are of {', '.join(chapters)}" if chapters else f"{page.name} does not have"
        answers.notes.append(f"it answers tasks that {where} ({names})")
    for label, (points, source) in page.checks.items():
        was = {(points, source), *(edition[label] for edition in editions if label in edition)}
        copies = [cell for cell in cells if cell["label"] == label]
        if all((cell["points"], cell["source"]) in was for cell in copies):
            continue  # if it is not today's, it is the course that has changed since
        if any(cell["points"] != points for cell in copies):
            changed["points"].append(label)
        elif any(cell["source"] != source for cell in copies):
            changed["code"].append(label)
    for what, labels in changed.items():
        if labels:
            more = f" and {len(labels) - 3} more" if len(labels) > 3 else ""
            message = f"the {what} of {', '.join(labels[:3])}{more} was changed; it is marked by the course's own"
            answers.notes.append(message.replace("points of", "number of points of"))


def _cells(content: bytes) -> tuple[list[dict[str, Any]], list[str]]:
    if not content.strip():
        raise UngradableError("the notebook is empty")
    try:
        notebook = json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise UngradableError("the notebook is not text in UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise UngradableError(f"the notebook is not JSON ({' '.join(str(error).split())[:80]})") from None
    if not isinstance(notebook, dict) or not isinstance(notebook.get("metadata", {}), dict):
        raise UngradableError("the file is JSON, but no notebook")
    if notebook.get("nbformat") != 4:
        version = printable(str(notebook.get("nbformat", "missing")))[:20]
        raise UngradableError(f"the notebook's format is {version}, not 4; opened and saved in JupyterLab it becomes 4")
    if not isinstance(notebook.get("cells"), list):
        raise UngradableError("the notebook has no cells")
    _look_at_kernel(notebook.get("metadata", {}))
    if (held := len(notebook["cells"])) > _CELLS_LIMIT:
        raise UngradableError(f"the notebook has {held:,} cells; {_CELLS_LIMIT:,} are allowed")
    cells = [plain for cell in notebook["cells"] if (plain := _plain(cell)) is not None]
    lost = len(notebook["cells"]) - len(cells)
    return cells, [f"{lost} of its cells are damaged"] if lost else []


def _look_at_kernel(metadata: dict[str, Any]) -> None:
    def text(part: str, name: str) -> str:
        record = metadata.get(part)
        value = record.get(name, "") if isinstance(record, dict) else ""
        return value.lower()[:40] if isinstance(value, str) else ""

    languages = {text("kernelspec", "language"), text("language_info", "name")} - {""}
    if languages and not any(language in ("python", "ipython", "python3") for language in languages):
        raise UngradableError(
            f"the notebook is written for the kernel of {printable(', '.join(sorted(languages)))}, not Python"
        )


def _plain(cell: Any) -> dict[str, Any] | None:
    """A cell with the parts that are read, or None when it is none."""
    if not isinstance(cell, dict) or cell.get("cell_type") not in ("code", "markdown", "raw"):
        return None
    source = cell.get("source", "")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        return None
    points = nbgrader_of(cell).get("points")
    return {
        "cell_type": cell["cell_type"],
        "id": cell.get("id"),
        "source": source.encode("utf-8", "replace").decode("utf-8"),  # lone halves of a surrogate pair are no text
        "label": graded_id(cell),
        "points": points if isinstance(points, (int, float)) else None,
    }
