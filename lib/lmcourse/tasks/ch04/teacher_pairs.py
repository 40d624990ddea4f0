"""Exercise `teacher_pairs`."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch04.shared import Rows


def teacher_pairs(rows, start_id, stop_id):
    """Return for each target the tokens that are given and the tokens to predict.

    Args:
        rows: a list of targets, each a list of ids (int), possibly empty.
        start_id, stop_id: the special tokens.

    Returns:
        A list of pairs (given, wanted), each two lists of one length.

    >>> teacher_pairs([[7, 9, 4]], 1, 2)
    [([1, 7, 9, 4], [7, 9, 4, 2])]
    """
    return [([start_id, *row], [*row, stop_id]) for row in rows]


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(lengths: Sequence[int]) -> list[list[int]]:
        return [[int(i) for i in rng.integers(3, 29, size=length)] for length in lengths]

    return [
        case("the worked example", [[7, 9, 4]], 1, 2),
        case("rows of 2 to 11 ids", draw([5, 2, 11, 3]), 1, 2),
        case("other special tokens", draw([3, 7]), 40, 41),
        border("a row of one id", draw([1]), 1, 2),
        border("an empty target: the decoder must stop at once", [[]], 1, 2),
        border("no rows", [], 1, 2),
    ]


def _teacher_wrong(rows: Rows, start_id: int, stop_id: int, *, how: str) -> list[tuple[list[int], list[int]]]:
    def one(row: Sequence[int]) -> tuple[list[int], list[int]]:
        whole = [start_id, *row, stop_id]
        return {
            "not_shifted": (whole, whole),
            "no_stop": ([start_id, *row][: max(1, len(row))], list(row)),
            "no_start": (list(row), [*row, stop_id][1:]),
            "start_to_predict": (whole[:-1], whole[:-1]),
            "stop_given": (whole[1:], whole[1:]),
            "backwards": (whole[1:], whole[:-1]),
            "swapped": ([stop_id, *row], [*row, start_id]),
        }[how]

    return [one(row) for row in rows]


def _teacher_by_slices(rows: Rows, start_id: int, stop_id: int) -> list[tuple[list[int], list[int]]]:
    wholes = [[start_id] + list(row) + [stop_id] for row in rows]  # noqa: RUF005
    return [(whole[:-1], whole[1:]) for whole in wholes]


def _teacher_by_loop(rows: Rows, start_id: int, stop_id: int) -> list[tuple[list[int], list[int]]]:
    pairs = []
    for row in rows:
        given, wanted, last = [], [], start_id
        for token in row:
            given.append(last)
            wanted.append(token)
            last = token
        pairs.append(([*given, last], [*wanted, stop_id]))
    return pairs


task = Task(
    teacher_pairs,
    points=1,
    difficulty=1,
    minutes=5,
    cases=cases,
    slips=(
        Slip(
            "not_shifted",
            partial(_teacher_wrong, how="not_shifted"),
            "What is given and what is to be predicted are the same tokens at the same places: the decoder would only "
            "have to copy. Shift them by one.",
        ),
        Slip(
            "no_stop",
            partial(_teacher_wrong, how="no_stop"),
            "The stop token is never to be predicted, so the decoder would not learn to end. It is the last token to "
            "predict.",
        ),
        Slip(
            "no_start",
            partial(_teacher_wrong, how="no_start"),
            "The start token is missing, so nothing is given before the first word and that word is never predicted. "
            "Give the start token first.",
        ),
        Slip(
            "start_to_predict",
            partial(_teacher_wrong, how="start_to_predict"),
            "The start token is among those to predict. It is only ever given; the first to predict is the first word.",
        ),
        Slip(
            "stop_given",
            partial(_teacher_wrong, how="stop_given"),
            "The stop token is among those that are given. Nothing follows it, so it is only ever predicted.",
        ),
        Slip(
            "backwards",
            partial(_teacher_wrong, how="backwards"),
            "The shift goes the wrong way: at each place the token before is to be predicted from the one after it.",
        ),
        Slip(
            "swapped",
            partial(_teacher_wrong, how="swapped"),
            "Start and stop are exchanged: start begins what is given, stop ends what is to be predicted.",
        ),
    ),
    alternatives=(_teacher_by_slices, _teacher_by_loop),
    hints=(
        "Write down for the target 7 9 4 what the decoder has just read when it has to say 7, 9, 4 and 'stop'.",
        "Put both special tokens around the row: start, row, stop. What is given is all of it but the last; what is to "
        "be predicted is all of it but the first.",
        "[([start_id, *row], [*row, stop_id]) for row in rows]",
    ),
)
