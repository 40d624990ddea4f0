"""`check`: what a learner calls in a notebook."""

import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from lmcourse import checks
from lmcourse.exercises.registry import find_task
from lmcourse.exercises.running import Outcome, run_in_time
from lmcourse.exercises.task import Task
from lmcourse.exercises.verdict import UNANSWERED, Verdict, judge
from lmcourse.progress import Progress

PUBLIC_SEED = 0
_HIDDEN_SEED = 20_261_121


class CheckFailedError(AssertionError):
    """An answer is not right yet. A notebook shows the reason alone, without a traceback."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(repr(verdict))
        self.verdict = verdict

    def _render_traceback_(self) -> list[str]:  # IPython's hook: what a notebook prints for this exception
        return [repr(self.verdict), f'A hint: run hint("{self.verdict.task}") in a cell.']


def check(name: str, answer: Callable[..., Any], *, seed: int | None = None) -> Verdict:
    """Check an answer to a task and return the verdict; an answer that is not right raises with the reason.

    Args:
        name: the task.
        answer: your function (or class).
        seed: what the cases are drawn from; None is the seed that everybody sees. Marks use a secret one.

    Raises:
        ValueError: there is no such task, or `seed` is negative.
        TypeError: `seed` is not an int.
        CheckFailedError: the answer is not right; the message says why.
    """
    task = find_task(name)
    if seed is not None:
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise TypeError(f"`seed` must be an int or None, got {type(seed).__name__}.")
        checks.whole(at_least=0, seed=seed)
    cases = task.cases(PUBLIC_SEED if seed is None else seed)
    if callable(answer):
        outcomes = run_in_time(task, answer, cases)
    else:
        message = f"the answer must be a function, got {type(answer).__name__}; give its name without parentheses"
        outcomes = [Outcome(error="TypeError", message=message)] * len(cases)
    verdict = judge(task, cases, outcomes)
    verdict = replace(verdict, reason=f"{_without_set_up(task, outcomes)}{verdict.reason}")
    _record(verdict)
    if not verdict.passed:
        raise CheckFailedError(verdict)
    return verdict


def _without_set_up(task: Task, outcomes: Sequence[Outcome]) -> str:
    """What to tell where an answer lacks a name that the reference has from its imports, as answers have it from the
    notebook's first cell."""
    name = next((outcome.message.split("'")[1] for outcome in outcomes if outcome.message.startswith("name '")), "")
    made = vars(sys.modules[task.reference.__module__]).get(name)
    if made is None or getattr(made, "__module__", "").startswith(("lmcourse.tasks", "lmcourse.exercises")):
        return ""
    return f"`{name}` comes from the set-up cell, the first of the notebook: run that cell, then this one again.\n"


def secret_seed() -> int:
    """The seed for hidden tests: LMCOURSE_SECRET_SEED, which an instructor sets before marking, else a fixed one.

    Raises:
        ValueError: LMCOURSE_SECRET_SEED is not a whole number.
    """
    text = os.environ.get("LMCOURSE_SECRET_SEED", str(_HIDDEN_SEED))
    if not text.strip().isdecimal():
        raise ValueError(f"LMCOURSE_SECRET_SEED must be a whole number, got {len(text)} other characters.")
    return int(text)


def _record(verdict: Verdict) -> None:
    """Keep the verdict: for `lmcourse progress`, and for `lmcourse check`, which reads them from a file."""
    report = os.environ.get("LMCOURSE_VERDICTS")
    if report:
        line = json.dumps({"task": verdict.task, "earned": verdict.earned, "reason": verdict.why, "slip": verdict.slip})
        with open(report, "a", encoding="utf-8") as out:  # noqa: PTH123 - append, one line, one process
            out.write(line + "\n")
    if verdict.reason == UNANSWERED:
        return
    try:
        Progress().attempt(verdict.task, passed=verdict.passed, earned=verdict.earned)
    except (OSError, ValueError) as error:
        print(f"(progress is not recorded: {error})", file=sys.stdout)
