"""No mutant of an answer passes its cases, but those that mean the same (`tools/mutants.py`).

In a project also those pass that are another choice which the statement leaves open. Each note is needed: what is noted
must pass. Of a project whose learning takes long, changes of `fit` are not tried: whatever still learns is right there.
"""

from typing import Any

import pytest

from lmcourse.exercises.registry import all_tasks
from lmcourse.exercises.task import Task
from tools.mutants import noted, survivors

NOTED = noted()
TASKS = all_tasks()


def _marked(task: Task) -> Any:
    """The mutants of a project make a model or more each."""
    return pytest.param(task, id=task.name, marks=pytest.mark.slow if task.properties else pytest.mark.course)


@pytest.mark.parametrize("task", [_marked(task) for task in TASKS])
def test_every_mutant_is_refused_or_means_the_same(task: Task) -> None:
    assert set(survivors(task)) == NOTED.get(task.name, set())


def test_notes_are_of_tasks_that_are_there() -> None:
    assert NOTED.keys() <= {task.name for task in TASKS}
