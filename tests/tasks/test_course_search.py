"""What the project `CourseSearch` searches: in step with the chapters, and fair to different searches."""

import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from assay.outside import answers_to
from lmcourse.exercises import find_task
from lmcourse.tasks.ch09 import course_search
from lmcourse.tasks.ch09.course_search import QUESTIONS
from tools import passages

TASK = find_task("CourseSearch")
FOUND = course_search.course_passages()
COPIED = 7  # words in a row


def share_found(answer: Callable[..., Any]) -> float:
    """The share of all questions for which the right page is among the first three."""
    model = answer(FOUND)
    hits = [page in model.search(question, 3) for page, told in QUESTIONS.items() for question in told]
    return sum(hits) / len(hits)


def test_the_passages_are_those_of_the_chapters() -> None:
    assert passages.PASSAGES.read_text(encoding="utf-8") == passages.composed(), "run `python -m tools.notebooks`"


def test_they_are_small_enough_to_travel_and_come_from_every_chapter() -> None:
    assert passages.PASSAGES.stat().st_size < 350_000
    counts = Counter(page for page, _ in FOUND)
    assert list(counts) == sorted(QUESTIONS)
    assert min(counts.values()) >= 40


def test_a_passage_is_a_paragraph_without_marks() -> None:
    prose = (
        "One **paragraph** with `code_here`, a [link](other.ipynb), $x_i$ and $\\sqrt{2}$, "
        + "and on " * 20
        + "it goes."
    )
    left_out = (
        "> a quote\n\n- an item\n\n| a | table |\n\n```{code-cell}\nx = 1\n\ny = 2\n```\n\n$$\na\n$$\n\nA short one."
    )
    found = list(passages.passages_of(f"---\nkind: chapter\n---\n\n# A title\n\n{prose}\n\n{left_out}\n"))
    assert found == ["One paragraph with code_here, a link, x_i and , " + "and on " * 20 + "it goes."]
    assert not [text for _, text in FOUND if re.search(r"\*\*|```|\]\(|\\|<!--|</?(?:a|details)\b", text)]


def test_questions_are_enough_and_different_and_not_copied() -> None:
    asked = [question for told in QUESTIONS.values() for question in told]
    assert min(map(len, QUESTIONS.values())) >= 5
    assert len(set(asked)) == len(asked) >= 60
    texts = [" ".join(re.findall(r"\w+", text.lower())) for _, text in FOUND]
    for question in asked:
        words = re.findall(r"\w+", question.lower())
        runs = [" ".join(words[start : start + COPIED]) for start in range(len(words) - COPIED + 1)]
        assert not [run for run in runs if any(run in text for text in texts)], question


def test_each_seed_leaves_out_one_question_of_each_page() -> None:
    drawn = [next(item for item in TASK.cases(seed) if item.of == "finds") for seed in (0, 1, 2)]
    assert {tuple(Counter(item.truth).values()) for item in drawn} == {
        tuple(len(told) - 1 for told in QUESTIONS.values())
    }
    assert all(set(one.args[1]) != set(other.args[1]) for one, other in pairwise(drawn))


RIGHT = [answer.function() for answer in answers_to(TASK) if answer.right]


@pytest.mark.slow
@pytest.mark.parametrize("answer", [TASK.reference, *RIGHT])
def test_right_searches_are_well_above_the_bar(answer: Callable[..., Any]) -> None:
    assert share_found(answer) >= 0.92


@pytest.mark.slow
@pytest.mark.parametrize("slip", [slip for slip in TASK.slips if "finds" in slip.loses], ids=lambda slip: slip.name)
def test_poor_searches_are_well_below_it(slip: Any) -> None:
    assert share_found(slip.answer) <= 0.82


@pytest.mark.slow
@pytest.mark.parametrize("slip", [slip for slip in TASK.slips if "finds" not in slip.loses], ids=lambda slip: slip.name)
def test_a_mistake_that_is_about_something_else_does_not_cost_the_finding(slip: Any) -> None:
    assert share_found(slip.answer) >= 0.88
