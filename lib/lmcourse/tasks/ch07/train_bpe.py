"""Exercise `train_bpe`."""

from collections import Counter
from itertools import pairwise

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch07.best_pair import best_pair
from lmcourse.tasks.ch07.count_pairs import count_pairs
from lmcourse.tasks.ch07.merge_pair import merge_pair
from lmcourse.tasks.ch07.shared import Pair, Token, join_pairs, random_pieces, split_bytes


def train_bpe(piece_counts, num_merges):
    """Learn merges.

    Args:
        piece_counts: a dict from piece (str) to how often it occurs, at least once.
        num_merges: how many merges are wanted, 0 or more.

    Returns:
        A list of pairs, tuples of two tokens (bytes), in the order learned; fewer than num_merges if no pair is left.

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
        case("pairs that occur once are merged, too", {"abcd": 1}, 3),
        case("one merge", {"abab": 2, "bc": 3}, 1),
        border("a rare word of many pairs, a frequent one of few", {"xyxyxyxy": 1, "ab": 50 + n}, 2),
        case("letters of two bytes", {"\u00e9t\u00e9": n, "\u0434\u0430": 2, "\u00e9": 3}, 5),
        case("capital letters, signs and digits", {"Ab": 2, "ab": 2, "a-b": 3, " 12": 2}, 6),
        border("a tie at every step", {"da": n, "cb": n, "ab": n}, 3),
        border("a tie that the right token decides", {"ad": 2, "ac": 2, "ab": 2}, 2),
        border("a tie between a letter and a byte that is no text", {"\u00e9": 2, "zz": 2, " a": 2}, 3),
        border("one run of equal letters", {"aaaaaaa": n}, 4),
        border("three equal letters: pairs overlap", {"aaa": 2, "bc": 3}, 2),
        border("the last of one piece and the first of the next", {"ab": n, "bc": n, "b": 2 * n, "c": n}, 2),
        border("fewer pairs than merges: stop when none is left", {"abc": n, "d": 4}, 9),
        border("pieces of one letter", {"a": 3, "b": 2}, 2),
        border("no merges", {"abc": 2}, 0),
        border("no pieces", {}, 3),
        border("merges below 0", {"abc": 2}, -1),
        border("merges far below 0", {"abc": 2}, -100),
        border("merges below 0, and no pieces", {}, -1),
    ]


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


def _counted_once(piece_counts: dict[str, int], num_merges: int) -> list[Pair]:
    if num_merges < 0:
        raise ValueError("num_merges")
    counts = count_pairs([split_bytes(piece.encode()) for piece in piece_counts], list(piece_counts.values()))
    return sorted(counts, key=lambda pair: (-counts[pair], pair))[:num_merges]


def _merged_at_first(word: list[Token], pair: Pair) -> list[Token]:
    at = next((at for at in range(len(word) - 1) if (word[at], word[at + 1]) == pair), None)
    return word if at is None else [*word[:at], pair[0] + pair[1], *word[at + 2 :]]


task = Task(
    train_bpe,
    points=4,
    difficulty=4,
    minutes=30,
    cases=cases,
    slips=(
        Slip(
            "counted_once",
            _counted_once,
            "The pairs were counted once, and the most frequent taken. Each merge makes new pairs and takes old ones "
            "away: merge in all words, then count again.",
        ),
        Slip(
            "unweighted",
            ("list(piece_counts.values())", "[1] * len(words)"),
            "Each piece was counted once, whatever its count. Add piece_counts[piece] for each of its pairs.",
        ),
        Slip(
            "first_seen",
            ("best_pair(counts)", "max(counts, key=counts.get)"),
            "Of equally frequent pairs the one seen first was taken, so the merges depend on the order of the text. Of "
            "equals, take the first in byte order.",
        ),
        Slip(
            "last_in_order",
            ("best_pair(counts)", "max(counts, key=lambda pair: (counts[pair], pair))"),
            "Of equally frequent pairs the last in byte order was taken. Take the first, by the rule of exercise 4.",
        ),
        Slip(
            "rarest",
            ("best_pair(counts)", "min(counts, key=lambda pair: (counts[pair], pair))"),
            "The rarest pair was merged each time. Merge the most frequent.",
        ),
        Slip(
            "characters",
            ('[bytes([byte]) for byte in piece.encode("utf-8")]', "[character.encode() for character in piece]"),
            "The pieces were cut into characters. Start from bytes, piece.encode(): a letter outside ASCII is two or "
            "more of them.",
        ),
        Slip(
            "strings",
            (
                ('[bytes([byte]) for byte in piece.encode("utf-8")]', "list(piece)"),
                ("merge_pair(word, merges[-1])", "merge_pair(word, merges[-1])"),
            ),
            "The tokens are str. They are bytes: start from [bytes([b]) for b in piece.encode()].",
        ),
        Slip(
            "one_string",
            (
                (
                    '[[bytes([byte]) for byte in piece.encode("utf-8")] for piece in piece_counts]',
                    '[split_bytes("".join(piece * n for piece, n in piece_counts.items()).encode())]',
                ),
                ("list(piece_counts.values())", "[1]"),
            ),
            "The pieces were joined into one text, so pairs reach from one piece into the next. Keep each piece apart.",
        ),
        Slip(
            "first_occurrence_only",
            ("merge_pair(word, merges[-1])", "_merged_at_first(word, merges[-1])"),
            "In each piece the pair was merged once only. Merge it everywhere before counting again.",
        ),
        Slip(
            "never_merged",
            ("words = [merge_pair(word, merges[-1]) for word in words]", "..."),
            "The pair was never merged, so that the same one is chosen each time. Merge it in all words, then count "
            "again.",
        ),
        Slip(
            "joined",
            ("return merges", "return [left + right for left, right in merges]"),
            "These are the new tokens. Return the pairs that made them: without the two halves nobody can replay the "
            "merges.",
        ),
        Slip(
            "with_counts",
            (
                (
                    "merges.append(best_pair(counts))",
                    "merges.append(best_pair(counts))\n        found.append((merges[-1], counts[merges[-1]]))",
                ),
                ("merges = []", "merges, found = [], []"),
                ("return merges", "return found"),
            ),
            "The counts were returned along with the pairs. Return the pairs alone.",
        ),
        Slip(
            "one_short",
            ("range(num_merges)", "range(num_merges - 1)"),
            "The last merge is missing: learn exactly num_merges of them, as long as there are pairs.",
        ),
        Slip(
            "one_too_many",
            ("range(num_merges)", "range(num_merges + 1)"),
            "There is one merge too many: learn exactly num_merges of them.",
        ),
        Slip(
            "stops_at_one",
            ("if not counts:", "if not counts or max(counts.values()) < 2:"),
            "The training stopped when no pair occurred more than once. It goes on as long as there is a pair, even "
            "one that occurs once.",
        ),
        Slip(
            "runs_dry",
            ("if not counts:", "if False:"),
            "Where no pair is left there is an error. Stop there, and return the merges learned until then.",
        ),
        Slip(
            "unchecked",
            ("num_merges < 0", "False"),
            "The merges are right, but a number of merges below 0 was accepted. Raise ValueError.",
        ),
        Slip(
            "zero_refused",
            ("num_merges < 0", "num_merges < 1"),
            "A number of merges of 0 was refused. It gives an empty list.",
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
