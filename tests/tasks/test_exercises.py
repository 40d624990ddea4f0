"""Every exercise is held by every net (`assay/nets.py`), and the nets hold.

pytest tests/tasks/test_exercises.py -k softmax     # the daily ones; `python -m assay softmax` runs all
"""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assay import exercises, nets, outside
from lmcourse.exercises import Case, Slip, Task, border, case
from tests.grader.classes import needs_sandbox

CHAPTERS = sorted(path.stem for path in (nets.TEXTS / "solutions").glob("*.md"))
ROTATED = {"seeds", "pasted", "sandbox"}


def _each() -> list[Any]:
    projects = set(exercises.projects())
    each = []
    for name in exercises.modules():
        for net in nets.NETS:
            if net in ("pasted", "sandbox") and name in projects:
                continue
            slow = net in ROTATED or (net == "mutants" and name in projects)
            marks = [*[pytest.mark.slow] * slow, *[needs_sandbox] * (net == "sandbox")]
            each.append(pytest.param(name, net, id=f"{name}-{net}", marks=marks))
    return each


@pytest.mark.parametrize(("name", "net"), _each())
def test_nothing_is_wrong_with_an_exercise(name: str, net: str) -> None:
    assert list(nets.NETS[net](exercises.load(name))) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", exercises.training())
def test_answers_that_train_are_judged_as_their_headings_say(name: str) -> None:
    assert [str(item) for item in outside.judged(exercises.load(name)) if not item.justly] == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_page_asks_for_its_exercises_in_their_order(chapter: str) -> None:
    text = (nets.TEXTS / "solutions" / f"{chapter}.md").read_text(encoding="utf-8")
    order = [name for name, package in exercises.modules().items() if package.endswith(f"ch{chapter[:2]}")]
    asked = [exercises.load(name).name for name in order]
    assert re.findall(r"^:task:\s*(\S+)", text, re.MULTILINE) == asked
    assert re.findall(r"<!-- task: (\w+) -->", text) == asked


def test_answers_are_to_exercises_of_their_chapter_and_notes_to_those_that_are_there() -> None:
    named: dict[str, list[str]] = {}
    for name, package in exercises.modules().items():
        named.setdefault(package[-2:], []).append(exercises.load(name).name)
    assert sorted(path.stem for path in outside.FOLDER.glob("*.txt")) == sorted(named)
    for chapter, order in named.items():
        asked = list(dict.fromkeys(one.task for one in outside.read(outside.FOLDER / f"{chapter}.txt")))
        assert asked == [name for name in order if name in asked]
    assert nets.mutants.noted().keys() <= {name for order in named.values() for name in order}


# ------------------------------------------------------------------------------------------- each net catches something

TASK = exercises.load("softmax")
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
        ("mistakes", _other(Slip("typo", lambda *_: y, REASON)), "typo: an oversight of its author"),  # noqa: F821
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
