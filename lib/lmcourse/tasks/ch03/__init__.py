"""The exercises of chapter 03, in the order of the page."""

CHAPTER = "03_recurrent"
ORDER = (
    "leaky_step",
    "last_states",
    "bptt_gradient",
    "peephole_step",
    "cho_gru_step",
    "clip_gradients",
    "reading_rows",
    "text_bits",
    "tempered_probs",
    "stack_reach",
    "causal_convolution",
    "character_model",
)
