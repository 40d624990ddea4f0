"""The sandbox itself: refusal where there is none, limits, and what is seen from inside."""

import ctypes
import errno
import json
import os
import platform
import re
import shutil
import socket
import sys
import time
from pathlib import Path

import pytest

import lmcourse
from lmcourse.exercises import all_tasks
from lmcourse.grader import bubblewrap
from lmcourse.grader.bubblewrap import NoSandboxError, in_sight, missing_sandbox
from lmcourse.grader.inside.frames import send
from lmcourse.grader.inside.seccomp import Filter
from lmcourse.grader.inside.syscalls import ALLOWED, name_of, number_of
from lmcourse.grader.sandbox import Cell, Limits, Run, Sandbox, SandboxBrokenError
from tests.grader.classes import MAKE_PROCESSES, needs_sandbox

SCRATCH = ("/tmp", "/run/answer", "/dev/shm")
LIMITS = Limits(task_s=20, total_s=60, memory=500_000_000)
TASK = next(task for task in all_tasks() if task.name == "softmax")


# ----------------------------------------------------------------------------------------------- where there is none


def test_other_systems_are_refused_with_a_way_out(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert missing_sandbox() == "bubblewrap runs on Linux, not on darwin."
    with pytest.raises(NoSandboxError) as caught:
        Sandbox([(TASK, TASK.cases(1))], "")
    told = str(caught.value)
    assert "docker run" in told
    assert "--unsafe" in told
    assert "apt-get install bubblewrap" in told


def test_no_bubblewrap_is_refused(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert "not installed" in missing_sandbox()


@pytest.mark.parametrize("script", ["echo no permission >&2; exit 1", "exit 3"])
def test_bubblewrap_that_may_not_is_refused(script, tmp_path, monkeypatch):
    if not sys.platform.startswith("linux"):
        pytest.skip("bubblewrap runs on Linux only")
    (tmp_path / "bwrap").write_text(f"#!/bin/sh\n{script}\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert "may not make one on this system" in missing_sandbox()
    if "permission" in script:
        assert "no permission" in missing_sandbox()


def test_the_library_is_hidden_where_it_is_installed(monkeypatch):
    site = next(path for path in sys.path if path.endswith("site-packages"))
    monkeypatch.setattr(lmcourse, "__file__", f"{site}/lmcourse/__init__.py")
    line = bubblewrap.bubblewrap(Path("/nowhere"))
    hidden = f"{os.path.realpath(site)}/lmcourse"
    assert line[line.index(hidden) - 1] == "--tmpfs"
    assert line.index(hidden) > max(number for number, word in enumerate(line) if word == sys.prefix)
    assert in_sight(Path(site)) is not None
    assert in_sight(Path("/home/teacher/class")) is None


def test_the_copy_that_an_editable_install_leaves_is_hidden_too(monkeypatch, tmp_path):
    left = tmp_path / "site-packages" / "lmcourse"
    (left / "course" / "solutions").mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [*sys.path, str(left.parent)])
    line = bubblewrap.bubblewrap(Path("/nowhere"))
    hidden = os.path.realpath(left)
    assert line[line.index(hidden) - 1] == "--tmpfs"
    assert line.index(hidden) > line.index(os.path.realpath(left.parent))


# ------------------------------------------------------------------------------------------------------ what it does


@pytest.fixture(scope="module")
def box():
    with Sandbox([(TASK, TASK.cases(1))], "import numpy as np", LIMITS) as made:
        yield made


def seen_inside(box: Sandbox, code: str):
    """Run code in the answer cell; what it names `told` comes back in the message of an error."""
    source = f"import json, os\n{code}\nraise OSError(json.dumps(told))"
    run = box.run([Cell(source, "softmax")])
    error, message = run.results["softmax"]["stopped"]
    assert error == "OSError", (error, message, run)
    return json.loads(message)


@needs_sandbox
def test_an_answer_is_nobody_without_rights(box):
    status = seen_inside(
        box, "told = [l.split() for l in open('/proc/self/status') if l[:3] in ('Cap', 'NoN', 'Sec', 'Uid')]"
    )
    facts = {line[0]: line[1:] for line in status}
    if os.geteuid() == 0:
        assert all(uid not in ("0", str(os.geteuid())) for uid in facts["Uid:"])
    assert all(int(facts[f"Cap{kind}:"][0], 16) == 0 for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb"))
    assert facts["NoNewPrivs:"] == ["1"]
    assert facts["Seccomp:"] == ["2"]


@needs_sandbox
def test_torch_is_loaded_only_where_it_is_spoken_of(box):
    loaded = "import sys; told = 'torch' in sys.modules"
    assert not box.tensors
    assert seen_inside(box, loaded) is False
    for code, options in (("import torch", {}), ("", {"tensors": True})):
        with Sandbox([(TASK, TASK.cases(1))], code, LIMITS, **options) as other:
            assert other.tensors
            assert seen_inside(other, loaded) is True


@needs_sandbox
def test_what_the_page_imports_is_there_before_a_run():
    with Sandbox([(TASK, TASK.cases(1))], "import colorsys\nfrom math import no_such_name", LIMITS) as box:
        assert seen_inside(box, "import sys; told = 'colorsys' in sys.modules") is True


@needs_sandbox
def test_an_answer_is_alone(box):
    assert seen_inside(box, "told = [p for p in os.listdir('/proc') if p.isdecimal()]") == ["1"]
    assert seen_inside(box, "told = sorted(os.listdir('/proc/self/fd'))")[:3] == ["0", "1", "2"]
    assert len(seen_inside(box, "told = sorted(os.listdir('/proc/self/fd'))")) <= 5
    lines = seen_inside(box, "told = [line.split(':')[0].strip() for line in list(open('/proc/net/dev'))[2:]]")
    assert lines == ["lo"]
    assert set(seen_inside(box, "told = os.listdir('/')")) <= {
        *("bin", "dev", "etc", "lib", "lib32", "lib64", "proc", "run", "sbin", "tmp", "usr"),
        *(path.split("/")[1] for path in bubblewrap.system_folders()),
    }
    # Where the course itself lies below /tmp, the way to it is there, read-only.
    ways = {path.split("/")[2] for path in bubblewrap.system_folders() if path.startswith("/tmp/")}
    assert set(seen_inside(box, "told = os.listdir('/tmp')")) <= ways
    assert seen_inside(box, "told = [os.listdir('/run/answer'), os.listdir('/dev/shm')]") == [[], []]


@needs_sandbox
def test_nothing_but_the_scratch_folders_can_be_written(box):
    code = (
        "told = []\n"
        "for top, folders, _ in os.walk('/'):\n"
        "    folders[:] = [f for f in folders if top.count('/') < 3 and top + f != '/proc']\n"
        "    try:\n        open(os.path.join(top, '.probe'), 'w')\n        told.append(top)\n    except OSError: pass"
    )
    assert sorted(seen_inside(box, code)) == ["/dev/shm", "/run/answer"]


@needs_sandbox
def test_no_trace_of_one_submission_in_the_next(box):
    seen_inside(box, "told = 0\nfor place in ('/run/answer', '/dev/shm'): open(place + '/note', 'w').write('x')")
    assert seen_inside(box, "told = [os.listdir(p) for p in ('/run/answer', '/dev/shm')]") == [[], []]
    secret = "a sentence that only one student wrote " * 50
    box.run([Cell(f"mine = {secret!r}", "softmax")])
    code = (
        "import ctypes\n"
        "told, needle = 0, ('only one student ' + 'wrote a sentence').encode()\n"
        "for line in open('/proc/self/maps').read().splitlines():\n"
        "    place, rights, _, _, _, *name = line.split()\n"
        "    if rights.startswith('rw') and name in ([], ['[heap]'], ['[stack]']):\n"
        "        start, end = (int(x, 16) for x in place.split('-'))\n"
        "        for at in range(start, end, 1 << 20):\n"
        "            told += ctypes.string_at(at, min(end - at, 1 << 20)).count(needle)"
    )
    assert seen_inside(box, "mine = 'only one student wrote a sentence' * 50\n" + code) >= 40, (
        "the search finds nothing"
    )
    assert seen_inside(box, code) < 10, "an earlier submission's text is in the memory of a later one"


# Ends as it should, and leaves processes.
LEAVES_PROCESSES = """
import os, time
for number in range(10):
    if os.fork() == 0:
        os.setsid()
        ballast = bytearray(b"x") * 10**7
        time.sleep(600)
time.sleep(0.5)
def softmax(scores, banned): return scores
"""
SEEKS_PROCESSES = """
import os, time
told, end = [], time.monotonic() + 0.5
while time.monotonic() < end:
    told += [name for name in os.listdir("/proc") if name.isdigit() and int(name) > 1]
"""


@needs_sandbox
def test_nothing_of_one_submission_lives_when_the_next_runs(monkeypatch):
    monkeypatch.setattr("lmcourse.grader.sandbox.ALSO_CALLED", MAKE_PROCESSES)
    with Sandbox([(TASK, TASK.cases(1))], "import numpy as np", LIMITS) as box:
        for _ in range(3):
            run = box.run([Cell(LEAVES_PROCESSES, "softmax")])
            assert not run.why
            assert "outcomes" in run.results["softmax"], run
            assert seen_inside(box, SEEKS_PROCESSES) == []


FAMILIES = """
import socket
import time
told = []
for family in range(50):
    for open_one in (socket.socket, socket.socketpair):
        try: open_one(family, socket.SOCK_DGRAM)
        except OSError: continue
        told.append(family)
"""
SHARED = """
import ctypes
c = ctypes.CDLL(None)
told = [c.shmget(7, 4096, 0o1666), c.msgget(7, 0o1666), c.semget(7, 1, 0o1666), c.mq_open(b"/x", 0o102, 0o666, None)]
told += [c.memfd_create(b"x", 0), c.ptrace(0, 0, 0, 0), c.unshare(0x10000000), c.setns(0, 0)]
"""
MEMORY = """
told = []
for name in ("self", "thread-self", "1"):
    try: told.append(len(open(f"/proc/{name}/mem", "rb").read(9)))
    except OSError as error: told.append(error.errno)
"""


@needs_sandbox
def test_calls_that_share_or_reach_out_are_refused(box):
    assert seen_inside(box, FAMILIES) == []
    assert set(seen_inside(box, SHARED)) == {-1}
    assert set(seen_inside(box, MEMORY)) <= {errno.EIO, errno.EACCES}


CALLED = {  # what is called -> (its code, how the list of calls names it)
    "a socket": ("import socket\nsocket.socket()", "socket"),
    "a process": ("os.fork()", "clone"),
    "a program": ("os.execv('/bin/true', ['true'])", "execve"),
    "a signal": ("os.kill(1, 9)", "kill"),
    "a file's rights": ("os.chmod('/', 0o777)", "chmod"),
    "another's limits": ("import resource\nresource.prlimit(1, resource.RLIMIT_CPU)", "prlimit64"),
    "who gets a signal": ("import fcntl\nfcntl.fcntl(0, fcntl.F_SETOWN, 1)", "fcntl"),
    "what a terminal reads": ("import fcntl\nfcntl.ioctl(0, 0x5412, b'x')", "ioctl"),
    "a file in memory": ("os.memfd_create('x')", "memfd_create"),
    "another's memory": ("import ctypes\nctypes.CDLL(None).ptrace(0, 0, 0, 0)", "ptrace"),
    "a namespace": ("import ctypes\nctypes.CDLL(None).unshare(0x10000000)", "unshare"),
    "the kernel's own key ring": ("import ctypes\nctypes.CDLL(None).syscall(250, 0, -3, 0)", "keyctl"),
}


@needs_sandbox
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the number of a system call")
@pytest.mark.parametrize("what", CALLED)
def test_a_call_that_is_not_on_the_list_fails_and_is_named(what, box):
    code, name = CALLED[what]
    run = box.run([Cell("x = 1", "other", asked=False), Cell(f"import os\n{code}\nraise OSError", "softmax")])
    assert run.results["softmax"]["stopped"][0] in ("PermissionError", "OSError")
    assert run.refused == {"softmax": [name]}
    run = box.run([Cell("def softmax(scores, banned): return scores", "softmax")])
    assert run.refused == {"softmax": []}


@needs_sandbox
def test_threads_pass_and_a_call_made_for_ever_costs_nobody_the_watch(box):
    code = "import threading\nthread = threading.Thread(target=print)\nthread.start()\nthread.join()\ntold = 1"
    assert seen_inside(box, code) == 1
    loop = "import ctypes\nc = ctypes.CDLL(None)\nheld = []\nfor n in range(10**9):\n    c.unshare(0x10000000)\n"
    with Sandbox([(TASK, TASK.cases(1))], "", Limits(task_s=30, memory=300_000_000)) as small:
        run = small.run([Cell(loop + "    if n % 10 == 0: held.append(b'x' * 1_000_000)", "softmax")])
    if run.why:
        assert (run.why, run.refused["softmax"]) == ("memory", ["unshare"])
    else:
        assert run.results["softmax"]["stopped"][0] == "MemoryError"


@needs_sandbox
def test_where_the_kernel_tells_nobody_a_call_fails_all_the_same(monkeypatch):
    real = Filter._install
    monkeypatch.setattr(Filter, "_install", lambda self, program, flags: -1 if flags else real(self, program, flags))
    child = os.fork()
    if child == 0:
        _ours, theirs = socket.socketpair()
        ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)
        Filter().put_on(theirs)
        try:
            socket.socket()
        except PermissionError:
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_calls_are_numbered_as_the_kernel_numbers_them():
    known = {"x86_64": {"read": 0, "clone": 56, "socket": 41, "seccomp": 317, "rseq": 334}}
    known["aarch64"] = {"read": 63, "clone": 220, "socket": 198, "seccomp": 277, "openat": 56, "mmap": 222}
    for machine, numbers in known.items():
        for name, number in (numbers | {"clone3": 435, "landlock_create_ruleset": 444}).items():
            assert (number_of(name, machine), name_of(number, machine)) == (number, name)
    assert number_of("open", "aarch64") is None
    assert name_of(9999, "x86_64") == "number 9999"
    headers = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
    if headers.exists():
        for name, number in re.findall(r"#define __NR_(\w+) (\d+)", headers.read_text()):
            if int(number) < 451:
                assert (number_of(name, "x86_64"), name_of(int(number), "x86_64")) == (int(number), name)


def test_no_call_of_the_list_makes_a_process_opens_a_socket_or_reaches_another():
    assert all(number_of(name, "x86_64") is not None for name in ALLOWED)
    refused = {"clone", "fork", "vfork", "clone3", "execve", "execveat", "kill", "tkill", "tgkill", "ptrace", "socket"}
    refused |= {"connect", "bind", "mount", "unshare", "setns", "bpf", "io_uring_setup", "process_vm_readv", "shmget"}
    refused |= {"memfd_create", "setuid", "setresuid", "capset", "open_by_handle_at", "userfaultfd", "perf_event_open"}
    assert not refused & ALLOWED
    assert all(number_of(name, "x86_64") is not None for name in refused)


@needs_sandbox
def test_a_task_begins_once_and_in_its_turn(box):
    cells = [Cell("x = 1", "softmax"), Cell("x = 2", "other", asked=False)]
    forged = [[{"begin": word} for word in words] for words in (["other"], ["softmax", "softmax"], ["nothing"], [7])]
    forged += [
        [{"begin": "softmax"}, {"begin": "other"}, {"begin": "softmax"}],
        [{"task": "softmax"}],
        [{"task": ""}],
        [{"task": None}],
        [{"task": "softmax", "begin": "softmax"}],
        [{"begin": "softmax"}, {"task": "other"}],
        [{"begin": "softmax"}, {"task": "softmax", "begin": "softmax"}],
        [{"begin": "softmax"}, {"task": "softmax"}, {"task": "softmax", "begin": "other"}],
        [{"begin": "softmax"}, {"task": "other", "begin": "other"}],
        [{"begin": "softmax"}, {"task": "softmax", "begin": None}],
        [{"begin": "softmax"}, {}],
    ]
    for messages in forged:
        run = _told(box, cells, messages)
        assert run.why == "violated", messages
    right = _told(box, cells, [{"begin": "softmax"}, {"task": "softmax", "begin": "other"}])
    assert (right.why, list(right.results)) == ("", ["softmax"])


def _told(box: Sandbox, cells: list[Cell], messages: list[dict]) -> Run:
    """What is made of messages that a run has sent, by whoever wrote them."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        for said in ({"ready": True}, *messages, {"done": True}):
            send(theirs, said)
        run = Run()
        box._follow(ours, cells, run, time.monotonic() + 60, {})
    return run


@needs_sandbox
def test_the_limit_of_time_ends_a_run_and_says_so():
    with Sandbox([(TASK, TASK.cases(1))], "", Limits(task_s=1.0, total_s=5)) as box:
        run = box.run([Cell("while True: pass", "softmax")])
        assert (run.why, run.stopped_at) == ("timeout", "softmax")
        assert "after 1 seconds" in run.message


@needs_sandbox
def test_each_other_limit_ends_a_run_and_says_so():
    limits = Limits(task_s=60.0, total_s=120, memory=200_000_000, file_size=1_000_000, result_size=100_000)
    with Sandbox([(TASK, TASK.cases(1))], "", limits) as box:
        run = box.run([Cell("x = []\nwhile True: x.append(bytearray(10**6))", "softmax")])
        if "softmax" in run.results:  # refused by the address space, before the watch saw it
            assert run.results["softmax"]["stopped"][0] == "MemoryError"
        else:
            assert (run.why, run.stopped_at) == ("memory", "softmax")
        run = box.run([Cell("import os; os._exit(7)", "softmax")])
        assert (run.why, run.stopped_at) == ("violated", "softmax")
        assert "exit status 7" in run.message
        run = box.run([Cell("def softmax(scores, banned): return 'x' * 10**6", "softmax")])
        assert (run.why, run.message) == ("violated", "its results take more than 0 MB")
        run = box.run([Cell("open('/tmp/x', 'wb').write(bytes(2_000_000))", "softmax")])
        assert run.results["softmax"]["stopped"][0] == "OSError"


# Its first thread ends, another takes memory: then /proc/PID/smaps_rollup tells nothing.
FIRST_THREAD_ENDS = """
import ctypes, os, threading, time
def take():
    time.sleep(0.2)
    kept = []
    for _ in range(6):
        kept.append(b"x" * 10**8)
        time.sleep(0.05)
    time.sleep(20)
if os.fork() == 0:
    os.fork()  # the address space of each is limited too: two together take too much
    threading.Thread(target=take).start()
    ctypes.CDLL(None).syscall(60)  # exit: of this thread alone
time.sleep(10)
def softmax(scores, banned): return scores
"""


@needs_sandbox
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the number of a system call")
def test_memory_is_counted_where_the_first_thread_has_ended(monkeypatch):
    monkeypatch.setattr("lmcourse.grader.sandbox.ALSO_CALLED", MAKE_PROCESSES)
    monkeypatch.setattr("lmcourse.grader.sandbox.Cgroup.make", lambda *_: None)  # the watch alone
    with Sandbox([(TASK, TASK.cases(1))], "", Limits(task_s=15, memory=900_000_000)) as box:
        run = box.run([Cell(FIRST_THREAD_ENDS, "softmax")])
    assert (run.why, run.message) == ("memory", "it took more than 900 MB of memory")


@needs_sandbox
def test_what_is_to_end_first_when_memory_is_short_cannot_change_its_turn(box):
    change = "told = []\nfor n in ('0', '999'):\n    try: told.append(open('/proc/self/oom_score_adj', 'w').write(n))\n"
    assert seen_inside(box, change + "    except OSError as e: told.append(-e.errno)") == [-errno.EROFS] * 2
    assert seen_inside(box, "told = open('/proc/self/oom_score_adj').read()") == "1000\n"


@needs_sandbox
def test_a_killed_sandbox_is_nobodys_fault_and_said():
    with Sandbox([(TASK, TASK.cases(1))], "", LIMITS) as box:
        box._worker.kill()
        box._worker.wait()
        with pytest.raises(SandboxBrokenError, match="the sandbox"):
            box.run([Cell("x = 1", "softmax")])


@needs_sandbox
def test_a_page_that_does_not_start_is_said():
    with pytest.raises(SandboxBrokenError, match="No module named 'no_such_module'"):
        Sandbox([(TASK, [_Unreadable()])], "", LIMITS)


class _Unreadable:
    def __reduce__(self):
        return (__import__, ("no_such_module",))


def test_unsafe_runs_without_one_and_still_ends_a_loop(monkeypatch):
    monkeypatch.setattr("lmcourse.grader.sandbox.missing_sandbox", lambda: "none")
    with Sandbox([(TASK, TASK.cases(1))], "import numpy as np", Limits(task_s=2), unsafe=True) as box:
        run = box.run([Cell("import numpy as np"), Cell("def softmax(scores, banned): return scores", "softmax")])
        assert len(run.results["softmax"]["outcomes"]) == len(TASK.cases(1))
        run = box.run([Cell("import os\nif os.fork() == 0:\n    while True: pass\nwhile True: pass", "softmax")])
        assert run.why == "timeout"
