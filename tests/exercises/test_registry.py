"""Finding tasks by name and chapter."""

from dataclasses import replace
from typing import Any

import pytest

from lmcourse.exercises import all_tasks, find_task


def test_a_task_is_found_by_its_name() -> None:
    assert find_task("softmax").name == "softmax"


def test_an_unknown_task_names_the_nearest_ones() -> None:
    with pytest.raises(ValueError, match=r"must be a task of the course, got 'sofmax'; do you mean softmax"):
        find_task("sofmax")
    with pytest.raises(ValueError, match=r"do you mean \w+, \w+"):
        find_task("zzzzzzzz")


def test_a_name_without_quotes_is_told_so() -> None:
    with pytest.raises(TypeError, match="name in quotes, got function"):
        find_task(lambda: None)  # type: ignore[arg-type]


def test_tasks_of_a_chapter_are_those_of_that_chapter_in_order() -> None:
    chapters = {task.chapter for task in all_tasks()}
    assert {"00_start_here", "01_ngrams"} <= chapters
    assert sum(len(all_tasks(chapter)) for chapter in chapters) == len(all_tasks())
    names = [task.name for task in all_tasks("01_ngrams")]
    assert names.index("ngram_counts") < names.index("add_k") < names.index("kneser_ney_bigram")
    assert all_tasks("99_nothing") == []


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("name", "not a name", "must be a Python name"),
        ("points", 0, "must be at least 1"),
        ("minutes", 0, "must be at least 1"),
        ("difficulty", 6, "must be 1 to 5"),
        ("difficulty", 0, "must be 1 to 5"),
    ],
)
def test_a_task_that_makes_no_sense_is_refused(field: str, value: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        replace(find_task("softmax"), **{field: value})


def test_the_headline_shows_points_difficulty_and_minutes() -> None:
    task = replace(find_task("softmax"), points=1, difficulty=2, minutes=7)
    assert task.headline() == '**`softmax`** · 1 point · ●●○○○ · about 7 minutes · stuck? `hint("softmax")`'
