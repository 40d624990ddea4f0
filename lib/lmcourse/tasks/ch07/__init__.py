"""The exercises of chapter 07, in the order of the page."""

CHAPTER = "07_bpe"
ORDER = (
    "utf8_bytes",
    "split_pieces",
    "count_pairs",
    "best_pair",
    "merge_pair",
    "train_bpe",
    "update_counts",
    "encode_piece",
    "decode_ids",
    "visible_token",
    "longest_match",
    "word_log_prob",
    "tokenizer",
)
