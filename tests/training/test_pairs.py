"""Batches of pairs, the schedule of scheduled sampling, and the measures of a translation."""

import pytest
import torch

from lmcourse.models import Seq2Seq, Seq2SeqConfig
from lmcourse.tokenizers import Vocabulary
from lmcourse.training import (
    ScheduledSampling,
    bleu,
    chrf,
    encode_pairs,
    exact_match,
    fit,
    pad,
    pair_batches,
    teacher_forcing,
    teacher_forcing_ratio,
)
from lmcourse.training.pairs import SPECIAL_TOKENS

PAIRS = [([3] * (1 + n % 7), [1, *[4 + n % 5] * (1 + n % 3), 2]) for n in range(101)]


def test_pad():
    assert pad([[3, 4, 5], [6]]).tolist() == [[3, 4, 5], [6, 0, 0]]
    assert pad([[3]], pad_id=9).dtype == torch.int64
    with pytest.raises(ValueError, match="got none at index 1"):
        pad([[3], []])
    with pytest.raises(ValueError, match="at least one row, got none"):
        pad([])


def test_encode_pairs():
    source = Vocabulary([*SPECIAL_TOKENS, "one", "two"])
    target = Vocabulary([*SPECIAL_TOKENS, "eins", "zwei"])
    assert encode_pairs([(["two", "one"], ["zwei"])], source, target) == [([4, 3], [1, 4, 2])]
    assert encode_pairs([(["two", "one"], [])], source, target) == [([4, 3], [1, 2])]
    with pytest.raises(ValueError, match="no empty source, got one at index 1"):
        encode_pairs([(["one"], []), ([], ["eins"])], source, target)
    with pytest.raises(ValueError, match=r"must be in the vocabulary of 5 tokens, .* got 'three'"):
        encode_pairs([(["three"], ["drei"])], source, target)


def test_an_epoch_holds_every_pair_once_but_for_the_rest():
    marked = [([3] * len(source) + [100 + n], target) for n, (source, target) in enumerate(PAIRS)]
    batch = pair_batches(marked, 8, generator=torch.Generator().manual_seed(0))
    seen = [int(row.max()) for step in range(1, 13) for row in batch(step)[0]]
    assert len(seen) == len(set(seen)) == 96
    later = [int(row.max()) for step in range(13, 25) for row in batch(step)[0]]
    assert len(set(later)) == 96
    assert seen != later


def test_batches_depend_on_the_seed_and_the_step_alone():
    one, other = (pair_batches(PAIRS, 8, generator=torch.Generator().manual_seed(5)) for _ in range(2))
    in_order = [one(step) for step in range(1, 30)]
    for step in (29, 3, 14):
        for got, want in zip(other(step), in_order[step - 1], strict=True):
            assert torch.equal(got, want)


def test_pairs_of_one_length_come_together_and_stay_pairs():
    batch = pair_batches(PAIRS, 8, generator=torch.Generator().manual_seed(0))
    spread = []
    for step in range(1, 13):
        source, target = batch(step)
        lengths = (source != 0).sum(1)
        spread.append(int(lengths.max() - lengths.min()))
        for row, reply in zip(source, target, strict=True):
            assert ([3] * int((row != 0).sum()), reply[reply != 0].tolist()) in PAIRS
    assert max(spread) <= 2  # of lengths from 1 to 7


@pytest.mark.parametrize("size", [0, 102])
def test_bad_batch_sizes(size):
    with pytest.raises(ValueError, match=f"`batch_size` must be in 1..N with N=101 pairs, got batch_size={size}"):
        pair_batches(PAIRS, size)


def test_teacher_forcing_ratio_by_hand():
    # linear: .9 - .1 x 3 = .6, never below .25; exponential: .5^3; inverse sigmoid: 10 / (10 + e^0) at the first step
    assert teacher_forcing_ratio(4, schedule="linear", k=0.9, slope=0.1, least=0.25) == pytest.approx(0.6)
    assert teacher_forcing_ratio(40, schedule="linear", k=0.9, slope=0.1, least=0.25) == 0.25
    assert teacher_forcing_ratio(4, schedule="exponential", k=0.5) == 0.125
    assert teacher_forcing_ratio(1, k=10.0) == pytest.approx(10 / 11)
    assert teacher_forcing_ratio(24, k=10.0) == pytest.approx(0.5, abs=0.01)  # i = 10 ln 10 = 23.03
    assert teacher_forcing_ratio(10**6, k=1.0) == pytest.approx(0.0, abs=1e-300)
    for schedule, options in {"linear": {"k": 1.0, "slope": 0.01}, "exponential": {"k": 0.99}}.items():
        ratios = [teacher_forcing_ratio(step, schedule=schedule, **options) for step in range(1, 50)]
        assert ratios == sorted(ratios, reverse=True)
        assert ratios[0] == 1.0


@pytest.mark.parametrize(
    "options",
    [
        {"k": 0.5},
        {"schedule": "exponential", "k": 1.0},
        {"schedule": "linear", "k": 0.5, "least": 0.7},
        {"schedule": "cosine", "k": 1.0},
    ],
)
def test_bad_ratios(options):
    with pytest.raises(ValueError, match="must be"):
        teacher_forcing_ratio(1, **options)


def test_scheduled_sampling_counts_its_steps_and_resumes_the_count():
    torch.manual_seed(0)
    model, asked = Seq2Seq(Seq2SeqConfig(9, 9, 4, 4), "dot"), []

    def ratio(step):
        asked.append(step)
        return 0.5

    loss = ScheduledSampling(ratio)
    batch = pair_batches(PAIRS, 8)
    fit(model, batch, loss, max_steps=3, progress=False)
    again = ScheduledSampling(ratio)
    again.load_state_dict(loss.state_dict())
    again(model, batch(4))
    assert asked == [1, 2, 3, 4]
    with pytest.raises(ValueError, match=r"`ratio` must be at least 0 and at most 1, got ratio=1\.5"):
        ScheduledSampling(lambda step: 1.5)(model, batch(1))


def test_with_a_ratio_of_one_scheduled_sampling_is_teacher_forcing():
    torch.manual_seed(0)
    model = Seq2Seq(Seq2SeqConfig(9, 9, 4, 4), "general").double()
    batch = pair_batches(PAIRS, 8)(1)
    losses = [ScheduledSampling(lambda step: 1.0)(model, batch), teacher_forcing(model, batch)]
    gradients = [torch.autograd.grad(loss, list(model.parameters())) for loss in losses]
    torch.testing.assert_close(losses[0], losses[1], rtol=1e-12, atol=1e-12)
    for one, other in zip(*gradients, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-9, atol=1e-12)


def test_exact_match_bleu_and_chrf():
    outputs, right = ["a b c d e", "x"], ["a b c d e", "y"]
    assert exact_match(outputs, right) == 0.5
    assert exact_match(right, right) == 1.0
    # BLEU by hand for one line: of "a b c d x" beside "a b c d e" 4/5, 3/4, 2/3, 1/2 n-grams: (.2)^(1/4) = .6687
    assert bleu(["a b c d x"], ["a b c d e"]) == pytest.approx(66.87, abs=0.01)
    assert bleu(["a b c d e"], ["a b c d e"]) == pytest.approx(100)
    assert chrf(["abc"], ["abc"]) == pytest.approx(100)
    assert 0 < chrf(["hundert"], ["hunderte"]) < 100
    assert chrf(["hundert"], ["hunderte"]) > bleu(["hundert"], ["hunderte"])
    with pytest.raises(ValueError, match="the same length, at least 1, got 1 and 2"):
        exact_match(["a"], right)
    with pytest.raises(TypeError, match="`outputs` must be a sequence of str, got str"):
        bleu("abc", "abc")
