"""Which exercises the course has, as their files say: what a command needs to know of them without running them.

An exercise may import torch, which takes two seconds; to read what its file says of it takes none.
"""

import ast
import difflib
import importlib
import pkgutil
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lmcourse import checks

_TASKS = "lmcourse.tasks"
_HINTS = re.compile(r'^HINTS = hints\((r?""".*?""")\)$', re.MULTILINE | re.DOTALL)
_DESCRIPTION = re.compile(r"^task = (\w+\(.*\))\s*\Z", re.MULTILINE | re.DOTALL)  # it is the last in its file


@dataclass(frozen=True)
class Entry:
    """What a list of the exercises says of one; `module` describes it whole."""

    name: str
    chapter: str
    module: str
    points: int
    hints: tuple[str, ...]


@cache
def contents() -> dict[str, Entry]:
    """Return name -> entry of every exercise of the course, in the order of the pages.

    Raises:
        ValueError: two exercises have the same name, or a file does not say what its exercise is.
    """
    found: dict[str, Entry] = {}
    for info in sorted(pkgutil.iter_modules(importlib.import_module(_TASKS).__path__), key=lambda info: info.name):
        package = importlib.import_module(f"{_TASKS}.{info.name}")
        for name in package.ORDER:
            entry = _entry(Path(package.__path__[0]) / f"{name}.py", package.CHAPTER, f"{package.__name__}.{name}")
            if entry.name in found:
                first = found[entry.name].chapter
                raise ValueError(f"two tasks are named {entry.name}: in {first} and {entry.chapter}.")
            found[entry.name] = entry
    return found


def entry(name: str) -> Entry:
    """Return the entry of the exercise of that name.

    Raises:
        TypeError: `name` is not a str.
        ValueError: there is none; the message names the nearest ones.
    """
    if not isinstance(name, str):
        raise TypeError(f"`name` must be a task's name in quotes, got {type(name).__name__}.")
    entries = contents()
    if name not in entries:
        near = difflib.get_close_matches(name, entries, n=3) or sorted(entries)[:5]
        raise ValueError(f"`name` must be a task of the course, got {name!r}; do you mean {', '.join(near)}?")
    return entries[name]


def hints(text: str) -> tuple[str, ...]:
    """Return the hints in a text. Each begins with "- " and goes on, on lines of their own, behind two spaces.

    Raises:
        TypeError: `text` is not a str.
        ValueError: a line that does neither, with its number.
    """
    checks.instance(str, text=text)
    checks.not_empty(text=text)
    found: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("- "):
            found.append(line[2:])
        elif line.startswith("  ") and found:
            found[-1] += f" {line.strip()}"
        elif line.strip():
            raise ValueError(
                f"`text`, line {number}: a hint begins with '- ' and goes on behind two spaces, got {line!r}."
            )
    return tuple(found)


def _entry(path: Path, chapter: str, module: str) -> Entry:
    """What `HINTS = ...` and `task = Task(reference, points=..., ...)` say; the name is the reference's or given."""
    text = path.read_text(encoding="utf-8")
    try:
        (helps,), (description,) = _HINTS.findall(text), _DESCRIPTION.findall(text)
        call = ast.parse(description, mode="eval").body
        said = {part.arg: part.value for part in call.keywords}
        name = ast.literal_eval(said["name"]) if "name" in said else call.args[0].id
        return Entry(name, chapter, module, ast.literal_eval(said["points"]), hints(ast.literal_eval(helps)))
    except (SyntaxError, ValueError, AttributeError, IndexError, KeyError) as error:
        raise ValueError(
            f"{path} must hold one `HINTS = hints(...)`, and end with `task = Task(reference, points=..., ...)` whose "
            f"points are written out, got {type(error).__name__}: {error}."
        ) from error
