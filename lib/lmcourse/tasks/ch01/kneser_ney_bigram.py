import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.tasks.ch01.shared import KITCHEN, padded_counts, random_sentences


def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    """Return the interpolated Kneser-Ney probability of a word after one word.

    Args:
        bigrams: a dict from (left, right) to count, every count at least 1; at least one bigram.
        previous: the word before.
        word: the next word.
        discount: what is taken from each count, from 0 to 1.

    Returns:
        A float from 0 to 1.

    Raises:
        ValueError: the discount is below 0 or above 1.

    >>> kitchen = {("hot", "tea"): 3, ("hot", "soup"): 1, ("cold", "tea"): 1, ("green", "tea"): 1, ("hong", "kong"): 6}
    >>> round(kneser_ney_bigram(kitchen, "hot", "tea", 0.5), 4)
    0.775
    >>> round(kneser_ney_bigram(kitchen, "hot", "kong", 0.5), 4)
    0.05
    """
    if not 0 <= discount <= 1:
        raise ValueError(f"`discount` must be from 0 to 1, got {discount}.")
    continuation = sum(right == word for left, right in bigrams) / len(bigrams)
    after = {right: count for (left, right), count in bigrams.items() if left == previous}
    total = sum(after.values())
    if total == 0:
        return continuation
    kept = max(after.get(word, 0) - discount, 0) / total
    freed = discount * len(after) / total
    return kept + freed * continuation


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    bigrams = padded_counts(random_sentences(rng, 37), 2)
    seen = list(bigrams)[int(rng.integers(len(bigrams)))]
    discount = float(rng.uniform(0.3, 0.9))
    both_sides = {("sun", "moon"): 3, ("moon", "sun"): 5, ("sun", "sun"): 1, ("tea", "sun"): 2}
    return [
        case("the worked example", KITCHEN, "hot", "tea", 0.5),
        case('"kong" after "cold", where it was never seen', KITCHEN, "cold", "kong", 0.5),
        case("random text, a bigram that was seen", bigrams, *seen, discount),
        case("random text, a word at the start", bigrams, "<s>", "moon", discount),
        case("the discount left out", KITCHEN, "hot", "soup"),
        border("a context that was never seen", KITCHEN, "sweet", "tea", 0.5),
        border("a word that follows nothing", KITCHEN, "hot", "hong", 0.5),
        border("discount 0: the plain share", KITCHEN, "hot", "soup", 0.0),
        border("discount 1", KITCHEN, "hot", "soup", 1.0),
        border("one bigram", {("hot", "tea"): 7}, "hot", "tea", 0.25),
        border("a word that was never seen", KITCHEN, "hot", "milk", 0.5),
        border("a context and a word that were never seen", KITCHEN, "sweet", "milk", 0.5),
        border("a context that was never seen, and discount 0", KITCHEN, "sweet", "tea", 0.0),
        case("a context that is also a word on the right", both_sides, "sun", "moon", 0.5),
        border("a discount above 1 and a context that was never seen", KITCHEN, "sweet", "tea", 1.5),
        border("a discount below 0 and a context that was never seen", KITCHEN, "sweet", "tea", -0.5),
        border("a discount above 1", KITCHEN, "hot", "tea", 1.5),
        border("a discount below 0", KITCHEN, "hot", "tea", -0.5),
    ]


SLIPS = mistakes("""
unigram_shares: "Return the interpolated Kneser-Ney probability of a word after one word"
    sum(right == word for left, right in bigrams) / len(bigrams) =>
        sum(n for (_, right), n in bigrams.items() if right == word) / sum(bigrams.values())
  The lower order is the plain share of the word, so "kong" is likely after any word. Kneser-Ney uses continuation
  counts there: after how many different words was it seen?
uniform_lower_order: "Return the interpolated Kneser-Ney probability of a word after one word"
    sum(right == word for left, right in bigrams) / len(bigrams) => 1 / len({right for _, right in bigrams})
  The mass that was taken is shared out equally over the words. Give it out by the continuation counts: a word that
  follows many others gets more.
one_discount_given_back: "Return the interpolated Kneser-Ney probability of a word after one word"
    discount * len(after) => discount
  discount / total is what was taken from one bigram. It was taken from each different word that follows, so the mass to
  give back is discount * (number of followers) / total.
nothing_given_back: "Return the interpolated Kneser-Ney probability of a word after one word"
    kept + freed * continuation => kept
  The discount was taken away but not given back, so the probabilities sum to less than 1 and unseen words get 0. Add
  the second term.
negative_counts: "A float from 0 to 1"
    max(after.get(word, 0) - discount, 0) => (after.get(word, 0) - discount)
  A word never seen after the context has the count 0, and 0 - discount is negative. Take max(count - discount, 0).
backs_off: "Return the interpolated Kneser-Ney probability of a word after one word"
    return kept + freed * continuation => return kept if word in after else freed * continuation
  The lower order is added only for words that were not seen. That is backoff; in the interpolated form every word gets
  its share of the freed mass.
unseen_context_is_zero: "Return the interpolated Kneser-Ney probability of a word after one word"
    return continuation => return 0.0
  After a context that was never seen, every word got 0. Then there is nothing to mix: return the continuation
  probability alone.
""")
HINTS = hints("""
- Two terms: what the bigram keeps after the discount, and the mass that all discounts of this context freed, given out
  by another distribution. Which one?
- The lower order is (number of different words before `word`) / (number of different bigrams). The freed mass is
  discount * (number of different words after `previous`) / total.
- after = {right: n for (left, right), n in bigrams.items() if left == previous}; total = sum(after.values());
  max(after.get(word, 0) - discount, 0) / total + discount * len(after) / total * lower; if total is 0: lower.
""")
task = Task(kneser_ney_bigram, points=5, difficulty=4, minutes=30, cases=cases, slips=SLIPS, hints=HINTS)
