"""Shut a process in before it runs a learner's code: namespaces, mounts, limits, privileges, system calls. Linux only.

bubblewrap makes the outer sandbox; there the worker keeps the rights that it needs to shut each submission in once
more, apart from the worker and from every other submission: a process tree of its own (all of it dies with its first
process, nobody outside can be seen or signalled), scratch folders of its own, and after that no rights at all.
"""

import ctypes
import os
import platform
import resource
import struct

_LIBC = ctypes.CDLL(None, use_errno=True)
_NEWNS, _NEWIPC, _NEWPID = 0x0002_0000, 0x0800_0000, 0x2000_0000
_MS_RDONLY, _MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_REC, _MS_PRIVATE = 1, 2, 4, 8, 0x4000, 0x4_0000
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_SECCOMP, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 1, 4, 22, 24, 38
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
# Calls with which memory or processes could be hidden from the limits, or the kernel be pestered: (x86_64, aarch64).
_REFUSED = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    "open_tree": (428, 428),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "socket": (41, 198),  # a buffer holds memory of the kernel's, and vsock reaches the host
    "socketpair": (53, 199),
}
_CLONE = (56, 220)
_CLONE3 = (435, 435)
_NEW_NAMESPACES = 0x7E02_0000  # every flag of clone that makes a namespace
_MACHINES = {"x86_64": (0, 0xC000_003E), "aarch64": (1, 0xC000_00B7)}
_EPERM, _ENOSYS = 1, 38


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def next_process_apart(own: int) -> None:
    """The next process that this one forks is the first of a process tree of its own.

    Args:
        own: an open file of /proc/self/ns/pid, taken at the start.
    """
    _check(_LIBC.setns(own, _NEWPID), "setns")  # back to the own tree, else the second call is refused
    _check(_LIBC.unshare(_NEWPID), "unshare")


def enter(uid: int | None, *, memory: int, processes: int, cpu_s: int, file_size: int) -> None:
    """Take from the present process, the first of its tree, everything but its limits' worth of memory and time.

    Args:
        uid: the user to become; None where there is but one (in a user namespace).
        memory: bytes of address space beyond what is used now.
        processes: how many processes and threads it may have.
        cpu_s: seconds of CPU time.
        file_size: bytes of one file; the scratch folders hold four times as much.
    """
    _LIBC.prctl(_PR_SET_PDEATHSIG, _SIGKILL)
    _private_folders(file_size)
    _own_limits(memory, processes, cpu_s, file_size)
    _drop(uid)
    _refuse_system_calls()
    os.chdir(SCRATCH)


def _private_folders(file_size: int) -> None:
    # No IPC namespace where its calls are refused: to end one takes the kernel as long as all else here together.
    _check(_LIBC.unshare(_NEWNS if platform.machine() in _MACHINES else _NEWNS | _NEWIPC), "unshare")
    _check(_LIBC.mount(None, b"/", None, _MS_REC | _MS_PRIVATE, None), "mount /")
    # Should memory run out, this goes first. With CAP_SYS_RESOURCE the number can never be lowered again; without, it
    # cannot be written, because this tree's /proc is read-only.
    _file("/proc/self/oom_score_adj", b"1000")
    flags = _MS_NOSUID | _MS_NODEV | _MS_NOEXEC | _MS_RDONLY
    _check(_LIBC.mount(b"proc", b"/proc", b"proc", flags, None), "mount /proc")
    for place, size in ((SCRATCH.encode(), 4), (b"/dev/shm", 1)):
        options = f"size={size * file_size},nr_inodes=1000,mode=1777".encode()
        _check(_LIBC.mount(b"tmpfs", place, b"tmpfs", _MS_NOSUID | _MS_NODEV, options), f"mount {place!r}")


def _own_limits(memory: int, processes: int, cpu_s: int, file_size: int) -> None:
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
        resource.setrlimit(name, (limit, limit))


def _drop(uid: int | None) -> None:
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


def _filter() -> bytes:
    """A filter in the kernel's small language: wrong machine -> killed; a refused call -> EPERM; the rest passes."""
    if platform.machine() not in _MACHINES:
        return b""
    column, audit = _MACHINES[platform.machine()]
    load, equal, above, masked, give = 0x20, 0x15, 0x35, 0x45, 0x06
    refuse, unknown, kill, allow = 0x0005_0000 | _EPERM, 0x0005_0000 | _ENOSYS, 0x8000_0000, 0x7FFF_0000
    program = [
        (load, 0, 0, 4),  # the machine's kind
        (equal, 1, 0, audit),
        (give, 0, 0, kill),
        (load, 0, 0, 0),  # the call's number
        (above, 0, 1, 0x4000_0000),  # numbers of the x32 kind
        (give, 0, 0, refuse),
    ]
    for numbers in _REFUSED.values():
        program += [(equal, 0, 1, numbers[column]), (give, 0, 0, refuse)]
    program += [
        (equal, 0, 1, _CLONE3[column]),
        (give, 0, 0, unknown),
    ]  # its flags lie in memory: the C library tries clone
    program += [(equal, 0, 3, _CLONE[column]), (load, 0, 0, 16), (masked, 0, 1, _NEW_NAMESPACES), (give, 0, 0, refuse)]
    program += [(give, 0, 0, allow)]
    return b"".join(struct.pack("=HBBI", *line) for line in program)


_FILTER = ctypes.create_string_buffer(_filter())  # made once: in a fork it would be made anew each time
_FILTER_LINES = (len(_FILTER) - 1) // 8


def _refuse_system_calls() -> None:
    if _FILTER_LINES:
        program = struct.pack("@HP", _FILTER_LINES, ctypes.addressof(_FILTER))
        _check(_LIBC.prctl(_PR_SET_SECCOMP, 2, program, 0, 0), "seccomp")
