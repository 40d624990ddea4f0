"""Shut a process in where no namespace can be had: Landlock, the filter on system calls, limits, no rights. Linux only.

Weaker than namespaces: the process is in the system's own tree of processes and sees its network, and what keeps it
from both is the filter and Landlock alone. Landlock (Linux 5.13) lets a process give up the file system but for the
folders that it names; from 6.7 it closes TCP too, from 6.12 signals and abstract sockets.

Source: the kernel's Documentation/userspace-api/landlock.rst.
"""

import contextlib
import ctypes
import os
import shutil
import socket
import stat
import struct
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from lmcourse.grader.inside.confine import die_with_parent, drop, own_limits
from lmcourse.grader.inside.seccomp import Filter

_LIBC = ctypes.CDLL(None, use_errno=True)
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on all machines
_ASK_VERSION, _PATH_BENEATH = 1, 1
_EXECUTE, _WRITE, _READ, _LIST, _TRUNCATE, _IOCTL = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14, 1 << 15
_OF_A_FILE = _EXECUTE | _WRITE | _READ | _TRUNCATE | _IOCTL
_MAKE_SPECIAL = 1 << 6 | 1 << 9 | 1 << 10 | 1 << 11  # devices, sockets, pipes: not in the scratch folder either
_ALL_OF_VERSION = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}
_TCP, _SCOPES = 0b11, 0b11


def landlock_version() -> int:
    """Which Landlock the kernel has; 0 for none."""
    return max(0, _LIBC.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _ASK_VERSION))


class Ruleset:
    """What a process may still do with the file system once it has given up the rest; made once, for all submissions.

    Args:
        read: folders and files that may be read, with all that is below them.
        listed: folders whose names alone may be read.
        written: a folder in which everything may be done.

    Raises:
        OSError: the kernel does not take it.
    """

    def __init__(self, read: Iterable[str], listed: Iterable[str], written: str) -> None:
        version = landlock_version()
        self._all = _ALL_OF_VERSION.get(version, (1 << 16) - 1)
        attributes = struct.pack("=QQQ", self._all, _TCP, _SCOPES)[: 8 if version < 4 else 16 if version < 6 else 24]
        self.file = _call(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
        for place in read:
            self._allow(place, _EXECUTE | _READ | _LIST)
        for place in listed:
            self._allow(place, _LIST)
        self._allow("/dev/null", _READ | _WRITE | _IOCTL)
        self._allow(written, self._all & ~_MAKE_SPECIAL)

    def _allow(self, place: str, rights: int) -> None:
        try:
            number = os.open(place, os.O_PATH | os.O_CLOEXEC)
        except FileNotFoundError:
            return
        try:
            rights &= self._all if stat.S_ISDIR(os.fstat(number).st_mode) else self._all & _OF_A_FILE
            _call(_ADD_RULE, self.file, _PATH_BENEATH, struct.pack("=Qi", rights, number), 0)
        finally:
            os.close(number)

    def enter(self) -> None:
        """Give up the rest; the process must have said that it gains no rights any more."""
        _call(_RESTRICT_SELF, self.file, 0)
        os.close(self.file)


def _call(number: int, *arguments: Any) -> int:
    result = _LIBC.syscall(number, *arguments)
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"Landlock: {os.strerror(error)}")
    return result


class Walls:
    """What the worker puts around each submission's process (see `confine.Walls`)."""

    trees = False  # the process is in the system's own tree

    def __init__(self, options: dict[str, Any]) -> None:
        self._limits, self._calls = options["limits"], Filter(options["calls"])
        self._scratch = options["scratch"]
        self._rules = Ruleset(options["read"], options["names"], self._scratch)

    @property
    def files(self) -> Sequence[int]:
        """Open files that `enter` needs."""
        return [self._rules.file]

    def before(self) -> None:
        """Leave nothing of the submission before in the scratch folder."""
        for path in Path(self._scratch).iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()

    def enter(self, to_worker: socket.socket) -> None:
        """Shut the present process in; `to_worker` takes what the worker hears of refused calls by."""
        limits = self._limits
        processes = limits["processes"] if limits["uid"] is not None else None
        own_limits(limits["memory"], processes, limits["cpu_s"], limits["file_size"])
        drop(limits["uid"])
        die_with_parent()
        os.chdir(self._scratch)
        self._rules.enter()
        self._calls.put_on(to_worker)

    def processes(self, child: int) -> list[int]:
        """The submission's processes: it can make no second one."""
        return [child]

    def held(self) -> int:
        """Bytes of the files that it has written."""
        total = 0
        for folder, _, files in os.walk(self._scratch):
            for name in files:
                with contextlib.suppress(OSError):  # it may be gone meanwhile
                    total += os.lstat(f"{folder}/{name}").st_blocks * 512
        return total
