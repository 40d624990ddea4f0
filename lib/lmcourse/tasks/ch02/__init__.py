"""The exercises of chapter 02, in the order of the page."""

CHAPTER = "02_embeddings"
ORDER = (
    "encode_decode",
    "logits_gradient",
    "context_windows",
    "neural_ngram_logits",
    "bag_of_words",
    "tf_idf",
    "near_pairs",
    "noise_shares",
    "negative_sampling_loss",
    "solve_analogy",
    "word_vectors",
)
