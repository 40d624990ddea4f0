"""Write the folder of a class's hub: its configuration, the names of the class, the exchange."""

import string
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path

from lmcourse import atomic
from lmcourse.hub.exchange import make as make_exchange
from lmcourse.hub.roles import STUDENTS, TEACHERS, parse_names

CONFIG = "jupyterhub_config.py"


def init(
    folder: Path,
    teachers: Sequence[str],
    students: Sequence[str],
    *,
    exchange: Path | None = None,
    url: str = "http://127.0.0.1:8000",
    timezone: str = "UTC",
) -> list[Path]:
    """Write the folder and return its new files. A file that is there already is never changed.

    Args:
        folder: where; made if it is not there. Students must be able to read it.
        teachers: system users; the first has the grade book and the course's folder in the exchange.
        students: system users; more can be added to students.txt later.
        exchange: where submissions and feedback are handed over; by default a folder in `folder`.
        url: what the hub listens on.
        timezone: of due dates and of the times of submissions.

    Raises:
        ValueError: no teacher, a name that is none, or one who is both; the message says which.
        OSError: the folder cannot be written.
    """
    if not teachers:
        raise ValueError("a class needs a teacher: name at least one, with --teacher.")
    if both := sorted(set(teachers) & set(students)):
        raise ValueError(f"a person must be a teacher or a student, and {', '.join(both)} is both.")
    folder = folder.resolve()
    names = {TEACHERS: "\n".join(teachers) + "\n", STUDENTS: "\n".join(students) + "\n"}
    for name, content in names.items():
        parse_names(content, folder / name)
    exchange = (exchange or folder / "exchange").resolve()
    for made, mode in (
        (folder, 0o755),
        (folder / "cache", 0o755),
        (folder / "state", 0o700),
    ):
        if not made.exists():
            made.mkdir(parents=True)
            made.chmod(mode)
    make_exchange(exchange, teachers[0])
    values = {"url": url, "exchange": repr(str(exchange)), "timezone": repr(timezone)}
    written = []
    for relative, content in [*names.items(), *_configuration(values)]:
        path = folder / relative
        if path.exists():
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic.write(path, content)
        written.append(path)
    for path in written:  # whatever the umask: the servers of students read them
        path.chmod(0o644)
        for parent in path.relative_to(folder).parents:
            (folder / parent).chmod(0o755)
    return written


def _configuration(values: dict[str, str]) -> Iterator[tuple[str, str]]:
    """File name -> content, from the templates; those named *.txt are filled in."""
    with resources.as_file(resources.files("lmcourse.hub") / "templates") as templates:
        for path in sorted(templates.rglob("*")):
            name, text = str(path.relative_to(templates)), ""
            if path.is_file() and "__pycache__" not in path.parts:
                text = path.read_text(encoding="utf-8")
                filled = string.Template(text).substitute(values) if name.endswith(".txt") else text
                yield name.removesuffix(".txt"), filled
