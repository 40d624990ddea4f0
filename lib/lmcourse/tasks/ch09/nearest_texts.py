"""Exercise `nearest_texts`."""

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case


def nearest_texts(query, vectors, k):
    """Return the numbers of the k texts whose vectors have the largest cosine with the query.

    Args:
        query: an array of float64, shape (D,), not zero.
        vectors: an array of float64, shape (N, D); N may be 0. A row of zeros has cosine 0.
        k: how many, 0 or more; it may be larger than N.

    Returns:
        A list of int, counted from 0: the best first, of equals the one that stands first.

    >>> nearest_texts(np.array([2.0, 0.0]), np.array([[0.0, 2.0], [1.0, 1.0], [9.0, 0.0], [3.0, -4.0]]), 2)
    [2, 1]
    """
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(query)
    cosines = vectors @ query / np.where(lengths > 0, lengths, 1)
    return [int(i) for i in np.argsort(-cosines, kind="stable")[:k]]


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(label: str, n: int, width: int, k: int, *, base: float = 0.0) -> Case:
        return case(label, rng.normal(size=width) + base, rng.normal(size=(n, width)) + base, k)

    worked = np.array([[0.0, 2.0], [1.0, 1.0], [9.0, 0.0], [3.0, -4.0]])
    long = np.array([[1.0, 0.2, 0.0], [9.0, 6.0, 1.0], [0.5, 0.05, 0.0], [-1.0, 0.0, 0.0], [3.0, 3.0, 3.0]])
    same = rng.normal(size=3)
    return [
        case("the worked example", np.array([2.0, 0.0]), worked, 2),
        draw("eleven texts, three wanted", 11, 5, 3),
        draw("vectors far from the origin", 13, 3, 5, base=2.0),
        case("long vectors and near ones", np.array([2.0, 0.1, 0.0]), long, 3),
        border("equal texts, the first comes first", same, np.stack([-same, same * 1, same * 1, -same]), 3),
        border(
            "a text of zeros has cosine 0",
            np.array([1.0, 0.0]),
            np.array([[0.0, 0.0], [-1.0, 0.1], [1.0, 3.0], [-1.0, -3.0]]),
            3,
        ),
        draw("fewer texts than are wanted, a border", 3, 7, 5),
        draw("none wanted", 5, 2, 0),
        border("no texts, empty", rng.normal(size=3), np.zeros((0, 3)), 2),
        border(
            "texts of very different lengths",
            np.array([0.5, 0.25]),
            np.array([[1e4, 0.0], [1e-3, 5e-4], [1e-4, 1e-4], [0.25, -0.05], [-1e-4, 1e-4]]),
            4,
        ),
        border("a very short query", np.array([1e-3, 2e-3]), np.array([[3.0, 1.0], [0.1, 0.2], [-1.0, 5.0]]), 3),
        border(
            "three equal texts, and two fit in",
            np.array([1.0, 2.0, 2.0]),
            np.array([[0.0, 3.0, 0.0], [2.0, 1.0, 2.0], [2.0, 1.0, 2.0], [2.0, 1.0, 2.0]]),
            2,
        ),
        border(
            "texts of zeros above and below others",
            np.array([1.0, 0.0]),
            np.array([[-2.0, 0.0], [0.0, 0.0], [0.0, 5.0], [0.0, 0.0], [3.0, 1.0]]),
            5,
        ),
        border("only texts of zeros", np.array([1.0, 2.0]), np.zeros((3, 2)), 2),
        border("as many texts as are wanted", rng.normal(size=3), rng.normal(size=(5, 3)), 5),
        border("one text", rng.normal(size=3), rng.normal(size=(1, 3)), 1),
        border("one number a vector", np.array([-2.0]), np.array([[3.0], [-0.5], [-7.0], [0.0]]), 3),
        border("no texts and none wanted", rng.normal(size=3), np.zeros((0, 3)), 0),
        border(
            "forty texts in two directions",
            np.array([3.0, 4.0]),
            np.tile(np.array([[4.0, 3.0], [3.0, 4.0]]), (20, 1)),
            25,
        ),
    ]


def _nearest_by_sorting(query: np.ndarray, vectors: np.ndarray, k: int) -> list[int]:
    def closeness(row: np.ndarray) -> float:
        size = float(np.sqrt((row**2).sum())) * float(np.sqrt((query**2).sum()))
        return float(row @ query) / size if size else 0.0

    scored = [(-round(closeness(row), 12), place) for place, row in enumerate(vectors)]
    return [place for _, place in sorted(scored)[:k]]


def _nearest_one_by_one(query: np.ndarray, vectors: np.ndarray, k: int) -> list[int]:
    sizes = np.sqrt(np.einsum("nd,nd->n", vectors, vectors))
    scores = np.divide(vectors @ (query / np.linalg.norm(query)), sizes, out=np.zeros(len(sizes)), where=sizes > 0)
    found: list[int] = []
    while len(found) < min(k, len(scores)):
        best = int(np.argmax(scores))
        found.append(best)
        scores[best] = -np.inf
    return found


task = Task(
    nearest_texts,
    points=2,
    difficulty=2,
    minutes=15,
    cases=cases,
    slips=(
        Slip(
            "dot",
            (" / np.where(lengths > 0, lengths, 1)", ""),
            "The dot product favours long vectors. Divide by both lengths: the cosine looks at the direction alone.",
        ),
        Slip(
            "distance",
            ("vectors @ query / np.where(lengths > 0, lengths, 1)", "-np.linalg.norm(vectors - query, axis=1)"),
            "The nearest by distance were taken. The measure here is the cosine, to which lengths do not matter.",
        ),
        Slip(
            "farthest",
            ("-cosines", "cosines"),
            "These are the texts with the smallest cosines: argsort sorts upward. Sort the negated cosines.",
        ),
        Slip(
            "absolute",
            ("-cosines", "-np.abs(cosines)"),
            "A vector in the opposite direction counts as near. The largest cosine is wanted, sign included.",
        ),
        Slip(
            "all",
            ("[:k]", ""),
            "All texts came back. Only the k nearest are wanted.",
        ),
        Slip(
            "best_last",
            ("[:k]]", "[:k]][::-1]"),
            "The right texts, but the nearest stands last. The best comes first.",
        ),
        Slip(
            "scores",
            ("int(i) for", "float(cosines[i]) for"),
            "These are the cosines. Return the numbers of the texts, counted from 0.",
        ),
        Slip(
            "skips_first",
            ("[:k]", "[1 : k + 1]"),
            "The nearest text is left out, as if it were the query itself. The query is not among the texts here.",
        ),
        Slip(
            "last_of_equals",
            ('-cosines, kind="stable")', 'cosines, kind="stable")[::-1]'),
            "Of equal cosines the last text comes first: turning an ascending order round turns the ties round, too. "
            "Sort the negated cosines, stably.",
        ),
        Slip(
            "zero_divided",
            ("np.where(lengths > 0, lengths, 1)", "lengths"),
            "A vector of zeros came behind all others, as 0 / 0, which is not a number, does when it is sorted. Its "
            "cosine is 0, more than a negative one.",
        ),
        Slip(
            "long_vectors_only",
            ("np.where(lengths > 0, lengths, 1)", "np.maximum(lengths, 1)"),
            "Vectors shorter than 1 were not divided by their length. Only a length of 0 must not divide.",
        ),
        Slip(
            "no_zero_k",
            ("[:k]", "[: max(k, 1)]"),
            "With k = 0 a text came back. None is wanted then: an empty list.",
        ),
        Slip(
            "counted_from_one",
            ("int(i) for", "int(i) + 1 for"),
            "The texts were counted from 1. Python counts from 0: the first text is 0.",
        ),
        Slip(
            "query_alone",
            ("np.linalg.norm(vectors, axis=1) * np.linalg.norm(query)", "np.linalg.norm(vectors, axis=1) ** 2"),
            "The dot product was divided by the square of the text's length. Divide by the length of the text and by "
            "that of the query, each once.",
        ),
        Slip(
            "sorted_numbers",
            (
                ' for i in np.argsort(-cosines, kind="stable")[:k]',
                ' for i in sorted(np.argsort(-cosines, kind="stable")[:k])',
            ),
            "The right texts, but in the order in which they stand. The nearest comes first.",
        ),
    ),
    alternatives=(_nearest_by_sorting, _nearest_one_by_one),
    hints=(
        "Cosines of all texts at once: vectors @ query, divided by the length of each text times that of the query.",
        "A length of 0 must not divide: np.where(lengths > 0, lengths, 1). Then np.argsort of the negated cosines, "
        'with kind="stable" so that of equals the first stays first.',
        'order = np.argsort(-cosines, kind="stable")[:k]; return [int(i) for i in order]',
    ),
)
