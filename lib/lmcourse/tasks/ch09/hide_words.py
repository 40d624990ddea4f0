"""Exercise `hide_words`."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch09.shared import IGNORE, Row, TwoLists


def hide_words(ids, chance, lot, drawn, mask_id, special_ids):
    """Return a row with some tokens hidden, and what is to be guessed.

    Args:
        ids: T token ids, a list of int; it may be empty.
        chance, lot: T numbers from 0 to 1 each.
        drawn: T random token ids.
        mask_id: id of [MASK].
        special_ids: ids that are never chosen.

    Returns:
        inputs and labels, two lists of T ints.

    >>> chance, lot = [0.1, 0.1, 0.1, 0.1, 0.9, 0.1], [0.1, 0.5, 0.85, 0.95, 0.1, 0.1]
    >>> hide_words([2, 17, 18, 19, 20, 3], chance, lot, [7] * 6, 4, [0, 2, 3, 4])
    ([2, 4, 7, 19, 20, 3], [-100, 17, 18, 19, -100, -100])
    """
    inputs, labels = list(ids), [-100] * len(ids)
    for t, word in enumerate(ids):
        if chance[t] < 0.15 and word not in special_ids:
            labels[t] = word
            if lot[t] < 0.8:
                inputs[t] = mask_id
            elif lot[t] < 0.9:
                inputs[t] = drawn[t]
    return inputs, labels


Dice = Sequence[float]


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(label: str, n: int, *, high: float = 1.0, special_tokens: Sequence[int] = (0, 2, 3)) -> Case:
        ids = [int(i) for i in rng.integers(0, 41, n)]
        chance, lot = rng.uniform(0, high, n).round(3).tolist(), rng.uniform(0, 1, n).round(3).tolist()
        drawn = [int(i) for i in rng.integers(5, 41, n)]
        return case(label, ids, chance, lot, drawn, 4, list(special_tokens))

    few = [int(i) for i in rng.integers(10, 30, 7)]
    return [
        case("the worked example", [2, 17, 18, 19, 20, 3], [0.1, 0.1, 0.1, 0.1, 0.9, 0.1],
             [0.1, 0.5, 0.85, 0.95, 0.1, 0.1], [7, 7, 7, 7, 7, 7], 4, [0, 2, 3, 4]),
        draw("a long row", 211),
        draw("a row in which many are chosen", 61, high=0.2),
        draw("no special tokens", 53, high=0.18, special_tokens=()),
        border("numbers that are exactly at the border", few, [0.15, 0.1, 0.1, 0.1, 0.0, 0.149, 0.151],
             [0.5, 0.8, 0.9, 0.799, 0.0, 0.899, 0.1], [31, 32, 33, 34, 35, 36, 37], 4, [0, 2, 3]),
        case("a drawn word that is the same", few[:3], [0.1, 0.1, 0.9], [0.85, 0.3, 0.85], few[:3], 4, [0]),
        case("only special tokens", [2, 3, 0, 0], [0.0] * 4, [0.5] * 4, [9] * 4, 4, [0, 2, 3]),
        border("an empty row", [], [], [], [], 4, [0]),
    ]  # fmt: skip


def _hide_by_array(ids: Row, chance: Dice, lot: Dice, drawn: Row, mask_id: int, special_ids: Row) -> TwoLists:
    row, lots = np.array(ids, dtype=int), np.array(lot, dtype=float)
    chosen = (np.array(chance, dtype=float) < 0.15) & ~np.isin(row, np.array(special_ids, dtype=int))
    shown = np.where(chosen & (lots < 0.8), mask_id, row)
    shown = np.where(chosen & (lots >= 0.8) & (lots < 0.9), np.array(drawn, dtype=int), shown)
    return shown.tolist(), np.where(chosen, row, -100).tolist()


def _hide_by_zip(ids: Row, chance: Dice, lot: Dice, drawn: Row, mask_id: int, special_ids: Row) -> TwoLists:
    def one(word: int, p: float, q: float, other: int) -> tuple[int, int]:
        if p >= 0.15 or word in set(special_ids):
            return word, -100
        return (mask_id if q < 0.8 else other if q < 0.9 else word), word

    done = [one(*parts) for parts in zip(ids, chance, lot, drawn, strict=True)]
    return [shown for shown, _ in done], [label for _, label in done]


def _hide_wrong(ids: Row, chance: Dice, lot: Dice, drawn: Row, mask_id: int, special_ids: Row, *, how: str) -> TwoLists:
    special: Row = () if how == "specials_too" else special_ids
    if how == "swapped":
        lot = [q - 0.1 if q >= 0.9 else q + 0.1 if q >= 0.8 else q for q in lot]
    if how == "always_mask":
        lot = [0.0] * len(lot)
    if how == "of_all":  # 80 % of all, not of the chosen
        lot = [0.0 if p < 0.12 else 0.85 if p < 0.135 else 0.95 for p in chance]
    inputs, labels = hide_words(ids, chance, lot, drawn, mask_id, special)
    if how == "labels_everywhere":
        labels = list(ids)
    if how == "only_changed":
        labels = [IGNORE if shown == word else word for shown, word in zip(inputs, ids, strict=True)]
    if how == "labels_from_inputs":
        labels = [shown if label != IGNORE else IGNORE for shown, label in zip(inputs, labels, strict=True)]
    if how == "zero":
        labels = [0 if label == IGNORE else label for label in labels]
    return inputs, labels


task = Task(
    hide_words,
    points=3,
    difficulty=2,
    minutes=15,
    cases=cases,
    slips=(
        Slip(
            "specials_too",
            partial(_hide_wrong, how="specials_too"),
            "A special token was chosen. [CLS], [SEP] and padding are never hidden: there is nothing to guess.",
        ),
        Slip(
            "labels_everywhere",
            partial(_hide_wrong, how="labels_everywhere"),
            "Every place has a label. Only the chosen ones may teach; all others are -100.",
        ),
        Slip(
            "only_changed",
            partial(_hide_wrong, how="only_changed"),
            "A chosen token that stays as it is has lost its label. It is to be guessed too, or the 10 % that stay "
            "would teach nothing.",
        ),
        Slip(
            "labels_from_inputs",
            partial(_hide_wrong, how="labels_from_inputs"),
            "The label is what stands there after hiding. It has to be the token that was there before.",
        ),
        Slip(
            "zero",
            partial(_hide_wrong, how="zero"),
            "Places that are not chosen got the label 0, which is a token. Use -100, which the loss leaves out.",
        ),
        Slip(
            "always_mask",
            partial(_hide_wrong, how="always_mask"),
            "All chosen tokens became [MASK]. Only a lot below 0.8 does that; up to 0.9 a drawn word; the rest stay.",
        ),
        Slip(
            "swapped",
            partial(_hide_wrong, how="swapped"),
            "The last two tenths are exchanged: from 0.8 to 0.9 comes the drawn word, from 0.9 on the token stays.",
        ),
        Slip(
            "of_all",
            partial(_hide_wrong, how="of_all"),
            "What happens to a chosen token was read from `chance`. It has a number of its own, `lot`.",
        ),
    ),
    alternatives=(_hide_by_array, _hide_by_zip),
    hints=(
        "Start from a copy of ids and a list of -100. A place is chosen if its chance is below 0.15 and its token is "
        "not special.",
        "At a chosen place the label is the old token, whatever happens to the input. Then look at lot.",
        "labels[t] = ids[t]; if lot[t] < 0.8: inputs[t] = mask_id; elif lot[t] < 0.9: inputs[t] = drawn[t]",
    ),
)
