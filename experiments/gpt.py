"""Train the GPT of chapter 08 for longer than a page can wait: `python -m experiments.gpt`.

About 40 minutes on one core. Killed and started again, it goes on from `.proof/gpt.state`. The learning rate follows
lines between the points of `--rates`, so that a run may be given more steps, or fewer, while its rate is not yet 0.
"""

import argparse
import copy
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from experiments.provenance import provenance
from lmcourse import data, runtime
from lmcourse.models import GPT, GPTConfig
from lmcourse.tokenizers import BPETokenizer
from lmcourse.training import History, bits_per_byte, fit, muon, save_checkpoint, token_batches

SEED, VOCABULARY = 0, 2048
RATES = "0:0 100:1 1100:1 1450:0.65 1750:0"
OUT = Path("chapters/checkpoints/gpt")


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


def settings() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rates", default=RATES, help="the share of the learning rate at some steps, in lines between")
    parser.add_argument("--rows", type=int, default=16)
    parser.add_argument("--length", type=int, default=256)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--rate", type=float, default=0.02, help="of Muon")
    parser.add_argument("--adamw-rate", type=float, default=4e-3, help="of AdamW")
    parser.add_argument("--weight-decay", type=float, default=0.05)
    parser.add_argument("--precision", default="bfloat16", help="of the matrix products: bfloat16 or float32")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--state", type=Path, default=Path(".proof/gpt.state"))
    parser.add_argument("--stop-at", type=int, help="for a trial: stop after this many steps and score nothing")
    return parser.parse_args()


def config_of(arguments: argparse.Namespace, vocabulary: int) -> GPTConfig:
    return GPTConfig(
        vocabulary,
        arguments.length,
        arguments.width,
        arguments.width // 64,
        arguments.layers,
        positions="rotary",
        norm="rms",
        activation="relu2",
        dropout=arguments.dropout,
        bias=False,
        qk_norm=True,
        zero_outputs=True,
    )


def about(
    arguments: argparse.Namespace, model: GPT, history: History, steps: int, n_ids: int, seconds: float
) -> dict[str, Any]:
    """What the recipe says of the run, but for its scores."""
    tokens = steps * arguments.rows * arguments.length
    return provenance("python -m experiments.gpt", seed=SEED) | {
        "data": "shakespeare, split by whole plays",
        "tokenizer": f"{arguments.out.name}.bpe.json, byte-level BPE trained on the train split",
        "steps": steps,
        "tokens_per_step": arguments.rows * arguments.length,
        "epochs": round(tokens / n_ids, 2),
        "learning_rate": {"muon": arguments.rate, "adamw": arguments.adamw_rate},
        "weight_decay": arguments.weight_decay,
        "schedule": f"shares of the rate by step: {arguments.rates}",
        "precision": arguments.precision,
        # a run that was cut off has no clock of its own: its steps took as long as those since the last start
        "cpu_seconds": round(seconds * len(history) / max(len(history) - history.resumed_from, 1)),
        "flops": 6.0 * sum(p.numel() for p in model.parameters()) * tokens,
        "best_step": min(history.validation, key=lambda pair: pair[1])[0],
    }


def main() -> None:
    arguments = settings()
    runtime.seed_everything(SEED)
    device = runtime.device()

    texts = {split: data.load_text("shakespeare", split=split) for split in ("train", "valid", "test")}
    tokenizer = BPETokenizer.train(texts["train"], VOCABULARY)
    ids = {split: torch.tensor(tokenizer.encode(text)) for split, text in texts.items()}
    model = GPT(config_of(arguments, tokenizer.vocab_size)).to(device)

    def bits(model: GPT, split: str, part: Tensor | None = None) -> float:
        part = ids[split] if part is None else part
        n_bytes = len(tokenizer.decode_bytes(part.tolist()))
        return bits_per_byte(model.total_nll(part.to(device)), n_bytes)

    at, shares = zip(*(map(float, point.split(":")) for point in arguments.rates.split()), strict=True)
    steps = int(at[-1])
    arguments.state.parent.mkdir(parents=True, exist_ok=True)
    best = Best(arguments.state.with_suffix(".best"), lambda model: bits(model, "valid", ids["valid"][:20_000]))
    started = time.process_time()
    history = fit(
        model,
        token_batches(ids["train"], arguments.rows, arguments.length, shuffle=True),
        lambda model, batch: model.loss(*batch),
        optimizer=muon(
            model, arguments.rate, adamw_lr=arguments.adamw_rate, weight_decay=arguments.weight_decay, bfloat16=True
        ),
        schedule=lambda step: float(np.interp(step, at, shares)),
        max_steps=arguments.stop_at or steps,
        validate=best,
        validate_every=250,
        precision=arguments.precision,
        checkpoint=arguments.state,
        checkpoint_every=50,
    )
    seconds = time.process_time() - started
    print([(step, round(value, 4)) for step, value in history.validation], f"{seconds:.0f} s of CPU time", flush=True)
    if arguments.stop_at:
        return
    model.load_state_dict(torch.load(best.path, weights_only=True)["weights"])
    model = model.to(torch.bfloat16).to(torch.float32)  # what is stored is what is scored
    recipe = about(arguments, model, history, steps, len(ids["train"]), seconds)
    recipe |= {f"{split}_bits_per_byte": round(bits(model, split), 4) for split in ("valid", "test")}
    recipe["history"] = {
        "loss_nats_every_100_steps": [round(nats, 4) for nats in history.smoothed(100)[99::100]],
        "valid_bits_per_byte": [[step, round(value, 4)] for step, value in history.validation],
    }
    tokenizer.save(arguments.out.with_suffix(".bpe.json"))
    tokens_of = [tokenizer.decode_bytes([number]).decode("latin-1") for number in range(tokenizer.vocab_size)]
    save_checkpoint(arguments.out, model.to(torch.bfloat16), recipe=recipe, vocabulary=tokens_of)
    print({name: recipe[name] for name in ("valid_bits_per_byte", "test_bits_per_byte", "best_step")})


if __name__ == "__main__":
    main()
