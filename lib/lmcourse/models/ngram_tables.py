"""The tables of an n-gram model: every distinct n-gram with its probability and back-off weight, and scoring with them.

The n-grams of an order are sorted by their keys (see `ngram_counts`), so that looking one up is a binary search, and
the n-grams that share a context lie next to each other.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmcourse.models.ngram_counts import NGramCounts
from lmcourse.models.smoothing import Discounts, Floats, Ints, OrderCounts, Smoothing


@dataclass
class Table:
    """The n-grams of one order, sorted by key; one entry an n-gram in every array.

    An n-gram of the highest order takes 20 bytes, one of a lower order 32 bytes.

    Args:
        keys: int64.
        counts: int32 or int64; None in a model that was read from an ARPA file.
        continuation_counts: how many distinct words were seen before the n-gram; None at the highest order.
        logprobs: in nats.
        backoffs: logarithms of the back-off weights, in nats; None at the highest order.
    """

    keys: Ints
    counts: NDArray[Any] | None
    continuation_counts: NDArray[Any] | None
    logprobs: Floats
    backoffs: Floats | None

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def nbytes(self) -> int:
        arrays = (self.keys, self.counts, self.continuation_counts, self.logprobs, self.backoffs)
        return sum(array.nbytes for array in arrays if array is not None)

    def find(self, keys: Ints) -> Ints:
        """The indices of the keys, -1 for those that are not there; same shape. One binary search a key.

        The keys are sorted first: neighbouring searches then read the same memory, which saves more than sorting costs.
        """
        if not len(self.keys):
            return np.full(keys.shape, -1)
        by_key = np.argsort(keys)
        ordered = keys[by_key]
        found = np.searchsorted(self.keys, ordered)
        found[found == len(self.keys)] = 0
        found[self.keys[found] != ordered] = -1
        indices = np.empty_like(found)
        indices[by_key] = found
        return indices

    def followers(self, context: int, width: int) -> tuple[slice, Ints]:
        """Where the n-grams after one context lie, and their last words."""
        first, last = np.searchsorted(self.keys, (context * width, (context + 1) * width))
        return slice(first, last), self.keys[first:last] - context * width


def build_tables(
    orders: Sequence[NGramCounts], smoothing: Smoothing, *, start: int
) -> tuple[list[Table], list[Discounts]]:
    """Turn counts into probabilities and back-off weights, from the unigrams up.

    Args:
        orders: what `count_ngrams` gave.
        smoothing: the method.
        start: the id of <s>; all other words can be predicted.

    Returns:
        One table and one set of discounts an order.
    """
    width = len(orders[0].keys)
    uniform = np.full(1, 1 / (width - 1))
    tables: list[Table] = []
    all_discounts: list[Discounts] = []
    begins_sentence = np.zeros(1, bool)
    lower = uniform
    for n, order in enumerate(orders, start=1):
        highest = n == len(orders)
        if n == 1:
            contexts: Ints = np.zeros(width, np.int64)
            num_contexts = 1
            begins_sentence = np.zeros(width, bool)
            counts = order.counts.copy()
            counts[start] = 0  # <s> is given, never predicted
        else:
            contexts = order.keys // width
            num_contexts = len(orders[n - 2].keys)
            begins_sentence = contexts == start if n == 2 else begins_sentence[contexts]
            counts = order.counts
        continuation_counts: Ints = np.zeros(len(order.keys), np.int32)
        if not highest:
            continuation_counts = np.bincount(orders[n].suffixes, minlength=len(order.keys)).astype(np.int32)
        own, backoff, discounts = smoothing.estimate(
            OrderCounts(n, highest, counts, continuation_counts, begins_sentence, contexts, num_contexts, width - 1)
        )
        if smoothing.interpolates:
            own += backoff[contexts] * (uniform[0] if smoothing.to_uniform else lower[order.suffixes])
        if n == 1:
            own[start] = 0.0
        else:
            tables[-1].backoffs = safe_log(backoff)
        lower = own
        tables.append(
            Table(order.keys, _small(order.counts), None if highest else continuation_counts, safe_log(own), None)
        )
        all_discounts.append(discounts)
    return tables, all_discounts


def safe_log(values: Floats) -> Floats:
    """Natural logarithm, minus infinity for 0, without numpy's warning."""
    return np.log(values, out=np.full(values.shape, -np.inf), where=values > 0)


def _small(counts: Ints) -> NDArray[Any]:
    return counts.astype(np.int32, copy=False) if counts.max(initial=0) < 2**31 else counts


class Scorer:
    """Looks n-grams up in the tables of all orders and scores words with them.

    From the unigram up, a known n-gram replaces what the shorter context gave, and an unknown one adds its context's
    back-off weight to it: the recursion of the smoothing module, written as a loop.

    A *state* is what the next word needs to know: for n = 1, 2, ... the index of the last n words among the n-grams of
    order n, -1 if they were never seen.

    Args:
        tables: one an order; the first holds all words of the vocabulary.
        start: the id of <s>.
        end: the id of </s>.
        smoothing: the method the tables were made with; None for tables from a file.
    """

    def __init__(self, tables: list[Table], *, start: int, end: int, smoothing: Smoothing | None) -> None:
        self.tables = tables
        self.width = len(tables[0])
        self.start, self.end = start, end
        to_uniform = smoothing is not None and smoothing.to_uniform
        self._log_uniform = -math.log(self.width - 1) if to_uniform else None
        self._log_unseen = 0.0 if smoothing is None else math.log(smoothing.unseen_context())
        self._views: tuple[Any, list[tuple[Any, Any, Any, Any]]] | None = None

    @property
    def order(self) -> int:
        return len(self.tables)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_views": None}  # views of memory can't be copied, and are made again when needed

    def find(self, ids: Sequence[int]) -> int:
        """The index of one n-gram in the table of its order, -1 if it was never seen."""
        index = ids[0]
        for table, word in zip(self.tables[1:], ids[1:]):
            index = int(table.find(np.array([index * self.width + word]))[0])
            if index < 0:
                break
        return index

    def states(self, context: Sequence[int]) -> list[int]:
        """The state after a context, of which only the last order - 1 words count."""
        context = context[max(0, len(context) - self.order + 1) :]
        return [self.find(context[len(context) - n :]) for n in range(1, len(context) + 1)]

    def distribution(self, states: Sequence[int]) -> Floats:
        """p(w | context) for every word. (W,)"""
        probs = np.exp(self.tables[0].logprobs)
        for table, below, state in zip(self.tables[1:], self.tables, states):
            if self._log_uniform is not None:  # add-k knows two distributions: relative frequencies and the uniform one
                probs = np.full(self.width, 1 / (self.width - 1))
                probs[self.start] = 0.0
            if state < 0:
                probs *= math.exp(self._log_unseen)
                continue
            probs *= math.exp(_given(below.backoffs)[state])
            where, words = table.followers(state, self.width)
            probs[words] = np.exp(table.logprobs[where])
        return probs

    def step(self, word: int, states: Sequence[int]) -> tuple[float, int, list[int]]:
        """log p(word | context), the longest order matched, and the state after the word."""
        if self._views is None:
            self._views = self._make_views()
        unigrams, views = self._views
        width, uniform, unseen = self.width, self._log_uniform, self._log_unseen
        logprob: float = unigrams[word]
        matched, after = 1, [word]
        for n, (state, (keys, logprobs, offsets, backoffs)) in enumerate(zip(states, views), start=2):
            if state < 0:
                after.append(-1)
                logprob = logprob + unseen if uniform is None else uniform
                continue
            key, index, end = state * width + word, offsets[state], offsets[state + 1]
            if end - index > 1:
                index = bisect_left(keys, key, index, end)
            if index < end and keys[index] == key:
                logprob, matched = logprobs[index], n
                after.append(index)
            else:
                logprob = backoffs[state] + (logprob if uniform is None else uniform)
                after.append(-1)
        if len(after) == self.order:
            after.pop()
        return logprob, matched, after

    def _make_views(self) -> tuple[Any, list[tuple[Any, Any, Any, Any]]]:
        """The tables in the form that Python reads fastest: log-probabilities of the unigrams; for each order above,
        keys, log-probabilities, where the n-grams of each context begin, and the contexts' back-off weights."""
        views: list[tuple[Any, Any, Any, Any]] = []
        for below, table in pairwise(self.tables):
            offsets = np.searchsorted(table.keys, np.arange(len(below) + 1) * self.width)
            views.append((table.keys.data, table.logprobs.data, offsets.data, _given(below.backoffs).data))
        return self.tables[0].logprobs.data, views

    def score(self, words: Ints) -> tuple[Floats, Ints, list[int]]:
        """Score many sentences at once: every order looks up together all words whose context it knows.

        Args:
            words: sentences one after another, each with its <s> and </s>. (M,)

        Returns:
            logprobs: log p of each word; that of <s> means nothing. (M,)
            matched: the longest order matched. (M,)
            seen: how many n-grams of each order, from 2 up, are in the tables.
        """
        logprobs = self.tables[0].logprobs[words]
        matched = np.ones(len(words), np.int64)
        seen: list[int] = []
        here = np.flatnonzero(words != self.start)  # the words whose context of n - 1 words was seen
        contexts: Ints = words[here - 1].astype(np.int64)
        for n, (below, table) in enumerate(pairwise(self.tables), start=2):
            if self._log_uniform is not None or self._log_unseen:
                self._back_off_from_unseen(words, n, here, logprobs)
            found = table.find(contexts * self.width + words[here])
            backoffs = _given(below.backoffs)
            known = found >= 0
            new, old = np.flatnonzero(known), np.flatnonzero(~known)
            if self._log_uniform is None:
                logprobs[here[old]] += backoffs[contexts[old]]
            else:
                logprobs[here[old]] = backoffs[contexts[old]] + self._log_uniform
            here, contexts = here[new], found[new]
            logprobs[here] = table.logprobs[contexts]
            matched[here] = n
            seen.append(len(here))
            goes_on = np.flatnonzero(words[here] != self.end)
            here, contexts = here[goes_on] + 1, contexts[goes_on]
        return logprobs, matched, seen

    def _back_off_from_unseen(self, words: Ints, n: int, seen: Ints, logprobs: Floats) -> None:
        """The part of methods that give an unseen context a weight of its own: words whose context is not in `seen`."""
        unseen = np.ones(len(words), bool)
        for distance in range(min(n - 1, len(words))):  # the first n - 1 tokens of a sentence have shorter contexts
            begins = np.flatnonzero(words == self.start) + distance
            unseen[begins[begins < len(words)]] = False
        unseen[seen] = False
        if self._log_uniform is not None:
            logprobs[unseen] = self._log_uniform
        else:
            logprobs[unseen] += self._log_unseen


def _given(backoffs: Floats | None) -> Floats:
    """Back-off weights of an order below the highest, which always has them."""
    if backoffs is None:
        raise RuntimeError("The tables of a lower order must hold back-off weights, got none.")
    return backoffs
