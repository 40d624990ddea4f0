"""A reward model learns from comparisons: which of two replies did a person like better?"""

import torch.nn.functional as F
from torch import Tensor

from lmcourse.alignment._checks import same_shape


def preference_loss(chosen_rewards: Tensor, rejected_rewards: Tensor, *, margin: float | Tensor = 0.0) -> Tensor:
    """Return the mean of -log sigmoid(r_chosen - r_rejected - margin), in nats.

    By Bradley and Terry's model, sigmoid(r_a - r_b) is the probability that a is preferred to b; this is the
    cross-entropy of what was preferred. It is log 2 where the two rewards are equal and the margin is 0. Only
    differences count: a constant added to all rewards changes nothing.

    Args:
        chosen_rewards: of the replies that were preferred, any shape.
        rejected_rewards: of the others, the same shape.
        margin: by how much the chosen reply should win; a number, or one for each pair (Touvron et al., 2023).

    Raises:
        ValueError: unequal shapes, or no pairs.

    Source: Bradley and Terry, 1952; Christiano et al., 2017, equation 1; Ouyang et al., 2022, equation 1.
    """
    same_shape(chosen_rewards=chosen_rewards, rejected_rewards=rejected_rewards)
    return -F.logsigmoid(chosen_rewards - rejected_rewards - margin).mean()
