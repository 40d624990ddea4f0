"""Exercise `train_bpe`."""

from collections import Counter
from functools import partial
from itertools import pairwise

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch07.best_pair import best_pair
from lmcourse.tasks.ch07.count_pairs import count_pairs
from lmcourse.tasks.ch07.merge_pair import merge_pair
from lmcourse.tasks.ch07.shared import Pair, Token, join_pairs, learn_merges, random_pieces, split_bytes


def train_bpe(piece_counts, num_merges):
    """Learn merges.

    Args:
        piece_counts: a dict from piece (str) to how often it occurs.
        num_merges: how many merges are wanted.

    Returns:
        A list of pairs, tuples of two tokens (bytes), in the order learnt; fewer than num_merges if no pair is left.

    Raises:
        ValueError: num_merges is below 0.

    >>> train_bpe({"aaabdaaabac": 1}, 3)
    [(b'a', b'a'), (b'a', b'b'), (b'aa', b'ab')]
    """
    if num_merges < 0:
        raise ValueError(f"`num_merges` must be 0 or more, got {num_merges}.")
    words = [[bytes([byte]) for byte in piece.encode("utf-8")] for piece in piece_counts]
    merges = []
    for _ in range(num_merges):
        counts = count_pairs(words, list(piece_counts.values()))
        if not counts:
            break
        merges.append(best_pair(counts))
        words = [merge_pair(word, merges[-1]) for word in words]
    return merges


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 9))
    return [
        case("the worked example", {"aaabdaaabac": 1}, 3),
        case("thirteen random pieces", random_pieces(rng, 13), 11),
        case("nineteen random pieces", random_pieces(rng, 19), 7),
        case("words with their space", {" low": 5 + n, " lower": 2, " newest": 6, " widest": 3}, 10),
        border("a rare word of many pairs, a frequent one of few", {"xyxyxyxy": 1, "ab": 50 + n}, 2),
        case("letters of two bytes", {"\u00e9t\u00e9": n, "\u0434\u0430": 2, "\u00e9": 3}, 5),
        border("a tie at every step", {"da": n, "cb": n, "ab": n}, 3),
        border("one run of equal letters", {"aaaaaaa": n}, 4),
        border("the last of one piece and the first of the next", {"ab": n, "bc": n, "b": 2 * n, "c": n}, 2),
        border("fewer pairs than merges: stop when none is left", {"abc": n, "d": 4}, 9),
        border("no merges", {"abc": 2}, 0),
        border("no pieces", {}, 3),
        border("merges below 0", {"abc": 2}, -1),
    ]


def _train_wrong(piece_counts: dict[str, int], num_merges: int, *, how: str) -> list:
    if how != "unchecked":
        learn_merges(piece_counts, num_merges)
    if how == "one_short":
        return learn_merges(piece_counts, max(0, num_merges - 1))
    words: dict[str, list] = {piece: split_bytes(piece.encode()) for piece in piece_counts}
    if how == "characters":
        words = {piece: list(piece) for piece in piece_counts}
    if how == "one_string":
        words = {"": split_bytes("".join(piece * count for piece, count in piece_counts.items()).encode())}
    weights = dict.fromkeys(words, 1) if how in ("unweighted", "one_string") else piece_counts
    merges: list = []
    while len(merges) < abs(num_merges):
        counts: Counter = Counter()
        for piece, word in words.items():
            for pair in pairwise(word):
                counts[pair] += weights[piece]
        if how == "counted_once":
            return sorted(counts, key=lambda pair: (-counts[pair], pair))[:num_merges]
        if not counts and how != "runs_dry":
            break
        best = min(counts, key=lambda pair: (-counts[pair], () if how == "first_seen" else pair))
        merges.append(best)
        for piece, word in words.items():
            if how == "characters":
                words[piece] = join_pairs(word, best)
            elif how == "first_place_only" and best in list(pairwise(word)):
                at = list(pairwise(word)).index(best)
                words[piece] = [*word[:at], best[0] + best[1], *word[at + 2 :]]
            else:
                words[piece] = join_pairs(word, best)
    if how == "characters":
        return [(left.encode(), right.encode()) for left, right in merges]
    return [left + right for left, right in merges] if how == "joined" else merges


def _train_by_replacing(piece_counts: dict[str, int], num_merges: int) -> list[Pair]:
    """Symbols as characters of a string, so that merging is str.replace."""
    if num_merges < 0:
        raise ValueError("num_merges")
    table = [bytes([value]) for value in range(256)]
    texts = [(piece.encode().decode("latin-1"), count) for piece, count in piece_counts.items()]
    found: list[Pair] = []
    for _ in range(num_merges):
        totals: dict[str, int] = {}
        for text, count in texts:
            for at in range(len(text) - 1):
                totals[text[at : at + 2]] = totals.get(text[at : at + 2], 0) + count
        if not totals:
            return found
        most = max(totals.values())
        left, right = min((table[ord(two[0])], table[ord(two[1])]) for two, n in totals.items() if n == most)
        old = next(key for key in totals if (table[ord(key[0])], table[ord(key[1])]) == (left, right))
        texts = [(text.replace(old, chr(len(table))), count) for text, count in texts]
        table.append(left + right)
        found.append((left, right))
    return found


def _train_recursively(piece_counts: dict[str, int], num_merges: int) -> list[Pair]:
    if num_merges < 0:
        raise ValueError("below 0")

    def go(words: list[tuple[list[Token], int]], left: int) -> list[Pair]:
        totals: Counter[Pair] = Counter()
        for word, count in words:
            for pair in pairwise(word):
                totals.update({pair: count})
        if left == 0 or not totals:
            return []
        chosen = sorted(totals.items(), key=lambda item: (-item[1], item[0]))[0][0]
        return [chosen, *go([(join_pairs(word, chosen), count) for word, count in words], left - 1)]

    return go([(split_bytes(piece.encode()), count) for piece, count in piece_counts.items()], num_merges)


task = Task(
    train_bpe,
    points=4,
    difficulty=4,
    minutes=30,
    cases=cases,
    slips=(
        Slip(
            "counted_once",
            partial(_train_wrong, how="counted_once"),
            "The pairs were counted once, and the commonest taken. Each merge makes new pairs and takes old ones away: "
            "merge in all words, then count again.",
        ),
        Slip(
            "unweighted",
            partial(_train_wrong, how="unweighted"),
            "Each piece was counted once, whatever its count. Add piece_counts[piece] for each of its pairs.",
        ),
        Slip(
            "first_seen",
            partial(_train_wrong, how="first_seen"),
            "Of equally common pairs the one seen first was taken, so the merges depend on the order of the text. Of "
            "equals, take the first in byte order.",
        ),
        Slip(
            "characters",
            partial(_train_wrong, how="characters"),
            "The pieces were cut into characters. Start from bytes, piece.encode(): a letter outside ASCII is two or "
            "more of them.",
        ),
        Slip(
            "one_string",
            partial(_train_wrong, how="one_string"),
            "The pieces were joined into one text, so pairs reach from one piece into the next. Keep each piece apart.",
        ),
        Slip(
            "first_place_only",
            partial(_train_wrong, how="first_place_only"),
            "In each piece the pair was merged at its first place only. Merge it everywhere before counting again.",
        ),
        Slip(
            "joined",
            partial(_train_wrong, how="joined"),
            "These are the new tokens. Return the pairs that made them: without the two halves nobody can replay the "
            "merges.",
        ),
        Slip(
            "one_short",
            partial(_train_wrong, how="one_short"),
            "The last merge is missing: learn exactly num_merges of them, as long as there are pairs.",
        ),
        Slip(
            "runs_dry",
            partial(_train_wrong, how="runs_dry"),
            "When no pair is left the program stops with an error. Return the merges learnt until then.",
        ),
        Slip(
            "unchecked",
            partial(_train_wrong, how="unchecked"),
            "The merges are right, but a number of merges below 0 was accepted. Raise ValueError.",
        ),
    ),
    alternatives=(_train_by_replacing, _train_recursively),
    hints=(
        "Use what you have: count the pairs, choose the best, merge it in every word; and that num_merges times.",
        "Keep words = {piece: [bytes([b]) for b in piece.encode()]}. count_pairs wants lists: list(words.values()) and "
        "list(piece_counts.values()).",
        "for _ in range(num_merges): counts = count_pairs(list(words.values()), list(piece_counts.values())); if not "
        "counts: break; best = best_pair(counts); merges.append(best); words = {p: merge_pair(w, best) for p, w in "
        "words.items()}. ValueError first if num_merges < 0.",
    ),
)
