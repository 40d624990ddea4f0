"""The words that numbers are made of, in four languages."""

from dataclasses import dataclass

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


@dataclass(frozen=True)
class NumberWords:
    """One language's words.

    Attributes:
        values: word -> what it counts, from 0 to 90, in Spanish also the hundreds.
        links: words that say nothing: "and", "und", "et", "y".
        hundred, million: the words for them, singular and plural.
        thousand: the word for it.
    """

    values: dict[str, int]
    links: tuple[str, ...]
    hundred: tuple[str, ...]
    thousand: str
    million: tuple[str, ...]


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


_WORDS = {
    "en": NumberWords(_values("en"), ("and",), ("hundred",), "thousand", ("million",)),
    "de": NumberWords(_values("de"), ("und",), ("hundert",), "tausend", ("Million", "Millionen")),
    "fr": NumberWords(_values("fr"), ("et",), ("cent", "cents"), "mille", ("million", "millions")),
    "es": NumberWords(_values("es"), ("y",), (), "mil", ("millón", "millones")),
}
LANGUAGES = tuple(_WORDS)


def lexicon(language: str) -> NumberWords:
    """Return the number words of a language: "en", "de", "fr" or "es".

    Raises:
        ValueError: another language.
    """
    if language not in LANGUAGES:
        raise ValueError(f"`language` must be one of {', '.join(LANGUAGES)}, got {language!r}.")
    return _WORDS[language]
