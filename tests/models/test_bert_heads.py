"""The heads on top of an encoder, and the mean over tokens."""

import pytest
import torch
import torch.nn.functional as F

from lmcourse.layers.losses import IGNORE_INDEX
from lmcourse.models import BERT, BERTConfig, SentenceClassifier, TokenClassifier, mean_pool

V, T, D, C, B = 53, 19, 24, 5, 3


@pytest.fixture
def encoder():
    torch.manual_seed(0)
    return BERT(BERTConfig(V, T, D, 3, 2)).double().eval()


@pytest.fixture
def batch():
    generator = torch.Generator().manual_seed(1)
    ids = torch.randint(1, V, (B, 11), generator=generator)
    keep = torch.arange(11) < torch.tensor([11, 4, 1])[:, None]
    return ids.masked_fill(~keep, 0), keep


def test_the_mean_is_that_of_a_loop_with_its_gradient(batch):
    _, keep = batch
    vectors = torch.randn(B, 11, D, dtype=torch.float64, requires_grad=True)
    result = mean_pool(vectors, keep)
    expected = torch.stack([row[part].sum(0) / int(part.sum()) for row, part in zip(vectors, keep, strict=True)])
    torch.testing.assert_close(result, expected)
    weight = torch.randn(B, D, dtype=torch.float64)
    grads = [torch.autograd.grad((each * weight).sum(), vectors, retain_graph=True)[0] for each in (result, expected)]
    torch.testing.assert_close(*grads)


def test_what_stands_in_padding_does_not_matter_not_even_nan(batch):
    _, keep = batch
    vectors = torch.randn(B, 11, D)
    spoilt = vectors.masked_fill(~keep[..., None], float("nan"))
    torch.testing.assert_close(mean_pool(spoilt, keep), mean_pool(vectors, keep))
    assert (mean_pool(vectors, torch.zeros_like(keep)) == 0).all()


@pytest.mark.parametrize("pooling", ["cls", "mean"])
def test_a_sentence_is_scored_from_its_pooled_vector(encoder, batch, pooling):
    ids, keep = batch
    model = SentenceClassifier(encoder, C, pooling=pooling).double().eval()
    states = encoder(ids, keep)
    pooled = [row[0] if pooling == "cls" else row[part].mean(0) for row, part in zip(states, keep, strict=True)]
    expected = torch.stack(pooled) @ model.head.weight.T + model.head.bias
    torch.testing.assert_close(model(ids, keep), expected)
    labels = torch.tensor([4, 0, 2])
    by_hand = -sum(expected.log_softmax(-1)[row, label] for row, label in enumerate(labels)) / B
    torch.testing.assert_close(model.loss(ids, keep, labels), by_hand)
    alone = model(ids[1:2, :4])  # without mask, without padding
    torch.testing.assert_close(alone[0], expected[1])


def test_tokens_are_scored_each_and_unknown_labels_do_not_count(encoder, batch):
    ids, keep = batch
    model = TokenClassifier(encoder, C).double().eval()
    logits = encoder(ids, keep) @ model.head.weight.T + model.head.bias
    torch.testing.assert_close(model(ids, keep), logits)
    labels = torch.full((B, 11), IGNORE_INDEX)
    labels[0, 3], labels[0, 10], labels[1, 2] = 4, 0, 1
    by_hand = (
        -(logits[0, 3].log_softmax(-1)[4] + logits[0, 10].log_softmax(-1)[0] + logits[1, 2].log_softmax(-1)[1]) / 3
    )
    torch.testing.assert_close(model.loss(ids, keep, labels), by_hand)
    assert model.loss(ids, keep, torch.full_like(labels, IGNORE_INDEX)).item() == 0.0
    other = labels.clone()
    other[2, 5] = 3
    assert model.loss(ids, keep, other).item() != pytest.approx(by_hand.item())


def test_segments_reach_the_encoder(encoder, batch):
    ids, keep = batch
    segments = (torch.arange(11) > 4).long().expand(B, -1)
    model = TokenClassifier(encoder, C).double().eval()
    torch.testing.assert_close(model(ids, keep, segments), model.head(encoder(ids, keep, segments)))
    assert not torch.allclose(model(ids, keep, segments), model(ids, keep))


def test_fine_tuning_trains_the_encoder_too(encoder, batch):
    ids, keep = batch
    model = SentenceClassifier(encoder, 2).double()
    F.cross_entropy(model(ids, keep), torch.tensor([0, 1, 1])).backward()
    assert model.encoder.embedding.weight.grad.abs().sum() > 0
    assert model.encoder.layers[0].attention.q_proj.weight.grad.abs().sum() > 0


def test_bad_input(encoder):
    with pytest.raises(ValueError, match="`pooling` must be one of 'cls', 'mean', got pooling='max'"):
        SentenceClassifier(encoder, 2, pooling="max")
    with pytest.raises(ValueError, match="`num_classes` must be at least 1, got num_classes=0"):
        TokenClassifier(encoder, 0)
    with pytest.raises(TypeError, match=r"`attention_mask` must be a bool tensor, got a tensor of torch\.int64"):
        mean_pool(torch.zeros(2, 3, 5), torch.ones(2, 3, dtype=torch.long))
    with pytest.raises(ValueError, match=r"`attention_mask` must have shape \(2, 3\), got \(2, 5\)"):
        mean_pool(torch.zeros(2, 3, 5), torch.ones(2, 5, dtype=torch.bool))
    ids, keep = torch.zeros(2, 3, dtype=torch.long), torch.ones(2, 3, dtype=torch.bool)
    with pytest.raises(ValueError, match=r"`labels` must have shape \(2,\), got \(2, 3\)"):
        SentenceClassifier(encoder, 2).loss(ids, keep, ids)
    with pytest.raises(ValueError, match=r"`labels` must be in 0\.\.1, got values from 0 to 2"):
        SentenceClassifier(encoder, 2).loss(ids, keep, torch.tensor([0, 2]))
    with pytest.raises(ValueError, match=r"same shape, got ids \(2, 3\), labels \(3, 2\)"):
        TokenClassifier(encoder, 2).loss(ids, keep, ids.T)


def test_labels_of_every_integer_dtype(encoder, batch):
    ids, keep = batch
    one, each = SentenceClassifier(encoder, 2).double().eval(), TokenClassifier(encoder, 2).double().eval()
    labels, many = torch.tensor([0, 1, 1]), torch.ones_like(ids)
    for dtype in (torch.int32, torch.int16, torch.uint8):
        torch.testing.assert_close(one.loss(ids.to(dtype), keep, labels.to(dtype)), one.loss(ids, keep, labels))
        torch.testing.assert_close(each.loss(ids.to(dtype), keep, many.to(dtype)), each.loss(ids, keep, many))
