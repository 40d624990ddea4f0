"""The exercises of chapter 13, in the order of the page."""

CHAPTER = "13_scaling_up"
ORDER = (
    "mixture_of_experts",
    "load_balancing_loss",
    "fit_power_law",
    "data_parallel_gradient",
    "zero_bytes",
    "merge_attention",
    "pack_int4",
    "accept_draft",
    "ring_all_reduce",
)
