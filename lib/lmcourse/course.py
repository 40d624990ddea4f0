"""A learner's own copy of the course: made from the installed package, brought up to date, never overwritten."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import lmcourse
from lmcourse import atomic

START = Path("chapters") / "00_start_here.ipynb"
PARTS = ("chapters", "exercises", "solutions")
_RECORD = Path(".lmcourse") / "delivered.json"


@dataclass
class Delivery:
    """What `deliver` did: files written, replaced by a newer edition, left alone; and newer editions put beside."""

    new: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        parts = [
            f"{len(self.new)} files new",
            f"{len(self.updated)} brought up to date",
            f"{len(self.kept)} left as they are",
        ]
        note = "".join(
            f"\n  you changed a file that has a new edition; it is beside yours: {name}" for name in self.beside
        )
        return ", ".join(parts) + note


def source_folder() -> Path:
    """Return the folder that holds the course's notebooks: in the installed package, or in the clone.

    Raises:
        RuntimeError: this installation carries no notebooks.
    """
    package = Path(lmcourse.__file__).parent
    for folder in (package / "course", package.parent.parent):
        if (folder / START).is_file():
            return folder
    raise RuntimeError("this installation of lmcourse carries no notebooks; install the wheel, or work in a clone.")


def deliver(folder: Path) -> Delivery:
    """Copy the course into a folder. A file that the learner changed is never touched.

    What was delivered is remembered by checksum. A file still as delivered is replaced by a newer edition; one that
    was changed stays, and a newer edition is put beside it (`01_ngrams.new-0.2.0.ipynb`). A deleted file comes back.

    Raises:
        NotADirectoryError, PermissionError, OSError: the folder cannot be used; nothing is left half-written.
    """
    source, done = source_folder(), Delivery()
    folder.mkdir(parents=True, exist_ok=True)
    record_path = folder / _RECORD
    record: dict[str, str] = json.loads(record_path.read_text(encoding="utf-8")) if record_path.exists() else {}
    try:
        for name in _files(source):
            content = (source / name).read_bytes()
            _deliver_file(folder, name, content, record, done)
            record[name] = _digest(content)
    finally:
        if done.new or done.updated or not record_path.exists():
            _write(record_path, json.dumps(record, indent=1, sort_keys=True).encode())
    return done


def _deliver_file(folder: Path, name: str, content: bytes, record: dict[str, str], done: Delivery) -> None:
    path = folder / name
    if not path.exists():
        _write(path, content)
        done.new.append(name)
        return
    present = _digest(path.read_bytes())
    if present == _digest(content):
        done.kept.append(name)
    elif present == record.get(name):
        _write(path, content)
        done.updated.append(name)
    else:
        done.kept.append(name)
        beside = path.with_name(f"{path.stem}.new-{lmcourse.__version__}{path.suffix}")
        if record.get(name) not in (None, _digest(content)) and not beside.exists():
            _write(beside, content)
            done.beside.append(str(beside.relative_to(folder)))


def _files(source: Path) -> Iterator[str]:
    for part in PARTS:
        for path in sorted((source / part).rglob("*")):
            if path.is_file() and not any(piece.startswith(".") for piece in path.relative_to(source).parts):
                yield path.relative_to(source).as_posix()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic.write(path, content)
