"""Group relative policy optimisation: the other completions to the same prompt take the place of a value network."""

from typing import Any

import torch
from torch import Tensor, nn

from lmcourse.alignment._checks import check_mask, same_shape
from lmcourse.alignment.completions import completion_logits, token_log_probs
from lmcourse.alignment.ppo import clipped_places
from lmcourse.alignment.rollouts import Reward, Rollout, RolloutTrainer

EPSILON = 1e-4  # added to the standard deviation: a group of almost equal rewards is not blown up


def group_advantages(rewards: Tensor, *, normalize: bool = True) -> Tensor:
    """Return (r - mean of its group) / (standard deviation of its group + 1e-4).

    A group whose rewards are all equal teaches nothing: its advantages are 0, not NaN. The standard deviation is
    the sample's (divided by group_size - 1).

    Args:
        rewards: (n_prompts, group_size), group_size at least 2.
        normalize: divide by the standard deviation. Without it groups of unlike completions weigh more, and the
            gradient is that of the mean reward (Liu et al., 2025).

    Returns:
        (n_prompts, group_size), without gradient; each row sums to 0.

    Raises:
        ValueError: another shape, or groups of one.

    Source: Shao et al., "DeepSeekMath", 2024, section 4.1.2; Liu et al., "Understanding R1-Zero-like training", 2025.
    """
    if rewards.dim() != 2 or len(rewards) == 0 or rewards.shape[1] < 2:
        raise ValueError(
            f"`rewards` must have shape (n_prompts, group_size) with group_size at least 2, got {tuple(rewards.shape)}."
        )
    rewards = rewards.detach()
    advantages = rewards - rewards.mean(dim=1, keepdim=True)
    if normalize:
        advantages = advantages / (rewards.std(dim=1, keepdim=True) + EPSILON)
    equal = (rewards == rewards[:, :1]).all(1, keepdim=True)  # exactly 0: an optimizer like Adam magnifies rounding
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
    x = exp(reference_log_probs - log_probs): x - log x - 1 is never negative, and its mean over tokens drawn from the
    policy is KL(policy || reference).

    Args:
        log_probs, old_log_probs, reference_log_probs: of the tokens drawn, (B, T); the gradient goes to the first.
        advantages: A, one for each completion, (B,).
        attention_mask: the places of the completions, (B, T) bool. A completion without any counts as 0.
        clip: more than 0.
        kl_coefficient: beta, at least 0.

    Raises:
        ValueError: unequal shapes, a setting out of range.
        TypeError: `attention_mask` is not bool.

    Source: Shao et al., "DeepSeekMath", 2024, equations 3 and 4; x - log x - 1 is Schulman's ("Approximating KL
    divergence", 2020).
    """
    same_shape(
        log_probs=log_probs,
        old_log_probs=old_log_probs,
        reference_log_probs=reference_log_probs,
        attention_mask=attention_mask,
    )
    check_mask(attention_mask)
    if advantages.shape != log_probs.shape[:1]:
        raise ValueError(
            f"`advantages` must have shape (B,) = {tuple(log_probs.shape[:1])}, {tuple(advantages.shape)}."
        )
    if not clip > 0.0 or not kl_coefficient >= 0.0:
        raise ValueError(
            f"`clip` must be more than 0 and `kl_coefficient` at least 0, got {clip} and {kl_coefficient}."
        )
    weight = advantages.detach().unsqueeze(1)  # (B, 1)
    ratio = (log_probs - old_log_probs.detach()).masked_fill(~attention_mask, 0.0).exp()
    gain = torch.minimum(ratio * weight, ratio.clamp(1.0 - clip, 1.0 + clip) * weight)
    if kl_coefficient:
        log_x = (reference_log_probs.detach() - log_probs).masked_fill(~attention_mask, 0.0)
        gain = gain - kl_coefficient * (log_x.exp() - log_x - 1.0)
    of_reply = gain.masked_fill(~attention_mask, 0.0).sum(1) / attention_mask.sum(1).clamp(min=1)
    return -of_reply.mean()


class GRPOTrainer(RolloutTrainer):
    """Draw a group of completions to each prompt, and raise those that are better than their group.

    No value network: a completion's advantage is by how much it beats the mean of its group, the same for all its tokens.
    The tie to the reference is a term of the loss.

    Args:
        policy, reward, prompts: see `RolloutTrainer`, as for all other `options`.
        group_size: completions to a prompt, at least 2; `batch_size` is a multiple of it.
        kl_coefficient: beta of the loss; 0 switches the tie off.
        clip: of the ratio. It plays a part from the second gradient step of an iteration on.
        normalize: see `group_advantages`.

    History (a row an iteration): reward, kl, entropy, length, clip_fraction, zero_std_fraction (the share of prompts whose
    completions all earned the same, and taught nothing), and what `metrics_fn` gives.

    Source: Shao et al., 2024, algorithm 1.
    """

    def __init__(
        self,
        policy: nn.Module,
        reward: Reward,
        prompts: Tensor,
        *,
        group_size: int = 8,
        kl_coefficient: float = 0.04,
        clip: float = 0.2,
        normalize: bool = True,
        batch_size: int = 256,
        **options: Any,
    ) -> None:
        if group_size < 2 or batch_size % group_size:
            raise ValueError(
                f"`group_size` must be at least 2 and divide `batch_size`, got {group_size} and {batch_size}."
            )
        self.group_size = group_size
        super().__init__(policy, reward, prompts, batch_size=batch_size, **options)
        self.kl_coefficient, self.clip, self.normalize = kl_coefficient, clip, normalize

    def prepare(self, rollout: Rollout) -> dict[str, float]:
        groups = rollout.rewards.view(-1, self.group_size)
        self.rollout = rollout
        self.advantages = group_advantages(groups, normalize=self.normalize).flatten()
        equal = (groups == groups[:, :1]).all(1)
        return {"kl_coefficient": self.kl_coefficient, "zero_std_fraction": float(equal.double().mean())}

    def rollout_loss(self, rows: Tensor) -> Tensor:
        completions = self.rollout.completions[rows]
        R, mask = completions.completion_mask.shape[1], completions.completion_mask
        logits, _ = completion_logits(self.policy, completions, temperature=self.temperature)
        log_probs = token_log_probs(logits, completions.completion_ids)
        old, advantages = self.rollout.log_probs[rows, :R], self.advantages[rows]
        with torch.no_grad():
            self.note_clipped(clipped_places(log_probs, old, advantages.unsqueeze(1), self.clip), mask)
        return grpo_loss(
            log_probs,
            old,
            self.rollout.reference_log_probs[rows, :R],
            advantages,
            mask,
            clip=self.clip,
            kl_coefficient=self.kl_coefficient,
        )
