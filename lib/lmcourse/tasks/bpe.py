"""Tasks of chapter 07, first part: a character's bytes, and cutting text into pieces."""

from functools import partial

import numpy as np
import regex

from lmcourse.exercises import Case, Slip, Task, case
from lmcourse.tokenizers.bpe_pretokenize import GPT2_PATTERN

CHAPTER = "07_bpe"

# ------------------------------------------------------------------------------------------------------ utf8_bytes

_LAST = 0x10FFFF


def _utf8_bytes(code_point: int) -> list[int]:
    if not 0 <= code_point <= _LAST:
        raise ValueError(f"`code_point` must be from 0 to {_LAST:#x}, got {code_point}.")
    return list(chr(code_point).encode("utf-8"))


def _utf8_cases(seed: int) -> list[Case]:
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
        case("code point 0", 0),
        case("the last one of 1 byte", 0x7F),
        case("the first one of 2 bytes", 0x80),
        case("the last one of 2 bytes", 0x7FF),
        case("the first one of 3 bytes", 0x800),
        case("the last one of 3 bytes", 0xFFFF),
        case("the first one of 4 bytes", 0x10000),
        case("the last one of all", _LAST),
        case("one beyond the last", _LAST + 1),
        case("a negative number", -1),
    ]


def _utf8_wrong(code_point: int, *, how: str) -> list[int]:
    if how != "unchecked":
        _utf8_bytes(code_point)  # the same check
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


utf8_bytes = Task(
    name="utf8_bytes",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=15,
    cases=_utf8_cases,
    reference=_utf8_bytes,
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


# ---------------------------------------------------------------------------------------------------- split_pieces

_WORDS = ("rain", "GARDEN", "caf\u00e9", "\u0434\u043e\u043c", "tree", "7", "1999", "x2", "don't", "WE'LL", "she's")
_SIGNS = ("!", "?!", ",", " -", "...", " (", "_")
_GAPS = (" ", " ", " ", "  ", "\n", "\n    ", "\t")


def _split_pieces(text: str) -> list[str]:
    return regex.findall(GPT2_PATTERN, text)


def _split_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def written(n_words: int) -> str:
        parts = []
        for _ in range(n_words):
            for choice in (_WORDS, _GAPS, _SIGNS):
                if choice is not _SIGNS or rng.random() < 0.4:
                    parts.append(choice[int(rng.integers(len(choice)))])
        return "".join(parts)

    return [
        case("the worked example", "I'll pay 1234 pods!"),
        *(case(f"a text of {n} words", written(n)) for n in (3, 7, 13)),
        case("letters that are not English", "la caf\u00e9t\u00e9ria, \u0434\u043e\u043c"),
        case("letters and digits without a space", "x2 is 4y"),
        case("a run of spaces before a word", "if x:\n    return   y"),
        case("spaces at the end", "the end   "),
        case("a name with an underscore", "snake_case"),
        case("one space", " "),
        case("an empty text", ""),
    ]


_LETTERS, _DIGITS, _REST = r" ?\p{L}+", r" ?\p{N}+", r" ?[^\s\p{L}\p{N}]+"
_ENDINGS, _BLANKS = r"'s|'t|'re|'ve|'m|'ll|'d", r"\s+(?!\S)|\s+"


def _split_wrong(text: str, *, how: str) -> list[str]:
    parts = [_ENDINGS, _LETTERS, _DIGITS, _REST, _BLANKS]
    change = {
        "english_only": {1: r" ?[A-Za-z]+", 3: r" ?[^\sA-Za-z\p{N}]+"},
        "no_endings": {0: r"(?!)"},
        "greedy_blanks": {4: r"\s+"},
        "word_signs": {1: r" ?\w+", 2: r"(?!)", 3: r" ?[^\s\w]+"},
        "space_after": {1: r"\p{L}+ ?", 2: r"\p{N}+ ?", 3: r"[^\s\p{L}\p{N}]+ ?", 4: r"\s+"},
        "spaces_apart": {1: r"\p{L}+", 2: r"\p{N}+", 3: r"[^\s\p{L}\p{N}]+", 4: r"\s+"},
        "spaces_lost": {1: r"\p{L}+", 2: r"\p{N}+", 3: r"[^\s\p{L}\p{N}]+", 4: r"(?!)"},
    }[how]
    for place, part in change.items():
        parts[place] = part
    return regex.findall("|".join(parts), text)


def _split_by_finditer(text: str) -> list[str]:
    tail = r"\s+(?=\s\S)|\s+"  # a run up to the last blank before a word, else what is left
    whole = rf"'(?:[stmd]|re|ve|ll)|[ ]?(?:\p{{L}}+|\p{{N}}+|[^\s\p{{L}}\p{{N}}]+)|{tail}"
    return [found.group() for found in regex.finditer(whole, text)]


def _split_by_hand(text: str) -> list[str]:
    def kind(sign: str) -> int:
        if regex.match(r"\s", sign):
            return 0
        return 1 if regex.match(r"\p{L}", sign) else 2 if regex.match(r"\p{N}", sign) else 3

    pieces, at = [], 0
    while at < len(text):
        ending = next((e for e in ("'s", "'t", "'re", "'ve", "'m", "'ll", "'d") if text.startswith(e, at)), "")
        end = at + len(ending)
        if not ending:
            start = at + (text[at] == " " and at + 1 < len(text) and kind(text[at + 1]) > 0)
            end = start + 1
            while end < len(text) and kind(text[end]) == kind(text[start]):
                end += 1
            if kind(text[start]) == 0 and end < len(text) and end - start > 1:
                end -= 1
        pieces.append(text[at:end])
        at = end
    return pieces


split_pieces = Task(
    name="split_pieces",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=20,
    cases=_split_cases,
    reference=_split_pieces,
    slips=(
        Slip(
            "str_split",
            lambda text: text.split(),
            "str.split throws the spaces away, and leaves punctuation on the words. Every character of the text must "
            "be in some piece, so that the pieces joined are the text.",
        ),
        Slip(
            "spaces_lost",
            partial(_split_wrong, how="spaces_lost"),
            "The white space is gone, so the text cannot be put together again. Give the space to the word after it.",
        ),
        Slip(
            "spaces_apart",
            partial(_split_wrong, how="spaces_apart"),
            "The space is a piece of its own. Allow one space before each run, with ' ?', so that it belongs to the "
            "word after it.",
        ),
        Slip(
            "space_after",
            partial(_split_wrong, how="space_after"),
            "The space was given to the word before it. It belongs to the word after it: ' ?' stands before the run.",
        ),
        Slip(
            "no_endings",
            partial(_split_wrong, how="no_endings"),
            "The English endings ('s, 't, 're, 've, 'm, 'll, 'd) must be pieces of their own, and be tried first.",
        ),
        Slip(
            "english_only",
            partial(_split_wrong, how="english_only"),
            r"Only A to Z count as letters here, so a word with an accent falls apart. \p{L} is a letter of any "
            "script.",
        ),
        Slip(
            "word_signs",
            partial(_split_wrong, how="word_signs"),
            r"\w takes letters, digits and the underscore together. Runs of letters (\p{L}), of digits (\p{N}) and of "
            "other signs are three different pieces.",
        ),
        Slip(
            "greedy_blanks",
            partial(_split_wrong, how="greedy_blanks"),
            r"A run of white space swallowed the blank that belongs to the next word. Try \s+(?!\S) before \s+: it "
            "gives the last blank back.",
        ),
    ),
    alternatives=(_split_by_finditer, _split_by_hand),
    hints=(
        "Write one alternative for each line of the table, in its order, and join them with |.",
        r"A run of letters with one space before it, if there is one, is ' ?\p{L}+'. Digits are \p{N}, and the rest "
        r"is [^\s\p{L}\p{N}].",
        r"""Join these with | and give them to regex.findall, the endings first: 's 't 're 've 'm 'll 'd, then """
        r"""" ?\p{L}+", " ?\p{N}+", " ?[^\s\p{L}\p{N}]+", "\s+(?!\S)", "\s+".""",
    ),
)
