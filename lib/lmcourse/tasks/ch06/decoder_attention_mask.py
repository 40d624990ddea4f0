"""Exercise `decoder_attention_mask`."""

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case


def decoder_attention_mask(ids, pad_id=0):
    """Return the keep mask of a decoder's self-attention.

    Args:
        ids: target ids, a tensor (B, T) of whole numbers.
        pad_id: the id of padding.

    Returns:
        A bool tensor (B, 1, T, T): keep[b, 0, t, s] says whether t may look at s. The 1 is for the heads.

    >>> decoder_attention_mask(torch.tensor([[5, 6, 0]])).int().tolist()
    [[[[1, 0, 0], [1, 1, 0], [1, 1, 0]]]]
    """
    T = ids.shape[1]
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return causal & (ids != pad_id)[:, None, None, :]


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def batch(B: int, T: int, pad: int = 0) -> Tensor:
        ids = torch.from_numpy(rng.integers(1, 9, size=(B, T)))
        for row in range(1, B):
            ids[row, T - int(rng.integers(1, T)) :] = pad
        return ids

    return [
        case("the worked example", torch.tensor([[5, 6, 0]])),
        case("three sentences", batch(3, 7)),
        case("as many sentences as places", batch(5, 5)),
        border("another id for padding, and zero is a word", torch.tensor([[3, 0, 4, 9, 9], [0, 7, 2, 1, 9]]), 9),
        border("no padding at all", torch.from_numpy(rng.integers(1, 9, size=(2, 3)))),
        border("one token", torch.tensor([[4], [7]])),
        border("padding first, so the first row is empty", torch.tensor([[0, 0, 3, 8]])),
    ]


def _keep_in_loops(ids: Tensor, pad_id: int = 0) -> Tensor:
    B, T = ids.shape
    keep = torch.zeros(B, 1, T, T, dtype=torch.bool)
    for b in range(B):
        for t in range(T):
            for s in range(t + 1):
                keep[b, 0, t, s] = bool(ids[b, s] != pad_id)
    return keep


def _keep_by_numbers(ids: Tensor, pad_id: int = 0) -> Tensor:
    places = torch.arange(ids.size(1))
    hidden = (places[None, :] > places[:, None])[None, None] | ids.eq(pad_id)[:, None, None]
    return hidden.logical_not()


task = Task(
    decoder_attention_mask,
    points=2,
    difficulty=2,
    minutes=15,
    cases=cases,
    slips=(
        Slip(
            "polarity",
            lambda ids, pad_id=0: ~decoder_attention_mask(ids, pad_id),
            "Everything is the other way round: here True means hidden. In this course True means: takes part.",
        ),
        Slip(
            "causal_only",
            lambda ids, pad_id=0: torch.ones(len(ids), 1, ids.shape[1], ids.shape[1], dtype=torch.bool).tril(),
            "The future is hidden, but padding is not: it would get weight like a word. Join both masks with &.",
        ),
        Slip(
            "padding_only",
            lambda ids, pad_id=0: (ids != pad_id)[:, None, None, :].expand(-1, 1, ids.shape[1], -1).clone(),
            "Padding is hidden, but the future is not: the decoder reads the answer it has to give. Join it with a "
            "lower triangle.",
        ),
        Slip(
            "strict",
            lambda ids, pad_id=0: (
                torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool).tril(-1) & (ids != pad_id)[:, None, None, :]
            ),
            "A token may not look at itself here, so the first one has nothing to look at. The diagonal takes part.",
        ),
        Slip(
            "upper",
            lambda ids, pad_id=0: (
                torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool).triu() & (ids != pad_id)[:, None, None, :]
            ),
            "This is the upper triangle: each token sees the future and not the past. Rows are queries, columns keys: "
            "keep column s in row t if s <= t.",
        ),
        Slip(
            "rows",
            lambda ids, pad_id=0: (
                torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool).tril() & (ids != pad_id)[:, None, :, None]
            ),
            "Padding hides rows here, what padding itself would look at. It must hide columns: nobody looks at it, "
            "(ids != pad_id)[:, None, None, :].",
        ),
        Slip(
            "either",
            lambda ids, pad_id=0: (
                torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool).tril() | (ids != pad_id)[:, None, None, :]
            ),
            "The two masks were joined with |: enough that one of them allows it. Both must: use &.",
        ),
        Slip(
            "no_head_dimension",
            lambda ids, pad_id=0: decoder_attention_mask(ids, pad_id)[:, 0],
            "The shape is (B, T, T). For (B, H, T, S) scores a mask needs a dimension for the heads, of size 1: "
            "(B, 1, T, T).",
        ),
        Slip(
            "pad_is_zero",
            lambda ids, pad_id=0: decoder_attention_mask(ids, 0),
            "0 is taken for padding whatever `pad_id` says. Compare with pad_id.",
        ),
    ),
    alternatives=(_keep_in_loops, _keep_by_numbers),
    hints=(
        "Two conditions: the key is not padding, and it is not in the query's future.",
        "A lower triangle (T, T) for the future, (ids != pad_id) for padding; the second must vary along the columns.",
        "return torch.ones(T, T, dtype=torch.bool).tril() & (ids != pad_id)[:, None, None, :]",
    ),
)
