"""Exercise `reading_rows`."""

from collections.abc import Sequence
from functools import partial

import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case


def reading_rows(ids, n_rows, length):
    """Cut a text into batches whose rows read on.

    Args:
        ids: the tokens of the text, a list of ints.
        n_rows: rows in a batch, at least 1.
        length: tokens in a row, at least 1.

    Returns:
        A list of batches in reading order; a batch is a tuple (inputs, targets), each a list of `n_rows` lists of
        `length` ints.

    Raises:
        ValueError: the text is too short for a single batch.

    >>> for inputs, targets in reading_rows(list(range(13)), 2, 3):
    ...     print(inputs, targets)
    [[0, 1, 2], [6, 7, 8]] [[1, 2, 3], [7, 8, 9]]
    [[3, 4, 5], [9, 10, 11]] [[4, 5, 6], [10, 11, 12]]
    """
    piece = (len(ids) - 1) // n_rows
    if piece < length:
        raise ValueError(f"`ids` must hold at least {n_rows * length + 1} tokens, got {len(ids)}.")
    batches = []
    for step in range(piece // length):
        starts = [row * piece + step * length for row in range(n_rows)]
        inputs = [list(ids[start : start + length]) for start in starts]
        targets = [list(ids[start + 1 : start + 1 + length]) for start in starts]
        batches.append((inputs, targets))
    return batches


def cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def text(count: int) -> list[int]:
        return torch.randperm(100, generator=generator)[:count].tolist()

    return [
        case("the worked example", list(range(13)), 2, 3),
        case("three rows of five, with tokens left over", text(53), 3, 5),
        case("more rows than steps", text(37), 7, 2),
        border("one row", text(17), 1, 4),
        border("one token a row", text(11), 2, 1),
        border("exactly one batch", text(16), 3, 5),
        border("a text that is shorter by one token than a batch needs", text(15), 3, 5),
        border("an empty text", [], 2, 3),
    ]


def _rows_wrong(ids: Sequence[int], n_rows: int, length: int, *, how: str) -> list:
    piece = (len(ids) - 1) // n_rows
    if piece < length:
        raise ValueError("too short")
    batches = []
    n_steps = -(-piece // length) if how == "remainder" else piece // length
    for step in range(n_steps):
        starts = [row * piece + step * length for row in range(n_rows)]
        if how == "in_order":
            starts = [(step * n_rows + row) * length for row in range(n_rows)]
        if how == "overlap":
            starts = [row * piece + step * (length - 1) for row in range(n_rows)]
        ends = [min(start + length, (row + 1) * piece) for row, start in enumerate(starts)]
        if how in ("in_order", "overlap"):
            ends = [start + length for start in starts]
        inputs = [list(ids[start:end]) for start, end in zip(starts, ends, strict=True)]
        targets = [list(ids[start + 1 : end + 1]) for start, end in zip(starts, ends, strict=True)]
        if how == "same":
            targets = [list(row) for row in inputs]
        if how == "rolled":
            targets = [row[1:] + row[:1] for row in inputs]
        if how == "before":
            targets = [
                list(ids[start - 1 : end - 1]) if start else [ids[0], *ids[: end - 1]]
                for start, end in zip(starts, ends, strict=True)
            ]
        if how == "time_first":
            inputs, targets = [list(row) for row in zip(*inputs)], [list(row) for row in zip(*targets)]
        batches.append((inputs, targets))
    return batches[:1] if how == "first_only" else batches


def _rows_by_reshape(ids: Sequence[int], n_rows: int, length: int) -> list:
    n_steps = max(len(ids) - 1, 0) // n_rows // length
    if n_steps == 0:
        raise ValueError("too few tokens")
    piece = (len(ids) - 1) // n_rows
    flat = torch.tensor(list(ids))

    def cut(text: Tensor) -> Tensor:
        return text[: n_rows * piece].view(n_rows, piece)[:, : n_steps * length]

    pairs = zip(cut(flat[:-1]).split(length, 1), cut(flat[1:]).split(length, 1), strict=True)
    return [(inputs.tolist(), targets.tolist()) for inputs, targets in pairs]


def _rows_by_iterators(ids: Sequence[int], n_rows: int, length: int) -> list:
    piece = (len(ids) - 1) // n_rows
    rows = [list(ids[row * piece : (row + 1) * piece + 1]) for row in range(n_rows)]
    batches = []
    at = 0
    while at + length <= piece:
        batches.append(([row[at : at + length] for row in rows], [row[at + 1 : at + length + 1] for row in rows]))
        at += length
    if not batches:
        raise ValueError("not a single batch")
    return batches


task = Task(
    reading_rows,
    points=4,
    difficulty=3,
    minutes=25,
    cases=cases,
    slips=(
        Slip(
            "in_order",
            partial(_rows_wrong, how="in_order"),
            "The windows were dealt out in the order of the text, so that row 0 of the next batch does not go on where "
            "row 0 stopped: its carried state would belong to another place. Give each row its own piece of the text.",
        ),
        Slip(
            "targets_are_inputs",
            partial(_rows_wrong, how="same"),
            "The targets are the inputs themselves. The target of a place is the token after it.",
        ),
        Slip(
            "rolled",
            partial(_rows_wrong, how="rolled"),
            "At the end of each window the target is the window's first token. It is the text's next token, which "
            "stands outside the window.",
        ),
        Slip(
            "token_before",
            partial(_rows_wrong, how="before"),
            "The targets are the tokens before. The model reads a token and guesses the one after it.",
        ),
        Slip(
            "remainder_kept",
            partial(_rows_wrong, how="remainder"),
            "The last batch is narrower than the others. What does not fill a window is left out.",
        ),
        Slip(
            "overlap",
            partial(_rows_wrong, how="overlap"),
            "A window begins on the last token of the one before: that token would be read twice, by a state that has "
            "seen it. The next window starts `length` further.",
        ),
        Slip(
            "time_first",
            partial(_rows_wrong, how="time_first"),
            "Rows and columns are exchanged. Each row of a batch is a run of text.",
        ),
        Slip(
            "first_batch_only",
            partial(_rows_wrong, how="first_only"),
            "Only the first batch came back. Walk through the pieces to their end.",
        ),
    ),
    alternatives=(_rows_by_reshape, _rows_by_iterators),
    hints=(
        "Cut the text into n_rows pieces of equal length. Every batch takes the next window from each piece.",
        "piece = (len(ids) - 1) // n_rows, since the last token is never an input. At step s, row b reads from b * "
        "piece + s * length.",
        "for step in range(piece // length): starts = [row * piece + step * length for row in range(n_rows)]; inputs "
        "are ids[start : start + length], targets ids[start + 1 : start + 1 + length].",
    ),
)
