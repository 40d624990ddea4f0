"""Recorded runs: what depends on the clock is measured once, by `make bench` or `make experiments`, and stored."""

import json
import os
from pathlib import Path
from typing import Any

from lmcourse import checks

FOLDER = "recorded"


def load_recorded(name: str, folder: str | os.PathLike[str] = FOLDER) -> dict[str, Any]:
    """Return a recorded run: its command, machine, date, seed and rows.

    Args:
        name: the file's name without ".json".
        folder: where the runs are stored; by default `recorded/` in the folder in which the notebook runs.

    Raises:
        FileNotFoundError: there is no such run (the message says which command makes them).
        ValueError: the file is damaged.
    """
    checks.instance(str, name=name)
    checks.file_path(folder=folder)
    path = Path(folder) / f"{name}.json"
    if not path.exists():
        raise FileNotFoundError(
            f"`name` must be that of a recorded run, but there is no {name!r} in {path.parent}; `make bench` and "
            "`make experiments` record them."
        )
    try:
        run = json.loads(path.read_text(encoding="utf-8"))
        return {key: run[key] for key in ("name", "command", "machine", "date", "seed", "rows")}
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"the recorded run {path.name} is damaged: {error!r}.") from error


def recorded_seconds(name: str, what: str, folder: str | os.PathLike[str] = FOLDER) -> float | None:
    """Return this library's seconds for one row of a recorded run, or None if it was not recorded."""
    checks.instance(str, what=what)
    try:
        rows = load_recorded(name, folder)["rows"]
    except FileNotFoundError:
        return None
    ours = (row for row in rows if row.get("what") == what and row.get("who") == "lmcourse" and row.get("unit") == "s")
    return next((float(row["value"]) for row in ours), None)
