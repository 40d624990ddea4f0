from collections.abc import Sequence

import numpy as np
import torch

from lmcourse.exercises import Case, Task, border, case, hints, mistakes


def pad_batch(rows, pad_id):
    """Return rows of ids as one tensor, and the mask of its real tokens.

    Args:
        rows: a list of B lists of ids (int), which stay as they are. A row may hold the pad's own number as a token.
        pad_id: the id to fill up with, at the end; any int.

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
        case("another pad", draw([3, 5]), 50),
        case("as many rows as columns", draw([2, 3, 1]), 0),
        case("another pad, which is also a token of the rows", with_pad_inside, 9),
        case("tokens with the id 0, which is the pad, too", [[0, 4, 0], [0], [4, 0]], 0),
        border("a pad below 0", draw([2, 3]), -100),
        border("ids above 2 ** 53, which a float rounds", [[2**53 + 1, 2**24 + 1], [4]], 2**24 + 3),
        border("rows of equal length", draw([5, 5, 5]), 0),
        border("one row", draw([7]), 0),
        border("one row of one id", draw([1]), 0),
        border("rows of one id", draw([1, 1, 1]), 0),
        border("the longest row first, the shortest last", draw([13, 7, 1]), 2),
        border("no rows", [], 0),
        border("an empty row", [[4, 5], []], 0),
        border("an empty row first", [[], [4, 5]], 0),
        border("empty rows only", [[], []], 0),
        border("one empty row", [[]], 0),
    ]


SLIPS = mistakes("""
padded_at_the_front: "the id to fill up with, at the end"
    [*row, *[pad_id] * (longest - len(row))] => [*[pad_id] * (longest - len(row)), *row]
    torch.arange(longest) < => torch.arange(longest).flip(0) <
  The pads stand in front of the tokens. Fill up at the end, so that token t of each row is in column t.
mask_from_the_ids: "A row may hold the pad's own number as a token"
    torch.arange(longest) < torch.tensor([[len(row)] for row in rows]) => ids != pad_id
  The mask was read off the padded ids, so a real token that happens to have the pad's number was masked too. Make the
  mask from the lengths of the rows.
mask_reversed: "True at tokens"
    torch.arange(longest) < => torch.arange(longest) >=
  The mask is the wrong way round. In this course True means that a token takes part; pads are False.
mask_of_ints: "a tensor of bool (B, S)"
    return ids, attention_mask => return ids, attention_mask.long()
  The mask holds 1 and 0. Make it bool: ~ and masked_fill need that.
all_true: "True at tokens"
    torch.arange(longest) < torch.tensor([[len(row)] for row in rows]) => torch.ones_like(ids, dtype=torch.bool)
  The mask is True everywhere. Pads do not take part: False.
always_zero: "any int"
    [pad_id] => [0]
  The rows were filled up with 0, whatever `pad_id` says. Use pad_id.
one_column_too_many: "(B, S) with S the longest row"
    max(len(row) for row in rows) => max(len(row) for row in rows) + 1
  There is a column too many, in which no row has a token. S is the length of the longest row.
only_all_empty_refused: "a row is empty"
    not all(len => not any(len
  An empty row was refused only where all rows are empty. One is enough: raise ValueError.
""")
HINTS = hints("""
- How many columns must the tensor have, and which of them are real in a row of n ids?
- longest = max(len(row) for row in rows). A row becomes row + [pad_id] * (longest - len(row)); its mask is True
  len(row) times, then False.
- ids = torch.tensor([[*row, *[pad_id] * (longest - len(row))] for row in rows]) and mask = torch.arange(longest) <
  torch.tensor([[len(row)] for row in rows]); check for emptiness first.
""")
task = Task(pad_batch, points=2, difficulty=1, minutes=10, cases=cases, slips=SLIPS, hints=HINTS)
