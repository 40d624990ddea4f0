"""Group relative policy optimisation: the other completions of the same prompt take the role of a value network."""

from dataclasses import dataclass

import torch
from torch import Tensor

from lmcourse import checks, tensor_checks
from lmcourse.alignment.completions import completion_logits, token_log_probs
from lmcourse.alignment.ppo import check_clip, is_clipped
from lmcourse.alignment.rollouts import Rollout, RolloutConfig, RolloutTrainer

EPSILON = 1e-4  # added to the standard deviation, so that almost equal rewards do not give large advantages


def group_advantages(rewards: Tensor, *, normalize: bool = True) -> Tensor:
    """Return (r - mean of its group) / (standard deviation of its group + 1e-4).

    A group whose rewards are all equal teaches nothing: its advantages are 0, not NaN. The standard deviation is
    the sample's (divided by group_size - 1).

    Args:
        rewards: (n_prompts, group_size), group_size at least 2.
        normalize: divide by the standard deviation. Without it, groups with more varied rewards weigh more, and the
            gradient is that of the mean reward (Liu et al., 2025).

    Returns:
        (n_prompts, group_size), without gradient; each row sums to 0.

    Raises:
        TypeError: rewards that are not floating-point.
        ValueError: another shape, or groups of one.

    Source: Shao et al., "DeepSeekMath", 2024, section 4.1.2; Liu et al., "Understanding R1-Zero-like training", 2025.
    """
    tensor_checks.floating(rewards=rewards)
    if rewards.dim() != 2 or len(rewards) == 0 or rewards.shape[1] < 2:
        raise ValueError(
            f"`rewards` must have shape (n_prompts, group_size) with group_size at least 2, got {tuple(rewards.shape)}."
        )
    rewards = rewards.detach()
    advantages = rewards - rewards.mean(dim=1, keepdim=True)
    if normalize:
        advantages = advantages / (rewards.std(dim=1, keepdim=True) + EPSILON)
    equal = (rewards == rewards[:, :1]).all(1, keepdim=True)  # exactly 0: Adam would magnify the rounding error
    return advantages.masked_fill(equal, 0.0)


def grpo_loss(
    log_probs: Tensor,
    old_log_probs: Tensor,
    reference_log_probs: Tensor,
    advantages: Tensor,
    attention_mask: Tensor,
    *,
    clip: float = 0.2,
    kl_coefficient: float = 0.04,
) -> Tensor:
    """Return -mean over completions of the mean over a completion's tokens of [clipped gain - beta * (x - log x - 1)].

    clipped gain = min(ratio A, clamp(ratio, 1 - clip, 1 + clip) A), ratio = exp(log_probs - old_log_probs), and
    x = exp(reference_log_probs - log_probs): x - log x - 1 is never negative, and its mean over tokens sampled from the
    policy is KL(policy || reference).

    Args:
        log_probs, old_log_probs, reference_log_probs: of the sampled tokens, (B, T); the gradient goes to the first.
        advantages: A, one per completion, (B,).
        attention_mask: True at the tokens of the completions, (B, T) bool. A completion without any counts as 0.
        clip: more than 0.
        kl_coefficient: beta, at least 0.

    Raises:
        TypeError: tensors that are not floating-point, or a mask that is not bool.
        ValueError: shapes other than (B, T) and (B,), not empty; a setting out of range.

    Source: Shao et al., "DeepSeekMath", 2024, equations 3 and 4; x - log x - 1 is Schulman's ("Approximating KL
    divergence", 2020).
    """
    tensors = {"log_probs": log_probs, "old_log_probs": old_log_probs, "reference_log_probs": reference_log_probs}
    tensor_checks.floating(**tensors, advantages=advantages)
    tensor_checks.boolean(attention_mask=attention_mask)
    tensor_checks.shape(("B", "T"), attention_mask=attention_mask)
    tensor_checks.same_shape(**tensors, attention_mask=attention_mask)
    tensor_checks.same_device(**tensors, advantages=advantages, attention_mask=attention_mask)
    tensor_checks.not_empty(attention_mask=attention_mask)
    tensor_checks.shape((len(attention_mask),), advantages=advantages)
    checks.number(kl_coefficient=kl_coefficient, at_least=0.0)
    check_clip(clip)
    weight = advantages.detach().unsqueeze(1)  # (B, 1)
    ratio = (log_probs - old_log_probs.detach()).masked_fill(~attention_mask, 0.0).exp()
    gain = torch.minimum(ratio * weight, ratio.clamp(1.0 - clip, 1.0 + clip) * weight)
    if kl_coefficient:
        log_x = (reference_log_probs.detach() - log_probs).masked_fill(~attention_mask, 0.0)
        gain = gain - kl_coefficient * (log_x.exp() - log_x - 1.0)
    per_completion = gain.masked_fill(~attention_mask, 0.0).sum(1) / attention_mask.sum(1).clamp(min=1)
    return -per_completion.mean()


@dataclass(frozen=True, kw_only=True)
class GRPOConfig(RolloutConfig):
    """Settings of `GRPOTrainer`, beside those of `RolloutConfig`.

    Attributes:
        group_size: completions per prompt, at least 2; `batch_size` is a multiple of it.
        kl_coefficient: beta of the loss; 0 switches the KL term off.
        clip: of the ratio. It has an effect from the second gradient step of an iteration on.
        normalize: see `group_advantages`.
    """

    group_size: int = 8
    kl_coefficient: float = 0.04
    clip: float = 0.2
    normalize: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.whole(group_size=self.group_size, at_least=2)
        checks.divides(group_size=self.group_size, batch_size=self.batch_size)
        checks.number(kl_coefficient=self.kl_coefficient, at_least=0.0)
        checks.number(clip=self.clip, above=0.0)


class GRPOTrainer(RolloutTrainer[GRPOConfig]):
    """Sample a group of completions of each prompt, and raise the probability of those better than their group.

    There is no value network: a completion's advantage is how far its reward exceeds the mean of its group, the same
    for all its tokens. The KL to the reference is a term of the loss.

    Args:
        policy, reward, prompts: see `RolloutTrainer`, as for the other arguments and attributes.
        config: the settings.

    History (a row per iteration): reward, kl, entropy, length, clip_fraction, zero_std_fraction (the fraction of
    prompts whose completions all had the same reward, and taught nothing), and what `metrics_fn` gives.

    Source: Shao et al., 2024, algorithm 1.
    """

    config_class = GRPOConfig

    @property
    def group_size(self) -> int:
        return self.config.group_size

    def _prepare(self, rollout: Rollout) -> dict[str, float]:
        groups = rollout.rewards.view(-1, self.group_size)
        self.rollout = rollout
        self.advantages = group_advantages(groups, normalize=self.config.normalize).flatten()
        equal = (groups == groups[:, :1]).all(1)
        return {
            "kl_coefficient": self.config.kl_coefficient,
            "zero_std_fraction": float(equal.double().mean()),
        }

    def _rollout_loss(self, rows: Tensor) -> Tensor:
        config, completions = self.config, self.rollout.completions[rows]
        R, mask = completions.completion_mask.shape[1], completions.completion_mask
        logits, _ = completion_logits(self.policy, completions, temperature=config.temperature)
        log_probs = token_log_probs(logits, completions.completion_ids)
        old, advantages = self.rollout.log_probs[rows, :R], self.advantages[rows]
        with torch.no_grad():
            self._record_clipping(is_clipped(log_probs, old, advantages.unsqueeze(1), config.clip), mask)
        return grpo_loss(
            log_probs,
            old,
            self.rollout.reference_log_probs[rows, :R],
            advantages,
            mask,
            clip=config.clip,
            kl_coefficient=config.kl_coefficient,
        )
