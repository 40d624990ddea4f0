"""Greedy, sampling and beam search, for any model that gives scores for the next token."""

from lmcourse.generation.config import SamplingConfig
from lmcourse.generation.distribution import sample_categorical, sampling_distribution
from lmcourse.generation.language_model import Cache, LanguageModel
from lmcourse.generation.sampling import generate, stream
from lmcourse.generation.search import (
    Hypothesis,
    Step,
    Translator,
    beam_search,
    beam_search_batch,
    greedy_search,
    length_divisor,
    translate,
)
from lmcourse.generation.stopping import until_stop
from lmcourse.generation.text import Tokenizer, stream_text

__all__ = [
    "Cache",
    "Hypothesis",
    "LanguageModel",
    "SamplingConfig",
    "Step",
    "Tokenizer",
    "Translator",
    "beam_search",
    "beam_search_batch",
    "generate",
    "greedy_search",
    "length_divisor",
    "sample_categorical",
    "sampling_distribution",
    "stream",
    "stream_text",
    "translate",
    "until_stop",
]
