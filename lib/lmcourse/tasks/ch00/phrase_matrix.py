import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes


def phrase_matrix(phrase, vocabulary):
    """Return the one-hot rows of a phrase.

    Args:
        phrase: T words, a list of str; it may be empty.
        vocabulary: V different words, a list of str; the first one has column 0.

    Returns:
        An array of float64, shape (T, V).

    Raises:
        ValueError: a word of the phrase is not in the vocabulary.

    >>> phrase_matrix(["find", "my"], ["files", "find", "my"]).tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    matrix = np.zeros((len(phrase), len(vocabulary)))
    for row, word in enumerate(phrase):
        if word not in vocabulary:
            raise ValueError(f"`phrase` may hold words of the vocabulary only, got {word!r}.")
        matrix[row, vocabulary.index(word)] = 1
    return matrix


_WORDS = ("files", "find", "my", "photos", "show", "me", "please", "the", "old", "new", "last")


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def phrase(n_tokens: int, n_words: int) -> list[str]:
        return [_WORDS[int(word)] for word in rng.integers(0, n_words, size=n_tokens)]

    return [
        case("the worked example", ["find", "my", "files"], ["files", "find", "my", "photos", "show"]),
        case("a random phrase", phrase(7, 11), list(_WORDS)),
        case("a phrase longer than the vocabulary", phrase(13, 3), list(_WORDS[:3])),
        border("one word", [_WORDS[int(rng.integers(5))]], list(_WORDS[:5])),
        border("an empty phrase", [], ["files", "find", "my"]),
        case("words that differ in capital letters only", ["my", "My", "MY"], ["My", "my", "MY", "m"]),
        case("words that are parts of others", ["file", "fi", "files"], ["files", "file", "fi", "le"]),
        border("an unknown word", ["find", "my", "wallet"], ["files", "find", "my"]),
        border("an unknown word that is part of a known one", ["file"], ["files", "my"]),
        border("a word and an empty vocabulary", ["my"], []),
        border("an unknown word that differs in capital letters only", ["My"], ["files", "my"]),
    ]


SLIPS = mistakes("""
transposed: "An array of float64, shape (T, V)"
    return matrix => return matrix.T
  Rows and columns are exchanged. One row a word of the phrase, one column a word of the vocabulary: the shape is
  (len(phrase), len(vocabulary)).
bag_of_words: "Return the one-hot rows of a phrase"
    return matrix => return matrix.sum(axis=0)
  The rows were added up: that is a bag of words, which forgets the order. Keep one row for each word of the phrase.
sorted_vocabulary: "V different words, a list of str"
    vocabulary.index(word) => sorted(vocabulary).index(word)
  The vocabulary was sorted first. Its order is given: the first word has column 0, whatever its letters.
ignores_case: "T words, a list of str"
    word not in vocabulary => word.lower() not in [other.lower() for other in vocabulary]
    vocabulary.index(word) => [other.lower() for other in vocabulary].index(word.lower())
  Words that differ in capital letters were taken for the same. "My" and "my" are two words here.
first_position_only: "Return the one-hot rows of a phrase"
    matrix[row, => matrix[phrase.index(word),
  When a word comes twice, its second row is empty: phrase.index(word) always finds the first position. Take the row
  number from enumerate(phrase).
unknown_is_zero: "a word of the phrase is not in the vocabulary"
    raise ValueError(f"`phrase` may hold words of the vocabulary only, got {word!r}.") => continue
  A word outside the vocabulary got a row of zeros, so it vanished in silence. Raise ValueError and name it.
empty_is_flat: "it may be empty"
    return matrix => return matrix if len(phrase) else np.array([])
  An empty phrase gave an array of shape (0,). It has no rows but still its columns: shape (0, V), which
  np.zeros((len(phrase), len(vocabulary))) gives.
""")
HINTS = hints("""
- Start from a matrix of zeros with one row a word of the phrase. Where in each row does the 1 go?
- vocabulary.index(word) is the column; enumerate(phrase) gives the row and the word.
- matrix = np.zeros((len(phrase), len(vocabulary))); for row, word in enumerate(phrase): matrix[row,
  vocabulary.index(word)] = 1. list.index raises ValueError for an unknown word by itself.
""")
task = Task(phrase_matrix, points=2, difficulty=1, minutes=10, cases=cases, slips=SLIPS, hints=HINTS)
