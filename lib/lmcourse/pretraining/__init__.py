"""Training a GPT from a config file: text to token shards on disk, and a run on one process or many."""

from lmcourse.pretraining.config import (
    ConfigError,
    PretrainingConfig,
    TrainingSettings,
    preset_names,
    preset_text,
    read_config,
)
from lmcourse.pretraining.expected import expected_cost
from lmcourse.pretraining.run import pretrain
from lmcourse.pretraining.shards import TokensError, TokenShards, read_tokenizer, tokenize
from lmcourse.pretraining.windows import window_batches

__all__ = [
    "ConfigError",
    "PretrainingConfig",
    "TokenShards",
    "TokensError",
    "TrainingSettings",
    "expected_cost",
    "preset_names",
    "preset_text",
    "pretrain",
    "read_config",
    "read_tokenizer",
    "tokenize",
    "window_batches",
]
