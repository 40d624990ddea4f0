"""What is known about each submission, on disk: one JSON file each, and the tables made from them."""

import csv
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lmcourse import atomic, json_files
from lmcourse.grader.marking import TaskResult
from lmcourse.grader.submissions import Submission

#: "marked": every task was decided. "look": some were not, and a person should. "ungradable", "absent": none was.
SUBMISSION_STATUSES = ("marked", "look", "ungradable", "absent")


@dataclass
class Result:
    """What became of one submission.

    Attributes:
        why: the reason when it is ungradable.
        fingerprint: of everything that the marks depend on: the same again is not marked again.
        content: of the notebook alone: another one is another attempt.
        judged: fingerprint of the answers alone: the same answers in another notebook keep their marks.
        handed_in: in ISO form, UTC; "" when not known.
        attempt: 1, and 1 more each time another notebook is handed in.
        earlier: what the attempts before earned.
        notes: for the teacher.
        answers: task -> what was marked.
        manual: cell -> what waits for a person.
        changed: marks that changed though the notebook did not: when, task, before, after.
    """

    student: str
    assignment: str
    status: str
    why: str = ""
    fingerprint: str = ""
    content: str = ""
    judged: str = ""
    handed_in: str = ""
    attempt: int = 1
    earlier: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    tasks: list[TaskResult] = field(default_factory=list)
    answers: dict[str, str] = field(default_factory=dict)
    manual: dict[str, str] = field(default_factory=dict)
    manual_points: float = 0.0
    points: float = 0
    changed: list[list[str]] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def earned(self) -> float:
        return sum(task.earned for task in self.tasks)

    @property
    def undecided(self) -> list[TaskResult]:
        """The tasks whose points a person should look at."""
        return [task for task in self.tasks if task.status != "marked"]


class Store:
    """The results of a class, under one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, submission: Submission) -> Path:
        return self.folder / submission.assignment / f"{submission.key}.json"

    def all(self) -> list[Result]:
        """All results that are kept, of every assignment; what cannot be read is left out."""
        found = map(_read, sorted(self.folder.glob("*/*.json")))
        return [result for result in found if result is not None]

    def read(self, submission: Submission) -> Result | None:
        """What is known of a submission; None when nothing is, or what is there cannot be read."""
        return _read(self.path(submission))

    def write(self, submission: Submission, result: Result) -> None:
        """Keep a result; a process killed meanwhile leaves the old one or the new one."""
        path = self.path(submission)
        path.parent.mkdir(parents=True, exist_ok=True)
        record = vars(result) | {"tasks": [vars(task) for task in result.tasks]}
        atomic.write(path, json.dumps(record, ensure_ascii=False) + "\n", sync=False)

    def deaths(self, submission: Submission, fingerprint: str) -> int:
        """How often the whole command was killed while this submission was at work."""
        try:
            count, of = self.path(submission).with_suffix(".begun").read_text(encoding="ascii").split()
            return int(count) if of == fingerprint else 0
        except (OSError, ValueError):
            return 0

    @contextmanager
    def at_work(self, submission: Submission, fingerprint: str) -> Iterator[None]:
        """Note on disk that a submission is at work; the note stays if this process does not live to remove it."""
        note = self.path(submission).with_suffix(".begun")
        note.parent.mkdir(parents=True, exist_ok=True)
        atomic.write(note, f"{self.deaths(submission, fingerprint) + 1} {fingerprint}\n", sync=False)
        try:
            yield
        finally:
            note.unlink(missing_ok=True)

    def log(self, submission: Submission, result: Result) -> None:
        """Add to the submission's log what was found, for the teacher."""
        path = self.path(submission).with_suffix(".log")
        lines = [f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC  attempt {result.attempt}, {result.seconds:g} s: "]
        lines[0] += f"{result.status}, {result.earned:g} of {result.points} {result.why}".rstrip()
        lines += [f"  {note}" for note in result.notes]
        for task in result.tasks:
            said = " / ".join(dict.fromkeys(f"{task.note}\n{task.reason}".strip().splitlines()))
            lines.append(f"  {task.task}: {task.status}, {task.earned:g} of {task.points}, {task.seconds:g} s  {said}")
        before = path.read_bytes() if path.exists() else b""  # as it stands, whatever a person has put there
        added = "\n".join(line.rstrip() for line in lines) + "\n"
        atomic.write(path, before + added.encode(), sync=False)  # never half a line


def _read(path: Path) -> Result | None:
    try:
        record = json_files.read(path)
        tasks = [TaskResult(**task) for task in record.pop("tasks")]
        return Result(tasks=tasks, **record)
    except (FileNotFoundError, ValueError, TypeError, KeyError, AttributeError):
        return None


# -------------------------------------------------------------------------------------------------------- the tables

MARKS = ("assignment", "student", *(part.name for part in fields(TaskResult)))


def late_by(result: Result, due: datetime | None) -> float | None:
    """Seconds after the due date, 0 in time or where none is set; None when it is not known when it was handed in."""
    if due is None or result.status == "absent":
        return 0.0
    if not result.handed_in:
        return None
    return max(0.0, (datetime.fromisoformat(result.handed_in) - due).total_seconds())


def mark_rows(results: Iterable[Result]) -> list[dict[str, Any]]:
    """One row a task of a submission."""
    return [
        {"assignment": result.assignment, "student": result.student, **asdict(task), "earned": f"{task.earned:g}"}
        for result in results
        for task in result.tasks
    ]


CHANGES = ("assignment", "student", "when", "task", "before", "after")


def change_rows(results: Iterable[Result]) -> list[dict[str, Any]]:
    """One row for each mark that changed though the notebook did not, because the course did."""
    rows = [(one.assignment, one.student, *change) for one in results for change in one.changed]
    return [dict(zip(CHANGES, row, strict=True)) for row in rows]


def write_table(path: Path, columns: Iterable[str], rows: Iterable[dict[str, Any]]) -> None:
    """Write rows as CSV, in such a way that a spreadsheet takes no cell for a formula."""
    with atomic.replacing(path) as out:
        writer = csv.DictWriter(out, list(columns), lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: harmless(value) for name, value in row.items()} for row in rows)


# Where a cell begins: at the start, and after what some spreadsheets take for the end of a cell or of a row.
_FORMULA = re.compile(r"(^|[;\t\r\n])(?=\s*[=+\-@＝＋－＠])")


def harmless(value: Any) -> Any:
    """A cell's content that no spreadsheet takes for a formula; said twice it is the same."""
    return _FORMULA.sub(r"\1'", value) if isinstance(value, str) else value
