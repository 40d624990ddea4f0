"""The comparisons of chapter 13, with small GPTs on Shakespeare: `python -m experiments.scaling_up`.

parts: one change to GPT-2 at a time, at equal settings, two seeds. rates: AdamW and Muon, each at several learning
rates, two seeds. laws: the loss of four sizes after every 40 steps, at a constant rate. Each writes
chapters/recorded/scaling-NAME.json. About half an hour on one core; killed and started again, it goes on with the runs
that are missing in `.proof/scaling-up-NAME.json`.
"""

import argparse
import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import nn

from experiments.provenance import provenance, write_run
from lmcourse import data, runtime
from lmcourse.models import GPT, GPTConfig
from lmcourse.tokenizers import BPETokenizer
from lmcourse.training import History, adamw, bits_per_byte, fit, linear_schedule, muon, token_batches

VOCABULARY, ROWS, LENGTH, WARM_UP = 2048, 32, 64, 20
STEPS, SWEEP, SEEDS = 240, 120, (0, 1)  # steps of the comparison of parts, and of the sweeps
TOKENIZER, OUT, STATE = Path("chapters/checkpoints/gpt.bpe.json"), Path("chapters/recorded"), Path(".proof")
PLAIN = GPTConfig(VOCABULARY, LENGTH, embed_dim=64, num_heads=2, num_layers=2)

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
SMALL = replace(PLAIN, embed_dim=32, num_heads=1)  # of the sweeps
RATES = [
    ("AdamW", 4e-3),
    ("AdamW", 8e-3),
    ("AdamW", 16e-3),
    ("AdamW", 32e-3),
    ("Muon", 0.01),
    ("Muon", 0.02),
    ("Muon", 0.04),
    ("Muon", 0.08),
]
SIZES = {(1, 32): 1, (1, 64): 2, (2, 96): 3, (3, 128): 4}  # (layers, width): heads


class Task:
    """Shakespeare in the tokens of chapter 08."""

    def __init__(self) -> None:
        self.tokenizer = BPETokenizer.load(TOKENIZER)
        self.train = torch.tensor(self.tokenizer.encode(data.load_text("shakespeare", split="train")))
        self.held_out = torch.tensor(self.tokenizer.encode(data.load_text("shakespeare", split="valid")))[:40_000]

    def bits(self, model: GPT, n_tokens: int = 40_000) -> float:
        ids = self.held_out[:n_tokens]
        return round(
            bits_per_byte(model.total_nll(ids, batch_size=64), len(self.tokenizer.decode_bytes(ids.tolist()))), 4
        )


def parameters_of(model: nn.Module) -> int:
    return sum(parameter.numel() for parameter in model.parameters())


def train(
    model: GPT, task: Task, steps: int, seed: int, optimizer: torch.optim.Optimizer, precision: str, **more: Any
) -> History:
    settings = {"schedule": lambda step: linear_schedule(step, max_steps=steps, warmup=WARM_UP)} | more
    return fit(
        model,
        token_batches(task.train, ROWS, LENGTH, shuffle=True, generator=torch.Generator().manual_seed(seed)),
        lambda model, batch: model.loss(*batch),
        optimizer=optimizer,
        max_steps=steps,
        precision=precision,
        progress=False,
        **settings,
    )


def optimizer_of(model: GPT, name: str, rate: float | None = None) -> torch.optim.Optimizer:
    if name == "Muon":
        return muon(model, rate or 0.02, adamw_lr=4e-3, bfloat16=True)
    return adamw(model, lr=rate or 4e-3)


def parts(task: Task, change: str, seed: int) -> dict[str, Any]:
    options = dict(PARTS[change])
    name, fresh = options.pop("optimizer", "AdamW"), options.pop("fresh", 1.0)
    runtime.seed_everything(seed)
    model = GPT(replace(PLAIN, **options))
    with torch.no_grad():
        for parameter in model.layers.parameters():
            if parameter.ndim > 1:
                parameter.mul_(fresh)  # 3: standard deviation .06 instead of .02
    train(model, task, STEPS, seed, optimizer_of(model, name), "bfloat16")
    return {"change": change, "seed": seed, "parameters": parameters_of(model), "bits": task.bits(model)}


def rates(task: Task, name: str, rate: float, seed: int) -> dict[str, Any]:
    """A small GPT-2 with either optimizer."""
    runtime.seed_everything(seed)
    model = GPT(SMALL)
    train(model, task, SWEEP, seed, optimizer_of(model, name, rate), "float32")
    return {"optimizer": name, "rate": rate, "seed": seed, "bits": task.bits(model)}


def laws(task: Task, layers: int, width: int, steps: int = 320) -> dict[str, Any]:
    """The modern model of chapter 08 in four sizes, at a constant rate: each score is that of a whole short run."""
    runtime.seed_everything(0)
    modern: dict[str, Any] = {"positions": "rotary", "norm": "rms", "activation": "relu2", "bias": False}
    model = GPT(
        replace(
            PLAIN, embed_dim=width, num_heads=SIZES[layers, width], num_layers=layers, **modern,
            qk_norm=True, zero_outputs=True,
        )
    )  # fmt: skip
    history = train(
        model, task, steps, 0, optimizer_of(model, "Muon"), "bfloat16",
        schedule=lambda step: min(1.0, step / WARM_UP),
        validate=lambda model: task.bits(model, 10_000), validate_every=40,
    )  # fmt: skip
    n = parameters_of(model)
    return {
        "layers": layers,
        "width": width,
        "parameters": n,
        "inside": parameters_of(model.layers),
        "tokens": [step * ROWS * LENGTH for step, _ in history.validation],
        "flops": [6.0 * n * step * ROWS * LENGTH for step, _ in history.validation],
        "bits": [value for _, value in history.validation],
    }


RUNS: dict[str, tuple[Callable[..., dict[str, Any]], list[tuple[Any, ...]]]] = {
    "parts": (parts, [(change, seed) for seed in SEEDS for change in PARTS]),
    "rates": (rates, [(*setting, seed) for seed in SEEDS for setting in RATES]),
    "laws": (laws, list(SIZES)),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(RUNS)}; all by default")
    parser.add_argument("--most", type=int, default=1_000, help="stop after so many runs, to go on another time")
    arguments = parser.parse_args()
    left = arguments.most
    task = Task()
    for name in arguments.names or RUNS:
        function, settings = RUNS[name]
        state = STATE / f"scaling-up-{name}.json"
        done: dict[str, Any] = json.loads(state.read_text()) if state.exists() else {}
        for setting in settings:
            key = json.dumps(setting)
            if key not in done:
                if not left:
                    return
                left -= 1
                done[key] = function(task, *setting)
                state.parent.mkdir(parents=True, exist_ok=True)
                state.write_text(json.dumps(done))
                print(name, *setting, done[key]["bits"], flush=True)
        record = {"name": f"scaling-{name}"} | provenance(f"python -m experiments.scaling_up {name}", seed=0)
        record |= {"tokens_per_step": ROWS * LENGTH, "steps": SWEEP if name == "rates" else STEPS, "ln2": math.log(2)}
        write_run(OUT / f"scaling-{name}.json", record | {"rows": [done[json.dumps(s)] for s in settings]})


if __name__ == "__main__":
    main()
