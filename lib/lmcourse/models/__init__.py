"""The models of the course, one module a family."""

from lmcourse.models.bert import BERT, BERTConfig, MaskedLM, mask_tokens, small_start
from lmcourse.models.bert_heads import SentenceClassifier, TokenClassifier, mean_pool
from lmcourse.models.embeddings import CBOW, SkipGram
from lmcourse.models.export import export_gguf, export_huggingface
from lmcourse.models.gpt import GPT, GPTConfig
from lmcourse.models.ngram import NGramModel
from lmcourse.models.recurrent import RecurrentConfig, RecurrentLM, TruncatedBPTTLoss
from lmcourse.models.seq2seq import Seq2Seq, Seq2SeqConfig
from lmcourse.models.transformer import Transformer, TransformerConfig

__all__ = [
    "BERT",
    "CBOW",
    "GPT",
    "BERTConfig",
    "GPTConfig",
    "MaskedLM",
    "NGramModel",
    "RecurrentConfig",
    "RecurrentLM",
    "SentenceClassifier",
    "Seq2Seq",
    "Seq2SeqConfig",
    "SkipGram",
    "TokenClassifier",
    "Transformer",
    "TransformerConfig",
    "TruncatedBPTTLoss",
    "export_gguf",
    "export_huggingface",
    "mask_tokens",
    "mean_pool",
    "small_start",
]
