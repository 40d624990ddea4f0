from collections.abc import Sequence

import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn


def best_hypothesis(hypotheses, alpha):
    """Return the hypothesis with the best score under the length penalty, and its score.

    Args:
        hypotheses: a list of pairs (ids, log_prob); `ids` is a list of int, its length is n and may be 0; log_prob is
            at most 0.
        alpha: a number, 0 or more; 0 leaves the log-probabilities as they are.

    Returns:
        A tuple: the ids (a list) and the score (a float) of the best; of equals the first.

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


@drawn(6)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(lengths: Sequence[int], a_token: float) -> list[tuple[list[int], float]]:
        return [
            ([int(i) for i in rng.integers(3, 31, size=n)], float(-a_token * n * rng.uniform(0.9, 1.1) - 0.01 * n))
            for n in lengths
        ]

    rows = draw([3, 5, 7, 11, 13], 0.5)
    return [
        case("the worked example", [([7, 9], -2.0), ([7, 9, 4, 5, 8], -2.4)], 1.0),
        case("a large alpha", draw([11, 3, 7, 17, 2], 0.3), 2.0),
        case("alpha one half, two hypotheses", [([3] * 7, -3.0), ([4] * 13, -3.5)], 0.5),
        case("a whole number for alpha", [([3] * 4, -2.0), ([4] * 7, -2.5), ([5], -1.5)], 2),
        case("a long one that does not win", [([3] * 19, -9.0), ([4] * 3, -1.0), ([5] * 11, -6.0)], 0.7),
        border("five hypotheses, no penalty: alpha zero", rows, 0.0),
        border("an empty sentence among them", [([], -1.7), ([5, 8, 4], -1.9)], 0.5),
        border("an empty sentence that wins", [([5, 8, 4], -1.9), ([], -0.2)], 0.5),
        border("an empty sentence alone", [([], -1.7)], 1.0),
        border("two equals, the larger ids second", [([3, 4], -2.0), ([5, 6], -2.0), ([7], -3.0)], 1.0),
        border("two equals, the larger ids first", [([7], -3.0), ([5, 6], -2.0), ([3, 4], -2.0)], 1.0),
        border("equal log-probabilities of different lengths, alpha zero", [([3, 4], -2.0), ([5], -2.0)], 0.0),
        border("very unlikely sentences", [([3] * 5, -20000.0), ([4] * 8, -20001.0)], 1.0),
        border("log-probabilities of minus 1e12", [([3] * 5, -2e12), ([4] * 8, -1e12)], 0.5),
        border("log-probabilities that are equal in float32", [([3, 4], -1.0), ([5, 6], -1.0 + 1e-10)], 0.0),
        border("no hypotheses", [], 1.0),
        border("no hypotheses, alpha zero", [], 0),
        border("a negative alpha", rows, -0.5),
        border("a negative alpha and one hypothesis", [([5, 6], -1.0)], -0.5),
        border("no hypotheses and a negative alpha", [], -1.0),
    ]


SLIPS = mistakes("""
power_of_the_length: "may be 0"
    ((5 + len(ids)) / 6) ** alpha => max(len(ids), 1) ** alpha
  The log-probability was divided by n ** alpha. Wu et al. divide by ((5 + n) / 6) ** alpha, which favours long
  sentences less.
multiplied: "under the length penalty"
    log_prob / ((5 => log_prob * ((5
  The log-probability was multiplied by the penalty. It is negative, so long sentences suffer twice: divide.
power_above_only
    ((5 + len(ids)) / 6) ** alpha => ((5 + len(ids)) ** alpha / 6)
  Only 5 + n was raised to the power alpha. The whole fraction is: ((5 + n) / 6) ** alpha.
one_token_more: "its length is n"
    5 + len(ids) => 6 + len(ids)
  A token too many was counted, such as start or stop. n is the length of the ids.
raw_score: "A tuple: the ids (a list) and the score (a float) of the best"
    return ids, score => return next((list(i), log_prob) for i, log_prob in hypotheses if log_prob / ((5 + len(i)) / 6)
        ** alpha == score)
  The right sentence was chosen, but its plain log-probability came back instead of the score it won with.
last_of_equals: "of equals the first"
    max(scored, => max(reversed(scored),
  Of two equally good hypotheses the second one came back (by >= in a loop, or a sort). The first one is asked for.
larger_ids_of_equals: "of equals the first"
    max(scored, key=lambda pair: pair[0]) => max(scored)
  Of two equally good hypotheses the one with the larger ids came back: max compares the rest of the tuples when the
  scores are equal. Give it a key.
score_first: "A tuple: the ids (a list) and the score (a float) of the best"
    return ids, score => return score, ids
  Both are right, but in the wrong order: the ids come first, then the score.
alpha_unchecked: "alpha is negative"
    or alpha < 0 =>
  The choice is right, but a negative alpha went through. It would punish long sentences all the more: raise ValueError.
zero_refused: "0 leaves the log-probabilities as they are"
    alpha < 0 => alpha <= 0
  An alpha of 0 was refused. It is allowed, and leaves the log-probabilities as they are.
""")
HINTS = hints("""
- Make one number out of each hypothesis: its log-probability and its length. Which is then the best?
- score = log_prob / ((5 + len(ids)) / 6) ** alpha; take the hypothesis with the largest score.
- scored = [(log_prob / ((5 + len(ids)) / 6) ** alpha, list(ids)) for ids, log_prob in hypotheses]; score, ids =
  max(scored, key=lambda pair: pair[0]); return ids, score
""")
task = Task(best_hypothesis, points=2, difficulty=2, minutes=10, cases=cases, slips=SLIPS, hints=HINTS)
