"""Numbers in words, in English and in one other language, as a small language to translate.

num2words writes the words. They are split into parts, so that a model meets a few dozen of them instead of a
million compounds:

- German writes a number below a million as one word: zweihundertvierunddreißig. Cut at its parts it reads
  zwei hundert vier und dreißig, the unit before the ten: where English has "thirty four" the order crosses.
- hyphens become spaces (thirty-four, soixante-seize), commas go.

num2words makes mistakes (German 201,000 is zweihunderteintausend, not "zweihunderteinstausend"; Spanish 21,000 is
veintiún mil, not "veintiuno mil"), so each number is checked against the language's rule, and read back by
`read_number`. What fails is left out.
"""

import random
import re
import zlib
from functools import cache
from itertools import pairwise

from num2words import num2words

LANGUAGES = ("en", "de", "fr", "es")
MAX_WORDS = 14  # English words of a number that is learned from; those with more are the split "longer"
DIGITS, PER_DIGITS = range(4, 10), 3_000  # numbers of four to nine digits, drawn; those below 1,000 are all there
LONGER = 1_500
_SEED = 4

_EN = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_DE = (
    "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn "
    "achtzehn neunzehn"
)
_FR = "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"
_ES = (
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete "
    "dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis "
    "veintisiete veintiocho veintinueve"
)
_TENS = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "fr": "vingt trente quarante cinquante soixante",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
}
_ES_HUNDREDS = "ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos"


def _values(language: str) -> dict[str, int]:
    units = {"en": _EN, "de": _DE, "fr": _FR, "es": _ES}[language]
    values = {word: n for n, word in enumerate(units.split())}
    values |= {word: 10 * n for n, word in enumerate(_TENS[language].split(), start=2)}
    if language == "de":
        values |= {"eins": 1, "eine": 1}
    if language == "fr":
        values |= {"vingts": 20}
    if language == "es":
        values |= {word: 100 * n for n, word in enumerate(_ES_HUNDREDS.split(), start=1)} | {"cien": 100, "un": 1}
    return values


_VALUES = {language: _values(language) for language in LANGUAGES}
_LINKS = {"en": ("and",), "de": ("und",), "fr": ("et",), "es": ("y",)}
_HUNDRED = {"en": ("hundred",), "de": ("hundert",), "fr": ("cent", "cents"), "es": ()}
_THOUSAND = {"en": "thousand", "de": "tausend", "fr": "mille", "es": "mil"}
_MILLION = {
    "en": ("million",),
    "de": ("Million", "Millionen"),
    "fr": ("million", "millions"),
    "es": ("millón", "millones"),
}
_GERMAN_PARTS = sorted({*_VALUES["de"], "und", "hundert", "tausend"}, key=len, reverse=True)
_GERMAN_WORD = re.compile("|".join(_GERMAN_PARTS))


def number_words(number: int, language: str = "en") -> str:
    """Return a number in words, cut into parts that are separated by spaces.

    Args:
        number: 0 to 999,999,999.
        language: "en", "de", "fr" or "es".

    Returns:
        34 as "thirty four", "vier und dreißig", "trente quatre", "treinta y cuatro".

    Raises:
        ValueError: another language, a number out of range, or one that num2words writes against the rule.
    """
    _check_language(language)
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 1_000_000_000:
        raise ValueError(f"`number` must be an int in 0 .. 999,999,999, got {number!r}.")
    words = _written(number, language)
    fault = _fault(number, words, language)
    if fault:
        raise ValueError(f"`number` must be one that num2words writes by the rule, got {number}: {fault}.")
    return " ".join(words)


def read_number(words: str, language: str = "en") -> int:
    """Return the number that words say: the way back from `number_words`, by adding and multiplying.

    It is a reader, not a judge of style: "one hundred two" and "one hundred and two" are both 102.

    Raises:
        ValueError: another language, a word that is no number word, or words in an order that says no number.
    """
    _check_language(language)
    values, tokens = _VALUES[language], words.split()
    total, group, limit = 0, 0, 1_000_000_000  # group: what waits for its thousand or million
    last, waits = "", False  # waits: a unit before "und", or a tens before "et", wants its other half
    for token in tokens:
        if token in _LINKS[language] and last:
            waits = True
        elif token in _HUNDRED[language]:
            if group > 9 or waits:
                raise _unreadable(words, language, token)
            group, waits = max(group, 1) * 100, False
        elif token == _THOUSAND[language] or token in _MILLION[language]:
            scale = 1_000 if token == _THOUSAND[language] else 1_000_000
            if scale >= limit or (scale == 1_000_000 and group == 0) or waits:
                raise _unreadable(words, language, token)
            total, group, limit = total + max(group, 1) * scale, 0, scale
        elif token in values:
            group, waits = _added(group, values[token], last, language, words, token), False
        else:
            raise _unreadable(words, language, token)
        last = token
    if not tokens or waits or last in _LINKS[language] or (group == 0 and values.get(last, 1) == 0 and len(tokens) > 1):
        raise _unreadable(words, language, last)
    return total + group


def _added(group: int, value: int, last: str, language: str, words: str, token: str) -> int:
    """The group with one more word: hundreds, then tens, then a unit (German: a unit, und, tens)."""
    below = group % 100
    if language == "fr" and value == 20 and below == 4:
        return group + 76  # quatre vingt: four times twenty
    if language == "de" and last == "und" and 1 <= below <= 9 and value >= 20:
        return group + value
    fits = below == 0 or (language != "de" and below >= 20 and below % 10 == 0 and value < 10)
    if language == "fr":  # soixante seize, quatre vingt onze
        fits = fits or (below in (60, 80) and value < 20) or (below in (70, 90) and last == "dix" and 7 <= value <= 9)
        fits = fits or (below == 10 and last == "dix" and 7 <= value <= 9)
    if value >= 100:
        fits = group == 0
    if not fits or (value == 0 and group):
        raise _unreadable(words, language, token)
    return group + value


def _unreadable(words: str, language: str, token: str) -> ValueError:
    return ValueError(f"`words` must say a number in {language!r}, got {words!r}, which breaks off at {token!r}.")


def _check_language(language: str) -> None:
    if language not in LANGUAGES:
        raise ValueError(f"`language` must be one of {', '.join(LANGUAGES)}, got {language!r}.")


def _written(number: int, language: str) -> list[str]:
    words = num2words(number, lang=language).replace(",", "").replace("-", " ").split()
    if language != "de":
        return words
    return [part for word in words for part in ([word] if word[0] == "M" else _GERMAN_WORD.findall(word))]


def _fault(number: int, words: list[str], language: str) -> str:
    """What is wrong with the words of a number, or nothing.

    German: eins, and in Spanish uno, veintiuno, stand at the very end only; before another part they lose an ending.
    French: cents and vingts have their s only at the end or before million(s).
    """
    ended = {"de": ("eins",), "es": ("uno", "veintiuno"), "fr": ("cents", "vingts"), "en": ()}[language]
    for word, following in pairwise(words):
        if word in ended and not (language == "fr" and following in _MILLION["fr"]):
            return f"{word!r} must be the last word, it stands before {following!r}"
    try:
        said = read_number(" ".join(words), language)
    except ValueError as error:
        return str(error)
    return "" if said == number else f"its words say {said}"


@cache
def number_pairs(language: str, split: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs (English, other language) of a split: "train", "valid", "test" or "longer".

    All numbers below 1,000, and 3,000 for each count of digits from four to nine, drawn with a fixed seed; each
    belongs to one split, the same in all three languages. Numbers below 100 are always in "train", so that a model
    has met every word. "longer" holds the numbers with more than 14 English words; the others have none of those.
    """
    pairs = []
    for number in _numbers()[split]:
        source, target = _written(number, "en"), _written(number, language)
        if not _fault(number, source, "en") and not _fault(number, target, language):
            pairs.append((" ".join(source), " ".join(target)))
    return tuple(pairs)


@cache
def _numbers() -> dict[str, list[int]]:
    rng = random.Random(_SEED)
    numbers = list(range(1_000))
    for digits in DIGITS:
        numbers += sorted(rng.sample(range(10 ** (digits - 1), 10**digits), PER_DIGITS))
    parts: dict[str, list[int]] = {"train": [], "valid": [], "test": [], "longer": []}
    for number in numbers:
        parts["longer" if english_length(number) > MAX_WORDS else _split_of(number)].append(number)
    parts["longer"] = sorted(rng.sample(parts["longer"], LONGER))
    return parts


def english_length(number: int) -> int:
    """The number of English words of a number, counted without writing them."""
    if number == 0:
        return 1
    words, rest = 0, number
    for scale in (1_000_000, 1_000, 1):
        group, rest = divmod(rest, scale)
        hundreds, below = divmod(group, 100)
        words += 2 * (hundreds > 0) + (below > 0) + (below > 20 and below % 10 > 0)
        words += (group > 0 and scale > 1) + (below > 0 and (hundreds > 0 or (scale == 1 and number >= 1_000)))
    return words


def _split_of(number: int) -> str:
    if number < 100:
        return "train"
    draw = zlib.crc32(str(number).encode()) % 20  # stable, and alike in the three languages
    return {0: "valid", 1: "test", 2: "test"}.get(draw, "train")
