import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes


def visible_token(token):
    """Write a token as GPT-2's files do.

    Args:
        token: bytes.

    Returns:
        A str with one visible character for each byte.

    >>> visible_token(b" the\\n")
    'ĠtheĊ'
    """
    seen = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in seen]
    alphabet = {byte: chr(byte) for byte in seen}
    alphabet |= {byte: chr(256 + number) for number, byte in enumerate(others)}
    return "".join(alphabet[byte] for byte in token)


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def drawn(low: int, high: int, n: int) -> bytes:
        return bytes(int(byte) for byte in rng.integers(low, high, size=n))

    return [
        case("the worked example", b" the\n"),
        case("letters and signs", drawn(0x21, 0x7F, 11)),
        case("eleven bytes of any kind", drawn(0, 256, 11)),
        case("control characters", drawn(0, 0x20, 5)),
        case("bytes from 0x7F to 0xA0", drawn(0x7F, 0xA1, 7) + b"\x7f\xa0"),
        case("every byte, in order", bytes(range(256))),
        case("every byte, in the reverse order", bytes(range(255, -1, -1))),
        border("the first and the last of those that keep theirs", b"\x21\x7e\xa1\xac\xae\xff"),
        border("the soft hyphen, which is never seen", b"a\xadb"),
        border("the space that does not break", b"\xa0"),
        border("an empty token", b""),
    ]


SLIPS = mistakes(r"""
shifted: "Write a token as GPT-2's files do"
    chr(256 + number) => chr(256 + byte)
  The invisible bytes were moved up by 256 each. They are numbered instead: the first of them gets U+0100, the next
  U+0101, so 0x7F, the 34th, gets U+0121.
from_one
    chr(256 + number) => chr(257 + number)
  The numbering begins one too late: the first of the 68, byte 0, gets U+0100.
space_and_line_end
    number) for number, byte in enumerate(others) => byte if byte in (0x20, 0x0A) else byte) for byte in others
  Only the space and the line end were replaced. Tabs and 65 other bytes cannot be seen either.
low_bytes_only
    [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)] => [*range(0x21, 0x100)]
  Only the bytes up to the space were replaced. 0x7F to 0xA0 and 0xAD cannot be seen either.
hyphen
    *range(0xA1, 0xAD), *range(0xAE, 0x100) => *range(0xA1, 0x100)
  0xAD kept its character. It is the soft hyphen, which is not seen: it is the last of the 68 that are replaced.
fixed_space
    range(0xA1, 0xAD) => range(0xA0, 0xAD)
  0xA0 kept its character. It is the space that does not break, which is not seen: only 0xA1 to 0xAC keep theirs.
space_kept
    range(0x21, 0x7F) => range(0x20, 0x7F)
  The space kept its character. It is not seen, and would break the file: 0x21 is the first byte that keeps its own.
delete_kept
    range(0x21, 0x7F) => range(0x21, 0x80)
  0x7F kept its character. It is a control character, the 34th of those that are replaced; range leaves out its end.
tilde_replaced
    range(0x21, 0x7F) => range(0x21, 0x7E)
  0x7E, the tilde, was replaced. It keeps its character: range leaves out its end.
ends_left_out
    0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100 => 0x7E), *range(0xA1, 0xAC), *range(0xAE, 0xFF
  The last byte of each of the three ranges was replaced. 0x7E, 0xAC and 0xFF keep their characters: range leaves out
  its end.
decoded: "bytes"
    "".join(alphabet[byte] for byte in token) => token.decode("utf-8", "replace").replace(" ", "Ġ").replace("\n", "Ċ")
  The token was decoded as UTF-8 first, so half a character was lost. Go byte by byte: each byte gives one character.
""")
HINTS = hints("""
- Make a table of 256 characters first, one for each byte. Which bytes keep their own?
- The bytes 0x21 to 0x7E, 0xA1 to 0xAC and 0xAE to 0xFF keep chr(byte). The others, in order, get chr(256), chr(257),
  and so on.
- seen = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]; others = [b for b in range(256) if b not in
  seen]; return "".join(chr(b) if b in seen else chr(256 + others.index(b)) for b in token)
""")
task = Task(visible_token, points=3, difficulty=3, minutes=15, cases=cases, slips=SLIPS, hints=HINTS)
