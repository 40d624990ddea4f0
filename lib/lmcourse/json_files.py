"""Read and write the course's own JSON files: records, manifests, configurations.

A file may have been cut short, edited by hand or made by somebody else. Whatever it holds, `read` returns plain JSON of
a bounded size and depth, or raises an error that names the file.
"""

import itertools
import json
import os
import stat
from pathlib import Path
from typing import Any, BinaryIO

from lmcourse import atomic

MAX_BYTES = 100_000_000
MAX_DEPTH = 50  # of objects and arrays inside one another; our own files have fewer than ten


def read(path: str | os.PathLike[str], *, max_bytes: int = MAX_BYTES, max_depth: int = MAX_DEPTH) -> Any:
    """Return what a JSON file holds.

    Args:
        path: the file.
        max_bytes: the largest size that is read.
        max_depth: how many objects and arrays may stand inside one another.

    Raises:
        FileNotFoundError, OSError: there is no such file, or it may not be read.
        ValueError: not a regular file, too large, not UTF-8, not JSON, or nested too deeply (with the file's name).
    """
    with _open_regular(Path(path)) as stream:
        content = stream.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise ValueError(f"{path} is damaged: it must have at most {max_bytes:,} bytes.")
    return parse(content, str(path), max_depth=max_depth)


def parse(content: str | bytes, name: str, *, max_depth: int = MAX_DEPTH) -> Any:
    """Return what a JSON text says.

    Args:
        content: the text, or its UTF-8 bytes.
        name: what error messages call it.
        max_depth: how many objects and arrays may stand inside one another.

    Raises:
        ValueError: not UTF-8, not JSON, or nested too deeply; the message begins with `name`.
    """
    too_deep = f"{name} is damaged: its JSON must be nested at most {max_depth} deep."
    try:
        value = json.loads(content.decode("utf-8") if isinstance(content, bytes) else content)
    except RecursionError as error:
        raise ValueError(too_deep) from error
    except ValueError as error:  # JSONDecodeError, UnicodeDecodeError, an integer of too many digits
        raise ValueError(f"{name} is damaged: it is not JSON ({error}).") from error
    if not _is_shallow(value, max_depth):
        raise ValueError(too_deep)
    return value


def write(path: str | os.PathLike[str], value: Any) -> None:
    """Write a value as JSON, with sorted keys, in one step (see `lmcourse.atomic`).

    Raises:
        TypeError, ValueError: the value has no JSON form; the file stays as it was.
    """
    atomic.write(path, json.dumps(value, indent=1, sort_keys=True) + "\n")


def _open_regular(path: Path) -> BinaryIO:
    """Open a regular file. Opening a named pipe would wait for a writer, so the check comes before reading."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise ValueError(f"{path} must be a regular file.")
    return os.fdopen(descriptor, "rb")


def _is_shallow(value: Any, max_depth: int) -> bool:
    values = [value]
    for depth in itertools.count():
        containers = [each for each in values if isinstance(each, dict | list)]
        if not containers or depth == max_depth:
            return not containers
        values = [child for each in containers for child in (each.values() if isinstance(each, dict) else each)]
    return False
