"""A learner's own copy of the course: made from the installed package and updated; the learner's changes are kept."""

import contextlib
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import lmcourse
from lmcourse import atomic, json_files

START = Path("chapters") / "00_start_here.ipynb"
PARTS = ("chapters", "exercises", "solutions")
TUTOR = "AGENTS.md"  # what a learner's AI assistant reads; CLAUDE.md points to it
_RECORD = Path(".lmcourse") / "delivered.json"


@dataclass
class Delivery:
    """What `deliver` did.

    Attributes:
        new: files that were written for the first time, or again after the learner deleted them.
        updated: files that were replaced by a newer edition.
        kept: files that were left as they are.
        beside: newer editions that were written beside a file that the learner changed.
    """

    new: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        parts = [
            f"{len(self.new)} new files",
            f"{len(self.updated)} updated",
            f"{len(self.kept)} left as they are",
        ]
        note = "".join(
            f"\n  a file that you changed has a new edition, which is beside it: {name}" for name in self.beside
        )
        return ", ".join(parts) + note


def source_folder() -> Path:
    """Return the folder that holds the course's notebooks: in the installed package, or in the clone.

    Raises:
        RuntimeError: this installation has no notebooks.
    """
    package = Path(lmcourse.__file__).parent
    for folder in (package / "course", package.parent.parent):
        if (folder / START).is_file():
            return folder
    raise RuntimeError("this installation of lmcourse has no notebooks; install the wheel, or work in a clone.")


def deliver(folder: Path, *, parts: tuple[str, ...] = PARTS) -> Delivery:
    """Copy the course into a folder. A file that the learner changed is never touched.

    Args:
        folder: made if it is not there.
        parts: which of `PARTS` are copied; a class gets no solutions. What tells a learner's AI assistant how to
            tutor is always copied.

    The checksums of what was delivered are kept in the folder, of notebooks those of their cells. A file that is
    still as delivered is replaced by a newer edition; one that was changed stays, and the newer edition is written
    beside it (`01_ngrams.new-0.2.0.ipynb`). A deleted file comes back. Half-written files of an earlier run that was
    killed are removed.

    Raises:
        OSError: the folder cannot be used, or has something else than a file where a page belongs; nothing is left
            half-written.
        ValueError: the record of what was delivered is damaged; the message names the file.
    """
    source, done = source_folder(), Delivery()
    folder.mkdir(parents=True, exist_ok=True)
    record_path = folder / _RECORD
    record = _read_record(record_path)
    for part in parts:
        atomic.remove_leftovers(folder / part)
    try:
        for name, content in _contents(source, parts):
            _deliver_file(folder, name, content, record, done)
            record[name] = _digest(name, content)
    finally:
        if done.new or done.updated or not record_path.exists():
            record_path.parent.mkdir(parents=True, exist_ok=True)
            json_files.write(record_path, record)
    return done


def _read_record(path: Path) -> dict[str, str]:
    try:
        record = json_files.read(path)
        if not isinstance(record, dict) or not all(isinstance(digest, str) for digest in record.values()):
            raise ValueError(f"{path} is damaged: it must map file names to checksums.")
    except FileNotFoundError:
        return {}
    except ValueError as error:
        advice = "Delete it and run the command again: your files are kept, and all of them count as changed by you."
        raise ValueError(f"{error} {advice}") from error
    return record


def _deliver_file(folder: Path, name: str, content: bytes, record: dict[str, str], done: Delivery) -> None:
    path = folder / name
    if not path.exists():
        _write(path, content)
        done.new.append(name)
        return
    if not path.is_file():  # to read a named pipe would be to wait for ever
        raise FileExistsError(f"{path} must be a regular file or not exist.")
    here, edition, delivered = path.read_bytes(), _digest(name, content), record.get(name)
    if _digest(name, here) == edition:
        done.kept.append(name)
    elif delivered in (_digest(name, here), hashlib.sha256(here).hexdigest()):  # the second: as 0.1.0 recorded it
        _write(path, content)
        done.updated.append(name)
    else:
        done.kept.append(name)
        beside = path.with_name(f"{path.stem}.new-{lmcourse.__version__}{path.suffix}")
        if delivered not in (None, edition) and not beside.exists():
            _write(beside, content)
            done.beside.append(str(beside.relative_to(folder)))


def _contents(source: Path, parts: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    yield TUTOR, Path(lmcourse.__file__).with_name("tutor.md").read_bytes()
    yield "CLAUDE.md", f"@{TUTOR}\n".encode()
    for part in parts:
        for path in sorted((source / part).rglob("*")):
            hidden = any(piece.startswith((".", "__pycache__")) for piece in path.relative_to(source).parts)
            if path.is_file() and not hidden:
                yield path.relative_to(source).as_posix(), path.read_bytes()


def _digest(name: str, content: bytes) -> str:
    """Of a notebook its cells alone count: JupyterLab writes its own metadata into a page that was only opened."""
    if name.endswith(".ipynb"):
        with contextlib.suppress(ValueError, KeyError, TypeError, AttributeError):  # not a notebook: its bytes
            cells = [_joined(cell) for cell in json_files.parse(content, name)["cells"]]
            content = json.dumps(cells, sort_keys=True).encode()
    return hashlib.sha256(content).hexdigest()


def _joined(node: Any) -> Any:
    """A part of a notebook in which a text in lines is one string, since editors write either."""
    if isinstance(node, dict):
        return {key: _joined(value) for key, value in node.items()}
    if isinstance(node, list):
        parts = [_joined(value) for value in node]
        return "".join(parts) if parts and all(isinstance(part, str) for part in parts) else parts
    return node


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic.write(path, content)
