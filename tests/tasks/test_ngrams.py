"""The answers of chapter 01's exercises agree with the library's models on a text."""

import itertools

import numpy as np
import pytest

from lmcourse.exercises import find_task
from lmcourse.models.markov import MarkovChain, SkipModel
from lmcourse.models.ngram import MLE, AddK, KneserNey, NGramModel, StupidBackoff
from lmcourse.tasks.ch01.shared import count_tables, random_sentences

SENTENCES = random_sentences(np.random.default_rng(11), 53, 7)
WORDS = sorted({word for sentence in SENTENCES for word in sentence})


def answer(name):
    return find_task(name).reference


def test_transition_matrix_is_the_markov_chains():
    chain = MarkovChain(history=1).fit(SENTENCES)
    np.testing.assert_allclose(answer("transition_matrix")(SENTENCES, chain.states), chain.transition_matrix())


@pytest.mark.parametrize("keep", [None, ["sea", "moon"], []])
def test_votes_are_the_skip_models(keep):
    model = SkipModel().fit(SENTENCES)
    for prefix in itertools.product(WORDS[:5], repeat=3):
        votes = model.votes(prefix) if keep is None else model.masked_votes(prefix, keep)
        assert answer("skip_votes")(SENTENCES, prefix, keep) == pytest.approx(votes)


@pytest.mark.parametrize("order", [2, 3])
def test_counts_and_shares_are_the_models(order):
    model = NGramModel(order, MLE()).fit(SENTENCES)
    counts = answer("ngram_counts")(SENTENCES, order)
    for gram, count in counts.items():
        assert model.count(gram) == count
        assert answer("mle_probability")(counts, gram[:-1], gram[-1]) == pytest.approx(model.prob(gram[-1], gram[:-1]))


def test_add_k_is_the_models():
    model = NGramModel(2, AddK(0.3)).fit(SENTENCES)
    counts = answer("ngram_counts")(SENTENCES, 2)
    size = np.count_nonzero(model.distribution(("tea",)))  # <s> is in the vocabulary but never predicted
    for left, right in itertools.product(["<s>", *WORDS], [*WORDS, "</s>"]):
        assert answer("add_k")(counts, (left,), right, size, 0.3) == pytest.approx(model.prob(right, (left,)))


def test_stupid_backoff_is_the_models():
    model = NGramModel(3, StupidBackoff(0.4)).fit(SENTENCES)
    tables = count_tables(SENTENCES, 3)
    for first, second, word in itertools.product(WORDS, repeat=3):
        score = answer("stupid_backoff")(tables, (first, second), word)
        assert score == pytest.approx(model.prob(word, (first, second)))


def test_kneser_ney_is_the_models():
    model = NGramModel(2, KneserNey(modified=False, discounts=0.6, uniform=False)).fit(SENTENCES)
    counts = answer("ngram_counts")(SENTENCES, 2)
    for left, right in itertools.product(["<s>", *WORDS], [*WORDS, "</s>"]):
        prob = answer("kneser_ney_bigram")(counts, left, right, 0.6)
        assert prob == pytest.approx(model.prob(right, (left,)), abs=1e-12)


def test_every_smoothing_gives_a_distribution():
    tables = count_tables(SENTENCES, 3)
    words = [*WORDS, "</s>"]
    for left in ["<s>", *WORDS, "never"]:
        sums = [
            sum(answer("kneser_ney_bigram")(tables[1], left, word, 0.75) for word in words),
            sum(answer("add_k")(tables[1], (left,), word, len(words), 0.1) for word in words),
            sum(answer("interpolate")(tables, ("sun", left), word, [0.2, 0.3, 0.5]) for word in words),
        ]
        assert sums == pytest.approx([1, 1, 1], abs=1e-9)
