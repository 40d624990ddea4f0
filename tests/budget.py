"""A plugin, `pytest -p tests.budget`: what a run costs, what is quick enough for it, and whose turn it is.

`--quick SECONDS` reads only files that are quick by tests/durations.json, until they cost so much in all; a file that
is not recorded yet counts as quick. `--oldest TIME` (120s, 30m, all) lets of the slow tests only those run that passed
longest ago (tests/ledger.json), and enters what passes. `--record` writes tests/durations.json anew for the files that
ran. All times are processor seconds, of children too, except that no slow test starts once TIME has gone by the clock.
With -n, TIME is that of all processes together as long as tests cost what they did, and that of each where they do not.
"""

import json
import os
import time
from collections import Counter
from pathlib import Path

import pytest

from lmcourse import atomic
from tools import ledger

DURATIONS = ledger.ROOT / "tests" / "durations.json"
UNITS = {"s": 1, "m": 60, "h": 3600}


def seconds(text: str) -> float:
    """30m -> 1800."""
    return float("inf") if text == "all" else float(text.rstrip("smh")) * UNITS.get(text[-1], 1)


def processor_s() -> float:
    return sum(os.times()[:4])  # user and system, our own and of children that have ended


def durations() -> dict[str, float]:
    return json.loads(DURATIONS.read_text(encoding="utf-8")) if DURATIONS.exists() else {}


def quick_files(limit_s: float) -> set[str]:
    """The files that cost least, up to the limit in all."""
    chosen, spent = set(), 0.0
    for name, cost in sorted(durations().items(), key=lambda item: (item[1], item[0])):
        spent += cost
        if spent <= limit_s:
            chosen.add(name)
    return chosen


def pytest_addoption(parser):
    group = parser.getgroup("budget")
    group.addoption("--quick", type=seconds, metavar="SECONDS", help="read only the quickest files")
    group.addoption("--oldest", type=seconds, metavar="TIME", help="slow tests: those that passed longest ago")
    group.addoption("--record", action="store_true", help="write tests/durations.json for the files that run")


def pytest_configure(config):
    config.pluginmanager.register(Budget(config), "budget")


class Budget:
    def __init__(self, config):
        self.config = config
        self.is_worker = hasattr(config, "workerinput")
        self.limit_s = config.getoption("oldest")
        self.began = time.monotonic()
        self.slow_s = self.slow_clock_s = 0.0  # what slow tests have taken in this process
        self.cost: dict[str, tuple[float, float]] = {}  # what they should take
        self.shared_s: dict[tuple[str, int], float] = {}  # what setting up a fixture of a module or more took
        self.setup_s = 0.0  # of the test that runs: the part of its time that was for such fixtures
        self.workers_s = 0.0
        self.slow: set[str] = set()  # all that were collected, in turn or not
        self.collected: set[str] = set()  # their files, and all others
        self.passed: dict[str, ledger.Entry] = {}
        self.passed_s = 0.0
        self.called: set[str] = set()
        self.by_file: Counter[str] = Counter()  # processor seconds of tests that are not slow
        self.by_folder: Counter[str] = Counter()  # of all
        limit_s = config.getoption("quick")
        self.left_out = set() if limit_s is None else durations().keys() - quick_files(limit_s)

    def pytest_ignore_collect(self, collection_path):
        inside = collection_path.is_relative_to(ledger.ROOT)
        return True if inside and collection_path.relative_to(ledger.ROOT).as_posix() in self.left_out else None

    @pytest.hookimpl(trylast=True)  # after -m and -k
    def pytest_collection_modifyitems(self, config, items):
        whole = not config.option.keyword and not any("::" in arg for arg in config.args)
        self.collected = {item.nodeid.split("::")[0] for item in items} if whole else set()
        self.slow = {item.nodeid for item in items if item.get_closest_marker("slow")}
        costs = durations()
        place = {item.nodeid: -costs.get(item.nodeid.split("::")[0], 0.0) for item in items}  # the longest file first
        if self.limit_s is not None:
            entries = ledger.read()
            self.cost = ledger.costs(self.slow, entries)
            turns = ledger.oldest_first(self.slow, entries, ledger.commit())
            later = self.slow - ledger.fitting(turns, entries, self.limit_s)
            config.hook.pytest_deselected(items=[item for item in items if item.nodeid in later])
            items[:] = [item for item in items if item.nodeid not in later]
            if len(items) == len(self.slow - later):  # slow tests alone: the file with the oldest first
                place = {name: turn for turn, name in enumerate(turns)}
        first: dict[str, float] = {}
        for item in items:
            file = item.nodeid.split("::")[0]
            first[file] = min(first.get(file, float("inf")), place[item.nodeid])
        items.sort(key=lambda item: first[item.nodeid.split("::")[0]])

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef, request):
        began = processor_s()
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function":
                key = fixturedef.argname, request.param_index
                self.shared_s[key] = max(self.shared_s.get(key, 0.0), processor_s() - began)
                self.setup_s += processor_s() - began

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        self.test_began, self.setup_s = (processor_s(), time.monotonic()), 0.0
        try:
            return (yield)
        finally:
            if item.nodeid in self.slow:
                self.slow_s += processor_s() - self.test_began[0]
                self.slow_clock_s += time.monotonic() - self.test_began[1]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item):
        if self.limit_s is not None and item.nodeid in self.slow:
            fits = self.slow_s + self.cost[item.nodeid][0] <= self.limit_s or not self.slow_s
            if not fits or self.slow_clock_s > self.limit_s:
                pytest.skip("the time for slow tests is up")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item):
        report = yield
        report.processor_s = processor_s() - self.test_began[0]
        indices = item.callspec.indices if hasattr(item, "callspec") else {}
        shared = sum(self.shared_s.get((name, indices.get(name, 0)), 0.0) for name in item.fixturenames)
        report.cost = report.processor_s - self.setup_s, shared
        return report

    def pytest_runtest_logreport(self, report):
        if self.is_worker or report.when == "setup":
            return
        if report.when == "call":
            self.called |= {report.nodeid} if report.passed else set()
            return
        file = report.nodeid.split("::")[0]
        parts = Path(file).with_suffix("").parts
        self.by_folder[parts[1] if len(parts) > 1 else parts[0]] += report.processor_s
        if "slow" not in report.keywords:
            self.by_file[file] += report.processor_s
        elif self.limit_s is not None and report.passed and report.nodeid in self.called:
            self.passed_s += report.processor_s
            self.passed[report.nodeid] = ledger.passed_now(*report.cost)
            ledger.write(ledger.read() | self.passed)  # at once: who stops the run, or kills it, keeps what passed

    @pytest.hookimpl(optionalhook=True)  # pytest-xdist calls it, with what the worker stored below
    def pytest_testnodedown(self, node):
        told = getattr(node, "workeroutput", {}).get("budget", {})
        self.slow.update(told.get("slow", ()))
        self.collected.update(told.get("collected", ()))
        self.workers_s += told.get("processor_s", 0.0)

    def pytest_sessionfinish(self):
        if self.is_worker:
            told = {"slow": sorted(self.slow), "collected": sorted(self.collected), "processor_s": processor_s()}
            self.config.workeroutput["budget"] = told
            return
        if self.limit_s is not None:
            entries = ledger.read() | self.passed
            if (kept := ledger.of_what_is_left(entries, self.collected, self.slow)) != ledger.read():
                ledger.write(kept)
        if self.config.getoption("record"):
            there = {name: s for name, s in durations().items() if (ledger.ROOT / name).exists()}
            kept = {name: s for name, s in there.items() if name not in self.collected}  # with slow tests alone: gone
            kept |= {name: round(s, 1) for name, s in self.by_file.items()}
            lines = ",\n".join(f"{json.dumps(name)}: {cost}" for name, cost in sorted(kept.items()))
            atomic.write(DURATIONS, f"{{\n{lines}\n}}\n")

    def pytest_terminal_summary(self, terminalreporter):
        in_all = time.process_time() + self.workers_s if self.workers_s else processor_s()
        spent = {name: cost for name, cost in self.by_folder.most_common() if cost >= 1}
        spent["collecting and the rest"] = in_all - sum(spent.values())
        listed = ", ".join(f"{name} {cost:.0f}" for name, cost in spent.items())
        minutes = (time.monotonic() - self.began) / 60
        terminalreporter.write_line(f"{minutes:.1f} minutes, {in_all:.0f} s of processor time: {listed}")
        if self.limit_s is None:
            return
        entries = ledger.read()
        known = [entries[name] for name in self.slow if name in entries]
        never = f", {len(self.slow) - len(known)} never passed" if len(known) < len(self.slow) else ""
        oldest = f", the oldest of the others passed on {min(known).day}" if known else ""
        terminalreporter.write_line(
            f"{len(self.passed)} of {len(self.slow)} slow tests passed in {self.passed_s:.0f} s of processor time"
            f"{never}{oldest}"
        )
        if long := sum(sum(cost) > self.limit_s for cost in ledger.costs(self.slow, entries).values()):
            terminalreporter.write_line(f"{long} slow tests take longer than all of that: `make test-slow` runs them")
