"""Tasks of chapter 00, first part: words as numbers, cosine similarity, a table lookup."""

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from lmcourse.exercises import Case, Slip, Task, case

CHAPTER = "00_start_here"

# -------------------------------------------------------------------------------------------------- phrase_matrix

_WORDS = ("files", "find", "my", "photos", "show", "me", "please", "the", "old", "new", "last")


def _phrase_matrix(phrase: Sequence[str], vocabulary: Sequence[str]) -> np.ndarray:
    matrix = np.zeros((len(phrase), len(vocabulary)))
    for row, word in enumerate(phrase):
        if word not in vocabulary:
            raise ValueError(f"every word of `phrase` must be in `vocabulary`, got {word!r}.")
        matrix[row, vocabulary.index(word)] = 1.0
    return matrix


def _phrase_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def phrase(n_tokens: int, n_words: int) -> list[str]:
        return [_WORDS[int(word)] for word in rng.integers(0, n_words, size=n_tokens)]

    return [
        case("the worked example", ["find", "my", "files"], ["files", "find", "my", "photos", "show"]),
        case("a random phrase", phrase(7, 11), list(_WORDS)),
        case("a phrase longer than the vocabulary", phrase(13, 3), list(_WORDS[:3])),
        case("a word that comes twice", ["my", "files", "my", "photos"], ["photos", "my", "files"]),
        case("one word", [_WORDS[int(rng.integers(5))]], list(_WORDS[:5])),
        case("an empty phrase", [], ["files", "find", "my"]),
        case("an unknown word", ["find", "my", "wallet"], ["files", "find", "my"]),
    ]


def _phrase_wrong(phrase: Sequence[str], vocabulary: Sequence[str], *, how: str) -> np.ndarray:
    known = [word for word in phrase if word in vocabulary]
    if how == "unknown_dropped":
        return _phrase_matrix(known, vocabulary)
    if how == "unknown_zero":
        return np.array([[float(word == other) for other in vocabulary] for word in phrase]).reshape(
            len(phrase), len(vocabulary)
        )
    right = _phrase_matrix(phrase, vocabulary)
    codes = [vocabulary.index(word) for word in phrase]
    if how == "codes":
        return np.array(codes, dtype=float)
    if how == "one_column_more":
        return np.eye(len(vocabulary) + 1)[np.array(codes, dtype=int) + 1]
    if how == "own_vocabulary":
        return _phrase_matrix(phrase, sorted(set(phrase)))
    if how == "first_place_only":
        first = np.zeros_like(right)
        for word in phrase:
            first[phrase.index(word), vocabulary.index(word)] = 1
        return first
    return right if len(phrase) else np.array([])  # "empty_is_flat"


def _phrase_by_identity(phrase: Sequence[str], vocabulary: Sequence[str]) -> np.ndarray:
    places = [list(vocabulary).index(word) for word in phrase]  # index raises ValueError for an unknown word
    return np.eye(len(vocabulary))[places]


def _phrase_by_comparison(phrase: Sequence[str], vocabulary: Sequence[str]) -> np.ndarray:
    if not set(phrase) <= set(vocabulary):
        raise ValueError("unknown words")
    rows = np.array(phrase, dtype=str)[:, None]
    return (rows == np.array(vocabulary, dtype=str)[None, :]).astype(np.float64)


phrase_matrix = Task(
    name="phrase_matrix",
    chapter=CHAPTER,
    points=2,
    difficulty=1,
    minutes=10,
    cases=_phrase_cases,
    reference=_phrase_matrix,
    slips=(
        Slip(
            "transposed",
            lambda phrase, vocabulary: _phrase_matrix(phrase, vocabulary).T,
            "Rows and columns are exchanged. One row a word of the phrase, one column a word of the vocabulary: the "
            "shape is (len(phrase), len(vocabulary)).",
        ),
        Slip(
            "codes",
            partial(_phrase_wrong, how="codes"),
            "These are label codes, one number a word. Their distances mean nothing (word 1 and word 3 do not average "
            "to word 2); give each word a row with a single 1.",
        ),
        Slip(
            "bag_of_words",
            lambda phrase, vocabulary: _phrase_matrix(phrase, vocabulary).sum(axis=0),
            "The rows were added up: that is a bag of words, which forgets the order. Keep one row for each word of "
            "the phrase.",
        ),
        Slip(
            "one_column_more",
            partial(_phrase_wrong, how="one_column_more"),
            "The words were counted from 1, so there is a column 0 that no word uses. Python counts from 0: the first "
            "word of the vocabulary has column 0.",
        ),
        Slip(
            "own_vocabulary",
            partial(_phrase_wrong, how="own_vocabulary"),
            "The columns stand for the words of the phrase alone. Use the vocabulary that is given, so that two "
            "phrases can be compared.",
        ),
        Slip(
            "first_place_only",
            partial(_phrase_wrong, how="first_place_only"),
            "When a word comes twice, its second row is empty: phrase.index(word) always finds the first place. Take "
            "the row number from enumerate(phrase).",
        ),
        Slip(
            "unknown_is_zero",
            partial(_phrase_wrong, how="unknown_zero"),
            "A word outside the vocabulary got a row of zeros, so it vanished without a word. Raise ValueError and "
            "name it.",
        ),
        Slip(
            "unknown_dropped",
            partial(_phrase_wrong, how="unknown_dropped"),
            "A word outside the vocabulary was left out, so the rows no longer stand for the words of the phrase. "
            "Raise ValueError and name it.",
        ),
        Slip(
            "empty_is_flat",
            partial(_phrase_wrong, how="empty_is_flat"),
            "An empty phrase gave an array of shape (0,). It has no rows but still its columns: shape (0, V), which "
            "np.zeros((len(phrase), len(vocabulary))) gives.",
        ),
    ),
    alternatives=(_phrase_by_identity, _phrase_by_comparison),
    hints=(
        "Start from a matrix of zeros with one row a word of the phrase. Where in each row does the 1 go?",
        "vocabulary.index(word) is the column; enumerate(phrase) gives the row and the word.",
        "matrix = np.zeros((len(phrase), len(vocabulary))); for row, word in enumerate(phrase): "
        "matrix[row, vocabulary.index(word)] = 1. list.index raises ValueError for an unknown word by itself.",
    ),
)


# ---------------------------------------------------------------------------------------------- cosine_similarity


def _cosine_similarity(x: np.ndarray, y: np.ndarray) -> float:
    lengths = float(np.linalg.norm(x) * np.linalg.norm(y))
    if lengths == 0:
        raise ValueError("`x` and `y` must not be zero vectors: a zero vector has no direction.")
    return float(np.dot(x, y)) / lengths


def _cosine_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=7)
    return [
        case("the worked example", np.array([1.0, 3.0, -5.0]), np.array([4.0, -2.0, -1.0])),
        case("random vectors", x, rng.normal(size=7)),
        case("vectors far from the origin", 5 + rng.normal(size=11), 3 + rng.normal(size=11)),
        case("the same direction, three times as long", x, 3 * x),
        case("the opposite direction", x, -x),
        case("two different one-hot vectors", np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])),
        case("one number each", np.array([-2.0]), np.array([float(rng.uniform(1, 5))])),
        case("whole numbers", np.array([3, 4]), np.array([4, -3])),
        case("a zero vector", np.zeros(3), np.array([1.0, 2.0, 3.0])),
        case("sizes that differ", np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0])),
    ]


def _cosine_wrong(change: Callable[[np.ndarray, np.ndarray], float]) -> Callable[[np.ndarray, np.ndarray], float]:
    def answer(x: np.ndarray, y: np.ndarray) -> float:
        _cosine_similarity(x, y)  # the same checks
        return float(change(x, y))

    return answer


def _cosine_of_zero(x: np.ndarray, y: np.ndarray, *, zero: float) -> float:
    return _cosine_similarity(x, y) if np.dot(x, x) * np.dot(y, y) > 0 else zero


def _cosine_by_loops(x: np.ndarray, y: np.ndarray) -> float:
    if len(x) != len(y):
        raise ValueError("sizes differ")
    product = math.fsum(a * b for a, b in zip(x, y, strict=True))
    squares = math.fsum(a * a for a in x) * math.fsum(b * b for b in y)
    if not squares:
        raise ValueError("a zero vector")
    return product / math.sqrt(squares)


def _cosine_of_units(x: np.ndarray, y: np.ndarray) -> float:
    if x.shape != y.shape or not x.any() or not y.any():
        raise ValueError("x and y")
    return float(((x / np.sqrt((x**2).sum())) * (y / np.sqrt((y**2).sum()))).sum())


cosine_similarity = Task(
    name="cosine_similarity",
    chapter=CHAPTER,
    points=2,
    difficulty=1,
    minutes=10,
    cases=_cosine_cases,
    reference=_cosine_similarity,
    slips=(
        Slip(
            "dot_product",
            _cosine_wrong(lambda x, y: np.dot(x, y)),
            "This is the dot product, which grows with the lengths of the vectors. Divide by both lengths: the cosine "
            "depends on the angle alone and lies between -1 and 1.",
        ),
        Slip(
            "mean_product",
            _cosine_wrong(lambda x, y: np.mean(x * y)),
            "The dot product was divided by the number of entries. Divide by the lengths of the vectors, the square "
            "roots of the sums of squares.",
        ),
        Slip(
            "one_length",
            _cosine_wrong(lambda x, y: np.dot(x, y) / np.linalg.norm(x)),
            "Only the length of the first vector was divided out, so the result still grows with the second. Divide "
            "by both.",
        ),
        Slip(
            "squared_lengths",
            _cosine_wrong(lambda x, y: np.dot(x, y) / (np.dot(x, x) * np.dot(y, y))),
            "The division is by the squared lengths. A length is the square root of the sum of squares: np.sqrt is "
            "missing.",
        ),
        Slip(
            "distance",
            _cosine_wrong(lambda x, y: 1 - _cosine_similarity(x, y)),
            "This is the cosine distance, 1 minus the similarity. The same direction must give 1, not 0.",
        ),
        Slip(
            "absolute",
            _cosine_wrong(lambda x, y: abs(_cosine_similarity(x, y))),
            "The sign is lost: opposite vectors must give -1. Take no absolute value.",
        ),
        Slip(
            "sums_of_absolutes",
            _cosine_wrong(lambda x, y: np.dot(x, y) / (np.abs(x).sum() * np.abs(y).sum())),
            "The vectors were divided by the sum of their absolute entries. Length here is the Euclidean one, the "
            "square root of the sum of squares.",
        ),
        Slip(
            "zero_gives_nan",
            partial(_cosine_of_zero, zero=math.nan),
            "A zero vector gave 0 / 0 = NaN, which then spreads through all that is computed with it. Raise "
            "ValueError: it has no direction.",
        ),
        Slip(
            "zero_gives_zero",
            partial(_cosine_of_zero, zero=0.0),
            "A zero vector gave similarity 0, the same as a right angle. It has no direction at all: raise ValueError.",
        ),
    ),
    alternatives=(_cosine_by_loops, _cosine_of_units),
    hints=(
        "The dot product is length times length times cosine. Which of the three do you want?",
        "The length of x is np.sqrt((x * x).sum()), or np.linalg.norm(x). Divide the dot product by both lengths.",
        "lengths = np.linalg.norm(x) * np.linalg.norm(y); raise ValueError if lengths == 0; "
        "return float(np.dot(x, y) / lengths).",
    ),
)


# ---------------------------------------------------------------------------------------------------- lookup_rows


def _lookup_rows(ids: Sequence[int], table: np.ndarray) -> np.ndarray:
    if any(not 0 <= number < len(table) for number in ids):
        raise ValueError(f"`ids` must be from 0 to {len(table) - 1}, got {list(ids)}.")
    one_hot = np.zeros((len(ids), len(table)), dtype=table.dtype)
    one_hot[np.arange(len(ids)), np.array(ids, dtype=int)] = 1
    return one_hot @ table


def _lookup_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(7, 3))
    square = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
    return [
        case("the worked example", [2, 0], np.array([[0.1, 0.2], [1.0, 2.0], [-3.0, 5.0]])),
        case("random ids", [int(number) for number in rng.integers(0, 7, size=11)], table),
        case("a row picked twice", [1, 1, 2], table),
        case("a square table", [2, 1], square),
        case("a table of float32", [4, 0, 3], rng.normal(size=(5, 2)).astype(np.float32)),
        case("one id", [0], rng.normal(size=(13, 5))),
        case("no ids: an empty matrix", [], table),
        case("an id beyond the table", [0, 7], table),
        case("an id below 0", [0, -1], table),
    ]


def _lookup_wrong(ids: Sequence[int], table: np.ndarray, *, how: str) -> np.ndarray:
    right = _lookup_rows(ids, table)
    places = np.array(ids, dtype=int)
    if how == "columns":
        return table[:, places % table.shape[1]]
    if how == "from_one":
        return table[places - 1]
    if how == "summed":
        return right.sum(axis=0)
    if how == "one_hot":
        return np.eye(len(table), dtype=table.dtype)[places]
    if how == "wide":
        return right.astype(np.float64)
    if how == "transposed":
        return right.T.copy()
    return right if len(ids) else np.array([])  # "empty_is_flat"


def _lookup_negative(ids: Sequence[int], table: np.ndarray) -> np.ndarray:
    if any(number >= len(table) for number in ids):
        raise ValueError("ids")
    return table[np.array(ids, dtype=int)]


def _lookup_index_error(ids: Sequence[int], table: np.ndarray) -> np.ndarray:
    return table[np.array(ids, dtype=int)]


def _lookup_by_index(ids: Sequence[int], table: np.ndarray) -> np.ndarray:
    if len(ids) and (min(ids) < 0 or max(ids) >= table.shape[0]):
        raise ValueError("no such row")
    return table[list(map(int, ids)), :] if len(ids) else table[:0].copy()


def _lookup_by_dot_products(ids: Sequence[int], table: np.ndarray) -> np.ndarray:
    n_rows, width = table.shape
    picked = np.empty((len(ids), width), dtype=table.dtype)
    for row, number in enumerate(ids):
        if number not in range(n_rows):
            raise ValueError(f"id {number}")
        hot = [float(place == number) for place in range(n_rows)]
        for column in range(width):
            picked[row, column] = sum(a * b for a, b in zip(hot, table[:, column], strict=True))
    return picked


lookup_rows = Task(
    name="lookup_rows",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=10,
    cases=_lookup_cases,
    reference=_lookup_rows,
    slips=(
        Slip(
            "columns",
            partial(_lookup_wrong, how="columns"),
            "Columns were picked, not rows. A one-hot row times the table, one_hot @ table, gives a row; the table "
            "times a one-hot column gives a column.",
        ),
        Slip(
            "counted_from_one",
            partial(_lookup_wrong, how="from_one"),
            "Each row is the one above the right one: the ids were counted from 1. Id 0 is the first row.",
        ),
        Slip(
            "summed",
            partial(_lookup_wrong, how="summed"),
            "The picked rows were added up. One row for each id is wanted, in the order of the ids.",
        ),
        Slip(
            "one_hot_only",
            partial(_lookup_wrong, how="one_hot"),
            "This is the one-hot matrix itself, the first half. Multiply it with the table.",
        ),
        Slip(
            "transposed",
            partial(_lookup_wrong, how="transposed"),
            "The result lies on its side. With one_hot of shape (T, V) and the table of shape (V, D), the product is "
            "(T, D): one row for each id.",
        ),
        Slip(
            "always_float64",
            partial(_lookup_wrong, how="wide"),
            "The numbers are right, but a float32 table came back as float64, for np.zeros makes float64. Give the "
            "one-hot matrix dtype=table.dtype.",
        ),
        Slip(
            "negative_ids",
            _lookup_negative,
            "Id -1 gave the last row: Python counts negative places from the end. No word has a negative id, so raise "
            "ValueError.",
        ),
        Slip(
            "index_error",
            _lookup_index_error,
            "The rows are right, but ids outside the table are left to NumPy: it stops with IndexError, or takes -1 "
            "for the last row. Check first and raise ValueError.",
        ),
        Slip(
            "empty_is_flat",
            partial(_lookup_wrong, how="empty_is_flat"),
            "No ids gave an array of shape (0,). No rows of width D is the shape (0, D), which a product of shapes "
            "(0, V) and (V, D) has by itself.",
        ),
    ),
    alternatives=(_lookup_by_index, _lookup_by_dot_products),
    hints=(
        "Make the one-hot matrix of the ids, as in phrase_matrix, then multiply.",
        "one_hot has the shape (len(ids), len(table)) and the table's dtype; one_hot @ table is the answer.",
        "one_hot = np.zeros((len(ids), len(table)), dtype=table.dtype); for row, i in enumerate(ids): "
        "one_hot[row, i] = 1; return one_hot @ table. First ValueError unless 0 <= i < len(table) for every id.",
    ),
)
