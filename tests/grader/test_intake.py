"""What comes in with a submission beside its answers: names and times, which anybody may have made."""

import csv
from datetime import UTC, datetime, timedelta

import pytest

from lmcourse.grader import classroom, gradebook
from lmcourse.grader.classroom import Classroom
from lmcourse.grader.grade import grade_class
from lmcourse.grader.marking import TaskResult
from lmcourse.grader.submissions import CLAIMED, TIMESTAMP
from tests.grader.classes import ROOT, exercise, hand_in

CHAPTER = "00_start_here"
DUE = "2026-11-20 12:00 UTC"
EVIL = "eve\r\x1b[2J\u202ea;=1+1"
FORGED = "x\n2026-01-01 00:00:00 UTC  attempt 1, 1 s: marked, 24 of 24\x1b]0;pwn\x07.ipynb"


@pytest.fixture
def grade(tmp_path, monkeypatch):
    """Mark what lies in `submitted` as wrong, without a sandbox; return the rows of grades.csv by student."""

    def judge(self, result, answers):
        result.tasks = [TaskResult(task.name, task.points, 0, "marked", "no") for task in self.page.tasks]

    def run(**options):
        said = []
        room = Classroom(tmp_path / "submitted", tmp_path / "out", ROOT, chapter=CHAPTER)
        grade_class(room, tell=said.append, report=True, **options)
        (tmp_path / "out" / "said.log").write_text("\n".join(said))
        with (tmp_path / "out" / "grades.csv").open(encoding="utf-8", newline="") as file:
            return {row["student"]: row for row in csv.DictReader(file)}

    monkeypatch.setattr(classroom._Worker, "_judge", judge)
    monkeypatch.setattr(gradebook, "has_nbgrader", lambda: False)
    return run


def test_no_name_tears_a_table_or_forges_a_line(grade, tmp_path):
    stranger = exercise(CHAPTER)
    for cell in stranger["cells"]:
        if cell["id"].endswith("-answer"):
            cell["metadata"]["nbgrader"]["grade_id"] = f"{FORGED}-answer"
    hand_in(tmp_path / "submitted", EVIL, CHAPTER, stranger)
    hand_in(tmp_path / "submitted", "ada", CHAPTER, exercise(CHAPTER))
    hand_in(tmp_path / "submitted", "ben\n", CHAPTER, "").rename(tmp_path / "submitted" / "ben\n" / CHAPTER / FORGED)
    rows = grade()
    assert len(rows) == 3
    written = [path for path in (tmp_path / "out").rglob("*") if path.suffix in (".csv", ".log", ".html")]
    assert len(written) >= 9
    for path in written:
        assert path.name.isprintable()
        text = path.read_bytes().decode()
        assert all(char.isprintable() or char == "\n" for char in text), path
        assert "\n2026-01-01 00:00:00" not in text, path
    for name in ("grades.csv", "marks.csv"):
        lines = (tmp_path / "out" / name).read_text(encoding="utf-8").splitlines()
        assert {line.split(",")[0] for line in lines[1:]} == {CHAPTER}


NOT_TIMES = {
    "missing": None,
    "unreadable": b"\xff\xfe",
    "no time": b"yesterday",
    "year 1": b"0001-01-01 00:00:00 Asia/Tokyo",
    "year 9999": b"9999-12-31 23:00:00 America/Los_Angeles",
    "before the course": b"2001-01-01 00:00:00 UTC",
    "next week": f"{datetime.now(UTC) + timedelta(days=7):%Y-%m-%d %H:%M:%S} UTC".encode(),
}


def test_a_time_that_is_not_known_is_not_in_time(grade, tmp_path):
    for name, stamp in NOT_TIMES.items():
        path = hand_in(tmp_path / "submitted", name, CHAPTER, "no notebook").with_name(TIMESTAMP)
        if stamp is not None:
            path.write_bytes(stamp)
    hand_in(tmp_path / "submitted", "in time", CHAPTER, "no notebook", time="2026-11-20 10:00:00 UTC")
    rows = grade(due=DUE)
    for name in NOT_TIMES:
        assert (rows[name]["late by s"], rows[name]["to look at"]) == ("unknown", "1"), name
        assert "when it was handed in is not known" in rows[name]["why and notes"]
    assert (rows["in time"]["late by s"], rows["in time"]["to look at"]) == ("0", "0")
    page = (tmp_path / "out" / "report" / "class.html").read_text(encoding="utf-8")
    assert page.count("time unknown") == len(NOT_TIMES)


def test_the_students_own_clock_is_shown_beside_the_hubs(grade, tmp_path):
    for name, claimed in (("ada", "2026-11-20 12:59:30 UTC"), ("ben", "2026-11-13 10:00:00 UTC")):
        path = hand_in(tmp_path / "submitted", name, CHAPTER, exercise(CHAPTER), time="2026-11-20 13:00:00 UTC")
        path.with_name(CLAIMED).write_text(claimed)
    rows = grade(due=DUE)
    assert [rows[name]["late by s"] for name in ("ada", "ben")] == ["3600", "3600"]
    assert "own clock" not in rows["ada"]["why and notes"]
    assert "the student's own clock said 2026-11-13 10:00:00 UTC" in rows["ben"]["why and notes"]
