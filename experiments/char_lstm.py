"""Train the character LSTM of chapter 03 for longer than a page can wait: `python -m experiments.char_lstm`.

About an hour and a half on one core. Killed and started again, it goes on from `.proof/char-lstm.state`.
"""

import argparse
import math
import time
from pathlib import Path

import torch

from experiments.provenance import provenance
from lmcourse import data, runtime
from lmcourse.models import RecurrentConfig, RecurrentLM, TruncatedBPTTLoss
from lmcourse.tokenizers import Vocabulary
from lmcourse.training import adamw, bits_per_byte, fit, linear_schedule, save_checkpoint, token_batches

SEED, ROWS, LENGTH, RATE, WARM_UP = 0, 64, 64, 6e-3, 200
OUT = Path("chapters/checkpoints/char_lstm")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=10_800)
    parser.add_argument("--hidden-size", type=int, default=640)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--precision", default="bfloat16", help="of the matrix products: bfloat16 or float32")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--state", type=Path, default=Path(".proof/char-lstm.state"))
    arguments = parser.parse_args()
    runtime.seed_everything(SEED)
    device = runtime.device()

    texts = {split: data.load_text("shakespeare", split=split) for split in ("train", "valid", "test")}
    vocabulary = Vocabulary.build(texts["train"])
    ids = {split: torch.tensor(vocabulary.encode(text)) for split, text in texts.items()}
    n_bytes = {split: len(text.encode()) for split, text in texts.items()}
    config = RecurrentConfig(len(vocabulary), 64, arguments.hidden_size, dropout=arguments.dropout)
    model = RecurrentLM(config).to(device)

    def bits(model: RecurrentLM, split: str, n_tokens: int | None = None) -> float:
        part = ids[split][:n_tokens].to(device)
        return bits_per_byte(model.total_nll(part, rows=64), n_bytes[split] * len(part) // len(ids[split]))

    def schedule(step: int) -> float:
        return linear_schedule(step, max_steps=arguments.steps, warmup=WARM_UP)

    arguments.state.parent.mkdir(parents=True, exist_ok=True)
    started = time.perf_counter()
    history = fit(
        model,
        token_batches(ids["train"], ROWS, LENGTH),
        TruncatedBPTTLoss(),
        optimizer=adamw(model, lr=RATE),
        schedule=schedule,
        max_steps=arguments.steps,
        validate=lambda model: bits(model, "valid", 60_000),
        validate_every=400,
        precision=arguments.precision,
        checkpoint=arguments.state,
        checkpoint_every=400,
    )
    seconds = time.perf_counter() - started
    model = model.to(torch.bfloat16).to(torch.float32)  # what is stored is what is scored
    recipe = provenance("python -m experiments.char_lstm", seed=SEED) | {
        "data": "shakespeare, split by whole plays",
        "steps": arguments.steps,
        "characters_per_step": ROWS * LENGTH,
        "learning_rate": RATE,
        "schedule": f"linear, {WARM_UP} steps of warm-up",
        "precision": arguments.precision,
        "seconds_since_last_start": round(seconds),
        "flops": 6.0 * sum(p.numel() for p in model.parameters()) * arguments.steps * ROWS * LENGTH,
        "valid_bits_per_byte": round(bits(model, "valid"), 4),
        "test_bits_per_byte": round(bits(model, "test"), 4),
        "history": {
            "loss_bits_every_100_steps": [round(nats / math.log(2), 4) for nats in history.smoothed(100)[99::100]],
            "valid_bits_per_byte": [[step, round(value, 4)] for step, value in history.validation],
        },
    }
    save_checkpoint(arguments.out, model.to(torch.bfloat16), recipe=recipe, vocabulary=vocabulary.tokens)
    print({name: recipe[name] for name in ("valid_bits_per_byte", "test_bits_per_byte", "seconds_since_last_start")})


if __name__ == "__main__":
    main()
