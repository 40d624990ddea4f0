"""Write a file whole or not at all: beside it first, then renamed over it."""

import os
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

_LEFTOVER = re.compile(r"\..{1,50}\.[0-9a-f]{8}\.part", re.DOTALL)  # the names that `replacing` gives
_ONE_HOUR_S = 3600.0


@contextmanager
def replacing(path: str | os.PathLike[str], *, binary: bool = False, sync: bool = True) -> Iterator[IO[Any]]:
    """Open a new file that takes the place of `path` when the block ends well; else `path` stays as it was.

    A reader, and a process killed at any moment, sees the old file or the new one. Text is UTF-8 with plain newlines.

    Args:
        path: the file; its folder must exist.
        binary: bytes are written, not text.
        sync: have the disk confirm the content before the rename, so that it outlives a power cut too.

    Raises:
        OSError: it cannot be written (no space, no permission); nothing is left behind.
    """
    target = Path(path)
    beside = target.with_name(f".{target.name[:50]}.{secrets.token_hex(4)}.part")
    try:
        with beside.open("xb") if binary else beside.open("x", encoding="utf-8", newline="\n") as out:
            yield out
            out.flush()
            if sync:
                os.fsync(out.fileno())
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def write(path: str | os.PathLike[str], content: str | bytes, *, sync: bool = True) -> None:
    """Write a whole file in one step; see `replacing`."""
    with replacing(path, binary=isinstance(content, bytes), sync=sync) as out:
        out.write(content)


def remove_leftovers(folder: str | os.PathLike[str], *, older_than_s: float = _ONE_HOUR_S) -> list[Path]:
    """Remove what writers that were killed have left in a folder and those below it, and return the files removed.

    Args:
        folder: need not exist.
        older_than_s: a younger file may belong to a writer that is still at work, and stays.
    """
    latest, removed = time.time() - older_than_s, []
    for path in Path(folder).rglob(".*.part"):
        if _LEFTOVER.fullmatch(path.name) and path.is_file() and path.stat().st_mtime <= latest:
            path.unlink(missing_ok=True)
            removed.append(path)
    return removed
