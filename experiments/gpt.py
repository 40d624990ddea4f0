"""Train the GPT of chapter 08 for longer than a page can wait: `python -m experiments.gpt`.

About 40 minutes on one core. Killed and started again, it goes on from `.proof/gpt.state`. The learning rate follows
lines between the points of `RATES`, so that a run may be given more steps, or fewer, while its rate is not yet 0.
"""

import copy
import math
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from experiments.recording import CHECKPOINTS, STATES, launch, n_parameters, provenance, train
from lmcourse import data, runtime
from lmcourse.models import GPT, GPTConfig
from lmcourse.tokenizers import BPETokenizer
from lmcourse.training import bits_per_byte, muon, save_checkpoint, token_batches

SEED, VOCABULARY, ROWS, LENGTH, WIDTH, PRECISION = 0, 2048, 16, 256, 256, "bfloat16"
RATES = "0:0 100:1 1100:1 1450:0.65 1750:0"  # the share of the learning rate at some steps, in lines between
MUON_RATE, ADAMW_RATE, WEIGHT_DECAY = 0.02, 4e-3, 0.05


class Best:
    """Scores a model on the validation text, and keeps the weights of the best score in a file."""

    def __init__(self, path: Path, score: Callable[[GPT], float]) -> None:
        self.path, self.score = path, score
        self.lowest = torch.load(path, weights_only=True)["score"] if path.exists() else math.inf

    def __call__(self, model: GPT) -> float:
        value = self.score(model)
        if value < self.lowest:
            self.lowest = value
            torch.save({"score": value, "weights": copy.deepcopy(model.state_dict())}, self.path)
        return value


def main() -> None:
    runtime.seed_everything(SEED)
    device = runtime.device()
    texts = {split: data.load_text("shakespeare", split=split) for split in ("train", "valid", "test")}
    tokenizer = BPETokenizer.train(texts["train"], VOCABULARY)
    ids = {split: torch.tensor(tokenizer.encode(text)) for split, text in texts.items()}
    config = GPTConfig(
        tokenizer.vocab_size, LENGTH, WIDTH, num_heads=WIDTH // 64, num_layers=4, positions="rotary", norm="rms",
        activation="relu2", dropout=0.1, bias=False, qk_norm=True, zero_outputs=True,
    )  # fmt: skip
    model = GPT(config).to(device)

    def bits(model: GPT, split: str, part: Tensor | None = None) -> float:
        part = ids[split] if part is None else part
        n_bytes = len(tokenizer.decode_bytes(part.tolist()))
        return bits_per_byte(model.total_nll(part.to(device)), n_bytes)

    at, shares = zip(*(map(float, point.split(":")) for point in RATES.split()), strict=True)
    steps = int(at[-1])
    STATES.mkdir(exist_ok=True)
    best = Best(STATES / "gpt.best", lambda model: bits(model, "valid", ids["valid"][:20_000]))
    started = time.process_time()
    history = train(
        model, token_batches(ids["train"], ROWS, LENGTH, shuffle=True), steps,
        muon(model, MUON_RATE, adamw_lr=ADAMW_RATE, weight_decay=WEIGHT_DECAY, bfloat16=True),
        schedule=lambda step: float(np.interp(step, at, shares)), validate=best, validate_every=250,
        precision=PRECISION, checkpoint=STATES / "gpt.state", checkpoint_every=50,
    )  # fmt: skip
    seconds = time.process_time() - started
    model.load_state_dict(torch.load(best.path, weights_only=True)["weights"])
    model = model.to(torch.bfloat16).to(torch.float32)  # what is stored is what is scored
    tokens = steps * ROWS * LENGTH
    recipe = provenance(seed=SEED) | {
        "data": "shakespeare, split by whole plays",
        "tokenizer": "gpt.bpe.json, byte-level BPE trained on the train split",
        "steps": steps,
        "tokens_per_step": ROWS * LENGTH,
        "epochs": round(tokens / len(ids["train"]), 2),
        "learning_rate": {"muon": MUON_RATE, "adamw": ADAMW_RATE},
        "weight_decay": WEIGHT_DECAY,
        "schedule": f"shares of the rate by step: {RATES}",
        "precision": PRECISION,
        # a run that was cut off has no clock of its own: its steps took as long as those since the last start
        "cpu_seconds": round(seconds * len(history) / max(len(history) - history.resumed_from, 1)),
        "flops": 6.0 * n_parameters(model) * tokens,
        "best_step": min(history.validation, key=lambda pair: pair[1])[0],
        "valid_bits_per_byte": round(bits(model, "valid"), 4),
        "test_bits_per_byte": round(bits(model, "test"), 4),
        "history": {
            "loss_nats_every_100_steps": [round(nats, 4) for nats in history.smoothed(100)[99::100]],
            "valid_bits_per_byte": [[step, round(value, 4)] for step, value in history.validation],
        },
    }
    tokenizer.save(CHECKPOINTS / "gpt.bpe.json")
    tokens_of = [tokenizer.decode_bytes([number]).decode("latin-1") for number in range(tokenizer.vocab_size)]
    save_checkpoint(CHECKPOINTS / "gpt", model.to(torch.bfloat16), recipe=recipe, vocabulary=tokens_of)
    print(recipe)


if __name__ == "__main__":
    launch(__doc__, main)
