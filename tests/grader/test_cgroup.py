"""Control groups: enforced where this machine gives one, made with the right words where it does not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lmcourse.exercises import all_tasks
from lmcourse.grader import cgroup
from lmcourse.grader.cgroup import Cgroup
from lmcourse.grader.sandbox import Cell, Limits, Sandbox
from tests.grader.classes import needs_sandbox

TASK = next(task for task in all_tasks() if task.name == "softmax")
PROBE = Cgroup.make(10**9, 100, "lmcourse-test")
if PROBE:
    PROBE.remove()


@needs_sandbox
@pytest.mark.skipif(PROBE is None, reason="no control group for this user")
def test_the_kernel_holds_a_submission_to_its_memory_and_the_worker_lives(monkeypatch):
    monkeypatch.setattr("lmcourse.grader.sandbox._OWN_MEMORY", -600_000_000)  # far below what the watch lets pass
    with Sandbox([(TASK, TASK.cases(1))], "", Limits(task_s=20, memory=1_000_000_000)) as box:
        folders = box._cgroup.folders
        run = box.run([Cell("held = b'x' * 800_000_000\ndef softmax(x): return x", "softmax")])
        assert (run.why, run.message) == ("memory", "it took more than 1000 MB of memory")
        assert box.run([Cell("def softmax(x): return x", "softmax")]).why == ""
    assert not any(path.exists() for path in folders)


def _run(group: Cgroup, code: str) -> subprocess.CompletedProcess:
    command = [*group.prefix, sys.executable, "-S", "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)


@pytest.mark.skipif(PROBE is None or os.geteuid() != 0, reason="no control group for this user")
def test_the_kernel_holds_a_group_to_its_processor_and_its_processes():
    group = Cgroup.make_by_hand(10**9, 20, f"lmcourse-test-{os.getpid()}", cpus=0.05)
    assert group is not None
    try:
        spin = "import time\nend = time.monotonic() + 2\nwhile time.monotonic() < end: pass\nprint(time.process_time())"
        assert float(_run(group, spin).stdout) < 0.5
        counts = next(filter(Path.exists, (folder / "cpu.stat" for folder in group.folders))).read_text().split()
        assert int(counts[counts.index("nr_throttled") + 1]) > 0
        many = "import threading, time\nfor _ in range(30): threading.Thread(target=time.sleep, args=(1,)).start()"
        assert "can't start new thread" in _run(group, many).stderr
    finally:
        group.remove()
    assert not any(folder.exists() for folder in group.folders)


def made(root: Path, monkeypatch, groups: str) -> None:
    monkeypatch.setattr(cgroup, "_ROOT", root)
    monkeypatch.setattr(cgroup, "_systemd", lambda: ())
    (root / "own").write_text(groups)
    real = cgroup._own_groups
    monkeypatch.setattr(cgroup, "_own_groups", lambda path=root / "own": real(path))


def test_a_group_of_version_2_stands_beside_our_own(tmp_path, monkeypatch):
    made(tmp_path, monkeypatch, "0::/user/shell\n")
    (tmp_path / "cgroup.controllers").write_text("memory pids")
    (tmp_path / "user" / "shell").mkdir(parents=True)
    group = Cgroup.make(1000, 7, "ours")
    folder = tmp_path / "user" / "ours"
    assert group.folders == [folder]
    assert {path.name: path.read_text() for path in folder.iterdir()} == {"memory.max": "1000", "pids.max": "7"}
    assert group.prefix[-2:] == ["1", f"{folder}/cgroup.procs"]


def test_kills_for_want_of_memory_are_counted_once(tmp_path):
    (tmp_path / "memory.events").write_text("max 7\noom 2\noom_kill 0\noom_group_kill 5\n")
    group = Cgroup([], [tmp_path])
    assert not group.ran_out()
    (tmp_path / "memory.events").write_text("max 7\noom 2\noom_kill 3\noom_group_kill 5\n")
    assert [group.ran_out(), group.ran_out()] == [True, False]


def test_where_no_group_may_be_made_there_is_none(tmp_path, monkeypatch):
    made(tmp_path, monkeypatch, "0::/no/such\n")
    assert Cgroup.make(1000, 7, "ours") is None
    (tmp_path / "cgroup.controllers").write_text("")
    (tmp_path / "ours").write_text("a file in its way")
    assert Cgroup.make(1000, 7, "ours") is None


def test_systemd_is_asked_for_a_scope_with_limits(monkeypatch):
    monkeypatch.setattr(cgroup, "_systemd", lambda: ("systemd-run", "--user", "--scope"))
    line = " ".join(Cgroup.make(1000, 7, "ours").prefix)
    assert line.startswith("systemd-run --user --scope --property MemoryMax=1000 ")
    assert line.endswith("--property TasksMax=7")
