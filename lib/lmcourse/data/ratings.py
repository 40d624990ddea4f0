"""What people thought of real film reviews: one-sentence snippets, each rated by about fifteen people."""

import ast
import hashlib
import tarfile
from functools import cache
from typing import NamedTuple

from lmcourse import checks
from lmcourse.data.fetching import fetch
from lmcourse.data.text import SPLITS

_ARCHIVE = "hutto_ICWSM_2014.tar.gz"
_FOLDER = "hutto_ICWSM_2014"


class Rating(NamedTuple):
    """One snippet.

    Attributes:
        text: a sentence or a few.
        mean: of the votes, from -4 (most negative) to 4 (most positive).
        votes: what each person gave, whole numbers from -4 to 4.
    """

    text: str
    mean: float
    votes: tuple[int, ...]


def load_ratings(*, split: str | None = None) -> list[Rating]:
    """Return film-review snippets with their ratings by people.

    The splits hold about 80, 10 and 10 percent. Which one a snippet is in depends on its letters alone. Of snippets
    that differ only in case, spaces or punctuation, one is kept.

    Args:
        split: "train", "valid" or "test"; None gives all.

    Raises:
        ValueError: no such split.
        DataUnavailableError: the corpus is not here and could not be fetched.

    Source: Hutto and Gilbert, "VADER: a parsimonious rule-based model for sentiment analysis of social media text",
    2014; the sentences are from Pang and Lee's collection, 2005.
    """
    checks.one_of((*SPLITS, None), split=split)
    return [rating for part, rating in _ratings() if split in (None, part)]


@cache
def _ratings() -> tuple[tuple[str, Rating], ...]:
    with tarfile.open(fetch("ratings") / _ARCHIVE) as archive:
        texts = _rows(archive, "movieReviewSnippets_GroundTruth.txt")
        votes = _rows(archive, "movieReviewSnippets_anonDataRatings.txt")
    found, seen = [], set()
    for number, (_, text) in texts.items():
        letters = "".join(character for character in text.lower() if character.isalnum())
        if letters in seen:
            continue
        seen.add(letters)
        given = tuple(ast.literal_eval(votes[number][-1]))
        tenth = int.from_bytes(hashlib.sha256(letters.encode()).digest()[:4]) % 10
        found.append(({8: "valid", 9: "test"}.get(tenth, "train"), Rating(text, sum(given) / len(given), given)))
    return tuple(found)


def _rows(archive: tarfile.TarFile, name: str) -> dict[str, list[str]]:
    """Number -> the other columns of a table separated by tabs."""
    stream = archive.extractfile(f"{_FOLDER}/{name}")
    if stream is None:
        raise ValueError(f"{_ARCHIVE} must hold {name}.")
    lines = stream.read().decode("utf-8").splitlines()
    return {number: rest for number, *rest in (line.split("\t") for line in lines)}
