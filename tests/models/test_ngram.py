"""The n-gram model against hand-worked cases, a slow twin, NLTK, and what must hold for any text."""

import math
import random
import warnings
from collections import defaultdict
from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.lm import models as nltk_models
from nltk.lm.vocabulary import Vocabulary as NltkVocabulary

from lmcourse.models.ngram import (
    MLE,
    AbsoluteDiscounting,
    AddK,
    Interpolated,
    KneserNey,
    NGramModel,
    StupidBackoff,
)

TEXT = [
    line.split()
    for line in """the cat sat on the mat
the dog sat on the log
a cat saw the dog
the dog saw a cat on the mat
she sat
the old cat and the old dog sat on the old mat
a mat
dogs and cats sat""".splitlines()
]


def smoothings(order):
    """Every method that gives probabilities, with settings that differ between orders where they can."""
    weights = np.arange(1, order + 1) / (order * (order + 1) / 2)
    return [
        MLE(),
        AddK(1),
        AddK(0.13),
        Interpolated(weights.tolist()),
        Interpolated(weights.tolist(), uniform=0.07),
        AbsoluteDiscounting(),
        AbsoluteDiscounting(0.31, uniform=False),
        KneserNey(),
        KneserNey(modified=False),
        KneserNey(discounts=(0.5, 0.9, 1.7)),
        KneserNey(discounts=0.61, uniform=False),
    ]


# Seen, half-seen and unseen contexts, too short and too long ones, and a sentence's start.
CONTEXTS = [
    (),
    ("the",),
    ("<s>",),
    ("<s>", "the"),
    ("sat", "on", "the"),
    ("zebra",),
    ("zebra", "the"),
    ("the", "zebra"),
    ("mat", "mat"),
    ("she", "sat", "on", "the", "old"),
]


# ---------------------------------------------------------------- worked by hand


def test_counts_of_a_tiny_text():
    model = NGramModel(3).fit([["a", "b", "a"], ["a", "b"]])
    # <s> a b a </s>; <s> a b </s>
    assert model.count(["a"]) == 3
    assert model.count(["a", "b"]) == 2
    assert model.count(["<s>", "a"]) == 2
    assert model.count(["b", "</s>"]) == 1
    assert model.count(["a", "b", "a"]) == 1
    assert model.count(["b", "b"]) == 0
    assert model.count(["zebra"]) == 0
    # bigrams: <s>a ab ba a</s> b</s>; trigrams: <s>ab aba ba</s> ab</s>
    assert model.num_ngrams == (5, 5, 4)
    # a comes after <s> and b; b only after a
    assert model.continuation_count(["a"]) == 2
    assert model.continuation_count(["b"]) == 1
    assert model.continuation_count(["a", "b"]) == 1
    assert model.followers(["a"]) == {"b": 2, "</s>": 1}
    assert model.followers() == {"a": 3, "b": 2, "</s>": 2}
    assert model.followers(["zebra"]) == {}


def test_mle_by_hand():
    model = NGramModel(2, MLE()).fit([["a", "b", "a"], ["a", "b"]])
    assert model.prob("b", ["a"]) == pytest.approx(2 / 3)
    assert model.prob("a") == pytest.approx(3 / 7)  # 3 a, 2 b, 2 </s>; <s> is never predicted
    # p(a|<s>) p(b|a) p(</s>|b) = 1 * 2/3 * 1/2
    assert model.logprob(["a", "b"]) == pytest.approx(math.log(1 / 3))
    assert model.perplexity([["a", "b"]]) == pytest.approx(3 ** (1 / 3))
    assert model.prob("zebra", ["a"]) == 0
    assert model.prob("b", ["zebra"]) == pytest.approx(2 / 7), "an unseen context is shortened"


def test_add_k_by_hand():
    model = NGramModel(2, AddK(0.5)).fit([["a", "b", "a"], ["a", "b"]])
    # V = {<unk>, </s>, a, b} = 4: (2 + .5) / (3 + .5 * 4)
    assert model.prob("b", ["a"]) == pytest.approx(2.5 / 5)
    assert model.prob("zebra", ["a"]) == pytest.approx(0.5 / 5)
    assert model.prob("a", ["zebra"]) == pytest.approx(1 / 4)


def test_interpolation_by_hand():
    model = NGramModel(3, Interpolated([0.2, 0.3, 0.5])).fit([["a", "b", "a"], ["a", "b"]])
    # .2 * 3/7 + .3 * c(b a)/c(b) = 1/2 + .5 * c(a b a)/c(a b) = 1/2
    assert model.prob("a", ["a", "b"]) == pytest.approx(0.2 * 3 / 7 + 0.3 / 2 + 0.5 / 2)
    # (b, b) was never seen: its .5 goes to the lower orders, .4 and .6
    assert model.prob("a", ["b", "b"]) == pytest.approx(0.4 * 3 / 7 + 0.6 / 2)


def test_stupid_backoff_by_hand():
    model = NGramModel(3, StupidBackoff(0.4)).fit([["a", "b", "a"], ["a", "b"]])
    assert model.prob("a", ["a", "b"]) == pytest.approx(1 / 2)
    assert model.prob("b", ["a", "b"]) == pytest.approx(0.4 * 0.4 * 2 / 7)
    assert model.prob("a", ["b", "b"]) == pytest.approx(0.4 / 2), "an unseen context costs alpha too"
    assert model.prob("zebra", ["a", "b"]) == 0


def test_absolute_discounting_by_hand():
    model = NGramModel(2, AbsoluteDiscounting(0.5, uniform=False)).fit([["a", "b", "a"], ["a", "b"]])
    # a is followed by b twice and by </s> once: (2 - .5)/3 + .5 * 2/3 * 2/7
    assert model.prob("b", ["a"]) == pytest.approx(1.5 / 3 + 0.5 * 2 / 3 * 2 / 7)


def test_kneser_ney_by_hand():
    model = NGramModel(2, KneserNey(discounts=0.5)).fit([["a", "b", "a"], ["a", "b"]])
    # continuation counts a 2, b 1, </s> 2 of 5 bigrams; V = 4, so a unigram gets .5 * 3/5 * 1/4 extra
    unigram = (1 - 0.5) / 5 + 0.5 * 3 / 5 / 4
    assert model.prob("b") == pytest.approx(unigram)
    assert model.prob("b", ["a"]) == pytest.approx((2 - 0.5) / 3 + 0.5 * 2 / 3 * unigram)
    assert model.prob("zebra") == pytest.approx(0.5 * 3 / 5 / 4)


def test_francisco_follows_one_word_only():
    text = [["san", "francisco"]] * 9 + [[w, "glasses"] for w in ("my", "your", "old", "new")]
    model = NGramModel(2, KneserNey(discounts=0.75)).fit(text)
    assert model.count(["francisco"]) > model.count(["glasses"])
    assert model.prob("glasses") > model.prob("francisco")
    assert model.prob("francisco", ["san"]) > 0.9


# ---------------------------------------------------------------- what must hold for any text


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_every_distribution_sums_to_one(order):
    for smoothing in smoothings(order):
        model = NGramModel(order, smoothing).fit(TEXT)
        assert smoothing.sums_to_one
        for context in CONTEXTS:
            probs = model.distribution(context)
            assert probs.shape == (len(model.vocabulary),)
            assert probs.min() >= 0
            assert probs.sum() == pytest.approx(1, abs=1e-9), (smoothing, context)
            assert probs[model.vocabulary.index("<s>")] == 0


def test_stupid_backoff_is_the_named_exception():
    model = NGramModel(3, StupidBackoff()).fit(TEXT)
    assert not model.smoothing.sums_to_one
    assert "not sum to one" in StupidBackoff.__doc__
    assert model.distribution(["the", "cat"]).sum() > 1.01


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_all_ways_to_ask_agree(order):
    """prob = distribution[word]; logprob = sum of the log probs; one by one = all at once."""
    for smoothing in [*smoothings(order), StupidBackoff(0.37)]:
        model = NGramModel(order, smoothing).fit(TEXT)
        for context in CONTEXTS:
            probs = model.distribution(context)
            ours = [model.prob(word, context) for word in model.vocabulary]
            np.testing.assert_allclose(ours, probs, rtol=1e-12)
        test = [["the", "cat", "saw", "the", "log"], [], ["zebra", "sat", "on", "a", "zebra"], ["a"]]
        at_once = model.score(test)
        for sentence, score in zip(test, at_once):
            tokens = ["<s>", *sentence, "</s>"]
            slow = [model.prob(tokens[i], tokens[:i]) for i in range(1, len(tokens))]
            with np.errstate(divide="ignore"):
                expected = np.log(slow)
            np.testing.assert_allclose(model.token_logprobs(sentence), expected, rtol=1e-12)
            assert model.logprob(sentence) == pytest.approx(expected.sum(), rel=1e-12)
            assert score == pytest.approx(expected.sum(), rel=1e-12)
        tokens = sum(len(sentence) + 1 for sentence in test)
        assert model.perplexity(test) == pytest.approx(math.exp(-at_once.sum() / tokens))


def test_long_sentences_take_the_vectorised_path_with_the_same_numbers():
    text = "the cat sat on the mat and the dog sat on the log " * 40
    for smoothing in [*smoothings(4), StupidBackoff()]:
        model = NGramModel(4, smoothing).fit([text[:200]])
        np.testing.assert_allclose(model.token_logprobs(text), model._score_by_steps(list(text))[0], rtol=1e-12)
        assert model.matched_orders(text).tolist() == model._score_by_steps(list(text))[1]


words = st.sampled_from(["a", "b", "c", "dd", "<unk>", "é"])
corpora = st.lists(st.lists(words, max_size=7), min_size=1, max_size=9).filter(any)


@settings(max_examples=40, deadline=None)
@given(corpora, st.integers(1, 4), st.lists(words | st.just("new"), max_size=5), st.integers(0, 10))
def test_properties(corpus, order, context, which):
    order = min(order, max(map(len, corpus)) + 2)
    model = NGramModel(order, smoothings(order)[which]).fit(corpus)
    probs = model.distribution(context)
    assert abs(probs.sum() - 1) < 1e-9
    assert probs.min() >= 0
    word = model.vocabulary.tokens[-1]
    assert model.prob(word, context) == pytest.approx(probs[-1], rel=1e-12)
    assert model.logprob(context) == pytest.approx(model.score([context])[0], rel=1e-12)


@settings(max_examples=40, deadline=None)
@given(corpora, st.integers(1, 4))
def test_the_slow_twin_gives_the_same_modified_kneser_ney(corpus, order):
    order = min(order, max(map(len, corpus)) + 2)
    model, twin = NGramModel(order).fit(corpus), SlowKneserNey(order, corpus)
    assert model.discounts == tuple(map(pytest.approx, twin.discounts))
    for context in [(), ("a",), ("<s>",), ("a", "b"), ("<s>", "b"), ("b", "c", "a")]:
        for word in model.vocabulary:
            if word != "<s>":
                assert model.prob(word, context) == pytest.approx(twin.prob(word, context), rel=1e-9)


class SlowKneserNey:
    """Interpolated modified Kneser-Ney with dictionaries, as the paper says it, order by order."""

    def __init__(self, order, sentences):
        self.order = order
        count = defaultdict(int)
        for sentence in sentences:
            padded = ("<s>", *sentence, "</s>")
            for n in range(1, order + 1):
                for i in range(len(padded) - n + 1):
                    count[padded[i : i + n]] += 1
        left = defaultdict(set)
        for ngram in count:
            left[ngram[1:]].add(ngram[0])
        self.a = {}
        for ngram, c in count.items():
            if ngram != ("<s>",):
                raw = len(ngram) == order or ngram[0] == "<s>"
                self.a[ngram] = c if raw else len(left[ngram])
        self.vocabulary = {ngram[0] for ngram in self.a if len(ngram) == 1} | {"<unk>"}
        self.discounts = []
        for n in range(1, order + 1):
            values = [c for ngram, c in self.a.items() if len(ngram) == n]
            n1, n2, n3, n4 = (values.count(j) for j in (1, 2, 3, 4))
            d = (0.5, 1.0, 1.5)
            if n1 and n2 and n3:
                y = n1 / (n1 + 2 * n2)
                found = (1 - 2 * y * n2 / n1, 2 - 3 * y * n3 / n2, 3 - 4 * y * n4 / n3)
                if all(0 <= x <= j for j, x in enumerate(found, 1)):
                    d = found
            self.discounts.append(d)
        self.after = defaultdict(dict)
        for ngram, c in self.a.items():
            self.after[ngram[:-1]][ngram[-1]] = c

    def prob(self, word, context):
        word = word if word in self.vocabulary else "<unk>"
        known = self.vocabulary | {"<s>"}
        context = tuple(w if w in known else "<unk>" for w in context)
        return self._prob(word, context[max(0, len(context) - self.order + 1) :])

    def _prob(self, word, context):
        lower = self._prob(word, context[1:]) if context else 1 / len(self.vocabulary)
        if context not in self.after:
            return lower
        after = self.after[context]
        d1, d2, d3 = self.discounts[len(context)]
        discount = [0, d1, d2, d3]
        total = sum(after.values())
        gamma = sum(discount[min(c, 3)] for c in after.values()) / total
        c = after.get(word, 0)
        return (c - discount[min(c, 3)]) / total + gamma * lower


# ---------------------------------------------------------------- NLTK


def nltk_fit(model):
    """NLTK with the same padding as here, one <s>, and with no unigram <s>, which it would count and predict."""
    order = model.order
    grams = []
    for sentence in TEXT:
        padded = ("<s>", *sentence, "</s>")
        for n in range(1, order + 1):
            grams.append([padded[i : i + n] for i in range(len(padded) - n + 1) if padded[i : i + n] != ("<s>",)])
    model.counts.update(grams)
    model.vocab = NltkVocabulary([w for s in TEXT for w in (*s, "</s>")], unk_label="<unk>")
    return model


def agree(ours, theirs, contexts):
    theirs = nltk_fit(theirs)
    for context in contexts:
        for word in ["the", "cat", "mat", "</s>", "old", "she"]:
            expected = theirs.unmasked_score(word, context)
            assert ours.prob(word, context) == pytest.approx(expected, rel=1e-12, abs=1e-300), (word, context)


SEEN = [(), ("the",), ("<s>",), ("<s>", "the"), ("on", "the"), ("sat", "on")]


def test_nltk_mle():
    agree(NGramModel(3, MLE()).fit(TEXT), nltk_models.MLE(3), SEEN)  # unseen contexts: NLTK says 0


def test_nltk_laplace_and_lidstone():
    contexts = [*SEEN, ("mat", "mat"), ("log", "a")]
    agree(NGramModel(3, AddK(1)).fit(TEXT), nltk_models.Laplace(3), contexts)
    agree(NGramModel(3, AddK(0.13)).fit(TEXT), nltk_models.Lidstone(0.13, 3), contexts)


def test_nltk_stupid_backoff():
    contexts = [*SEEN, ("mat", "mat"), ("log", "a")]
    agree(NGramModel(3, StupidBackoff(0.37)).fit(TEXT), nltk_models.StupidBackoff(0.37, 3), contexts)


def test_nltk_absolute_discounting():
    contexts = [*SEEN, ("mat", "mat"), ("log", "a")]
    ours = NGramModel(3, AbsoluteDiscounting(0.31, uniform=False)).fit(TEXT)
    agree(ours, nltk_models.AbsoluteDiscountingInterpolated(3, discount=0.31), contexts)


def test_nltk_kneser_ney_bigrams():
    """Where the definitions coincide: NLTK has one discount, undiscounted unigrams, and no V."""
    ours = NGramModel(2, KneserNey(discounts=0.31, uniform=False)).fit(TEXT)
    agree(ours, nltk_models.KneserNeyInterpolated(2, discount=0.31), [(), ("the",), ("<s>",), ("on",)])


def test_nltk_kneser_ney_trigrams_where_no_sentence_begins():
    """Of bigrams that begin with <s> NLTK counts the words before, and finds none; the other contexts agree."""
    ours = NGramModel(3, KneserNey(discounts=0.31, uniform=False)).fit(TEXT)
    theirs = nltk_models.KneserNeyInterpolated(3, discount=0.31)
    agree(ours, theirs, [(), ("the",), ("on",), ("on", "the"), ("sat", "on"), ("mat", "mat"), ("log", "a")])
    with pytest.raises(ZeroDivisionError):
        theirs.unmasked_score("the", ("<s>",))


# ---------------------------------------------------------------- discounts


def test_fallback_is_taken_and_recorded():
    model = NGramModel(3).fit(TEXT[:2])
    assert model.fell_back == (1, 2, 3)
    assert model.discounts == ((0.5, 1.0, 1.5),) * 3
    assert NGramModel(2, KneserNey(modified=False)).fit([["a"]]).discounts == ((0.5,), (0.5,))
    with pytest.raises(ValueError, match=r"1-grams allow no Kneser-Ney discounts \(n1 to n4"):
        NGramModel(3, KneserNey(fallback=None)).fit(TEXT[:2])
    with pytest.raises(ValueError, match=r"D = n1 / \(n1 \+ 2 n2\)"):
        NGramModel(2, AbsoluteDiscounting(fallback=None)).fit([["a"]])


def test_discounts_outside_their_range_take_the_fallback():
    # One order: counts a 1, b 2, c 3 d 3 e 3 f 3 and </s> 15: n1 = n2 = 1, n3 = 4, Y = 1/3, D2 = 2 - 3/3 * 4 = -2
    text = ["a", "b", "b", *"cccdddeeefff"]
    model = NGramModel(1).fit([[word] for word in text])
    assert model.fell_back == (1,)


def test_single_discount_by_hand():
    # unigram counts: a 2, b 1, c 1, </s> 1: n1 = 3, n2 = 1, D = 3 / 5
    model = NGramModel(1, KneserNey(modified=False)).fit([["a", "a", "b", "c"]])
    assert model.discounts == ((pytest.approx(0.6),),)
    assert NGramModel(1, AbsoluteDiscounting()).fit([["a", "a", "b", "c"]]).discounts == model.discounts
    assert NGramModel(2, MLE()).fit(TEXT).discounts == ((), ())


# ---------------------------------------------------------------- sampling


def test_sampling_follows_the_distribution():
    model = NGramModel(2).fit(TEXT)
    n = 4000
    drawn = model.sample(n, generator=np.random.default_rng(3))
    assert len(drawn) == n
    # after "the", in the sampled text, against the model: within 5 standard errors
    after = [b for a, b in pairwise(drawn) if a == "the"]
    assert len(after) > 300
    for word, p in zip(model.vocabulary, model.distribution(["the"])):
        error = math.sqrt(p * (1 - p) / len(after)) + 1e-9
        assert abs(after.count(word) / len(after) - p) < 5 * error
    starts = [b for a, b in pairwise(drawn) if a == "</s>"]
    p = model.prob("the", ["<s>"])
    assert abs(starts.count("the") / len(starts) - p) < 5 * math.sqrt(p * (1 - p) / len(starts))
    assert "<s>" not in drawn


def test_sampling_is_reproducible_and_uses_the_context():
    model = NGramModel(3, MLE()).fit(TEXT)
    for make in (lambda: torch.Generator().manual_seed(5), lambda: np.random.default_rng(5)):
        assert model.sample(20, generator=make()) == model.sample(20, generator=make())
    random.seed(11)
    first = model.sample(20)
    random.seed(11)
    assert model.sample(20) == first
    assert model.sample(1, context=["she", "sat"]) == ["</s>"]
    assert model.sample(3, context=["<s>", "she"])[:2] == ["sat", "</s>"]
    assert model.sample(0) == []
    assert len(NGramModel(1).fit(TEXT).sample(7)) == 7


def test_a_word_of_probability_0_is_never_drawn(monkeypatch):
    model = NGramModel(2, MLE()).fit([["a", "b"]])
    monkeypatch.setattr(random, "random", lambda: 0.0)
    assert model.sample(3, context=["<s>"]) == ["a", "b", "</s>"]
    monkeypatch.setattr(random, "random", lambda: math.nextafter(1, 0))
    assert model.sample(3, context=["<s>"]) == ["a", "b", "</s>"]


def test_a_sample_of_stupid_backoff_is_drawn_from_its_rescaled_scores():
    model = NGramModel(2, StupidBackoff()).fit(TEXT)
    drawn = model.sample(2000, generator=np.random.default_rng(1))
    scores = model.distribution(["the"])
    after = [b for a, b in pairwise(drawn) if a == "the"]
    p = scores[model.vocabulary.index("old")] / scores.sum()
    assert abs(after.count("old") / len(after) - p) < 5 * math.sqrt(p * (1 - p) / len(after))


# ---------------------------------------------------------------- characters, unknown words, coverage, memory


def test_a_str_is_a_sentence_of_characters():
    model = NGramModel(3).fit(["abracadabra"])
    assert model.count(["a", "b"]) == 2
    assert model.prob("r", ["a", "b"]) > 0.5
    assert set("abrcd") < set(model.vocabulary)


def test_rare_and_unknown_words_become_unk():
    model = NGramModel(2).fit([["a", "a", "rare"], ["a", "odd"]], min_count=2)
    assert model.vocabulary.tokens == ("<unk>", "<s>", "</s>", "a")
    assert model.count(["<unk>"]) == 2
    assert model.prob("rare", ["a"]) == model.prob("never seen", ["a"]) == model.prob("<unk>", ["a"])
    assert model.logprob(["odd"]) == model.logprob(["rare"])


def test_only_the_last_words_of_a_long_context_count():
    model = NGramModel(3).fit(TEXT)
    assert model.prob("the", ["mat", "dog", "sat", "on"]) == model.prob("the", ["sat", "on"])
    unigram = NGramModel(1).fit(TEXT)
    assert unigram.prob("the", ["a", "b"]) == unigram.prob("the")


def test_coverage_and_matched_orders_by_hand():
    model = NGramModel(3).fit([["a", "b", "c"]])
    # test: <s> a b d </s>. unigrams a b </s> of 4; bigrams <s>a ab of 4; trigrams <s>ab of 3
    np.testing.assert_allclose(model.coverage([["a", "b", "d"]]), [3 / 4, 2 / 4, 1 / 3])
    assert model.matched_orders(["a", "b", "d"]).tolist() == [2, 3, 1, 1]
    assert math.isnan(NGramModel(3).fit(TEXT).coverage([[]])[2])


def test_memory_is_what_the_docstring_says():
    model = NGramModel(3).fit(TEXT)
    one, two, three = model.num_ngrams
    assert model.nbytes == 32 * (one + two) + 20 * three


def test_no_numpy_warning_leaks():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for order in (1, 2, 4):
            for smoothing in [*smoothings(order), StupidBackoff()]:
                model = NGramModel(order, smoothing).fit(TEXT)
                model.score([["zebra", "the"], []])
                model.logprob(["zebra", "the", "the"])
                model.perplexity([["zebra", "the"]])
                model.distribution(["zebra", "the"])
                model.coverage([[]])
        assert NGramModel(2, MLE()).fit(TEXT).perplexity([["zebra"]]) == math.inf


def test_refitting_replaces_everything():
    model = NGramModel(2).fit(TEXT)
    model.prob("the", ["on"])
    again = model.fit([["x", "y"], ["y", "x"]])
    assert again is model
    assert model.prob("x", ["y"]) == NGramModel(2).fit([["x", "y"], ["y", "x"]]).prob("x", ["y"])


def test_a_failed_fit_leaves_the_model_as_it_was():
    model = NGramModel(2).fit(TEXT)
    before = model.prob("the", ["on"])
    with pytest.raises(ValueError):
        model.fit([])
    assert model.prob("the", ["on"]) == before


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: NGramModel(0), ValueError, "`order` must be at least 1, got order=0"),
        (lambda: NGramModel(-3), ValueError, "`order` must be at least 1, got order=-3"),
        (lambda: NGramModel(2.0), TypeError, "`order` must be a whole number, got order=2.0"),
        (lambda: NGramModel(True), TypeError, "`order` must be a whole number"),
        (lambda: NGramModel("3"), TypeError, "`order` must be a whole number, got order='3'"),
        (lambda: NGramModel(2, "mle"), TypeError, "`smoothing` must be a smoothing"),
        (lambda: NGramModel(2, MLE), TypeError, "`smoothing` must be a smoothing"),
        (lambda: NGramModel(2).fit([]), ValueError, "at least one word, got 0 sentences"),
        (lambda: NGramModel(2).fit([[], []]), ValueError, "at least one word, got 2 sentences"),
        (lambda: NGramModel(2).fit("a text"), TypeError, r"pass \[text\]"),
        (lambda: NGramModel(2).fit([["a", 3]]), TypeError, "must hold words that are str, got 3"),
        (lambda: NGramModel(2).fit(None), TypeError, "`sentences` must be an iterable of sentences, got None"),
        (lambda: NGramModel(2).fit([3]), TypeError, "`sentences` must hold iterables of str"),
        (lambda: NGramModel(2).fit([["a", ["b"]]]), TypeError, "`sentences` must hold iterables of str"),
        (lambda: NGramModel(2).fit([["a", "<s>"]]), ValueError, "must not hold <s> or </s>"),
        (lambda: NGramModel(2).fit([["</s>", "a"]]), ValueError, "got '</s>'"),
        (lambda: NGramModel(9).fit(TEXT[:2]), ValueError, "longest sentence, 8 words .* got order=9"),
        (lambda: NGramModel(2).fit(TEXT, min_count=0), ValueError, "`min_count` must be at least 1"),
        (lambda: AddK(0), ValueError, "`k` must be more than 0, got k=0"),
        (lambda: AddK(-1), ValueError, "`k`"),
        (lambda: AddK(math.nan), ValueError, "`k`"),
        (lambda: AddK(math.inf), ValueError, "`k`"),
        (lambda: AddK("1"), TypeError, "`k`"),
        (lambda: StupidBackoff(0), ValueError, "`alpha` .* got alpha=0"),
        (lambda: StupidBackoff(1.0), ValueError, "`alpha`"),
        (lambda: StupidBackoff(math.nan), ValueError, "`alpha`"),
        (lambda: Interpolated([0.5, 0.6]), ValueError, "must sum to 1, got .* 1.1"),
        (lambda: Interpolated([1.5, -0.5]), ValueError, r"`weights\[0\]` must be at least 0 and at most 1"),
        (lambda: Interpolated([math.nan, 1.0]), ValueError, r"`weights\[0\]` must be finite"),
        (lambda: Interpolated([]), ValueError, "`weights`"),
        (lambda: Interpolated("ab"), TypeError, r"`weights\[0\]`"),
        (lambda: Interpolated(1.0), TypeError, "`weights` must be a sequence"),
        (lambda: Interpolated([1.0], uniform=2), ValueError, "`uniform`"),
        (lambda: NGramModel(3, Interpolated([0.5, 0.5])), ValueError, "got 2 weights for order=3"),
        (lambda: AbsoluteDiscounting(0), ValueError, "`discount`"),
        (lambda: AbsoluteDiscounting(1.2), ValueError, "got discount=1.2"),
        (lambda: KneserNey(discounts=(0.5, 1)), ValueError, "`discounts` must hold 1 or 3 numbers"),
        (lambda: KneserNey(discounts=(0.5, 2.5, 1)), ValueError, r"`discounts\[1\]` must be at least 0 and at most 2"),
        (lambda: KneserNey(fallback=(0.5,)), ValueError, "`fallback` must hold 3 numbers"),
        (lambda: KneserNey(fallback=0.5), ValueError, "`fallback` must hold 3 numbers"),
        (lambda: AbsoluteDiscounting("a"), TypeError, "`discount`"),
        (lambda: NGramModel(2).fit(x for x in ["ab", None]), TypeError, "`sentences` must hold"),
        (lambda: NGramModel(2).save("x"), RuntimeError, "fit"),
        (lambda: NGramModel(2).prob("a"), RuntimeError, "fit"),
        (lambda: NGramModel(2).logprob(["a"]), RuntimeError, "fit"),
        (lambda: NGramModel(2).score([["a"]]), RuntimeError, "fit"),
        (lambda: NGramModel(2).sample(3), RuntimeError, "fit"),
        (lambda: NGramModel(2).count(["a"]), RuntimeError, "fit"),
        (lambda: NGramModel(2).nbytes, RuntimeError, "fit"),
        (lambda: NGramModel(2).to_arpa("x"), RuntimeError, "fit"),
    ],
)
def test_bad_settings_and_texts(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda m: m.prob("a", "the"), TypeError, "`context` must be a sequence of words"),
        (lambda m: m.prob("a", 5), TypeError, "`context` must be a sequence of words, got int 5"),
        (lambda m: m.prob(3, ["the"]), TypeError, "`word` must be a str, got 3"),
        (lambda m: m.prob("a", [None]), TypeError, "`context` must be a sequence of words: .* got None"),
        (lambda m: m.prob("a", ["the", "<s>"]), ValueError, "may begin with '<s>'"),
        (lambda m: m.prob("a", ["</s>"]), ValueError, "hold no '</s>'"),
        (lambda m: m.logprob(["the", "</s>"]), ValueError, "must not hold <s> or </s>"),
        (lambda m: m.score([["the"], ["<s>", "the"]]), ValueError, "must not hold <s> or </s>"),
        (lambda m: m.score("the cat"), TypeError, r"pass \[text\]"),
        (lambda m: m.perplexity([]), ValueError, "at least one sentence"),
        (lambda m: m.sample(-1), ValueError, "`n_words` must be at least 0, got n_words=-1"),
        (lambda m: m.sample(2.5), TypeError, "`n_words` must be a whole number"),
        (lambda m: m.sample(2, generator=3), TypeError, "`generator` must be a torch.Generator"),
        (lambda m: m.logprob(5), TypeError, "`sentence` must be an iterable of str, got 5"),
        (lambda m: m.logprob(["a", 5]), TypeError, "`sentence` must be a sequence of words: .* got 5"),
        (lambda m: m.logprob(["a"] * 200 + ["</s>"]), ValueError, "must not hold <s> or </s>"),
        (lambda m: m.score([["a", 5]]), TypeError, "`sentences` must hold iterables of str: .* got 5"),
        (lambda m: m.score([None]), TypeError, "`sentences` must hold iterables of str"),
        (lambda m: m.count([]), ValueError, "1 to 3 words for its counts, got 0"),
        (lambda m: m.count(["a"] * 4), ValueError, "1 to 3 words for its counts, got 4"),
        (lambda m: m.count("ab"), TypeError, "`ngram` must be a sequence of words"),
        (
            lambda m: m.continuation_count(["a"] * 3),
            ValueError,
            "`ngram` must have 1 to 2 words for its continuation counts, got 3",
        ),
    ],
)
def test_bad_questions(call, error, message):
    model = NGramModel(3).fit(TEXT)
    with pytest.raises(error, match=message):
        call(model)
