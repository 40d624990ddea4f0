"""tests/ledger.json: when each thing that `make test` leaves out last passed, at which commit, and what it costs.

    "tests/grader/test_year.py::test_a_year": ["2026-11-27", "456c6df01234", 41.3]

Listed are slow tests (by tests/budget.py) and pages in full (by tools/pages.py), one line each, with the seconds of
processor time. The run writes the file; whoever ran it commits it with the work.
"""

import datetime
import hashlib
import json
import subprocess
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from lmcourse import atomic

ROOT = Path(__file__).parent.parent
LEDGER = ROOT / "tests" / "ledger.json"
UNKNOWN_S = 1.0  # what a thing that never passed is taken to cost


class Entry(NamedTuple):
    """The last pass: its day, the commit that was checked out, seconds of processor time."""

    day: str
    commit: str
    seconds: float


def read() -> dict[str, Entry]:
    return {name: Entry(*entry) for name, entry in json.loads(LEDGER.read_text(encoding="utf-8")).items()}


def write(entries: Mapping[str, Entry]) -> None:
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in sorted(entries.items()))
    atomic.write(LEDGER, f"{{\n{lines}\n}}\n")


def passed_now(seconds: float) -> Entry:
    return Entry(datetime.date.today().isoformat(), commit(), round(seconds, 1))


def commit() -> str:
    """The commit that is checked out; empty where this is no clone."""
    command = ["git", "rev-parse", "--short=12", "HEAD"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


def oldest_first(names: Iterable[str], entries: Mapping[str, Entry], head: str) -> list[str]:
    """What never passed, then by day. Among equally old ones the order hangs on the commit.

    So runs at different commits try different things even where nobody commits the ledger. What passed at this very
    commit comes after all else of its day: a run repeated at once goes on where the first one stopped.
    """

    def age(name: str) -> tuple[str, bool, str]:
        day, at, _ = entries.get(name, Entry("", "", 0.0))
        return day, at == head, hashlib.sha256(f"{head} {name}".encode()).hexdigest()

    return sorted(names, key=age)


def fitting(names: Iterable[str], entries: Mapping[str, Entry], limit_s: float) -> set[str]:
    """Of names in order, those whose turn it is: each that fits in what is left of the limit.

    A name that is passed over for its cost is older next time, and in the end the first, when all of the limit is
    left; only what costs more than the whole limit never has its turn here. What never passed gets half of the limit
    as long as there is anything else: it may be what always skips on this machine.
    """
    names = list(names)
    chosen: set[str] = set()
    left = limit_s
    new = [name for name in names if name not in entries]
    for group, kept_back in ((new, limit_s / 2), ([name for name in names if name in entries], 0.0), (new, 0.0)):
        for name in group:
            cost = entries[name].seconds if name in entries else UNKNOWN_S
            if name not in chosen and cost <= left - kept_back:
                chosen.add(name)
                left -= cost
    return chosen


def of_what_is_left(entries: Mapping[str, Entry], files: Collection[str], names: Collection[str]) -> dict[str, Entry]:
    """The entries, without those of files that are gone or, where `files` were read whole, of tests not in `names`."""
    return {
        name: entry
        for name, entry in entries.items()
        if (ROOT / name.split("::")[0]).exists() and (name in names or name.split("::")[0] not in files)
    }
