"""Batches of windows of a text on disk: each window is read once an epoch, by one process."""

import math
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lmcourse import checks
from lmcourse.pretraining.shards import TokenShards

ROUNDS = 4  # of the Feistel network: fewer leave a pattern


def window_batches(
    tokens: TokenShards, batch_size: int, length: int, *, seed: int = 0, rank: int = 0, world_size: int = 1
) -> Callable[[int], tuple[Tensor, Tensor]]:
    """Return a function of the number of the batch, from 1, that gives this process's part of it.

    The text is cut into windows of `length` tokens, which come in another order each epoch; in another epoch the cuts
    lie elsewhere too. A batch is `batch_size` windows, of which process r of W reads those from r B / W on: together
    they read what one process would. Only what is read is in memory.

    Args:
        tokens: the text.
        batch_size: B, windows in a batch of all processes.
        length: T.
        seed: of the order.
        rank: r, the number of this process.
        world_size: W, how many processes there are.

    Returns:
        number -> (inputs (B / W, T), targets (B / W, T)), int64; targets are the tokens that follow the inputs.

    Raises:
        TypeError: an argument of the wrong kind.
        ValueError: one out of range, a `batch_size` that W does not divide, or fewer tokens than a batch.
    """
    checks.instance(TokenShards, tokens=tokens)
    checks.whole(batch_size=batch_size, length=length, world_size=world_size, at_least=1)
    checks.whole(seed=seed, at_least=0)
    checks.whole(rank=rank, at_least=0, below=world_size)
    checks.divides(world_size=world_size, batch_size=batch_size)
    windows = (len(tokens) - 1) // length  # a last target follows each
    if windows < batch_size:
        raise ValueError(
            f"`tokens` must hold at least {batch_size * length + 1:,} tokens for batch_size={batch_size}, "
            f"length={length}, got {len(tokens):,}."
        )
    room = (len(tokens) - 1) % length + 1  # how far the cuts can be shifted
    share = batch_size // world_size
    within = np.arange(length + 1)

    def batch(number: int) -> tuple[Tensor, Tensor]:
        first = (number - 1) * batch_size + rank * share
        starts = np.empty(share, dtype=np.int64)
        for row, counted in enumerate(range(first, first + share)):
            epoch, index = divmod(counted, windows)
            starts[row] = shuffled(index, windows, seed + epoch) * length + _mixed(seed, epoch) % room
        read = torch.from_numpy(tokens[starts[:, None] + within])  # (B / W, T + 1)
        return read[:, :-1], read[:, 1:]

    return batch


def prefetched(batches: Callable[[int], tuple[Tensor, Tensor]], *, pin: bool = False) -> Callable[[int], Any]:
    """Return a function that gives the same batches, and has a thread read the next one when it has given one.

    Args:
        batches: of the number of the batch, as `window_batches` returns it.
        pin: put them into memory from which a GPU copies while the program goes on.
    """
    checks.function(batches=batches)
    checks.instance(bool, pin=pin)
    reader = ThreadPoolExecutor(1)
    coming: dict[int, Future[tuple[Tensor, ...]]] = {}

    def read(number: int) -> tuple[Tensor, ...]:
        return tuple(part.contiguous().pin_memory() if pin else part for part in batches(number))

    def batch(number: int) -> tuple[Tensor, ...]:
        now = coming.pop(number, None) or reader.submit(read, number)
        coming.clear()  # of another number: the training has gone back
        coming[number + 1] = reader.submit(read, number + 1)
        return now.result()

    return batch


def shuffled(index: int, n: int, seed: int) -> int:
    """Return where number `index` of n stands in an order that `seed` chooses; no order is ever held in memory.

    A Feistel network permutes the numbers of an even count of bits, whatever function mixes them; who lands at n or
    beyond goes through it again, until below n.

    Args:
        index: 0 to n - 1.
        n: how many there are.
        seed: another one gives another order.

    Source: Black and Rogaway, "Ciphers with arbitrary finite domains", 2002, sections 3 and 4.
    """
    half = max(1, math.ceil((n - 1).bit_length() / 2))
    mask = (1 << half) - 1
    while True:
        left, right = index >> half, index & mask
        for number in range(ROUNDS):
            left, right = right, left ^ (_mixed(right, seed * ROUNDS + number) & mask)
        index = left << half | right
        if index < n:
            return index


def _mixed(value: int, key: int) -> int:
    """Return 64 bits that look random: the finalizer of SplitMix64."""
    z = (value * 0x9E3779B97F4A7C15 + key * 0xD1B54A32D192ED03 + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    return z ^ (z >> 31)
