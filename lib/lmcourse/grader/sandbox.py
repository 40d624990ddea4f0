"""The sandbox that answers run in: bubblewrap around a worker, and in it each submission shut in once more.

In its place, where a person asks for it, stands the weaker sandbox (`grader.weaker`).
What is in sight there: the system's and Python's own files, read-only, and the bundle of the library without answers.
No network, no other process, no file of a person; limits on time, memory, processes, file size and results.
"""

import contextlib
import itertools
import json
import math
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lmcourse.exercises.codec import CodecError, parse
from lmcourse.exercises.limit import CLOCK
from lmcourse.exercises.task import Case, Task
from lmcourse.grader.bubblewrap import (
    ENVIRONMENT,
    INSIDE,
    NoSandboxError,
    bubblewrap,
    is_root,
    missing_sandbox,
    nobody,
)
from lmcourse.grader.bundle import PAGE, imports, write_bundle
from lmcourse.grader.cgroup import Cgroup
from lmcourse.grader.inside.frames import Frames, send
from lmcourse.grader.weaker import barred, missing_weaker, places, weaker_environment

_FOLDER = "lmcourse-grade-"
_NUMBERS = itertools.count()
_ENVIRONMENT = ("PATH", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")  # bubblewrap lets none of it in
_START_S = 120
_PARTS = 300_000
_SLACK_S = 10.0  # of processor time, or half of the task's own: cases are stopped in time; who evades it gets so much
_OWN_MEMORY, _OWN_PROCESSES = 1_000_000_000, 32  # of the worker with its libraries, beside a submission's
#: System calls that pass beside the list of `inside.syscalls`. None: it is here for tests of what else holds.
ALSO_CALLED: tuple[str, ...] = ()


class SandboxBrokenError(RuntimeError):
    """The sandbox does not do its work. No answer is to blame, and no mark is given."""


@dataclass(frozen=True)
class Limits:
    """What one submission may use.

    Attributes:
        task_s: seconds for one task, its cell and all its cases together; of processor time where the task is called.
        total_s: seconds for all of a submission's runs, by the clock; while a project runs it has its own on top.
        memory: bytes of memory, its processes together (and of address space beyond the start, each).
        processes: processes and threads.
        file_size: bytes of one file in its scratch folder.
        result_size: bytes of one task's results.
    """

    task_s: float = 10.0
    total_s: float = 60.0
    memory: int = 1_000_000_000
    processes: int = 32
    file_size: int = 16_000_000
    result_size: int = 8_000_000


@dataclass(frozen=True)
class Cell:
    """A cell to run; `task` names the task it answers, and `asked` says whether its answer is called.

    `cpu_s` is the task's processor time, which counts for it instead of the clock.
    """

    source: str
    task: str = ""
    asked: bool = True
    cpu_s: float = 0.0


@dataclass
class Run:
    """What one run of cells gave.

    Attributes:
        results: task -> what was sent, not yet judged; parsed JSON of anybody's making.
        seconds: task -> wall time.
        refused: task -> the system calls that the sandbox refused it, by name.
        stopped_at: the task during which the run ended before its end; "" if it did not.
        why: "timeout", "memory" or "violated", where it stopped.
        message: the reason, in words.
        limit_s: the time that the task had during which it stopped.
        of_all: whether it was the submission as a whole that had taken too long.
    """

    results: dict[str, dict[str, Any]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    refused: dict[str, list[str]] = field(default_factory=dict)
    stopped_at: str = ""
    why: str = ""
    message: str = ""
    limit_s: float = 0.0
    of_all: bool = False


class Sandbox:
    """A worker in a sandbox, for one assignment and one set of cases. Use it in a `with` block.

    Args:
        tasks: the assignment's tasks with their cases.
        page_code: the code of the page's own cells.
        limits: what a submission may use.
        unsafe: run without a sandbox.
        weaker: run in the weaker sandbox, for places without namespaces (`grader.weaker`).
        slot: a number of its own for every sandbox at work at the same time.
        tensors: have torch loaded even if neither the cases nor the page's code speak of it.
        listed: run no answer that names what is not on the list (`inside.names`).

    Attributes:
        tensors: whether torch is loaded.

    Raises:
        NoSandboxError: there is no sandbox to be had.
        SandboxBrokenError: it does not start.
    """

    def __init__(
        self,
        tasks: Iterable[tuple[Task, list[Case]]],
        page_code: str,
        limits: Limits | None = None,
        *,
        unsafe: bool = False,
        weaker: bool = False,
        slot: int = 0,
        tensors: bool = False,
        listed: bool = False,
    ) -> None:
        tasks = list(tasks)
        self._listed = listed
        self.limits, self.unsafe, self.weaker, self.slot = limits or Limits(), unsafe, weaker, slot
        self._tasks_s = sum(_most(task.seconds) for task, _ in tasks)
        self.cpu_s = 0.0  # of the worker and of all that it ran
        self._unclaimed: list[tuple[float, str]] = []  # calls that were refused, when and what, of no task so far
        self._cgroup: Cgroup | None = None
        if not unsafe and (why := missing_weaker() if weaker else missing_sandbox()):
            raise NoSandboxError(why)
        self._folder = Path(tempfile.mkdtemp(prefix=f"{_FOLDER}{os.getpid()}-"))
        try:
            self.tensors = write_bundle(self._folder / "bundle", tasks, page_code, tensors=tensors)
            for path in self._folder.rglob("*"):
                path.chmod(0o755 if path.is_dir() else 0o644)
            self._start(sorted(imports(page_code)))
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def run(self, cells: Sequence[Cell], end: float = math.inf, on_top: Mapping[str, float] | None = None) -> Run:
        """Run cells in order in a fresh process of their own.

        Args:
            end: when the submission as a whole has taken too long, by the monotonic clock.
            on_top: task -> seconds that it may take beyond that.

        Raises:
            SandboxBrokenError: the sandbox failed, which is nobody's fault who handed in.
        """
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                self._say({"do": "run"}, theirs.fileno())
            self._hear()  # from here on nothing is left of the submission before
            self._refused()
            run, ended_well = Run(), False
            try:
                ended_well = self._follow(ours, cells, run, end, on_top or {})
            finally:
                self._say({"do": "stop", "how": not ended_well})  # how it ended matters if it did not end well
                ended = self._hear()
        self.cpu_s = float(ended["cpu_s"])
        over = ended["over"] or ("memory" if self._cgroup is not None and self._cgroup.ran_out() else "")
        if not ended_well:
            run.refused[run.stopped_at] = self._refused()
            self._explain(run, over, ended["exit"])
        return run

    # ------------------------------------------------------------------------------------------- following a run

    def _follow(
        self, job: socket.socket, cells: Sequence[Cell], run: Run, whole: float, on_top: Mapping[str, float]
    ) -> bool:
        """Send the cells and take the results in; whether the run came to its end."""
        frames = Frames(job, self.limits.result_size)
        self._await_ready(job, frames)
        begun, to_begin = time.monotonic(), [cell.task for cell in cells if cell.task]
        allowed = {cell.task: cell.cpu_s for cell in cells}
        end, before = begun + self.limits.task_s, math.nan  # before: processor time of what ran before the task
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            job.settimeout(self.limits.task_s)
            send(job, {"cells": [vars(cell) for cell in cells]})
        while True:
            last = whole + on_top.get(run.stopped_at, 0.0)
            end = min(end, last)
            job.settimeout(max(0.001, end - time.monotonic()))
            try:
                payload = _read(frames.next(end))
            except TimeoutError:
                cpu_s, now, left = allowed.get(run.stopped_at, 0.0), time.monotonic(), 0.0
                if cpu_s and now < last:
                    spent, elapsed = self._time_spent(), now - begun
                    if math.isnan(before):  # asked for when it is needed first: until then it was at work
                        before = max(0.0, spent - elapsed)
                    left = _left(cpu_s, spent - before, elapsed)
                if left <= 0:
                    run.why, run.limit_s = "timeout", _most(cpu_s) or self.limits.task_s
                    run.seconds[run.stopped_at] = now - begun
                    run.of_all = now >= last
                    return False
                end += max(1.0, left)  # by the clock: at least as long as it may still be at work
                continue
            except (EOFError, ConnectionResetError):
                return False
            except CodecError as error:
                run.why, run.message = "violated", str(error)
                return False
            if payload.get("done") is True:
                run.stopped_at = ""
                return True
            task, following = payload.get("task"), payload.get("begin")
            present = run.stopped_at if run.stopped_at not in run.results else ""
            ends, begins = "task" in payload, "begin" in payload
            odd = (ends and (not present or task != present)) or (begins and to_begin[:1] != [following])
            if odd or not (ends or begins):
                run.why, run.message = "violated", "it wrote results of its own making where the sandbox writes"
                return False
            if ends:
                run.results[present] = payload
                run.refused[present] = self._refused(payload.get("ended"))
                run.seconds[present] = time.monotonic() - begun
                whole += min(run.seconds[present], on_top.get(present, 0.0))
            if begins:  # each once: to begin a task is to be given its time
                begun, run.stopped_at = time.monotonic(), to_begin.pop(0)
                end, before = begun + self.limits.task_s, math.nan

    def _time_spent(self) -> float:
        """Seconds of processor time that the submission has taken."""
        self._say({"do": "time"})
        return float(self._hear()["cpu_s"])

    def _refused(self, until: Any = None) -> list[str]:
        """The system calls that were refused since the last time; the worker tells of one before it fails.

        Up to the moment `until`, if it is one: those after it are of the task that followed, and wait for its end.
        """
        with contextlib.suppress(BlockingIOError):
            for line in os.read(self._reports, 65_536).decode().splitlines():
                when, name = line.split()
                self._unclaimed.append((float(when), name))
        end = until if isinstance(until, float) else math.inf
        refused = [name for when, name in self._unclaimed if when <= end]
        self._unclaimed = [(when, name) for when, name in self._unclaimed if when > end]
        return list(dict.fromkeys(refused))

    def _await_ready(self, job: socket.socket, frames: Frames) -> None:
        """Wait until the fork is shut in; nothing of a learner's is there yet that could lie about it."""
        try:
            job.settimeout(_START_S)
            payload = _read(frames.next(time.monotonic() + _START_S))
        except (OSError, EOFError, CodecError) as error:
            raise SandboxBrokenError(f"the sandbox does not get ready for a submission ({error!r})") from error
        if payload.get("ready") is not True:
            raise SandboxBrokenError(f"the sandbox cannot shut a submission in: {payload.get('broken')}")

    def _explain(self, run: Run, over: str, code: int) -> None:
        """Why a run stopped, from how its process ended."""
        if over == "files":
            run.why, run.message = "violated", "it wrote more files than any answer needs"
        elif over:
            run.why, run.message = "memory", f"it took more than {self.limits.memory / 1e6:.0f} MB of memory"
        elif run.of_all:
            run.message = f"the submission as a whole took more than {self.limits.total_s:g} seconds"
        elif run.why == "timeout":
            run.message = f"it was still running after {run.limit_s:g} seconds (an endless loop?)"
        elif not run.why:
            how = f"signal {-code}" if code < 0 else f"exit status {code}"
            run.why, run.message = "violated", f"it ended the program that runs it ({how})"

    # ------------------------------------------------------------------------------------------------ the worker

    def _start(self, imported: list[str]) -> None:
        ours, theirs = socket.socketpair()
        limits = self.limits
        inner: dict[str, int | None] = {
            "memory": limits.memory,
            "cpu_s": int(limits.total_s + self._tasks_s) + 1,
            "file_size": limits.file_size,
            "processes": limits.processes,
            "uid": nobody(self.slot) if is_root() and not (self.weaker and barred()) else None,
        }
        shown = self.unsafe or self.weaker  # the bundle is seen where it lies
        bundle = str(self._folder / "bundle") if shown else INSIDE
        self._reports, reports = os.pipe()
        os.set_blocking(self._reports, False)
        os.set_blocking(reports, False)
        walls = "" if self.unsafe else "weaker" if self.weaker else "confine"
        options: dict[str, Any] = {"page": f"{bundle}/{PAGE}", "walls": walls, "limits": inner, "imports": imported}
        options |= {"reports": reports, "calls": ALSO_CALLED, "listed": self._listed}
        environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
        before: list[str] = []
        if self.unsafe:
            environment = os.environ | ENVIRONMENT | {"PYTHONPATH": bundle}
        elif self.weaker:
            scratch = self._folder / "scratch"
            scratch.mkdir()
            for folder, mode in ((self._folder, 0o711), (scratch, 0o1777 if inner["uid"] is not None else 0o700)):
                folder.chmod(mode)
            options |= places(bundle, str(scratch))
            environment = weaker_environment(bundle, str(scratch))
        else:
            before = bubblewrap(self._folder / "bundle")
        command = [*before, sys.executable, "-P", "-m", "lmcourse.grader.inside.worker", str(theirs.fileno())]
        command += [json.dumps(options)]
        if not self.unsafe:
            name = f"lmcourse-{os.getpid()}-{next(_NUMBERS)}"
            self._cgroup = Cgroup.make(limits.memory + _OWN_MEMORY, limits.processes + _OWN_PROCESSES, name)
            command = [*(self._cgroup.prefix if self._cgroup else ()), *command]
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed in _stop
        with theirs:
            self._worker = subprocess.Popen(
                command,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
                pass_fds=[theirs.fileno(), reports],
                cwd=self._folder,
            )
        os.close(reports)
        self._control = ours
        try:
            self._control.settimeout(_START_S)
            self._hear()
            if self._cgroup:
                self._cgroup.started(self._worker.pid)
        except SandboxBrokenError:
            self._stop()
            raise

    def _say(self, payload: dict[str, Any], *files: int) -> None:
        try:
            socket.send_fds(self._control, [json.dumps(payload).encode()], list(files))
        except OSError as error:
            raise SandboxBrokenError(f"the sandbox has gone: {self._last_words() or error}") from error

    def _hear(self) -> dict[str, Any]:
        try:
            content = self._control.recv(4096)
        except OSError as error:
            raise SandboxBrokenError(f"the sandbox does not answer: {self._last_words() or error}") from error
        if not content:
            raise SandboxBrokenError(f"the sandbox has gone: {self._last_words() or 'it said nothing'}")
        return json.loads(content)

    def _last_words(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._worker.wait(1)
        self._log.seek(0)
        return self._log.read()[-600:].decode(errors="replace").strip()

    def _stop(self) -> None:
        self._control.close()
        try:
            self._worker.wait(10)
        except subprocess.TimeoutExpired:
            self._worker.kill()
            self._worker.wait()
        if self._cgroup:
            self._cgroup.remove()
        os.close(self._reports)
        self._log.close()


def remove_leftovers() -> None:
    """Remove the scratch folders of processes that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_FOLDER}*-*"):
        owner = folder.name.removeprefix(_FOLDER).partition("-")[0]
        if owner.isdecimal() and not _is_alive(int(owner)) and not folder.is_symlink():
            shutil.rmtree(folder, ignore_errors=True)  # another user's stays


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _most(cpu_s: float) -> float:
    """The processor time after which a task is ended from outside."""
    return cpu_s + min(_SLACK_S, cpu_s / 2)


def _left(cpu_s: float, used: float, elapsed: float) -> float:
    """For how long a task may certainly still run: it may be at work, and it does not only wait."""
    return min(_most(cpu_s) - used, CLOCK * (used + _most(cpu_s) - cpu_s) - elapsed)


def _read(content: bytes) -> dict[str, Any]:
    """A message that a run sent.

    Raises:
        CodecError: it is none.
    """
    if content.count(b",") > _PARTS:  # arrays come as text: so many parts would only fill this side's memory
        raise CodecError("its results have far more parts than right ones")
    payload = parse(content)
    if not isinstance(payload, dict):
        raise CodecError("what came out is no result")
    return payload
