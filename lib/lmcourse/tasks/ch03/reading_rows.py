import torch

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn


def reading_rows(ids, n_rows, length):
    """Cut a text into batches whose rows read on.

    Args:
        ids: the tokens of the text, a list of ints; it may be too short, or empty.
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


@drawn(3)
def cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def text(count: int) -> list[int]:
        return torch.randperm(100, generator=generator)[:count].tolist()

    return [
        case("the worked example", list(range(13)), 2, 3),
        case("three rows of five, with tokens left over", text(53), 3, 5),
        case("more rows than steps", text(37), 7, 2),
        case("pieces that end with the text, but for its last token", text(31), 3, 5),
        case("a text that divides into pieces only with its last token", text(30), 3, 3),
        case("a piece that is one token too short for another window", text(24), 2, 4),
        case("the same token again and again", [4, 7, 4, 4, 7, 7, 4, 7, 4], 2, 2),
        case("as many rows as tokens in a row", text(41), 3, 3),
        border("one row that fills the text", text(9), 1, 4),
        border("one token a row", text(11), 2, 1),
        border("one row of one token", text(5), 1, 1),
        border("two tokens, one row of one token", text(2), 1, 1),
        border("exactly one batch", text(16), 3, 5),
        border("one batch, and almost a second", text(29), 3, 5),
        border("a text that is shorter by one token than a batch needs", text(15), 3, 5),
        border("enough tokens for the inputs of one row, but not of all", text(9), 2, 5),
        border("one token", text(1), 1, 1),
        border("an empty text", [], 2, 3),
        border("an empty text, one row of one token", [], 1, 1),
    ]


SLIPS = mistakes("""
in_order: "Cut a text into batches whose rows read on"
    row * piece + step * length => (step * n_rows + row) * length
  The windows were dealt out in the order of the text, so that row 0 of the next batch does not go on where row 0
  stopped: its carried state would belong to another position. Give each row its own piece of the text.
rolled: "the tokens of the text, a list of ints"
    list(ids[start + 1 : start + 1 + length]) => [*ids[start + 1 : start + length], ids[start]]
  At the end of each window the target is the window's first token. It is the text's next token, which lies outside the
  window.
remainder_kept: "Cut a text into batches whose rows read on"
    range(piece // length) => range(-(-piece // length))
    start + length]) for start in starts => min(start + length, (row + 1) * piece)]) for row, start in enumerate(starts)
    list(ids[start + 1 : start + 1 + length]) for start in starts =>
        list(ids[start + 1 : min(start + length, (row + 1) * piece) + 1]) for row, start in enumerate(starts)
  The last batch is narrower than the others. What does not fill a window is left out.
whole_windows_only
    piece = (len(ids) - 1) // n_rows => piece = (len(ids) - 1) // n_rows // length * length
  The pieces were shortened to whole windows before they were laid out, so that the second row begins too early. A piece
  has (N - 1) // n_rows tokens; what fills no window is left out at its end.
time_first: "`n_rows` lists of `length` ints"
    inputs, targets => [list(row) for row in zip(*inputs)], [list(row) for row in zip(*targets)]
  Rows and columns are exchanged. Each row of a batch is a run of text.
last_batch_missing: "A list of batches in reading order"
    range(piece // length) => range(max((piece - 1) // length, 1))
  The last batch is missing where the windows fill the piece. There are piece // length windows in it.
last_token_as_input
    (len(ids) - 1) // n_rows => len(ids) // n_rows
  The pieces were cut from all N tokens. The last token has no next one and can be no input: a piece has (N - 1) //
  n_rows tokens.
too_short_is_empty: "it may be too short, or empty"
    if piece < length: => if False:
  A text too short for a single batch gave an empty list. Raise ValueError, so that nobody trains on nothing.
only_empty_refused: "the text is too short for a single batch"
    if piece < length: => if not ids:
  Only an empty text is refused. Any text that gives not a single batch is too short: raise ValueError.
one_batch_refused: "the text is too short for a single batch"
    if piece < length: => if piece <= length:
  A text of exactly one batch was refused. It is enough: piece == length.
""")
HINTS = hints("""
- Cut the text into n_rows pieces of equal length. Every batch takes the next window from each piece.
- piece = (len(ids) - 1) // n_rows, since the last token is never an input. At step s, row b reads from b * piece + s *
  length.
- for step in range(piece // length): starts = [row * piece + step * length for row in range(n_rows)]; inputs are
  ids[start : start + length], targets ids[start + 1 : start + 1 + length].
""")
task = Task(
    reading_rows, points=4, difficulty=3, minutes=25, cases=cases, compare=Compare(new=True), slips=SLIPS, hints=HINTS
)
