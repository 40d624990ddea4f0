"""Exercise `noise_shares`."""

from functools import partial

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case


def noise_shares(counts, power=0.75):
    """Return the probability with which each word is drawn as noise.

    Args:
        counts: a dict from word to how often it occurs, an int; it may be 0.
        power: what counts are raised to, 0 or more.

    Returns:
        A dict from word to its share, for all words; the shares sum to 1, and a word with the count 0 has the share 0.

    Raises:
        ValueError: no word occurs.

    >>> {word: round(share, 4) for word, share in noise_shares({"the": 16, "sword": 1}).items()}
    {'the': 0.8889, 'sword': 0.1111}
    """
    weights = {word: count**power if count > 0 else 0.0 for word, count in counts.items()}
    total = sum(weights.values())
    if total == 0:
        raise ValueError("`counts` must hold a word that occurs, got none.")
    return {word: weight / total for word, weight in weights.items()}


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def counts(n_words: int) -> dict[str, int]:
        return {chr(97 + place): int(count) for place, count in enumerate(rng.zipf(1.5, size=n_words) % 1000 + 1)}

    return [
        case("the worked example", {"the": 16, "sword": 1}),
        case("seven words", {**counts(7), "the": 5000}),
        case("another power", counts(5) | {"x": 100}, power=0.5),
        border("power 1: the plain shares", counts(5) | {"x": 100}, power=1.0),
        border("power 0: all words that occur alike, the others never", {"a": 0, "b": 3, "c": int(rng.integers(5, 99))},
             power=0.0),
        border("a count of zero", {"king": 3, "unicorn": 0, "lord": 5}),
        border("one word", {"king": int(rng.integers(1, 99))}),
        border("equal counts", {"king": 5, "lord": 5, "sword": 5}),
        border("no words", {}),
        border("only zero counts", {"king": 0}),
    ]  # fmt: skip


def _noise_wrong(counts: dict[str, int], power: float = 0.75, *, how: str) -> dict[str, float]:
    right = noise_shares(counts, power)
    total = sum(counts.values())
    if how == "not_divided":
        return {word: float(count**power if count else 0) for word, count in counts.items()}
    if how == "power_last":
        return {word: (count / total) ** power if count else 0.0 for word, count in counts.items()}
    if how == "always_three_quarters":
        return noise_shares(counts)
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


task = Task(
    noise_shares,
    points=2,
    difficulty=1,
    minutes=10,
    cases=cases,
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
