"""tests/ledger.json: when each thing that `make test` leaves out last passed, at which commit, and what it costs.

    "tests/grader/test_year.py::test_a_year": ["2026-11-27", "456c6df01234", 41.3],
    "tests/site/test_site.py::test_formulas[whole]": ["2026-11-27", "456c6df01234", 0.8, 55.0]

Listed are slow tests (by tests/budget.py) and pages in full (by tools/pages.py), one line each, with the seconds of
processor time of its own, and of the fixtures that it shares with others of its file. The run writes the file; whoever
ran it commits it with the work.
"""

import datetime
import hashlib
import json
import subprocess
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from lmcourse import atomic

ROOT = Path(__file__).parent.parent
LEDGER = ROOT / "tests" / "ledger.json"
UNKNOWN_S = 10.0  # what a thing is taken to cost that never passed, like all others of its file


class Entry(NamedTuple):
    """The last pass: its day, the commit that was checked out, processor seconds of its own and of shared fixtures."""

    day: str
    commit: str
    seconds: float
    shared_s: float = 0.0


def read() -> dict[str, Entry]:
    return {name: Entry(*entry) for name, entry in json.loads(LEDGER.read_text(encoding="utf-8")).items()}


def write(entries: Mapping[str, Entry]) -> None:
    kept = {name: entry if entry.shared_s else entry[:3] for name, entry in sorted(entries.items())}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in kept.items())
    atomic.write(LEDGER, f"{{\n{lines}\n}}\n")


def passed_now(seconds: float, shared_s: float = 0.0) -> Entry:
    return Entry(datetime.date.today().isoformat(), commit(), round(seconds, 1), round(shared_s, 1))


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
        day, at = entries.get(name, Entry("", "", 0.0))[:2]
        return day, at == head, hashlib.sha256(f"{head} {name}".encode()).hexdigest()

    return sorted(names, key=age)


def costs(names: Iterable[str], entries: Mapping[str, Entry]) -> dict[str, tuple[float, float]]:
    """What each name costs, of its own and shared: as it did when it passed.

    What never passed is taken to cost as much as others of its function on average, else of its file.
    """
    alike: dict[str, list[Entry]] = {}
    for name, entry in entries.items():
        alike.setdefault(name.split("::")[0], []).append(entry)
        alike.setdefault(name.split("[")[0], []).append(entry)

    def cost(name: str) -> tuple[float, float]:
        if name in entries:
            return entries[name][2:]
        known = alike.get(name.split("[")[0]) or alike.get(name.split("::")[0])
        return (mean(e.seconds for e in known), max(e.shared_s for e in known)) if known else (UNKNOWN_S, 0.0)

    return {name: cost(name) for name in names}


def fitting(names: Iterable[str], entries: Mapping[str, Entry], limit_s: float) -> set[str]:
    """Of names in order, those whose turn it is: each that fits in what is left of the limit.

    A name that is passed over for its cost is older next time, and in the end the first, when all of the limit is
    left; only what costs more than the whole limit never has its turn here. What never passed gets half of the limit
    as long as there is anything else: it may be what always skips on this machine. What tests of a file share is paid
    for once.
    """
    names = list(names)
    cost = costs(names, entries)
    chosen: set[str] = set()
    paid: dict[str, float] = {}  # file -> what its tests share
    left = limit_s
    new = [name for name in names if name not in entries]
    for group, kept_back in ((new, limit_s / 2), ([name for name in names if name in entries], 0.0), (new, 0.0)):
        for name in group:
            file, (own_s, shared_s) = name.split("::")[0], cost[name]
            first_s = max(0.0, shared_s - paid.get(file, 0.0))
            if name not in chosen and own_s + first_s <= left - kept_back:
                chosen.add(name)
                left -= own_s + first_s
                paid[file] = paid.get(file, 0.0) + first_s
    return chosen


def of_what_is_left(entries: Mapping[str, Entry], files: Collection[str], names: Collection[str]) -> dict[str, Entry]:
    """The entries, without those of files that are gone or, where `files` were read whole, of tests not in `names`."""
    return {
        name: entry
        for name, entry in entries.items()
        if (ROOT / name.split("::")[0]).exists() and (name in names or name.split("::")[0] not in files)
    }
