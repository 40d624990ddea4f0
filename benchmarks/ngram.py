"""N-gram models: this library beside KenLM (lmplz to fit, its Python module to score) and NLTK.

    python -m benchmarks.ngram [--out FILE] [--order 5] [--tokens 1000000] [--rounds 5] [--text FILE]

Prints one table. The contestants take turns within every round; the figures are medians over the rounds, each with
its ratio to ours. `lmplz` takes part if it is on PATH. NLTK is far slower, so it gets a small part of the text, and
we are measured on the same part beside it.

lmplz reads a text file and writes an ARPA file, in its own threads and on disk where memory is short; ours starts
from words in memory (the row "from file": from the same text file) and keeps the model in memory, on one thread.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import os
import random
import shutil
import statistics
import subprocess
import tempfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import kenlm
from nltk.lm import KneserNeyInterpolated
from nltk.lm.preprocessing import padded_everygram_pipeline

from benchmarks.rounds import Contestants, Row, options, take_turns, write_record
from lmcourse.data import load_text
from lmcourse.models.ngram import NGramModel

SEED = 1
NLTK_FIT_SENTENCES, NLTK_SCORE_SENTENCES = 2000, 2


def read_sentences(path: Path | None, tokens: int) -> tuple[list[list[str]], list[list[str]]]:
    """Lines of words to fit (at most `tokens` words) and lines to score, from different works."""
    if path is not None:
        lines = path.read_text(encoding="utf-8").splitlines()
        cut = len(lines) * 19 // 20
        train_text, test_text = lines[:cut], lines[cut:]
    else:
        train_text = load_text("shakespeare", split="train").splitlines()
        test_text = load_text("shakespeare", split="test").splitlines()
    train, test = ([words for line in text if (words := line.split())] for text in (train_text, test_text))
    ends = itertools.accumulate(map(len, train))
    return train[: sum(end <= tokens for end in ends)], test


def read_lines(path: Path) -> list[list[str]]:
    return [line.split() for line in path.read_text(encoding="utf-8").split("\n")[:-1]]


def medians(contestants: Contestants, rounds: int) -> dict[str, float]:
    """Median seconds of each contestant."""
    return {name: statistics.median(values) for name, values in take_turns(contestants, rounds, warm_up=0).items()}


def rows_of(what: str, unit: str, values: dict[str, float]) -> list[Row]:
    ours = values["lmcourse"]
    return [
        {"what": what, "who": name, "value": value, "unit": unit, "ratio_to_ours": value / ours}
        for name, value in values.items()
    ]


def lmplz(corpus: Path, arpa: Path, order: int) -> None:
    with corpus.open("rb") as text, arpa.open("wb") as out:
        command = ["lmplz", "-o", str(order), "-S", "20%", "--skip_symbols", "--discount_fallback"]
        subprocess.run(command, stdin=text, stdout=out, stderr=subprocess.DEVNULL, check=True)


def nltk_fit(sentences: list[list[str]], order: int) -> KneserNeyInterpolated:
    model = KneserNeyInterpolated(order)
    model.fit(*padded_everygram_pipeline(order, sentences))
    return model


def nltk_score(model: KneserNeyInterpolated, sentence: list[str], order: int) -> float:
    padded = ["<s>"] * (order - 1) + sentence + ["</s>"]
    return sum(model.logscore(padded[i], padded[i - order + 1 : i]) for i in range(order - 1, len(padded)))


def resident_bytes() -> int | None:
    """Memory of this process, where the system tells it."""
    status = Path("/proc/self/statm")
    return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if status.exists() else None


def measure(args: argparse.Namespace, folder: Path) -> list[Row]:
    order, rounds = args.order, args.rounds
    train, test = read_sentences(args.text, args.tokens)
    corpus, arpa = folder / "train.txt", folder / "ours.arpa"
    corpus.write_text("\n".join(map(" ".join, train)) + "\n", encoding="utf-8")
    train_tokens, test_tokens = (sum(len(words) + 1 for words in part) for part in (train, test))
    rows: list[Row] = []

    fitters: dict[str, Callable[[], object]] = {"lmcourse": lambda: NGramModel(order).fit(train)}
    fitters["lmcourse, from file"] = lambda: NGramModel(order).fit(read_lines(corpus))
    if shutil.which("lmplz"):
        fitters["lmplz"] = lambda: lmplz(corpus, folder / "lmplz.arpa", order)
    rows += rows_of(f"fit, order {order}, {train_tokens:,} tokens", "s", medians(fitters, rounds))
    few = train[:NLTK_FIT_SENTENCES]
    fitters = {"lmcourse": lambda: NGramModel(order).fit(few), "NLTK": lambda: nltk_fit(few, order)}
    few_tokens = sum(len(words) + 1 for words in few)
    rows += rows_of(f"fit, order {order}, {few_tokens:,} tokens", "s", medians(fitters, rounds))

    if args.text is None:  # the rows of the ladder
        whole = load_text("shakespeare", split="train")
        for name, text in (("1 MB", whole[:1_000_000]), ("all", whole)):
            fit = {"lmcourse": functools.partial(NGramModel(6).fit, [text])}
            rows += rows_of(f"fit character 6-gram, modified Kneser-Ney, {name}", "s", medians(fit, rounds))

    # Scoring.
    model = NGramModel(order).fit(train)
    model.to_arpa(arpa)
    before = resident_bytes()
    theirs = kenlm.Model(str(arpa))
    after = resident_bytes()
    joined = [" ".join(words) for words in test]
    scorers: dict[str, Callable[[], object]] = {
        "lmcourse": lambda: model.score(test),
        "lmcourse, one by one": lambda: [model.logprob(words) for words in test],
        "kenlm module": lambda: [theirs.score(" ".join(words)) for words in test],
        "kenlm module, joined": lambda: [theirs.score(text) for text in joined],
    }
    per_token = {name: s / test_tokens * 1e6 for name, s in medians(scorers, rounds).items()}
    rows += rows_of(f"score, {test_tokens:,} tokens, a token", "us", per_token)
    small, slow = NGramModel(order).fit(few), nltk_fit(few, order)
    asked = random.Random(SEED).sample(few, NLTK_SCORE_SENTENCES)
    asked_tokens = sum(len(words) + 1 for words in asked)
    scorers = {
        "lmcourse": lambda: [small.logprob(words) for words in asked],
        "NLTK": lambda: [nltk_score(slow, words, order) for words in asked],
    }
    per_token = {name: s / asked_tokens * 1e6 for name, s in medians(scorers, 3).items()}
    rows += rows_of(f"score, model of {few_tokens:,} tokens, one by one, a token", "us", per_token)

    # Memory, for each distinct n-gram of the orders 1 to `order`.
    held = sum(model.num_ngrams)
    memory = {"lmcourse": model.nbytes / held}
    if before is not None and after is not None:
        memory["kenlm module"] = (after - before) / held
    tracemalloc.start()
    kept = nltk_fit(few, order)
    memory["NLTK"] = tracemalloc.get_traced_memory()[0] / sum(small.num_ngrams)
    tracemalloc.stop()
    del kept
    rows += rows_of(f"memory an n-gram ({held:,}; NLTK {sum(small.num_ngrams):,})", "bytes", memory)
    for n, count in enumerate(model.num_ngrams, start=1):
        rows.append(
            {"what": f"distinct {n}-grams", "who": "lmcourse", "value": float(count), "unit": "", "ratio_to_ours": None}
        )
    return rows


def print_table(rows: list[Row]) -> None:
    width = max(len(str(row["what"])) for row in rows)
    print(f"{'what':{width}}  {'who':22} {'median':>12} {'unit':5} {'to ours':>9}")
    for row in rows:
        ratio = "" if row["ratio_to_ours"] is None else f"{row['ratio_to_ours']:9.2f}"
        value = row["value"]
        assert isinstance(value, float)
        number = f"{value:12,.0f}" if value >= 1000 else f"{value:12.3f}"
        print(f"{row['what']:{width}}  {row['who']:22} {number} {row['unit']:5} {ratio:>9}")


def main(argv: list[str] | None = None) -> None:
    parser = options(__doc__, rounds=5)
    parser.add_argument("--order", type=int, default=5)
    parser.add_argument("--tokens", type=int, default=1_000_000, help="fit at most so many words")
    parser.add_argument("--text", type=Path, help="a text, one sentence a line, instead of Shakespeare")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(args, Path(folder))
    print_table(rows)
    write_record(args.out, "ngram", rows, seed=SEED)


if __name__ == "__main__":
    main()
