"""What a learner has done: tasks passed, attempts, hints taken. One small file in the user's own data folder."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs
from filelock import FileLock

from lmcourse import json_files
from lmcourse.exercises.registry import all_tasks
from lmcourse.exercises.task import Task

_ENTRY = {"passed": bool, "attempts": int, "hints": int}


@dataclass(frozen=True)
class TaskProgress:
    """How far a learner is with one task."""

    task: Task
    passed: bool = False
    attempts: int = 0
    hints: int = 0


class Progress:
    """The record of one learner on this machine.

    Args:
        path: the file; without it LMCOURSE_STATE, else `progress.json` in the system's folder for user data.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        default = Path(platformdirs.user_data_dir("lmcourse", appauthor=False)) / "progress.json"
        self.path = Path(path or os.environ.get("LMCOURSE_STATE") or default)

    def read(self) -> dict[str, dict[str, Any]]:
        """Return task -> {"passed", "attempts", "hints"}; nothing done yet is an empty dict.

        Raises:
            ValueError: the file is not what this class wrote; it is left as it is.
        """
        try:
            record = json_files.read(self.path)
        except FileNotFoundError:
            return {}
        except ValueError as error:
            raise ValueError(f"{error} It is your progress record; move it away to start anew.") from error
        if not isinstance(record, dict):
            raise ValueError(f"the progress file {self.path} must hold a JSON object, got {type(record).__name__}.")
        for task, entry in record.items():
            if not isinstance(entry, dict) or any(type(entry.get(key)) is not kind for key, kind in _ENTRY.items()):
                raise ValueError(f"the progress file {self.path} is damaged at {task!r}; move it away to start anew.")
        return record

    def tasks(self) -> list[TaskProgress]:
        """Return every task of the course, chapter by chapter, with what was done on it. Raises as `read`."""
        record = self.read()
        done = {name: {key: entry[key] for key in _ENTRY} for name, entry in record.items()}
        return [TaskProgress(task, **done.get(task.name, {})) for task in all_tasks()]

    def attempt(self, task: str, *, passed: bool) -> None:
        """Record one check. A task once passed stays passed."""
        with self._edit() as record:
            entry = record.setdefault(task, {"passed": False, "attempts": 0, "hints": 0})
            entry["attempts"] += 1
            entry["passed"] = entry["passed"] or passed

    def next_hint(self, task: str, n_hints: int) -> int:
        """Return the number of the next hint, from 0; after the last one, the last one again."""
        with self._edit() as record:
            entry = record.setdefault(task, {"passed": False, "attempts": 0, "hints": 0})
            number = min(entry["hints"], n_hints - 1)
            entry["hints"] = number + 1
        return number

    def _edit(self) -> "_Edit":
        return _Edit(self)


def points_done(tasks: Iterable[TaskProgress]) -> tuple[int, int]:
    """Return the points of the tasks that are passed, and of all of them."""
    tasks = list(tasks)
    return sum(each.task.points for each in tasks if each.passed), sum(each.task.points for each in tasks)


class _Edit:
    """Read, change, write in one step, with the other notebooks kept out."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress

    def __enter__(self) -> dict[str, dict[str, Any]]:
        self.progress.path.parent.mkdir(parents=True, exist_ok=True)
        self.lock = FileLock(f"{self.progress.path}.lock")
        self.lock.acquire()
        try:
            self.record = self.progress.read()
        except BaseException:
            self.lock.release()
            raise
        return self.record

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                json_files.write(self.progress.path, self.record)
        finally:
            self.lock.release()
