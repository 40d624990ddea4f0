"""Find the exercises of the course. They are in a room above this one, so they are imported when asked for."""

import importlib

from lmcourse import checks, contents
from lmcourse.exercises.task import Task


def all_tasks(chapter: str | None = None) -> list[Task]:
    """Return the tasks of a chapter ("01_ngrams"), or of the whole course, in the order of the pages.

    Raises:
        TypeError: `chapter` is not a str.
    """
    if chapter is not None:
        checks.instance(str, chapter=chapter)
    return [_task(entry) for entry in contents.contents().values() if chapter in (None, entry.chapter)]


def find_task(name: str) -> Task:
    """Return the task of that name; no other one is imported.

    Raises:
        TypeError: `name` is not a str.
        ValueError: there is none; the message names the nearest ones.
    """
    return _task(contents.entry(name))


def _task(entry: contents.Entry) -> Task:
    task: Task = importlib.import_module(entry.module).task
    return task
