"""Start JupyterLab on a course folder, and stop it when this process is stopped."""

import os
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import lmcourse
from lmcourse.extras import needs


def require() -> None:
    """Raise ModuleNotFoundError, with advice, if JupyterLab is not installed."""
    with needs("lab", "opening the course"):
        if find_spec("jupyterlab") is None:
            raise ModuleNotFoundError(name="jupyterlab")


def run(folder: Path, start: Path, *, browser: bool, port: int) -> int:
    """Start JupyterLab and return its exit status once it has ended.

    On POSIX this process becomes JupyterLab and the call does not return: stopping the process stops JupyterLab.

    Args:
        folder: the root of JupyterLab's file browser.
        start: the page to open, relative to `folder`.
        browser: whether to open a browser window.
        port: the first port to try.
    """
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}", f"--port={port}"]
    command += [f"--LabApp.default_url=/lab/tree/{start.as_posix()}"]
    command += [] if browser else ["--no-browser"]
    command += ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    if os.name == "posix":
        sys.stdout.flush()
        sys.stderr.flush()
        os.execve(command[0], command, _environment())
    return run_and_forward(command, _environment())


def run_and_forward(command: list[str], environment: dict[str, str]) -> int:
    """Run a command to its end, forward signals that ask it to stop, and return its exit status."""
    with subprocess.Popen(command, env=environment) as process:
        for name in ("SIGTERM", "SIGBREAK"):  # SIGBREAK is Windows' own
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), lambda *_: process.terminate())
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue  # JupyterLab gets Ctrl-C too, and asks whether to stop


def _environment() -> dict[str, str]:
    """The environment, with a configuration folder of ours that keeps JupyterLab from asking questions at the start."""
    folders = [str(Path(lmcourse.__file__).parent / "jupyter"), os.environ.get("JUPYTER_CONFIG_PATH", "")]
    return os.environ | {"JUPYTER_CONFIG_PATH": os.pathsep.join(filter(None, folders))}
