"""JupyterLab ends with the command that started it, and leaves a page that was only opened as it is."""

import copy
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from jupyter_server.services.contents.filemanager import FileContentsManager
from nbformat.sign import NotebookNotary

from lmcourse import course, jupyterlab

proc = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc to see which processes live")
posix = pytest.mark.skipif(os.name != "posix", reason="the command becomes JupyterLab on POSIX only")


def living(marker: str) -> dict[int, str]:
    """The living processes that have a marker in their environment, with their command lines."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
            if state not in "ZX" and marker.encode() in (folder / "environ").read_bytes():
                found[int(folder.name)] = (folder / "cmdline").read_text().replace("\0", " ")
        except OSError:
            continue
    return found


def wait_for(condition, what: str, seconds: float = 60.0):
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, f"after {seconds} s: {what}"
        time.sleep(0.1)
    return found


@posix
@proc
def test_ending_the_command_ends_jupyterlab_and_its_kernels(tmp_path):
    environment = os.environ | {"JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime"), "HOME": str(tmp_path)}
    command = [sys.executable, "-m", "lmcourse.cli", "lab", str(tmp_path / "course"), "--no-browser", "--port", "0"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env=environment, **quiet) as lab:
        try:
            record = wait_for(lambda: next((tmp_path / "runtime").glob("jpserver-*.json"), None), "no server")
            server = wait_for(lambda: json.loads(record.read_text() or "null"), "no record of the server")
            assert server["pid"] == lab.pid, "JupyterLab must be the process that was started, not a child of it"
            ask = urllib.request.Request(
                f"{server['url']}api/kernels", b"{}", {"Authorization": f"token {server['token']}"}, method="POST"
            )

            def kernel():
                try:
                    return json.load(urllib.request.urlopen(ask, timeout=30))["id"]
                except OSError:
                    return None

            wait_for(kernel, "no kernel")
            wait_for(lambda: any("ipykernel" in line for line in living(str(tmp_path)).values()), "no kernel process")
            lab.send_signal(signal.SIGTERM)
            lab.wait(timeout=60)
            wait_for(lambda: not living(str(tmp_path)), "JupyterLab or a kernel is left behind", seconds=15)
        finally:
            for process in living(str(tmp_path)):
                os.kill(process, signal.SIGKILL)


FORWARD = """
import os, sys
from lmcourse.jupyterlab import run_and_forward
sys.exit(run_and_forward([sys.executable, "-c", sys.argv[1]], dict(os.environ)))
"""


@posix
@proc
def test_where_a_process_cannot_be_replaced_signals_are_forwarded(tmp_path):
    environment = os.environ | {"MARKER": str(tmp_path)}
    command = [sys.executable, "-c", FORWARD, "import time; print(1, flush=True); time.sleep(600)"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as outer:
        assert outer.stdout.readline() == b"1\n"
        assert len(living(str(tmp_path))) == 2
        outer.send_signal(signal.SIGTERM)
        assert outer.wait(timeout=30) != 0
    assert not living(str(tmp_path))


def test_the_exit_status_is_returned():
    assert subprocess.run([sys.executable, "-c", FORWARD, "raise SystemExit(7)"], check=False).returncode == 7


@pytest.fixture
def delivered(tmp_path, monkeypatch):
    """A folder with two of the course's chapters, one of them changed, and a data folder of its own for signatures."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    chapters = tmp_path / "course" / "chapters"
    chapters.mkdir(parents=True)
    for name in ("00_start_here.ipynb", "01_ngrams.ipynb"):
        (chapters / name).write_bytes((course.source_folder() / "chapters" / name).read_bytes())
    (chapters / "01_ngrams.ipynb").write_bytes(
        (chapters / "01_ngrams.ipynb").read_bytes().replace(b"N-gram", b"X-gram")
    )
    return chapters


def trusted(page):
    return NotebookNotary().check_signature(nbformat.read(page, as_version=4))


def test_the_courses_own_pages_are_signed_and_changed_ones_are_not(delivered):
    own, changed = sorted(delivered.iterdir())
    assert not trusted(own)
    assert jupyterlab.sign(delivered.parent) == [own]
    assert trusted(own)
    assert not trusted(changed)
    assert jupyterlab.sign(delivered.parent) == []  # once is enough


def test_in_a_clone_git_tells_which_pages_were_changed(delivered, monkeypatch):
    clone = delivered.parent
    (own, changed), was_changed = sorted(delivered.iterdir()), sorted(delivered.iterdir())[1].read_bytes()
    changed.write_bytes(was_changed.replace(b"X-gram", b"N-gram"))
    git = ["git", "-C", str(clone), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "the course"]):
        subprocess.run([*git, *command], check=True)
    changed.write_bytes(was_changed)
    monkeypatch.setattr(course, "source_folder", lambda: clone)
    assert jupyterlab.sign(clone) == [own]
    shutil.rmtree(clone / ".git")
    own.write_bytes(was_changed)
    assert jupyterlab.sign(clone) == []  # nobody can tell whether they were changed


def test_pages_stay_unsigned_where_signatures_cannot_be_kept(delivered, tmp_path):
    (tmp_path / "data").write_text("a file where the folder of signatures belongs")
    assert jupyterlab.sign(delivered.parent) == []


@pytest.mark.parametrize(("kernel", "kept"), [("python3", True), ("another", False)])
def test_a_page_keeps_what_it_says_of_its_kernel_unless_another_is_chosen(delivered, kernel, kept):
    path = "chapters/00_start_here.ipynb"
    before = nbformat.read(delivered.parent / path, as_version=4)
    page = copy.deepcopy(before)
    page.cells[0].source = "mine"
    page.metadata.kernelspec = {"name": kernel, "display_name": "Python 3 (ipykernel)", "language": "python"}
    page.metadata.language_info.version = "3.13.0"
    manager = FileContentsManager(root_dir=str(delivered.parent))
    jupyterlab._load_jupyter_server_extension(SimpleNamespace(contents_manager=manager))
    manager.save({"type": "notebook", "content": page}, path)
    saved = nbformat.read(delivered.parent / path, as_version=4)
    assert saved.cells[0].source == "mine"
    assert (saved.metadata == before.metadata) is kept
    assert saved.metadata == (before if kept else page).metadata


def test_a_learners_own_page_is_saved_as_it_is(tmp_path):
    manager = FileContentsManager(root_dir=str(tmp_path))
    jupyterlab._load_jupyter_server_extension(SimpleNamespace(contents_manager=manager))
    for version in ("3.12.1", "3.13.0"):
        page = nbformat.v4.new_notebook(metadata={"language_info": {"name": "python", "version": version}})
        page.metadata.kernelspec = {"name": "python3", "display_name": version}
        manager.save({"type": "notebook", "content": page}, "mine.ipynb")
    saved = nbformat.read(tmp_path / "mine.ipynb", as_version=4).metadata
    assert (saved.kernelspec.display_name, saved.language_info.version) == ("3.13.0", "3.13.0")
