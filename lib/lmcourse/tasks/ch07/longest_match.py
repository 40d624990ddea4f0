"""Exercise `longest_match`."""

from functools import partial

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch07.shared import random_word, random_wordpieces


def longest_match(word, vocabulary):
    """Cut a word as WordPiece does.

    Args:
        word: a str.
        vocabulary: a set of pieces; those that continue a word begin with "##".

    Returns:
        A list of pieces, or ["[UNK]"].

    >>> longest_match("caress", {"c", "car", "care", "##a", "##r", "##e", "##s", "##es", "##ess"})
    ['care', '##s', '##s']
    """
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        ends = [end for end in range(start + 1, len(word) + 1) if mark + word[start:end] in vocabulary]
        if not ends:
            return ["[UNK]"]
        pieces.append(mark + word[start : ends[-1]])
        start = ends[-1]
    return pieces


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def marked(n_pieces: int) -> set[str]:
        return random_wordpieces(rng, n_pieces) | {"##" + piece for piece in random_wordpieces(rng, n_pieces)}

    caress = {"c", "car", "care", "##a", "##r", "##e", "##s", "##ess", "##es", "[UNK]"}
    return [
        case("the worked example", "caress", caress),
        *(case(f"a random word of {n} letters", random_word(rng, n), marked(11)) for n in (5, 8, 13)),
        case("a piece that stands only at the start", "abab", {"ab", "##a", "##b", "[UNK]"}),
        border("a piece that never starts a word", "ess", {"##ess", "e", "##s", "[UNK]"}),
        case("a word that gets stuck at its last letter", "carex", caress),
        border("an unknown first letter", "xcar", caress),
        border("a word that is one piece", "care", caress),
        border("one letter", "c", caress),
        border("an empty word", "", caress),
    ]


def _match_wrong(word: str, vocabulary: set[str], *, how: str) -> list[str]:
    pieces: list[str] = []
    start = 0
    while start < len(word):
        mark = "" if (not start or how in ("no_marks", "marks_not_looked_up")) else "##"
        ends = [e for e in range(start + 1, len(word) + 1) if mark + word[start:e] in vocabulary]
        if how == "marks_not_looked_up":
            ends = [e for e in range(start + 1, len(word) + 1) if {word[start:e], "##" + word[start:e]} & vocabulary]
        if how == "no_marks":
            ends = [e for e in range(start + 1, len(word) + 1) if ("##" if start else "") + word[start:e] in vocabulary]
        if not ends and how == "unknown_letter":
            pieces.append("[UNK]")
            start += 1
            continue
        if not ends:
            return {"unknown_appended": [*pieces, "[UNK]"], "stops": pieces}.get(how, ["[UNK]"])
        end = ends[0] if how == "shortest" else ends[-1]
        mark = "##" if start and how == "marks_not_looked_up" else mark
        pieces.append(mark + word[start:end])
        start = end
    return pieces or ["[UNK]"] if how == "empty_unknown" else pieces


def _match_recursively(word: str, vocabulary: set[str]) -> list[str]:
    def cut(rest: str, mark: str) -> list[str] | None:
        if not rest:
            return []
        fitting = [mark + rest[:end] for end in range(1, len(rest) + 1) if mark + rest[:end] in vocabulary]
        if not fitting:
            return None
        piece = max(fitting, key=len)
        tail = cut(rest[len(piece) - len(mark) :], "##")
        return None if tail is None else [piece, *tail]

    found = cut(word, "")
    return ["[UNK]"] if found is None else found


def _match_by_shrinking(word: str, vocabulary: set[str]) -> list[str]:
    result: list[str] = []
    rest = word
    while rest:
        candidate = ("##" if result else "") + rest
        while candidate not in vocabulary:
            candidate = candidate[:-1]
            if candidate in ("", "##"):
                return ["[UNK]"]
        rest = rest[len(candidate.removeprefix("##") if result else candidate) :]
        result.append(candidate)
    return result


task = Task(
    longest_match,
    points=3,
    difficulty=3,
    minutes=20,
    cases=cases,
    slips=(
        Slip(
            "no_marks",
            partial(_match_wrong, how="no_marks"),
            "The pieces are right, but those that do not start the word lack their ##. In the vocabulary ess and ##ess "
            "are two different pieces.",
        ),
        Slip(
            "marks_not_looked_up",
            partial(_match_wrong, how="marks_not_looked_up"),
            "A piece inside the word was looked up without its ##, or one at the start with it. Write the mark first "
            "and then ask whether the piece is in the vocabulary.",
        ),
        Slip(
            "shortest",
            partial(_match_wrong, how="shortest"),
            "The shortest piece that fits was taken. Try the longest first: let the end run from len(word) down.",
        ),
        Slip(
            "unknown_appended",
            partial(_match_wrong, how="unknown_appended"),
            "The word got stuck half way, and its first pieces were kept. A word that cannot be cut to its end is "
            "[UNK] as a whole.",
        ),
        Slip(
            "unknown_letter",
            partial(_match_wrong, how="unknown_letter"),
            "Only the letter that did not fit became [UNK]. In WordPiece the whole word does.",
        ),
        Slip(
            "stops",
            partial(_match_wrong, how="stops"),
            "Where nothing fits the rest of the word was dropped without a sign. Return [UNK] alone.",
        ),
        Slip(
            "empty_unknown",
            partial(_match_wrong, how="empty_unknown"),
            "An empty word gave [UNK]. There is nothing unknown in it: return an empty list.",
        ),
    ),
    alternatives=(_match_recursively, _match_by_shrinking),
    hints=(
        "Stand at a place in the word. Which is the longest piece from here that the vocabulary has?",
        "Let end run from len(word) down to start + 1, and write '##' before the piece if start > 0. If no end fits, "
        "the answer is ['[UNK]'].",
        "while start < len(word): ends = [e for e in range(start + 1, len(word) + 1) if mark + word[start:e] in "
        "vocabulary], with mark = '##' if start else ''; if not ends: return ['[UNK]']; take ends[-1].",
    ),
)
