"""The losses of alignment: worked by hand, against loops and finite differences, and where they must be flat."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcourse.alignment import (
    dpo_loss,
    generalized_advantage_estimation,
    group_advantages,
    grpo_loss,
    kl_penalized_rewards,
    ppo_policy_loss,
    ppo_value_loss,
    preference_loss,
    token_log_probs,
)

DOUBLE = torch.float64


def tensor(*values: float, grad: bool = False) -> torch.Tensor:
    return torch.tensor(values, dtype=DOUBLE, requires_grad=grad)


def log_sigmoid(x: float) -> float:
    return -math.log1p(math.exp(-x))


# Preferences


def test_preference_loss_by_hand():
    # differences 2 - 0 = 2 and 0 - 1 = -1: -log sigmoid(2) = 0.126928, -log sigmoid(-1) = 1.313262
    loss = preference_loss(tensor(2.0, 0.0), tensor(0.0, 1.0))
    assert loss.item() == pytest.approx((0.126928 + 1.313262) / 2, abs=1e-6)
    assert preference_loss(tensor(3.0), tensor(3.0)).item() == pytest.approx(math.log(2))


def test_a_margin_asks_for_more():
    # 2 - 0 - 1.5 = 0.5: -log sigmoid(0.5) = 0.474077
    assert preference_loss(tensor(2.0), tensor(0.0), margin=1.5).item() == pytest.approx(0.474077, abs=1e-6)
    each = preference_loss(tensor(2.0, 5.0), tensor(0.0, 1.0), margin=tensor(1.5, 3.5))
    assert each.item() == pytest.approx(0.474077, abs=1e-6)  # 5 - 1 - 3.5 = 0.5 too


def test_preference_gradient_is_the_probability_of_having_been_wrong():
    chosen, rejected = tensor(1.0, -0.3, grad=True), tensor(0.2, 0.9, grad=True)
    preference_loss(chosen, rejected).backward()
    wrong = torch.sigmoid(rejected - chosen) / 2
    torch.testing.assert_close(chosen.grad, -wrong)
    torch.testing.assert_close(rejected.grad, wrong)


# Advantages


def test_advantages_by_hand():
    # gamma 1, lam 0.5, the reward comes at the end:
    # delta = (0 + 2 - 1, 0 + 4 - 2, 10 + 0 - 4) = (1, 2, 6); A_3 = 6, A_2 = 2 + 3 = 5, A_1 = 1 + 2.5 = 3.5
    keep = torch.tensor([[True, True, True]])
    advantages, returns = generalized_advantage_estimation(
        tensor(0, 0, 10)[None], tensor(1, 2, 4)[None], keep, gamma=1.0, lam=0.5
    )
    torch.testing.assert_close(advantages, tensor(3.5, 5, 6)[None])
    torch.testing.assert_close(returns, tensor(4.5, 7, 10)[None])


def advantages_by_double_loop(rewards, values, keep, gamma, lam):
    """Equation 16 written out: A_t = sum over l of (gamma lam)^l delta_{t+l}, up to the end of the reply."""
    B, T = rewards.shape
    out = torch.zeros_like(rewards)
    for b in range(B):
        for t in range(T):
            distance = 0
            while t + distance < T and keep[b, t + distance]:
                at = t + distance
                after = values[b, at + 1] if at + 1 < T and keep[b, at + 1] else 0.0
                out[b, t] += (gamma * lam) ** distance * (rewards[b, at] + gamma * after - values[b, at])
                distance += 1
    return out


@given(
    st.integers(1, 5), st.integers(1, 7), st.sampled_from([0.0, 0.9, 1.0]), st.sampled_from([0.0, 0.95, 1.0]), st.data()
)
@settings(max_examples=40, deadline=None)
def test_advantages_are_the_double_sum(B, T, gamma, lam, data):
    generator = torch.Generator().manual_seed(data.draw(st.integers(0, 10**6)))
    rewards = torch.randn(B, T, dtype=DOUBLE, generator=generator)
    values = torch.randn(B, T, dtype=DOUBLE, generator=generator)
    keep = torch.rand(B, T, generator=generator) < 0.7
    advantages, returns = generalized_advantage_estimation(rewards, values, keep, gamma=gamma, lam=lam)
    expected = advantages_by_double_loop(rewards, values, keep, gamma, lam)
    torch.testing.assert_close(advantages, expected)
    torch.testing.assert_close(returns, (expected + values).masked_fill(~keep, 0.0))


def test_what_stands_outside_a_reply_does_not_count():
    keep = torch.tensor([[False, True, True, False]])
    rewards, values = tensor(7, 1, 2, 9)[None], tensor(5, 3, 4, 8)[None]
    advantages, returns = generalized_advantage_estimation(rewards, values, keep)
    torch.testing.assert_close(
        (advantages, returns),
        generalized_advantage_estimation(
            tensor(math.nan, 1, 2, math.inf)[None], tensor(math.nan, 3, 4, math.nan)[None], keep
        ),
    )
    assert advantages[0, 0] == advantages[0, 3] == returns[0, 0] == returns[0, 3] == 0.0
    # lam 0.95: A_2 = 2 - 4 = -2, A_1 = (1 + 4 - 3) + 0.95 * -2 = 0.1
    torch.testing.assert_close(advantages[0, 1:3], tensor(0.1, -2))


def test_lambda_one_is_what_came_less_what_was_expected():
    rewards, values = torch.randn(2, 5, dtype=DOUBLE), torch.randn(2, 5, dtype=DOUBLE)
    advantages, returns = generalized_advantage_estimation(rewards, values, torch.ones(2, 5, dtype=torch.bool), lam=1.0)
    still_to_come = rewards.flip(1).cumsum(1).flip(1)
    torch.testing.assert_close(returns, still_to_come)
    torch.testing.assert_close(advantages, still_to_come - values)


# PPO


def policy_loss_of(ratio: float, advantage: float) -> tuple[float, float]:
    log_probs = tensor(math.log(ratio), grad=True)
    loss = ppo_policy_loss(log_probs, tensor(0.0), tensor(advantage), torch.tensor([True]))
    loss.backward()
    return loss.item(), log_probs.grad.item()


@pytest.mark.parametrize(
    ("ratio", "advantage", "loss", "gradient"),
    [
        (1.1, 2.0, -2.2, -2.2),  # inside: -ratio A, and d/dlogp of ratio is ratio
        (1.5, 2.0, -2.4, 0.0),  # a good action, already likelier by more than clip: -1.2 x 2, flat
        (0.5, 2.0, -1.0, -1.0),  # a good action made unlikely: not clipped, it is pulled back
        (0.5, -2.0, 1.6, 0.0),  # a bad action, already unlikelier: 0.8 x 2, flat
        (1.5, -2.0, 3.0, 3.0),  # a bad action made likelier: not clipped, it is pushed down
    ],
)
def test_policy_loss_by_hand(ratio, advantage, loss, gradient):
    assert policy_loss_of(ratio, advantage) == pytest.approx((loss, gradient))


def test_policy_loss_is_the_mean_over_the_reply():
    keep = torch.tensor([[True, True, False], [True, False, False]])
    old = torch.zeros(2, 3, dtype=DOUBLE)
    advantages = torch.tensor([[1.0, 2.0, math.nan], [3.0, math.nan, math.nan]], dtype=DOUBLE)
    log_probs = torch.tensor([[0.0, 0.0, math.inf], [0.0, math.nan, -math.inf]], dtype=DOUBLE, requires_grad=True)
    loss = ppo_policy_loss(log_probs, old, advantages, keep)
    loss.backward()
    assert loss.item() == pytest.approx(-2.0)  # -(1 + 2 + 3) / 3
    torch.testing.assert_close(log_probs.grad[keep], tensor(-1 / 3, -2 / 3, -1.0))
    assert (log_probs.grad[~keep] == 0).all()


@pytest.mark.parametrize(
    ("value", "old", "target", "loss", "gradient"),
    [
        (1.1, 1.0, 2.0, 0.405, -0.9),  # inside the clip: 0.9^2 / 2; gradient V - R
        (1.5, 1.0, 2.0, 0.32, 0.0),  # toward the return by more than 0.2: (1.2 - 2)^2 / 2 is the worse, flat
        (0.5, 1.0, 2.0, 1.125, -1.5),  # away from it: 1.5^2 / 2 is the worse
    ],
)
def test_value_loss_by_hand(value, old, target, loss, gradient):
    values = tensor(value, grad=True)
    result = ppo_value_loss(values, tensor(old), tensor(target), torch.tensor([True]))
    result.backward()
    assert (result.item(), values.grad.item()) == pytest.approx((loss, gradient))


# DPO


def test_dpo_loss_by_hand():
    # h = (-10 - -12) - (-9 - -8) = 2 + 1 = 3; beta h = 0.3: -log sigmoid(0.3) = 0.554355
    arguments = (tensor(-10.0), tensor(-9.0), tensor(-12.0), tensor(-8.0))
    assert dpo_loss(*arguments).item() == pytest.approx(0.554355, abs=1e-6)
    smoothed = dpo_loss(*arguments, label_smoothing=0.1).item()
    assert smoothed == pytest.approx(-0.9 * log_sigmoid(0.3) - 0.1 * log_sigmoid(-0.3))
    assert dpo_loss(*[tensor(-5.0)] * 4).item() == pytest.approx(math.log(2))


def test_dpo_is_the_preference_loss_of_its_implicit_rewards():
    parts = [torch.randn(5, dtype=DOUBLE) for _ in range(4)]
    rewards = 0.3 * (parts[0] - parts[2]), 0.3 * (parts[1] - parts[3])
    torch.testing.assert_close(dpo_loss(*parts, beta=0.3), preference_loss(*rewards))


def test_dpo_pushes_the_chosen_up_and_leaves_the_reference():
    parts = [torch.randn(3, dtype=DOUBLE, requires_grad=True) for _ in range(4)]
    dpo_loss(*parts).backward()
    assert (parts[0].grad < 0).all()
    assert (parts[1].grad > 0).all()
    assert parts[2].grad is None
    assert parts[3].grad is None


# GRPO


def test_group_advantages_by_hand():
    # (1, 2, 3): mean 2, sample standard deviation 1; (5, 5, 5): nothing to learn
    advantages = group_advantages(torch.tensor([[1.0, 2.0, 3.0], [5.0, 5.0, 5.0]], dtype=DOUBLE))
    torch.testing.assert_close(advantages, torch.tensor([[-1.0, 0, 1], [0, 0, 0]], dtype=DOUBLE) / (1 + 1e-4))
    plain = group_advantages(torch.tensor([[0.0, 4.0]]), normalize=False)
    torch.testing.assert_close(plain, torch.tensor([[-2.0, 2.0]]))


def test_equal_rewards_give_nothing_even_after_rounding():
    advantages = group_advantages(torch.full((3, 7), 0.1))
    assert (advantages == 0).all()


# All of them


A, B, OLD = torch.randn(3, 1, 5, dtype=DOUBLE, generator=torch.Generator().manual_seed(3))
FOUR = torch.tensor([[True, True, True, True, False]])


@pytest.mark.parametrize(
    "loss",
    [
        lambda x: preference_loss(x, B, margin=0.3),
        lambda x: preference_loss(B, x),
        lambda x: dpo_loss(x[0], B[0], OLD[0], A[0], beta=0.7, label_smoothing=0.1),
        lambda x: dpo_loss(B[0], x[0], OLD[0], A[0], beta=0.7),
        lambda x: ppo_policy_loss(x, A + 0.2 * OLD, B, FOUR),
        lambda x: ppo_value_loss(x, A + 0.2 * OLD, B, FOUR),
    ],
    ids=["chosen", "rejected", "dpo-chosen", "dpo-rejected", "policy", "value"],
)
def test_gradients_by_finite_differences(loss):
    assert torch.autograd.gradcheck(loss, (A.clone().requires_grad_(),))


GOOD = torch.zeros(2, 3, dtype=DOUBLE)
KEEP = torch.ones(2, 3, dtype=torch.bool)
PAIR, THREE = (GOOD, GOOD), (GOOD, GOOD, GOOD)
LOGITS, IDS = torch.randn(2, 3, 5, generator=torch.Generator().manual_seed(0)), torch.tensor([[0, 4, 2], [1, 3, 0]])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: preference_loss(GOOD, GOOD[:1]),
            ValueError,
            r"must have the same shape, got chosen_rewards \(2, 3\), rejected_rewards \(1, 3\)",
        ),
        (lambda: preference_loss(GOOD[:0], GOOD[:0]), ValueError, "`chosen_rewards` must not be empty"),
        (
            lambda: generalized_advantage_estimation(GOOD, GOOD, KEEP[:, :2]),
            ValueError,
            "`attention_mask` must have the same shape",
        ),
        (
            lambda: generalized_advantage_estimation(GOOD, GOOD, GOOD),
            TypeError,
            "`attention_mask` must be a bool tensor",
        ),
        (
            lambda: generalized_advantage_estimation(GOOD[0], GOOD[0], KEEP[0]),
            ValueError,
            r"shape \(B, T\), got \(3,\)",
        ),
        (
            lambda: generalized_advantage_estimation(GOOD, GOOD, KEEP, lam=1.5),
            ValueError,
            "`lam` must be at least 0 and at most 1, got lam=1.5",
        ),
        (
            lambda: ppo_policy_loss(GOOD, GOOD, GOOD, KEEP, clip=0.0),
            ValueError,
            "`clip` must be more than 0",
        ),
        (lambda: ppo_value_loss(GOOD, GOOD, GOOD, KEEP.int()), TypeError, "must be a bool tensor"),
        (lambda: dpo_loss(GOOD, GOOD, GOOD, GOOD, beta=0.0), ValueError, "`beta` must be more than 0"),
        (
            lambda: dpo_loss(GOOD, GOOD, GOOD, GOOD, label_smoothing=0.5),
            ValueError,
            "got label_smoothing=0.5",
        ),
        (lambda: dpo_loss(GOOD, GOOD, GOOD, GOOD.int()), TypeError, "`reference_rejected` must be a floating-point"),
        (lambda: preference_loss(GOOD, GOOD, margin=math.nan), ValueError, "`margin` must be finite"),
        (lambda: preference_loss(GOOD, GOOD, margin=GOOD[0]), ValueError, "margin"),
        (
            lambda: kl_penalized_rewards(torch.ones(1), *PAIR, KEEP, 0.1),
            ValueError,
            r"`rewards` .* shape \(2,\)",
        ),
        (lambda: kl_penalized_rewards(GOOD[:, 0], *PAIR, KEEP.t(), 0.1), ValueError, "must have the same shape"),
        (lambda: kl_penalized_rewards(GOOD[:, 0], GOOD, GOOD.t(), KEEP, 0.1), ValueError, "must have the same shape"),
        (lambda: kl_penalized_rewards(GOOD[:, 0], *PAIR, KEEP, -0.1), ValueError, "`coefficient` must be at least 0"),
        (lambda: grpo_loss(*THREE, GOOD[:1, 0], KEEP), ValueError, r"`advantages` must have shape \(2,\), got \(1,\)"),
        (lambda: grpo_loss(*THREE, GOOD[:, 0], KEEP[:, :2]), ValueError, "must have the same shape"),
        (lambda: grpo_loss(*THREE, GOOD[:, 0], KEEP, clip=-1.0), ValueError, "`clip` must be more than 0"),
        (lambda: token_log_probs(LOGITS, IDS.t()), ValueError, r"got \(2, 3, 5\) and \(3, 2\)"),
        (lambda: token_log_probs(LOGITS[0], IDS), ValueError, r"`logits` must have shape \(B, R, V\)"),
        (lambda: token_log_probs(LOGITS, IDS + 1), ValueError, r"`ids` must be in 0\.\.4, got values from 1 to 5"),
        (lambda: token_log_probs(LOGITS, IDS.float()), TypeError, "`ids` must be a tensor of whole numbers"),
        (lambda: group_advantages(torch.ones(2, 3, dtype=torch.int)), TypeError, "`rewards` must be a floating-point"),
        (lambda: group_advantages(GOOD[:, :1]), ValueError, r"group_size at least 2, got \(2, 1\)"),
        (lambda: group_advantages(GOOD[0]), ValueError, r"got \(3,\)"),
    ],
)
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_log_probs_of_tokens():
    expected = LOGITS.log_softmax(-1).gather(-1, IDS.unsqueeze(-1)).squeeze(-1)
    for dtype in (torch.int64, torch.int32, torch.uint8):
        torch.testing.assert_close(token_log_probs(LOGITS, IDS.to(dtype)), expected)


def test_a_completion_of_no_tokens_costs_nothing():
    none = torch.zeros(2, 3, dtype=torch.bool)
    assert ppo_policy_loss(GOOD, GOOD, GOOD, none).item() == 0.0
    assert ppo_value_loss(GOOD, GOOD, GOOD, none).item() == 0.0
    assert all((part == 0).all() for part in generalized_advantage_estimation(GOOD, GOOD, none))
