"""The models of the course, one module a family."""

from lmcourse.models.embeddings import CBOW, SkipGram
from lmcourse.models.ngram import NGramModel
from lmcourse.models.recurrent import CarriedLoss, RecurrentConfig, RecurrentLM
from lmcourse.models.transformer import Transformer, TransformerConfig

__all__ = [
    "CBOW",
    "CarriedLoss",
    "NGramModel",
    "RecurrentConfig",
    "RecurrentLM",
    "SkipGram",
    "Transformer",
    "TransformerConfig",
]
