"""What every recorded run and checkpoint says about how it came to be."""

import json
import os
import platform
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import torch


def provenance(command: str, *, seed: int) -> dict[str, Any]:
    """Return command, seed, date, machine and versions, by their names in a recipe. It names no host."""
    gpu = torch.cuda.get_device_name() if torch.cuda.is_available() else None
    return {
        "command": command,
        "seed": seed,
        "date": date.today().isoformat(),
        "machine": gpu or f"{platform.machine()}, {os.cpu_count()} cores, {torch.get_num_threads()} threads used",
        "torch": torch.__version__,
        "python": platform.python_version(),
    }


class Kept:
    """What single runs have found, kept in a file: a killed experiment goes on with the runs that are missing."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    def once(self, key: str, run: Callable[[], Any]) -> Any:
        """Return what `run` found under this key: now, or in an earlier start."""
        if key not in self.found:
            self.found[key] = run()
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(json.dumps(self.found), encoding="utf-8")
        return self.found[key]


def write_run(path: Path, run: dict[str, Any]) -> None:
    """Write a recorded run where the chapters look for it; the folder is made if need be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(run, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
