"""Batches as a function of the step, so that a training can be resumed in the middle."""

from collections.abc import Callable, Sequence
from types import NoneType

import numpy as np
import torch
from torch import Tensor

from lmcourse import checks

TokenIds = Tensor | np.ndarray | Sequence[int]


def token_batches(
    ids: TokenIds, batch_size: int, length: int, *, shuffle: bool = False, generator: torch.Generator | None = None
) -> Callable[[int], tuple[Tensor, Tensor]]:
    """Return a function of the step, from 1, that cuts one long text into batches of inputs and next tokens.

    In order (the default), each row continues where it stopped at the step before, so that a recurrent state can be
    carried along; the rows start evenly spaced, and wrap around at the end of the text. The text is read once in about
    len(ids) / (batch_size * length) steps. With `shuffle`, each row is a window at a random position.

    Args:
        ids: token ids of the text, (N,): a tensor or an array of any integer dtype, or a list. They are converted to
            int64 batch by batch: a memory map (`np.memmap`, `torch.from_file`) stays on disk.
        batch_size: B.
        length: T.
        shuffle: random windows, for a model that carries no state.
        generator: seeds the windows; one number is sampled from it here, and the windows of a step depend only on that
            number and the step. None uses torch's global generator.

    Returns:
        step -> (inputs (B, T), targets (B, T)), int64; targets[b, t] is the token that follows inputs[b, t].

    Raises:
        TypeError: ids or sizes that are not integers.
        ValueError: ids of another shape, sizes below 1, or a text too short for them.
    """
    take = token_lookup(ids)
    checks.whole(batch_size=batch_size, length=length, at_least=1)
    positions = len(ids) - 1  # at which an input can stand: the last token has no next one
    needed = length if shuffle else max(batch_size, length)
    if positions < needed:
        raise ValueError(
            f"`ids` must hold at least {needed + 1} tokens for batch_size={batch_size}, length={length}, "
            f"shuffle={shuffle}, got {len(ids)}."
        )
    within = torch.arange(length)
    starts = torch.arange(batch_size) * positions // batch_size
    seed = sample_seed(generator) if shuffle else 0

    def batch(step: int) -> tuple[Tensor, Tensor]:
        if shuffle:
            own = torch.Generator().manual_seed(seed + step)
            at = torch.randint(positions - length + 1, (batch_size, 1), generator=own) + within  # (B, T)
        else:
            at = (starts[:, None] + (step - 1) * length + within) % positions
        return take(at), take(at + 1)

    return batch


def example_batches(
    examples: tuple[Tensor, ...], batch_size: int, *, generator: torch.Generator | None = None
) -> Callable[[int], tuple[Tensor, ...]]:
    """Return a function of the step, from 1, that gives the examples in a new random order each epoch.

    Args:
        examples: tensors of equal first dimension N: the parts of N examples.
        batch_size: examples in a batch; those left over at the end of an epoch wait for the next order.
        generator: seeds the orders; one number is sampled from it here. None uses torch's global generator.

    Raises:
        TypeError: parts that are not tensors, or a `batch_size` that is not an integer.
        ValueError: no tensors, unequal first dimensions, or fewer examples than `batch_size`.
    """
    if not isinstance(examples, tuple | list) or not all(isinstance(part, Tensor) and part.dim() for part in examples):
        kinds = [type(part).__name__ for part in examples] if isinstance(examples, tuple | list) else examples
        raise TypeError(f"`examples` must be a tuple of tensors with a first dimension, got {kinds}.")
    sizes = [len(part) for part in examples]
    if not sizes or len(set(sizes)) != 1:
        raise ValueError(f"`examples` must be tensors of one first dimension, got {sizes}.")
    check_batch_size(batch_size, sizes[0], "examples")
    seed, per_epoch = sample_seed(generator), sizes[0] // batch_size
    order, order_epoch = torch.empty(0, dtype=torch.long), -1

    def batch(step: int) -> tuple[Tensor, ...]:
        nonlocal order, order_epoch
        epoch, number = divmod(step - 1, per_epoch)
        if epoch != order_epoch:
            order = torch.randperm(sizes[0], generator=torch.Generator().manual_seed(seed + epoch))
            order_epoch = epoch
        chosen = order[number * batch_size : (number + 1) * batch_size]
        return tuple(part[chosen] for part in examples)

    return batch


def check_batch_size(batch_size: int, n: int, of: str) -> None:
    """Raise unless a batch of this size can be taken from `n` examples or pairs."""
    checks.whole(batch_size=batch_size)
    if not 1 <= batch_size <= n:
        raise ValueError(f"`batch_size` must be in 1..N with N={n} {of}, got batch_size={batch_size}.")


def token_lookup(ids: TokenIds) -> Callable[[Tensor], Tensor]:
    """Return what gives the tokens at some positions, int64, and leaves the others where they are (on disk, say).

    Raises:
        TypeError: ids that are not integers.
        ValueError: ids of another shape than (N,).
    """
    try:
        tokens = ids if isinstance(ids, np.ndarray) else torch.as_tensor(ids)
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"`ids` must be integers, a tensor, array or list, got {type(ids).__name__}.") from error
    if isinstance(tokens, np.ndarray):
        are_integers = tokens.dtype.kind in "iu"
    else:
        are_integers = not (tokens.is_floating_point() or tokens.is_complex() or tokens.dtype == torch.bool)
    if tokens.ndim != 1:
        raise ValueError(f"`ids` must have shape (N,), got {tuple(tokens.shape)}.")
    if not are_integers and len(tokens):
        raise TypeError(f"`ids` must be integers, got {tokens.dtype}.")

    def take(at: Tensor) -> Tensor:
        if isinstance(tokens, np.ndarray):
            return torch.from_numpy(tokens[at.numpy()].astype(np.int64))
        return tokens[at].long()

    return take


def sample_seed(generator: torch.Generator | None) -> int:
    """Return a number sampled from `generator` (None: torch's own), from which the batch of each step is made."""
    checks.instance((torch.Generator, NoneType), generator=generator)
    device = "cpu" if generator is None else generator.device
    return int(torch.randint(2**62, (1,), generator=generator, device=device))
