"""Proximal policy optimisation: advantages, the clipped losses of policy and value, and the trainer."""

import math
from typing import Any

import torch
from torch import Tensor, nn

from lmcourse.alignment._checks import check_mask, masked_mean, same_shape
from lmcourse.alignment.completions import completion_logits, token_log_probs
from lmcourse.alignment.rollouts import Reward, Rollout, RolloutTrainer


@torch.no_grad()
def generalized_advantage_estimation(
    rewards: Tensor, values: Tensor, attention_mask: Tensor, *, gamma: float = 1.0, lam: float = 0.95
) -> tuple[Tensor, Tensor]:
    """Return by how much each action did better than expected, and what its value should have been.

    delta_t = r_t + gamma V_{t+1} - V_t,    A_t = delta_t + gamma lam A_{t+1},    returns_t = A_t + V_t

    A completion ends with its last place that takes part: V and A are 0 beyond it. lam = 0 trusts the values
    (A_t = delta_t), lam = 1 the rewards (A_t = sum of what came - V_t).

    Args:
        rewards: r, for the token at each place, (B, T).
        values: V, the value before that token, (B, T).
        attention_mask: the places of the completion, (B, T) bool. A gap ends one completion and begins another.
        gamma: discount, 0 to 1.
        lam: lambda, 0 to 1.

    Returns:
        advantages (B, T) and returns (B, T), without gradient; 0 where `attention_mask` is False.

    Raises:
        ValueError: shapes other than one (B, T), `gamma` or `lam` outside 0..1.
        TypeError: `attention_mask` is not bool.

    Source: Schulman et al., "High-dimensional continuous control using generalized advantage estimation", 2016,
    equations 11, 12 and 16.
    """
    same_shape(rewards=rewards, values=values, attention_mask=attention_mask)
    check_mask(attention_mask)
    if rewards.dim() != 2:
        raise ValueError(f"`rewards` must have shape (B, T), got {tuple(rewards.shape)}.")
    for name, value in (("gamma", gamma), ("lam", lam)):
        if not 0.0 <= value <= 1.0:
            raise ValueError(f"`{name}` must be in 0..1, got {value}.")
    rewards, values = rewards.masked_fill(~attention_mask, 0.0), values.masked_fill(~attention_mask, 0.0)
    next_values = torch.cat([values[:, 1:], torch.zeros_like(values[:, :1])], dim=1)
    deltas = rewards + gamma * next_values - values
    advantages = torch.zeros_like(deltas)
    later = torch.zeros_like(deltas[:, 0])  # (B,)
    for t in reversed(range(deltas.shape[1])):
        later = (deltas[:, t] + gamma * lam * later).masked_fill(~attention_mask[:, t], 0.0)
        advantages[:, t] = later
    return advantages, advantages + values


def ppo_policy_loss(
    log_probs: Tensor, old_log_probs: Tensor, advantages: Tensor, attention_mask: Tensor, *, clip: float = 0.2
) -> Tensor:
    """Return -mean of min(ratio * A, clamp(ratio, 1 - clip, 1 + clip) * A), ratio = exp(log_probs - old_log_probs).

    A good action (A > 0) gains nothing more once its ratio is above 1 + clip, a bad one nothing once it is below
    1 - clip: there the gradient is 0. On the other side it is not clipped, so that mistakes can be undone.

    Args:
        log_probs: of the tokens drawn, under the policy that is trained, (B, T).
        old_log_probs: under the policy that drew them, (B, T).
        advantages: A, (B, T).
        attention_mask: the places of the completion, (B, T) bool; the mean is over these. None at all gives 0.
        clip: epsilon, more than 0.

    Raises:
        ValueError: unequal shapes, `clip` not above 0.
        TypeError: `attention_mask` is not bool.

    Source: Schulman et al., "Proximal policy optimization algorithms", 2017, equation 7.
    """
    same_shape(log_probs=log_probs, old_log_probs=old_log_probs, advantages=advantages, attention_mask=attention_mask)
    check_mask(attention_mask)
    _check_clip(clip)
    ratio = (log_probs - old_log_probs.detach()).masked_fill(~attention_mask, 0.0).exp()
    advantages = advantages.detach()
    gain = torch.minimum(ratio * advantages, ratio.clamp(1.0 - clip, 1.0 + clip) * advantages)
    return -masked_mean(gain, attention_mask)


def ppo_value_loss(
    values: Tensor, old_values: Tensor, returns: Tensor, attention_mask: Tensor, *, clip: float = 0.2
) -> Tensor:
    """Return half the mean of max((V - R)^2, (V_clipped - R)^2), V_clipped = V within `clip` of V_old.

    The greater of the two: a value that has moved away from its old one, toward the return, by more than `clip`
    has no gradient any more.

    Args:
        values: V, of the network that is trained, (B, T).
        old_values: V_old, when the completions were drawn, (B, T).
        returns: R, (B, T).
        attention_mask: the places of the completion, (B, T) bool; the mean is over these. None at all gives 0.
        clip: more than 0, in units of reward.

    Raises:
        ValueError: unequal shapes, `clip` not above 0.
        TypeError: `attention_mask` is not bool.

    Source: the code that goes with Schulman et al., 2017, told by Engstrom et al., "Implementation matters in deep
    policy gradients", 2020, section 3.
    """
    same_shape(values=values, old_values=old_values, returns=returns, attention_mask=attention_mask)
    check_mask(attention_mask)
    _check_clip(clip)
    old_values, returns = old_values.detach(), returns.detach()
    clipped = old_values + (values - old_values).clamp(-clip, clip)
    worst = torch.maximum((values - returns).square(), (clipped - returns).square())
    return 0.5 * masked_mean(worst, attention_mask)


def _check_clip(clip: float) -> None:
    if not clip > 0.0:
        raise ValueError(f"`clip` must be more than 0, got {clip}.")


def kl_penalized_rewards(
    rewards: Tensor, log_probs: Tensor, reference_log_probs: Tensor, attention_mask: Tensor, coefficient: float
) -> Tensor:
    """Return the reward of each token: -coefficient * (log pi - log ref), and at a completion's last token its reward too.

    Args:
        rewards: of whole completions, (B,).
        log_probs, reference_log_probs: of the tokens drawn, (B, T).
        attention_mask: the places of the completions, (B, T) bool, without gaps.
        coefficient: beta, at least 0.

    Returns:
        (B, T), 0 where `attention_mask` is False; each row sums to reward - coefficient * log(pi / ref) of the completion.

    Source: Ziegler et al., 2019, equation 2; token by token in Ouyang et al., 2022, section 3.5.
    """
    check_mask(attention_mask)
    per_token = (-coefficient * (log_probs - reference_log_probs)).masked_fill(~attention_mask, 0.0)
    following = torch.cat([attention_mask[:, 1:], torch.zeros_like(attention_mask[:, :1])], dim=1)
    return per_token + rewards.unsqueeze(1) * (attention_mask & ~following)


class ActorCritic(nn.Module):
    """A policy and a value head on what the policy's own head reads: one forward pass gives both."""

    def __init__(self, policy: Any) -> None:
        super().__init__()
        self.policy = policy
        weight = policy.head.weight
        self.value_head = nn.Linear(weight.shape[1], 1, device=weight.device, dtype=weight.dtype)
        nn.init.zeros_(self.value_head.weight)
        nn.init.zeros_(self.value_head.bias)

    def values(self, hidden: Tensor) -> Tensor:
        """Return the value before each token: (B, R, D) -> (B, R)."""
        return self.value_head(hidden).squeeze(-1)


class PPOTrainer(RolloutTrainer):
    """Draw completions, judge them, and raise the probability of the tokens that did better than expected.

    The reward of a token is the KL penalty, and at the end of the completion the reward model's number; advantages come
    from the value head by GAE; each batch is learned from `epochs` times under the clipped losses.

    Args:
        policy, reward, prompts: see `RolloutTrainer`, as for all other `options`.
        kl_coefficient: beta, of the penalty; 0 switches it off.
        target_kl: nats a completion. If given, beta is moved after each iteration so that the KL comes to this.
        gamma, lam: of `generalized_advantage_estimation`.
        clip: of the policy's ratio; None switches clipping off.
        value_clip: of the values, in units of reward; None switches it off.
        value_weight: of the value loss.
        use_value: False takes all values for 0: an advantage is then what came, less the batch's mean.

    History (a row an iteration): reward, kl, entropy, length, clip_fraction, kl_coefficient, explained_variance (the share of the
    variance of the returns that the values foresaw), and what `metrics_fn` gives.

    Source: Schulman et al., 2017, algorithm 1; for language Ziegler et al., 2019, section 2.2 (and its equation for
    the adaptive beta), Ouyang et al., 2022, section 3.5.
    """

    def __init__(
        self,
        policy: nn.Module,
        reward: Reward,
        prompts: Tensor,
        *,
        kl_coefficient: float = 0.2,
        target_kl: float | None = None,
        gamma: float = 1.0,
        lam: float = 0.95,
        clip: float | None = 0.2,
        value_clip: float | None = 0.2,
        value_weight: float = 0.1,
        use_value: bool = True,
        epochs: int = 4,
        **options: Any,
    ) -> None:
        if not kl_coefficient >= 0.0:
            raise ValueError(f"`kl_coefficient` must be at least 0, got {kl_coefficient}.")
        if target_kl is not None and not (target_kl > 0.0 and kl_coefficient > 0.0):
            raise ValueError(
                f"`target_kl` and the `kl_coefficient` to begin with must be more than 0, got {target_kl} and "
                f"{kl_coefficient}."
            )
        super().__init__(policy, reward, prompts, epochs=epochs, **options)
        self.kl_coefficient, self.target_kl = kl_coefficient, target_kl
        self.gamma, self.lam = gamma, lam
        self.clip = math.inf if clip is None else clip
        self.value_clip = math.inf if value_clip is None else value_clip
        self.value_weight, self.use_value = value_weight, use_value

    def module(self) -> nn.Module:
        self.with_value = ActorCritic(self.policy)
        return self.with_value

    def prepare(self, rollout: Rollout) -> dict[str, float]:
        mask = rollout.completions.completion_mask
        values = self.with_value.values(rollout.hidden)
        if not self.use_value:
            values = torch.zeros_like(values)
        coefficient = self.kl_coefficient
        rewards = kl_penalized_rewards(
            rollout.rewards, rollout.log_probs, rollout.reference_log_probs, mask, self.kl_coefficient
        )
        advantages, returns = generalized_advantage_estimation(rewards, values, mask, gamma=self.gamma, lam=self.lam)
        self.rollout, self.old_values, self.returns = rollout, values, returns
        self.advantages = whiten(advantages, mask)
        if self.target_kl is not None:
            kl = float(rollout.kl.masked_fill(~mask, 0.0).sum(1).mean())
            self.kl_coefficient = adapted(self.kl_coefficient, kl, self.target_kl)
        spread = returns[mask].var(correction=0).clamp(min=1e-12)
        explained_variance = 1.0 - float((returns - values)[mask].var(correction=0) / spread)
        return {"kl_coefficient": coefficient, "explained_variance": explained_variance}

    def rollout_loss(self, rows: Tensor) -> Tensor:
        completions = self.rollout.completions[rows]
        R, mask = completions.completion_mask.shape[1], completions.completion_mask
        logits, hidden = completion_logits(self.policy, completions, temperature=self.temperature)
        log_probs = token_log_probs(logits, completions.completion_ids)
        old, advantages = self.rollout.log_probs[rows, :R], self.advantages[rows, :R]
        loss = ppo_policy_loss(log_probs, old, advantages, mask, clip=self.clip)
        with torch.no_grad():
            self.note_clipped(clipped_places(log_probs, old, advantages, self.clip), mask)
        if not self.use_value:
            return loss
        old_values, returns = self.old_values[rows, :R], self.returns[rows, :R]
        values = self.with_value.values(hidden)
        return loss + self.value_weight * ppo_value_loss(values, old_values, returns, mask, clip=self.value_clip)


def clipped_places(log_probs: Tensor, old_log_probs: Tensor, advantages: Tensor, clip: float) -> Tensor:
    """Return where the clipped loss has no gradient: the ratio has left 1 -+ clip in the direction of the advantage."""
    ratio = (log_probs - old_log_probs).exp()
    return (ratio > 1.0 + clip) & (advantages > 0) | (ratio < 1.0 - clip) & (advantages < 0)


def whiten(advantages: Tensor, attention_mask: Tensor) -> Tensor:
    """Return the advantages with mean 0 and standard deviation 1 over the places that take part, 0 elsewhere.

    Source: the code that goes with Schulman et al., 2017; told by Huang et al., "The 37 implementation details of
    proximal policy optimization", 2022.
    """
    kept = advantages[attention_mask]
    scaled = (advantages - kept.mean()) / (kept.std(correction=0) + 1e-8)
    return scaled.masked_fill(~attention_mask, 0.0)


def adapted(coefficient: float, kl: float, target: float, *, gain: float = 0.1) -> float:
    """Return beta (1 + gain * clip(kl / target - 1, -0.2, 0.2)): more penalty where the KL is above its target.

    Source: Ziegler et al., 2019, section 2.2.
    """
    return coefficient * (1.0 + gain * max(-0.2, min(0.2, kl / target - 1.0)))
