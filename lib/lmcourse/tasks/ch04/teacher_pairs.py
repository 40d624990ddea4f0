from collections.abc import Sequence

import numpy as np

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn


def teacher_pairs(rows, start_id, stop_id):
    """Return for each target the tokens that are given and the tokens to predict.

    Args:
        rows: a list of targets, each a list of ids (int). The list and each row may be empty; all stay as they are.
        start_id, stop_id: the special tokens.

    Returns:
        A list of pairs (given, wanted), one for each row, each two new lists of one length; for an empty row the start
        token and the stop token.

    >>> teacher_pairs([[7, 9, 4]], 1, 2)
    [([1, 7, 9, 4], [7, 9, 4, 2])]
    """
    return [([start_id, *row], [*row, stop_id]) for row in rows]


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(lengths: Sequence[int]) -> list[list[int]]:
        return [[int(i) for i in rng.integers(3, 29, size=length)] for length in lengths]

    return [
        case("the worked example", [[7, 9, 4]], 1, 2),
        case("rows of 2 to 11 ids", draw([5, 2, 11, 3]), 1, 2),
        case("other special tokens", draw([3, 7]), 40, 41),
        case("a start token with a larger id than the stop token", draw([3, 2]), 41, 40),
        case("rows of equal length", draw([3, 3, 3]), 1, 2),
        case("the same row twice", [[5, 6], [5, 6]], 1, 2),
        border("an empty target: the decoder must stop at once", [[]], 1, 2),
        border("an empty target among others", [[5, 6], [], [7]], 1, 2),
        border("a row that ends with the id of the stop token", [[5, 2], [7]], 1, 2),
        border("a row that begins with the id of the start token", [[1, 5], [7]], 1, 2),
        border("no rows", [], 1, 2),
    ]


SLIPS = mistakes("""
not_shifted: "Return for each target the tokens that are given and the tokens to predict"
    ([start_id, *row], [*row, stop_id]) => ([start_id, *row, stop_id], [start_id, *row, stop_id])
  What is given and what is to be predicted are the same tokens at the same positions: the decoder would only have to
  copy. Shift them by one.
no_stop
    ([start_id, *row], [*row, stop_id]) => ([start_id, *row][: max(1, len(row))], list(row))
  The stop token is never to be predicted, so the decoder would not learn to end. It is the last token to predict.
no_start
    ([start_id, *row], [*row, stop_id]) => (list(row), [*row, stop_id][1:])
  The start token is missing, so nothing is given before the first word and that word is never predicted. Give the start
  token first.
start_to_predict
    [*row, stop_id] => [start_id, *row]
  The start token is among those to predict. It is only ever given; the first to predict is the first word.
stop_given_too: "two new lists of one length"
    [start_id, *row] => [start_id, *row, stop_id]
  The stop token is at the end of what is given, which is one token longer than what is to be predicted. Nothing follows
  the stop token, so it is never given.
swapped: "the special tokens"
    [start_id, *row] => [stop_id, *row]
    [*row, stop_id] => [*row, start_id]
  Start and stop are exchanged: start begins what is given, stop ends what is to be predicted.
empty_rows_left_out: "each row may be empty"
    for row in rows => for row in rows if row
  An empty row was left out. It has a pair, too: the decoder is given the start token and must stop at once.
in_place: "all stay as they are"
    [*row, stop_id] => (row.append(stop_id) or row)
  The pairs are right, but the stop token was appended to the caller's row (append, insert or +=). Make new lists:
  [*row, stop_id].
""")
HINTS = hints("""
- Write down for the target 7 9 4 what the decoder has just read when it has to say 7, 9, 4 and 'stop'.
- Put both special tokens around the row: start, row, stop. What is given is all of it but the last; what is to be
  predicted is all of it but the first.
- [([start_id, *row], [*row, stop_id]) for row in rows]
""")
task = Task(
    teacher_pairs, points=1, difficulty=1, minutes=5, cases=cases, compare=Compare(new=True), slips=SLIPS, hints=HINTS
)
