"""Proximal policy optimisation: advantages, and the clipped losses of policy and value."""

import torch
from torch import Tensor

from lmcourse.alignment._checks import check_mask, masked_mean, same_shape


@torch.no_grad()
def generalized_advantages(
    rewards: Tensor, values: Tensor, keep_mask: Tensor, *, gamma: float = 1.0, lam: float = 0.95
) -> tuple[Tensor, Tensor]:
    """Return by how much each action did better than expected, and what its value should have been.

    delta_t = r_t + gamma V_{t+1} - V_t,    A_t = delta_t + gamma lam A_{t+1},    returns_t = A_t + V_t

    A reply ends with its last place that takes part: V and A are 0 beyond it. lam = 0 trusts the values
    (A_t = delta_t), lam = 1 the rewards (A_t = sum of what came - V_t).

    Args:
        rewards: r, for the token at each place, (B, T).
        values: V, the value before that token, (B, T).
        keep_mask: the places of the reply, (B, T) bool. A gap ends one reply and begins another.
        gamma: discount, 0 to 1.
        lam: lambda, 0 to 1.

    Returns:
        advantages (B, T) and returns (B, T), without gradient; 0 where `keep_mask` is False.

    Raises:
        ValueError: shapes other than one (B, T), `gamma` or `lam` outside 0..1.
        TypeError: `keep_mask` is not bool.

    Source: Schulman et al., "High-dimensional continuous control using generalized advantage estimation", 2016,
    equations 11, 12 and 16.
    """
    same_shape(rewards=rewards, values=values, keep_mask=keep_mask)
    check_mask(keep_mask)
    if rewards.dim() != 2:
        raise ValueError(f"`rewards` must have shape (B, T), got {tuple(rewards.shape)}.")
    for name, value in (("gamma", gamma), ("lam", lam)):
        if not 0.0 <= value <= 1.0:
            raise ValueError(f"`{name}` must be in 0..1, got {value}.")
    rewards, values = rewards.masked_fill(~keep_mask, 0.0), values.masked_fill(~keep_mask, 0.0)
    next_values = torch.cat([values[:, 1:], torch.zeros_like(values[:, :1])], dim=1)
    deltas = rewards + gamma * next_values - values
    advantages = torch.zeros_like(deltas)
    later = torch.zeros_like(deltas[:, 0])  # (B,)
    for t in reversed(range(deltas.shape[1])):
        later = (deltas[:, t] + gamma * lam * later).masked_fill(~keep_mask[:, t], 0.0)
        advantages[:, t] = later
    return advantages, advantages + values


def ppo_policy_loss(
    log_probs: Tensor, old_log_probs: Tensor, advantages: Tensor, keep_mask: Tensor, *, clip: float = 0.2
) -> Tensor:
    """Return -mean of min(ratio * A, clamp(ratio, 1 - clip, 1 + clip) * A), ratio = exp(log_probs - old_log_probs).

    A good action (A > 0) gains nothing more once its ratio is above 1 + clip, a bad one nothing once it is below
    1 - clip: there the gradient is 0. On the other side it is not clipped, so that mistakes can be undone.

    Args:
        log_probs: of the tokens drawn, under the policy that is trained, (B, T).
        old_log_probs: under the policy that drew them, (B, T).
        advantages: A, (B, T).
        keep_mask: the places of the reply, (B, T) bool; the mean is over these. None at all gives 0.
        clip: epsilon, more than 0.

    Raises:
        ValueError: unequal shapes, `clip` not above 0.
        TypeError: `keep_mask` is not bool.

    Source: Schulman et al., "Proximal policy optimization algorithms", 2017, equation 7.
    """
    same_shape(log_probs=log_probs, old_log_probs=old_log_probs, advantages=advantages, keep_mask=keep_mask)
    check_mask(keep_mask)
    _check_clip(clip)
    ratio = (log_probs - old_log_probs.detach()).masked_fill(~keep_mask, 0.0).exp()
    advantages = advantages.detach()
    gain = torch.minimum(ratio * advantages, ratio.clamp(1.0 - clip, 1.0 + clip) * advantages)
    return -masked_mean(gain, keep_mask)


def ppo_value_loss(
    values: Tensor, old_values: Tensor, returns: Tensor, keep_mask: Tensor, *, clip: float = 0.2
) -> Tensor:
    """Return half the mean of max((V - R)^2, (V_clipped - R)^2), V_clipped = V within `clip` of V_old.

    The greater of the two: a value that has moved away from its old one, toward the return, by more than `clip`
    has no gradient any more.

    Args:
        values: V, of the network that is trained, (B, T).
        old_values: V_old, when the replies were drawn, (B, T).
        returns: R, (B, T).
        keep_mask: the places of the reply, (B, T) bool; the mean is over these. None at all gives 0.
        clip: more than 0, in units of reward.

    Raises:
        ValueError: unequal shapes, `clip` not above 0.
        TypeError: `keep_mask` is not bool.

    Source: the code that goes with Schulman et al., 2017, told by Engstrom et al., "Implementation matters in deep
    policy gradients", 2020, section 3.
    """
    same_shape(values=values, old_values=old_values, returns=returns, keep_mask=keep_mask)
    check_mask(keep_mask)
    _check_clip(clip)
    old_values, returns = old_values.detach(), returns.detach()
    clipped = old_values + (values - old_values).clamp(-clip, clip)
    worst = torch.maximum((values - returns).square(), (clipped - returns).square())
    return 0.5 * masked_mean(worst, keep_mask)


def _check_clip(clip: float) -> None:
    if not clip > 0.0:
        raise ValueError(f"`clip` must be more than 0, got {clip}.")
