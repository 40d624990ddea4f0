"""Exercise `encode_piece`."""

from functools import partial
from itertools import pairwise

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch07.merge_pair import merge_pair
from lmcourse.tasks.ch07.shared import Pair, Token, join_pairs, learn_merges, random_bytes, random_pieces, split_bytes


def encode_piece(piece, merges):
    """Return the tokens of one piece of text.

    Args:
        piece: bytes.
        merges: a list of pairs, tuples of two tokens (bytes), in the order learnt.

    Returns:
        A list of tokens (bytes); joined they are the piece.

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


# Learnt in this order, "es" before "care": the longest piece does not win, and neither does the leftmost pair.
_CARESS = [(b"a", b"r"), (b"c", b"ar"), (b"e", b"s"), (b"es", b"s"), (b"car", b"e")]


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    learnt = learn_merges(random_pieces(rng, 23), 17)
    return [
        case("the worked example", b"plan", [(b"a", b"n"), (b"m", b"an")]),
        case("man, with the same merges", b"man", [(b"a", b"n"), (b"m", b"an")]),
        *(case(f"a random piece of {n} bytes", random_bytes(rng, n), learnt) for n in (5, 11, 19)),
        case("a longer token that is learnt last", b"caress", _CARESS),
        case("a pair at the left that is learnt last", b"abc", [(b"b", b"c"), (b"a", b"b")]),
        case("a pair at the right that is learnt last", b"abc", [(b"a", b"b"), (b"b", b"c")]),
        case("a pair at the left that blocks a longer token", b"abcb", [(b"b", b"c"), (b"a", b"b"), (b"a", b"bc")]),
        border("equal letters, three", b"aaa", [(b"a", b"a")]),
        border("equal letters, seven", b"aaaaaaa", [(b"a", b"a"), (b"aa", b"aa")]),
        case("a pair that comes twice", b"abab", [(b"a", b"b")]),
        case("letters of two bytes", "\u00e9t\u00e9".encode(), [(b"\xc3", b"\xa9"), (b"t", b"\xc3\xa9")]),
        border("no merges: one token a byte", "\u0ba4".encode(), []),
        border("one byte", b"a", learnt),
        border("an empty piece", b"", learnt),
    ]


def _encode_longest(piece: bytes, merges: list[Pair]) -> list[Token]:
    known = {bytes([byte]) for byte in range(256)} | {left + right for left, right in merges}
    tokens, start = [], 0
    while start < len(piece):
        end = max(end for end in range(start + 1, len(piece) + 1) if piece[start:end] in known)
        tokens.append(piece[start:end])
        start = end
    return tokens


def _encode_wrong(piece: bytes, merges: list[Pair], *, how: str) -> list:
    rank = {pair: number for number, pair in enumerate(merges)}
    tokens = split_bytes(piece)
    for _ in range(len(piece)):
        known = [pair for pair in pairwise(tokens) if pair in rank]
        if not known:
            break
        chosen = {"leftmost": known[0], "last_learnt": max(known, key=rank.__getitem__)}.get(
            how, min(known, key=rank.__getitem__)
        )
        if how == "from_the_right":
            turned = join_pairs([t[::-1] for t in tokens[::-1]], (chosen[1][::-1], chosen[0][::-1]))
            tokens = [token[::-1] for token in turned[::-1]]
        else:
            tokens = join_pairs(tokens, chosen)
        if how == "one_round":
            break
    if how == "ids":
        number = {bytes([byte]): byte for byte in range(256)}
        number |= {left + right: 256 + place for place, (left, right) in enumerate(merges)}
        return [number[token] for token in tokens]
    return tokens or [b""] if how == "empty_token" else tokens


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
            "This takes the longest token that fits, from the left: that is WordPiece. Byte-pair encoding replays the "
            "merges in the order they were learnt.",
        ),
        Slip(
            "leftmost",
            partial(_encode_wrong, how="leftmost"),
            "The leftmost pair that is in the list was merged first. Of all pairs that are there, merge the one that "
            "was learnt first.",
        ),
        Slip(
            "last_learnt",
            partial(_encode_wrong, how="last_learnt"),
            "The pair that was learnt last went first. The place in the list is the rank, and the smallest rank goes "
            "first.",
        ),
        Slip(
            "one_round",
            partial(_encode_wrong, how="one_round"),
            "Only one merge was applied. Go on until no two neighbours are a merge.",
        ),
        Slip(
            "from_the_right",
            partial(_encode_wrong, how="from_the_right"),
            "In a run of equal tokens the merging began at the right. Training merged from the left, so encoding must "
            "too.",
        ),
        Slip(
            "characters",
            _encode_characters,
            "The piece was cut into characters first. Start from single bytes: a character of several bytes is merged "
            "only if a merge says so.",
        ),
        Slip(
            "ids",
            partial(_encode_wrong, how="ids"),
            "These are numbers. Return the tokens as bytes; numbering them is the next step.",
        ),
        Slip(
            "empty_token",
            partial(_encode_wrong, how="empty_token"),
            "An empty piece gave one empty token. It has no tokens: return an empty list.",
        ),
    ),
    alternatives=(_encode_in_order, _encode_place_by_place),
    hints=(
        "Which of the pairs that stand in the piece now was learnt first? Merge it, and ask again.",
        "rank = {pair: number for number, pair in enumerate(merges)}; of the pairs in zip(tokens, tokens[1:]) that are "
        "in rank, take min(..., key=rank.get).",
        "tokens = [bytes([b]) for b in piece]; while True: known = [p for p in zip(tokens, tokens[1:]) if p in rank]; "
        "if not known: return tokens; tokens = merge_pair(tokens, min(known, key=rank.get))",
    ),
)
