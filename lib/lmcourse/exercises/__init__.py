"""The exercise engine: what a task is, how an answer is checked, hints, and what is done so far."""

from lmcourse.contents import hints
from lmcourse.exercises.check import CheckFailedError, check, secret_seed
from lmcourse.exercises.compare import Compare, difference
from lmcourse.exercises.mistakes import mistakes, properties
from lmcourse.exercises.registry import all_tasks, find_task
from lmcourse.exercises.running import Outcome, run_answer
from lmcourse.exercises.task import Case, Property, Slip, Task, border, case, evidence_is, probe
from lmcourse.exercises.verdict import Verdict, judge
from lmcourse.progress import Progress, hint

__all__ = [
    "Case",
    "CheckFailedError",
    "Compare",
    "Outcome",
    "Progress",
    "Property",
    "Slip",
    "Task",
    "Verdict",
    "all_tasks",
    "border",
    "case",
    "check",
    "difference",
    "evidence_is",
    "find_task",
    "hint",
    "hints",
    "judge",
    "mistakes",
    "probe",
    "properties",
    "run_answer",
    "secret_seed",
]
