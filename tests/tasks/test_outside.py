"""Answers from outside (`assay/outside.py`) are judged as their headings say, and marked as they are judged."""

import re
from pathlib import Path

import pytest

from assay import outside
from lmcourse.exercises.registry import all_tasks
from lmcourse.exercises.task import Task
from lmcourse.exercises.verdict import Verdict
from tests.grader.classes import needs_sandbox

CHAPTERS = sorted({task.chapter for task in all_tasks()})
SOFTMAX = "### softmax: right: by hand\ndef softmax(x):\n    return x\n"


def test_answers_are_read_as_they_stand(tmp_path: Path) -> None:
    file = tmp_path / "00.txt"
    file.write_text(f"{SOFTMAX}\n### softmax: open: of ones: 1.0\nimport heapq\n\nsoftmax = heapq.merge\n")
    right, left_open = outside.read(file)
    assert (right.task, right.right, right.why) == ("softmax", True, "by hand")
    assert right.source == "def softmax(x):\n    return x\n"
    assert right.function()(3) == 3
    assert (left_open.right, left_open.why, left_open.source[:12]) == (None, "of ones: 1.0", "import heapq")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("### softmax: correct: by hand\n", "line 4: a heading must be `### task: right, wrong or open: why`, got"),
        ("### softmax: wrong:\n", "line 4: a heading must be"),
        (
            "### lookup: wrong: another name\ndef look(): ...\n",
            "line 4: the code below must define `lookup`, got 'def lo",
        ),
    ],
)
def test_what_cannot_be_read_is_named(text: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "00.txt"
    file.write_text(SOFTMAX + text)
    with pytest.raises(outside.AnswersError, match=re.escape(f"00.txt, {says}")):
        outside.read(file)
    file.write_text(f"x = 1\n{SOFTMAX}")
    with pytest.raises(outside.AnswersError, match="line 1: a file must begin with a heading"):
        outside.read(file)


def test_every_answer_is_to_a_task_of_its_chapter_in_the_order_of_the_page() -> None:
    files = {path.stem: path for path in outside.FOLDER.glob("*.txt")}
    assert sorted(files) == [chapter[:2] for chapter in CHAPTERS]
    for chapter in CHAPTERS:
        order = [task.name for task in all_tasks(chapter)]
        asked = list(dict.fromkeys(answer.task for answer in outside.read(files[chapter[:2]])))
        assert [name for name in order if name in asked] == asked


@pytest.mark.parametrize(
    ("reason", "slip", "kind"),
    [
        ("The average is that of the first text.", "first_text", "the very mistake"),
        ("Right for all ordinary inputs, wrong at a border: no words.", "", "right but for ..."),
        ("Right wherever there is a result, but an input that should be refused is not: 0.", "", "right but for ..."),
        ("Right: layers (1 point).\ncausal (3 points): later words are seen.", "no_mask", "by property"),
        ("Every number is 2 times too large.", "", "kind of difference"),
        ("Probably: The sum is missing.", "", "probably"),
        ("On one word, f(1) raised KeyError: 1 (in the line `x[1]`).", "", "crash or side effect"),
        ("On one word, f(1) changed argument 1 in place; work on a copy.", "", "crash or side effect"),
        ("On one word, f(1): the result should be 1, got 2.", "", "nothing"),
    ],
)
def test_the_kinds_of_reasons_are_told_from_one_another(reason: str, slip: str, kind: str) -> None:
    item = outside.Judged(outside.Answer("f", False, "", ""), Verdict("f", 2, 0.0, reason, slip))
    assert item.told == kind
    assert outside.line([item]).endswith(f"1 refused were told: 1 {kind}")


@pytest.mark.parametrize(
    "task",
    [
        pytest.param(task, id=task.name, marks=[pytest.mark.slow] if outside.trains(task) else [])
        for task in all_tasks()
    ],
)
def test_each_answer_is_judged_as_its_heading_says(task: Task) -> None:
    assert [str(item) for item in outside.judged(task) if not item.justly] == []


@pytest.mark.slow
@needs_sandbox
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_marking_a_class_tells_an_answer_what_check_tells_it(chapter: str) -> None:
    done = [item for task in all_tasks(chapter) for item in outside.judged(task, task.seconds)]
    found = list(outside.differing(chapter, done))
    assert [f"{item.answer.task}: {where}: {item.answer.why}" for item, _, where in found] == []
