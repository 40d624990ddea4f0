"""Exercise `f1_of_tags`."""

from collections.abc import Sequence

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.layers.losses import IGNORE_INDEX


def f1_of_tags(said, wanted):
    """Return the F1 score of tag 1, from 0 to 1.

    Args:
        said: the model's tags, a list of 0 and 1; it may be empty.
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
        wanted[rng.uniform(size=n) < unknown] = IGNORE_INDEX
        wanted[:4], said[:4] = [1, 1, 0, IGNORE_INDEX], [1, 0, 1, 1]
        return case(label, said.tolist(), wanted.tolist())

    return [
        case("the worked example", [1, 1, 0, 0, 1], [1, 0, 1, 0, IGNORE_INDEX]),
        draw("some tags", 53, 0.4, 0.2),
        draw("rare tags", 211, 0.1, 0.3),
        draw("more tags than not", 31, 0.8, 0.1),
        border("nothing is said to be a name, no hits", [0] * 7, [1, 0, 0, 1, 0, 0, 0]),
        border("no names and none said", [0] * 5, [0] * 5),
        border("all positions unknown", [1, 0, 1], [IGNORE_INDEX] * 3),
        border("an empty row", [], []),
        border("all right, the score is 1", [1, 0, 1, 1], [1, 0, 1, 1]),
        case("a fixed row", [1, 1, 1, 0, 0, 1, 0], [1, 0, 1, 1, 0, IGNORE_INDEX, IGNORE_INDEX]),
        border("names said and names there, but no hit", [1, 0, 1, 0], [0, 1, 0, 1]),
        border("names said, and none there", [1, 1, 0], [0, 0, 0]),
        border("everything said to be a name", [1, 1, 1, 1], [1, 0, 0, IGNORE_INDEX]),
        border("one name, found", [1], [1]),
        border("one position, unknown", [1], [IGNORE_INDEX]),
        border("a hit where nothing else is known", [1, 0, 1], [1, IGNORE_INDEX, IGNORE_INDEX]),
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


task = Task(
    f1_of_tags,
    points=2,
    difficulty=2,
    minutes=15,
    cases=cases,
    slips=(
        Slip(
            "with_unknown",
            (" if w != -100", ""),
            "A position whose label is -100 was counted as no name. Nothing is known there: leave it out.",
        ),
        Slip(
            "accuracy",
            (
                "2 * hits / (said_names + names) if said_names + names else 0.0",
                "sum(s == w for s, w in known) / len(known) if known else 0.0",
            ),
            "This is the share of right tags, which is high for a model that never says name. F1 looks at the names.",
        ),
        Slip(
            "precision",
            (
                "2 * hits / (said_names + names) if said_names + names else 0.0",
                "hits / said_names if said_names else 0.0",
            ),
            "This is the precision: right ones among those said. Names that were missed do not lower it.",
        ),
        Slip(
            "recall",
            ("2 * hits / (said_names + names) if said_names + names else 0.0", "hits / names if names else 0.0"),
            "This is the recall: names that were found. Tagging everything as a name would get 1.",
        ),
        Slip(
            "plain_mean",
            (
                "2 * hits / (said_names + names) if said_names + names else 0.0",
                "(hits / max(1, said_names) + hits / max(1, names)) / 2",
            ),
            "This is the plain mean of precision and recall. F1 is the harmonic mean, 2PR / (P + R), low if one of "
            "the two is low.",
        ),
        Slip(
            "product",
            (
                "2 * hits / (said_names + names) if said_names + names else 0.0",
                "hits / max(1, said_names) * hits / max(1, names)",
            ),
            "This is precision times recall. The harmonic mean is 2PR / (P + R).",
        ),
        Slip(
            "other_class",
            (
                ("s == 1 and w == 1", "s == 0 and w == 0"),
                ("sum(s == 1 for", "sum(s == 0 for"),
                ("sum(w == 1 for", "sum(w == 0 for"),
            ),
            "This is the F1 of the words that are no names. Count those with tag 1.",
        ),
        Slip(
            "one_for_nothing",
            ("else 0.0", "else 1.0"),
            "With no names at all, said or wanted, the score is 0 here, by agreement.",
        ),
        Slip(
            "not_twice",
            ("2 * hits", "hits"),
            "The factor 2 is missing: F1 is 2 hits / (said + names). With all tags right it is 1.",
        ),
        Slip(
            "divided_by_zero",
            (" if said_names + names else 0.0", ""),
            "Where nothing was said and nothing was to be found, this divides by 0. The statement sets F1 to 0 then.",
        ),
        Slip(
            "macro",
            (
                "2 * hits / (said_names + names) if said_names + names else 0.0",
                "(2 * hits / max(1, said_names + names)"
                " + 2 * sum(s == w == 0 for s, w in known) / max(1, 2 * len(known) - said_names - names)) / 2",
            ),
            "This is the mean of two F1 scores, of names and of other words. Only tag 1 is asked for.",
        ),
        Slip(
            "jaccard",
            ("2 * hits / (said_names + names)", "hits / (said_names + names - hits)"),
            "Hits were divided by the positions that are a name in either list (the Jaccard index). F1 is 2 hits / "
            "(said + names).",
        ),
    ),
    alternatives=(_f1_by_means, _f1_by_counting),
    hints=(
        "Leave out the positions where wanted is -100. Then three counts: hits, said to be names, names.",
        "P = hits / said, R = hits / names; 2PR / (P + R) is 2 hits / (said + names), which is easier.",
        "return 2 * hits / (said_names + names) if said_names + names else 0.0",
    ),
)
