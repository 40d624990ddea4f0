import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.tasks.ch01.shared import KITCHEN, padded_counts, random_sentences


def continuation_counts(bigrams):
    """Return how many different words came before each word.

    Args:
        bigrams: a dict from (left, right) to count; "<s>" on the left is a word like the others, and a count may be 0.

    Returns:
        A dict from word to a count of at least 1; words that follow nothing are not in it.

    >>> continuation_counts({("hot", "tea"): 3, ("cold", "tea"): 1, ("hong", "kong"): 6})
    {'tea': 2, 'kong': 1}
    """
    counts = {}
    for (left, right), count in bigrams.items():
        if count > 0:
            counts[right] = counts.get(right, 0) + 1
    return counts


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", KITCHEN),
        case("random sentences", padded_counts(random_sentences(rng, 43), 2)),
        case("a larger vocabulary", padded_counts(random_sentences(rng, 31, 13), 2)),
        case("the start of a sentence as context", {("<s>", "tea"): 5, ("hot", "tea"): 1, ("<s>", "hot"): 1}),
        border("a bigram whose count has gone down to 0", {("hot", "tea"): 0, ("cold", "tea"): 2, ("hot", "soup"): 0}),
        case("the end of a sentence as the word after", {("tea", "</s>"): 2, ("hot", "</s>"): 1, ("hot", "tea"): 1}),
        case("capital letters", {("Hot", "tea"): 2, ("hot", "tea"): 1, ("hot", "Tea"): 1}),
        border("counts of 1 alone", {("hot", "tea"): 1, ("cold", "tea"): 1, ("hot", "soup"): 1}),
        border("one bigram", {("hot", "tea"): 7}),
        border("no bigrams", {}),
    ]


SLIPS = mistakes("""
tokens: "Return how many different words came before each word"
    counts.get(right, 0) + 1 => counts.get(right, 0) + count
  These are plain counts of the words: "kong" gets 6 though it follows one word only. Count the different words before
  it, so each bigram adds 1 whatever its count.
words_after: "Return how many different words came before each word"
    for (left, right), count => for (right, left), count
  This counts how many different words follow each word. Kneser-Ney asks the other way: how many words does it follow?
zeros_counted: "a count may be 0"
    if count > 0 => if True
  A bigram with the count 0 was counted as seen. A table may hold zeros (a Counter that was subtracted from, say); skip
  them.
without_start: ""<s>" on the left is a word like the others"
    if count > 0 => if count > 0 and left != "<s>"
  <s> was not taken as a context. For a word that can begin a sentence, <s> is one more word before it, and Kneser-Ney
  counts it.
shares: "Return how many different words came before each word"
    return counts => return {word: count / sum(counts.values()) for word, count in counts.items()}
  These are shares that sum to 1. Here the counts themselves are wanted; the division comes with Kneser-Ney, in the next
  exercise.
words_with_none: "words that follow nothing are not in it"
    return counts => return {word: counts.get(word, 0) for gram in bigrams for word in gram}
  Words that follow nothing are in the result with 0. Only words that follow at least one word belong in it.
""")
HINTS = hints("""
- The table holds each bigram once. How many different words come before a word is a matter of counting keys.
- Go through bigrams.items(); each key (left, right) with a count above 0 adds 1 to the entry of `right`.
- for (left, right), n in bigrams.items(): if n > 0: counts[right] = counts.get(right, 0) + 1.
""")
task = Task(continuation_counts, points=2, difficulty=2, minutes=10, cases=cases, slips=SLIPS, hints=HINTS)
