"""The course's corpora by name: what they are, where they come from, and the text itself."""

from lmcourse.data.alignment import Aligned, number_alignment
from lmcourse.data.fetching import DataUnavailableError, cache_folder, fetch, is_cached
from lmcourse.data.numbers import number_words, read_number
from lmcourse.data.pairs import load_pairs, pairs_source
from lmcourse.data.registry import Corpus, available, corpus
from lmcourse.data.text import load_text, text_source

__all__ = [
    "Aligned",
    "Corpus",
    "DataUnavailableError",
    "available",
    "cache_folder",
    "corpus",
    "fetch",
    "is_cached",
    "load_pairs",
    "load_text",
    "number_alignment",
    "number_words",
    "pairs_source",
    "read_number",
    "text_source",
]
