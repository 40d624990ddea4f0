"""The exercise engine: what a task is, how an answer is checked, hints, and what is done so far."""

from lmcourse.grading.check import CheckFailedError, check, hint, secret_seed
from lmcourse.grading.compare import Compare, difference
from lmcourse.grading.progress import Progress
from lmcourse.grading.registry import all_tasks, find_task
from lmcourse.grading.task import Case, Slip, Task, case
from lmcourse.grading.verdict import Outcome, Verdict, judge, run_answer

__all__ = [
    "Case",
    "CheckFailedError",
    "Compare",
    "Outcome",
    "Progress",
    "Slip",
    "Task",
    "Verdict",
    "all_tasks",
    "case",
    "check",
    "difference",
    "find_task",
    "hint",
    "judge",
    "run_answer",
    "secret_seed",
]
