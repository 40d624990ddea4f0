"""Dates as people write them around the world, to be turned into ISO 8601.

babel writes a date by the rules of each of CLDR's locales (over a thousand; many write alike). A pair is the date as
written, character by character, and YYYY-MM-DD: "Samstag, 9. März 2024" and "2024-03-09".

Left out are forms of digits only (03/09/2024 is in March or in September, depending on the country), and dates that two
locales write alike for different days.
"""

import random
from collections import defaultdict
from datetime import date, timedelta
from functools import cache

from lmcourse import checks
from lmcourse.extras import needs

with needs("lab", "writing dates"):
    from babel import Locale, localedata
    from babel.dates import format_date

__all__ = ["date_forms", "date_locales", "date_pairs", "write_date"]

FORMS = ("full", "long", "medium")  # "short" is digits only, and cuts the century
MAX_CHARACTERS = 32  # of a date that is learned from; longer ones are the split "longer"
FIRST, LAST = date(1950, 1, 1), date(2049, 12, 31)
_PER_FORM = {"train": 40, "valid": 2, "test": 4, "longer": 12}
_PROBES = (date(2024, 3, 9), date(1987, 11, 28), date(2031, 8, 17))
_SEED = 4


def write_date(day: date, locale: str, form: str = "long") -> str:
    """Return a date as a locale writes it.

    Args:
        day: the date.
        locale: a name such as "de" or "pt_BR".
        form: "full" (with the day of the week), "long" or "medium".

    Raises:
        TypeError: `day` is no date, or `locale` no str.
        ValueError: no locale has this name, or there is no such form.
    """
    checks.instance(date, day=day)
    checks.instance(str, locale=locale)
    checks.one_of(FORMS, form=form)
    return format_date(day, form, locale=_locale(locale))


@cache
def _locale(name: str) -> Locale:
    if not localedata.exists(name):
        raise ValueError(f"`locale` must be one of CLDR's locales, got {name!r}.")
    return Locale.parse(name)


@cache
def date_forms() -> tuple[tuple[str, str], ...]:
    """Every (locale, form) that writes dates in its own way and with a letter, by name; about 840.

    Where locales write alike, the first of them stands for all: "de" for "de_CH".
    """
    seen: dict[tuple[str, ...], tuple[str, str]] = {}
    for name in sorted(localedata.locale_identifiers()):
        for form in FORMS:
            written = tuple(write_date(day, name, form) for day in _PROBES)
            if any(character.isalpha() for character in written[0]):
                seen.setdefault(written, (name, form))
    return tuple(seen.values())


@cache
def _parts() -> dict[str, tuple[tuple[str, str, str], ...]]:
    """Split -> (as written, ISO, locale). A day belongs to one split, whatever the locale."""
    rng = random.Random(_SEED)
    days = [FIRST + timedelta(days=n) for n in range((LAST - FIRST).days + 1)]
    rng.shuffle(days)
    tenth = len(days) // 10
    pools = {"test": days[:tenth], "valid": days[tenth : 2 * tenth], "train": days[2 * tenth :], "longer": days[:tenth]}
    written: dict[str, tuple[str, str, str]] = {}
    meanings: dict[str, set[str]] = defaultdict(set)
    for split, count in _PER_FORM.items():
        for locale, form in date_forms():
            for day in rng.sample(pools[split], count):
                text = write_date(day, locale, form)
                meanings[text].add(day.isoformat())
                if (len(text) > MAX_CHARACTERS) == (split == "longer"):
                    written.setdefault(text, (split, day.isoformat(), locale))
    parts: dict[str, list[tuple[str, str, str]]] = {split: [] for split in _PER_FORM}
    for text, (split, iso, locale) in written.items():
        if len(meanings[text]) == 1:
            parts[split].append((text, iso, locale))
    return {split: tuple(rows) for split, rows in parts.items()}


def date_pairs(split: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs (as written, ISO) of a split: "train", "valid", "test" or "longer".

    The days of the first three are disjoint. "longer" holds the dates of more than 32 characters, on the days of
    "test"; the other splits have none of those.

    Raises:
        ValueError: no such split.
    """
    checks.one_of(_PER_FORM, split=split)
    return tuple((text, iso) for text, iso, _ in _parts()[split])


def date_locales(split: str) -> tuple[str, ...]:
    """Return the locale of each pair of `date_pairs(split)`, in the same order."""
    checks.one_of(_PER_FORM, split=split)
    return tuple(locale for _, _, locale in _parts()[split])
