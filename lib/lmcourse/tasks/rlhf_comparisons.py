"""Tasks of chapter 11, second part: comparisons, rankings, and the best of n."""

import math
from collections.abc import Sequence
from functools import partial
from itertools import combinations

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, case
from lmcourse.tasks.rlhf import CHAPTER, drawer, numbers

# ------------------------------------------------------------------------------------------------- comparison_loss


def _comparison(chosen: Tensor, rejected: Tensor) -> Tensor:
    return -F.logsigmoid(chosen - rejected).mean()


def _comparison_cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)
    return [
        case("the worked example", numbers(1.0986122886681098), numbers(0.0)),
        case("seven pairs", draw(7), draw(7)),
        case("the gradients", draw(5, grad=True), draw(5, grad=True)),
        case("one pair, judged wrongly", numbers(-2.0), numbers(1.5)),
        case("equal rewards", draw(3) * 0 + 0.4, draw(3) * 0 + 0.4),
        case("rewards far apart: no overflow", numbers(-900.0, 900.0), numbers(100.0, 0.0)),
        case("a constant added to all", draw(3) + 50, draw(3) + 50),
        case("float32", single(5), single(5)),
    ]


def _comparison_wrong(chosen: Tensor, rejected: Tensor, *, how: str) -> Tensor:
    difference = chosen - rejected
    if how == "swapped":
        difference = -difference
    if how == "no_log":
        return (1 - difference.sigmoid()).mean()
    if how == "sum":
        return -F.logsigmoid(difference).sum()
    if how == "overflow":
        return -torch.log(torch.sigmoid(difference)).mean()
    if how == "hinge":
        return F.relu(1 - difference).mean()
    if how == "mean_first":
        return -F.logsigmoid(difference.mean())
    if how == "each":
        return -F.logsigmoid(chosen).mean() - F.logsigmoid(-rejected).mean()
    loss = -F.logsigmoid(difference).mean()
    return loss / math.log(2) if how == "bits" else loss


def _comparison_softplus(chosen: Tensor, rejected: Tensor) -> Tensor:
    return torch.mean(F.softplus(rejected - chosen))


def _comparison_softmax(chosen: Tensor, rejected: Tensor) -> Tensor:
    both = torch.stack([chosen, rejected], dim=-1)
    return (torch.logsumexp(both, dim=-1) - chosen).sum() / chosen.numel()


comparison_loss = Task(
    name="comparison_loss",
    chapter=CHAPTER,
    points=2,
    difficulty=1,
    minutes=10,
    cases=_comparison_cases,
    reference=_comparison,
    compare=Compare(rtol=1e-5, atol=1e-7, gradient=True),
    slips=(
        Slip(
            "swapped",
            partial(_comparison_wrong, how="swapped"),
            "Chosen and rejected are swapped: the loss falls when the rejected reply earns more. It is chosen - "
            "rejected inside the sigmoid.",
        ),
        Slip(
            "no_log",
            partial(_comparison_wrong, how="no_log"),
            "That is one minus the probability. The loss is minus its logarithm: a sure mistake must cost much.",
        ),
        Slip("sum", partial(_comparison_wrong, how="sum"), "The pairs were added up; the loss is their mean, in nats."),
        Slip(
            "overflow",
            partial(_comparison_wrong, how="overflow"),
            "For rewards far apart the sigmoid is rounded to 0 and its logarithm is minus infinity. logsigmoid does "
            "both in one step, without rounding in between.",
        ),
        Slip(
            "hinge",
            partial(_comparison_wrong, how="hinge"),
            "That is a hinge: no loss beyond a margin of 1. Bradley and Terry's loss is -log "
            "sigmoid(chosen - rejected).",
        ),
        Slip(
            "mean_first",
            partial(_comparison_wrong, how="mean_first"),
            "The differences were averaged before the logarithm. Each pair has a loss of its own; average those.",
        ),
        Slip(
            "each_alone",
            partial(_comparison_wrong, how="each"),
            "Each reward was pushed to its own side of zero. Only the difference counts: a constant added to all "
            "rewards must change nothing.",
        ),
        Slip(
            "bits",
            partial(_comparison_wrong, how="bits"),
            "That is in bits. Losses are in nats here: the natural logarithm.",
        ),
    ),
    alternatives=(_comparison_softplus, _comparison_softmax),
    hints=(
        "How likely is it, by Bradley and Terry, that the chosen reply is chosen? The loss is minus the log of that.",
        "The probability is sigmoid(chosen - rejected). torch has the logarithm of the sigmoid as one function.",
        "return -F.logsigmoid(chosen - rejected).mean()",
    ),
)

# --------------------------------------------------------------------------------------------------- ranking_pairs


def _ranked(replies: Sequence[str], ranks: Sequence[int]) -> list[tuple[str, str]]:
    pairs = []
    for i in range(len(replies)):
        for j in range(i + 1, len(replies)):
            if ranks[i] < ranks[j]:
                pairs.append((replies[i], replies[j]))
            elif ranks[j] < ranks[i]:
                pairs.append((replies[j], replies[i]))
    return pairs


def _ranked_cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def drawn(n: int, highest: int) -> tuple[list[str], list[int]]:
        names = torch.randperm(26, generator=generator)[:n].tolist()
        return [chr(97 + name) for name in names], torch.randint(1, highest + 1, (n,), generator=generator).tolist()

    order = (torch.randperm(5, generator=generator) + 1).tolist()
    return [
        case("the worked example", ["a", "b", "c"], [2, 1, 2]),
        case("five replies, all of different rank", list("pqrst"), order),
        case("seven replies with ties", *drawn(7, 3)),
        case("best first already", ["x", "y", "z", "w"], [1, 2, 3, 4]),
        case("best last", ["x", "y", "z", "w"], [4, 3, 2, 1]),
        case("all of equal rank", ["x", "y", "z"], [1, 1, 1]),
        case("one reply", ["x"], [1]),
        case("no replies", [], []),
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


pairs_of_ranking = Task(
    name="pairs_of_ranking",
    chapter=CHAPTER,
    points=2,
    difficulty=1,
    minutes=10,
    cases=_ranked_cases,
    reference=_ranked,
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

# --------------------------------------------------------------------------------------------------- expected_best


def _best(proxy: Sequence[float], true: Sequence[float], n: int) -> float:
    N = len(proxy)
    if not 1 <= n <= N:
        raise ValueError(f"`n` must be in 1..{N}, got {n}.")
    ordered = [reward for _, reward in sorted(zip(proxy, true, strict=True), key=lambda pair: pair[0])]
    return sum(math.comb(i, n - 1) * reward for i, reward in enumerate(ordered)) / math.comb(N, n)


def _best_cases(seed: int) -> list[Case]:
    draw = drawer(seed)

    def rewards(count: int) -> tuple[list[float], list[float]]:
        return draw(count).tolist(), draw(count).tolist()

    return [
        case("the worked example", [0.0, 1.0, 2.0], [5.0, 7.0, 6.0], 2),
        case("eleven replies, best of three", *rewards(11), 3),
        case("seven replies, best of five", *rewards(7), 5),
        case("n = 1: the mean", *rewards(5), 1),
        case("all of them: the one that the proxy likes best", *rewards(7), 7),
        case("one reply", *rewards(1), 1),
        case("equal true rewards", draw(5).tolist(), [2.5] * 5, 3),
        case("a proxy that is wrong throughout", [1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0], 2),
        case("n = 0", *rewards(3), 0),
        case("n above the number of replies", *rewards(3), 4),
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


expected_best = Task(
    name="expected_best",
    chapter=CHAPTER,
    points=3,
    difficulty=4,
    minutes=25,
    cases=_best_cases,
    reference=_best,
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
