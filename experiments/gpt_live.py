"""The live GPT of chapter 08 under other settings, for the same processor time: `python -m experiments.gpt_live`.

Each row changes one training in the way that it names, and gets as many steps as fit into `BUDGET_S` seconds of one
core in float32, at the pace of its own first steps. The learning rate falls to 0 at the last step. Writes
chapters/recorded/gpt-live.json. The pace is that of the moment, so have nothing beside it. A minute for each row on one
core; killed and started again, it goes on with the rows that are missing in `.proof/gpt-live.json`.
"""

import argparse
import json
import statistics
import time
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch.nn import functional as F

from experiments.provenance import provenance, write_run
from lmcourse import data, runtime
from lmcourse.models import GPT, GPTConfig
from lmcourse.tokenizers import BPETokenizer
from lmcourse.training import bits_per_byte, linear_schedule, muon, token_batches

BUDGET_S, TIMED_STEPS, LENGTH, SEED = 45.0, 16, 64, 0
STATE, OUT = Path(".proof/gpt-live.json"), Path("chapters/recorded/gpt-live.json")


@dataclass(frozen=True)
class Setting:
    """The training from which the sweep starts; a row replaces some of it."""

    vocabulary: int = 2048
    rows: int = 32  # windows a step
    rate: float = 0.02  # of Muon
    adamw_rate: float = 4e-3
    qk_norm: bool = False


START = Setting()
SWEEP: dict[str, dict[str, Any]] = {
    "as it was": {},
    "learning rate of Muon 0.035": {"rate": 0.035},
    "learning rate of AdamW 0.012": {"adamw_rate": 0.012},
    "16 windows a step": {"rows": 16},
    "queries and keys normalised": {"qk_norm": True},
    "vocabulary of 1,024": {"vocabulary": 1024},
}


@cache
def tokenizer_of(vocabulary: int) -> BPETokenizer:
    return BPETokenizer.train(data.load_text("shakespeare", split="train"), vocabulary)


@cache
def ids_of(vocabulary: int, split: str) -> torch.Tensor:
    return torch.tensor(tokenizer_of(vocabulary).encode(data.load_text("shakespeare", split=split)))


def fresh(setting: Setting) -> GPT:
    runtime.seed_everything(SEED)
    config = GPTConfig(
        setting.vocabulary,
        LENGTH,
        embed_dim=96,
        num_heads=3,
        num_layers=2,
        positions="rotary",
        norm="rms",
        bias=False,
        qk_norm=setting.qk_norm,
        zero_outputs=True,
    )
    model = GPT(config)
    torch.nn.init.normal_(model.embedding.weight, std=0.02)
    return model


def steps_of(model: GPT, setting: Setting, steps: int) -> list[float]:
    """Train for some steps, as the loop of the page does; returns the seconds of each."""
    batch = token_batches(ids_of(setting.vocabulary, "train"), setting.rows, LENGTH, shuffle=True)
    optimizer = muon(model, setting.rate, adamw_lr=setting.adamw_rate, bfloat16=False)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: linear_schedule(step + 1, max_steps=steps, warmup=round(0.05 * steps))
    )
    seconds = []
    for step in range(1, steps + 1):
        started = time.process_time()
        inputs, targets = batch(step)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        seconds.append(time.process_time() - started)
    return seconds


def bits(model: GPT, vocabulary: int, split: str) -> float:
    ids = ids_of(vocabulary, split)
    n_bytes = len(data.load_text("shakespeare", split=split).encode())
    return round(bits_per_byte(model.total_nll(ids, batch_size=64), n_bytes), 4)


def run(changes: dict[str, Any]) -> dict[str, Any]:
    setting = replace(START, **changes)
    pace = statistics.median(steps_of(fresh(setting), setting, TIMED_STEPS)[4:])
    steps = int(BUDGET_S / pace)
    model = fresh(setting)
    seconds = sum(steps_of(model, setting, steps))
    return {
        "changes": changes,
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "steps": steps,
        "tokens": steps * setting.rows * LENGTH,
        "epochs": round(steps * setting.rows * LENGTH / len(ids_of(setting.vocabulary, "train")), 2),
        "seconds": round(seconds, 1),
        "valid_bits": bits(model, setting.vocabulary, "valid"),
        "test_bits": bits(model, setting.vocabulary, "test"),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="the changes of one trial, as JSON; it is printed and not recorded")
    parser.add_argument("--state", type=Path, default=STATE)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    if arguments.only:
        print(json.dumps(run(json.loads(arguments.only))), flush=True)
        return
    done: dict[str, Any] = json.loads(arguments.state.read_text()) if arguments.state.exists() else {}
    for name, changes in SWEEP.items():
        key = json.dumps(changes, sort_keys=True)
        if key not in done:
            done[key] = run(changes)
            arguments.state.parent.mkdir(parents=True, exist_ok=True)
            arguments.state.write_text(json.dumps(done))
        print(name, done[key], flush=True)
    record = {"name": "gpt-live"} | provenance("python -m experiments.gpt_live", seed=SEED)
    record |= {"budget_s": BUDGET_S, "precision": "float32"}
    record |= {
        "rows": [{"setting": name} | done[json.dumps(changes, sort_keys=True)] for name, changes in SWEEP.items()]
    }
    write_run(OUT, record)


if __name__ == "__main__":
    main()
