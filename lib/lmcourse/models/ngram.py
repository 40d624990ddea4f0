"""The n-gram language model, with the smoothings of the literature.

    p(w_1 ... w_T </s>) = product over t of p(w_t | the order - 1 words before)

Reading order: `smoothing.py` (the equations), `ngram_tables.py` (counting by sorting), this file (scoring and
sampling), `arpa.py` (the file format), `markov.py` (the dense transition matrix and the model with skips).

Memory: 20 bytes for each distinct n-gram of the highest order, 32 bytes for each of a lower order, plus 8 bytes for
each n-gram of a lower order from the first single look-up on. Natural text brings new n-grams without end: a 5-gram
model of 0.8 million words of Shakespeare holds 2.3 million n-grams, 66 MB.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from lmcourse.models.markov import MarkovChain, SkipModel
from lmcourse.models.ngram_tables import (
    END,
    START,
    Floats,
    Ints,
    Table,
    build_tables,
    count_ngrams,
    flatten,
    pad,
    refuse_boundaries,
    uniform_draws,
)
from lmcourse.models.smoothing import (
    MLE,
    AbsoluteDiscounting,
    AddK,
    Interpolated,
    KneserNey,
    Smoothing,
    StupidBackoff,
)
from lmcourse.tokenizers.vocabulary import UNKNOWN, Vocabulary, count_tokens

_VECTORISE_FROM = 100  # words; below it a loop over binary searches is faster than the calls of numpy


class NGramModel:
    """An n-gram language model.

        p(w_t | w_1 ... w_(t-1)) = p(w_t | w_(t-order+1) ... w_(t-1))

    The model adds one `<s>` before a sentence and `</s>` after it, as KenLM does: the context of the first words is
    shorter, and `</s>` is predicted like a word, `<s>` never. Sentences are iterables of str without these two; a str
    is an iterable of its characters, so `fit([text])` makes a character model. Unknown words count as `<unk>`.

    Args:
        order: the length of the n-gram, 1 or more (2 = bigram).
        smoothing: one of `MLE()`, `AddK(k)`, `Interpolated(weights)`, `StupidBackoff(alpha)`,
            `AbsoluteDiscounting()`, `KneserNey()`.

    Attributes (after `fit`):
        vocabulary: `<unk>`, `<s>`, `</s>`, then the words by falling count.
        num_ngrams: distinct n-grams of each order, from 1 up, counted as in an ARPA file: all words of the
            vocabulary, the three special ones included, are unigrams.
        discounts: an order's discounts, from order 1 up: three for modified Kneser-Ney, one for the methods with one,
            none for the others.
        fell_back: the orders whose counts of counts allowed no discounts, so that the fallback was taken.
        nbytes: size of the tables in bytes.

    Raises:
        TypeError: `order` is not an int, or `smoothing` is not a smoothing.
        ValueError: `order` is below 1, or the smoothing's settings do not fit it.

    Cost: `fit` sorts the text once an order; a word is scored with `order` binary searches.

    Source: Chen and Goodman (1999); the tables: Heafield et al. (2013) sort n-grams too.
    """

    def __init__(self, order: int, smoothing: Smoothing | None = None) -> None:
        if isinstance(order, bool) or not isinstance(order, int | np.integer):
            raise TypeError(f"`order` must be an int, got {order!r} of type {type(order).__name__}.")
        if order < 1:
            raise ValueError(f"`order` must be at least 1, got order={order}.")
        smoothing = KneserNey() if smoothing is None else smoothing
        if not isinstance(smoothing, Smoothing):
            raise TypeError(f"`smoothing` must be a smoothing such as KneserNey(), got {smoothing!r}.")
        smoothing.check(int(order))
        self.order = int(order)
        self.smoothing: Smoothing | None = smoothing
        self.discounts: tuple[tuple[float, ...], ...] = ()
        self.fell_back: tuple[int, ...] = ()
        self._tables: list[Table] = []

    # ---------------------------------------------------------------- fitting

    def fit(self, sentences: Iterable[Iterable[str]], *, min_count: int = 1) -> NGramModel:
        """Counts the n-grams of a text and computes their probabilities.

        Args:
            sentences: iterables of words; a str is read as its characters.
            min_count: words that occur fewer times become `<unk>`.

        Returns:
            The model itself.

        Raises:
            TypeError: `sentences` is one str, or a word is not a str.
            ValueError: the text holds no word; a sentence holds `<s>` or `</s>`; the order is larger than the longest
                sentence with its `<s>` and `</s>`; the discounts cannot be estimated and no fallback is allowed.
        """
        flat, lengths = flatten(sentences)
        if not flat:
            raise ValueError(f"`sentences` must hold at least one word, got {len(lengths)} sentences and no word.")
        longest = int(lengths.max()) + 2
        if self.order > longest:
            raise ValueError(
                f"`order` must not exceed the longest sentence, {longest} words with its {START} and {END}, "
                f"got order={self.order}."
            )
        if self.smoothing is None:
            raise RuntimeError("A model that was read from a file has no smoothing to fit with; make a new one.")
        vocabulary = Vocabulary.from_counts(
            count_tokens(flat), min_count=min_count, special_tokens=(UNKNOWN, START, END)
        )
        refuse_boundaries(vocabulary.counts)
        words, depths = pad(vocabulary, flat, lengths)
        levels = count_ngrams(words, depths, self.order, len(vocabulary))
        tables, estimates = build_tables(levels, self.smoothing, width=len(vocabulary), start=vocabulary.index(START))
        self.discounts = tuple(estimate.discounts for estimate in estimates)
        self.fell_back = tuple(n for n, estimate in enumerate(estimates, start=1) if estimate.fell_back)
        self._install(vocabulary, tables)
        return self

    def _install(self, vocabulary: Vocabulary, tables: list[Table]) -> None:
        self.vocabulary = vocabulary
        self._tables = tables
        self._width = len(vocabulary)
        self._start, self._end = vocabulary.index(START), vocabulary.index(END)
        to_uniform = self.smoothing is not None and self.smoothing.to_uniform
        self._log_uniform = -math.log(self._width - 1) if to_uniform else None
        unseen = 1.0 if self.smoothing is None else self.smoothing.unseen_context()
        self._log_unseen = math.log(unseen)
        self._views: list[tuple[Any, Any, Any, Any]] | None = None

    # ---------------------------------------------------------------- probabilities

    def prob(self, word: str, context: Sequence[str] = ()) -> float:
        """p(word | context), between 0 and 1.

        Args:
            word: the word to predict; an unknown one counts as `<unk>`; `</s>` is the sentence's end, and `<s>` has
                probability 0.
            context: the words before it, as many as you like: only the last order - 1 count. `()` asks for the
                unigram probability; a context that begins a sentence begins with `<s>`.

        Raises:
            TypeError: a word is not a str, or the context is one str.
            ValueError: `<s>` stands inside the context, or `</s>` in it.
            RuntimeError: the model was not fitted.
        """
        states = self._context_states(context)
        return 0.0 if word == START else math.exp(self._step(self.vocabulary.index(word), states)[0])

    def distribution(self, context: Sequence[str] = ()) -> Floats:
        """p(w | context) for every word w of `vocabulary`, in its order; p(<s>) = 0. Shape (V,).

        Sums to 1 but for `StupidBackoff`. Arguments and errors as in `prob`. Cost: O(V).
        """
        states = self._context_states(context)
        probs = np.exp(self._tables[0].logprobs)
        for table, below, state in zip(self._tables[1:], self._tables, states):
            if state < 0:
                if self._log_uniform is not None:  # add-k gives an unseen context the uniform distribution
                    probs = self._uniform_probs()
                else:
                    probs *= math.exp(self._log_unseen)
                continue
            assert below.backoffs is not None
            base = probs if self._log_uniform is None else self._uniform_probs()
            probs = base * math.exp(below.backoffs[state])
            where, words = table.followers(state, self._width)
            probs[words] = np.exp(table.logprobs[where])
        return probs

    def _uniform_probs(self) -> Floats:
        probs = np.full(self._width, 1 / (self._width - 1))
        probs[self._start] = 0.0
        return probs

    def token_logprobs(self, sentence: Iterable[str]) -> Floats:
        """log p of each word and of `</s>`, in nats; shape (words + 1,). Minus infinity where p is 0."""
        return np.array(self._sentence(sentence)[0])

    def matched_orders(self, sentence: Iterable[str]) -> Ints:
        """Length of the longest known n-gram that ends at each word and at `</s>`; shape (words + 1,).

        1 where not even the pair with the word before was seen, `order` where no back-off was needed.
        """
        return np.array(self._sentence(sentence)[1])

    def logprob(self, sentence: Iterable[str]) -> float:
        """log p(sentence </s>) in nats. Raises what `token_logprobs` does."""
        return math.fsum(self._sentence(sentence)[0])

    def score(self, sentences: Iterable[Iterable[str]]) -> Floats:
        """log p of many sentences at once, in nats, `</s>` included; shape (sentences,).

        The fast path: all sentences go through each table together.
        """
        per_token, lengths, _ = self._score_all(sentences)
        ends = np.cumsum(lengths + 1)
        return np.add.reduceat(per_token, ends - lengths - 1) if len(lengths) else np.zeros(0)

    def cross_entropy(self, sentences: Iterable[Iterable[str]]) -> float:
        """-log p per predicted token, in nats, `</s>` counted as a token.

        Raises:
            ValueError: there is no sentence.
        """
        per_token, _, _ = self._score_all(sentences)
        if not len(per_token):
            raise ValueError("`sentences` must hold at least one sentence, got none.")
        return -float(per_token.mean())

    def perplexity(self, sentences: Iterable[Iterable[str]]) -> float:
        """exp of the cross-entropy: among how many equally likely words the model hesitates on average.

        Every word counts and every `</s>`; unknown words count as `<unk>`. Infinite if a word has probability 0.
        """
        entropy = self.cross_entropy(sentences)
        return math.exp(entropy) if entropy < 700 else math.inf

    def coverage(self, sentences: Iterable[Iterable[str]]) -> Floats:
        """The share of a text's n-grams that the model has seen, from order 1 up; shape (order,).

        An n-gram with an unknown word was not seen. NaN for an order longer than every sentence.
        """
        _, _, shares = self._score_all(sentences)
        return shares

    def sample(self, n_words: int, *, context: Sequence[str] = (), generator: Any = None) -> list[str]:
        """Draws words one after another, each from p(. | the words before).

        The first word comes from `distribution(context)`: `("<s>",)` begins a sentence, `()` draws it from the
        unigrams. A drawn `</s>` is returned and counted like a word, and the next word begins a new sentence.
        `StupidBackoff` scores are rescaled to sum to 1.

        Args:
            n_words: how many.
            context: as in `prob`.
            generator: a torch.Generator or a numpy Generator; None takes Python's `random`, which
                `lmcourse.runtime.seed_everything` seeds.

        Raises:
            TypeError, ValueError: `n_words` is not an int, or negative; the generator is neither kind.
        """
        if isinstance(n_words, bool) or not isinstance(n_words, int):
            raise TypeError(f"`n_words` must be an int, got {n_words!r}.")
        if n_words < 0:
            raise ValueError(f"`n_words` must not be negative, got n_words={n_words}.")
        draw = uniform_draws(generator)
        self._context_states(context)  # refuses a bad context
        recent = list(context)
        words: list[str] = []
        for _ in range(n_words):
            cumulative = np.cumsum(self.distribution(recent[max(0, len(recent) - self.order + 1) :]))
            if not cumulative[-1] > 0:
                raise ValueError(f"After {recent!r} every word has probability 0: nothing to draw.")
            place = int(np.searchsorted(cumulative[:-1], draw() * cumulative[-1], side="right"))
            word = self.vocabulary.tokens[place]
            words.append(word)
            recent = [START] if word == END else [*recent[-self.order :], word]
        return words

    # ---------------------------------------------------------------- counts, for teaching

    @property
    def num_ngrams(self) -> tuple[int, ...]:
        self._check_fitted()
        return tuple(len(table) for table in self._tables)

    @property
    def nbytes(self) -> int:
        self._check_fitted()
        return sum(table.nbytes for table in self._tables)

    def count(self, ngram: Sequence[str]) -> int:
        """How often the n-gram occurs in the text that was fitted, 0 if never; it may hold `<s>` and `</s>`.

        Raises:
            ValueError: it is empty or longer than the order.
            RuntimeError: the model was not fitted, or came from a file, which holds no counts.
        """
        return self._count_of(ngram, "counts")

    def continuation_count(self, ngram: Sequence[str]) -> int:
        """N1+(. ngram): after how many distinct words the n-gram occurs (`<s>` counts as one).

        Raises what `count` does, and a ValueError for an n-gram as long as the order.
        """
        if len(ngram) >= self.order:
            raise ValueError(
                f"`ngram` must be shorter than the order for its left neighbours to be counted, got {len(ngram)} "
                f"words for order={self.order}."
            )
        return self._count_of(ngram, "left")

    def _count_of(self, ngram: Sequence[str], what: str) -> int:
        self._check_fitted()
        ids = self._context_ids(ngram, name="ngram")
        if not 1 <= len(ids) <= self.order:
            raise ValueError(f"`ngram` must have 1 to {self.order} words, got {len(ids)}: {list(ngram)}.")
        counts = getattr(self._tables[len(ids) - 1], what)
        if counts is None:
            raise RuntimeError("A model read from an ARPA file has probabilities but no counts.")
        place = self._find(ids)
        return int(counts[place]) if place >= 0 else 0

    def followers(self, context: Sequence[str] = ()) -> dict[str, int]:
        """The words seen after a context with their counts, most frequent first; only the last order - 1 words count.

        Raises what `count` does.
        """
        ids = self._context_ids(context)[max(0, len(context) - self.order + 1) :]
        self._check_fitted()
        table = self._tables[len(ids)]
        if table.counts is None:
            raise RuntimeError("A model read from an ARPA file has probabilities but no counts.")
        place = self._find(ids) if ids else 0
        if place < 0:
            return {}
        where, words = table.followers(place, self._width)
        found = [(self.vocabulary.tokens[word], int(n)) for word, n in zip(words, table.counts[where]) if n]
        return dict(sorted(((w, n) for w, n in found if ids or w != START), key=lambda pair: -pair[1]))

    # ---------------------------------------------------------------- the field's file format

    def to_arpa(self, path: str | Path) -> None:
        """Writes the model as an ARPA file, which KenLM, SRILM and others read (log10).

        The file appears whole or not at all. Raises:
            ValueError: the smoothing has no back-off form (`AddK`, `StupidBackoff`), or a word holds a blank.
            RuntimeError: the model was not fitted.
        """
        from lmcourse.models.arpa import write_arpa

        self._check_fitted()
        write_arpa(self, Path(path))

    @classmethod
    def from_arpa(cls, path: str | Path) -> NGramModel:
        """Reads an ARPA file. The model has probabilities, but no counts and no discounts.

        A log10 of -99 or less means probability 0, as is the custom. Raises:
            ValueError: the file is damaged; the message gives the line.
        """
        from lmcourse.models.arpa import read_arpa

        vocabulary, tables = read_arpa(Path(path))
        model = cls(len(tables))
        model.smoothing = None
        model._install(vocabulary, tables)
        return model

    # ---------------------------------------------------------------- inside

    def _check_fitted(self) -> None:
        if not self._tables:
            raise RuntimeError("The model has not been fitted: call fit(sentences) first.")

    def _context_ids(self, context: Sequence[str], name: str = "context") -> list[int]:
        self._check_fitted()
        if isinstance(context, str) or not isinstance(context, Iterable):
            raise TypeError(f"`{name}` must be a sequence of words, not one {type(context).__name__}, got {context!r}.")
        return self.vocabulary.encode(context)

    def _context_states(self, context: Sequence[str]) -> list[int]:
        """For n = 1, 2, ...: the place of the context's last n words in the table of order n, -1 if never seen."""
        ids = self._context_ids(context)
        if self._start in ids[1:] or self._end in ids:
            raise ValueError(f"`context` may begin with {START!r}, and hold no {END!r}, got {list(context)}.")
        ids = ids[max(0, len(ids) - self.order + 1) :]
        return [self._find(ids[len(ids) - n :]) for n in range(1, len(ids) + 1)]

    def _find(self, ids: Sequence[int]) -> int:
        place = ids[0]
        for table, word in zip(self._tables[1:], ids[1:]):
            place = int(table.find(np.array([place * self._width + word]))[0])
            if place < 0:
                break
        return place

    def _step(self, word: int, states: list[int]) -> tuple[float, int, list[int]]:
        """log p(word | context), the longest order matched, and the states after the word.

        The recursion of the smoothing module, written out: from the unigram up, a known n-gram replaces what the
        shorter context gave, an unknown one adds its context's back-off weight to it.
        """
        if self._views is None:
            self._views = self._make_views()
        width, uniform, unseen = self._width, self._log_uniform, self._log_unseen
        logprob: float = self._unigrams[word]
        matched, after = 1, [word]
        for n, (state, (keys, logprobs, offsets, backoffs)) in enumerate(zip(states, self._views), start=2):
            if state < 0:
                after.append(-1)
                logprob = logprob + unseen if uniform is None else uniform
                continue
            key, place, end = state * width + word, offsets[state], offsets[state + 1]
            if end - place > 1:
                place = bisect_left(keys, key, place, end)
            if place < end and keys[place] == key:
                logprob, matched = logprobs[place], n
                after.append(place)
            else:
                logprob = backoffs[state] + (logprob if uniform is None else uniform)
                after.append(-1)
        if len(after) == self.order:
            after.pop()
        return logprob, matched, after

    def _make_views(self) -> list[tuple[Any, Any, Any, Any]]:
        """For orders 2 and up, as Python reads them fastest: keys, log-probabilities, where the n-grams of each
        context begin, and the contexts' back-off weights."""
        self._unigrams: Any = self._tables[0].logprobs.data
        views: list[tuple[Any, Any, Any, Any]] = []
        for below, table in pairwise(self._tables):
            offsets = np.searchsorted(table.keys, np.arange(len(below) + 1) * self._width)
            assert below.backoffs is not None
            views.append((table.keys.data, table.logprobs.data, offsets.data, below.backoffs.data))
        return views

    def _sentence(self, sentence: Iterable[str]) -> tuple[Sequence[float] | Floats, Sequence[int] | Ints]:
        """log p and matched order of each word and of `</s>`."""
        self._check_fitted()
        tokens = list(sentence)
        ids = self.vocabulary.encode(tokens)
        if self._start in ids or self._end in ids:
            refuse_boundaries(tokens)
        if len(ids) >= _VECTORISE_FROM:
            words = np.array([self._start, *ids, self._end])
            logprobs, matched, _ = self._score_words(words, np.arange(len(words)))
            return logprobs[1:], matched[1:]
        return self._sentence_by_steps(tokens)

    def _sentence_by_steps(self, tokens: list[str]) -> tuple[list[float], list[int]]:
        out, orders = [], []
        states = [self._start] if self.order > 1 else []
        for word in (*self.vocabulary.encode(tokens), self._end):
            logprob, order, states = self._step(word, states)
            out.append(logprob)
            orders.append(order)
        return out, orders

    def _score_all(self, sentences: Iterable[Iterable[str]]) -> tuple[Floats, Ints, Floats]:
        """log p of every predicted token, the sentences' lengths, and the coverage of each order."""
        self._check_fitted()
        flat, lengths = flatten(sentences)
        words, depths = pad(self.vocabulary, flat, lengths)
        if np.count_nonzero(words == self._start) + np.count_nonzero(words == self._end) != 2 * len(lengths):
            refuse_boundaries(flat)
        logprobs, _, shares = self._score_words(words, depths)
        return logprobs[depths > 0], lengths, shares

    def _score_words(self, words: Ints, depths: Ints) -> tuple[Floats, Ints, Floats]:
        """The vectorised `_step`: log p and matched order at every place, and the coverage of each order. (M,)"""
        unknown = words == self.vocabulary.unk_id
        logprobs = self._tables[0].logprobs[words]
        matched = np.ones(len(words), np.int64)
        state = words  # place of the (n-1)-gram that ends here, -1 if never seen
        shares = np.full(self.order, np.nan)
        predicted = depths > 0
        if predicted.any():
            shares[0] = 1 - unknown[predicted].mean()
        for n in range(2, self.order + 1):
            here = np.flatnonzero(depths >= n - 1)
            context, word = state[here - 1], words[here]
            seen = context >= 0
            place = np.full(len(here), -1)
            place[seen] = self._tables[n - 1].find(context[seen] * self._width + word[seen])
            hit = place >= 0
            backoffs = self._tables[n - 2].backoffs
            assert backoffs is not None
            weight = np.where(seen, backoffs[context], 0.0 if self._log_uniform is not None else self._log_unseen)
            base = logprobs[here] if self._log_uniform is None else self._log_uniform
            logprobs[here] = np.where(hit, self._tables[n - 1].logprobs[place], base + weight)
            matched[here[hit]] = n
            if len(here):
                shares[n - 1] = hit.mean()
            state = np.full(len(words), -1)
            state[here] = place
        return logprobs, matched, shares


__all__ = [
    "END",
    "MLE",
    "START",
    "AbsoluteDiscounting",
    "AddK",
    "Interpolated",
    "KneserNey",
    "MarkovChain",
    "NGramModel",
    "SkipModel",
    "Smoothing",
    "StupidBackoff",
]
