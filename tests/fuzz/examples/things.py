"""Small models, tokens and texts for the examples, made alike each time."""

import tempfile
from pathlib import Path

import torch
from torch import Tensor

from lmcourse.models import (
    BERT,
    GPT,
    BERTConfig,
    GPTConfig,
    NGramModel,
    RecurrentConfig,
    RecurrentLM,
    Seq2Seq,
    Seq2SeqConfig,
    Transformer,
    TransformerConfig,
)

ANY_SIZE = "any number of rows, any length"
ANY_LENGTH = "any length"
META = "shapes alone: meta in, meta out"
NAN_PASSES = "as in torch.nn, what comes in as NaN or infinite goes out so; `fit` stops on it"
VALUES = "nan, inf, huge, negative, zero", NAN_PASSES
NO_DROPOUT = ("dropout", "zero, tiny", "no dropout")

_FOLDER = tempfile.TemporaryDirectory(prefix="lmcourse-fuzz-")
V = 13


def folder() -> Path:
    """A folder that goes when the tests end."""
    return Path(_FOLDER.name)


def floats(*shape: int) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))


def ids(*shape: int, low: int = 3, high: int = V) -> Tensor:
    return torch.randint(low, high, shape, generator=torch.Generator().manual_seed(sum(shape)))


def yes(*shape: int) -> Tensor:
    """A mask that hides nothing."""
    return torch.ones(shape, dtype=torch.bool)


def generator() -> torch.Generator:
    return torch.Generator().manual_seed(7)


def gpt(**options) -> GPT:
    torch.manual_seed(0)
    sizes = {"vocab_size": V, "context_length": 11, "embed_dim": 6, "num_heads": 2, "num_layers": 1}
    return GPT(GPTConfig(**{**sizes, **options})).eval()


def bert_config() -> BERTConfig:
    return BERTConfig(V, context_length=11, embed_dim=6, num_heads=2, num_layers=1, hidden_size=7)


def bert() -> BERT:
    torch.manual_seed(0)
    return BERT(bert_config()).eval()


def recurrent() -> RecurrentLM:
    torch.manual_seed(0)
    return RecurrentLM(RecurrentConfig(V, embed_dim=5, hidden_size=7)).eval()


def recurrent_state() -> tuple[Tensor, Tensor]:
    return floats(1, 2, 7), floats(1, 2, 7)


def seq2seq(**options) -> Seq2Seq:
    torch.manual_seed(0)
    return Seq2Seq(Seq2SeqConfig(V, V, embed_dim=5, hidden_size=6, **options), "additive").eval()


def transformer() -> Transformer:
    torch.manual_seed(0)
    sizes = {"embed_dim": 6, "num_heads": 2, "num_encoder_layers": 1, "num_decoder_layers": 1, "hidden_size": 7}
    return Transformer(TransformerConfig(V, V, **sizes)).eval()


def target() -> Tensor:
    """(2, 5): from start (1) to stop (2)."""
    return torch.tensor([[1, 4, 5, 7, 2], [1, 6, 8, 3, 2]])


def ngram() -> NGramModel:
    return NGramModel(3).fit(SENTENCES)


def arpa_file() -> Path:
    path = folder() / "example.arpa"
    if not path.exists():
        ngram().to_arpa(path)
    return path


SENTENCES = [
    ["the", "cat", "sat", "on", "the", "mat"],
    ["a", "cat", "ran"],
    ["the", "dog", "sat"],
    ["the", "dog", "ran"],
]
