import numpy as np

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes


def logits_gradient(scores, targets):
    """Return the gradient of the mean cross-entropy with respect to the scores.

    Args:
        scores: an array of float64, shape (B, V); entries may be as large as 1000, or as low as -1000.
        targets: for each row the number of the word that came next, a list of B ints from 0 to V - 1.

    Returns:
        A new array of float64, shape (B, V); `scores` stays as it is.

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

    far_apart = np.array([[1000.0], [-1000.0], [0.0]]) + rng.normal(size=(3, 5))
    return [
        case("the worked example", np.log(np.array([[2.0, 5.0, 3.0]])), [1]),
        case("three rows of seven scores", rng.normal(size=(3, 7)), targets(3, 7)),
        case("as many rows as scores", rng.normal(size=(5, 5)), targets(5, 5)),
        case("the same target in every row", rng.normal(size=(5, 3)), [2] * 5),
        case("targets that are not in the order of the rows", rng.normal(size=(3, 4)), [3, 0, 2]),
        case("more rows than scores", rng.normal(size=(7, 2)), [0, 1, 1, 0, 1, 0, 0]),
        border("equal scores", np.full((2, 5), float(rng.normal())), targets(2, 5)),
        border("one row", rng.normal(size=(1, 11)), targets(1, 11)),
        border("one score a row: nothing to learn", rng.normal(size=(3, 1)), [0, 0, 0]),
        border("scores near 1,000, where exp overflows", 1000 + rng.normal(size=(2, 3)), targets(2, 3)),
        border("scores near -1,000, where exp gives 0", -1000 + rng.normal(size=(2, 3)), targets(2, 3)),
        border("a row near 1,000, one near -1,000 and one near 0", far_apart, [4, 0, 2]),
        border("scores far apart in a row", np.array([[1000.0, -1000.0, 0.0], [-1000.0, 999.0, 1000.0]]), [1, 2]),
        border("a word that is certain", np.array([[40.0, 0.0, 0.0], [0.0, 900.0, 0.0]]), [0, 1]),
        case("rows that do not lie one after the other in memory", rng.normal(size=(4, 3)).T, [3, 0, 1]),
        border("no rows", np.zeros((0, 3)), []),
        border("no rows, but a target", np.zeros((0, 3)), [1]),
        border("rows, but no targets", np.zeros((2, 3)), []),
        case("fewer targets than rows", rng.normal(size=(3, 5)), [1, 2]),
        border("one target for three rows", rng.normal(size=(3, 5)), [1]),
        border("one score a row, and fewer targets than rows", np.zeros((3, 1)), [0]),
        border("more targets than rows", rng.normal(size=(3, 5)), [1, 2, 0, 4]),
        border("as many targets as scores in a row, but not as rows", rng.normal(size=(2, 3)), [1, 2, 0]),
    ]


SLIPS = mistakes("""
sign: "the gradient"
    return gradient => return -gradient
  This is y - p, the direction in which the loss falls. The gradient points uphill: p - y.
summed: "of the mean cross-entropy"
    / len(targets) =>
  This is the gradient of the sum of the losses. The loss is their mean over the B rows: divide by B.
mean_of_all: "of the mean cross-entropy"
    gradient / len(targets) => gradient / gradient.size
  The division is by all entries. The loss is a mean over the rows, so divide by the number of rows only.
probabilities: "the gradient"
    gradient[np.arange(len(targets)), targets] -= 1 => pass
  These are the probabilities, divided by B. At the word that came next, 1 has to be subtracted.
overflow: "entries may be as large as 1000, or as low as -1000"
    scores - scores.max(axis=1, keepdims=True) => scores
  Right on paper, but exp(1000) is infinite in a computer. Subtract each row's largest score first.
one_maximum: "entries may be as large as 1000, or as low as -1000"
    scores.max(axis=1, keepdims=True) => scores.max()
  One maximum was subtracted from all rows, so in a row far below it every exp is 0, and 0 / 0 is no number. Subtract
  from each row its own maximum: axis=1, keepdims=True.
all_pairs: "for each row the number of the word that came next, a list of B ints from 0 to V - 1"
    gradient[np.arange(len(targets)), targets] -= 1 => gradient[:, targets] -= 1
  1 was taken off in the columns of all targets, in every row. One entry in each row: p[np.arange(B), targets] -= 1.
in_place: "`scores` stays as it is"
    powers = np.exp(scores - scores.max(axis=1, keepdims=True)) => scores -= scores.max(axis=1, keepdims=True)
    gradient = powers / powers.sum(axis=1, keepdims=True) => gradient = np.exp(scores, out=scores)
    |    gradient /= gradient.sum(axis=1, keepdims=True)
    return gradient / len(targets) => gradient /= len(targets)
    |    return gradient
  The numbers are right, but `scores` was overwritten: -= and out=scores change the caller's array. Work on a new one.
empty_is_right: "there are no rows"
    len(scores) == 0 or =>
  Without rows there is no mean, and this divides by 0. Raise ValueError.
""")
CLOSE = Compare(rtol=1e-7, atol=1e-12, new=True)
HINTS = hints("""
- The result of chapter 02: probabilities minus the one-hot row of the word that came next, for each row.
- p = softmax of each row, after subtracting the row's maximum. p[np.arange(B), targets] picks one entry a row.
- e = np.exp(scores - scores.max(axis=1, keepdims=True)); p = e / e.sum(axis=1, keepdims=True); p[np.arange(B), targets]
  -= 1; return p / B
""")
task = Task(logits_gradient, points=3, difficulty=2, minutes=15, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
