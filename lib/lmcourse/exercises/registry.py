"""Find the tasks of the course. They live in a room above this one, so they are looked up by name when asked for."""

import difflib
import importlib
import pkgutil
from functools import cache

from lmcourse.exercises.task import Task

_TASKS = "lmcourse.tasks"


@cache
def _tasks() -> dict[str, Task]:
    package = importlib.import_module(_TASKS)
    found: dict[str, Task] = {}
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda info: info.name):
        module = importlib.import_module(f"{_TASKS}.{info.name}")
        for task in vars(module).values():
            if isinstance(task, Task):
                if task.name in found:
                    raise ValueError(
                        f"two tasks are named {task.name}: in {found[task.name].chapter} and {task.chapter}."
                    )
                found[task.name] = task
    return found


def all_tasks(chapter: str | None = None) -> list[Task]:
    """Return the tasks of a chapter ("01_ngrams"), or of the whole course, chapter by chapter."""
    chosen = (task for task in _tasks().values() if chapter in (None, task.chapter))
    return sorted(chosen, key=lambda task: task.chapter)  # a stable sort: within a chapter, the order of its modules


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
