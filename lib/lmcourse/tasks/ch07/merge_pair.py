"""Exercise `merge_pair`."""

import numpy as np

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch07.shared import Pair, Token, random_bytes, split_bytes


def merge_pair(tokens, pair):
    """Join a pair of neighbours wherever it stands.

    Args:
        tokens: a list of tokens (bytes). It stays as it is.
        pair: a tuple of two tokens.

    Returns:
        A new list of tokens, even where nothing is joined.

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
        border("four equal tokens, which are not joined twice", split_bytes(b"aaaa"), (b"a", b"a")),
        case("a pair at the beginning and at the end", split_bytes(b"abcab"), (b"a", b"b")),
        case("two pairs side by side", split_bytes(b"cababc"), (b"a", b"b")),
        case("the left token twice, then the right one", split_bytes(b"aabcaab"), (b"a", b"b")),
        case("tokens of several bytes", [b"th", b"e", b"t", b"he", b"th", b"e"], (b"th", b"e")),
        case(
            "tokens that only end or begin like those of the pair", [b"xa", b"b", b"a", b"bx", b"a", b"b"], (b"a", b"b")
        ),
        case("the joined token is there already", [b"ab", b"a", b"b", b"ab"], (b"a", b"b")),
        case("tokens with spaces and line ends in them", [b" a", b"b ", b"\n", b" a", b"b "], (b" a", b"b ")),
        case("bytes of half a character", [b"\xc3", b"\xa9", b"t", b"\xc3", b"\xa9"], (b"\xc3", b"\xa9")),
        case("the pair in the other order does not count", split_bytes(b"babba"), (b"a", b"b")),
        border("a pair that is never there", split_bytes(b"xyzzy"), (b"x", b"z")),
        border("nothing but the pair", [b"a", b"b"], (b"a", b"b")),
        border("the left token is the last one", [b"b", b"a"], (b"a", b"b")),
        border("one token", [b"a"], (b"a", b"a")),
        border("no tokens", [], (b"a", b"b")),
    ]


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
    compare=Compare(new=True),
    slips=(
        Slip(
            "from_the_right",
            lambda tokens, pair: [
                t[::-1] for t in merge_pair([t[::-1] for t in tokens[::-1]], (pair[1][::-1], pair[0][::-1]))
            ][::-1],
            "In a run of equal tokens the merging began at the right. aaa becomes aa a, not a aa: go from the left.",
        ),
        Slip(
            "no_skip",
            ("at += 2", "at += 1"),
            "After a merge the right half was used once more. Both tokens are used up: move on by two.",
        ),
        Slip(
            "first_only",
            ("at += 2", "return [*merged, *tokens[at + 2 :]]"),
            "Only the first occurrence was merged. Merge the pair everywhere.",
        ),
        Slip(
            "by_bytes",
            (
                "tuple(tokens[at : at + 2]) == pair",
                "len(tokens) - at > 1 and tokens[at] + tokens[at + 1] == pair[0] + pair[1]",
            ),
            "Two tokens were merged because their bytes together are those of the pair. (t, he) is not the pair (th, "
            "e): compare left with left and right with right.",
        ),
        Slip(
            "any_order",
            ("tuple(tokens[at : at + 2]) == pair", "tuple(tokens[at : at + 2]) in (pair, pair[::-1])"),
            "The pair was merged in both orders. (b, a) is another pair than (a, b).",
        ),
        Slip(
            "left_token_only",
            ("tuple(tokens[at : at + 2]) == pair", "tokens[at] == pair[0]"),
            "The left token alone decided. Both must fit: this token the left one, and the next the right one.",
        ),
        Slip(
            "last_lost",
            ("at < len(tokens)", "at < len(tokens) - 1"),
            "The last token is missing when it was not merged. The loop must run to the end of the list.",
        ),
        Slip(
            "not_joined",
            ("merged.append(pair[0] + pair[1])", "merged.append(pair)"),
            "The pair itself was put into the list. Put in one token with the bytes of both: pair[0] + pair[1].",
        ),
        Slip(
            "wrong_way_round",
            ("pair[0] + pair[1]", "pair[1] + pair[0]"),
            "The two tokens were joined in the wrong order: the bytes of the left one come first.",
        ),
        Slip(
            "others_lost",
            ("merged.append(tokens[at])", "..."),
            "Only the merged tokens are left. A token that is not part of the pair is copied.",
        ),
        Slip(
            "repeated",
            lambda tokens, pair: (
                merge_pair(merge_pair(tokens, pair), (pair[0] + pair[1], pair[0] + pair[1]))
                if pair[0] == pair[1]
                else merge_pair(tokens, pair)
            ),
            "Tokens that had just been joined were joined once more. Go on behind them: four times a becomes aa aa.",
        ),
        Slip(
            "replaced_in_text",
            lambda tokens, pair: (
                b" ".join(tokens).replace(b" ".join(pair), b"".join(pair)).split(b" ") if tokens else []
            ),
            "The tokens were joined into one text with marks between them, and replaced there. That also merges "
            "tokens that only end or begin like those of the pair, and fails where a token holds the mark. Compare "
            "token with token.",
        ),
        Slip(
            "cut_anew",
            lambda tokens, pair: b"".join(tokens).replace(b"".join(pair), b"\0" + b"".join(pair) + b"\0").split(b"\0"),
            "The tokens were joined into one text and cut anew, so the borders between the other tokens are lost. Go "
            "from token to token.",
        ),
        Slip(
            "in_place",
            (
                "merged, at = [], 0",
                "before, merged, at = [*tokens], tokens, 0\n    tokens = before\n    merged.clear()",
            ),
            "The result is right, but the list that was handed in was changed. Build a new list: the trainer still "
            "needs the old one.",
        ),
        Slip(
            "same_list",
            ("return merged", "return tokens if merged == tokens else merged"),
            "Where nothing is joined, the list that was handed in was returned itself. Return a new one, "
            "list(tokens): who changes the result must not change the word.",
        ),
    ),
    alternatives=(_merge_by_stack, _merge_by_iterator),
    hints=(
        "Walk from the left with an index. When do you move on by one, and when by two?",
        "If this token and the next are the pair, append their bytes joined and move on by two; else append the "
        "token and move on by one. Mind the last token, which has no next.",
        "while at < len(tokens): if tuple(tokens[at : at + 2]) == pair: merged.append(pair[0] + pair[1]); at += 2; "
        "else: merged.append(tokens[at]); at += 1",
    ),
)
