"""Exercise `nearest_texts`."""

from functools import partial
from typing import Any

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case


def nearest_texts(query, vectors, k):
    """Return the places of the k nearest texts.

    Args:
        query: an array of float64, shape (D,), not zero.
        vectors: an array of float64, shape (N, D).
        k: how many, 0 or more.

    Returns:
        A list of int.

    >>> nearest_texts(np.array([2.0, 0.0]), np.array([[0.0, 2.0], [1.0, 1.0], [9.0, 0.0], [3.0, -4.0]]), 2)
    [2, 1]
    """
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(query)
    cosines = vectors @ query / np.where(lengths > 0, lengths, 1)
    return [int(i) for i in np.argsort(-cosines, kind="stable")[:k]]


def _cosines(query: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(query)
    return vectors @ query / np.where(lengths > 0, lengths, 1)


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
        border("a text of zeros has cosine 0", np.array([1.0, 0.0]),
             np.array([[0.0, 0.0], [-1.0, 0.1], [1.0, 3.0], [-1.0, -3.0]]), 3),
        draw("fewer texts than are wanted, a border", 3, 7, 5),
        draw("none wanted", 5, 2, 0),
        border("no texts, empty", rng.normal(size=3), np.zeros((0, 3)), 2),
    ]  # fmt: skip


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


def _nearest_wrong(query: np.ndarray, vectors: np.ndarray, k: int, *, how: str) -> Any:
    scores = _cosines(query, vectors)
    if how == "dot":
        scores = vectors @ query
    if how == "distance":
        scores = -np.linalg.norm(vectors - query, axis=1)
    if how == "farthest":
        scores = -scores
    if how == "absolute":
        scores = np.abs(scores)
    order = [int(i) for i in np.argsort(-scores, kind="stable")]
    if how == "all":
        return order
    if how == "best_last":
        return order[:k][::-1]
    if how == "scores":
        return [float(scores[i]) for i in order[:k]]
    if how == "skips_first":
        return order[1 : k + 1]
    return order[:k]


task = Task(
    nearest_texts,
    points=2,
    difficulty=2,
    minutes=15,
    cases=cases,
    slips=(
        Slip(
            "dot",
            partial(_nearest_wrong, how="dot"),
            "The dot product favours long vectors. Divide by both lengths: the cosine looks at the direction alone.",
        ),
        Slip(
            "distance",
            partial(_nearest_wrong, how="distance"),
            "The nearest by distance were taken. The measure here is the cosine, to which lengths do not matter.",
        ),
        Slip(
            "farthest",
            partial(_nearest_wrong, how="farthest"),
            "These are the texts with the smallest cosines: argsort sorts upward. Sort the negated cosines.",
        ),
        Slip(
            "absolute",
            partial(_nearest_wrong, how="absolute"),
            "A vector in the opposite direction counts as near. The largest cosine is wanted, sign included.",
        ),
        Slip(
            "all",
            partial(_nearest_wrong, how="all"),
            "All texts came back. Only the k nearest are wanted.",
        ),
        Slip(
            "best_last",
            partial(_nearest_wrong, how="best_last"),
            "The right texts, but the nearest stands last. The best comes first.",
        ),
        Slip(
            "scores",
            partial(_nearest_wrong, how="scores"),
            "These are the cosines. Return the places of the texts, as whole numbers.",
        ),
        Slip(
            "skips_first",
            partial(_nearest_wrong, how="skips_first"),
            "The nearest text is left out, as if it were the query itself. The query is not among the texts here.",
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
