"""Chapter 04's recorded runs: `python -m experiments.seq2seq NAME`, with NAME one of

alignment   does the largest weight lie on the right source word? three languages, three seeds, five makes of model
sampling    teacher forcing and scheduled sampling, at equal steps and at equal time, three seeds
lists       lists of one to four numbers: what one vector cannot hold, however long it is trained
longer      with and without attention, given few and many steps
dates       the model that reads dates (a checkpoint)
languages   the models of French and Spanish numbers (checkpoints)

Each is a few minutes on one core.
"""

import copy
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch

from experiments.recording import CHECKPOINTS, Record, Row, launch, provenance, train
from lmcourse import data, runtime
from lmcourse.data.dates import date_locales
from lmcourse.generation import translate
from lmcourse.models import Seq2Seq, Seq2SeqConfig
from lmcourse.tokenizers import Vocabulary
from lmcourse.training import (
    ScheduledSampling,
    adamw,
    encode_pairs,
    pad,
    pair_batches,
    save_checkpoint,
    scheduled_sampling_logits,
    teacher_forcing,
    teacher_forcing_ratio,
)
from lmcourse.training.pairs import SPECIAL_TOKENS

Pairs = Sequence[tuple[Sequence[str], Sequence[str]]]
SEEDS, BATCH, RATE, WARM_UP = (0, 1, 2), 128, 1e-2, 30


class Course:
    """A corpus of pairs with its vocabularies: trains models on it and scores them."""

    def __init__(self, pairs: Pairs, *, min_count: int = 1, special_tokens: tuple[str, ...] = SPECIAL_TOKENS) -> None:
        self.pairs = pairs
        self.source = Vocabulary.build(
            (t for s, _ in pairs for t in s), min_count=min_count, special_tokens=special_tokens
        )
        self.target = Vocabulary.build((t for _, s in pairs for t in s), special_tokens=SPECIAL_TOKENS)

    def fit(
        self,
        attention: Any,
        steps: int,
        seed: int,
        *,
        loss: Callable[..., Any] = teacher_forcing,
        rate: float = RATE,
        every: Callable[[Seq2Seq], float] | None = None,
        **options: Any,
    ) -> tuple[Seq2Seq, float, list[tuple[int, float]]]:
        """Return a trained model, the processor seconds it took, and what `every` gave in its course."""
        generator = runtime.seed_everything(seed)
        model = Seq2Seq(Seq2SeqConfig(len(self.source), len(self.target), **options), attention)
        batches = pair_batches(encode_pairs(self.pairs, self.source, self.target), BATCH, generator=generator)
        started = time.process_time()
        history = train(model, batches, steps, adamw(model, lr=rate), loss=loss, warm_up=WARM_UP, validate=every)
        return model, time.process_time() - started, history.validation

    def right(self, model: Seq2Seq, pairs: Pairs, *, max_length: int = 60) -> list[bool]:
        """Return for each pair whether greedy search says it exactly."""
        found: list[bool] = []
        encoded = encode_pairs(pairs, self.source, self.target)
        for at in range(0, len(encoded), 256):
            part = encoded[at : at + 256]
            said = translate(model, pad([source for source, _ in part]), max_length=max_length)
            found += [list(one.ids) == target[1:-1] for one, (_, target) in zip(said, part, strict=True)]
        return found

    def accuracy(self, model: Seq2Seq, pairs: Pairs) -> float:
        return sum(self.right(model, pairs)) / len(pairs)


def words(name: str, split: str) -> list[tuple[list[str], list[str]]]:
    return [(source.split(), target.split()) for source, target in data.load_pairs(name, split=split)]


def numbers(language: str) -> tuple[Course, Pairs]:
    """Numbers in English words and in another language's: to train on, and to test."""
    return Course(words(f"numbers-en-{language}", "train")), words(f"numbers-en-{language}", "test")


# ---------------------------------------------------------------------------------------------------------- alignment


def aligned(model: Seq2Seq, course: Course, pairs: Pairs, language: str) -> dict[str, float]:
    """Return, by kind of word, the share of target words whose largest weight is on a source word they come from."""
    hits: dict[str, list[bool]] = defaultdict(list)
    for at in range(0, len(pairs), 200):
        part = pairs[at : at + 200]
        encoded = encode_pairs(part, course.source, course.target)
        with torch.no_grad():
            weights = model.alignment(pad([s for s, _ in encoded]), pad([t[:-1] for _, t in encoded]))
        for (source, target), positions in zip(part, weights.argmax(-1).tolist(), strict=True):
            known = data.number_alignment(" ".join(source), " ".join(target), language)
            for row, position in zip(known, positions, strict=False):
                if row is not None and row.positions:
                    hits[row.kind].append(position in row.positions)
    hits["all"] = [hit for kind in list(hits) for hit in hits[kind]]
    return {kind: round(sum(of_kind) / len(of_kind), 4) for kind, of_kind in hits.items()}


MAKES: dict[str, dict[str, Any]] = {
    "dot": {"attention": "dot"},
    "general": {"attention": "general"},
    "additive": {"attention": "additive"},
    "dot, one way": {"attention": "dot", "bidirectional": False},
    "dot, fed back": {"attention": "dot", "input_feeding": True},
}


def run_alignment(steps: int = 600) -> None:
    record = Record("seq2seq-alignment")
    for language in ("de", "fr", "es"):
        course, test = numbers(language)
        for make, options in MAKES.items():
            for seed in SEEDS if language == "de" or make == "dot" else ():
                model, seconds, _ = course.fit(steps=steps, seed=seed, **options)
                exact = round(course.accuracy(model, test), 4)
                row = {"language": language, "make": make, "seed": seed, "steps": steps, "exact": exact}
                record.add(row | {"seconds": round(seconds, 1), **aligned(model, course, test, language)})
    record.write()


# ----------------------------------------------------------------------------------------------------------- sampling


def token_accuracy(model: Seq2Seq, course: Course, pairs: Pairs, ratio: float) -> float:
    """Return the fraction of right next words when each word before is the teacher's with probability `ratio`, else
    sampled by the model."""
    encoded = encode_pairs(pairs, course.source, course.target)
    source, target = pad([s for s, _ in encoded]), pad([t for _, t in encoded])
    with torch.no_grad():
        logits = scheduled_sampling_logits(
            model, source, target[:, :-1], ratio, generator=torch.Generator().manual_seed(0)
        )
    following = target[:, 1:]
    counts = following != model.config.pad_id
    return float(((logits.argmax(-1) == following) & counts).sum() / counts.sum())


def run_sampling(dot_steps: int = 400, none_steps: int = 1_000) -> None:
    (course, test), record = numbers("de"), Record("seq2seq-sampling")
    for attention, steps in (("dot", dot_steps), (None, none_steps)):
        losses: dict[str, Callable[..., Any]] = {  # one half at 1/8 ln(steps / 8)
            "inverse sigmoid": ScheduledSampling(partial(teacher_forcing_ratio, k=steps / 8)),
            "linear": ScheduledSampling(
                partial(teacher_forcing_ratio, schedule="linear", k=1.0, slope=1.0 / steps, least=0.25)
            ),
            "teacher forcing": teacher_forcing,
        }
        for seed in SEEDS:
            slowest = 0.0
            for method, loss in losses.items():
                model, seconds, _ = course.fit(attention, steps, seed, loss=copy.deepcopy(loss))
                slowest = max(slowest, seconds)
                row: Row = {"attention": attention or "none", "method": method, "seed": seed, "steps": steps}
                row |= {"seconds": round(seconds, 1), "exact": round(course.accuracy(model, test), 4)}
                row |= {"token_accuracy_teacher": round(token_accuracy(model, course, test, 1.0), 4)}
                record.add(row | {"token_accuracy_own": round(token_accuracy(model, course, test, 0.0), 4)})
            longer = int(steps * slowest / seconds)  # as many steps as fit into the slowest one's time
            model, seconds, _ = course.fit(attention, longer, seed)
            exact = round(course.accuracy(model, test), 4)
            row = {"attention": attention or "none", "method": "teacher forcing, equal time", "seed": seed}
            record.add(row | {"steps": longer, "seconds": round(seconds, 1), "exact": exact})
    record.write()


# -------------------------------------------------------------------------------------------------------------- lists


def run_lists(none_steps: int = 18_000, dot_steps: int = 2_000, longest: int = 4) -> None:
    pairs, held_out = (
        [pair for pair in data.load_pairs("numbers-en-de", split=split) if data.read_number(pair[0]) < 1_000]
        for split in ("train", "test")
    )

    def draw(numbers: list[tuple[str, str]], size: int, count: int, seed: int) -> list[tuple[list[str], list[str]]]:
        generator = torch.Generator().manual_seed(seed)
        chosen = torch.randint(len(numbers), (count, size), generator=generator).tolist()
        lists = [[numbers[i] for i in row] for row in chosen]
        return [(" , ".join(s for s, _ in row).split(), " , ".join(t for _, t in row).split()) for row in lists]

    drawn = [pair for size in range(1, longest + 1) for pair in draw(pairs, size, 20_000, size)]
    tests = {size: draw(held_out, size, 200, 100 + size) for size in range(1, longest + 2)}
    course, record = Course(drawn), Record("seq2seq-lists")
    for attention, steps in (("dot", dot_steps), (None, none_steps)):
        course_of: list[dict[int, float]] = []

        def every(model: Seq2Seq, course_of: list[dict[int, float]] = course_of) -> float:
            course_of.append({size: course.accuracy(model, test) for size, test in tests.items()})
            return course_of[-1][longest]

        _, seconds, validation = course.fit(attention, steps, 0, every=every)
        rows: list[Row] = [
            {"attention": attention or "none", "step": step, "numbers": size, "exact": round(score, 4)}
            for (step, _), scores in zip(validation, course_of, strict=True)
            for size, score in scores.items()
        ]
        rows[-1]["seconds"] = round(seconds, 1)
        record.extend(rows)
    record.write()


# ------------------------------------------------------------------------------------------------------------- longer


def run_longer() -> None:
    (course, test), record = numbers("de"), Record("seq2seq-longer")
    for attention, all_steps in (("dot", (125, 250, 500, 1_000)), (None, (500, 1_000, 2_000, 4_000))):
        for steps in all_steps:
            model, seconds, _ = course.fit(attention, steps, 0)
            right = course.right(model, test)
            long = [ok for ok, (source, _) in zip(right, test, strict=True) if len(source) >= 12]
            exact = {"exact": round(sum(right) / len(right), 4), "exact_12_words": round(sum(long) / len(long), 4)}
            row = {"attention": attention or "none", "steps": steps, "seconds": round(seconds, 1)}
            record.add(row | exact)
    record.write()


# -------------------------------------------------------------------------------------------------------- checkpoints


def keep(name: str, course: Course, model: Seq2Seq, **about: Any) -> None:
    recipe = provenance() | about | {"batch_size": BATCH, "target_vocabulary": list(course.target.tokens)}
    save_checkpoint(CHECKPOINTS / name, model, recipe=recipe, vocabulary=course.source.tokens)
    print(recipe, flush=True)


def run_dates(steps: int = 3_000, width: int = 96) -> None:
    splits = {
        split: [(list(s), list(t)) for s, t in data.load_pairs("dates", split=split)]
        for split in ("train", "test", "longer")
    }
    course = Course(splits["train"], min_count=2, special_tokens=(*SPECIAL_TOKENS, "<unk>"))
    model, seconds, _ = course.fit("general", steps, 0, rate=5e-3, embed_dim=48, hidden_size=width)
    exact = {}
    for split in ("test", "longer"):
        right = course.right(model, splits[split], max_length=12)
        exact[split] = round(sum(right) / len(right), 4)
        said = zip(splits[split], date_locales(split), right, strict=True)
        print(split, [("".join(source), locale) for (source, _), locale, ok in said if not ok][:12], flush=True)
    about = {"data": "dates", "attention": "general", "steps": steps, "seconds": round(seconds), "exact": exact}
    keep("seq2seq_dates", course, model, **about)


def run_languages(steps: int = 1_200) -> None:
    for language in ("fr", "es"):
        course, test = numbers(language)
        model, seconds, _ = course.fit("dot", steps, 0)
        about = {"data": f"numbers-en-{language}", "attention": "dot", "steps": steps, "seconds": round(seconds)}
        keep(f"seq2seq_{language}", course, model, **about, exact=round(course.accuracy(model, test), 4))


RUNS: dict[str, Callable[[], None]] = {
    "alignment": run_alignment,
    "sampling": run_sampling,
    "lists": run_lists,
    "longer": run_longer,
    "dates": run_dates,
    "languages": run_languages,
}


if __name__ == "__main__":
    torch.set_num_threads(1)
    launch(__doc__, RUNS)
