"""Tasks of chapter 07, fifth part: other ways to cut a word, and what a cutting is worth."""

from functools import partial

import numpy as np

from lmcourse.exercises import Case, Slip, Task, case
from lmcourse.tasks.bpe import CHAPTER

_LETTERS = "abcd"


def _random_word(rng: np.random.Generator, length: int) -> str:
    return "".join(_LETTERS[int(place)] for place in rng.integers(0, len(_LETTERS), size=length))


def _random_pieces(rng: np.random.Generator, n_pieces: int) -> set[str]:
    """All letters, and pieces of two to four."""
    return set(_LETTERS) | {_random_word(rng, int(rng.integers(2, 5))) for _ in range(n_pieces)}


# --------------------------------------------------------------------------------------------------- longest_match


def _longest_match(word: str, vocabulary: set[str]) -> list[str]:
    pieces: list[str] = []
    start = 0
    while start < len(word):
        mark = "##" if start else ""
        for end in range(len(word), start, -1):
            if mark + word[start:end] in vocabulary:
                break
        else:
            return ["[UNK]"]
        pieces.append(mark + word[start:end])
        start = end
    return pieces


def _match_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def marked(n_pieces: int) -> set[str]:
        return _random_pieces(rng, n_pieces) | {"##" + piece for piece in _random_pieces(rng, n_pieces)}

    caress = {"c", "car", "care", "##a", "##r", "##e", "##s", "##ess", "##es", "[UNK]"}
    return [
        case("the worked example", "caress", caress),
        *(case(f"a random word of {n} letters", _random_word(rng, n), marked(11)) for n in (5, 8, 13)),
        case("a piece that stands only at the start", "abab", {"ab", "##a", "##b", "[UNK]"}),
        case("a piece that never starts a word", "ess", {"##ess", "e", "##s", "[UNK]"}),
        case("a word that gets stuck at its last letter", "carex", caress),
        case("an unknown first letter", "xcar", caress),
        case("a word that is one piece", "care", caress),
        case("one letter", "c", caress),
        case("an empty word", "", caress),
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


longest_match = Task(
    name="longest_match",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=20,
    cases=_match_cases,
    reference=_longest_match,
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


# --------------------------------------------------------------------------------------------------- fewest_pieces


def _fewest_pieces(word: str, vocabulary: set[str]) -> list[str]:
    best: dict[int, list[str]] = {len(word): []}
    for start in range(len(word) - 1, -1, -1):
        for end in range(len(word), start, -1):
            if end in best and word[start:end] in vocabulary:
                found = [word[start:end], *best[end]]
                if start not in best or len(found) < len(best[start]):
                    best[start] = found
    if 0 not in best:
        raise ValueError(f"`vocabulary` must be able to spell `word`, got {word!r}.")
    return best[0]


def _fewest_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    caress = set("cares") | {"car", "care", "es", "ess"}
    return [
        case("the worked example", "caress", caress),
        *(case(f"a random word of {n} letters", _random_word(rng, n), _random_pieces(rng, 13)) for n in (5, 8, 13)),
        case("a tie: the longer first piece wins", "abcd", {"a", "abc", "ab", "cd", "d", "bcd"}),
        case("a word that only short first pieces can finish", "abcde", {"a", "abc", "bcde", "b", "c", "d"}),
        case("a greedy way that gets stuck", "abcd", {"abc", "ab", "cd"}),
        case("a word in the vocabulary: one piece", "care", caress),
        case("one letter", "c", caress),
        case("an empty word", "", caress),
        case("a word that can never be spelled", "carex", caress),
    ]


def _fewest_wrong(word: str, vocabulary: set[str], *, how: str) -> object:
    if how == "empty_for_none":
        try:
            return _fewest_pieces(word, vocabulary)
        except ValueError:
            return []
    right = _fewest_pieces(word, vocabulary)
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


fewest_pieces = Task(
    name="fewest_pieces",
    chapter=CHAPTER,
    points=4,
    difficulty=4,
    minutes=30,
    cases=_fewest_cases,
    reference=_fewest_pieces,
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
