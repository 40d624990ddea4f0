"""The exercises of chapter 08, in the order of the page."""

CHAPTER = "08_gpt"
ORDER = (
    "next_token_loss",
    "gpt_parameters",
    "top_k_probs",
    "top_p_probs",
    "attend_with_cache",
    "cache_bytes",
    "grouped_attention",
    "alibi_bias",
    "rms_norm",
    "mixture_of_experts",
    "fit_power_law",
    "gpt",
)
