"""What every recorded run and checkpoint says about how it came to be."""

import json
import os
import platform
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


def write_run(path: Path, run: dict[str, Any]) -> None:
    """Write a recorded run where the chapters look for it; the folder is made if need be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(run, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
