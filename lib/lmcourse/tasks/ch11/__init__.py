"""The exercises of chapter 11, in the order of the page."""

CHAPTER = "11_rlhf"
ORDER = (
    "expected_reward_gradient",
    "reinforce_gradient",
    "reply_log_prob",
    "comparison_loss",
    "pairs_of_ranking",
    "expected_best",
    "token_rewards",
    "reply_advantages",
    "clipped_loss",
    "dpo_comparison_loss",
    "group_relative",
    "kl_estimates",
    "grpo",
)
