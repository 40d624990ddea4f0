"""The page about the whole class: who has done what, late, again, and the commonest mistakes."""

from datetime import UTC, datetime

from lmcourse.grader.class_page import write_class_page
from lmcourse.grader.marking import TaskResult
from lmcourse.grader.results import Result


def result(student, *, assignment="00_start_here", status="marked", earned=2.0, slip="", handed_in="", attempt=1):
    task = TaskResult(task="softmax", points=2, earned=earned, status="marked", reason="", slip=slip)
    tasks = [] if status in ("absent", "ungradable") else [task]
    return Result(student, assignment, status, tasks=tasks, points=2, handed_in=handed_in, attempt=attempt, seconds=1.5)


def page(tmp_path, results, due=None):
    write_class_page(tmp_path / "class.html", results, due or {})
    return (tmp_path / "class.html").read_text(encoding="utf-8")


def test_late_again_and_nothing_yet(tmp_path):
    due = {"00_start_here": datetime(2026, 11, 20, 12, tzinfo=UTC)}
    late = result("ada", handed_in="2026-11-21T15:00:00+00:00", attempt=2)
    html = page(tmp_path, [late, result("ben", status="absent"), result("<b>cleo</b>", status="ungradable")], due)
    assert "2 of 2<small>1 d 3 h late, attempt 2</small>" in html
    assert '<td>ben</td><td class="none">nothing yet</td>' in html
    assert "&lt;b&gt;cleo&lt;/b&gt;" in html
    assert "unreadable" in html


def test_mistakes_are_counted_and_say_who(tmp_path):
    wrong = [result(name, earned=0.0, slip="no_shift") for name in ("ada", "ben")]
    html = page(tmp_path, [*wrong, result("cleo"), result("dana", assignment="99_gone", slip="no_such_slip")])
    assert "Subtract the largest score first" in html
    assert "ada, ben" in html
    assert "no such slip" in html
    assert "99_gone" in html


def test_an_empty_class(tmp_path):
    assert "No answer agrees with a known mistake" in page(tmp_path, [])
