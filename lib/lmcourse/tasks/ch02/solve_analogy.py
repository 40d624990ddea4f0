"""Exercise `solve_analogy`."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import torch

from lmcourse.exercises import Case, Slip, Task, border, case


def solve_analogy(a, b, c, words, vectors):
    """Return the word that is to c as b is to a: the nearest to b - a + c by cosine, but none of the three.

    Args:
        a, b, c: words; a and c may be the same.
        words: V different words, a list.
        vectors: their vectors, an array of float64, shape (V, D). A vector of zeros has the cosine 0 with all.

    Returns:
        A word.

    Raises:
        ValueError: one of the three is not in the list (list.index raises that by itself), or no other word is.

    >>> table = np.array([[1.0, 1.0], [1.0, 5.0], [3.0, 1.0], [3.0, 5.5], [-1.0, 5.0]])
    >>> solve_analogy("man", "king", "woman", ["man", "woman", "king", "queen", "maid"], table)
    'queen'
    """
    rows = [words.index(word) for word in (a, b, c)]
    if len(set(rows)) == len(words):
        raise ValueError("`words` must hold a word besides a, b and c.")
    target = vectors[rows[1]] - vectors[rows[0]] + vectors[rows[2]]
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(target)
    cosines = vectors @ target / np.where(lengths > 0, lengths, 1)
    cosines[rows] = -np.inf
    return words[int(np.argmax(cosines))]


_NAMES = ("king", "queen", "man", "woman", "paris", "rome", "italy", "france", "sword", "night", "rose", "ghost", "sea")


def _cosines(vector: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(vector)
    return vectors @ vector / np.where(lengths > 0, lengths, 1)


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    places = [int(place) for place in rng.permutation(13)]

    def drawn(label: str, width: int, *, base: float = 0.0) -> Case:
        a, b, c = (_NAMES[int(place)] for place in rng.permutation(13)[:3])
        return case(label, a, b, c, list(_NAMES), base + rng.normal(size=(13, width)))

    royal = ["man", "woman", "king", "queen", "maid"]
    table = np.array([[1.0, 1.0], [1.0, 5.0], [3.0, 1.0], [3.0, 5.5], [-1.0, 5.0]])
    # b - a + c = (1, 1, 0) in each of these
    a, b, c, near, far, other, last = (_NAMES[place] for place in places[:7])
    asked = [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
    lengths = np.array([*asked, [0.3, 0.27, 0.0], [9.0, 4.0, 0.0], [1.2, 0.5, 0.2]])
    holes = np.array([*asked, [0.0, 0.0, 0.0], [0.5, 0.2, 0.9], [0.0, -1.0, 0.1]])
    turned = np.array([[1.0, 0.0, 1.0], [1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.5, 0.5, 0.1], [1.0, -1.0, 2.0], [1, 1, 1]])
    opposite = np.array([[0, 0, 1.0], [0, 1.0, 1.0], [1.0, 0, 0], [-1.0, -1.0, 0], [0.9, 0.3, 0.5], [0.2, 0.2, 0.9]])
    small = np.array([[1.0, 0.0, 0.0], [1.0, 0.1, 0.0], [0.0, 1.0, 0.0], [0.2, 0.9, 0.1], [0.9, 0.2, 0.0]])
    return [
        case("the worked example", "man", "king", "woman", royal, table),
        case("a and b nearly the same, so that c is the nearest of all", a, b, c, [a, b, c, near, far], small),
        border("a long vector in a near direction, a short one in a nearer", a, b, c, [a, b, c, near, far, other],
             lengths),
        drawn("random vectors of 7 numbers", 7),
        drawn("random vectors of 3 numbers", 3),
        drawn("vectors far from the origin", 5, base=2.0),
        case("the difference counts, not the sum", a, b, c, [a, b, c, near, far, other], turned),
        case("the opposite direction, with a vector of the same line", a, b, c, [a, b, c, near, far, other], opposite),
        case("the first and the third word are the same", a, b, a, [b, a, near, far, last], rng.normal(size=(5, 3))),
        border("a zero vector, which has no direction", a, b, c, [a, b, c, near, far, other], holes),
        border("one number a word", a, b, c, [a, b, c, near], np.array([[1.0], [2.0], [-1.0], [0.5]])),
        border("no word is left", a, b, c, [a, b, c], rng.normal(size=(3, 5))),
        border("an unknown word", a, b, last, [a, b, c, near], rng.normal(size=(4, 3))),
    ]  # fmt: skip


def _analogy_wrong(a: str, b: str, c: str, words: Sequence[str], vectors: np.ndarray, *, how: str) -> object:
    right = solve_analogy(a, b, c, words, vectors)  # the same errors
    v_a, v_b, v_c = (vectors[list(words).index(word)] for word in (a, b, c))
    target = {"swapped": v_a - v_b + v_c, "sum": v_a + v_b + v_c, "b_and_c": v_b + v_c, "c_only": v_c}.get(
        how, v_b - v_a + v_c
    )
    scores = _cosines(target, vectors)
    if how == "dot":
        scores = vectors @ target
    if how == "distance":
        scores = -np.linalg.norm(vectors - target, axis=1)
    if how == "absolute":
        scores = np.abs(scores)
    if how == "farthest":
        scores = -scores
    left_out = {"all_in": (), "only_c_out": (c,)}.get(how, (a, b, c))
    best = max((score, -place) for place, score in enumerate(scores) if words[place] not in left_out)
    place = -best[1]
    return {"row": place, "with_cosine": (right, float(best[0]))}.get(how, words[place])


def _analogy_with_nan(a: str, b: str, c: str, words: Sequence[str], vectors: np.ndarray) -> object:
    solve_analogy(a, b, c, words, vectors)
    rows = [list(words).index(word) for word in (a, b, c)]
    target = vectors[rows[1]] - vectors[rows[0]] + vectors[rows[2]]
    cosines = vectors @ target / (np.linalg.norm(vectors, axis=1) * np.linalg.norm(target))
    cosines[rows] = -np.inf
    return words[int(np.argmax(cosines))]  # argmax takes the first NaN


def _analogy_by_sorting(a: str, b: str, c: str, words: Sequence[str], vectors: np.ndarray) -> str:
    row = dict(zip(words, vectors, strict=True))
    if not {a, b, c} <= set(words) or set(words) <= {a, b, c}:
        raise ValueError("words")
    goal = row[c] + (row[b] - row[a])

    def closeness(word: str) -> float:
        size = float(np.sqrt((row[word] ** 2).sum()))
        return float(np.dot(row[word], goal)) / size if size else 0.0

    return sorted(set(words) - {a, b, c}, key=closeness)[-1]


def _analogy_by_torch(a: str, b: str, c: str, words: Sequence[str], vectors: np.ndarray) -> str:
    table, rows = torch.from_numpy(vectors), [words.index(word) for word in (a, b, c)]
    if len(set(rows)) == len(words):
        raise ValueError("nothing is left")
    target = torch.tensor([-1.0, 1.0, 1.0], dtype=table.dtype) @ table[rows]
    scores = torch.cosine_similarity(table, target[None], dim=1)
    scores[rows] = -2
    return words[int(scores.argmax())]


task = Task(
    solve_analogy,
    points=3,
    difficulty=3,
    minutes=20,
    cases=cases,
    slips=(
        Slip(
            "all_in",
            partial(_analogy_wrong, how="all_in"),
            "The three words of the question may answer here, and often one of them is the nearest. Leave them out.",
        ),
        Slip(
            "only_c_out",
            partial(_analogy_wrong, how="only_c_out"),
            "Only the third word was left out. All three words of the question must be.",
        ),
        Slip(
            "swapped",
            partial(_analogy_wrong, how="swapped"),
            "The difference is turned round: this is a - b + c. From a to b is the step b - a; add it to c.",
        ),
        Slip(
            "sum",
            partial(_analogy_wrong, how="sum"),
            "All three vectors were added. a has to be taken away: b - a + c.",
        ),
        Slip(
            "b_and_c",
            partial(_analogy_wrong, how="b_and_c"),
            "a plays no part here. What b has beyond a is b - a; add that to c.",
        ),
        Slip(
            "c_only",
            partial(_analogy_wrong, how="c_only"),
            "This is the nearest neighbour of c. a and b play no part.",
        ),
        Slip(
            "dot",
            partial(_analogy_wrong, how="dot"),
            "The dot product favours long vectors. Divide by the lengths: the cosine looks at the direction alone.",
        ),
        Slip(
            "distance",
            partial(_analogy_wrong, how="distance"),
            "The nearest by distance was taken. The measure here is the cosine, to which lengths do not matter.",
        ),
        Slip(
            "absolute",
            partial(_analogy_wrong, how="absolute"),
            "A vector in the opposite direction counts as near (an absolute value or a square). The largest cosine is "
            "wanted, sign included.",
        ),
        Slip(
            "farthest",
            partial(_analogy_wrong, how="farthest"),
            "This is the word with the smallest cosine. Take the largest.",
        ),
        Slip(
            "zero_is_nan",
            _analogy_with_nan,
            "A vector of zeros gave 0 / 0, which is no number, and argmax takes the first of those. Give it cosine 0.",
        ),
        Slip(
            "row",
            partial(_analogy_wrong, how="row"),
            "This is the row of the answer. Return the word: words[row].",
        ),
        Slip(
            "with_cosine",
            partial(_analogy_wrong, how="with_cosine"),
            "The cosine was returned along with the word. Return the word alone.",
        ),
    ),
    alternatives=(_analogy_by_sorting, _analogy_by_torch),
    hints=(
        "Three steps: the vector b - a + c, its cosine with every row, the best row that is none of the three.",
        "The cosines of all rows at once: vectors @ target / (lengths * length of target). Set those of a, b and c to "
        "-np.inf before np.argmax. Mind rows of length 0.",
        "lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(target); cosines = vectors @ target / "
        "np.where(lengths > 0, lengths, 1); cosines[rows] = -np.inf; return words[int(np.argmax(cosines))]",
    ),
)
