"""The comparisons of chapter 13, with small GPTs on Shakespeare: `python -m experiments.scaling_up NAME`.

parts: one change to GPT-2 at a time, at equal settings, two seeds. rates: AdamW and Muon, each at several learning
rates, two seeds. laws: the loss of four sizes after every 40 steps, at a constant rate. Each writes
chapters/recorded/scaling-NAME.json. About half an hour on one core; killed and started again, it goes on with the runs
that are missing in `.proof/scaling-up-NAME.json`.
"""

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import torch

from experiments.gpt_ablations import LENGTH, MODERN, PLAIN, ROWS, SIZES, WARM_UP, Task, learn, muon_of
from experiments.recording import STATES, Kept, Record, Row, launch, n_parameters
from lmcourse import runtime
from lmcourse.models import GPT
from lmcourse.training import adamw

STEPS, SWEEP, SEEDS = 240, 120, (0, 1)  # steps of the comparison of parts, and of the sweeps

#: One change to GPT-2 at a time.
PARTS: dict[str, dict[str, Any]] = {
    "as GPT-2": {},
    "RMSNorm": {"norm": "rms"},
    "QK-norm": {"qk_norm": True},
    "one key/value head": {"num_kv_heads": 1},
    "rotary positions": {"positions": "rotary"},
    "SwiGLU": {"activation": "swiglu"},
    "SwiGLU, fresh weights x 3": {"activation": "swiglu", "fresh": 3.0},
    "GELU, fresh weights x 3": {"fresh": 3.0},
    "Muon": {"optimizer": "Muon"},
}
RATES = {"AdamW": (4e-3, 8e-3, 16e-3, 32e-3), "Muon": (0.01, 0.02, 0.04, 0.08)}


def optimizer_of(model: GPT, name: str, rate: float | None = None) -> torch.optim.Optimizer:
    return muon_of(model, rate or 0.02) if name == "Muon" else adamw(model, lr=rate or 4e-3)


def parts(task: Task, change: str, seed: int) -> Row:
    options = dict(PARTS[change])
    name, fresh = options.pop("optimizer", "AdamW"), options.pop("fresh", 1.0)
    runtime.seed_everything(seed)
    model = GPT(replace(PLAIN, embed_dim=64, num_heads=2, **options))
    with torch.no_grad():
        for parameter in model.layers.parameters():
            if parameter.ndim > 1:
                parameter.mul_(fresh)  # 3: standard deviation .06 instead of .02
    learn(model, task.ids["train"], STEPS, seed, optimizer=optimizer_of(model, name))
    return {"change": change, "seed": seed, "parameters": n_parameters(model), "bits": task.bits(model)}


def rates(task: Task, name: str, rate: float, seed: int) -> Row:
    """A small GPT-2 with either optimizer."""
    runtime.seed_everything(seed)
    model = GPT(replace(PLAIN, embed_dim=32, num_heads=1))
    optimizer = optimizer_of(model, name, rate)
    learn(model, task.ids["train"], SWEEP, seed, optimizer=optimizer, precision="float32")
    return {"optimizer": name, "rate": rate, "seed": seed, "bits": task.bits(model)}


def laws(task: Task, layers: int, width: int, steps: int = 320) -> Row:
    """The modern model of chapter 08 in four sizes, at a constant rate: each score is that of a whole short run."""
    runtime.seed_everything(0)
    model = GPT(replace(MODERN, num_layers=layers, embed_dim=width, num_heads=SIZES[layers, width]))
    history = learn(
        model, task.ids["train"], steps, 0, schedule=lambda step: min(1.0, step / WARM_UP),
        validate=lambda model: task.bits(model, task.glance), validate_every=40,
    )  # fmt: skip
    n = n_parameters(model)
    tokens = [step * ROWS * LENGTH for step, _ in history.validation]
    return {
        "layers": layers,
        "width": width,
        "parameters": n,
        "inside": n_parameters(model.layers),
        "tokens": tokens,
        "flops": [6.0 * n * read for read in tokens],
        "bits": [value for _, value in history.validation],
    }


RUNS: dict[str, tuple[Callable[..., Row], Iterable[tuple[Any, ...]]]] = {
    "parts": (parts, [(change, seed) for seed in SEEDS for change in PARTS]),
    "rates": (rates, [(name, rate, seed) for seed in SEEDS for name, tried in RATES.items() for rate in tried]),
    "laws": (laws, SIZES),
}


def run(name: str) -> None:
    function, settings = RUNS[name]
    kept, task = Kept(STATES / f"scaling-up-{name}.json"), Task()
    steps = SWEEP if name == "rates" else STEPS
    record = Record(f"scaling-{name}", tokens_per_step=ROWS * LENGTH, steps=steps, ln2=math.log(2))
    record.extend(kept.once(json.dumps(setting), partial(function, task, *setting)) for setting in settings)
    record.write()


if __name__ == "__main__":
    launch(__doc__, {name: partial(run, name) for name in RUNS})
