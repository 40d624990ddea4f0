"""Direct preference optimisation: the same objective as PPO's, learned from the comparisons without a reward model."""

import torch.nn.functional as F
from torch import Tensor

from lmcourse.alignment._checks import same_shape


def dpo_loss(
    policy_chosen: Tensor,
    policy_rejected: Tensor,
    reference_chosen: Tensor,
    reference_rejected: Tensor,
    *,
    beta: float = 0.1,
    label_smoothing: float = 0.0,
) -> Tensor:
    """Return the mean of -(1 - eps) log sigmoid(beta h) - eps log sigmoid(-beta h), in nats.

    h = (log pi(chosen) - log ref(chosen)) - (log pi(rejected) - log ref(rejected)). The policy that is best for a
    reward r with a KL penalty beta has beta log(pi / ref) = r + constant, so beta h takes the place of the
    difference of rewards in Bradley and Terry's model. At the start pi = ref: h = 0 and the loss is log 2.

    Args:
        policy_chosen, policy_rejected: log-probabilities of whole replies (sums over their tokens), (B,).
        reference_chosen, reference_rejected: the same under the frozen reference, (B,); no gradient goes there.
        beta: strength of the tie to the reference, more than 0.
        label_smoothing: eps, the share of comparisons taken to be wrong; at least 0 and less than 1/2.

    Raises:
        ValueError: unequal shapes, `beta` or `label_smoothing` out of range.

    Source: Rafailov et al., "Direct preference optimization", 2023, equation 7; eps from Mitchell, "A note on DPO
    with noisy preferences", 2023, equation 3.
    """
    same_shape(
        policy_chosen=policy_chosen,
        policy_rejected=policy_rejected,
        reference_chosen=reference_chosen,
        reference_rejected=reference_rejected,
    )
    if not beta > 0.0:
        raise ValueError(f"`beta` must be more than 0, got {beta}.")
    if not 0.0 <= label_smoothing < 0.5:
        raise ValueError(f"`label_smoothing` must be at least 0 and less than 0.5, got {label_smoothing}.")
    h = (policy_chosen - reference_chosen.detach()) - (policy_rejected - reference_rejected.detach())
    losses = -(1.0 - label_smoothing) * F.logsigmoid(beta * h) - label_smoothing * F.logsigmoid(-beta * h)
    return losses.mean()
