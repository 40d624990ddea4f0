"""The exercises of chapter 01, in the order of the page."""

CHAPTER = "01_ngrams"
ORDER = (
    "transition_matrix",
    "skip_votes",
    "ngram_counts",
    "mle_probability",
    "add_k",
    "interpolate",
    "stupid_backoff",
    "continuation_counts",
    "kneser_ney_bigram",
    "perplexity",
    "bits_per_byte",
    "sample_next",
    "smoothed_model",
)
