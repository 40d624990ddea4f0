"""Shut a process in before it runs a learner's code: namespaces, mounts, limits, privileges, system calls. Linux only.

bubblewrap makes the outer sandbox; there the worker keeps the rights that it needs to shut each submission in once
more, apart from the worker and from every other submission: a process tree of its own (all of it dies with its first
process, nobody outside can be seen or signalled), scratch folders of its own, and after that no rights at all.
"""

import ctypes
import os
import platform
import resource
import socket
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lmcourse.grader.inside.seccomp import MACHINES, Filter

_LIBC = ctypes.CDLL(None, use_errno=True)
_NEWNS, _NEWIPC, _NEWPID = 0x0002_0000, 0x0800_0000, 0x2000_0000
_MS_RDONLY, _MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_REC, _MS_PRIVATE = 1, 2, 4, 8, 0x4000, 0x4_0000
_PR_SET_PDEATHSIG, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 1, 24, 38
_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL = 47, 4
_SIGKILL = 9
_PAGE = resource.getpagesize()
SCRATCH = "/run/answer"


def _file(path: str, written: bytes = b"") -> bytes:
    """Write to a small file, or read it, without Python's own files: they cost a fork ten times as much."""
    number = os.open(path, os.O_WRONLY if written else os.O_RDONLY)
    try:
        return written if written and os.write(number, written) else os.read(number, 4096)
    finally:
        os.close(number)


_CAPABILITIES = range(int(_file("/proc/sys/kernel/cap_last_cap")) + 1)


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


class Walls:
    """What the worker puts around each submission's process: made once, before the first."""

    trees = True  # each submission is a process tree of its own, which dies with its first process
    files: Sequence[int] = ()  # open files that `enter` needs

    def __init__(self, options: dict[str, Any]) -> None:
        self._limits, self._calls = options["limits"], Filter(options["calls"])
        self._own_tree = os.open("/proc/self/ns/pid", os.O_RDONLY)

    def before(self) -> None:
        """The next process that this one forks is the first of a process tree of its own."""
        _check(_LIBC.setns(self._own_tree, _NEWPID), "setns")  # back to the own tree, else the second call is refused
        _check(_LIBC.unshare(_NEWPID), "unshare")

    def enter(self, to_worker: socket.socket) -> None:
        """Take from the present process, the first of its tree, all but its limits' worth of memory and time.

        `to_worker` takes what the worker hears of refused calls by.
        """
        limits = self._limits
        die_with_parent()
        _private_folders(limits["file_size"])
        own_limits(limits["memory"], limits["processes"], limits["cpu_s"], limits["file_size"])
        drop(limits["uid"])
        os.chdir(SCRATCH)
        self._calls.put_on(to_worker)

    def processes(self, child: int) -> list[int]:
        """All processes in sight but the first of the outer tree and the worker: the submission's."""
        return [pid for folder in Path("/proc").glob("[0-9]*") if (pid := int(folder.name)) not in (1, os.getpid())]

    def held(self) -> int:
        """Bytes of files that nothing else limits: the scratch folders' own size does."""
        return 0


def die_with_parent() -> None:
    _LIBC.prctl(_PR_SET_PDEATHSIG, _SIGKILL)


def _private_folders(file_size: int) -> None:
    # No IPC namespace where its calls are refused: to end one takes the kernel as long as all else here together.
    _check(_LIBC.unshare(_NEWNS if platform.machine() in MACHINES else _NEWNS | _NEWIPC), "unshare")
    _check(_LIBC.mount(None, b"/", None, _MS_REC | _MS_PRIVATE, None), "mount /")
    # Should memory run out, this goes first. With CAP_SYS_RESOURCE the number can never be lowered again; without, it
    # cannot be written, because this tree's /proc is read-only.
    _file("/proc/self/oom_score_adj", b"1000")
    flags = _MS_NOSUID | _MS_NODEV | _MS_NOEXEC | _MS_RDONLY
    _check(_LIBC.mount(b"proc", b"/proc", b"proc", flags, None), "mount /proc")
    for place, size in ((SCRATCH.encode(), 4), (b"/dev/shm", 1)):
        options = f"size={size * file_size},nr_inodes=1000,mode=1777".encode()
        _check(_LIBC.mount(b"tmpfs", place, b"tmpfs", _MS_NOSUID | _MS_NODEV, options), f"mount {place!r}")


def own_limits(memory: int, processes: int | None, cpu_s: int, file_size: int) -> None:
    """Have the kernel hold this process to its limits.

    Args:
        memory: bytes of address space beyond what is used now.
        processes: how many processes and threads its user may have; None where the user has others.
        cpu_s: seconds of CPU time.
        file_size: bytes of one file.
    """
    used = int(_file("/proc/self/statm").split()[0]) * _PAGE
    for name, limit in (
        (resource.RLIMIT_AS, used + memory),
        (resource.RLIMIT_NPROC, processes),
        (resource.RLIMIT_CPU, cpu_s),
        (resource.RLIMIT_FSIZE, file_size),
        (resource.RLIMIT_NOFILE, 64),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
    ):
        if limit is not None:
            resource.setrlimit(name, (limit, limit))


def drop(uid: int | None) -> None:
    """Give up every right, for good, and become another user unless `uid` is None."""
    for capability in _CAPABILITIES:
        _LIBC.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    _LIBC.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    header, nothing = struct.pack("=II", 0x2008_0522, 0), bytes(24)
    _check(_LIBC.capset(header, nothing), "capset")
    _check(_LIBC.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
