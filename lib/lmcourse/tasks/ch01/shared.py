"""What several exercises of chapter 01 share: drawing cases, and what counts as the same result."""

import random
from collections import Counter
from collections.abc import Callable, Sequence

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


KITCHEN: Counts = {("hot", "tea"): 3, ("hot", "soup"): 1, ("cold", "tea"): 1, ("green", "tea"): 1, ("hong", "kong"): 6}


ALPHABET = "\n ,.abcdefghijklmnopqrstuvwxyz\u00e9"  # what a text of an invented language is written in
_CONSONANTS = ("b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "st", "br", "kl", "")


def invented_language(seed: int, n_sayings: int = 0) -> Callable[[random.Random, int], str]:
    """Draw a language from a seed, for projects: words, endings, expressions of several words, what goes with what.

    Args:
        n_sayings: how many clauses are said again and again as they are; a third of all clauses are of these.

    Returns:
        A function that writes a text in it: `write(rng, n_chars)`.
    """
    rng = random.Random(f"{seed} words")
    words: set[str] = set()

    def draw(n_words: int, *n_syllables: int) -> list[str]:
        drawn: list[str] = []
        while len(drawn) < n_words:
            syllables = range(rng.choice(n_syllables))
            word = "".join(
                rng.choice(_CONSONANTS) + rng.choice("aaeeiioouu\u00e9") + rng.choice(("", "", "", "n", "r", "s"))
                for _ in syllables
            )
            if len(word) > 1 and word not in words:
                words.add(word)
                drawn.append(word)
        return drawn

    articles, endings = draw(2, 1), draw(2, 1)
    links = [" ".join(draw(n_words, 1, 2)) for n_words in (1, 2, 2, 3)]
    joints = [", " + " ".join(draw(n_words, 1, 2)) for n_words in (1, 2, 3)]
    things, deeds, kinds = draw(90, 2, 2, 2, 3), draw(40, 2, 2, 3), draw(30, 2, 2, 3)
    with_deed = {deed: rng.sample(things, 15) for deed in deeds}
    sayings = [" ".join(draw(5, 1, 2)) for _ in range(n_sayings)]

    def write(rng: random.Random, n_chars: int) -> str:
        def pick(words: Sequence[str]) -> str:
            return rng.choices(words, [1 / (rank + 2) for rank in range(len(words))])[0]

        def phrase(things: Sequence[str]) -> str:
            kind = pick(kinds) + " " if rng.random() < 0.35 else ""
            return f"{articles[rng.random() < 0.3]} {kind}{pick(things)}{endings[0] if rng.random() < 0.25 else ''}"

        def clause() -> str:
            if sayings and rng.random() < 0.35:
                return rng.choice(sayings)
            deed = pick(deeds)
            ending = endings[1] if rng.random() < 0.4 else ""
            more = f" {pick(links)} {phrase(things)}" if rng.random() < 0.5 else ""
            return f"{phrase(things)} {deed}{ending} {phrase(with_deed[deed])}{more}"

        sentences, size = [], 0
        while size < n_chars:
            more = pick(joints) + " " + clause() if rng.random() < 0.4 else ""
            sentences.append(clause() + more + rng.choice((". ", ". ", ".\n")))
            size += len(sentences[-1])
        return "".join(sentences)[:n_chars]

    return write
