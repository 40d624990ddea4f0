"""Which English word each word of a translated number comes from: the answer that attention is measured against.

Both sides are cut at the words for thousand and million. Within a part of up to 999, a word stands for the hundreds,
the tens, the units, or two of them ("thirteen", "veintiuno", "onze" in "quatre vingt onze"); two words are aligned when
they stand for the same digits. "and", "und", "et" and "y" are aligned with nothing.
"""

from typing import NamedTuple

from lmcourse import checks
from lmcourse.data.lexicon import NumberWords, lexicon

KINDS = ("digit", "tens", "hundred", "thousand", "million")


class Aligned(NamedTuple):
    """For one target word: its kind, and the positions of the source words it comes from.

    The kind is "digit" (zero to nineteen, also as the number of hundreds), "tens", "hundred", "thousand" or "million".
    Spanish doscientos counts as "hundred".
    """

    kind: str
    positions: frozenset[int]


class _Part(NamedTuple):
    scale: str  # the word that ends its group: "million", "thousand" or ""
    roles: frozenset[str]
    kind: str


def number_alignment(source: str, target: str, language: str) -> list[Aligned | None]:
    """Return for each word of `target` which words of `source` it translates; None for words such as "and".

    Args:
        source: a number in English words, as in `load_pairs`.
        target: the same number in the words of `language`.
        language: "de", "fr" or "es".

    Raises:
        ValueError: another language, or a word that is not a number word.

    Example: for "thirty four" and "vier und dreißig", vier comes from position 1, und from none, dreißig from 0.
    """
    checks.instance(str, source=source, target=target)
    own = lexicon(language)
    english = _parts("source", source, lexicon("en"))
    aligned: list[Aligned | None] = []
    for part in _parts("target", target, own):
        if not part.roles:
            aligned.append(None)
            continue
        positions = (j for j, word in enumerate(english) if word.scale == part.scale and word.roles & part.roles)
        aligned.append(Aligned(part.kind, frozenset(positions)))
    return aligned


def _parts(name: str, text: str, own: NumberWords) -> list[_Part]:
    parts, scale, following = [], "", ""
    for word in reversed(text.split()):  # from the end: a word for thousand scales the words before it
        if word in own.million or word == own.thousand:
            scale = "million" if word in own.million else "thousand"
            parts.append(_Part(scale, frozenset({"scale"}), scale))
        elif word in own.hundred:
            parts.append(_Part(scale, frozenset({"hundred"}), "hundred"))
        elif word in own.links:
            parts.append(_Part(scale, frozenset(), ""))
        elif word in own.values:
            parts.append(_Part(scale, *_roles(own.values[word], following, own)))
        else:
            raise ValueError(f"`{name}` must be number words of its language, got {word!r} in {text!r}.")
        following = word
    return parts[::-1]


def _roles(value: int, following: str, own: NumberWords) -> tuple[frozenset[str], str]:
    if following in own.hundred:
        return frozenset({"hundreds"}), "digit"
    if value >= 100:
        return frozenset({"hundreds", "hundred"}), "hundred"
    if value == 4 and following in ("vingt", "vingts"):
        return frozenset({"tens"}), "tens"  # four times twenty
    if value >= 20 and value % 10 == 0:
        return frozenset({"tens"}), "tens"
    if 10 <= value < 30:
        return frozenset({"tens", "unit"}), "digit"
    return frozenset({"unit"}), "digit"
