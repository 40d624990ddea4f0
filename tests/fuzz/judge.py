"""Calls a public callable with wrong arguments, and says whether what comes of it is clear.

Clear is a ValueError, TypeError or RuntimeError that names the argument in backticks (`num_heads`), an allocator that
says how much it could not give, and a result where `accepted` gives the reason why the value is taken. All else is
unclear: another error, an error that names nothing, a result for a value that nobody said was right, and a call that
does not end.
"""

import contextlib
import re
import shutil
import signal
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from fnmatch import fnmatchcase
from importlib import import_module
from inspect import Parameter
from pathlib import Path
from typing import Any

import torch

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

from tests.fuzz.accepted import EVERYWHERE
from tests.fuzz.doors import parameters
from tests.fuzz.faults import Fault, faults

CLEAR = (ValueError, TypeError, RuntimeError)
SECONDS = 20.0
MEMORY = 2 << 30  # bytes that one call may add
SHAPES = ("longer", "transposed", "empty", "one", "no", "device")  # first words of faults that may fit one another
ALLOCATOR = ("can't allocate memory", "Storage size calculation overflowed")  # what it says names the size at least
TORCH_NAMES = ("device", "dtype", "generator")  # torch itself checks these and names them, without backticks


@dataclass(frozen=True)
class Example:
    """Good arguments for one callable.

    Attributes:
        given: gives the arguments, fresh for every call, or the callable and its arguments where the callable is not
            simply what has the example's name.
        accepts: what it takes although it is a fault: (argument, faults, reason), with * and ? as in a shell.
        refuses: what is accepted `EVERYWHERE` and not here: (argument, fault).
        parts: other names that a message may use for a part of an argument, such as those of a batch.
        frees: (argument, fault, reason): beside it, another argument's fault may be right, or is not looked at.
        name: set where all examples are collected.
    """

    given: Callable[[], dict[str, Any] | tuple[Callable[..., Any], dict[str, Any]]]
    accepts: tuple[tuple[str, str, str], ...] = ()
    refuses: tuple[tuple[str, str], ...] = ()
    parts: tuple[str, ...] = ()
    frees: tuple[tuple[str, str, str], ...] = ()
    name: str = ""

    def make(self) -> tuple[Callable[..., Any], dict[str, Any]]:
        """Return the callable and good arguments."""
        given = self.given()
        return given if isinstance(given, tuple) else (_public(f"lmcourse.{self.name}"), given)


def _public(name: str) -> Any:
    place, _, last = name.rpartition(".")
    try:
        return getattr(import_module(place), last)
    except ModuleNotFoundError:  # of a class
        return getattr(_public(place), last)


@dataclass(frozen=True)
class Outcome:
    """What came of a call: "refused", "accepted" or "unclear", and which acceptances it rests on."""

    kind: str
    story: str = ""
    reasons: tuple[tuple[str, str, str], ...] = ()


class _TooLong(BaseException):
    """The call did not end."""


def all_faults(door: Callable[..., Any], arguments: Mapping[str, Any]) -> list[tuple[str, Fault]]:
    """Return every (argument, fault) of a call."""
    found: list[tuple[str, Fault]] = []
    for name, parameter in parameters(door).items():
        optional = parameter.default is None or "None" in str(parameter.annotation)
        if parameter.kind is Parameter.VAR_POSITIONAL:
            for fault in faults(name[1:], arguments[name][0], optional=False):
                found.append((name, Fault(fault.name, [fault.example, *arguments[name][1:]])))
        else:
            found += [(name, fault) for fault in faults(name, arguments[name], optional=optional)]
    for name in [name for name in arguments if name not in parameters(door)]:  # of **kwargs
        found += [(name, fault) for fault in faults(name, arguments[name], optional=False)]
    return found


def call(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """Return the result; of an iterator, its first items."""
    given = dict(arguments)
    positional = [item for name in list(given) if name.startswith("*") for item in given.pop(name)]
    with warnings.catch_warnings(), _time_limit(SECONDS), _memory_limit(MEMORY):
        warnings.simplefilter("ignore")
        result = function(*positional, **given)
        if isinstance(result, Iterator):
            return [item for item, _ in zip(result, range(50), strict=False)]
        return result


def judge(name: str, example: Example, wrong: Mapping[str, tuple[str, Any]]) -> Outcome:
    """Call with some arguments replaced, `wrong` being argument -> (name of the fault, value)."""
    function, arguments = example.make()
    for fault, value in wrong.values():
        if fault == "missing":  # a call before this one, to what makes folders, may have made this one
            shutil.rmtree(value.parent, ignore_errors=True)
    told = ", ".join(f"{argument}={_short(value)} ({fault})" for argument, (fault, value) in wrong.items())
    try:
        result = call(function, {**arguments, **{argument: value for argument, (_, value) in wrong.items()}})
    except CLEAR as error:
        if _names(str(error), arguments, wrong, example.parts) or any(words in str(error) for words in ALLOCATOR):
            return Outcome("refused")
        return Outcome("unclear", f"{told}: {type(error).__name__}: {_short(error)}")
    except IndexError as error:  # Python's own protocol of sequences
        if name.endswith("__getitem__") and _names(str(error), arguments, wrong, example.parts):
            return Outcome("refused")
        return Outcome("unclear", f"{told}: {type(error).__name__}: {_short(error)}")
    except OSError as error:  # a file that is not there is said by the system, with its name
        if any(fault == "missing" or argument in ("path", "folder", "name") for argument, (fault, _) in wrong.items()):
            return Outcome("refused")
        return Outcome("unclear", f"{told}: {type(error).__name__}: {_short(error)}")
    except MemoryError:
        return Outcome("refused")
    except _TooLong:
        return Outcome("unclear", f"{told}: no end after {SECONDS:g} s")
    except Exception as error:
        return Outcome("unclear", f"{told}: {type(error).__name__}: {_short(error)}")
    reasons = [acceptance(name, example, argument, fault) for argument, (fault, _) in wrong.items()]
    shapes = [fault.split()[0] in SHAPES for fault, _ in wrong.values()]
    if sum(shapes) > 1 and all(shape or reason for shape, reason in zip(shapes, reasons, strict=True)):
        return Outcome("accepted")  # several shapes that are wrong alone may fit together, and so may devices
    if len(wrong) > 1 and any(wrong.get(argument, ("",))[0] == fault for argument, fault, _ in example.frees):
        return Outcome("accepted")
    if None in reasons:
        return Outcome("unclear", f"{told}: taken, gives {_short(result)}")
    return Outcome("accepted", reasons=tuple(reason for reason in reasons if reason is not None))


def acceptance(name: str, example: Example, argument: str, fault: str) -> tuple[str, str, str] | None:
    """Return the line of a table that says why a fault is accepted, or None; "item nan" is accepted where "nan" is."""
    inner = fault.removeprefix("item ").removeprefix("value ")

    def fits(each_argument: str, each_fault: str) -> bool:
        patterns = each_fault.split(", ")
        found = any(fnmatchcase(fault, one) or fnmatchcase(inner, one) for one in patterns)
        return found and fnmatchcase(argument, each_argument)

    for each_argument, each_fault, reason in example.accepts:
        if fits(each_argument, each_fault):
            return name, f"{each_argument} {each_fault}", reason
    if any(fits(each_argument, each_fault) for each_argument, each_fault in example.refuses):
        return None
    for pattern, reason in EVERYWHERE.items():
        if fits(*pattern.split(" ", 1)):
            return "everywhere", pattern, reason
    return None


def _names(
    message: str, arguments: Mapping[str, Any], wrong: Mapping[str, tuple[str, Any]], parts: tuple[str, ...]
) -> bool:
    """Whether a message names a wrong argument, or a part of it; of two that do not fit, either will do."""
    kinds_only = all(fault.startswith("kind: ") for fault, _ in wrong.values())
    names = (set(wrong) if kinds_only else set(arguments)) | set(parts)
    for name in list(names - set(parts)):
        names |= _parts(arguments[name])
    if any(re.search(rf"`{re.escape(name.lstrip('*'))}\b", message) for name in names):
        return True
    return any(name in wrong and re.search(rf"\b{name}\b", message, re.IGNORECASE) for name in TORCH_NAMES)


def _parts(value: Any) -> set[str]:
    if is_dataclass(value):
        return {field.name for field in fields(value)}
    return set(getattr(value, "_fields", ()))


def _short(value: Any) -> str:
    text = " ".join(repr(value).split()) if not isinstance(value, Exception) else " ".join(str(value).split())
    return text if len(text) <= 160 else text[:157] + "..."


@contextlib.contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise _TooLong in a call that takes longer; without effect where the system has no such alarm."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: Any) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _memory_limit(size: int) -> Iterator[None]:
    """Let a call that asks for much more memory fail, instead of the machine; without effect outside of Linux, and
    where a GPU is in use, since CUDA reserves far more addresses than there is memory."""
    if resource is None or not Path("/proc/self/statm").exists() or torch.cuda.is_available():
        yield
        return
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
