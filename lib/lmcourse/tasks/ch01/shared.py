"""What several exercises of chapter 01 share: drawing cases, and what counts as the same result."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

Sentences = Sequence[Sequence[str]]


WORDS = ("tea", "sea", "sun", "moon", "rain", "wind", "stone", "river", "bird", "leaf", "fire", "salt", "road")


def random_sentences(rng: np.random.Generator, n_sentences: int, n_words: int = 7) -> list[list[str]]:
    """Sentences of 1 to 8 words drawn from the first `n_words` of WORDS, for cases."""
    lengths = rng.integers(1, 9, size=n_sentences)
    return [[WORDS[int(word)] for word in rng.integers(0, n_words, size=int(length))] for length in lengths]


Counts = dict[tuple[str, ...], int]


def padded_counts(sentences: Sentences, order: int) -> Counts:
    """Count the windows of `order` tokens in <s> ... </s>; the reference of `ngram_counts`."""
    if order < 1:
        raise ValueError(f"`order` must be at least 1, got {order}.")
    counts: Counter[tuple[str, ...]] = Counter()
    for sentence in sentences:
        tokens = ["<s>", *sentence, "</s>"]
        counts.update(tuple(tokens[at : at + order]) for at in range(len(tokens) - order + 1))
    return dict(counts)


WEATHER = [["red", "sun"], ["red", "sun"], ["red", "sky"], ["blue", "sky"]]


def count_tables(sentences: Sentences, order: int) -> list[Counts]:
    """Unigrams, bigrams, ... up to `order`; <s> is left out of the unigrams, for it is never predicted."""
    tables = [padded_counts(sentences, n) for n in range(1, order + 1)]
    tables[0].pop(("<s>",), None)
    return tables


def followers(table: Counts, context: tuple[str, ...]) -> Counter[str]:
    after: Counter[str] = Counter()
    for gram, count in table.items():
        if gram[:-1] == context:
            after[gram[-1]] += count
    return after


KITCHEN: Counts = {
    ("hot", "tea"): 3,
    ("hot", "soup"): 1,
    ("cold", "tea"): 1,
    ("green", "tea"): 1,
    ("hong", "kong"): 6,
}
