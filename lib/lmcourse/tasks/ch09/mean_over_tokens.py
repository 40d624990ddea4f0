"""Exercise `mean_over_tokens`."""

from functools import partial

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch09.shared import CLOSE


def mean_over_tokens(vectors, attention_mask):
    """Return the mean of the vectors that take part.

    Args:
        vectors: a tensor of shape (B, T, D).
        attention_mask: a tensor of bool, shape (B, T); True = takes part.

    Returns:
        A tensor of shape (B, D).

    >>> mean_over_tokens(torch.tensor([[[1.0, 2.0], [3.0, 6.0], [50.0, 50.0]]]), torch.tensor([[True, True, False]]))
    tensor([[2., 4.]])
    """
    total = (vectors * attention_mask[..., None]).sum(1)  # (B, D)
    return total / attention_mask.sum(1, keepdim=True).clamp(min=1)


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(label: str, B: int, T: int, D: int, *, dtype: torch.dtype = torch.float64, left: bool = False) -> Case:
        vectors = torch.from_numpy(rng.normal(size=(B, T, D)) + 1.0).to(dtype).requires_grad_()
        lengths = torch.from_numpy(rng.integers(1, T, (B, 1)))
        lengths[0] = T
        keep = torch.arange(T) < lengths
        return case(label, vectors, keep.flip(1) if left else keep)

    worked = torch.tensor([[[1.0, 2.0], [3.0, 6.0], [50.0, 50.0]]], dtype=torch.float64).requires_grad_()
    return [
        case("the worked example", worked, torch.tensor([[True, True, False]])),
        draw("padding at the end", 5, 7, 3),
        draw("padding at the beginning", 3, 11, 2, left=True),
        draw("two rows", 2, 5, 13),
        border("a row in which nothing takes part", torch.from_numpy(rng.normal(size=(3, 5, 2))).requires_grad_(),
             torch.tensor([[True] * 5, [False] * 5, [True, False, True, False, False]])),
        border("no padding", torch.from_numpy(rng.normal(size=(2, 3, 7))).requires_grad_(),
             torch.ones(2, 3, dtype=torch.bool)),
        draw("float32", 3, 5, 2, dtype=torch.float32),
    ]  # fmt: skip


def _mean_in_loops(vectors: Tensor, attention_mask: Tensor) -> Tensor:
    rows = [
        row[keep].mean(0) if keep.any() else row.sum(0) * 0 for row, keep in zip(vectors, attention_mask, strict=True)
    ]
    return torch.stack(rows)


def _mean_by_product(vectors: Tensor, attention_mask: Tensor) -> Tensor:
    shares = attention_mask.to(vectors.dtype)
    shares = shares / shares.sum(-1, keepdim=True).clamp(min=1.0)
    return torch.einsum("bt,btd->bd", shares, vectors)


def _mean_wrong(vectors: Tensor, attention_mask: Tensor, *, how: str) -> Tensor:
    m = attention_mask[..., None]
    total = (vectors * m).sum(1)
    if how == "all":
        return vectors.mean(1)
    if how == "over_length":
        return total / vectors.shape[1]
    if how == "sum":
        return total
    if how == "turned":
        return (vectors * ~m).sum(1) / (~m).sum(1).clamp(min=1)
    if how == "nan":
        return total / m.sum(1)
    if how == "cls":
        return vectors[:, 0]
    if how == "whole_batch":
        return total / attention_mask.sum().clamp(min=1)
    if how == "max":
        return vectors.masked_fill(~m, float("-inf")).amax(1).nan_to_num(neginf=0.0)
    return (vectors * m).sum(2) / attention_mask.sum(1, keepdim=True).clamp(min=1)


task = Task(
    mean_over_tokens,
    points=2,
    difficulty=2,
    minutes=10,
    cases=cases,
    compare=CLOSE,
    slips=(
        Slip(
            "all",
            partial(_mean_wrong, how="all"),
            "Padding was averaged in, so a sentence's vector depends on its neighbours in the batch. Leave it out.",
        ),
        Slip(
            "over_length",
            partial(_mean_wrong, how="over_length"),
            "The sum is right, but it was divided by the padded length. Divide each row by its own number of tokens.",
        ),
        Slip(
            "sum",
            partial(_mean_wrong, how="sum"),
            "This is the sum. Divide by the number of tokens that take part, or long sentences get long vectors.",
        ),
        Slip(
            "turned",
            partial(_mean_wrong, how="turned"),
            "The mask is the wrong way round: True is a token that takes part, False is padding.",
        ),
        Slip(
            "nan",
            partial(_mean_wrong, how="nan"),
            "A row in which nothing takes part gave 0 / 0. Divide by at least 1, so that it is zeros.",
        ),
        Slip(
            "cls",
            partial(_mean_wrong, how="cls"),
            "This is the vector over the first place, [CLS]. Here the mean over all tokens is wanted.",
        ),
        Slip(
            "whole_batch",
            partial(_mean_wrong, how="whole_batch"),
            "Each row was divided by the number of tokens in the whole batch. Each has a number of its own.",
        ),
        Slip(
            "max",
            partial(_mean_wrong, how="max"),
            "This takes the largest number of each column (max pooling). The mean is wanted.",
        ),
    ),
    alternatives=(_mean_in_loops, _mean_by_product),
    hints=(
        "Multiply by the mask, so that padding is 0, and sum over the tokens.",
        "The mask is (B, T), the vectors are (B, T, D): attention_mask[..., None] fits. "
        "Then divide by attention_mask.sum(1).",
        "(vectors * attention_mask[..., None]).sum(1) / attention_mask.sum(1, keepdim=True).clamp(min=1)",
    ),
)
