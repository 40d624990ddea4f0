"""Tasks of chapter 02, fourth part: what skip-gram learns from, and its loss."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, case
from lmcourse.tasks.embeddings import CHAPTER

Pairs = list[tuple[str, str]]

# ------------------------------------------------------------------------------------------------------ near_pairs


def _near_pairs(words: Sequence[str], window: int) -> Pairs:
    if window < 1:
        raise ValueError(f"`window` must be at least 1, got window={window}.")
    return [
        (words[place], words[other])
        for place in range(len(words))
        for other in range(max(place - window, 0), min(place + window + 1, len(words)))
        if other != place
    ]


def _pairs_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    letters = [chr(97 + int(place)) for place in rng.permutation(26)]
    return [
        case("the worked example", ["to", "be", "or", "not"], 2),
        case("eleven words, window 3", letters[:11], 3),
        case("seven words, window 1", letters[:7], 1),
        case("a word that stands beside itself", [letters[0], letters[0], letters[1]], 1),
        case("a word that comes twice within the window", [letters[2], letters[3], letters[2]], 2),
        case("a window wider than the text: shorter than the window", letters[:3], 7),
        case("two words", letters[:2], 1),
        case("one word", letters[:1], 3),
        case("no words", [], 2),
        case("window 0", letters[:3], 0),
    ]


def _pairs_wrong(words: Sequence[str], window: int, *, how: str) -> Pairs:
    pairs = _near_pairs(words, window)
    n = len(words)
    if how == "swapped":
        return [(context, centre) for centre, context in pairs]
    if how == "by_distance":
        both = ((i, i + sign * far) for far in range(1, window + 1) for i in range(n) for sign in (-1, 1))
        return [(words[i], words[j]) for i, j in both if 0 <= j < n]
    keep = {
        "right_only": lambda i, j: i < j <= i + window,
        "with_itself": lambda i, j: abs(i - j) <= window,
        "one_short": lambda i, j: i != j and i - window <= j < i + window,
        "exactly": lambda i, j: abs(i - j) == window,
        "everywhere": lambda i, j: i != j,
        "equal_words": lambda i, j: words[i] != words[j] and abs(i - j) <= window,
        # words[i - window : i] is empty when i - window is negative
        "negative_start": lambda i, j: i < j <= i + window or (j < i and i >= window and j >= i - window),
    }[how]
    return [(words[i], words[j]) for i in range(n) for j in range(n) if keep(i, j)]


def _pairs_by_slices(words: Sequence[str], window: int) -> Pairs:
    if window <= 0:
        raise ValueError("window")
    found: Pairs = []
    for place, centre in enumerate(words):
        around = [*words[max(0, place - window) : place], *words[place + 1 : place + 1 + window]]
        found.extend((centre, other) for other in around)
    return found


def _pairs_by_padding(words: Sequence[str], window: int) -> Pairs:
    if not window > 0:
        raise ValueError("window")
    padded: list[str | None] = [None] * window + list(words) + [None] * window
    found: Pairs = []
    for place in range(window, window + len(words)):
        for step in [*range(-window, 0), *range(1, window + 1)]:
            centre, other = padded[place], padded[place + step]
            if centre is not None and other is not None:
                found += [(centre, other)]
    return found


near_pairs = Task(
    name="near_pairs",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=15,
    cases=_pairs_cases,
    reference=_near_pairs,
    slips=(
        Slip(
            "right_only",
            partial(_pairs_wrong, how="right_only"),
            "Only the words after each centre are here. The window reaches to both sides.",
        ),
        Slip(
            "with_itself",
            partial(_pairs_wrong, how="with_itself"),
            "Each word is paired with itself. A word is not its own context: leave its own place out.",
        ),
        Slip(
            "one_short",
            partial(_pairs_wrong, how="one_short"),
            "On the right one word is missing: range(a, b) stops before b, so the end has to be place + window + 1.",
        ),
        Slip(
            "exactly",
            partial(_pairs_wrong, how="exactly"),
            "Only words exactly `window` apart are paired. All that are at most that far apart belong together.",
        ),
        Slip(
            "everywhere",
            partial(_pairs_wrong, how="everywhere"),
            "All words were paired with all others. Only those at most `window` places apart belong together.",
        ),
        Slip(
            "equal_words",
            partial(_pairs_wrong, how="equal_words"),
            "Two equal words near each other were left out. Compare places, not words: a word can stand near itself.",
        ),
        Slip(
            "negative_start",
            partial(_pairs_wrong, how="negative_start"),
            "Near the beginning the left side is empty: words[place - window : place] starts at a negative number "
            "there, which Python counts from the end. Use max(place - window, 0).",
        ),
        Slip(
            "swapped",
            partial(_pairs_wrong, how="swapped"),
            "Each pair is turned round. The centre comes first, then the word of its context.",
        ),
        Slip(
            "by_distance",
            partial(_pairs_wrong, how="by_distance"),
            "These are the right pairs in another order. Go through the centres from left to right, and for each "
            "centre through its context from left to right.",
        ),
    ),
    alternatives=(_pairs_by_slices, _pairs_by_padding),
    hints=(
        "For the word at place i: which is the first place of its context, and which the last, near the ends too?",
        "Two loops: i over all places, j over range(max(i - window, 0), min(i + window + 1, len(words))).",
        "if window < 1: raise ValueError(...); return [(words[i], words[j]) for i in range(len(words)) "
        "for j in range(max(i - window, 0), min(i + window + 1, len(words))) if j != i]",
    ),
)


# ---------------------------------------------------------------------------------------------------- noise_shares


def _noise_shares(counts: dict[str, int], power: float = 0.75) -> dict[str, float]:
    weights = {word: count**power if count > 0 else 0.0 for word, count in counts.items()}
    total = sum(weights.values())
    if total == 0:
        raise ValueError("`counts` must hold a word that occurs, got none.")
    return {word: weight / total for word, weight in weights.items()}


def _noise_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def counts(n_words: int) -> dict[str, int]:
        return {chr(97 + place): int(count) for place, count in enumerate(rng.zipf(1.5, size=n_words) % 1000 + 1)}

    return [
        case("the worked example", {"the": 16, "sword": 1}),
        case("seven words", {**counts(7), "the": 5000}),
        case("another power", counts(5) | {"x": 100}, power=0.5),
        case("power 1: the plain shares", counts(5) | {"x": 100}, power=1.0),
        case("power 0: all words that occur alike, the others never", {"a": 0, "b": 3, "c": int(rng.integers(5, 99))},
             power=0.0),
        case("a count of zero", {"king": 3, "unicorn": 0, "lord": 5}),
        case("one word", {"king": int(rng.integers(1, 99))}),
        case("equal counts", {"king": 5, "lord": 5, "sword": 5}),
        case("no words", {}),
        case("only zero counts", {"king": 0}),
    ]  # fmt: skip


def _noise_wrong(counts: dict[str, int], power: float = 0.75, *, how: str) -> dict[str, float]:
    right = _noise_shares(counts, power)
    total = sum(counts.values())
    if how == "not_divided":
        return {word: float(count**power if count else 0) for word, count in counts.items()}
    if how == "power_last":
        return {word: (count / total) ** power if count else 0.0 for word, count in counts.items()}
    if how == "always_three_quarters":
        return _noise_shares(counts)
    if how == "zero_to_zero":
        weights = {word: float(count) ** power for word, count in counts.items()}
        return {word: weight / sum(weights.values()) for word, weight in weights.items()}
    if how == "dropped":
        return {word: share for word, share in right.items() if share}
    weight = {
        "plain": lambda count: float(count),
        "times": lambda count: count * power,
        "inverse": lambda count: float(count) ** (-power) if count else 0.0,
        "logarithm": lambda count: float(np.log1p(count)) * power,
    }[how]
    weights = {word: weight(count) for word, count in counts.items()}
    return {word: value / (sum(weights.values()) or 1) for word, value in weights.items()}


def _noise_by_numpy(counts: dict[str, int], power: float = 0.75) -> dict[str, float]:
    values = np.array(list(counts.values()), dtype=float)
    powers = np.where(values > 0, np.power(values, power, where=values > 0, out=np.zeros_like(values)), 0)
    if powers.sum() <= 0:
        raise ValueError("nothing occurs")
    return dict(zip(counts, (powers / powers.sum()).tolist(), strict=True))


def _noise_by_loop(counts: dict[str, int], power: float = 0.75) -> dict[str, float]:
    found, total = {}, 0.0
    for word in counts:
        found[word] = np.exp(power * np.log(counts[word])) if counts[word] else 0.0
        total += found[word]
    if not total:
        raise ValueError("nothing")
    for word in found:
        found[word] = float(found[word] / total)
    return found


noise_shares = Task(
    name="noise_shares",
    chapter=CHAPTER,
    points=2,
    difficulty=1,
    minutes=10,
    cases=_noise_cases,
    reference=_noise_shares,
    slips=(
        Slip(
            "plain",
            partial(_noise_wrong, how="plain"),
            "These are the plain shares. Raise each count to the power first, so that rare words are drawn more often.",
        ),
        Slip(
            "not_divided",
            partial(_noise_wrong, how="not_divided"),
            "The powers are right, but they do not sum to 1. Divide each by the sum of all.",
        ),
        Slip(
            "power_last",
            partial(_noise_wrong, how="power_last"),
            "The power was taken of the shares, and then nothing was divided: these do not sum to 1. Take the power, "
            "then divide by the sum.",
        ),
        Slip(
            "times",
            partial(_noise_wrong, how="times"),
            "The counts were multiplied with the power, which cancels in the division. Raise to it: count ** power.",
        ),
        Slip(
            "inverse",
            partial(_noise_wrong, how="inverse"),
            "The rarest words come most often here: the power is negative. They should be lifted, not put on top.",
        ),
        Slip(
            "logarithm",
            partial(_noise_wrong, how="logarithm"),
            "Logarithms of the counts were taken. They flatten much more than the power 0.75 does.",
        ),
        Slip(
            "always_three_quarters",
            partial(_noise_wrong, how="always_three_quarters"),
            "The power is always 0.75. Use the argument.",
        ),
        Slip(
            "zero_to_zero",
            partial(_noise_wrong, how="zero_to_zero"),
            "With power 0 a word that never occurs is drawn, because 0 ** 0 is 1. A count of 0 must keep the share 0.",
        ),
        Slip(
            "dropped",
            partial(_noise_wrong, how="dropped"),
            "Words with a count of 0 were dropped. Keep them, with the share 0.",
        ),
    ),
    alternatives=(_noise_by_numpy, _noise_by_loop),
    hints=(
        "Two steps: a weight for each word, then all weights divided by their sum.",
        "count ** power is the weight; but 0 ** 0 is 1, so a count of 0 needs a case of its own.",
        "weights = {w: c**power if c else 0.0 for w, c in counts.items()}; total = sum(weights.values()); raise "
        "ValueError if it is 0; return {w: x / total for w, x in weights.items()}",
    ),
)


# ------------------------------------------------------------------------------------------ negative_sampling_loss


def _negative_sampling_loss(centre: Tensor, context: Tensor, noise: Tensor) -> Tensor:
    true_scores = (context * centre).sum(-1)  # (B,)
    noise_scores = torch.einsum("bkd,bd->bk", noise, centre)
    return -(F.logsigmoid(true_scores) + F.logsigmoid(-noise_scores).sum(1)).mean()


def _loss_cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def vectors(label: str, B: int, K: int, D: int, dtype: torch.dtype = torch.float64, size: float = 1.0) -> Case:
        def table(*shape: int) -> Tensor:
            return (size * torch.randn(*shape, generator=generator, dtype=torch.float64)).to(dtype).requires_grad_()

        return case(label, table(B, D), table(B, D), table(B, K, D))

    def column(*numbers: float) -> Tensor:
        return torch.tensor(numbers, dtype=torch.float64).unsqueeze(1)

    return [
        case("the worked example", column(2.0), column(1.5), column(0.5, -1.0).unsqueeze(0)),
        vectors("three pairs, five noise words each", 3, 5, 7),
        vectors("as many pairs as noise words as numbers", 3, 3, 3),
        vectors("eleven pairs", 11, 2, 5),
        vectors("one pair", 1, 5, 3),
        vectors("one noise word", 5, 1, 7),
        vectors("float32", 3, 5, 7, torch.float32),
        vectors("scores of some thousands, where exp is 0 or infinite", 5, 3, 7, size=30.0),
    ]


def _loss_wrong(centre: Tensor, context: Tensor, noise: Tensor, *, how: str) -> Tensor:
    true, false = (context * centre).sum(-1), (noise @ centre.unsqueeze(-1)).squeeze(-1)
    good, bad = F.logsigmoid(true), F.logsigmoid(-false)
    return {
        "sign": lambda: (good + bad.sum(1)).mean(),
        "noise_as_true": lambda: -(good + F.logsigmoid(false).sum(1)).mean(),
        "mean_noise": lambda: -(good + bad.mean(1)).mean(),
        "summed": lambda: -(good + bad.sum(1)).sum(),
        "true_only": lambda: -good.mean(),
        "noise_only": lambda: -bad.sum(1).mean(),
        "overflow": lambda: -(torch.sigmoid(true).log() + torch.sigmoid(-false).log().sum(1)).mean(),
        "softmax": lambda: -torch.cat([true[:, None], false], 1).log_softmax(1)[:, 0].mean(),
        "no_log": lambda: -(torch.sigmoid(true) + torch.sigmoid(-false).sum(1)).mean(),
        "detached": lambda: (
            -(
                F.logsigmoid((context * centre).sum(-1))
                + F.logsigmoid(-torch.einsum("bkd,bd->bk", noise.detach(), centre)).sum(1)
            ).mean()
        ),
    }[how]()


def _loss_by_softplus(centre: Tensor, context: Tensor, noise: Tensor) -> Tensor:
    per_pair = F.softplus(-torch.einsum("bd,bd->b", centre, context))
    return (per_pair + F.softplus((noise * centre[:, None]).sum(2)).sum(1)).mean()


def _loss_by_bce(centre: Tensor, context: Tensor, noise: Tensor) -> Tensor:
    words = torch.cat([context.unsqueeze(1), noise], dim=1)
    scores = torch.bmm(words, centre.unsqueeze(2)).squeeze(2)
    labels = torch.zeros_like(scores)
    labels[:, 0] = 1
    return F.binary_cross_entropy_with_logits(scores, labels, reduction="sum") / len(centre)


negative_sampling_loss = Task(
    name="negative_sampling_loss",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=20,
    cases=_loss_cases,
    reference=_negative_sampling_loss,
    compare=Compare(rtol=1e-5, atol=1e-7, gradient=True),
    slips=(
        Slip(
            "sign",
            partial(_loss_wrong, how="sign"),
            "This is the logarithm of the probability, which should be large. A loss is its negative.",
        ),
        Slip(
            "noise_as_true",
            partial(_loss_wrong, how="noise_as_true"),
            "The noise words are rewarded like the true one. Their score enters with a minus: sigmoid(-score) is the "
            "probability that a word is noise.",
        ),
        Slip(
            "mean_noise",
            partial(_loss_wrong, how="mean_noise"),
            "The K noise words of a pair were averaged. They are added: each is a decision of its own.",
        ),
        Slip(
            "summed",
            partial(_loss_wrong, how="summed"),
            "The losses of the pairs were added. Take their mean, so that the loss does not grow with the batch.",
        ),
        Slip(
            "true_only",
            partial(_loss_wrong, how="true_only"),
            "The noise words are missing. Without them the loss falls to 0 by making all vectors alike and long.",
        ),
        Slip(
            "noise_only",
            partial(_loss_wrong, how="noise_only"),
            "The word that really was near is missing: its term -log sigmoid(u . v) comes first.",
        ),
        Slip(
            "overflow",
            partial(_loss_wrong, how="overflow"),
            "Right on paper, but sigmoid(-2000) is 0 in a computer, and log 0 is minus infinity. F.logsigmoid computes "
            "both steps in one without that.",
        ),
        Slip(
            "softmax",
            partial(_loss_wrong, how="softmax"),
            "This is a softmax over the true word and the noise. Negative sampling makes K + 1 separate yes-or-no "
            "decisions, each with a sigmoid.",
        ),
        Slip(
            "no_log",
            partial(_loss_wrong, how="no_log"),
            "The logarithms are missing: these are probabilities, added up. Take the log of each.",
        ),
        Slip(
            "detached",
            partial(_loss_wrong, how="detached"),
            "The value is right, but no gradient reaches the noise words. They learn too: they are pushed away.",
        ),
    ),
    alternatives=(_loss_by_softplus, _loss_by_bce),
    hints=(
        "K + 1 yes-or-no questions a pair. What are the scores, and which of them should be large?",
        "True score: (context * centre).sum(-1). Noise scores: (noise @ centre.unsqueeze(-1)).squeeze(-1), shape "
        "(B, K). F.logsigmoid is the safe logarithm of the sigmoid.",
        "return -(F.logsigmoid(true) + F.logsigmoid(-noise_scores).sum(1)).mean()",
    ),
)
