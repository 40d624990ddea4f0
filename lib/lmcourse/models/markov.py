"""The first two models of the course: a Markov chain as a dense matrix, and one that skips words and votes."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmcourse import checks
from lmcourse.json_format import JSONFormat

Floats = NDArray[np.float64]


class MarkovChain(JSONFormat):
    """A Markov chain over words, kept as a table of transition probabilities.

        p(w | h) = (weight with which w follows h) / (weight with which anything follows h)

    h is the last `history` words; what came before them plays no part. No words are added at a sentence's start or end,
    so that nothing follows the last word of a sentence, and the first `history` words are given. `save(path)` and
    `MarkovChain.load(path)` keep a chain in a JSON file.

    Args:
        history: how many words the next one depends on, 1 or more (an n-gram of order history + 1).

    The attributes are there after `fit`.

    Attributes:
        states: the V words, in order of first appearance: the columns of the matrix.
        contexts: the V**history histories, as tuples, in the order of the rows of the matrix.

    Raises:
        TypeError: `history` is not a whole number.
        ValueError: `history` is below 1.

    Source: Markov (1913).
    """

    FORMAT = "lmcourse-markov-chain"

    def __init__(self, history: int = 1) -> None:
        checks.whole(history=history, at_least=1)
        self.history = int(history)
        self.states: list[str] = []
        self._follow: dict[tuple[str, ...], dict[str, float]] = {}

    def fit(self, sentences: Iterable[Iterable[str]], *, weights: Sequence[float] | None = None) -> MarkovChain:
        """Count which word follows which history.

        Args:
            sentences: iterables of words.
            weights: how often each sentence occurs, in any unit; None counts each once.

        Raises:
            TypeError: `sentences` is one str, or a word is not a str; a weight is not a number.
            ValueError: no sentence is longer than `history`; weights are negative, not finite, all 0, or not as many
                as the sentences.
        """
        weighted = _weighted(sentences, weights)
        states: dict[str, None] = {}
        follow: dict[tuple[str, ...], dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for words, weight in weighted:
            states.update(dict.fromkeys(words))
            for end in range(self.history, len(words)):
                follow[tuple(words[end - self.history : end])][words[end]] += weight
        if not follow:
            raise ValueError(f"`sentences` must hold one longer than history={self.history} words, got none.")
        self.states = list(states)
        self._follow = {context: dict(words) for context, words in follow.items()}
        return self

    @property
    def contexts(self) -> list[tuple[str, ...]]:
        """All V**history histories, the last word changing fastest."""
        self._check_size(1, "list")
        return list(itertools.product(self.states, repeat=self.history))

    def probabilities(self, context: Sequence[str] | str) -> dict[str, float]:
        """p(w | context) of the words that were seen after it; empty if there are none. Only the last words count.

        Raises:
            ValueError: the context is shorter than `history`, or holds an unknown word.
        """
        words = (context,) if isinstance(context, str) else tuple(_words(context, "context"))
        if len(words) < self.history:
            raise ValueError(f"`context` must have at least history={self.history} words, got {list(words)}.")
        unknown = [word for word in words if word not in self.states]
        if unknown:
            raise ValueError(f"`context` must hold words of the chain, got the unknown {unknown[0]!r}.")
        follow = self._follow.get(words[-self.history :], {})
        total = sum(follow.values())
        return {word: weight / total for word, weight in follow.items() if total > 0}

    def transition_matrix(self, *, max_bytes: int = 2**28) -> Floats:
        """The whole table, float64, shape (V**history, V): row `contexts[i]`, column `states[j]`.

        A row sums to 1, or holds only zeros if its history never occurs before another word.

        Raises:
            ValueError: the table would take more than `max_bytes`.
            RuntimeError: the chain was not fitted.
        """
        checks.whole(max_bytes=max_bytes, at_least=0)
        self._check_size(2, "table", max_bytes)
        column = {word: j for j, word in enumerate(self.states)}
        size = len(self.states)
        matrix = np.zeros((size**self.history, size))
        for context in self._follow:
            row = 0
            for word in context:
                row = row * size + column[word]
            for word, probability in self.probabilities(context).items():
                matrix[row, column[word]] = probability
        return matrix

    def _to_json(self) -> dict[str, Any]:
        follow = [[list(context), words] for context, words in self._follow.items()]
        return {"history": self.history, "states": self.states, "follow": follow}

    @classmethod
    def _from_json(cls, content: Mapping[str, Any]) -> MarkovChain:
        chain = cls(content["history"])
        chain.states = _words(content["states"], "states")
        if len(set(chain.states)) != len(chain.states):
            raise ValueError(f"`states` must be distinct, got {chain.states[:6]}")
        chain._follow = _followers(content["follow"], chain.history, chain.states)
        return chain

    def _check_size(self, extra: int, what: str, max_bytes: int = 2**28) -> None:
        if not self.states:
            raise RuntimeError("The chain has not been fitted: call fit(sentences) first.")
        size = len(self.states)
        entries = size ** (self.history + extra - 1)
        if entries * 8 > max_bytes:
            raise ValueError(
                f"The {what} of {size} words and history={self.history} would have {size}**"
                f"{self.history + extra - 1} = {entries:.3g} entries, {_bytes(entries * 8)}, more than the "
                f"`max_bytes` of {_bytes(max_bytes)}; NGramModel keeps only what occurs."
            )


class SkipModel(JSONFormat):
    """The second-order model with skips: every earlier word, paired with the last one, votes for the next word.

        votes(w) = sum over the distinct earlier words a of p(w | a somewhere before, b last)

    where b is the last word of the prefix. A word that occurs twice before b votes once, in fitting as in voting; a
    pair that was never seen has no vote. The votes are not probabilities: their sum is the number of pairs that voted.
    `save(path)` and `SkipModel.load(path)` keep a model in a JSON file.

    Source: the worked case of this course; it is a first step towards attention.
    """

    FORMAT = "lmcourse-skip-model"

    def __init__(self) -> None:
        self._follow: dict[tuple[str, str], dict[str, float]] = {}
        self._next: dict[str, list[str]] = {}

    def fit(self, sentences: Iterable[Iterable[str]], weights: Sequence[float] | None = None) -> SkipModel:
        """Count, for every pair (earlier word, last word), which word comes next.

        Arguments and errors as in `MarkovChain.fit`; nothing is learnt from a sentence of fewer than three
        words.
        Cost: a sentence of L words gives up to L (L - 1) / 2 pairs.
        """
        follow: dict[tuple[str, str], dict[str, float]] = defaultdict(lambda: defaultdict(float))
        nexts: dict[str, dict[str, None]] = defaultdict(dict)
        for words, weight in _weighted(sentences, weights):
            earlier: dict[str, None] = {}
            for last, word in itertools.pairwise(words):
                for first in earlier:
                    follow[first, last][word] += weight
                nexts[last][word] = None
                earlier[last] = None
        if not follow:
            raise ValueError("`sentences` must hold one of at least three words, got none.")
        self._follow = {pair: dict(words) for pair, words in follow.items()}
        self._next = {last: list(words) for last, words in nexts.items()}
        return self

    def pair_probabilities(self, first: str, last: str) -> dict[str, float]:
        """p(w | first somewhere before, last): the vote of one pair; empty if the pair was never seen."""
        checks.instance(str, first=first, last=last)
        follow = self._follow.get((first, last), {})
        total = sum(follow.values())
        return {word: weight / total for word, weight in follow.items() if total > 0}

    def votes(self, prefix: Iterable[str]) -> dict[str, float]:
        """The votes for every word that was ever seen after the last word of the prefix; 0 for those that got none.

        Args:
            prefix: the words so far, at least one; unknown words before the last one have no vote.

        Raises:
            TypeError: the prefix is one str, or a word is not a str.
            ValueError: the prefix is empty.
            RuntimeError: the model was not fitted.
        """
        return self._votes(prefix, None)

    def masked_votes(self, prefix: Iterable[str], keep: Collection[str]) -> dict[str, float]:
        """The votes when only the earlier words in `keep` take part: the feature vector times a mask.

        Args:
            prefix: as in `votes`.
            keep: the words whose votes count; all others are masked.
        """
        if isinstance(keep, str) or not isinstance(keep, Iterable):
            raise TypeError(f"`keep` must be a collection of words, got {keep!r}.")
        for word in keep:
            checks.instance(str, **{"keep[...]": word})
        return self._votes(prefix, frozenset(keep))

    def _votes(self, prefix: Iterable[str], keep: frozenset[str] | None) -> dict[str, float]:
        if not self._follow:
            raise RuntimeError("The model has not been fitted: call fit(sentences) first.")
        words = _words(prefix, "prefix")
        if not words:
            raise ValueError("`prefix` must hold at least one word, got none.")
        *earlier, last = words
        votes = dict.fromkeys(self._next.get(last, ()), 0.0)
        for first in dict.fromkeys(earlier):
            if keep is None or first in keep:
                for word, vote in self.pair_probabilities(first, last).items():
                    votes[word] += vote
        return votes

    def _to_json(self) -> dict[str, Any]:
        return {"follow": [[list(pair), words] for pair, words in self._follow.items()], "next": self._next}

    @classmethod
    def _from_json(cls, content: Mapping[str, Any]) -> SkipModel:
        model = cls()
        model._next = {last: _words(words, "next") for last, words in content["next"].items()}
        model._follow = {}
        for (first, last), words in _followers(content["follow"], 2, None).items():
            if not words.keys() <= set(model._next.get(last, ())):
                raise ValueError(f"the words after {last!r} must all be listed in `next`, got {list(words)}")
            model._follow[first, last] = words
        return model


def _followers(
    entries: Iterable[tuple[Sequence[str], Mapping[str, float]]], length: int, states: Collection[str] | None
) -> dict[tuple[str, ...], dict[str, float]]:
    """Contexts with the weights of what follows them, as they were read from a file, checked."""
    follow: dict[tuple[str, ...], dict[str, float]] = {}
    for context, weights in entries:
        words = _words(context, "follow")
        if len(words) != length or (states is not None and not {*words, *weights} <= set(states)):
            raise ValueError(f"a context must be {length} known words before known words, got {words}")
        for word, weight in weights.items():
            checks.number(at_least=0, **{f"weight of {word!r}": weight})
        follow[tuple(words)] = dict(weights)
    return follow


def _weighted(sentences: Iterable[Iterable[str]], weights: Sequence[float] | None) -> list[tuple[list[str], float]]:
    if isinstance(sentences, str):
        raise TypeError(f"`sentences` must be an iterable of sentences, got one str {sentences[:40]!r}.")
    if not isinstance(sentences, Iterable):
        raise TypeError(f"`sentences` must be an iterable of sentences, got {sentences!r}.")
    texts = [_words(sentence, "sentences", allow_str=True) for sentence in sentences]
    if not any(texts):
        raise ValueError(f"`sentences` must hold at least one word, got {len(texts)} sentences and no word.")
    if weights is None:
        return [(words, 1.0) for words in texts]
    if not isinstance(weights, Iterable):
        raise TypeError(f"`weights` must be a sequence of numbers, got {weights!r}.")
    listed = list(weights)
    if len(listed) != len(texts):
        raise ValueError(f"`weights` must be one for each sentence, got {len(listed)} for {len(texts)} sentences.")
    for index, weight in enumerate(listed):
        checks.number(at_least=0, **{f"weights[{index}]": weight})
    if not any(listed):
        raise ValueError(f"`weights` must not all be 0, got {listed}.")
    return [(words, float(weight)) for words, weight in zip(texts, listed)]


def _words(sentence: Iterable[str], name: str, *, allow_str: bool = False) -> list[str]:
    if isinstance(sentence, str) and not allow_str:
        raise TypeError(f"`{name}` must be an iterable of words, not one str, got {sentence!r}.")
    if not isinstance(sentence, Iterable):
        raise TypeError(f"`{name}` must hold iterables of str, got {sentence!r}.")
    words = list(sentence)
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"`{name}` must hold words that are str, got {word!r} of type {type(word).__name__}.")
    return words


def _bytes(number: float) -> str:
    units = ("bytes", "kB", "MB", "GB", "TB", "PB", "EB")
    power = min(int(math.log10(max(number, 1))) // 3, len(units) - 1)
    return f"{number / 1000**power:.3g} {units[power]}"
