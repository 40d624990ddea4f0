"""Run an answer on cases, and judge what came out. The two are apart, so that marking a class can run answers in a
sandbox and judge their plain results in a process that never ran them."""

import copy
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from lmcourse.exercises import codec
from lmcourse.exercises.compare import Compare, difference, short
from lmcourse.exercises.task import Case, Slip, Task
from lmcourse.exercises.tensors import TENSOR, torch

UNANSWERED = "It is not answered yet: replace the line that raises NotImplementedError."
#: The mistake that can be made in every task.
NO_RETURN = Slip(
    "no_return",
    lambda *args, **kwargs: None,
    "It gives None wherever a value is wanted: a function hands its value back with `return`. `print` only shows it, "
    "and a way through the function that ends without `return` gives None.",
)


@dataclass(frozen=True)
class Outcome:
    """What one call gave: a value, or an error; the gradients, where asked; the first argument that was changed."""

    value: Any = None
    error: str = ""  # the class name of the exception
    message: str = ""
    gradients: list[Any] = field(default_factory=list)
    changed: str = ""


@dataclass(frozen=True)
class Verdict:
    """The mark for one answer, and why."""

    task: str
    points: int
    earned: int
    reason: str
    slip: str = ""
    seen: str = ""  # the first case that went wrong, with what was wanted and what came
    n_cases: int = 0

    @property
    def passed(self) -> bool:
        return self.earned == self.points

    def __repr__(self) -> str:
        if self.passed:
            return f"{self.task}: right on {self.n_cases} cases, {self.earned} of {self.points} points"
        lines = [f"{self.task}: not yet (0 of {self.points} points).", self.reason, self.seen]
        return "\n".join(line for line in lines if line)


def _copied(item: Case) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return copy.deepcopy((item.args, item.kwargs))


def run_answer(
    task: Task,
    answer: Callable[..., Any],
    cases: Sequence[Case],
    *,
    fresh: Callable[[Case], tuple[tuple[Any, ...], dict[str, Any]]] = _copied,
) -> list[Outcome]:
    """Call the answer on each case with arguments of its own, and keep what came out.

    Args:
        fresh: makes the arguments of a call from a case; no two calls share any.
    """
    return [_run(task, answer, item, *fresh(item)) for item in cases]


def _run(task: Task, answer: Callable[..., Any], item: Case, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Outcome:
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):  # a warning is no mistake, and stderr is no place
            warnings.simplefilter("ignore")
            value = task.call(answer, *args, **kwargs)
        gradients = _gradients(value, [*args, *kwargs.values()]) if task.compare.gradient else []
    except (Exception, SystemExit) as error:  # a learner's code may raise anything, and may try to leave
        return Outcome(error=type(error).__name__, message=message_of(error))
    changed = _changed(item, args, kwargs) if task.compare.inputs_unchanged else ""
    return Outcome(value=value, gradients=gradients, changed=changed)


def message_of(error: BaseException) -> str:
    """An exception's message on one line; an exception of a learner's own class may have none to give."""
    try:
        return " ".join(str(error).split())
    except Exception:
        return ""


def _changed(item: Case, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """The first argument that no longer is what it was."""
    exact = Compare(rtol=0.0, atol=0.0)
    before = [
        *((f"argument {place + 1}", value) for place, value in enumerate(item.args)),
        *item.kwargs.items(),
    ]
    for (name, old), new in zip(before, [*args, *kwargs.values()], strict=True):
        if isinstance(old, (list, tuple, dict, set, np.ndarray, *TENSOR)) and difference(old, new, exact):
            return name
    return ""


def _gradients(value: Any, inputs: list[Any]) -> list[Any]:
    """Gradients of a fixed weighting of the result with respect to every input tensor that requires them."""
    leaves = [tensor for tensor in inputs if isinstance(tensor, TENSOR) and tensor.requires_grad]
    if not leaves or not isinstance(value, TENSOR) or not value.requires_grad:
        return [None] * len(leaves)
    weights = torch.linspace(0.5, 2, value.numel(), dtype=value.dtype, device=value.device).reshape(value.shape)
    return list(torch.autograd.grad((value * weights).sum(), leaves, allow_unused=True))


def judge(task: Task, cases: Sequence[Case], outcomes: Sequence[Outcome]) -> Verdict:
    """Compare the outcomes with the reference's; name the slip if they are those of a known one."""
    return Judge(task, cases).verdict(outcomes)


class Judge:
    """Judges many answers to one task on the same cases: the reference runs once, and each slip at most once."""

    def __init__(self, task: Task, cases: Sequence[Case]) -> None:
        self.task, self.cases = task, cases
        self.wanted = run_answer(task, task.reference, cases)
        self._slipped: dict[str, list[Outcome]] = {}

    def prepare(self) -> None:
        """Run every known mistake now, and not when a first answer is wrong."""
        for slip in self.task.slips:
            self._made(slip)

    def _made(self, slip: Slip) -> list[Outcome]:
        if slip.name not in self._slipped:
            self._slipped[slip.name] = run_answer(self.task, slip.answer, self.cases)
        return self._slipped[slip.name]

    @cached_property
    def parts(self) -> int:
        """How many values the right outcomes are made of."""
        return sum(codec.parts(outcome.value) for outcome in self.wanted)

    def verdict(self, outcomes: Sequence[Outcome]) -> Verdict:
        """The mark for the outcomes of one answer, one outcome a case."""
        task, n_cases = self.task, len(self.cases)
        mismatch = self._first_mismatch(self.wanted, outcomes)
        if mismatch is None:
            return Verdict(task.name, task.points, task.points, "right", n_cases=n_cases)
        if all(outcome.error == "NotImplementedError" for outcome in outcomes):
            return Verdict(task.name, task.points, 0, UNANSWERED, n_cases=n_cases)
        item, message = mismatch
        first = f"on {item.label}, {task.name}({_arguments(item)}){message}"
        if slip := self._agreeing(outcomes):
            return Verdict(task.name, task.points, 0, slip.reason, slip.name, f"Seen {first}.", n_cases)
        return Verdict(task.name, task.points, 0, f"{first[0].upper()}{first[1:]}.", n_cases=n_cases)

    def _agreeing(self, outcomes: Sequence[Outcome]) -> Slip | None:
        """The known mistake that this answer makes: one that it agrees with on every case, else one that it agrees with
        where a result is asked for and not an error (who makes a mistake often forgets the errors too). A task's own
        mistakes come before `NO_RETURN`."""
        for results_only in (False, True):
            for slip in self.task.slips:
                made = self._made(slip)
                agrees = self._first_mismatch(made, outcomes, results_only) is None
                if agrees and self._first_mismatch(self.wanted, made, results_only):
                    return slip
        pairs = [(right, got) for right, got in zip(self.wanted, outcomes, strict=True) if not right.error]
        nothing = all(got.value is None and not got.error for _, got in pairs)
        return NO_RETURN if nothing and any(right.value is not None for right, _ in pairs) else None

    def _first_mismatch(
        self, wanted: Sequence[Outcome], outcomes: Sequence[Outcome], results_only: bool = False
    ) -> tuple[Case, str] | None:
        """The first case whose outcome is not the wanted one, and how it differs, in words."""
        for right, item, want, got in zip(self.wanted, self.cases, wanted, outcomes, strict=True):
            if not (results_only and right.error) and (message := _difference(self.task, want, got)):
                return item, message
        return None


def _difference(task: Task, want: Outcome, got: Outcome) -> str | None:
    if got is want:
        return None
    if want.error:
        if got.error == want.error:
            return None
        instead = f"raised {got.error}: {got.message}" if got.error else f"gave {short(got.value)}"
        return f" should raise {want.error}, but {instead}"
    if got.error:
        return f" raised {got.error}: {got.message or 'no message'}"
    if found := difference(want.value, got.value, task.compare):
        return f": {found}"
    if got.changed != want.changed:
        return f" changed {got.changed or want.changed} in place; work on a copy"
    if len(got.gradients) != len(want.gradients):
        return ": the values are right, but the gradients are missing"
    for place, (left, right) in enumerate(zip(want.gradients, got.gradients, strict=True)):
        if found := difference(left, right, task.compare, f"the gradient of input {place + 1}"):
            return f": the values are right, but {found}"
    return None


def _arguments(item: Case) -> str:
    parts = [*map(short, item.args), *(f"{name}={short(value)}" for name, value in item.kwargs.items())]
    text = ", ".join(parts)
    return text if len(text) <= 160 else text[:157] + "..."
