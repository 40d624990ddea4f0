"""Whether all that `make test` leaves out has passed lately: `python -m tools.release` fails while anything is due.

Due is a slow test, or a chapter in full, that never passed (tests/ledger.json), that passed more than two weeks ago, or
before the last commit that changed a file that it tests: its own, and what it imports from the library and the tests.
Tests that need CUDA are `make gpu`'s.
"""

import ast
import datetime
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from tools import ledger
from tools.notebooks import target, texts

DAYS = 14


def git(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(["git", *arguments], cwd=ledger.ROOT, capture_output=True, text=True, check=False)


@cache
def changed_since(commit: str, day: str) -> frozenset[str]:
    """The files that differ from a commit; from what was there on a day, where history no longer holds the commit."""
    if git("merge-base", "--is-ancestor", commit, "HEAD").returncode == 0:
        return frozenset(git("diff", "--name-only", commit, "HEAD").stdout.split("\n")) - {""}
    return frozenset(git("log", f"--since={day} 00:00", "--name-only", "--format=").stdout.split("\n")) - {""}


@cache
def file_of(module: str) -> Path | None:
    base = module.replace(".", "/")
    places = [ledger.ROOT / root / f"{base}{end}" for root in ("lib", ".") for end in (".py", "/__init__.py")]
    return next((path.resolve() for path in places if path.is_file()), None)


@cache
def tree(path: Path) -> ast.Module:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = ["".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
        lines = "\n".join(cells).split("\n")
        text = "\n".join(line for line in lines if not line.startswith(("%", "!")))
    return ast.parse(text)


@cache
def imported(path: Path) -> dict[str, tuple[str, str]]:
    """Name in a file -> the module that it comes from, and its name there ("" for the module itself)."""
    found: dict[str, tuple[str, str]] = {}
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {name.asname or name.name: (name.name, "") for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {name.asname or name.name: (node.module, name.name) for name in node.names}
    return found


def home(module: str, name: str) -> Path | None:
    """The file that defines a name, however many packages pass it on; None for what is not ours."""
    if found := file_of(f"{module}.{name}" if name else module):
        return found
    found = file_of(module)
    if found and found.name == "__init__.py" and name in imported(found):
        return home(*imported(found)[name])
    return found


@cache
def tested(path: Path) -> frozenset[str]:
    """What a test or a page tests, by name: itself, its folder's fixtures, what these and the tests' helpers import."""
    found: set[Path | None] = {path}
    if (fixtures := path.parent / "conftest.py").exists() and path.name not in ("conftest.py", "__init__.py"):
        found |= {ledger.ROOT / name for name in tested(fixtures)}
    names = imported(path)
    for module, name in names.values():
        found.add(home(module, name))
    for node in ast.walk(tree(path)):  # data.load_text, where `data` is a package
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in names:
            module = ".".join(filter(None, names[node.value.id]))
            found.add(home(module, node.attr) if file_of(module) else None)
    ours = [file for file in found if file]
    helpers = [file for file in ours if file != path and file.is_relative_to(ledger.ROOT / "tests")]
    relative = {file.relative_to(ledger.ROOT).as_posix() for file in ours}
    return frozenset(relative.union(*(tested(file) for file in helpers if file.name != "conftest.py")))


def due(names: Iterable[str], entries: Mapping[str, ledger.Entry], today: datetime.date) -> Iterator[tuple[str, str]]:
    """Each name that has to pass before a release, and why."""
    for name in names:
        if name not in entries:
            yield name, "never passed"
            continue
        day, commit = entries[name][:2]
        age = (today - datetime.date.fromisoformat(day)).days
        changed = tested(ledger.ROOT / name.split("::")[0]) & changed_since(commit, day)
        if age > DAYS:
            yield name, f"passed {age} days ago"
        elif changed:
            yield name, f"passed before {min(changed)} was changed"


def slow_tests() -> list[str]:
    """All slow tests that need no GPU."""
    plain = ["-q", "-p", "no:nbval", "-p", "no:cacheprovider"]
    collect = [sys.executable, "-m", "pytest", "--collect-only", *plain, "-m", "slow and not gpu", "tests"]
    shown = subprocess.run(collect, cwd=ledger.ROOT, capture_output=True, text=True, check=True).stdout
    return [line for line in shown.split("\n") if line.startswith("tests/") and "::" in line]


def main() -> None:
    if edited := git("status", "--porcelain").stdout:
        sys.exit(f"commit first:\n{edited}")
    pages = [target(text).relative_to(ledger.ROOT).as_posix() for text in texts()]
    listed = slow_tests() + [page for page in pages if page.startswith("chapters/")]
    found = list(due(listed, ledger.read(), datetime.date.today()))
    for (file, reason), number in sorted(Counter((name.split("::")[0], reason) for name, reason in found).items()):
        print(f"{file}: {reason}" if number == 1 else f"{file}: {number} {reason}")
    if found:
        sys.exit(f"{len(found)} of {len(listed)} are due: `make test-slow`, `make pages`, and commit tests/ledger.json")
    print(f"all {len(listed)} slow tests and chapters have passed since what they test was changed")


if __name__ == "__main__":
    main()
