"""What people read of a marked class, and the grade book. No sandbox is needed here: the results are made up."""

import copy
import csv
import re
from datetime import UTC, datetime
from pathlib import Path

import nbformat
import pytest

from lmcourse.grader import gradebook, publishing, report
from lmcourse.grader.classroom import Classroom, GradingError
from lmcourse.grader.marking import TaskResult
from lmcourse.grader.page import load_page
from lmcourse.grader.publishing import feedback, publish
from lmcourse.grader.results import Result, Store, late_by, mark_rows, write_table
from lmcourse.grader.submissions import Submission, find_submissions, parse_time, read_answers
from lmcourse.grader.tables import GRADES, grade_rows
from lmcourse.grader.term import Term, standings
from tests.grader.classes import ROOT, answered, hand_in, points_of, solutions

CHAPTER = "00_start_here"
POINTS = points_of(CHAPTER)
DUE = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def page():
    return load_page(ROOT, CHAPTER)


def result_of(page, student: str, *, wrong: dict[str, tuple[str, str, str]] | None = None, **parts) -> Result:
    """A result in which all tasks are right but for `wrong`: task -> (status, reason, slip)."""
    tasks = []
    for task in page.tasks:
        status, reason, slip = (wrong or {}).get(task.name, ("marked", "right", ""))
        earned = task.points if reason == "right" else 0
        tasks.append(TaskResult(task.name, task.points, earned, status, reason, slip, 0.25))
    given = {"status": "marked", "points": POINTS, "handed_in": "2026-11-20T10:00:00+00:00", "answers": page.solution}
    return Result(student, page.name, tasks=tasks, **(given | parts))


def page_of(page, result: Result, due: datetime | None = None) -> str:
    (standing,) = standings(Term(), [result], {page.name: due} if due else {})
    return feedback(page, standing, due, Term())


@pytest.fixture
def room(tmp_path) -> Classroom:
    hand_in(tmp_path / "submitted", "ada", CHAPTER, answered(CHAPTER, {}))
    (tmp_path / "out" / "state" / CHAPTER).mkdir(parents=True)
    return Classroom(tmp_path / "submitted", tmp_path / "out", ROOT)


def test_a_result_survives_the_disk_and_damage_is_not_believed(page, tmp_path):
    submission = Submission("Zoë 李 / x", CHAPTER, tmp_path)
    store, result = Store(tmp_path), result_of(page, "Zoë 李 / x", notes=["odd \x00 \ud7ff"])
    assert store.read(submission) is None
    store.write(submission, result)
    assert store.read(submission) == result
    assert store.path(submission).parent == tmp_path / CHAPTER
    for damage in (
        "[" * 100_000,
        "",
        "{",
        "[]",
        '{"tasks": 7}',
        '{"tasks": [{"x": 1}]}',
        '{"tasks": [], "student": "x", "bad": 1}',
    ):
        store.path(submission).write_text(damage)
        assert store.read(submission) is None


def test_names_of_files_are_plain_and_belong_to_one_student():
    names = ["ann", "Ann", "..", ".", "a/b", "a%2Fb", "Zoë", "n" * 300, "n" * 301, "\u202e", "-rf", "con"]
    keys = [Submission(name, CHAPTER, None).key for name in names]
    assert len(set(keys)) == len(names)
    assert all(len(key) <= 100 and key.isascii() and "/" not in key for key in keys)


def test_late_is_counted_from_the_due_date():
    one = Result("ada", CHAPTER, "marked", handed_in="2026-11-20T10:00:00+00:00")
    assert late_by(one, DUE) == 3600
    assert late_by(one, None) == late_by(Result("ada", CHAPTER, "absent"), DUE) == 0
    assert late_by(Result("ada", CHAPTER, "marked"), DUE) is None
    assert late_by(one, datetime(2026, 11, 21, tzinfo=UTC)) == 0


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        ("2026-11-20 10:00:00.123456 UTC", 10),
        ("2026-11-20 10:00 Europe/Berlin", 9),
        ("2026-11-20 10:00", 10),
        ("2026-11-20T10:00:00+02:00", 8),
        ("2026-11-20 10:00:00 Nowhere/Land", None),
        ("2026-11-20 10:00:00 America", None),  # a folder of the zone data
        ("../../etc/passwd ../x", None),
        ("", None),
        ("soon", None),
        ("9999999999", None),
    ],
)
def test_times_as_people_and_nbgrader_write_them(text, hour):
    time = parse_time(text)
    assert (time and time.hour) == hour


def test_a_table_is_no_formula(tmp_path):
    results = [Result("=1+1", CHAPTER, "ungradable", "@why"), Result("+x", CHAPTER, "absent")]
    rows = grade_rows(standings(Term(), results, {}))
    write_table(tmp_path / "t.csv", GRADES, rows)
    text = (tmp_path / "t.csv").read_text()
    assert "'=1+1" in text
    assert "'@why" in text
    assert "'+x" in text
    for text, shown in (
        ("x;=1+1", "x;'=1+1"),  # where the list separator is a semicolon
        ("\uff1d1+1", "'\uff1d1+1"),
        ("\n=1+1", "'\n'=1+1"),
        (" =1+1", "' =1+1"),
        ("a = b; c > d - e", "a = b; c > d - e"),
    ):
        write_table(tmp_path / "t.csv", ["why"], [{"why": text}])
        (_, *rest) = csv.reader((tmp_path / "t.csv").open(newline="", encoding="utf-8"))
        assert rest == [[shown]]


def test_a_page_says_what_is_right_what_is_not_and_what_is_open(page):
    wrong = {
        "softmax": ("marked", "The formula <b>overflows</b>.", "no_shift"),
        "lookup_rows": ("timeout", "This answer was stopped.", ""),
    }
    one = result_of(page, "<script>x</script>", wrong=wrong, status="look", attempt=2)
    one.earlier = [{"earned": 3, "points": POINTS, "status": "marked", "handed_in": ""}]
    text = page_of(page, one, DUE)
    assert f"{POINTS - 4} of {POINTS} points" in text
    assert "1.0 hours late" in text
    assert "&lt;b&gt;overflows" in text
    assert "<script>" not in text
    assert "Your teacher looks again at" in text
    assert f"3 of {POINTS}" in text
    assert "This is not a mark of zero" in page_of(page, Result("x", CHAPTER, "ungradable", "why"))
    assert "Nothing was handed in" in page_of(page, Result("x", CHAPTER, "absent"))


def test_the_rebuilt_notebook_is_the_courses_own_but_for_the_answers(page):
    answers = {"softmax": "def softmax(x): return 7"}
    rebuilt = page.rebuilt(answers, {}, {"softmax": "0 of 2 points (marked)\nno"})
    nbformat.validate(rebuilt)
    for ours, given in zip(rebuilt.cells, page.notebook.cells, strict=True):
        if ours.id == "softmax-answer":
            assert ours.source == answers["softmax"]
        else:
            assert ours.source == given.source
        assert ours.metadata == given.metadata
        if ours.id == "softmax-check":
            assert "0 of 2" in ours.outputs[0].text


def with_a_question(page):
    """The page with a question that only a person can mark."""
    cell = nbformat.v4.new_markdown_cell("Write here.", id="essay")
    cell.metadata["nbgrader"] = {
        **{"grade": True, "solution": True, "locked": False, "task": False},
        **{"grade_id": "essay", "points": 6, "schema_version": 3},
    }
    changed = copy.deepcopy(page)
    changed.notebook.cells.append(cell)
    return changed


def test_questions_for_a_person_are_taken_along_and_not_marked(page):
    asked = with_a_question(page)
    assert asked.manual == {"essay": 6.0}
    notebook = answered(CHAPTER, solutions(CHAPTER))
    essay = {"cell_type": "markdown", "source": "I <3 softmax", "metadata": {"nbgrader": {"grade_id": "essay"}}}
    notebook["cells"].append(essay)
    import json

    answers = read_answers(json.dumps(notebook).encode(), asked)
    assert answers.manual == {"essay": "I <3 softmax"}
    assert asked.rebuilt(answers.sources, answers.manual, {}).cells[-1].source == "```text\nI <3 softmax\n```"
    assert not any(
        "essay" in cell.source or "<3" in cell.source for cell in asked.cells(answers.sources, answers.sources)
    )


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "a <img src=x onerror=alert(1)>",
        "```\n<script>alert(1)</script>\n````\n<script>alert(2)</script>",
        "[a](javascript:alert(1)) <javascript:alert(1)> ![b](javascript:alert(1))",
        "$$<img src=x onerror=alert(1)>$$",
    ],
)
def test_what_is_written_for_a_person_runs_nothing_in_the_persons_browser(page, text):
    exporter = pytest.importorskip("nbconvert", reason="nbconvert is not installed").HTMLExporter(template_name="basic")
    asked = with_a_question(page)
    asked.notebook.cells = asked.notebook.cells[-1:]
    shown, _ = exporter.from_notebook_node(asked.rebuilt({}, {"essay": text}, {}))
    assert not re.search(r"<(script|img|iframe|a href)\b", shown)
    assert "alert(1)" in shown


@pytest.fixture
def book(tmp_path):
    pytest.importorskip("nbgrader", reason="nbgrader is not installed")
    with gradebook.opened(tmp_path) as opened:
        yield opened


def test_the_grade_book_keeps_apart_zero_open_and_a_persons_marks(page, book, tmp_path):
    asked = with_a_question(page)
    gradebook.set_up(book, asked, DUE, tmp_path / "kept")
    wrong = {"softmax": ("marked", "no", ""), "lookup_rows": ("timeout", "stopped", "")}
    one = result_of(asked, "ada", wrong=wrong)
    gradebook.enter(book, asked, one, "ada")

    def grades():
        (notebook,) = book.find_submission(CHAPTER, "ada").notebooks
        return {grade.name: grade for grade in notebook.grades}

    assert (grades()["softmax-check"].auto_score, grades()["softmax-check"].needs_manual_grade) == (0.0, False)
    assert (grades()["lookup_rows-check"].auto_score, grades()["lookup_rows-check"].needs_manual_grade) == (None, True)
    assert (grades()["essay"].auto_score, grades()["essay"].needs_manual_grade) == (None, True)
    submission = book.find_submission(CHAPTER, "ada")
    assert (submission.score, submission.max_score, submission.total_seconds_late) == (POINTS - 4, POINTS + 6, 3600)
    grades()["essay"].manual_score = 5
    grades()["lookup_rows-check"].manual_score = 1
    book.db.commit()
    gradebook.set_up(book, asked, None, tmp_path / "kept")
    gradebook.enter(book, asked, result_of(asked, "ada"), "ada")
    assert grades()["essay"].manual_score == 5
    assert grades()["lookup_rows-check"].score == 1
    assert grades()["lookup_rows-check"].needs_manual_grade, "the automatic score has changed since: look again"
    assert book.find_submission(CHAPTER, "ada").score == POINTS - 2 + 1 + 5
    assert gradebook.due_dates(book)[CHAPTER] == DUE


def test_the_parts_of_a_project_are_in_the_grade_book_the_feedback_and_the_tables(book, tmp_path):
    """The grade book keeps the points of one project as one score, with a reason for each property."""
    page = load_page(ROOT, "05_self_attention")
    reason = "Right: layers (1 point), attention (2 points).\nheads (2 points): All of the width went into one head."
    tasks = [TaskResult(task.name, task.points, task.points, "marked", "right") for task in page.tasks[:-1]]
    tasks.append(TaskResult("SelfAttention", 10, 3, "marked", reason, "heads_not_split"))
    points = sum(task.points for task in page.tasks)
    one = Result("ada", page.name, "marked", tasks=tasks, points=points, answers=page.solution)
    gradebook.set_up(book, page, None, tmp_path / "kept")
    gradebook.enter(book, page, one, "ada")
    submission = book.find_submission(page.name, "ada")
    grades = {grade.name: grade for grade in submission.notebooks[0].grades}
    assert (grades["SelfAttention-check"].auto_score, grades["SelfAttention-check"].max_score) == (3.0, 10.0)
    assert not grades["SelfAttention-check"].needs_manual_grade
    comments = {comment.name: comment.auto_comment for comment in submission.notebooks[0].comments}
    assert comments["SelfAttention-answer"] == reason
    assert (submission.score, submission.max_score) == (points - 7, points)
    text = page_of(page, one)
    assert "3 of 10" in text
    assert f"{points - 7} of {points} points" in text
    assert reason in text
    (row,) = [row for row in mark_rows([one]) if row["task"] == "SelfAttention"]
    assert (row["earned"], row["points"], row["reason"]) == ("3", 10, reason)


def test_marks_given_by_hand_stay_when_the_page_gets_other_cells(page, book, tmp_path):
    gradebook.set_up(book, page, DUE, tmp_path / "kept")
    gradebook.enter(book, page, result_of(page, "ada", wrong={"softmax": ("marked", "no", "")}), "ada")
    (notebook,) = book.find_submission(CHAPTER, "ada").notebooks
    next(grade for grade in notebook.grades if grade.name == "softmax-check").manual_score = 1.5
    next(comment for comment in notebook.comments if comment.name == "softmax-answer").manual_comment = "nearly"
    book.db.commit()
    asked = with_a_question(page)
    gradebook.set_up(book, asked, None, tmp_path / "kept")
    submission = book.find_submission(CHAPTER, "ada")
    (notebook,) = submission.notebooks
    assert (submission.score, submission.max_score) == (POINTS - 0.5, POINTS + 6)
    assert {comment.name: comment.comment for comment in notebook.comments}["softmax-answer"] == "nearly"
    assert {grade.name for grade in notebook.grades} >= {"essay"}
    assert gradebook.due_dates(book)[CHAPTER] == DUE
    assert gradebook.given_by_hand(book) == {(CHAPTER, "ada"): {"softmax-check": 1.5}}
    assert not (tmp_path / "kept").exists()


def test_a_grade_book_whose_change_was_broken_off_is_brought_to_its_end(page, book, tmp_path, monkeypatch):
    gradebook.set_up(book, page, DUE, tmp_path / "kept")
    gradebook.enter(book, page, result_of(page, "ada"), "ada")

    def killed(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(gradebook, "_enter_again", killed)
    with pytest.raises(KeyboardInterrupt):
        gradebook.set_up(book, with_a_question(page), None, tmp_path / "kept")
    assert not book.assignment_submissions(CHAPTER)
    monkeypatch.undo()
    gradebook.set_up(book, with_a_question(page), None, tmp_path / "kept")
    assert book.find_submission(CHAPTER, "ada").score == POINTS


def test_a_damaged_grade_book_is_said(tmp_path):
    pytest.importorskip("nbgrader", reason="nbgrader is not installed")
    (tmp_path / gradebook.NAME).write_bytes(b"this is no database " * 99)
    with pytest.raises(gradebook.GradebookError, match="cannot be used"), gradebook.opened(tmp_path):
        pass


def test_a_grade_book_that_cannot_be_used_costs_nobody_the_tables(page, room):
    pytest.importorskip("nbgrader", reason="nbgrader is not installed")
    (room.out / gradebook.NAME).write_bytes(b"this is no database " * 99)
    with pytest.raises(GradingError, match="Every mark is kept"):
        publish(room, [result_of(page, "ada")], {}, lambda _: None)
    assert f"ada,marked,{POINTS},{POINTS}" in (room.out / "grades.csv").read_text()
    assert "ada,softmax,2,2" in (room.out / "marks.csv").read_text()


def test_a_new_grade_book_reads_nothing_of_the_working_folder(tmp_path, monkeypatch):
    pytest.importorskip("nbgrader", reason="nbgrader is not installed")
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "pyproject.toml").write_text("[tool.alembic\n")  # alembic would stumble over it, or obey it
    monkeypatch.chdir(tmp_path / "here")
    with gradebook.opened(tmp_path) as book:
        assert not book.assignments
    assert Path.cwd() == tmp_path / "here"


def test_html_in_a_message_or_a_name_is_text_for_nbgrader(page, book, tmp_path):
    gradebook.set_up(book, page, None, tmp_path / "kept")
    wrong = {"softmax": ("marked", "ValueError: <img src=x onerror=alert(1)> </textarea><!-- 1 < 2", "")}
    gradebook.enter(book, page, result_of(page, "ada", wrong=wrong), "ada")
    (notebook,) = book.find_submission(CHAPTER, "ada").notebooks
    comment = next(one.comment for one in notebook.comments if one.name == "softmax-answer")
    assert comment == "ValueError: &lt;img src=x onerror=alert(1)> &lt;/textarea>&lt;!-- 1 < 2"
    for name in ("<b>ann", 'ann"', "ann&co", "o'hara"):
        assert not {*"<>&\"'"} & {*publishing.folder_name(name)}


def test_publishing_twice_writes_once_and_without_nbgrader_says_so(page, room, monkeypatch):
    monkeypatch.setattr(gradebook, "has_nbgrader", lambda: False)
    results, told = [result_of(page, "ada"), Result("bob", CHAPTER, "absent", points=POINTS)], []
    publish(room, results, {CHAPTER: DUE}, told.append)
    assert "no grade book was written" in told[0]
    written = {path: path.stat().st_mtime_ns for path in room.out.rglob("*") if path.suffix in (".html", ".ipynb")}
    assert len(written) == 3
    publish(room, results, {CHAPTER: DUE}, told.append)
    assert {path: path.stat().st_mtime_ns for path in written} == written
    results[0].notes.append("new")
    publish(room, results, {CHAPTER: DUE}, told.append)
    assert {path: path.stat().st_mtime_ns for path in written} != written
    assert f"ada,marked,{POINTS},{POINTS}" in (room.out / "grades.csv").read_text()


def test_the_report_counts_and_ranks(page, tmp_path):
    slip = {"softmax": ("marked", "x", "no_shift")}
    other = {"softmax": ("marked", "x", "not_normalised"), "lookup_rows": ("memory", "x", "")}
    other |= {"cosine_similarity": ("marked", "x", "dot_product")}
    results = [result_of(page, f"s{n}", wrong=slip if n < 3 else other if n < 4 else None) for n in range(7)]
    results.append(Result("lost", CHAPTER, "ungradable", "not JSON"))
    rows = {one.task: one for one in report.report_on(page, results)}
    assert dict(rows["softmax"].counts) == {"known slip": 4, "right": 3}
    assert [(one.name, seen) for one, seen in rows["softmax"].slips] == [("no_shift", 3), ("not_normalised", 1)]
    assert (rows["lookup_rows"].counts["to look at"], rows["lookup_rows"].submissions) == (1, 7)
    assert rows["softmax"].share_right == pytest.approx(3 / 7)
    text = report.write_report(tmp_path, page, results)
    assert "Hardest: softmax, right in 43% of 7 submissions" in text
    assert "3 x no_shift; 1 x not_normalised" in text
    html = (tmp_path / f"{CHAPTER}.html").read_text()
    assert html.index("exp(1000)") < html.index("not divided by their sum")
    assert html.index("exp(1000)") < html.index("These are the dot products"), "the commonest first, whatever the task"
    assert "lost: not JSON" in html
    assert "No submission was marked" in report.write_report(tmp_path, page, [])


def test_find_submissions_lists_everybody_for_every_assignment(tmp_path):
    hand_in(tmp_path, "b", "00_start_here", "{}")
    hand_in(tmp_path, "a", "01_ngrams", "{}")
    (tmp_path / ".ipynb_checkpoints").mkdir()
    (tmp_path / "notes.txt").touch()
    found = [(one.assignment, one.student, one.folder is not None) for one in find_submissions(tmp_path)]
    assert found == [
        *[("00_start_here", "a", False), ("00_start_here", "b", True)],
        *[("01_ngrams", "a", True), ("01_ngrams", "b", False)],
    ]
    assert {one.assignment for one in find_submissions(tmp_path, "01")} == {"01_ngrams"}
    assert find_submissions(tmp_path, "9") == []


def test_a_page_and_tasks_that_do_not_belong_together_are_refused(monkeypatch):
    with pytest.raises(ValueError, match="has no assignment '77_dreams'"):
        load_page(ROOT, "77_dreams")
    monkeypatch.setattr("lmcourse.grader.page.all_tasks", lambda name: [])
    with pytest.raises(ValueError, match="do not belong together"):
        load_page(ROOT, CHAPTER)


def test_cells_run_in_the_pages_order_and_no_further_than_asked(page):
    cells = page.cells(page.solution, ["cosine_similarity"])
    assert [cell.task for cell in cells] == ["", "phrase_matrix", "cosine_similarity"]
    assert [cell.asked for cell in cells[1:]] == [False, True]
    assert page.cells(page.solution, []) == []


def test_folder_names_fit_a_disk():
    assert publishing.folder_name("Zoë") == "Zoë"
    assert len(publishing.folder_name("李" * 80).encode()) <= 200
    assert Path(publishing.folder_name("李" * 80)).name == publishing.folder_name("李" * 80)
