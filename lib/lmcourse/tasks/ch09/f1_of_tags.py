"""Exercise `f1_of_tags`."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch09.shared import IGNORE


def f1_of_tags(said, wanted):
    """Return the F1 score of tag 1, from 0 to 1.

    Args:
        said: the model's tags, a list of 0 and 1.
        wanted: the right tags, a list of 0, 1 and -100 of the same length.

    Returns:
        A float.

    >>> f1_of_tags([1, 1, 0, 0, 1], [1, 0, 1, 0, -100])
    0.5
    """
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = sum(s == 1 and w == 1 for s, w in known)
    said_names = sum(s == 1 for s, _ in known)
    names = sum(w == 1 for _, w in known)
    return 2 * hits / (said_names + names) if said_names + names else 0.0


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(label: str, n: int, rare: float, unknown: float) -> Case:
        wanted = (rng.uniform(size=n) < rare).astype(int)
        said = np.where(rng.uniform(size=n) < 0.3, 1 - wanted, wanted)
        wanted[rng.uniform(size=n) < unknown] = IGNORE
        wanted[:4], said[:4] = [1, 1, 0, IGNORE], [1, 0, 1, 1]
        return case(label, said.tolist(), wanted.tolist())

    return [
        case("the worked example", [1, 1, 0, 0, 1], [1, 0, 1, 0, IGNORE]),
        draw("some tags", 53, 0.4, 0.2),
        draw("rare tags", 211, 0.1, 0.3),
        draw("more tags than not", 31, 0.8, 0.1),
        border("nothing is said to be a name, no hits", [0] * 7, [1, 0, 0, 1, 0, 0, 0]),
        border("no names and none said", [0] * 5, [0] * 5),
        border("all places unknown", [1, 0, 1], [IGNORE] * 3),
        border("an empty row", [], []),
        border("all right, the score is 1", [1, 0, 1, 1], [1, 0, 1, 1]),
    ]


def _f1_by_means(said: Sequence[int], wanted: Sequence[int]) -> float:
    s, w = np.array(said, dtype=int), np.array(wanted, dtype=int)
    s, w = s[w != -100] == 1, w[w != -100] == 1
    if not (s & w).any():
        return 0.0
    precision, recall = (s & w).sum() / s.sum(), (s & w).sum() / w.sum()
    return float(2 / (1 / precision + 1 / recall))


def _f1_by_counting(said: Sequence[int], wanted: Sequence[int]) -> float:
    table: dict[tuple[int, int], int] = {}
    for pair in zip(said, wanted, strict=True):
        table[pair] = table.get(pair, 0) + 1
    right, wrong, missed = table.get((1, 1), 0), table.get((1, 0), 0), table.get((0, 1), 0)
    return right / (right + (wrong + missed) / 2) if right + wrong + missed else 0.0


def _f1_wrong(said: Sequence[int], wanted: Sequence[int], *, how: str) -> float:
    if how == "with_unknown":
        return f1_of_tags(said, [0 if w == IGNORE else w for w in wanted])
    pairs = [(s, w) for s, w in zip(said, wanted, strict=True) if w != IGNORE]
    hits, claimed, real = sum(s == w == 1 for s, w in pairs), sum(s for s, _ in pairs), sum(w for _, w in pairs)
    if how == "accuracy":
        return sum(s == w for s, w in pairs) / len(pairs) if pairs else 0.0
    if how == "precision":
        return hits / claimed if claimed else 0.0
    if how == "recall":
        return hits / real if real else 0.0
    precision, recall = hits / claimed if claimed else 0.0, hits / real if real else 0.0
    if how == "plain_mean":
        return (precision + recall) / 2
    if how == "product":
        return precision * recall
    if how == "other_class":
        return f1_of_tags([1 - s for s, _ in pairs], [1 - w for _, w in pairs])
    if not claimed + real:
        return 1.0
    return 2 * hits / (claimed + real)


task = Task(
    f1_of_tags,
    points=2,
    difficulty=2,
    minutes=15,
    cases=cases,
    slips=(
        Slip(
            "with_unknown",
            partial(_f1_wrong, how="with_unknown"),
            "A place whose label is -100 was counted as no name. Nothing is known there: leave it out.",
        ),
        Slip(
            "accuracy",
            partial(_f1_wrong, how="accuracy"),
            "This is the share of right tags, which is high for a model that never says name. F1 looks at the names.",
        ),
        Slip(
            "precision",
            partial(_f1_wrong, how="precision"),
            "This is the precision: right ones among those said. Names that were missed do not lower it.",
        ),
        Slip(
            "recall",
            partial(_f1_wrong, how="recall"),
            "This is the recall: names that were found. Tagging everything as a name would get 1.",
        ),
        Slip(
            "plain_mean",
            partial(_f1_wrong, how="plain_mean"),
            "This is the plain mean of precision and recall. F1 is the harmonic mean, 2PR / (P + R), low if one of "
            "the two is low.",
        ),
        Slip(
            "product",
            partial(_f1_wrong, how="product"),
            "This is precision times recall. The harmonic mean is 2PR / (P + R).",
        ),
        Slip(
            "other_class",
            partial(_f1_wrong, how="other_class"),
            "This is the F1 of the words that are no names. Count those with tag 1.",
        ),
        Slip(
            "one_for_nothing",
            partial(_f1_wrong, how="one_for_nothing"),
            "With no names at all, said or wanted, the score is 0 here, by agreement.",
        ),
    ),
    alternatives=(_f1_by_means, _f1_by_counting),
    hints=(
        "Leave out the places where wanted is -100. Then three counts: hits, said to be names, names.",
        "P = hits / said, R = hits / names; 2PR / (P + R) is 2 hits / (said + names), which is easier.",
        "return 2 * hits / (said_names + names) if said_names + names else 0.0",
    ),
)
