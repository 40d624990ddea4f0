"""Measures that let models with different tokens be compared."""

import math


def bits_per_byte(total_nats: float, n_bytes: int) -> float:
    """Return the cost of a text in bits per byte: total_nats / (n_bytes ln 2).

    A loss per token cannot compare a word model with a character model; the bits a model needs for the same bytes can.

    Args:
        total_nats: the negative log-probability of the whole text, in nats (summed, not averaged).
        n_bytes: the length of that text in UTF-8 bytes.

    Raises:
        ValueError: `n_bytes` is not positive, or `total_nats` is negative or not a number.
    """
    if n_bytes <= 0:
        raise ValueError(f"`n_bytes` must be positive, got {n_bytes}.")
    if math.isnan(total_nats) or total_nats < 0:
        raise ValueError(f"`total_nats` must be a number >= 0 (a sum of -log p), got {total_nats}.")
    return total_nats / (n_bytes * math.log(2))
