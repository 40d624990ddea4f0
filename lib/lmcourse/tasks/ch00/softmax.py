"""Exercise `softmax`."""

import numpy as np

from lmcourse.exercises import Case, Compare, Slip, Task, border, case


def softmax(scores):
    """Return the probabilities that belong to scores.

    Args:
        scores: an array of shape (V,) with V >= 1; an entry may be minus infinity, which gets probability 0.

    Returns:
        An array of shape (V,): numbers from 0 to 1 that sum to 1.

    >>> softmax(np.array([0.2, 0.1, 0.1, 1.0])).round(2).tolist()
    [0.2, 0.18, 0.18, 0.44]
    """
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", np.array([0.2, 0.1, 0.1, 1.0])),
        case("ordinary scores", rng.normal(size=7)),
        border("negative scores only", -rng.exponential(3.0, size=5)),
        border("a negative and a positive score", np.array([-1.0, 3.0])),
        border("one score", rng.normal(size=1)),
        border("equal scores", np.full(3, rng.normal())),
        border("scores near 1,000, where exp overflows", 1000.0 + rng.normal(size=11)),
        border("scores near -1,000, where exp gives 0", -1000.0 + rng.normal(size=5)),
        border("scores far apart", np.array([-3000.0, 900.0, 902.0])),
        border("minus infinity, which must get 0", np.array([rng.normal(), -np.inf, rng.normal()])),
        border("minus infinity beside scores near -1,000", np.array([-1000.0, -np.inf, -1001.0])),
    ]


def _softmax_overflows(scores: np.ndarray) -> np.ndarray:
    return np.exp(scores) / np.exp(scores).sum()


def _softmax_of_absolutes(scores: np.ndarray) -> np.ndarray:
    return np.abs(scores) / np.abs(scores).sum()


def _softmax_rescaled(scores: np.ndarray) -> np.ndarray:
    return scores / scores.sum()


def _softmax_by_log(scores: np.ndarray) -> np.ndarray:
    shifted = scores - np.max(scores)
    return np.exp(shifted - np.log(np.sum(np.exp(shifted))))


def _softmax_in_loops(scores: np.ndarray) -> np.ndarray:
    top = max(scores)
    weights = [np.exp(score - top) for score in scores]
    return np.array([weight / sum(weights) for weight in weights])


task = Task(
    softmax,
    points=2,
    difficulty=2,
    minutes=10,
    cases=cases,
    compare=Compare(rtol=1e-9, atol=1e-12),
    slips=(
        Slip(
            "no_shift",
            _softmax_overflows,
            "The formula is right on paper, but exp(1000) is infinite in a computer. Subtract the largest score first: "
            "it changes no probability, since it cancels in the fraction.",
        ),
        Slip(
            "rescaled",
            _softmax_rescaled,
            "This divides the scores by their sum. Softmax exponentiates first; without that, negative scores give "
            "negative probabilities.",
        ),
        Slip(
            "base_two",
            ("np.exp(scores - scores.max())", "2.0 ** (scores - scores.max())"),
            "These are powers of 2. Softmax takes powers of e: np.exp.",
        ),
        Slip(
            "absolute_values",
            _softmax_of_absolutes,
            "Absolute values make every number positive, but a score of -3 then counts as much as +3. "
            "exp keeps the order of the scores.",
        ),
        Slip(
            "not_normalised",
            lambda scores: np.exp(scores - scores.max()),
            "The exponentials are right, but they are not divided by their sum, so they do not add up to 1.",
        ),
        Slip(
            "hard_maximum",
            lambda scores: (scores == scores.max()).astype(float),
            "This is the hard arg max: all the weight on the largest score. Softmax is its soft version, and every "
            "score above minus infinity keeps some weight.",
        ),
        Slip(
            "log_softmax",
            lambda scores: scores - scores.max() - np.log(np.exp(scores - scores.max()).sum()),
            "These are the logarithms of the probabilities (log-softmax). Take exp of them.",
        ),
    ),
    alternatives=(_softmax_by_log, _softmax_in_loops),
    hints=(
        "Two steps: make every score positive without losing their order, then make the results sum to 1.",
        "np.exp makes positive; dividing by the sum makes it a distribution. What does np.exp(1000.0) give?",
        "Subtract scores.max() before np.exp, then divide by the sum: e = np.exp(scores - scores.max()); e / e.sum().",
    ),
)
