"""The references of chapter 02's tasks against the library that the chapter uses."""

import numpy as np
import pytest
import torch

from lmcourse.exercises import find_task
from lmcourse.models import embeddings as lib

SEED = 5


def ordinary(name):
    """The cases of a task that raise nothing, with what the reference gives."""
    task = find_task(name)
    for item in task.cases(SEED):
        try:
            yield item.label, item.args, item.kwargs, task.reference(*item.args, **item.kwargs)
        except ValueError:
            continue


def test_encode_decode_is_the_neural_bigram():
    for label, (ids, encoder, decoder), _, scores in ordinary("encode_decode"):
        if not ids:
            continue
        model = lib.NeuralBigram(*encoder.shape).double()
        with torch.no_grad():
            model.encoder.weight.copy_(torch.tensor(encoder))
            model.decoder.weight.copy_(torch.tensor(decoder).T)
        assert np.allclose(model(torch.tensor(ids)).detach().numpy(), scores), label


def test_logits_gradient_is_autograds():
    for label, (scores, targets), _, gradient in ordinary("logits_gradient"):
        leaf = torch.tensor(scores).requires_grad_()
        torch.nn.functional.cross_entropy(leaf, torch.tensor(targets)).backward()
        assert np.allclose(leaf.grad.numpy(), gradient, atol=1e-12), label


def test_context_windows_are_the_librarys_of_the_padded_text():
    for label, (ids, order, pad), _, (contexts, targets) in ordinary("context_windows"):
        if ids:
            x, y = lib.ngram_windows(torch.tensor([pad] * (order - 1) + ids), order)
            assert (x.tolist(), y.tolist()) == (contexts, targets), label


def test_neural_ngram_logits_are_the_librarys():
    for label, (contexts, embedding, H, d, U, b), _, logits in ordinary("neural_ngram_logits"):
        model = lib.NeuralNGram(len(embedding), contexts.shape[1] + 1, embedding.shape[1], len(H)).to(H.dtype)
        tables = {"embedding.weight": embedding, "hidden.weight": H, "hidden.bias": d}
        model.load_state_dict(tables | {"output.weight": U, "output.bias": b})
        torch.testing.assert_close(model(contexts), logits, msg=label)


def test_bags_and_their_weights_are_the_librarys():
    for label, (documents, vocabulary), _, counts in ordinary("bag_of_words"):
        ids = [[vocabulary.index(word) for word in document if word in vocabulary] for document in documents]
        if ids:
            assert np.array_equal(lib.bag_of_words(ids, len(vocabulary)).numpy(), counts), label
    for label, (counts,), _, weights in ordinary("tf_idf"):
        assert np.allclose(lib.tf_idf(torch.tensor(counts)).numpy(), weights), label


def test_near_pairs_are_the_librarys_in_another_order():
    for label, (words, window), _, pairs in ordinary("near_pairs"):
        if words:
            names = sorted(set(words))
            found = lib.skipgram_pairs(torch.tensor([names.index(word) for word in words]), window)
            named = [(names[centre], names[context]) for centre, context in torch.stack(found, 1).tolist()]
            assert sorted(named) == sorted(pairs), label


def test_noise_shares_are_the_librarys():
    for label, (counts,), options, shares in ordinary("noise_shares"):
        wanted = lib.noise_distribution(torch.tensor(list(counts.values())), **options).tolist()
        assert list(shares.values()) == pytest.approx(wanted), label


def test_negative_sampling_loss_is_that_of_skip_gram():
    for label, (centre, context, noise), _, loss in ordinary("negative_sampling_loss"):
        B, K, D = noise.shape
        model = lib.SkipGram(B * (K + 1), D).to(noise.dtype)
        with torch.no_grad():
            model.inputs.weight[:B] = centre
            model.outputs.weight.copy_(torch.cat([context, noise.reshape(-1, D)]))
        rows = torch.arange(B)
        negatives = torch.arange(B, B * (K + 1)).reshape(B, K)
        torch.testing.assert_close(model(rows, rows, negatives), loss, msg=label)


def test_solve_analogy_is_the_librarys():
    for label, (a, b, c, words, vectors), _, answer in ordinary("solve_analogy"):
        assert lib.analogy(a, b, c, vectors, words=words)[0][0] == answer, label
