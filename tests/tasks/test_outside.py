"""Answers that were written from the statements alone (`tools/outside.py`) are judged as their authors say."""

import pytest

from lmcourse.exercises.registry import all_tasks
from lmcourse.exercises.verdict import Verdict
from tests.grader.classes import needs_sandbox
from tools import outside

CHAPTERS = sorted({task.chapter[:2] for task in all_tasks()})


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
    item = outside.Judged("f", False, "", "", Verdict("f", 2, 0.0, reason, slip))
    assert item.told == kind
    assert outside.line([item]).endswith(f"1 refused were told: 1 {kind}")


@pytest.mark.slow
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_right_answers_are_taken_and_wrong_ones_are_not(chapter: str) -> None:
    assert [f"{item.task}: {item.why}" for item in outside.judged(chapter) if not item.justly] == []


@pytest.mark.slow
@needs_sandbox
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_marking_a_class_tells_an_answer_what_check_tells_it(chapter: str) -> None:
    differing = outside.differing(chapter, list(outside.judged(chapter)))
    assert [f"{item.task}: {where}: {item.why}" for item, _, where in differing] == []
