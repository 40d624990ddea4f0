"""The outer sandbox: bubblewrap's command line, whether it works on this machine, and what to do where it does not."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import lmcourse

INSIDE, SCRATCH = "/run/bundle", "/run/answer"  # names that no interpreter lies under
_CAPABILITIES = (
    *("CAP_SYS_ADMIN", "CAP_SETUID", "CAP_SETGID", "CAP_KILL", "CAP_SETPCAP", "CAP_SYS_PTRACE", "CAP_SYS_RESOURCE"),
)
CONTAINER = (
    "docker run --rm --network none --cap-add SYS_ADMIN --cap-add NET_ADMIN --cap-add SYS_PTRACE "
    "--security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined "
    '-v "$PWD":/class -w /class lmcourse-grade lmcourse grade submitted --out marks'
)
_REFUSAL = (
    "answers are run only in a sandbox, and there is none here: {why}\n"
    "On Linux, install bubblewrap (Debian, Ubuntu: apt-get install bubblewrap). Elsewhere, mark in a container; "
    "docs/teaching.md has the four lines that make its image:\n  {container}\n"
    "Where no namespaces are to be had (a pod of a hub, a container without rights), --weaker runs them in a weaker "
    "sandbox of Landlock and a filter on system calls.\n"
    "With --unsafe the answers run as you, with your files and your network in their reach."
)


class NoSandboxError(RuntimeError):
    """Answers cannot be run safely on this machine."""

    def __str__(self) -> str:
        return _REFUSAL.format(why=self.args[0], container=CONTAINER)


ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "LOGNAME": "learner",  # else torch asks the system for the user's name, by a socket
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "random",
    "MPLBACKEND": "agg",
}


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def nobody(slot: int) -> int:
    """A user that no account has, and no other sandbox on this machine, so that none shares its count of processes."""
    _, _, mapped = map(int, Path("/proc/self/uid_map").read_text(encoding="ascii").split()[:3])
    return 1_000_000_000 + 64 * (os.getpid() % 4_000_000) + slot if mapped > 2**31 else 65_534 - slot


def bubblewrap(bundle: Path) -> list[str]:
    """The command that makes the outer sandbox; what is to run in it follows.

    Root stays root in it, without rights beyond those that shut a submission in, and gives even these up before an
    answer runs. Anybody else is root of a user namespace of their own, which is nobody outside of it.
    """
    line = ["bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    line += ["--die-with-parent", "--new-session"]
    if is_root():
        line += ["--cap-drop", "ALL", *(word for name in _CAPABILITIES for word in ("--cap-add", name))]
    else:
        line += ["--unshare-user", "--uid", "0", "--gid", "0", "--cap-add", "ALL"]
    line += ["--clearenv"]
    scratch = {"HOME": SCRATCH, "TMPDIR": SCRATCH, "MPLCONFIGDIR": SCRATCH, "PYTHONPATH": INSIDE}
    for name, value in (ENVIRONMENT | scratch | {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"}).items():
        line += ["--setenv", name, value]
    for place in system_folders():
        for parent in reversed(Path(place).parents[:-1]):
            line += ["--perms", "0755", "--dir", str(parent)]  # else only their owner could look into them
        line += ["--ro-bind", place, place]
    for link in ("bin", "sbin", "lib", "lib32", "lib64"):
        path = Path("/") / link
        if path.is_symlink():
            line += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            line += ["--ro-bind", str(path), str(path)]
    for place in ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime"):
        line += ["--ro-bind-try", place, place]
    for hidden in hidden_places():
        line += ["--tmpfs", hidden, "--remount-ro", hidden]
    line += ["--perms", "0755", "--dir", "/run", "--ro-bind", str(bundle), INSIDE, "--proc", "/proc", "--dev", "/dev"]
    if not any(Path(place).is_relative_to("/tmp") for place in system_folders()):
        line += ["--symlink", SCRATCH, "/tmp"]
    line += ["--perms", "0755", "--dir", SCRATCH, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", SCRATCH]
    return [*line, "--"]


def system_folders() -> list[str]:
    """/usr and Python's own folders, none inside another, parents first."""
    packages = {path for path in sys.path if path.endswith(("site-packages", "dist-packages")) and Path(path).is_dir()}
    wanted = {"/usr", sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix, *packages}
    chosen: list[str] = []
    for place in sorted(os.path.realpath(path) if path in packages else path for path in wanted):
        if not any(Path(place).is_relative_to(other) for other in chosen):
            chosen.append(place)
    return chosen


def hidden_places() -> list[str]:
    """The library with its answers, wherever the system's folders would show it.

    An editable install leaves a copy of the course among the packages, though the library itself lies elsewhere.
    """
    library = Path(lmcourse.__file__).parent
    installed = [Path(path) / "lmcourse" for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    found = {library, *(place for place in installed if place.is_dir())}
    places = {str(place) for place in found} | {os.path.realpath(place) for place in found}
    return [place for place in sorted(places) if any(Path(place).is_relative_to(shown) for shown in system_folders())]


def in_sight(path: Path) -> str | None:
    """The folder by which the sandbox would show `path`, if any."""
    real = Path(os.path.realpath(path))
    return next((place for place in system_folders() if real.is_relative_to(place)), None)


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
for name, *arguments in (("setns", own, 0x20000000), ("unshare", 0x20000000)):
    if getattr(libc, name)(*arguments):
        raise SystemExit(name + ": " + os.strerror(ctypes.get_errno()))
"""
