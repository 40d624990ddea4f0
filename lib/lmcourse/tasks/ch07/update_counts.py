from collections import Counter
from itertools import pairwise

import numpy as np

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.tasks.ch07.merge_pair import merge_pair
from lmcourse.tasks.ch07.shared import Pair, Token, random_bytes, split_bytes


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
    left = int(rng.integers(0, 16))
    worked, ab, ab_c = split_bytes(b"abcab"), (b"a", b"b"), (b"ab", b"c")
    return [
        case("the worked example", _weighted([(worked, 3), (split_bytes(b"bc"), 1)]), worked, ab, 3),
        case("a random word", *state(long, (long[left], long[left + 1]), n)),
        case("a word that occurs once", *state(split_bytes(b"dabcab"), ab, 1)),
        border("a word that is the only one", _weighted([(split_bytes(b"cabd"), n)]), split_bytes(b"cabd"), ab, n),
        case("two merges side by side", *state(split_bytes(b"dababc"), ab, n)),
        border("a run of equal tokens", *state(split_bytes(b"baaaab"), (b"a", b"a"), n)),
        border("three equal tokens", *state(split_bytes(b"caaac"), (b"a", b"a"), n)),
        case("the first two tokens", *state(split_bytes(b"abdd"), ab, n)),
        case("the last two tokens", *state(split_bytes(b"ddab"), ab, n)),
        border("one pair and nothing else", {(b"x", b"y"): n}, [b"x", b"y"], (b"x", b"y"), n),
        border("a pair that is never in the word", {(b"x", b"y"): n}, [b"x", b"y"], (b"y", b"x"), n),
        border("a pair that other words hold", {(b"x", b"y"): n, ab: 4}, [b"x", b"y"], ab, n),
        border(
            "tokens of the pair that are no neighbours", {(b"a", b"c"): 1, (b"c", b"b"): 1}, split_bytes(b"acb"), ab, 1
        ),
        border("a word of one token", {ab: 4}, [b"ab"], ab, 2),
        border("an empty word", {ab: 4}, [], ab, 2),
        border("a pair that is not there, but joins to the same bytes", {ab_c: 2}, [*ab_c], (b"a", b"bc"), 2),
    ]


SLIPS = mistakes("""
old_only: "Return the pair counts after a pair was merged in one word"
    fresh[new] = fresh.get(new, 0) + count => ...
  The old pairs were taken away, but the pairs of the merged word are missing. Add them.
unweighted: "how often the word occurs"
    fresh.get(old, 0) - count => fresh.get(old, 0) - 1
    fresh.get(new, 0) + count => fresh.get(new, 0) + 1
  The counts changed by 1. The word stands count times in the text, so each of its pairs changes by count.
deletes_pair: "a dict from pair to count before the merge, over all words"
    if value} => if value and key != pair}
  The count of the merged pair was set to 0. Other words may still hold it: take away only what this word had.
once_a_word: "the word before the merge, a list of tokens (bytes)"
    for old in zip(word, word[1:]) => for old in set(zip(word, word[1:]))
    for new in zip(after, after[1:]) => for new in set(zip(after, after[1:]))
  A pair that stands twice in the word was counted once. Take away and add one count for each time that it stands there.
zeros_kept: "without pairs of count 0"
    for key, value in fresh.items() if value} => for key, value in fresh.items()}
  Right, but pairs with the count 0 were kept. Leave them out: a trainer must not choose them, and memory grows.
in_place: "It stays as it is"
    fresh = dict(counts) => fresh = counts
  The numbers are right, but the dict that was handed in was changed. Work on a copy: dict(counts).
unchecked: "the word does not hold the pair"
    pair not in zip(word, word[1:]) => False
  A word that does not hold the pair was accepted. Then there is nothing to merge: raise ValueError.
tokens_checked: "the word does not hold the pair"
    pair not in zip(word, word[1:]) => pair[0] not in word or pair[1] not in word
  It was checked only that both tokens are in the word. They must be neighbours, in this order: raise ValueError where
  the pair is not among zip(word, word[1:]).
counts_checked
    pair not in zip(word, word[1:]) => pair not in counts
  It was checked whether `counts` has the pair. It must be in the word: raise ValueError where it is not among zip(word,
  word[1:]).
""")
HINTS = hints("""
- Compare the word before the merge with the word after it. Which pairs did it have, which does it have now?
- Subtract count for each pair of zip(word, word[1:]), add count for each pair of the merged word. What cancels out need
  not trouble you.
- fresh = dict(counts); for p in zip(word, word[1:]): fresh[p] = fresh.get(p, 0) - count; the same with + for
  merge_pair(word, pair); return {p: n for p, n in fresh.items() if n}. ValueError first if the pair is not in the word.
""")
task = Task(
    update_counts, points=3, difficulty=3, minutes=20, cases=cases, compare=Compare(new=True), slips=SLIPS, hints=HINTS
)
