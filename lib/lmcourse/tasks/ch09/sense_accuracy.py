"""Exercise `sense_accuracy`."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case


def sense_accuracy(vectors, senses):
    """Return the share of vectors whose nearest neighbour has their sense.

    Args:
        vectors: an array of float64, shape (N, D), no row zero.
        senses: N strings.

    Returns:
        A float from 0 to 1.

    Raises:
        ValueError: fewer than two rows.

    >>> vectors = np.array([[1.0, 0.0], [5.0, 1.0], [0.0, 1.0], [1.0, 8.0], [1.0, 0.9]])
    >>> sense_accuracy(vectors, ["money", "money", "river", "river", "river"])
    0.8
    """
    if len(senses) < 2:
        raise ValueError("one vector has no neighbour.")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    nearest = cosines.argmax(axis=1)
    return float(np.mean([senses[i] == senses[j] for i, j in enumerate(nearest)]))


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(label: str, per_sense: int, width: int, apart: float, *, uneven: bool = False) -> Case:
        sizes = [per_sense, per_sense // 3 + 1 if uneven else per_sense]
        centres = rng.normal(size=(2, width)) * apart
        rows = [centres[s] + rng.normal(size=width) for s in (0, 1) for _ in range(sizes[s])]
        senses = [name for name, n in zip(("river", "money"), sizes, strict=True) for _ in range(n)]
        order = rng.permutation(len(rows))
        lengths = rng.uniform(0.2, 5.0, (len(rows), 1))
        return case(label, (np.array(rows) * lengths)[order], [senses[int(i)] for i in order])

    worked = np.array([[1.0, 0.0], [5.0, 1.0], [0.0, 1.0], [1.0, 8.0], [1.0, 0.9]])
    return [
        case("the worked example", worked, ["money", "money", "river", "river", "river"]),
        draw("eleven of each sense, hardly apart", 11, 3, 0.4),
        draw("seven of each sense, well apart", 7, 5, 2.0),
        draw("unequal numbers of sentences", 13, 3, 0.7, uneven=True),
        draw("two numbers a vector", 17, 2, 0.5),
        border("two sentences of one sense", rng.normal(size=(2, 3)), ["money", "money"]),
        border("two sentences of different senses, none right", rng.normal(size=(2, 3)), ["money", "river"]),
        border("one sentence alone", rng.normal(size=(1, 3)), ["money"]),
    ]


def _sense_in_loops(vectors: np.ndarray, senses: Sequence[str]) -> float:
    if len(vectors) < 2:
        raise ValueError("one vector has no neighbour")
    right = 0
    for i, v in enumerate(vectors):
        others = [(float(v @ w) / float(np.sqrt((v @ v) * (w @ w))), -j) for j, w in enumerate(vectors) if j != i]
        right += senses[-max(others)[1]] == senses[i]
    return right / len(vectors)


def _sense_by_distance_of_units(vectors: np.ndarray, senses: Sequence[str]) -> float:
    n = len(senses)
    if n < 2:
        raise ValueError("senses")
    unit = vectors / np.sqrt((vectors**2).sum(1))[:, None]
    squared = ((unit[:, None] - unit[None]) ** 2).sum(-1) + 9.0 * np.eye(n)
    labels = np.array(senses)
    return float(np.mean(labels[squared.argmin(axis=0)] == labels))


def _sense_wrong(vectors: np.ndarray, senses: Sequence[str], *, how: str) -> Any:
    right = sense_accuracy(vectors, senses)  # the same errors
    labels = np.array(senses)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    if how == "itself":
        return float(np.mean(labels[cosines.argmax(1)] == labels))
    if how == "dot":
        cosines = vectors @ vectors.T
    if how == "distance":
        cosines = -np.linalg.norm(vectors[:, None] - vectors[None], axis=-1)
    np.fill_diagonal(cosines, np.inf if how == "farthest" else -np.inf)
    nearest = cosines.argmin(1) if how == "farthest" else cosines.argmax(1)
    hits = labels[nearest] == labels
    if how == "count":
        return int(hits.sum())
    if how == "errors":
        return 1.0 - right
    if how == "centres":
        centres = {name: unit[labels == name].mean(0) for name in sorted(set(senses))}
        said = [max(centres, key=lambda name: float(u @ centres[name] / np.linalg.norm(centres[name]))) for u in unit]
        return float(np.mean(np.array(said) == labels))
    return float(hits.mean())


task = Task(
    sense_accuracy,
    points=3,
    difficulty=3,
    minutes=20,
    cases=cases,
    slips=(
        Slip(
            "itself",
            partial(_sense_wrong, how="itself"),
            "Each vector found itself, so the score is always 1. Leave the vector itself out.",
        ),
        Slip(
            "dot",
            partial(_sense_wrong, how="dot"),
            "The nearest by dot product was taken, and long vectors win it. Use the cosine.",
        ),
        Slip(
            "distance",
            partial(_sense_wrong, how="distance"),
            "The nearest by distance was taken, and short vectors are near to many. Use the cosine.",
        ),
        Slip(
            "farthest",
            partial(_sense_wrong, how="farthest"),
            "The farthest neighbour was asked. Take the one with the largest cosine.",
        ),
        Slip(
            "count",
            partial(_sense_wrong, how="count"),
            "This is the number of right ones. The share is wanted, a float from 0 to 1.",
        ),
        Slip(
            "errors",
            partial(_sense_wrong, how="errors"),
            "This is the share of those whose neighbour has the other sense. The share of the right ones is wanted.",
        ),
        Slip(
            "centres",
            partial(_sense_wrong, how="centres"),
            "Each vector was compared with the mean of each sense, in which it takes part itself. Ask its one nearest "
            "neighbour.",
        ),
    ),
    alternatives=(_sense_in_loops, _sense_by_distance_of_units),
    hints=(
        "Make all vectors of length 1; then unit @ unit.T holds all cosines.",
        "A vector is its own nearest. np.fill_diagonal(cosines, -np.inf) takes it out, then argmax of each row.",
        "nearest = cosines.argmax(1); the share of i with senses[i] == senses[nearest[i]]. Fewer than two: ValueError.",
    ),
)
