import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes


def bag_of_words(documents, vocabulary):
    """Return how often each word of the vocabulary is in each document.

    Words are compared as they are: "The" is not "the". Words outside the vocabulary are left out.

    Args:
        documents: a list of N documents, each a list of words; the list and each document may be empty.
        vocabulary: V different words, a list; V is at least 1.

    Returns:
        An array of float64, shape (N, V); row i is document i, column j is vocabulary[j].

    >>> bag_of_words([["the", "dog", "bit", "the", "man"]], ["the", "dog", "sun"]).tolist()
    [[2.0, 1.0, 0.0]]
    """
    counts = np.zeros((len(documents), len(vocabulary)))
    column = {word: position for position, word in enumerate(vocabulary)}
    for row, document in enumerate(documents):
        for word in document:
            if word in column:
                counts[row, column[word]] += 1
    return counts


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
        case("a vocabulary in no alphabetical order", [["sun", "dog", "the", "sun"]], ["the", "dog", "sun", "bit"]),
        case("capital letters", [["The", "the", "THE", "The"]], ["the", "The", "tHe"]),
        case("words that are parts of others", [["sunday", "sun", "the"]], ["sun", "sunday", "he", "the"]),
        border("words outside the vocabulary", [*documents(3, 13, 13), ["ghost", "rose"]], list(_WORDS[:5])),
        border("a word outside the vocabulary, among others", [["dog", "moon", "dog"]], ["dog", "bit"]),
        border("an empty document", [[], documents(1, 7, 3)[0]], list(_WORDS[:3])),
        border("an empty document at the end", [["dog"], []], ["dog", "the"]),
        border("one empty document", [[]], ["dog", "the"]),
        border("no documents", [], list(_WORDS[:3])),
    ]


SLIPS = mistakes("""
presence: "Return how often each word of the vocabulary is in each document"
    += 1 => = 1
  This says whether a word is there (1 or 0). Count how often it is there.
shares_of_all_words
    return counts => return counts / np.array([max(len(document), 1) for document in documents]).reshape(-1, 1)
  Each row was divided by the length of its document. Give plain counts; lengths are divided out when documents are
  compared.
unknown_last: "Words outside the vocabulary are left out"
    if word in column: => if True:
    column[word] => column.get(word, -1)
  Words outside the vocabulary were counted in the last column, as an index of -1 does. Leave them out.
unknown_fails: "Words outside the vocabulary are left out"
    if word in column: => if True:
  A word outside the vocabulary raises an error. Leave such words out: ask first whether the word is in the vocabulary.
sorted_columns: "V different words, a list"
    enumerate(vocabulary) => enumerate(sorted(vocabulary))
  The vocabulary was sorted first. Its order is given: column j belongs to vocabulary[j].
parts_of_words: "Words are compared as they are: "The" is not "the""
    for word in document:
    |            if word in column:
    |                counts[row, column[word]] += 1 => for j, word in enumerate(vocabulary):
    |            counts[row, j] = ' '.join(document).count(word)
  Words were looked for inside other words: 'sun' was found in 'sunday'. Compare whole words.
whole_numbers: "An array of float64, shape (N, V)"
    len(vocabulary))) => len(vocabulary)), dtype=int)
  The counts are right, but they are whole numbers. float64 is asked for, the default of np.zeros.
empty_dropped: "each document may be empty"
    return counts => return counts[[len(document) > 0 for document in documents]].reshape(-1, len(vocabulary))
  An empty document got no row, so the rows no longer belong to the documents. It has a row of zeros.
no_documents_without_columns: "the list"
    return counts => return counts if len(documents) else np.array([])
  Without documents the result has the shape (0, V): no rows, but as many columns as ever. np.array([]) has the shape
  (0,).
""")
HINTS = hints("""
- Start from zeros, one row a document and one column a word. What happens for each word you meet?
- A dict from word to column saves you from searching the vocabulary again and again.
- column = {w: i for i, w in enumerate(vocabulary)}; for each document and each of its words: if word in column:
  counts[row, column[word]] += 1
""")
task = Task(bag_of_words, points=1, difficulty=1, minutes=10, cases=cases, slips=SLIPS, hints=HINTS)
