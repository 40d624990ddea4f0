"""Start JupyterLab on a course folder, and stop it when this process is stopped; keep pages as they are in it.

This module is an extension of Jupyter's server, too: `jupyter/` turns it on.
"""

import contextlib
import os
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import lmcourse
from lmcourse import course, json_files
from lmcourse.extras import needs


def require() -> None:
    """Raise ModuleNotFoundError, with advice, if JupyterLab is not installed."""
    with needs("lab", "opening the course"):
        if find_spec("jupyterlab") is None:
            raise ModuleNotFoundError(name="jupyterlab")


def sign(folder: Path) -> list[Path]:
    """Sign the chapters in a folder that are as the course delivers them, as `jupyter trust` would.

    JupyterLab shows the interactive views of a page that it trusts; those of any other page only once their cells have
    run. A page that somebody changed is not touched: what a learner saves in JupyterLab, JupyterLab signs itself. In a
    clone, where the course is in this folder itself, git knows which pages were changed.

    Returns:
        The pages that were signed now; none where signatures cannot be kept, which costs the views and nothing else.
    """
    with needs("lab", "opening the course"):
        import nbformat
        from nbformat.sign import NotebookNotary

    signed = []
    try:
        notary, source = NotebookNotary(), course.source_folder()
        changed = _changed(source) if source.samefile(folder) else frozenset()
        for delivered in sorted((source / "chapters").glob("*.ipynb")):
            page, content = folder / "chapters" / delivered.name, delivered.read_bytes()
            if delivered.name in changed or not page.is_file() or page.read_bytes() != content:
                continue
            notebook = nbformat.reads(content.decode("utf-8"), as_version=4)
            if not notary.check_signature(notebook):
                notary.sign(notebook)
                signed.append(page)
    except (OSError, RuntimeError, subprocess.CalledProcessError):  # a home that cannot be written; no pages; no git
        return []
    return signed


def _changed(clone: Path) -> frozenset[str]:
    """The chapters of a clone that are not as git has them."""
    listing = ["git", "-C", str(clone), "diff", "--name-only", "-z", "HEAD", "--", "chapters"]
    names = subprocess.run(listing, capture_output=True, text=True, check=True).stdout.split("\0")
    return frozenset(Path(name).name for name in names)


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


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    server.contents_manager.register_pre_save_hook(keep_metadata)


def keep_metadata(*, path: str, model: dict[str, Any], contents_manager: Any, **_: Any) -> None:
    """Keep what a page of the course says of its kernel, while it is saved.

    JupyterLab writes Python's version and the kernel's title into a page that was only opened, and saves it by itself:
    git would call it changed. Nothing else of what is saved is touched; nor is this, if another kernel was chosen.
    """
    if model["type"] != "notebook" or "lmcourse" not in model["content"]["metadata"]:
        return
    after = model["content"]["metadata"]
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):  # it is new, or no notebook
        before = json_files.read(Path(contents_manager.root_dir, path))["metadata"]
        if before["kernelspec"]["name"] == after["kernelspec"]["name"]:
            after.update({key: before[key] for key in ("kernelspec", "language_info")})
