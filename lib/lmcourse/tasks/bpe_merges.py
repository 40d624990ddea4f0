"""Tasks of chapter 07, second part: counting pairs, choosing one, merging it."""

from collections import Counter
from functools import partial
from itertools import pairwise

import numpy as np

from lmcourse.exercises import Case, Slip, Task, case
from lmcourse.tasks.bpe import CHAPTER

Token = bytes
Pair = tuple[bytes, bytes]


def random_bytes(rng: np.random.Generator, length: int, letters: bytes = b"abcd") -> bytes:
    """A short string over few letters, in which pairs come back."""
    return bytes(letters[int(place)] for place in rng.integers(0, len(letters), size=length))


def split_bytes(data: bytes) -> list[bytes]:
    """One token a byte."""
    return [bytes([byte]) for byte in data]


# ----------------------------------------------------------------------------------------------------- count_pairs


def _count_pairs(words: list[list[Token]], counts: list[int]) -> dict[Pair, int]:
    if len(words) != len(counts):
        raise ValueError(f"`words` and `counts` must have the same length, got {len(words)} and {len(counts)}.")
    total: Counter[Pair] = Counter()
    for word, count in zip(words, counts, strict=True):
        for pair in pairwise(word):
            total[pair] += count
    return dict(total)


def _count_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def words(n_words: int, longest: int) -> list[list[bytes]]:
        return [split_bytes(random_bytes(rng, int(n))) for n in rng.integers(1, longest, size=n_words)]

    return [
        case("the worked example", [[b"a", b"a", b"a", b"b"], [b"a", b"b"]], [1, 10]),
        case("seven random words", words(7, 11), [int(n) for n in rng.integers(2, 20, size=7)]),
        case("tokens of several bytes", [[b"th", b"e", b"re"], [b"t", b"he", b"re"]], [3, int(rng.integers(4, 9))]),
        case("a pair that comes twice in one word", [split_bytes(b"banana")], [5]),
        case("the same two tokens in both orders", [split_bytes(b"abba")], [2]),
        case("three equal tokens: pairs overlap", [split_bytes(b"aaa")], [2]),
        case("words of one token have no pair", [[b"a"], [b"b"]], [3, 4]),
        case("an empty word", [[], [b"a", b"b"]], [3, 1]),
        case("no words", [], []),
        case("one count missing", [[b"a", b"b"], [b"b", b"c"]], [1]),
    ]


def _count_wrong(words: list[list[Token]], counts: list[int], *, how: str) -> dict:
    if how != "unchecked":
        _count_pairs(words, counts)
    total: Counter = Counter()
    if how == "across_words":
        stream = [(token, count) for word, count in zip(words, counts, strict=True) for token in word]
        for (left, count), (right, _) in pairwise(stream):
            total[left, right] += count
        return dict(total)
    for word, count in zip(words, counts, strict=False):
        pairs: list = list(pairwise(word))
        if how == "apart":
            at, pairs = 0, []
            while at < len(word) - 1:
                pairs.append((word[at], word[at + 1]))
                at += 2 if at < len(word) - 2 and word[at] == word[at + 1] == word[at + 2] else 1
        if how == "every_second":
            pairs = pairs[::2]
        if how == "once_a_word":
            pairs = list(dict.fromkeys(pairs))
        for left, right in pairs:
            key = {"any_order": tuple(sorted((left, right))), "joined": left + right}.get(how, (left, right))
            total[key] += 1 if how == "unweighted" else count
    return dict(total)


def _count_by_get(words: list[list[Token]], counts: list[int]) -> dict[Pair, int]:
    if len(words) - len(counts):
        raise ValueError("lengths differ")
    found: dict[Pair, int] = {}
    for number, word in enumerate(words):
        for at in range(1, len(word)):
            key = word[at - 1], word[at]
            found[key] = found.get(key, 0) + counts[number]
    return found


def _count_by_multiplying(words: list[list[Token]], counts: list[int]) -> dict[Pair, int]:
    merged: Counter[Pair] = Counter()
    for word, count in zip(words, counts, strict=True):  # strict: lengths that differ are a ValueError
        inside = Counter(pairwise(word))
        merged.update({pair: n * count for pair, n in inside.items()})
    return merged


count_pairs = Task(
    name="count_pairs",
    chapter=CHAPTER,
    points=2,
    difficulty=1,
    minutes=10,
    cases=_count_cases,
    reference=_count_pairs,
    slips=(
        Slip(
            "unweighted",
            partial(_count_wrong, how="unweighted"),
            "Each word was counted once. A word that occurs ten times brings each of its pairs ten times: add its "
            "count, not 1.",
        ),
        Slip(
            "across_words",
            partial(_count_wrong, how="across_words"),
            "A pair was made of the last token of one word and the first of the next. Count inside each word.",
        ),
        Slip(
            "apart",
            partial(_count_wrong, how="apart"),
            "In a run of equal tokens the overlapping pairs were left out. By the rule here aaa holds (a, a) twice; "
            "only merging, later, cannot use both.",
        ),
        Slip(
            "every_second",
            partial(_count_wrong, how="every_second"),
            "Every second pair is missing: after (a, b) comes (b, c), not (c, d). Move on by one token.",
        ),
        Slip(
            "once_a_word",
            partial(_count_wrong, how="once_a_word"),
            "A pair that stands twice in a word was counted once there. banana holds (a, n) twice.",
        ),
        Slip(
            "any_order",
            partial(_count_wrong, how="any_order"),
            "(a, b) and (b, a) were counted as one pair. The order matters: they are merged into different tokens.",
        ),
        Slip(
            "joined",
            partial(_count_wrong, how="joined"),
            "The keys are joined bytes. (th, e) and (t, he) are different pairs, and joined they are the same: use a "
            "tuple of the two tokens.",
        ),
        Slip(
            "unchecked",
            partial(_count_wrong, how="unchecked"),
            "The counting is right, but a list of words and a list of counts of different lengths were accepted, and "
            "zip dropped the rest. Raise ValueError.",
        ),
    ),
    alternatives=(_count_by_get, _count_by_multiplying),
    hints=(
        "Which pairs does one word hold, and how much does each of them count?",
        "zip(word, word[1:]) gives the pairs of a word; zip(words, counts, strict=True) gives the words with their "
        "counts and raises ValueError when the lengths differ.",
        "for word, count in zip(words, counts, strict=True): for pair in zip(word, word[1:]): total[pair] = "
        "total.get(pair, 0) + count",
    ),
)


# ------------------------------------------------------------------------------------------------------- best_pair


def _best_pair(counts: dict[Pair, int]) -> Pair:
    if not counts:
        raise ValueError("`counts` must hold at least one pair, got none.")
    return min(counts, key=lambda pair: (-counts[pair], pair))


def _best_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def table(n_pairs: int, most: int) -> dict[Pair, int]:
        drawn: dict[Pair, int] = {}
        while len(drawn) < n_pairs:
            key = random_bytes(rng, int(rng.integers(1, 3))), random_bytes(rng, int(rng.integers(1, 3)))
            drawn[key] = int(rng.integers(1, most))
        return drawn

    high = int(rng.integers(5, 50))
    return [
        case("the worked example", {(b"b", b"a"): 3, (b"a", b"b"): 5, (b"a", b"a"): 5, (b"c", b"a"): 1}),
        case("one pair clearly ahead", {**table(11, 20), (b"x", b"y"): 99}),
        case("eleven random pairs", table(11, 90)),
        case("a tie that the first token decides", {(b"b", b"a"): high, (b"z", b"z"): 1, (b"a", b"c"): high}),
        case("a tie that the last token decides", {(b"a", b"d"): high, (b"a", b"c"): high, (b"a", b"e"): high}),
        case("a tie of tokens of unequal length", {(b"ab", b"a"): high, (b"a", b"bb"): high, (b"ab", b"c"): 2}),
        case("a tie with a capital and a space", {(b"a", b"t"): 7, (b"T", b"h"): 7, (b" ", b"t"): 7}),
        case("a tie of all", dict.fromkeys(table(7, 2), 4)),
        case("one pair", {(b"q", b"u"): 1}),
        case("no pairs", {}),
    ]


def _best_wrong(counts: dict[Pair, int], *, how: str) -> object:
    if not counts and how == "none_for_none":
        return None
    _best_pair(counts)
    most = max(counts.values())
    tied = [pair for pair, count in counts.items() if count == most]
    return {
        "first_seen": tied[0],
        "last_in_order": max(tied),
        "by_joined": min(tied, key=lambda pair: (pair[0] + pair[1], pair[::-1])),
        "right_first": min(tied, key=lambda pair: pair[::-1]),
        "rarest": min(counts, key=lambda pair: (counts[pair], pair)),
        "with_count": (*min(tied), most),
        "all_tied": sorted(tied),
        "none_for_none": min(tied),
    }[how]


def _best_by_sorting(counts: dict[Pair, int]) -> Pair:
    ordered = sorted(sorted(counts), key=counts.__getitem__, reverse=True)  # a stable sort keeps the order of bytes
    if ordered:
        return ordered[0]
    raise ValueError("no pair")


def _best_by_two_passes(counts: dict[Pair, int]) -> Pair:
    most = max(counts.values())  # ValueError when there is none
    return min(pair for pair, count in counts.items() if count == most)


best_pair = Task(
    name="best_pair",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=10,
    cases=_best_cases,
    reference=_best_pair,
    slips=(
        Slip(
            "first_seen",
            partial(_best_wrong, how="first_seen"),
            "The count is right, but of equally common pairs the one that was seen first was taken, so the result "
            "depends on the order of the text. Of equals, take the first in byte order.",
        ),
        Slip(
            "last_in_order",
            partial(_best_wrong, how="last_in_order"),
            "Of equally common pairs the last in byte order was taken (max of (count, pair) does that). Take the "
            "first: min of (-count, pair).",
        ),
        Slip(
            "by_joined",
            partial(_best_wrong, how="by_joined"),
            "Ties were broken on the joined bytes. Compare the left tokens first, and the right ones only if the left "
            "ones are equal: compare the tuples.",
        ),
        Slip(
            "right_first",
            partial(_best_wrong, how="right_first"),
            "Ties were broken on the right token first. The left token comes first.",
        ),
        Slip(
            "rarest",
            partial(_best_wrong, how="rarest"),
            "This is the rarest pair. The commonest one is merged: mind the sign of the count in the key.",
        ),
        Slip(
            "with_count",
            partial(_best_wrong, how="with_count"),
            "The count was returned along with the pair. Return the pair alone, a tuple of two tokens.",
        ),
        Slip(
            "all_tied",
            partial(_best_wrong, how="all_tied"),
            "All the commonest pairs were returned. Return one: the first of them in byte order.",
        ),
        Slip(
            "none_for_none",
            partial(_best_wrong, how="none_for_none"),
            "With no pairs at all the result was None. There is nothing to choose: raise ValueError.",
        ),
    ),
    alternatives=(_best_by_sorting, _best_by_two_passes),
    hints=(
        "Python compares tuples place by place. What would you put first into a key, and what second?",
        "min takes the smallest key; a larger count should come first, so put -count into the key, and the pair after "
        "it.",
        "return min(counts, key=lambda pair: (-counts[pair], pair)); min of an empty dict raises ValueError by itself.",
    ),
)


# ------------------------------------------------------------------------------------------------------ merge_pair


def join_pairs(tokens: list[Token], pair: Pair) -> list[Token]:
    """The reference of `merge_pair`."""
    merged, at = [], 0
    while at < len(tokens):
        if at + 1 < len(tokens) and (tokens[at], tokens[at + 1]) == pair:
            merged.append(tokens[at] + tokens[at + 1])
            at += 2
        else:
            merged.append(tokens[at])
            at += 1
    return merged


def _merge_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    word = split_bytes(random_bytes(rng, 23, b"abc"))
    place = int(rng.integers(0, len(word) - 1))
    return [
        case("the worked example", split_bytes(b"aaabdaaabac"), (b"a", b"b")),
        case("a random word", word, (word[place], word[place + 1])),
        case("a run of equal tokens", split_bytes(b"aaabaaaa"), (b"a", b"a")),
        case("three equal tokens", split_bytes(b"aaa"), (b"a", b"a")),
        case("a pair at the first place and at the last", split_bytes(b"abcab"), (b"a", b"b")),
        case("tokens of several bytes", [b"th", b"e", b"t", b"he", b"th", b"e"], (b"th", b"e")),
        case("bytes of half a character", [b"\xc3", b"\xa9", b"t", b"\xc3", b"\xa9"], (b"\xc3", b"\xa9")),
        case("the pair turned round does not count", split_bytes(b"babba"), (b"a", b"b")),
        case("a pair that is never there", split_bytes(b"xyzzy"), (b"x", b"z")),
        case("one token", [b"a"], (b"a", b"a")),
        case("no tokens", [], (b"a", b"b")),
    ]


def _merge_wrong(tokens: list[Token], pair: Pair, *, how: str) -> list[Token]:
    if how == "from_the_right":
        turned = [token[::-1] for token in reversed(tokens)]
        done = join_pairs(turned, (pair[1][::-1], pair[0][::-1]))
        return [token[::-1] for token in reversed(done)]
    joined, merged, at, done_once = pair[0] + pair[1], [], 0, False
    while at < len(tokens):
        two = tokens[at : at + 2]
        fits = tuple(two) == pair
        if how == "by_bytes":
            fits = len(two) == 2 and two[0] + two[1] == joined
        if how == "any_order":
            fits = fits or tuple(two[::-1]) == pair
        if fits and not (how == "first_only" and done_once):
            merged.append(joined)
            done_once = True
            at += 1 if how == "no_skip" else 2
        else:
            if not (how == "last_lost" and at == len(tokens) - 1):
                merged.append(tokens[at])
            at += 1
    return merged


def _merge_in_place(tokens: list[Token], pair: Pair) -> list[Token]:
    at = 0
    while at < len(tokens) - 1:
        if (tokens[at], tokens[at + 1]) == pair:
            tokens[at : at + 2] = [pair[0] + pair[1]]
        at += 1
    return tokens


def _merge_by_stack(tokens: list[Token], pair: Pair) -> list[Token]:
    stack: list[Token] = []
    free = False  # may the token on top still be the left half?
    for token in tokens:
        if free and stack[-1] == pair[0] and token == pair[1]:
            stack[-1] += token
            free = False
        else:
            stack.append(token)
            free = True
    return stack


def _merge_by_iterator(tokens: list[Token], pair: Pair) -> list[Token]:
    waiting = list(tokens)[::-1]
    result = []
    while waiting:
        token = waiting.pop()
        if waiting and token == pair[0] and waiting[-1] == pair[1]:
            token = b"".join([token, waiting.pop()])
        result += [token]
    return result


merge_pair = Task(
    name="merge_pair",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=15,
    cases=_merge_cases,
    reference=join_pairs,
    slips=(
        Slip(
            "from_the_right",
            partial(_merge_wrong, how="from_the_right"),
            "In a run of equal tokens the merging began at the right. aaa becomes aa a, not a aa: go from the left.",
        ),
        Slip(
            "no_skip",
            partial(_merge_wrong, how="no_skip"),
            "After a merge the right half was used once more. Both tokens are used up: move on by two.",
        ),
        Slip(
            "first_only",
            partial(_merge_wrong, how="first_only"),
            "Only the first place was merged. Merge the pair everywhere.",
        ),
        Slip(
            "by_bytes",
            partial(_merge_wrong, how="by_bytes"),
            "Two tokens were merged because their bytes together are those of the pair. (t, he) is not the pair "
            "(th, e): compare left with left and right with right.",
        ),
        Slip(
            "any_order",
            partial(_merge_wrong, how="any_order"),
            "The pair was merged in both orders. (b, a) is another pair than (a, b).",
        ),
        Slip(
            "last_lost",
            partial(_merge_wrong, how="last_lost"),
            "The last token is missing when it was not merged. The loop must run to the end of the list.",
        ),
        Slip(
            "in_place",
            _merge_in_place,
            "The result is right, but the list that was handed in was changed. Build a new list: the trainer still "
            "needs the old one.",
        ),
    ),
    alternatives=(_merge_by_stack, _merge_by_iterator),
    hints=(
        "Walk from the left with a position. When do you move on by one, and when by two?",
        "At each place: if this token and the next are the pair, append their bytes joined and move on by two; else "
        "append the token and move on by one. Mind the last token, which has no next.",
        "while at < len(tokens): if tuple(tokens[at : at + 2]) == pair: merged.append(pair[0] + pair[1]); at += 2; "
        "else: merged.append(tokens[at]); at += 1",
    ),
)
