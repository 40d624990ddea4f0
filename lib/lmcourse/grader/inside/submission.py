"""One submission, in a process of its own: run its cells, call its answers on the cases, send what came out."""

import ast
import contextlib
import importlib
import io
import json
import linecache
import os
import pickle
import socket
import sys
import types
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from inspect import CO_COROUTINE
from time import monotonic  # by name: an answer may change the module
from typing import Any

from lmcourse.exercises import codec
from lmcourse.exercises.running import Outcome, as_before, copied, message_of, run_in_time
from lmcourse.exercises.task import Case, Property
from lmcourse.exercises.tensors import TENSOR, torch
from lmcourse.grader.inside.audit import Audit, remember
from lmcourse.grader.inside.frames import Frames, send
from lmcourse.grader.inside.names import UNLISTED, clearly_listed, unlisted

_MESSAGE = 300  # characters of an exception's text that are kept


@dataclass(frozen=True)
class TaskSpec:
    """What of a task is needed to run an answer: its cases are here, its right answer is not."""

    name: str
    call: Callable[..., Any]
    compare: Any
    cases: list[Case]
    seconds: float = 0.0
    properties: tuple[Property, ...] = ()
    libraries: tuple[str, ...] = ()

    def fresh(self, item: Case) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Arguments for one call: unpacked from what the worker packed before any answer ran, faster than a copy."""
        packed = _PACKED.get(id(item))
        return pickle.loads(packed.content) if packed else copied(item)

    def unchanged(self, item: Case, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether the arguments of a call are, byte by byte, what was unpacked for it; most are."""
        packed = _PACKED.get(id(item))
        if packed is None or packed.tensors:
            return as_before(item, args, kwargs)
        try:
            return pickle.dumps((args, kwargs), pickle.HIGHEST_PROTOCOL) == packed.content
        except Exception:  # an answer may have put anything into a list
            return False


@dataclass(frozen=True)
class Page:
    """What is the same for every submission of an assignment."""

    tasks: dict[str, TaskSpec]


@dataclass(frozen=True)
class _Packed:
    """The arguments of a case; whether there are tensors among them."""

    content: bytes
    tensors: bool


_PACKED: dict[int, _Packed] = {}


class _Packer(pickle.Pickler):
    """Tensors go as arrays: to unpack one as torch packs it takes ten times as long, and longer than a copy.

    Raises:
        TypeError: a tensor that would not come out as it is: a view, one that shares its memory, one whose elements
            NumPy does not have.
    """

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self.tensors = False
        self._memory: set[int] = set()

    def reducer_override(self, value: Any) -> Any:
        if not isinstance(value, TENSOR):
            return NotImplemented
        self.tensors = True
        memory = value.untyped_storage()
        whole = value.is_contiguous() and memory.nbytes() == value.nbytes and memory.data_ptr() not in self._memory
        if type(value) is not torch.Tensor or not value.is_leaf or not whole:
            raise TypeError(f"a tensor of shape {tuple(value.shape)} is copied, not packed")
        if value.numel():
            self._memory.add(memory.data_ptr())
        return _tensor, (value.detach().numpy(), value.requires_grad)


def _tensor(array: Any, requires_grad: bool) -> "torch.Tensor":
    return torch.from_numpy(array).requires_grad_(requires_grad)


def pack(page: Page) -> None:
    """Keep every case ready to be unpacked; one that cannot be packed is copied when its time comes."""
    _PACKED.clear()
    for task in page.tasks.values():
        for item in task.cases:
            with contextlib.suppress(Exception):
                content = io.BytesIO()
                packer = _Packer(content)
                packer.dump(copied(item))
                _PACKED[id(item)] = _Packed(content.getvalue(), packer.tensors)


def serve(
    job: socket.socket, page: Page, shut_in: Callable[[], None], keep: Iterable[int] = (), *, listed: bool = False
) -> None:
    """Shut this process in, read the cells, run them in order, and send results as they come.

    `keep` are the open files that `shut_in` uses, and closes; `listed` says that of an answer is run only what names
    nothing beyond the list of `names`.

    What is sent: {"ready": true}, then for each task {"begin": task} and {"task": ..., "outcomes" or "stopped": ...,
    "audit": [...], "ended": when}; last, {"done": true}. Where one task follows another, the two go together: a message
    costs time. The next task is at work before anybody reads this, so the end is told by the clock.
    """
    try:
        _let_go(job.fileno(), *keep)
        shut_in()
        for module in {name for task in page.tasks.values() for name in task.libraries}:
            importlib.import_module(module)  # here, since only here may it write what it writes
            remember()
    except Exception as error:
        send(job, {"broken": f"{type(error).__name__}: {error}"})
        return
    send(job, {"ready": True})  # before the first line of a learner's code
    work = json.loads(Frames(job).next())
    names = types.ModuleType("__main__")
    vars(names).update(display=lambda *_, **__: None, get_ipython=lambda: None)
    sys.modules["__main__"] = names  # where classes of the cells look for their home
    audit = Audit()
    tasks = [cell["task"] for cell in work["cells"]]
    begun = ""
    for cell, following in zip(work["cells"], [*tasks[1:], ""], strict=True):
        task = cell["task"]
        if task and task != begun:
            send(job, {"begin": task})
        stopped = _run_cell(cell["source"], names, task, listed=listed and bool(task))
        if task and cell["asked"]:
            after: dict[str, Any] = {"begin": following} if following else {}
            try:
                result = {"task": task, **(stopped or _outcomes(page.tasks[task], names)), "audit": audit.since()}
                send(job, result | {"ended": monotonic()} | after)
            except MemoryError:
                message = ["MemoryError", "there is no memory for the results"]
                stopped_by = {"task": task, "stopped": message, "audit": audit.since()}
                send(job, stopped_by | {"ended": monotonic()} | after)
            begun = following
        elif task:
            audit.since()
    send(job, {"done": True})


def _let_go(*kept: int) -> None:
    """Keep no file open but these; printed text goes nowhere."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nothing, number)
    start = 3
    for keep in sorted(kept):
        os.closerange(start, keep)
        start = keep + 1
    os.closerange(start, 4096)


def _run_cell(source: str, names: types.ModuleType, task: str, *, listed: bool) -> dict[str, Any] | None:
    """Run a cell; what stopped it, or None."""
    name = f"<answer {task}>" if task else "<page>"
    try:
        code = compile(source, name, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        if listed and not clearly_listed(code, vars(names)) and (found := unlisted(ast.parse(source), vars(names))):
            return {"stopped": [UNLISTED, ", ".join(found)[:_MESSAGE]]}
        # its lines can be told by the name of its file, as those of a file can
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        coroutine = eval(code, vars(names))
        if code.co_flags & CO_COROUTINE:  # it awaits something, as it may in a notebook
            with contextlib.suppress(StopIteration):
                while True:
                    coroutine.send(None)
    except BaseException as error:  # a cell may raise anything, and may try to leave
        return {"stopped": [type(error).__name__, message_of(error)[:_MESSAGE]]}
    return None


def _outcomes(task: TaskSpec, names: types.ModuleType) -> dict[str, Any]:
    answer = vars(names).get(task.name)
    if not callable(answer):
        kind = "nothing" if answer is None else f"a value of the kind {type(answer).__name__}"
        return {"stopped": ["", f"the answer cell defines {kind} named {task.name}; a function is asked for"]}
    try:
        outcomes = run_in_time(task, answer, task.cases, fresh=task.fresh, unchanged=task.unchanged)  # type: ignore[arg-type]
        return {"outcomes": [plain(outcome) for outcome in outcomes]}
    except BaseException as error:  # KeyboardInterrupt, or an exception that cannot even be told
        return {"stopped": [type(error).__name__, message_of(error)[:_MESSAGE]]}


def plain(outcome: Outcome) -> dict[str, Any]:
    """An outcome as JSON, without what is empty."""
    parts = {
        "error": outcome.error[:_MESSAGE], "message": outcome.message[:_MESSAGE], "line": outcome.line[:_MESSAGE],
        "changed": outcome.changed, "shared": outcome.shared,
    }  # fmt: skip
    plain: dict[str, Any] = {name: text for name, text in parts.items() if text}
    if outcome.error_bases:
        plain["error_bases"] = list(outcome.error_bases)
    if outcome.gradients:
        plain["gradients"] = [codec.encode(gradient) for gradient in outcome.gradients]
    return plain if outcome.error else plain | {"value": codec.encode(outcome.value)}
