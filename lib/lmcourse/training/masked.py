"""Batches for a masked language model: windows of a text, with other words hidden at every step."""

from collections.abc import Callable, Collection

import torch
from torch import Tensor

from lmcourse import checks
from lmcourse.models.bert import mask_tokens
from lmcourse.training.batches import TokenIds, sample_seed, token_lookup


def masked_batches(
    ids: TokenIds,
    batch_size: int,
    length: int,
    *,
    cls_id: int,
    sep_id: int,
    mask_id: int,
    vocab_size: int,
    special_ids: Collection[int] = (),
    share: float = 0.15,
    generator: torch.Generator | None = None,
) -> Callable[[int], tuple[Tensor, Tensor]]:
    """Return a function of the step, from 1, that gives windows of a text with some of their tokens masked.

    Each row is [CLS], `length` - 2 tokens from a random position in the text, [SEP]. The mask is sampled anew at each
    step ("dynamic masking"), so that a window that is seen again has other tokens masked.

    Args:
        ids: token ids of the text, (N,), as for `token_batches`: a memory map stays on disk.
        batch_size: B.
        length: T, including the two special tokens.
        cls_id, sep_id, mask_id: of [CLS], [SEP] and [MASK].
        vocab_size, special_ids, share: as for `mask_tokens`; [CLS], [SEP] and [MASK] are special in any case.
        generator: seeds windows and masks; one number is sampled from it here. None uses torch's global generator.

    Returns:
        step -> (inputs (B, T), labels (B, T)), as `MaskedLM.loss` takes them.

    Raises:
        TypeError: ids or sizes that are not integers, or a `share` that is no number.
        ValueError: ids of another shape, sizes too small, a text shorter than a window, a special id outside the
            vocabulary, or a `share` outside 0..1.

    Source: Devlin et al., 2019, section 3.1 and appendix A.2; Liu et al., "RoBERTa", 2019, section 4.1, for
    dynamic masking.
    """
    take = token_lookup(ids)
    checks.whole(batch_size=batch_size, at_least=1)
    checks.whole(length=length, at_least=3)
    checks.whole(vocab_size=vocab_size, at_least=1)
    checks.whole(cls_id=cls_id, sep_id=sep_id, mask_id=mask_id, at_least=0, below=vocab_size)
    checks.whole_items(special_ids=special_ids, at_least=0, below=vocab_size)
    checks.number(share=share, above=0.0, at_most=1.0)
    inner = length - 2
    if len(ids) < inner:
        raise ValueError(f"`ids` must hold at least length - 2 = {inner} tokens, got {len(ids)}.")
    within, seed = torch.arange(inner), sample_seed(generator)
    special = {*special_ids, cls_id, sep_id, mask_id}

    def batch(step: int) -> tuple[Tensor, Tensor]:
        own = torch.Generator().manual_seed(seed + step)
        at = torch.randint(len(ids) - inner + 1, (batch_size, 1), generator=own) + within  # (B, T - 2)
        ends = [torch.full((batch_size, 1), end) for end in (cls_id, sep_id)]
        rows = torch.cat([ends[0], take(at), ends[1]], dim=1)  # (B, T)
        return mask_tokens(rows, mask_id, vocab_size, special_ids=special, share=share, generator=own)

    return batch
