"""Tasks of chapter 07, third part: the naive trainer, and the step that makes the incremental one."""

from collections import Counter
from functools import partial
from itertools import pairwise

import numpy as np

from lmcourse.exercises import Case, Slip, Task, case
from lmcourse.tasks.bpe import CHAPTER
from lmcourse.tasks.bpe_merges import Pair, Token, join_pairs, random_bytes, split_bytes

# ------------------------------------------------------------------------------------------------------- train_bpe


def learn_merges(piece_counts: dict[str, int], num_merges: int) -> list[Pair]:
    """The reference of `train_bpe`."""
    if num_merges < 0:
        raise ValueError(f"`num_merges` must be 0 or more, got {num_merges}.")
    words = {piece: split_bytes(piece.encode("utf-8")) for piece in piece_counts}
    merges: list[Pair] = []
    while len(merges) < num_merges:
        counts: Counter[Pair] = Counter()
        for piece, word in words.items():
            for pair in pairwise(word):
                counts[pair] += piece_counts[piece]
        if not counts:
            break
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        merges.append(best)
        words = {piece: join_pairs(word, best) for piece, word in words.items()}
    return merges


def random_pieces(rng: np.random.Generator, n_pieces: int, longest: int = 9) -> dict[str, int]:
    """Pieces over four letters, with counts."""
    drawn: dict[str, int] = {}
    while len(drawn) < n_pieces:
        piece = random_bytes(rng, int(rng.integers(1, longest))).decode()
        drawn[piece] = int(rng.integers(1, 30))
    return drawn


def _train_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 9))
    return [
        case("the worked example", {"aaabdaaabac": 1}, 3),
        case("thirteen random pieces", random_pieces(rng, 13), 11),
        case("nineteen random pieces", random_pieces(rng, 19), 7),
        case("words with their space", {" low": 5 + n, " lower": 2, " newest": 6, " widest": 3}, 10),
        case("a rare word of many pairs, a frequent one of few", {"xyxyxyxy": 1, "ab": 50 + n}, 2),
        case("letters of two bytes", {"\u00e9t\u00e9": n, "\u0434\u0430": 2, "\u00e9": 3}, 5),
        case("a tie at every step", {"da": n, "cb": n, "ab": n}, 3),
        case("one run of equal letters", {"aaaaaaa": n}, 4),
        case("the last of one piece and the first of the next", {"ab": n, "bc": n, "b": 2 * n, "c": n}, 2),
        case("fewer pairs than merges: stop when none is left", {"abc": n, "d": 4}, 9),
        case("no merges", {"abc": 2}, 0),
        case("no pieces", {}, 3),
        case("merges below 0", {"abc": 2}, -1),
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


train_bpe = Task(
    name="train_bpe",
    chapter=CHAPTER,
    points=4,
    difficulty=4,
    minutes=30,
    cases=_train_cases,
    reference=learn_merges,
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


# --------------------------------------------------------------------------------------------------- update_counts


def _update_counts(counts: dict[Pair, int], word: list[Token], pair: Pair, count: int) -> dict[Pair, int]:
    if pair not in pairwise(word):
        raise ValueError(f"`word` must hold the pair {pair!r}, got {word!r}.")
    fresh = Counter(counts)
    for old in pairwise(word):
        fresh[old] -= count
    for new in pairwise(join_pairs(word, pair)):
        fresh[new] += count
    return {key: value for key, value in fresh.items() if value}


def _weighted(words: list[tuple[list[Token], int]]) -> dict[Pair, int]:
    total: Counter[Pair] = Counter()
    for word, count in words:
        for pair in pairwise(word):
            total[pair] += count
    return dict(total)


def _update_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))

    def state(word: list[Token], pair: Pair, count: int) -> tuple:
        others = [(split_bytes(random_bytes(rng, 7)), int(rng.integers(1, 9))) for _ in range(3)]
        return _weighted([(word, count), *others]), word, pair, count

    long = split_bytes(random_bytes(rng, 17, b"abc"))
    place = int(rng.integers(0, 16))
    worked, _only = split_bytes(b"abcab"), split_bytes(b"cabd")
    return [
        case("the worked example", _weighted([(worked, 3), (split_bytes(b"bc"), 1)]), worked, (b"a", b"b"), 3),
        case("a random word", *state(long, (long[place], long[place + 1]), n)),
        case(
            "a word that is the only one", _weighted([(split_bytes(b"cabd"), n)]), split_bytes(b"cabd"), (b"a", b"b"), n
        ),
        case("two merges side by side", *state(split_bytes(b"dababc"), (b"a", b"b"), n)),
        case("a run of equal tokens", *state(split_bytes(b"baaaab"), (b"a", b"a"), n)),
        case("three equal tokens", *state(split_bytes(b"caaac"), (b"a", b"a"), n)),
        case("the first two tokens", *state(split_bytes(b"abdd"), (b"a", b"b"), n)),
        case("the last two tokens", *state(split_bytes(b"ddab"), (b"a", b"b"), n)),
        case("one pair and nothing else", {(b"x", b"y"): n}, [b"x", b"y"], (b"x", b"y"), n),
        case("a pair that is never in the word", {(b"x", b"y"): n}, [b"x", b"y"], (b"y", b"x"), n),
    ]


def _update_wrong(counts: dict[Pair, int], word: list[Token], pair: Pair, count: int, *, how: str) -> dict[Pair, int]:
    if how != "unchecked":
        _update_counts(counts, word, pair, count)
    fresh = Counter(counts)
    after = join_pairs(word, pair)
    joined = pair[0] + pair[1]
    one = 1 if how == "unweighted" else count
    if how != "new_only":
        for old in pairwise(word):
            fresh[old] -= one
    if how != "old_only":
        for new in pairwise(after):
            fresh[new] += one
    if how == "pair_only":
        fresh = Counter(counts)
        fresh[pair] = 0
        for new in pairwise(after):
            fresh[new] += count if joined in new else 0
    if how == "deletes_pair":
        fresh[pair] = 0
    return dict(fresh) if how == "zeros_kept" else {key: value for key, value in fresh.items() if value}


def _update_in_place(counts: dict[Pair, int], word: list[Token], pair: Pair, count: int) -> dict[Pair, int]:
    fresh = _update_counts(counts, word, pair, count)
    counts.clear()
    counts.update(fresh)
    return counts


def _update_by_difference(counts: dict[Pair, int], word: list[Token], pair: Pair, count: int) -> dict[Pair, int]:
    before = Counter(pairwise(word))
    if not before[pair]:
        raise ValueError("the pair is not there")
    merged = join_pairs(word, pair)
    after = Counter(pairwise(merged))
    result = {}
    for key in [*counts, *after]:
        value = counts.get(key, 0) + count * (after[key] - before[key])
        if value != 0:
            result[key] = value
    return result


def _update_by_neighbours(counts: dict[Pair, int], word: list[Token], pair: Pair, count: int) -> dict[Pair, int]:
    left, right = pair
    joined, after, changes = left + right, [], []
    at = 0
    while at < len(word):
        hit = at + 1 < len(word) and word[at] == left and word[at + 1] == right
        after.append(joined if hit else word[at])
        at += 2 if hit else 1
    if len(after) == len(word):
        raise ValueError("nothing to merge")
    changes += [(old, -count) for old in pairwise(word)] + [(new, count) for new in pairwise(after)]
    result = dict(counts)
    for key, change in changes:
        result[key] = result.get(key, 0) + change
    for key in [key for key, value in result.items() if value == 0]:
        del result[key]
    return result


update_counts = Task(
    name="update_counts",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=20,
    cases=_update_cases,
    reference=_update_counts,
    slips=(
        Slip(
            "new_only",
            partial(_update_wrong, how="new_only"),
            "The new pairs were added, but the old pairs of the word are still counted. Take them away first.",
        ),
        Slip(
            "old_only",
            partial(_update_wrong, how="old_only"),
            "The old pairs were taken away, but the pairs of the merged word are missing. Add them.",
        ),
        Slip(
            "unweighted",
            partial(_update_wrong, how="unweighted"),
            "The counts changed by 1. The word stands count times in the text, so each of its pairs changes by count.",
        ),
        Slip(
            "pair_only",
            partial(_update_wrong, how="pair_only"),
            "The merged pair was removed, but its neighbours were left as they were. When a b becomes ab, the pairs "
            "(x, a) and (b, y) beside it disappear too.",
        ),
        Slip(
            "deletes_pair",
            partial(_update_wrong, how="deletes_pair"),
            "The count of the merged pair was set to 0. Other words may still hold it: take away only what this word "
            "had.",
        ),
        Slip(
            "zeros_kept",
            partial(_update_wrong, how="zeros_kept"),
            "The numbers are right, but pairs with the count 0 were kept. Leave them out: a trainer must not choose "
            "them, and memory grows.",
        ),
        Slip(
            "in_place",
            _update_in_place,
            "The numbers are right, but the dict that was handed in was changed. Work on a copy: dict(counts).",
        ),
        Slip(
            "unchecked",
            partial(_update_wrong, how="unchecked"),
            "A word that does not hold the pair was accepted. Then there is nothing to merge: raise ValueError.",
        ),
    ),
    alternatives=(_update_by_difference, _update_by_neighbours),
    hints=(
        "Compare the word before the merge with the word after it. Which pairs did it have, which does it have now?",
        "Subtract count for each pair of zip(word, word[1:]), add count for each pair of the merged word. What cancels "
        "out need not trouble you.",
        "fresh = dict(counts); for p in zip(word, word[1:]): fresh[p] = fresh.get(p, 0) - count; the same with + for "
        "merge_pair(word, pair); return {p: n for p, n in fresh.items() if n}. ValueError first if the pair is not in "
        "the word.",
    ),
)
