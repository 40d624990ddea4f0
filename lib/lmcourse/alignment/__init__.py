"""From a model that continues text to one that does what people want: losses and trainers."""

from lmcourse.alignment.best_of_n import best_of_n, best_of_n_kl
from lmcourse.alignment.completions import (
    Completions,
    collate,
    completion_log_probs,
    generate_completions,
    policy_metrics,
    token_log_probs,
)
from lmcourse.alignment.dpo import DPOConfig, DPOTrainer, dpo_loss
from lmcourse.alignment.grpo import GRPOConfig, GRPOTrainer, group_advantages, grpo_loss
from lmcourse.alignment.ppo import (
    PPOConfig,
    PPOTrainer,
    generalized_advantage_estimation,
    kl_penalized_rewards,
    ppo_policy_loss,
    ppo_value_loss,
    whiten,
)
from lmcourse.alignment.reward import (
    Pairs,
    RewardModel,
    RewardTrainer,
    accuracy_by_gap,
    calibration,
    collate_pairs,
    preference_loss,
    ranking_pairs,
)
from lmcourse.alignment.sft import (
    CHATML,
    ChatTemplate,
    Example,
    SFTTrainer,
    mean_answer_nll,
    pack,
    prompt_and_answer,
    sft_loss,
)

__all__ = [
    "CHATML",
    "ChatTemplate",
    "Completions",
    "DPOConfig",
    "DPOTrainer",
    "Example",
    "GRPOConfig",
    "GRPOTrainer",
    "PPOConfig",
    "PPOTrainer",
    "Pairs",
    "RewardModel",
    "RewardTrainer",
    "SFTTrainer",
    "accuracy_by_gap",
    "best_of_n",
    "best_of_n_kl",
    "calibration",
    "collate",
    "collate_pairs",
    "completion_log_probs",
    "dpo_loss",
    "generalized_advantage_estimation",
    "generate_completions",
    "group_advantages",
    "grpo_loss",
    "kl_penalized_rewards",
    "mean_answer_nll",
    "pack",
    "policy_metrics",
    "ppo_policy_loss",
    "ppo_value_loss",
    "preference_loss",
    "prompt_and_answer",
    "ranking_pairs",
    "sft_loss",
    "token_log_probs",
    "whiten",
]
