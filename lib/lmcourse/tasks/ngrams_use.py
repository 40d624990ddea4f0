"""Tasks of chapter 01, sixth part: measuring a language model, and sampling from it."""

import math
from collections.abc import Sequence
from functools import partial
from itertools import accumulate

import numpy as np

from lmcourse.exercises import Case, Slip, Task, case
from lmcourse.tasks.ngrams import CHAPTER, WORDS
from lmcourse.training.metrics import bits_per_byte as bits_per_byte_of_totals

# ----------------------------------------------------------------------------------------------------- perplexity


def _perplexity(probs: Sequence[float]) -> float:
    if not probs or not all(0 <= prob <= 1 for prob in probs):
        raise ValueError("`probs` must hold at least one probability, each from 0 to 1.")
    if min(probs) == 0:
        return math.inf
    return math.exp(-sum(math.log(prob) for prob in probs) / len(probs))


def _perplexity_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    ordinary = [float(prob) for prob in rng.uniform(0.01, 0.9, size=23)]
    long = [float(prob) for prob in rng.uniform(0.001, 0.02, size=1009)]
    return [
        case("the worked example", [0.5, 0.25, 0.125]),
        case("23 tokens", ordinary),
        case("one token", [float(rng.uniform(0.1, 0.9))]),
        case("equal chances among 10", [0.1] * 7),
        case("certainty", [1.0, 1.0, 1.0, 1.0, 1.0]),
        case("1,009 tokens, whose product is below the smallest float", long),
        case("a token that got probability 0", [0.5, 0.0, 0.25]),
        case("no tokens", []),
        case("a number above 1", [0.5, 1.5]),
        case("a number below 0", [0.5, -0.5]),
    ]


def _perplexity_wrong(probs: Sequence[float], *, how: str) -> float:
    if how not in ("unchecked", "log_of_zero"):
        _perplexity(probs)  # the same checks
    array = np.array(probs, dtype=float)
    nats = -np.log(array)
    if how == "log_of_zero":
        if not len(array) or not all(0 <= prob <= 1 for prob in probs):
            raise ValueError("probs")
        return math.exp(-sum(math.log(prob) for prob in probs) / len(probs))
    return float(
        {
            "entropy": nats.mean(),
            "bits": nats.mean() / math.log(2),
            "mean_of_inverses": (1 / array).mean(),
            "inverse_of_mean": 1 / array.mean(),
            "no_mean": np.exp(nats.sum()),
            "two_to_the_nats": 2 ** nats.mean(),
            "upside_down": np.exp(-nats.mean()),
            "product": np.prod(array) ** (-1 / max(1, len(array))),
            "unchecked": np.exp(nats.mean()),
        }[how]
    )


def _perplexity_in_bits(probs: Sequence[float]) -> float:
    if len(probs) == 0 or min(probs) < 0 or max(probs) > 1:
        raise ValueError("these are not probabilities")
    with np.errstate(divide="ignore"):
        return float(2 ** -np.log2(np.array(probs)).mean())


def _perplexity_by_roots(probs: Sequence[float]) -> float:
    if len(probs) < 1 or any(prob < 0 or prob > 1 for prob in probs):
        raise ValueError("probs")
    value = 1.0
    for prob in probs:
        if prob == 0:
            return math.inf
        value *= prob ** (-1 / len(probs))
    return value


perplexity = Task(
    name="perplexity",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=10,
    cases=_perplexity_cases,
    reference=_perplexity,
    slips=(
        Slip(
            "entropy_in_nats",
            partial(_perplexity_wrong, how="entropy"),
            "This is the mean of -log p, the cross-entropy in nats. Perplexity is exp of it: the number of equally "
            "likely words that would puzzle the model as much.",
        ),
        Slip(
            "entropy_in_bits",
            partial(_perplexity_wrong, how="bits"),
            "This is the cross-entropy in bits. Perplexity is 2 to that power (or exp of the same thing in nats).",
        ),
        Slip(
            "mean_of_inverses",
            partial(_perplexity_wrong, how="mean_of_inverses"),
            "This is the mean of 1 / p. Perplexity is the geometric mean of 1 / p: average the logarithms, and take "
            "exp at the end.",
        ),
        Slip(
            "inverse_of_the_mean",
            partial(_perplexity_wrong, how="inverse_of_mean"),
            "This is 1 over the mean probability, so one good guess hides many bad ones. Average the logarithms of the "
            "probabilities, not the probabilities.",
        ),
        Slip(
            "no_mean",
            partial(_perplexity_wrong, how="no_mean"),
            "The logarithms were summed but not divided by the number of tokens, so a longer text looks worse. Take "
            "the mean.",
        ),
        Slip(
            "mixed_bases",
            partial(_perplexity_wrong, how="two_to_the_nats"),
            "2 was raised to a power in nats. Stay with one base: exp with log, or 2 ** with log2.",
        ),
        Slip(
            "upside_down",
            partial(_perplexity_wrong, how="upside_down"),
            "The minus sign is missing: this is the geometric mean of the probabilities, which is 1 / perplexity.",
        ),
        Slip(
            "product_underflows",
            partial(_perplexity_wrong, how="product"),
            "The product of a thousand small probabilities is below the smallest float and becomes 0, and the "
            "perplexity infinite. Sum logarithms instead of multiplying.",
        ),
        Slip(
            "log_of_zero",
            partial(_perplexity_wrong, how="log_of_zero"),
            "math.log(0) stops with an error. A model that gave 0 to a token that came has infinite perplexity: return "
            "math.inf.",
        ),
        Slip(
            "unchecked",
            partial(_perplexity_wrong, how="unchecked"),
            "The formula is right, but an empty list or a number outside 0 to 1 gave NaN or nonsense. Raise "
            "ValueError: those are not probabilities of tokens.",
        ),
    ),
    alternatives=(_perplexity_in_bits, _perplexity_by_roots),
    hints=(
        "How surprised is the model at a token, and how surprised is it on average? Then undo the logarithm.",
        "exp of the mean of -log p. A product of many probabilities underflows, a sum of logarithms does not.",
        "if 0 in probs: return math.inf; return math.exp(-sum(math.log(p) for p in probs) / len(probs)); before that, "
        "ValueError if probs is empty or any p is outside 0 to 1.",
    ),
)


# -------------------------------------------------------------------------------------------------- bits_per_byte


def _bits_per_byte(log_probs: Sequence[float], text: str) -> float:
    if not text:
        raise ValueError("`text` must hold at least one character, got none.")
    return bits_per_byte_of_totals(-math.fsum(log_probs), len(text.encode("utf-8")))


def _bits_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def nats(n_tokens: int) -> list[float]:
        return [-float(value) for value in rng.exponential(2.0, size=n_tokens)]

    words = " ".join(WORDS[int(word)] for word in rng.integers(0, len(WORDS), size=17))
    return [
        case("the worked example", [math.log(0.5), math.log(0.125)], "sun."),
        case("17 words", nats(17), words),
        case("one token a character", nats(len(words)), words),
        case("one token", nats(1), "moonlight"),
        case("letters of two bytes", nats(5), "Käse, Brötchen und Öl"),
        case("a sign of four bytes", nats(2), "ok \N{SLIGHTLY SMILING FACE}"),
        case("certainty", [0.0, 0.0, 0.0], "sea"),
        case("a token that got probability 0", [math.log(0.5), -math.inf], "tea"),
        case("an empty text", [], ""),
    ]


def _bits_wrong(
    log_probs: Sequence[float], text: str, *, unit: float = math.log(2), sign: int = -1, below: str = "bytes"
) -> float:
    if not text:
        raise ValueError("text")
    size = {
        "bytes": len(text.encode()),
        "characters": len(text),
        "tokens": len(log_probs),
        "words": len(text.split()),
        "bits": 8 * len(text.encode()),
    }[below]
    return sign * sum(log_probs) / unit / size


def _bits_per_byte_unchecked(log_probs: Sequence[float], text: str) -> float:
    return -sum(log_probs) / math.log(2) / len(text.encode())


def _bits_by_numpy(log_probs: Sequence[float], text: str) -> float:
    n_bytes = np.frombuffer(text.encode("utf-8"), dtype=np.uint8).size
    if n_bytes == 0:
        raise ValueError("nothing to measure")
    return float(np.sum(-np.array(log_probs) * np.log2(np.e)) / n_bytes)


def _bits_by_loop(log_probs: Sequence[float], text: str) -> float:
    if len(text) == 0:
        raise ValueError("empty text")
    bits = 0.0
    for log_prob in log_probs:
        bits -= math.log2(math.e) * log_prob
    return bits / sum(len(character.encode("utf-8")) for character in text)


bits_per_byte = Task(
    name="bits_per_byte",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=10,
    cases=_bits_cases,
    reference=_bits_per_byte,
    slips=(
        Slip(
            "per_character",
            partial(_bits_wrong, below="characters"),
            "This divides by the number of characters. Outside ASCII a character takes two to four bytes in UTF-8: "
            'divide by len(text.encode("utf-8")).',
        ),
        Slip(
            "per_token",
            partial(_bits_wrong, below="tokens"),
            "This divides by the number of tokens, so it is bits per token. Models that cut the text into different "
            "tokens can only be compared per byte.",
        ),
        Slip(
            "per_word",
            partial(_bits_wrong, below="words"),
            "This divides by the number of words in the text. Bytes are wanted, for they are the same for every way of "
            "cutting the text.",
        ),
        Slip(
            "nats",
            partial(_bits_wrong, unit=1.0),
            "These are nats per byte: the logarithms have base e. A bit is log(2) = 0.693 nats, so divide by "
            "math.log(2).",
        ),
        Slip(
            "times_log_two",
            partial(_bits_wrong, unit=1 / math.log(2)),
            "This multiplies by log(2). A bit is smaller than a nat, so the number of bits is larger: divide by "
            "math.log(2).",
        ),
        Slip(
            "negative",
            partial(_bits_wrong, sign=1),
            "The sign is the wrong way round. Log-probabilities are 0 or below, and the cost in bits is their sum with "
            "a minus.",
        ),
        Slip(
            "eight_bits_to_a_byte",
            partial(_bits_wrong, below="bits"),
            "This divides by 8 times the bytes: the share of the file's bits that are needed. Bits per byte runs up to "
            "8 or more; leave out the 8.",
        ),
        Slip(
            "empty_text",
            _bits_per_byte_unchecked,
            "An empty text has no bytes to divide by, and the division stops. Raise ValueError with a message that "
            "says so.",
        ),
    ),
    alternatives=(_bits_by_numpy, _bits_by_loop),
    hints=(
        "What does the whole text cost, in bits? And how many bytes is it long?",
        "The cost in nats is -sum(log_probs); one bit is math.log(2) nats. UTF-8 bytes are counted on text.encode().",
        'return -sum(log_probs) / math.log(2) / len(text.encode("utf-8")), after ValueError for an empty text.',
    ),
)


# ---------------------------------------------------------------------------------------------------- sample_next

_NEXT = {"directories": 0.2, "files": 0.3, "photos": 0.5}


def _sample_next(probs: dict[str, float], u: float) -> str:
    if not probs or not 0 <= u < 1:
        raise ValueError(f"`probs` must not be empty and `u` must be in [0, 1), got {len(probs)} words and u={u}.")
    for word, reached in zip(probs, accumulate(probs.values()), strict=True):
        if u < reached:
            return word
    return [word for word, prob in probs.items() if prob > 0][-1]


def _sample_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.ones(13))
    many = {word: float(share) for word, share in zip(WORDS, shares, strict=True)}
    quarters = {"sun": 0.25, "moon": 0.25, "rain": 0.5}
    tenths = dict.fromkeys(WORDS[:10], 0.1) | {"never": 0.0}
    return [
        case("the worked example", _NEXT, 0.4),
        *(case(f"13 words, draw {draw}", many, float(rng.random())) for draw in (1, 2, 3, 5, 7)),
        case("the smallest u", _NEXT, 0.0),
        case("u near 1", _NEXT, 0.999),
        case("u on the border of two words", quarters, 0.25),
        case("u on the next border", quarters, 0.5),
        case("a first word with probability 0", {"never": 0.0, "sun": 0.5, "moon": 0.5}, 0.0),
        case("the likeliest word first", {"sun": 0.5, "moon": 0.1, "rain": 0.4}, 0.55),
        case("a sum that rounds to less than 1", tenths, 1 - 2**-53),
        case("one word", {"sun": 1.0}, float(rng.random())),
        case("u = 1", _NEXT, 1.0),
        case("u below 0", _NEXT, -0.1),
        case("no words", {}, 0.5),
    ]


def _sample_wrong(probs: dict[str, float], u: float, *, how: str) -> str | None:
    if how not in ("unchecked", "bare_loop"):
        _sample_next(probs, u)  # the same checks
    words, values = list(probs), np.array(list(probs.values()))
    if how == "likeliest":
        return max(probs, key=lambda word: probs[word])
    if how == "not_cumulative":
        return next((word for word, prob in probs.items() if u < prob), words[-1])
    if how == "nearest":
        return words[int(np.argmin(np.abs(values - u)))]
    if how == "by_size":
        return _sample_next(dict(sorted(probs.items(), key=lambda item: -item[1])), u)
    if how == "uniform":
        return words[int(u * len(words))]
    reached = 0.0
    for word, prob in probs.items():
        reached += prob
        if (u <= reached) if how == "border" else (u < reached):
            return word
    if how == "last_of_all":
        return words[-1]
    return None if how in ("falls_off", "bare_loop") else [word for word, prob in probs.items() if prob > 0][-1]


def _sample_late(probs: dict[str, float], u: float) -> str:
    _sample_next(probs, u)
    reached, chosen = 0.0, ""
    for word, prob in probs.items():
        chosen = word
        if u < reached:
            break
        reached += prob
    return chosen


def _sample_by_search(probs: dict[str, float], u: float) -> str:
    if len(probs) == 0 or u < 0 or u >= 1:
        raise ValueError("u or probs")
    possible = {word: prob for word, prob in probs.items() if prob > 0}
    at = int(np.searchsorted(np.cumsum(list(possible.values())), u, side="right"))
    return list(possible)[min(at, len(possible) - 1)]


def _sample_by_subtraction(probs: dict[str, float], u: float) -> str:
    if not (0 <= u < 1 and probs):
        raise ValueError("nothing to draw")
    edges = [0.0]
    for prob in probs.values():
        edges.append(edges[-1] + prob)
    below = [word for word, left, right in zip(probs, edges, edges[1:], strict=False) if left <= u and right > left]
    return below[-1]


sample_next = Task(
    name="sample_next",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=15,
    cases=_sample_cases,
    reference=_sample_next,
    slips=(
        Slip(
            "likeliest",
            partial(_sample_wrong, how="likeliest"),
            "This returns the likeliest word whatever u is. That is greedy choice; a sample takes each word as often "
            "as its probability says.",
        ),
        Slip(
            "not_cumulative",
            partial(_sample_wrong, how="not_cumulative"),
            "u was compared with each probability alone. Compare it with the running sum: the first word whose running "
            "sum is above u.",
        ),
        Slip(
            "nearest",
            partial(_sample_wrong, how="nearest"),
            "This returns the word whose probability is nearest to u. u is a place on a line of length 1, on which "
            "each word holds a piece as long as its probability.",
        ),
        Slip(
            "sorted_by_probability",
            partial(_sample_wrong, how="by_size"),
            "The words were sorted by probability first. As a sampler that is fair, but the exercise fixes the order: "
            "that of the dict, so that the same u gives everyone the same word.",
        ),
        Slip(
            "uniform",
            partial(_sample_wrong, how="uniform"),
            "All words were drawn with the same chance. Their probabilities must decide how long a piece of the line "
            "each one holds.",
        ),
        Slip(
            "border",
            partial(_sample_wrong, how="border"),
            "On a border between two words the earlier one was taken, and at u = 0 a word of probability 0 can come. "
            "A piece is [left, right): take the first word with u < running sum.",
        ),
        Slip(
            "one_too_late",
            _sample_late,
            "The word after the right one is returned: the running sum was tested before this word's own probability "
            "was added.",
        ),
        Slip(
            "falls_off_the_end",
            partial(_sample_wrong, how="falls_off"),
            "Ten times 0.1 sums to a little less than 1 in floating point, so no running sum was above u and the "
            "function returned None. After the loop, return the last word with a probability above 0.",
        ),
        Slip(
            "last_of_all",
            partial(_sample_wrong, how="last_of_all"),
            "After the loop the last word was returned although its probability is 0. Return the last one with a "
            "probability above 0.",
        ),
        Slip(
            "unchecked",
            partial(_sample_wrong, how="unchecked"),
            "The draws are right, but u outside [0, 1), or an empty dict, was accepted. Check the arguments first and "
            "raise ValueError.",
        ),
        Slip(
            "bare_loop",
            partial(_sample_wrong, how="bare_loop"),
            "The running sum is right. Two things are missing: ValueError for an empty dict or u outside [0, 1), and a "
            "word to return when the sum rounds to a little less than 1 and the loop ends without one.",
        ),
    ),
    alternatives=(_sample_by_search, _sample_by_subtraction),
    hints=(
        "Lay the words on a line from 0 to 1, each with a piece as long as its probability. Whose piece holds u?",
        "Keep a running sum of the probabilities, in the order of the dict; the first word with u < running sum is it. "
        "Mind sums that round to a little less than 1.",
        "reached = 0.0; for word, p in probs.items(): reached += p; if u < reached: return word. After the loop return "
        "the last word with p > 0. Before it, ValueError unless probs and 0 <= u < 1.",
    ),
)
