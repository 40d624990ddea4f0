"""A class of attackers, marked in one run: nobody gains a point, harms a file, or stops the others."""

import copy
import csv
import hashlib
import os
import socket
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

import lmcourse
from lmcourse.grader.classroom import Classroom
from lmcourse.grader.grade import grade_class
from lmcourse.grader.results import Result
from lmcourse.grader.sandbox import Limits
from lmcourse.grader.submissions import shown
from lmcourse.grader.weaker import NAME, missing_weaker
from tests.grader.classes import MAKE_PROCESSES, ROOT, answered, exercise, hand_in, needs_sandbox, points_of, solutions
from tests.hostile.attacks import ATTACKS, SAMPLE

pytestmark = needs_sandbox

CHAPTER = "00_start_here"
FIRST, POINTS, FIRST_POINTS = "phrase_matrix", points_of("00_start_here"), 2
LIMITS = Limits(task_s=5, total_s=100, memory=600_000_000)


def _digests(*folders: Path) -> dict[str, str]:
    """Every file under the folders, with what is in it."""
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest()
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink() and "__pycache__" not in path.parts
    }


def _mark_attackers(
    home: Path, attackers: Iterable[str], *, lists: bool = False, weaker: bool = False
) -> tuple[dict[str, Result], Path]:
    """Mark a class of them; without `lists`, what they name and call is refused by nothing but the sandbox's walls."""
    with pytest.MonkeyPatch.context() as patch:
        if not lists:
            patch.setattr("lmcourse.grader.marking.NAMES_LISTED", False)
        if not (lists or weaker):
            patch.setattr("lmcourse.grader.sandbox.ALSO_CALLED", MAKE_PROCESSES)
        return _marked_attackers(home, attackers, weaker=weaker)


def _marked_attackers(home: Path, attackers: Iterable[str], *, weaker: bool) -> tuple[dict[str, Result], Path]:
    submissions, out, marker = home / "submitted", home / "out", home / "marker"
    right = solutions(CHAPTER)
    with socket.create_server(("127.0.0.1", 0)) as server:
        names = {"course": ROOT, "library": Path(lmcourse.__file__).parent, "out": out, "submissions": submissions}
        names |= {"marker": marker, "port": server.getsockname()[1]}
        for name in attackers:
            code = ATTACKS[name][0]
            for place, value in names.items():
                code = code.replace("{" + place + "}", str(value))
            hand_in(submissions, name, CHAPTER, answered(CHAPTER, right | {FIRST: code}))
        hand_in(submissions, "honest", CHAPTER, answered(CHAPTER, right))
        hand_in(submissions, "zz last", CHAPTER, answered(CHAPTER, right))
        hand_in(submissions, "empty", CHAPTER, exercise(CHAPTER))
        watched = (submissions, ROOT / "solutions", ROOT / "exercises", Path(lmcourse.__file__).parent)
        before = _digests(*watched)
        room = Classroom(submissions, out, ROOT, jobs=2, limits=LIMITS, weaker=weaker)
        results = grade_class(room, tell=lambda _: None)
        assert _digests(*watched) == before, "a file was changed"
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()
    assert not marker.exists()
    return {result.student: result for result in results}, out


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Result], Path]:
    return _mark_attackers(tmp_path_factory.mktemp("hostile"), SAMPLE)


@pytest.mark.slow
@pytest.mark.parametrize("how", [{"lists": True}, {"lists": False}, {"weaker": True}], ids=str)
def test_every_attack_of_the_collection(how, tmp_path) -> None:
    if how.get("weaker") and (why := missing_weaker()):
        pytest.skip(f"no weaker sandbox on this machine: {why}")
    results, _ = _mark_attackers(tmp_path, ATTACKS, **how)
    for name in ATTACKS:
        _check_attack(name, results)
    _check_honest(results, notes=[f"marked in {NAME}"] if "weaker" in how else [])


def _check_attack(name: str, results: dict[str, Result]) -> None:
    by_task = {task.task: task for task in results[name].tasks}
    attack = by_task.pop(FIRST)
    assert attack.earned == 0, name
    allowed = ATTACKS[name][1]
    if attack.reason.startswith("The answer cell uses "):
        allowed = {"violated"}
    assert allowed is None or attack.status in allowed, (name, attack.status, attack.reason)
    assert "LOOT" not in attack.reason, name
    assert attack.reason, name
    assert attack.reason != "right", name
    for task in by_task.values():
        assert task.earned == task.points, f"{name}: {task.task}, an honest answer, lost its points: {task.reason}"
    if attack.status != "marked":
        assert results[name].status == "look", name


def _check_honest(results: dict[str, Result], notes: Sequence[str] = ()) -> None:
    for student in ("honest", "zz last"):
        assert (results[student].status, results[student].earned) == ("marked", POINTS)
        assert results[student].notes == list(notes)
    assert (results["empty"].status, results["empty"].earned) == ("marked", 0)


@pytest.mark.parametrize("name", SAMPLE)
def test_an_attack_gains_nothing_and_is_told_apart_from_an_honest_zero(name, marked) -> None:
    _check_attack(name, marked[0])


def test_the_honest_keep_their_points_before_and_after(marked) -> None:
    _check_honest(marked[0])


def test_nobody_is_left_running(marked) -> None:
    time.sleep(0.3)
    mine = [path for path in Path("/proc").glob("[0-9]*") if _is_ours(path)]
    assert not mine


def _is_ours(process: Path) -> bool:
    try:
        return b"lmcourse.grader.inside" in (process / "cmdline").read_bytes() and _child_of_this(process)
    except OSError:
        return False


def _child_of_this(process: Path) -> bool:
    number = int(process.name)
    while number > 1:
        if number == os.getpid():
            return True
        number = int((Path("/proc") / str(number) / "stat").read_text().rpartition(")")[2].split()[1])
    return False


def test_the_table_and_the_pages_hold_what_was_found(marked) -> None:
    results, out = marked
    with (out / "grades.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["student"]: float(row["earned"]) for row in rows} == {name: one.earned for name, one in results.items()}
    page = (out / "feedback" / "error_with_a_terrible_name" / CHAPTER / f"{CHAPTER}.html").read_text()
    assert "<script>" not in page
    assert "\x1b" not in page


# ------------------------------------------------------------------------------------- notebooks that are no notebooks


def _with_cells(change) -> dict:
    notebook = answered(CHAPTER, solutions(CHAPTER))
    change(notebook)
    return notebook


def _cell(notebook: dict, label: str) -> dict:
    return next(cell for cell in notebook["cells"] if cell["id"] == label)


def _tags(notebook: dict) -> None:
    for cell in notebook["cells"]:
        cell["metadata"]["tags"] = ["skip-execution", "raises-exception", "remove-cell", "hide"]
    _cell(notebook, "softmax-answer")["source"] = "def softmax(scores, banned): return scores"


def _points(notebook: dict) -> None:
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            cell["metadata"]["nbgrader"]["points"] = 1000
            cell["source"] = "pass"
    _cell(notebook, "softmax-answer")["source"] = "def softmax(scores, banned): return scores"


def _removed(notebook: dict) -> None:
    notebook["cells"] = [cell for cell in notebook["cells"] if not cell["id"].startswith("softmax")]


def _doubled(notebook: dict) -> None:
    place = notebook["cells"].index(_cell(notebook, "softmax-answer"))
    wrong = copy.deepcopy(notebook["cells"][place])
    wrong["source"] = "def softmax(scores, banned): return scores"
    notebook["cells"].insert(place, wrong)


def _renamed(notebook: dict) -> None:
    cell = _cell(notebook, "softmax-answer")
    cell["metadata"]["nbgrader"]["grade_id"] = cell["id"] = "phrase_matrix-answer"


def _moved(notebook: dict) -> None:
    notebook["cells"].reverse()


def _stripped(notebook: dict) -> None:
    for number, cell in enumerate(notebook["cells"]):
        cell["metadata"], cell["id"] = {}, f"cell-{number}"


def _other_kernel(notebook: dict) -> None:
    notebook["metadata"] = {"kernelspec": {"name": "ir", "language": "R", "display_name": "R"}}


def _turned_to_text(notebook: dict) -> None:
    _cell(notebook, "softmax-answer")["cell_type"] = "markdown"


def _newer(notebook: dict) -> None:
    cell = {
        "cell_type": "code",
        "source": "def future(): return 1",
        "metadata": {"nbgrader": {"grade_id": "future-answer"}},
    }
    notebook["cells"].append(cell)


def _deep_points(notebook: dict) -> None:
    deep: list = []
    for _ in range(500):
        deep = [deep]
    _cell(notebook, "softmax-check")["metadata"]["nbgrader"]["points"] = deep


def _own_cells(notebook: dict) -> None:
    helper = {
        "cell_type": "code",
        "id": "mine",
        "metadata": {},
        "source": "def helper(x):\n    return x",
        "outputs": [],
    }
    notebook["cells"].insert(0, helper)
    _cell(notebook, "softmax-answer")["source"] = "def softmax(scores, banned):\n    return helper(scores)"


CHANGED = {  # what was done -> (points that are left, tasks with no mark, words of the notes or reasons)
    "tags": (_tags, POINTS - 2, (), ""),
    "points": (_points, POINTS - 2, (), "number of points of phrase_matrix-check"),
    "deep points": (_deep_points, POINTS, (), "number of points of softmax-check"),
    "newer course": (_newer, POINTS, (), f"it answers tasks that {CHAPTER} does not have (future)"),
    "removed": (_removed, POINTS - 2, ("softmax",), "answer cell is missing"),
    "doubled": (_doubled, POINTS, (), "its answer is in 2 cells, run in their order"),
    "renamed": (_renamed, POINTS, (), "found by the function that it defines"),
    "moved": (_moved, POINTS, (), ""),
    "stripped": (_stripped, POINTS, (), "found by the function that it defines"),
    "turned to text": (_turned_to_text, POINTS - 2, ("softmax",), "no code cell any more"),
    "own cells": (_own_cells, POINTS - 2, (), "helper is made in a cell of your own"),
    "Zoë 李 ‮evil '\"=cmd|x": (lambda _: None, POINTS, (), ""),
    "..%2F..%2Fetc": (lambda _: None, POINTS, (), ""),
    "-rf": (lambda _: None, POINTS, (), ""),
    "=HYPERLINK(1)": (lambda _: None, POINTS, (), ""),
    "n" * 250: (lambda _: None, POINTS, (), ""),
    os.fsdecode(b"no utf-8 \xff"): (lambda _: None, POINTS, (), ""),
}

BROKEN = {  # content -> words of the reason
    "empty file": (b"", "is empty"),
    "not json": (b"{cells: [", "not JSON"),
    "not utf-8": (b"\xff\xfe\x00\x00", "not text in UTF-8"),
    "json but no notebook": (b"[1, 2]", "no notebook"),
    "number": (b"1", "no notebook"),
    "deep": (b"[" * 200_000, "not JSON"),
    "format 3": (b'{"nbformat": 3, "worksheets": []}', "format is 3"),
    "no cells": (b'{"nbformat": 4, "cells": 7}', "no cells"),
    "no answers": (b'{"nbformat": 4, "cells": [1, {}, {"cell_type": "code", "source": 3}]}', ""),
    "many cells": (b'{"nbformat": 4, "cells": [' + b"{}," * 5000 + b"{}]}", "5,001 cells; 5,000 are allowed"),
    "huge": (b'{"nbformat": 4, "cells": "' + b"x" * 26_000_000 + b'"}', "26 MB; 25 are allowed"),
}


# No assignments of the course: names that the marking uses itself, that fit no file of its own, that are no text.
ODD_ASSIGNMENTS = (
    "77_dreams",
    "seed",
    "lock",
    "00_start_here ",
    "n" * 255,
    "two\nlines",
    os.fsdecode(b"\xff" * 250),
)


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Result], Path, list[str]]:
    home = tmp_path_factory.mktemp("changed")
    submissions, out = home / "submitted", home / "out"
    for name, (change, *_) in CHANGED.items():
        hand_in(submissions, name, CHAPTER, _with_cells(change))
    for name, (content, _) in BROKEN.items():
        hand_in(submissions, name, CHAPTER, content)
    hand_in(submissions, "other kernel", CHAPTER, _with_cells(_other_kernel))
    right = hand_in(submissions, "honest", CHAPTER, answered(CHAPTER, solutions(CHAPTER)))
    linked = hand_in(submissions, "linked notebook", CHAPTER, "")
    linked.unlink()
    linked.symlink_to(right)
    (submissions / "linked folder").mkdir()
    (submissions / "linked folder" / CHAPTER).symlink_to(right.parent)
    (submissions / "linked student").symlink_to(right.parent.parent)
    (submissions / "folder only" / CHAPTER).mkdir(parents=True)
    (submissions / "nothing").mkdir()
    (hand_in(submissions, "folder as notebook", "x", "").parent.parent / CHAPTER / f"{CHAPTER}.ipynb").mkdir(
        parents=True
    )
    pipe = hand_in(submissions, "pipe", CHAPTER, "")
    pipe.unlink()
    os.mkfifo(pipe)
    misnamed = hand_in(submissions, "misnamed", CHAPTER, answered(CHAPTER, {}))
    misnamed.rename(misnamed.with_name("my answers.ipynb"))
    for name in ODD_ASSIGNMENTS:
        folder = submissions / "unknown assignment" / name
        folder.mkdir(parents=True)
        (folder / "page.ipynb").write_text("{}")
    told: list[str] = []
    results = grade_class(Classroom(submissions, out, ROOT, limits=LIMITS), tell=told.append)
    return {f"{one.assignment}/{one.student}": one for one in results}, out, told


@pytest.mark.parametrize("name", CHANGED, ids=lambda name: ascii(name)[:30])
def test_cells_changed_in_every_way_change_no_mark_but_their_own(name, changed) -> None:
    _, earned, open_tasks, words = CHANGED[name]
    written = shown(name) if name.isprintable() or "\u202e" in name else "no utf-8 \\xff (name e407b7baf8a87a63)"
    result = changed[0][f"{CHAPTER}/{written}"]
    assert result.earned == earned, [task.reason for task in result.tasks if task.earned < task.points]
    assert tuple(task.task for task in result.undecided) == open_tasks
    assert words in "\n".join([*result.notes, *(task.reason for task in result.tasks)])
    assert result.points == POINTS


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_notebook_is_ungradable_and_not_zero(name, changed) -> None:
    result = changed[0][f"{CHAPTER}/{name}"]
    assert result.status == ("look" if name == "no answers" else "ungradable")
    assert BROKEN[name][1] in result.why
    assert all(task.status == "ungradable" for task in result.tasks)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("other kernel", "kernel of r, not Python"),
        ("linked notebook", "is a symbolic link"),
        ("linked folder", "is a symbolic link"),
        ("folder only", f"holds no {CHAPTER}.ipynb"),
        ("folder as notebook", "is not an ordinary file"),
        ("pipe", "is not an ordinary file"),
        ("misnamed", "it holds my answers.ipynb"),
    ],
)
def test_why_a_folder_cannot_be_marked(name, words, changed) -> None:
    result = changed[0][f"{CHAPTER}/{name}"]
    assert result.status == "ungradable"
    assert words in result.why


def test_who_handed_nothing_in_and_what_the_course_does_not_have(changed) -> None:
    results, out, told = changed
    assert results[f"{CHAPTER}/nothing"].status == "absent"
    assert results[f"{CHAPTER}/linked student"].status in ("absent", "ungradable")
    known = f"{CHAPTER}/unknown assignment"
    unknown = [one for key, one in results.items() if key.endswith("/unknown assignment") and key != known]
    assert len(unknown) == len(ODD_ASSIGNMENTS)
    assert all(one.status == "ungradable" and "has no assignment" in one.why for one in unknown)
    assert "folder as notebook" in " ".join(told)
    assert results[f"{CHAPTER}/honest"].earned == POINTS
    with (out / "grades.csv").open(newline="", encoding="utf-8") as table:  # a name may hold a line's end
        assert len(list(csv.reader(table))) == len(results) + 1


def test_names_stay_inside_the_folder_and_out_of_formulas(changed) -> None:
    _, out, _ = changed
    assert not list(out.parent.glob("etc*"))
    written = {path.name for path in (out / "feedback").iterdir()}
    assert "..%2F..%2Fetc" in written
    with (out / "grades.csv").open(newline="") as file:
        names = [row["student"] for row in csv.DictReader(file)]
    assert "'=HYPERLINK(1)" in names
    assert "'-rf" in names
