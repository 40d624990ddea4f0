"""The tables under an n-gram model: every distinct n-gram of a text, counted by sorting.

An n-gram is known by one integer, its key: (number of its context in the table of one order less) x W + (number of
its last word), where W is the size of the vocabulary. The keys of an order are kept sorted, so that counting is a
sort, looking up is a binary search, and the n-grams that share a context lie next to each other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmcourse.models.smoothing import Estimated, Floats, Ints, Level, Smoothing
from lmcourse.tokenizers.vocabulary import Vocabulary

START, END = "<s>", "</s>"


@dataclass
class Table:
    """The n-grams of one order, sorted by key; one entry an n-gram in every array.

    `keys` int64; `counts` int32 or int64, None in a model read from a file; `left`: how many distinct words were seen
    before the n-gram, None at the highest order; `logprobs` and `backoffs` in nats, `backoffs` None at the highest
    order. So an n-gram of the highest order takes 20 bytes, one of a lower order 32 bytes.
    """

    keys: Ints
    counts: NDArray | None
    left: NDArray | None
    logprobs: Floats
    backoffs: Floats | None

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def nbytes(self) -> int:
        arrays = (self.keys, self.counts, self.left, self.logprobs, self.backoffs)
        return sum(array.nbytes for array in arrays if array is not None)

    def find(self, keys: Ints) -> Ints:
        """The places of the keys, -1 for those that are not there; same shape. One binary search a key."""
        if not len(self.keys):
            return np.full(keys.shape, -1)
        places = np.searchsorted(self.keys, keys)
        places[places == len(self.keys)] = 0
        return np.where(self.keys[places] == keys, places, -1)

    def followers(self, context: int, width: int) -> tuple[slice, Ints]:
        """Where the n-grams after one context lie, and their last words."""
        first, last = np.searchsorted(self.keys, (context * width, (context + 1) * width))
        return slice(first, last), self.keys[first:last] - context * width


@dataclass
class Counted:
    """What counting gives for one order, before any smoothing: `suffixes` is the place of the n-gram without its
    first word in the table of one order less."""

    keys: Ints
    counts: Ints
    suffixes: Ints


def count_ngrams(words: Ints, depths: Ints, order: int, width: int) -> list[Counted]:
    """Counts all n-grams of orders 1 to `order`.

    Args:
        words: the whole text as word numbers, each sentence with its <s> and </s>. (M,)
        depths: how many words stand before each one in its own sentence, 0 for <s>. (M,)
        order: the highest order.
        width: W, the number of words in the vocabulary.

    Returns:
        One `Counted` an order. Those of order 1 are all words of the vocabulary, seen or not.

    Cost: a sort of at most M integers an order.
    """
    levels = [Counted(np.arange(width), np.bincount(words, minlength=width), np.zeros(width, np.int64))]
    ends = np.arange(len(words))
    place = words  # place[i]: where the n-gram that ends at i stands in the table of the order at hand
    for n in range(2, order + 1):
        if len(levels[-1].keys) > (2**63 - 1) // width:
            raise ValueError(f"Too many {n}-grams to number with 64 bits ({len(levels[-1].keys)} contexts x {width}).")
        ends = ends[depths[ends] >= n - 1]
        keys = place[ends - 1] * width + words[ends]
        by_key = np.argsort(keys)
        keys = keys[by_key]
        is_new = np.empty(len(keys), bool)
        is_new[:1] = True
        np.not_equal(keys[1:], keys[:-1], out=is_new[1:])
        first = np.flatnonzero(is_new)
        counts = np.diff(first, append=len(keys))
        levels.append(Counted(keys[first], counts, place[ends[by_key[first]]]))
        if n < order:
            place = np.full(len(words), -1)
            place[ends[by_key]] = np.repeat(np.arange(len(first)), counts)
    return levels


def build_tables(
    levels: list[Counted], smoothing: Smoothing, *, width: int, start: int
) -> tuple[list[Table], list[Estimated]]:
    """Turns counts into probabilities and back-off weights, from the unigrams up.

    Args:
        levels: what `count_ngrams` gave.
        smoothing: the method.
        width: the number of words in the vocabulary; all but <s> can be predicted, so V = width - 1.
        start: the number of <s>.

    Returns:
        One table and one set of discounts an order.
    """
    order, vocab_size = len(levels), width - 1
    uniform = np.full(1, 1 / vocab_size)
    tables: list[Table] = []
    estimates: list[Estimated] = []
    starts = np.zeros(0, bool)
    lower = uniform
    for n, level in enumerate(levels, start=1):
        highest = n == order
        if n == 1:
            prefix, num_contexts = np.zeros(width, np.int64), 1
            starts = np.arange(width) == start
            counts = np.where(starts, 0, level.counts)  # <s> is given, never predicted
        else:
            prefix, num_contexts = level.keys // width, len(levels[n - 2].keys)
            starts = starts[prefix]
            counts = level.counts
        left = np.zeros(len(level.keys), np.int64)
        if not highest:
            left = np.bincount(levels[n].suffixes, minlength=len(level.keys))
        own, backoff, estimate = smoothing.estimate(
            Level(n, highest, counts, left, starts & (n > 1), prefix, num_contexts, vocab_size)
        )
        if smoothing.interpolates:
            own += backoff[prefix] * (uniform[0] if smoothing.to_uniform else lower[level.suffixes])
        estimates.append(estimate)
        if n > 1:
            tables[-1].backoffs = safe_log(backoff)
        if n == 1:
            own[start] = 0.0
        lower = own
        tables.append(Table(level.keys, _small(level.counts), None if highest else _small(left), safe_log(own), None))
    return tables, estimates


def flatten(sentences: Iterable[Iterable[str]]) -> tuple[list[str], Ints]:
    """All words in a row, and the number of words of each sentence."""
    if isinstance(sentences, str):
        raise TypeError(
            f"`sentences` must be an iterable of sentences, got one str {sentences[:40]!r}; "
            "for a model of its characters pass [text]."
        )
    if not isinstance(sentences, Iterable):
        raise TypeError(f"`sentences` must be an iterable of sentences, got {sentences!r}.")
    parts = [part if isinstance(part, list | tuple | str) else _as_list(part) for part in sentences]
    return list(chain.from_iterable(parts)), np.fromiter(map(len, parts), np.int64, len(parts))


def _as_list(sentence: object) -> list[str]:
    try:
        return list(sentence)  # type: ignore[call-overload]
    except TypeError:
        raise TypeError(f"A sentence must be an iterable of str, got {sentence!r}.") from None


def pad(vocabulary: Vocabulary, flat: list[str], lengths: Ints) -> tuple[Ints, Ints]:
    """The words' numbers with <s> and </s> round each sentence, and each one's place in its sentence. (M,) both."""
    starts = np.cumsum(lengths + 2) - lengths - 2
    total = len(flat) + 2 * len(lengths)
    words = np.full(total, vocabulary.index(END))
    words[starts] = vocabulary.index(START)
    depths = np.arange(total) - np.repeat(starts, lengths + 2)
    inside = depths > 0
    inside[starts + lengths + 1] = False
    words[inside] = vocabulary.encode(flat)
    return words, depths


def refuse_boundaries(tokens: Iterable[str]) -> None:
    bad = [token for token in (START, END) if token in tokens]
    if bad:
        raise ValueError(f"A sentence must not hold {START} or {END}, which the model adds itself, got {bad[0]!r}.")


def safe_log(values: Floats) -> Floats:
    """Natural logarithm, minus infinity for 0, without numpy's warning."""
    return np.log(values, out=np.full(values.shape, -np.inf), where=values > 0)


def _small(counts: Ints) -> NDArray:
    return counts.astype(np.int32) if counts.max(initial=0) < 2**31 else counts


def uniform_draws(generator: Any) -> Callable[[], float]:
    """A function that draws a number from [0, 1)."""
    if generator is None:
        return random.random
    if isinstance(generator, np.random.Generator):
        return generator.random
    if type(generator).__module__.startswith("torch"):
        import torch

        return lambda: torch.rand((), generator=generator, device=generator.device).item()
    raise TypeError(
        f"`generator` must be a torch.Generator, a numpy Generator or None, got {type(generator).__name__}."
    )
