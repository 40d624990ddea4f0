import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.tasks.ch01.shared import WEATHER, padded_counts, random_sentences


def add_k(counts, context, word, vocabulary_size, k=1.0):
    """Return the probability of a word after a context with k added to every count.

    Args:
        counts, context, word: as in `mle_probability`.
        vocabulary_size: the number V of words that could come next.
        k: what is added to each count, above 0.

    Returns:
        A float above 0.

    Raises:
        ValueError: k is 0 or below.

    >>> round(add_k({("red", "sun"): 2, ("red", "sky"): 1}, ("red",), "sun", 5, 0.5), 4)
    0.4545
    """
    if k <= 0:
        raise ValueError(f"`k` must be above 0, got {k}.")
    total = sum(count for gram, count in counts.items() if gram[:-1] == context)
    return (counts.get((*context, word), 0) + k) / (total + k * vocabulary_size)


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    bigrams = padded_counts(random_sentences(rng, 31), 2)
    trigrams = padded_counts(random_sentences(rng, 37, 3), 3)
    seen = list(bigrams)[int(rng.integers(len(bigrams)))]
    longer = list(trigrams)[int(rng.integers(len(trigrams)))]
    weather = padded_counts(WEATHER, 2)
    alike = {("a", "bc", "d"): 3, ("ab", "c", "d"): 1, ("ab", "c", "e"): 4}
    return [
        case("the worked example", weather, ("red",), "sun", 5, 0.5),
        case("random bigrams", bigrams, seen[:-1], seen[-1], 11, float(rng.uniform(0.01, 0.9))),
        case("random trigrams", trigrams, longer[:-1], longer[-1], 1009, float(rng.uniform(0.01, 0.9))),
        border("a word that never follows the context", weather, ("blue",), "sun", 5, 0.1),
        border("a context that was never seen", weather, ("green",), "sun", 5, 0.25),
        border("a word that was never seen", weather, ("red",), "moon", 5, 2.0),
        case("k left out", weather, ("red",), "sky", 5),
        border("no context: unigrams", {("sun",): 3, ("sky",): 4, ("</s>",): 4}, (), "sky", 3, 0.5),
        border("no counts: every word alike", {}, ("red",), "sun", 7, 0.5),
        border("a k above 1 that is no whole number", weather, ("red",), "sun", 5, 2.5),
        border("tokens that read alike when joined", alike, ("ab", "c"), "d", 5, 0.5),
        border("k = 0 and a context that was never seen", weather, ("green",), "sun", 5, 0.0),
        border("k = 0, which smooths nothing", weather, ("red",), "sun", 5, 0.0),
        border("k below 0", weather, ("red",), "sun", 5, -0.5),
        border("k below 0 and no counts", {}, ("red",), "sun", 5, -0.5),
    ]


SLIPS = mistakes("""
denominator_without_v: "with k added to every count"
    k * vocabulary_size => k
  k is added once below the line. Each of the V words was given k above the line, so below it must grow by k * V, or the
  probabilities sum to more than 1.
k_only_above: "the number V of words that could come next"
    k * vocabulary_size => vocabulary_size
  Below the line V was added, above it k. That is right for k = 1 only; with another k the sum is not 1. Add k * V.
words_of_the_counts: "the number V of words that could come next"
    k * vocabulary_size => k * len({gram[-1] for gram in counts})
  V was counted from the table. A vocabulary may hold words that the table does not; use the `vocabulary_size` given.
joint: "after a context"
    if gram[:-1] == context =>
  The denominator holds the sum of all counts. The probability is conditional: only the n-grams that begin with the
  context count.
unseen_stay_zero: "with k added to every count"
    return (counts => return 0.0 if (*context, word) not in counts else (counts
  A word that was never seen after the context still gets 0. Those are the words add-k is for: their count is 0, and 0 +
  k is above the line.
any_k: "k is 0 or below"
    if k <= 0 => if False
  The formula is right, but k = 0 or below was let through: it smooths nothing, and a negative k gives negative
  probabilities. Raise ValueError unless k > 0.
""")
HINTS = hints("""
- Pretend that every word of the vocabulary was seen k more times after this context. What is its share now?
- Above the line: the count of the n-gram, plus k. Below: the sum of the counts of the context, plus k for each of the V
  words.
- return (counts.get(context + (word,), 0) + k) / (total + k * vocabulary_size), with total as in mle_probability; raise
  ValueError first unless k > 0.
""")
task = Task(add_k, points=2, difficulty=2, minutes=10, cases=cases, slips=SLIPS, hints=HINTS)
