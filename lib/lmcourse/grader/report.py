"""How a class did: each task, and the commonest mistakes. The page from which a teacher plans the next hour."""

import contextlib
import io
import statistics
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import jinja2
import matplotlib.pyplot as plt

from lmcourse import atomic
from lmcourse.exercises.task import Slip
from lmcourse.exercises.verdict import NO_RETURN, UNANSWERED
from lmcourse.grader.alike import write_alike
from lmcourse.grader.marking import TaskResult
from lmcourse.grader.page import Page
from lmcourse.grader.results import Result, write_table
from lmcourse.plots.marks import PARTS, class_by_task

COLUMNS = (
    "assignment",
    "task",
    "points",
    "submissions",
    *PARTS,
    "share right",
    "discrimination",
    "commonest slip",
    "seen",
)
_SLIP_COLUMNS = ("assignment", "task", "slip", "seen", "reason")


@dataclass(frozen=True)
class TaskReport:
    """One task in a class.

    Attributes:
        counts: part of `PARTS` -> submissions.
        slips: the known mistakes that were made, commonest first.
        discrimination: correlation of its points with those of all other tasks; None where one of them is the same for
            all. Near zero or below: who is good at the rest is no better at this.
    """

    task: str
    points: float
    counts: Counter[str]
    slips: list[tuple[Slip, int]]
    discrimination: float | None

    @property
    def submissions(self) -> int:
        return sum(self.counts.values())

    @property
    def share_right(self) -> float:
        return self.counts["right"] / self.submissions if self.submissions else 0.0


def report_on(page: Page, results: Iterable[Result]) -> list[TaskReport]:
    """Count what became of each task; submissions that could not be read at all are left out."""
    marked = [result for result in results if result.assignment == page.name and result.tasks]
    reports = []
    for task in page.tasks:
        mine = [one for result in marked for one in result.tasks if one.task == task.name]
        slips = Counter(one.slip for one in mine if one.slip)
        known = [(slip, slips[slip.name]) for slip in (*task.slips, NO_RETURN) if slips[slip.name]]
        known.sort(key=lambda pair: -pair[1])
        points = page.worth.get(task.name, task.points)
        counts = Counter(map(_part, mine))
        reports.append(TaskReport(task.name, points, counts, known, _discrimination(task.name, marked)))
    return reports


def _discrimination(task: str, marked: list[Result]) -> float | None:
    asked = [(result, one.earned) for result in marked for one in result.tasks if one.task == task]
    rest = [result.earned - earned for result, earned in asked]
    with contextlib.suppress(statistics.StatisticsError):
        return statistics.correlation([earned for _, earned in asked], rest)
    return None


def _part(task: TaskResult) -> str:
    if task.status != "marked":
        return "to look at"
    if task.earned == task.points:
        return "right"
    if task.slip:
        return "known slip"
    return "not answered" if task.reason == UNANSWERED else "wrong otherwise"


def write_report(folder: Path, page: Page, results: list[Result]) -> str:
    """Write the table, the slips, the figure and a page with all of them; return the table as text.

    Raises:
        OSError: the folder cannot be written.
    """
    reports = report_on(page, results)
    folder.mkdir(parents=True, exist_ok=True)
    write_alike(folder, page, results)
    write_table(folder / f"{page.name}.csv", COLUMNS, [_row(page, report) for report in reports])
    mistakes = [(report.task, slip.name, seen, slip.reason) for report in reports for slip, seen in report.slips]
    mistakes.sort(key=lambda mistake: -mistake[2])
    rows = [dict(zip(_SLIP_COLUMNS, (page.name, *mistake), strict=True)) for mistake in mistakes]
    write_table(folder / f"{page.name}-slips.csv", _SLIP_COLUMNS, rows)
    counts = {report.task: report.counts for report in reports}
    title, alt = _finding(reports), _in_words(reports)
    fig = class_by_task(counts, title)
    buffer = io.BytesIO()
    fig.savefig(buffer, format="png", dpi=150, metadata={"Software": None})
    plt.close(fig)
    atomic.write(folder / f"{page.name}.png", buffer.getvalue())
    loader = jinja2.PackageLoader("lmcourse.grader")
    environment = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    unread = [result for result in results if result.assignment == page.name and not result.tasks]
    html = environment.get_template("report.html").render(
        page=page, reports=reports, parts=list(PARTS), mistakes=mistakes, alt=alt, unread=unread
    )
    atomic.write(folder / f"{page.name}.html", html + "\n")
    return _as_text(page, reports)


def _row(page: Page, report: TaskReport) -> dict[str, object]:
    slip, seen = report.slips[0] if report.slips else (None, 0)
    values = (page.name, report.task, report.points, report.submissions, *(report.counts[part] for part in PARTS))
    apart = "" if report.discrimination is None else f"{report.discrimination:.2f}"
    last = (f"{report.share_right:.2f}", apart, slip.name if slip else "", seen or "")
    return dict(zip(COLUMNS, (*values, *last), strict=True))


def _finding(reports: list[TaskReport]) -> str:
    if not any(report.submissions for report in reports):
        return "No submission was marked"
    hardest = min(reports, key=lambda report: report.share_right)
    return f"Hardest: {hardest.task}, right in {hardest.share_right:.0%} of {hardest.submissions} submissions"


def _in_words(reports: list[TaskReport]) -> str:
    return "Submissions by task: " + "; ".join(
        f"{report.task}: {', '.join(f'{report.counts[part]} {part}' for part in PARTS if report.counts[part])}"
        for report in reports
    )


def _as_text(page: Page, reports: list[TaskReport]) -> str:
    lines = [f"{page.name}: {_finding(reports)}"]
    for report in reports:
        slips = "; ".join(f"{seen} x {slip.name}" for slip, seen in report.slips[:2])
        lines.append(
            f"  {report.task:<26} {report.share_right:>4.0%} right of {report.submissions:<4} {slips}".rstrip()
        )
    return "\n".join(lines)
