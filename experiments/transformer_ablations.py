"""What each part of the transformer is worth, on chapter 04's numbers: `python -m experiments.transformer_ablations`.

One thing is changed at a time; every run has the same data, steps and seeds. About 25 minutes on one core. Killed and
started again, it goes on with the runs that are missing in `.proof/transformer-ablations.json`.
"""

import json
import statistics
from functools import partial
from typing import Any

import torch

from experiments.recording import STATES, Kept, Record, launch, n_parameters, train
from lmcourse import data, runtime
from lmcourse.generation import translate
from lmcourse.models import Transformer, TransformerConfig
from lmcourse.tokenizers import Vocabulary
from lmcourse.training import adamw, cosine_schedule, encode_pairs, label_smoothed_kl, pad, pair_batches
from lmcourse.training.pairs import SPECIAL_TOKENS

BATCH, RATE, WARM_UP, STEPS, EVERY, SEEDS = 64, 3e-3, 100, 400, 50, (0, 1)
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


def score(task: Task, change: dict[str, Any], seed: int) -> dict[str, Any]:
    options = BASE | change
    generator = runtime.seed_everything(seed)
    source_vocabulary, target_vocabulary = task.vocabularies
    config = TransformerConfig(
        len(source_vocabulary),
        len(target_vocabulary),
        embed_dim=64,
        num_heads=4,
        num_encoder_layers=options["layers"],
        num_decoder_layers=options["layers"],
        hidden_size=options["hidden_size"],
        norm=options["norm"],
    )
    model = Transformer(config)

    def loss(model: Transformer, batch: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
        source, target = batch
        logits = model(source, target[:, :-1])
        return label_smoothed_kl(logits, target[:, 1:], smoothing=options["smoothing"], ignore_index=0)

    history = train(
        model, pair_batches(task.ids["train"], BATCH, generator=generator), STEPS,
        adamw(model, lr=options.get("rate", RATE)), loss=loss, warm_up=min(options["warm_up"], STEPS // 4),
        shape=cosine_schedule, validate=task.nats, validate_every=EVERY,
    )  # fmt: skip
    nats = [round(value, 5) for _, value in history.validation]
    return {"parameters": n_parameters(model), "valid_nats": nats, "exact": task.exact(model)}


def main() -> None:
    kept, task = Kept(STATES / "transformer-ablations.json"), Task()
    record = Record("transformer-ablations", seeds=list(SEEDS), steps=STEPS, pairs_per_step=BATCH)
    for group, changes in RUNS.items():
        for change in changes:
            keys = {seed: json.dumps([BASE | change, seed, STEPS], sort_keys=True) for seed in SEEDS}
            runs = [kept.once(key, partial(score, task, change, seed)) for seed, key in keys.items()]
            row = {"group": group, **BASE, **change, "parameters": runs[0]["parameters"], "every": EVERY}
            nats = [round(statistics.mean(at), 5) for at in zip(*(run["valid_nats"] for run in runs), strict=True)]
            record.add(row | {"valid_nats": nats, "exact": [run["exact"] for run in runs]})
    record.write()


if __name__ == "__main__":
    launch(__doc__, main)
