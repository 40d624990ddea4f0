"""Run an answer on cases and keep plain outcomes. Judging them is apart (`verdict`), so that marking a class can run
answers in a sandbox and judge what they gave in a process that never ran them."""

import contextlib
import copy
import linecache
import os
import random
import re
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lmcourse import checks
from lmcourse.exercises.compare import Compare, difference, identical
from lmcourse.exercises.limit import TimeLimitError, time_limit
from lmcourse.exercises.task import Case, Task
from lmcourse.exercises.tensors import TENSOR, torch

_LEAST_S, _LATE = 0.05, 2
_DEEPEST = 1000  # calls within calls: as many here as where it is marked, whatever called the check
_LIMIT_OF_KERNELS = 3000  # what IPython's completion sets by itself
_EXACT = Compare(rtol=0.0, atol=0.0)
_OF_SIZES = re.compile(r"\b(?:sizes?|shapes?|dimensions?|broadcast)\b")


@dataclass(frozen=True)
class Outcome:
    """What one call gave.

    Attributes:
        value: the result, or what a task's `call` made of it.
        error, error_bases, message, line: an exception's class, the classes that it derives from, its text, and the
            learner's own line that raised it.
        gradients, leaves: with respect to the arguments that need them, and the names of those.
        changed: the first argument that the call changed.
        shared: the first argument that shares memory with the result, where it must be new.
    """

    value: Any = None
    error: str = ""
    error_bases: tuple[str, ...] = ()
    message: str = ""
    line: str = ""
    gradients: list[Any] = field(default_factory=list)
    leaves: list[str] = field(default_factory=list)
    changed: str = ""
    shared: str = ""


_NO_TIME = Outcome(error=TimeLimitError.__name__, message="there was no processor time left for it")


def copied(item: Case) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments for one call, each copied apart: where a case passes one tensor twice, changing one is not both."""
    return tuple(map(copy.deepcopy, item.args)), {name: copy.deepcopy(part) for name, part in item.kwargs.items()}


def as_before(item: Case, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """A quick look at whether a call left its arguments as they were; where it says no, they still may be."""
    return identical(item.args, args) and identical(item.kwargs, kwargs)


def run_answer(
    task: Task,
    answer: Callable[..., Any],
    cases: Sequence[Case],
    *,
    fresh: Callable[[Case], tuple[tuple[Any, ...], dict[str, Any]]] = copied,
) -> list[Outcome]:
    """Call the answer on each case with arguments of its own, and keep what came out.

    Args:
        fresh: makes the arguments of a call from a case, (args, kwargs); no two calls share any.

    Raises:
        TypeError: an argument of another kind.
    """
    if not hasattr(task, "call") or not hasattr(task, "compare"):  # in a sandbox something else stands for the Task
        raise TypeError(f"`task` must be of type Task, got {type(task).__name__}.")
    checks.function(answer=answer, fresh=fresh)
    checks.items(Case, cases=cases)
    with settings_kept():
        return [_run(task, answer, item, *checks.pair(**{"fresh(case)": fresh(item)}), as_before) for item in cases]


def run_in_time(
    task: Task,
    answer: Callable[..., Any],
    cases: Sequence[Case],
    *,
    fresh: Callable[[Case], tuple[tuple[Any, ...], dict[str, Any]]] = copied,
    unchanged: Callable[[Case, tuple[Any, ...], dict[str, Any]], bool] = as_before,
) -> list[Outcome]:
    """As `run_answer`, within the processor time that the task allows; what is not reached by then is an error.

    In a project each case has a limit of its own, so that one endless loop does not take the time of all; after two of
    them no more is tried. It runs on one thread: more of them would spend the time on waiting for each other.

    Args:
        unchanged: a quick look, as `as_before` is; where it says no, a closer one is taken.
    """
    with settings_kept():
        if task.properties:
            return _within_limits_of_their_own(task, answer, cases, fresh, unchanged)
        outcomes: list[Outcome] = []
        try:
            with time_limit(task.seconds):  # one for all cases: to set timers takes as long as many an answer
                for item in cases:
                    outcomes.append(_run(task, answer, item, *fresh(item), unchanged))
        except TimeLimitError as error:
            outcomes.append(_stopped_after(task.seconds, error, answer))
        return [*outcomes, *[_NO_TIME] * len(cases)][: len(cases)]


def _within_limits_of_their_own(
    task: Task,
    answer: Callable[..., Any],
    cases: Sequence[Case],
    fresh: Callable[[Case], tuple[tuple[Any, ...], dict[str, Any]]],
    unchanged: Callable[[Case, tuple[Any, ...], dict[str, Any]], bool],
) -> list[Outcome]:
    seconds = {prop.name: prop.seconds for prop in task.properties}
    left, late, outcomes = task.seconds, 0, []
    if torch:
        _set_threads(1)
    for item in cases:
        allowed = min(left, seconds.get(item.of, left))
        if allowed < _LEAST_S or late >= _LATE:
            outcomes.append(_NO_TIME)
            continue
        begun = time.process_time()
        try:
            with time_limit(allowed):
                outcomes.append(_run(task, answer, item, *fresh(item), unchanged))
        except TimeLimitError as error:
            late += 1
            outcomes.append(_stopped_after(allowed, error, answer))
        left -= time.process_time() - begun
    return outcomes


def _stopped_after(seconds: float, error: TimeLimitError, answer: Callable[..., Any]) -> Outcome:
    line = _own_line(error, answer)
    why = "it prints too much?" if "print(" in line else "an endless loop?"
    message = f"it was still running after {seconds:.3g} seconds of processor time ({why})"
    return Outcome(error=TimeLimitError.__name__, message=message, line=line)


def _run(
    task: Task,
    answer: Callable[..., Any],
    item: Case,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    unchanged: Callable[[Case, tuple[Any, ...], dict[str, Any]], bool],
) -> Outcome:
    leaves: list[str] = []
    gradients: list[Any] = []
    try:
        value = _called(task, answer, args, kwargs)
        named = [*((f"argument {number + 1}", part) for number, part in enumerate(args)), *kwargs.items()]
        if task.compare.gradient:
            leaves, gradients = _gradients(value, named)
        shared = _shared(value, named) if task.compare.new else ""
    except (Exception, SystemExit) as error:  # a learner's code may raise anything, and may try to leave
        bases = tuple(kind.__name__ for kind in type(error).__mro__[1:] if kind is not object)
        return Outcome(
            error=type(error).__name__, error_bases=bases, message=message_of(error), line=_own_line(error, answer)
        )
    changed = ""
    if task.compare.inputs_unchanged and not unchanged(item, args, kwargs):
        changed = _changed(item, args, kwargs)
    return Outcome(value=value, gradients=gradients, leaves=leaves, changed=changed, shared=shared)


def _called(task: Task, answer: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    deepest = sys.getrecursionlimit()
    if deepest <= _LIMIT_OF_KERNELS:  # above it, the answer cell asked for more
        sys.setrecursionlimit(_depth() + _DEEPEST)
    try:
        return task.call(answer, *args, **kwargs)
    finally:
        sys.setrecursionlimit(deepest)  # here already: what reads the result needs it


def _depth() -> int:
    frame, depth = sys._getframe(), 0
    while frame := frame.f_back:  # type: ignore[assignment]
        depth += 1
    return depth


@contextlib.contextmanager
def settings_kept() -> Iterator[None]:
    """Put back what an answer may have switched: gradients, the default dtype and device, threads, seeds, print
    options, filters, the recursion limit.

    Whatever runs next, the reference among it, meets the settings that were there before. Gradients are on inside,
    and inference mode is off, whatever was left on outside.
    """
    states: list[tuple[Callable[[Any], Any], Any]] = [
        (random.setstate, random.getstate()),
        (np.random.set_state, np.random.get_state()),  # noqa: NPY002 - the global state, to put it back
        (lambda options: np.set_printoptions(**options), np.get_printoptions()),
        (lambda options: np.seterr(**options), np.geterr()),
        (os.chdir, os.getcwd()),  # noqa: PTH109 - one call of os goes with the other
        (sys.setrecursionlimit, sys.getrecursionlimit()),
    ]
    if torch:
        states += [
            (torch.set_grad_enabled, torch.is_grad_enabled()),
            (torch.set_default_dtype, torch.get_default_dtype()),
            (torch.set_rng_state, torch.get_rng_state()),
            (_set_deterministic, torch.are_deterministic_algorithms_enabled()),
            (vars(torch._tensor_str.PRINT_OPTS).update, dict(vars(torch._tensor_str.PRINT_OPTS))),
            (_set_device, _default_device()),
        ]
        states.append((_set_threads, torch.get_num_threads()))
    plain_mode = torch.inference_mode(False) if torch else contextlib.nullcontext()
    try:
        with (
            plain_mode,
            warnings.catch_warnings(),
            np.errstate(all="ignore"),
        ):  # a warning is no mistake, and is not shown
            warnings.simplefilter("ignore")
            yield
    finally:
        for restore, state in states:
            restore(state)


def _set_threads(number: int) -> None:
    if torch.get_num_threads() != number:  # setting it costs a team of threads
        torch.set_num_threads(number)


def _default_device() -> Any:
    """The device that was set as the default; None where none was."""
    context = getattr(torch._GLOBAL_DEVICE_CONTEXT, "device_context", None)
    return context.device if context else None


def _set_device(device: Any) -> None:
    if _default_device() != device:
        torch.set_default_device(device)


def _set_deterministic(value: bool) -> None:
    if torch.are_deterministic_algorithms_enabled() != value:  # setting it loads torch's compiler, which takes seconds
        torch.use_deterministic_algorithms(value)


def message_of(error: BaseException) -> str:
    """An exception's message on one line; an exception of a learner's own class may have none to give."""
    try:
        return " ".join(str(error).split())
    except Exception:
        return ""


def _own_line(error: BaseException, answer: Callable[..., Any]) -> str:
    """The learner's own line in which it was raised: the last one of the file that the answer stands in."""
    code = getattr(answer, "__code__", None) or getattr(getattr(answer, "__init__", None), "__code__", None)
    if code is None:
        return ""
    steps = [step for step in traceback.walk_tb(error.__traceback__) if step[0].f_code.co_filename == code.co_filename]
    if not steps:
        return ""
    frame, number = steps[-1]
    line = linecache.getline(code.co_filename, number, frame.f_globals).strip()
    return f" (in the line `{line}`{_shapes(error, line, frame.f_locals)})" if line else ""


def _shapes(error: BaseException, line: str, values: dict[str, Any]) -> str:
    """The shapes of the tensors and arrays that a line names, where the error is about sizes: torch does not say them
    for what is added, multiplied or compared element by element."""
    if not isinstance(error, (RuntimeError, ValueError, IndexError)) or not _OF_SIZES.search(message_of(error)):
        return ""
    told = [
        f"{name} of shape {tuple(values[name].shape)}"
        for name in dict.fromkeys(re.findall(r"(?<![\w.])[A-Za-z_]\w*", line))
        if (kind := type(values.get(name))) is np.ndarray or (torch and kind is torch.Tensor)
    ]
    return ", with " + ", ".join(told) if told else ""


def _changed(item: Case, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """The first argument that no longer is what it was."""
    before = [
        *((f"argument {number + 1}", value) for number, value in enumerate(item.args)),
        *item.kwargs.items(),
    ]
    for (name, old), new in zip(before, [*args, *kwargs.values()], strict=True):
        if isinstance(old, (list, tuple, dict, set, np.ndarray, *TENSOR)) and difference(old, new, _EXACT):
            return name
    return ""


def _shared(value: Any, named: list[tuple[str, Any]]) -> str:
    """The first argument of which a part is in the result, or lends it its memory; parts are lists, arrays, and so on.

    Two tuples or two lists of tensors may hold the same numbers and strings: those cannot be changed.
    """
    results = _parts_of(value)
    for name, argument in named:
        if any(_same_memory(part, other) for other in _parts_of(argument) for part in results):
            return name
    return ""


def _parts_of(value: Any) -> list[Any]:
    """Whatever in a value could be changed in place: itself, its elements, theirs."""
    own = [value] if isinstance(value, (list, dict, set, np.ndarray, *TENSOR)) else []
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return own + [part for item in inner for part in _parts_of(item)]


def _same_memory(left: Any, right: Any) -> bool:
    if left is right:
        return True
    if isinstance(left, np.ndarray) and isinstance(right, np.ndarray):
        return np.shares_memory(left, right)
    if isinstance(left, TENSOR) and isinstance(right, TENSOR) and left.numel() > 0:
        return bool(left.untyped_storage().data_ptr() == right.untyped_storage().data_ptr())
    return False


def _gradients(value: Any, named: list[tuple[str, Any]]) -> tuple[list[str], list[Any]]:
    """Gradients of a fixed weighting of all tensors in the result with respect to every argument that requires them."""
    leaves = [(name, part) for name, part in named if isinstance(part, TENSOR) and part.requires_grad]
    names, inputs = [name for name, _ in leaves], [part for _, part in leaves]
    outputs = [part for part in _tensors_in(value) if part.requires_grad]
    if not leaves or not outputs:
        return names, [None] * len(leaves)
    total = torch.zeros((), dtype=outputs[0].dtype)
    for number, part in enumerate(outputs):
        weights = torch.linspace(0.5, 2 + number, part.numel(), dtype=part.dtype, device=part.device)
        total = total + (part * weights.reshape(part.shape)).sum()
    return names, list(torch.autograd.grad(total, inputs, allow_unused=True))


def _tensors_in(value: Any) -> list[Any]:
    if isinstance(value, TENSOR):
        return [value]
    if isinstance(value, dict):
        return [part for item in value.values() for part in _tensors_in(item)]
    if isinstance(value, (list, tuple)):
        return [part for item in value for part in _tensors_in(item)]
    return []
