"""Exercise `fewest_pieces`."""

from functools import partial

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch07.shared import random_word, random_wordpieces


def fewest_pieces(word, vocabulary):
    """Cut a word into the fewest pieces.

    Args:
        word: a str.
        vocabulary: a set of pieces.

    Returns:
        A list of pieces; joined they are the word. Of several such lists, the one with the longest first piece, then
        the longest second piece, and so on.

    Raises:
        ValueError: the word cannot be made of the pieces.

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
        border("a tie: the longer first piece wins", "abcd", {"a", "abc", "ab", "cd", "d", "bcd"}),
        case("a word that only short first pieces can finish", "abcde", {"a", "abc", "bcde", "b", "c", "d"}),
        case("a greedy way that gets stuck", "abcd", {"abc", "ab", "cd"}),
        border("a word in the vocabulary: one piece", "care", caress),
        border("one letter", "c", caress),
        border("an empty word", "", caress),
        border("a word that can never be spelled", "carex", caress),
    ]


def _fewest_wrong(word: str, vocabulary: set[str], *, how: str) -> object:
    if how == "empty_for_none":
        try:
            return fewest_pieces(word, vocabulary)
        except ValueError:
            return []
    right = fewest_pieces(word, vocabulary)
    if how == "number":
        return len(right)
    if how == "turned":
        return right[::-1]
    if how == "letters":
        return list(word)
    if how == "greedy":
        pieces, start = [], 0
        while start < len(word):
            ends = [end for end in range(start + 1, len(word) + 1) if word[start:end] in vocabulary]
            if not ends:
                raise ValueError("stuck")
            pieces.append(word[start : ends[-1]])
            start = ends[-1]
        return pieces
    best: dict[int, list[str]] = {len(word): []}
    for start in range(len(word) - 1, -1, -1):
        for end in range(start + 1, len(word) + 1):
            if end in best and word[start:end] in vocabulary:
                found = [word[start:end], *best[end]]
                kept = best.get(start)
                if kept is None or (len(found) > len(kept) if how == "most" else len(found) < len(kept)):
                    best[start] = found
    return best[0]


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
    """Breadth first from the left; sorted so that longer first pieces come first."""
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


task = Task(
    fewest_pieces,
    points=4,
    difficulty=4,
    minutes=30,
    cases=cases,
    slips=(
        Slip(
            "greedy",
            partial(_fewest_wrong, how="greedy"),
            "This takes the longest piece at each place. A shorter first piece may leave a rest that needs fewer: car "
            "ess beats care s s. Look at all first pieces.",
        ),
        Slip(
            "shorter_first",
            partial(_fewest_wrong, how="shorter_first"),
            "The number of pieces is right, but of equally short cuttings take the one with the longest first piece: "
            "try the longest ends first, and replace only by something with fewer pieces.",
        ),
        Slip(
            "most",
            partial(_fewest_wrong, how="most"),
            "These are the most pieces. Keep the cutting with fewer.",
        ),
        Slip(
            "letters",
            partial(_fewest_wrong, how="letters"),
            "The word was cut into letters. Use the longer pieces of the vocabulary wherever they save a piece.",
        ),
        Slip(
            "number",
            partial(_fewest_wrong, how="number"),
            "This is the number of pieces. Return the pieces themselves, a list of str.",
        ),
        Slip(
            "turned",
            partial(_fewest_wrong, how="turned"),
            "The pieces are in the reverse order. Joined they must give the word.",
        ),
        Slip(
            "empty_for_none",
            partial(_fewest_wrong, how="empty_for_none"),
            "A word that cannot be spelled gave an empty list, as if it were empty. Raise ValueError.",
        ),
    ),
    alternatives=(_fewest_by_memo, _fewest_by_layers),
    hints=(
        "Suppose you knew the best cutting of every shorter rest of the word. How would you choose the first piece?",
        "Let best[len(word)] = [] and go from the end to the front: best[start] is one piece word[start:end] and then "
        "best[end], for the end that gives the shortest list.",
        "for start from len(word) - 1 down to 0: for end from len(word) down to start + 1: if word[start:end] is in "
        "the vocabulary and end in best, the candidate is [word[start:end], *best[end]]; keep it if start is not in "
        "best or it is shorter. ValueError if 0 is not in best.",
    ),
)
