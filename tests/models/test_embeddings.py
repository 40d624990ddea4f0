"""Embedding models on cases worked by hand, and learning on texts small enough to know the answer."""

import itertools
import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from lmcourse.models.embeddings import (
    CBOW,
    NeuralBigram,
    NeuralNGram,
    SkipGram,
    analogy,
    bag_of_words,
    cbow_windows,
    draw_negatives,
    nearest,
    negative_sampling_loss,
    ngram_windows,
    noise_distribution,
    skipgram_pairs,
    subsample,
    tf_idf,
)
from lmcourse.training import adamw, example_batches, fit
from lmcourse.training.schedules import linear_schedule

V, D, B, K, C = 7, 5, 3, 2, 4


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


def test_neural_bigram_trained_to_the_end_is_the_count_bigram():
    ids = torch.tensor([0, 1, 2, 0, 2, 1, 1, 0, 1, 2, 2, 0, 1, 0, 0, 1])
    counts = torch.zeros(3, 3)
    for a, b in itertools.pairwise(ids.tolist()):
        counts[a, b] += 1
    table = counts / counts.sum(1, keepdim=True)
    model = NeuralBigram(3)
    torch.testing.assert_close(model.table(), torch.full((3, 3), 1 / 3))
    fit(
        model,
        [(ids[:-1], ids[1:])],
        lambda m, batch: F.cross_entropy(m(batch[0]), batch[1]),
        optimizer=adamw(model, lr=0.1, weight_decay=0.0),
        schedule=lambda step: linear_schedule(step, max_steps=300),
        max_steps=300,
        progress=False,
    )
    torch.testing.assert_close(model.table(), table, atol=1e-3, rtol=0)


def test_neural_bigram_is_a_product_with_one_hot_rows():
    torch.manual_seed(0)
    ids = torch.tensor([[3, 0], [6, 3]])
    one_hot = F.one_hot(ids, V).float()
    table = NeuralBigram(V)
    torch.nn.init.normal_(table.encoder.weight)
    torch.testing.assert_close(table(ids), one_hot @ table.encoder.weight)
    model = NeuralBigram(V, D)
    torch.testing.assert_close(model(ids), one_hot @ model.encoder.weight @ model.decoder.weight.T)
    torch.testing.assert_close(model.table().sum(-1), torch.ones(V))


def test_an_encoder_of_two_numbers_can_be_the_identity():
    torch.manual_seed(0)
    model, ids = NeuralBigram(V, 2), torch.arange(V)
    fit(model, [ids], lambda m, batch: F.cross_entropy(m(batch), batch), optimizer=adamw(model, lr=0.1), max_steps=300,
        progress=False)  # fmt: skip
    assert torch.equal(model(ids).argmax(-1), ids)


@pytest.mark.parametrize("direct", [False, True])
def test_neural_ngram_is_bengios_equation(direct):
    torch.manual_seed(0)
    model = NeuralNGram(V, 3, D, 11, direct=direct).double()
    contexts = torch.tensor([[1, 2], [2, 1], [6, 6]])
    for row, (first, second) in enumerate(contexts.tolist()):
        x = torch.cat([model.embedding.weight[first], model.embedding.weight[second]])
        y = model.output.bias + model.output.weight @ torch.tanh(model.hidden.bias + model.hidden.weight @ x)
        if direct:
            y = y + model.direct.weight @ x
        torch.testing.assert_close(model(contexts)[row], y)
    assert not torch.allclose(model(contexts)[0], model(contexts)[1])  # order counts
    inputs = [m.weight.shape[1] for m in (NeuralNGram(V, n, D, 11).hidden for n in (2, 3, 4))]
    assert inputs == [5, 10, 15]  # and the input grows with the window


def test_ngram_windows_by_hand():
    contexts, targets = ngram_windows(torch.tensor([5, 6, 7, 8]), 3)
    assert contexts.tolist() == [[5, 6], [6, 7]]
    assert targets.tolist() == [7, 8]
    assert ngram_windows(torch.tensor([5, 6]), 1)[0].shape == (2, 0)
    with pytest.raises(ValueError, match=r"at least order=3"):
        ngram_windows(torch.tensor([5, 6]), 3)


def test_bag_of_words_and_tf_idf_by_hand():
    # "the dog bit the man", "the man bit the dog", "the sun": the, dog, bit, man, sun
    counts = bag_of_words([[0, 1, 2, 0, 3], [0, 3, 2, 0, 1], [0, 4]], 5)
    assert counts.tolist() == [[2, 1, 1, 1, 0], [2, 1, 1, 1, 0], [1, 0, 0, 0, 1]]  # who bit whom is lost
    weights = tf_idf(counts)
    assert weights[:, 0].tolist() == [0, 0, 0]  # "the" is everywhere
    assert weights[0, 1].item() == pytest.approx(math.log(3 / 2))
    assert weights[2, 4].item() == pytest.approx(math.log(3))
    assert tf_idf(torch.tensor([[1.0, 0.0]])).tolist() == [[0.0, 0.0]]  # a word of no document
    assert bag_of_words([[], [1]], 2).tolist() == [[0, 0], [0, 1]]


def test_skip_gram_loss_by_hand():
    # v_centre = 2; u of the true word 1.5, of the noise words 0.5 and -1:
    # -ln sigmoid(3) - ln sigmoid(-1) - ln sigmoid(2) = 0.048587 + 1.313262 + 0.126928
    model = SkipGram(4, 1)
    with torch.no_grad():
        model.inputs.weight.copy_(torch.tensor([[2.0], [9.0], [9.0], [9.0]]))
        model.outputs.weight.copy_(torch.tensor([[9.0], [1.5], [0.5], [-1.0]]))
    loss = model(torch.tensor([0]), torch.tensor([1]), torch.tensor([[2, 3]]))
    assert loss.item() == pytest.approx(0.048587 + 1.313262 + 0.126928, abs=1e-5)
    assert loss.item() == pytest.approx(-math.log(sigmoid(3) * sigmoid(-1) * sigmoid(2)), abs=1e-5)
    doubled = model(torch.tensor([0, 0]), torch.tensor([1, 1]), torch.tensor([[2, 3], [2, 3]]))
    assert doubled.item() == pytest.approx(loss.item())  # a mean over the pairs


def test_cbow_loss_by_hand():
    # context vectors 2 and 4, mean 3 (a missing word does not count); u of the centre 1, of the noise -1:
    # -ln sigmoid(3) - ln sigmoid(3)
    model = CBOW(4, 1)
    with torch.no_grad():
        model.inputs.weight.copy_(torch.tensor([[2.0], [4.0], [9.0], [9.0]]))
        model.outputs.weight.copy_(torch.tensor([[9.0], [9.0], [1.0], [-1.0]]))
    loss = model(torch.tensor([2]), torch.tensor([[0, 1, -1]]), torch.tensor([[3]]))
    assert loss.item() == pytest.approx(-2 * math.log(sigmoid(3)), abs=1e-5)


@pytest.mark.parametrize("model", [SkipGram(V, D), CBOW(V, D)], ids=["skip-gram", "cbow"])
def test_a_fresh_model_pays_a_bit_for_each_word_it_is_shown(model):
    context = torch.zeros((B,) if isinstance(model, SkipGram) else (B, C), dtype=torch.long)
    loss = model(torch.zeros(B, dtype=torch.long), context, torch.ones(B, K, dtype=torch.long))
    assert loss.item() == pytest.approx((1 + K) * math.log(2), abs=1e-6)
    assert model.vectors.shape == (V, D)
    assert not model.vectors.requires_grad


def test_pairs_and_windows_by_hand():
    centre, context = skipgram_pairs(torch.tensor([5, 6, 7]), 1)
    assert sorted(zip(centre.tolist(), context.tolist(), strict=True)) == [(5, 6), (6, 5), (6, 7), (7, 6)]
    centre, context = skipgram_pairs(torch.tensor([5, 6, 7]), 9)
    assert len(centre) == 6  # each with both others
    words, around = cbow_windows(torch.tensor([5, 6, 7]), 2)
    assert words.tolist() == [5, 6, 7]
    assert around.tolist() == [[-1, -1, 6, 7], [-1, 5, 7, -1], [5, 6, -1, -1]]
    assert len(skipgram_pairs(torch.tensor([5]), 3)[0]) == 0


def test_drawn_windows_weigh_near_words_more():
    ids = torch.arange(5000)
    centre, context = skipgram_pairs(ids, 4, generator=torch.Generator().manual_seed(0))
    distance = (centre - context).abs()
    share = torch.bincount(distance)[1:].double() / len(ids) / 2
    # a centre draws 1..4, so distance d is kept with probability (5 - d) / 4
    torch.testing.assert_close(share, torch.tensor([1.0, 0.75, 0.5, 0.25], dtype=torch.double), atol=0.03, rtol=0)
    reach = torch.zeros(5000, dtype=torch.long).scatter_reduce(0, centre, distance, "amax")
    counts = torch.bincount(centre, minlength=5000)
    assert torch.equal(counts[4:-4], 2 * reach[4:-4])  # one window a centre, the same on both sides


def test_noise_distribution_by_hand():
    # 16^0.75 = 8, 1^0.75 = 1
    torch.testing.assert_close(noise_distribution(torch.tensor([16, 1, 0])), torch.tensor([8, 1, 0]).double() / 9)
    assert noise_distribution(torch.tensor([16, 1, 0]), power=0.0).tolist() == [0.5, 0.5, 0.0]


def test_drawn_negatives_follow_the_distribution():
    distribution = noise_distribution(torch.tensor([0, 16, 0, 1, 0]))
    draws = draw_negatives(distribution, (900, 20), generator=torch.Generator().manual_seed(0))
    assert draws.shape == (900, 20)
    assert set(draws.unique().tolist()) == {1, 3}  # a word without count is never drawn
    assert (draws == 1).double().mean().item() == pytest.approx(8 / 9, abs=0.01)


def test_subsample_by_hand():
    # shares 0.9 and 0.1, threshold 0.1: kept with sqrt(1/9) = 1/3 and 1
    ids = torch.tensor([0] * 9 + [1]).repeat(1000)
    kept = torch.bincount(subsample(ids, threshold=0.1, generator=torch.Generator().manual_seed(0)))
    assert kept[0].item() / 9000 == pytest.approx(1 / 3, abs=0.02)
    assert kept[1].item() == 1000


@pytest.mark.parametrize("kind", ["skip-gram", "cbow"])
def test_words_of_like_use_become_neighbours(kind):
    # words 2k and 2k+1 always stand between the same markers 20+k, never beside each other
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(0)
    topics = torch.randint(10, (3000,), generator=generator)
    words = 2 * topics + torch.randint(2, (3000,), generator=generator)
    ids = torch.stack([20 + topics, words, 20 + topics], 1).flatten()
    noise = noise_distribution(torch.bincount(ids, minlength=30))
    if kind == "skip-gram":
        model, examples = SkipGram(30, 12), skipgram_pairs(ids, 1)
    else:
        model, examples = CBOW(30, 12), cbow_windows(ids, 1)
    history = fit(
        model,
        example_batches(examples, 256),
        negative_sampling_loss(noise, 5),
        optimizer=adamw(model, lr=0.02),
        max_steps=250,
        progress=False,
    )
    assert history.loss[0] == pytest.approx(6 * math.log(2), abs=1e-3)
    assert history.smoothed(20)[-1] < 0.6 * history.loss[0]
    hits = sum(nearest(model.vectors[w], model.vectors[:20], 1, exclude=[w])[0][0] == w ^ 1 for w in range(20))
    assert hits >= 18


def test_nearest_by_hand():
    vectors = torch.tensor([[1.0, 0.0], [3.0, 3.0], [0.0, 2.0], [-1.0, 0.0], [0.0, 0.0]])
    found = nearest(torch.tensor([2.0, 0.0]), vectors, 3)
    assert [row for row, _ in found] == [0, 1, 2] or [row for row, _ in found] == [0, 1, 4]  # 2 and 4 tie at 0
    assert [round(cosine, 6) for _, cosine in found] == [1.0, 0.707107, 0.0]  # length does not count
    assert nearest(np.array([2.0, 0.0]), vectors.numpy(), 1, exclude=[0])[0][0] == 1
    named = nearest(vectors[0], vectors, 9, exclude=["c", 4], words=["a", "b", "c", "d", "e"])
    assert [word for word, _ in named] == ["a", "b", "d"]  # as many as there are
    assert nearest(torch.tensor([0, 2]), torch.tensor([[0, 1], [1, 0]]), 1) == [(0, 1.0)]  # whole numbers


def test_analogy_by_hand():
    # king - man + woman: (3, 1) - (1, 1) + (1, 5) = (3, 5); the nearest of all is queen, or king if not excluded
    # (man - king + woman would be (-1, 5), a maid)
    words = ["man", "woman", "king", "queen", "maid"]
    vectors = torch.tensor([[1.0, 1.0], [1.0, 5.0], [3.0, 1.0], [3.0, 5.5], [-1.0, 5.0]])
    assert analogy("man", "king", "woman", vectors, words=words)[0][0] == "queen"
    assert analogy(0, 2, 1, vectors)[0][0] == 3
    assert [word for word, _ in analogy("man", "king", "woman", vectors, 5, words=words)] == ["queen", "maid"]
    # excluded although nearest: a = c gives b itself
    assert analogy(0, 2, 0, vectors)[0][0] != 2


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: NeuralBigram(0), ValueError, "`vocab_size` must be at least 1, got vocab_size=0"),
        (lambda: NeuralBigram(V)(torch.tensor([V])), ValueError, r"`ids` must be in 0\.\.6, got values from 7 to 7"),
        (lambda: NeuralBigram(V)(torch.tensor([0.5])), TypeError, "whole numbers"),
        (lambda: NeuralBigram(V)(torch.zeros(0).long()), ValueError, "must not be empty"),
        (lambda: NeuralNGram(V, 1, D, 2), ValueError, "`order` must be at least 2, got order=1"),
        (lambda: NeuralNGram(V, 3, D, 2)(torch.zeros(2, 3).long()), ValueError, r"order=3, got \(2, 3\)"),
        (lambda: bag_of_words([], V), ValueError, "`documents` must not be empty"),
        (lambda: bag_of_words([[1, V]], V), ValueError, r"`documents\[0\]` must be in 0\.\.6, got values from 1 to 7"),
        (lambda: tf_idf(torch.zeros(0, 3)), ValueError, "`counts` must not be empty"),
        (
            lambda: SkipGram(V, D)(torch.zeros(2).long(), torch.zeros(3).long(), torch.zeros(2, K).long()),
            ValueError,
            r"`context` must have shape \(2,\), got \(3,\)",
        ),
        (
            lambda: SkipGram(V, D)(torch.zeros(2).long(), torch.zeros(2).long(), torch.zeros(2, 0).long()),
            ValueError,
            r"`negatives` must not be empty, got shape \(2, 0\)",
        ),
        (
            lambda: SkipGram(V, D)(torch.zeros(2).long(), torch.full((2,), V), torch.zeros(2, 1).long()),
            ValueError,
            r"`context` must be in -1\.\.6, got values from 7 to 7",
        ),
        (
            lambda: SkipGram(V, D)(torch.zeros(2).long(), torch.full((2,), -1), torch.zeros(2, 1).long()),
            ValueError,
            r"`context` must be in 0\.\.6, got values from -1 to -1",
        ),
        (
            lambda: CBOW(V, D)(torch.zeros(2).long(), torch.full((2, 3), -2), torch.zeros(2, 1).long()),
            ValueError,
            r"`context` must be in -1\.\.6, got values from -2 to -2",
        ),
        (lambda: skipgram_pairs(torch.arange(4), 0), ValueError, "`window` must be at least 1, got window=0"),
        (lambda: cbow_windows(torch.arange(1), 1), ValueError, "N at least 2"),
        (
            lambda: subsample(torch.arange(4), threshold=0),
            ValueError,
            "`threshold` must be more than 0, got threshold=0",
        ),
        (lambda: noise_distribution(torch.zeros(3)), ValueError, "`counts` must not be all 0"),
        (
            lambda: noise_distribution(torch.tensor([1, -1])),
            ValueError,
            "`counts` must be at least 0 and finite, got values from -1 to 1",
        ),
        (lambda: draw_negatives(torch.tensor([0.5, -0.5]), (3,)), ValueError, "`distribution` must be at least 0"),
        (lambda: draw_negatives(torch.tensor([0.5, math.nan]), (3,)), ValueError, "`distribution` must be at least 0"),
        (lambda: draw_negatives(torch.zeros(2), (3,)), ValueError, "`distribution` must have a sum above 0"),
        (lambda: draw_negatives(torch.ones(2), 3), TypeError, "`shape` must be a collection of whole numbers, got"),
        (lambda: subsample(torch.tensor([1, -1])), ValueError, "`ids` must be at least 0, got values from -1 to 1"),
        (lambda: subsample(torch.tensor([1.0])), TypeError, "`ids` must be a tensor of whole numbers"),
        (
            lambda: nearest(torch.zeros(3), torch.zeros(2, 2), 1),
            ValueError,
            r"`vector` must have shape \(2,\), got \(3,\)",
        ),
        (lambda: nearest(torch.zeros(2), torch.zeros(2, 2), 0), ValueError, "`k` must be at least 1, got k=0"),
        (
            lambda: nearest(torch.zeros(2), torch.zeros(2, 2), 1, exclude=[2]),
            ValueError,
            "`exclude` must be at least 0 and less than 2, got exclude=2",
        ),
        (lambda: nearest(torch.zeros(2), torch.zeros(2, 2), 1, words=["a"]), ValueError, "2 rows, got 1 words"),
        (lambda: analogy("a", "b", "x", torch.eye(2), words=["a", "b"]), ValueError, "one of `words`, got 'x'"),
        (
            lambda: analogy("a", "b", "c", torch.eye(2)),
            ValueError,
            "`a` may be a word only if `words` is given, got 'a'",
        ),
    ],
)
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()
