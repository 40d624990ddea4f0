"""The sandbox that answers run in: bubblewrap around a worker, and in it each submission shut in once more.

In its place, where a person asks for it, stands the weaker sandbox (`grader.weaker`).
What is in sight there: the system's and Python's own files, read-only, and the bundle of the library without answers.
No network, no other process, no file of a person; limits on time, memory, processes, file size and results.
"""

import contextlib
import itertools
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lmcourse.exercises.codec import CodecError, parse
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
from lmcourse.grader.weaker import barred, missing_weaker, places, weaker_environment

_FOLDER = "lmcourse-grade-"
_NUMBERS = itertools.count()
_ENVIRONMENT = ("PATH", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")  # bubblewrap lets none of it in
_LENGTH = struct.Struct(">I")
_START_S = 120
_PARTS = 300_000
_SLACK_S = 10.0  # of processor time: a project stops its own cases in time; one that evades it gets so much more
_OWN_MEMORY, _OWN_PROCESSES = 1_000_000_000, 32  # of the worker with its libraries, beside a submission's
#: System calls that pass beside the list of `inside.syscalls`. None: it is here for tests of what else holds.
ALSO_CALLED: tuple[str, ...] = ()
CLOCK = 4  # times the processor time of a project: where the clock ends what only waits


class SandboxBrokenError(RuntimeError):
    """The sandbox does not do its work. No answer is to blame, and no mark is given."""


@dataclass(frozen=True)
class Limits:
    """What one submission may use.

    Attributes:
        task_s: seconds for one task, its cell and all its cases together.
        total_s: seconds for all of a submission's runs.
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

    `cpu_s` is the processor time of a project, which counts for it instead of the clock.
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
    """

    results: dict[str, dict[str, Any]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    refused: dict[str, list[str]] = field(default_factory=dict)
    stopped_at: str = ""
    why: str = ""
    message: str = ""
    limit_s: float = 0.0


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
        self._projects_s = sum(task.seconds + _SLACK_S for task, _ in tasks if task.properties)
        self.cpu_s = 0.0  # of the worker and of all that it ran
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

    def run(self, cells: Sequence[Cell]) -> Run:
        """Run cells in order in a fresh process of their own.

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
                ended_well = self._follow(ours, cells, run)
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

    def _follow(self, job: socket.socket, cells: Sequence[Cell], run: Run) -> bool:
        """Send the cells and take the results in; whether the run came to its end."""
        frames = _Frames(job, self.limits)
        self._await_ready(job, frames)
        begun, to_begin = time.monotonic(), [cell.task for cell in cells if cell.task]
        allowed = {cell.task: cell.cpu_s + _SLACK_S for cell in cells if cell.cpu_s}
        end, spent = begun + self.limits.task_s, 0.0
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            job.settimeout(self.limits.task_s)
            job.sendall(_framed({"cells": [vars(cell) for cell in cells]}))
        while True:
            job.settimeout(max(0.001, end - time.monotonic()))
            try:
                payload = frames.next(end)
            except TimeoutError:
                seconds = allowed.get(run.stopped_at, 0.0)
                left = min(seconds - self._time_spent() + spent, begun + CLOCK * seconds - end) if seconds else 0.0
                if left <= 0:
                    run.why, run.limit_s = "timeout", seconds or self.limits.task_s
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
                run.refused[present] = self._refused()
                run.seconds[present] = time.monotonic() - begun
            if begins:  # each once: to begin a task is to be given its time
                begun, run.stopped_at = time.monotonic(), to_begin.pop(0)
                end = begun + self.limits.task_s
                if run.stopped_at in allowed:
                    spent = self._time_spent()

    def _time_spent(self) -> float:
        """Seconds of processor time that the submission has taken."""
        self._say({"do": "time"})
        return float(self._hear()["cpu_s"])

    def _refused(self) -> list[str]:
        """The system calls that were refused since the last time; the worker tells of one before it fails."""
        with contextlib.suppress(BlockingIOError):
            return os.read(self._reports, 4096).decode().split()
        return []

    def _await_ready(self, job: socket.socket, frames: "_Frames") -> None:
        """Wait until the fork is shut in; nothing of a learner's is there yet that could lie about it."""
        try:
            job.settimeout(_START_S)
            payload = frames.next(time.monotonic() + _START_S)
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
            "cpu_s": int(limits.total_s + self._projects_s) + 1,
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


class _Frames:
    """What comes out of a run, message by message; they are read as many at a time as have come."""

    def __init__(self, job: socket.socket, limits: Limits) -> None:
        self._job, self._limits, self._come = job, limits, bytearray()
        self._length: int | None = None  # of the message that is on its way

    def next(self, end: float) -> dict[str, Any]:
        """Return the next message.

        Args:
            end: when it is too late, by the monotonic clock; the socket has a timeout of its own for each part.

        Raises:
            TimeoutError, EOFError, ConnectionResetError: it does not come; after the first one may wait on.
            CodecError: it is no message, or too large a one.
        """
        if self._length is None:
            (self._length,) = _LENGTH.unpack(self._exactly(_LENGTH.size, end))
        if self._length > self._limits.result_size:
            raise CodecError(f"its results take more than {self._limits.result_size / 1e6:.0f} MB")
        content = self._exactly(self._length, end)
        self._length = None
        if content.count(b",") > _PARTS:  # arrays come as text: so many parts would only fill this side's memory
            raise CodecError("its results have far more parts than right ones")
        payload = parse(content)
        if not isinstance(payload, dict):
            raise CodecError("what came out is no result")
        return payload

    def _exactly(self, length: int, end: float) -> bytes:
        while len(self._come) < length:
            if time.monotonic() > end:
                raise TimeoutError
            part = self._job.recv(min(max(length - len(self._come), 1 << 16), 1 << 20))
            if not part:
                raise EOFError
            self._come += part
        taken = bytes(self._come[:length])
        del self._come[:length]
        return taken


def _framed(payload: dict[str, Any]) -> bytes:
    content = json.dumps(payload).encode()
    return _LENGTH.pack(len(content)) + content
