from collections.abc import Sequence

import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.layers.losses import IGNORE_INDEX


def label_pieces(labels, pieces, max_length):
    """Return a label for each position of the row [CLS] pieces [SEP].

    Args:
        labels: one int a word, a list; there may be no words.
        pieces: for each word the list of its pieces, which may be empty.
        max_length: of the row, [CLS] and [SEP] included; at least 2.

    Returns:
        A list of int.

    >>> label_pieces([0, 1, 0], [["go"], ["el", "##sin", "##ore"], ["!"]], 16)
    [-100, 0, 1, -100, -100, 0, -100]
    """
    inner = []
    for label, cut in zip(labels, pieces):
        if cut:
            inner += [label] + [-100] * (len(cut) - 1)
    return [-100, *inner[: max_length - 2], -100]


Pieces = Sequence[Sequence[str]]


_WORDS = (["king"], ["un", "##break", "##able"], ["para", "##sol"], ["the"], ["el", "##sin", "##ore"], ["was"], ["##s"])


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(label: str, n: int, max_length: int = 512) -> Case:
        pieces = [list(_WORDS[int(i)]) for i in rng.integers(0, len(_WORDS), n)]
        return case(label, [int(i) for i in rng.integers(0, 5, n)], pieces, max_length)

    return [
        case("the worked example", [0, 1, 0], [["go"], ["el", "##sin", "##ore"], ["!"]], 16),
        draw("eleven words", 11),
        draw("seventeen words", 17),
        draw("a row that is longer than max_length", 23, 13),
        case("cut in the middle of a word, shorter", [1, 0, 2], [["a", "##b"], ["c", "##d", "##e"], ["f"]], 6),
        border("single pieces only", [3, 0, 0, 2], [["a"], ["b"], ["c"], ["d"]], 32),
        border("a word of no pieces, such as a control sign", [1, 2, 3], [["a"], [], ["b", "##c"]], 32),
        border(
            "words whose label is unknown already", [IGNORE_INDEX, 1, IGNORE_INDEX], [["a"], ["b", "##c"], ["d"]], 32
        ),
        border("no words", [], [], 32),
        border("room for the special tokens only, no more", [1, 2], [["a"], ["b"]], 2),
        case("cut where a word ends", [1, 2, 3], [["a", "##b"], ["c"], ["d", "##e"]], 5),
        border("just enough room", [1, 2], [["a", "##b"], ["c"]], 5),
        border("one piece too many", [1, 2], [["a", "##b"], ["c"]], 4),
        border("room for one piece", [1, 2], [["a", "##b"], ["c"]], 3),
        border("words of no pieces at the beginning and at the end", [4, 1, 2], [[], ["a", "##b"], []], 32),
        border("words of no pieces, and a row that is cut", [4, 1, 3, 2], [[], ["a"], [], ["b", "##c"]], 4),
        border("only words of no pieces", [4, 1], [[], []], 32),
        border("no words and no room", [], [], 2),
        border("words whose later piece is the same as the first", [1, 2], [["ha", "ha"], ["ha", "ha"]], 32),
    ]


SLIPS = mistakes("""
every_piece: "Return a label for each position of the row [CLS] pieces [SEP]"
    [label] + [-100] * (len(cut) - 1) => [label] * len(cut)
  Every piece got the word's label, so that a word of five pieces counts five times. Only the first has it.
last_piece
    [label] + [-100] * (len(cut) - 1) => [-100] * (len(cut) - 1) + [label]
  The label stands on the last piece of a word. It belongs on the first; the rest are -100.
cut_the_end: "of the row, [CLS] and [SEP] included"
    [-100, *inner[: max_length - 2], -100] => [-100, *inner, -100][:max_length]
  The finished row was cut, and [SEP] lost its -100. Cut the pieces to max_length - 2 first.
empty_word: "for each word the list of its pieces, which may be empty"
    if cut: => if True:
  A word of no pieces does not appear in the model's row, so its label must not either.
one_too_many: "of the row, [CLS] and [SEP] included"
    max_length - 2 => max_length - 1
  Only one of the two special tokens was taken off max_length. [CLS] and [SEP] leave room for max_length - 2 pieces.
one_too_few
    max_length - 2 => max(0, max_length - 3)
  One piece too many was cut off. [CLS] and [SEP] leave room for max_length - 2 pieces.
whole_words_only
    if cut: => if len(inner) + len(cut) > max_length - 2:
    |            break
    |        if cut:
  A word that fits only in part was left out. Pieces are cut off wherever the room ends, in the middle of a word too.
a_label_for_nothing: "for each word the list of its pieces, which may be empty"
    if cut: => inner += [] if cut else [-100]
    |        if cut:
  A word of no pieces was given a -100. It does not appear in the row at all, so it gives nothing.
by_the_hashes
    [label] + [-100] * (len(cut) - 1) => [-100 if piece.startswith("##") else label for piece in cut]
  Pieces were told by their ##. What counts is where a piece stands: the first of its word has the label, even if it
  begins with ##.
length_of_the_pieces
    max_length - 2 => max_length
  max_length was taken for the number of pieces. It is that of the row, [CLS] and [SEP] included: two pieces fewer.
""")
HINTS = hints("""
- Go through labels and pieces together and build one list; [CLS] and [SEP] come around it at the end.
- A word of n pieces gives its label once and -100 n - 1 times; a word of no pieces gives nothing.
- for label, cut in zip(labels, pieces): if cut: inner += [label] + [-100] * (len(cut) - 1). Then [-100,
  *inner[:max_length - 2], -100].
""")
task = Task(label_pieces, points=2, difficulty=2, minutes=15, cases=cases, slips=SLIPS, hints=HINTS)
