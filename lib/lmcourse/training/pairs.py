"""Batches of pairs: padded, and of nearly one length each, since padding is work for nothing."""

from collections.abc import Callable, Iterable, Sequence

import torch
from torch import Tensor

from lmcourse.tokenizers import Vocabulary
from lmcourse.training.batches import draw_seed

PAD, START, STOP = "<pad>", "<s>", "</s>"
SPECIALS = (PAD, START, STOP)  # their ids are 0, 1, 2, as Seq2SeqConfig has them
POOL = 16  # batches that are sorted by length together


def pad(rows: Sequence[Sequence[int]], pad_id: int = 0) -> Tensor:
    """Return lists of ids as one tensor (B, longest), filled up at the end.

    Raises:
        ValueError: no rows, or an empty one.
    """
    if not rows or not all(len(row) for row in rows):
        empty = next((number for number, row in enumerate(rows) if not len(row)), None)
        got = "no rows" if empty is None else f"row {empty} empty"
        raise ValueError(f"`rows` must hold at least one row and each at least one id, got {got}.")
    out = torch.full((len(rows), max(map(len, rows))), pad_id)
    for number, row in enumerate(rows):
        out[number, : len(row)] = torch.as_tensor(row)
    return out


def encode_pairs(
    pairs: Iterable[tuple[Sequence[str], Sequence[str]]], source_vocabulary: Vocabulary, target_vocabulary: Vocabulary
) -> list[tuple[list[int], list[int]]]:
    """Return pairs of token lists as pairs of id lists, the target between start and stop.

    Raises:
        ValueError: an empty source, or a token that a vocabulary without `<unk>` does not hold.
    """
    start, stop = target_vocabulary.encode((START, STOP))
    encoded = []
    for number, (source, target) in enumerate(pairs):
        if not len(source):
            raise ValueError(f"`pairs` must have no empty source, got one at {number}.")
        encoded.append((source_vocabulary.encode(source), [start, *target_vocabulary.encode(target), stop]))
    return encoded


def pair_batches(
    pairs: Sequence[tuple[Sequence[int], Sequence[int]]],
    batch_size: int,
    *,
    generator: torch.Generator | None = None,
) -> Callable[[int], tuple[Tensor, Tensor]]:
    """Return a function of the step, from 1, that gives padded batches (source (B, S), target (B, T + 1)).

    Each epoch all pairs come in a new random order, but pairs of nearly equal length are put together: 16 batches'
    worth is sorted by length and cut up, and the batches are shuffled.

    Args:
        pairs: (source ids, target ids), as `encode_pairs` gives them.
        batch_size: B; the pairs left over at the end of an epoch wait for the next one.
        generator: seeds the orders; one number is drawn from it here.

    Raises:
        ValueError: fewer pairs than `batch_size`, or `batch_size` below 1.
    """
    if not 1 <= batch_size <= len(pairs):
        raise ValueError(f"`batch_size` must be in 1..N with N={len(pairs)} pairs, got {batch_size}.")
    seed, per_epoch = draw_seed(generator), len(pairs) // batch_size
    lengths = torch.tensor([[len(source), len(target)] for source, target in pairs])
    by_length = lengths[:, 0] * (1 + int(lengths.max())) + lengths[:, 1]  # by source, then by target
    order: list[Tensor] = []
    order_epoch = -1

    def batch(step: int) -> tuple[Tensor, Tensor]:
        nonlocal order, order_epoch
        epoch, place = divmod(step - 1, per_epoch)
        if epoch != order_epoch:
            own = torch.Generator().manual_seed(seed + epoch)
            shuffled = torch.randperm(len(pairs), generator=own)[: per_epoch * batch_size]
            pools = [pool[by_length[pool].argsort(stable=True)] for pool in shuffled.split(POOL * batch_size)]
            batches = torch.cat(pools).split(batch_size)
            order = [batches[i] for i in torch.randperm(per_epoch, generator=own)]
            order_epoch = epoch
        chosen = order[place].tolist()
        return pad([pairs[i][0] for i in chosen]), pad([pairs[i][1] for i in chosen])

    return batch
