"""Train a transformer on real sentences, English to German: `python -m experiments.interface_translation`.

Sub-words by byte-pair encoding, learned on the training pairs of both languages together. The scores are those of
the test split beside the translator that copies (`experiments.nearest_neighbour`). About 20 minutes on one core.
Killed and started again, it goes on from `.proof/interface.state`.
"""

import argparse
import json
import time
import zlib
from pathlib import Path

import torch

from experiments.nearest_neighbour import NearestNeighbour
from experiments.provenance import provenance
from lmcourse import data, runtime
from lmcourse.data.interface import NearDuplicates, clean_pairs
from lmcourse.data.interface import _raw as raw_interface_pairs
from lmcourse.generation import translate
from lmcourse.models import Transformer, TransformerConfig
from lmcourse.tokenizers import BPETokenizer
from lmcourse.training import (
    adamw,
    bleu,
    chrf,
    cosine_schedule,
    exact_match,
    fit,
    label_smoothed_kl,
    pad,
    pair_batches,
    save_checkpoint,
)

SEED, BATCH, RATE, WARM_UP, SMOOTHING, DROPOUT = 0, 64, 2e-3, 400, 0.1, 0.3
PAD, START, STOP, SHIFT = 0, 1, 2, 3  # the sub-words' own ids are shifted by 3
LONGEST, BEAM, PENALTY = 80, 4, 1.0
OUT, RECORD = Path("chapters/checkpoints/interface_transformer"), Path("chapters/recorded/interface.json")

Ids = list[tuple[list[int], list[int]]]


def encode(tokenizer: BPETokenizer, pairs: list[tuple[str, str]]) -> Ids:
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


def nats_per_token(model: Transformer, pairs: Ids) -> float:
    """Return the mean cross-entropy of the targets' sub-words, without label smoothing."""
    total, count, device = 0.0, 0, next(model.parameters()).device
    for at in range(0, len(pairs), BATCH):
        part = pairs[at : at + BATCH]
        n = sum(len(target) - 1 for _, target in part)
        loss = model.loss(pad([s for s, _ in part]).to(device), pad([t for _, t in part]).to(device))
        total, count = total + float(loss) * n, count + n
    return total / count


def leak() -> dict[str, float]:
    """What the copying translator scores when near-duplicates are left in the training split."""
    draws = {pair: zlib.crc32(pair[0].encode()) % 20 for pair in clean_pairs(raw_interface_pairs("de"))}
    test = [pair for pair, draw in draws.items() if draw in (1, 2)]
    train = [pair for pair, draw in draws.items() if draw > 2]
    near = NearDuplicates(train)
    copier = NearestNeighbour(train)
    outputs = [copier.nearest(source)[1] for source, _ in test]
    return {
        "share_of_test": round(sum(pair in near for pair in test) / len(test), 4),
        "copy_bleu": round(bleu(outputs, [target for _, target in test]), 2),
        "train_pairs": len(train),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=4_500)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--vocab-size", type=int, default=2_000)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--record", type=Path, default=RECORD)
    parser.add_argument("--state", type=Path, default=Path(".proof/interface.state"))
    arguments = parser.parse_args()
    generator = runtime.seed_everything(SEED)
    device = runtime.device()
    if data.pairs_source("interface-en-de") != "interface-en-de":
        raise SystemExit("the interface sentences are not here: lmcourse data fetch interface-en-de")

    pairs = {split: data.load_pairs("interface-en-de", split=split) for split in ("train", "valid", "test")}
    tokenizer = BPETokenizer.train([text for pair in pairs["train"] for text in pair], arguments.vocab_size)
    ids = {split: encode(tokenizer, part) for split, part in pairs.items()}
    config = TransformerConfig(
        tokenizer.vocab_size + SHIFT,
        embed_dim=arguments.width,
        num_heads=4,
        num_encoder_layers=arguments.layers,
        num_decoder_layers=arguments.layers,
        dropout=DROPOUT,
        share_embeddings=True,
    )
    model = Transformer(config).to(device)

    def scores(outputs: list[str], split: str) -> dict[str, float]:
        references = [target for _, target in pairs[split]]
        return {
            "bleu": round(bleu(outputs, references), 2),
            "chrf": round(chrf(outputs, references), 2),
            "exact": round(exact_match(outputs, references), 4),
        }

    def validate(model: Transformer) -> float:
        found = scores(translations(model, tokenizer, ids["valid"]), "valid")
        print(found, f"{nats_per_token(model, ids['valid']):.3f} nats, {time.process_time():.0f} s", flush=True)
        return found["bleu"]

    arguments.state.parent.mkdir(parents=True, exist_ok=True)
    history = fit(
        model,
        pair_batches(ids["train"], BATCH, generator=generator),
        lambda model, batch: label_smoothed_kl(
            model(batch[0], batch[1][:, :-1]), batch[1][:, 1:], smoothing=SMOOTHING, ignore_index=PAD
        ),
        optimizer=adamw(model, lr=RATE),
        schedule=lambda step: cosine_schedule(
            step, max_steps=arguments.steps, warmup=min(WARM_UP, arguments.steps // 2)
        ),
        max_steps=arguments.steps,
        validate=validate,
        validate_every=500,
        checkpoint=arguments.state,
        checkpoint_every=250,
        progress=False,
    )
    trained = round(time.process_time())
    model = model.to(torch.bfloat16).to(torch.float32)  # what is stored is what is scored
    outputs = {
        "transformer, greedy": translations(model, tokenizer, ids["test"]),
        f"transformer, beam of {BEAM}": translations(model, tokenizer, ids["test"], BEAM),
    }
    copier = NearestNeighbour(pairs["train"])
    neighbours = [copier.nearest(source) for source, _ in pairs["test"]]
    outputs["copy of the nearest neighbour"] = [target for _, target in neighbours]
    rows: list[dict] = [{"what": "test", "who": who, **scores(texts, "test")} for who, texts in outputs.items()]
    rows.append({"what": "validation", "every": 500, "bleu": [value for _, value in history.validation]})
    rows.append({"what": "loss", "every": 100, "nats": [round(x, 4) for x in history.smoothed(100)[99::100]]})
    rows.append({"what": "nats per sub-word", **{s: round(nats_per_token(model, ids[s]), 4) for s in ids}})
    rows.append({"what": "leak", **leak()})
    beam = outputs[f"transformer, beam of {BEAM}"]
    for number in range(0, len(pairs["test"]), 25):  # every 25th: nobody chose them
        source, target = pairs["test"][number]
        rows.append({"what": "example", "source": source, "reference": target, "transformer": beam[number],
                     "copy": neighbours[number][1], "nearest": neighbours[number][0]})  # fmt: skip
    about = provenance("python -m experiments.interface_translation", seed=SEED) | {
        "data": "interface-en-de", "pairs": {split: len(part) for split, part in pairs.items()},
        "steps": arguments.steps, "pairs_per_step": BATCH, "learning_rate": RATE, "dropout": DROPOUT,
        "label_smoothing": SMOOTHING, "schedule": f"cosine, {WARM_UP} steps of warm-up", "cpu_seconds": trained,
    }  # fmt: skip
    save_checkpoint(arguments.out, model.to(torch.bfloat16), recipe=about | {"scores": rows[:3]})
    tokenizer.save(arguments.out.with_suffix(".bpe.json"))
    parameters = sum(parameter.numel() for parameter in model.parameters())
    record = {"name": "interface", **about, "parameters": parameters, "rows": rows}
    arguments.record.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(*rows[:3], sep="\n")


if __name__ == "__main__":
    main()
