"""The tables of a class: each submission, each student, and what Canvas and Moodle take in."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lmcourse.grader.results import Result, write_table
from lmcourse.grader.term import Standing, Term

GRADES = (
    *("assignment", "student", "status", "earned", "points", "to look at", "waiting for a person"),
    *("handed in", "late by s", "attempt", "days late", "free days used", "taken off", "counts", "why and notes"),
)
_NO_TIME = "when it was handed in is not known: timestamp.txt is missing, or holds no time that can be"
_PERSON = ("student", "last name", "first name", "email", "lms id")


@dataclass(frozen=True)
class Person:
    """A student as the grade book knows them."""

    student: str
    last_name: str = ""
    first_name: str = ""
    email: str = ""
    lms_id: str = ""

    @property
    def name(self) -> str:
        """As Canvas writes it."""
        return ", ".join(filter(None, [self.last_name, self.first_name])) or self.student


def grade_rows(standings: Iterable[Standing]) -> list[dict[str, Any]]:
    """One row a submission; the same for the same submissions, however often the marking was broken off."""
    return [_grade_row(standing) for standing in standings]


def _grade_row(standing: Standing) -> dict[str, Any]:
    result, no_time = standing.result, standing.late_s is None
    values = (
        *(result.assignment, result.student, result.status, f"{result.earned:g}", f"{result.points:g}"),
        len(result.undecided) + no_time,
        f"{result.manual_points:g}",
        result.handed_in,
        "unknown" if standing.late_s is None else f"{standing.late_s:.0f}",
        result.attempt,
        *(standing.days, standing.free, f"{standing.taken_off:g}", f"{standing.counts:g}"),
        "; ".join(filter(None, [result.why, *result.notes, _NO_TIME if no_time else ""])),
    )
    return dict(zip(GRADES, values, strict=True))


def write_tables(folder: Path, term: Term, standings: list[Standing], people: Mapping[str, Person]) -> None:
    """Write `grades.csv`, a row a submission; and a row a student: `totals.csv`, `canvas.csv`, `moodle.csv`.

    Raises:
        OSError: one cannot be written.
    """
    write_table(folder / "grades.csv", GRADES, grade_rows(standings))
    known = {(one.result.student, one.result.assignment): one for one in standings if one.result.points}
    names = sorted({assignment for _, assignment in known})
    students = {one.result.student for one in standings}
    everybody = {student: people.get(student, Person(student)) for student in students} | dict(people)
    class_ = sorted(everybody.values(), key=lambda person: (person.last_name, person.first_name, person.student))
    most = {name: max((one.result.points for (_, of), one in known.items() if of == name), default=0) for name in names}
    columns = (*_PERSON, *names, "percent", "free days left")
    write_table(folder / "totals.csv", columns, [_total_row(term, person, names, known) for person in class_])
    points = {name: f"{most[name]:g}" for name in names}
    canvas = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
    rows: list[dict[str, Any]] = [{"Student": "    Points Possible"} | points]
    rows += [
        {"Student": one.name, "ID": one.lms_id, "SIS Login ID": one.student} | _marks(one, names, known, most)
        for one in class_
    ]
    write_table(folder / "canvas.csv", (*canvas, *names), rows)
    moodle = ("Username", "ID number", "Email address", "First name", "Last name")
    rows = [
        dict(zip(moodle, (one.student, one.lms_id, one.email, one.first_name, one.last_name), strict=True))
        | _marks(one, names, known, most)
        for one in class_
    ]
    write_table(folder / "moodle.csv", (*moodle, *names), rows)


def _marks(
    person: Person,
    names: list[str],
    known: Mapping[tuple[str, str], Standing],
    out_of: Mapping[str, float] | None = None,
) -> dict[str, str]:
    """Assignment -> what counts, out of the same points for all where these are given.

    Nothing stands where nothing could be marked, which Canvas and Moodle take for "no mark".
    """
    marks = {}
    for name in names:
        one = known.get((person.student, name))
        factor = out_of[name] / one.result.points if out_of and one else 1
        marks[name] = f"{round(one.counts * factor, 2):g}" if one and one.result.tasks else ""
    return marks


def _total_row(
    term: Term, person: Person, names: list[str], known: Mapping[tuple[str, str], Standing]
) -> dict[str, Any]:
    mine = {name: known.get((person.student, name)) for name in names}
    weights = {name: term.rules(name).weight for name in names}
    shares = {name: one.counts / one.result.points if one and one.result.points else 0.0 for name, one in mine.items()}
    whole = sum(weights.values())
    percent = 100 * sum(weights[name] * shares[name] for name in names) / whole if whole else 0.0
    used = sum(one.free for one in mine.values() if one)
    who = (person.student, person.last_name, person.first_name, person.email, person.lms_id)
    return {
        **dict(zip(_PERSON, who, strict=True)),
        **_marks(person, names, known),
        "percent": f"{percent:.1f}",
        "free days left": term.free_days - used,
    }


def absent(results: Iterable[Result], people: Iterable[str]) -> list[Result]:
    """A result for each student of the class who has none for an assignment that others have."""
    results = list(results)
    most: dict[str, float] = {}
    for result in results:
        if result.points:  # none: the course has no such assignment
            most[result.assignment] = max(result.points, most.get(result.assignment, 0))
    known = {(result.student, result.assignment) for result in results}
    everybody = {result.student for result in results} | set(people)
    return [
        Result(student, name, "absent", "nothing was handed in", points=points)
        for name, points in sorted(most.items())
        for student in sorted(everybody)
        if (student, name) not in known
    ]
