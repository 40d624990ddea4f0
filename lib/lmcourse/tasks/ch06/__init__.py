"""The exercises of chapter 06, in the order of the page."""

CHAPTER = "06_transformer"
ORDER = (
    "feed_forward",
    "embed_with_positions",
    "shift_rotation",
    "group_normalise",
    "residual_block",
    "decoder_attention_mask",
    "cross_attention",
    "encoder_block",
    "smoothed_kl",
    "warmup_rate",
    "transformer_parameters",
    "layer_cost",
    "transformer",
)
