"""Dates in the world's locales: known ones by hand, days held out, nothing that could be read in two ways."""

import hashlib
import re
from datetime import date

import pytest

from lmcourse.data import load_pairs
from lmcourse.data.dates import FIRST, LAST, date_forms, date_locales, write_date

DAY = date(2024, 3, 9)


@pytest.mark.parametrize(
    ("locale", "form", "written"),
    [
        ("de", "full", "Samstag, 9. März 2024"),
        ("de_AT", "long", "9. März 2024"),
        ("fr", "long", "9 mars 2024"),
        ("ja", "long", "2024年3月9日"),
        ("ru", "full", "суббота, 9 марта 2024"),
    ],
)
def test_dates_by_hand(locale, form, written):
    assert write_date(DAY, locale, form).startswith(written)


def test_many_locales():
    assert len(date_forms()) > 800
    assert len({name.split("_")[0] for name, _ in date_forms()}) > 250


def test_the_pairs_are_those_that_the_models_were_trained_and_measured_on():
    """Another babel brings another CLDR: then train again, build chapter 04, and only then change these."""
    digests = {
        split: hashlib.sha256(repr(load_pairs("dates", split=split)).encode()).hexdigest()[:16]
        for split in ("train", "valid", "test", "longer")
    }
    assert digests == {
        "train": "a125f410566422ac",
        "valid": "41a4801cd56c97bd",
        "test": "250b1bfcbc6524fa",
        "longer": "4df59a4dffca959c",
    }


def test_targets_are_iso_days_and_their_year_and_day_stand_in_the_source():
    for split in ("train", "test", "longer"):
        pairs = load_pairs("dates", split=split)
        for source, target in pairs:
            day = date.fromisoformat(target)
            assert FIRST <= day <= LAST
            assert any(character.isalpha() for character in source)
        plain = sum(
            f"{date.fromisoformat(iso).day}" in re.findall(r"[1-9]\d*", text) and iso[:4] in text for text, iso in pairs
        )
        assert plain > 0.95 * len(pairs)  # but for calendars of one's own and signs between the digits


def test_no_day_is_in_two_splits():
    days = {
        split: {iso for _, iso in load_pairs("dates", split=split)} for split in ("train", "valid", "test", "longer")
    }
    assert not days["train"] & (days["valid"] | days["test"] | days["longer"])
    assert not days["valid"] & days["test"]


def test_each_pair_has_its_locale():
    for split in ("test", "longer"):
        pairs, locales = load_pairs("dates", split=split), date_locales(split)
        assert len(pairs) == len(locales)
        for (source, iso), locale in list(zip(pairs, locales, strict=True))[::7]:
            forms = {write_date(date.fromisoformat(iso), locale, form) for form in ("full", "long", "medium")}
            assert source in forms


def test_bad_arguments():
    with pytest.raises(ValueError, match=r"`form` must be one of 'full', 'long', 'medium', got form='short'"):
        write_date(DAY, "de", "short")
    with pytest.raises(ValueError, match=r"`locale` must be one of CLDR's locales, got 'xx'"):
        write_date(DAY, "xx")
