"""Good arguments for what `lmcourse.pretraining` makes public."""

import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from lmcourse import pretraining
from lmcourse.tokenizers import BPETokenizer
from tests.fuzz.examples import things
from tests.fuzz.judge import Example

CONFIG = """
[model]
vocab_size = 300
context_length = 4
embed_dim = 6
num_heads = 2
num_layers = 1
[data]
tokens = "tokens"
[training]
out = "run"
max_steps = 1
batch_size = 2
"""


def _own_folder() -> Path:
    return Path(tempfile.mkdtemp(dir=things.folder()))


@cache
def _place() -> Path:
    """A folder with a text, its tokens and a config."""
    folder = _own_folder()
    (folder / "text.txt").write_text("one two three four five six seven " * 20)
    (folder / "config.toml").write_text(CONFIG)
    BPETokenizer().save(folder / "tokenizer.json")
    pretraining.tokenize([folder / "text.txt"], folder / "tokens", BPETokenizer(), valid_share=0.2)
    return folder


def _tokens() -> pretraining.TokenShards:
    return pretraining.TokenShards(_place() / "tokens", "train")


def _config() -> pretraining.PretrainingConfig:
    return pretraining.read_config(_place() / "config.toml")


def _tokenize():
    return pretraining.tokenize, {
        "texts": [_place() / "text.txt"],
        "out": _own_folder() / "tokens",
        "tokenizer": 260,
        "valid": [_place() / "text.txt"],
        "valid_share": 0.1,
        "shard_tokens": 100,
        "progress": False,
    }


EXAMPLES = {
    "pretraining.PretrainingConfig.batch_size_of": Example(lambda: (_config().batch_size_of, {"processes": 2})),
    "pretraining.TokenShards": Example(lambda: {"folder": _place() / "tokens", "split": "train"}),
    "pretraining.TokenShards.__getitem__": Example(
        lambda: (_tokens().__getitem__, {"positions": np.arange(5)}),
        accepts=(("positions", "one dimension more", "any shape"),),
    ),
    "pretraining.expected_cost": Example(lambda: {"config": _config(), "device": "A100", "processes": 2}),
    "pretraining.pretrain": Example(lambda: {"config": _config(), "progress": False}),
    "pretraining.preset_text": Example(lambda: {"name": "tiny"}),
    "pretraining.read_config": Example(lambda: {"path": _place() / "config.toml"}),
    "pretraining.read_tokenizer": Example(lambda: {"path": _place() / "tokenizer.json"}),
    "pretraining.tokenize": Example(
        _tokenize,
        accepts=(
            ("out", "missing", "folders are made"),
            ("valid", "empty", "a share of the text is taken"),
            ("valid_share", "zero, tiny", "no text is kept"),
            ("shard_tokens", "huge", "one shard"),
        ),
        parts=("path",),
    ),
    "pretraining.window_batches": Example(
        lambda: {"tokens": _tokens(), "batch_size": 4, "length": 5, "seed": 0, "rank": 1, "world_size": 2},
        accepts=(("seed", "huge, zero", "any seed"), ("rank", "zero", "the first process")),
    ),
}
