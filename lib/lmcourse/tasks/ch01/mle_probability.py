import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.tasks.ch01.shared import padded_counts, random_sentences


def mle_probability(counts, context, word):
    """Return the share of a word among all that followed a context.

    Args:
        counts: a dict from n-gram (a tuple of n tokens) to count, all of the same order n.
        context: a tuple of n - 1 tokens; () for unigrams.
        word: the next word.

    Returns:
        A float from 0 to 1.

    Raises:
        ValueError: no n-gram begins with the context.

    >>> round(mle_probability({("red", "sun"): 2, ("red", "sky"): 1, ("blue", "sky"): 1}, ("red",), "sun"), 4)
    0.6667
    """
    total = sum(count for gram, count in counts.items() if gram[:-1] == context)
    if total == 0:
        raise ValueError(f"`context` must occur in `counts`, got {context!r}.")
    return counts.get((*context, word), 0) / total


WEATHER = [["red", "sun"], ["red", "sun"], ["red", "sky"], ["blue", "sky"]]


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    bigrams = padded_counts(random_sentences(rng, 31), 2)
    trigrams = padded_counts(random_sentences(rng, 37, 3), 3)
    seen = list(bigrams)[int(rng.integers(len(bigrams)))]
    longer = list(trigrams)[int(rng.integers(len(trigrams)))]
    end_alike = {("old", "red", "sun"): 3, ("new", "red", "sun"): 1, ("new", "red", "sky"): 4}
    begin_alike = {("red", "old", "sun"): 3, ("red", "new", "sun"): 1, ("red", "new", "sky"): 4}
    inside = {("re", "d"): 3, ("red", "sun"): 4, ("red", "d"): 1}
    return [
        case("the worked example", padded_counts(WEATHER, 2), ("red",), "sun"),
        case("random bigrams", bigrams, seen[:-1], seen[-1]),
        case("random trigrams", trigrams, longer[:-1], longer[-1]),
        case("the start of a sentence", bigrams, ("<s>",), "tea"),
        border("a word that never follows the context", padded_counts(WEATHER, 2), ("blue",), "sun"),
        case("two contexts that end alike", end_alike, ("new", "red"), "sun"),
        border("no context: unigrams", {("sun",): 3, ("sky",): 4, ("</s>",): 4}, (), "sky"),
        border("no context, and <s> in the counts", {("<s>",): 2, ("sun",): 3, ("</s>",): 2}, (), "sun"),
        border("capital letters", {("Red", "sun"): 3, ("red", "sun"): 1, ("red", "sky"): 1}, ("red",), "sun"),
        case("two contexts that begin alike", begin_alike, ("red", "new"), "sun"),
        border("a context that is the beginning of a token", inside, ("re",), "d"),
        border("a context in another order", {("old", "red", "sun"): 3}, ("red", "old"), "sun"),
        border("a context that was never seen", padded_counts(WEATHER, 2), ("green",), "sun"),
        border("no counts", {}, ("red",), "sun"),
        border("no counts and no context", {}, (), "sun"),
    ]


SLIPS = mistakes("""
joint: "Return the share of a word among all that followed a context"
    return counts.get((*context, word), 0) / total => return counts.get((*context, word), 0) / sum(counts.values())
  This divides by the sum of all counts: how often the whole n-gram occurs in the text. The question is conditional:
  given the context, so divide by the n-grams that begin with it.
types_not_tokens: "Return the share of a word among all that followed a context"
    word), 0) / total => word), 0) / sum(gram[:-1] == context for gram in counts)
  This divides by the number of different n-grams that begin with the context. Divide by the sum of their counts, or the
  result can exceed 1.
backwards: "Return the share of a word among all that followed a context"
    word), 0) / total => word), 0) / (sum(n for gram, n in counts.items() if gram[-1] == word) or 1)
  This divides by how often the word occurs after anything: the probability of the context given the word. Turn it
  round: divide by the counts of the context.
context_cut: "a tuple of n - 1 tokens"
    gram[:-1] == context) => gram[:-1][-1:] == context[-1:])
    counts.get((*context, word), 0 => sum(count for gram, count in counts.items() if gram[-2:] == (*context[-1:], word)
  Only the last word of the context was used. Two contexts that end alike are still two contexts: compare the whole
  gram[:-1].
unseen_context_is_zero: "no n-gram begins with the context"
    raise ValueError(f"`context` must occur in `counts`, got {context!r}.") => return 0.0
  A context that was never seen got probability 0 for every word, which sums to 0, not to 1. There is no maximum
  likelihood estimate here: raise ValueError.
zero_division: "no n-gram begins with the context"
    if total == 0 => if False
  A context that was never seen makes the sum 0, and the division stops with ZeroDivisionError. Look at the sum first,
  and raise ValueError with a message that names the context.
key_error: "A float from 0 to 1"
    counts.get((*context, word), 0) => counts[(*context, word)]
  counts[gram] stops with KeyError when the n-gram was never seen. Its count is 0: use counts.get(gram, 0).
""")
HINTS = hints("""
- A share: how many of the times that the context was seen did this word come next?
- The denominator is the sum of the counts of all n-grams with gram[:-1] == context.
- total = sum(n for gram, n in counts.items() if gram[:-1] == context); raise ValueError if it is 0, else return
  counts.get(context + (word,), 0) / total.
""")
task = Task(mle_probability, points=2, difficulty=2, minutes=10, cases=cases, slips=SLIPS, hints=HINTS)
