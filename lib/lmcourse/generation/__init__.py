"""Greedy, sampling and beam search, for any model that gives scores for the next token."""

from lmcourse.generation.sampling import generate, sampling_distribution, stream
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

__all__ = [
    "Hypothesis",
    "Step",
    "Translator",
    "beam_search",
    "beam_search_batch",
    "generate",
    "greedy_search",
    "length_divisor",
    "sampling_distribution",
    "stream",
    "translate",
]
