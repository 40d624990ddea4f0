"""Exercise `pad_batch`."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch04.shared import Rows


def pad_batch(rows, pad_id):
    """Return rows of ids as one tensor, and the mask of its real places.

    Args:
        rows: a list of B lists of ids (int).
        pad_id: the id to fill up with, at the end.

    Returns:
        ids, a tensor of int64 (B, S) with S the longest row, and attention_mask, a tensor of bool (B, S), True at
        tokens.

    Raises:
        ValueError: there are no rows, or a row is empty.

    >>> ids, attention_mask = pad_batch([[5, 7, 4], [6]], 0)
    >>> ids.tolist()
    [[5, 7, 4], [6, 0, 0]]
    >>> attention_mask.tolist()
    [[True, True, True], [True, False, False]]
    """
    if not rows or not all(len(row) for row in rows):
        raise ValueError("`rows` must hold at least one row, and each row at least one id.")
    longest = max(len(row) for row in rows)
    ids = torch.tensor([[*row, *[pad_id] * (longest - len(row))] for row in rows])
    attention_mask = torch.arange(longest) < torch.tensor([[len(row)] for row in rows])
    return ids, attention_mask


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(lengths: Sequence[int]) -> list[list[int]]:
        return [[int(i) for i in rng.integers(3, 41, size=length)] for length in lengths]

    with_pad_inside = draw([5, 7, 3])
    with_pad_inside[0][2] = with_pad_inside[1][6] = 9
    return [
        case("the worked example", [[5, 7, 4], [6]], 0),
        case("rows of 2 to 11 ids", draw([3, 11, 2, 7, 5]), 0),
        border("rows of equal length", draw([5, 5, 5]), 0),
        border("one row", draw([7]), 0),
        border("rows of one id", draw([1, 1, 1]), 0),
        case("another pad, which is also a token of the rows", with_pad_inside, 9),
        border("the longest row first, the shortest last", draw([13, 7, 1]), 2),
        border("no rows", [], 0),
        border("an empty row", [[4, 5], []], 0),
    ]


def _pad_wrong(rows: Rows, pad_id: int, *, how: str) -> tuple[Tensor, Tensor]:
    if how == "unchecked":
        longest = max(map(len, rows), default=0)
        ids = torch.tensor([[*row, *[pad_id] * (longest - len(row))] for row in rows])
        return ids, torch.tensor([[t < len(row) for t in range(longest)] for row in rows])
    ids, keep = pad_batch(rows, pad_id)
    if how == "left":
        width = ids.shape[1]
        ids = torch.tensor([[*[pad_id] * (width - len(row)), *row] for row in rows])
        return ids, keep.flip(1)
    if how == "from_the_ids":
        return ids, ids != pad_id
    if how == "reversed_mask":
        return ids, ~keep
    if how == "float_mask":
        return ids, keep.float()
    if how == "zero_always":
        return torch.where(keep, ids, 0), keep
    if how == "cut":
        shortest = min(map(len, rows))
        return ids[:, :shortest], keep[:, :shortest]
    return ids.T, keep.T  # "transposed"


def _pad_by_filling(rows: Rows, pad_id: int) -> tuple[Tensor, Tensor]:
    lengths = torch.tensor([len(row) for row in rows])
    if len(rows) == 0 or int(lengths.min()) < 1:
        raise ValueError("nothing to pad")
    keep = torch.arange(int(lengths.max())) < lengths[:, None]
    ids = torch.full(keep.shape, pad_id)
    ids[keep] = torch.tensor([i for row in rows for i in row])
    return ids, keep


def _pad_by_torch(rows: Rows, pad_id: int) -> tuple[Tensor, Tensor]:
    if not rows or not all(rows):
        raise ValueError("nothing to pad")
    sequences = [torch.tensor(row) for row in rows]
    ones = [torch.ones(len(row), dtype=torch.bool) for row in rows]
    padded = torch.nn.utils.rnn.pad_sequence(sequences, batch_first=True, padding_value=pad_id)
    return padded, torch.nn.utils.rnn.pad_sequence(ones, batch_first=True)


task = Task(
    pad_batch,
    points=2,
    difficulty=1,
    minutes=10,
    cases=cases,
    slips=(
        Slip(
            "padded_at_the_front",
            partial(_pad_wrong, how="left"),
            "The pads stand in front of the tokens. Fill up at the end, so that token t of each row is in column t.",
        ),
        Slip(
            "mask_from_the_ids",
            partial(_pad_wrong, how="from_the_ids"),
            "The mask was read off the padded ids, so a real token that happens to have the pad's number was masked "
            "too. Make the mask from the lengths of the rows.",
        ),
        Slip(
            "mask_reversed",
            partial(_pad_wrong, how="reversed_mask"),
            "The mask is the wrong way round. In this course True means that a place takes part; pads are False.",
        ),
        Slip(
            "mask_of_floats",
            partial(_pad_wrong, how="float_mask"),
            "The mask holds 1.0 and 0.0. Make it bool: a float mask would be added to scores or multiplied with them "
            "by mistake, and nothing would complain.",
        ),
        Slip(
            "always_zero",
            partial(_pad_wrong, how="zero_always"),
            "The rows were filled up with 0, whatever `pad_id` says. Use pad_id.",
        ),
        Slip(
            "cut_to_the_shortest",
            partial(_pad_wrong, how="cut"),
            "The long rows were cut to the shortest. No token may get lost: pad all rows to the longest.",
        ),
        Slip(
            "transposed",
            partial(_pad_wrong, how="transposed"),
            "Rows and columns are exchanged: the batch comes first, shape (number of rows, longest row).",
        ),
        Slip(
            "unchecked",
            partial(_pad_wrong, how="unchecked"),
            "The batch is right, but no rows, or an empty row, went through. An encoder that has read nothing has "
            "nothing to tell: raise ValueError.",
        ),
    ),
    alternatives=(_pad_by_filling, _pad_by_torch),
    hints=(
        "How many columns must the tensor have, and which of them are real in a row of n ids?",
        "longest = max(len(row) for row in rows). A row becomes row + [pad_id] * (longest - len(row)); its mask is "
        "True len(row) times, then False.",
        "ids = torch.tensor([[*row, *[pad_id] * (longest - len(row))] for row in rows]) and keep = "
        "torch.arange(longest) < torch.tensor([[len(row)] for row in rows]); check for emptiness first.",
    ),
)
