"""The live GPT of chapter 08 under other settings: `python -m experiments.gpt_live`.

time: each row changes one training in the way that it names, and gets as many steps as fit into `BUDGET_S` seconds of
one core in float32, at the pace of its own first steps. The pace is that of the moment, so have nothing beside it.
steps: each row changes a later training, and reads as many tokens (`TOKENS`) whatever the machine does. With them stand
the run of the page and a shorter one, each with a text that it wrote. The learning rate falls to 0 at the last step.

They go to chapters/recorded/gpt-live.json and gpt-live-steps.json. A minute for each row on one core; killed and
started again, it goes on with the rows that are missing in `.proof/gpt-live.json`.
"""

import statistics
import time
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from typing import Any

import torch
from torch.nn import functional as F

from experiments.recording import STATES, Kept, Record, launch, n_parameters
from lmcourse import data, runtime
from lmcourse.generation import generate
from lmcourse.models import GPT, GPTConfig
from lmcourse.tokenizers import BPETokenizer
from lmcourse.training import bits_per_byte, linear_schedule, muon, token_batches

BUDGET_S, TIMED_STEPS, LENGTH, SEED = 45.0, 16, 64, 0
TOKENS = 512_000  # of a row of `steps`


@dataclass(frozen=True)
class Setting:
    """The training from which the sweep starts; a row replaces some of it."""

    vocabulary: int = 2048
    rows: int = 32  # windows a step
    rate: float = 0.02  # of Muon
    adamw_rate: float = 4e-3
    qk_norm: bool = False
    width: int = 96  # heads are 32 wide
    length: int = LENGTH
    momentum: float = 0.95  # of Muon
    init: str = "library"  # of the linear layers: "library" or "torch"


START = Setting()
LATER = Setting(rows=16, adamw_rate=0.012, init="torch")  # from where `steps` begins
PAGE_CHANGES: dict[str, Any] = {"momentum": 0.9}  # the run of the page
PAGE_STEPS, FEWER_STEPS = 1_280, 900  # and a shorter one
PAGE = replace(LATER, **PAGE_CHANGES)
SWEEP: dict[str, dict[str, Any]] = {
    "as it was": {},
    "learning rate of Muon 0.035": {"rate": 0.035},
    "learning rate of AdamW 0.012": {"adamw_rate": 0.012},
    "16 windows a step": {"rows": 16},
    "queries and keys normalised": {"qk_norm": True},
    "vocabulary of 1,024": {"vocabulary": 1024},
}
STEPS: dict[str, dict[str, Any]] = {
    "as it was": {},
    "momentum of Muon 0.9": {"momentum": 0.9},
    "momentum of Muon 0.85": {"momentum": 0.85},
    "learning rate of Muon 0.035": {"rate": 0.035},
    "learning rate of AdamW 0.025": {"adamw_rate": 0.025},
    "8 windows a step, twice the steps": {"rows": 8},
    "windows of 128 tokens, half as many": {"length": 128, "rows": 8},
    "64 wide": {"width": 64},
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
        setting.length,
        embed_dim=setting.width,
        num_heads=setting.width // 32,
        num_layers=2,
        positions="rotary",
        norm="rms",
        bias=False,
        qk_norm=setting.qk_norm,
        zero_outputs=True,
    )
    model = GPT(config)
    torch.nn.init.normal_(model.embedding.weight, std=0.02)
    if setting.init == "torch":
        for name, part in model.layers.named_modules():
            if isinstance(part, torch.nn.Linear) and not name.endswith(("out_proj", "down")):  # those begin with zeros
                part.reset_parameters()
    return model


def steps_of(model: GPT, setting: Setting, steps: int) -> list[float]:
    """Train for some steps, as the loop of the page does; returns the seconds of each."""
    batch = token_batches(ids_of(setting.vocabulary, "train"), setting.rows, setting.length, shuffle=True)
    optimizer = muon(model, setting.rate, adamw_lr=setting.adamw_rate, momentum=setting.momentum, bfloat16=False)
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


def described(model: GPT, setting: Setting, changes: dict[str, Any], steps: int, seconds: float) -> dict[str, Any]:
    tokens = steps * setting.rows * setting.length
    return {
        "changes": changes,
        "parameters": n_parameters(model),
        "steps": steps,
        "tokens": tokens,
        "epochs": round(tokens / len(ids_of(setting.vocabulary, "train")), 2),
        "seconds": round(seconds, 1),
        "valid_bits": bits(model, setting.vocabulary, "valid"),
    }


def for_the_time(changes: dict[str, Any]) -> dict[str, Any]:
    """Train for `BUDGET_S` seconds."""
    setting = replace(START, **changes)
    pace = statistics.median(steps_of(fresh(setting), setting, TIMED_STEPS)[4:])
    steps = int(BUDGET_S / pace)
    model = fresh(setting)
    seconds = sum(steps_of(model, setting, steps))
    row = described(model, setting, changes, steps, seconds)
    return row | {"test_bits": bits(model, setting.vocabulary, "test")}


def for_the_tokens(changes: dict[str, Any]) -> dict[str, Any]:
    """Train on `TOKENS` tokens."""
    setting = replace(LATER, **changes)
    steps = TOKENS // (setting.rows * setting.length)
    model = fresh(setting)
    return described(model, setting, changes, steps, sum(steps_of(model, setting, steps)))


def of_the_page(page_steps: int) -> dict[str, Any]:
    """The run of the page, and what its model writes after the name of a speaker."""
    model = fresh(PAGE)
    row = described(model, PAGE, PAGE_CHANGES, page_steps, sum(steps_of(model, PAGE, page_steps)))
    tokenizer = tokenizer_of(PAGE.vocabulary)
    prompt = torch.tensor([tokenizer.encode("\n\nHAMLET.\n")])
    draws = torch.Generator().manual_seed(SEED)
    written = generate(model.eval(), prompt, 48, temperature=0.8, top_p=0.9, generator=draws)[0]
    sample = tokenizer.decode(written.tolist()).strip()
    return row | {"test_bits": bits(model, PAGE.vocabulary, "test"), "sample": sample}


def main() -> None:
    torch.set_num_threads(1)
    kept = Kept(STATES / "gpt-live.json")
    in_time = Record("gpt-live", seed=SEED, precision="float32", budget_s=BUDGET_S)
    for setting, changes in SWEEP.items():
        key = f"time {asdict(replace(START, **changes))}"
        in_time.add({"setting": setting} | kept.once(key, partial(for_the_time, changes)))
    in_time.write()
    in_steps = Record("gpt-live-steps", seed=SEED, precision="float32")
    for setting, changes in STEPS.items():
        key = f"steps {asdict(replace(LATER, **changes))}"
        in_steps.add({"setting": setting} | kept.once(key, partial(for_the_tokens, changes)))
    for n in (FEWER_STEPS, PAGE_STEPS):
        found = kept.once(f"page {n} {asdict(PAGE)}", partial(of_the_page, n))
        in_steps.add({"setting": f"the live run, {n:,} steps"} | found)
    in_steps.write()


if __name__ == "__main__":
    launch(__doc__, main)
