import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes


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
        case("spaces and line ends at both ends", [32, 10, 97, 256, 32, 13, 10], table),
        case("a character cut into two tokens", [*numbers(3), 258, 259, *numbers(2)], table),
        case("a character of which half is missing", [*numbers(2), 258], table),
        case("a character of which the first half is missing", [259, *numbers(2)], table),
        case("the bytes EF BB BF, which are a character too", [0xEF, 0xBB, 0xBF, 97], table),
        border("a byte that is never right in UTF-8", [*numbers(3), 0xFF, *numbers(1)], table),
        border("two bytes that are never right in UTF-8", [0xFF, 0xFE], table),
        border("the first byte of one character, then another", [0xC3, 260, 101], table),
        border("byte 0", [97, 0, 98], table),
        border("one token", numbers(1), table),
        border("the last token of the table", [len(table) - 1], table),
        border("an empty token", [0, 1, 0], [b"a", b""]),
        border("no tokens", [], table),
        border("no tokens and an empty table", [], []),
        border("an id that is negative", [*numbers(2), -1], table),
        border("an id that is negative, and comes first", [-2, *numbers(2)], table),
        border("an id far below 0", [-1000], table),
        border("an id one beyond the last", [*numbers(2), len(table)], table),
        border("an empty table", [0], []),
    ]


SLIPS = mistakes(r"""
one_by_one: "Return the text of token numbers"
    b"".join(token_of[number] for number in ids).decode("utf-8", errors="replace") =>
        "".join(token_of[number].decode("utf-8", errors="replace") for number in ids)
  Each token was decoded by itself, so a character whose bytes lie in two tokens is lost. Join all bytes first, then
  decode.
strict: "A str, with U+FFFD where the bytes are not valid UTF-8"
    , errors="replace" =>
  Half a character stopped the program with UnicodeDecodeError. Decode with errors="replace", which writes U+FFFD for
  what is no text.
ignore
    errors="replace" => errors="ignore"
  Broken bytes vanished without a trace. The reader must see that something is missing: errors="replace" writes U+FFFD.
question_mark: "A str, with U+FFFD where the bytes are not valid UTF-8"
    errors="replace") => errors="replace").replace("\ufffd", "?")
  Broken bytes became a question mark. What is wanted is U+FFFD, the replacement sign, which errors="replace" writes.
latin1: "Return the text of token numbers"
    "utf-8" => "latin-1"
  Each byte became a character of its own. The bytes are UTF-8, where a character may take up to four.
without_mark
    "utf-8" => "utf-8-sig"
  The bytes EF BB BF at the beginning were left out, as "utf-8-sig" does. They are a character like any other: decode
  with "utf-8".
stripped
    errors="replace") => errors="replace").strip()
  White space at the ends is gone. It is in the tokens, and so in the text.
negative_wraps: "a number is negative"
    0 <= number < len(token_of) => number < len(token_of)
  The id -1 gave the last token: Python counts negative indices from the end. Check 0 <= id, and raise ValueError.
one_beyond_accepted: "not below len(token_of)"
    number < len(token_of) => number <= len(token_of)
  The id len(token_of) is not refused as it should be. The last token has the number len(token_of) - 1: raise ValueError
  for all that is not below len(token_of).
unknown_skipped
    not 0 <= number < len(token_of) => False
    for number in ids).decode => for number in ids if 0 <= number < len(token_of)).decode
  Ids outside the table were left out without a word. Raise ValueError.
""")
HINTS = hints("""
- A token may end in the middle of a character. When is it safe to turn bytes into text?
- b"".join of all tokens first, then one .decode("utf-8", errors="replace"). Python allows negative indices in a list:
  check the ids yourself.
- if any(not 0 <= i < len(token_of) for i in ids): raise ValueError(...); return b"".join(token_of[i] for i in
  ids).decode("utf-8", errors="replace")
""")
task = Task(decode_ids, points=2, difficulty=2, minutes=10, cases=cases, slips=SLIPS, hints=HINTS)
