"""A term rehearsed: twelve students, four weeks, and what happens in a term. The tables at its end are worked out by
hand; answers are judged here by whether they are the course's own, so that no sandbox is needed."""

import copy
import csv
import json
import shutil
from pathlib import Path

import pytest

import lmcourse
from lmcourse.exercises.registry import all_tasks
from lmcourse.grader import classroom, gradebook, page
from lmcourse.grader.classroom import Classroom, GradingError
from lmcourse.grader.grade import grade_class
from lmcourse.grader.marking import TaskResult
from lmcourse.grader.term import Term, read_term
from tests.grader.classes import ROOT, hand_in

pytest.importorskip("nbgrader", reason="nbgrader is not installed")
START, NGRAMS, EMBEDDINGS, BPE = NAMES = ("00_start_here", "01_ngrams", "02_embeddings", "07_bpe")
ADDED = "skip_votes"  # the exercise that 01_ngrams gets in the third week: 4 of its 45 points
STUDENTS = ("ada", "ben", "cleo", "dan", "eve", "fay", "gus", "hal", "ida", "jan", "kim", "leo")
IN_TIME = {START: "2026-11-01", NGRAMS: "2026-11-08", EMBEDDINGS: "2026-11-15", BPE: "2026-11-22"}
OTHER_WAY = "def cosine_similarity(x, y):\n    return 'in another way'\n"
TERM = """\
zone = "Europe/Berlin"
late = {{ free_days = 2, percent_per_day = 10 }}

[assignments.00_start_here]
due = 2026-11-02T23:59:00
points = {{ {points} }}

[assignments.01_ngrams]
due = 2026-11-09T23:59:00
extensions = {{ fay = 2 }}

[assignments.02_embeddings]
due = 2026-11-16T23:59:00
weight = 2

[assignments.07_bpe]
due = 2026-11-23T23:59:00
optional = ["Tokenizer"]
"""


class Rehearsal:
    """A course of four assignments, a class, and what they do in a week."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.patch, self.mended = folder, monkeypatch, False
        self.out, self.submitted, self.course = folder / "out", folder / "submitted", folder / "course"
        for part in ("exercises", "solutions"):
            for name in NAMES:
                shutil.copytree(ROOT / part / name, self.course / part / name)
        monkeypatch.setattr(classroom._Worker, "_judge", self._judge)
        self.out.mkdir()
        with gradebook.opened(self.out) as book:
            book.update_or_create_student("leo", first_name="Leo", last_name="Lund", email="leo@example.org")
            book.update_or_create_student("ada", first_name="Ada", last_name="Ames", lms_user_id="4711")

    def _judge(self, result, answers):
        worker = self.worker
        result.tasks = []
        for task in worker.page.tasks:
            source = answers.sources.get(task.name)
            right = source == worker.page.solution[task.name] or (self.mended and source == OTHER_WAY)
            points = worker.page.worth.get(task.name, task.points)
            result.tasks.append(
                TaskResult(task.name, points, points if right else 0, "marked", "right" if right else "no")
            )

    def without_the_added(self) -> None:
        """The course as it was before: neither in its library nor on its pages is the later exercise."""
        self.patch.setattr(page, "all_tasks", lambda name: [task for task in all_tasks(name) if task.name != ADDED])
        for path in self.course.glob(f"*/{NGRAMS}/{NGRAMS}.ipynb"):
            notebook = json.loads(path.read_text(encoding="utf-8"))
            notebook["cells"] = [cell for cell in notebook["cells"] if not cell["id"].startswith(f"{ADDED}-")]
            path.write_text(json.dumps(notebook), encoding="utf-8")

    def with_the_added(self) -> None:
        self.patch.setattr(page, "all_tasks", all_tasks)
        for part in ("exercises", "solutions"):
            shutil.copy(ROOT / part / NGRAMS / f"{NGRAMS}.ipynb", self.course / part / NGRAMS)

    def hands_in(self, student: str, name: str, *, time: str | None = None, of: str = "", **answers: str) -> None:
        """The course's own answers but for `answers`; `of`: those of another assignment."""
        of = of or name
        paths = (self.course / part / of / f"{of}.ipynb" for part in ("exercises", "solutions"))
        notebook, solved = (json.loads(path.read_text(encoding="utf-8")) for path in paths)
        sources = {cell["id"]: "".join(cell["source"]) for cell in solved["cells"]}
        notebook = copy.deepcopy(notebook)
        for cell in notebook["cells"]:
            if cell["id"].endswith("-answer"):
                cell["source"] = answers.get(cell["id"].removesuffix("-answer"), sources[cell["id"]])
        when = f"{IN_TIME[name]} 12:00 Europe/Berlin" if time is None else time
        hand_in(self.submitted, student, name, notebook, time=when)

    def grade(self, chapter: str | None = None, points: str = "") -> str:
        (self.out / "term.toml").write_text(TERM.format(points=points))
        said: list[str] = []
        grade_class(Classroom(self.submitted, self.out, self.course, chapter), tell=said.append, report=True)
        return "\n".join(said)

    def table(self, name: str) -> list[dict[str, str]]:
        with (self.out / name).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def feedback(self, student: str, name: str) -> str:
        return (self.out / "feedback" / student / name / f"{name}.html").read_text(encoding="utf-8")


@pytest.fixture
def term(tmp_path, monkeypatch) -> Rehearsal:
    rehearsal = Rehearsal(tmp_path, monkeypatch)
    judge = rehearsal._judge

    def judged(worker, result, answers):
        rehearsal.worker = worker
        judge(result, answers)

    monkeypatch.setattr(classroom._Worker, "_judge", judged)
    return rehearsal


def test_a_term(term):
    term.without_the_added()
    # the first week: ben is late, cleo hands in nothing, dan the wrong notebook, eve and ida have a mistake each
    for student in set(STUDENTS) - {"ben", "cleo", "dan", "eve", "ida", "leo"}:
        term.hands_in(student, START)
    term.hands_in("ben", START, time="2026-11-04 12:00 Europe/Berlin")
    term.hands_in("dan", START, of=NGRAMS)
    term.hands_in("eve", START, cosine_similarity=OTHER_WAY)
    term.hands_in("ida", START, lookup_rows="def lookup_rows(ids, table):\n    return table")
    term.grade("00")
    assert "this is the notebook of 01_ngrams, handed in as 00_start_here" in term.feedback("dan", START)

    # the second week: cosine_similarity gets 4 points for 2; gus gets points by hand; ida asks for a second look
    for student in set(STUDENTS) - {"ben", "fay", "gus", "leo"}:
        term.hands_in(student, NGRAMS)
    term.hands_in("ben", NGRAMS, time="2026-11-12 12:00 Europe/Berlin")
    term.hands_in("fay", NGRAMS, time="2026-11-11 12:00 Europe/Berlin")
    term.hands_in("gus", NGRAMS, mle_probability="def mle_probability(*_):\n    return 0")
    (term.submitted / "ida" / START / "regrade.txt").write_text("lookup_rows: the rows are all there\nnothing: x\n")
    assert "1 requests for a second look wait" in term.grade(points="cosine_similarity = 4")
    with gradebook.opened(term.out) as book:
        (notebook,) = book.find_submission(NGRAMS, "gus").notebooks
        next(grade for grade in notebook.grades if grade.name == "mle_probability-check").manual_score = 1.5
        next(one for one in notebook.comments if one.name == "mle_probability-answer").manual_comment = "nearly"
        book.db.commit()
    (row,) = term.table("regrades.csv")
    assert (row["student"], row["task"], row["request"]) == ("ida", "lookup_rows", "the rows are all there")
    text = (term.out / "regrades.csv").read_text(encoding="utf-8")
    (term.out / "regrades.csv").write_text(text.replace(",,\n", ",1,half of it\n"), encoding="utf-8")

    # the third week: 01_ngrams has a new exercise, which hal does; a case of cosine_similarity is mended
    term.with_the_added()
    term.mended = True
    term.patch.setattr(lmcourse, "__version__", "next")
    for student in set(STUDENTS) - {"jan", "leo"}:
        term.hands_in(student, EMBEDDINGS)
    term.hands_in("jan", EMBEDDINGS, time="some day")
    term.hands_in("hal", NGRAMS)
    term.grade(points="cosine_similarity = 4")
    assert [(row["student"], row["task"], row["before"], row["after"]) for row in term.table("changes.csv")] == [
        ("eve", "cosine_similarity", "0 of 4", "4 of 4")
    ]

    # the fourth week: kim leaves out what is optional; this run is of 07_bpe alone
    for student in set(STUDENTS) - {"kim", "leo"}:
        term.hands_in(student, BPE)
    term.hands_in("kim", BPE, Tokenizer="class Tokenizer:\n    pass")
    term.grade("07", points="cosine_similarity = 4")

    totals = {row["student"]: row for row in term.table("totals.csv")}
    shown = {student: [row[name] for name in (*NAMES, "percent", "free days left")] for student, row in totals.items()}
    # 00: 24 points, and 2 more for cosine_similarity. 01: 45, without skip_votes 41. 02: 33, twice. 07: 33, 10 on top.
    # All right: (1 + 1 + 2 * 1 + 43 / 33) / 5 = 106.06 %.
    right = ["26", "41", "33", "43", "106.1", "2"]
    assert shown == {
        **dict.fromkeys(("ada", "eve", "fay", "jan"), right),
        # 00 two begun days late, both free; 01 three, each a tenth of 41 points: 41 - 12.3; (1 + 0.7 + 2 + 43/33) / 5
        "ben": ["26", "28.7", "33", "43", "100.1", "0"],
        "cleo": ["", "41", "33", "43", "86.1", "2"],
        "dan": ["", "41", "33", "43", "86.1", "2"],
        "gus": ["26", "40.5", "33", "43", "105.8", "2"],  # 41 - 2 + 1.5 by hand: 0.5 / 41 / 5 = 0.24 % less
        "hal": ["26", "45", "33", "43", "106.1", "2"],
        "ida": ["25", "41", "33", "43", "105.3", "2"],  # lookup_rows: 1 of 2 after the second look; 1 / 26 / 5 = 0.77 %
        "kim": ["26", "41", "33", "33", "100.0", "2"],
        "leo": ["", "", "", "", "0.0", "2"],
    }
    grades = {(row["student"], row["assignment"]): row for row in term.table("grades.csv")}
    assert grades.keys() == {(student, name) for student in STUDENTS for name in NAMES}  # the whole class, always
    assert grades["ada", START]["why and notes"] == ""  # the course gave other points: nobody else changed them
    assert "did not ask for skip_votes" in grades["ada", NGRAMS]["why and notes"]
    assert (grades["ada", NGRAMS]["earned"], grades["ada", NGRAMS]["points"]) == ("41", "41")
    assert (grades["fay", NGRAMS]["late by s"], grades["ben", NGRAMS]["days late"]) == ("0", "3")
    assert (grades["hal", NGRAMS]["attempt"], grades["leo", NGRAMS]["status"]) == ("2", "absent")
    assert (grades["jan", EMBEDDINGS]["to look at"], grades["jan", EMBEDDINGS]["late by s"]) == ("1", "unknown")
    with gradebook.opened(term.out) as book:
        (notebook,) = book.find_submission(NGRAMS, "gus").notebooks
        assert {one.name: one.comment for one in notebook.comments}["mle_probability-answer"] == "nearly"
        assert book.find_assignment(START).max_score == 26

    told = term.feedback("ben", START)
    assert "handed in 2026-11-04 12:00 Europe/Berlin" in told
    assert "due 2026-11-02 23:59 Europe/Berlin" in told
    assert "2 of your free days are used for this." in told
    assert "12.3 points are taken off for 3 days late: 28.7 count." in term.feedback("ben", NGRAMS)
    assert "half of it (Your request: the rows are all there)" in term.feedback("ida", START)

    # what Canvas and Moodle read: all out of the same points
    with (term.out / "canvas.csv").open(encoding="utf-8", newline="") as file:
        header, possible, *rows = csv.reader(file)
    assert header == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *NAMES]
    assert possible == ["    Points Possible", "", "", "", "", "26", "45", "33", "33"]
    by_login = {row[3]: row for row in rows}
    assert by_login["ada"] == ["Ames, Ada", "4711", "", "ada", "", "26", "45", "33", "43"]
    assert by_login["ben"][5:] == ["26", "31.5", "33", "43"]  # 28.7 of 41 is 31.5 of 45
    assert by_login["leo"] == ["Lund, Leo", "", "", "leo", "", "", "", "", ""]
    leo = next(row for row in term.table("moodle.csv") if row["Username"] == "leo")
    assert (leo["Email address"], leo["First name"], leo["Last name"], leo[START]) == (
        "leo@example.org",
        "Leo",
        "Lund",
        "",
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("zone = 'Nowhere/Land'", '`zone` must be a zone such as "Europe/Berlin"'),
        ("zone = ", "is not TOML"),
        ("points = 3", "has `points`; known are assignments, late, zone"),
        ("late = { free_days = -1 }", "`late.free_days` must be a number from 0 on, got -1"),
        ("late = { free_days = true }", "`late.free_days` must be a number from 0 on, got True"),
        ("[assignments.x]\ndue = 'soon'", "`assignments.x.due` must be a time"),
        ("[assignments.x]\noptional = 'all'", "`assignments.x.optional` must be a list of tasks"),
        ("[assignments.x.points]\nsoftmax = '2'", "`assignments.x.points.softmax` must be a number"),
        ("assignments = 3", "`assignments` must be a table, got 3"),
    ],
)
def test_a_term_that_cannot_be_read_says_where(tmp_path, text, words):
    (tmp_path / "term.toml").write_text(text)
    with pytest.raises(ValueError, match=r"term\.toml") as caught:
        read_term(tmp_path / "term.toml")
    assert words in str(caught.value)


def test_a_term_for_an_exercise_that_is_not_there_is_refused(tmp_path):
    assert read_term(tmp_path / "term.toml") == Term()
    (tmp_path / "term.toml").write_text("[assignments.00_start_here]\npoints = { sofmax = 2 }\n")
    with pytest.raises(GradingError, match=r"`assignments.00_start_here` names sofmax; it has "):
        Classroom(tmp_path, tmp_path, ROOT).page(START)
