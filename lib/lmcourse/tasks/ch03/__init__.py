"""The exercises of chapter 03, in the order of the page."""

CHAPTER = "03_recurrent"
ORDER = (
    "rnn_step",
    "run_rnn",
    "bptt_gradient",
    "lstm_step",
    "gru_step",
    "clip_gradients",
    "reading_rows",
    "text_bits",
    "tempered_probs",
    "stack_reach",
    "causal_convolution",
)
