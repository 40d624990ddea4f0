"""The sandbox that answers run in: bubblewrap around a worker, and in it each submission shut in once more.

What is in sight there: the system's and Python's own files, read-only, and the edition of the library without answers.
No network, no other process, no file of a person; limits on time, memory, processes, file size and results.
"""

import contextlib
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
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import lmcourse
from lmcourse.grading.codec import CodecError, parse
from lmcourse.grading.edition import PAGE, write_edition
from lmcourse.grading.task import Case, Task

_LENGTH = struct.Struct(">I")
_INSIDE = "/edition"
_START_S = 120
_NOBODY = 65_534
_CAPABILITIES = ("CAP_SYS_ADMIN", "CAP_SETUID", "CAP_SETGID", "CAP_KILL", "CAP_SYS_PTRACE")
CONTAINER = (
    "docker run --rm --network none --cap-add SYS_ADMIN --cap-add NET_ADMIN --cap-add SYS_PTRACE "
    "--security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined "
    '-v "$PWD":/class -w /class lmcourse-grade lmcourse grade submitted --out marks'
)
_REFUSAL = (
    "answers are run only in a sandbox, and there is none here: {why}\n"
    "On Linux, install bubblewrap (Debian, Ubuntu: apt-get install bubblewrap). Elsewhere, mark in a container; "
    "docs/teaching.md has the four lines that make its image:\n  {container}\n"
    "With --unsafe the answers run as you, with your files and your network in their reach."
)


class NoSandboxError(RuntimeError):
    """Answers cannot be run safely on this machine."""

    def __init__(self, why: str) -> None:
        super().__init__(_REFUSAL.format(why=why, container=CONTAINER))


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
    total_s: float = 120.0
    memory: int = 1_000_000_000
    processes: int = 32
    file_size: int = 16_000_000
    result_size: int = 8_000_000


@dataclass(frozen=True)
class Cell:
    """A cell to run; `task` names the task it answers, and `asked` says whether its answer is called."""

    source: str
    task: str = ""
    asked: bool = True


@dataclass
class Run:
    """What one run of cells gave.

    Attributes:
        results: task -> what was sent, not yet judged; parsed JSON of anybody's making.
        seconds: task -> wall time.
        stopped_at: the task during which the run ended before its end; "" if it did not.
        why: "timeout", "memory" or "violated", where it stopped.
        told: the reason, in words.
    """

    results: dict[str, dict[str, Any]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    stopped_at: str = ""
    why: str = ""
    told: str = ""


class Sandbox:
    """A worker in a sandbox, for one assignment and one set of cases. Use it in a `with` block.

    Args:
        tasks: the assignment's tasks with their cases.
        page_code: the code of the page's own cells.
        limits: what a submission may use.
        unsafe: run without a sandbox.
        slot: a number of its own for every sandbox at work at the same time.

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
        slot: int = 0,
    ) -> None:
        self.limits, self.unsafe, self.slot = limits or Limits(), unsafe, slot
        if not unsafe and (why := missing_sandbox()):
            raise NoSandboxError(why)
        self._folder = Path(tempfile.mkdtemp(prefix="lmcourse-grade-"))
        try:
            write_edition(self._folder / "edition", tasks, page_code)
            for path in self._folder.rglob("*"):
                path.chmod(0o755 if path.is_dir() else 0o644)
            self._start()
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
            run, ended_well = Run(), False
            try:
                ended_well = self._follow(ours, cells, run)
            finally:
                self._say({"do": "stop"})
                ended = self._hear()
        if not ended_well:
            self._explain(run, ended)
        return run

    # ------------------------------------------------------------------------------------------- following a run

    def _follow(self, job: socket.socket, cells: Sequence[Cell], run: Run) -> bool:
        """Send the cells and take the results in; whether the run came to its end."""
        begun = time.monotonic()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            job.settimeout(self.limits.task_s)
            job.sendall(_framed({"cells": [asdict(cell) for cell in cells]}))
        while True:
            job.settimeout(max(0.001, begun + self.limits.task_s - time.monotonic()))
            try:
                words = self._frame(job, begun)
            except TimeoutError:
                run.why = "timeout"
                return False
            except (EOFError, ConnectionResetError):
                return False
            except CodecError as error:
                run.why, run.told = "violated", str(error)
                return False
            if "broken" in words:
                raise SandboxBrokenError(f"the sandbox cannot shut a submission in: {words['broken']}")
            if words.get("done") is True:
                run.stopped_at = ""
                return True
            if "begin" in words:
                begun, run.stopped_at = time.monotonic(), str(words["begin"])
            elif run.stopped_at and words.get("task") == run.stopped_at and run.stopped_at not in run.results:
                run.results[run.stopped_at] = words
                run.seconds[run.stopped_at] = time.monotonic() - begun
            else:
                run.why, run.told = "violated", "it wrote results of its own making where the sandbox writes"
                return False

    def _frame(self, job: socket.socket, begun: float) -> dict[str, Any]:
        (length,) = _LENGTH.unpack(self._exactly(job, _LENGTH.size, begun))
        if length > self.limits.result_size:
            raise CodecError(f"its results take more than {self.limits.result_size / 1e6:.0f} MB")
        words = parse(self._exactly(job, length, begun))
        if not isinstance(words, dict):
            raise CodecError("what came out is no result")
        return words

    def _exactly(self, job: socket.socket, length: int, begun: float) -> bytes:
        parts = bytearray()
        while len(parts) < length:
            if time.monotonic() > begun + self.limits.task_s:
                raise TimeoutError
            part = job.recv(min(length - len(parts), 1 << 20))
            if not part:
                raise EOFError
            parts += part
        return bytes(parts)

    def _explain(self, run: Run, ended: dict[str, Any]) -> None:
        """Why a run stopped, from how its process ended."""
        if ended["over"]:
            run.why, run.told = "memory", f"it took more than {self.limits.memory / 1e6:.0f} MB of memory"
        elif run.why == "timeout":
            run.told = f"it was still running after {self.limits.task_s:g} seconds (an endless loop?)"
        elif not run.why:
            code = ended["exit"]
            how = f"signal {-code}" if code < 0 else f"exit status {code}"
            run.why, run.told = "violated", f"it ended the program that runs it ({how})"

    # ------------------------------------------------------------------------------------------------ the worker

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        limits = self.limits
        inner: dict[str, int | None] = {
            "memory": limits.memory,
            "cpu_s": int(limits.total_s) + 1,
            "file_size": limits.file_size,
        }
        if not self.unsafe:
            inner |= {"processes": limits.processes, "uid": _NOBODY - self.slot if _is_root() else None}
        edition = str(self._folder / "edition") if self.unsafe else _INSIDE
        options = {"page": f"{edition}/{PAGE}", "confined": not self.unsafe, "limits": inner}
        command = [sys.executable, "-P", "-m", "lmcourse.grading.inside.worker", str(theirs.fileno())]
        command += [json.dumps(options)]
        if self.unsafe:
            environment = os.environ | _ENVIRONMENT | {"PYTHONPATH": edition}
        else:
            command = [*bubblewrap(self._folder / "edition"), *command]
            environment = {"PATH": os.environ.get("PATH", os.defpath)}
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed in _stop
        with theirs:
            self._worker = subprocess.Popen(
                command,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
                pass_fds=[theirs.fileno()],
                cwd=self._folder,
            )
        self._control = ours
        try:
            self._control.settimeout(_START_S)
            self._hear()
        except SandboxBrokenError:
            self._stop()
            raise

    def _say(self, words: dict[str, Any], *files: int) -> None:
        try:
            socket.send_fds(self._control, [json.dumps(words).encode()], list(files))
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
        self._log.close()


def _framed(words: dict[str, Any]) -> bytes:
    content = json.dumps(words).encode()
    return _LENGTH.pack(len(content)) + content


# ------------------------------------------------------------------------------------------------------- bubblewrap

_ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "random",
    "MPLBACKEND": "agg",
}


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def bubblewrap(edition: Path) -> list[str]:
    """The command that makes the outer sandbox; what is to run in it follows.

    Root stays root in it, without rights beyond those that shut a submission in, and gives even these up before an
    answer runs. Anybody else is root of a user namespace of their own, which is nobody outside of it.
    """
    line = ["bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    line += ["--die-with-parent", "--new-session"]
    if _is_root():
        line += ["--cap-drop", "ALL", *(word for name in _CAPABILITIES for word in ("--cap-add", name))]
    else:
        line += ["--unshare-user", "--uid", "0", "--gid", "0", "--cap-add", "ALL"]
    line += ["--clearenv"]
    scratch = {"HOME": "/work", "TMPDIR": "/work", "MPLCONFIGDIR": "/work", "PYTHONPATH": _INSIDE}
    for name, value in (_ENVIRONMENT | scratch | {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"}).items():
        line += ["--setenv", name, value]
    for place in _system_folders():
        for parent in reversed(Path(place).parents[:-1]):
            line += ["--perms", "0755", "--dir", str(parent)]  # else only their owner could look into them
        line += ["--ro-bind", place, place]
    for link in ("bin", "sbin", "lib", "lib32", "lib64"):
        path = Path("/") / link
        if path.is_symlink():
            line += ["--symlink", os.readlink(path), str(path)]
        elif path.is_dir():
            line += ["--ro-bind", str(path), str(path)]
    for place in ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime"):
        line += ["--ro-bind-try", place, place]
    for hidden in _hidden():
        line += ["--tmpfs", hidden, "--remount-ro", hidden]
    line += ["--ro-bind", str(edition), _INSIDE, "--proc", "/proc", "--dev", "/dev"]
    line += ["--tmpfs", "/tmp", "--dir", "/work", "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/work"]
    return [*line, "--"]


def _system_folders() -> list[str]:
    """/usr and Python's own folders, none inside another, parents first."""
    packages = {path for path in sys.path if path.endswith(("site-packages", "dist-packages")) and Path(path).is_dir()}
    wanted = {"/usr", sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix, *packages}
    chosen: list[str] = []
    for place in sorted(os.path.realpath(path) if path in packages else path for path in wanted):
        if not any(Path(place).is_relative_to(other) for other in chosen):
            chosen.append(place)
    return chosen


def _hidden() -> list[str]:
    """The library itself, with its answers, wherever the system's folders would show it."""
    library = Path(lmcourse.__file__).parent
    places = {str(library), os.path.realpath(library)}
    return [place for place in sorted(places) if any(Path(place).is_relative_to(shown) for shown in _system_folders())]


def in_sight(path: Path) -> str | None:
    """The folder by which the sandbox would show `path`, if any."""
    real = Path(os.path.realpath(path))
    return next((place for place in _system_folders() if real.is_relative_to(place)), None)


def missing_sandbox() -> str | None:
    """Why there is no sandbox to be had here; None when there is one. Really starts one, once."""
    if not sys.platform.startswith("linux"):
        return f"bubblewrap runs on Linux, not on {sys.platform}."
    if not shutil.which("bwrap"):
        return "bubblewrap (the command bwrap) is not installed."
    with tempfile.TemporaryDirectory() as folder:
        command = [*bubblewrap(Path(folder)), sys.executable, "-S", "-c", _PROBE]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"bubblewrap does not run ({error})."
    if done.returncode == 0:
        return None
    return f"bubblewrap may not make one on this system ({' '.join(done.stderr.split())[-200:] or 'it failed'})."


_PROBE = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
own = os.open("/proc/self/ns/pid", os.O_RDONLY)
for name, *words in (("setns", own, 0x20000000), ("unshare", 0x20000000)):
    if getattr(libc, name)(*words):
        raise SystemExit(name + ": " + os.strerror(ctypes.get_errno()))
"""
