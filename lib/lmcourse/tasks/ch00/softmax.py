import numpy as np

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn


def softmax(scores, banned):
    """Return the probabilities that belong to scores when some words are banned.

    Args:
        scores: an array of shape (V,) with V >= 1; an entry may be minus infinity, which gets probability 0, but of a
            word that is not banned at least one is finite.
        banned: numbers of words that must not come next, a list of int from 0 to V - 1; it may be empty.

    Returns:
        An array of shape (V,): 0 for each banned word, and for the others the softmax of their scores alone, so that
        all numbers sum to 1.

    Raises:
        ValueError: every word is banned.

    >>> softmax(np.array([0.2, 0.1, 0.1, 1.0, 3.0]), [4]).round(2).tolist()
    [0.2, 0.18, 0.18, 0.44, 0.0]
    """
    allowed = np.ones(len(scores), dtype=bool)
    allowed[banned] = False
    if not allowed.any():
        raise ValueError("`banned` must leave a word that may come next.")
    exponentials = np.zeros(len(scores))
    exponentials[allowed] = np.exp(scores[allowed] - scores[allowed].max())
    return exponentials / exponentials.sum()


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", np.array([0.2, 0.1, 0.1, 1.0, 3.0]), [4]),
        case("ordinary scores, two words banned", rng.normal(size=7), [5, 2]),
        case("ordinary scores, the first word banned", rng.normal(size=5), [0]),
        border("no word banned", np.array([0.2, 0.1, 0.1, 1.0]), []),
        border("negative scores only", np.array([-1.0, -0.5, -3.0, -2.0]), [1]),
        border("a negative and a positive score", np.array([-1.0, 3.0, 0.0]), [2]),
        border("equal scores", np.full(4, 0.7), [3]),
        border("a word banned as often as there are words", np.array([1.0, 2.0]), [1, 1]),
        border("a banned score far above others near -10 ** 12", np.array([-3e12, 5.0, -3e12 - 1000.0]), [1]),
        border("scores near 1,000, where exp overflows", np.array([1000.0, 1001.5, 999.0, 1002.0]), [2]),
        border("scores near -1,000, where exp gives 0", np.array([-1000.0, -1001.5, -999.0, -1002.0]), [0]),
        border("a banned score far above negative ones", np.array([-800.0, -801.0, 5.0]), [2]),
        border("minus infinity, which must get 0", np.array([0.3, -np.inf, -0.4, 1.0]), [3]),
        border("minus infinity beside scores near -1,000", np.array([-1000.0, -np.inf, -1001.0]), []),
        border("whole numbers", np.array([2, 0, 1]), [0]),
        border("every word banned", np.array([1.0, 2.0, 3.0]), [2, 0, 1]),
        border("every word banned, one of them twice", np.array([1.0, 2.0]), [1, 0, 1]),
    ]


SLIPS = mistakes("""
no_shift: "Return the probabilities that belong to scores when some words are banned"
    np.exp(scores[allowed] - scores[allowed].max()) => np.exp(scores[allowed])
  The formula is right on paper, but exp(1000) is infinite in a computer. Subtract the largest score first: it changes
  no probability, since it cancels in the fraction.
maximum_of_all: "the softmax of their scores alone"
    scores[allowed].max() => scores.max()
  The largest score was looked for among all words. If a banned word has it, far above the others, all exponentials that
  remain are 0, and 0 / 0 is NaN. Take the maximum of the words that are left.
ban_ignored, as on the page: "numbers of words that must not come next, a list of int from 0 to V - 1"
    allowed[banned] = False => allowed[banned] = True
  The banned words got probabilities, too: this is the softmax of all scores. Leave them out.
removed_afterwards: "all numbers sum to 1"
    np.exp(scores[allowed] - scores[allowed].max()) => np.exp(scores[allowed] - scores.max())
    exponentials / exponentials.sum() => exponentials / np.exp(scores - scores.max()).sum()
  The banned words were set to 0 after the softmax, so the probabilities that are left sum to less than 1. Leave them
  out of the sum as well.
score_of_zero: "0 for each banned word"
    np.exp(scores[allowed] - scores[allowed].max()) => np.exp(scores[allowed] - max(scores[allowed].max(), 0))
    return exponentials => exponentials[~allowed] = np.exp(-max(scores[allowed].max(), 0))
    |    return exponentials
  The scores of the banned words were set to 0, but exp(0) is 1: they keep a probability. Minus infinity is the score
  whose exponential is 0.
not_normalised: "all numbers sum to 1"
    exponentials / exponentials.sum() => exponentials
  The exponentials are right, but they are not divided by their sum, so they do not add up to 1.
log_softmax: "Return the probabilities that belong to scores when some words are banned"
    return exponentials / exponentials.sum() => with np.errstate(divide="ignore"):
    |        return np.log(exponentials / exponentials.sum())
  These are the logarithms of the probabilities (log-softmax). Take exp of them.
all_banned_is_zeros: "every word is banned"
    raise ValueError("`banned` must leave a word that may come next.") => return np.zeros(len(scores))
  With every word banned the result is all zeros, which is no distribution. Raise ValueError.
in_place
    return exponentials => scores[banned] = -np.inf if scores.dtype.kind == 'f' else 0
    |    return exponentials
  The probabilities are right, but minus infinity was written into the caller's scores. Work on a copy: scores.copy(),
  or np.where.
""")
CLOSE = Compare(rtol=1e-9, atol=1e-12)
HINTS = hints("""
- Two steps: make every score positive without losing their order, then make the results sum to 1. What must a banned
  word contribute to the sum?
- np.exp makes positive; dividing by the sum makes it a distribution. What does np.exp(-np.inf) give, and what
  np.exp(1000.0)?
- On a copy of the scores, as floats: set those of the banned words to -np.inf; e = np.exp(copy - copy.max()); e /
  e.sum(). Raise ValueError before that if every word is banned.
""")
task = Task(softmax, points=2, difficulty=2, minutes=15, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
