"""Tasks of chapter 02, third part: documents as vectors, counted and weighed."""

import math
from collections import Counter
from collections.abc import Sequence
from functools import partial

import numpy as np

from lmcourse.exercises import Case, Compare, Slip, Task, case
from lmcourse.tasks.embeddings import CHAPTER

Documents = Sequence[Sequence[str]]

# ---------------------------------------------------------------------------------------------------- bag_of_words

_WORDS = ("the", "dog", "bit", "man", "sun", "not", "of", "king", "sword", "night", "a", "rose", "ghost")


def _bag_of_words(documents: Documents, vocabulary: Sequence[str]) -> np.ndarray:
    counts = np.zeros((len(documents), len(vocabulary)))
    column = {word: place for place, word in enumerate(vocabulary)}
    for row, document in enumerate(documents):
        for word in document:
            if word in column:
                counts[row, column[word]] += 1
    return counts


def _bag_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def documents(n: int, longest: int, n_words: int) -> list[list[str]]:
        lengths = rng.integers(2, longest, size=n)
        return [[_WORDS[int(word)] for word in rng.integers(0, n_words, size=int(length))] for length in lengths]

    return [
        case(
            "the worked example",
            [["the", "dog", "bit", "the", "man"], ["the", "sun"]],
            ["the", "dog", "bit", "man", "sun"],
        ),
        case("three documents of up to 17 words", documents(3, 17, 11), list(_WORDS[:11])),
        case("more documents than words", documents(7, 5, 3), list(_WORDS[:3])),
        case("as many documents as words", documents(5, 11, 5), list(_WORDS[:5])),
        case("words outside the vocabulary", [*documents(3, 13, 13), ["ghost", "rose"]], list(_WORDS[:5])),
        case("a document of one word, said eleven times", [["king"] * 11, ["dog"]], ["dog", "king", "sun"]),
        case("two documents with the same words in another order", [["dog", "bit", "man"], ["man", "bit", "dog"]],
             ["bit", "dog", "man"]),
        case("an empty document", [[], documents(1, 7, 3)[0]], list(_WORDS[:3])),
        case("no documents", [], list(_WORDS[:3])),
    ]  # fmt: skip


def _bag_wrong(documents: Documents, vocabulary: Sequence[str], *, how: str) -> np.ndarray:
    counts = _bag_of_words(documents, vocabulary)
    if how == "presence":
        return (counts > 0).astype(float)
    if how == "shares":
        return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    if how == "transposed":
        return counts.T
    if how == "all_together":
        return counts.sum(axis=0)
    if how == "unknown_last":
        for row, document in enumerate(documents):
            counts[row, -1] += sum(word not in vocabulary for word in document)
        return counts
    if how == "first_rows":
        rows = [[float(word == other) for other in vocabulary] for document in documents for word in document]
        return np.array(rows).reshape(-1, len(vocabulary))
    if how == "own_columns":
        own = sorted({word for document in documents for word in document})
        return _bag_of_words(documents, own)
    return np.array([row for row, document in zip(counts, documents, strict=True) if len(document)]).reshape(
        -1, len(vocabulary)
    )  # "empty_dropped"


def _bag_by_counter(documents: Documents, vocabulary: Sequence[str]) -> np.ndarray:
    rows = [[Counter(document)[word] for word in vocabulary] for document in documents]
    return np.array(rows, dtype=np.float64).reshape(len(documents), len(vocabulary))


def _bag_by_one_hot(documents: Documents, vocabulary: Sequence[str]) -> np.ndarray:
    words, rows = np.array(vocabulary, dtype=str), []
    for document in documents:
        one_hot = np.array(document, dtype=str)[:, None] == words[None, :]
        rows.append(one_hot.sum(axis=0, dtype=float))
    return np.stack(rows) if rows else np.zeros((0, words.size))


bag_of_words = Task(
    name="bag_of_words",
    chapter=CHAPTER,
    points=1,
    difficulty=1,
    minutes=10,
    cases=_bag_cases,
    reference=_bag_of_words,
    slips=(
        Slip(
            "presence",
            partial(_bag_wrong, how="presence"),
            "This says whether a word is there (1 or 0). Count how often it is there.",
        ),
        Slip(
            "shares",
            partial(_bag_wrong, how="shares"),
            "These are shares of the document. Give plain counts; lengths are divided out when documents are compared.",
        ),
        Slip(
            "transposed",
            partial(_bag_wrong, how="transposed"),
            "Rows and columns are exchanged: one row a document, one column a word of the vocabulary.",
        ),
        Slip(
            "all_together",
            partial(_bag_wrong, how="all_together"),
            "All documents were counted into one row. Each document has a row of its own.",
        ),
        Slip(
            "unknown_last",
            partial(_bag_wrong, how="unknown_last"),
            "Words outside the vocabulary were counted in the last column, as an index of -1 does. Leave them out.",
        ),
        Slip(
            "first_rows",
            partial(_bag_wrong, how="first_rows"),
            "There is one row for each word: these are one-hot rows. Add up those of a document.",
        ),
        Slip(
            "own_columns",
            partial(_bag_wrong, how="own_columns"),
            "The columns are the words that occur in the documents, sorted. Use the vocabulary that is given, in its "
            "order, so that other documents can be compared.",
        ),
        Slip(
            "empty_dropped",
            partial(_bag_wrong, how="empty_dropped"),
            "An empty document got no row, so the rows no longer belong to the documents. It has a row of zeros.",
        ),
    ),
    alternatives=(_bag_by_counter, _bag_by_one_hot),
    hints=(
        "Start from zeros, one row a document and one column a word. What happens for each word you meet?",
        "A dict from word to column saves you from searching the vocabulary again and again.",
        "column = {w: i for i, w in enumerate(vocabulary)}; for each document and each of its words: "
        "if word in column: counts[row, column[word]] += 1",
    ),
)


# ---------------------------------------------------------------------------------------------------------- tf_idf


def _tf_idf(counts: np.ndarray) -> np.ndarray:
    if len(counts) == 0:
        raise ValueError(f"`counts` must hold at least one document, got shape {counts.shape}.")
    with_word = (counts > 0).sum(axis=0)
    return counts * np.log(len(counts) / np.maximum(with_word, 1))


def _tf_idf_cases(seed: int) -> list[Case]:
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
        case("a word of no document", one_word_less),
        case("an empty document", np.vstack([counts(3, 5), np.zeros((1, 5))])),
        case("one document: every word is in all of them", np.array([[float(rng.integers(1, 9)), 2.0, 1.0]])),
        case("no documents", np.zeros((0, 3))),
    ]


def _tf_idf_wrong(counts: np.ndarray, *, how: str) -> np.ndarray:
    right = _tf_idf(counts)
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


tf_idf = Task(
    name="tf_idf",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=15,
    cases=_tf_idf_cases,
    reference=_tf_idf,
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
