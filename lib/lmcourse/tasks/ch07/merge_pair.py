import numpy as np

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.tasks.ch07.shared import random_bytes, split_bytes


def merge_pair(tokens, pair, dropped=()):
    """Join a pair of neighbours wherever it is met on a walk from the left, but for some of these meetings.

    Args:
        tokens: a list of tokens (bytes). It stays as it is.
        pair: a tuple of two tokens.
        dropped: the numbers of the meetings at which the pair is not joined, a set; the first meeting is number 0.
            There, the left token alone is copied, and the walk goes on at the right one.

    Returns:
        A new list of tokens, even where nothing is joined.

    >>> merge_pair([b"a", b"a", b"a", b"b"], (b"a", b"a"))
    [b'aa', b'a', b'b']
    >>> merge_pair([b"a", b"a", b"a", b"b"], (b"a", b"a"), dropped={0})
    [b'a', b'aa', b'b']
    """
    merged, at, meeting = [], 0, -1
    while at < len(tokens):
        met = tuple(tokens[at : at + 2]) == pair
        meeting += met
        if met and meeting not in dropped:
            merged.append(pair[0] + pair[1])
            at += 2
        else:
            merged.append(tokens[at])
            at += 1
    return merged


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    word, longer = split_bytes(random_bytes(rng, 23, b"abc")), split_bytes(random_bytes(rng, 31, b"ab"))
    left = int(rng.integers(0, len(word) - 1))
    aa, ab = (b"a", b"a"), (b"a", b"b")
    return [
        case("the worked example", split_bytes(b"aaab"), aa, {0}),
        case("nothing is dropped", split_bytes(b"aaabdaaabac"), ab),
        case("the first and the last of four are dropped", split_bytes(b"abcabcabcab"), ab, {0, 3}),
        case("a random word", word, (word[left], word[left + 1]), {0, 2}),
        case("a random word of two letters", longer, ab, {1, 4}),
        case("a random word, and a pair of equal tokens", longer, aa, {0, 3}),
        case("tokens of several bytes", [b"th", b"e", b"t", b"he", b"th", b"e"], (b"th", b"e"), {0}),
        case("the pair in the other order does not count", split_bytes(b"babbab"), ab, {1}),
        border("a run of equal tokens, nothing dropped", split_bytes(b"aaabaaaa"), aa),
        border("a run of six: the first two meetings are dropped", split_bytes(b"aaaaaa"), aa, {0, 1}),
        border("a run of seven: the second meeting is dropped", split_bytes(b"aaaaaaa"), aa, {1}),
        border("four equal tokens, which are not joined twice", split_bytes(b"aaaa"), aa),
        border("three equal tokens, all meetings dropped", split_bytes(b"aaa"), aa, {0, 1}),
        border("numbers beyond the last meeting", split_bytes(b"abcab"), ab, {1, 7, 90}),
        border("a pair that is never there", split_bytes(b"xyzzy"), (b"x", b"z"), {0}),
        border("nothing but the pair", [b"a", b"b"], ab),
        border("nothing but the pair, dropped", [b"a", b"b"], ab, {0}),
        border("the left token is the last one", [b"b", b"a"], ab, set()),
        border("no tokens", [], ab, {0}),
    ]


SLIPS = mistakes("""
from_one: "the first meeting is number 0"
    meeting = [], 0, -1 => meeting = [], 0, 0
  The meetings were counted from 1. The first one is number 0.
both_copied: "the left token alone is copied"
    merged.append(tokens[at])
    |            at += 1 => merged += tokens[at : at + 1 + met]
    |            at += 1 + met
  At a dropped meeting both tokens were copied. The right one may be the left half of the next meeting: copy the left
  token alone and go on at the right one.
first_dropped_ends_it: "the walk goes on at the right one"
    meeting not in dropped => not set(range(meeting + 1)) & set(dropped)
  After the first dropped meeting nothing was joined any more. Count a meeting where the pair is dropped, too: the next
  one has the next number.
overlaps_are_meetings
    at += 2 => at += 2
    |            meeting += tuple(tokens[at - 1 : at + 1]) == pair
  The pair was counted inside of a join. The walk goes on behind both tokens, so that it does not meet the pair there.
no_skip
    at += 2 => at += 1
  After a merge the right half was used once more. Both tokens are used up: move on by two.
by_bytes: "a list of tokens (bytes)"
    tuple(tokens[at : at + 2]) == pair => len(tokens) - at > 1 and tokens[at] + tokens[at + 1] == pair[0] + pair[1]
  Two tokens were merged because their bytes together are those of the pair. (t, he) is not the pair (th, e): compare
  left with left and right with right.
in_place: "It stays as it is"
    return merged => tokens[:] = merged
    |    return merged
  Right, but the list that was handed in was changed. Build a new list: the trainer still needs the old one.
""")
HINTS = hints("""
- Walk from the left with an index. When do you move on by one, and when by two? And what do you count?
- If this token and the next are the pair, that is a meeting: count it. If its number is not in dropped, append the
  joined bytes and move on by two. In every other case append one token and move on by one.
- while at < len(tokens): met = tuple(tokens[at : at + 2]) == pair; meeting += met (it begins at -1); if met and meeting
  not in dropped: merged.append(pair[0] + pair[1]); at += 2; else: merged.append(tokens[at]); at += 1
""")
task = Task(
    merge_pair, points=2, difficulty=2, minutes=20, cases=cases, compare=Compare(new=True), slips=SLIPS, hints=HINTS
)
