import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn


def cross_entropy(scores, targets):
    """Return the mean of minus the log-probability of the targets, in nats.

    Args:
        scores: an array of shape (N, V), one row a prediction.
        targets: the numbers of the words that came next, a list of N ints from 0 to V - 1.

    Returns:
        A float, 0 or above.

    Raises:
        ValueError: there are no targets, or not as many as rows.

    >>> round(cross_entropy(np.array([[0.2, 0.1, 0.1, 1.0], [0.0, 0.0, 0.0, 0.0]]), [3, 0]), 4)
    1.1014
    """
    if len(targets) == 0 or len(targets) != len(scores):
        raise ValueError(f"`targets` must be as many as the rows, at least 1, got {len(targets)} and {len(scores)}.")
    shifted = scores - scores.max(axis=1, keepdims=True)
    log_probs = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return float(-log_probs[np.arange(len(targets)), targets].mean())


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def targets(n_rows: int, n_words: int) -> list[int]:
        return [int(target) for target in rng.integers(0, n_words, size=n_rows)]

    far = np.array([[1000.0], [-1000.0]]) + rng.normal(size=(2, 5))
    return [
        case("the worked example", np.array([[0.2, 0.1, 0.1, 1.0], [0.0, 0.0, 0.0, 0.0]]), [3, 0]),
        case("five rows of seven scores", rng.normal(size=(5, 7)), targets(5, 7)),
        case("as many rows as scores", 2 * rng.normal(size=(3, 3)), targets(3, 3)),
        border("one row", rng.normal(size=(1, 11)), targets(1, 11)),
        border("one score a row: nothing to guess", rng.normal(size=(3, 1)), [0, 0, 0]),
        border("scores near 1,000, where exp overflows", 1000 + rng.normal(size=(2, 5)), targets(2, 5)),
        border("a target with almost no chance", np.array([[0.0, 800.0, 3.0]]), [0]),
        border("a row near 1,000 above a row near -1,000", far, [2, 4]),
        border("no rows", np.zeros((0, 5)), []),
        border("no rows, but a target", np.zeros((0, 5)), [1]),
        case("one target for three rows", rng.normal(size=(3, 5)), [1]),
        case("more targets than rows", rng.normal(size=(3, 5)), [1, 2, 0, 4]),
        border("rows without targets", rng.normal(size=(2, 5)), []),
        border("one score a row, and fewer targets than rows", np.zeros((3, 1)), [0]),
    ]


SLIPS = mistakes("""
sum: "the mean"
    .mean()) => .sum())
  The losses of the rows were added up, so a longer text costs more. Take their mean.
positive: "A float, 0 or above"
    float(-log_probs => float(log_probs
  The minus sign is missing. Logarithms of probabilities are 0 or below; the loss is 0 or above, and smaller is better.
bits: "in nats"
    .mean()) => .mean() / np.log(2))
  This is in bits (log2). Losses in this course are in nats: use np.log, the natural logarithm.
columns: "an array of shape (N, V), one row a prediction"
    scores.max(axis=1 => scores.max(axis=0
    np.exp(shifted).sum(axis=1 => np.exp(shifted).sum(axis=0
  The softmax ran down the columns. Each row is one prediction, so its probabilities must sum to 1 along axis=1.
all_pairs: "the numbers of the words that came next, a list of N ints from 0 to V - 1"
    log_probs[np.arange(len(targets)), targets] => log_probs[:, targets]
  log_probs[:, targets] takes every target from every row. Take one number of each row: log_probs[np.arange(N),
  targets].
mean_over_all: "the mean"
    ].mean() => ].sum() / scores.size
  The sum over the targets was divided by N times V. Each row has one target: divide by N.
one_maximum: "an array of shape (N, V), one row a prediction"
    scores.max(axis=1, keepdims=True) => scores.max()
  One maximum was subtracted from all rows, so a row far below it underflows to log(0). Subtract from each row its own
  maximum: axis=1, keepdims=True.
log_of_zero: "minus the log-probability"
    shifted - np.log( => np.log(np.exp(shifted) /
  The softmax is safe, but a probability of e to the -800 rounds to 0, and its log is minus infinity. Stay in
  logarithms: score - max - log(sum(exp(scores - max))).
small_number_added
    log_probs = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)) =>
        probs = np.exp(shifted) / np.exp(shifted).sum(axis=1, keepdims=True)
    |    log_probs = np.log(np.maximum(probs, 1e-12))
  Probabilities were kept above a small number so that log never sees 0. That caps the loss of a bad mistake; stay in
  logarithms instead, and nothing has to be capped.
""")
HINTS = hints("""
- For each row: how probable did the softmax make the target, and what is minus the logarithm of that?
- log softmax without trouble: shifted = scores - row maximum; log_probs = shifted - log(sum of exp(shifted)), with
  axis=1 and keepdims=True for both.
- return float(-log_probs[np.arange(len(targets)), targets].mean()), and before it ValueError if there are no targets or
  not as many as rows.
""")
task = Task(cross_entropy, points=3, difficulty=3, minutes=15, cases=cases, slips=SLIPS, hints=HINTS)
