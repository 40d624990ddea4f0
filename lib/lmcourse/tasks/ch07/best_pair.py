import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.tasks.ch07.shared import Pair, random_bytes


def best_pair(counts, min_count, max_length):
    """Return the most frequent pair that may be merged; of equally frequent ones, the first in byte order.

    A pair may be merged if it occurs at least min_count times and its token has at most max_length bytes.

    Args:
        counts: a dict from pair, a tuple of two tokens (bytes), to its count.
        min_count: 1 or more.
        max_length: 2 or more, in bytes.

    Returns:
        A pair; None if no pair may be merged.

    >>> counts = {(b"b", b"a"): 3, (b"a", b"b"): 5, (b"ab", b"ab"): 8, (b"a", b"a"): 5}
    >>> best_pair(counts, min_count=2, max_length=3)
    (b'a', b'a')
    """
    allowed = [pair for pair in counts if counts[pair] >= min_count and len(pair[0] + pair[1]) <= max_length]
    return min(allowed, key=lambda pair: (-counts[pair], pair), default=None)


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def table(n_pairs: int, most: int) -> dict[Pair, int]:
        drawn: dict[Pair, int] = {}
        while len(drawn) < n_pairs:
            key = random_bytes(rng, int(rng.integers(1, 3))), random_bytes(rng, int(rng.integers(1, 3)))
            drawn[key] = int(rng.integers(1, most))
        return drawn

    high = int(rng.integers(5, 50))
    a, b, c = b"a", b"b", b"c"
    return [
        case("the worked example", {(b, a): 3, (a, b): 5, (b"ab", b"ab"): 8, (a, a): 5}, 2, 3),
        case("the two most frequent pairs are too long", {(b"aaaa", b"bb"): 9, (b"cc", b"cc"): 8, (c, a): 4}, 2, 3),
        case("one long token and one short one", {(b"abcd", a): 9, (a, b"abcd"): 8, (b"ab", b"ab"): 2}, 1, 4),
        *(case(f"eleven random pairs of at most {n} bytes", table(11, 90), 5, n) for n in (2, 3)),
        border("a length that is just allowed", {(b"ab", c): 9, (a, b): 5}, 1, 3),
        border("a length that is one byte too much", {(b"ab", b"cd"): 9, (a, b): 5}, 1, 3),
        border("characters of two bytes: their length is in bytes", {(b"\xc3\xa9", b"\xc3\xa8"): 9, (a, b): 5}, 1, 3),
        border("a count that is just enough", {(a, b): 4, (b, c): 3}, 4, 16),
        border("a count that is one too low: none", {(a, b): 4, (b, c): 3}, 5, 16),
        border("all frequent pairs are too long, all short ones too rare: none", {(b"ab", b"cd"): 9, (a, b): 1}, 2, 3),
        border("a pair that occurs once, where once is enough", {(b"q", b"u"): 1}, 1, 2),
        border("a tie between a pair that is too long and one that is not", {(a, b"aaa"): 7, (b, b"b"): 7}, 1, 3),
        border("a tie that the first token decides", {(b, a): high, (b"z", b"z"): 1, (a, c): high}, 1, 16),
        border("a tie that the last token decides", {(a, b"d"): high, (a, c): high, (a, b"e"): high}, 1, 16),
        border("a tie of tokens of unequal length", {(b"ab", a): high, (a, b"bb"): high, (b"ab", c): 2}, 1, 16),
        border("a tie in which the longer token comes first", {(b, a): 4, (b"aa", b"zz"): 4, (c, a): 4}, 1, 16),
        border("a tie in which the shorter token comes first", {(b"ab", b"cd"): 4, (a, b"z"): 4, (b, a): 4}, 1, 16),
        border("a tie with a capital and a space", {(a, b"t"): 7, (b"T", b"h"): 7, (b" ", b"t"): 7}, 1, 16),
        border("a tie of capital and small letters", {(a, b"t"): 7, (b"B", b"h"): 7}, 1, 16),
        border("a tie with bytes that are no text", {(b"\xff", a): 7, (b"\x80", a): 7, (b"\xc3", b"\xa9"): 7}, 1, 16),
        border("a tie that the last token decides, a byte that is no text", {(a, b"\xff"): 7, (a, b"\xfe"): 7}, 1, 16),
        border("no pairs: none", {}, 1, 16),
        border("counts beyond the digits of a float that differ by one", {(a, b): 2**53, (b, c): 2**53 + 1}, 1, 16),
    ]


SLIPS = mistakes("""
any_length: "its token has at most max_length bytes"
    and len(pair[0] + pair[1]) <= max_length =>
  The length of the token was not looked at. A pair whose token would have more than max_length bytes is out, however
  frequent it is.
shorter_than: "its token has at most max_length bytes"
    <= max_length => < max_length
  A token of exactly max_length bytes was refused. It has at most max_length bytes: <=.
more_than: "occurs at least min_count times"
    >= min_count => > min_count
  A pair that occurs exactly min_count times was refused. At least min_count is enough: >=.
length_of_each
    len(pair[0] + pair[1]) => max(map(len, pair))
  Each half was compared with max_length. The new token is as long as both together.
characters: "in bytes"
    len(pair[0] + pair[1]) => len((pair[0] + pair[1]).decode(errors="replace"))
  The characters were counted. max_length is in bytes: the length of the joined bytes themselves.
first_seen: "of equally frequent ones, the first in byte order"
    min(allowed, key=lambda pair: (-counts[pair], pair) => max(allowed, key=counts.get
  The count is right, but of equally frequent pairs the one that was seen first was taken, so the result depends on the
  order of the text. Of equals, take the first in byte order.
last_in_order
    min(allowed, key=lambda pair: (- => max(allowed, key=lambda pair: (
  Of equally frequent pairs the last in byte order was taken (max of (count, pair) does that). Take the first: min of
  (-count, pair).
by_joined
    (-counts[pair], pair) => (-counts[pair], pair[0] + pair[1], pair[::-1])
  Ties were broken on the joined bytes. Compare the left tokens first, and the right ones only if the left ones are
  equal: compare the tuples.
error_for_none: "None if no pair may be merged"
    , default=None =>
  Where no pair may be merged there is an error: min of nothing raises ValueError. Return None; the trainer stops there.
""")
HINTS = hints("""
- There are two questions: which pairs may be merged at all, and which of them is best? Answer them one after the other.
- For the first, compare counts[pair] with min_count and the length of both tokens together with max_length. For the
  second, Python compares tuples element by element: put -count into the key, and the pair after it.
- allowed = [pair for pair in counts if counts[pair] >= min_count and len(pair[0] + pair[1]) <= max_length]; return
  min(allowed, key=lambda pair: (-counts[pair], pair), default=None)
""")
task = Task(best_pair, points=2, difficulty=2, minutes=15, cases=cases, slips=SLIPS, hints=HINTS)
