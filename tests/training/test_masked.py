"""Batches for masked language models."""

import pytest
import torch

from lmcourse.layers.losses import IGNORE_INDEX
from lmcourse.models.bert import BERTConfig, MaskedLM, small_start
from lmcourse.training import adamw, fit, masked_batches

IDS = {"cls_id": 2, "sep_id": 3, "mask_id": 4, "vocab_size": 47}


def batches(text, rows=7, length=13, seed=0, **options):
    generator = torch.Generator().manual_seed(seed)
    return masked_batches(text, rows, length, **IDS, generator=generator, **options)


def test_rows_are_windows_between_cls_and_sep():
    text = torch.arange(5, 47)  # every token once, so that a position is known by its token
    inputs, labels = batches(text, share=1e-9)(1)
    assert inputs.shape == labels.shape == (7, 13)
    assert (inputs[:, 0] == 2).all()
    assert (inputs[:, -1] == 3).all()
    steps = inputs[:, 1:-1].diff(dim=1)
    assert (steps == 1).all()
    assert (labels == IGNORE_INDEX).all()


def test_every_window_is_possible_including_the_last():
    text = torch.arange(5, 18)  # 13 tokens, 11 a window: three positions
    first = torch.cat([batches(text, share=1e-9)(step)[0][:, 1] for step in range(1, 9)])
    assert set(first.tolist()) == {5, 6, 7}


def test_a_step_gives_the_same_batch_and_another_step_other_masks():
    text = torch.arange(5, 16)  # exactly one window, so that only the masks differ
    feed, again = batches(text, rows=5), batches(text, rows=5)
    assert torch.equal(feed(3)[0], again(3)[0])
    assert torch.equal(feed(3)[1], again(3)[1])
    assert not torch.equal(feed(3)[1], feed(4)[1])
    assert not torch.equal(feed(3)[1], batches(text, rows=5, seed=1)(3)[1])


def test_the_share_and_the_special_tokens():
    text = torch.randint(0, 47, (4_001,), generator=torch.Generator().manual_seed(3))
    feed = batches(text, rows=64, length=65, share=0.3, special_ids=(0, 1))
    inputs, labels = feed(1)
    chosen = labels != IGNORE_INDEX
    assert not torch.isin(labels[chosen], torch.arange(5)).any()
    ordinary = chosen | (inputs > 4)
    assert chosen.sum().item() / ordinary.sum().item() == pytest.approx(0.3, abs=0.03)
    assert (labels[:, [0, -1]] == IGNORE_INDEX).all()


def test_a_small_model_learns_what_follows_what():
    cycle = torch.arange(5, 16).repeat(60)  # 5, 6, ..., 15, 5, ...: the neighbours determine every token
    torch.manual_seed(0)
    model = MaskedLM(BERTConfig(47, 13, 48, 2, 1))
    small_start(model)
    feed = batches(cycle, rows=32)
    history = fit(
        model, feed, lambda model, batch: model.loss(*batch), optimizer=adamw(model, lr=3e-3), max_steps=120,
        progress=False,
    )  # fmt: skip
    assert history.loss[0] > 2.5
    assert history.smoothed(10)[-1] < 0.7  # the frequencies alone give ln 11 = 2.4


@pytest.mark.parametrize(
    ("text", "rows", "length", "message"),
    [
        (torch.zeros(3, 5, dtype=torch.long), 2, 5, r"`ids` must have shape \(N,\), got \(3, 5\)"),
        (torch.zeros(30, dtype=torch.long), 0, 5, "`batch_size` must be at least 1, got batch_size=0"),
        (torch.zeros(30, dtype=torch.long), 2, 2, "`length` must be at least 3, got length=2"),
        (torch.zeros(4, dtype=torch.long), 2, 7, "at least length - 2 = 5 tokens, got 4"),
    ],
)
def test_bad_input(text, rows, length, message):
    with pytest.raises(ValueError, match=message):
        batches(text, rows, length)


def test_ids_that_are_no_integers():
    with pytest.raises(TypeError, match=r"`ids` must be integers, got torch\.float32"):
        batches(torch.zeros(30))
