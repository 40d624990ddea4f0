"""The course's corpora by name: what they are, where they come from, and the text itself."""

from lmcourse.data.alignment import Aligned, number_alignment
from lmcourse.data.cache import cache_folder
from lmcourse.data.fetching import fetch, is_cached
from lmcourse.data.numbers import number_words, read_number
from lmcourse.data.pairs import load_pairs, pairs_source
from lmcourse.data.ratings import Rating, load_ratings
from lmcourse.data.registry import Corpus, DataUnavailableError, available, corpus
from lmcourse.data.replies import Comparison, load_preferences, load_replies
from lmcourse.data.reviews import load_reviews, review_words
from lmcourse.data.text import load_text, load_works, text_source
from lmcourse.data.vectors import load_word_vectors

__all__ = [
    "Aligned",
    "Comparison",
    "Corpus",
    "DataUnavailableError",
    "Rating",
    "available",
    "cache_folder",
    "corpus",
    "fetch",
    "is_cached",
    "load_pairs",
    "load_preferences",
    "load_ratings",
    "load_replies",
    "load_reviews",
    "load_text",
    "load_word_vectors",
    "load_works",
    "number_alignment",
    "number_words",
    "pairs_source",
    "read_number",
    "review_words",
    "text_source",
]
