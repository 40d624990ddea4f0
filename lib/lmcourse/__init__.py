"""Language models, from n-grams to RLHF: the library behind the course's notebooks."""

__version__ = "0.1.0"
