from itertools import pairwise

import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.tasks.ch07.shared import join_pairs, learn_merges, random_bytes, random_pieces, split_bytes


def encode_piece(piece, ids):
    """Return the ids of one piece of text, by the rule of tiktoken, which needs no list of merges.

    Two neighbours can be merged if their bytes, joined, are a token. Of all that can, those with the lowest id are
    merged, of equally low ones the leftmost; then look again, until no two can be merged.

    Args:
        piece: bytes.
        ids: a dict from token (bytes) to id, a different whole number for each, in any order. It holds every single
            byte of the piece.

    Returns:
        A list of ids. An empty piece has none.

    >>> ids = {b"l": 3, b"p": 5, b"a": 7, b"n": 8, b"m": 9, b"an": 20, b"man": 21}
    >>> encode_piece(b"plan", ids), encode_piece(b"man", ids)
    ([5, 3, 20], [21])
    """
    tokens = [bytes([byte]) for byte in piece]
    while True:
        joined = [left + right for left, right in zip(tokens, tokens[1:])]
        known = [token for token in joined if token in ids]
        if not known:
            return [ids[token] for token in tokens]
        at = joined.index(min(known, key=ids.get))
        tokens[at : at + 2] = [joined[at]]


def _vocabulary(*tokens: bytes, letters: bytes = b"abcdehrst") -> dict[bytes, int]:
    """The letters, shuffled as in GPT-2's file, then the tokens in the order given."""
    singles = [bytes([byte]) for byte in sorted(letters, key=lambda byte: (byte * 7) % 31)]
    return {token: number for number, token in enumerate([*singles, *tokens])}


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    merges = learn_merges(random_pieces(rng, 23), 17)
    learned = _vocabulary(*(left + right for left, right in merges), letters=b"abcd")
    low = int(rng.integers(6, 40))  # below the ids of the letters, and above that of ab
    a, b, c, d = ({letter: 40 + number} for number, letter in enumerate((b"a", b"b", b"c", b"d")))
    abc, abcd = {**a, **b, **c}, {**a, **b, **c, **d}
    caress = _vocabulary(b"ar", b"car", b"es", b"ess", b"care")
    plan = {b"l": 3, b"p": 5, b"a": 7, b"n": 8, b"m": 9, b"an": 20, b"man": 21}
    return [
        case("the worked example", b"plan", plan),
        *(case(f"a random piece of {n} bytes", random_bytes(rng, n), learned) for n in (5, 11, 19)),
        case("a longer token with a higher id", b"caress", caress),
        case("a token that is never reached: no two neighbours make it", b"abcd", {**abcd, b"abcd": 3, b"abc": 2}),
        case("the order of the dict says nothing", b"abc", {b"bc": 91, b"ab": 90, **abc}),
        case("a longer token with the lowest id of all", b"abab", {**a, **b, b"ab": 90, b"aba": 3}),
        case("tokens with lower ids than their letters", b"abcab", {**abc, b"ab": 5, b"abc": low}),
        case("bytes that are no text", b"\xff\x80\xff\x80", {b"\xff": 0, b"\x80": 1, b"\xff\x80": 2}),
        case("an id of 0 is the lowest", b"abc", {b"a": 4, b"b": 5, b"c": 6, b"ab": 0, b"bc": 3}),
        case("ids below 0 and an id of 0", b"abc", {b"a": 4, b"b": 5, b"c": 6, b"ab": 0, b"bc": -1}),
        border("equal letters, three: the leftmost two", b"aaa", {**a, b"aa": 90}),
        border("equal letters, seven", b"aaaaaaa", {**a, b"aa": 90, b"aaaa": 91}),
        border("equal letters, five: look again after each merge", b"aaaaa", {**a, b"aa": 90, b"aaa": 80}),
        border("no token of several bytes", "\u0ba4".encode(), {bytes([n]): 255 - n for n in range(256)}),
        border("tokens that never fit", b"xyz", {b"x": 0, b"y": 1, b"z": 2, b"xz": 3, b"xyz": 4}),
        border("one byte", b"a", learned),
        border("an empty piece", b"", learned),
        border("an empty piece, and no tokens", b"", {}),
        border("ids beyond the digits of a float", b"abc", {**abc, b"ab": 2**53 + 1, b"bc": 2**53}),
    ]


def _encode_longest(piece: bytes, ids: dict[bytes, int]) -> list[int]:
    found, start = [], 0
    while start < len(piece):
        end = max(end for end in range(start + 1, len(piece) + 1) if piece[start:end] in ids)
        found.append(ids[piece[start:end]])
        start = end
    return found


def _encode_everywhere(piece: bytes, ids: dict[bytes, int]) -> list[int]:
    tokens = split_bytes(piece)
    while known := [pair for pair in pairwise(tokens) if pair[0] + pair[1] in ids]:
        tokens = join_pairs(tokens, min(known, key=lambda pair: ids[pair[0] + pair[1]]))
    return [ids[token] for token in tokens]


def _encode_in_order_of_ids(piece: bytes, ids: dict[bytes, int]) -> list[int]:
    tokens = split_bytes(piece)
    for token in sorted(ids, key=ids.__getitem__):
        at = 0
        while at + 1 < len(tokens):
            if tokens[at] + tokens[at + 1] == token:
                tokens[at : at + 2] = [token]
            at += 1
    return [ids[token] for token in tokens]


SLIPS = mistakes(
    """
longest_match: "Return the ids of one piece of text, by the rule of tiktoken, which needs no list of merges"
  This takes the longest token that fits, from the left: that is WordPiece. Here tokens grow from single bytes, and the
  lowest id comes first.
leftmost
    min(known, key=ids.get) => known[0]
  Of all neighbours that can be merged, others were merged than those with the lowest id: the leftmost or the longest,
  which comes to the same. Only of equally low ids the leftmost comes first.
first_in_dict: "in any order"
    min(known, key=ids.get) => next(token for token in ids if token in known)
  The token that stands first in the dict was made first. The dict may be in any order: compare the ids.
rightmost_of_equals: "of equally low ones the leftmost"
    at = joined.index(min(known, key=ids.get)) => at = len(joined) - 1 - joined[::-1].index(min(known, key=ids.get))
  Of equally low ids the rightmost was merged. Take the leftmost: aaa becomes aa a, not a aa.
everywhere_at_once
  The token was made everywhere in the piece at once. Make the leftmost one and look again: the new token may be half of
  one with a lower id.
one_pass: "then look again"
  The ids were gone through once, from the lowest up. A merge may make work for a lower id: look at all neighbours again
  after each merge.
one_round: "until no two can be merged"
    tokens[at : at + 2] = [joined[at]] => tokens[at : at + 2] = [joined[at]]
    |        return [ids[token] for token in tokens]
  Only one merge was made. Go on until no two neighbours can be merged.
zero_is_none
    if token in ids] => if ids.get(token)]
  A token with the id 0 was never made: 0 counts as False. Ask whether the token is in the dict.
""",
    longest_match=_encode_longest,
    everywhere_at_once=_encode_everywhere,
    one_pass=_encode_in_order_of_ids,
)
HINTS = hints("""
- The pairs are not in the dict, only what they make. How do you see whether two neighbours can be merged?
- joined = [left + right for left, right in zip(tokens, tokens[1:])]; of those in ids, take min(..., key=ids.get);
  joined.index gives the leftmost index with it.
- tokens = [bytes([b]) for b in piece]; while True: joined = ...; known = [t for t in joined if t in ids]; if not known:
  return [ids[t] for t in tokens]; at = joined.index(min(known, key=ids.get)); tokens[at : at + 2] = [joined[at]]
""")
task = Task(encode_piece, points=3, difficulty=3, minutes=20, cases=cases, slips=SLIPS, hints=HINTS)
