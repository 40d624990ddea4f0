"""Exercise `decode_ids`."""

import codecs
from functools import partial

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch07.shared import Token


def decode_ids(ids, token_of):
    """Return the text of token numbers.

    Args:
        ids: a list of ints.
        token_of: a list of tokens (bytes); the token of number i is token_of[i].

    Returns:
        A str, with U+FFFD where the bytes are not valid UTF-8.

    Raises:
        ValueError: a number is negative or not below len(token_of).

    >>> decode_ids([0, 1, 3, 2], [b"to", b"k", b"n", b"e"])
    'token'
    """
    for number in ids:
        if not 0 <= number < len(token_of):
            raise ValueError(f"`ids` must be from 0 to {len(token_of) - 1}, got {number}.")
    return b"".join(token_of[number] for number in ids).decode("utf-8", errors="replace")


def cases(seed: int) -> list[Case]:
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
        border("a byte that is never right in UTF-8", [*numbers(3), 0xFF, *numbers(1)], table),
        border("the first byte of one character, then another", [0xC3, 260, 101], table),
        border("one token", numbers(1), table),
        border("no tokens", [], table),
        border("an id that is negative", [*numbers(2), -1], table),
        border("an id one beyond the last", [*numbers(2), len(table)], table),
    ]


def _decode_wrong(ids: list[int], token_of: list[Token], *, how: str) -> str:
    if how == "negative_wraps" and any(number >= len(token_of) for number in ids):
        raise ValueError("ids")
    if how not in ("negative_wraps", "unchecked"):
        decode_ids(ids, token_of)
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

    table = dict(enumerate(token_of))
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    if set(ids) - set(table):
        raise ValueError("ids that stand for nothing")
    return "".join(decoder.decode(table[number]) for number in ids) + decoder.decode(b"", final=True)


task = Task(
    decode_ids,
    points=2,
    difficulty=2,
    minutes=10,
    cases=cases,
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
