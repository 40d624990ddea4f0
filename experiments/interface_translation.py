"""Train a transformer on real sentences, English to German: `python -m experiments.interface_translation`.

Sub-words by byte-pair encoding, learned on the training pairs of both languages together. Six thousand pairs are few,
so the model is small, its dropout strong, and words are cut differently each time they are read (`RandomPieces`). The
weights kept are those with the best BLEU on the validation split; the scores are those of the test split, beside the
translator that copies (`experiments.nearest_neighbour`). About half an hour on one core. Killed and started again, it
goes on from `.proof/interface.state`.
"""

import random
import time
import zlib
from itertools import pairwise
from pathlib import Path
from typing import Any

import regex
import torch

from experiments.nearest_neighbour import NearestNeighbour
from experiments.recording import CHECKPOINTS, STATES, Record, Row, launch, n_parameters, provenance, train
from lmcourse import data, runtime
from lmcourse.data.interface import NearDuplicates, clean_pairs
from lmcourse.data.interface import _raw as raw_interface_pairs
from lmcourse.data.text import SPLITS
from lmcourse.generation import translate
from lmcourse.models import Transformer, TransformerConfig
from lmcourse.tokenizers import BPETokenizer
from lmcourse.training import (
    History,
    bleu,
    chrf,
    cosine_schedule,
    exact_match,
    label_smoothed_kl,
    muon,
    pad,
    pair_batches,
    save_checkpoint,
)
from lmcourse.training.states import load_training_state, save_training_state

SEED, BATCH, SMOOTHING, DROPOUT = 0, 64, 0.1, 0.3
MUON_RATE, ADAMW_RATE, WEIGHT_DECAY = 0.02, 3e-3, 0.05
STEPS, WARM_UP, COSINE, COOL = 4_500, 400, 6_000, 1_000  # the rate: see `rate_factor`
PIECES, EDITIONS = 0.1, 10  # share of merges left out; how often the training text is cut anew
PAD, START, STOP, SHIFT = 0, 1, 2, 3  # the sub-words' own ids are shifted by 3
LONGEST, BEAM, PENALTY, EVERY = 80, 4, 1.0, 500
WIDTH, LAYERS, SUB_WORDS = 128, 3, 2_000

Pairs = list[tuple[str, str]]
Ids = list[tuple[list[int], list[int]]]


class RandomPieces:
    """Cut words into sub-words with some merges left out by chance: the same word looks different each time.

    So the model sees the parts of a word, too, and not only the whole. With `share` 0 it is the tokenizer's `encode`.

    Source: Provilkov, Emelianenko and Voita, "BPE-dropout", 2020, algorithm 1.
    """

    def __init__(self, tokenizer: BPETokenizer, share: float, seed: int) -> None:
        self.ids, self.share, self.chance = tokenizer.to_ranks(), share, random.Random(seed)
        self.order = {pair: number for number, pair in enumerate(tokenizer.merges)}
        self.words = regex.compile(tokenizer.pattern)

    def encode(self, text: str) -> list[int]:
        return [self.ids[piece] for word in self.words.findall(text) for piece in self._cut(word.encode())]

    def _cut(self, word: bytes) -> list[bytes]:
        pieces = [bytes([byte]) for byte in word]
        while True:
            merges = [
                (self.order[pair], at)
                for at, pair in enumerate(pairwise(pieces))
                if pair in self.order and self.chance.random() >= self.share
            ]
            if not merges:
                return pieces
            at = min(merges)[1]
            pieces[at : at + 2] = [pieces[at] + pieces[at + 1]]


def encode(tokenizer: BPETokenizer | RandomPieces, pairs: Pairs) -> Ids:
    def shifted(text: str) -> list[int]:
        return [number + SHIFT for number in tokenizer.encode(text)]

    return [(shifted(source), [START, *shifted(target), STOP]) for source, target in pairs]


def translations(model: Transformer, tokenizer: BPETokenizer, pairs: Ids, beam_size: int = 1) -> list[str]:
    """Return the model's translations; sentences of one length are translated together, which spares padding."""
    order = sorted(range(len(pairs)), key=lambda number: len(pairs[number][0]))
    outputs = [""] * len(pairs)
    for at in range(0, len(order), BATCH):
        chosen = order[at : at + BATCH]
        source = pad([pairs[number][0] for number in chosen]).to(next(model.parameters()).device)
        found = translate(model, source, max_length=LONGEST, beam_size=beam_size, length_penalty=PENALTY)
        for number, hypothesis in zip(chosen, found, strict=True):
            outputs[number] = tokenizer.decode([n - SHIFT for n in hypothesis.ids if n >= SHIFT])
    return outputs


@torch.no_grad()
def nats_per_token(model: Transformer, pairs: Ids) -> float:
    """Return the mean cross-entropy of the targets' sub-words, without label smoothing."""
    total, count, device = 0.0, 0, next(model.parameters()).device
    for at in range(0, len(pairs), BATCH):
        part = pairs[at : at + BATCH]
        n = sum(len(target) - 1 for _, target in part)
        loss = model.loss(pad([s for s, _ in part]).to(device), pad([t for _, t in part]).to(device))
        total, count = total + float(loss) * n, count + n
    return total / count


def scores(outputs: list[str], pairs: Pairs) -> dict[str, float]:
    references = [target for _, target in pairs]
    return {
        "bleu": round(bleu(outputs, references), 2),
        "chrf": round(chrf(outputs, references), 2),
        "exact": round(exact_match(outputs, references), 4),
    }


def copies(train: Pairs, pairs: Pairs) -> Pairs:
    """Return for each pair the training pair whose source is nearest."""
    copier = NearestNeighbour(train)
    return [copier.nearest(source) for source, _ in pairs]


def leak() -> dict[str, float]:
    """What the copying translator scores when near-duplicates are left in the training split."""
    draws = {pair: zlib.crc32(pair[0].encode()) % 20 for pair in clean_pairs(raw_interface_pairs("de"))}
    test = [pair for pair, draw in draws.items() if draw in (1, 2)]
    train = [pair for pair, draw in draws.items() if draw > 2]
    near = NearDuplicates(train)
    outputs = [target for _, target in copies(train, test)]
    return {
        "share_of_test": round(sum(pair in near for pair in test) / len(test), 4),
        "copy_bleu": round(bleu(outputs, [target for _, target in test]), 2),
        "train_pairs": len(train),
    }


def rate_factor(step: int) -> float:
    """After a warm-up a cosine over 6,000 steps, cut short: in the last 1,000 steps it falls in a line to 0 as well."""
    return cosine_schedule(step, max_steps=COSINE, warmup=WARM_UP) * min(1.0, (STEPS + 1 - step) / COOL)


class Best:
    """Scores the model on the validation split and keeps the best weights, in a file, through kills."""

    def __init__(self, file: Path, tokenizer: BPETokenizer, pairs: Pairs) -> None:
        self.file, self.tokenizer, self.pairs, self.ids = file, tokenizer, pairs, encode(tokenizer, pairs)
        self.score = load_training_state(file)["score"] if file.exists() else -1.0

    def __call__(self, model: Transformer) -> float:
        found = scores(translations(model, self.tokenizer, self.ids), self.pairs)
        print(found, f"{nats_per_token(model, self.ids):.3f} nats, {time.process_time():.0f} s", flush=True)
        if found["bleu"] > self.score:
            self.score = found["bleu"]
            save_training_state(self.file, {"score": self.score, "model": dict(model.state_dict())})
        return found["bleu"]

    def restore(self, model: Transformer) -> None:
        model.load_state_dict(load_training_state(self.file)["model"])


def scored(model: Transformer, tokenizer: BPETokenizer, pairs: dict[str, Any], history: History) -> list[Row]:
    """The rows of the record: scores beside a copier's, the course of the training, the leak, examples."""
    test_ids = encode(tokenizer, pairs["test"])
    outputs = {
        "transformer, greedy": translations(model, tokenizer, test_ids),
        f"transformer, beam of {BEAM}": translations(model, tokenizer, test_ids, BEAM),
    }
    beam, neighbours = outputs[f"transformer, beam of {BEAM}"], copies(pairs["train"], pairs["test"])
    outputs["copy of the nearest neighbour"] = [target for _, target in neighbours]
    rows: list[Row] = [{"what": "test", "who": who, **scores(texts, pairs["test"])} for who, texts in outputs.items()]
    of_copies = scores([target for _, target in copies(pairs["train"], pairs["valid"])], pairs["valid"])
    rows.append({"what": "validation", "every": EVERY, "bleu": [value for _, value in history.validation],
                 "copy_bleu": of_copies["bleu"]})  # fmt: skip
    rows.append({"what": "loss", "every": 100, "nats": [round(x, 4) for x in history.smoothed(100)[99::100]]})
    nats = {split: round(nats_per_token(model, encode(tokenizer, part)), 4) for split, part in pairs.items()}
    rows.append({"what": "nats per sub-word", **nats})
    rows.append({"what": "leak", **leak()})
    for number in range(0, len(pairs["test"]), 25):  # every 25th: nobody chose them
        nearest = pairs["train"].index(neighbours[number])  # the sentences themselves belong to others
        rows.append({"what": "example", "test_pair": number, "nearest_train_pair": nearest,
                     "transformer": beam[number]})  # fmt: skip
    return rows


def about(pairs: dict[str, Any], history: History, cpu_seconds: int) -> dict[str, Any]:
    """What the recipe and the record say of the run."""
    return provenance(seed=SEED) | {
        "data": "interface-en-de", "pairs": {split: len(part) for split, part in pairs.items()},
        "steps": len(history), "pairs_per_step": BATCH, "learning_rate": {"muon": MUON_RATE, "adamw": ADAMW_RATE},
        "weight_decay": WEIGHT_DECAY, "dropout": DROPOUT,
        "label_smoothing": SMOOTHING, "merges_left_out": PIECES,
        "schedule": f"{WARM_UP} steps of warm-up, cosine over {COSINE}, in a line to 0 in the last {COOL}",
        "kept": "the weights with the best validation BLEU",
        "cpu_seconds": cpu_seconds,
    }  # fmt: skip


def main() -> None:
    generator = runtime.seed_everything(SEED)
    if data.pairs_source("interface-en-de") != "interface-en-de":
        raise SystemExit("the interface sentences are not here: lmcourse data fetch interface-en-de")

    pairs = {split: data.load_pairs("interface-en-de", split=split) for split in SPLITS}
    tokenizer = BPETokenizer.train([text for pair in pairs["train"] for text in pair], SUB_WORDS)
    pieces = RandomPieces(tokenizer, PIECES, SEED)
    train_ids = [ids for _ in range(EDITIONS) for ids in encode(pieces, pairs["train"])]
    config = TransformerConfig(
        tokenizer.vocab_size + SHIFT, embed_dim=WIDTH, num_heads=4, num_encoder_layers=LAYERS,
        num_decoder_layers=LAYERS, dropout=DROPOUT, share_embeddings=True,
    )  # fmt: skip
    model = Transformer(config).to(runtime.device())
    STATES.mkdir(exist_ok=True)
    best = Best(STATES / "interface.best", tokenizer, pairs["valid"])
    history = train(
        model, pair_batches(train_ids, BATCH, generator=generator), STEPS,
        muon(model, MUON_RATE, adamw_lr=ADAMW_RATE, weight_decay=WEIGHT_DECAY, bfloat16=True),
        loss=lambda model, batch: label_smoothed_kl(
            model(batch[0], batch[1][:, :-1]), batch[1][:, 1:], smoothing=SMOOTHING, ignore_index=PAD
        ),
        schedule=rate_factor, validate=best, validate_every=EVERY,
        checkpoint=STATES / "interface.state", checkpoint_every=250,
    )  # fmt: skip
    here = len(history) - history.resumed_from  # after a kill the first part's time is not known: take it as the same
    trained = round(time.process_time() * len(history) / max(here, 1))
    best.restore(model)
    model = model.to(torch.bfloat16).to(torch.float32)  # what is stored is what is scored
    recipe = about(pairs, history, trained)
    record = Record("interface", **recipe, parameters=n_parameters(model))
    record.extend(scored(model, tokenizer, pairs, history))
    record.write()
    kept = CHECKPOINTS / "interface_transformer"
    save_checkpoint(kept, model.to(torch.bfloat16), recipe=recipe | {"scores": record.rows[:3]})
    tokenizer.save(kept.with_suffix(".bpe.json"))


if __name__ == "__main__":
    launch(__doc__, main)
