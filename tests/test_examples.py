"""The worked class of examples/ earns what its script says."""

import csv
import os

import pytest
from click.testing import CliRunner

from examples.make_class import CLASS, EXPECTED, LATE, NGRAMS, START, make_class
from lmcourse.cli import main
from tests.grader.classes import ROOT, needs_sandbox

pytestmark = [needs_sandbox, pytest.mark.course]


@pytest.fixture(scope="module")
def marks(tmp_path_factory):
    home = tmp_path_factory.mktemp("class")
    submitted = make_class(home)
    command = ["grade", str(submitted), "--out", str(home / "marks"), "--report", "--jobs", "2", "--task-seconds", "5"]
    first = CliRunner().invoke(main, command, catch_exceptions=False)
    assert first.exit_code == 0, first.output
    return home / "marks", first.output, command


def rows(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_each_student_earns_what_is_due(marks):
    out, output, _ = marks
    found = {
        (row["student"], row["assignment"]): (float(row["earned"]), row["status"]) for row in rows(out / "grades.csv")
    }
    assert found == EXPECTED
    assert "16 submissions: 12 marked, 1 with answers to look at, 1 ungradable, 2 absent" in output


def test_reasons_are_a_teachers(marks):
    out, _, _ = marks
    by_task = {(row["student"], row["task"]): row for row in rows(out / "marks.csv")}
    assert by_task["ben", "softmax"]["slip"] == by_task["chidi", "softmax"]["slip"] == "no_shift"
    assert by_task["ben", "perplexity"]["slip"] == "entropy_in_nats"
    assert by_task["emil", "lookup_rows"]["status"] == "timeout"
    assert "my_softmax is made in a cell of your own" in by_task["farah", "softmax"]["reason"]
    assert "while answers are marked, lmcourse.training is missing" in by_task["farah", "bits_per_byte"]["reason"]
    assert by_task["dana", "softmax"]["reason"].startswith("It is not answered yet")


def test_the_report_names_the_commonest_slip(marks):
    out, output, _ = marks
    table = {row["task"]: row for row in rows(out / "report" / f"{START}.csv")}
    assert (table["softmax"]["commonest slip"], table["softmax"]["seen"]) == ("no_shift", "2")
    assert table["softmax"]["submissions"] == "7"
    assert f"{START}: Hardest: softmax" in output
    assert rows(out / "report" / f"{START}-slips.csv")[0]["slip"] == "no_shift"
    for name in (START, NGRAMS):
        assert (out / "report" / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert "Commonest mistakes" in (out / "report" / f"{name}.html").read_text()


def test_everybody_has_a_page_and_formgrader_a_notebook(marks):
    out, _, _ = marks
    for student, work in CLASS.items():
        assert (out / "feedback" / student / START / f"{START}.html").exists()
        for assignment in work:
            assert (out / "autograded" / student / assignment / f"{assignment}.ipynb").exists()
    page = (out / "feedback" / "gita" / START / f"{START}.html").read_text()
    assert "This is not a mark of zero" in page


def test_a_second_run_marks_nothing_again(marks):
    out, _, command = marks
    before = {path: path.stat().st_mtime_ns for path in (out / "state").rglob("*.json")}
    tables = [(out / name).read_bytes() for name in ("grades.csv", "marks.csv")]
    again = CliRunner().invoke(main, command, catch_exceptions=False)
    assert "to mark" not in again.output
    assert {path: path.stat().st_mtime_ns for path in (out / "state").rglob("*.json")} == before
    assert [(out / name).read_bytes() for name in ("grades.csv", "marks.csv")] == tables


def test_the_grade_book_holds_points_late_days_and_what_waits(marks):
    pytest.importorskip("nbgrader", reason="nbgrader is not installed")
    out, _, command = marks
    due = [*command, "--chapter", "00", "--due", "2026-11-20 23:30 UTC"]
    assert CliRunner().invoke(main, due, catch_exceptions=False).exit_code == 0
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{out / 'gradebook.db'}", "lmcourse") as book:
        scores = {(one.student.id, one.assignment.name): one.score for one in book.find_assignment(START).submissions}
        assert scores == {key: points for key, (points, _) in EXPECTED.items() if key[1] == START}
        late = {one.student.id: one.total_seconds_late for one in book.find_assignment(START).submissions}
        assert {name for name, seconds in late.items() if seconds} == set(LATE)
        assert late["chidi"] == 7200
        waiting = {one.student.id: one.needs_manual_grade for one in book.find_assignment(START).submissions}
        assert {name for name, needs in waiting.items() if needs} == {"emil", "gita"}
        (notebook,) = book.find_submission(START, "ben").notebooks
        comments = {comment.name: comment.comment for comment in notebook.comments}
        assert "exp(1000) is infinite" in comments["softmax-answer"]
    late_rows = {row["student"]: row["late by s"] for row in rows(out / "grades.csv") if row["assignment"] == START}
    assert late_rows["chidi"] == "7200"
    assert late_rows["ada"] == "0"


def test_nbgraders_own_configuration_is_in_place(tmp_path, monkeypatch):
    pytest.importorskip("nbgrader", reason="nbgrader is not installed")
    from traitlets.config.loader import PyFileConfigLoader

    monkeypatch.chdir(tmp_path)
    config = PyFileConfigLoader("nbgrader_config.py", path=str(ROOT)).load_config()
    assert config.CourseDirectory.source_directory == "solutions"
    assert config.CourseDirectory.root == str(ROOT)
    assert os.path.isdir(ROOT / ".grading")  # noqa: PTH112
