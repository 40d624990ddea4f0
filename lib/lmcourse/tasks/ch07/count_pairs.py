"""Exercise `count_pairs`."""

from collections import Counter
from functools import partial
from itertools import pairwise

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch07.shared import Pair, Token, random_bytes, split_bytes


def count_pairs(words, counts):
    """Count the pairs of neighbouring tokens.

    Args:
        words: a list of words, each a list of tokens (bytes).
        counts: how often each word occurs, a list of ints of the same length.

    Returns:
        A dict from pair, a tuple of two tokens, to its count.

    Raises:
        ValueError: the two lists differ in length.

    >>> count_pairs([[b"a", b"a", b"a", b"b"], [b"a", b"b"]], [1, 10])
    {(b'a', b'a'): 2, (b'a', b'b'): 11}
    """
    if len(words) != len(counts):
        raise ValueError(f"`words` and `counts` must have the same length, got {len(words)} and {len(counts)}.")
    total = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            total[pair] = total.get(pair, 0) + count
    return total


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def words(n_words: int, longest: int) -> list[list[bytes]]:
        return [split_bytes(random_bytes(rng, int(n))) for n in rng.integers(1, longest, size=n_words)]

    return [
        case("the worked example", [[b"a", b"a", b"a", b"b"], [b"a", b"b"]], [1, 10]),
        case("seven random words", words(7, 11), [int(n) for n in rng.integers(2, 20, size=7)]),
        case("tokens of several bytes", [[b"th", b"e", b"re"], [b"t", b"he", b"re"]], [3, int(rng.integers(4, 9))]),
        border("a pair that comes twice in one word", [split_bytes(b"banana")], [5]),
        case("the same two tokens in both orders", [split_bytes(b"abba")], [2]),
        border("three equal tokens: pairs overlap", [split_bytes(b"aaa")], [2]),
        border("words of one token have no pair", [[b"a"], [b"b"]], [3, 4]),
        border("an empty word", [[], [b"a", b"b"]], [3, 1]),
        border("no words", [], []),
        border("one count missing", [[b"a", b"b"], [b"b", b"c"]], [1]),
    ]


def _count_wrong(words: list[list[Token]], counts: list[int], *, how: str) -> dict:
    if how != "unchecked":
        count_pairs(words, counts)
    total: Counter = Counter()
    if how == "across_words":
        stream = [(token, count) for word, count in zip(words, counts, strict=True) for token in word]
        for (left, count), (right, _) in pairwise(stream):
            total[left, right] += count
        return dict(total)
    for word, count in zip(words, counts, strict=False):
        pairs: list = list(pairwise(word))
        if how == "apart":
            at, pairs = 0, []
            while at < len(word) - 1:
                pairs.append((word[at], word[at + 1]))
                at += 2 if at < len(word) - 2 and word[at] == word[at + 1] == word[at + 2] else 1
        if how == "every_second":
            pairs = pairs[::2]
        if how == "once_a_word":
            pairs = list(dict.fromkeys(pairs))
        for left, right in pairs:
            key = {"any_order": tuple(sorted((left, right))), "joined": left + right}.get(how, (left, right))
            total[key] += 1 if how == "unweighted" else count
    return dict(total)


def _count_by_get(words: list[list[Token]], counts: list[int]) -> dict[Pair, int]:
    if len(words) - len(counts):
        raise ValueError("lengths differ")
    found: dict[Pair, int] = {}
    for number, word in enumerate(words):
        for at in range(1, len(word)):
            key = word[at - 1], word[at]
            found[key] = found.get(key, 0) + counts[number]
    return found


def _count_by_multiplying(words: list[list[Token]], counts: list[int]) -> dict[Pair, int]:
    merged: Counter[Pair] = Counter()
    for word, count in zip(words, counts, strict=True):  # strict: lengths that differ are a ValueError
        inside = Counter(pairwise(word))
        merged.update({pair: n * count for pair, n in inside.items()})
    return merged


task = Task(
    count_pairs,
    points=2,
    difficulty=1,
    minutes=10,
    cases=cases,
    slips=(
        Slip(
            "unweighted",
            partial(_count_wrong, how="unweighted"),
            "Each word was counted once. A word that occurs ten times brings each of its pairs ten times: add its "
            "count, not 1.",
        ),
        Slip(
            "across_words",
            partial(_count_wrong, how="across_words"),
            "A pair was made of the last token of one word and the first of the next. Count inside each word.",
        ),
        Slip(
            "apart",
            partial(_count_wrong, how="apart"),
            "In a run of equal tokens the overlapping pairs were left out. By the rule here aaa holds (a, a) twice; "
            "only merging, later, cannot use both.",
        ),
        Slip(
            "every_second",
            partial(_count_wrong, how="every_second"),
            "Every second pair is missing: after (a, b) comes (b, c), not (c, d). Move on by one token.",
        ),
        Slip(
            "once_a_word",
            partial(_count_wrong, how="once_a_word"),
            "A pair that stands twice in a word was counted once there. banana holds (a, n) twice.",
        ),
        Slip(
            "any_order",
            partial(_count_wrong, how="any_order"),
            "(a, b) and (b, a) were counted as one pair. The order matters: they are merged into different tokens.",
        ),
        Slip(
            "joined",
            partial(_count_wrong, how="joined"),
            "The keys are joined bytes. (th, e) and (t, he) are different pairs, and joined they are the same: use a "
            "tuple of the two tokens.",
        ),
        Slip(
            "unchecked",
            partial(_count_wrong, how="unchecked"),
            "The counting is right, but a list of words and a list of counts of different lengths were accepted, and "
            "zip dropped the rest. Raise ValueError.",
        ),
    ),
    alternatives=(_count_by_get, _count_by_multiplying),
    hints=(
        "Which pairs does one word hold, and how much does each of them count?",
        "zip(word, word[1:]) gives the pairs of a word; zip(words, counts, strict=True) gives the words with their "
        "counts and raises ValueError when the lengths differ.",
        "for word, count in zip(words, counts, strict=True): for pair in zip(word, word[1:]): total[pair] = "
        "total.get(pair, 0) + count",
    ),
)
