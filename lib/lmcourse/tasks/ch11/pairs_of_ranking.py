"""Exercise `pairs_of_ranking`."""

from collections.abc import Sequence
from functools import partial
from itertools import combinations

import torch

from lmcourse.exercises import Case, Slip, Task, border, case


def pairs_of_ranking(replies, ranks):
    """Return the comparisons that a ranking holds.

    Args:
        replies: a list of str.
        ranks: of each reply, whole numbers; the smallest is best.

    Returns:
        A list of (better, worse) pairs.

    >>> pairs_of_ranking(["a", "b", "c"], [2, 1, 2])
    [('b', 'a'), ('b', 'c')]
    """
    pairs = []
    for i in range(len(replies)):
        for j in range(i + 1, len(replies)):
            if ranks[i] < ranks[j]:
                pairs.append((replies[i], replies[j]))
            elif ranks[j] < ranks[i]:
                pairs.append((replies[j], replies[i]))
    return pairs


def cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def drawn(n: int, highest: int) -> tuple[list[str], list[int]]:
        names = torch.randperm(26, generator=generator)[:n].tolist()
        return [chr(97 + name) for name in names], torch.randint(1, highest + 1, (n,), generator=generator).tolist()

    order = (torch.randperm(5, generator=generator) + 1).tolist()
    return [
        case("the worked example", ["a", "b", "c"], [2, 1, 2]),
        case("five replies, all of different rank", list("pqrst"), order),
        border("seven replies with ties", *drawn(7, 3)),
        case("best first already", ["x", "y", "z", "w"], [1, 2, 3, 4]),
        case("best last", ["x", "y", "z", "w"], [4, 3, 2, 1]),
        border("all of equal rank", ["x", "y", "z"], [1, 1, 1]),
        border("one reply", ["x"], [1]),
        border("no replies", [], []),
        case("ranks with gaps", ["k", "m", "n"], [10, 3, 7]),
    ]


def _ranked_wrong(replies: Sequence[str], ranks: Sequence[int], *, how: str) -> list[tuple[str, str]]:
    pairs = []
    for i in range(len(replies)):
        for j in range(i + 1, len(replies)):
            if how == "adjacent" and j != i + 1:
                continue
            if how == "neighbours" and abs(ranks[i] - ranks[j]) > 1:
                continue
            first, second = (i, j) if ranks[i] <= ranks[j] else (j, i)
            if how == "as_listed":
                first, second = i, j
            if how == "worse_first":
                first, second = second, first
            if ranks[i] != ranks[j] or how == "ties":
                pairs.append((replies[first], replies[second]))
            if how == "both_ways" and ranks[i] != ranks[j]:
                pairs.append((replies[second], replies[first]))
            if how == "against_best" and min(ranks[i], ranks[j]) != min(ranks) and pairs and ranks[i] != ranks[j]:
                pairs.pop()
    return pairs


def _ranked_combinations(replies: Sequence[str], ranks: Sequence[int]) -> list[tuple[str, str]]:
    pairs = []
    for one, other in combinations(list(zip(ranks, replies, strict=True)), 2):
        if one[0] == other[0]:
            continue
        better, worse = sorted((one, other), key=lambda item: item[0])
        pairs.append((better[1], worse[1]))
    return pairs


def _ranked_comprehension(replies: Sequence[str], ranks: Sequence[int]) -> list[tuple[str, str]]:
    n = range(len(replies))
    return [
        (replies[i], replies[j]) if ranks[i] < ranks[j] else (replies[j], replies[i])
        for i in n
        for j in n
        if i < j and ranks[i] != ranks[j]
    ]


task = Task(
    pairs_of_ranking,
    points=2,
    difficulty=1,
    minutes=10,
    cases=cases,
    slips=(
        Slip(
            "ties",
            partial(_ranked_wrong, how="ties"),
            "Replies of equal rank were paired. A tie says nothing of which is better: leave it out.",
        ),
        Slip(
            "as_listed",
            partial(_ranked_wrong, how="as_listed"),
            "The first of each pair is the one that is listed first. Look at the ranks: 1 is best.",
        ),
        Slip(
            "worse_first",
            partial(_ranked_wrong, how="worse_first"),
            "The worse reply comes first. Rank 1 is the best, so the smaller rank wins.",
        ),
        Slip(
            "neighbours",
            partial(_ranked_wrong, how="neighbours"),
            "Only neighbouring ranks were compared. A ranking of K replies holds K (K - 1) / 2 comparisons; the far "
            "ones are the surest.",
        ),
        Slip(
            "adjacent",
            partial(_ranked_wrong, how="adjacent"),
            "Only replies that stand side by side in the list were compared. Compare every reply with every other.",
        ),
        Slip(
            "both_ways",
            partial(_ranked_wrong, how="both_ways"),
            "Each pair came out twice, once each way round: the two would cancel. Better first, once.",
        ),
        Slip(
            "against_best",
            partial(_ranked_wrong, how="against_best"),
            "Replies were compared with the best one only. The second and the third are a comparison too.",
        ),
    ),
    alternatives=(_ranked_combinations, _ranked_comprehension),
    hints=(
        "Every two of the replies are one comparison, unless they are tied. In which order do they come?",
        "Two loops, i and j > i. The smaller rank goes first; equal ranks are passed over.",
        "if ranks[i] < ranks[j]: pairs.append((replies[i], replies[j])); elif ranks[j] < ranks[i]: "
        "pairs.append((replies[j], replies[i]))",
    ),
)
