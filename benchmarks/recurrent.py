"""Time of the recurrent layers beside torch.nn's, forward and backward: `python benchmarks/recurrent.py`.

Batch 32, 128 steps, 256 wide. The contestants take turns within each round, so that a busy moment of the machine
falls on all of them, and medians are compared. nn.LSTM's kernel computes the gradient of the inputs whether or not
it is asked for; the loop does so only on request. Both cases are timed.
"""

import argparse
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import torch
from torch import nn

from lmcourse.layers.recurrent import GRU, LSTM, RNN

BATCH, STEPS, WIDTH, SEED = 32, 128, 256, 0
LIMITS = {1: 1.15, 2: 1.5}  # readable loop over nn.LSTM, by threads


def contestants(reference: nn.Module, layer: type, needs_input_grad: bool) -> dict[str, Callable[[], None]]:
    """Return one training step for each of: torch.nn, the fused path, the readable loop; with equal weights."""
    fused, loop = layer(WIDTH, WIDTH), layer(WIDTH, WIDTH, fused=False)
    fused.load_state_dict(reference.state_dict())
    loop.load_state_dict(reference.state_dict())
    x = torch.randn(BATCH, STEPS, WIDTH, requires_grad=needs_input_grad)

    def step(module: nn.Module) -> Callable[[], None]:
        return lambda: module(x)[0].sum().backward()

    return {"torch.nn": step(reference), "fused": step(fused), "loop": step(loop)}


def medians(steps: dict[str, Callable[[], None]], rounds: int) -> dict[str, float]:
    """Return the median seconds of each step, the steps taking turns."""
    seconds: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(rounds + 2):
        for name, step in steps.items():
            start = time.perf_counter()
            step()
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(values[2:]) for name, values in seconds.items()}  # the first two warm up


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--out", type=Path, help="write the table to this JSON file")
    arguments = parser.parse_args()
    torch.manual_seed(SEED)
    pairs = {"RNN": (nn.RNN, RNN), "GRU": (nn.GRU, GRU), "LSTM": (nn.LSTM, LSTM)}
    rows = []
    columns = ("torch.nn", "fused", "loop", "fused/nn", "loop/nn")
    print(f"{'layer':6}{'threads':>8}{'input grad':>12}" + "".join(f"{column:>11}" for column in columns))
    for threads in arguments.threads:
        torch.set_num_threads(threads)
        for name, (reference, layer) in pairs.items():
            for needs_input_grad in (False, True):
                module = reference(WIDTH, WIDTH, batch_first=True)
                times = medians(contestants(module, layer, needs_input_grad), arguments.rounds)
                row = {
                    "layer": name,
                    "threads": threads,
                    "input_grad": needs_input_grad,
                    **{f"{key.replace('.', '_')}_ms": round(1e3 * value, 2) for key, value in times.items()},
                    "fused_ratio": round(times["fused"] / times["torch.nn"], 3),
                    "loop_ratio": round(times["loop"] / times["torch.nn"], 3),
                    "loop_limit": LIMITS.get(threads) if name == "LSTM" and not needs_input_grad else None,
                }
                rows.append(row)
                print(
                    f"{name:6}{threads:8d}{'yes' if needs_input_grad else 'no':>12}"
                    f"{row['torch_nn_ms']:8.1f} ms{row['fused_ms']:8.1f} ms{row['loop_ms']:8.1f} ms"
                    f"{row['fused_ratio']:11.2f}{row['loop_ratio']:11.2f}"
                    + (f"  (at most {row['loop_limit']})" if row["loop_limit"] else "")
                )
    if arguments.out:
        record = {
            "name": "recurrent",
            "command": "python benchmarks/recurrent.py " + " ".join(sys.argv[1:]),
            "machine": f"{os.cpu_count()}-core {platform.machine()} CPU",
            "date": date.today().isoformat(),
            "seed": SEED,
            "rows": rows,
        }
        arguments.out.parent.mkdir(parents=True, exist_ok=True)
        arguments.out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
