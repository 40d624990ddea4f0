"""Best of n: sample several completions and return the one with the highest reward. No training at all."""

import math
from typing import Any

import torch
from torch import Tensor

from lmcourse import checks
from lmcourse.alignment.completions import Completions, generate_completions
from lmcourse.alignment.rollouts import RewardFunction, check_rewards
from lmcourse.generation.language_model import LanguageModel


def best_of_n(
    model: LanguageModel[Any],
    reward: RewardFunction,
    prompts: Tensor,
    n: int,
    max_new_tokens: int,
    *,
    stop_id: int,
    attention_mask: Tensor | None = None,
    generator: torch.Generator | None = None,
) -> Completions:
    """Return for each prompt the best, by `reward`, of `n` completions sampled from the model; of equals, the first.

    Args:
        model: see `generate_completions`, as for the other arguments.
        reward: gives a reward for each of B completions, (B,).
        prompts: (B, P).
        n: at least 1.

    Raises:
        TypeError, ValueError: as `generate_completions`; `n` below 1; rewards of another shape, or NaN.

    Cost: n completions are sampled for each one that is returned.
    Source: Nakano et al., "WebGPT", 2021, section 3.2; Stiennon et al., 2020, appendix G.3.
    """
    checks.whole(n=n, at_least=1)
    checks.function(reward=reward)
    completions = generate_completions(
        model, prompts, max_new_tokens, stop_id=stop_id, attention_mask=attention_mask, samples=n, generator=generator
    )
    rewards = check_rewards(reward(completions), completions)
    if bool(rewards.isnan().any()):
        raise ValueError("`reward` must not give NaN: then no completion is the best.")
    best = rewards.view(-1, n).argmax(1) + torch.arange(len(prompts), device=prompts.device) * n
    return completions[best]


def best_of_n_kl(n: int) -> float:
    """Return log n - (n - 1) / n, in nats: an upper bound on the KL divergence of the best of n from the model.

    It is reached where no two completions have the same reward; where some do, the true KL is smaller.

    Raises:
        TypeError, ValueError: `n` is not an integer of at least 1.

    Source: Stiennon et al., 2020, appendix G.3; Beirami et al., "Theoretical guarantees on the best-of-n alignment
    policy", 2024, theorem 1, that it is a bound.
    """
    checks.whole(n=n, at_least=1)
    return math.log(n) - (n - 1) / n
