"""A plugin, `pytest -p tests.unchanged`: the tests fail if running them changed a file that git tracks.

For `make unit` and CI, not for every day: whoever edits a file while tests run has changed it too.
"""

import pytest

from tools import pages

_before: dict[str, str] = {}


def pytest_sessionstart(session):
    if not hasattr(session.config, "workerinput"):  # once, and not in each process of -n
        _before.update(pages.tracked_contents())


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    if hasattr(session.config, "workerinput"):
        return
    changed = pages.changed_files(_before, pages.tracked_contents())
    if changed:
        print(f"\nrunning the tests changed {', '.join(changed)}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
