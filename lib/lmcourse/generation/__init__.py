"""Greedy, sampling and beam search, for any model that gives scores for the next token."""

from lmcourse.generation.sampling import generate, sampling_distribution, stream

__all__ = ["generate", "sampling_distribution", "stream"]
