"""Exercise `alignment_share`."""

from collections.abc import Sequence

import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch04.shared import generator_of


def alignment_share(weights, gold):
    """Return the share of target words whose largest weight is on a source word that they come from.

    Args:
        weights: (T, S), a row for each target word, T may be 0. No row has two largest weights.
        gold: a list of T entries: the right positions in the source, a list of int from 0 up; None or an empty list for
            a target word that comes from nowhere.

    Returns:
        A float from 0 to 1, over the target words that come from somewhere.

    Raises:
        ValueError: no target word comes from anywhere.

    >>> alignment_share(torch.tensor([[0.2, 0.8], [0.6, 0.4], [0.9, 0.1]]), [[1], None, [1]])
    0.5
    """
    best = weights.argmax(-1).tolist()
    hits = [best[t] in positions for t, positions in enumerate(gold) if positions]
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
            positions = [int(best[t]), int(other[t, 0])] if t % 3 else [(int(best[t]) + 1) % S]
            gold.append(None if t % 5 == 4 else sorted(set(positions)))
        return weights, gold

    worked = torch.tensor([[0.2, 0.8], [0.6, 0.4], [0.9, 0.1]])
    all_right = torch.eye(5)
    three = torch.tensor([[0.4, 0.35, 0.25], [0.1, 0.3, 0.6], [0.2, 0.5, 0.3]])
    return [
        case("the worked example", worked, [[1], None, [1]]),
        case("13 target words, 11 source words", *draw(13, 11)),
        case("7 target words, 17 source words", *draw(7, 17)),
        case("all right", all_right, [[0], [1, 2], [2], None, [4]]),
        case("all wrong", all_right, [[1], [2, 3], [0], None, [0, 1]]),
        case("as many target words as source words, two of three right", three, [[1, 0], [1], [1, 2]]),
        case("the first word comes from nowhere", three, [None, [2], [0]]),
        case("the last of several positions is the right one", three, [[2, 1, 0], [0, 1, 2], [2]]),
        case("weights that do not sum to 1", 10 * three, [[0], [0], [1]]),
        border("23 target words, weights that are nearly equal", *draw(23, 19, 0.4)),
        border("one target word", torch.tensor([[0.3, 0.5, 0.2]]), [[0, 1]]),
        border(
            "two weights that are equal in float32", torch.tensor([[0.3, 0.3 + 1e-10, 0.2]], dtype=torch.float64), [[0]]
        ),
        border("a position named twice", three, [[0, 0], [0], [0]]),
        border("one source word", torch.ones(3, 1), [[0], None, [0]]),
        border("words that come from source word 0", three, [[0], [0], None]),
        border("no position named, which counts as nowhere", worked, [[], [0], [1]]),
        border("no position named, nor None", worked, [[], None, [0]]),
        case("words that come from nowhere only", worked, [None, None, None]),
        border("no position named at all", worked, [[], None, []]),
        border("no target words", torch.zeros(0, 3), []),
    ]


def _share_by_tensor(weights: Tensor, gold: Gold) -> float:
    known = torch.tensor([bool(positions) for positions in gold])
    if not known.any():
        raise ValueError("nothing to count")
    right = torch.zeros_like(weights, dtype=torch.bool)
    for t, positions in enumerate(gold):
        right[t, list(positions or [])] = True
    return right.gather(-1, weights.argmax(-1, keepdim=True))[:, 0][known].double().mean().item()


def _share_by_loop(weights: Tensor, gold: Gold) -> float:
    hits, words = 0, 0
    for row, positions in zip(weights, gold, strict=True):
        if positions is not None and len(positions) > 0:
            words += 1
            hits += int(torch.argmax(row)) in set(positions)
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
            (
                "best[t] in positions for t, positions in enumerate(gold) if positions",
                "best[t] in (positions or ()) for t, positions in enumerate(gold)",
            ),
            "Words that come from nowhere, such as und, were counted as wrong. They have no right position: leave "
            "them out.",
        ),
        Slip(
            "links_counted_right",
            (
                "best[t] in positions for t, positions in enumerate(gold) if positions",
                "not positions or best[t] in positions for t, positions in enumerate(gold)",
            ),
            "Words that come from nowhere, such as und, were counted as right. They have no right position: leave "
            "them out.",
        ),
        Slip(
            "empty_lists_counted",
            ("if positions]", "if positions is not None]"),
            "Words with None were left out, but those with an empty list were counted as wrong. Both come from "
            "nowhere.",
        ),
        Slip(
            "divided_by_all",
            ("/ len(hits)", "/ len(gold)"),
            "The hits were divided by the number of all target words. Divide by the number of those that come from "
            "somewhere.",
        ),
        Slip(
            "first_position_only",
            ("in positions for", "== positions[0] for"),
            "Only the first of several right positions was accepted. Onze in quatre vingt onze comes from ninety and "
            "from one: either will do.",
        ),
        Slip(
            "last_position_only",
            ("in positions for", "== positions[-1] for"),
            "Only the last of several right positions was accepted. Onze in quatre vingt onze comes from ninety and "
            "from one: either will do.",
        ),
        Slip(
            "words_with_one_position_only",
            ("if positions]", "if positions and len(positions) == 1]"),
            "Words with several right positions were left out. They count: the largest weight may lie on any of them.",
        ),
        Slip(
            "position_zero_left_out",
            ("if positions]", "if positions and any(positions)]"),
            "A word that comes from source word 0 was left out, since 0 counts as false. Ask whether the list is "
            "empty.",
        ),
        Slip(
            "positions_from_one",
            ("best[t] in", "best[t] + 1 in"),
            "The positions were counted from 1. They begin with 0, as argmax gives them.",
        ),
        Slip(
            "positions_counted",
            ("sum(hits) / len(hits)", "sum(hits) / sum(len(positions) for positions in gold if positions)"),
            "The hits were divided by the number of right positions. Each target word counts once, however many it "
            "has.",
        ),
        Slip(
            "rows_of_others",
            (
                "for t, positions in enumerate(gold) if positions",
                "for t, positions in enumerate([positions for positions in gold if positions])",
            ),
            "After the words from nowhere were left out, the others were compared with the wrong rows. Keep each "
            "entry of gold with its row.",
        ),
        Slip(
            "weight_on_the_right_position",
            ("best[t] in positions for", "float(weights[t, positions].sum()) for"),
            "This is the mean weight on the right positions. Asked is how often the largest weight lies on one.",
        ),
        Slip(
            "over_the_targets",
            (
                "hits = [",
                "columns = weights.argmax(0).tolist() if len(weights) else []\n"
                "    hits = [any(columns[j] == t for j in positions) for t, positions in enumerate(gold) if "
                "positions]\n"
                "    gold = gold if hits else []\n"
                "    hits = hits or [",
            ),
            "For each source word the target word with the largest weight was looked up. It is the other way: each "
            "row, a target word, looks along its source words.",
        ),
        Slip(
            "smallest",
            ("argmax(-1)", "argmin(-1)"),
            "The smallest weight of each row was looked for. Take the largest: argmax.",
        ),
        Slip(
            "more_than_half",
            ("best[t] in positions for", "float(weights[t, positions].max()) > 0.5 for"),
            "A weight counted only when it was above one half. The largest of the row counts, however large it is.",
        ),
        Slip(
            "a_count",
            ("sum(hits) / len(hits)", "float(sum(hits))"),
            "This is the number of hits. A share is asked for: divide by the number of words that come from somewhere.",
        ),
        Slip(
            "zero_for_nothing",
            ("if not hits:\n        raise", "if not hits:\n        return 0.0\n        raise"),
            "With no word to count this says 0. A share of nothing is not 0: raise ValueError.",
        ),
        Slip(
            "unchecked",
            ("if not hits:", "if False:"),
            "Where no word comes from anywhere this divides by 0. Raise ValueError before.",
        ),
    ),
    alternatives=(_share_by_tensor, _share_by_loop),
    hints=(
        "Row t is target word t. Where is its largest weight, and is that one of the positions in gold[t]?",
        "best = weights.argmax(-1).tolist(). Keep only the t for which gold[t] names a position, and take the share of "
        "those with best[t] in gold[t].",
        "hits = [best[t] in positions for t, positions in enumerate(gold) if positions]; raise ValueError if hits is "
        "empty; return sum(hits) / len(hits)",
    ),
)
