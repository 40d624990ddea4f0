"""The filter on system calls: what is on the list passes, anything else fails and is told to the worker. Linux only.

The kernel holds a refused call until the worker has heard of it (`Ear`), so that a person can be told what was called.
Where the kernel lets the worker hear nothing (before 5.0, or below a sandbox that hears itself), the call only fails.
"""

import contextlib
import ctypes
import errno
import fcntl
import os
import platform
import select
import socket
import struct
import time
from collections.abc import Iterable, Set

from lmcourse.grader.inside.syscalls import ALLOWED, name_of, number_of

#: Machine -> its mark in the kernel's record of a call.
MACHINES = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
_LIBC = ctypes.CDLL(None, use_errno=True)
_CLONE_THREAD, _NEW_NAMESPACES = 0x1_0000, 0x7E02_0000  # flags of clone; the second is all that make a namespace
_LOAD, _EQUAL, _AT_LEAST, _ABOVE, _HAS, _GIVE = 0x20, 0x15, 0x35, 0x25, 0x45, 0x06  # the filter's little language
# Calls that pass with some values of an argument alone: (which argument, its values). With others they would reach
# another process of the same user: its limits, or, by F_SETOWN, a signal to it.
_WITH = {
    "fcntl": (1, (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030)),  # copies of a file's number, flags, locks
    "ioctl": (1, (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)),  # is it a terminal, what waits, flags
    "prctl": (0, (3, 15, 16, 21, 23, 39, 0x5356_4D41)),  # names of threads and of memory; questions
    "prlimit64": (0, (0,)),  # the process itself
    "sched_setaffinity": (0, (0,)),
}
_KILL, _ALLOW, _TELL, _FAIL = 0x8000_0000, 0x7FFF_0000, 0x7FC0_0000, 0x0005_0000
_SET_FILTER, _NEW_LISTENER = 1, 8
_MOST_TOLD = 100  # calls of a run
_RECEIVE, _SEND = 0xC050_2100, 0xC018_2101  # ioctl: a notice of 80 bytes, a reply of 24


def filter_program(allowed: Set[str], *, heard: bool) -> bytes:
    """The filter, for the kernel; empty on a machine that it is not written for.

    Args:
        allowed: names of the calls that pass. With `clone`, processes may be made; without, only threads.
        heard: the worker is told of what is refused.
    """
    if platform.machine() not in MACHINES:
        return b""
    refuse = _TELL if heard else _FAIL | errno.EPERM
    numbers = sorted(number for name in allowed - _WITH.keys() if (number := number_of(name)) is not None)
    clone, clone3 = number_of("clone"), number_of("clone3")
    program = [
        (_LOAD, 0, 0, 4),  # the machine's kind
        (_EQUAL, 1, 0, MACHINES[platform.machine()]),
        (_GIVE, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),  # the call's number
        (_AT_LEAST, 0, 1, 0x4000_0000),  # numbers of the x32 kind
        (_GIVE, 0, 0, _FAIL | errno.EPERM),
        (_EQUAL, 0, 1, clone3),  # its flags lie in memory, where no filter sees them: the C library then tries clone
        (_GIVE, 0, 0, _FAIL | errno.ENOSYS),
        (_EQUAL, 0, 6, clone),
        (_LOAD, 0, 0, 16),  # its flags
        (_HAS, 0, 1, _NEW_NAMESPACES),
        (_GIVE, 0, 0, refuse),
        (_HAS, 1, 0, 0xFFFF_FFFF if clone in numbers else _CLONE_THREAD),
        (_GIVE, 0, 0, refuse),
        (_GIVE, 0, 0, _ALLOW),
    ]
    for name, (which, values) in _WITH.items():
        program += [(_EQUAL, 0, len(values) + 3, number_of(name)), (_LOAD, 0, 0, 16 + 8 * which)]
        program += [(_EQUAL, left, 0, value) for left, value in zip(range(len(values), 0, -1), values, strict=True)]
        program += [(_GIVE, 0, 0, refuse), (_GIVE, 0, 0, _ALLOW)]
    for first, last in _runs(numbers):
        program += [(_ABOVE, 2, 0, last), (_AT_LEAST, 0, 1, first), (_GIVE, 0, 0, _ALLOW)]
    program += [(_GIVE, 0, 0, refuse)]
    return b"".join(struct.pack("=HBBI", *line) for line in program)


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """First and last of each run of numbers that follow one another."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


class Filter:
    """A filter, made once and put on each submission's process.

    Args:
        also: calls that pass beside `ALLOWED`.
    """

    def __init__(self, also: Iterable[str] = ()) -> None:
        allowed = ALLOWED | set(also)
        self._heard, self._unheard = (filter_program(allowed, heard=heard) for heard in (True, False))
        self._call = number_of("seccomp")

    def put_on(self, to_worker: socket.socket) -> None:
        """Have the present process, which can gain no rights any more, make no other calls; then close the socket.

        Raises:
            OSError: the kernel does not take the filter.
        """
        with to_worker:
            if not self._heard:
                return
            listener = self._install(self._heard, _NEW_LISTENER)
            if listener < 0:
                if self._install(self._unheard, 0) < 0:
                    number = ctypes.get_errno()
                    raise OSError(number, f"seccomp: {os.strerror(number)}")
                return
            socket.send_fds(to_worker, [b"listener"], [listener])
            os.close(listener)

    def _install(self, program: bytes, flags: int) -> int:
        lines = ctypes.create_string_buffer(program)
        header = struct.pack("@HP", len(program) // 8, ctypes.addressof(lines))
        return _LIBC.syscall(self._call, _SET_FILTER, flags, header)


class Ear:
    """The worker's side: hears of each refused call, has it fail, and says its name: the first hundred times.

    Args:
        from_process: where the listener comes from; closed here.
        reports: an open file that takes a line for each: when it was, by the monotonic clock, and the name.
    """

    def __init__(self, from_process: socket.socket, reports: int) -> None:
        self._socket, self._reports = from_process, reports
        self._listener = -1
        self._told = 0
        self.deaf = False

    def fileno(self) -> int:
        """What to wait for; there is nothing to wait for any more once it is deaf."""
        return self._socket.fileno() if self._listener < 0 else self._listener

    def hear(self) -> None:
        """Take in what has come."""
        if self._listener < 0:
            files: list[int] = []
            with contextlib.suppress(OSError):
                _, files, _, _ = socket.recv_fds(self._socket, 16, 1)
            self._listener, self.deaf = (files[0], False) if files else (-1, True)
            return
        poll = select.poll()
        poll.register(self._listener, select.POLLIN)
        if any(event & select.POLLHUP for _, event in poll.poll(0)):
            self.deaf = True
            return
        notice = bytearray(80)
        with contextlib.suppress(OSError):  # it has ended meanwhile
            fcntl.ioctl(self._listener, _RECEIVE, notice)
            identity, _, _, number = struct.unpack_from("=QIIi", notice)
            self._report(name_of(number))
            fcntl.ioctl(self._listener, _SEND, struct.pack("=QqiI", identity, 0, -errno.EPERM, 0))

    def _report(self, name: str) -> None:
        if self._told < _MOST_TOLD:
            self._told += 1
            with contextlib.suppress(OSError):  # nobody reads
                os.write(self._reports, f"{time.monotonic()!r} {name}\n".encode())

    def close(self) -> None:
        """Let go of the listener: what is refused from now on fails unheard."""
        self._socket.close()
        if self._listener >= 0:
            os.close(self._listener)
            self._listener = -1
        self.deaf = True
