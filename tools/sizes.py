"""A plugin of pytest: the kernel of each page starts with the size at which the page has to run (tools/pages.py)."""

import os
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent


def pytest_runtest_protocol(item: Any) -> None:
    in_full = item.path.relative_to(ROOT).as_posix() in os.environ["LMCOURSE_IN_FULL"].split(os.pathsep)
    os.environ["LMCOURSE_PRESET"] = "laptop" if in_full else "smoke"
    os.environ["LMCOURSE_BREAKS"] = str(ROOT / "tests" / "notebooks" / "breaks") if in_full else ""
