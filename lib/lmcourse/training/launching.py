"""Start a training script in several processes of this machine, and leave nothing behind, whatever happens."""

import contextlib
import os
import subprocess
import sys
from pathlib import Path

from lmcourse import checks

_LOOPBACK = {"linux": "lo", "darwin": "lo0"}
_PROCESSES = 256  # more than this machine could hold: each of them imports torch
_TIMEOUT_S = 1e6  # the system counts milliseconds in 32 bits
_GRACE_S = 10.0  # torchrun ends its processes when it is told to stop; this is how long it may take


def torchrun(script: str | os.PathLike[str], processes: int, *, timeout: float = 300.0) -> str:
    """Run `torchrun --standalone --nproc-per-node PROCESSES SCRIPT` in the script's folder; return what it printed.

    The processes talk over the loopback device alone, each with one thread. However this function ends (an error of a
    process, an interrupted cell, the time limit), all of them have ended before it returns or raises.

    Args:
        script: a Python file.
        processes: 1 to 256.
        timeout: seconds, at most a million.

    Raises:
        TypeError, ValueError: bad arguments.
        FileNotFoundError: there is no such script.
        RuntimeError: a process failed; the message ends with its traceback.
        TimeoutError: it took longer.
    """
    checks.whole(processes=processes, at_least=1, at_most=_PROCESSES)
    checks.number(timeout=timeout, at_least=0.0, at_most=_TIMEOUT_S)
    checks.file_path(script=script)
    path = Path(script).resolve()
    if not path.is_file():
        raise FileNotFoundError(f"`script` must be a Python file, there is none called {path.name}.")
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--local-addr=127.0.0.1"]
    with subprocess.Popen(
        [*command, f"--nproc-per-node={processes}", str(path)],
        cwd=path.parent,
        env=_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as agent:
        try:
            printed, _ = agent.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            raise TimeoutError(
                f"`script` must end within `timeout` = {timeout} seconds, {path.name} did not."
            ) from None
        finally:
            _end(agent)
    if agent.returncode:
        first = printed[max(printed.find("Traceback"), 0) :].strip().splitlines()[:20]  # torchrun's own comes after it
        raise RuntimeError("\n".join([f"{path.name} failed in at least one of {processes} processes:", *first]))
    return printed


def _environment() -> dict[str, str]:
    """This process's environment, with what keeps the processes on this machine and to a thread each."""
    changed = {"OMP_NUM_THREADS": "1", "TORCH_CPP_LOG_LEVEL": "ERROR", "PYTHONUNBUFFERED": "1"}
    if sys.platform in _LOOPBACK:
        changed["GLOO_SOCKET_IFNAME"] = _LOOPBACK[sys.platform]
    if sys.platform == "win32":
        changed["USE_LIBUV"] = "0"  # torch for Windows is built without it
    here = [str(Path(entry or ".").resolve()) for entry in sys.path]  # the script finds what this process finds
    return os.environ | changed | {"PYTHONPATH": os.pathsep.join(here)}


def _end(agent: subprocess.Popen[str]) -> None:
    """End torchrun and the processes that it started, if they are still there."""
    if agent.poll() is not None:
        return
    started = _children(agent.pid)
    agent.terminate()  # where there are signals, torchrun passes this one on
    with contextlib.suppress(subprocess.TimeoutExpired):
        agent.wait(_GRACE_S)
    for process in started:
        with contextlib.suppress(Exception):  # it has ended by itself
            process.kill()
    if agent.poll() is None:
        agent.kill()
        agent.wait()


def _children(pid: int) -> list["psutil.Process"]:  # type: ignore[name-defined]  # noqa: F821
    """Handles of all processes that this one started; psutil comes with JupyterLab's kernels."""
    try:
        import psutil
    except ImportError:
        return []
    with contextlib.suppress(psutil.Error):
        return list(psutil.Process(pid).children(recursive=True))
    return []
