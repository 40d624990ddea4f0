"""nbgrader's collecting, for a hub: a submission is its owner's, and its time the server's, whatever is written in it.

Name, timestamp.txt and all other content of a submission are of the student's making: nbgrader believes them.
"""

import contextlib
import os
import pwd
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nbgrader.exchange.default import ExchangeCollect

from lmcourse.grader.submissions import CLAIMED, TIMESTAMP, UngradableError, read_plain, shown

_FILES_LIMIT = 200


class Collect(ExchangeCollect):
    """Takes the plain files of each student's newest submission; links, folders and others' files stay behind.

    The time is that of the last change, by the file system's own clock (ctime, which nobody but root can set). It is
    written to timestamp.txt, and the student's own one is kept beside it.
    """

    def _path_to_record(self, path: str) -> dict[str, Any]:
        found = os.lstat(path)
        try:
            owner = pwd.getpwuid(found.st_uid).pw_name
        except KeyError:
            owner = str(found.st_uid)
        name = Path(path).name
        if name.partition("+")[0] != owner:
            self.log.warning("%s was handed in by %s, and is taken for theirs.", shown(name), owner)
        return {"username": owner, "filename": name, "timestamp": _as_nbgrader(_changed(Path(path), found))}

    def do_copy(self, src: str, dest: str, log: Any = None) -> None:
        try:
            folder = os.open(src, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError as error:  # of one student; the others are collected
            self.log.error("%s cannot be collected: %s", shown(src), error.strerror)
            return
        here = Path(f"/proc/self/fd/{folder}")  # this very folder, even if another one gets its name meanwhile
        try:
            files = dict(self._files(here))
            changed = _changed(here, os.fstat(folder))
        finally:
            os.close(folder)
        if TIMESTAMP in files:
            files[CLAIMED] = files[TIMESTAMP]
        files[TIMESTAMP] = f"{_as_nbgrader(changed):%Y-%m-%d %H:%M:%S.%f} UTC".encode()
        Path(dest).mkdir(parents=True)
        for name, content in files.items():
            (Path(dest) / name).write_bytes(content)

    def _files(self, folder: Path) -> Iterator[tuple[str, bytes]]:
        owner, room = folder.stat().st_uid, 1000 * self.coursedir.max_dir_size
        for path in sorted(folder.iterdir())[:_FILES_LIMIT]:
            try:
                content = read_plain(path, room, owner=owner)
            except (OSError, UngradableError) as error:
                self.log.warning("not collected: %s", error)
                continue
            room -= len(content)
            yield path.name, content


def _changed(folder: Path, found: os.stat_result) -> float:
    """When anything in a folder was changed last, in seconds since 1970."""
    times = [found.st_ctime]
    if stat.S_ISDIR(found.st_mode):
        with contextlib.suppress(OSError):  # closed to the teacher: said when it is to be copied
            times += [path.lstat().st_ctime for path in sorted(folder.iterdir())[:_FILES_LIMIT]]
    return max(times)


def _as_nbgrader(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)  # nbgrader's times are UTC without saying so
