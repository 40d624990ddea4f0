"""Exercise `utf8_bytes`."""

from functools import partial

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case


def utf8_bytes(code_point):
    """Return the bytes of a character in UTF-8.

    Args:
        code_point: the character's number, an int from 0 to 0x10FFFF. (0xD800 to 0xDFFF are no characters; your
            function is not asked about them.)

    Returns:
        A list of one to four ints from 0 to 255.

    Raises:
        ValueError: the number is below 0 or above 0x10FFFF.

    >>> utf8_bytes(0xE9)
    [195, 169]
    """
    if not 0 <= code_point <= 0x10FFFF:
        raise ValueError(f"`code_point` must be from 0 to 0x10FFFF, got {code_point}.")
    if code_point < 0x80:
        return [code_point]
    rest = []
    lead, room = 0xC0, 32  # the mark of the first byte, and how many values fit beside it
    while True:
        rest.insert(0, 0x80 + code_point % 64)
        code_point //= 64
        if code_point < room:
            return [lead + code_point, *rest]
        lead, room = lead + room, room // 2


_LAST = 0x10FFFF


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def drawn(low: int, high: int) -> int:
        return int(rng.integers(low, high))

    return [
        case("the worked example", 0xE9),
        case("a letter of English", drawn(0x41, 0x7B)),
        case("a letter of Cyrillic", drawn(0x410, 0x450)),
        case("a letter of Tamil", drawn(0xB95, 0xBB9)),
        case("a Chinese character", drawn(0x4E00, 0x9FFF)),
        case("an emoji", drawn(0x1F600, 0x1F645)),
        border("code point 0", 0),
        border("the last one of 1 byte", 0x7F),
        border("the first one of 2 bytes", 0x80),
        border("the last one of 2 bytes", 0x7FF),
        border("the first one of 3 bytes", 0x800),
        border("the last one of 3 bytes", 0xFFFF),
        border("the first one of 4 bytes", 0x10000),
        border("the last one of all", _LAST),
        border("one beyond the last", _LAST + 1),
        border("a negative number", -1),
    ]


def _utf8_wrong(code_point: int, *, how: str) -> list[int]:
    if how != "unchecked":
        utf8_bytes(code_point)  # the same check
    if how == "big_endian":
        return list(code_point.to_bytes(max(1, (code_point.bit_length() + 7) // 8), "big"))
    if how == "utf16":
        return list(chr(code_point).encode("utf-16-be"))
    groups: list[int] = []
    rest = code_point
    limits = (0x7F if how == "border" else 0x80, 0x800, 0x10000)
    extra = sum(code_point >= limit for limit in limits)
    for _ in range(extra):
        groups.insert(0, rest % 64 + (0 if how == "bare_rest" else 0x80))
        rest //= 64
    lead = {0: 0, 1: 0xC0, 2: 0xE0, 3: 0xF0}[extra]
    groups.insert(0, rest + (0 if how == "bare_first" else lead))
    return groups[::-1] if how == "reversed" else groups


def _utf8_by_shifts(code_point: int) -> list[int]:
    if code_point < 0 or code_point > 0x10FFFF:
        raise ValueError("code_point")
    if code_point < 0x80:
        return [code_point]
    if code_point < 0x800:
        return [0xC0 | code_point >> 6, 0x80 | code_point & 0x3F]
    if code_point < 0x10000:
        return [0xE0 | code_point >> 12, 0x80 | code_point >> 6 & 0x3F, 0x80 | code_point & 0x3F]
    return [0xF0 | code_point >> 18, *(0x80 | code_point >> shift & 0x3F for shift in (12, 6, 0))]


def _utf8_by_loop(code_point: int) -> list[int]:
    if code_point not in range(_LAST + 1):
        raise ValueError("no code point")
    if code_point <= 127:
        return [code_point]
    tail: list[int] = []
    room = 32
    while not tail or code_point >= room:
        tail = [128 + code_point % 64, *tail]
        code_point //= 64
        room = 64 >> len(tail)
    return [256 - 2 * room + code_point, *tail]


task = Task(
    utf8_bytes,
    points=2,
    difficulty=2,
    minutes=15,
    cases=cases,
    slips=(
        Slip(
            "big_endian",
            partial(_utf8_wrong, how="big_endian"),
            "These are the bytes of the number itself. UTF-8 spends some bits of each byte on marks: the first byte "
            "says how many follow, and each that follows begins with the bits 10.",
        ),
        Slip(
            "utf16",
            partial(_utf8_wrong, how="utf16"),
            "This is UTF-16, two or four bytes for every character. UTF-8 keeps ASCII at one byte.",
        ),
        Slip(
            "bare_rest",
            partial(_utf8_wrong, how="bare_rest"),
            "The bytes after the first lack their mark. Each holds six bits of the number after the bits 10: add 0x80.",
        ),
        Slip(
            "bare_first",
            partial(_utf8_wrong, how="bare_first"),
            "The first byte does not say how many follow. Add 0xC0 for two bytes in all, 0xE0 for three, 0xF0 for "
            "four.",
        ),
        Slip(
            "reversed",
            partial(_utf8_wrong, how="reversed"),
            "The bytes are in the wrong order. The first one carries the highest bits and the number of bytes.",
        ),
        Slip(
            "border",
            partial(_utf8_wrong, how="border"),
            "0x7F still fits into seven bits, so it is one byte; two bytes begin at 0x80. Compare with < 0x80.",
        ),
        Slip(
            "unchecked",
            partial(_utf8_wrong, how="unchecked"),
            "The bytes are right, but a negative number or one above 0x10FFFF is no code point: raise ValueError.",
        ),
    ),
    alternatives=(_utf8_by_shifts, _utf8_by_loop),
    hints=(
        "How many bits does the number need: up to 7, 11, 16 or 21? That decides between one, two, three and four "
        "bytes.",
        "The last six bits are n % 64, the rest is n // 64. Each byte but the first is 0x80 plus six bits.",
        "if n < 0x80: [n]; if n < 0x800: [0xC0 + n // 64, 0x80 + n % 64]; three bytes: 0xE0 + n // 4096, then 0x80 + "
        "n // 64 % 64 and 0x80 + n % 64; four alike with 0xF0 + n // 262144. ValueError first.",
    ),
)
