"""The process that runs answers: imports the libraries once, then forks for each submission. It decides nothing.

It talks with the marking side over a socket, one short message of JSON each way. `run` comes with the end of another
socket, which the fork reads its cells from and writes its results to. This process never sees either, so that a later
submission cannot find an earlier one's work in its memory. `stop` ends the fork and whatever it started.
"""

import contextlib
import functools
import gc
import importlib
import json
import os
import pickle
import resource
import select
import signal
import socket
import sys
import time
from pathlib import Path
from typing import Any

from lmcourse.exercises.tensors import torch
from lmcourse.grader.inside.submission import pack, serve

_TICK_S = 0.1
_FILES = 4  # as many of the largest size may be written


def main() -> None:
    """Serve until the marking side hangs up. Arguments: the socket's number, and the options in JSON."""
    control = socket.socket(fileno=int(sys.argv[1]))
    options = json.loads(sys.argv[2])
    page = pickle.loads(Path(options["page"]).read_bytes())  # from the marking side; no answer has run yet
    if torch:
        torch.set_num_threads(1)
    for module in options["imports"]:
        with contextlib.suppress(ImportError):  # a name in a module, or a module that is missing on purpose
            importlib.import_module(module)
    walls: Any = None
    seccomp: Any = None
    if options["walls"]:  # modules for Linux only
        seccomp = importlib.import_module("lmcourse.grader.inside.seccomp")
        walls = importlib.import_module(f"lmcourse.grader.inside.{options['walls']}").Walls(options)
    pack(page)
    gc.collect()
    gc.freeze()  # else a fork's garbage collection would touch, and so copy, every page of the libraries
    _send(control, {"ready": True})
    dying = 0
    while request := _receive(control):
        payload, files = request
        if payload["do"] != "run":
            continue
        if walls:
            walls.before()
        ours, theirs = socket.socketpair()
        child = os.fork()
        if child == 0:
            try:
                control.close()
                os.setsid()
                job = socket.socket(fileno=files[0])
                if walls:
                    keep = [theirs.fileno(), *walls.files]
                    serve(job, page, functools.partial(walls.enter, theirs), keep, listed=options["listed"])
                else:
                    serve(job, page, functools.partial(_limits, options["limits"]), listed=options["listed"])
            finally:
                os._exit(0)
        theirs.close()
        os.close(files[0])
        if dying:
            os.waitpid(dying, 0)  # the first of its process tree: when it is gone, all of them are
        _send(control, {"alone": True})
        ear = seccomp.Ear(ours, options["reports"]) if walls else None
        with contextlib.closing(ear or ours):
            ended, dying = _watch(control, child, options["limits"], walls, ear)
        _send(control, ended)


def _receive(control: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    content, files, _, _ = socket.recv_fds(control, 4096, 1)
    return (json.loads(content), list(files)) if content else None


def _send(control: socket.socket, payload: dict[str, Any]) -> None:
    control.sendall(json.dumps(payload).encode())


def _watch(
    control: socket.socket, child: int, limits: dict[str, Any], walls: Any, ear: Any
) -> tuple[dict[str, Any], int]:
    """Wait for `stop` with an eye on memory and an ear for calls that are refused, then kill the child and what it
    started; say how it ended.

    Asked for `time` meanwhile, it says how much processor time they took.

    Returns:
        What to tell the marking side, and the child if it is not yet known to be gone: to take its namespaces down
        keeps the kernel busy for a while, in which the results are judged and the next fork is shut in.
    """
    over = ""
    look = time.monotonic() + _TICK_S
    while True:
        watched = [control] if ear is None or ear.deaf else [control, ear]
        ready = select.select(watched, [], [], max(0.0, look - time.monotonic()))[0]
        if control in ready:
            request = _receive(control)
            if request is None or request[0]["do"] != "time":
                break
            _send(control, {"cpu_s": _time_of(walls.processes(child) if walls else [child])})
        elif ear in ready:
            ear.hear()
        if time.monotonic() >= look:
            if walls and not over:
                if sum(map(_memory_of, walls.processes(child))) > limits["memory"]:
                    over = "memory"
                elif walls.held() > _FILES * limits["file_size"]:
                    over = "files"
                if over:
                    _kill(child)
            look = time.monotonic() + _TICK_S
    if request is None:
        _kill(child)
        sys.exit(0)
    code = None
    if request[0]["how"] or not (walls and walls.trees):
        ended, status = os.waitpid(child, os.WNOHANG)
        _kill(child)  # gone already, or not: what it left behind goes too
        code = os.waitstatus_to_exitcode(status if ended else os.waitpid(child, 0)[1])
    else:
        _kill(child)
    return {"exit": code, "over": over, "cpu_s": sum(os.times()[:4])}, child if code is None else 0


def _kill(child: int) -> None:
    for end in (os.killpg, os.kill):
        with contextlib.suppress(OSError):
            end(child, signal.SIGKILL)


def _memory_of(pid: int) -> int:
    """Bytes held by a process, as told by the first of its threads that lives: one that has ended tells nothing."""
    for thread in Path(f"/proc/{pid}/task").glob("*/smaps_rollup"):
        with contextlib.suppress(OSError, ValueError):
            lines = thread.read_text(encoding="ascii").splitlines()
            if held := [int(line.split()[1]) for line in lines if line.startswith(("Pss_Anon:", "Pss_Shmem:"))]:
                return 1024 * sum(held)
    return 0


def _time_of(pids: list[int]) -> float:
    """Seconds of processor time that processes took, and those that they waited for; 0 where no /proc tells."""
    ticks = 0
    for pid in pids:
        with contextlib.suppress(OSError, ValueError):
            fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _limits(limits: dict[str, Any]) -> None:
    """Where there is no sandbox, what limits the system offers an ordinary process."""
    for kind, limit in (
        (resource.RLIMIT_CPU, limits["cpu_s"]),
        (resource.RLIMIT_FSIZE, limits["file_size"]),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (limit, limit))


if __name__ == "__main__":
    main()
