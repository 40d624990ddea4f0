"""Batches of sentence pairs, padded; pairs of similar length are batched together, which saves padding."""

from collections.abc import Callable, Iterable, Sequence

import torch
from torch import Tensor

from lmcourse import checks, tensor_checks
from lmcourse.tokenizers import Vocabulary
from lmcourse.training.batches import check_batch_size, sample_seed

PAD, START, STOP = "<pad>", "<s>", "</s>"
SPECIAL_TOKENS = (PAD, START, STOP)  # their ids are 0, 1, 2, as Seq2SeqConfig has them
POOL = 16  # batches whose pairs are sorted by length together


def pad(rows: Sequence[Sequence[int]], pad_id: int = 0) -> Tensor:
    """Return lists of ids as one tensor (B, longest), int64, padded at the end.

    Args:
        rows: token ids, at least one row of at least one id.
        pad_id: the id that fills the shorter rows.

    Raises:
        TypeError: ids that are not integers.
        ValueError: no rows, or an empty one.
    """
    checks.whole(pad_id=pad_id)
    found = tensor_checks.id_rows(rows=rows)
    out = torch.full((len(found), max(map(len, found))), pad_id)
    for number, row in enumerate(found):
        out[number, : len(row)] = row
    return out


def encode_pairs(
    pairs: Iterable[tuple[Sequence[str], Sequence[str]]], source_vocabulary: Vocabulary, target_vocabulary: Vocabulary
) -> list[tuple[list[int], list[int]]]:
    """Return pairs of token lists as pairs of id lists, the target between START and STOP.

    Raises:
        TypeError: pairs that are not two lists of tokens each, or what are not vocabularies.
        ValueError: an empty source, or a token that a vocabulary without `<unk>` does not hold.
    """
    checks.instance(Vocabulary, source_vocabulary=source_vocabulary, target_vocabulary=target_vocabulary)
    checks.instance(Iterable, pairs=pairs)
    start, stop = target_vocabulary.encode((START, STOP))
    encoded = []
    for number, pair in enumerate(pairs):
        source, target = checks.pair(**{f"pairs[{number}]": pair})
        checks.texts(**{f"pairs[{number}][0]": source, f"pairs[{number}][1]": target})
        if not len(source):
            raise ValueError(f"`pairs` must have no empty source, got one at index {number}.")
        encoded.append((source_vocabulary.encode(source), [start, *target_vocabulary.encode(target), stop]))
    return encoded


def pair_batches(
    pairs: Sequence[tuple[Sequence[int], Sequence[int]]],
    batch_size: int,
    *,
    generator: torch.Generator | None = None,
) -> Callable[[int], tuple[Tensor, Tensor]]:
    """Return a function of the step, from 1, that gives padded batches (source (B, S), target (B, T + 1)).

    Each epoch has a new random order in which pairs of similar length share a batch: of each 16 batches, the pairs are
    sorted by length before they are cut into batches, and then the batches are shuffled.

    Args:
        pairs: (source ids, target ids), as `encode_pairs` gives them.
        batch_size: B; the pairs left over at the end of an epoch wait for the next one.
        generator: seeds the orders; one number is sampled from it here. None uses torch's global generator.

    Raises:
        TypeError: pairs that are not two lists of ids each, or a `batch_size` that is not an integer.
        ValueError: fewer pairs than `batch_size`, or `batch_size` below 1.
    """
    checks.instance(Sequence, pairs=pairs)
    checks.not_empty(pairs=pairs)
    sources, targets = zip(*(checks.pair(**{f"pairs[{i}]": pair}) for i, pair in enumerate(pairs)), strict=True)
    tensor_checks.id_rows(pairs=sources)
    tensor_checks.id_rows(pairs=targets)
    check_batch_size(batch_size, len(pairs), "pairs")
    seed, per_epoch = sample_seed(generator), len(pairs) // batch_size
    lengths = torch.tensor([[len(source), len(target)] for source, target in pairs])
    by_length = lengths[:, 0] * (1 + int(lengths.max())) + lengths[:, 1]  # by source, then by target
    order: list[Tensor] = []
    order_epoch = -1

    def batch(step: int) -> tuple[Tensor, Tensor]:
        nonlocal order, order_epoch
        epoch, number = divmod(step - 1, per_epoch)
        if epoch != order_epoch:
            own = torch.Generator().manual_seed(seed + epoch)
            shuffled = torch.randperm(len(pairs), generator=own)[: per_epoch * batch_size]
            pools = [pool[by_length[pool].argsort(stable=True)] for pool in shuffled.split(POOL * batch_size)]
            batches = torch.cat(pools).split(batch_size)
            order = [batches[i] for i in torch.randperm(per_epoch, generator=own)]
            order_epoch = epoch
        chosen = order[number].tolist()
        return pad([pairs[i][0] for i in chosen]), pad([pairs[i][1] for i in chosen])

    return batch
