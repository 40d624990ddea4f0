"""Exercise `split_pieces`."""

from functools import partial

import numpy as np
import regex

from lmcourse.exercises import Case, Slip, Task, border, case


def split_pieces(text):
    """Cut text into pieces as GPT-2 does.

    Args:
        text: a str.

    Returns:
        A list of str, in order; joined they are the text.

    >>> split_pieces("I'll pay 1234 pods!")
    ['I', "'ll", ' pay', ' 1234', ' pods', '!']
    """
    endings = r"'s|'t|'re|'ve|'m|'ll|'d"
    runs = r" ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+"
    blanks = r"\s+(?!\S)|\s+"
    return regex.findall("|".join([endings, runs, blanks]), text)


_WORDS = ("rain", "GARDEN", "caf\u00e9", "\u0434\u043e\u043c", "tree", "7", "1999", "x2", "don't", "WE'LL", "she's")


_SIGNS = ("!", "?!", ",", " -", "...", " (", "_")


_GAPS = (" ", " ", " ", "  ", "\n", "\n    ", "\t")


def cases(seed: int) -> list[Case]:
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
        border("one space", " "),
        border("an empty text", ""),
    ]


LETTERS, _DIGITS, _REST = r" ?\p{L}+", r" ?\p{N}+", r" ?[^\s\p{L}\p{N}]+"


_ENDINGS, _BLANKS = r"'s|'t|'re|'ve|'m|'ll|'d", r"\s+(?!\S)|\s+"


def _split_wrong(text: str, *, how: str) -> list[str]:
    parts = [_ENDINGS, LETTERS, _DIGITS, _REST, _BLANKS]
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


task = Task(
    split_pieces,
    points=3,
    difficulty=3,
    minutes=20,
    cases=cases,
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
