"""The course's corpora by name: what they are, where they come from, and the text itself."""

from lmcourse.data.fetching import DataUnavailableError, cache_folder, fetch, is_cached
from lmcourse.data.registry import Corpus, available, corpus
from lmcourse.data.reviews import load_reviews, review_words
from lmcourse.data.text import load_text, text_source

__all__ = [
    "Corpus",
    "DataUnavailableError",
    "available",
    "cache_folder",
    "corpus",
    "fetch",
    "is_cached",
    "load_reviews",
    "load_text",
    "review_words",
    "text_source",
]
