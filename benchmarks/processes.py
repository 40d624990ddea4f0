"""Two processes beside one: tokens a second of a small GPT trained by `fit`, at the same global batch.

`python -m benchmarks.processes --out chapters/recorded/processes.json` starts each contestant in turn:

- "1 process, 1 thread", what the others are compared with
- "1 process, 2 threads", the matrix products of one process divided by torch
- "2 processes, 1 thread each", data parallel under torchrun, the gradients joined by gloo
- "2 processes, 1 thread each, sharded", the same with FSDP2

The clock counts, since processes that wait for each other take no processor time. So a busy machine blurs the figures:
the load when it began and when it ended is in the record.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import torch
from torch.distributed.fsdp import fully_shard, register_fsdp_forward_method

from benchmarks.rounds import Row, options, write_record
from lmcourse.models import GPT, GPTConfig
from lmcourse.training import adamw, distributed, fit, process_group

SEED, VOCABULARY, ROWS, LENGTH, STEPS, WARM_UP = 0, 2_048, 32, 128, 24, 4
SIZES: dict[str, Any] = {"embed_dim": 128, "num_heads": 4, "num_layers": 4, "context_length": LENGTH}
CONTESTANTS = {
    "1 process, 1 thread": (1, 1, "ddp"),
    "1 process, 2 threads": (1, 2, "ddp"),
    "2 processes, 1 thread each": (2, 1, "ddp"),
    "2 processes, 1 thread each, sharded": (2, 1, "fsdp"),
}


def measure(threads: int, strategy: str) -> None:
    """Train, and print the seconds of each step, in the first process."""
    torch.set_num_threads(threads)
    torch.manual_seed(SEED)
    with process_group():
        model = GPT(GPTConfig(VOCABULARY, **SIZES))
        if strategy == "fsdp":
            for layer in model.layers:
                fully_shard(layer)
            fully_shard(model)
            register_fsdp_forward_method(model, "loss")
        ids = torch.randint(VOCABULARY, (ROWS // distributed.world_size(), LENGTH + 1))
        began: list[float] = []

        def batches(step: int) -> tuple[torch.Tensor, torch.Tensor]:
            began.append(time.perf_counter())
            return ids[:, :-1], ids[:, 1:]

        fit(model, batches, lambda model, batch: model.loss(*batch), optimizer=adamw(model), max_steps=STEPS + WARM_UP,
            precision="float32", progress=False)  # fmt: skip
        if distributed.rank() == 0:
            print(json.dumps([later - earlier for earlier, later in zip(began[WARM_UP:], began[WARM_UP + 1 :])]))


def run(processes: int, threads: int, strategy: str) -> list[float]:
    start = [sys.executable]
    if processes > 1:
        start += ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(processes)]
    done = subprocess.run([*start, "-m", "benchmarks.processes", "--measure", f"{threads},{strategy}"], check=True,
                          capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": str(threads)},
                          cwd=Path(__file__).parents[1])  # fmt: skip
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = options(__doc__, rounds=5)
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        threads, strategy = arguments.measure.split(",")
        measure(int(threads), strategy)
        return
    load = [os.getloadavg()[0]]
    seconds: dict[str, list[float]] = {name: [] for name in CONTESTANTS}
    names = list(CONTESTANTS)
    for turn in range(arguments.rounds):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            seconds[name].append(min(run(*CONTESTANTS[name])))  # the quietest step: what the machine can do
    load.append(os.getloadavg()[0])
    rows: list[Row] = []
    for name, taken in seconds.items():
        ratio = statistics.median(seconds[names[0]][i] / taken[i] for i in range(arguments.rounds))
        rows.append({"what": "train a GPT, 4 layers x 128", "who": name, "threads": CONTESTANTS[name][1],
                     "value": round(ROWS * LENGTH / statistics.median(taken)), "unit": "tokens/s",
                     "ratio": round(ratio, 2)})  # fmt: skip
        print(f"{name:40}{rows[-1]['value']:8,} tokens/s{ratio:7.2f}", flush=True)
    print("load of the machine:", ", ".join(f"{value:.1f}" for value in load))
    write_record(arguments.out, "processes", rows, seed=SEED, load=[round(value, 1) for value in load])


if __name__ == "__main__":
    main()
