"""From a model that continues text to one that does what people want: losses and trainers."""

from lmcourse.alignment.best_of_n import best_of_n, best_of_n_kl
from lmcourse.alignment.dpo import DPOTrainer, dpo_loss
from lmcourse.alignment.grpo import GRPOTrainer, group_advantages, grpo_loss
from lmcourse.alignment.ppo import (
    PPOTrainer,
    generalized_advantages,
    penalised_rewards,
    ppo_policy_loss,
    ppo_value_loss,
)
from lmcourse.alignment.replies import (
    Replies,
    lay_out,
    policy_metrics,
    reply_log_probs,
    reply_logits,
    sample_replies,
    token_log_probs,
)
from lmcourse.alignment.reward import (
    Pairs,
    RewardModel,
    RewardTrainer,
    accuracy_by_gap,
    calibration,
    lay_out_pairs,
    preference_loss,
    ranking_pairs,
)
from lmcourse.alignment.rollouts import PolicyHistory
from lmcourse.alignment.sft import CHATML, ChatTemplate, Example, SFTTrainer, answer_nats, pack, prompt_and_answer

__all__ = [
    "CHATML",
    "ChatTemplate",
    "DPOTrainer",
    "Example",
    "GRPOTrainer",
    "PPOTrainer",
    "Pairs",
    "PolicyHistory",
    "Replies",
    "RewardModel",
    "RewardTrainer",
    "SFTTrainer",
    "accuracy_by_gap",
    "answer_nats",
    "best_of_n",
    "best_of_n_kl",
    "calibration",
    "dpo_loss",
    "generalized_advantages",
    "group_advantages",
    "grpo_loss",
    "lay_out",
    "lay_out_pairs",
    "pack",
    "penalised_rewards",
    "policy_metrics",
    "ppo_policy_loss",
    "ppo_value_loss",
    "preference_loss",
    "prompt_and_answer",
    "ranking_pairs",
    "reply_log_probs",
    "reply_logits",
    "sample_replies",
    "token_log_probs",
]
