"""The weaker sandbox, for places without namespaces: a hub's pods, containers without rights. Used where asked for.

Around each submission stand Landlock (no file but Python's and the system's own, no TCP, no signal), the filter on
system calls (no process, no program, no socket), limits, no rights, and a user of its own where the command is root
and Python lies where others may go. What it lacks beside bubblewrap: a process tree, a network and a /tmp of its own,
and a second wall behind each of the others.
"""

import os
import platform
import stat
import sys
from pathlib import Path

from lmcourse.grader.bubblewrap import ENVIRONMENT, hidden_places, is_root, system_folders

NAME = "the weaker sandbox (Landlock, without namespaces)"
_FILES = (
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/etc/alternatives"),
    *("/bin", "/lib", "/lib32", "/lib64", "/dev/zero", "/dev/urandom", "/dev/random"),
    *("/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu"),
)


def missing_weaker() -> str | None:
    """Why the weaker sandbox is not to be had here; None when it is."""
    if not sys.platform.startswith("linux"):
        return f"Landlock is a part of Linux, not of {sys.platform}."
    from lmcourse.grader.inside.seccomp import MACHINES
    from lmcourse.grader.inside.weaker import landlock_version

    if platform.machine() not in MACHINES:
        return f"the filter on system calls is written for {' and '.join(MACHINES)}, not for {platform.machine()}."
    if not landlock_version():
        return "this kernel has no Landlock, or it is switched off (Linux 5.13 or newer has it)."
    return None


def barred() -> Path | None:
    """The folder that keeps another user out of this Python; None where it may be started by everybody."""
    return first_barred(Path(sys.executable))


def first_barred(path: Path) -> Path | None:
    """Return the first folder on the way to a file, links followed too, that other users may not enter."""
    ways = [path.absolute(), path.resolve()]
    return next((one for way in ways for one in reversed(way.parents) if not one.stat().st_mode & stat.S_IXOTH), None)


def weaknesses() -> str:
    """What to tell of it wherever it is used: its name, and what it lacks here that it could have."""
    from lmcourse.grader.inside.weaker import landlock_version

    lacks = []
    if not is_root():
        lacks.append("answers run as the user who marks")
    elif folder := barred():
        lacks.append(f"answers run as root without its rights, because {folder} keeps others out of Python")
    if landlock_version() < 6:
        lacks.append(f"Landlock here is version {landlock_version()}, without signals" + _no_tcp())
    return "; ".join([NAME, *lacks])


def _no_tcp() -> str:
    from lmcourse.grader.inside.weaker import landlock_version

    return " and TCP" if landlock_version() < 4 else ""


def weaker_environment(bundle: str, scratch: str) -> dict[str, str]:
    """The environment of the worker: nothing of the teacher's."""
    own = {"HOME": scratch, "TMPDIR": scratch, "MPLCONFIGDIR": scratch, "PYTHONPATH": bundle}
    return ENVIRONMENT | own | {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"}


def places(bundle: str, scratch: str) -> dict[str, str | list[str]]:
    """What answers may read, list and write. The library with its answers is left out of the folders that hold it."""
    read: list[str] = [bundle, *_FILES]
    names: list[str] = []
    hidden = {os.path.realpath(place) for place in hidden_places()}
    for place in system_folders():
        _leave_out(os.path.realpath(place), hidden, read, names)
    return {"read": read, "names": names, "scratch": scratch}


def _leave_out(place: str, hidden: set[str], read: list[str], names: list[str]) -> None:
    if place in hidden:
        return
    if not any(Path(one).is_relative_to(place) for one in hidden):
        read.append(place)
        return
    names.append(place)
    for child in os.scandir(place):
        _leave_out(os.path.realpath(child.path) if not child.is_symlink() else child.path, hidden, read, names)
