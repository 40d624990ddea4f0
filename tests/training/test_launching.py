"""Processes of this machine: they find each other, errors are told, and none is left over, however it ends."""

import os
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from lmcourse.training.launching import torchrun

SUM = """
import os, torch, torch.distributed as dist
dist.init_process_group("gloo")
total = torch.tensor([float(os.environ["RANK"]) + 1])
dist.all_reduce(total)
open(f"sum{dist.get_rank()}", "w").write(str(total.item()))
dist.destroy_process_group()
"""
WAITS = (
    "import os, time, pathlib\npathlib.Path(f'pid{os.environ[\"RANK\"]}').write_text(str(os.getpid()))\ntime.sleep(600)"
)


def script(folder: Path, source: str) -> Path:
    path = folder / "script.py"
    path.write_text(source)
    return path


def started(folder: Path) -> list[int]:
    """The ids of the two processes that wait, once they are there."""
    for _ in range(600):
        files = [folder / f"pid{rank}" for rank in (0, 1)]
        if all(file.exists() and file.read_text() for file in files):
            return [int(file.read_text()) for file in files]
        time.sleep(0.1)
    raise AssertionError("the processes did not start")


@pytest.fixture(autouse=True)
def _nothing_left():
    """No process is left over, besides those that were there before (browsers and kernels of other tests)."""
    before = set(psutil.Process().children(recursive=True))
    yield
    assert set(psutil.Process().children(recursive=True)) <= before


def gone(numbers: list[int]) -> bool:
    return not [number for number in numbers if psutil.pid_exists(number)]


@pytest.mark.slow  # daily on the page of chapter 13
def test_two_processes_add_up(tmp_path):
    torchrun(script(tmp_path, SUM), 2)
    assert [(tmp_path / f"sum{rank}").read_text() for rank in (0, 1)] == ["3.0", "3.0"]


def test_the_error_of_a_process_is_told_and_ends_the_others(tmp_path):
    source = WAITS.replace(
        "time.sleep(600)", "if os.environ['RANK'] == '1': raise ValueError('one of us')\ntime.sleep(600)"
    )
    with pytest.raises(RuntimeError, match=r"script\.py failed in at least one of 2 processes:[\s\S]*one of us"):
        torchrun(script(tmp_path, source), 2)
    assert gone([int((tmp_path / f"pid{rank}").read_text()) for rank in (0, 1)])


@pytest.mark.skipif(sys.platform == "win32", reason="an interrupt is sent as a signal")
def test_an_interrupted_cell_leaves_no_process(tmp_path):
    import signal

    numbers = []

    def interrupt():
        numbers.extend(started(tmp_path))
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores interruptions
    try:
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            torchrun(script(tmp_path, WAITS), 2)
    finally:
        signal.signal(signal.SIGINT, before)
    thread.join()
    assert len(numbers) == 2
    assert gone(numbers)


def test_the_time_limit_leaves_no_process_either(tmp_path):
    with pytest.raises(TimeoutError, match=r"within `timeout` = 0\.5 seconds"):
        torchrun(script(tmp_path, WAITS), 1, timeout=0.5)


def test_bad_arguments_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"`script` must be a Python file, there is none called nothing\.py"):
        torchrun(tmp_path / "nothing.py", 2)
    with pytest.raises(ValueError, match="`processes` must be at least 1 and at most 256, got processes=0"):
        torchrun(script(tmp_path, ""), 0)
    with pytest.raises(TypeError, match="`processes`"):
        torchrun(script(tmp_path, ""), 2.0)
    with pytest.raises((TypeError, ValueError), match="`timeout`"):
        torchrun(script(tmp_path, ""), 2, timeout=-1.0)


@pytest.mark.parametrize("wrong", [{"processes": 10**9}, {"processes": 2, "timeout": 1e300}])
def test_what_would_take_the_machine_is_refused_before_anything_starts(tmp_path, monkeypatch, wrong):
    monkeypatch.setattr("subprocess.Popen", lambda *args, **kwargs: pytest.fail("a process was started"))
    with pytest.raises(ValueError, match=f"`{list(wrong)[-1]}` must be at least .* and at most"):
        torchrun(script(tmp_path, ""), **wrong)
