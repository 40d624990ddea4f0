"""Exercise `merge_heads`."""

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch05.shared import merge, normal


def merge_heads(heads):
    """Lay the heads of each word end to end.

    Args:
        heads: a tensor (B, H, T, K).

    Returns:
        A tensor (B, T, H K).

    >>> merge_heads(torch.arange(8).reshape(1, 2, 2, 2)).tolist()
    [[[0, 1, 4, 5], [2, 3, 6, 7]]]
    """
    B, H, T, K = heads.shape
    return heads.transpose(1, 2).reshape(B, T, H * K)


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", torch.arange(8.0).reshape(1, 2, 2, 2)),
        case("three heads of width five", normal(rng, 2, 3, 7, 5)),
        case("as many heads as words", normal(rng, 2, 3, 3, 5)),
        case("heads as wide as they are many", normal(rng, 2, 3, 7, 3)),
        border("one head", normal(rng, 2, 1, 3, 5)),
        border("one word", normal(rng, 2, 5, 1, 3)),
        case("heads that were split a moment before and are not contiguous", normal(rng, 2, 5, 3, 7).transpose(1, 2)),
        border("no words", normal(rng, 2, 3, 0, 5)),
    ]


def _merge_by_cat(heads: Tensor) -> Tensor:
    return torch.cat(list(heads.unbind(dim=1)), dim=-1)


def _merge_by_flatten(heads: Tensor) -> Tensor:
    return heads.permute(0, 2, 1, 3).contiguous().flatten(-2)


task = Task(
    merge_heads,
    points=1,
    difficulty=2,
    minutes=8,
    cases=cases,
    slips=(
        Slip(
            "reshaped_only",
            lambda heads: heads.reshape(heads.shape[0], heads.shape[2], -1) if heads.numel() else merge(heads),
            "The shape is right, but reshape alone reads one head after the other, so a word got numbers of several "
            "words. Exchange heads and words first.",
        ),
        Slip(
            "averaged",
            lambda heads: heads.mean(dim=1),
            "The heads are averaged, and what each of them found is blurred again. Lay them end to end.",
        ),
        Slip(
            "added",
            lambda heads: heads.sum(dim=1),
            "The heads are added up. Lay them end to end; mixing them is the output projection's work.",
        ),
        Slip(
            "interleaved",
            lambda heads: heads.permute(0, 2, 3, 1).flatten(-2),
            "The numbers of the heads alternate. All K numbers of head 0 come first, then those of head 1.",
        ),
        Slip(
            "words_last",
            lambda heads: heads.transpose(2, 3).flatten(1, 2),
            "This is (B, H K, T): the words ended up in the last axis. A word is a row: (B, T, H K).",
        ),
        Slip(
            "heads_reversed",
            lambda heads: merge(heads.flip(1)),
            "The last head comes first. Whatever order the heads were cut in, lay them down in the same.",
        ),
    ),
    alternatives=(_merge_by_cat, _merge_by_flatten),
    hints=(
        "It is split_heads backwards, step by step in the opposite order.",
        "First exchange heads and words, (B, T, H, K), then join the last two axes.",
        "B, H, T, K = heads.shape; return heads.transpose(1, 2).reshape(B, T, H * K)",
    ),
)
