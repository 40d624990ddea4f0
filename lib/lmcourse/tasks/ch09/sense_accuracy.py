import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn


def sense_accuracy(vectors, senses):
    """Return the share of vectors whose nearest neighbour has their sense.

    Args:
        vectors: an array of float64, shape (N, D), no row zero; no row has two nearest ones.
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


@drawn(3)
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

    def given(label: str, senses: str, *rows: list[float]) -> Case:
        return border(label, np.array(rows, dtype=float), senses.split())

    near = [[1.0, 0.0], [1.0, -1.0 - 1e-9], [1.0, 1.0]]
    uneven = [[1e4, 0.0], [1e-3, 1e-4], [0.0, 1.0], [1e-4, 2e-3]]
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
        given("rows of very different lengths", "river river river money", *uneven),
        case("three senses", np.array([[1, 0, 0], [1, 0.1, 0], [0, 1, 0.3], [0, 1, 0.4], [0, 0, 1]]), [*"abccc"]),
        given("two equal rows of different senses", "money river money money", [1, 2], [1, 2], [3, -1], [4, -1]),
        given("two rows of the same direction", "money money river", [1, 2], [2, 4], [-1, 0.5]),
        given("two opposite rows of different senses", "money river", [1, 0], [-1, 0]),
        given("cosines below 0 only", "money river sea", [1, 0], [-0.5, 0.8], [-0.5, -0.9]),
        border("no rows", np.zeros((0, 3)), []),
        given("equal senses that are different objects", "money money sea", [1, 0], [1, 0.2], [0, 1]),
        given("two neighbours of nearly the same cosine, the nearer one last", "money river money", *near),
    ]


SLIPS = mistakes("""
itself: "Return the share of vectors whose nearest neighbour has their sense"
    np.fill_diagonal(cosines, -np.inf) => pass
  Each vector found itself, so the score is always 1. Leave the vector itself out.
dot: "Return the share of vectors whose nearest neighbour has their sense"
    / np.linalg.norm(vectors, axis=1, keepdims=True) =>
  The nearest by dot product was taken, and long vectors win it. Use the cosine.
distance
    unit @ unit.T => -np.linalg.norm(vectors[:, None] - vectors, axis=-1)
  The nearest by distance was taken, and short vectors are near to many. Use the cosine.
zero_diagonal
    -np.inf => 0.0
  The cosine of a vector with itself was set to 0, which is more than a negative one. Set it to minus infinity, so that
  it is never the largest.
second_of_sorted
    np.fill_diagonal(cosines, -np.inf) => pass
    cosines.argmax(axis=1) => np.argsort(-cosines, axis=1, kind="stable")[:, 1]
  The second in order was taken for the nearest other row. Where another row points in the same direction, the second
  may be the row itself.
unchecked: "fewer than two rows"
    len(senses) < 2 => False
  One row has no other row that could be near it, and no ValueError was raised. Fewer than two rows are refused.
two_refused: "fewer than two rows"
    len(senses) < 2 => len(senses) < 3
  Two rows were refused. Each has a neighbour, the other one; fewer than two are refused.
mean_over_senses
    np.mean([senses[i] == senses[j] for i, j in enumerate(nearest)]) => np.mean([np.mean([senses[j] == name for i, j in
        enumerate(nearest) if senses[i] == name]) for name in sorted(set(senses))])
  The share was taken for each sense, and then averaged over the senses. All rows count alike: one share of all rows.
same_object: "N strings"
    senses[i] == senses[j] => senses[i] is senses[j]
  Two strings were compared with `is`, which asks whether they are one object. Equal strings may be two: use ==.
""")
HINTS = hints("""
- Make all vectors of length 1; then unit @ unit.T holds all cosines.
- A vector is its own nearest. np.fill_diagonal(cosines, -np.inf) takes it out, then argmax of each row.
- nearest = cosines.argmax(1); the share of i with senses[i] == senses[nearest[i]]. Fewer than two: ValueError.
""")
task = Task(sense_accuracy, points=3, difficulty=3, minutes=20, cases=cases, slips=SLIPS, hints=HINTS)
