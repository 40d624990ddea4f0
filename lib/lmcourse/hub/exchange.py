"""The folders that a class hands work over in, made so that no student can take another's place in them."""

import os
import pwd
import stat
from collections.abc import Iterator
from pathlib import Path

from lmcourse.doctor import Finding
from lmcourse.grader.gradebook import COURSE

# Sticky where everybody may write: one may rename and remove what is one's own, and nothing else.
_ROOT_MODE = 0o1777  # nbgrader changes any root in which not everybody may write
_COURSE_MODE = 0o755
_INBOUND_MODE = 0o3733  # nobody but the teacher can list it; what is put there gets the teacher's group


def make(root: Path, teacher: str) -> None:
    """Make the exchange, and in it the course's folder for the teacher before anybody else can; one there is kept."""
    if not root.exists():
        root.mkdir(parents=True)
        root.chmod(_ROOT_MODE)
    course = root / COURSE
    if os.path.lexists(course):
        return
    for path, mode in ((course, _COURSE_MODE), (course / "inbound", _INBOUND_MODE)):
        path.mkdir()
        owner = _user(teacher)
        if owner and os.geteuid() == 0:
            os.chown(path, owner.pw_uid, owner.pw_gid)
        path.chmod(mode)  # last: a new owner takes the group's bit away


def examine(root: Path, teacher: str) -> Iterator[Finding]:
    """Whether everybody may hand in, and nobody may take the folders in which they do; with what mends it."""
    course = root / COURSE
    for path, owners, mode, text in (
        (root, ("root", teacher), _ROOT_MODE, "everybody may hand in"),
        (course, (teacher,), _COURSE_MODE, "the course's folder in the exchange is the teacher's"),
        (course / "inbound", (teacher,), _INBOUND_MODE, "nobody may take what others hand in"),
    ):
        advice = f"install -d -o {owners[0]} -m {mode:o} {path}"
        try:
            found = path.lstat()
        except OSError:
            yield Finding(False, text, detail=advice)
            continue
        good = stat.S_ISDIR(found.st_mode) and found.st_uid in {user.pw_uid for user in map(_user, owners) if user}
        if not good:
            advice = f"{path} is not {owners[0]}'s: look at who made it, and at what lies in it; then {advice}"
        yield Finding(good and found.st_mode & 0o1777 == mode & 0o1777, text, detail=advice)


def _user(name: str) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(name)
    except KeyError:
        return None
