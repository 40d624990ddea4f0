"""Every exercise is held by every net (`assay/nets.py`), and the nets hold.

pytest tests/tasks/test_exercises.py -k softmax     # the daily ones; `python -m assay softmax` runs all
"""

import importlib.util
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assay import __main__ as command
from assay import exercises, nets, outside
from lmcourse import contents
from lmcourse.exercises import Case, Slip, Task, border, case, find_task
from tests.grader.classes import needs_sandbox

CHAPTERS = sorted(path.stem for path in (nets.TEXTS / "solutions").glob("*.md"))
ROTATED = {"seeds", "pasted", "sandbox"}


def _each() -> list[Any]:
    projects = set(exercises.projects())
    each = []
    for name in exercises.names():
        for net in nets.NETS:
            if net in ("pasted", "sandbox") and name in projects:
                continue
            slow = net in ROTATED or (net in ("answers", "mutants") and name in projects)
            marks = [*[pytest.mark.slow] * slow, *[needs_sandbox] * (net == "sandbox")]
            each.append(pytest.param(name, net, id=f"{name}-{net}", marks=marks))
    return each


@pytest.mark.parametrize(("name", "net"), _each())
def test_nothing_is_wrong_with_an_exercise(name: str, net: str) -> None:
    assert list(nets.NETS[net](find_task(name))) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", exercises.training())
def test_answers_that_train_are_judged_as_their_headings_say(name: str) -> None:
    assert [str(item) for item in outside.judged(find_task(name)) if not item.justly] == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_page_and_its_answers_keep_the_order(chapter: str) -> None:
    text = (nets.TEXTS / "solutions" / f"{chapter}.md").read_text(encoding="utf-8")
    order = exercises.names(chapter)
    assert re.findall(r"^:task:\s*(\S+)", text, re.MULTILINE) == order
    assert re.findall(r"<!-- task: (\w+) -->", text) == order
    answered = list(dict.fromkeys(one.task for one in outside.read(outside.FOLDER / f"{chapter[:2]}.txt")))
    assert answered == [name for name in order if name in answered]


def test_answers_and_notes_are_to_exercises_that_are_there() -> None:
    assert sorted(path.stem for path in outside.FOLDER.glob("*.txt")) == [chapter[:2] for chapter in CHAPTERS]
    assert nets.mutants.noted().keys() <= set(exercises.names())


# ------------------------------------------------------------------------------------------- each net catches something

TASK = find_task("softmax")
REASON = "A reason that is long enough to be taken for one."


def _other(*slips: Slip, **changed: Any) -> Task:
    return replace(TASK, **changed, **({"slips": (*TASK.slips, *slips)} if slips else {}))


def _few(seed: int) -> list[Case]:
    return [case(nets.FIRST_LABEL, [1.0, 2.0]), border("one number", [float(seed)])]


@pytest.mark.parametrize(
    ("net", "task", "says"),
    [
        ("cases", _other(cases=lambda seed: TASK.cases(0)), "seed 1 gives the same cases as another"),
        ("cases", _other(cases=lambda seed: TASK.cases(seed)[1:]), "the first case must be 'the worked example'"),
        ("cases", _other(cases=lambda seed: _few(seed) * 2), "the learner is told the label, and two are alike"),
        ("judging", _other(Slip("none", TASK.reference, REASON)), "mistake none: softmax: right on"),
        ("judging", _other(reference=nets._raises, slips=()), "a stub: softmax: right on"),
        ("mistakes", _other(slips=TASK.slips[:2]), "at least 5 known mistakes are asked for, got 2"),
        ("mistakes", _other(Slip("bare", lambda x: x, "Wrong.")), "bare: a reason is a sentence, got 'Wrong.'"),
        ("judging", _other(Slip("typo", lambda *_: y, REASON)), "typo: an oversight of its author"),  # noqa: F821
        ("mistakes", _other(TASK.slips[0]), "two mistakes have the same name"),
        ("text", _other(hints=("a", "a", "b")), "three different hints are asked for"),
        ("text", _other(hints=("a", "b", "c" * 500)), "more than 400 characters"),
        ("text", _other(name="softmin"), "must hold once ':task:"),
        ("mutants", _other(cases=_few), "this changed answer passes: line"),
    ],
)
def test_what_is_wrong_is_told(net: str, task: Task, says: str) -> None:
    assert any(says in line for line in nets.NETS[net](task)), list(nets.NETS[net](task))


@pytest.mark.parametrize("net", [nets.answers, lambda task: nets.seeds(task, 2)])
def test_an_answer_that_is_misjudged_is_told(net: Callable[..., Any], tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "00.txt").write_text("### softmax: right: it is not\ndef softmax(x):\n    return x\n")
    monkeypatch.setattr(outside, "FOLDER", tmp_path)
    (found,) = net(TASK) if net is nets.answers else {line.split(": ", 1)[1] for line in net(TASK)}
    assert "it is not" in found


def test_a_function_of_the_page_that_is_an_answer_is_told(monkeypatch: Any) -> None:
    monkeypatch.setattr(nets, "_page", lambda path: ({"shown": TASK.reference}, ("shown",)))
    assert list(nets.pasted(TASK)) == ["`shown`, which the chapter shows, is an answer"]


def test_what_new_writes_is_an_exercise_but_for_the_mistakes_that_are_missing(tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "ch00").mkdir()
    monkeypatch.setattr(command.tasks, "__path__", [str(tmp_path)])
    assert "<!-- task: total_of -->" in command.begin("ch00/total_of")
    file = tmp_path / "ch00" / "total_of.py"
    spec = importlib.util.spec_from_file_location("total_of", file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "total_of", module)
    spec.loader.exec_module(module)
    assert contents._entry(file, "", "").hints == module.task.hints
    assert [*nets.cases(module.task), *nets.judging(module.task), *nets.mutated(module.task)] == []
    assert list(nets.mistakes(module.task)) == ["at least 5 known mistakes are asked for, got 2"]
    for place, says in (("ch00/total_of", "there is an exercise 'total_of' already"), ("total", "must be a chapter's")):
        with pytest.raises(SystemExit, match=says):
            command.begin(place)


def test_the_command_says_what_fails_on_one_screen(monkeypatch: Any, capsys: Any) -> None:
    failing = {"cases": lambda task: iter(["too long " * 100] * 5), "text": lambda task: iter([])}
    monkeypatch.setattr(command, "NETS", failing)
    assert command.prove("softmax") == 1
    lines = capsys.readouterr().out.splitlines()
    assert ["5 failures" in lines[0], "ok" in lines[-1], len(lines)] == [True, True, 6]
    assert max(map(len, lines)) < 420


def test_an_exercise_that_its_built_page_lacks_is_told(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(outside, "ROOT", tmp_path)  # a course without pages
    (found,) = nets.sandbox(TASK)
    assert found.endswith("Build it: `python -m tools.notebooks 00`")
