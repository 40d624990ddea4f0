import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.tasks.ch01.shared import WORDS, random_sentences


def transition_matrix(sentences, vocabulary):
    """Return the transition probabilities of a Markov chain with history 1.

    Args:
        sentences: a list of sentences, each a list of words (str).
        vocabulary: V different words, a list of str, in the order of the rows and of the columns.

    Returns:
        An array of float64, shape (V, V): row = the word before, column = the word after. Each row sums to 1, or
        holds only zeros when nothing ever followed its word.

    Raises:
        ValueError: a sentence holds a word outside the vocabulary.

    >>> transition_matrix([["my", "files"], ["my", "photos"], ["my", "files"], ["my", "files"]],
    ...                   ["my", "files", "photos"]).tolist()
    [[0.0, 0.75, 0.25], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    row_of = {word: row for row, word in enumerate(vocabulary)}
    counts = np.zeros((len(vocabulary), len(vocabulary)))
    for sentence in sentences:
        for word in sentence:
            if word not in row_of:
                raise ValueError(f"`vocabulary` must hold every word of the sentences, it lacks {word!r}.")
        for before, after in zip(sentence, sentence[1:]):
            counts[row_of[before], row_of[after]] += 1
    totals = counts.sum(axis=1, keepdims=True)
    return np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)


_SHOW_ME = "show me my {} please"


_COMMANDS = [
    _SHOW_ME.format(what).split()
    for what, times in (("directories", 2), ("files", 3), ("photos", 5))
    for _ in range(times)
]


_COMMAND_WORDS = ["directories", "files", "me", "my", "photos", "please", "show"]


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    ends_and_goes_on = [["sun", "moon"], ["moon", "sun"], ["sun"], ["sun", "rain"]]
    return [
        case("the worked example", _COMMANDS, _COMMAND_WORDS),
        case("random sentences", random_sentences(rng, 23), list(WORDS[:7])),
        border("a vocabulary with words that never occur", random_sentences(rng, 5, 3), list(WORDS[:11])),
        border("a word that ends one sentence and goes on in another", ends_and_goes_on, ["sun", "moon", "rain"]),
        case("a word after itself", [["sun", "sun", "sun", "moon"]], ["moon", "sun"]),
        border("one sentence of one word", [["sun"]], ["sun"]),
        border("no sentences", [], ["sun", "moon"]),
        border("one empty sentence", [[], ["sun", "moon"]], ["sun", "moon"]),
        case("a vocabulary in no alphabetical order", [["sun", "moon", "sun", "Sun"]], ["sun", "Sun", "moon"]),
        border("a word outside the vocabulary", [["sun", "moon"]], ["sun", "rain"]),
        border("a first word outside the vocabulary", [["moon", "sun"]], ["sun", "rain"]),
        border("a sentence and an empty vocabulary", [["sun"]], []),
        border("a sentence of one word outside the vocabulary", [["sun", "rain"], ["moon"]], ["sun", "rain"]),
        border("a word that differs in capital letters from the vocabulary", [["sun", "Rain"]], ["sun", "rain"]),
    ]


SLIPS = mistakes("""
columns: "row = the word before, column = the word after"
    counts.sum(axis=1 => counts.sum(axis=0
  Here the columns sum to 1: that is the probability of the word before, given the word after. Divide each row by the
  sum of its row, so that a row answers: after this word, what comes?
transposed: "V different words, a list of str, in the order of the rows and of the columns"
    0) => 0).T
  The numbers are right, but rows and columns are exchanged. The earlier word chooses the row, the later word the
  column: counts[before, after].
across_sentences: "a list of sentences, each a list of words (str)"
    counts = np => sentences = [[word for sentence in sentences for word in sentence]]
    |    counts = np
  The last word of a sentence was paired with the first word of the next one. Count the pairs of each sentence
  separately.
divided_by_occurrences: "Each row sums to 1"
    totals = counts.sum(axis=1, keepdims=True) =>
        totals = np.array([[sum(s.count(word) for s in sentences)] for word in vocabulary], dtype=float)
  Each row is divided by how often its word occurs. At the end of a sentence a word has no successor, so such a row sums
  to less than 1; divide by the number of pairs that begin with the word.
nan_rows: "holds only zeros when nothing ever followed its word"
    return np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0) => return counts / totals
  A word that nothing follows has a row that sums to 0, and 0 / 0 is NaN, which spreads. Leave such a row at zero.
uniform_rows: "holds only zeros when nothing ever followed its word"
    np.zeros_like(counts), where => np.full_like(counts, 1 / len(vocabulary)), where
  A word that nothing follows was given a uniform row. That invents successors never seen; here its row stays zero.
pairs_once: "Return the transition probabilities of a Markov chain with history 1"
    row_of[after]] += 1 => row_of[after]] = 1
  A pair that was seen five times counts no more here than one that was seen once. Add 1 for each occurrence; = 1 writes
  over the count.
unknown_words_dropped: "a sentence holds a word outside the vocabulary"
    counts = np => sentences = [[word for word in words if word in row_of] for words in sentences]
    |    counts = np
  A word outside the vocabulary was left out without a word, and its neighbours became a pair that was never written.
  Raise ValueError.
""")
HINTS = hints("""
- First a matrix of counts, then divide. Which of the two words picks the row?
- For each sentence, go through the pairs zip(sentence, sentence[1:]) and add 1 at [row of the earlier word, column of
  the later word].
- totals = counts.sum(axis=1, keepdims=True); then np.divide(counts, totals, out=np.zeros_like(counts), where=totals >
  0) leaves the rows without successors at zero.
""")
task = Task(transition_matrix, points=3, difficulty=2, minutes=15, cases=cases, slips=SLIPS, hints=HINTS)
