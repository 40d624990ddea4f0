"""The weaker sandbox: what it refuses where no namespaces are to be had, and that it is never used unsaid."""

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import lmcourse
from lmcourse.exercises import all_tasks
from lmcourse.grader import weaker
from lmcourse.grader.bubblewrap import NoSandboxError
from lmcourse.grader.classroom import Classroom
from lmcourse.grader.grade import grade_class
from lmcourse.grader.sandbox import Cell, Limits, Sandbox
from tests.grader.classes import ROOT, answered, hand_in, solutions

_WHY = weaker.missing_weaker()
needs_landlock = pytest.mark.skipif(_WHY is not None, reason=f"no weaker sandbox on this machine: {_WHY}")
TASK = next(task for task in all_tasks() if task.name == "softmax")
LIMITS = Limits(task_s=20, total_s=60, memory=400_000_000, file_size=4_000_000)
CHAPTER = "00_start_here"


@pytest.fixture(scope="module")
def box():
    with Sandbox([(TASK, TASK.cases(1))], "import numpy as np", LIMITS, weaker=True) as made:
        yield made


def seen_inside(box: Sandbox, code: str):
    run = box.run([Cell(f"import json, os\n{code}\nraise OSError(json.dumps(told))", "softmax")])
    error, message = run.results["softmax"]["stopped"]
    assert error == "OSError", (error, message, run)
    return json.loads(message)


def refused(box: Sandbox, code: str) -> str:
    """Run what must be refused; the name of the system call, or "files" where Landlock says no."""
    run = box.run([Cell(f"import os\n{code}\nopen('it worked', 'w')\nraise KeyError", "softmax")])
    assert run.results["softmax"]["stopped"][0] in ("PermissionError", "OSError"), run
    calls = run.refused["softmax"]
    return calls[0] if calls else "files"


@needs_landlock
def test_right_answers_pass(box):
    run = box.run([Cell("import numpy as np"), Cell(solutions(CHAPTER)["softmax"], "softmax")])
    assert not run.why
    assert len(run.results["softmax"]["outcomes"]) == len(TASK.cases(1))
    assert run.results["softmax"]["audit"] == []


@needs_landlock
def test_a_wrong_answer_is_wrong_and_no_attack(box):
    loaded = "import numpy as np, colorsys, wave"  # modules not loaded before
    source = f"{loaded}\ndef softmax(x, banned): return np.linalg.norm(x)"
    run = box.run([Cell(source, "softmax")])
    assert (run.results["softmax"]["audit"], run.refused["softmax"]) == ([], [])


@needs_landlock
def test_nothing_but_pythons_and_the_systems_files_can_be_read(box, tmp_path):
    (tmp_path / "secret").write_text("4711")
    (tmp_path / "secret").chmod(0o644)
    library = Path(lmcourse.__file__).parent
    for path in (
        tmp_path / "secret",
        library / "tasks" / "ch00" / "softmax.py",
        ROOT / "solutions" / CHAPTER / f"{CHAPTER}.ipynb",
        Path("/etc/passwd"),
        Path("/proc/self/environ"),
        Path(f"/proc/{os.getpid()}/environ"),
        Path(f"/proc/{os.getppid()}/mem"),
    ):
        assert refused(box, f"open({str(path)!r}, 'rb').read(1)") == "files", path
    assert refused(box, "os.listdir('/')") == "files"
    assert refused(box, f"os.listdir({str(tmp_path)!r})") == "files"
    assert (
        seen_inside(box, "import colorsys, fractions\ntold = len(os.listdir(os.path.dirname(os.__file__))) > 50")
        is True
    )


@needs_landlock
def test_nothing_but_the_scratch_folder_can_be_changed(box, tmp_path):
    (tmp_path / "theirs").write_text("kept")
    for change in ("open({0!r}, 'w')", "os.unlink({0!r})", "os.rename({0!r}, 'mine')", "os.truncate({0!r}, 0)"):
        assert refused(box, change.format(str(tmp_path / "theirs"))) in ("files", "truncate")
    assert refused(box, f"os.chmod({str(tmp_path)!r}, 0o777)") == "chmod"
    assert refused(box, f"os.utime({str(tmp_path)!r})") == "utimensat"
    assert refused(box, f"open({str(tmp_path / 'new')!r}, 'w')") == "files"
    assert refused(box, "open('/tmp/new', 'w')") == "files"
    assert refused(box, "os.mkfifo('pipe')") in ("mknod", "mknodat")
    assert (tmp_path / "theirs").read_text() == "kept"
    assert [path.name for path in tmp_path.iterdir()] == ["theirs"]
    assert seen_inside(box, "open('mine', 'w').write('x'); told = os.listdir('.')") == ["mine"]
    assert seen_inside(box, "told = os.listdir('.')") == [], "an earlier submission's file is there"


@needs_landlock
def test_no_network_no_process_no_signal(box):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert refused(box, f"import socket\nsocket.create_connection(('127.0.0.1', {port}))") == "socket"
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()
    assert refused(box, "os.fork()") == "clone"
    assert refused(box, "import subprocess\nsubprocess.run(['true'])") in ("vfork", "clone")
    assert refused(box, "os.execv('/bin/true', ['true'])") == "execve"
    assert refused(box, f"os.kill({os.getpid()}, 0)") == "kill"
    assert refused(box, f"import resource\nresource.prlimit({os.getpid()}, resource.RLIMIT_CPU)") == "prlimit64"
    assert (
        refused(box, f"import ctypes\nif ctypes.CDLL(None).ptrace(16, {os.getpid()}, 0, 0): raise OSError") == "ptrace"
    )


@needs_landlock
def test_no_rights_are_left_and_no_secret_in_the_environment(box, monkeypatch):
    uid, names = seen_inside(box, "told = [os.getresuid(), sorted(os.environ)]")
    if os.geteuid() == 0 and not weaker.barred():
        assert 0 not in uid
    assert not {"LMCOURSE_STATE", "SSH_AUTH_SOCK", "JUPYTERHUB_API_TOKEN"} & set(names)
    held = (
        "import ctypes, struct\nlibc, data = ctypes.CDLL(None), ctypes.create_string_buffer(24)\n"
        "libc.capget(struct.pack('=II', 0x20080522, 0), data)\ntold = [data.raw.count(0), libc.prctl(39, 0, 0, 0, 0)]"
    )
    assert seen_inside(box, held) == [24, 1]


@needs_landlock
def test_limits_hold(box):
    run = box.run([Cell("for n in range(10**6): open(f'f{n}', 'wb').write(bytes(3_000_000))", "softmax")])
    assert (run.why, run.message) == ("violated", "it wrote more files than any answer needs")
    run = box.run([Cell("held = []\nwhile True: held.append(b'x' * 10**7)", "softmax")])
    assert run.why == "memory" or run.results["softmax"]["stopped"][0] == "MemoryError"
    with Sandbox([(TASK, TASK.cases(1))], "", Limits(task_s=1), weaker=True) as short:
        assert short.run([Cell("while True: pass", "softmax")]).why == "timeout"
        assert short.run([Cell("import os\nos._exit(7)", "softmax")]).message.endswith("(exit status 7)")


@needs_landlock
def test_a_class_is_marked_and_every_record_says_in_which_sandbox(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda *_: None)  # no bubblewrap here
    right = solutions(CHAPTER)
    hand_in(tmp_path / "in", "ada", CHAPTER, answered(CHAPTER, right))
    hand_in(
        tmp_path / "in", "eve", CHAPTER, answered(CHAPTER, right | {"softmax": "raise OSError(open('/etc/passwd'))"})
    )
    told: list[str] = []
    with pytest.raises(Exception, match="--weaker"):
        grade_class(Classroom(tmp_path / "in", tmp_path / "out", ROOT), tell=told.append)
    results = grade_class(Classroom(tmp_path / "in", tmp_path / "out", ROOT, weaker=True), tell=told.append)
    assert [(one.student, one.status) for one in results] == [("ada", "marked"), ("eve", "look")]
    assert results[0].earned == results[0].points
    assert any(line.startswith("WEAKER: answers run in the weaker sandbox (Landlock") for line in told)
    assert results[0].notes == [f"marked in {weaker.NAME}"]
    assert f"marked in {weaker.NAME}" in results[1].notes
    assert (tmp_path / "out" / "grades.csv").read_text().count(weaker.NAME) == 2
    assert weaker.NAME in (tmp_path / "out" / "state" / CHAPTER / "ada.log").read_text()


def test_where_it_is_not_to_be_had_it_says_why(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert weaker.missing_weaker() == "Landlock is a part of Linux, not of darwin."
    with pytest.raises(NoSandboxError):
        Sandbox([(TASK, TASK.cases(1))], "", weaker=True)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("lmcourse.grader.inside.weaker.landlock_version", lambda: 0)
    assert "no Landlock" in weaker.missing_weaker()


def test_the_library_is_left_out_of_what_may_be_read(tmp_path, monkeypatch):
    for name in ("site/numpy/a.py", "site/lmcourse/tasks/b.py", "site/torch/c.py"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    monkeypatch.setattr(weaker, "system_folders", lambda: [str(tmp_path)])
    monkeypatch.setattr(weaker, "hidden_places", lambda: [str(tmp_path / "site" / "lmcourse")])
    found = weaker.places("/bundle", "/scratch")
    assert sorted(one for one in found["read"] if str(tmp_path) in one) == [
        str(tmp_path / "site" / "numpy"),
        str(tmp_path / "site" / "torch"),
    ]
    assert found["names"] == [str(tmp_path), str(tmp_path / "site")]


@needs_landlock
def test_an_ordinary_user_has_it_too(tmp_path):
    """Run as a user without rights, as in a hub's pod; needs a Python that every user may start."""
    python = os.environ.get("LMCOURSE_HUB_PYTHON", sys.executable)
    if os.geteuid() != 0 or weaker.first_barred(Path(python)) or weaker.first_barred(ROOT / "lib"):
        pytest.skip("needs root, and a Python and a course that other users may read (LMCOURSE_HUB_PYTHON)")
    code = (
        "from tests.grader import test_weaker as t\n"
        "with t.Sandbox([(t.TASK, t.TASK.cases(1))], '', t.LIMITS, weaker=True) as box:\n"
        "    t.test_no_network_no_process_no_signal(box)\n    print(t.seen_inside(box, 'told = os.getuid()'))"
    )
    script = "import os, sys\nos.setgroups([]); os.setgid(65534); os.setuid(65534)\n" + code
    environment = {"PYTHONPATH": f"{ROOT}/lib:{ROOT}", "PATH": "/usr/bin:/bin", "HOME": "/tmp"}
    done = subprocess.run(
        [python, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if "No module named 'pytest'" in done.stderr:
        pytest.skip("that Python has no pytest")
    assert (done.stdout, done.returncode) == ("65534\n", 0), done.stderr
