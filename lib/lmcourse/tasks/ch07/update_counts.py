"""Exercise `update_counts`."""

from collections import Counter
from functools import partial
from itertools import pairwise

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch07.merge_pair import merge_pair
from lmcourse.tasks.ch07.shared import Pair, Token, join_pairs, random_bytes, split_bytes


def update_counts(counts, word, pair, count):
    """Return the pair counts after a pair was merged in one word.

    Args:
        counts: a dict from pair to count before the merge, over all words. It stays as it is.
        word: the word before the merge, a list of tokens (bytes).
        pair: the pair that is merged.
        count: how often the word occurs.

    Returns:
        A new dict from pair to count, without pairs of count 0.

    Raises:
        ValueError: the word does not hold the pair.

    >>> before = {(b"a", b"b"): 6, (b"b", b"c"): 4, (b"c", b"a"): 3}
    >>> sorted(update_counts(before, [b"a", b"b", b"c", b"a", b"b"], (b"a", b"b"), 3).items())
    [((b'ab', b'c'), 3), ((b'b', b'c'), 1), ((b'c', b'ab'), 3)]
    """
    if pair not in zip(word, word[1:]):
        raise ValueError(f"`word` must hold the pair {pair!r}, got {word!r}.")
    fresh = dict(counts)
    for old in zip(word, word[1:]):
        fresh[old] = fresh.get(old, 0) - count
    after = merge_pair(word, pair)
    for new in zip(after, after[1:]):
        fresh[new] = fresh.get(new, 0) + count
    return {key: value for key, value in fresh.items() if value}


def _weighted(words: list[tuple[list[Token], int]]) -> dict[Pair, int]:
    total: Counter[Pair] = Counter()
    for word, count in words:
        for pair in pairwise(word):
            total[pair] += count
    return dict(total)


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))

    def state(word: list[Token], pair: Pair, count: int) -> tuple:
        others = [(split_bytes(random_bytes(rng, 7)), int(rng.integers(1, 9))) for _ in range(3)]
        return _weighted([(word, count), *others]), word, pair, count

    long = split_bytes(random_bytes(rng, 17, b"abc"))
    place = int(rng.integers(0, 16))
    worked, _only = split_bytes(b"abcab"), split_bytes(b"cabd")
    return [
        case("the worked example", _weighted([(worked, 3), (split_bytes(b"bc"), 1)]), worked, (b"a", b"b"), 3),
        case("a random word", *state(long, (long[place], long[place + 1]), n)),
        border(
            "a word that is the only one", _weighted([(split_bytes(b"cabd"), n)]), split_bytes(b"cabd"), (b"a", b"b"), n
        ),
        case("two merges side by side", *state(split_bytes(b"dababc"), (b"a", b"b"), n)),
        border("a run of equal tokens", *state(split_bytes(b"baaaab"), (b"a", b"a"), n)),
        border("three equal tokens", *state(split_bytes(b"caaac"), (b"a", b"a"), n)),
        case("the first two tokens", *state(split_bytes(b"abdd"), (b"a", b"b"), n)),
        case("the last two tokens", *state(split_bytes(b"ddab"), (b"a", b"b"), n)),
        border("one pair and nothing else", {(b"x", b"y"): n}, [b"x", b"y"], (b"x", b"y"), n),
        border("a pair that is never in the word", {(b"x", b"y"): n}, [b"x", b"y"], (b"y", b"x"), n),
    ]


def _update_wrong(counts: dict[Pair, int], word: list[Token], pair: Pair, count: int, *, how: str) -> dict[Pair, int]:
    if how != "unchecked":
        update_counts(counts, word, pair, count)
    fresh = Counter(counts)
    after = join_pairs(word, pair)
    joined = pair[0] + pair[1]
    one = 1 if how == "unweighted" else count
    if how != "new_only":
        for old in pairwise(word):
            fresh[old] -= one
    if how != "old_only":
        for new in pairwise(after):
            fresh[new] += one
    if how == "pair_only":
        fresh = Counter(counts)
        fresh[pair] = 0
        for new in pairwise(after):
            fresh[new] += count if joined in new else 0
    if how == "deletes_pair":
        fresh[pair] = 0
    return dict(fresh) if how == "zeros_kept" else {key: value for key, value in fresh.items() if value}


def _update_in_place(counts: dict[Pair, int], word: list[Token], pair: Pair, count: int) -> dict[Pair, int]:
    fresh = update_counts(counts, word, pair, count)
    counts.clear()
    counts.update(fresh)
    return counts


def _update_by_difference(counts: dict[Pair, int], word: list[Token], pair: Pair, count: int) -> dict[Pair, int]:
    before = Counter(pairwise(word))
    if not before[pair]:
        raise ValueError("the pair is not there")
    merged = join_pairs(word, pair)
    after = Counter(pairwise(merged))
    result = {}
    for key in [*counts, *after]:
        value = counts.get(key, 0) + count * (after[key] - before[key])
        if value != 0:
            result[key] = value
    return result


def _update_by_neighbours(counts: dict[Pair, int], word: list[Token], pair: Pair, count: int) -> dict[Pair, int]:
    left, right = pair
    joined, after, changes = left + right, [], []
    at = 0
    while at < len(word):
        hit = at + 1 < len(word) and word[at] == left and word[at + 1] == right
        after.append(joined if hit else word[at])
        at += 2 if hit else 1
    if len(after) == len(word):
        raise ValueError("nothing to merge")
    changes += [(old, -count) for old in pairwise(word)] + [(new, count) for new in pairwise(after)]
    result = dict(counts)
    for key, change in changes:
        result[key] = result.get(key, 0) + change
    for key in [key for key, value in result.items() if value == 0]:
        del result[key]
    return result


task = Task(
    update_counts,
    points=3,
    difficulty=3,
    minutes=20,
    cases=cases,
    slips=(
        Slip(
            "new_only",
            partial(_update_wrong, how="new_only"),
            "The new pairs were added, but the old pairs of the word are still counted. Take them away first.",
        ),
        Slip(
            "old_only",
            partial(_update_wrong, how="old_only"),
            "The old pairs were taken away, but the pairs of the merged word are missing. Add them.",
        ),
        Slip(
            "unweighted",
            partial(_update_wrong, how="unweighted"),
            "The counts changed by 1. The word stands count times in the text, so each of its pairs changes by count.",
        ),
        Slip(
            "pair_only",
            partial(_update_wrong, how="pair_only"),
            "The merged pair was removed, but its neighbours were left as they were. When a b becomes ab, the pairs "
            "(x, a) and (b, y) beside it disappear too.",
        ),
        Slip(
            "deletes_pair",
            partial(_update_wrong, how="deletes_pair"),
            "The count of the merged pair was set to 0. Other words may still hold it: take away only what this word "
            "had.",
        ),
        Slip(
            "zeros_kept",
            partial(_update_wrong, how="zeros_kept"),
            "The numbers are right, but pairs with the count 0 were kept. Leave them out: a trainer must not choose "
            "them, and memory grows.",
        ),
        Slip(
            "in_place",
            _update_in_place,
            "The numbers are right, but the dict that was handed in was changed. Work on a copy: dict(counts).",
        ),
        Slip(
            "unchecked",
            partial(_update_wrong, how="unchecked"),
            "A word that does not hold the pair was accepted. Then there is nothing to merge: raise ValueError.",
        ),
    ),
    alternatives=(_update_by_difference, _update_by_neighbours),
    hints=(
        "Compare the word before the merge with the word after it. Which pairs did it have, which does it have now?",
        "Subtract count for each pair of zip(word, word[1:]), add count for each pair of the merged word. What cancels "
        "out need not trouble you.",
        "fresh = dict(counts); for p in zip(word, word[1:]): fresh[p] = fresh.get(p, 0) - count; the same with + for "
        "merge_pair(word, pair); return {p: n for p, n in fresh.items() if n}. ValueError first if the pair is not in "
        "the word.",
    ),
)
