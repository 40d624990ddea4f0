"""What each part of the transformer is worth, on chapter 04's numbers: `python -m experiments.transformer_ablations`.

One thing is changed at a time; every run has the same data, steps and seeds. About 25 minutes on one core. Killed and
started again, it goes on with the runs that are missing in `.proof/transformer-ablations.json`.
"""

import argparse
import json
import statistics
from functools import partial
from pathlib import Path
from typing import Any

import torch

from experiments.provenance import Kept, provenance, write_run
from lmcourse import data, runtime
from lmcourse.generation import translate
from lmcourse.models import Transformer, TransformerConfig
from lmcourse.tokenizers import Vocabulary
from lmcourse.training import adamw, cosine_schedule, encode_pairs, fit, label_smoothed_kl, pad, pair_batches
from lmcourse.training.pairs import SPECIAL_TOKENS

BATCH, RATE, WARM_UP, EVERY = 64, 3e-3, 100, 50
SEEDS = (0, 1)
BASE: dict[str, Any] = {"layers": 2, "hidden_size": 256, "norm": "pre", "warm_up": WARM_UP, "smoothing": 0.0}
RUNS: dict[str, list[dict[str, Any]]] = {
    "norm": [
        {"norm": norm, "warm_up": warm_up, "layers": layers}
        for layers in (2, 6)
        for norm in ("pre", "post")
        for warm_up in (WARM_UP, 0)
    ],
    "hidden_size": [{"hidden_size": size} for size in (1, 8, 32, 64, 128, 256)],
    "layers": [{"layers": layers} for layers in (1, 2, 3, 4)],
    "smoothing": [{"smoothing": smoothing} for smoothing in (0.0, 0.1, 0.3)],
    "rate": [{"norm": "post", "layers": 6, "rate": 1e-3}],  # does a lower rate rescue deep post-norm?
}


class Task:
    """Numbers in words, English to German."""

    def __init__(self) -> None:
        pairs = {
            split: [(s.split(), t.split()) for s, t in data.load_pairs("numbers-en-de", split=split)]
            for split in ("train", "valid")
        }
        sides = list(zip(*pairs["train"], strict=True))
        self.vocabularies = [
            Vocabulary.build([token for text in side for token in text], special_tokens=SPECIAL_TOKENS)
            for side in sides
        ]
        self.ids = {split: encode_pairs(part, *self.vocabularies) for split, part in pairs.items()}

    def nats(self, model: Transformer, split: str = "valid", n: int = 762) -> float:
        """Mean cross-entropy of a target token, without smoothing."""
        part = self.ids[split][:n]
        return float(model.loss(pad([source for source, _ in part]), pad([target for _, target in part])))

    def exact(self, model: Transformer, n: int = 400) -> float:
        part = self.ids["valid"][:: len(self.ids["valid"]) // n][:n]
        found = translate(model, pad([source for source, _ in part]), max_length=24)
        right = (list(h.ids) == target[1:-1] for h, (_, target) in zip(found, part, strict=True))
        return sum(right) / len(part)


def train(task: Task, change: dict[str, Any], seed: int, steps: int) -> dict[str, Any]:
    options = BASE | change
    generator = runtime.seed_everything(seed)
    model = Transformer(
        TransformerConfig(
            len(task.vocabularies[0]),
            len(task.vocabularies[1]),
            embed_dim=64,
            num_heads=4,
            num_encoder_layers=options["layers"],
            num_decoder_layers=options["layers"],
            hidden_size=options["hidden_size"],
            norm=options["norm"],
        )
    )

    def loss(model: Transformer, batch: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
        source, target = batch
        logits = model(source, target[:, :-1])
        return label_smoothed_kl(logits, target[:, 1:], smoothing=options["smoothing"], ignore_index=0)

    history = fit(
        model,
        pair_batches(task.ids["train"], BATCH, generator=generator),
        loss,
        optimizer=adamw(model, lr=options.get("rate", RATE)),
        schedule=lambda step: cosine_schedule(step, max_steps=steps, warmup=min(options["warm_up"], steps // 4)),
        max_steps=steps,
        validate=task.nats,
        validate_every=EVERY,
        progress=False,
    )
    return {
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "valid_nats": [round(value, 5) for _, value in history.validation],
        "exact": task.exact(model),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--out", type=Path, default=Path("chapters/recorded/transformer-ablations.json"))
    parser.add_argument("--state", type=Path, default=Path(".proof/transformer-ablations.json"))
    arguments = parser.parse_args()
    kept, task, rows = Kept(arguments.state), Task(), []
    for group, changes in RUNS.items():
        for change in changes:
            runs = [
                kept.once(
                    json.dumps([BASE | change, seed, arguments.steps], sort_keys=True),
                    partial(train, task, change, seed, arguments.steps),
                )
                for seed in SEEDS
            ]
            row = {
                "group": group,
                **BASE,
                **change,
                "parameters": runs[0]["parameters"],
                "every": EVERY,
                "valid_nats": [round(statistics.mean(at), 5) for at in zip(*(r["valid_nats"] for r in runs))],
                "exact": [run["exact"] for run in runs],
            }
            rows.append(row)
            print(group, change, row["valid_nats"][-1], row["exact"], flush=True)
    record = {"name": "transformer-ablations"} | provenance("python -m experiments.transformer_ablations", seed=0)
    record |= {"seeds": list(SEEDS), "steps": arguments.steps, "pairs_per_step": BATCH, "rows": rows}
    write_run(arguments.out, record)


if __name__ == "__main__":
    main()
