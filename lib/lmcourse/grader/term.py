"""What a class has agreed on for its term, from `term.toml` beside its marks: points, weights, due dates, lateness."""

import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from lmcourse.grader.page import Page
from lmcourse.grader.results import Result, late_by

NAME = "term.toml"
_UTC = ZoneInfo("UTC")
_TERM = {"zone", "late", "assignments"}
_LATE = {"free_days", "percent_per_day"}
_RULES = {"due", "weight", "points", "optional", "extensions"}


@dataclass(frozen=True)
class Rules:
    """What holds for one assignment.

    Attributes:
        due: when it is due; None leaves the grade book's date.
        weight: of the assignment in the total.
        points: task -> points, where they are not the course's.
        optional: tasks whose points are earned on top.
        extensions: student -> how much later it is due.
    """

    due: datetime | None = None
    weight: float = 1.0
    points: Mapping[str, float] = field(default_factory=dict)
    optional: frozenset[str] = frozenset()
    extensions: Mapping[str, timedelta] = field(default_factory=dict)


@dataclass(frozen=True)
class Term:
    """What holds for the term.

    Attributes:
        zone: where the class is: the zone of due dates, and of the times that students are told.
        free_days: days late that cost a student nothing, all assignments together.
        percent_per_day: what each further day takes off, in percent of an assignment's points.
    """

    zone: ZoneInfo = _UTC
    free_days: int = 0
    percent_per_day: float = 0.0
    assignments: Mapping[str, Rules] = field(default_factory=dict)

    def rules(self, assignment: str) -> Rules:
        return self.assignments.get(assignment, Rules())

    @property
    def due(self) -> dict[str, datetime]:
        return {name: rules.due for name, rules in self.assignments.items() if rules.due}

    def told(self, moment: str) -> str:
        """A moment in ISO form, as the class tells the time."""
        return f"{datetime.fromisoformat(moment).astimezone(self.zone):%Y-%m-%d %H:%M} {self.zone.key}"


@dataclass(frozen=True)
class Standing:
    """What a result is worth in the term.

    Attributes:
        late_s: seconds after the due date, extension included; None when it is not known when it was handed in.
        days: days late, begun ones too.
        free: how many of them are taken from the student's free days.
        taken_off: points that the others cost.
    """

    result: Result
    late_s: float | None
    days: int
    free: int
    taken_off: float

    @property
    def counts(self) -> float:
        return round(self.result.earned - self.taken_off, 2)


def read_term(path: Path) -> Term:
    """Read the file; without one, nothing is agreed on.

    Raises:
        ValueError: it says what no term has, with its place.
    """
    if not path.exists():
        return Term()
    try:
        record = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is not TOML: {error}.") from error
    _only(path, "", record, _TERM)
    late = _table(path, "late", record.get("late", {}), _LATE)
    try:
        zone = ZoneInfo(str(record.get("zone", "UTC")))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f'{path}: `zone` must be a zone such as "Europe/Berlin", got {record["zone"]!r}.') from None
    return Term(
        zone,
        int(_number(path, "late.free_days", late.get("free_days", 0))),
        _number(path, "late.percent_per_day", late.get("percent_per_day", 0)),
        {
            name: _rules(path, f"assignments.{name}", rules, zone)
            for name, rules in _table(path, "assignments", record.get("assignments", {})).items()
        },
    )


def _rules(path: Path, where: str, record: Any, zone: ZoneInfo) -> Rules:
    record = _table(path, where, record, _RULES)
    due = record.get("due")
    if due is not None and not isinstance(due, datetime):
        raise ValueError(f"{path}: `{where}.due` must be a time such as 2026-12-01T23:59:00, got {due!r}.")
    points = _table(path, f"{where}.points", record.get("points", {}))
    extensions = _table(path, f"{where}.extensions", record.get("extensions", {}))
    optional = record.get("optional", [])
    if not isinstance(optional, list) or not all(isinstance(task, str) for task in optional):
        raise ValueError(f"{path}: `{where}.optional` must be a list of tasks, got {optional!r}.")
    return Rules(
        (due.replace(tzinfo=due.tzinfo or zone)).astimezone(UTC) if due else None,
        _number(path, f"{where}.weight", record.get("weight", 1)),
        {task: _number(path, f"{where}.points.{task}", value) for task, value in points.items()},
        frozenset(optional),
        {
            student: timedelta(days=_number(path, f"{where}.extensions.{student}", days))
            for student, days in extensions.items()
        },
    )


def _table(path: Path, where: str, value: Any, keys: set[str] | None = None) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{path}: `{where}` must be a table, got {value!r}.")
    if keys is not None:
        _only(path, f"{where}.", value, keys)
    return value


def _only(path: Path, where: str, record: dict[str, Any], keys: set[str]) -> None:
    if odd := sorted(record.keys() - keys):
        raise ValueError(f"{path} has `{where}{odd[0]}`; known are {', '.join(sorted(keys))}.")


def _number(path: Path, where: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < math.inf:
        raise ValueError(f"{path}: `{where}` must be a number from 0 on, got {value!r}.")
    return value


def in_term(page: Page, rules: Rules) -> Page:
    """The page in the points of the class.

    Raises:
        ValueError: the rules name a task that the page does not have.
    """
    tasks = {task.name for task in page.tasks}
    if odd := sorted((rules.points.keys() | rules.optional) - tasks):
        raise ValueError(f"{NAME}: `assignments.{page.name}` names {odd[0]}; it has {', '.join(sorted(tasks))}.")
    return replace(page, worth=rules.points, optional=rules.optional)


def standings(term: Term, results: Iterable[Result], due: Mapping[str, datetime]) -> list[Standing]:
    """What each result is worth; a student's free days go to what was due first."""
    left: dict[str, int] = {}
    found = {}
    results = list(results)
    for result in sorted(results, key=lambda result: (due.get(result.assignment, _LAST), result.assignment)):
        rules = term.rules(result.assignment)
        extended = due.get(result.assignment)
        if extended is not None:
            extended += rules.extensions.get(result.student, timedelta())
        late_s = late_by(result, extended)
        days = math.ceil((late_s or 0.0) / 86_400) if result.tasks else 0
        free = min(days, left.setdefault(result.student, term.free_days))
        left[result.student] -= free
        taken_off = min(result.earned, (days - free) * term.percent_per_day / 100 * result.points)
        found[id(result)] = Standing(result, late_s, days, free, round(taken_off, 2))
    return [found[id(result)] for result in results]


_LAST = datetime.combine(date.max, time(), UTC)
