"""What experiments have in common: their command, how they train, what a recorded run says of how it came to be."""

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import torch
from torch import nn

from lmcourse.training import History, fit, linear_schedule

RECORDED, CHECKPOINTS, STATES = Path("chapters/recorded"), Path("chapters/checkpoints"), Path(".proof")
Row = dict[str, Any]


def launch(about: str | None, what: Callable[[], object] | Mapping[str, Callable[[], object]]) -> None:
    """Run an experiment, or the one that the command line names."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    if isinstance(what, Mapping):
        parser.add_argument("what", choices=what)
        what[parser.parse_args().what]()
    else:
        parser.parse_args()
        what()


def provenance(*, seed: int = 0) -> Row:
    """Return the command that runs, seed, date, machine and versions, by their names in a recipe. It names no host."""
    gpu = torch.cuda.get_device_name() if torch.cuda.is_available() else None
    return {
        "command": " ".join(["python -m", f"experiments.{Path(sys.argv[0]).stem}", *sys.argv[1:]]),
        "seed": seed,
        "date": date.today().isoformat(),
        "machine": gpu or f"{platform.machine()}, {os.cpu_count()} cores, {torch.get_num_threads()} threads used",
        "torch": torch.__version__,
        "python": platform.python_version(),
    }


def write_run(path: Path, run: Row) -> None:
    """Write a recorded run where the chapters look for it; the folder is made if need be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(run, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


class Record:
    """A recorded run in the making: rows are told as they come, and written with how they came to be.

    Args:
        name: of the file, without ending.
        about: what the record says besides.
    """

    def __init__(self, name: str, *, seed: int = 0, **about: Any) -> None:
        self.name, self.seed, self.about = name, seed, about
        self.rows: list[Row] = []

    def add(self, row: Row) -> None:
        self.rows.append(row)
        print(str(row)[:400], f"{time.process_time():.0f} s", flush=True)

    def extend(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self.add(row)

    def write(self) -> None:
        who = {"name": self.name, **provenance(seed=self.seed)}
        write_run(RECORDED / f"{self.name}.json", {**who, **self.about, "rows": self.rows})


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


def n_parameters(model: nn.Module) -> int:
    return sum(parameter.numel() for parameter in model.parameters())


def own_loss(model: Any, batch: Any) -> torch.Tensor:
    """The loss that a model computes itself, of what is in a batch."""
    loss: torch.Tensor = model.loss(*batch)
    return loss


def train(
    model: nn.Module,
    batches: Any,
    steps: int,
    optimizer: torch.optim.Optimizer,
    *,
    loss: Callable[[Any, Any], Any] = own_loss,
    warm_up: int | None = None,
    shape: Callable[..., float] = linear_schedule,
    **options: Any,
) -> History:
    """Fit without a progress bar; with `warm_up` the learning rate rises and falls as `shape` says, else it stays.

    Args:
        options: others of `fit`.
    """
    if warm_up is not None:
        options["schedule"] = lambda step: shape(step, max_steps=steps, warmup=warm_up)
    return fit(model, batches, loss, optimizer=optimizer, max_steps=steps, progress=False, **options)
