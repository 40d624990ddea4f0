"""Exercise `hide_words`."""

from collections.abc import Sequence

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch09.shared import Row, TwoLists


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
        case(
            "the worked example",
            [2, 17, 18, 19, 20, 3],
            [0.1, 0.1, 0.1, 0.1, 0.9, 0.1],
            [0.1, 0.5, 0.85, 0.95, 0.1, 0.1],
            [7, 7, 7, 7, 7, 7],
            4,
            [0, 2, 3, 4],
        ),
        draw("a long row", 211),
        draw("a row in which many are chosen", 61, high=0.2),
        draw("no special tokens", 53, high=0.18, special_tokens=()),
        border(
            "numbers that are exactly at the border",
            few,
            [0.15, 0.1, 0.1, 0.1, 0.0, 0.149, 0.151],
            [0.5, 0.8, 0.9, 0.799, 0.0, 0.899, 0.1],
            [31, 32, 33, 34, 35, 36, 37],
            4,
            [0, 2, 3],
        ),
        case("a drawn word that is the same", few[:3], [0.1, 0.1, 0.9], [0.85, 0.3, 0.85], few[:3], 4, [0]),
        case("only special tokens", [2, 3, 0, 0], [0.0] * 4, [0.5] * 4, [9] * 4, 4, [0, 2, 3]),
        border("an empty row", [], [], [], [], 4, [0]),
        case(
            "every kind of lot, in a fixed order",
            [21, 22, 23, 24, 25, 26],
            [0.01] * 6,
            [0.95, 0.1, 0.85, 0.05, 0.99, 0.88],
            [31, 32, 33, 34, 35, 36],
            4,
            [0, 2, 3],
        ),
        border(
            "a lot for tokens that are not chosen",
            [21, 22, 23],
            [0.2, 0.9, 1.0],
            [0.1, 0.85, 0.95],
            [31, 32, 33],
            4,
            [0],
        ),
        border(
            "the token 0, which is not special here", [0, 0, 0], [0.0, 0.1, 0.5], [0.0, 0.85, 0.1], [9, 8, 7], 4, [2, 3]
        ),
        border(
            "a token that is [MASK] already, and not special",
            [4, 21, 4],
            [0.1, 0.1, 0.1],
            [0.1, 0.1, 0.95],
            [9, 8, 7],
            4,
            [0],
        ),
        border(
            "a special token with every kind of lot", [2, 2, 2], [0.0, 0.1, 0.14], [0.1, 0.85, 0.95], [9, 8, 7], 4, [2]
        ),
        border("one token", [21], [0.0], [0.85], [9], 4, [0]),
        border(
            "a drawn token that is special",
            [21, 22, 23],
            [0.1, 0.1, 0.1],
            [0.85, 0.85, 0.1],
            [4, 0, 9],
            4,
            [0, 2, 3, 4],
        ),
    ]


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


task = Task(
    hide_words,
    points=3,
    difficulty=2,
    minutes=15,
    cases=cases,
    slips=(
        Slip(
            "specials_too",
            (" and word not in special_ids", ""),
            "A special token was chosen. [CLS], [SEP] and padding are never hidden: there is nothing to guess.",
        ),
        Slip(
            "labels_everywhere",
            ("[-100] * len(ids)", "list(ids)"),
            "Every position has a label. Only the chosen ones may teach; all others are -100.",
        ),
        Slip(
            "only_changed",
            ("return inputs, labels", "return inputs, [y if x != y else -100 for x, y in zip(inputs, labels)]"),
            "A chosen token that stays as it is has lost its label. It is to be guessed too, or the 10 % that stay "
            "would teach nothing.",
        ),
        Slip(
            "labels_from_inputs",
            ("return inputs, labels", "return inputs, [x if y != -100 else y for x, y in zip(inputs, labels)]"),
            "The label is what stands there after hiding. It has to be the token that was there before.",
        ),
        Slip(
            "zero",
            ("[-100]", "[0]"),
            "Positions that are not chosen got the label 0, which is a token. Use -100, which the loss leaves out.",
        ),
        Slip(
            "always_mask",
            ("lot[t] < 0.8", "True"),
            "All chosen tokens became [MASK]. Only a lot below 0.8 does that; up to 0.9 a drawn word; the rest stay.",
        ),
        Slip(
            "swapped",
            ("lot[t] < 0.9", "lot[t] >= 0.9"),
            "The last two tenths are exchanged: from 0.8 to 0.9 comes the drawn word, from 0.9 on the token stays.",
        ),
        Slip(
            "of_all",
            (("lot[t] < 0.8", "chance[t] < 0.12"), ("lot[t] < 0.9", "chance[t] < 0.135")),
            "What happens to a chosen token was read from `chance`. It has a number of its own, `lot`.",
        ),
        Slip(
            "stays_unlabelled",
            ("labels[t] = word", "labels[t] = word if lot[t] < 0.9 else -100"),
            "With a lot of 0.9 or more the token stays, but it is chosen all the same: give it its label.",
        ),
        Slip(
            "at_fifteen",
            ("< 0.15", "<= 0.15"),
            "A chance of exactly 0.15 was chosen. It must be below 0.15.",
        ),
        Slip(
            "at_eighty",
            ("< 0.8:", "<= 0.8:"),
            "A lot of exactly 0.8 became [MASK]. Below 0.8 it does; from 0.8 on comes the drawn word.",
        ),
        Slip(
            "at_ninety",
            ("< 0.9:", "<= 0.9:"),
            "With a lot of exactly 0.9 the drawn word was taken. Below 0.9 it is; from 0.9 on the token stays.",
        ),
        Slip(
            "shares_not_sums",
            ("lot[t] < 0.9", "lot[t] < 0.1"),
            "The shares 0.8 and 0.1 were compared one by one. The drawn word comes from 0.8 to below 0.9.",
        ),
        Slip(
            "always_drawn",
            ("lot[t] < 0.9", "True"),
            "No chosen token stays as it is. With a lot of 0.9 or more it does.",
        ),
        Slip(
            "next_drawn",
            ("drawn[t]", "drawn[sum(label != -100 for label in labels) - 1]"),
            "The drawn words were used up one after the other. Position t has one of its own, drawn[t].",
        ),
        Slip(
            "without_the_ends",
            ("word not in special_ids", "0 < t < len(ids) - 1"),
            "The first and the last token were left out, whatever they are. Leave out the tokens whose ids are in "
            "special_ids.",
        ),
        Slip(
            "drawn_asked_too",
            ("lot[t] < 0.8:", "lot[t] < 0.8 or (lot[t] < 0.9 and drawn[t] in special_ids):"),
            "A drawn token was changed because it is special. The drawn token is put in whatever it is.",
        ),
    ),
    alternatives=(_hide_by_array, _hide_by_zip),
    hints=(
        "Start from a copy of ids and a list of -100. A position is chosen if its chance is below 0.15 and its token "
        "is not special.",
        "At a chosen position the label is the old token, whatever happens to the input. Then look at lot.",
        "labels[t] = ids[t]; if lot[t] < 0.8: inputs[t] = mask_id; elif lot[t] < 0.9: inputs[t] = drawn[t]",
    ),
)
