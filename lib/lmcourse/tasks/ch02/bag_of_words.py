"""Exercise `bag_of_words`."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case


def bag_of_words(documents, vocabulary):
    """Return how often each word of the vocabulary is in each document.

    Args:
        documents: a list of documents, each a list of words; a document may be empty.
        vocabulary: V different words, a list.

    Returns:
        An array of float64, shape (number of documents, V).

    >>> bag_of_words([["the", "dog", "bit", "the", "man"]], ["the", "dog", "sun"]).tolist()
    [[2.0, 1.0, 0.0]]
    """
    counts = np.zeros((len(documents), len(vocabulary)))
    column = {word: place for place, word in enumerate(vocabulary)}
    for row, document in enumerate(documents):
        for word in document:
            if word in column:
                counts[row, column[word]] += 1
    return counts


Documents = Sequence[Sequence[str]]


_WORDS = ("the", "dog", "bit", "man", "sun", "not", "of", "king", "sword", "night", "a", "rose", "ghost")


def cases(seed: int) -> list[Case]:
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
        border("words outside the vocabulary", [*documents(3, 13, 13), ["ghost", "rose"]], list(_WORDS[:5])),
        border("a document of one word, said eleven times", [["king"] * 11, ["dog"]], ["dog", "king", "sun"]),
        case("two documents with the same words in another order", [["dog", "bit", "man"], ["man", "bit", "dog"]],
             ["bit", "dog", "man"]),
        border("an empty document", [[], documents(1, 7, 3)[0]], list(_WORDS[:3])),
        border("no documents", [], list(_WORDS[:3])),
    ]  # fmt: skip


def _bag_wrong(documents: Documents, vocabulary: Sequence[str], *, how: str) -> np.ndarray:
    counts = bag_of_words(documents, vocabulary)
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
        return bag_of_words(documents, own)
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


task = Task(
    bag_of_words,
    points=1,
    difficulty=1,
    minutes=10,
    cases=cases,
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
