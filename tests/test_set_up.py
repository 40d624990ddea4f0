"""What `make lab` says before it fetches, and what it advises when a step fails; a script plays pip."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools import set_up

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a shell script plays the environment's Python")


@pytest.fixture
def environment(tmp_path):
    """A folder with an interpreter that notes how it was called, says what `says` holds and fails if that is much."""
    python = tmp_path / "venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\ncd "$(dirname "$0")"\necho "$@" >called\ncat says >&2\n[ ! -s says ]\n')
    python.chmod(0o755)
    (python.parent / "says").touch()
    return python.parent


def set_up_with(environment, *options, prelude=""):
    script = f"import sys; sys.path.insert(0, {str(set_up.ROOT)!r}); from tools import set_up; {prelude}; "
    command = [sys.executable, "-c", f"{script}set_up.main()", "--venv", str(environment.parent), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


NOWHERE = "set_up.CPU_BUILDS = 'https://127.0.0.1:9'"


def test_it_says_how_much_comes_and_where_it_goes_and_asks_pip_for_the_lock(environment):
    made = set_up_with(environment, "--lock", "some.txt", "dev", prelude=NOWHERE)
    assert made.returncode == 0, made.stderr
    size, torch = made.stdout.splitlines()
    assert size.startswith("About 0.6 GB are fetched and 2.3 GB written to " + str(environment.parent))
    assert torch.startswith("PyTorch's builds without CUDA cannot be reached")
    called = (environment / "called").read_text().split()
    assert called == ["-m", "pip", "install", "--constraint", "some.txt", "--editable", f"{set_up.ROOT}[dev]"]
    set_up_with(environment, "--lock", "", prelude=NOWHERE)
    assert "--constraint" not in (environment / "called").read_text()


@pytest.mark.parametrize(("tool", "index"), [(None, True), ("/usr/bin/nvidia-smi", False)])
def test_without_a_gpu_pytorch_comes_from_the_index_of_builds_without_cuda(monkeypatch, tool, index):
    asked = []
    monkeypatch.setattr(set_up.sys, "platform", "linux")
    monkeypatch.setattr(set_up.shutil, "which", lambda name: tool)
    monkeypatch.setattr(set_up.urllib.request, "urlopen", lambda url, timeout: asked.append(url) or io.StringIO())
    assert set_up.cpu_builds() == (["--extra-index-url", set_up.CPU_BUILDS] if index else [])
    assert asked == ([f"{set_up.CPU_BUILDS}/torch/"] if index else [])


@pytest.mark.parametrize(
    ("pip", "advice"),
    [
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "VENV=FOLDER"),
        ("WARNING: Retrying after connection broken by 'SSLError(SSLCertVerificationError(1, ...", "certificate"),
        ("WARNING: ... NewConnectionError('Failed to establish a new connection: [Errno -3]", "connect to a network"),
        ("ERROR: Could not install packages due to an OSError: [Errno 13] Permission denied: '/x'", "VENV=FOLDER"),
        ("fatal error: Python.h: No such file or directory", "python3-dev"),
        ("ERROR: ResolutionImpossible", "the reason is above"),
    ],
)
def test_a_failure_of_pip_ends_in_one_sentence_of_advice(environment, pip, advice):
    (environment / "says").write_text(pip + "\n")
    failed = set_up_with(environment, prelude=NOWHERE)
    assert failed.returncode == 1
    said, sentence = failed.stderr.splitlines()
    assert said == pip
    assert advice in sentence


@pytest.mark.parametrize(
    ("prelude", "advice"),
    [
        ("sys.version_info = (3, 8, 18)", "Python 3.11 or newer is needed, this is 3.8"),
        ("set_up.importlib.util.find_spec = lambda name: None", "apt-get install python3-venv"),
        ("set_up.shutil.disk_usage = lambda path: set_up.argparse.Namespace(free=1e9)", "That does not fit"),
    ],
)
def test_what_is_missing_is_told_before_anything_is_fetched(environment, prelude, advice):
    if "disk" not in prelude:
        environment.joinpath("python").unlink()
    failed = set_up_with(environment, prelude=f"{NOWHERE}; {prelude}")
    assert failed.returncode == 1
    assert advice in failed.stderr
    assert not Path(environment, "called").exists()
