"""Tasks of chapter 07, fourth part: encoding, decoding, and how a token is written in a file."""

from functools import partial
from itertools import pairwise

import numpy as np

from lmcourse.exercises import Case, Slip, Task, case
from lmcourse.tasks.bpe import CHAPTER
from lmcourse.tasks.bpe_merges import Pair, Token, join_pairs, random_bytes, split_bytes
from lmcourse.tasks.bpe_training import learn_merges, random_pieces

# ---------------------------------------------------------------------------------------------------- encode_piece

# Learnt in this order, "es" before "care": the longest piece does not win, and neither does the leftmost pair.
_CARESS = [(b"a", b"r"), (b"c", b"ar"), (b"e", b"s"), (b"es", b"s"), (b"car", b"e")]


def _encode_piece(piece: bytes, merges: list[Pair]) -> list[Token]:
    rank = {pair: number for number, pair in enumerate(merges)}
    tokens = split_bytes(piece)
    while True:
        known = [pair for pair in pairwise(tokens) if pair in rank]
        if not known:
            return tokens
        tokens = join_pairs(tokens, min(known, key=rank.__getitem__))


def _encode_cases(seed: int) -> list[Case]:
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
        case("equal letters, three", b"aaa", [(b"a", b"a")]),
        case("equal letters, seven", b"aaaaaaa", [(b"a", b"a"), (b"aa", b"aa")]),
        case("a pair that comes twice", b"abab", [(b"a", b"b")]),
        case("letters of two bytes", "\u00e9t\u00e9".encode(), [(b"\xc3", b"\xa9"), (b"t", b"\xc3\xa9")]),
        case("no merges: one token a byte", "\u0ba4".encode(), []),
        case("one byte", b"a", learnt),
        case("an empty piece", b"", learnt),
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


encode_piece = Task(
    name="encode_piece",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=20,
    cases=_encode_cases,
    reference=_encode_piece,
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


# ------------------------------------------------------------------------------------------------------ decode_ids


def _decode_ids(ids: list[int], token_of: list[Token]) -> str:
    for number in ids:
        if not 0 <= number < len(token_of):
            raise ValueError(f"`ids` must be from 0 to {len(token_of) - 1}, got {number}.")
    return b"".join(token_of[number] for number in ids).decode("utf-8", errors="replace")


def _decode_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    table = [bytes([byte]) for byte in range(256)] + [b" the", b"ing", b"\xf0\x9f", b"\x99\x82", b"\xc3\xa9"]

    def numbers(n: int) -> list[int]:
        return [int(number) for number in rng.choice([*range(97, 123), 32, 256, 257, 260], size=n)]

    small = [b"H", b"i", b" \xe2", b"\x82", b"\xac", b"!"]
    return [
        case("the worked example", [0, 1, 2, 3, 4, 5], small),
        case("seven random tokens", numbers(7), table),
        case("nineteen random tokens", numbers(19), table),
        case("a character cut into two tokens", [*numbers(3), 258, 259, *numbers(2)], table),
        case("a character of which half is missing", [*numbers(2), 258], table),
        case("a byte that is never right in UTF-8", [*numbers(3), 0xFF, *numbers(1)], table),
        case("the first byte of one character, then another", [0xC3, 260, 101], table),
        case("one token", numbers(1), table),
        case("no tokens", [], table),
        case("an id that is negative", [*numbers(2), -1], table),
        case("an id one beyond the last", [*numbers(2), len(table)], table),
    ]


def _decode_wrong(ids: list[int], token_of: list[Token], *, how: str) -> str:
    if how == "negative_wraps" and any(number >= len(token_of) for number in ids):
        raise ValueError("ids")
    if how not in ("negative_wraps", "unchecked"):
        _decode_ids(ids, token_of)
    tokens = [token_of[number] for number in ids]
    if how == "one_by_one":
        return "".join(token.decode("utf-8", "replace") for token in tokens)
    if how == "latin1":
        return b"".join(tokens).decode("latin-1")
    if how == "spaces":
        return b" ".join(tokens).decode("utf-8", "replace")
    if how == "literal":
        return "".join(str(token)[2:-1] for token in tokens)
    return b"".join(tokens).decode("utf-8", {"strict": "strict", "ignore": "ignore"}.get(how, "replace"))


def _decode_by_loop(ids: list[int], token_of: list[Token]) -> str:
    data = bytearray()
    for number in ids:
        if number < 0 or number >= len(token_of):
            raise ValueError("unknown id")
        data += token_of[number]
    return str(data, "utf-8", "replace")


def _decode_by_dict(ids: list[int], token_of: list[Token]) -> str:
    import codecs

    table = dict(enumerate(token_of))
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    if set(ids) - set(table):
        raise ValueError("ids that stand for nothing")
    return "".join(decoder.decode(table[number]) for number in ids) + decoder.decode(b"", final=True)


decode_ids = Task(
    name="decode_ids",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=10,
    cases=_decode_cases,
    reference=_decode_ids,
    slips=(
        Slip(
            "one_by_one",
            partial(_decode_wrong, how="one_by_one"),
            "Each token was decoded by itself, so a character whose bytes lie in two tokens is lost. Join all bytes "
            "first, then decode.",
        ),
        Slip(
            "strict",
            partial(_decode_wrong, how="strict"),
            'Half a character stopped the program with UnicodeDecodeError. Decode with errors="replace", which writes '
            "U+FFFD for what is no text.",
        ),
        Slip(
            "ignore",
            partial(_decode_wrong, how="ignore"),
            "Broken bytes vanished without a trace. The reader must see that something is missing: "
            'errors="replace" writes U+FFFD.',
        ),
        Slip(
            "latin1",
            partial(_decode_wrong, how="latin1"),
            "Each byte became a character of its own. The bytes are UTF-8, where a character may take up to four.",
        ),
        Slip(
            "spaces",
            partial(_decode_wrong, how="spaces"),
            "Spaces were put between the tokens. The spaces of the text are in the tokens already.",
        ),
        Slip(
            "literal",
            partial(_decode_wrong, how="literal"),
            r"The tokens were turned to text with str, which writes a byte as \xe2. Join the bytes and decode them.",
        ),
        Slip(
            "negative_wraps",
            partial(_decode_wrong, how="negative_wraps"),
            "The id -1 gave the last token: Python counts negative places from the end. Check 0 <= id, and raise "
            "ValueError.",
        ),
        Slip(
            "unchecked",
            partial(_decode_wrong, how="unchecked"),
            "The text is right, but ids outside the table are not checked: one beyond the end raised IndexError, and "
            "-1 gave the last token. Raise ValueError for both.",
        ),
    ),
    alternatives=(_decode_by_loop, _decode_by_dict),
    hints=(
        "A token may end in the middle of a character. When is it safe to turn bytes into text?",
        'b"".join of all tokens first, then one .decode("utf-8", errors="replace"). Python allows negative places in a '
        "list: check the ids yourself.",
        'if any(not 0 <= i < len(token_of) for i in ids): raise ValueError(...); return b"".join(token_of[i] for i in '
        'ids).decode("utf-8", errors="replace")',
    ),
)


# --------------------------------------------------------------------------------------------------- visible_token


def _visible_alphabet() -> list[str]:
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return [chr(byte) if byte in printable else chr(256 + others.index(byte)) for byte in range(256)]


def _visible_token(token: bytes) -> str:
    alphabet = _visible_alphabet()
    return "".join(alphabet[byte] for byte in token)


def _visible_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def drawn(low: int, high: int, n: int) -> bytes:
        return bytes(int(byte) for byte in rng.integers(low, high, size=n))

    return [
        case("the worked example", b" the\n"),
        case("letters and signs", drawn(0x21, 0x7F, 11)),
        case("eleven bytes of any kind", drawn(0, 256, 11)),
        case("control characters", drawn(0, 0x20, 5)),
        case("bytes from 0x7F to 0xA0", drawn(0x7F, 0xA1, 7) + b"\x7f\xa0"),
        case("a letter with an accent", " caf\u00e9".encode()),
        case("half an emoji, the first two bytes", b"\xf0\x9f"),
        case("the soft hyphen, which is never seen", b"a\xadb"),
        case("the last byte before it and the first after it", b"\xac\xae"),
        case("one space", b" "),
        case("an empty token", b""),
    ]


def _visible_wrong(token: bytes, *, how: str) -> str:
    alphabet = _visible_alphabet()
    change = {
        "shifted": {byte: chr(256 + byte) for byte in range(256) if alphabet[byte] != chr(byte)},
        "space_only": {byte: chr(byte) for byte in range(256) if byte != 0x20},
        "ascii_only": {},
        "hyphen": {0xAD: chr(0xAD)},
        "all_shifted": {byte: chr(256 + byte) for byte in range(256)},
    }.get(how, {})
    if how == "ascii_only":
        others = [byte for byte in range(256) if not 0x21 <= byte < 0x7F]
        change = {byte: chr(256 + place) for place, byte in enumerate(others)}
    return "".join(change.get(byte, alphabet[byte]) for byte in token)


def _visible_by_counting(token: bytes) -> str:
    def shown(byte: int) -> str:
        if 33 <= byte <= 126 or 161 <= byte <= 172 or byte >= 174:
            return chr(byte)
        return chr(256 + (byte if byte < 33 else byte - 94 if byte < 161 else 67))

    return "".join(map(shown, token))


def _visible_by_table(token: bytes) -> str:
    table, hidden = {}, 0
    for byte in range(256):
        character = chr(byte)
        if character.isprintable() and not character.isspace():  # Python's own idea of printable is the same here
            table[byte] = character
        else:
            table[byte] = chr(0x100 + hidden)
            hidden += 1
    return token.decode("latin-1").translate(table)


visible_token = Task(
    name="visible_token",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=15,
    cases=_visible_cases,
    reference=_visible_token,
    slips=(
        Slip(
            "shifted",
            partial(_visible_wrong, how="shifted"),
            "The invisible bytes were moved up by 256 each. They are numbered instead: the first of them gets U+0100, "
            "the next U+0101, so 0x7F, the 34th, gets U+0121.",
        ),
        Slip(
            "space_only",
            partial(_visible_wrong, how="space_only"),
            "Only the space was replaced. Line ends, tabs and 66 other bytes cannot be seen either.",
        ),
        Slip(
            "ascii_only",
            partial(_visible_wrong, how="ascii_only"),
            "All bytes above 0x7E were replaced. Those from 0xA1 to 0xAC and from 0xAE to 0xFF have a visible "
            "character of their own and keep it.",
        ),
        Slip(
            "hyphen",
            partial(_visible_wrong, how="hyphen"),
            "0xAD kept its character. It is the soft hyphen, which is not seen: it is the last of the 68 that are "
            "replaced.",
        ),
        Slip(
            "all_shifted",
            partial(_visible_wrong, how="all_shifted"),
            "Every byte was moved, letters too. Those that can be seen stay as they are, so that English can be read.",
        ),
        Slip(
            "decoded",
            lambda token: token.decode("utf-8", "replace").replace(" ", "\u0120").replace("\n", "\u010a"),
            "The token was decoded as UTF-8 first, so half a character was lost. Go byte by byte: each byte gives one "
            "character.",
        ),
        Slip(
            "latin1",
            lambda token: token.decode("latin-1"),
            "Each byte got the character of the same number, but 68 of them cannot be seen, and a space would break "
            "the file. Replace those.",
        ),
    ),
    alternatives=(_visible_by_counting, _visible_by_table),
    hints=(
        "Make a table of 256 characters first, one for each byte. Which bytes keep their own?",
        "The bytes 0x21 to 0x7E, 0xA1 to 0xAC and 0xAE to 0xFF keep chr(byte). The others, in order, get chr(256), "
        "chr(257), and so on.",
        "seen = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]; others = [b for b in range(256) if b "
        'not in seen]; return "".join(chr(b) if b in seen else chr(256 + others.index(b)) for b in token)',
    ),
)
