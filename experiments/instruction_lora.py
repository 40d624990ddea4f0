"""SmolLM2 tuned with LoRA to write a ship's log as JSON: `python -m experiments.instruction_lora`.

For each of three seeds, the share of valid and exact replies to 50 entries that it has not seen, and
what general text costs before and after, in bits per byte; and for the first seed the share after fewer steps. Of the
first also chats before and after, the merged weights beside the adapter, and the adapter itself:
chapters/checkpoints/smollm2-log. About five minutes on one core for each.
"""

import copy
import json
import random
import time
from typing import Any

import torch

from experiments.pretrained import Smol, chat
from experiments.recording import CHECKPOINTS, Record, launch, n_parameters
from lmcourse import data, runtime
from lmcourse.alignment import CHATML, SFTTrainer
from lmcourse.alignment.lora import add_lora, lora_disabled, merge_lora, save_lora
from lmcourse.data import logbook
from lmcourse.training import bits_per_byte, linear_schedule

SEEDS = (0, 1, 2)
STEPS, SHORTER, BATCH, RATE, RANK, ALPHA, HELD_OUT = 28, 20, 4, 1e-3, 8, 16.0, 50
TARGETS = ("q_proj", "v_proj")
KEYS: dict[str, Any] = {"day": int, "wind": str, "knots": int, "sea": str, "sighted": (str, type(None))}
REQUEST = "Write this log entry as JSON with the keys day, wind, knots, sea and sighted.\n\n"
CHATS = (
    "Name three colours.",
    "What is the capital of France?",
    "Write one sentence about the sea.",
    "Is the moon larger than the earth?",
    "My ship sails at dawn with a north wind. What should I pack?",
    "Write as JSON with the keys name and age: Anna is 31 years old.",
)


def entries(n: int, seed: str) -> list[str]:
    rng = random.Random(seed)
    return [logbook.log_entry(rng.randint(1, 999), rng).strip() for _ in range(n)]


def answer_to(entry: str) -> str:
    return json.dumps(logbook.read_entry(entry))


def is_valid(reply: str) -> bool:
    """Whether a reply is JSON with the five keys and values of the right kinds, and nothing else."""
    try:
        value = json.loads(reply)
    except ValueError:
        return False
    return (
        isinstance(value, dict)
        and value.keys() == KEYS.keys()
        and all(isinstance(value[key], kind) for key, kind in KEYS.items())
    )


def score(smol: Smol, held_out: list[str]) -> dict[str, Any]:
    replies = smol.write([chat(REQUEST + entry) for entry in held_out], 64, batch_size=25)
    valid = [is_valid(reply) for reply in replies]
    exact = [v and json.loads(r) == logbook.read_entry(e) for v, r, e in zip(valid, replies, held_out, strict=True)]
    wrong = [{"entry": e, "reply": r} for e, r, good in zip(held_out, replies, exact, strict=True) if not good]
    return {
        "valid": sum(valid) / len(replies),
        "exact": sum(exact) / len(replies),
        "reply": replies[0],
        "wrong": wrong[:3],
    }


@torch.no_grad()
def general_bits(smol: Smol, windows: int = 16, length: int = 160) -> dict[str, float]:
    """Bits per byte of two texts that have nothing to do with the task; the second half of each window is scored."""
    found = {}
    for name in ("python-docs", "shakespeare"):
        ids = torch.tensor(smol.tokenizer.encode(data.load_text(name, split="test")[:400_000]))
        starts = torch.linspace(0, len(ids) - length - 1, windows).long()
        rows = ids[starts[:, None] + torch.arange(length + 1)]
        nats, scored = 0.0, 0
        for some in rows.split(8):
            log_probs = smol.model(some[:, :-1])[:, length // 2 :].log_softmax(-1)
            targets = some[:, length // 2 + 1 :]
            nats -= float(log_probs.gather(2, targets[..., None]).sum())
            scored += sum(len(smol.tokenizer.decode_bytes(row.tolist())) for row in targets)
        found[name] = round(bits_per_byte(nats, scored), 4)
    return found


def tune(smol: Smol, seed: int, steps: int = STEPS) -> dict[str, Any]:
    """Add adapters to the model and train them."""
    runtime.seed_everything(seed)
    examples = [
        CHATML.encode(
            [("user", REQUEST + entry), ("assistant", answer_to(entry))],
            smol.encode,
        )
        for entry in entries(steps * BATCH, f"lora {seed}")
    ]
    add_lora(smol.model, TARGETS, rank=RANK, alpha=ALPHA)
    trained = sum(p.numel() for p in smol.model.parameters() if p.requires_grad)
    order = torch.Generator().manual_seed(seed)
    trainer = SFTTrainer(smol.model, examples, batch_size=BATCH, lr=RATE, generator=order)
    started = time.process_time()
    history = trainer.fit(steps, schedule=lambda step: linear_schedule(step, max_steps=steps, warmup=2), progress=False)
    return {
        "seed": seed, "steps": steps, "batch": BATCH, "rate": RATE, "rank": RANK, "alpha": ALPHA,
        "targets": list(TARGETS), "trained": trained, "cpu_seconds": round(time.process_time() - started),
        "losses": [round(loss, 4) for loss in history.loss],
    }  # fmt: skip


@torch.no_grad()
def merged_difference(smol: Smol, entry: str) -> dict[str, float]:
    """The largest difference between the logits of the adapter and those of the merged weights."""
    ids = torch.tensor([smol.encode(chat(REQUEST + entry))])
    with_adapter = smol.model(ids)
    with lora_disabled(smol.model):
        base = smol.model(ids)
    merged = copy.deepcopy(smol.model)
    merge_lora(merged)
    return {
        "difference": float((merged(ids) - with_adapter).abs().max()),
        "largest_logit": float(with_adapter.abs().max()),
        "from_base": float((base - with_adapter).abs().max()),
    }


def main() -> None:
    held_out, record = entries(HELD_OUT, "held out"), Record("instruction-lora", seed=SEEDS[0])
    record.add({"what": "asked", "request": REQUEST, "entry": held_out[0], "held_out": HELD_OUT})
    smol = Smol()
    before = {"what": "before", "parameters": n_parameters(smol.model), "bits": general_bits(smol)}
    record.add(before | score(smol, held_out))
    chats = [chat(text) for text in CHATS]
    for seed in SEEDS:
        first = seed == SEEDS[0]
        smol = smol if first else Smol()
        untuned = smol.write(chats, 40) if first else []
        row = {"what": "tuned", **tune(smol, seed)}
        record.add(row | {"bits": general_bits(smol), **score(smol, held_out)})
        if first:
            record.add({"what": "merged", **merged_difference(smol, held_out[0])})
            for prompt, one, other in zip(CHATS, untuned, smol.write(chats, 40), strict=True):
                record.add({"what": "chat", "prompt": prompt, "before": one, "after": other})
            save_lora(CHECKPOINTS / "smollm2-log", smol.model, base="SmolLM2-135M-Instruct (the corpus smollm2)")
    smol = Smol()
    row = {"what": "tuned shorter", **tune(smol, SEEDS[0], SHORTER)}
    record.add(row | score(smol, held_out))
    record.write()


if __name__ == "__main__":
    launch(__doc__, main)
