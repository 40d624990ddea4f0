"""The exercises of chapter 04, in the order of the page."""

CHAPTER = "04_seq2seq_attention"
ORDER = (
    "pad_batch",
    "teacher_pairs",
    "sampled_inputs",
    "source_weights",
    "dot_attention",
    "additive_scores",
    "alignment_share",
    "greedy_decode",
    "beam_step",
    "best_hypothesis",
    "date_translator",
)
