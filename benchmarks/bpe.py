"""Byte-pair encoding beside its peers: training and encoding, one thread, interleaved rounds, one table.

    python -m benchmarks.bpe                 training and encoding, about three minutes
    python -m benchmarks.bpe --scaling       training time by size of the text and by number of merges
    python -m benchmarks.bpe --quick         a tenth of the text, to see that it runs
    python -m benchmarks.bpe --out bpe.json  the rows as JSON too

Times are CPU seconds of this process (with one thread, what a clock on an idle machine shows), the best and the median
of the rounds. In each round every contestant runs once, so that a slow spell hits all of them.
"""

from __future__ import annotations

import os

os.environ["TOKENIZERS_PARALLELISM"] = "false"  # before the import: one thread for everybody
os.environ["RAYON_NUM_THREADS"] = "1"

import gc
import json
import statistics
import time
from collections.abc import Callable
from functools import partial

import regex
import tiktoken
import tokenizers

from benchmarks.rounds import Contestants, Row, options, take_turns, write_record
from lmcourse import data
from lmcourse.tokenizers.bpe import GPT2_PATTERN, BPETokenizer
from lmcourse.tokenizers.bpe_naive import naive_train_merges
from lmcourse.tokenizers.bpe_pretokenize import PreTokenizer
from lmcourse.tokenizers.bpe_training import count_pre_tokens, train_merges


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    return race(1, {"it": work})["it"][0]


def race(rounds: int, contestants: Contestants) -> dict[str, list[float]]:
    """CPU seconds of each contestant, one a round, in turns."""
    return take_turns(contestants, rounds, warm_up=0, clock=time.process_time, between=gc.collect)


def rows_of(what: str, times: dict[str, list[float]], size: int, ours: str) -> list[Row]:
    """One row a contestant; "times ours" above 1 means that it is slower than ours."""
    best = {name: min(values) for name, values in times.items()}
    return [
        {
            "what": what,
            "who": name,
            "best_s": round(best[name], 4),
            "median_s": round(statistics.median(values), 4),
            "mb_per_s": round(size / best[name] / 1e6, 3),
            "times_ours": round(best[name] / best[ours], 3),
            "rounds": len(values),
        }
        for name, values in times.items()
    ]


def hugging_face_train(text: str, num_merges: int) -> None:
    trained = tokenizers.Tokenizer(tokenizers.models.BPE())
    trained.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=256 + num_merges,
        show_progress=False,
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
    )
    # By lines it is quicker than in one string; ours does not mind.
    trained.train_from_iterator(text.splitlines(keepends=True), trainer)


def training(text: str, num_merges: int, rounds: int) -> list[Row]:
    contestants = {
        "lmcourse": lambda: BPETokenizer.train(text, 256 + num_merges),
        "lmcourse, counting pre-tokens only": lambda: count_pre_tokens(text, PreTokenizer()),
        "HF tokenizers": lambda: hugging_face_train(text, num_merges),
    }
    size = len(text.encode())
    what = f"train {num_merges:,} merges on {size / 1e6:.2f} MB"
    return rows_of(what, race(rounds, contestants), size, "lmcourse")


def against_the_naive_trainer(text: str, num_merges: int) -> list[Row]:
    """One round, since the naive trainer takes its time; the merges are compared too."""
    results: dict[str, list] = {}

    def ours() -> None:
        results["ours"] = train_merges(count_pre_tokens(text, PreTokenizer()), num_merges)

    def naive() -> None:
        results["naive"] = naive_train_merges(PreTokenizer().split(text), num_merges)

    times = {"lmcourse": [seconds(ours) for _ in range(5)], "naive twin": [seconds(naive)]}
    if results["ours"] != results["naive"]:
        raise SystemExit("the naive trainer learnt other merges")
    size = len(text.encode())
    return rows_of(f"train {num_merges:,} merges on {size / 1e6:.2f} MB", times, size, "lmcourse")


def encoding(text: str, rounds: int) -> list[Row]:
    folder = data.fetch("gpt2-merges")
    ours = BPETokenizer.from_gpt2_files(folder / "vocab.bpe", folder / "encoder.json")
    openai = tiktoken.Encoding(
        "gpt2", pat_str=GPT2_PATTERN, mergeable_ranks=ours.to_ranks(), special_tokens=ours.special_tokens
    )
    merges = [line.split(" ") for line in (folder / "vocab.bpe").read_text(encoding="utf-8").splitlines()[1:] if line]
    model = tokenizers.models.BPE(
        json.loads((folder / "encoder.json").read_text(encoding="utf-8")), [(left, right) for left, right in merges]
    )
    hugging_face = tokenizers.Tokenizer(model)
    hugging_face.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    lines = text.splitlines(keepends=True)
    pre_tokenizer, pattern = PreTokenizer(), regex.compile(GPT2_PATTERN)

    def cold() -> list[int]:
        ours.clear_cache()
        return ours.encode(text)

    ids = cold()
    if not ids == openai.encode_ordinary(text) == hugging_face.encode(text).ids:
        raise SystemExit("the ids differ")
    size = len(text.encode())
    close = {
        "lmcourse, cold cache": cold,
        "lmcourse, warm cache": lambda: ours.encode(text),
        "tiktoken": lambda: openai.encode_ordinary(text),
        "the split alone, lmcourse": lambda: sum(map(len, pre_tokenizer.blocks(text))),
        "the split alone, regex.findall": lambda: pattern.findall(text),
    }
    slow = {  # a race of their own: a second of theirs leaves the processor's caches to nobody else
        "lmcourse, warm cache": lambda: ours.encode(text),
        "HF tokenizers, one string": lambda: hugging_face.encode(text),
        "HF tokenizers, by lines": lambda: hugging_face.encode_batch(lines),
    }
    what, first = f"encode {size / 1e6:.2f} MB, GPT-2 merges", "lmcourse, warm cache"
    rows = rows_of(what, race(rounds, close), size, first)
    rows += rows_of(what + ", Hugging Face", race(min(rounds, 3), slow), size, first)
    cold()
    info = ours.cache_info()
    note = f"cache: {info['pre_tokens']:,} pre-tokens of at most {info['limit']:,}, {info['bytes'] / 1e6:.1f} MB"
    return [*rows, {"what": note, "who": "lmcourse", **info}]


def scaling(text: str, rounds: int) -> list[Row]:
    """Training time by size of the text at 2,000 merges, and by merges on the whole text."""
    contestants: dict[tuple[str, int, int], Callable[[], object]] = {}
    for part in (16, 8, 4, 2, 1):
        some = text[: len(text) // part]
        contestants["by size of the text", len(some), 2_000] = partial(BPETokenizer.train, some, 2_256)
    for merges in (500, 1_000, 2_000, 4_000, 8_000, 16_000):
        contestants["by number of merges", len(text), merges] = partial(BPETokenizer.train, text, 256 + merges)
    by_name = {" ".join(map(str, key)): work for key, work in contestants.items()}
    times = race(rounds, by_name)
    return [
        {
            "what": what,
            "who": "lmcourse",
            "bytes": size,
            "merges": merges,
            "best_s": round(min(values), 4),
            "median_s": round(statistics.median(values), 4),
            "mb_per_s": round(size / min(values) / 1e6, 2),
        }
        for (what, size, merges), values in zip(contestants, times.values())
    ]


def show(rows: list[Row]) -> None:
    columns = ["who", "bytes", "merges", "best_s", "median_s", "mb_per_s", "times_ours"]
    last = None
    for row in rows:
        if row["what"] != last:
            last = row["what"]
            present = [name for name in columns if name in row and (name != "bytes" or "merges" in row)]
            print(f"\n{last}")
            if "best_s" in row:
                print("  " + f"{present[0]:<32}" + "".join(f"{name:>12}" for name in present[1:]))
        if "best_s" in row:
            print("  " + f"{row['who']:<32}" + "".join(f"{row[name]:>12}" for name in present[1:]))


def main() -> None:
    parser = options(__doc__, rounds=7)
    parser.add_argument("--scaling", action="store_true", help="training time by text and merges instead")
    parser.add_argument("--quick", action="store_true", help="a tenth of the text, two rounds")
    arguments = parser.parse_args()

    text, rounds = data.load_text("shakespeare"), arguments.rounds
    if arguments.quick:
        text, rounds = text[: len(text) // 10], 2
    if arguments.scaling:
        rows = scaling(text, rounds)
    else:
        twin_size, twin_merges = (30_000, 50) if arguments.quick else (300_000, 100)
        rows = [
            *training(text, 800 if arguments.quick else 8_000, rounds),
            *against_the_naive_trainer(text[:twin_size], twin_merges),
            *encoding(text, rounds),
        ]
    print(f"{data.text_source('shakespeare')}, one thread, CPU seconds")
    show(rows)
    write_record(
        arguments.out,
        "bpe-scaling" if arguments.scaling else "bpe",
        rows,
        seed=None,  # nothing is drawn at random
        text=data.text_source("shakespeare"),
        versions={module.__name__: module.__version__ for module in (regex, tiktoken, tokenizers)},
    )


if __name__ == "__main__":
    main()
