"""Adds up what the tests counted, over all processes, and says it at the end; leaves no figure open."""

from collections import Counter

import matplotlib.pyplot as plt
import pytest


@pytest.fixture(autouse=True)
def _no_figure_stays_open():
    yield
    plt.close("all")


def pytest_terminal_summary(terminalreporter):
    total = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", None) == "call":
                total.update({key: value for key, value in report.user_properties if key.startswith("fuzz ")})
    if total:
        counted = ", ".join(f"{value} {key.removeprefix('fuzz ')}" for key, value in sorted(total.items()))
        terminalreporter.write_line(f"fuzz: {counted}")
