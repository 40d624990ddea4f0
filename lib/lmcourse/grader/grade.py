"""`lmcourse grade`, whole: mark the class, publish what was found, report how the class did."""

from collections import Counter
from collections.abc import Callable

from lmcourse.grader.bubblewrap import NoSandboxError
from lmcourse.grader.class_page import write_class_page
from lmcourse.grader.classroom import Classroom, GradingError, mark_class
from lmcourse.grader.page import assignments
from lmcourse.grader.publishing import publish
from lmcourse.grader.report import write_report
from lmcourse.grader.results import SUBMISSION_STATUSES, Result
from lmcourse.grader.sandbox import SandboxBrokenError
from lmcourse.grader.submissions import parse_time
from lmcourse.grader.weaker import missing_weaker, weaknesses


def grade_class(
    room: Classroom, *, due: str | None = None, report: bool = False, tell: Callable[[str], None] = print
) -> list[Result]:
    """Mark, publish and, if asked for, report; a run that was broken off goes on where it stopped.

    Args:
        room: what is marked, and where to.
        due: when the one assignment of this run was due; None leaves the grade book's date.
        report: also write how the class did.
        tell: takes one line of text at a time.

    Raises:
        GradingError: nothing can be marked, and why.
    """
    time = None
    if due is not None and (time := parse_time(due)) is None:
        raise GradingError(f'`--due` must be a time such as "2026-12-01 23:59 Europe/Berlin", got {due!r}.')
    if due is not None and not room.chapter:
        raise GradingError("`--due` is for one assignment: name it with --chapter.")
    if room.unsafe:
        tell("WITHOUT A SANDBOX: every answer can read and change whatever you can.")
    if room.weaker and not room.unsafe and not missing_weaker():
        tell(f"WEAKER: answers run in {weaknesses()}. docs/teaching.md says what it lacks.")
    _ = room.term  # what is wrong with it is said before anything is marked
    try:
        results = mark_class(room, tell)
    except (NoSandboxError, SandboxBrokenError) as error:
        raise GradingError(str(error)) from error
    names = sorted({result.assignment for result in results})
    dates = publish(room, results, dict.fromkeys(names, time) if time else {}, tell)
    if report:
        for name in sorted(set(names) & set(assignments(room.course))):
            try:
                tell(write_report(room.out / "report", room.page(name), results))
                earlier = [one for one in room.store.all() if one.assignment not in names]
                write_class_page(room.out / "report" / "class.html", [*earlier, *results], dates, room.term)
            except OSError as error:
                raise GradingError(f"{error.filename or room.out} cannot be written: {error.strerror}.") from error
    tell(_summary(room, results))
    return results


def _summary(room: Classroom, results: list[Result]) -> str:
    counts = Counter(result.status for result in results)
    labels = {"look": "with answers to look at"}
    parts = [f"{counts[status]} {labels.get(status, status)}" for status in SUBMISSION_STATUSES if counts[status]]
    return f"{len(results)} submissions: {', '.join(parts)}. Marks: {room.out / 'grades.csv'}"
