import numpy as np

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes


def tf_idf(counts):
    """Return counts weighted by how few documents hold the word, with the natural logarithm.

    Args:
        counts: how often each word is in each document, whole numbers from 0 up as an array of float64, shape (N, V): N
            documents, V words, V at least 1. A word may be in no document, and a document may be empty.

    Returns:
        A new array of float64 of the same shape; 0 for a word of all documents, and for one of none.

    Raises:
        ValueError: there are no documents, N is 0.

    >>> tf_idf(np.array([[2.0, 1.0], [1.0, 0.0], [1.0, 0.0]])).round(4).tolist()
    [[0.0, 1.0986], [0.0, 0.0], [0.0, 0.0]]
    """
    if len(counts) == 0:
        raise ValueError("`counts` must hold at least one document, got none.")
    with_word = (counts > 0).sum(axis=0)
    return counts * np.log(len(counts) / np.maximum(with_word, 1))


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def counts(n_documents: int, n_words: int) -> np.ndarray:
        drawn = rng.poisson(1.0, size=(n_documents, n_words)).astype(float)
        drawn[0, 0], drawn[1:, 0] = 3.0, 0.0  # a word of one document
        drawn[:, 1] = rng.integers(1, 5, size=n_documents)  # and one of all
        return drawn

    one_word_less = counts(5, 7)
    one_word_less[:, 3] = 0
    return [
        case("the worked example", np.array([[2.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 3.0]])),
        case("five documents, seven words", counts(5, 7)),
        case("eleven documents, three words", counts(11, 3)),
        case("as many documents as words", counts(5, 5)),
        case("more words than documents", counts(3, 11)),
        case("rows that do not lie one after the other in memory", np.ascontiguousarray(counts(7, 3).T).T),
        border("counts of 10,000 and of 1", np.array([[1e4, 1.0], [1.0, 0.0], [0.0, 0.0]])),
        border("a word of no document", one_word_less),
        border("nothing but empty documents", np.zeros((3, 2))),
        border("an empty document", np.vstack([counts(3, 5), np.zeros((1, 5))])),
        border("one document: every word is in all of them", np.array([[float(rng.integers(1, 9)), 2.0, 1.0]])),
        border("one document without one of the words", np.array([[2.0, 0.0, 1.0]])),
        border("no documents", np.zeros((0, 3))),
    ]


SLIPS = mistakes("""
no_log: "the natural logarithm"
    np.log(len(counts) / np.maximum(with_word, 1)) => (len(counts) / np.maximum(with_word, 1))
  The logarithm is missing: a word of one document in a thousand would weigh a thousand times as much as a word of all,
  and a word of all would still weigh 1.
base_10: "the natural logarithm"
    np.log( => np.log10(
  The logarithm is to base 10. The natural one is asked for (np.log).
all_occurrences: "counts weighted by how few documents hold the word"
    (counts > 0).sum => counts.sum
  The division is by how often the word occurs. Count the documents that hold it, however often they do.
presence: "counts weighted by how few documents hold the word"
    return counts * => return (counts > 0) *
  Each word weighs the same whether it occurs once or ten times. Multiply its weight with the count.
shares
    return counts * => return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1) *
  The counts were divided by the length of the document. The formula takes the counts as they are.
smoothed
    len(counts) / np.maximum(with_word, 1) => len(counts) / (1 + with_word)
  1 was added to the number of documents that hold the word. The formula has none: avoid dividing by 0 in another way,
  np.maximum(N_v, 1).
smoothed_above_and_below
    len(counts) / np.maximum(with_word, 1) => (1 + len(counts)) / (1 + with_word)
  1 was added above and below the fraction. The formula has none: avoid dividing by 0 in another way, np.maximum(N_v,
  1).
plus_one: "0 for a word of all documents"
    np.log(len(counts) / np.maximum(with_word, 1)) => (np.log(len(counts) / np.maximum(with_word, 1)) + 1)
  1 was added to the logarithm. Without it a word of all documents weighs 0, as it should.
nan: "A word may be in no document, and a document may be empty"
    np.maximum(with_word, 1) => with_word
  A word of no document gave 0 times infinity, which is no number. Divide by at least 1: its count stays 0.
more_than_once
    (counts > 0) => (counts > 1)
  Only documents that hold the word at least twice were counted. Once is enough.
in_place: "A new array"
    return counts * np.log(len(counts) / np.maximum(with_word, 1)) =>
        counts *= np.log(len(counts) / np.maximum(with_word, 1))
    |    return counts
  The numbers are right, but the array that was given is overwritten: *= changes it. Return a new one.
no_check: "there are no documents, N is 0"
    if len(counts) == 0: => if False:
  The weights are right, but an array without documents is not refused. Raise ValueError.
""")
CLOSE = Compare(rtol=1e-7, atol=1e-10, new=True)
HINTS = hints("""
- Two numbers are needed for each word: how many documents there are, and how many hold it at least once.
- (counts > 0).sum(axis=0) counts the documents that hold each word. np.maximum(..., 1) avoids dividing by 0.
- return counts * np.log(len(counts) / np.maximum((counts > 0).sum(axis=0), 1)), after a check for no documents
""")
task = Task(tf_idf, points=2, difficulty=2, minutes=15, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
