"""Fine-tuning against training from scratch, by number of labels: `python -m experiments.bert_labels WHAT`.

    heard        capitals and question marks of Shakespeare's sentences: the checkpoint of chapter 09, or from scratch
    ratings      real film ratings: from scratch, after masked words on the same snippets, MiniLM, counting words
    reviews      generated reviews, in which the order of the words decides

Writes chapters/recorded/bert-WHAT.json. Each row: task, start, labels, seed, score. The score is accuracy on held-out
sentences of equal classes (ratings, reviews, questions), or F1 of the capitals.
"""

import argparse
import copy
import json
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from experiments.bert import CHECKPOINT, SPECIALS
from experiments.provenance import provenance
from lmcourse import data, runtime
from lmcourse.data.sentences import load_sentences
from lmcourse.models import BERT, BERTConfig, MaskedLM, SentenceClassifier, TokenClassifier, mask_tokens, small_start
from lmcourse.tokenizers import Vocabulary
from lmcourse.tokenizers.wordpiece import WordPiece
from lmcourse.tokenizers.words import split_words
from lmcourse.training import adamw, example_batches, fit, linear_schedule, load_checkpoint, pad, read_recipe
from lmcourse.training.masked import masked_batches

OUT = Path("chapters/recorded")
STEPS = {32: 40, 128: 60, 512: 120, 2048: 160}
SEEDS = (0, 1)
Examples = tuple[Tensor, Tensor, Tensor]  # ids (N, T), keep_mask (N, T), labels (N,) or (N, T)


def framed(vocabulary: Vocabulary, words: Sequence[str], longest: int = 42) -> list[int]:
    return [2, *vocabulary.encode(words)[: longest - 2], 3]


def examples(rows: Sequence[Sequence[int]], labels: Sequence[Any]) -> Examples:
    ids = pad(rows)
    wanted = torch.tensor(labels) if isinstance(labels[0], int) else pad(labels, -100)
    return ids, ids != 0, wanted


def trimmed(ids: Tensor, keep_mask: Tensor, labels: Tensor) -> Examples:
    """Without the columns in which every row is padding."""
    longest = int(keep_mask.sum(1).max())
    return ids[:, :longest], keep_mask[:, :longest], labels[:, :longest] if labels.dim() == 2 else labels


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
    return torch.cat([model(ids, keep_mask).argmax(-1) for ids, keep_mask in batches])


def accuracy(model: nn.Module, test: Examples) -> float:
    return float((predicted(model, test) == test[2]).float().mean())


def f1(model: nn.Module, test: Examples) -> float:
    """2 PR / (P + R) of label 1, over the places whose label is known."""
    known, said = test[2] >= 0, predicted(model, test)
    hits = ((said == 1) & (test[2] == 1) & known).sum()
    return float(2 * hits / (((said == 1) & known).sum() + ((test[2] == 1) & known).sum()))


def naive_bayes(train_words: Sequence[Sequence[str]], labels: Sequence[int], test_words: Sequence[Sequence[str]]):  # type: ignore[no-untyped-def]
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


def questions_score(encoder: BERT, vocabulary: Vocabulary, labels: int, seed: int) -> float:
    """Fine-tune a copy of an encoder to tell questions; return its accuracy on held-out plays."""
    asked = balanced(load_sentences(split="test"), lambda s: s.question, 1_200, 0)
    few = balanced(load_sentences(split="train"), lambda s: s.question, labels, seed)
    torch.manual_seed(seed)
    model = SentenceClassifier(copy.deepcopy(encoder), 2)
    rows = [
        examples([framed(vocabulary, s.words) for s in group], [s.question for s in group]) for group in (few, asked)
    ]
    train(model, rows[0], STEPS[labels], 5e-4, seed)
    return accuracy(model, rows[1])


def heard(rows: list[dict[str, Any]]) -> None:
    recipe = read_recipe(CHECKPOINT)
    vocabulary = Vocabulary(recipe["vocabulary"])
    config = BERTConfig(**recipe["config"])
    pretrained = MaskedLM(config)
    load_checkpoint(CHECKPOINT, pretrained)
    train_set, test_set = load_sentences(split="train"), load_sentences(split="test")
    asked = balanced(test_set, lambda s: s.question, 1_200, 0)
    questions_test = examples([framed(vocabulary, s.words) for s in asked], [s.question for s in asked])
    some = random.Random(0).sample(test_set, 1_200)
    capitals_test = examples([framed(vocabulary, s.words) for s in some], [[-100, *s.capitals, -100] for s in some])
    for labels, steps in STEPS.items():
        for seed in SEEDS:
            few = balanced(train_set, lambda s: s.question, labels, seed)
            said = naive_bayes([s.words for s in few], [s.question for s in few], [s.words for s in asked])
            right = sum(a == s.question for a, s in zip(said, asked, strict=True)) / len(asked)
            note(rows, "questions", "counting words", labels, seed, right)
            mixed = random.Random(seed).sample(train_set, labels)
            for start, rate in (("from scratch", 1e-3), ("pretrained", 5e-4)):
                torch.manual_seed(seed)
                encoder = started(config)
                if start == "pretrained":
                    encoder.load_state_dict(pretrained.encoder.state_dict())
                state = {name: tensor.clone() for name, tensor in encoder.state_dict().items()}
                sentence = SentenceClassifier(encoder, 2)
                given = examples([framed(vocabulary, s.words) for s in few], [s.question for s in few])
                train(sentence, given, steps, rate, seed)
                note(rows, "questions", start, labels, seed, accuracy(sentence, questions_test))
                encoder.load_state_dict(state)
                tagger = TokenClassifier(encoder, 2)
                given = examples(
                    [framed(vocabulary, s.words) for s in mixed], [[-100, *s.capitals, -100] for s in mixed]
                )
                train(tagger, given, steps, rate, seed)
                note(rows, "capitals", start, labels, seed, f1(tagger, capitals_test))


def ratings(rows: list[dict[str, Any]]) -> None:
    """Snippets whose mean rating is at least half a point from 0; label 1 is a good one."""
    clear = {
        split: [r for r in data.load_ratings(split=split) if abs(r.mean) >= 0.5] for split in ("train", "valid", "test")
    }
    words_of = {r.text: split_words(r.text) for group in clear.values() for r in group}
    vocabulary = Vocabulary.build(
        (w for r in data.load_ratings(split="train") for w in split_words(r.text)), min_count=3, specials=SPECIALS
    )
    test = balanced(clear["test"], lambda r: r.mean > 0, 600, 0)
    test_rows = examples([framed(vocabulary, words_of[r.text]) for r in test], [int(r.mean > 0) for r in test])
    config = BERTConfig(len(vocabulary), 64, 96, 4, 3)
    torch.manual_seed(0)
    pretrained = MaskedLM(config)
    small_start(pretrained)
    stream = [i for r in data.load_ratings(split="train") for i in (*vocabulary.encode(split_words(r.text)), 3)]
    pretrain(pretrained, stream, len(vocabulary), 500)
    minilm = data.fetch("minilm")
    pieces = WordPiece.load(next(minilm.rglob("vocab.txt")))
    folder = next(minilm.rglob("config.json")).parent

    def cut(group: Sequence[data.Rating]) -> Examples:
        return examples([pieces.encode_pair(r.text)[0][:48] for r in group], [int(r.mean > 0) for r in group])

    for labels, steps in STEPS.items():
        for seed in SEEDS:
            few = balanced(clear["train"], lambda r: r.mean > 0, labels, seed)
            wanted = [int(r.mean > 0) for r in few]
            said = naive_bayes([words_of[r.text] for r in few], wanted, [words_of[r.text] for r in test])
            right = sum(a == (r.mean > 0) for a, r in zip(said, test, strict=True)) / len(test)
            note(rows, "ratings", "counting words", labels, seed, right)
            given = examples([framed(vocabulary, words_of[r.text]) for r in few], wanted)
            for start, rate in (("from scratch", 1e-3), ("masked words of these reviews", 5e-4)):
                torch.manual_seed(seed)
                model = SentenceClassifier(started(config), 2, pooling="mean")
                if start != "from scratch":
                    model.encoder.load_state_dict(pretrained.encoder.state_dict())
                train(model, given, steps, rate, seed)
                note(rows, "ratings", start, labels, seed, accuracy(model, test_rows))
            if labels in (128, 512) and seed == 0:
                torch.manual_seed(seed)
                model = SentenceClassifier(BERT.from_pretrained(folder), 2, pooling="mean")
                train(model, cut(few), {128: 40, 512: 60}[labels], 1e-4, seed, batch=16)
                note(rows, "ratings", "MiniLM", labels, seed, accuracy(model, cut(test)))


def reviews(rows: list[dict[str, Any]]) -> None:
    vocabulary = Vocabulary([*SPECIALS, *data.review_words()])
    unlabelled = data.load_reviews("negation", split="train", size=4_000, seed=1)
    test = data.load_reviews("negation", split="test", size=600)
    test_rows = examples([framed(vocabulary, text.split()) for text, _ in test], [label for _, label in test])
    config = BERTConfig(len(vocabulary), 64, 64, 4, 3)
    torch.manual_seed(0)
    pretrained = MaskedLM(config)
    small_start(pretrained)
    ids, keep, _ = examples([framed(vocabulary, text.split()) for text, _ in unlabelled], [0] * len(unlabelled))
    pretrain_rows(pretrained, ids, keep, len(vocabulary), 500)
    for labels in (32, 128, 512):
        for seed in SEEDS:
            few = data.load_reviews("negation", split="train", size=labels, seed=10 + seed)
            said = naive_bayes([t.split() for t, _ in few], [label for _, label in few], [t.split() for t, _ in test])
            right = sum(a == label for a, (_, label) in zip(said, test, strict=True)) / len(test)
            note(rows, "reviews", "counting words", labels, seed, right)
            given = examples([framed(vocabulary, text.split()) for text, _ in few], [label for _, label in few])
            for start in ("from scratch", "pretrained"):
                torch.manual_seed(seed)
                model = SentenceClassifier(started(config), 2)
                if start == "pretrained":
                    model.encoder.load_state_dict(pretrained.encoder.state_dict())
                train(model, given, 150, 1e-3, seed)
                note(rows, "reviews", start, labels, seed, accuracy(model, test_rows))


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


def note(rows: list[dict[str, Any]], task: str, start: str, labels: int, seed: int, score: float) -> None:
    rows.append({"task": task, "start": start, "labels": labels, "seed": seed, "score": round(score, 4)})
    print(rows[-1], f"{time.process_time():.0f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("heard", "ratings", "reviews"))
    arguments = parser.parse_args()
    runtime.seed_everything(0)
    rows: list[dict[str, Any]] = []
    {"heard": heard, "ratings": ratings, "reviews": reviews}[arguments.what](rows)
    name = f"bert-{arguments.what}"
    run = {"name": name, **provenance(f"python -m experiments.bert_labels {arguments.what}", seed=0), "rows": rows}
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / f"{name}.json").write_text(json.dumps(run, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
