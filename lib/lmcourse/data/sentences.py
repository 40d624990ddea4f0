"""Sentences as a speech recogniser writes them, in lower case and without an end mark, with what it left out."""

from functools import cache
from typing import NamedTuple

import regex

from lmcourse import checks
from lmcourse.data.text import SPLITS, load_works, text_source

__all__ = ["Heard", "load_sentences"]

UNKNOWN_CAPITAL = -100  # the label of words whose capital letter says nothing; F.cross_entropy ignores it
SHORTEST, LONGEST = 4, 40
_ENDS = {".": 0, "!": 0, "?": 1}
_WORD = regex.compile(r"\p{L}+(?:['’-]\p{L}+)*|\p{N}+|[^\s\p{L}\p{N}]")  # the cut of tokenizers.words.split_words


class Heard(NamedTuple):
    """One sentence.

    Attributes:
        words: lower-cased, the last mark taken off; marks inside the sentence stay.
        question: 1 if that mark was "?", 0 for "." and "!".
        capitals: for each word 1 if the text writes it with a capital letter and 0 if not; `UNKNOWN_CAPITAL` where
            the letter says nothing: marks, "I" and "O", and the first word of a sentence or a line of verse.
    """

    words: tuple[str, ...]
    question: int
    capitals: tuple[int, ...]


def load_sentences(name: str = "shakespeare", *, split: str | None = None) -> list[Heard]:
    """Return the sentences of a text with 4 to 40 words, each once, in order of appearance.

    Stage directions (anything with a square bracket) and speakers' names, which are too short, are left out.

    Args:
        name, split: as for `load_text`.

    Raises:
        TypeError, ValueError: as `load_text`.
    """
    checks.one_of((*SPLITS, None), split=split)
    return list(_sentences(text_source(name), split))


@cache
def _sentences(name: str, split: str | None) -> tuple[Heard, ...]:
    found: dict[Heard, None] = {}
    for text in load_works(name, split=split).values():
        for paragraph in text.split("\n\n"):
            words: list[str] = []
            capitals: list[int] = []
            for line in paragraph.splitlines():
                fresh = True  # at the start of a line or a sentence a capital letter means nothing
                for word in _WORD.findall(line):
                    if word in _ENDS:
                        _keep(found, words, capitals, _ENDS[word])
                        words, capitals, fresh = [], [], True
                        continue
                    is_word = word[0].isalpha()
                    says_something = is_word and not fresh and word not in ("I", "O")
                    words.append(word.lower())
                    capitals.append(int(word[0].isupper()) if says_something else UNKNOWN_CAPITAL)
                    fresh = not is_word and (fresh or word != ",")
    return tuple(found)


def _keep(found: dict[Heard, None], words: list[str], capitals: list[int], question: int) -> None:
    if SHORTEST <= len(words) <= LONGEST and not {"[", "]"} & set(words):
        found.setdefault(Heard(tuple(words), question, tuple(capitals)))
