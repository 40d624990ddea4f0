"""What all benchmarks share: contestants that take turns, their ratios round by round, and the record of a run.

A busy moment of the machine falls on all contestants alike when they take turns, and a ratio is taken within each
round; the median of the ratios is what a limit speaks of.
"""

import argparse
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import torch

from experiments.recording import write_run

Contestants = Mapping[str, Callable[[], object]]
Row = dict[str, Any]


def take_turns(
    contestants: Contestants,
    rounds: int,
    *,
    warm_up: int = 2,
    clock: Callable[[], float] = time.perf_counter,
    between: Callable[[], object] = lambda: None,
) -> dict[str, list[float]]:
    """Seconds of each contestant in each round after the first `warm_up`; each round begins with the next one.

    `between` is called before each of them, outside the time that is taken.
    """
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    names = list(contestants)
    for turn in range(warm_up + rounds):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            between()
            begin = clock()
            contestants[name]()
            seconds[name].append(clock() - begin)
    return {name: values[warm_up:] for name, values in seconds.items()}


def median_ratio(seconds: Sequence[float], peer: Sequence[float]) -> float:
    """The median over the rounds of one contestant's time over another's."""
    return statistics.median(own / other for own, other in zip(seconds, peer, strict=True))


class Table:
    """Rows of milliseconds beside the first contestant's; each is printed as it comes."""

    def __init__(self) -> None:
        self.rows: list[Row] = []

    def add(
        self, what: str, threads: int, seconds: Mapping[str, list[float]], limit: float | None, **more: Any
    ) -> None:
        """Add a row for each contestant; the limit is one for the last, beside the first."""
        first, last = next(iter(seconds)), list(seconds)[-1]
        for name, values in seconds.items():
            ratio, milliseconds = median_ratio(values, seconds[first]), 1e3 * statistics.median(values)
            row = {"what": what, **more, "threads": threads, "who": name, "value": round(milliseconds, 3), "unit": "ms",
                   "ratio": round(ratio, 3), "limit": limit if name == last else None}  # fmt: skip
            self.rows.append(row)
            bound = f"  (at most {limit})" if row["limit"] else ""
            details = " ".join(f"{key}={value}" for key, value in more.items())
            print(f"{what:20}{details:28}{threads:3d}  {name:20}{milliseconds:10.2f} ms{ratio:8.2f}{bound}", flush=True)


def processor() -> str:
    """The processor in words: with bfloat16 or AMX, its ratios are others than without."""
    has = torch.cpu.get_capabilities()
    units = [word for word, flag in (("bfloat16", "avx512_bf16"), ("AMX", "amx_bf16")) if has.get(flag)]
    return f"{os.cpu_count()}-core {platform.machine()} CPU with {' and '.join(units) or 'neither bfloat16 nor AMX'}"


def options(doc: str | None, *, rounds: int) -> argparse.ArgumentParser:
    """A parser with what every benchmark takes: --rounds and --out."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=rounds, help=f"rounds of each comparison (default: {rounds})")
    parser.add_argument("--out", type=Path, help="write the table to this JSON file")
    return parser


def write_record(out: Path | None, name: str, rows: Sequence[Row], *, seed: int | None, **more: Any) -> None:
    """Write a recorded run as the chapters read it, if a file is named; the file's name is no part of the command."""
    if out is None:
        return
    arguments = sys.argv[1:]
    if "--out" in arguments:
        at = arguments.index("--out")
        del arguments[at : at + 2]
    program = f"python -m benchmarks.{Path(sys.argv[0]).stem}"
    record = {
        "name": name,
        "command": " ".join([program, *(word for word in arguments if not word.startswith("--out="))]),
        "machine": processor(),
        "date": date.today().isoformat(),
        "seed": seed,
        **more,
        "rows": list(rows),
    }
    write_run(out, record)
