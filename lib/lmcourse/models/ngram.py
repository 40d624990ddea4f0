"""The n-gram language model, with the smoothings of the literature.

    p(w_1 ... w_T </s>) = product over t of p(w_t | the order - 1 words before)

Reading order: `smoothing` (the equations), `ngram_counts` (reading a text and counting by sorting), `ngram_tables`
(probabilities, and looking them up), this file (the model), `arpa` and `ngram_file` (its two file formats), `markov`
(the dense transition matrix and the model with skips).

Memory: 20 bytes for each distinct n-gram of the highest order, 32 bytes for each of a lower order, and 8 more bytes for
each of a lower order from the first single look-up on. Natural text brings new n-grams without end: a 5-gram model of
0.8 million words of Shakespeare holds 2.3 million n-grams, 66 MB.
"""

from __future__ import annotations

import math
import os
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from lmcourse import checks
from lmcourse.models import arpa, ngram_file
from lmcourse.models.markov import MarkovChain, SkipModel
from lmcourse.models.ngram_counts import END, START, count_ngrams, encode_text, read_text
from lmcourse.models.ngram_tables import Scorer, Table, build_tables
from lmcourse.models.smoothing import (
    MLE,
    AbsoluteDiscounting,
    AddK,
    Floats,
    Interpolated,
    Ints,
    KneserNey,
    Smoothing,
    StupidBackoff,
)
from lmcourse.tokenizers.vocabulary import Vocabulary

_BATCH_FROM = 100  # words; a shorter sentence is scored faster word by word than by numpy


class NGramModel:
    """An n-gram language model.

        p(w_t | w_1 ... w_(t-1)) = p(w_t | w_(t-order+1) ... w_(t-1))

    The model adds one `<s>` before a sentence and `</s>` after it, as KenLM does: the context of the first words is
    shorter, and `</s>` is predicted like a word, `<s>` never. Sentences are iterables of str without these two; a str
    is an iterable of its characters, so that `fit([text])` makes a character model. Unknown words count as `<unk>`.

    Several threads may score with one model. It can be pickled and copied, and is kept in a file by `save` and `load`
    (exactly, with its counts) or `to_arpa` and `from_arpa` (the field's format).

    Args:
        order: the length of the n-gram, 1 or more (2 = bigram).
        smoothing: one of `MLE()`, `AddK(k)`, `Interpolated(weights)`, `StupidBackoff(alpha)`,
            `AbsoluteDiscounting()`, `KneserNey()`.

    The attributes are there after `fit`.

    Attributes:
        vocabulary: `<unk>`, `<s>`, `</s>`, then the words by falling count.
        num_ngrams: distinct n-grams of each order, from 1 up, counted as in an ARPA file: all words of the
            vocabulary, the three special ones included, are unigrams.
        discounts: the discounts of each order, from 1 up: three for modified Kneser-Ney, one for the methods with one,
            none for the others.
        fell_back: the orders whose counts of counts allowed no discounts, so that the fallback was taken.
        nbytes: size of the tables in bytes.

    Raises:
        TypeError: `order` is not a whole number, or `smoothing` is not a smoothing.
        ValueError: `order` is below 1, or the smoothing's settings do not fit it.

    Cost: `fit` sorts the text once for each order; a word is scored with at most `order` binary searches.

    Source: Chen and Goodman (1999); the tables: Heafield et al. (2013) sort n-grams too.
    """

    def __init__(self, order: int, smoothing: Smoothing | None = None) -> None:
        checks.whole(order=order, at_least=1)
        smoothing = KneserNey() if smoothing is None else smoothing
        if not isinstance(smoothing, Smoothing):
            raise TypeError(f"`smoothing` must be a smoothing such as KneserNey(), got {smoothing!r}.")
        smoothing.check(int(order))
        self.order = int(order)
        self.smoothing: Smoothing | None = smoothing
        self.discounts: tuple[tuple[float, ...], ...] = ()
        self.fell_back: tuple[int, ...] = ()
        self._fitted: Scorer | None = None

    # ---------------------------------------------------------------- fitting

    def fit(self, sentences: Iterable[Iterable[str]], *, min_count: int = 1) -> NGramModel:
        """Count the n-grams of a text and compute their probabilities.

        Args:
            sentences: iterables of words, read once and never held; a str is read as its characters.
            min_count: words that occur fewer times become `<unk>`.

        Returns:
            The model itself.

        Raises:
            TypeError: `sentences` is one str, or a word is not a str.
            ValueError: the text holds no word; a sentence holds `<s>` or `</s>`; the order is larger than the longest
                sentence with its `<s>` and `</s>`; the discounts cannot be estimated and no fallback is allowed.

        Memory: 8 bytes a word of the text, some 300 MB for sorting a block of it, and the tables twice.
        """
        checks.whole(min_count=min_count, at_least=1)
        if self.smoothing is None:
            raise RuntimeError("A model that was read from an ARPA file has no smoothing to fit with; make a new one.")
        vocabulary, words, begins = read_text(sentences, min_count=min_count)
        start, end = vocabulary.index(START), vocabulary.index(END)
        longest = int(np.diff(begins, append=len(words)).max())
        if self.order > longest:
            raise ValueError(
                f"`order` must not exceed the longest sentence, {longest} words with its {START} and {END}, "
                f"got order={self.order}."
            )
        del begins
        counts = count_ngrams(words, self.order, width=len(vocabulary), start=start)
        del words  # both are as large as tables
        tables, discounts = build_tables(counts, self.smoothing, start=start)
        self.vocabulary = vocabulary
        self.discounts = tuple(each.values for each in discounts)
        self.fell_back = tuple(n for n, each in enumerate(discounts, start=1) if each.fell_back)
        self._fitted = Scorer(tables, start=start, end=end, smoothing=self.smoothing)
        return self

    # ---------------------------------------------------------------- probabilities

    def prob(self, word: str, context: Sequence[str] = ()) -> float:
        """p(word | context), between 0 and 1.

        Args:
            word: the word to predict; an unknown one counts as `<unk>`; `</s>` is the end of the sentence; `<s>` has
                probability 0.
            context: the words before it, any number of them: only the last order - 1 count. `()` asks for the unigram
                probability; a context that begins a sentence begins with `<s>`.

        Raises:
            TypeError: a word is not a str, or the context is one str.
            ValueError: `<s>` stands inside the context, or `</s>` in it.
            RuntimeError: the model was not fitted.
        """
        ids = self._context_ids(context)
        if not isinstance(word, str):
            raise TypeError(f"`word` must be a str, got {word!r}.")
        if word == START:
            return 0.0
        return math.exp(self._scorer.step(self.vocabulary.index(word), self._scorer.states(ids))[0])

    def distribution(self, context: Sequence[str] = ()) -> Floats:
        """p(w | context) for every word w of `vocabulary`, in its order; p(<s>) = 0. Shape (V,).

        Sums to 1 but for `StupidBackoff`. Arguments and errors as in `prob`. Cost: O(V).
        """
        return self._scorer.distribution(self._scorer.states(self._context_ids(context)))

    def token_logprobs(self, sentence: Iterable[str]) -> Floats:
        """log p of each word and of `</s>`, in nats; shape (words + 1,). Minus infinity where p is 0."""
        return np.array(self._score_sentence(sentence)[0])

    def matched_orders(self, sentence: Iterable[str]) -> Ints:
        """Length of the longest known n-gram that ends at each word and at `</s>`; shape (words + 1,).

        1 where not even the pair with the word before was seen, `order` where no back-off was needed.
        """
        return np.array(self._score_sentence(sentence)[1])

    def logprob(self, sentence: Iterable[str]) -> float:
        """log p(sentence </s>) in nats.

        Raises:
            TypeError: `sentence` is not an iterable of str.
            ValueError: it holds `<s>` or `</s>`.
            RuntimeError: the model was not fitted.
        """
        return math.fsum(self._score_sentence(sentence)[0])

    def score(self, sentences: Iterable[Iterable[str]]) -> Floats:
        """log p of many sentences at once, in nats, `</s>` included; shape (sentences,).

        The fast way: all sentences go through each table together.
        """
        scorer = self._scorer
        words, begins = encode_text(sentences, self.vocabulary)
        logprobs, _, _ = scorer.score(words)
        logprobs[begins] = 0.0
        return np.add.reduceat(logprobs, begins) if len(words) else np.zeros(0)

    def cross_entropy(self, sentences: Iterable[Iterable[str]]) -> float:
        """-log p per predicted token, in nats, `</s>` counted as a token.

        Raises:
            ValueError: there is no sentence.
        """
        scorer = self._scorer
        words, begins = encode_text(sentences, self.vocabulary)
        if not len(words):
            raise ValueError("`sentences` must hold at least one sentence, got none.")
        logprobs, _, _ = scorer.score(words)
        logprobs[begins] = 0.0
        return -float(logprobs.sum()) / (len(words) - len(begins))

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
        scorer = self._scorer
        words, begins = encode_text(sentences, self.vocabulary)
        _, _, seen = scorer.score(words)
        known = np.count_nonzero(words != self.vocabulary.unk_id) - len(begins)
        lengths = np.diff(begins, append=len(words))
        ngrams = [np.maximum(lengths - max(n, 2) + 1, 0).sum() for n in range(1, self.order + 1)]
        return np.array([hits / n if n else math.nan for hits, n in zip([known, *seen], ngrams)])

    def sample(self, n_words: int, *, context: Sequence[str] = (), generator: Any = None) -> list[str]:
        """Sample words one after another, each from p(. | the words before).

        The first word comes from `distribution(context)`: `("<s>",)` begins a sentence, `()` samples it from the
        unigrams. A sampled `</s>` is returned and counted like a word, and the next word begins a new sentence.
        `StupidBackoff` scores are rescaled to sum to 1.

        Args:
            n_words: how many.
            context: as in `prob`.
            generator: a torch.Generator or a numpy Generator; None takes Python's `random`, which
                `lmcourse.runtime.seed_everything` seeds.

        Raises:
            TypeError: `n_words` is not a whole number; the generator is of another kind.
            ValueError: `n_words` is negative; after some words every word has probability 0.
        """
        checks.whole(n_words=n_words, at_least=0)
        next_uniform = _uniform_numbers(generator)
        self._context_ids(context)  # refuses a bad context
        recent = list(context)
        words: list[str] = []
        for _ in range(n_words):
            cumulative = np.cumsum(self.distribution(recent[max(0, len(recent) - self.order + 1) :]))
            if not cumulative[-1] > 0:
                raise ValueError(f"`context` must allow a next word, but after {recent!r} each has probability 0.")
            number = int(np.searchsorted(cumulative[:-1], next_uniform() * cumulative[-1], side="right"))
            word = self.vocabulary.tokens[number]
            words.append(word)
            recent = [START] if word == END else [*recent[-self.order :], word]
        return words

    # ---------------------------------------------------------------- counts, for teaching

    @property
    def num_ngrams(self) -> tuple[int, ...]:
        return tuple(len(table) for table in self._scorer.tables)

    @property
    def nbytes(self) -> int:
        return sum(table.nbytes for table in self._scorer.tables)

    def count(self, ngram: Sequence[str]) -> int:
        """How often the n-gram occurs in the text that was fitted, 0 if never; it may hold `<s>` and `</s>`.

        Raises:
            ValueError: it is empty or longer than the order.
            RuntimeError: the model was not fitted, or came from an ARPA file, which holds no counts.
        """
        return self._count_of(ngram, "counts")

    def continuation_count(self, ngram: Sequence[str]) -> int:
        """N1+(. ngram): after how many distinct words the n-gram occurs (`<s>` counts as one).

        Raises what `count` does, and a ValueError for an n-gram as long as the order.
        """
        return self._count_of(ngram, "continuation_counts")

    def _count_of(self, ngram: Sequence[str], what: str) -> int:
        ids = self._ids(ngram, "ngram")
        longest = self.order if what == "counts" else self.order - 1
        if not 1 <= len(ids) <= longest:
            raise ValueError(
                f"`ngram` must have 1 to {longest} words for its {what.replace('_', ' ')}, got {len(ids)}: {ngram}."
            )
        counts = getattr(self._scorer.tables[len(ids) - 1], what)
        if counts is None:
            raise RuntimeError("A model that was read from an ARPA file has probabilities but no counts.")
        index = self._scorer.find(ids)
        return int(counts[index]) if index >= 0 else 0

    def followers(self, context: Sequence[str] = ()) -> dict[str, int]:
        """The words seen after a context with their counts, most frequent first; only the last order - 1 words count.

        Raises what `count` does.
        """
        ids = self._ids(context, "context")
        ids = ids[max(0, len(ids) - self.order + 1) :]
        scorer = self._scorer
        table = scorer.tables[len(ids)]
        if table.counts is None:
            raise RuntimeError("A model that was read from an ARPA file has probabilities but no counts.")
        index = scorer.find(ids) if ids else 0
        if index < 0:
            return {}
        where, words = table.followers(index, scorer.width)
        found = [(self.vocabulary.tokens[word], int(n)) for word, n in zip(words, table.counts[where]) if n]
        return dict(sorted(((w, n) for w, n in found if ids or w != START), key=lambda pair: -pair[1]))

    # ---------------------------------------------------------------- files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the whole model to one file that `load` reads: a NumPy archive (.npz) without pickled objects.

        The file appears whole or not at all: an old one survives a failure.

        Raises:
            TypeError: the smoothing is not one of this library's.
            RuntimeError: the model was not fitted.
        """
        tables = self._scorer.tables
        ngram_file.write(
            path, ngram_file.State(self.smoothing, self.discounts, self.fell_back, self.vocabulary, tables)
        )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> NGramModel:
        """The model that `save` wrote: the same numbers, bit by bit.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: the file is damaged or of another kind; the message names it and says what is wrong.
        """
        state = ngram_file.read(path)
        model = cls._with_tables(state.vocabulary, state.tables, state.smoothing)
        model.discounts, model.fell_back = state.discounts, state.fell_back
        return model

    def to_arpa(self, path: str | os.PathLike[str]) -> None:
        """Write the model as an ARPA file, which KenLM, SRILM and others read (log10).

        The file appears whole or not at all.

        Raises:
            ValueError: the smoothing has no back-off form (`AddK`, `StupidBackoff`), or a word can't stand in such a
                file: one with a blank, or `<UNK>`.
            RuntimeError: the model was not fitted.
        """
        tables = self._scorer.tables
        if self.smoothing is not None and (self.smoothing.to_uniform or self.smoothing.unseen_context() != 1.0):
            raise ValueError(
                f"`smoothing` must have a back-off form for an ARPA file, {type(self.smoothing).__name__} has none: an "
                "unlisted n-gram must get its probability from the shorter context, times a weight that is 1 for an "
                "unseen context. `save` keeps any model."
            )
        arpa.write_arpa(path, self.vocabulary, tables)

    @classmethod
    def from_arpa(cls, path: str | os.PathLike[str]) -> NGramModel:
        """Read an ARPA file. The model has probabilities, but no counts and no discounts.

        A log10 of -99 or less means probability 0, as is the custom; `<UNK>` is `<unk>`, as in KenLM.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: the file is damaged; the message gives the line.
        """
        vocabulary, tables = arpa.read_arpa(path)
        return cls._with_tables(vocabulary, tables, None)

    @classmethod
    def _with_tables(cls, vocabulary: Vocabulary, tables: list[Table], smoothing: Smoothing | None) -> NGramModel:
        model = cls(len(tables), smoothing)
        model.smoothing = smoothing
        model.vocabulary = vocabulary
        model._fitted = Scorer(tables, start=vocabulary.index(START), end=vocabulary.index(END), smoothing=smoothing)
        return model

    # ---------------------------------------------------------------- inside

    @property
    def _scorer(self) -> Scorer:
        if self._fitted is None:
            raise RuntimeError("The model has not been fitted: call fit(sentences) first.")
        return self._fitted

    def _ids(self, words: Sequence[str], name: str) -> list[int]:
        if isinstance(words, str) or not isinstance(words, Iterable):
            raise TypeError(f"`{name}` must be a sequence of words, got {type(words).__name__} {words!r}.")
        _ = self._scorer  # refuses a model that was not fitted
        try:
            return self.vocabulary.encode(words)
        except TypeError as error:
            raise TypeError(f"`{name}` must be a sequence of words: {error}") from error

    def _context_ids(self, context: Sequence[str]) -> list[int]:
        ids = self._ids(context, "context")
        if self._scorer.start in ids[1:] or self._scorer.end in ids:
            raise ValueError(f"`context` may begin with {START!r}, and hold no {END!r}, got {list(context)}.")
        return ids

    def _score_sentence(self, sentence: Iterable[str]) -> tuple[Sequence[float] | Floats, Sequence[int] | Ints]:
        """log p and matched order of each word and of `</s>`."""
        scorer = self._scorer
        if not isinstance(sentence, Iterable):
            raise TypeError(f"`sentence` must be an iterable of str, got {sentence!r}.")
        tokens = list(sentence)
        if len(tokens) >= _BATCH_FROM:
            logprobs, matched, _ = scorer.score(encode_text([tokens], self.vocabulary)[0])
            return logprobs[1:], matched[1:]
        return self._score_by_steps(tokens)

    def _score_by_steps(self, tokens: Sequence[str]) -> tuple[list[float], list[int]]:
        ids, scorer = self._ids(tokens, "sentence"), self._scorer
        if scorer.start in ids or scorer.end in ids:
            raise ValueError(f"`sentence` must not hold {START} or {END}, which the model adds itself.")
        logprobs, orders = [], []
        states = [scorer.start] if self.order > 1 else []
        for word in (*ids, scorer.end):
            logprob, matched, states = scorer.step(word, states)
            logprobs.append(logprob)
            orders.append(matched)
        return logprobs, orders


def _uniform_numbers(generator: Any) -> Callable[[], float]:
    """A function that samples a number from [0, 1)."""
    if generator is None:
        return random.random
    if isinstance(generator, np.random.Generator):
        return generator.random
    if type(generator).__module__.startswith("torch"):
        import torch  # only who has such a generator needs it

        return lambda: torch.rand((), generator=generator, device=generator.device).item()
    raise TypeError(
        f"`generator` must be a torch.Generator, a numpy Generator or None, got {type(generator).__name__}."
    )


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
