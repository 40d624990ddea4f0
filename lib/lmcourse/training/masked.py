"""Batches for a masked language model: windows of a text, with other words hidden at every step."""

from collections.abc import Callable, Collection

import torch
from torch import Tensor

from lmcourse.models.bert import mask_tokens
from lmcourse.training.batches import draw_seed


def masked_batches(
    ids: Tensor,
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
    """Return a function of the step, from 1, that gives windows of a text with some of their words hidden.

    Each row is [CLS], `length` - 2 tokens from a random place of the text, [SEP]. What is hidden is drawn anew at each
    step ("dynamic masking"), so that a window that comes back has other blanks.

    Args:
        ids: token ids of the text, (N,).
        batch_size: B.
        length: T, the two special tokens included.
        cls_id, sep_id, mask_id: of [CLS], [SEP] and [MASK].
        vocab_size, special_ids, share: as for `mask_tokens`; [CLS], [SEP] and [MASK] are special in any case.
        generator: seeds windows and masks; one number is drawn from it here. None draws from torch's own.

    Returns:
        step -> (inputs (B, T), labels (B, T)), as `MaskedLM.loss` takes them.

    Raises:
        ValueError: sizes too small, or a text shorter than a window.

    Source: Devlin et al., 2019, section 3.1 and appendix A.2; Liu et al., "RoBERTa", 2019, section 4.1: new masks
    each time.
    """
    ids = torch.as_tensor(ids)
    if ids.dim() != 1 or ids.is_floating_point():
        raise ValueError(f"`ids` must be whole numbers of shape (N,), got {ids.dtype} of shape {tuple(ids.shape)}.")
    if batch_size < 1 or length < 3:
        raise ValueError(f"`batch_size` must be at least 1 and `length` at least 3, got {batch_size} and {length}.")
    inner = length - 2
    if len(ids) < inner:
        raise ValueError(f"`ids` must hold at least length - 2 = {inner} tokens, got {len(ids)}.")
    ids, within, seed = ids.long(), torch.arange(inner), draw_seed(generator)
    special = {*special_ids, cls_id, sep_id, mask_id}

    def batch(step: int) -> tuple[Tensor, Tensor]:
        own = torch.Generator().manual_seed(seed + step)
        at = torch.randint(len(ids) - inner + 1, (batch_size, 1), generator=own) + within  # (B, T - 2)
        ends = [torch.full((batch_size, 1), end) for end in (cls_id, sep_id)]
        rows = torch.cat([ends[0], ids[at], ends[1]], dim=1)  # (B, T)
        return mask_tokens(rows, mask_id, vocab_size, special_ids=special, share=share, generator=own)

    return batch
