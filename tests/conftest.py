"""No test touches the state of the person who runs it, all share one browser, and skipped tests say why."""

import os
import shutil
from collections import Counter
from pathlib import Path

import pytest
import torch

torch.set_num_threads(1)  # two test processes on two cores: waiting threads would take each other's time
os.environ["OMP_NUM_THREADS"] = "1"  # the same in the processes and kernels that tests start

#: Files whose tests take six seconds and more in all: `make test` runs them, `make check` does not.
LONG = [
    "data/test_fetching",
    "data/test_pairs",
    "data/test_interface",
    "devices/test_devices",
    "devices/test_shapes_alone",
    "fuzz/test_fuzz",
    "grader/test_bundle",
    "grader/test_every_task",
    "grader/test_names",
    "grader/test_publishing",
    "grader/test_sandbox",
    "grader/test_weaker",
    "layers/test_tracing",
    "models/test_decoder",
    "models/test_every_model",
    "models/test_gpt",
    "notebooks/test_form",
    "notebooks/test_pages",
    "plots/test_dollar_signs",
    "plots/test_style",
    "plots/test_views",
    "tasks/test_all_tasks",
    "tasks/test_course_search",
    "tasks/test_projects",
    "test_cli",
    "test_extras",
    "test_skips",
    "tokenizers/test_bpe_gguf",
    "tokenizers/test_bpe_io",
    "tokenizers/test_bpe_parity",
    "training/test_distributed",
    "training/test_kept_checkpoints",
    "training/test_launching",
    "training/test_resuming",
]
HERE = Path(__file__).parent


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
    long = {HERE / f"{name}.py" for name in LONG}
    for item in items:
        if item.path in long:
            item.add_marker(pytest.mark.course)
    items.sort(key=lambda item: "browser" not in item.keywords)  # the longest first: two processes end together
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
