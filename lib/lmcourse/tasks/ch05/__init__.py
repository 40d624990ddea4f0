"""The exercises of chapter 05, in the order of the page."""

CHAPTER = "05_self_attention"
ORDER = (
    "simple_self_attention",
    "soft_lookup",
    "scaled_dot_product",
    "causal_attention_mask",
    "masked_softmax",
    "split_heads",
    "merge_heads",
    "multi_head_attention",
    "is_equivariant",
    "sinusoidal_table",
    "rotate",
    "graph_attention",
    "self_attention",
)
