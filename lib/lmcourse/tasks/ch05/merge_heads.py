import numpy as np
import torch

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.tasks.ch05.shared import normal


def merge_heads(heads):
    """Lay the heads of each word end to end.

    Args:
        heads: a tensor (B, H, T, K); T may be 0.

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
        case("the worked example", torch.arange(8).reshape(1, 2, 2, 2)),
        case("three heads of width five", normal(rng, 2, 3, 7, 5)),
        case("as many heads as words", normal(rng, 2, 3, 3, 5)),
        case("heads as wide as they are many", normal(rng, 2, 3, 7, 3)),
        case("as many words as each head has columns", normal(rng, 2, 3, 5, 5)),
        case("as many texts as heads, words and columns", normal(rng, 3, 3, 3, 3)),
        border("one head", normal(rng, 2, 1, 3, 5)),
        case("whole numbers that float32 does not hold", (2**24 + torch.arange(8)).reshape(1, 2, 2, 2)),
        border("one word", normal(rng, 2, 5, 1, 3)),
        border("one text", normal(rng, 1, 3, 4, 2)),
        border("heads of width one", normal(rng, 2, 3, 4, 1)),
        case("heads that were split a moment before and are not contiguous", normal(rng, 2, 5, 3, 7).transpose(1, 2)),
        border("no words", normal(rng, 2, 3, 0, 5)),
    ]


SLIPS = mistakes("""
reshaped_only: "a tensor (B, H, T, K)"
    heads.transpose(1, 2).reshape => heads.reshape
  The shape is right, but reshape alone reads one head after the other, so a word got numbers of several words. Exchange
  heads and words first.
viewed
    reshape => view
  The axes are exchanged, so the numbers no longer lie one after the other, and view refuses that. Use reshape, or
  contiguous() before view.
minus_one: "T may be 0"
    H * K => -1
  Right unless there are no words: from 0 numbers torch cannot work out what -1 stands for. Write H * K, or use
  flatten(2).
interleaved: "Lay the heads of each word end to end"
    transpose(1, 2) => permute(0, 2, 3, 1)
  The columns of the heads alternate. All K columns of head 0 come first, then those of head 1.
not_joined: "A tensor (B, T, H K)"
    .reshape(B, T, H * K) =>
  Heads and words are exchanged, (B, T, H, K), but the last two axes are not joined yet.
without_batch: "A tensor (B, T, H K)"
    reshape(B, T, H * K) => reshape(B * T, H * K)
  Texts and words were joined, too. Keep the batch: (B, T, H K).
heads_reversed: "Lay the heads of each word end to end"
    heads.transpose => heads.flip(1).transpose
  The last head comes first. Keep their order: head 0 has the first K columns.
""")
HINTS = hints("""
- It is split_heads backwards, step by step in the opposite order.
- First exchange heads and words, (B, T, H, K), then join the last two axes.
- B, H, T, K = heads.shape; return heads.transpose(1, 2).reshape(B, T, H * K)
""")
task = Task(merge_heads, points=1, difficulty=2, minutes=8, cases=cases, slips=SLIPS, hints=HINTS)
