"""The exercises of chapter 12, in the order of the page."""

CHAPTER = "12_looking_inside"
ORDER = (
    "lens_ranks",
    "head_parts",
    "induction_score",
    "mean_ablate",
    "patched_states",
    "selectivity",
    "sink_window_mask",
    "decayed_attention",
    "merge_blocks",
    "patch_tokens",
    "inspector",
)
