"""What a config would cost on some GPUs, before it is started: the arithmetic of `training.scaling`."""

from lmcourse import checks
from lmcourse.models import GPTConfig
from lmcourse.pretraining.config import PretrainingConfig
from lmcourse.training.scaling import DEVICES, Cost, Layout, TransformerSize, training_cost


def size_of(config: GPTConfig) -> TransformerSize:
    """Return the sizes of a GPT that its cost depends on."""
    checks.instance(GPTConfig, config=config)
    return TransformerSize(
        max(config.num_layers, 1),
        config.embed_dim,
        config.num_heads,
        config.vocab_size,
        config.feed_forward_size,
        gated=config.activation == "swiglu",
        kv_heads=config.num_kv_heads,
        tied=config.tie_embeddings,
    )


def expected_cost(config: PretrainingConfig, device: str, processes: int = 1) -> Cost:
    """Return what a step of a training should cost: time, tokens a second, share of the peak, memory.

    It is what good code reaches where nothing else is in the way: take it as the goal, not as a promise. Muon is taken
    for AdamW.

    Args:
        config: with the size of the vocabulary.
        device: its name in `training.scaling.DEVICES`.
        processes: one a device.

    Raises:
        ConfigError: the batch cannot be divided between the processes.
        ValueError: an unknown device, or a config without a vocabulary.
    """
    checks.instance(PretrainingConfig, config=config)
    checks.one_of(DEVICES, device=device)
    own = config.batch_size_of(processes)
    if config.vocab_size is None:
        raise ValueError("`config` must have a vocab_size in [model], so that its cost can be computed.")
    layout = Layout(
        data=processes,
        micro_batch=own,
        sharded=config.training.strategy == "fsdp" and processes > 1,
        recompute="full" if config.training.recompute else "none",
        whole_logits=config.training.compile_whole,
    )
    return training_cost(
        size_of(config.model),
        DEVICES[device],
        layout,
        batch_size=config.training.batch_size,
        length=config.model.context_length,
    )


def expectation(config: PretrainingConfig, device: str, processes: int = 1) -> str:
    """Return `expected_cost` in words."""
    cost = expected_cost(config, device, processes)
    days = config.training.max_steps * cost.step_s / 86_400
    fits = "" if cost.memory_bytes < DEVICES[device].memory_bytes else " (more than it has)"
    return "\n".join(
        [
            f"{size_of(config.model).parameters / 1e6:,.1f} million weights in matrices, {processes} x {device}",
            f"{cost.memory_bytes / 1e9:.1f} GB on each{fits}",
            f"{cost.tokens_per_s:,.0f} tokens a second, {cost.share_of_peak:.0%} of the peak",
            f"{cost.step_s * 1e3:.0f} ms a step of {cost.tokens:,} tokens, {days:.2f} days in all",
            "This is computed, not measured: what good code reaches.",
        ]
    )
