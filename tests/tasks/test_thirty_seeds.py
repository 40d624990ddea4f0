"""Whatever the seed: right answers earn all, a stub nothing, and each slip hears its own reason.

A mark must not depend on the seed that was drawn for a class, so this tries many. Of projects only what takes no
training is tried; the training has tests of its own in test_projects.py. One command, for all tasks or for some:

    pytest -m slow tests/tasks/test_thirty_seeds.py
    pytest -m slow tests/tasks/test_thirty_seeds.py -k "ch05 or ch06"
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from assay.outside import answers_to
from lmcourse.exercises import Task, all_tasks
from lmcourse.exercises.check import PUBLIC_SEED
from lmcourse.exercises.running import run_in_time
from lmcourse.exercises.verdict import Judge
from tests.tasks.test_projects import short_names

pytestmark = pytest.mark.slow
N_SEEDS = 30


def seeds_of(task: Task) -> list[int]:
    """The seed that everybody sees, and others as long as a secret one."""
    draw = random.Random(task.name)
    return [PUBLIC_SEED, *(draw.getrandbits(62) for _ in range(N_SEEDS - 1))]


def without_training(task: Task) -> Task:
    """The task with the properties that take no training; one that is no project is as it was."""
    if not task.properties:
        return task
    names = short_names(task)
    properties = tuple(
        replace(prop, needs=prop.needs if prop.needs in names else "") for prop in task.properties if prop.name in names
    )
    return replace(
        task,
        properties=properties,
        points=sum(prop.points for prop in properties),
        cases=lambda seed: [item for item in task.cases(seed) if item.of in names],
        slips=tuple(
            replace(slip, loses=kept) for slip in task.slips if (kept := tuple(n for n in slip.loses if n in names))
        ),
    )


def stub(*_: Any, **__: Any) -> Any:
    raise NotImplementedError


def failures(task: Task, seed: int, right: list[Callable[..., Any]]) -> Iterator[str]:
    """What does not hold with this seed."""
    judge = Judge(task, task.cases(seed))

    def verdict(answer: Callable[..., Any]) -> Any:
        return judge.verdict(run_in_time(task, answer, judge.cases))

    for answer in right:
        if not (told := verdict(answer)).passed:
            yield f"seed {seed}: right answer {answer}: {told}"
    if (told := verdict(stub)).earned:
        yield f"seed {seed}: a stub: {told}"
    for slip in task.slips:
        told = verdict(slip.answer)
        if task.properties:
            as_said = set(told.wrong) == set(slip.loses) and slip.reason in told.reason
        else:
            as_said = not told.passed and (told.slip, told.reason) == (slip.name, slip.reason)
        if not as_said:
            yield f"seed {seed}: slip {slip.name}: {told}"


@pytest.mark.parametrize("task", all_tasks(), ids=lambda task: f"ch{task.chapter[:2]}-{task.name}")
def test_marks_do_not_depend_on_the_seed(task: Task) -> None:
    tried = without_training(task)
    right = [task.reference, *(answer.function() for answer in answers_to(task) if answer.right)]
    found = [line for seed in seeds_of(task) for line in failures(tried, seed, right)]
    assert not found, f"{len(found)} failures:\n" + "\n".join(found[:5])
