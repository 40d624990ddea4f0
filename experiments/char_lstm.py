"""Train the character LSTM of chapter 03 for longer than a page can wait: `python -m experiments.char_lstm`.

About an hour and a half on one core. Killed and started again, it goes on from `.proof/char-lstm.state`.
"""

import math
import time

import torch

from experiments.recording import CHECKPOINTS, STATES, launch, n_parameters, provenance, train
from lmcourse import data, runtime
from lmcourse.models import RecurrentConfig, RecurrentLM, TruncatedBPTTLoss
from lmcourse.tokenizers import Vocabulary
from lmcourse.training import adamw, bits_per_byte, save_checkpoint, token_batches

SEED, ROWS, LENGTH, RATE, WARM_UP, STEPS, PRECISION = 0, 64, 64, 6e-3, 200, 10_800, "bfloat16"


def main() -> None:
    runtime.seed_everything(SEED)
    device = runtime.device()
    texts = {split: data.load_text("shakespeare", split=split) for split in ("train", "valid", "test")}
    vocabulary = Vocabulary.build(texts["train"])
    ids = {split: torch.tensor(vocabulary.encode(text)) for split, text in texts.items()}
    n_bytes = {split: len(text.encode()) for split, text in texts.items()}
    model = RecurrentLM(RecurrentConfig(len(vocabulary), 64, 640, dropout=0.1)).to(device)

    def bits(model: RecurrentLM, split: str, n_tokens: int | None = None) -> float:
        part = ids[split][:n_tokens].to(device)
        return bits_per_byte(model.total_nll(part, rows=64), n_bytes[split] * len(part) // len(ids[split]))

    STATES.mkdir(exist_ok=True)
    started = time.perf_counter()
    history = train(
        model, token_batches(ids["train"], ROWS, LENGTH), STEPS, adamw(model, lr=RATE),
        loss=TruncatedBPTTLoss(), warm_up=WARM_UP, validate=lambda model: bits(model, "valid", 60_000),
        validate_every=400, precision=PRECISION, checkpoint=STATES / "char-lstm.state", checkpoint_every=400,
    )  # fmt: skip
    seconds = time.perf_counter() - started
    model = model.to(torch.bfloat16).to(torch.float32)  # what is stored is what is scored
    recipe = provenance(seed=SEED) | {
        "data": "shakespeare, split by whole plays",
        "steps": STEPS,
        "characters_per_step": ROWS * LENGTH,
        "learning_rate": RATE,
        "schedule": f"linear, {WARM_UP} steps of warm-up",
        "precision": PRECISION,
        "seconds_since_last_start": round(seconds),
        "flops": 6.0 * n_parameters(model) * STEPS * ROWS * LENGTH,
        "valid_bits_per_byte": round(bits(model, "valid"), 4),
        "test_bits_per_byte": round(bits(model, "test"), 4),
        "history": {
            "loss_bits_every_100_steps": [round(nats / math.log(2), 4) for nats in history.smoothed(100)[99::100]],
            "valid_bits_per_byte": [[step, round(value, 4)] for step, value in history.validation],
        },
    }
    save_checkpoint(CHECKPOINTS / "char_lstm", model.to(torch.bfloat16), recipe=recipe, vocabulary=vocabulary.tokens)
    print(recipe)


if __name__ == "__main__":
    launch(__doc__, main)
