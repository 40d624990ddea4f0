from functools import cache

import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.tasks.ch07.shared import random_word, random_wordpieces


def longest_match(word, vocabulary):
    """Cut a word into the longest tokens from the left, and jump over what no token fits.

    Args:
        word: a str; an empty word has no tokens.
        vocabulary: a set of tokens, without "[UNK]"; those that continue a word begin with "##". None is empty but for
            that.

    Returns:
        A list of tokens. Where no token fits, the letter there is unknown; each run of unknown letters is one "[UNK]".

    >>> tokens = {"c", "car", "care", "##a", "##r", "##e", "##s", "##es", "##ess"}
    >>> longest_match("caress", tokens), longest_match("caxxess", tokens)
    (['care', '##s', '##s'], ['c', '##a', '[UNK]', '##ess'])
    """
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        ends = [end for end in range(start + 1, len(word) + 1) if mark + word[start:end] in vocabulary]
        if ends:
            pieces.append(mark + word[start : ends[-1]])
            start = ends[-1]
        else:
            if pieces[-1:] != ["[UNK]"]:
                pieces.append("[UNK]")
            start += 1
    return pieces


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def marked(n_pieces: int) -> set[str]:
        return random_wordpieces(rng, n_pieces) | {"##" + piece for piece in random_wordpieces(rng, n_pieces)}

    def holes(n: int) -> str:
        return "".join("xy"[int(rng.integers(2))] if rng.random() < 0.4 else letter for letter in random_word(rng, n))

    caress = {"c", "car", "care", "##a", "##r", "##e", "##s", "##ess", "##es"}
    return [
        case("the worked example", "caxxess", caress),
        case("a word without unknown letters", "caress", caress),
        *(case(f"a random word of {n} letters", random_word(rng, n), marked(11)) for n in (8, 13)),
        *(case(f"a random word of {n} letters, some unknown", holes(n), marked(11)) for n in (9, 17)),
        case("two runs of unknown letters", "caxxesyzs", caress),
        border("a token that never starts a word", "ess", {"##ess", "e", "##s"}),
        border("a second token that is there without its mark only", "cares", {"care", "s", "es"}),
        border("a second token that is there without its mark, after an unknown letter", "xcare", {"care", "##c"}),
        case("a word that gets stuck at its last letter", "carex", caress),
        case("a word that gets stuck, though a shorter first token could finish it", "abc", {"a", "ab", "##bc", "##b"}),
        case(
            "a word that gets stuck in the middle, though a shorter second token could finish it",
            "abcde",
            {"a", "##bcd", "##b", "##cde"},
        ),
        case("a token begins inside of the run of unknown letters", "axbbc", {"a", "##bc", "##xbbb"}),
        case("capital letters, which are other letters", "Care", caress),
        border("an unknown first letter: what follows still continues the word", "xess", caress),
        border("a run of unknown letters at the beginning", "xyzes", caress),
        border("a run of unknown letters at the end", "caresxyz", caress),
        border("one unknown letter in the middle", "caxes", caress),
        border("nothing but unknown letters", "xyzzy", caress),
        border("a long word", "a" * 150, {"a", "aaa", "##a", "##aaaa"}),
        border("one unknown letter", "x", caress),
        border("an empty vocabulary", "car", set()),
        border("an empty word", "", caress),
        border("an empty word and an empty vocabulary", "", set()),
        border("the sign # in a word is a letter", "a##b", {"a", "###", "##b"}),
    ]


def _match_with_backtracking(word: str, vocabulary: set[str]) -> list[str]:
    """The cutting with the fewest unknown letters; of those, the one whose first tokens are longest."""

    @cache
    def cut(start: int) -> tuple[int, list[str]]:
        if start == len(word):
            return 0, []
        mark = "##" if start else ""
        ends = [end for end in range(len(word), start, -1) if mark + word[start:end] in vocabulary]
        ways = [(cut(end)[0], [mark + word[start:end], *cut(end)[1]]) for end in ends]
        ways.append((1 + cut(start + 1)[0], ["[UNK]", *cut(start + 1)[1]]))
        return min(ways, key=lambda way: way[0])

    pieces = cut(0)[1]
    return [piece for number, piece in enumerate(pieces) if piece != "[UNK]" or pieces[number - 1 : number] != [piece]]


SLIPS = mistakes(
    """
whole_word, as on the page: "jump over what no token fits"
    if pieces[-1:] != ["[UNK]"]:
    |                pieces.append("[UNK]")
    |            start += 1 => return ["[UNK]"]
  The whole word became [UNK] where a letter did not fit. That is BERT's rule. Here only the letters that no token fits
  are unknown, and the rest of the word keeps its tokens.
one_for_each_letter: "each run of unknown letters is one "[UNK]""
    if pieces[-1:] != ["[UNK]"]: => if True:
  Each unknown letter gave an [UNK] of its own. A run of unknown letters is one [UNK].
one_for_the_word: "each run of unknown letters is one "[UNK]""
    if pieces[-1:] != ["[UNK]"]: => if "[UNK]" not in pieces:
  Only the first run of unknown letters gave an [UNK]. Each run gives one.
first_token_marked_late
    mark = "##" if start else "" => mark = "##" if [p for p in pieces if p != "[UNK]"] else ""
  After unknown letters at the beginning the first token that fits was looked up without its ##. It does not stand at
  the start of the word.
no_marks: "A list of tokens"
    pieces.append(mark + word[start : ends[-1]]) => pieces.append(word[start : ends[-1]])
  The tokens are right, but those that do not start the word lack their ##. In the vocabulary ess and ##ess are two
  different tokens.
backtracks: "A list of tokens"
  Where the longest token led to a dead end, a shorter one was tried. This rule does not go back: the letter at the dead
  end is unknown.
empty_unknown: "an empty word has no tokens"
    return pieces => return pieces or ["[UNK]"]
  An empty word gave [UNK]. There is nothing unknown in it: return an empty list.
a_hundred_letters
    pieces, start = [], 0 => if len(word) > 100:
    |        return ["[UNK]"]
    |    pieces, start = [], 0
  A word of more than a hundred letters became [UNK], as in BERT's own code. There is no such limit here.
""",
    backtracks=_match_with_backtracking,
)
HINTS = hints("""
- Stand at a letter of the word. Which is the longest token from here that the vocabulary has? And if there is none,
  where do you stand next?
- Let end run from len(word) down to start + 1, and write '##' before the token if start > 0. If no end fits, move on by
  one letter, and append '[UNK]' unless it is the last thing that you appended.
- while start < len(word): ends = [e for e in range(start + 1, len(word) + 1) if mark + word[start:e] in vocabulary],
  with mark = '##' if start else ''; if ends: append that token, start = ends[-1]; else: append '[UNK]' if pieces[-1:]
  != ['[UNK]'], start += 1.
""")
task = Task(longest_match, points=3, difficulty=3, minutes=20, cases=cases, slips=SLIPS, hints=HINTS)
