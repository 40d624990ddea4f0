"""What a learner has done: tasks passed, attempts, hints taken. One small file in the user's own data folder."""

import math
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs
from filelock import FileLock

from lmcourse import checks, contents, json_files

_ENTRY = {"passed": bool, "attempts": int, "hints": int}


@dataclass(frozen=True)
class TaskProgress:
    """How far a learner is with one task; `part` is the most points that an attempt earned that did not pass."""

    task: contents.Entry
    passed: bool = False
    attempts: int = 0
    hints: int = 0
    part: float = 0.0

    @property
    def earned(self) -> float:
        """The points of the best attempt; never more than there are, although a task may have had more once."""
        return float(self.task.points) if self.passed else min(self.part, float(self.task.points))


class Progress:
    """The record of one learner on this machine.

    Args:
        path: the file; without it LMCOURSE_STATE, else `progress.json` in the system's folder for user data.

    Raises:
        TypeError: `path` is no path.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        if path is not None:
            checks.file_path(path=path)
        default = Path(platformdirs.user_data_dir("lmcourse", appauthor=False)) / "progress.json"
        self.path = Path(path or os.environ.get("LMCOURSE_STATE") or default)

    def read(self) -> dict[str, dict[str, Any]]:
        """Return task -> {"passed", "attempts", "hints"}, and "part" where a part of the points was earned.

        Nothing done yet is an empty dict.

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
            part = entry.get("part", 0.0)
            if type(part) not in (int, float) or not 0 <= part < math.inf:
                raise ValueError(f"the progress file {self.path} is damaged at {task!r}; move it away to start anew.")
        return record

    def tasks(self) -> list[TaskProgress]:
        """Return every task of the course, chapter by chapter, with what was done on it. Raises as `read`."""
        record = self.read()
        known = (*_ENTRY, "part")
        done = {name: {key: entry[key] for key in known if key in entry} for name, entry in record.items()}
        return [TaskProgress(task, **done.get(task.name, {})) for task in contents.contents().values()]

    def attempt(self, task: str, *, passed: bool, earned: float = 0.0) -> None:
        """Record one check. A task once passed stays passed; of parts of the points the largest is kept.

        Raises:
            TypeError, ValueError: `task` is no str, or `earned` no number of at least 0; and as `read`.
        """
        checks.instance(str, task=task)
        checks.number(at_least=0, earned=earned)
        with self._edit() as record:
            entry = record.setdefault(task, {"passed": False, "attempts": 0, "hints": 0})
            entry["attempts"] += 1
            entry["passed"] = entry["passed"] or passed
            if earned > entry.get("part", 0.0) and not passed:
                entry["part"] = earned

    def next_hint(self, task: str, n_hints: int) -> int:
        """Return the number of the next hint, from 0; after the last one, the last one again.

        Raises:
            TypeError, ValueError: `task` is no str, or `n_hints` no whole number of at least 1; and as `read`.
        """
        checks.instance(str, task=task)
        checks.whole(at_least=1, n_hints=n_hints)
        with self._edit() as record:
            entry = record.setdefault(task, {"passed": False, "attempts": 0, "hints": 0})
            number = min(entry["hints"], n_hints - 1)
            entry["hints"] = number + 1
        return number

    def _edit(self) -> "_Edit":
        return _Edit(self)


def hint(name: str) -> None:
    """Print the next hint of a task: three of them, from a nudge to nearly the answer."""
    hints = contents.entry(name).hints
    try:
        number = Progress().next_hint(name, len(hints))
    except (OSError, ValueError) as error:  # nowhere to remember which hint comes next: give the first
        print(f"(progress is not recorded: {error})")
        number = 0
    print(f"Hint {number + 1} of {len(hints)}: {hints[number]}")


def points_done(tasks: Iterable[TaskProgress]) -> tuple[float, int]:
    """Return the points that are earned, and those of all tasks."""
    tasks = list(tasks)
    return sum(each.earned for each in tasks), sum(each.task.points for each in tasks)


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
