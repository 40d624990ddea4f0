"""Exercise `best_pair`."""

from functools import partial

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch07.shared import Pair, random_bytes


def best_pair(counts):
    """Return the commonest pair; of equally common ones, the first in byte order.

    Args:
        counts: a dict from pair, a tuple of two tokens (bytes), to its count.

    Returns:
        A pair.

    Raises:
        ValueError: there is no pair.

    >>> best_pair({(b"b", b"a"): 3, (b"a", b"b"): 5, (b"a", b"a"): 5})
    (b'a', b'a')
    """
    if not counts:
        raise ValueError("`counts` must hold at least one pair.")
    return min(counts, key=lambda pair: (-counts[pair], pair))


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def table(n_pairs: int, most: int) -> dict[Pair, int]:
        drawn: dict[Pair, int] = {}
        while len(drawn) < n_pairs:
            key = random_bytes(rng, int(rng.integers(1, 3))), random_bytes(rng, int(rng.integers(1, 3)))
            drawn[key] = int(rng.integers(1, most))
        return drawn

    high = int(rng.integers(5, 50))
    return [
        case("the worked example", {(b"b", b"a"): 3, (b"a", b"b"): 5, (b"a", b"a"): 5, (b"c", b"a"): 1}),
        border("one pair clearly ahead", {**table(11, 20), (b"x", b"y"): 99}),
        case("eleven random pairs", table(11, 90)),
        border("a tie that the first token decides", {(b"b", b"a"): high, (b"z", b"z"): 1, (b"a", b"c"): high}),
        border("a tie that the last token decides", {(b"a", b"d"): high, (b"a", b"c"): high, (b"a", b"e"): high}),
        border("a tie of tokens of unequal length", {(b"ab", b"a"): high, (b"a", b"bb"): high, (b"ab", b"c"): 2}),
        border("a tie with a capital and a space", {(b"a", b"t"): 7, (b"T", b"h"): 7, (b" ", b"t"): 7}),
        border("a tie of all", dict.fromkeys(table(7, 2), 4)),
        border("one pair", {(b"q", b"u"): 1}),
        border("no pairs", {}),
    ]


def _best_wrong(counts: dict[Pair, int], *, how: str) -> object:
    if not counts and how == "none_for_none":
        return None
    best_pair(counts)
    most = max(counts.values())
    tied = [pair for pair, count in counts.items() if count == most]
    return {
        "first_seen": tied[0],
        "last_in_order": max(tied),
        "by_joined": min(tied, key=lambda pair: (pair[0] + pair[1], pair[::-1])),
        "right_first": min(tied, key=lambda pair: pair[::-1]),
        "rarest": min(counts, key=lambda pair: (counts[pair], pair)),
        "with_count": (*min(tied), most),
        "all_tied": sorted(tied),
        "none_for_none": min(tied),
    }[how]


def _best_by_sorting(counts: dict[Pair, int]) -> Pair:
    ordered = sorted(sorted(counts), key=counts.__getitem__, reverse=True)  # a stable sort keeps the order of bytes
    if ordered:
        return ordered[0]
    raise ValueError("no pair")


def _best_by_two_passes(counts: dict[Pair, int]) -> Pair:
    most = max(counts.values())  # ValueError when there is none
    return min(pair for pair, count in counts.items() if count == most)


task = Task(
    best_pair,
    points=2,
    difficulty=2,
    minutes=10,
    cases=cases,
    slips=(
        Slip(
            "first_seen",
            partial(_best_wrong, how="first_seen"),
            "The count is right, but of equally common pairs the one that was seen first was taken, so the result "
            "depends on the order of the text. Of equals, take the first in byte order.",
        ),
        Slip(
            "last_in_order",
            partial(_best_wrong, how="last_in_order"),
            "Of equally common pairs the last in byte order was taken (max of (count, pair) does that). Take the "
            "first: min of (-count, pair).",
        ),
        Slip(
            "by_joined",
            partial(_best_wrong, how="by_joined"),
            "Ties were broken on the joined bytes. Compare the left tokens first, and the right ones only if the left "
            "ones are equal: compare the tuples.",
        ),
        Slip(
            "right_first",
            partial(_best_wrong, how="right_first"),
            "Ties were broken on the right token first. The left token comes first.",
        ),
        Slip(
            "rarest",
            partial(_best_wrong, how="rarest"),
            "This is the rarest pair. The commonest one is merged: mind the sign of the count in the key.",
        ),
        Slip(
            "with_count",
            partial(_best_wrong, how="with_count"),
            "The count was returned along with the pair. Return the pair alone, a tuple of two tokens.",
        ),
        Slip(
            "all_tied",
            partial(_best_wrong, how="all_tied"),
            "All the commonest pairs were returned. Return one: the first of them in byte order.",
        ),
        Slip(
            "none_for_none",
            partial(_best_wrong, how="none_for_none"),
            "With no pairs at all the result was None. There is nothing to choose: raise ValueError.",
        ),
    ),
    alternatives=(_best_by_sorting, _best_by_two_passes),
    hints=(
        "Python compares tuples place by place. What would you put first into a key, and what second?",
        "min takes the smallest key; a larger count should come first, so put -count into the key, and the pair after "
        "it.",
        "return min(counts, key=lambda pair: (-counts[pair], pair)); min of an empty dict raises ValueError by itself.",
    ),
)
