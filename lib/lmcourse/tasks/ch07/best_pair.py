"""Exercise `best_pair`."""

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch07.shared import Pair, random_bytes


def best_pair(counts):
    """Return the most frequent pair; of equally frequent ones, the first in byte order.

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
        case("the most frequent pair comes first", {(b"z", b"y"): 9, (b"a", b"b"): 8, (b"m", b"n"): 1}),
        case("the most frequent pair comes last", {(b"a", b"b"): 8, (b"m", b"n"): 1, (b"z", b"y"): 9}),
        case("counts with more digits than others", {(b"a", b"b"): 9, (b"c", b"d"): 10, (b"e", b"f"): 100}),
        case("eleven random pairs", table(11, 90)),
        border("a tie that the first token decides", {(b"b", b"a"): high, (b"z", b"z"): 1, (b"a", b"c"): high}),
        border("a tie that the last token decides", {(b"a", b"d"): high, (b"a", b"c"): high, (b"a", b"e"): high}),
        border("a tie of tokens of unequal length", {(b"ab", b"a"): high, (b"a", b"bb"): high, (b"ab", b"c"): 2}),
        border("a tie whose first in order comes first", {(b"a", b"c"): 4, (b"b", b"a"): 4, (b"a", b"d"): 4}),
        border("a tie in which the longer token comes first", {(b"b", b"a"): 4, (b"aa", b"zz"): 4, (b"c", b"a"): 4}),
        border("a tie in which the shorter token comes first", {(b"ab", b"cd"): 4, (b"a", b"z"): 4, (b"b", b"a"): 4}),
        border("a tie with a capital and a space", {(b"a", b"t"): 7, (b"T", b"h"): 7, (b" ", b"t"): 7}),
        border("a tie of capital and small letters", {(b"a", b"t"): 7, (b"B", b"h"): 7}),
        border("a tie with bytes that are no text", {(b"\xff", b"a"): 7, (b"\x80", b"a"): 7, (b"\xc3", b"\xa9"): 7}),
        border("a tie with a quote", {(b"b", b"a"): 7, (b"'", b"a"): 7, (b"x'", b"a"): 7}),
        border("a tie with a line break", {(b"\n", b"a"): 7, (b"A", b"a"): 7, (b"\\", b"a"): 7}),
        border("a tie of all", dict.fromkeys(table(7, 2), 4)),
        border("one pair", {(b"q", b"u"): 1}),
        border("no pairs", {}),
    ]


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
            ("min(counts, key=lambda pair: (-counts[pair], pair))", "max(counts, key=counts.get)"),
            "The count is right, but of equally frequent pairs the one that was seen first was taken, so the result "
            "depends on the order of the text. Of equals, take the first in byte order.",
        ),
        Slip(
            "last_seen",
            ("min(counts, key=lambda pair: (-counts[pair], pair))", "max(reversed(list(counts)), key=counts.get)"),
            "The count is right, but of equally frequent pairs the one that was seen last was taken, so the result "
            "depends on the order of the text. Of equals, take the first in byte order.",
        ),
        Slip(
            "last_in_order",
            (
                "min(counts, key=lambda pair: (-counts[pair], pair))",
                "max(counts, key=lambda pair: (counts[pair], pair))",
            ),
            "Of equally frequent pairs the last in byte order was taken (max of (count, pair) does that). Take the "
            "first: min of (-count, pair).",
        ),
        Slip(
            "by_joined",
            ("(-counts[pair], pair)", "(-counts[pair], pair[0] + pair[1], pair[::-1])"),
            "Ties were broken on the joined bytes. Compare the left tokens first, and the right ones only if the "
            "left ones are equal: compare the tuples.",
        ),
        Slip(
            "right_first",
            ("(-counts[pair], pair)", "(-counts[pair], pair[::-1])"),
            "Ties were broken on the right token first. The left token comes first.",
        ),
        Slip(
            "left_only",
            ("(-counts[pair], pair)", "(-counts[pair], pair[0])"),
            "Ties were broken on the left token alone. If the left tokens are equal, the right one decides: compare "
            "the whole pair.",
        ),
        Slip(
            "shortest",
            ("(-counts[pair], pair)", "(-counts[pair], len(pair[0] + pair[1]), pair)"),
            "Of equally frequent pairs the shortest was taken. Their length does not count: take the first in byte "
            "order.",
        ),
        Slip(
            "longest",
            ("(-counts[pair], pair)", "(-counts[pair], -len(pair[0] + pair[1]), pair)"),
            "Of equally frequent pairs the longest was taken. Their length does not count: take the first in byte "
            "order.",
        ),
        Slip(
            "letter_case_ignored",
            ("(-counts[pair], pair)", "(-counts[pair], pair[0].lower(), pair[1].lower())"),
            "Capital letters were compared as if they were small. In byte order all capitals come before the small "
            "letters.",
        ),
        Slip(
            "as_text",
            ("(-counts[pair], pair)", "(-counts[pair], pair[0].decode(), pair[1].decode())"),
            "The tokens were decoded to be compared, but a token may be a part of a character. Compare the bytes "
            "themselves.",
        ),
        Slip(
            "first_in_order",
            ("(-counts[pair], pair)", "pair"),
            "This is the first pair in byte order, whatever its count. The count decides first.",
        ),
        Slip(
            "rarest",
            ("-counts[pair]", "counts[pair]"),
            "This is the rarest pair. The most frequent one is merged: mind the sign of the count in the key.",
        ),
        Slip(
            "with_count",
            (
                "return min(counts, key=lambda pair: (-counts[pair], pair))",
                "best = min(counts, key=lambda pair: (-counts[pair], pair))\n    return (*best, counts[best])",
            ),
            "The count was returned along with the pair. Return the pair alone, a tuple of two tokens.",
        ),
        Slip(
            "pair_and_count",
            (
                "return min(counts, key=lambda pair: (-counts[pair], pair))",
                "best = min(counts, key=lambda pair: (-counts[pair], pair))\n    return best, counts[best]",
            ),
            "The pair and its count were returned. Return the pair alone, a tuple of two tokens.",
        ),
        Slip(
            "token",
            (
                "return min(counts, key=lambda pair: (-counts[pair], pair))",
                'return b"".join(min(counts, key=lambda pair: (-counts[pair], pair)))',
            ),
            "This is the new token. Return the pair that makes it, a tuple of two tokens.",
        ),
        Slip(
            "all_tied",
            (
                "return min(counts, key=lambda pair: (-counts[pair], pair))",
                "return sorted(pair for pair in counts if counts[pair] == max(counts.values()))",
            ),
            "All the most frequent pairs were returned. Return one: the first of them in byte order.",
        ),
        Slip(
            "none_for_none",
            ("if not counts:", "if not counts:\n        return None\n    if False:"),
            "With no pairs at all the result was None. There is nothing to choose: raise ValueError.",
        ),
        Slip(
            "other_error",
            ("if not counts:", "if not counts:\n        raise IndexError\n    if False:"),
            "With no pairs at all the error is another one, such as IndexError. Raise ValueError.",
        ),
    ),
    alternatives=(_best_by_sorting, _best_by_two_passes),
    hints=(
        "Python compares tuples element by element. What would you put first into a key, and what second?",
        "min takes the smallest key; a larger count should come first, so put -count into the key, and the pair after "
        "it.",
        "return min(counts, key=lambda pair: (-counts[pair], pair)); min of an empty dict raises ValueError by itself.",
    ),
)
