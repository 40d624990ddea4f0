"""The reward model: what it reads, that it learns from comparisons, how its confidence is judged."""

import math

import pytest
import torch

from lmcourse.alignment import (
    RewardModel,
    RewardTrainer,
    accuracy_by_gap,
    calibration,
    collate,
    collate_pairs,
    preference_loss,
    ranking_pairs,
)
from lmcourse.alignment.reward import Pairs, deinterleave
from tests.alignment.worlds import LIKED, policy_of, same, weights

ONE = collate_pairs([[4]], [[3]], [[5]])
ROWS = [([4], [5, 6, 2]), ([3, 7, 1], [2]), ([9, 8], [6, 10, 3, 2])]


@pytest.mark.parametrize("pool", ["mean", "last"])
def test_rewards_of_a_padded_batch_are_those_of_each_completion_alone(pool):
    body = policy_of(double=True, context_length=9)
    model = RewardModel(body, pool=pool)
    rewards = model(collate(*zip(*ROWS, strict=True)))
    for row, (prompt, completion) in enumerate(ROWS):
        hidden = body.hidden(torch.tensor([prompt + completion]))[0, len(prompt) :]
        expected = model.head(hidden.mean(0) if pool == "mean" else hidden[-1])
        torch.testing.assert_close(rewards[row], expected.squeeze())
    torch.testing.assert_close(model.score(collate(*zip(*ROWS, strict=True))), rewards.detach())


def test_scoring_puts_every_module_back_into_its_mode():
    model = RewardModel(policy_of(context_length=9)).train()
    model.body.layers[0].eval()  # a frozen part
    modes = [module.training for module in model.modules()]
    model.score(collate(*zip(*ROWS, strict=True)))
    assert [module.training for module in model.modules()] == modes
    with pytest.raises(ValueError, match="`completions` must"):
        model.score(collate([[4]], [[]]))
    assert [module.training for module in model.modules()] == modes


def test_tuning_it_leaves_the_model_it_came_from():
    body = policy_of()
    before = weights(body)
    model = RewardModel(body)
    pairs = collate_pairs([[4, 1]] * 8, [[LIKED, n, 2] for n in range(3, 11)], [[6, n, 2] for n in range(3, 11)])
    trainer = RewardTrainer(model, pairs, batch_size=4, lr=1e-2, generator=torch.Generator().manual_seed(0))
    history = trainer.fit(40, progress=False)
    assert same(body, before)
    assert history.loss[0] == pytest.approx(math.log(2), abs=0.1)
    assert (model.margins(pairs) > 1.0).all()
    unseen = collate_pairs([[5, 1]] * 3, [[n, LIKED, 2] for n in (4, 5, 7)], [[n, 6, 2] for n in (4, 5, 7)])
    assert (model.margins(unseen, batch_size=2) > 0).all()


def test_fit_takes_more_steps_and_goes_on_in_its_data():
    """Twice three steps are six, on six different batches of an epoch."""
    pairs = collate_pairs([[4, 1]] * 12, [[LIKED, n % 8, 2] for n in range(12)], [[6, n % 8, 2] for n in range(12)])

    def run(*parts):
        trainer = RewardTrainer(
            RewardModel(policy_of()), pairs, batch_size=2, generator=torch.Generator().manual_seed(0)
        )
        torch.nn.init.zeros_(trainer.model.head.weight)
        batches, seen = trainer.batches, []
        trainer.batches = lambda step: (seen.extend(batches(step)[0].tolist()), batches(step))[1]
        for steps in parts:
            history = trainer.fit(steps, progress=False)
        assert sorted(seen) == list(range(12))
        return trainer.model, history

    (one, history), (two, history2) = run(6), run(3, 3)
    assert len(history2) == 6
    assert history.loss == history2.loss
    assert same(two, weights(one))


def test_pairs_can_be_indexed_and_iterated():
    pairs = collate_pairs([[4, 1], [5, 1]], [[3, 2], [3, 3, 6, 2]], [[6, 7, 8, 9, 2], [2]])
    each = list(pairs)
    assert [len(pair) for pair in each] == [1, 1]
    assert [pair.rejected.tokens() for pair in each] == [[[6, 7, 8, 9, 2]], [[2]]]
    assert pairs[-1].chosen.tokens() == [[3, 3, 6, 2]]
    with pytest.raises(IndexError, match="there are 2 pairs, got index 2"):
        pairs[2]


def test_centred_the_mean_is_0_and_no_difference_has_changed():
    model = RewardModel(policy_of(double=True, context_length=9))
    completions = collate(*zip(*ROWS, strict=True))
    before = model.score(completions) + 4.5
    with torch.no_grad():
        model.head.bias += 4.5
    model.centre(completions)
    torch.testing.assert_close(model.score(completions), before - before.mean())


def test_pairs_in_one_pass_are_the_two_halves():
    """Chosen and rejected completions of different lengths, padded to one width."""
    model = RewardModel(policy_of(double=True))
    pairs = collate_pairs([[4, 1], [5, 1]], [[3, 2], [3, 3, 6, 2]], [[6, 7, 8, 9, 2], [2]])
    chosen, rejected = deinterleave(model(pairs.interleaved()))
    torch.testing.assert_close(chosen, model(pairs.chosen))
    torch.testing.assert_close(rejected, model(pairs.rejected))
    torch.testing.assert_close(model.margins(pairs), (chosen - rejected).detach())


@pytest.mark.parametrize(("other", "samples"), [([4, 1], 2), ([4, 3], 1)])
def test_a_prompt_of_a_pair_is_read_once_if_it_is_one(other, samples):
    model = RewardModel(policy_of(double=True))
    pairs = Pairs(collate([[4, 1], [5, 1]], [[3, 2], [6, 2]]), collate([other, [5, 1]], [[7, 2], [3, 2]]))
    assert pairs.interleaved().samples == samples
    chosen, rejected = deinterleave(model(pairs.interleaved()))
    torch.testing.assert_close(chosen, model(pairs.chosen))
    torch.testing.assert_close(rejected, model(pairs.rejected))


def test_a_ranking_is_its_pairs():
    # 4 things ranked: 4 * 3 / 2 = 6 pairs
    pairs = list(ranking_pairs(["a", "b", "c", "d"]))
    assert pairs == [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")]
    assert list(ranking_pairs(["a"])) == []


def test_calibration_by_hand():
    # sure with sigmoid(0) = 0.5, sigmoid(ln 3) = 0.75 twice (once wrong), sigmoid(ln 9) = 0.9, and 1 at infinity
    margins = torch.tensor([0.0, math.log(3), -math.log(3), math.log(9), math.inf], dtype=torch.float64)
    assert calibration(margins, (0.5, 0.7, 0.8, 1.0)) == [
        (0.5, 0.5, 1),
        (pytest.approx(0.75), 0.5, 2),
        (pytest.approx(0.95), 1.0, 2),
    ]


def test_a_person_who_errs_as_the_model_says_is_calibrated():
    generator = torch.Generator().manual_seed(0)
    differences = 3 * torch.randn(40_000, generator=generator, dtype=torch.float64)
    agreed = torch.rand(40_000, generator=generator, dtype=torch.float64) < differences.sigmoid()
    margins = torch.where(agreed, differences, -differences)
    for confidence, accuracy, pairs in calibration(margins):
        assert accuracy == pytest.approx(confidence, abs=4 * math.sqrt(0.25 / pairs))
    doubled = calibration(2 * margins)
    assert all(accuracy < confidence - 0.03 for confidence, accuracy, _ in doubled[1:-1])


def test_accuracy_by_gap_by_hand():
    bins = accuracy_by_gap(torch.tensor([1.0, -1.0, 2.0, 3.0]), torch.tensor([0.1, 0.3, 1.0, 2.0]), (0, 0.5, 1.0, 2.0))
    assert bins == [(pytest.approx(0.2), 0.5, 2), (1.5, 1.0, 2)]


def test_the_loss_of_equal_completions_is_log_2_without_gradient():
    model = RewardModel(policy_of(double=True))
    pairs = collate_pairs([[4, 1]], [[5, 2]], [[5, 2]])
    loss = preference_loss(*deinterleave(model(pairs.interleaved())))
    assert loss.item() == pytest.approx(math.log(2))
    gradients = torch.autograd.grad(loss, list(model.parameters()), allow_unused=True)
    assert all(gradient is None or gradient.abs().max() < 1e-15 for gradient in gradients)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: RewardModel(policy_of(), pool="first"), "`pool` must be one of 'mean', 'last', got pool='first'"),  # type: ignore[arg-type]
        (lambda: RewardTrainer(RewardModel(policy_of()), ONE, batch_size=2), "N=1"),
        (lambda: RewardTrainer(RewardModel(policy_of()), ONE, batch_size=0), "`batch_size` must be in 1..N with N=1"),
        (lambda: RewardTrainer(RewardModel(policy_of()), ONE, batch_size=1).fit(0), "`steps` must be at least 1"),
        (lambda: RewardModel(policy_of()).margins(ONE, batch_size=0), "`batch_size` must be at least 1"),
        (lambda: RewardModel(policy_of()).margins(ONE[:0]), "`pairs` must not be empty"),
        (lambda: RewardModel(policy_of())(ONE.chosen[:0]), "`completions` must not be empty"),
        (lambda: Pairs(ONE.chosen, collate([[4]] * 2, [[3]] * 2)), "must be equally many, got 1 and 2"),
        (lambda: Pairs(ONE.chosen, collate([[4, 4]], [[3]])), "prompts of one length, got 1 and 2"),
        (lambda: calibration(torch.zeros(3), (0.5,)), r"`edges` must be at least two increasing numbers, got \[0.5\]"),
        (lambda: calibration(torch.zeros(3), (0.5, 0.5)), "`edges` must be"),
        (lambda: calibration(torch.zeros(3, 2)), r"`margins` must have shape \(N,\), got \(3, 2\)"),
        (lambda: accuracy_by_gap(torch.zeros(2), torch.zeros(3), (0, 1)), "must have the same shape"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_completion_without_tokens_has_no_reward():
    completions = collate([[4, 1]] * 2, [[3, 2], [2]])
    completions.attention_mask[1, 2:] = False
    with pytest.raises(ValueError, match="at least one token each"):
        RewardModel(policy_of())(completions)
