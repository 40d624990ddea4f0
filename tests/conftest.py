"""No test touches the state of the person who runs it, all share one browser, and skipped tests say why."""

import os
import shutil
from collections import Counter

import pytest
import torch

torch.set_num_threads(1)  # two test processes on two cores: waiting threads would take each other's time
os.environ["OMP_NUM_THREADS"] = "1"  # the same in the processes and kernels that tests start


@pytest.fixture(autouse=True)
def _own_state(tmp_path, monkeypatch):
    monkeypatch.setenv("LMCOURSE_STATE", str(tmp_path / "state" / "progress.json"))


@pytest.fixture(scope="session")
def browser():
    """One Chromium for all tests of a process: Playwright allows only one of its drivers to run at a time."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        pytest.skip("no Chromium on this machine (see the README)")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=path, args=options)
        yield chromium
        chromium.close()


def pytest_collection_modifyitems(items):
    if not torch.cuda.is_available():
        skip = pytest.mark.skip(reason="no CUDA device")
        for item in items:
            if "gpu" in item.keywords:
                item.add_marker(skip)


def pytest_terminal_summary(terminalreporter):
    """Name, in one line, what this machine lacks and how many tests were skipped for want of it."""
    reasons = Counter(report.longrepr[2] for report in terminalreporter.getreports("skipped"))
    if reasons:
        listed = "; ".join(f"{reason.removeprefix('Skipped: ')} ({n})" for reason, n in sorted(reasons.items()))
        terminalreporter.write_line(f"{reasons.total()} tests were skipped: {listed}")
