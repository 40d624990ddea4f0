"""From a model that continues text to one that does what people want: losses and trainers."""

from lmcourse.alignment.dpo import dpo_loss
from lmcourse.alignment.grpo import group_advantages
from lmcourse.alignment.ppo import generalized_advantages, ppo_policy_loss, ppo_value_loss
from lmcourse.alignment.reward import preference_loss
from lmcourse.alignment.sft import CHATML, ChatTemplate, Example, SFTTrainer, answer_nats, pack, prompt_and_answer

__all__ = [
    "CHATML",
    "ChatTemplate",
    "Example",
    "SFTTrainer",
    "answer_nats",
    "dpo_loss",
    "generalized_advantages",
    "group_advantages",
    "pack",
    "ppo_policy_loss",
    "ppo_value_loss",
    "preference_loss",
    "prompt_and_answer",
]
