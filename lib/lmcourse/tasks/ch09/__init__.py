"""The exercises of chapter 09, in the order of the page."""

CHAPTER = "09_bert"
ORDER = (
    "pair_input",
    "hide_whole_words",
    "masked_loss",
    "label_pieces",
    "mean_over_tokens",
    "f1_of_tags",
    "contrastive_loss",
    "sense_accuracy",
    "pseudo_log_likelihood",
    "course_search",
)
