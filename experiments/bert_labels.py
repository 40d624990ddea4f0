"""Fine-tuning against training from scratch, by number of labels: `python -m experiments.bert_labels WHAT`.

    questions    questions told from statements, in Shakespeare's plays: the checkpoint of chapter 09, or from scratch
    ratings      real film ratings: from scratch, after masked words on the same snippets, MiniLM, counting words
    reviews      generated reviews, in which the order of the words decides

Writes chapters/recorded/bert-WHAT.json. Each row: task, start, labels, seed, score, rate. The score is accuracy on
held-out sentences of equal classes (ratings, reviews, questions). Each start gets the learning
rate that is best on validation sentences, with 128 labels and a seed of its own.
"""

import copy
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import torch
from torch import Tensor, nn

from experiments.pretrained import SPECIALS, kept_bert
from experiments.recording import Record, launch, train
from lmcourse import data, runtime
from lmcourse.data.sentences import load_sentences
from lmcourse.models import BERT, BERTConfig, MaskedLM, SentenceClassifier, mask_tokens, small_start
from lmcourse.models.bert_heads import Pooling
from lmcourse.tokenizers import Vocabulary
from lmcourse.tokenizers.wordpiece import WordPiece
from lmcourse.tokenizers.words import split_words
from lmcourse.training import adamw, example_batches, masked_batches, pad

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


def tune(model: nn.Module, given: Examples, steps: int, rate: float, seed: int, batch: int = 32) -> None:
    torch.manual_seed(seed)
    batches = example_batches(given, min(batch, len(given[0])), generator=torch.Generator().manual_seed(seed))

    def loss(model: Any, batch: Examples) -> Tensor:
        found: Tensor = model.loss(*trimmed(*batch))
        return found

    train(model, batches, steps, adamw(model, lr=rate), loss=loss, warm_up=steps // 10)


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


@dataclass(frozen=True)
class Corpus:
    """Labelled texts.

    Args:
        task: its name in the record.
        vocabulary: of its words.
        drawn: texts of a split, as many of each label, by number and seed.
        words_of: a text's words.
        label_of: 0 or 1.
        scored: how many texts of the validation and of the test split are scored.
    """

    task: str
    vocabulary: Vocabulary
    drawn: Callable[[str, int, int], Sequence[Any]]
    words_of: Callable[[Any], Sequence[str]]
    label_of: Callable[[Any], int]
    scored: tuple[int, int] = (600, 600)

    def labelled(self, texts: Sequence[Any]) -> Labelled:
        return [self.words_of(text) for text in texts], [self.label_of(text) for text in texts]

    def given(self, texts: Sequence[Any]) -> Examples:
        words, labels = self.labelled(texts)
        return examples([framed(self.vocabulary, each) for each in words], labels)

    def valid(self) -> Sequence[Any]:
        return self.drawn("valid", self.scored[0], 0)

    def test(self) -> Sequence[Any]:
        return self.drawn("test", self.scored[1], 0)


def balanced_sentences(split: str, size: int, seed: int) -> list[Any]:
    return balanced(load_sentences(split=split), lambda s: s.question, size, seed)


def questions_of(vocabulary: Vocabulary) -> Corpus:
    """Sentences of the plays; label 1 is a question."""
    return Corpus("questions", vocabulary, balanced_sentences, lambda s: s.words, lambda s: s.question, (600, 1_200))


def questions_score(encoder: BERT, vocabulary: Vocabulary, labels: int, pooling: Pooling, seed: int) -> float:
    """Fine-tune a copy of an encoder to tell questions; return its accuracy on held-out plays."""
    corpus = questions_of(vocabulary)
    torch.manual_seed(seed)
    model = SentenceClassifier(copy.deepcopy(encoder), 2, pooling=pooling)
    tune(model, corpus.given(corpus.drawn("train", labels, seed)), STEPS, 1e-3, seed)
    return accuracy(model, corpus.given(corpus.test()))


def best_rate(make: Callable[[], nn.Module], given: Examples, valid: Examples) -> float:
    """Return the rate of RATES that scores best on held-out examples; every start is tuned in this same way."""
    scores = {}
    for rate in RATES:
        torch.manual_seed(TUNED_WITH)
        model = make()
        tune(model, given, STEPS, rate, TUNED_WITH)
        scores[rate] = accuracy(model, valid)
    print({rate: round(value, 3) for rate, value in scores.items()}, flush=True)
    return max(scores, key=scores.__getitem__)


def compare(record: Record, corpus: Corpus, pretrained: BERT) -> None:
    """Naive Bayes, then from fresh weights and from pretrained ones, with each number of labels and seed.

    All get the same labels, the neural ones the same steps and choice of the rate.
    """
    test = corpus.test()
    for labels, seed in product(SIZES, SEEDS):
        words, wanted = corpus.labelled(test)
        said = naive_bayes(*corpus.labelled(corpus.drawn("train", labels, seed)), words)
        right = sum(a == b for a, b in zip(said, wanted, strict=True)) / len(said)
        note(record, corpus.task, "counting words", labels, seed, right)
    starts: dict[str, Callable[[], BERT]] = {
        "from scratch": lambda: started(pretrained.config),
        "pretrained": lambda: copy.deepcopy(pretrained),
    }
    for name, encoder in starts.items():
        make = partial(_classifier, encoder)
        rate = best_rate(make, corpus.given(corpus.drawn("train", 128, TUNED_WITH)), corpus.given(corpus.valid()))
        for labels, seed in product(SIZES, SEEDS):
            torch.manual_seed(seed)
            model = make()
            tune(model, corpus.given(corpus.drawn("train", labels, seed)), STEPS, rate, seed)
            note(record, corpus.task, name, labels, seed, accuracy(model, corpus.given(test)), rate)


def _classifier(encoder: Callable[[], BERT]) -> SentenceClassifier:
    return SentenceClassifier(encoder(), 2, pooling="mean")


def questions() -> None:
    record = Record("bert-questions")
    pretrained, vocabulary = kept_bert()
    compare(record, questions_of(vocabulary), pretrained.encoder)
    record.write()


def ratings() -> None:
    """Snippets whose mean rating is at least half a point from 0; label 1 is a good one."""
    record = Record("bert-ratings")
    texts = {split: data.load_ratings(split=split) for split in ("train", "valid", "test")}
    clear = {split: [r for r in rated if abs(r.mean) >= 0.5] for split, rated in texts.items()}
    train_words = [split_words(r.text) for r in texts["train"]]
    vocabulary = Vocabulary.build((w for words in train_words for w in words), min_count=3, special_tokens=SPECIALS)
    torch.manual_seed(0)
    pretrained = MaskedLM(BERTConfig(len(vocabulary), 64, 96, 4, 3))
    small_start(pretrained)
    stream = torch.tensor([i for words in train_words for i in (*vocabulary.encode(words), 3)])
    pretrain(
        pretrained,
        masked_batches(
            stream, 32, 32, cls_id=2, sep_id=3, mask_id=4, vocab_size=len(vocabulary),
            special_ids=range(len(SPECIALS)), generator=torch.Generator().manual_seed(0),
        ),
    )  # fmt: skip
    corpus = Corpus(
        "ratings",
        vocabulary,
        lambda split, size, seed: balanced(clear[split], lambda r: r.mean > 0, size, seed),
        lambda r: split_words(r.text),
        lambda r: int(r.mean > 0),
    )
    compare(record, corpus, pretrained.encoder)
    folder = data.fetch("minilm")
    pieces = WordPiece.load(folder / "vocab.txt")

    def cut(group: Sequence[data.Rating]) -> Examples:
        return examples([pieces.encode_pair(r.text)[0][:48] for r in group], [int(r.mean > 0) for r in group])

    for labels, steps in {32: 20, 128: 40}.items():  # its rate is not tuned: the one of its paper's kind
        torch.manual_seed(0)
        model = SentenceClassifier(BERT.from_pretrained(folder), 2, pooling="mean")
        tune(model, cut(corpus.drawn("train", labels, 0)), steps, 1e-4, 0, batch=16)
        note(record, "ratings", "MiniLM", labels, 0, accuracy(model, cut(corpus.test())), 1e-4)
    record.write()


def drawn_reviews(split: str, size: int, seed: int) -> list[Any]:
    return data.load_reviews("negation", split=split, n=size, seed=10 + seed if split == "train" else seed)


def reviews() -> None:
    record = Record("bert-reviews")
    vocabulary = Vocabulary([*SPECIALS, *data.review_words()])
    corpus = Corpus("reviews", vocabulary, drawn_reviews, lambda r: r[0].split(), lambda r: r[1])
    torch.manual_seed(0)
    pretrained = MaskedLM(BERTConfig(len(vocabulary), 64, 64, 4, 3))
    small_start(pretrained)
    ids, keep, _ = corpus.given(data.load_reviews("negation", split="train", n=4_000, seed=1))
    draw = example_batches((ids, keep), 64, generator=torch.Generator().manual_seed(0))

    def batch(step: int) -> tuple[Tensor, Tensor, Tensor]:
        rows, mask = draw(step)
        own = torch.Generator().manual_seed(step)
        return (*mask_tokens(rows, 4, len(vocabulary), special_ids=range(len(SPECIALS)), generator=own), mask)

    pretrain(pretrained, batch)
    compare(record, corpus, pretrained.encoder)
    rate = next(row["rate"] for row in record.rows if row["start"] == "from scratch")
    for labels, seed in product((128, 2_048), SEEDS[:2]):  # with the steps of both trainings together, at that rate
        torch.manual_seed(seed)
        model = _classifier(lambda: started(pretrained.encoder.config))
        tune(model, corpus.given(corpus.drawn("train", labels, seed)), 11 * STEPS, rate, seed)
        right = accuracy(model, corpus.given(corpus.test()))
        note(record, "reviews", "from scratch, 11 times the steps", labels, seed, right, rate)
    record.write()


def pretrain(model: MaskedLM, batches: Any, steps: int = 1_500) -> None:
    history = train(model, batches, steps, adamw(model, lr=2e-3), warm_up=steps // 10)
    print("masked words:", [round(value, 2) for value in history.smoothed(100)[99::100]], flush=True)


def note(record: Record, task: str, who: str, labels: int, seed: int, score: float, rate: float | None = None) -> None:
    row = {"task": task, "start": who, "labels": labels, "seed": seed, "score": round(score, 4)}
    record.add(row if rate is None else row | {"rate": rate})


if __name__ == "__main__":
    runtime.seed_everything(0)
    launch(__doc__, {"questions": questions, "ratings": ratings, "reviews": reviews})
