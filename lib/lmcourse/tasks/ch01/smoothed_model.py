"""Project `SmoothedModel`: a character model that is counted and smoothed as the learner likes, and its bits per byte.

How well it predicts is judged on texts that nobody has seen: the language is drawn from the seed, and how a prefix goes
on only the judge knows. The bar is the best add-k model of any order, chosen with these very answers at hand.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from lmcourse.exercises import Case, Task, evidence_is, hints, mistakes, probe, properties
from lmcourse.tasks.ch01.shared import ALPHABET, invented_language


class SmoothedModel:
    """A language model of characters, with any smoothing that you like.

    Args:
        alphabet: all V characters that a text may hold, a str. A text need not hold all of them.

    >>> model = SmoothedModel("abn")
    >>> model.fit("banana")
    >>> round(sum(model.prob(character, "ban") for character in "abn"), 9)
    1.0
    >>> model.prob("a", "ban") > model.prob("b", "ban") > 0
    True
    """

    def __init__(self, alphabet):
        self.alphabet = alphabet

    def fit(self, text):
        """Learn from a text. Whatever was fitted before is forgotten.

        Args:
            text: at least one character.
        """
        order = 5
        counts = [defaultdict(Counter) for _ in range(order)]  # [n][history of n characters][character]
        for n in range(order):
            for t in range(n, len(text)):
                counts[n][text[t - n : t]][text[t]] += 1
        for n in range(order - 1):  # Kneser and Ney: below the highest order, count the different characters before it
            counts[n].clear()
            for history, followers in counts[n + 1].items():
                for character in followers:
                    counts[n][history[1:]][character] += 1
        self.tables = [
            {history: (followers, sum(followers.values())) for history, followers in table.items()} for table in counts
        ]

    def prob(self, character, context):
        """Return the probability of a character after the text before it.

        Args:
            character: one of the alphabet.
            context: all of the text before it, a str of any length; "" at the start. How much of it counts is up to
                you.

        Returns:
            A float above 0. The probabilities of all V characters after one context sum to 1.
        """
        discount = 0.75
        p = 1 / len(self.alphabet)
        for n, table in enumerate(self.tables[: len(context) + 1]):
            followers, total = table.get(context[len(context) - n :], ({}, 0))
            if total:
                kept = max(followers.get(character, 0) - discount, 0)
                p = (kept + discount * len(followers) * p) / total
        return p

    def bits_per_byte(self, text):
        """Return what a text costs: the bits of all its characters, each predicted from all before it, by its bytes.

        Args:
            text: at least one character; the first one is predicted from "".
        """
        bits = -sum(math.log2(self.prob(text[t], text[:t])) for t in range(len(text)))
        return bits / len(text.encode("utf-8"))


# ----------------------------------------------------------------------------------- what is asked, where the answer is


def use(answer: Callable[..., Any], asked: str, alphabet: str, text: str, *given: Any) -> Any:
    """What a model that was fitted to the text gives: numbers for the judge, who knows what they should be."""
    model = answer(alphabet)
    model.fit(text)
    if asked == "bits":
        (read,) = given
        bits = float(model.bits_per_byte(read))
        return {"bits": bits, "probs": _probs(model, alphabet, [read[:t] for t in range(len(read))])}
    contexts = given[0]
    probs = _probs(model, alphabet, contexts)
    if asked == "probs":
        return probs
    other = answer(alphabet)
    other.fit(given[1])
    evidence = {"first": probs, "again": _probs(model, alphabet, contexts)}
    model.fit(given[1])
    return evidence | {"other": _probs(other, alphabet, contexts), "refitted": _probs(model, alphabet, contexts)}


def _probs(model: Any, alphabet: str, contexts: list[str]) -> np.ndarray:
    """One row a context, one column a character: as an array, for a sandbox lets few single numbers out."""
    return np.array([[float(model.prob(character, context)) for character in alphabet] for context in contexts])


# ----------------------------------------------------------------------------------------------- what is judged outside

_SUM, _SAME, _FACTOR, _SHORT = 1e-6, 1e-9, 1.5, 30


def judge(item: Case, evidence: Any) -> str | None:
    """What is wrong with the evidence of a case, or None."""
    kind = dict if item.of in ("afresh", "bits") else np.ndarray
    evidence_is(kind, evidence)
    by = {"probabilities": _judge_probabilities, "context": _judge_context, "afresh": _judge_afresh}
    return (by | {"bits": _judge_bits, "little": _judge_bar, "much": _judge_bar})[item.of](item, evidence)


def _numbers(rows: Any, contexts: list[str], alphabet: str) -> list[list[float]]:
    """What was given for each character after each context.

    Raises:
        ValueError: not that many numbers, or not finite ones.
    """
    if type(rows) is not np.ndarray or rows.dtype != np.float64 or rows.shape != (len(contexts), len(alphabet)):
        raise ValueError("not a number for each character after each context")
    if not np.isfinite(rows).all():
        raise ValueError("not finite")
    numbers: list[list[float]] = rows.tolist()
    return numbers


def _unlike_probabilities(rows: list[list[float]], contexts: list[str], alphabet: str) -> str | None:
    """What is wrong with numbers that should be above 0 and sum to 1 in each row, or None."""
    for row, context in zip(rows, contexts, strict=True):
        shown = f"after {context!r}" if len(context) < _SHORT else f"after a context that ends in {context[-20:]!r}"
        for p, character in zip(row, alphabet, strict=True):
            if not 0 < p <= 1 + _SUM:
                return f"{shown}, the probability of {character!r} is {p:.4g}; it must lie above 0, and not above 1"
        if abs(sum(row) - 1) > _SUM:
            return f"{shown}, the probabilities of the {len(row)} characters sum to {sum(row):.6g}, not to 1"
    return None


def _judge_probabilities(item: Case, evidence: Any) -> str | None:
    alphabet, contexts = item.args[1], item.args[3]
    return _unlike_probabilities(_numbers(evidence, contexts, alphabet), contexts, alphabet)


def _judge_context(item: Case, evidence: Any) -> str | None:
    alphabet, contexts = item.args[1], item.args[3]
    rows = _numbers(evidence, contexts, alphabet)
    if any(number < 0 for row in rows for number in row):
        return "a probability is below 0"
    for wanted, after, other in item.truth:
        here, there = (rows[number][alphabet.index(wanted)] for number in (after, other))
        if here <= _FACTOR * there:
            shown = [repr(context if len(context) < _SHORT else "..." + context[-10:]) for context in contexts]
            return (
                f"in the text {contexts[after][-2:]!r} was always followed by {wanted!r}, and {contexts[other][-2:]!r} "
                f"never; but the probability of {wanted!r} is {here:.3g} after {shown[after]} and {there:.3g} after "
                f"{shown[other]}. Do the last two characters count, and in their order?"
            )
    return None


def _judge_afresh(item: Case, evidence: Any) -> str | None:
    alphabet, contexts = item.args[1], item.args[3]
    names = ("first", "again", "other", "refitted")
    first, again, other, refitted = (_numbers(evidence[name], contexts, alphabet) for name in names)

    def apart(left: list[list[float]], right: list[list[float]]) -> bool:
        return any(abs(a - b) > _SAME for x, y in zip(left, right, strict=True) for a, b in zip(x, y, strict=True))

    if apart(first, again):
        return (
            "the same question got two answers: asking for probabilities, or fitting another model, must not change a "
            "model. Is what it counted kept in `self`, and left alone by `prob`?"
        )
    if apart(other, refitted):
        return (
            "a model that is fitted to a second text differs from a new one that is fitted to it alone: `fit` must "
            "forget what was counted before"
        )
    return None


def _judge_bits(item: Case, evidence: Any) -> str | None:
    alphabet, text = item.args[1], item.args[3]
    rows = _numbers(evidence["probs"], [text[:t] for t in range(len(text))], alphabet)
    probs = [row[alphabet.index(character)] for row, character in zip(rows, text, strict=True)]
    if min(probs) <= 0:
        return f"the model gives a character of the text the probability {min(probs):.4g}, so that no cost can be had"
    costs = [-math.log2(p) for p in probs]
    n_bytes, got = len(text.encode("utf-8")), float(evidence["bits"])
    wanted = sum(costs) / n_bytes

    def near(value: float) -> bool:
        return abs(got - value) <= 1e-6 * max(1.0, value)

    if near(wanted):
        return None
    told = (
        f"`bits_per_byte` says {got:.4f} for {len(text)} characters in {n_bytes} bytes; by the model's own "
        f"probabilities it should be {wanted:.4f}"
    )
    if near(wanted * math.log(2)):
        return f"{told}. That is in nats: take logarithms to the base 2"
    if near(sum(costs) / len(text)):
        return f"{told}. That is per character: divide by the bytes of the text in UTF-8"
    if near(sum(costs)):
        return f"{told}. That is the sum: divide by the bytes of the text in UTF-8"
    if near(sum(costs[1:]) / n_bytes):
        return f"{told}. The first character is left out: it is predicted from an empty context"
    if not math.isfinite(got):
        return f"{told}. A product of many probabilities becomes 0: add up logarithms instead"
    return f"{told}. Is each character predicted from all those before it?"


def _judge_bar(item: Case, evidence: Any) -> str | None:
    alphabet, contexts = item.args[1], item.args[3]
    rows = _numbers(evidence, contexts, alphabet)
    if wrong := _unlike_probabilities(rows, contexts, alphabet):
        return wrong
    targets, order, k, counted = item.truth
    bits = -sum(math.log2(row[alphabet.index(c)]) for row, c in zip(rows, targets, strict=True))
    bits /= len(targets.encode("utf-8"))
    bar = _SHARE * counted
    if bits > bar:
        return (
            f"on text that it has not seen, {bits:.3f} bits per byte; at most {bar:.3f} are asked for, "
            f"{1 - _SHARE:.0%} below the {counted:.3f} of the best add-k model, which has order {order} and k = {k:g}"
        )
    return None


# ------------------------------------------------------------------------------------------------------------ the cases

_CONTEXT, _PREFIXES, _LITTLE, _MUCH, _SHARE = 30, 800, 2_000, 20_000, 0.97
_ORDERS, _KS = range(1, 7), (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)


@lru_cache(maxsize=4)
def _unseen(seed: int) -> tuple[str, tuple[str, ...], str]:
    """A text to learn from, prefixes of another one, and the characters that follow them."""
    write = invented_language(seed)
    read = write(random.Random(f"{seed} read"), _MUCH)
    unseen = write(random.Random(f"{seed} unseen"), (_PREFIXES + 1) * (_CONTEXT + 1))
    ends = range(_CONTEXT, len(unseen) - 1, _CONTEXT + 1)[:_PREFIXES]  # what follows a prefix is in no other one
    return read, tuple(unseen[end - _CONTEXT : end] for end in ends), "".join(unseen[end] for end in ends)


@lru_cache(maxsize=8)
def _best_add_k(seed: int, n_chars: int) -> tuple[int, float, float]:
    """The order, the k and the bits per byte of the add-k model that suits the targets best."""
    read, prefixes, targets = _unseen(seed)
    text, found = read[:n_chars], []
    for order in _ORDERS:
        n = order - 1
        grams = Counter(text[t : t + order] for t in range(len(text) - n))
        histories: Counter[str] = Counter()
        for gram, count in grams.items():
            histories[gram[:-1]] += count
        asked = [prefix[len(prefix) - n :] for prefix in prefixes]
        seen = [(grams[history + c], histories[history]) for history, c in zip(asked, targets, strict=True)]
        for k in _KS:
            bits = -sum(math.log2((hits + k) / (total + k * len(ALPHABET))) for hits, total in seen)
            found.append((bits / len(targets.encode("utf-8")), order, k))
    counted, order, k = min(found)
    return order, k, counted


def cases(seed: int) -> list[Case]:
    rng = random.Random(seed)
    read, prefixes, targets = _unseen(seed)
    mixed = "".join(rng.sample("abcdefghijklmnopqrstuvw", 9))
    left, right, middle, one, two, x, y, z, far = list(mixed)

    def text(letters: str, n_chars: int) -> str:
        return "".join(rng.choice(letters) for _ in range(n_chars))

    blocks = "".join(rng.choice((left + middle + one, right + middle + two)) for _ in range(60))
    small = left + right + middle
    own = text(small, 50)
    foreign = "a\u00e9\u2192\U0001f642 "
    contexts = ["", own[-1], own[-7:], own, x, y + x, own[-2:] + z, text(mixed, 100)]

    def bar(of: str, label: str, n_chars: int) -> Case:
        truth = (targets, *_best_add_k(seed, n_chars))
        return probe(of, label, "probs", ALPHABET, read[:n_chars], list(prefixes), truth=truth)

    return [
        probe("probabilities", "one character over and over", "probs", mixed, x * 30, ["", x, x * 40, y]),
        probe("probabilities", "9 characters, 3 of them in the text", "probs", mixed, own, contexts),
        probe("probabilities", "3 characters, all of them in the text", "probs", small, own, [*contexts[:4], small]),
        probe("probabilities", "a text of one character", "probs", mixed, x, ["", x, y, x + x, y + x]),
        probe("probabilities", "2,000 characters of a language", "probs", ALPHABET, read[:2_000], list(prefixes[:40])),
        probe("context", "a text of two words of three letters", "probs", mixed, blocks,
              [left + middle, right + middle, blocks + left + middle, far + right + middle],
              truth=[(one, 0, 1), (two, 1, 0), (one, 2, 3), (two, 3, 2)]),
        probe("afresh", "two texts of 40 characters", "afresh", mixed, text(mixed[:5], 40),
              ["", mixed[0], mixed[2:4], mixed[7]], text(mixed[3:], 40)),
        probe("bits", "a text of 60 characters", "bits", mixed, text(mixed, 90), text(mixed, 60)),
        probe("bits", "characters of one to four bytes", "bits", foreign, text(foreign, 60), text(foreign, 40)),
        probe("bits", "a text of 700 characters", "bits", mixed, text(mixed, 90), text(mixed, 700)),
        probe("bits", "one character, which the model has not seen", "bits", mixed, text(mixed[:5], 90), z),
        bar("little", f"a text of {_LITTLE:,} characters", _LITTLE),
        bar("much", f"a text of {_MUCH:,} characters", _MUCH),
    ]  # fmt: skip


SLIPS = mistakes("""
nothing_for_the_unseen: loses probabilities, bits, little, much
    p = 1 / len(self.alphabet) => p = 0.0
  it must lie above 0
kinds_forgotten: loses probabilities, little, much
    * len(followers) * p => * p
  sum to 0.
stupid_backoff: loses probabilities, little, much
    p = (kept + discount * len(followers) * p) / total =>
        p = followers[character] / total if character in followers else 0.4 * p
  sum to
no_history: loses context, afresh, bits, little, much
    order = 5 => order = 1
  Do the last two characters count
add_one: loses little, much
    (kept + discount * len(followers) * p) / total =>
        (followers.get(character, 0) + len(self.alphabet) * p) / (total + len(self.alphabet))
  of the best add-k model, which has order
fit_adds: loses afresh
    counts = [defaultdict(Counter) for _ in range(order)] => text = self.__dict__.get('text', '') + text
    |        self.text = text
    |        counts = [defaultdict(Counter) for _ in range(order)]
  must forget what was counted before
shared_by_all_models: loses afresh
    self.tables = [ => type(self).tables = [
  kept in `self`
nats: loses bits
    math.log2(self.prob => math.log(self.prob
  That is in nats
per_character: loses bits
    len(text.encode("utf-8")) => len(text)
  That is per character
not_divided: loses bits
    return bits / len(text.encode("utf-8")) => return bits
  That is the sum
""")
HINTS = hints("""
- Begin with one order: count characters after each history of n - 1 characters in a dict of dicts, and mix what you
  find with 1/V. Keep the sum of the counts of each history too: `prob` is called many thousand times.
- Then go from the shortest history to the longest: p starts as 1/V, and each history that was seen replaces it by
  (max(count - D, 0) + D * kinds * p) / total. Here total is the sum of its counts, and kinds says how many different
  characters followed it. D = 0.75 and histories of up to four characters do well.
- The lower orders predict better if they count as Kneser and Ney do (exercise 8): not how often a character came after
  a history, but after how many different characters before that history. And take care with context[-n:] for n = 0:
  that is the whole context. context[len(context) - n :] is right for every n.
""")
PROPERTIES = properties(f"""
probabilities, 2: After every context, seen or not, short or long, the probabilities of all characters are above 0 and
  sum to 1.
context, 1: What always followed two characters in the text is likelier after these two than after two others.
afresh, 1, needs context: A second `fit` forgets the first text, two models share nothing, and asking changes nothing.
bits, 2, needs context: `bits_per_byte` is the cost of a text by the model's own probabilities, for texts of any length
  and all characters of Unicode.
little, 2, needs probabilities, 10 s: Fitted to {_LITTLE:,} characters of a language that is made up for the check: on
  unseen text at least 3 % fewer bits per byte than the best add-k model of any order.
much, 2, needs probabilities, 10 s: The same after {_MUCH:,} characters.
""")
task = Task(
    SmoothedModel,
    points=10,
    difficulty=4,
    minutes=60,
    cases=cases,
    call=use,
    judge=judge,
    seconds=60.0,
    properties=PROPERTIES,
    slips=SLIPS,
    hints=HINTS,
)
