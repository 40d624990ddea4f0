"""Batches by the number of the step, so that a training picks them up again in the middle."""

from collections.abc import Callable

import torch
from torch import Tensor


def token_batches(
    ids: Tensor, batch_size: int, length: int, *, shuffle: bool = False, generator: torch.Generator | None = None
) -> Callable[[int], tuple[Tensor, Tensor]]:
    """Return a function of the step, from 1, that cuts one long text into batches of inputs and next tokens.

    In order (the default), row b reads on where it stopped at the step before, so that a recurrent state can be
    carried; the rows start evenly spread, and go round the text. It is read once in about
    len(ids) / (batch_size * length) steps. With `shuffle`, each row is a window at a random place.

    Args:
        ids: token ids of the text, (N,).
        batch_size: B.
        length: T.
        shuffle: random windows, for a model that carries no state.
        generator: seeds them; one number is drawn from it here, and the windows of a step depend only on that
            number and the step. None draws it from torch's global generator.

    Returns:
        step -> (inputs (B, T), targets (B, T)); targets[b, t] is the token that follows inputs[b, t] in the text.

    Raises:
        ValueError: sizes below 1, or a text too short for them.
    """
    ids = torch.as_tensor(ids)
    if ids.dim() != 1 or ids.is_floating_point():
        raise ValueError(f"`ids` must be whole numbers of shape (N,), got {ids.dtype} of shape {tuple(ids.shape)}.")
    if batch_size < 1 or length < 1:
        raise ValueError(f"`batch_size` and `length` must be at least 1, got {batch_size} and {length}.")
    places = len(ids) - 1  # where an input can stand: the last token has no next one
    needed = length if shuffle else max(batch_size, length)
    if places < needed:
        raise ValueError(
            f"`ids` must hold at least {needed + 1} tokens for batch_size={batch_size}, length={length}, "
            f"shuffle={shuffle}, got {len(ids)}."
        )
    ids, within = ids.long(), torch.arange(length)
    starts = torch.arange(batch_size) * places // batch_size
    seed = draw_seed(generator) if shuffle else 0

    def batch(step: int) -> tuple[Tensor, Tensor]:
        if shuffle:
            own = torch.Generator().manual_seed(seed + step)
            at = torch.randint(places - length + 1, (batch_size, 1), generator=own) + within  # (B, T)
        else:
            at = (starts[:, None] + (step - 1) * length + within) % places
        return ids[at], ids[at + 1]

    return batch


def example_batches(
    examples: tuple[Tensor, ...], batch_size: int, *, generator: torch.Generator | None = None
) -> Callable[[int], tuple[Tensor, ...]]:
    """Return a function of the step, from 1, that gives the examples in a new random order each epoch.

    Args:
        examples: tensors of equal first dimension N: the parts of N examples.
        batch_size: examples in a batch; those left over at the end of an epoch wait for the next order.
        generator: seeds the orders; one number is drawn from it here. None draws from torch's global generator.

    Raises:
        ValueError: no tensors, unequal first dimensions, or fewer examples than `batch_size`.
    """
    sizes = [len(part) for part in examples]
    if not sizes or len(set(sizes)) != 1:
        raise ValueError(f"`examples` must be tensors of one first dimension, got {sizes}.")
    if not 1 <= batch_size <= sizes[0]:
        raise ValueError(f"`batch_size` must be in 1..N with N={sizes[0]} examples, got {batch_size}.")
    seed, per_epoch = draw_seed(generator), sizes[0] // batch_size
    order, order_epoch = torch.empty(0, dtype=torch.long), -1

    def batch(step: int) -> tuple[Tensor, ...]:
        nonlocal order, order_epoch
        epoch, place = divmod(step - 1, per_epoch)
        if epoch != order_epoch:
            order = torch.randperm(sizes[0], generator=torch.Generator().manual_seed(seed + epoch))
            order_epoch = epoch
        chosen = order[place * batch_size : (place + 1) * batch_size]
        return tuple(part[chosen] for part in examples)

    return batch


def draw_seed(generator: torch.Generator | None) -> int:
    """Return a number drawn from `generator` (None: torch's own), from which the batch of each step is made."""
    device = "cpu" if generator is None else generator.device
    return int(torch.randint(2**62, (1,), generator=generator, device=device))
