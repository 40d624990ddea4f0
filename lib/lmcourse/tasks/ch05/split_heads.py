"""Exercise `split_heads`."""

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch05.shared import check_split, normal, split


def split_heads(x, num_heads):
    """Cut the width into heads.

    Args:
        x: a tensor (B, T, D).
        num_heads: H, which divides D.

    Returns:
        A tensor (B, H, T, D / H).

    Raises:
        ValueError: H is below 1 or does not divide D.

    >>> split_heads(torch.arange(8).reshape(1, 2, 4), 2).tolist()
    [[[[0, 1], [4, 5]], [[2, 3], [6, 7]]]]
    """
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError(f"`num_heads` must divide the width, got num_heads={num_heads}, width={D}.")
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", torch.arange(8.0).reshape(1, 2, 4), 2),
        case("three heads of width five", normal(rng, 2, 7, 15), 3),
        case("as many heads as words", normal(rng, 2, 3, 21), 3),
        case("as many heads as sentences", normal(rng, 5, 3, 10), 5),
        border("one head", normal(rng, 2, 3, 5), 1),
        border("heads of width one", normal(rng, 2, 5, 3), 3),
        border("one word", normal(rng, 3, 1, 14), 7),
        border("a number of heads that divides nothing, as no head may be narrower", normal(rng, 2, 3, 7), 3),
        border("zero heads", normal(rng, 2, 3, 7), 0),
    ]


def _split_by_chunks(x: Tensor, num_heads: int) -> Tensor:
    check_split(x, num_heads)
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)


def _split_by_slices(x: Tensor, num_heads: int) -> Tensor:
    check_split(x, num_heads)
    width = x.shape[-1] // num_heads
    heads = [x[:, :, head * width : (head + 1) * width] for head in range(num_heads)]
    return torch.stack(heads).permute(1, 0, 2, 3)


def _split_wrongly(cut: Callable[..., Tensor]) -> Callable[[Tensor, int], Tensor]:
    def answer(x: Tensor, num_heads: int) -> Tensor:
        check_split(x, num_heads)
        return cut(x, num_heads, *x.shape, x.shape[-1] // num_heads)

    return answer


def _rest_dropped(x: Tensor, num_heads: int) -> Tensor:
    if num_heads < 1:
        raise ValueError("no heads")
    width = x.shape[-1] // num_heads
    return split(x[..., : width * num_heads], num_heads)


task = Task(
    split_heads,
    points=1,
    difficulty=2,
    minutes=10,
    cases=cases,
    slips=(
        Slip(
            "reshaped_only",
            _split_wrongly(lambda x, H, B, T, D, K: x.reshape(B, H, T, K)),
            "The shape is right and the numbers are mixed up: reshape reads them in order, so a head got pieces of "
            "several words. First cut the width, (B, T, H, K), then exchange T and H.",
        ),
        Slip(
            "not_transposed",
            _split_wrongly(lambda x, H, B, T, D, K: x.reshape(B, T, H, K)),
            "This is (B, T, H, K): cut, but not turned. The matrix product works on the last two axes, which must be T "
            "and K: exchange T and H.",
        ),
        Slip(
            "interleaved",
            _split_wrongly(lambda x, H, B, T, D, K: x.reshape(B, T, K, H).permute(0, 3, 1, 2)),
            "Each head got every H-th number. Head 0 shall have the first K numbers, head 1 the next K.",
        ),
        Slip(
            "heads_first",
            _split_wrongly(lambda x, H, B, T, D, K: x.reshape(B, T, H, K).permute(2, 0, 1, 3)),
            "The heads stand before the batch, (H, B, T, K). The course keeps the batch first: (B, H, T, K).",
        ),
        Slip(
            "width_before_words",
            _split_wrongly(lambda x, H, B, T, D, K: x.reshape(B, T, H, K).permute(0, 2, 3, 1)),
            "The last two axes are exchanged, (B, H, K, T). A word is a row: T before K.",
        ),
        Slip(
            "rest_dropped",
            _rest_dropped,
            "When the heads do not divide the width, the last numbers were left out without a word. Raise ValueError.",
        ),
    ),
    alternatives=(_split_by_chunks, _split_by_slices),
    hints=(
        "Two steps: cut the last axis in two, (B, T, H, K), then bring H before T.",
        "x.reshape(B, T, H, K) cuts; transpose(1, 2) exchanges. Why is reshape(B, H, T, K) alone not the same?",
        "After the check: B, T, D = x.shape, then return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2).",
    ),
)
