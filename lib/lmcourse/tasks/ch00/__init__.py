"""The exercises of chapter 00, in the order of the page."""

CHAPTER = "00_start_here"
ORDER = (
    "phrase_matrix",
    "cosine_similarity",
    "lookup_rows",
    "softmax",
    "cross_entropy",
    "gradient_step",
    "softmax_classifier",
)
