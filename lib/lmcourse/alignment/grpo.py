"""Group relative policy optimisation: the other replies to the same prompt take the place of a value network."""

from torch import Tensor

EPSILON = 1e-4  # added to the standard deviation: a group of almost equal rewards is not blown up


def group_advantages(rewards: Tensor, *, normalize: bool = True) -> Tensor:
    """Return (r - mean of its group) / (standard deviation of its group + 1e-4).

    A group whose rewards are all equal teaches nothing: its advantages are 0, not NaN. The standard deviation is
    the sample's (divided by group_size - 1).

    Args:
        rewards: (n_prompts, group_size), group_size at least 2.
        normalize: divide by the standard deviation. Without it groups of unlike replies weigh more, and the
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
    return advantages
