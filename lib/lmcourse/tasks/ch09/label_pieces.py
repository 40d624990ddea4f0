"""Exercise `label_pieces`."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch09.shared import IGNORE


def label_pieces(labels, pieces, max_length):
    """Return a label for each place of the row [CLS] pieces [SEP].

    Args:
        labels: one int a word.
        pieces: for each word the list of its pieces.
        max_length: of the row, at least 2.

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
        border("words whose label is unknown already", [IGNORE, 1, IGNORE], [["a"], ["b", "##c"], ["d"]], 32),
        border("no words", [], [], 32),
        border("room for the special tokens only, no more", [1, 2], [["a"], ["b"]], 2),
    ]


def _label_by_flags(labels: Sequence[int], pieces: Pieces, max_length: int) -> list[int]:
    flat = [label if first else -100 for label, cut in zip(labels, pieces, strict=True)
            for first in [True] * bool(cut) + [False] * (len(cut) - 1)]  # fmt: skip
    return [-100, *flat[: max(0, max_length - 2)], -100]


def _label_by_places(labels: Sequence[int], pieces: Pieces, max_length: int) -> list[int]:
    ends = np.cumsum([0] + [len(cut) for cut in pieces])
    row = np.full(int(ends[-1]), -100)
    for start, end, label in zip(ends[:-1], ends[1:], labels, strict=True):
        if end > start:
            row[start] = label
    return [-100, *row[: max_length - 2].tolist(), -100]


def _label_wrong(labels: Sequence[int], pieces: Pieces, max_length: int, *, how: str) -> list[int]:
    if how == "every_piece":
        inner = [label for label, cut in zip(labels, pieces, strict=True) for _ in cut]
        return [IGNORE, *inner[: max_length - 2], IGNORE]
    if how == "last_piece":
        inner = [x for label, cut in zip(labels, pieces, strict=True) if cut
                 for x in [*[IGNORE] * (len(cut) - 1), label]]  # fmt: skip
        return [IGNORE, *inner[: max_length - 2], IGNORE]
    if how == "by_word":
        return [IGNORE, *list(labels)[: max_length - 2], IGNORE]
    whole = label_pieces(labels, pieces, 10_000)
    if how == "no_cls":
        return label_pieces(labels, pieces, max_length)[1:]
    if how == "cut_the_end":
        return whole[:max_length]
    if how == "no_cut":
        return whole
    if how == "zeros":
        return [0 if label == IGNORE else label for label in label_pieces(labels, pieces, max_length)]
    inner = []  # an empty word keeps its label
    for label, cut in zip(labels, pieces, strict=True):
        inner += [label, *[IGNORE] * (len(cut) - 1)]
    return [IGNORE, *inner[: max_length - 2], IGNORE]


task = Task(
    label_pieces,
    points=2,
    difficulty=2,
    minutes=15,
    cases=cases,
    slips=(
        Slip(
            "every_piece",
            partial(_label_wrong, how="every_piece"),
            "Every piece got the word's label, so that a word of five pieces counts five times. Only the first has it.",
        ),
        Slip(
            "last_piece",
            partial(_label_wrong, how="last_piece"),
            "The label stands on the last piece of a word. It belongs on the first; the rest are -100.",
        ),
        Slip(
            "by_word",
            partial(_label_wrong, how="by_word"),
            "This is one label a word. The model sees pieces: after the label come as many -100 as the word has "
            "further pieces.",
        ),
        Slip(
            "no_cls",
            partial(_label_wrong, how="no_cls"),
            "[CLS] stands in front and needs a place too, with -100; without it all labels are off by one.",
        ),
        Slip(
            "cut_the_end",
            partial(_label_wrong, how="cut_the_end"),
            "The finished row was cut, and [SEP] lost its -100. Cut the pieces to max_length - 2 first.",
        ),
        Slip(
            "no_cut",
            partial(_label_wrong, how="no_cut"),
            "The row is longer than max_length. Keep the first max_length - 2 pieces.",
        ),
        Slip(
            "zeros",
            partial(_label_wrong, how="zeros"),
            "Places that must not count have the label 0, which is a class. They are -100.",
        ),
        Slip(
            "empty_word",
            partial(_label_wrong, how="empty_word"),
            "A word of no pieces does not appear in the model's row, so its label must not either.",
        ),
    ),
    alternatives=(_label_by_flags, _label_by_places),
    hints=(
        "Go through labels and pieces together and build one list; [CLS] and [SEP] come around it at the end.",
        "A word of n pieces gives its label once and -100 n - 1 times; a word of no pieces gives nothing.",
        "for label, cut in zip(labels, pieces): if cut: inner += [label] + [-100] * (len(cut) - 1). Then "
        "[-100, *inner[:max_length - 2], -100].",
    ),
)
