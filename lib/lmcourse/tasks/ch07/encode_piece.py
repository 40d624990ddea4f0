"""Exercise `encode_piece`."""

from itertools import pairwise

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch07.merge_pair import merge_pair
from lmcourse.tasks.ch07.shared import Pair, Token, join_pairs, learn_merges, random_bytes, random_pieces, split_bytes


def encode_piece(piece, merges):
    """Return the tokens of one piece of text.

    Args:
        piece: bytes.
        merges: a list of different pairs, tuples of two tokens (bytes), in the order learned.

    Returns:
        A list of tokens (bytes); joined they are the piece. An empty piece has none.

    >>> encode_piece(b"plan", [(b"a", b"n"), (b"m", b"an")])
    [b'p', b'l', b'an']
    """
    rank = {pair: number for number, pair in enumerate(merges)}
    tokens = [bytes([byte]) for byte in piece]
    while True:
        known = [pair for pair in zip(tokens, tokens[1:]) if pair in rank]
        if not known:
            return tokens
        tokens = merge_pair(tokens, min(known, key=rank.get))


# Learned in this order, "es" before "care": the longest piece does not win, and neither does the leftmost pair.
_CARESS = [(b"a", b"r"), (b"c", b"ar"), (b"e", b"s"), (b"es", b"s"), (b"car", b"e")]


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    learned = learn_merges(random_pieces(rng, 23), 17)
    ab, bc = (b"a", b"b"), (b"b", b"c")
    return [
        case("the worked example", b"plan", [(b"a", b"n"), (b"m", b"an")]),
        case("man, with the same merges", b"man", [(b"a", b"n"), (b"m", b"an")]),
        *(case(f"a random piece of {n} bytes", random_bytes(rng, n), learned) for n in (5, 11, 19)),
        case("a longer token that is learned last", b"caress", _CARESS),
        case("a pair at the left that is learned last", b"abc", [bc, ab]),
        case("a pair at the right that is learned last", b"abc", [ab, bc]),
        case("a pair at the left that blocks a longer token", b"abcb", [bc, ab, (b"a", b"bc")]),
        case("a shorter token that is learned before a longer one", b"abcd", [(b"c", b"d"), ab, (b"b", b"cd")]),
        case("the bytes of a token, but not its pair", b"the", [(b"h", b"e"), (b"t", b"h"), (b"th", b"e")]),
        case("a token that two different pairs make", b"abcabd", [ab, (b"ab", b"d"), bc, (b"a", b"bc"), (b"ab", b"c")]),
        border("equal letters, three", b"aaa", [(b"a", b"a")]),
        border("equal letters, seven", b"aaaaaaa", [(b"a", b"a"), (b"aa", b"aa")]),
        border(
            "equal letters, five, and a merge of one and two", b"aaaaa", [(b"a", b"a"), (b"a", b"aa"), (b"aa", b"a")]
        ),
        case("a pair that comes twice", b"abab", [ab]),
        case("a pair that comes twice, then a longer one", b"abab", [ab, (b"ab", b"ab")]),
        case("letters of two bytes", "\u00e9t\u00e9".encode(), [(b"\xc3", b"\xa9"), (b"t", b"\xc3\xa9")]),
        case("bytes that are no text", b"\xff\x80\xff\x80", [(b"\xff", b"\x80")]),
        border("no merges: one token a byte", "\u0ba4".encode(), []),
        border("merges that never fit", b"xyz", [ab, bc]),
        border("one byte", b"a", learned),
        border("an empty piece", b"", learned),
        border("an empty piece, and no merges", b"", []),
    ]


def _encode_longest(piece: bytes, merges: list[Pair]) -> list[Token]:
    known = {bytes([byte]) for byte in range(256)} | {left + right for left, right in merges}
    tokens, start = [], 0
    while start < len(piece):
        end = max(end for end in range(start + 1, len(piece) + 1) if piece[start:end] in known)
        tokens.append(piece[start:end])
        start = end
    return tokens


def _encode_characters(piece: bytes, merges: list[Pair]) -> list[Token]:
    tokens = [character.encode() for character in piece.decode("utf-8")]
    for pair in merges:
        tokens = join_pairs(tokens, pair)
    return tokens


def _encode_in_order(piece: bytes, merges: list[Pair]) -> list[Token]:
    tokens = split_bytes(piece)
    for left, right in merges:  # a merge can't make work for an earlier one: its token was not there before
        at = 0
        while at + 1 < len(tokens):
            if (tokens[at], tokens[at + 1]) == (left, right):
                tokens[at] += tokens.pop(at + 1)
            at += 1
    return tokens


def _encode_place_by_place(piece: bytes, merges: list[Pair]) -> list[Token]:
    tokens = [piece[at : at + 1] for at in range(len(piece))]
    while len(tokens) > 1:
        ranks = [merges.index(pair) if pair in merges else len(merges) for pair in pairwise(tokens)]
        at = int(np.argmin(ranks))
        if ranks[at] == len(merges):
            break
        tokens = [*tokens[:at], tokens[at] + tokens[at + 1], *tokens[at + 2 :]]
    return tokens


def _encode_by_bytes(piece: bytes, merges: list[Pair]) -> list[Token]:
    rank: dict[bytes, int] = {}
    for number, (left, right) in enumerate(merges):
        rank.setdefault(left + right, number)
    tokens = split_bytes(piece)
    while known := [pair for pair in pairwise(tokens) if pair[0] + pair[1] in rank]:
        tokens = join_pairs(tokens, min(known, key=lambda pair: rank[pair[0] + pair[1]]))
    return tokens


def _first_occurrences(piece: bytes, merges: list[Pair]) -> list[Token]:
    tokens = split_bytes(piece)
    for pair in merges:
        pairs = list(pairwise(tokens))
        if pair in pairs:
            at = pairs.index(pair)
            tokens[at : at + 2] = [pair[0] + pair[1]]
    return tokens


task = Task(
    encode_piece,
    points=3,
    difficulty=3,
    minutes=20,
    cases=cases,
    slips=(
        Slip(
            "longest_match",
            _encode_longest,
            "This takes the longest token that fits, from the left: that is WordPiece. Byte-pair encoding replays "
            "the merges in the order they were learned.",
        ),
        Slip(
            "leftmost",
            ("min(known, key=rank.get)", "known[0]"),
            "The leftmost pair that is in the list was merged first. Of all pairs that are there, merge the one that "
            "was learned first.",
        ),
        Slip(
            "rightmost",
            ("min(known, key=rank.get)", "known[-1]"),
            "The rightmost pair that is in the list was merged first. Of all pairs that are there, merge the one "
            "that was learned first.",
        ),
        Slip(
            "last_learnt",
            ("min(known, key=rank.get)", "max(known, key=rank.get)"),
            "The pair that was learned last went first. The index in the list is the rank, and the smallest rank goes "
            "first.",
        ),
        Slip(
            "first_in_byte_order",
            ("min(known, key=rank.get)", "min(known)"),
            "The pair that is first in byte order went first. That is the rule for ties in training; here the pair "
            "that was learned first goes first.",
        ),
        Slip(
            "longest_pair",
            ("min(known, key=rank.get)", "max(known, key=lambda pair: (len(pair[0] + pair[1]), -rank[pair]))"),
            "The pair that makes the longest token went first. Take the one that was learned first.",
        ),
        Slip(
            "one_round",
            (
                "tokens = merge_pair(tokens, min(known, key=rank.get))",
                "return merge_pair(tokens, min(known, key=rank.get))",
            ),
            "Only one merge was applied. Go on until no two neighbours are a merge.",
        ),
        Slip(
            "first_occurrence_only",
            _first_occurrences,
            "In one pass over the merges each was applied once only, at its first occurrence. Merge the pair "
            "wherever it stands.",
        ),
        Slip(
            "one_merge_each",
            ("for number, pair in enumerate(merges)", "for number, pair in enumerate(merges[:1])"),
            "Only the first merge of the list was used. Go on with the next ones that fit.",
        ),
        Slip(
            "from_the_right",
            lambda piece, merges: [
                t[::-1] for t in encode_piece(piece[::-1], [(r[::-1], left[::-1]) for left, r in merges])
            ][::-1],
            "In a run of equal tokens the merging began at the right. Training merged from the left, so encoding "
            "must too.",
        ),
        Slip(
            "by_bytes",
            _encode_by_bytes,
            "Two tokens were merged because their bytes together are a known token. (t, he) is not the pair (th, e): "
            "look for the pair itself in the list of merges.",
        ),
        Slip(
            "characters",
            _encode_characters,
            "The piece was cut into characters first. Start from single bytes: a character of several bytes is "
            "merged only if a merge says so.",
        ),
        Slip(
            "ids",
            lambda piece, merges: [
                ([bytes([byte]) for byte in range(256)] + [left + right for left, right in merges]).index(token)
                for token in encode_piece(piece, merges)
            ],
            "These are numbers. Return the tokens as bytes; numbering them is the next step.",
        ),
        Slip(
            "byte_values",
            ("[bytes([byte]) for byte in piece]", "list(piece)"),
            "The tokens of one byte are ints: going through bytes gives numbers. Make bytes of each: bytes([byte]).",
        ),
        Slip(
            "strings",
            lambda piece, merges: [token.decode("latin-1") for token in encode_piece(piece, merges)],
            "The tokens are str. They are bytes, as in the list of merges.",
        ),
        Slip(
            "empty_token",
            ("return tokens", 'return tokens or [b""]'),
            "An empty piece gave one empty token. It has no tokens: return an empty list.",
        ),
    ),
    alternatives=(_encode_in_order, _encode_place_by_place),
    hints=(
        "Which of the pairs that stand in the piece now was learned first? Merge it, and ask again.",
        "rank = {pair: number for number, pair in enumerate(merges)}; of the pairs in zip(tokens, tokens[1:]) that "
        "are in rank, take min(..., key=rank.get).",
        "tokens = [bytes([b]) for b in piece]; while True: known = [p for p in zip(tokens, tokens[1:]) if p in "
        "rank]; if not known: return tokens; tokens = merge_pair(tokens, min(known, key=rank.get))",
    ),
)
