"""Mark one submission: run its answers in the sandbox, judge what came out. This side never runs a learner's code."""

import contextlib
import json
import re
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from lmcourse.exercises import codec
from lmcourse.exercises.limit import CLOCK, TimeLimitError
from lmcourse.exercises.running import Outcome
from lmcourse.exercises.task import Task
from lmcourse.exercises.verdict import UNANSWERED, Judge
from lmcourse.grader.bundle import speaks_of_torch
from lmcourse.grader.inside.names import UNLISTED
from lmcourse.grader.inside.submission import plain
from lmcourse.grader.leftovers import left_by, only_imports, words
from lmcourse.grader.page import Page
from lmcourse.grader.sandbox import Cell, Limits, Run, Sandbox, SandboxBrokenError
from lmcourse.grader.submissions import Answers
from lmcourse.notebook import UNDEFINED, makes

#: What can become of a task. Only "marked" points were decided; the others are zero until a person has looked.
STATUSES = ("marked", "ungradable", "timeout", "memory", "violated")
#: Whether an answer is run that names what is not on the list; False for tests of what else holds.
NAMES_LISTED = True
_JUDGE_S = 20
_OUT_OF_MEMORY = re.compile(r"can't allocate memory|not enough memory|Unable to allocate", re.IGNORECASE)


@dataclass(frozen=True)
class TaskResult:
    """What became of one task of one submission.

    Attributes:
        status: one of `STATUSES`.
        reason: for the learner, in words.
        slip: the known mistake that the answer agrees with; "" if none.
        note: for the teacher.
    """

    task: str
    points: float
    earned: float
    status: str
    reason: str
    slip: str = ""
    seconds: float = 0.0
    note: str = ""


class Marker:
    """Marks submissions of one assignment on the cases of one seed. Use it in a `with` block.

    Before any submission the course's own answers are marked; unless they earn every point, nothing is.

    Raises:
        NoSandboxError, SandboxBrokenError: see `Sandbox`.
    """

    def __init__(
        self,
        page: Page,
        seed: int,
        limits: Limits | None = None,
        *,
        unsafe: bool = False,
        weaker: bool = False,
        slot: int = 0,
    ) -> None:
        self.limits = limits or Limits()
        self.page = page = replace(page, tasks=tuple(_limited(task, self.limits.task_s) for task in page.tasks))
        cases = [(task, task.cases(seed)) for task in page.tasks]
        self._judges = {task.name: Judge(task, drawn) for task, drawn in cases}
        self._right = {name: [_as_sent(outcome) for outcome in judge.wanted] for name, judge in self._judges.items()}
        how: dict[str, Any] = {"unsafe": unsafe, "weaker": weaker, "slot": slot, "listed": NAMES_LISTED}
        self._only_imports = only_imports(page.own_code)
        self._new_sandbox = partial(Sandbox, cases, page.own_code, self.limits, **how)
        self.sandbox = self._new_sandbox()
        self._with_tensors: Sandbox | None = None

    def __enter__(self) -> "Marker":
        try:
            proof = self.mark(Answers(sources=self.page.solution))
            wrong = [f"{result.task}: {result.reason}" for result in proof if result.earned < result.points]
            if wrong:
                raise SandboxBrokenError(f"the course's own answers do not pass here; nothing is marked. {wrong[0]}")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.sandbox.__exit__()
        if self._with_tensors:
            self._with_tensors.__exit__()

    def mark(self, answers: Answers) -> list[TaskResult]:
        """One result a task of the page, in its order.

        All answers run together, in the page's order. One that ends the run is left out of the next; and one that fails
        after another did, for no known reason, is run once more apart from the others where it may have been their
        fault: where one before it did more than define names that this one does not use.
        """
        self._end = time.monotonic() + self.limits.total_s
        self._on_top = {task.name: CLOCK * task.seconds for task in self.page.tasks if task.properties}
        results = {task: self._zero(task, "ungradable", why) for task, why in answers.missing.items()}
        unchanged = {task for task, source in answers.sources.items() if source == self.page.given[task]}
        results |= {task: self._zero(task, "marked", UNANSWERED) for task in unchanged}
        results |= self._together(answers, [task for task in answers.sources if task not in unchanged])
        odd = False  # whether a cell before this one did what no answer has to do
        left: list[frozenset[str] | None] = []  # by the cells before this one that failed
        for task in (task.name for task in self.page.tasks):
            first = results[task]
            if first.earned == first.points and not first.note:
                continue
            lacking = self._lacking(task, answers, unchanged, first) if first.status == "marked" else ""
            if lacking:
                results[task] = replace(first, reason=f"{first.reason}\n{lacking}")
            known = lacking or first.reason == UNANSWERED or (first.slip and not odd)
            if not known and first.earned < first.points and task in answers.sources:
                names = words(answers.sources[task]) if left else frozenset()
                if any(defined is None or defined & names for defined in left):
                    results[task] = self._apart(task, answers, first)
            if task in answers.sources and task not in unchanged:
                quiet = self._only_imports and first.status == "marked" and not first.note
                defined = left_by(answers.python.get(task, answers.sources[task])) if quiet else None
                left.append(defined and defined - {task})  # run apart, who calls it would not find it either
            odd = odd or bool(first.note)
        return [self._worth(results[task.name]) for task in self.page.tasks]

    def _worth(self, result: TaskResult) -> TaskResult:
        """The result in the points of the class."""
        points = self.page.worth.get(result.task, result.points)
        if points == result.points:
            return result
        return replace(result, points=points, earned=round(result.earned * points / result.points, 2))

    def _lacking(self, task: str, answers: Answers, unchanged: set[str], first: TaskResult) -> str:
        """What to tell of an answer that calls one that is not given: run apart it would not find it either."""
        if "raised NotImplementedError" not in first.reason:
            return ""
        names = [
            name for name in self.page.given if name in unchanged and re.search(rf"\b{name}\b", answers.sources[task])
        ]
        return f"It calls {' and '.join(names)}, not answered yet." if names else ""

    def _together(self, answers: Answers, todo: list[str]) -> dict[str, TaskResult]:
        results: dict[str, TaskResult] = {}
        sources = answers.sources | answers.python
        while todo:
            if time.monotonic() > self._end:
                message = f"the submission as a whole took more than {self.limits.total_s:g} seconds"
                return results | {task: self._zero(task, "timeout", message) for task in todo}
            run = self._run(self.page.cells(sources, todo))
            results |= self._judged(run, answers)
            todo = [task for task in todo if task not in results]
            if not run.why and todo:  # it said that it was through, and was not
                run.why, run.message, run.stopped_at = "violated", "it ended the run before its time", todo[0]
            if not run.why:
                break
            if not run.stopped_at:
                raise SandboxBrokenError(f"the page's own cells do not run: {run.message}")
            if run.stopped_at in todo:
                results[run.stopped_at] = self._stopped(run)
                todo.remove(run.stopped_at)
            sources.pop(run.stopped_at, None)
        return results

    def _apart(self, task: str, answers: Answers, first: TaskResult) -> TaskResult:
        if time.monotonic() > self._end:
            return first
        run = self._run(self.page.cells({task: (answers.sources | answers.python)[task]}, [task]))
        second = self._judged(run, answers).get(task)
        if second is None or second.earned < second.points:
            return first
        return replace(second, note="; ".join(filter(None, [second.note, "right when run apart from the other cells"])))

    def _run(self, cells: list[Cell]) -> Run:
        """Run cells: where one of them speaks of torch and the page does not, in a sandbox that has it loaded."""
        box = self.sandbox
        if not box.tensors and any(speaks_of_torch(cell.source) for cell in cells):
            box = self._with_tensors = self._with_tensors or self._new_sandbox(tensors=True)
        run = box.run(cells, self._end, self._on_top)
        for task, left in self._on_top.items():  # a project's time is its own, and given once
            used = min(left, run.seconds.get(task, 0.0))
            self._end, self._on_top[task] = self._end + used, left - used
        return run

    # ----------------------------------------------------------------------------------------------- judging a run

    def _judged(self, run: Run, answers: Answers) -> dict[str, TaskResult]:
        results = {}
        for task, payload in run.results.items():
            if task in self._judges:
                try:
                    with _at_most(_JUDGE_S):
                        result = self._judge(task, payload, answers, run.refused.get(task, []))
                except TimeoutError:
                    result = self._zero(task, "violated", "its result takes too long to compare.")
                except codec.CodecError as error:
                    result = self._zero(task, "violated", f"{error}.")
                except Exception as error:  # whatever came out, the others are marked
                    result = self._zero(task, "violated", f"its result cannot be compared ({type(error).__name__}).")
                results[task] = replace(result, seconds=round(run.seconds[task], 3))
        return results

    def _judge(self, task: str, payload: dict[str, Any], answers: Answers, refused: list[str]) -> TaskResult:
        audit = [*_texts(payload.get("audit", [])), *_calls(refused)]
        if "stopped" in payload:
            error, message = _texts(payload["stopped"], 2)
            return self._cell_stopped(task, error, message, audit, answers)
        cases = self._judges[task].cases
        outcomes = payload.get("outcomes")
        if not isinstance(outcomes, list) or len(outcomes) != len(cases):
            raise codec.CodecError("it wrote results of its own making where the sandbox writes")
        judge = self._judges[task]
        budget = codec.Budget(10_000 + 20 * judge.parts)
        read = [
            right if repr(payload) == sent else _outcome(payload, budget)
            for payload, right, sent in zip(outcomes, judge.wanted, self._right[task], strict=True)
        ]
        verdict = judge.verdict(read)
        reason = verdict.why
        result = TaskResult(task, verdict.points, verdict.earned, "marked", reason, verdict.slip)
        tried = f"It tried to {', to '.join(audit)}, which no answer has to do." if audit else ""
        if verdict.passed or verdict.reason == UNANSWERED:
            return replace(result, note=tried)
        if any(_is_memory(outcome.error, outcome.message) for outcome in read):
            return replace(result, status="memory", note=tried)
        if audit:
            return replace(result, status="violated", reason=f"{reason}\n{tried}", note=tried)
        late = [outcome.message for outcome in read if outcome.error == TimeLimitError.__name__]
        if late and not judge.task.properties:
            return replace(result, status="timeout", note=late[0])
        missing = {match[1] for outcome in read if (match := UNDEFINED.search(outcome.message))}
        return replace(result, reason=reason + "".join(_extra_told(name, answers) for name in sorted(missing)))

    def _cell_stopped(self, task: str, error: str, message: str, audit: list[str], answers: Answers) -> TaskResult:
        if error == UNLISTED:
            reason = f"The answer cell uses {message}. It was not run: no answer needs that. Take it out."
            return self._zero(task, "violated", reason, note=f"It uses {message}.")
        tried = f"It tried to {', to '.join(audit)}." if audit else ""
        status = "violated" if audit else "ungradable"
        if error:
            reason = f"The answer cell stopped with {error}: {message.removesuffix('.') or 'no message'}."
            if match := UNDEFINED.search(message):
                reason += _extra_told(match[1], answers)
            status = "memory" if _is_memory(error, message) else status
        else:
            reason = f"{message[:1].upper()}{message[1:]}."
        return self._zero(task, status, "\n".join(filter(None, [reason, tried])), note=tried)

    def _stopped(self, run: Run) -> TaskResult:
        tried = "".join(f" It tried to {call}." for call in _calls(run.refused.get(run.stopped_at, [])))
        reason = f"This answer was stopped: {run.message}.{tried}"
        return replace(self._zero(run.stopped_at, run.why, reason), note=f"{run.message}{tried.rstrip('.')}")

    def _zero(self, task: str, status: str, reason: str, note: str = "") -> TaskResult:
        reason = reason if reason.endswith((".", "?", "!")) else f"{reason[:1].upper()}{reason[1:]}."
        return TaskResult(task, self._judges[task].task.points, 0, status, reason, note=note)


def _calls(refused: list[str]) -> list[str]:
    return [f"make the system call {name}" for name in refused]


def _limited(task: Task, seconds: float) -> Task:
    """The task with as much time as whoever marks gives it; a project keeps its own."""
    return task if task.properties else replace(task, seconds=min(task.seconds, seconds))


def _as_sent(right: Outcome) -> str:
    """How the right outcome reads when it comes from the sandbox.

    One that reads the same, letter by letter, is that very outcome, and need not be taken apart. (An error's message
    may be any, so most errors are.)
    """
    return repr(json.loads(json.dumps(plain(right))))


def _extra_told(name: str, answers: Answers) -> str:
    if makes(name, answers.extra):
        return f"\n{name} is made in a cell of your own; only answer cells are marked: put it into the answer cell."
    return ""


def _is_memory(error: str, message: str) -> bool:
    return error == "MemoryError" or (error == "RuntimeError" and bool(_OUT_OF_MEMORY.search(message)))


def _texts(payload: Any, number: int | None = None) -> list[str]:
    """A short list of short texts, from anybody."""
    if not isinstance(payload, list) or not all(isinstance(word, str) for word in payload):
        raise codec.CodecError("it wrote results of its own making where the sandbox writes")
    if number is not None and len(payload) != number:
        raise codec.CodecError("it wrote results of its own making where the sandbox writes")
    return [_plain(word, 300) for word in payload[:10]]


def _plain(text: str, length: int) -> str:
    """Text that can be shown: one line of characters that can be printed."""
    if text.isascii() and text.isprintable():
        return text[:length]
    shown = text[:length].encode("utf-8", "backslashreplace").decode()
    return "".join(character if character.isprintable() else "?" for character in shown)


def _outcome(payload: Any, budget: "codec.Budget") -> Outcome:
    if not isinstance(payload, dict):
        raise codec.CodecError("a result came out damaged")
    texts = {name: payload.get(name, "") for name in ("error", "message", "line", "changed", "shared")}
    if not all(isinstance(text, str) for text in texts.values()):
        raise codec.CodecError("a result came out damaged")
    gradients = payload.get("gradients", [])
    if not isinstance(gradients, list):
        raise codec.CodecError("a result came out damaged")
    shown: dict[str, Any] = {name: _plain(text, 300) for name, text in texts.items()}
    return Outcome(
        value=codec.read(payload.get("value"), budget),
        error_bases=tuple(_texts(payload.get("error_bases", []))),
        gradients=[codec.read(gradient, budget) for gradient in gradients],
        **shown,
    )


@contextlib.contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Raise TimeoutError when the block takes longer, where the system has an alarm clock."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
