"""Which English word each word of a translated number comes from: the answer that attention is measured against.

Both sides are cut at the words for thousand and million. Within a part of up to 999 a word stands for its hundreds, its
tens, its units, or two of them ("thirteen", veintiuno, onze in quatre vingt onze); two words belong together when they
stand for the same. Und, et, y and "and" come from nowhere.
"""

from typing import NamedTuple

from lmcourse.data.numbers import _HUNDRED, _LINKS, _MILLION, _THOUSAND, _VALUES, _check_language

KINDS = ("digit", "tens", "hundred", "thousand", "million")


class Aligned(NamedTuple):
    """For one target word: its kind, and the places of the source words it comes from.

    The kind is "digit" (zero to nineteen, also as the number of hundreds), "tens", "hundred", "thousand" or "million".
    Spanish doscientos counts as "hundred".
    """

    kind: str
    places: frozenset[int]


class _Part(NamedTuple):
    scale: str  # the word that ends its group: "million", "thousand" or ""
    roles: frozenset[str]
    kind: str


def number_alignment(source: str, target: str, language: str) -> list[Aligned | None]:
    """Return for each word of `target` where in `source` it comes from; None for words that come from nowhere.

    Args:
        source: a number in English words, as in `load_pairs`.
        target: the same number in the words of `language`.
        language: "de", "fr" or "es".

    Raises:
        ValueError: another language, or words that are no number words.

    "thirty four" and "vier und dreißig": vier comes from 1, und from nowhere, dreißig from 0.
    """
    _check_language(language)
    english = _parts(source.split(), "en")
    aligned: list[Aligned | None] = []
    for part in _parts(target.split(), language):
        if not part.roles:
            aligned.append(None)
            continue
        places = (j for j, word in enumerate(english) if word.scale == part.scale and word.roles & part.roles)
        aligned.append(Aligned(part.kind, frozenset(places)))
    return aligned


def _parts(words: list[str], language: str) -> list[_Part]:
    parts, scale = [], ""
    for place in range(len(words) - 1, -1, -1):  # from the end: a word for thousand rules what stands before it
        word, following = words[place], words[place + 1] if place + 1 < len(words) else ""
        if word in _MILLION[language] or word == _THOUSAND[language]:
            scale = "million" if word in _MILLION[language] else "thousand"
            parts.append(_Part(scale, frozenset({"scale"}), scale))
        elif word in _HUNDRED[language]:
            parts.append(_Part(scale, frozenset({"hundred"}), "hundred"))
        elif word in _LINKS[language]:
            parts.append(_Part(scale, frozenset(), ""))
        elif word in _VALUES[language]:
            parts.append(_Part(scale, *_roles(_VALUES[language][word], following, language)))
        else:
            raise ValueError(f"`words` must be number words of {language!r}, got {word!r} in {' '.join(words)!r}.")
    return parts[::-1]


def _roles(value: int, following: str, language: str) -> tuple[frozenset[str], str]:
    if following in _HUNDRED[language]:
        return frozenset({"hundreds"}), "digit"
    if value >= 100:
        return frozenset({"hundreds", "hundred"}), "hundred"
    if language == "fr" and value == 4 and following in ("vingt", "vingts"):
        return frozenset({"tens"}), "tens"  # four times twenty
    if value >= 20 and value % 10 == 0:
        return frozenset({"tens"}), "tens"
    if 10 <= value < 30:
        return frozenset({"tens", "unit"}), "digit"
    return frozenset({"unit"}), "digit"
