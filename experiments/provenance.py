"""What every recorded run and checkpoint says about how it came to be."""

import os
import platform
from datetime import date
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
