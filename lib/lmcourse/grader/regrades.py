"""Second looks: what students ask for in `regrade.txt`, and what a person decided, kept in `regrades.csv`."""

import csv
import hashlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from lmcourse.grader.results import Result, harmless, write_table
from lmcourse.grader.submissions import UngradableError, printable, read_plain

NAME, REQUEST = "regrades.csv", "regrade.txt"
COLUMNS = ("assignment", "student", "task", "request", "answer", "points", "reason")
_KEY = (*COLUMNS[:3], "answer")
_SIZE, _LINES = 10_000, 20


def requests(submissions: Path, results: Iterable[Result]) -> list[dict[str, Any]]:
    """What the files beside the notebooks ask for, a line `task: why` each; a row each, not decided yet."""
    rows = []
    for result in results:
        try:
            text = read_plain(submissions / result.student / result.assignment / REQUEST, _SIZE).decode(
                "utf-8", "replace"
            )
        except (OSError, UngradableError):
            continue
        for line in text.splitlines()[:_LINES]:
            task, colon, why = (part.strip() for part in line.partition(":"))
            if colon and task in {one.task for one in result.tasks}:
                values = (result.assignment, result.student, task, printable(why)[:500], _hash(result, task), "", "")
                rows.append(dict(zip(COLUMNS, values, strict=True)))
    return rows


def brought_together(path: Path, asked: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of the table, with those that are new; what a person has written into it stays.

    Raises:
        ValueError: the table has other columns, or points that are no number.
    """
    rows: dict[tuple[str, ...], dict[str, Any]] = {}
    if path.exists():
        with path.open(newline="", encoding="utf-8-sig") as file:
            for row in csv.DictReader(file):
                if row.keys() != set(COLUMNS):
                    raise ValueError(
                        f"{path} must have the columns {', '.join(COLUMNS)}, got {', '.join(map(str, row))}."
                    )
                try:
                    float(row["points"] or 0)
                except ValueError:
                    raise ValueError(f"{path}: `points` must be a number or nothing, got {row['points']!r}.") from None
                rows[_key(row)] = row
    for row in asked:
        rows.setdefault(_key(row), row)
    return list(rows.values())


def write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Write the table.

    Raises:
        OSError: it cannot be written.
    """
    write_table(path, COLUMNS, rows)


def decided(result: Result, rows: Iterable[dict[str, Any]]) -> Result:
    """The result with what was decided on it; a decision holds for the answer that it was made on."""
    made = {_key(row): row for row in rows if row["points"] != ""}
    if not made:
        return result
    tasks = []
    for task in result.tasks:
        row = made.get((result.assignment, result.student, task.task, _hash(result, task.task)))
        if row is not None:
            points, reason = float(row["points"]), f"{row['reason']} (Your request: {row['request']})".strip()
            task = replace(task, earned=points, status="marked", reason=reason, note="decided after a request")
        tasks.append(task)
    return replace(result, tasks=tasks, status="marked" if _is_decided(result, tasks) else result.status)


def _is_decided(result: Result, tasks: list[Any]) -> bool:
    return result.status == "look" and all(task.status == "marked" for task in tasks)


def _key(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(harmless(row[name]) for name in _KEY)


def _hash(result: Result, task: str) -> str:
    return hashlib.sha256(result.answers.get(task, "").encode()).hexdigest()[:12]
