"""The neural n-gram of chapter 02 beside counts, for longer than a page can wait: `python -m experiments.neural_ngram`.

Two series. Characters: all of the training text, one network a window, scored in bits per byte on the common test
text. Words, by the amount of text; each amount holds the smaller ones, and the vocabulary is the 1,000 commonest
words of the smallest, so that every model knows every word. About a quarter of an hour on one core.
"""

import argparse
import math
import time
from collections import Counter
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from experiments.provenance import provenance, write_run
from lmcourse import data, runtime
from lmcourse.models.embeddings import NeuralNGram, ngram_windows
from lmcourse.models.ngram import NGramModel
from lmcourse.tokenizers import Vocabulary
from lmcourse.tokenizers.words import split_sentences
from lmcourse.training import adamw, bits_per_byte, example_batches, fit, linear_schedule

SEED = 0
OUT = Path("chapters/recorded/neural-ngram.json")
Examples = tuple[Tensor, Tensor]


def train(model: NeuralNGram, examples: Examples, *, batch_size: int, steps: int, rate: float) -> float:
    """Train and return the processor's seconds."""
    started = time.process_time()
    fit(
        model,
        example_batches(examples, batch_size),
        lambda model, batch: F.cross_entropy(model(batch[0]), batch[1]),
        optimizer=adamw(model, lr=rate),
        schedule=lambda step: linear_schedule(step, max_steps=steps, warmup=steps // 20),
        max_steps=steps,
    )
    return time.process_time() - started


@torch.no_grad()
def total_nats(model: NeuralNGram, examples: Examples) -> float:
    """The cost of all targets, each given its context."""
    parts = zip(examples[0].split(8192), examples[1].split(8192), strict=True)
    return sum(float(F.cross_entropy(model(x), y, reduction="sum")) for x, y in parts)


def characters(orders: list[int], steps: int) -> list[dict[str, Any]]:
    """Bits per byte by window, counts and network, on the whole text."""
    text, test = (data.load_text("shakespeare", split=split) for split in ("train", "test"))
    vocabulary, n_bytes, rows = Vocabulary.build(text), len(test.encode()), []
    for order in orders:
        before = "\n" * (order - 1)  # so that the first characters of the test are scored too
        known, unseen = (ngram_windows(torch.tensor(vocabulary.encode(before + part)), order) for part in (text, test))
        runtime.seed_everything(SEED)
        model = NeuralNGram(len(vocabulary), order, 24, 384)
        seconds = train(model, known, batch_size=512, steps=steps, rate=6e-3)
        bits = bits_per_byte(total_nats(model, unseen), n_bytes)
        parameters = sum(p.numel() for p in model.parameters())
        rows.append(_row("characters", "lmcourse", order, bits, parameters, len(text.encode()), seconds, steps=steps))
        if order <= 9:
            started = time.process_time()
            counts = NGramModel(order).fit([text])
            seconds = time.process_time() - started
            bits = bits_per_byte(-counts.logprob(test), n_bytes)
            stored = sum(counts.num_ngrams) + sum(counts.num_ngrams[:-1])
            rows.append(_row("characters", "Kneser-Ney", order, bits, stored, len(text.encode()), seconds))
    return rows


def _row(what: str, who: str, order: int, bits: float, parameters: int, n: int, seconds: float, **more: Any) -> dict:
    row = {"what": what, "who": who, "order": order, "bits_per_byte": round(bits, 4), "parameters": parameters}
    row |= {"train_bytes": n, "seconds": round(seconds, 1), "unit": "s", **more}
    print(row, flush=True)
    return row


def words(sizes: list[int], order: int = 4, epochs: int = 6, batch_size: int = 256) -> list[dict[str, Any]]:
    """Test perplexity by the amount of text."""
    sentences, test = (split_sentences(data.load_text("shakespeare", split=part)) for part in ("train", "test"))
    mixed = torch.randperm(len(sentences), generator=torch.Generator().manual_seed(SEED)).tolist()

    def first(size: int) -> list[list[str]]:
        chosen: list[list[str]] = []
        n = 0
        while n < size:
            chosen.append(sentences[mixed[len(chosen)]])
            n += len(chosen[-1]) + 1
        return chosen

    common = {word for word, _ in Counter(w for s in first(min(sizes)) for w in s).most_common(1000)}
    vocabulary = Vocabulary.build(sorted(common), special_tokens=("<unk>", "<s>", "</s>"))

    def known(part: list[list[str]]) -> list[list[str]]:
        return [[word if word in common else "<unk>" for word in sentence] for sentence in part]

    def windows(part: list[list[str]]) -> Examples:
        padded = (["<s>"] * (order - 1) + sentence + ["</s>"] for sentence in part)
        parts = [ngram_windows(torch.tensor(vocabulary.encode(line)), order) for line in padded]
        return torch.cat([x for x, _ in parts]), torch.cat([y for _, y in parts])

    test, rows = known(test), []
    unseen = windows(test)
    for size in sizes:
        chosen = known(first(size))
        n = sum(len(sentence) + 1 for sentence in chosen)
        runtime.seed_everything(SEED)
        model = NeuralNGram(len(vocabulary), order, 32, 64)
        steps = epochs * n // batch_size
        seconds = train(model, windows(chosen), batch_size=batch_size, steps=steps, rate=4e-3)
        neural = math.exp(total_nats(model, unseen) / len(unseen[1]))
        counts = {k: NGramModel(k).fit(chosen).perplexity(test) for k in (2, 3, 4, 5)}
        best = min(counts.items(), key=lambda item: item[1])
        row = {"what": "words", "who": "lmcourse", "train_words": n, "neural": round(neural, 2), "order": order}
        row |= {"kneser_ney": round(best[1], 2), "kneser_ney_order": best[0], "epochs": epochs}
        rows.append(row | {"seconds": round(seconds, 1)})
        print(rows[-1], flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--orders", type=int, nargs="+", default=[2, 3, 4, 5, 7, 9, 17])
    parser.add_argument("--steps", type=int, default=8000)
    parser.add_argument("--sizes", type=int, nargs="+", default=[25_000, 50_000, 100_000, 200_000, 400_000])
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    record = provenance("python -m experiments.neural_ngram", seed=SEED) | {"name": "neural-ngram"}
    record["rows"] = words(arguments.sizes) + characters(arguments.orders, arguments.steps)
    write_run(arguments.out, record)


if __name__ == "__main__":
    main()
