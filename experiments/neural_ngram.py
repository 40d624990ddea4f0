"""The neural n-gram of chapter 02 beside counts, for longer than a page can wait: `python -m experiments.neural_ngram`.

Two series. Characters: all of the training text, one network a window, scored in bits per byte on the common test
text. Words, by the amount of text; each amount holds the smaller ones, and the vocabulary is the 1,000 commonest
words of the smallest, so that every model knows every word. About a quarter of an hour on one core.
"""

import math
import time
from collections import Counter
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from experiments.recording import Record, launch, n_parameters, train
from lmcourse import data, runtime
from lmcourse.models.embeddings import NeuralNGram, ngram_windows
from lmcourse.models.ngram import NGramModel
from lmcourse.tokenizers import Vocabulary
from lmcourse.tokenizers.words import split_sentences
from lmcourse.training import adamw, bits_per_byte, example_batches

SEED, STEPS = 0, 8000
ORDERS, SIZES = (2, 3, 4, 5, 7, 9, 17), (25_000, 50_000, 100_000, 200_000, 400_000)
Examples = tuple[Tensor, Tensor]


def seconds_of_training(model: NeuralNGram, examples: Examples, *, batch_size: int, steps: int, rate: float) -> float:
    """Train and return the processor's seconds."""
    started = time.process_time()
    batches, optimizer = example_batches(examples, batch_size), adamw(model, lr=rate)
    train(model, batches, steps, optimizer, loss=lambda m, b: F.cross_entropy(m(b[0]), b[1]), warm_up=steps // 20)
    return time.process_time() - started


@torch.no_grad()
def total_nats(model: NeuralNGram, examples: Examples) -> float:
    """The cost of all targets, each given its context."""
    parts = zip(examples[0].split(8192), examples[1].split(8192), strict=True)
    return sum(float(F.cross_entropy(model(x), y, reduction="sum")) for x, y in parts)


def characters(record: Record) -> None:
    """Bits per byte by window, counts and network, on the whole text."""
    text, test = (data.load_text("shakespeare", split=split) for split in ("train", "test"))
    vocabulary, n_bytes = Vocabulary.build(text), len(test.encode())

    def add(who: str, order: int, nats: float, parameters: int, seconds: float, **more: Any) -> None:
        row = {
            "what": "characters",
            "who": who,
            "order": order,
            "bits_per_byte": round(bits_per_byte(nats, n_bytes), 4),
        }
        row |= {"parameters": parameters, "train_bytes": len(text.encode()), "seconds": round(seconds, 1), "unit": "s"}
        record.add(row | more)

    for order in ORDERS:
        before = "\n" * (order - 1)  # so that the first characters of the test are scored too
        known, unseen = (ngram_windows(torch.tensor(vocabulary.encode(before + part)), order) for part in (text, test))
        runtime.seed_everything(SEED)
        model = NeuralNGram(len(vocabulary), order, 24, 384)
        seconds = seconds_of_training(model, known, batch_size=512, steps=STEPS, rate=6e-3)
        add("lmcourse", order, total_nats(model, unseen), n_parameters(model), seconds, steps=STEPS)
        if order <= 9:
            started = time.process_time()
            counts = NGramModel(order).fit([text])
            seconds = time.process_time() - started
            stored = sum(counts.num_ngrams) + sum(counts.num_ngrams[:-1])
            add("Kneser-Ney", order, -counts.logprob(test), stored, seconds)


def words(record: Record, order: int = 4, epochs: int = 6, batch_size: int = 256) -> None:
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

    common = {word for word, _ in Counter(w for s in first(min(SIZES)) for w in s).most_common(1000)}
    vocabulary = Vocabulary.build(sorted(common), special_tokens=("<unk>", "<s>", "</s>"))

    def known(part: list[list[str]]) -> list[list[str]]:
        return [[word if word in common else "<unk>" for word in sentence] for sentence in part]

    def windows(part: list[list[str]]) -> Examples:
        padded = (["<s>"] * (order - 1) + sentence + ["</s>"] for sentence in part)
        parts = [ngram_windows(torch.tensor(vocabulary.encode(line)), order) for line in padded]
        return torch.cat([x for x, _ in parts]), torch.cat([y for _, y in parts])

    test = known(test)
    unseen = windows(test)
    for size in SIZES:
        chosen = known(first(size))
        n = sum(len(sentence) + 1 for sentence in chosen)
        runtime.seed_everything(SEED)
        model = NeuralNGram(len(vocabulary), order, 32, 64)
        steps = epochs * n // batch_size
        seconds = seconds_of_training(model, windows(chosen), batch_size=batch_size, steps=steps, rate=4e-3)
        neural = math.exp(total_nats(model, unseen) / len(unseen[1]))
        counts = {k: NGramModel(k).fit(chosen).perplexity(test) for k in (2, 3, 4, 5)}
        best = min(counts.items(), key=lambda item: item[1])
        row = {"what": "words", "who": "lmcourse", "train_words": n, "neural": round(neural, 2), "order": order}
        row |= {"kneser_ney": round(best[1], 2), "kneser_ney_order": best[0], "epochs": epochs}
        record.add(row | {"seconds": round(seconds, 1)})


def main() -> None:
    record = Record("neural-ngram", seed=SEED)
    words(record)
    characters(record)
    record.write()


if __name__ == "__main__":
    launch(__doc__, main)
