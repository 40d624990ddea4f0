"""Exercise `longest_match`."""

from functools import cache

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch07.shared import random_word, random_wordpieces


def longest_match(word, vocabulary):
    """Cut a word as WordPiece does.

    Args:
        word: a str; an empty word has no tokens.
        vocabulary: a set of tokens; those that continue a word begin with "##". None is empty but for that.

    Returns:
        A list of tokens, or ["[UNK]"].

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
        case("a token that stands only at the start", "abab", {"ab", "##a", "##b", "[UNK]"}),
        case("the same token again and again", "ababab", {"ab", "##ab", "a", "b", "##a", "##b"}),
        border("a token that never starts a word", "ess", {"##ess", "e", "##s", "[UNK]"}),
        border("a first token that is there with its mark only", "ess", {"##e", "##ess", "##s"}),
        border("a second token that is there without its mark only", "cares", {"care", "s", "es"}),
        case("a word that gets stuck at its last letter", "carex", caress),
        case("a word that gets stuck, though a shorter first token could finish it", "abc", {"a", "ab", "##bc", "##b"}),
        case(
            "a word that gets stuck in the middle, though a shorter second token could finish it",
            "abcde",
            {"a", "##bcd", "##b", "##cde"},
        ),
        case("capital letters, which are other letters", "Care", caress),
        case("a vocabulary without the unknown token", "xyz", {"a", "##b"}),
        case("letters that are not English", "caf\u00e9s", {"caf", "##\u00e9", "##s", "##e"}),
        border("an unknown first letter", "xcar", caress),
        border("an unknown letter in the middle", "caxes", caress),
        border("a word that is one token", "care", caress),
        border("a long word", "a" * 150, {"a", "aaa", "##a", "##aaaa"}),
        border("one letter", "c", caress),
        border("one unknown letter", "x", caress),
        border("an empty vocabulary", "car", set()),
        border("an empty word", "", caress),
        border("an empty word and an empty vocabulary", "", set()),
    ]


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


def _match_with_backtracking(word: str, vocabulary: set[str]) -> list[str]:
    @cache
    def cut(start: int) -> list[str] | None:
        if start == len(word):
            return []
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary and (tail := cut(end)) is not None:
                return [piece, *tail]
        return None

    found = cut(0)
    return ["[UNK]"] if found is None else found


def _match_with_fewest(word: str, vocabulary: set[str]) -> list[str]:
    best: dict[int, list[str]] = {len(word): []}
    for start in range(len(word) - 1, -1, -1):
        mark = "##" if start else ""
        ends = [end for end in range(len(word), start, -1) if mark + word[start:end] in vocabulary and end in best]
        if ends:
            best[start] = min(([mark + word[start:end], *best[end]] for end in ends), key=len)
    return best.get(0, ["[UNK]"])


task = Task(
    longest_match,
    points=3,
    difficulty=3,
    minutes=20,
    cases=cases,
    slips=(
        Slip(
            "no_marks",
            ("pieces.append(mark + word[start : ends[-1]])", "pieces.append(word[start : ends[-1]])"),
            "The tokens are right, but those that do not start the word lack their ##. In the vocabulary ess and "
            "##ess are two different tokens.",
        ),
        Slip(
            "marks_not_looked_up",
            ("if mark + word[start:end] in vocabulary", "if word[start:end] in vocabulary"),
            "The tokens inside the word were looked up without their ##. Write the mark first and then ask whether "
            "the token is in the vocabulary.",
        ),
        Slip(
            "either_looked_up",
            ("if mark + word[start:end] in vocabulary", "if {word[start:end], '##' + word[start:end]} & vocabulary"),
            "A token was taken if it is in the vocabulary with or without ##. At the start of a word it must be "
            "there without, further on with it.",
        ),
        Slip(
            "without_any_mark",
            (
                ("if mark + word[start:end] in vocabulary", "if word[start:end] in vocabulary"),
                ("pieces.append(mark + word", "pieces.append(word"),
            ),
            "There are no ## at all, neither looked up nor written. Every token that does not start the word has them.",
        ),
        Slip(
            "always_marked",
            ('"##" if start else ""', '"##"'),
            "The first token was marked with ##, too. Only tokens that continue the word are.",
        ),
        Slip(
            "shortest",
            (
                ("pieces.append(mark + word[start : ends[-1]])", "pieces.append(mark + word[start : ends[0]])"),
                ("start = ends[-1]", "start = ends[0]"),
            ),
            "The shortest token that fits was taken. Try the longest first: let the end run from len(word) down.",
        ),
        Slip(
            "backtracks",
            _match_with_backtracking,
            "Where the longest token led to a dead end, a shorter one was tried. WordPiece does not go back: then "
            "the whole word is [UNK].",
        ),
        Slip(
            "fewest",
            _match_with_fewest,
            "This looks for the fewest tokens. WordPiece takes the longest token from the left each time, whatever "
            "comes of it.",
        ),
        Slip(
            "unknown_appended",
            ('return ["[UNK]"]', 'return [*pieces, "[UNK]"]'),
            "The word got stuck half way, and its first tokens were kept. A word that cannot be cut to its end is "
            "[UNK] as a whole.",
        ),
        Slip(
            "unknown_letter",
            ('return ["[UNK]"]', 'pieces.append("[UNK]")\n            start += 1\n            continue'),
            "Only the letter that did not fit became [UNK]. In WordPiece the whole word does.",
        ),
        Slip(
            "stops",
            ('return ["[UNK]"]', "return pieces"),
            "Where nothing fits the rest of the word was dropped without a sign. Return [UNK] alone.",
        ),
        Slip(
            "letter_skipped",
            ('return ["[UNK]"]', "start += 1\n            continue"),
            "A letter that did not fit was left out. Then the whole word is [UNK].",
        ),
        Slip(
            "a_string",
            ('return ["[UNK]"]', 'return "[UNK]"'),
            'A word that cannot be cut gave the str "[UNK]". Return a list with it: ["[UNK]"].',
        ),
        Slip(
            "empty_list_for_unknown",
            ('return ["[UNK]"]', "return []"),
            'A word that cannot be cut gave an empty list. Return ["[UNK]"].',
        ),
        Slip(
            "empty_unknown",
            ("return pieces", 'return pieces or ["[UNK]"]'),
            "An empty word gave [UNK]. There is nothing unknown in it: return an empty list.",
        ),
        Slip(
            "letter_case_ignored",
            ("pieces, start = [], 0", "word = word.lower()\n    pieces, start = [], 0"),
            "Capital letters were turned into small ones. The word is looked up as it is written.",
        ),
        Slip(
            "a_hundred_letters",
            ("pieces, start = [], 0", 'if len(word) > 100:\n        return ["[UNK]"]\n    pieces, start = [], 0'),
            "A word of more than a hundred letters became [UNK], as in BERT's own code. There is no such limit here.",
        ),
    ),
    alternatives=(_match_recursively, _match_by_shrinking),
    hints=(
        "Stand at a letter of the word. Which is the longest token from here that the vocabulary has?",
        "Let end run from len(word) down to start + 1, and write '##' before the token if start > 0. If no end fits, "
        "the answer is ['[UNK]'].",
        "while start < len(word): ends = [e for e in range(start + 1, len(word) + 1) if mark + word[start:e] in "
        "vocabulary], with mark = '##' if start else ''; if not ends: return ['[UNK]']; take ends[-1].",
    ),
)
