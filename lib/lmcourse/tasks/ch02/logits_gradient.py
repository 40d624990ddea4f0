"""Exercise `logits_gradient`."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch02.shared import softmax_rows


def logits_gradient(scores, targets):
    """Return the gradient of the mean cross-entropy with respect to the scores.

    Args:
        scores: an array of float64, shape (B, V); entries may be as large as 1000.
        targets: for each row the number of the word that came, a list of B ints.

    Returns:
        An array of float64, shape (B, V).

    Raises:
        ValueError: there are no rows, or not as many targets as rows.

    >>> logits_gradient(np.log(np.array([[2.0, 5.0, 3.0]])), [1]).round(6).tolist()
    [[0.2, -0.5, 0.3]]
    """
    if len(scores) == 0 or len(scores) != len(targets):
        raise ValueError(f"as many targets as rows, got {len(targets)} and {len(scores)}.")
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    gradient = powers / powers.sum(axis=1, keepdims=True)
    gradient[np.arange(len(targets)), targets] -= 1
    return gradient / len(targets)


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def targets(n_rows: int, n_words: int) -> list[int]:
        return [int(target) for target in rng.integers(0, n_words, size=n_rows)]

    return [
        case("the worked example", np.log(np.array([[2.0, 5.0, 3.0]])), [1]),
        case("three rows of seven scores", rng.normal(size=(3, 7)), targets(3, 7)),
        case("as many rows as scores", rng.normal(size=(5, 5)), targets(5, 5)),
        case("the same target in every row", rng.normal(size=(5, 3)), [2] * 5),
        border("equal scores", np.full((2, 5), float(rng.normal())), targets(2, 5)),
        border("one row", rng.normal(size=(1, 11)), targets(1, 11)),
        border("one score a row: nothing to learn", rng.normal(size=(3, 1)), [0, 0, 0]),
        border("scores near 1,000, where exp overflows", 1000 + rng.normal(size=(2, 3)), targets(2, 3)),
        border("no rows", np.zeros((0, 3)), []),
        case("fewer targets than rows", rng.normal(size=(3, 5)), [1, 2]),
    ]


def _gradient_wrong(scores: np.ndarray, targets: Sequence[int], *, how: str) -> np.ndarray:
    right = logits_gradient(scores, targets)
    B, V = scores.shape
    one_hot = np.eye(V)[list(targets)]
    with np.errstate(all="ignore"):
        return {
            "sign": lambda: -right,
            "summed": lambda: right * B,
            "mean_of_all": lambda: right / V,
            "probabilities": lambda: right + one_hot / B,
            "scores": lambda: (scores - one_hot) / B,
            "target_only": lambda: right * one_hot,
            "one_row": lambda: right.sum(axis=0),
            "overflow": lambda: (np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True) - one_hot) / B,
            "over_rows": lambda: (softmax_rows(scores.T).T - one_hot) / B,
        }[how]()


def _gradient_by_loops(scores: np.ndarray, targets: Sequence[int]) -> np.ndarray:
    rows = [np.exp(row - max(row)) / np.exp(row - max(row)).sum() for row in scores]
    for row, target in zip(rows, targets, strict=True):
        row[target] -= 1
    if not rows:
        raise ValueError("no rows")
    return np.stack(rows) / len(rows)


def _gradient_by_one_hot(scores: np.ndarray, targets: Sequence[int]) -> np.ndarray:
    if not len(targets) or len(targets) - len(scores):
        raise ValueError("sizes")
    log_total = np.logaddexp.reduce(scores, axis=1)
    return (np.exp(scores - log_total[:, None]) - np.identity(scores.shape[1])[list(targets)]) / len(scores)


task = Task(
    logits_gradient,
    points=3,
    difficulty=2,
    minutes=15,
    cases=cases,
    compare=Compare(rtol=1e-7, atol=1e-12),
    slips=(
        Slip(
            "sign",
            partial(_gradient_wrong, how="sign"),
            "This is y - p, the direction in which the loss falls. The gradient points uphill: p - y.",
        ),
        Slip(
            "summed",
            partial(_gradient_wrong, how="summed"),
            "This is the gradient of the sum of the losses. The loss is their mean over the B rows: divide by B.",
        ),
        Slip(
            "mean_of_all",
            partial(_gradient_wrong, how="mean_of_all"),
            "The division is by all entries. The loss is a mean over the rows, so divide by the number of rows only.",
        ),
        Slip(
            "probabilities",
            partial(_gradient_wrong, how="probabilities"),
            "These are the probabilities, divided by B. At the word that came, 1 has to be taken off.",
        ),
        Slip(
            "scores",
            partial(_gradient_wrong, how="scores"),
            "The scores themselves were compared with the one-hot rows. Turn them into probabilities first (softmax).",
        ),
        Slip(
            "target_only",
            partial(_gradient_wrong, how="target_only"),
            "Only the word that came has a gradient here. All other scores take part too, in the sum below the "
            "softmax: each is pushed down by its probability.",
        ),
        Slip(
            "one_row",
            partial(_gradient_wrong, how="one_row"),
            "The rows were added up. Every row of scores has its own gradient: the result has the shape of `scores`.",
        ),
        Slip(
            "over_rows",
            partial(_gradient_wrong, how="over_rows"),
            "The softmax was taken down the columns. Each row is one distribution: sum over axis=1.",
        ),
        Slip(
            "overflow",
            partial(_gradient_wrong, how="overflow"),
            "Right on paper, but exp(1000) is infinite in a computer. Subtract each row's largest score first.",
        ),
    ),
    alternatives=(_gradient_by_loops, _gradient_by_one_hot),
    hints=(
        "The result of chapter 02: probabilities minus the one-hot row of the word that came, for each row.",
        "p = softmax of each row, after subtracting the row's maximum. p[np.arange(B), targets] picks one entry a row.",
        "e = np.exp(scores - scores.max(axis=1, keepdims=True)); p = e / e.sum(axis=1, keepdims=True); "
        "p[np.arange(B), targets] -= 1; return p / B",
    ),
)
