"""Exercise `best_hypothesis`."""

import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case


def best_hypothesis(hypotheses, alpha):
    """Return the hypothesis with the best score under the length penalty, and its score.

    Args:
        hypotheses: a list of pairs (ids, log_prob); `ids` is a list of int, its length is n.
        alpha: 0 or more; 0 leaves the log-probabilities as they are.

    Returns:
        The ids (a list) and the score (a float) of the best; of equals the first.

    Raises:
        ValueError: there are no hypotheses, or alpha is negative.

    >>> ids, score = best_hypothesis([([7, 9], -2.0), ([7, 9, 4, 5, 8], -2.4)], 1.0)
    >>> ids, round(score, 2)
    ([7, 9, 4, 5, 8], -1.44)
    """
    if not hypotheses or alpha < 0:
        raise ValueError(f"`hypotheses` must not be empty and `alpha` at least 0, got alpha={alpha}.")
    scored = [(log_prob / ((5 + len(ids)) / 6) ** alpha, list(ids)) for ids, log_prob in hypotheses]
    score, ids = max(scored, key=lambda pair: pair[0])
    return ids, score


Hypotheses = Sequence[tuple[Sequence[int], float]]


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(lengths: Sequence[int], a_token: float) -> list[tuple[list[int], float]]:
        return [
            ([int(i) for i in rng.integers(3, 31, size=n)], float(-a_token * n * rng.uniform(0.9, 1.1) - 0.01 * n))
            for n in lengths
        ]

    rows = draw([3, 5, 7, 11, 13], 0.5)
    long_wins = [([3] * 2, -2.0), ([4] * 17, -3.1 - float(rng.uniform(0, 0.2))), ([5] * 23, -9.0)]
    return [
        case("the worked example", [([7, 9], -2.0), ([7, 9, 4, 5, 8], -2.4)], 1.0),
        border("five hypotheses, no penalty: alpha zero", rows, 0.0),
        border("five hypotheses, alpha 0.6", draw([5, 2, 13, 7, 3], 0.4), 0.6),
        border("a long one wins at alpha 1", long_wins, 1.0),
        border("the same at alpha 0.3", long_wins, 0.3),
        case("a large alpha", draw([11, 3, 7, 17, 2], 0.3), 2.0),
        border("one hypothesis", draw([7], 0.7), 1.0),
        border("an empty sentence among them", [([], -1.7), ([5, 8, 4], -1.9)], 0.5),
        border("no hypotheses", [], 1.0),
        border("a negative alpha", rows, -0.5),
    ]


def _best_wrong(hypotheses: Hypotheses, alpha: float, *, how: str) -> tuple[list[int], float]:
    if how != "unchecked" and (not hypotheses or alpha < 0):
        raise ValueError("hypotheses")
    if not hypotheses:
        return [], 0.0

    def score(ids: Sequence[int], log_prob: float) -> float:
        n = len(ids)
        return {
            "ignored": log_prob,
            "by_length": log_prob / max(n, 1),
            "multiplied": log_prob * ((5 + n) / 6) ** alpha,
            "no_power": log_prob / ((5 + n) / 6 * alpha) if alpha else log_prob,
            "subtracted": log_prob - alpha * n,
            "raw_score": log_prob / ((5 + n) / 6) ** alpha,
            "worst": log_prob / ((5 + n) / 6) ** alpha,
            "unchecked": log_prob / ((5 + n) / 6) ** alpha,
        }[how]

    scored = [(score(ids, log_prob), list(ids), log_prob) for ids, log_prob in hypotheses]
    best = min(scored, key=lambda s: s[0]) if how == "worst" else max(scored, key=lambda s: s[0])
    return best[1], best[2] if how == "raw_score" else best[0]


def _best_by_numpy(hypotheses: Hypotheses, alpha: float) -> tuple[list[int], float]:
    if len(hypotheses) == 0 or not alpha >= 0:
        raise ValueError("hypotheses")
    lengths = np.array([len(ids) for ids, _ in hypotheses])
    scores = np.array([log_prob for _, log_prob in hypotheses]) / np.power((5.0 + lengths) / 6.0, alpha)
    at = int(scores.argmax())
    return list(hypotheses[at][0]), float(scores[at])


def _best_by_loop(hypotheses: Hypotheses, alpha: float) -> tuple[list[int], float]:
    if alpha < 0 or len(list(hypotheses)) < 1:
        raise ValueError("hypotheses")
    winner, winning = None, -math.inf
    for ids, log_prob in hypotheses:
        divided = log_prob * math.exp(-alpha * math.log((5 + len(ids)) / 6))
        if winner is None or divided > winning:
            winner, winning = list(ids), divided
    return winner or [], winning


task = Task(
    best_hypothesis,
    points=2,
    difficulty=2,
    minutes=10,
    cases=cases,
    slips=(
        Slip(
            "penalty_ignored",
            partial(_best_wrong, how="ignored"),
            "The plain log-probability decided. It prefers short sentences: divide it by ((5 + n) / 6) ** alpha first.",
        ),
        Slip(
            "divided_by_the_length",
            partial(_best_wrong, how="by_length"),
            "The log-probability was divided by the length, whatever alpha says. Wu et al. divide by ((5 + n) / 6) ** "
            "alpha, which for alpha 0 changes nothing.",
        ),
        Slip(
            "multiplied",
            partial(_best_wrong, how="multiplied"),
            "The log-probability was multiplied with the penalty. It is negative, so long sentences suffer twice: "
            "divide.",
        ),
        Slip(
            "times_alpha",
            partial(_best_wrong, how="no_power"),
            "Alpha was multiplied with, instead of being the power. At alpha 0 the power makes the divisor 1.",
        ),
        Slip(
            "subtracted",
            partial(_best_wrong, how="subtracted"),
            "Something was subtracted for every token, which makes short sentences win all the more.",
        ),
        Slip(
            "raw_score",
            partial(_best_wrong, how="raw_score"),
            "The right sentence was chosen, but its plain log-probability came back instead of the score it won with.",
        ),
        Slip(
            "worst",
            partial(_best_wrong, how="worst"),
            "The worst one was taken. Scores are negative: the best is the largest, nearest to 0.",
        ),
        Slip(
            "unchecked",
            partial(_best_wrong, how="unchecked"),
            "The choice is right, but no hypotheses, or a negative alpha, went through. Raise ValueError.",
        ),
    ),
    alternatives=(_best_by_numpy, _best_by_loop),
    hints=(
        "Make one number out of each hypothesis: its log-probability and its length. Which is then the best?",
        "score = log_prob / ((5 + len(ids)) / 6) ** alpha; take the hypothesis with the largest score.",
        "scored = [(log_prob / ((5 + len(ids)) / 6) ** alpha, list(ids)) for ids, log_prob in hypotheses]; score, "
        "ids = max(scored, key=lambda pair: pair[0]); return ids, score",
    ),
)
