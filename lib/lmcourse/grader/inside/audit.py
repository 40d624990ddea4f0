"""What a submission tried that no answer has to do, for the teacher's eye. It stops nothing: the sandbox does."""

import _thread
import builtins
import math
import os
import sys
from types import ModuleType
from typing import Any

import numpy as np

import lmcourse.exercises
from lmcourse.exercises import codec, compare, running
from lmcourse.exercises.tensors import torch

_EVENTS = {  # Python's audit events
    "socket.connect": "use the network",
    "socket.bind": "use the network",
    "socket.sendto": "use the network",
    "socket.getaddrinfo": "use the network",
    "socket.gethostbyname": "use the network",
    "os.system": "start a program",
    "os.exec": "start a program",
    "os.posix_spawn": "start a program",
    "os.spawn": "start a program",
    "subprocess.Popen": "start a program",
    "os.fork": "start a process",
    "os.forkpty": "start a process",
    "os.kill": "send a signal",
    "os.killpg": "send a signal",
    "os.remove": "delete a file",
    "os.rmdir": "delete a folder",
    "shutil.rmtree": "delete a folder",
    "os.rename": "rename a file",
    "os.chmod": "change a file's permissions",
    "os.chown": "change a file's owner",
    "os.truncate": "cut a file",
    "os.link": "link a file",
    "os.symlink": "link a file",
    "sys.settrace": "watch the program that runs it",
    "sys.setprofile": "watch the program that runs it",
    "gc.get_objects": "search the memory",
    "gc.get_referrers": "search the memory",
}
_LOOKS = {"os.listdir": "list a folder", "os.scandir": "list a folder", "glob.glob": "list a folder"}
# What cheats rebind. Not every name of torch: to look at an object is to copy its page of memory in a fork.
_WATCHED: dict[ModuleType, tuple[str, ...]] = {
    builtins: tuple(name for name in vars(builtins) if name != "_"),
    math: tuple(vars(math)),
    **{module: tuple(vars(module)) for module in (lmcourse.exercises, codec, compare, running)},
    os: ("_exit", "fork", "kill", "write", "getpid"),
    np: ("allclose", "array_equal", "isclose", "testing", "array", "asarray", "zeros", "exp", "log", "sqrt", "sum"),
    np.testing: ("assert_allclose", "assert_array_equal", "assert_array_almost_equal"),
}
if torch:
    _WATCHED |= {
        torch: ("allclose", "equal", "isclose", "tensor", "as_tensor", "zeros", "softmax", "matmul", "manual_seed"),
        torch.testing: ("assert_close",),
    }
_BEFORE: dict[ModuleType, dict[str, Any]] = {}
# A file may be opened by a name that holds a link, as that of an environment may.
_FOLDERS = [path for path in (*sys.path, sys.prefix, sys.base_prefix, "/usr") if path]
_LIBRARIES = tuple({*map(os.path.normpath, _FOLDERS), *map(os.path.realpath, _FOLDERS)})


def remember() -> None:
    """Take what stands in the watched modules now for what belongs there: once all libraries are loaded."""
    for module, names in _WATCHED.items():
        _BEFORE[module] = {name: vars(module)[name] for name in names if name in vars(module)}


remember()


class Audit:
    """A record from now on; there is one in a process, for an audit hook stays."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        sys.addaudithook(self._heard)

    def since(self) -> list[str]:
        """What was tried since the last call, in words."""
        for module, before in _BEFORE.items():
            now = vars(module)
            for name in [name for name, value in before.items() if now.get(name) is not value]:
                self._seen.add(f"change {module.__name__}.{name}")
                before[name] = now.get(name)
        if any(sys.modules.get(module.__name__) is not module for module in _WATCHED):
            self._seen.add("put something else in the place of a module")
        if _thread._count():
            self._seen.add("leave a thread running")
        seen, self._seen = sorted(self._seen), set()
        return seen[:10]

    def _heard(self, event: str, args: tuple[Any, ...]) -> None:
        if event in _EVENTS:
            self._seen.add(_EVENTS[event])
        elif event == "open":
            path, _, flags = args
            if isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
                self._seen.add("write a file")
            elif not self._of_a_library(path):
                self._seen.add("read a file")
        elif event in _LOOKS and args and not self._of_a_library(args[0]):
            self._seen.add(_LOOKS[event])

    def _of_a_library(self, path: Any) -> bool:
        if not isinstance(path, str):
            return isinstance(path, int)
        return path.startswith("<") or os.path.normpath(path).startswith(_LIBRARIES)  # <answer>: a cell's own name
