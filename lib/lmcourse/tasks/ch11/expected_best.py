"""Exercise `expected_best`."""

import math
from collections.abc import Sequence
from functools import partial
from itertools import combinations

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch11.shared import drawer


def expected_best(proxy, true, n):
    """Return the expected true reward of the best of n by proxy.

    Args:
        proxy: the judge's rewards, a list of N different floats.
        true: the true rewards, a list of N floats.
        n: how many are drawn, without putting back.

    Returns:
        A float.

    Raises:
        ValueError: n is not in 1..N.

    >>> round(expected_best([0.0, 1.0, 2.0], [5.0, 7.0, 6.0], 2), 3)
    6.333
    """
    N = len(proxy)
    if not 1 <= n <= N:
        raise ValueError(f"n must be in 1..{N}, got {n}")
    places = sorted(range(N), key=lambda place: proxy[place])
    total = sum(math.comb(i, n - 1) * true[place] for i, place in enumerate(places))
    return total / math.comb(N, n)


def cases(seed: int) -> list[Case]:
    draw = drawer(seed)

    def rewards(count: int) -> tuple[list[float], list[float]]:
        return draw(count).tolist(), draw(count).tolist()

    return [
        case("the worked example", [0.0, 1.0, 2.0], [5.0, 7.0, 6.0], 2),
        case("eleven replies, best of three", *rewards(11), 3),
        case("seven replies, best of five", *rewards(7), 5),
        border("n = 1: the mean", *rewards(5), 1),
        border("all of them: the one that the proxy likes best", *rewards(7), 7),
        border("one reply", *rewards(1), 1),
        border("equal true rewards", draw(5).tolist(), [2.5] * 5, 3),
        case("a proxy that is wrong throughout", [1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0], 2),
        border("n = 0", *rewards(3), 0),
        border("n above the number of replies", *rewards(3), 4),
    ]


def _best_wrong(proxy: Sequence[float], true: Sequence[float], n: int, *, how: str) -> float:
    N = len(proxy)
    if how != "unchecked" and not 1 <= n <= N:
        raise ValueError("n")
    n = min(max(n, 1), N)
    pairs = sorted(zip(proxy, true, strict=True))
    if how == "by_true":
        pairs = sorted(pairs, key=lambda pair: pair[1])
    if how == "worst":
        pairs = pairs[::-1]
    chosen = [pair[0] if how == "proxy" else pair[1] for pair in pairs]
    if how == "top_mean":
        return sum(chosen[-n:]) / n
    if how == "first":
        best = max(range(n), key=lambda place: proxy[place])
        return true[best]
    if how == "put_back":
        return sum(((i + 1) ** n - i**n) / N**n * reward for i, reward in enumerate(chosen))
    return sum(math.comb(i, n - 1) * reward for i, reward in enumerate(chosen)) / math.comb(N, n)


def _best_all_subsets(proxy: Sequence[float], true: Sequence[float], n: int) -> float:
    if n < 1 or n > len(proxy):
        raise ValueError("n must be 1 to the number of replies")
    winners = [true[max(subset, key=proxy.__getitem__)] for subset in combinations(range(len(proxy)), n)]
    return sum(winners) / len(winners)


def _best_by_chances(proxy: Sequence[float], true: Sequence[float], n: int) -> float:
    if not 0 < n <= len(proxy):
        raise ValueError("n out of range")
    left, value, places = 1.0, 0.0, sorted(range(len(proxy)), key=lambda i: -proxy[i])
    for rank, place in enumerate(places):  # is the best in the draw? if not, the second best, ...
        chance = n / (len(proxy) - rank)
        chance = min(1.0, chance)
        value += left * chance * true[place]
        left *= 1.0 - chance
    return value


task = Task(
    expected_best,
    points=3,
    difficulty=4,
    minutes=25,
    cases=cases,
    slips=(
        Slip(
            "by_true",
            partial(_best_wrong, how="by_true"),
            "The winner was picked by its true reward. Nobody knows that one: the proxy picks, the truth is what you "
            "get.",
        ),
        Slip(
            "proxy",
            partial(_best_wrong, how="proxy"),
            "What came back is the proxy reward of the winner. The proxy picks; report the true reward of its pick.",
        ),
        Slip(
            "top_mean",
            partial(_best_wrong, how="top_mean"),
            "That is the mean of the n best of all. Draw n of the N, take the best of those, and average over all "
            "such draws.",
        ),
        Slip(
            "first",
            partial(_best_wrong, how="first"),
            "Only the first n replies were looked at: one draw. Average over every choice of n of the N.",
        ),
        Slip(
            "put_back",
            partial(_best_wrong, how="put_back"),
            "That draws with replacement, so that a reply can meet itself. Choose n different ones of the N: "
            "C(i - 1, n - 1) / C(N, n).",
        ),
        Slip(
            "worst",
            partial(_best_wrong, how="worst"),
            "The order is turned around: this is the worst of n. The reply of rank i, counted from the worst, wins if "
            "the other n - 1 are below it.",
        ),
        Slip(
            "unchecked",
            partial(_best_wrong, how="unchecked"),
            "The value is right, but an n of 0 or beyond the number of replies went through. Raise ValueError.",
        ),
    ),
    alternatives=(_best_all_subsets, _best_by_chances),
    hints=(
        "Sort the replies by proxy. In how many of the choices of n does the reply at place i win?",
        "It wins if the other n - 1 all stand below it: math.comb(i, n - 1) choices, i counted from 0 at the worst, of "
        "math.comb(N, n).",
        "ordered = true rewards sorted by proxy; return sum(math.comb(i, n - 1) * r for i, r in enumerate(ordered)) / "
        "math.comb(N, n)",
    ),
    compare=Compare(rtol=1e-9, atol=1e-12),
)
