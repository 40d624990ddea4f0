"""Real sentences in two languages: what programs say to the people who use them.

The sources are the translations of Home Assistant (JSON), JupyterLab's language packs (JSON) and Django's catalogues
(gettext), each a pinned archive. Raw they are full of names of buttons, placeholders and repetitions. What is kept:

1. White space is made single, the Unicode form NFC, curly quotation marks and apostrophes straight.
2. Sentences of letters, spaces and . , ; : ! ? ' " - ( ) alone: no placeholders, markup, addresses, numbers.
3. 4 to 20 English words, 2 to 30 in the other language, neither more than twice as long as the other in characters.
4. The other language is another language: not the English text again.
5. One translation for each English sentence, the one most used (ties: the first by alphabet), and one English
   sentence for each translation.
6. Splits by a checksum of the English sentence: one in ten to "test", one in twenty to "valid". Then near-duplicates
   leave "train" (and "valid", where "test" has the like): a pair whose English or whose other side shares at least
   half of its pairs of neighbouring words with a held-out one (Jaccard's measure). Such programs say "failed to
   connect to the device" in fifty ways, and a model that has learned one of them by heart would be praised for it.
"""

import json
import re
import unicodedata
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

from lmcourse import checks
from lmcourse.data.fetching import fetch
from lmcourse.data.registry import corpus
from lmcourse.data.text import SPLITS
from lmcourse.extras import needs

with needs("lab", "reading gettext catalogues"):
    from babel.messages.mofile import read_mo

NEAR = 0.5  # share of common word pairs from which on two sentences are near-duplicates
_STRAIGHT = str.maketrans("’‘“”„«»", "''" + '"' * 5)
_LETTERS_ALONE = re.compile(r"[^\W\d_](?:[^\W\d_]|[ .,;:!?'\"()-])*")


def interface_pairs(language: str, split: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs (English, other language) of a split: "train", "valid" or "test".

    Args:
        language: "de", "fr" or "es".

    Raises:
        ValueError: no such language or split.
        DataUnavailableError: an archive is not here and cannot be fetched.
    """
    checks.one_of(("de", "fr", "es"), language=language)
    checks.one_of(SPLITS, split=split)
    return _parts(language)[split]


@cache
def _parts(language: str) -> dict[str, tuple[tuple[str, str], ...]]:
    return split_pairs(clean_pairs(_raw(language)))


def clean_pairs(raw: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return what rules 1 to 5 keep, in alphabetical order."""
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for source, target in raw:
        source, target = tidy(source), tidy(target)
        if _is_clean(source, target):
            votes[source][target] += 1
    best = {source: min(seen, key=lambda target: (-seen[target], target)) for source, seen in votes.items()}
    taken: dict[str, str] = {}
    for source in sorted(best):
        taken.setdefault(best[source], source)
    return sorted((source, target) for target, source in taken.items())


def tidy(text: str) -> str:
    """Return a sentence with single spaces, Unicode form NFC and straight quotation marks (rule 1)."""
    return " ".join(unicodedata.normalize("NFC", text).translate(_STRAIGHT).split())


def _is_clean(source: str, target: str) -> bool:
    if not _LETTERS_ALONE.fullmatch(source) or not _LETTERS_ALONE.fullmatch(target):
        return False
    n_source, n_target = len(source.split()), len(target.split())
    fits = 4 <= n_source <= 20 and 2 <= n_target <= 30 and 0.5 <= len(source) / len(target) <= 2.0
    return fits and source.casefold() != target.casefold()


def split_pairs(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[tuple[str, str], ...]]:
    """Split clean pairs by rule 6; near-duplicates of held-out pairs are left out."""
    parts: dict[str, list[tuple[str, str]]] = {"train": [], "valid": [], "test": []}
    for pair in pairs:
        draw = zlib.crc32(pair[0].encode()) % 20
        parts[{0: "valid", 1: "test", 2: "test"}.get(draw, "train")].append(pair)
    near_test = NearDuplicates(parts["test"])
    parts["valid"] = [pair for pair in parts["valid"] if pair not in near_test]
    near_held_out = NearDuplicates([*parts["test"], *parts["valid"]])
    parts["train"] = [pair for pair in parts["train"] if pair not in near_held_out]
    return {split: tuple(kept) for split, kept in parts.items()}


class NearDuplicates:
    """The pairs that are nearly the same as one of `pairs`, on either side: `pair in NearDuplicates(pairs)`.

    Cost: an index from each pair of neighbouring words to the sentences that hold it, so that a sentence is compared
    only with those that share one.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        pairs = list(pairs)
        self._sides = []
        for side in (0, 1):
            sets = [_neighbours(pair[side]) for pair in pairs]
            index: dict[tuple[str, str], list[int]] = defaultdict(list)
            for number, words in enumerate(sets):
                for two in words:
                    index[two].append(number)
            self._sides.append((index, [len(words) for words in sets]))

    def __contains__(self, pair: tuple[str, str]) -> bool:
        return any(self._near(pair[side], *self._sides[side]) for side in (0, 1))

    @staticmethod
    def _near(text: str, index: dict[tuple[str, str], list[int]], sizes: list[int]) -> bool:
        own = _neighbours(text)
        shared = Counter(number for two in own for number in index.get(two, ()))
        return any(n >= NEAR * (len(own) + sizes[number] - n) for number, n in shared.items())


def _neighbours(text: str) -> set[tuple[str, str]]:
    """The pairs of neighbouring words, without case and punctuation, ends of the sentence included."""
    return set(pairwise(["", *re.findall(r"\w+", text.casefold()), ""]))


# ------------------------------------------------------------------------------------------------------- the archives


def _raw(language: str) -> Iterator[tuple[str, str]]:
    yield from _home_assistant(fetch(f"interface-en-{language}"), language)
    for name in corpus(f"interface-en-{language}").also:
        yield from (_django if name.startswith("django") else _jupyterlab)(fetch(name), language)


def _home_assistant(folder: Path, language: str) -> Iterator[tuple[str, str]]:
    for english in sorted(folder.glob("*--translations--en.json")):
        other = english.with_name(english.name.removesuffix("en.json") + f"{language}.json")
        if other.exists():
            sources, targets = (dict(_strings(json.loads(path.read_text("utf-8")))) for path in (english, other))
            yield from ((sources[key], targets[key]) for key in sources.keys() & targets.keys())


def _strings(tree: dict, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from _strings(value, (*path, key))
        elif isinstance(value, str):
            yield (*path, key), value


def _jupyterlab(folder: Path, language: str) -> Iterator[tuple[str, str]]:
    """English, or a context, the sign EOT and English -> [translation, plural ...]; the empty key is the header."""
    for path in sorted(folder.glob("*.json")):
        if path.name != "MANIFEST.json":
            for source, targets in json.loads(path.read_text("utf-8")).items():
                if source and targets[0]:
                    yield source.rpartition("\x04")[2], targets[0]


def _django(folder: Path, language: str) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.glob("*.mo")):
        with path.open("rb") as stream:
            catalogue = read_mo(stream)
        if catalogue.locale is not None and catalogue.locale.language == language:
            for message in catalogue:
                if message.id and message.string:
                    yield _singular(message.id), _singular(message.string)


def _singular(text: str | list[str] | tuple[str, ...]) -> str:
    return text if isinstance(text, str) else text[0]
