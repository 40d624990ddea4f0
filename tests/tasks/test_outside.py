"""Answers that were written from the statements alone (`tools/outside.py`) are judged as their authors say."""

import pytest

from lmcourse.exercises.registry import all_tasks
from tests.grader.classes import needs_sandbox
from tools import outside

CHAPTERS = sorted({task.chapter[:2] for task in all_tasks()})


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
