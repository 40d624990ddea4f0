"""The course's corpora by name: what they are, where they come from, and the text itself."""

from lmcourse.data.fetching import DataUnavailableError, cache_folder, fetch, is_cached
from lmcourse.data.registry import Corpus, available, corpus
from lmcourse.data.text import load_text, load_works, text_source
from lmcourse.data.vectors import load_word_vectors

__all__ = [
    "Corpus",
    "DataUnavailableError",
    "available",
    "cache_folder",
    "corpus",
    "fetch",
    "is_cached",
    "load_text",
    "load_word_vectors",
    "load_works",
    "text_source",
]
