"""Best of n: draw several completions and give the one that the reward likes best. No training at all."""

import math
from typing import Any

import torch
from torch import Tensor

from lmcourse.alignment.completions import Completions, generate_completions
from lmcourse.alignment.rollouts import Reward


def best_of_n(
    model: Any,
    reward: Reward,
    prompts: Tensor,
    n: int,
    max_new_tokens: int,
    *,
    stop_id: int,
    attention_mask: Tensor | None = None,
    generator: torch.Generator | None = None,
) -> Completions:
    """Return for each prompt the best, by `reward`, of `n` completions drawn from the model; the first of equals.

    Args:
        model: see `generate_completions`, as for the other arguments.
        reward: gives a reward for each of B completions, (B,).
        prompts: (B, P).
        n: at least 1.

    Raises:
        ValueError: `n` below 1, no room for a completion, or a reward that is NaN.

    Cost: n completions for each that is given.
    Source: Nakano et al., "WebGPT", 2021, section 3.2; Stiennon et al., 2020, appendix G.3.
    """
    if n < 1:
        raise ValueError(f"`n` must be at least 1, got {n}.")
    drawn = generate_completions(
        model, prompts, max_new_tokens, stop_id=stop_id, attention_mask=attention_mask, samples=n, generator=generator
    )
    rewards = torch.as_tensor(reward(drawn)).to(prompts.device)
    if bool(rewards.isnan().any()):
        raise ValueError("`reward` must not be NaN: there is no best of these.")
    best = rewards.view(-1, n).argmax(1) + torch.arange(len(prompts), device=prompts.device) * n
    return drawn[best]


def best_of_n_kl(n: int) -> float:
    """Return log n - (n - 1) / n, in nats: how far the best of n is from one draw, at most.

    It is reached where no two completions are equal; where they are, the true KL is less.

    Source: Stiennon et al., 2020, appendix G.3; Beirami et al., "Theoretical guarantees on the best-of-n alignment
    policy", 2024, theorem 1, that it is a bound.
    """
    if n < 1:
        raise ValueError(f"`n` must be at least 1, got {n}.")
    return math.log(n) - (n - 1) / n
