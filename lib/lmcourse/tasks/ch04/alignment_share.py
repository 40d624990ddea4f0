"""Exercise `alignment_share`."""

from collections.abc import Sequence
from functools import partial

import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch04.shared import generator_of


def alignment_share(weights, gold):
    """Return the share of target words whose largest weight is on a source word that they come from.

    Args:
        weights: (T, S), a row for each target word.
        gold: a list of T entries: the right places in the source, a list of int; None or an empty list for a target
            word that comes from nowhere.

    Returns:
        A float from 0 to 1, over the target words that come from somewhere.

    Raises:
        ValueError: no target word comes from anywhere.

    >>> alignment_share(torch.tensor([[0.2, 0.8], [0.6, 0.4], [0.9, 0.1]]), [[1], None, [1]])
    0.5
    """
    best = weights.argmax(-1).tolist()
    hits = [best[t] in places for t, places in enumerate(gold) if places]
    if not hits:
        raise ValueError("`gold` must name a source word for at least one target word.")
    return sum(hits) / len(hits)


Gold = Sequence[Sequence[int] | None]


def cases(seed: int) -> list[Case]:
    generator = generator_of(seed)

    def draw(T: int, S: int, sharpness: float = 3.0) -> tuple[Tensor, list[list[int] | None]]:
        weights = (sharpness * torch.randn(T, S, generator=generator)).softmax(-1)
        best, other = weights.argmax(-1), torch.randint(S, (T, 2), generator=generator)
        gold: list[list[int] | None] = []
        for t in range(T):
            places = [int(best[t]), int(other[t, 0])] if t % 3 else [(int(best[t]) + 1) % S]
            gold.append(None if t % 5 == 4 else sorted(set(places)))
        return weights, gold

    worked = torch.tensor([[0.2, 0.8], [0.6, 0.4], [0.9, 0.1]])
    all_right = torch.eye(5)
    return [
        case("the worked example", worked, [[1], None, [1]]),
        case("13 target words, 11 source words", *draw(13, 11)),
        case("7 target words, 17 source words", *draw(7, 17)),
        border("23 target words, weights that are nearly equal", *draw(23, 19, 0.4)),
        case("all right", all_right, [[0], [1, 2], [2], None, [4]]),
        border("one target word", torch.tensor([[0.3, 0.5, 0.2]]), [[0, 1]]),
        case("words that come from nowhere only", worked, [None, None, None]),
        border("no place named, which counts as nowhere", worked, [[], [0], [1]]),
    ]


def _share_wrong(weights: Tensor, gold: Gold, *, how: str) -> float:
    best = weights.argmax(-1).tolist()
    if not any(gold):
        if how == "zero":
            return 0.0
        raise ValueError("nothing to count")
    known = [(t, list(places)) for t, places in enumerate(gold) if places]
    if how == "links_counted":
        return sum(best[t] in (places or ()) for t, places in enumerate(gold)) / len(gold)
    if how == "links_right":
        return sum(best[t] in (places or (best[t],)) for t, places in enumerate(gold)) / len(gold)
    if how == "first_place":
        return sum(best[t] == places[0] for t, places in known) / len(known)
    if how == "mass":
        return float(sum(weights[t, places].sum() for t, places in known) / len(known))
    if how == "over_targets":
        columns = weights.argmax(0).tolist()
        return sum(any(columns[j] == t for j in places) for t, places in known) / len(known)
    if how == "half":
        return sum(float(weights[t, places].max()) > 0.5 for t, places in known) / len(known)
    return sum(best[t] in places for t, places in known) / len(known)  # "zero"


def _share_by_tensor(weights: Tensor, gold: Gold) -> float:
    known = torch.tensor([bool(places) for places in gold])
    if not known.any():
        raise ValueError("nothing to count")
    right = torch.zeros_like(weights, dtype=torch.bool)
    for t, places in enumerate(gold):
        right[t, list(places or [])] = True
    return right.gather(-1, weights.argmax(-1, keepdim=True))[:, 0][known].double().mean().item()


def _share_by_loop(weights: Tensor, gold: Gold) -> float:
    hits, words = 0, 0
    for row, places in zip(weights, gold, strict=True):
        if places is not None and len(places) > 0:
            words += 1
            hits += int(torch.argmax(row)) in set(places)
    if words == 0:
        raise ValueError("no words")
    return hits / words


task = Task(
    alignment_share,
    points=2,
    difficulty=2,
    minutes=15,
    cases=cases,
    slips=(
        Slip(
            "links_counted_wrong",
            partial(_share_wrong, how="links_counted"),
            "Words that come from nowhere (None), such as und, were counted as wrong. They have no right place: leave "
            "them out.",
        ),
        Slip(
            "links_counted_right",
            partial(_share_wrong, how="links_right"),
            "Words that come from nowhere (None), such as und, were counted as right. They have no right place: leave "
            "them out.",
        ),
        Slip(
            "first_place_only",
            partial(_share_wrong, how="first_place"),
            "Only the first of several right places was accepted. Onze in quatre vingt onze comes from ninety and from "
            "one: either will do.",
        ),
        Slip(
            "weight_on_the_right_place",
            partial(_share_wrong, how="mass"),
            "This is the mean weight on the right places. Asked is how often the largest weight lies on one.",
        ),
        Slip(
            "over_the_targets",
            partial(_share_wrong, how="over_targets"),
            "For each source word the target word with the largest weight was looked up. It is the other way: each "
            "row, a target word, looks along its source words.",
        ),
        Slip(
            "more_than_half",
            partial(_share_wrong, how="half"),
            "A weight counted only when it was above one half. The largest of the row counts, however large it is.",
        ),
        Slip(
            "zero_for_nothing",
            partial(_share_wrong, how="zero"),
            "With no word to count this says 0. A share of nothing is not 0: raise ValueError.",
        ),
    ),
    alternatives=(_share_by_tensor, _share_by_loop),
    hints=(
        "Row t is target word t. Where is its largest weight, and is that one of the places in gold[t]?",
        "best = weights.argmax(-1).tolist(). Keep only the t for which gold[t] names a place, and take the share of "
        "those with best[t] in gold[t].",
        "hits = [best[t] in places for t, places in enumerate(gold) if places]; raise ValueError if hits is empty; "
        "return sum(hits) / len(hits)",
    ),
)
