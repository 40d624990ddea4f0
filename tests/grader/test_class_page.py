"""The page about the whole class: who has done what, late, again, and the commonest mistakes."""

from datetime import UTC, datetime

from lmcourse.grader.class_page import write_class_page
from lmcourse.grader.marking import TaskResult
from lmcourse.grader.report import _discrimination
from lmcourse.grader.results import Result
from lmcourse.grader.term import Term


def result(student, *, assignment="00_start_here", status="marked", earned=2.0, slip="", handed_in="", attempt=1):
    task = TaskResult(task="softmax", points=2, earned=earned, status="marked", reason="", slip=slip)
    tasks = [] if status in ("absent", "ungradable") else [task]
    return Result(student, assignment, status, tasks=tasks, points=2, handed_in=handed_in, attempt=attempt, seconds=1.5)


def page(tmp_path, results, due=None):
    write_class_page(tmp_path / "class.html", results, due or {}, Term())
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


def test_how_points_are_spread_and_who_may_be_stuck(tmp_path):
    first, second = "00_start_here", "01_ngrams"
    points = {"ada": (2.0, 2.0), "ben": (0.5, 0.0), "cleo": (0.0, 1.0), "dana": (2.0, 0.5)}
    results = [
        result(name, assignment=assignment, earned=earned)
        for name, both in points.items()
        for assignment, earned in zip((first, second), both, strict=True)
    ]
    html = page(tmp_path, [*results, result("eve", assignment=first, earned=0.0)])
    # of 2 points: 2, 0.5, 0, 2, 0 is 100, 25, 0, 100, 0 %: the median is 25 %, two are in the first fifth and the last
    assert '<td class="n">45%</td><td class="n">25%</td>' in html
    assert "more than four fifths: 2, 1, 0, 0, 2 students" in html
    stuck = html[html.index("Who may be stuck") :]
    assert "<li>ben <small>00_start_here: 0.5 of 2, 01_ngrams: 0 of 2</small></li>" in stuck
    assert "<li>eve <small>00_start_here: 0 of 2, 01_ngrams: nothing</small></li>" in stuck
    assert stuck.count("<li>") == 2


def test_a_task_that_tells_who_can_do_the_rest():
    def of(easy, hard, odd):
        made = {"easy": easy, "hard": hard, "odd": odd}
        return Result("x", "00", "marked", tasks=[TaskResult(name, 2, made[name], "marked", "") for name in made])

    marked = [of(2, 2, 0), of(2, 2, 0), of(2, 0, 2), of(2, 0, 2)]
    assert _discrimination("easy", marked) is None  # all have it
    assert round(_discrimination("odd", marked), 6) == -1.0
    assert _discrimination("hard", marked[:1]) is None
