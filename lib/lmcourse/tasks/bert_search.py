"""Tasks of chapter 09, last part: search by cosine, senses told apart, a score for a sentence."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from lmcourse.exercises import Case, Slip, Task, case
from lmcourse.tasks.bert import CHAPTER

# ---------------------------------------------------------------------------------------------------- nearest_texts


def _cosines(query: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(query)
    return vectors @ query / np.where(lengths > 0, lengths, 1)


def _nearest(query: np.ndarray, vectors: np.ndarray, k: int) -> list[int]:
    return [int(i) for i in np.argsort(-_cosines(query, vectors), kind="stable")[:k]]


def _nearest_cases(seed: int) -> list[Case]:
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
        case("equal texts, the first comes first", same, np.stack([-same, same * 1, same * 1, -same]), 3),
        case("a text of zeros has cosine 0", np.array([1.0, 0.0]),
             np.array([[0.0, 0.0], [-1.0, 0.1], [1.0, 3.0], [-1.0, -3.0]]), 3),
        draw("fewer texts than are wanted, a border", 3, 7, 5),
        draw("none wanted", 5, 2, 0),
        case("no texts, empty", rng.normal(size=3), np.zeros((0, 3)), 2),
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


nearest_texts = Task(
    name="nearest_texts",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=15,
    cases=_nearest_cases,
    reference=_nearest,
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

# --------------------------------------------------------------------------------------------------- sense_accuracy


def _accuracy(vectors: np.ndarray, senses: Sequence[str]) -> float:
    if len(senses) < 2:
        raise ValueError("`vectors` must hold at least two.")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    nearest = cosines.argmax(1)
    return sum(senses[i] == senses[j] for i, j in enumerate(nearest)) / len(senses)


def _sense_cases(seed: int) -> list[Case]:
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
        case("two sentences of one sense", rng.normal(size=(2, 3)), ["money", "money"]),
        case("two sentences of different senses, none right", rng.normal(size=(2, 3)), ["money", "river"]),
        case("one sentence alone", rng.normal(size=(1, 3)), ["money"]),
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
    right = _accuracy(vectors, senses)  # the same errors
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


sense_accuracy = Task(
    name="sense_accuracy",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=20,
    cases=_sense_cases,
    reference=_accuracy,
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

# -------------------------------------------------------------------------------------------- pseudo_log_likelihood


def _pseudo(ids: Sequence[int], log_probs: np.ndarray, special_ids: Sequence[int]) -> float:
    return float(sum(log_probs[t, t, word] for t, word in enumerate(ids) if word not in special_ids))


def _pseudo_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(label: str, T: int, V: int, special_tokens: Sequence[int] = (2, 3)) -> Case:
        scores = rng.normal(size=(T, T, V)) * 2
        log_probs = scores - np.log(np.exp(scores).sum(-1, keepdims=True))
        inner = [int(i) for i in rng.integers(4, V, T)]
        if special_tokens and T > 1:
            inner[0], inner[-1] = 2, 3
        return case(label, inner, log_probs, list(special_tokens))

    table = np.log(np.full((3, 3, 5), 0.25))
    table[1, 1, 4] = np.log(0.5)
    return [
        case("the worked example", [2, 4, 3], table, [2, 3]),
        draw("seven tokens", 7, 11),
        draw("thirteen tokens", 13, 7),
        draw("no special tokens", 5, 13, ()),
        draw("one token alone", 1, 7, ()),
        case("special tokens only", [2, 3], np.log(np.full((2, 2, 5), 0.2)), [2, 3]),
        case("an empty sentence", [], np.zeros((0, 0, 5)), [2, 3]),
    ]


def _pseudo_by_index(ids: Sequence[int], log_probs: np.ndarray, special_ids: Sequence[int]) -> float:
    row = np.array(ids, dtype=int)
    places = np.flatnonzero(~np.isin(row, np.array(special_ids, dtype=int)))
    return float(log_probs[places, places, row[places]].sum())


def _pseudo_by_diagonal(ids: Sequence[int], log_probs: np.ndarray, special_ids: Sequence[int]) -> float:
    total = 0.0
    own = np.einsum("ttv->tv", log_probs)
    for word, scores in zip(ids, own, strict=True):
        if word in special_ids:
            continue
        total += float(scores[word])
    return total


def _pseudo_wrong(ids: Sequence[int], log_probs: np.ndarray, special_ids: Sequence[int], *, how: str) -> float:
    places = [t for t, word in enumerate(ids) if word not in special_ids]
    own = [float(log_probs[t, t, ids[t]]) for t in places]
    if how == "with_specials":
        return float(sum(log_probs[t, t, word] for t, word in enumerate(ids)))
    if how == "not_hidden":  # one run, with nothing hidden at the other places
        return float(sum(log_probs[0, t, ids[t]] for t in places))
    if how == "product":
        return float(np.exp(sum(own)))
    if how == "mean":
        return float(np.mean(own)) if own else 0.0
    if how == "sign":
        return -float(sum(own))
    if how == "next_word":
        return float(sum(log_probs[t, t, ids[min(t + 1, len(ids) - 1)]] for t in places))
    return float(sum(own)) / float(np.log(2))


pseudo_log_likelihood = Task(
    name="pseudo_log_likelihood",
    chapter=CHAPTER,
    points=2,
    difficulty=3,
    minutes=15,
    cases=_pseudo_cases,
    reference=_pseudo,
    slips=(
        Slip(
            "with_specials",
            partial(_pseudo_wrong, how="with_specials"),
            "[CLS] and [SEP] were scored too. They are no words of the sentence: leave them out.",
        ),
        Slip(
            "not_hidden",
            partial(_pseudo_wrong, how="not_hidden"),
            "All words were read from the run in which the first place is hidden, so most of them were in sight. Place "
            "t has a run of its own, log_probs[t].",
        ),
        Slip(
            "product",
            partial(_pseudo_wrong, how="product"),
            "This is the product of the probabilities. The sum of their logarithms is wanted.",
        ),
        Slip(
            "mean",
            partial(_pseudo_wrong, how="mean"),
            "This is the mean over the words. The sum is wanted.",
        ),
        Slip(
            "sign",
            partial(_pseudo_wrong, how="sign"),
            "The sign is turned round. A log-likelihood is at most 0, and larger is better.",
        ),
        Slip(
            "next_word",
            partial(_pseudo_wrong, how="next_word"),
            "The next word was looked up, as in chapter 08. Here the hidden word itself is guessed.",
        ),
        Slip(
            "bits",
            partial(_pseudo_wrong, how="bits"),
            "This is in bits. The log-probabilities are natural ones and stay so.",
        ),
    ),
    alternatives=(_pseudo_by_index, _pseudo_by_diagonal),
    hints=(
        "One run for each place: log_probs[t] was computed with place t hidden. What does it say at place t?",
        "log_probs[t, t, ids[t]] is the log-probability of the hidden word. Sum over the places that are not special.",
        "float(sum(log_probs[t, t, word] for t, word in enumerate(ids) if word not in special_ids))",
    ),
)
