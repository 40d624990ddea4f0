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

from lmcourse import checks
from lmcourse.data.lexicon import lexicon
from lmcourse.extras import needs

MAX_WORDS = 14  # English words of a number that is learned from; those with more are the split "longer"
DIGITS, PER_DIGITS = range(4, 10), 3_000  # a sample of those with four to nine digits; all below 1,000
LONGER = 1_500
_SEED = 4
_GERMAN_WORD = re.compile("|".join(sorted({*lexicon("de").values, "und", "hundert", "tausend"}, key=len, reverse=True)))


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
    lexicon(language)  # an unknown language is refused before anything else
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 1_000_000_000:
        raise ValueError(f"`number` must be an int in 0 .. 999,999,999, got {number!r}.")
    words = _written(number, language)
    fault = _fault(number, words, language)
    if fault:
        raise ValueError(f"`number` must be one that num2words writes by the rule, got {number}: {fault}.")
    return " ".join(words)


def read_number(words: str, language: str = "en") -> int:
    """Return the number that words say: the way back from `number_words`, by adding and multiplying.

    It does not judge style: "one hundred two" and "one hundred and two" are both 102.

    Raises:
        ValueError: another language, a word that is no number word, or words in an order that says no number.
    """
    checks.instance(str, words=words)
    own = lexicon(language)
    values, tokens = own.values, words.split()
    total, group, limit = 0, 0, 1_000_000_000  # group: what waits for its thousand or million
    last, waits = "", False  # waits: a unit before "und", or a tens before "et", wants its other half
    for token in tokens:
        if token in own.links and last:
            waits = True
        elif token in own.hundred:
            if group > 9 or waits:
                raise _unreadable(words, language, token)
            group, waits = max(group, 1) * 100, False
        elif token == own.thousand or token in own.million:
            scale = 1_000 if token == own.thousand else 1_000_000
            if scale >= limit or (scale == 1_000_000 and group == 0) or waits:
                raise _unreadable(words, language, token)
            total, group, limit = total + max(group, 1) * scale, 0, scale
        elif token in values:
            group, waits = _added(group, values[token], last, language, words, token), False
        else:
            raise _unreadable(words, language, token)
        last = token
    if not tokens or waits or last in own.links or (group == 0 and values.get(last, 1) == 0 and len(tokens) > 1):
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


def _written(number: int, language: str) -> list[str]:
    with needs("lab", "writing numbers in words"):
        from num2words import num2words
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
        if word in ended and not (language == "fr" and following in lexicon("fr").million):
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
    belongs to one split, the same in all three languages. Numbers below 100 are always in "train", so that every word
    occurs there. "longer" holds the numbers with more than 14 English words; the others have none of those.
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
