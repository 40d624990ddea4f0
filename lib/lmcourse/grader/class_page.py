"""The class at a glance: who has handed in what, how it went, how late and how often, and the commonest mistakes."""

import statistics
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import jinja2

from lmcourse import atomic
from lmcourse.exercises.registry import find_task
from lmcourse.grader.results import Result
from lmcourse.grader.term import Term, standings

_MISTAKES = 12


@dataclass(frozen=True)
class Entry:
    """What one student has for one assignment; `result` is None where nothing was handed in."""

    result: Result | None
    late_s: float | None

    @property
    def text(self) -> str:
        if self.result is None or self.result.status == "absent":
            return ""
        if self.result.status == "ungradable":
            return "unreadable"
        return f"{self.result.earned:g} of {self.result.points}"

    @property
    def notes(self) -> str:
        if self.result is None:
            return ""
        to_look_at = len(self.result.undecided)
        waits = f"{to_look_at} to look at" if to_look_at else ""
        again = f"attempt {self.result.attempt}" if self.result.attempt > 1 else ""
        return ", ".join(filter(None, (waits, _span(self.late_s, "late"), again)))


def _span(seconds: float | None, word: str) -> str:
    if seconds is None:
        return "time unknown"
    if seconds <= 0:
        return ""
    days, hours = divmod(round(seconds / 3600), 24)
    return f"{days} d {hours} h {word}" if days else f"{max(hours, 1)} h {word}"


def write_class_page(path: Path, results: Iterable[Result], due: dict[str, datetime], term: Term) -> None:
    """Write one HTML page about the whole class, from what is known of all its assignments.

    Raises:
        OSError: the file cannot be written.
    """
    known = {(result.student, result.assignment): result for result in results}
    late = {(one.result.student, one.result.assignment): one.late_s for one in standings(term, known.values(), due)}
    students = sorted({student for student, _ in known})
    assignments = sorted({assignment for _, assignment in known})
    rows = []
    for student in students:
        mine = [known.get((student, name)) for name in assignments]
        entries = [Entry(known.get((student, name)), late.get((student, name), 0.0)) for name in assignments]
        rows.append((student, entries, sum(one.earned for one in mine if one)))
    loader = jinja2.PackageLoader("lmcourse.grader")
    environment = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    html = environment.get_template("class.html").render(
        rows=rows,
        assignments=assignments,
        summaries=_summaries(known, students),
        mistakes=_mistakes(known.values()),
        stuck=_stuck(known, students, assignments),
    )
    atomic.write(path, html + "\n")


@dataclass(frozen=True)
class Summary:
    """One assignment: `shares` of the points, of those who handed in; `seconds` of marking."""

    assignment: str
    students: int
    shares: list[float]
    seconds: float

    @property
    def mean(self) -> str:
        return f"{statistics.mean(self.shares):.0%}" if self.shares else ""

    @property
    def median(self) -> str:
        return f"{statistics.median(self.shares):.0%}" if self.shares else ""

    @property
    def fifths(self) -> list[int]:
        """How many have less than a fifth of the points, less than two, and so on; above all points is the last."""
        return [sum(min(4, int(5 * share)) == fifth for share in self.shares) for fifth in range(5)]


def _summaries(known: dict[tuple[str, str], Result], students: list[str]) -> list[Summary]:
    found = []
    for name in sorted({assignment for _, assignment in known}):
        handed_in = [one for (_, of), one in known.items() if of == name and one.status != "absent"]
        shares = [one.earned / one.points for one in handed_in if one.points]
        found.append(Summary(name, len(students), shares, sum(one.seconds for one in handed_in)))
    return found


def _stuck(known: dict[tuple[str, str], Result], students: list[str], assignments: list[str]) -> list[tuple[str, str]]:
    """Who has less than half of the points in each of the last two assignments, or nothing, and what they have."""
    last, found = assignments[-2:], []
    for student in students:
        mine = [known.get((student, name)) for name in last]
        if len(last) == 2 and all(one is None or 2 * one.earned < one.points or not one.tasks for one in mine):
            texts = (f"{name}: {Entry(one, 0.0).text or 'nothing'}" for name, one in zip(last, mine, strict=True))
            found.append((student, ", ".join(texts)))
    return found


def _mistakes(results: Iterable[Result]) -> list[tuple[str, str, int, str, list[str]]]:
    """Assignment, task, how many made it, what they were told, who they are; commonest first."""
    made: dict[tuple[str, str, str], list[str]] = {}
    for result in results:
        for task in result.tasks:
            if task.slip:
                made.setdefault((result.assignment, task.task, task.slip), []).append(result.student)
    counts = Counter({key: len(who) for key, who in made.items()})
    return [
        (assignment, task, count, _reason(task, slip), sorted(made[assignment, task, slip]))
        for (assignment, task, slip), count in counts.most_common(_MISTAKES)
    ]


def _reason(task: str, slip: str) -> str:
    """What a slip's learner is told; the slip's name where the course no longer has it."""
    try:
        slips = find_task(task).slips
    except ValueError:
        return slip
    return next((known.reason for known in slips if known.name == slip), slip.replace("_", " "))
