import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes


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
    size = 2 if code_point < 0x800 else 3 if code_point < 0x10000 else 4
    mark = {2: 0xC0, 3: 0xE0, 4: 0xF0}[size]
    rest = [0x80 + code_point // 64**power % 64 for power in range(size - 2, -1, -1)]
    return [mark + code_point // 64 ** (size - 1), *rest]


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
        case("the euro sign", 0x20AC),
        case("an emoji", drawn(0x1F600, 0x1F645)),
        case("a code point of 21 bits", 0x10FEDC),
        border("code point 0", 0),
        border("the last one of 1 byte", 0x7F),
        border("the first one of 2 bytes", 0x80),
        border("the last one of 2 bytes", 0x7FF),
        border("the first one of 3 bytes", 0x800),
        border("the last one of 3 bytes", 0xFFFF),
        border("the first one of 4 bytes", 0x10000),
        border("the last one of all", _LAST),
        border("one beyond the last", _LAST + 1),
        border("the last one of 21 bits", 0x1FFFFF),
        border("a number that no machine word holds", 1 << 70),  # chr raises OverflowError
        border("a negative number", -1),
        border("a number below -0x80", -1000),
    ]


SLIPS = mistakes(
    """
bytes_returned: "A list of one to four ints from 0 to 255"
    return [code_point] => return bytes([code_point])
    return [mark + => return bytes([mark +
    *rest] => *rest])
  The bytes are right, but they are a bytes object. Return a list of ints: list(...).
low_bits_first
    range(size - 2, -1, -1) => range(size - 1)
  The first byte is right, the others are in the reverse order: the highest bits come first.
border
    < 0x80: => < 0x7F:
  0x7F still fits into seven bits, so it is one byte; two bytes begin at 0x80. Compare with < 0x80.
one_byte_too_long
    < 0x80: => <= 0x80:
  0x80 needs eight bits, and so two bytes. One byte is enough up to 0x7F.
two_bytes_too_long
    code_point < 0x800 else => code_point <= 0x800 else
  0x800 needs twelve bits, and so three bytes. Two bytes are enough up to 0x7FF.
two_bytes_too_short
    code_point < 0x800 else => code_point < 0x7FF else
  0x7FF still fits into eleven bits, and so into two bytes.
three_bytes_too_long
    code_point < 0x10000 => code_point <= 0x10000
  0x10000 needs seventeen bits, and so four bytes. Three bytes are enough up to 0xFFFF.
three_bytes_too_short
    code_point < 0x10000 => code_point < 0xFFFF
  0xFFFF still fits into sixteen bits, and so into three bytes.
negative_accepted: "the number is below 0"
    not 0 <= code_point <= 0x10FFFF => code_point > 0x10FFFF
  A negative number was accepted. It is no code point: raise ValueError.
beyond_accepted: "above 0x10FFFF"
    not 0 <= code_point <= 0x10FFFF => code_point < 0
  A number above 0x10FFFF was accepted. It is no code point: raise ValueError.
all_of_21_bits_accepted
    <= 0x10FFFF => < 0x200000
  Numbers from 0x110000 to 0x1FFFFF were accepted. They would fit into 21 bits, but the last code point is 0x10FFFF.
codec: "the number is below 0 or above 0x10FFFF"
  This is Python's own codec. Work the bytes out from the number: chr, for one, raises OverflowError and not ValueError
  for a number that fits into no machine word.
last_refused: "the character's number, an int from 0 to 0x10FFFF"
    code_point <= 0x10FFFF => code_point < 0x10FFFF
  0x10FFFF was refused. It is the last code point that there is.
zero_refused: "the character's number, an int from 0 to 0x10FFFF"
    0 <= code_point => 0 < code_point
  0 was refused. It is a code point like any other, and one byte.
""",
    codec=lambda code_point: list(chr(code_point).encode("utf-8")),
)
HINTS = hints("""
- How many bits does the number need: up to 7, 11, 16 or 21? That decides between one, two, three and four bytes.
- The last six bits are n % 64, the rest is n // 64. Each byte but the first is 0x80 plus six bits.
- if n < 0x80: [n]; if n < 0x800: [0xC0 + n // 64, 0x80 + n % 64]; three bytes: 0xE0 + n // 4096, then 0x80 + n // 64 %
  64 and 0x80 + n % 64; four alike with 0xF0 + n // 262144. ValueError first.
""")
task = Task(utf8_bytes, points=2, difficulty=2, minutes=15, cases=cases, slips=SLIPS, hints=HINTS)
