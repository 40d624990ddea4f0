"""The exercises of chapter 08, in the order of the page."""

CHAPTER = "08_gpt"
ORDER = ("gpt_parameters", "top_p_probs", "cache_bytes", "alibi_bias", "rms_norm", "gpt")
