"""A control group around a sandbox, where the system gives one: memory and processes are then limited by the kernel.

Three ways, the first that works: `systemd-run` (as a user or as root), a group of version 2 beside our own, groups of
version 1 below our own. Without any of them the sandbox's worker watches the memory ten times a second.
"""

import contextlib
import functools
import os
import shutil
import subprocess
from pathlib import Path

_ROOT = Path("/sys/fs/cgroup")
_LIMIT_FILES = (  # controller, its file in version 2, in version 1
    ("memory", "memory.max", "memory.limit_in_bytes"),
    ("pids", "pids.max", "pids.max"),
    ("cpu", "cpu.max", "cpu.cfs_quota_us"),
)
_CPU_PERIOD_US = 100_000  # what the kernel takes when no other is written
_EVENT_FILES = ("memory.events", "memory.oom_control")
_JOIN = 'n=$1; shift; while [ "$n" -gt 0 ]; do echo $$ > "$1" || exit 125; shift; n=$((n - 1)); done; exec "$@"'


class Cgroup:
    """A control group that a command is started in.

    Attributes:
        prefix: the words to put before the command.
        folders: the group's folders, which `remove` removes; none where systemd does so.
    """

    def __init__(self, prefix: list[str], folders: list[Path]) -> None:
        self.prefix, self.folders = prefix, folders
        self._events: Path | None = next(
            filter(Path.exists, (f / name for f in folders for name in _EVENT_FILES)), None
        )
        self._seen = 0

    @staticmethod
    def make(memory: int, processes: int, name: str) -> "Cgroup | None":
        """Make a group of at most so many bytes and processes; None where this system lets us have none."""
        if how := _systemd():
            limits = (f"MemoryMax={memory}", "MemorySwapMax=0", f"TasksMax={processes}")
            return Cgroup([*how, *(word for limit in limits for word in ("--property", limit))], [])
        return Cgroup.make_by_hand(memory, processes, name)

    @staticmethod
    def make_by_hand(
        memory: int, processes: int, name: str, *, cpus: float | None = None, again: bool = False
    ) -> "Cgroup | None":
        """Make a group without systemd's help; with `again`, use one that is there already."""
        if not (folders := _folders(name, with_cpu=bool(cpus))):
            return None
        limits = {"memory": str(memory), "pids": str(processes)}
        if cpus:
            limits["cpu"] = str(int(cpus * _CPU_PERIOD_US))
        try:
            for folder in folders:
                folder.mkdir(exist_ok=again)
            for number, (controller, *files) in enumerate(_LIMIT_FILES[: len(limits)]):
                folder, file = folders[number % len(folders)], files[len(folders) > 1]
                (folder / file).write_text(limits[controller], encoding="ascii")
        except OSError:
            _remove(folders)
            return None
        joined = [str(folder / "cgroup.procs") for folder in folders]
        return Cgroup(["/bin/sh", "-c", _JOIN, "sh", str(len(joined)), *joined], folders)

    def started(self, pid: int) -> None:
        """Find the group that systemd made around a process."""
        if self._events is None:
            with contextlib.suppress(OSError):
                path = _own_groups(Path(f"/proc/{pid}/cgroup")).get("")
                self._events = _ROOT / path.lstrip("/") / "memory.events" if path else None

    def ran_out(self) -> bool:
        """Whether the kernel has ended a process for want of memory since the last call."""
        before = self._seen
        with contextlib.suppress(OSError, AttributeError):
            words = self._events.read_text(encoding="ascii").split()  # type: ignore[union-attr]
            self._seen = int(words[words.index("oom_kill") + 1])
        return self._seen > before

    def remove(self) -> None:
        """Remove the group, once its processes are gone."""
        _remove(self.folders)


def _remove(folders: list[Path]) -> None:
    for folder in folders:
        with contextlib.suppress(OSError):
            folder.rmdir()


@functools.cache
def _systemd() -> tuple[str, ...]:
    """The command that starts another in a scope of its own, where systemd is at work."""
    if not shutil.which("systemd-run") or not Path("/run/systemd/system").is_dir():
        return ()
    whose = () if os.geteuid() == 0 else ("--user",)
    command = ("systemd-run", *whose, "--scope", "--quiet", "--collect")
    try:
        done = subprocess.run([*command, "true"], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return () if done.returncode else command


def _own_groups(path: Path = Path("/proc/self/cgroup")) -> dict[str, str]:
    """Controller -> our group; version 2 has one group for all, under the name ""."""
    lines = (line.split(":", 2) for line in path.read_text(encoding="utf-8").splitlines())
    return {controller: group for _, controllers, group in lines for controller in controllers.split(",")}


def _folders(name: str, *, with_cpu: bool = False) -> list[Path]:
    """Where the new groups belong: one folder in version 2, one for each controller in version 1."""
    try:
        own = _own_groups()
    except OSError:
        return []
    if (_ROOT / "cgroup.controllers").exists():  # a group that holds processes may have none below: beside it, then
        inside = _ROOT / own.get("", "/").lstrip("/")
        return [(inside if inside == _ROOT or not inside.is_dir() else inside.parent) / name]
    tops = [_ROOT / controller for controller, *_ in _LIMIT_FILES if with_cpu or controller != "cpu"]
    if not all(top.is_dir() for top in tops):
        return []
    insides = [top / own.get(top.name, "/").lstrip("/") for top in tops]
    return [(inside if inside.is_dir() else top) / name for top, inside in zip(tops, insides, strict=True)]
