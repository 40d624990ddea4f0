"""Exercise `fewest_pieces`."""

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch07.shared import random_word, random_wordpieces


def fewest_pieces(word, vocabulary):
    """Cut a word into the fewest tokens.

    A word of a hundred letters must take a fraction of a second: do not try all cuttings.

    Args:
        word: a str; an empty word has no tokens.
        vocabulary: a set of tokens, none of them empty.

    Returns:
        A list of tokens; joined they are the word. Of several such lists, the one with the longest first token, then
        the longest second token, and so on.

    Raises:
        ValueError: the word cannot be made of the tokens.

    >>> fewest_pieces("caress", {"c", "a", "r", "e", "s", "car", "care", "es", "ess"})
    ['car', 'ess']
    """
    best = {len(word): []}
    for start in range(len(word) - 1, -1, -1):
        for end in range(len(word), start, -1):
            if word[start:end] in vocabulary and end in best:
                found = [word[start:end], *best[end]]
                if start not in best or len(found) < len(best[start]):
                    best[start] = found
    if 0 not in best:
        raise ValueError(f"`vocabulary` must be able to spell `word`, got {word!r}.")
    return best[0]


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    caress = set("cares") | {"car", "care", "es", "ess"}
    return [
        case("the worked example", "caress", caress),
        *(case(f"a random word of {n} letters", random_word(rng, n), random_wordpieces(rng, 13)) for n in (5, 8, 13)),
        border("a tie: the longer first token wins", "abcd", {"a", "abc", "ab", "cd", "d", "bcd"}),
        border("a tie that the second token decides", "abcdef", {"ab", "c", "def", "cde", "f", "a", "b"}),
        border(
            "a tie in which the longest first token and the longest last one differ",
            "abcdefg",
            {"abc", "de", "fg", "a", "bcde", "ab", "cd", "efg"},
        ),
        border("a tie of three: the longest first token wins", "aaaa", {"a", "aa", "aaa"}),
        case("a word that only short first tokens can finish", "abcde", {"a", "abc", "bcde", "b", "c", "d"}),
        case("a greedy way that gets stuck", "abcd", {"abc", "ab", "cd"}),
        case("a greedy way from the end that gets stuck", "abcd", {"bcd", "ab", "cd"}),
        case("the longest token of all is in no shortest cutting", "abcdef", {"abc", "def", "bcde", "a", "f"}),
        case("tokens with marks are tokens like others", "ab##b", {"a", "b", "##b", "ab"}),
        case("capital letters, which are other letters", "Aab", {"a", "b", "A", "ab", "Aa"}),
        border("a word in the vocabulary: one token", "care", caress),
        border("one letter", "c", caress),
        case("tokens of seven and eight letters", "unhappinesses", {*"unhapies", "happi", "nesses", "unhappi", "sses"}),
        border("an empty word", "", caress),
        border("an empty word and an empty vocabulary", "", set()),
        border("a word that can never be spelled", "carex", caress),
        border("a first letter that no token begins with", "xcare", caress),
        border("a letter in the middle that is in no token", "caxre", caress),
        border("an empty vocabulary", "car", set()),
        case("a word of 120 letters, with very many cuttings", "ab" * 60, {"a", "b", "ab", "ba", "aba", "bab", "abab"}),
        border("a word of 100 letters that can never be spelled", "a" * 99 + "b", {"a", "aa", "aaa"}),
    ]


def _fewest_by_memo(word: str, vocabulary: set[str]) -> list[str]:
    memory: dict[str, list[str] | None] = {"": []}

    def solve(rest: str) -> list[str] | None:
        if rest not in memory:
            options = []
            for size in range(len(rest), 0, -1):
                tail = solve(rest[size:]) if rest[:size] in vocabulary else None
                if tail is not None:
                    options.append([rest[:size], *tail])
            memory[rest] = min(options, key=len) if options else None
        return memory[rest]

    answer = solve(word)
    if answer is None:
        raise ValueError("cannot be spelled")
    return answer


def _fewest_by_layers(word: str, vocabulary: set[str]) -> list[str]:
    """Breadth first from the left; sorted so that longer first tokens come first."""
    layer: list[tuple[str, ...]] = [()]
    reached = {0}
    while layer:
        done = [cut for cut in layer if sum(map(len, cut)) == len(word)]
        if done:
            return list(max(done, key=lambda cut: [len(piece) for piece in cut]))
        following: dict[int, tuple[str, ...]] = {}
        for cut in sorted(layer, key=lambda cut: [len(piece) for piece in cut], reverse=True):
            at = sum(map(len, cut))
            for end in range(at + 1, len(word) + 1):
                if word[at:end] in vocabulary and end not in reached:
                    following.setdefault(end, (*cut, word[at:end]))
        reached |= set(following)
        layer = list(following.values())
    raise ValueError("no way")


def _fewest_greedily(word: str, vocabulary: set[str]) -> list[str]:
    pieces, start = [], 0
    while start < len(word):
        ends = [end for end in range(start + 1, len(word) + 1) if word[start:end] in vocabulary]
        if not ends:
            raise ValueError("stuck")
        pieces.append(word[start : ends[-1]])
        start = ends[-1]
    return pieces


def _fewest_from_the_end(word: str, vocabulary: set[str]) -> list[str]:
    mirrored = _fewest_greedily(word[::-1], {piece[::-1] for piece in vocabulary})
    return [piece[::-1] for piece in mirrored[::-1]]


task = Task(
    fewest_pieces,
    points=4,
    difficulty=4,
    minutes=30,
    cases=cases,
    seconds=5.0,
    slips=(
        Slip(
            "greedy",
            _fewest_greedily,
            "This takes the longest token each time, from the left. A shorter first token may leave a rest that "
            "needs fewer: car ess beats care s s. Look at all first tokens.",
        ),
        Slip(
            "greedy_from_the_end",
            _fewest_from_the_end,
            "This takes the longest token each time, from the end. Look at all tokens for the beginning of the rest, "
            "and keep the cutting with the fewest.",
        ),
        Slip(
            "longest_that_works",
            ("len(found) < len(best[start])", "False"),
            "Of the cuttings that work, the one with the longest first token was taken, whatever the number of "
            "tokens. Fewer tokens come first; the length of the first token decides between equals.",
        ),
        Slip(
            "shorter_first",
            ("range(len(word), start, -1)", "range(start + 1, len(word) + 1)"),
            "The number of tokens is right, but of equally short cuttings take the one with the longest first token: "
            "try the longest ends first, and replace only by something with fewer tokens, < and not <=.",
        ),
        Slip(
            "most",
            ("len(found) < len(best[start])", "len(found) > len(best[start])"),
            "These are the most tokens. Keep the cutting with fewer.",
        ),
        Slip(
            "letters",
            lambda word, vocabulary: list(word) if set(word) <= vocabulary else fewest_pieces(word, vocabulary),
            "The word was cut into letters. Use the longer tokens of the vocabulary wherever they save a token.",
        ),
        Slip(
            "number",
            ("return best[0]", "return len(best[0])"),
            "This is the number of tokens. Return the tokens themselves, a list of str.",
        ),
        Slip(
            "reversed",
            ("return best[0]", "return best[0][::-1]"),
            "The tokens are in the reverse order. Joined they must give the word.",
        ),
        Slip(
            "from_the_front",
            lambda word, vocabulary: [
                piece[::-1] for piece in fewest_pieces(word[::-1], {piece[::-1] for piece in vocabulary})
            ][::-1],
            "The number of tokens is right, but of equally short cuttings the one with the longest last token was "
            "taken. The first token decides: go from the end of the word to its front.",
        ),
        Slip(
            "marked",
            ("return best[0]", 'return [("##" if number else "") + piece for number, piece in enumerate(best[0])]'),
            "The tokens after the first were written with ##. There are none here: joined the tokens are the word.",
        ),
        Slip(
            "empty_for_none",
            ("if 0 not in best:", "if 0 not in best:\n        return []\n    if False:"),
            "A word that cannot be spelled gave an empty list, as if it were empty. Raise ValueError.",
        ),
        Slip(
            "none_for_none",
            ("if 0 not in best:", "if 0 not in best:\n        return None\n    if False:"),
            "A word that cannot be spelled gave None. Raise ValueError.",
        ),
        Slip(
            "unknown_for_none",
            ("if 0 not in best:", 'if 0 not in best:\n        return ["[UNK]"]\n    if False:'),
            "A word that cannot be spelled gave [UNK], as in WordPiece. Raise ValueError.",
        ),
        Slip(
            "other_error",
            ("if 0 not in best:", "if False:"),
            "A word that cannot be spelled ends in another error, such as KeyError or IndexError. Raise ValueError.",
        ),
        Slip(
            "empty_refused",
            ("if 0 not in best:", "if 0 not in best or not word:"),
            "An empty word was refused. It is made of no tokens: return an empty list.",
        ),
    ),
    alternatives=(_fewest_by_memo, _fewest_by_layers),
    hints=(
        "Suppose you knew the best cutting of every shorter rest of the word. How would you choose the first token?",
        "Let best[len(word)] = [] and go from the end to the front: best[start] is one token word[start:end] and then "
        "best[end], for the end that gives the shortest list.",
        "for start from len(word) - 1 down to 0: for end from len(word) down to start + 1: if word[start:end] is in "
        "the vocabulary and end in best, the candidate is [word[start:end], *best[end]]; keep it if start is not in "
        "best or it is shorter. ValueError if 0 is not in best.",
    ),
)
