"""Fine-tuning against training from scratch, by number of labels: `python -m experiments.bert_labels WHAT`.

    questions    questions told from statements, in Shakespeare's plays: the checkpoint of chapter 09, or from scratch
    ratings      real film ratings: from scratch, after masked words on the same snippets, MiniLM, counting words
    reviews      generated reviews, in which the order of the words decides

Writes chapters/recorded/bert-WHAT.json. Each row: task, start, labels, seed, score, rate. The score is accuracy on
held-out sentences of equal classes (ratings, reviews, questions). Each start gets the learning
rate that is best on validation sentences, with 128 labels and a seed of its own.
"""

import argparse
import copy
import random
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from experiments.bert_checkpoint import SPECIALS, pretrained_words
from experiments.provenance import provenance, write_run
from lmcourse import data, runtime
from lmcourse.data.reviews import Review
from lmcourse.data.sentences import Heard, load_sentences
from lmcourse.models import BERT, BERTConfig, MaskedLM, SentenceClassifier, mask_tokens, small_start
from lmcourse.models.bert_heads import Pooling
from lmcourse.tokenizers import Vocabulary
from lmcourse.tokenizers.wordpiece import WordPiece
from lmcourse.tokenizers.words import split_words
from lmcourse.training import adamw, example_batches, fit, linear_schedule, masked_batches, pad

OUT = Path("chapters/recorded")
SIZES, SEEDS, STEPS = (32, 128, 512, 2_048), (0, 1, 2), 150
RATES, TUNED_WITH = (3e-4, 1e-3, 3e-3), 9  # the seed with which the rate is chosen, none of SEEDS
Examples = tuple[Tensor, Tensor, Tensor]  # ids (N, T), attention_mask (N, T), labels (N,) or (N, T)
Labelled = tuple[Sequence[Sequence[str]], Sequence[int]]


def framed(vocabulary: Vocabulary, words: Sequence[str], longest: int = 42) -> list[int]:
    return [2, *vocabulary.encode(words)[: longest - 2], 3]


def examples(rows: Sequence[Sequence[int]], labels: Sequence[Any]) -> Examples:
    ids = pad(rows)
    wanted = torch.tensor(labels) if isinstance(labels[0], int) else pad(labels, -100)
    return ids, ids != 0, wanted


def trimmed(ids: Tensor, attention_mask: Tensor, labels: Tensor) -> Examples:
    """Without the columns in which every row is padding."""
    longest = int(attention_mask.sum(1).max())
    return ids[:, :longest], attention_mask[:, :longest], labels[:, :longest] if labels.dim() == 2 else labels


def train(model: nn.Module, given: Examples, steps: int, rate: float, seed: int, batch: int = 32) -> None:
    torch.manual_seed(seed)
    fit(
        model,
        example_batches(given, min(batch, len(given[0])), generator=torch.Generator().manual_seed(seed)),
        lambda model, batch: model.loss(*trimmed(*batch)),
        optimizer=adamw(model, lr=rate),
        schedule=lambda step: linear_schedule(step, max_steps=steps, warmup=steps // 10),
        max_steps=steps,
        progress=False,
    )


@torch.no_grad()
def predicted(model: nn.Module, given: Examples) -> Tensor:
    model.eval()
    batches = zip(given[0].split(128), given[1].split(128), strict=True)
    return torch.cat([model(ids, attention_mask).argmax(-1) for ids, attention_mask in batches])


def accuracy(model: nn.Module, test: Examples) -> float:
    return float((predicted(model, test) == test[2]).float().mean())


def naive_bayes(
    train_words: Sequence[Sequence[str]], labels: Sequence[int], test_words: Sequence[Sequence[str]]
) -> list[int]:
    """Return the classes that counted words give: log P(word | good) - log P(word | bad), each word once, add-one."""
    vocabulary = Vocabulary.build(word for words in train_words for word in words)
    counts = torch.ones(2, len(vocabulary))
    for words, label in zip(train_words, labels, strict=True):
        counts[label, sorted(set(vocabulary.encode(words)))] += 1
    ratio = (counts[1] / counts[1].sum()).log() - (counts[0] / counts[0].sum()).log()
    ratio[0] = 0.0  # unknown words say nothing
    return [int(ratio[sorted(set(vocabulary.encode(words)))].sum() > 0) for words in test_words]


def balanced(items: Sequence[Any], label_of: Any, size: int | None, seed: int) -> list[Any]:
    """As many of label 1 as of label 0, in random order."""
    shuffled = random.Random(seed).sample(list(items), len(items))
    groups = [[item for item in shuffled if label_of(item) == label] for label in (0, 1)]
    half = min(map(len, groups)) if size is None else size // 2
    if half > min(map(len, groups)):
        raise ValueError(f"there are not {half} of each class, but {[len(group) for group in groups]}.")
    return [item for pair in zip(groups[0][:half], groups[1][:half], strict=True) for item in pair]


def started(config: BERTConfig) -> BERT:
    """An untrained encoder, drawn as the pretrained ones were before their training."""
    encoder = BERT(config)
    small_start(encoder)
    return encoder


def questions_score(encoder: BERT, vocabulary: Vocabulary, labels: int, pooling: Pooling, seed: int) -> float:
    """Fine-tune a copy of an encoder to tell questions; return its accuracy on held-out plays."""
    groups = (
        balanced(load_sentences(split="train"), lambda s: s.question, labels, seed),
        balanced(load_sentences(split="test"), lambda s: s.question, 1_200, 0),
    )
    few, test = (examples([framed(vocabulary, s.words) for s in g], [s.question for s in g]) for g in groups)
    torch.manual_seed(seed)
    model = SentenceClassifier(copy.deepcopy(encoder), 2, pooling=pooling)
    train(model, few, STEPS, 1e-3, seed)
    return accuracy(model, test)


def best_rate(make: Callable[[], nn.Module], given: Examples, valid: Examples) -> float:
    """Return the rate of RATES that scores best on held-out examples; every start is tuned in this same way."""
    scores = {}
    for rate in RATES:
        torch.manual_seed(TUNED_WITH)
        model = make()
        train(model, given, STEPS, rate, TUNED_WITH)
        scores[rate] = accuracy(model, valid)
    print({rate: round(value, 3) for rate, value in scores.items()}, flush=True)
    return max(scores, key=scores.__getitem__)


def compare(
    rows: list[dict[str, Any]],
    task: str,
    starts: Mapping[str, Callable[[], nn.Module]],
    draw: Callable[[int, int], Examples],
    valid: Examples,
    test: Examples,
) -> None:
    """Train from each start with each number of labels and seed: the same labels, steps and choice of the rate."""
    for start, make in starts.items():
        rate = best_rate(make, draw(128, TUNED_WITH), valid)
        for labels in SIZES:
            for seed in SEEDS:
                torch.manual_seed(seed)
                model = make()
                train(model, draw(labels, seed), STEPS, rate, seed)
                note(rows, task, start, labels, seed, accuracy(model, test), rate)


def count(rows: list[dict[str, Any]], task: str, draw: Callable[[int, int], Labelled], test: Labelled) -> None:
    """Score naive Bayes on the same labels."""
    for labels in SIZES:
        for seed in SEEDS:
            said = naive_bayes(*draw(labels, seed), test[0])
            right = sum(a == b for a, b in zip(said, test[1], strict=True)) / len(said)
            note(rows, task, "counting words", labels, seed, right)


def questions(rows: list[dict[str, Any]]) -> None:
    pretrained, vocabulary = pretrained_words()

    def drawn(split: str, size: int, seed: int) -> list[Heard]:
        return balanced(load_sentences(split=split), lambda s: s.question, size, seed)

    def labelled(group: Sequence[Heard]) -> Labelled:
        return [s.words for s in group], [s.question for s in group]

    def given(group: Sequence[Heard]) -> Examples:
        return examples([framed(vocabulary, s.words) for s in group], [s.question for s in group])

    test = drawn("test", 1_200, 0)
    count(rows, "questions", lambda labels, seed: labelled(drawn("train", labels, seed)), labelled(test))
    compare(
        rows,
        "questions",
        classifiers(pretrained.encoder),
        lambda labels, seed: given(drawn("train", labels, seed)),
        given(drawn("valid", 600, 0)),
        given(test),
    )


def ratings(rows: list[dict[str, Any]]) -> None:
    """Snippets whose mean rating is at least half a point from 0; label 1 is a good one."""
    clear = {
        split: [r for r in data.load_ratings(split=split) if abs(r.mean) >= 0.5] for split in ("train", "valid", "test")
    }
    words_of = {r.text: split_words(r.text) for group in clear.values() for r in group}
    vocabulary = Vocabulary.build(
        (w for r in data.load_ratings(split="train") for w in split_words(r.text)), min_count=3, special_tokens=SPECIALS
    )
    config = BERTConfig(len(vocabulary), 64, 96, 4, 3)
    torch.manual_seed(0)
    pretrained = MaskedLM(config)
    small_start(pretrained)
    stream = [i for r in data.load_ratings(split="train") for i in (*vocabulary.encode(split_words(r.text)), 3)]
    pretrain(pretrained, stream, len(vocabulary), 1_500)

    def drawn(split: str, size: int, seed: int) -> list[data.Rating]:
        return balanced(clear[split], lambda r: r.mean > 0, size, seed)

    def labelled(group: Sequence[data.Rating]) -> Labelled:
        return [words_of[r.text] for r in group], [int(r.mean > 0) for r in group]

    def given(group: Sequence[data.Rating]) -> Examples:
        words, labels = labelled(group)
        return examples([framed(vocabulary, one) for one in words], labels)

    count(rows, "ratings", lambda labels, seed: labelled(drawn("train", labels, seed)), labelled(drawn("test", 600, 0)))
    compare(
        rows,
        "ratings",
        classifiers(pretrained.encoder),
        lambda labels, seed: given(drawn("train", labels, seed)),
        given(drawn("valid", 600, 0)),
        given(drawn("test", 600, 0)),
    )
    folder = data.fetch("minilm")
    pieces = WordPiece.load(folder / "vocab.txt")

    def cut(group: Sequence[data.Rating]) -> Examples:
        return examples([pieces.encode_pair(r.text)[0][:48] for r in group], [int(r.mean > 0) for r in group])

    for labels, steps in {32: 20, 128: 40}.items():  # its rate is not tuned: the one of its paper's kind
        torch.manual_seed(0)
        model = SentenceClassifier(BERT.from_pretrained(folder), 2, pooling="mean")
        train(model, cut(drawn("train", labels, 0)), steps, 1e-4, 0, batch=16)
        note(rows, "ratings", "MiniLM", labels, 0, accuracy(model, cut(drawn("test", 600, 0))), 1e-4)


def reviews(rows: list[dict[str, Any]]) -> None:
    vocabulary = Vocabulary([*SPECIALS, *data.review_words()])
    unlabelled = data.load_reviews("negation", split="train", n=4_000, seed=1)
    config = BERTConfig(len(vocabulary), 64, 64, 4, 3)
    torch.manual_seed(0)
    pretrained = MaskedLM(config)
    small_start(pretrained)
    ids, keep, _ = given_reviews(vocabulary, unlabelled)
    pretrain_rows(pretrained, ids, keep, len(vocabulary), 1_500)
    test = data.load_reviews("negation", split="test", n=600)

    def drawn(labels: int, seed: int) -> list[Review]:
        return data.load_reviews("negation", split="train", n=labels, seed=10 + seed)

    def labelled(group: Sequence[Review]) -> Labelled:
        return [text.split() for text, _ in group], [label for _, label in group]

    count(rows, "reviews", lambda labels, seed: labelled(drawn(labels, seed)), labelled(test))
    scored = given_reviews(vocabulary, test)
    compare(
        rows,
        "reviews",
        classifiers(pretrained.encoder),
        lambda labels, seed: given_reviews(vocabulary, drawn(labels, seed)),
        given_reviews(vocabulary, data.load_reviews("negation", split="valid", n=600)),
        scored,
    )
    for labels in (128, 2_048):  # from scratch with the steps of both trainings together, at the rate chosen above
        for seed in SEEDS[:2]:
            rate = next(row["rate"] for row in rows if row["start"] == "from scratch")
            torch.manual_seed(seed)
            model = SentenceClassifier(started(config), 2, pooling="mean")
            train(model, given_reviews(vocabulary, drawn(labels, seed)), 11 * STEPS, rate, seed)
            note(rows, "reviews", "from scratch, 11 times the steps", labels, seed, accuracy(model, scored), rate)


def given_reviews(vocabulary: Vocabulary, group: Sequence[Review]) -> Examples:
    return examples([framed(vocabulary, text.split()) for text, _ in group], [label for _, label in group])


def _classifier(make: Callable[[], BERT]) -> nn.Module:
    return SentenceClassifier(make(), 2, pooling="mean")


def classifiers(pretrained: BERT) -> dict[str, Callable[[], nn.Module]]:
    return {start: partial(_classifier, make) for start, make in begins(pretrained).items()}


def begins(pretrained: BERT) -> dict[str, Callable[[], BERT]]:
    """The two starts: fresh weights, or a copy of the pretrained ones."""
    return {"from scratch": lambda: started(pretrained.config), "pretrained": lambda: copy.deepcopy(pretrained)}


def pretrain(model: MaskedLM, stream: Sequence[int], vocab_size: int, steps: int) -> None:
    batches = masked_batches(
        torch.tensor(stream), 32, 32, cls_id=2, sep_id=3, mask_id=4, vocab_size=vocab_size,
        special_ids=range(len(SPECIALS)), generator=torch.Generator().manual_seed(0),
    )  # fmt: skip
    _masked(model, batches, steps)


def pretrain_rows(model: MaskedLM, ids: Tensor, keep: Tensor, vocab_size: int, steps: int) -> None:
    draw = example_batches((ids, keep), 64, generator=torch.Generator().manual_seed(0))

    def batch(step: int) -> tuple[Tensor, Tensor, Tensor]:
        rows, mask = draw(step)
        own = torch.Generator().manual_seed(step)
        return (*mask_tokens(rows, 4, vocab_size, special_ids=range(len(SPECIALS)), generator=own), mask)

    _masked(model, batch, steps)


def _masked(model: MaskedLM, batches: Any, steps: int) -> None:
    history = fit(
        model,
        batches,
        lambda model, batch: model.loss(*batch),
        optimizer=adamw(model, lr=2e-3),
        schedule=lambda step: linear_schedule(step, max_steps=steps, warmup=steps // 10),
        max_steps=steps,
        progress=False,
    )
    print("masked words:", [round(value, 2) for value in history.smoothed(100)[99::100]], flush=True)


def note(
    rows: list[dict[str, Any]], task: str, start: str, labels: int, seed: int, score: float, rate: float | None = None
) -> None:
    row = {"task": task, "start": start, "labels": labels, "seed": seed, "score": round(score, 4)}
    rows.append(row if rate is None else row | {"rate": rate})
    print(rows[-1], f"{time.process_time():.0f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("questions", "ratings", "reviews"))
    arguments = parser.parse_args()
    runtime.seed_everything(0)
    rows: list[dict[str, Any]] = []
    {"questions": questions, "ratings": ratings, "reviews": reviews}[arguments.what](rows)
    name = f"bert-{arguments.what}"
    run = {"name": name, **provenance(f"python -m experiments.bert_labels {arguments.what}", seed=0), "rows": rows}
    write_run(OUT / f"{name}.json", run)


if __name__ == "__main__":
    main()
