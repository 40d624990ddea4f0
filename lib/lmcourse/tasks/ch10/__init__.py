"""The exercises of chapter 10, in the order of the page."""

CHAPTER = "10_instruction_tuning"
ORDER = (
    "chat_text",
    "answer_labels",
    "packing_mask",
    "answer_loss",
    "shown_so_far",
    "few_shot_prompt",
    "run_call",
    "nearest_passages",
    "held_out_split",
    "low_rank_tuning",
)
