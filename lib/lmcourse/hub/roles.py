"""Who is who in a class: names from files that a teacher can edit, and the environment of each person's server."""

import os
import re
import sys
from pathlib import Path

TEACHERS, STUDENTS = "teachers.txt", "students.txt"
_NAME = re.compile(r"[a-z_][a-z0-9_.-]{0,31}")  # what useradd takes on Debian


def read_names(path: Path) -> list[str]:
    """Return the user names in a file, one a line; empty lines and what follows a # are left out.

    Raises:
        ValueError: a line that is no user name, or a name that comes twice; the message has the file and the line.
        OSError: the file cannot be read.
    """
    return parse_names(path.read_text(encoding="utf-8-sig"), path)


def parse_names(text: str, path: Path) -> list[str]:
    """Return the user names in a text, as `read_names` does; `path` is for the errors."""
    names: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        name = line.partition("#")[0].strip()
        if not name:
            continue
        if not _NAME.fullmatch(name):
            raise ValueError(f"{path}, line {number}: {name!r} must be the name of a system user.")
        if name in names:
            raise ValueError(f"{path}, line {number}: {name} must stand there once.")
        names.append(name)
    return names


def environment(folder: Path, role: str) -> dict[str, str]:
    """Return what the server of a "teacher" or a "student" has in its environment, beside what the hub sets.

    Args:
        folder: the hub's folder, as `lmcourse hub init` made it.
        role: "teacher" or "student".
    """
    configurations = [str(folder / "etc" / role), str(folder / "etc" / "common")]
    return {
        "JUPYTER_CONFIG_PATH": os.pathsep.join(configurations),
        "LMCOURSE_ROLE": role,
        "LMCOURSE_CACHE": str(folder / "cache"),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
    }
