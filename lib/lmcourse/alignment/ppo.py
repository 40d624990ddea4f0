"""Proximal policy optimisation: advantages, the clipped losses of policy and value, and the trainer."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from lmcourse import checks, tensor_checks
from lmcourse.alignment.completions import completion_logits, token_log_probs
from lmcourse.alignment.policies import Policy, check_policy, scalar_head
from lmcourse.alignment.rollouts import Rollout, RolloutConfig, RolloutTrainer


@torch.no_grad()
def generalized_advantage_estimation(
    rewards: Tensor, values: Tensor, attention_mask: Tensor, *, gamma: float = 1.0, lam: float = 0.95
) -> tuple[Tensor, Tensor]:
    """Return the advantage of each action over its expected value, and the return: what its value should have been.

    delta_t = r_t + gamma V_{t+1} - V_t,    A_t = delta_t + gamma lam A_{t+1},    returns_t = A_t + V_t

    V and A are 0 beyond the last token of a completion. lam = 0 trusts the values (A_t = delta_t), lam = 1 the rewards
    (A_t = sum of the later rewards - V_t).

    Args:
        rewards: r, of each token, (B, T).
        values: V, the value before that token, (B, T).
        attention_mask: True at the tokens of the completion, (B, T) bool. A gap ends one completion and begins another.
        gamma: discount, 0 to 1.
        lam: lambda, 0 to 1.

    Returns:
        advantages (B, T) and returns (B, T), without gradient; 0 where `attention_mask` is False.

    Raises:
        TypeError: rewards or values that are not floating-point, or a mask that is not bool.
        ValueError: shapes other than one (B, T), not empty; `gamma` or `lam` outside 0..1.

    Source: Schulman et al., "High-dimensional continuous control using generalized advantage estimation", 2016,
    equations 11, 12 and 16.
    """
    _check_tokens(attention_mask, rewards=rewards, values=values)
    tensor_checks.shape(("B", "T"), rewards=rewards)
    checks.number(gamma=gamma, lam=lam, at_least=0.0, at_most=1.0)
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
    1 - clip: there the gradient is 0. In the other direction nothing is clipped, so that mistakes can be undone.

    Args:
        log_probs: of the sampled tokens, under the policy that is trained, (B, T).
        old_log_probs: under the policy that sampled them, (B, T).
        advantages: A, (B, T).
        attention_mask: True at the tokens of the completion, (B, T) bool; the mean is over these, and 0 if there are
            none.
        clip: epsilon, more than 0.

    Raises:
        TypeError: tensors that are not floating-point, or a mask that is not bool.
        ValueError: unequal or empty shapes, `clip` not above 0.

    Source: Schulman et al., "Proximal policy optimization algorithms", 2017, equation 7.
    """
    _check_tokens(attention_mask, log_probs=log_probs, old_log_probs=old_log_probs, advantages=advantages)
    check_clip(clip)
    ratio = (log_probs - old_log_probs.detach()).masked_fill(~attention_mask, 0.0).exp()
    advantages = advantages.detach()
    gain = torch.minimum(ratio * advantages, ratio.clamp(1.0 - clip, 1.0 + clip) * advantages)
    return -_masked_mean(gain, attention_mask)


def ppo_value_loss(
    values: Tensor, old_values: Tensor, returns: Tensor, attention_mask: Tensor, *, clip: float = 0.2
) -> Tensor:
    """Return half the mean of max((V - R)^2, (V_clipped - R)^2), V_clipped = V within `clip` of V_old.

    The larger of the two: once a value has moved from its old one toward the return by more than `clip`, its gradient
    is 0.

    Args:
        values: V, of the network that is trained, (B, T).
        old_values: V_old, when the completions were sampled, (B, T).
        returns: R, (B, T).
        attention_mask: True at the tokens of the completion, (B, T) bool; the mean is over these, and 0 if there are
            none.
        clip: more than 0, in units of reward.

    Raises:
        TypeError: tensors that are not floating-point, or a mask that is not bool.
        ValueError: unequal or empty shapes, `clip` not above 0.

    Source: the code that accompanies Schulman et al., 2017, described by Engstrom et al., "Implementation matters in
    deep policy gradients", 2020, section 3.
    """
    _check_tokens(attention_mask, values=values, old_values=old_values, returns=returns)
    check_clip(clip)
    old_values, returns = old_values.detach(), returns.detach()
    clipped = old_values + (values - old_values).clamp(-clip, clip)
    worst = torch.maximum((values - returns).square(), (clipped - returns).square())
    return 0.5 * _masked_mean(worst, attention_mask)


def kl_penalized_rewards(
    rewards: Tensor, log_probs: Tensor, reference_log_probs: Tensor, attention_mask: Tensor, coefficient: float
) -> Tensor:
    """Return the reward of each token: -coefficient * (log pi - log ref), at the last token plus the completion's.

    Args:
        rewards: of whole completions, (B,).
        log_probs, reference_log_probs: of the sampled tokens, (B, T).
        attention_mask: True at the tokens of the completion, (B, T) bool, without gaps.
        coefficient: beta, at least 0.

    Returns:
        (B, T), 0 where `attention_mask` is False; each row sums to reward - coefficient * log(pi / ref) of the
        completion.

    Raises:
        TypeError: tensors that are not floating-point, or a mask that is not bool.
        ValueError: shapes other than (B,) and (B, T), not empty; a negative coefficient.

    Source: Ziegler et al., 2019, equation 2; token by token in Ouyang et al., 2022, section 3.5.
    """
    _check_tokens(attention_mask, log_probs=log_probs, reference_log_probs=reference_log_probs)
    tensor_checks.shape(("B", "T"), log_probs=log_probs)
    tensor_checks.floating(rewards=rewards)
    tensor_checks.shape((len(log_probs),), rewards=rewards)
    tensor_checks.same_device(rewards=rewards, log_probs=log_probs)
    checks.number(coefficient=coefficient, at_least=0.0)
    per_token = (-coefficient * (log_probs - reference_log_probs)).masked_fill(~attention_mask, 0.0)
    following = torch.cat([attention_mask[:, 1:], torch.zeros_like(attention_mask[:, :1])], dim=1)
    return per_token + rewards.unsqueeze(1) * (attention_mask & ~following)


def check_clip(clip: float) -> None:
    """Raise unless a ratio or value can be clipped to this; infinity does not clip."""
    if clip != math.inf:
        checks.number(clip=clip, above=0.0, at_most=1e30)


def _check_tokens(attention_mask: Tensor, **tensors: Tensor) -> None:
    """Raise unless all tensors are floating-point and of the shape of the mask, which is bool and not empty."""
    tensor_checks.floating(**tensors)
    tensor_checks.boolean(attention_mask=attention_mask)
    tensor_checks.same_shape(**tensors, attention_mask=attention_mask)
    tensor_checks.same_device(**tensors, attention_mask=attention_mask)
    tensor_checks.not_empty(attention_mask=attention_mask)


def _masked_mean(values: Tensor, mask: Tensor) -> Tensor:
    """The mean where the mask is True, 0 if it never is. Elsewhere the values may be NaN."""
    return values.masked_fill(~mask, 0.0).sum() / mask.sum().clamp(min=1)


class ActorCritic(nn.Module):
    """A policy with a value head on its hidden states: one forward pass gives both.

    Raises:
        TypeError: a policy without hidden states.
    """

    def __init__(self, policy: Policy) -> None:
        check_policy(policy=policy)
        super().__init__()
        self.policy = policy
        self.value_head = scalar_head(policy)
        nn.init.zeros_(self.value_head.weight)
        nn.init.zeros_(self.value_head.bias)

    def values(self, hidden: Tensor) -> Tensor:
        """Return the value before each token: (B, R, D) -> (B, R)."""
        return self.value_head(hidden).squeeze(-1)


@dataclass(frozen=True, kw_only=True)
class PPOConfig(RolloutConfig):
    """Settings of `PPOTrainer`, beside those of `RolloutConfig`.

    Attributes:
        kl_coefficient: beta, of the penalty; 0 switches it off.
        target_kl: nats per completion. If given, beta is adapted after each iteration so that the KL approaches this.
        gamma, lam: of `generalized_advantage_estimation`.
        clip: of the policy's ratio; None switches clipping off.
        value_clip: of the values, in units of reward; None switches it off.
        value_weight: of the value loss.
        use_value: False replaces all values by 0: an advantage is then the return, less the mean of the batch.
        epochs: 4 by default.
    """

    epochs: int = 4
    kl_coefficient: float = 0.2
    target_kl: float | None = None
    gamma: float = 1.0
    lam: float = 0.95
    clip: float | None = 0.2
    value_clip: float | None = 0.2
    value_weight: float = 0.1
    use_value: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.number(kl_coefficient=self.kl_coefficient, value_weight=self.value_weight, at_least=0.0)
        checks.number(gamma=self.gamma, lam=self.lam, at_least=0.0, at_most=1.0)
        for name, clip in (("clip", self.clip), ("value_clip", self.value_clip)):
            if clip is not None:
                checks.number(**{name: clip}, above=0.0)
        if self.target_kl is not None:
            checks.number(target_kl=self.target_kl, kl_coefficient=self.kl_coefficient, above=0.0)


class PPOTrainer(RolloutTrainer[PPOConfig]):
    """Sample completions, have them rewarded, and raise the probability of tokens that did better than expected.

    The reward of a token is the KL penalty, plus the reward of the completion at its last token; advantages come from
    the value head by GAE; each batch is learned from `epochs` times under the clipped losses.

    Args:
        policy, reward, prompts: see `RolloutTrainer`, as for the other arguments and attributes.
        config: the settings.

    Attributes:
        kl_coefficient: beta as it is now; with `target_kl` it is adapted.

    History (a row per iteration): reward, kl, entropy, length, clip_fraction, kl_coefficient, explained_variance (the
    fraction of the variance of the returns that the values predicted), and what `metrics_fn` gives.

    Source: Schulman et al., 2017, algorithm 1; for language Ziegler et al., 2019, section 2.2 (and its equation for
    the adaptive beta), Ouyang et al., 2022, section 3.5.
    """

    config_class = PPOConfig

    def _set_up(self) -> nn.Module:
        self.kl_coefficient = self.config.kl_coefficient
        self.actor_critic = ActorCritic(self.policy)
        return self.actor_critic

    def _prepare(self, rollout: Rollout) -> dict[str, float]:
        config, mask = self.config, rollout.completions.completion_mask
        values = self.actor_critic.values(rollout.hidden)
        if not config.use_value:
            values = torch.zeros_like(values)
        coefficient = self.kl_coefficient
        rewards = kl_penalized_rewards(
            rollout.rewards, rollout.log_probs, rollout.reference_log_probs, mask, coefficient
        )
        advantages, returns = generalized_advantage_estimation(
            rewards, values, mask, gamma=config.gamma, lam=config.lam
        )
        self.rollout, self.old_values, self.returns = rollout, values, returns
        self.advantages = whiten(advantages, mask)
        if config.target_kl is not None:
            kl = float(rollout.kl.masked_fill(~mask, 0.0).sum(1).mean())
            self.kl_coefficient = adapted_coefficient(coefficient, kl, config.target_kl)
        variance = returns[mask].var(correction=0).clamp(min=1e-12)
        explained_variance = 1.0 - float((returns - values)[mask].var(correction=0) / variance)
        return {"kl_coefficient": coefficient, "explained_variance": explained_variance}

    def _rollout_loss(self, rows: Tensor) -> Tensor:
        config, completions = self.config, self.rollout.completions[rows]
        clip = math.inf if config.clip is None else config.clip
        R, mask = completions.completion_mask.shape[1], completions.completion_mask
        logits, hidden = completion_logits(self.policy, completions, temperature=config.temperature)
        log_probs = token_log_probs(logits, completions.completion_ids)
        old, advantages = self.rollout.log_probs[rows, :R], self.advantages[rows, :R]
        loss = ppo_policy_loss(log_probs, old, advantages, mask, clip=clip)
        with torch.no_grad():
            self._record_clipping(is_clipped(log_probs, old, advantages, clip), mask)
        if not config.use_value:
            return loss
        value_clip = math.inf if config.value_clip is None else config.value_clip
        old_values, returns = self.old_values[rows, :R], self.returns[rows, :R]
        values = self.actor_critic.values(hidden)
        return loss + config.value_weight * ppo_value_loss(values, old_values, returns, mask, clip=value_clip)


def is_clipped(log_probs: Tensor, old_log_probs: Tensor, advantages: Tensor, clip: float) -> Tensor:
    """Return where the clipped loss has no gradient: the ratio has left 1 -+ clip in the direction of the advantage."""
    ratio = (log_probs - old_log_probs).exp()
    return (ratio > 1.0 + clip) & (advantages > 0) | (ratio < 1.0 - clip) & (advantages < 0)


def whiten(advantages: Tensor, attention_mask: Tensor) -> Tensor:
    """Return the advantages with mean 0 and standard deviation 1 where the mask is True, 0 elsewhere.

    Source: the code that accompanies Schulman et al., 2017; described by Huang et al., "The 37 implementation details
    of proximal policy optimization", 2022.
    """
    _check_tokens(attention_mask, advantages=advantages)
    kept = advantages[attention_mask]
    scaled = (advantages - kept.mean()) / (kept.std(correction=0) + 1e-8)
    return scaled.masked_fill(~attention_mask, 0.0)


def adapted_coefficient(coefficient: float, kl: float, target: float, *, gain: float = 0.1) -> float:
    """Return beta (1 + gain * clip(kl / target - 1, -0.2, 0.2)): a larger penalty where the KL is above its target.

    Source: Ziegler et al., 2019, section 2.2.
    """
    checks.number(target=target, above=0.0)
    return coefficient * (1.0 + gain * max(-0.2, min(0.2, kl / target - 1.0)))
