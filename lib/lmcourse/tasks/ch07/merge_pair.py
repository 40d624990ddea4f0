"""Exercise `merge_pair`."""

from functools import partial

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch07.shared import Pair, Token, join_pairs, random_bytes, split_bytes


def merge_pair(tokens, pair):
    """Join a pair of neighbours wherever it stands.

    Args:
        tokens: a list of tokens (bytes).
        pair: a tuple of two tokens.

    Returns:
        A new list of tokens.

    >>> merge_pair([b"a", b"a", b"a", b"b"], (b"a", b"a"))
    [b'aa', b'a', b'b']
    """
    merged, at = [], 0
    while at < len(tokens):
        if tuple(tokens[at : at + 2]) == pair:
            merged.append(pair[0] + pair[1])
            at += 2
        else:
            merged.append(tokens[at])
            at += 1
    return merged


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    word = split_bytes(random_bytes(rng, 23, b"abc"))
    place = int(rng.integers(0, len(word) - 1))
    return [
        case("the worked example", split_bytes(b"aaabdaaabac"), (b"a", b"b")),
        case("a random word", word, (word[place], word[place + 1])),
        border("a run of equal tokens", split_bytes(b"aaabaaaa"), (b"a", b"a")),
        border("three equal tokens", split_bytes(b"aaa"), (b"a", b"a")),
        case("a pair at the first place and at the last", split_bytes(b"abcab"), (b"a", b"b")),
        case("tokens of several bytes", [b"th", b"e", b"t", b"he", b"th", b"e"], (b"th", b"e")),
        case("bytes of half a character", [b"\xc3", b"\xa9", b"t", b"\xc3", b"\xa9"], (b"\xc3", b"\xa9")),
        case("the pair turned round does not count", split_bytes(b"babba"), (b"a", b"b")),
        border("a pair that is never there", split_bytes(b"xyzzy"), (b"x", b"z")),
        border("one token", [b"a"], (b"a", b"a")),
        border("no tokens", [], (b"a", b"b")),
    ]


def _merge_wrong(tokens: list[Token], pair: Pair, *, how: str) -> list[Token]:
    if how == "from_the_right":
        turned = [token[::-1] for token in reversed(tokens)]
        done = join_pairs(turned, (pair[1][::-1], pair[0][::-1]))
        return [token[::-1] for token in reversed(done)]
    joined, merged, at, done_once = pair[0] + pair[1], [], 0, False
    while at < len(tokens):
        two = tokens[at : at + 2]
        fits = tuple(two) == pair
        if how == "by_bytes":
            fits = len(two) == 2 and two[0] + two[1] == joined
        if how == "any_order":
            fits = fits or tuple(two[::-1]) == pair
        if fits and not (how == "first_only" and done_once):
            merged.append(joined)
            done_once = True
            at += 1 if how == "no_skip" else 2
        else:
            if not (how == "last_lost" and at == len(tokens) - 1):
                merged.append(tokens[at])
            at += 1
    return merged


def _merge_in_place(tokens: list[Token], pair: Pair) -> list[Token]:
    at = 0
    while at < len(tokens) - 1:
        if (tokens[at], tokens[at + 1]) == pair:
            tokens[at : at + 2] = [pair[0] + pair[1]]
        at += 1
    return tokens


def _merge_by_stack(tokens: list[Token], pair: Pair) -> list[Token]:
    stack: list[Token] = []
    free = False  # may the token on top still be the left half?
    for token in tokens:
        if free and stack[-1] == pair[0] and token == pair[1]:
            stack[-1] += token
            free = False
        else:
            stack.append(token)
            free = True
    return stack


def _merge_by_iterator(tokens: list[Token], pair: Pair) -> list[Token]:
    waiting = list(tokens)[::-1]
    result = []
    while waiting:
        token = waiting.pop()
        if waiting and token == pair[0] and waiting[-1] == pair[1]:
            token = b"".join([token, waiting.pop()])
        result += [token]
    return result


task = Task(
    merge_pair,
    points=2,
    difficulty=2,
    minutes=15,
    cases=cases,
    slips=(
        Slip(
            "from_the_right",
            partial(_merge_wrong, how="from_the_right"),
            "In a run of equal tokens the merging began at the right. aaa becomes aa a, not a aa: go from the left.",
        ),
        Slip(
            "no_skip",
            partial(_merge_wrong, how="no_skip"),
            "After a merge the right half was used once more. Both tokens are used up: move on by two.",
        ),
        Slip(
            "first_only",
            partial(_merge_wrong, how="first_only"),
            "Only the first place was merged. Merge the pair everywhere.",
        ),
        Slip(
            "by_bytes",
            partial(_merge_wrong, how="by_bytes"),
            "Two tokens were merged because their bytes together are those of the pair. (t, he) is not the pair "
            "(th, e): compare left with left and right with right.",
        ),
        Slip(
            "any_order",
            partial(_merge_wrong, how="any_order"),
            "The pair was merged in both orders. (b, a) is another pair than (a, b).",
        ),
        Slip(
            "last_lost",
            partial(_merge_wrong, how="last_lost"),
            "The last token is missing when it was not merged. The loop must run to the end of the list.",
        ),
        Slip(
            "in_place",
            _merge_in_place,
            "The result is right, but the list that was handed in was changed. Build a new list: the trainer still "
            "needs the old one.",
        ),
    ),
    alternatives=(_merge_by_stack, _merge_by_iterator),
    hints=(
        "Walk from the left with a position. When do you move on by one, and when by two?",
        "At each place: if this token and the next are the pair, append their bytes joined and move on by two; else "
        "append the token and move on by one. Mind the last token, which has no next.",
        "while at < len(tokens): if tuple(tokens[at : at + 2]) == pair: merged.append(pair[0] + pair[1]); at += 2; "
        "else: merged.append(tokens[at]); at += 1",
    ),
)
