"""Adds up what the tests counted, over all processes, and says it at the end."""

from collections import Counter


def pytest_terminal_summary(terminalreporter):
    total = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", None) == "call":
                total.update({key: value for key, value in report.user_properties if key.startswith("fuzz ")})
    if total:
        counted = ", ".join(f"{value} {key.removeprefix('fuzz ')}" for key, value in sorted(total.items()))
        terminalreporter.write_line(f"fuzz: {counted}")
