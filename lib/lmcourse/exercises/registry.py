"""Find the exercises of the course. They are in a room above this one, so they are imported when asked for."""

import difflib
import importlib
import pkgutil
from functools import cache

from lmcourse import checks
from lmcourse.exercises.task import Task

_TASKS = "lmcourse.tasks"


@cache
def _tasks() -> dict[str, Task]:
    found: dict[str, Task] = {}
    for info in sorted(pkgutil.iter_modules(importlib.import_module(_TASKS).__path__), key=lambda info: info.name):
        package = importlib.import_module(f"{_TASKS}.{info.name}")
        for name in package.ORDER:
            task = importlib.import_module(f"{_TASKS}.{info.name}.{name}").task
            if task.name in found:
                raise ValueError(f"two tasks are named {task.name}: in {found[task.name].chapter} and {task.chapter}.")
            found[task.name] = task
    return found


def all_tasks(chapter: str | None = None) -> list[Task]:
    """Return the tasks of a chapter ("01_ngrams"), or of the whole course, in the order of the pages.

    Raises:
        TypeError: `chapter` is not a str.
    """
    if chapter is not None:
        checks.instance(str, chapter=chapter)
    return [task for task in _tasks().values() if chapter in (None, task.chapter)]


def find_task(name: str) -> Task:
    """Return the task of that name.

    Raises:
        TypeError: `name` is not a str.
        ValueError: there is none; the message names the nearest ones.
    """
    if not isinstance(name, str):
        raise TypeError(f"`name` must be a task's name in quotes, got {type(name).__name__}.")
    tasks = _tasks()
    if name not in tasks:
        near = difflib.get_close_matches(name, tasks, n=3) or sorted(tasks)[:5]
        raise ValueError(f"`name` must be a task of the course, got {name!r}; do you mean {', '.join(near)}?")
    return tasks[name]
