"""Exercise `tf_idf`."""

import math
from functools import partial

import numpy as np

from lmcourse.exercises import Case, Compare, Slip, Task, border, case


def tf_idf(counts):
    """Return counts weighted by how few documents hold the word, with the natural logarithm.

    Args:
        counts: an array of float64, shape (number of documents, V). A word may be in no document.

    Returns:
        An array of float64 of the same shape; 0 for a word of all documents, and for one of none.

    Raises:
        ValueError: there are no documents.

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
        border("a word of no document", one_word_less),
        border("an empty document", np.vstack([counts(3, 5), np.zeros((1, 5))])),
        border("one document: every word is in all of them", np.array([[float(rng.integers(1, 9)), 2.0, 1.0]])),
        border("no documents", np.zeros((0, 3))),
    ]


def _tf_idf_wrong(counts: np.ndarray, *, how: str) -> np.ndarray:
    right = tf_idf(counts)
    n, with_word = len(counts), (counts > 0).sum(axis=0)
    with np.errstate(all="ignore"):
        return {
            "upside_down": lambda: -right,
            "no_log": lambda: counts * (n / np.maximum(with_word, 1)),
            "base_2": lambda: right / math.log(2),
            "all_occurrences": lambda: counts * np.log(n / np.maximum(counts.sum(axis=0), 1)),
            "presence": lambda: (counts > 0) * np.log(n / np.maximum(with_word, 1)),
            "weights_only": lambda: np.log(n / np.maximum(with_word, 1)),
            "plus_one": lambda: counts * (np.log((1 + n) / (1 + with_word)) + 1),
            "nan": lambda: counts * np.log(n / with_word),
            "unit_length": lambda: right / np.maximum(np.linalg.norm(right, axis=1, keepdims=True), 1e-300),
            "by_words": lambda: counts * np.log(counts.shape[1] / np.maximum(with_word, 1)),
        }[how]()


def _tf_idf_by_loops(counts: np.ndarray) -> np.ndarray:
    n, n_words = counts.shape
    if not n:
        raise ValueError("no documents")
    weights = np.zeros_like(counts)
    for word in range(n_words):
        holders = sum(1 for document in counts if document[word])
        if holders:
            weights[:, word] = counts[:, word] * (math.log(n) - math.log(holders))
    return weights


def _tf_idf_by_where(counts: np.ndarray) -> np.ndarray:
    if counts.shape[0] < 1:
        raise ValueError("empty")
    share = np.count_nonzero(counts, axis=0) / counts.shape[0]
    return counts * -np.log(share, out=np.zeros_like(share), where=share != 0)


task = Task(
    tf_idf,
    points=2,
    difficulty=2,
    minutes=15,
    cases=cases,
    compare=Compare(rtol=1e-7, atol=1e-10),
    slips=(
        Slip(
            "upside_down",
            partial(_tf_idf_wrong, how="upside_down"),
            "The fraction stands on its head, so rare words get the most negative weight. It is documents in all over "
            "documents with the word.",
        ),
        Slip(
            "no_log",
            partial(_tf_idf_wrong, how="no_log"),
            "The logarithm is missing: a word of one document in a thousand would weigh a thousand times as much as a "
            "word of all, and a word of all would still weigh 1.",
        ),
        Slip(
            "base_2",
            partial(_tf_idf_wrong, how="base_2"),
            "The logarithm is to base 2. The natural one is asked for (np.log).",
        ),
        Slip(
            "all_occurrences",
            partial(_tf_idf_wrong, how="all_occurrences"),
            "The division is by how often the word occurs. Count the documents that hold it, however often they do.",
        ),
        Slip(
            "presence",
            partial(_tf_idf_wrong, how="presence"),
            "Each word weighs the same whether it occurs once or ten times. Multiply its weight with the count.",
        ),
        Slip(
            "weights_only",
            partial(_tf_idf_wrong, how="weights_only"),
            "These are the weights of the words (the idf), one row for all. Multiply each document's counts with them.",
        ),
        Slip(
            "plus_one",
            partial(_tf_idf_wrong, how="plus_one"),
            "This is scikit-learn's variant, with ones added above, below and outside. The plain one is asked for: a "
            "word of all documents weighs 0.",
        ),
        Slip(
            "nan",
            partial(_tf_idf_wrong, how="nan"),
            "A word of no document gave 0 times infinity, which is no number. Divide by at least 1: its count stays 0.",
        ),
        Slip(
            "unit_length",
            partial(_tf_idf_wrong, how="unit_length"),
            "The rows were scaled to length 1. That is done when documents are compared; give the weights themselves.",
        ),
        Slip(
            "by_words",
            partial(_tf_idf_wrong, how="by_words"),
            "The number of words stands above the fraction. It is the number of documents: counts.shape[0].",
        ),
    ),
    alternatives=(_tf_idf_by_loops, _tf_idf_by_where),
    hints=(
        "Two numbers are needed for each word: how many documents there are, and how many hold it at least once.",
        "(counts > 0).sum(axis=0) counts the documents that hold each word. np.maximum(..., 1) avoids dividing by 0.",
        "return counts * np.log(len(counts) / np.maximum((counts > 0).sum(axis=0), 1)), after a check for no documents",
    ),
)
