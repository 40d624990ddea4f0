"""Language models, from n-grams to RLHF: the library behind the course's notebooks."""

__version__ = "0.2.0"
__date__ = "2026-11-28"
