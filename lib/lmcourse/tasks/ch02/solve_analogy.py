import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn


def solve_analogy(a, b, c, words, vectors):
    """Return the word that is to c as b is to a: the nearest to b - a + c by cosine, but none of the three.

    Args:
        a, b, c: words; two of them, or all three, may be the same.
        words: V different words, a list.
        vectors: their vectors, an array of float64, shape (V, D). A vector of zeros has the cosine 0 with all. Of the
            words that may be the answer one is nearer than all others.

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


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    order = [int(number) for number in rng.permutation(13)]

    def drawn(label: str, width: int, *, base: float = 0.0) -> Case:
        a, b, c = (_NAMES[int(number)] for number in rng.permutation(13)[:3])
        return case(label, a, b, c, list(_NAMES), base + rng.normal(size=(13, width)))

    royal = ["man", "woman", "king", "queen", "maid"]
    table = np.array([[1.0, 1.0], [1.0, 5.0], [3.0, 1.0], [3.0, 5.5], [-1.0, 5.0]])
    a, b, c, near, far, other, last = (_NAMES[number] for number in order[:7])
    six = [a, b, c, near, far, other]
    # b - a + c = (1, 1, 0) in each of the next four
    asked = [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
    lengths = np.array([*asked, [0.3, 0.27, 0.0], [9.0, 4.0, 0.0], [1.2, 0.5, 0.2]])
    holes = np.array([*asked, [0.0, 0.0, 0.0], [0.5, 0.2, 0.9], [0.0, -1.0, 0.1]])
    hole_wins = np.array([*asked, [0.0, 0.0, 0.0], [-0.5, 0.2, 0.9], [0.0, -1.0, 0.1]])
    away = np.array([*asked, [-1.0, -0.5, 0.2], [0.1, -1.0, 0.1], [-0.2, -0.3, 1.0]])
    magnitudes = np.array([*asked, [0.001, 0.001, 0.0], [900.0, 800.0, 100.0], [0.0, 1000.0, 1.0]])
    turned = np.array([[1.0, 0.0, 1.0], [1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.5, 0.5, 0.1], [1.0, -1.0, 2.0], [1, 1, 1]])
    opposite = np.array([[0, 0, 1.0], [0, 1.0, 1.0], [1.0, 0, 0], [-1.0, -1.0, 0], [0.9, 0.3, 0.5], [0.2, 0.2, 0.9]])
    small = np.array([[1.0, 0.0, 0.0], [1.0, 0.1, 0.0], [0.0, 1.0, 0.0], [0.2, 0.9, 0.1], [0.9, 0.2, 0.0]])
    # b - a + c = (-3, 2); with vectors of length 1 it would be (-0.3, 1.7)
    # b - a + c = (2, 1, 0): b, c and a are nearer than any other, in this order
    inside = np.array([[1.0, 0.0, 0.3], [2.0, 0.5, 0.1], [1.0, 0.5, 0.2], [0.5, 1.0, 0.0], [0.2, 0.1, 1.0], [-1, 0, 0]])
    # b - a + c = (1, 0): the cosines of the last two with it differ by 1.5e-8
    narrow = np.array([[0.0, 1.0], [2.0, 1.0], [-1.0, 0.0], [1.0, 2e-4], [1.0, 1e-4]])
    # no two of these point the same way
    line = np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0], [3.0, 1.2], [-1.0, 1.0], [1.0, -1.0]])
    return [
        case("the worked example", "man", "king", "woman", royal, table),
        case("a and b nearly the same, so that c is the nearest of all", a, b, c, [a, b, c, near, far], small),
        case("the three words nearer than all others", a, b, c, six, inside),
        border("a long vector in a near direction, a short one in a nearer", a, b, c, six, lengths),
        border("vectors of very different lengths", a, b, c, six, magnitudes),
        drawn("random vectors of 7 numbers", 7),
        drawn("random vectors of 3 numbers", 3),
        drawn("vectors far from the origin", 5, base=2.0),
        case("the difference counts, not the sum", a, b, c, six, turned),
        case("the opposite direction, with a vector of the same line", a, b, c, six, opposite),
        case("the answer first in the list", a, b, c, [near, c, far, b, a], small[[3, 2, 4, 1, 0]]),
        case("the first and the third word are the same", a, b, a, [b, a, near, far, last], rng.normal(size=(5, 3))),
        border("the first and the second word are the same", a, a, c, [a, c, near, far, other], line[[0, 2, 3, 4, 5]]),
        border("all three words are the same", b, b, b, six, line),
        border("a zero vector, which has no direction", a, b, c, six, holes),
        border("a zero vector, and all others point away", a, b, c, six, hole_wins),
        border("all others point away", a, b, c, six, away),
        border("one number a word", a, b, c, [a, b, c, near], np.array([[1.0], [2.0], [-1.0], [0.5]])),
        border("two directions that differ by a ten-thousandth", a, b, c, [a, b, c, near, far], narrow),
        border("three words, one of which is twice in the question", a, b, a, [a, b, near], line[:3]),
        border("no word is left", a, b, c, [a, b, c], rng.normal(size=(3, 5))),
        border("no word is left, and one is twice in the question", a, b, a, [a, b], rng.normal(size=(2, 5))),
        border("an unknown first word", last, b, c, [a, b, c, near], rng.normal(size=(4, 3))),
        border("an unknown second word", a, last, c, [a, b, c, near], rng.normal(size=(4, 3))),
        border("an unknown word", a, b, last, [a, b, c, near], rng.normal(size=(4, 3))),
        border("an unknown word that is the first and the second", last, last, c, [a, b, c, near], line[:4]),
    ]


SLIPS = mistakes("""
all_in: "none of the three"
    cosines[rows] = -np.inf => pass
  The three words of the question may answer here, and often one of them is the nearest. Leave them out.
only_c_out: "none of the three"
    cosines[rows] => cosines[rows[2]]
  Only the third word was left out. All three words of the question must be.
b_allowed: "none of the three"
    cosines[rows] => cosines[[rows[0], rows[2]]]
  b may answer here, and it is often the nearest. Leave out all three words of the question.
swapped: "the nearest to b - a + c"
    vectors[rows[1]] - vectors[rows[0]] => vectors[rows[0]] - vectors[rows[1]]
  The difference is the wrong way round: this is a - b + c. From a to b is the step b - a; add it to c.
dot: "by cosine"
    / np.where(lengths > 0, lengths, 1) =>
  The dot product favours long vectors. Divide by the lengths: the cosine looks at the direction alone.
distance: "by cosine"
    vectors @ target / np.where(lengths > 0, lengths, 1) => -np.linalg.norm(vectors - target, axis=1)
  The nearest by distance was taken. The measure here is the cosine, to which lengths do not matter.
unit_vectors_first: "by cosine"
    target = => vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    |    target =
  The vectors were scaled to length 1 before b - a + c was computed, which gives another target. Compute it from the
  vectors as they are; only the cosine divides by lengths.
absolute: "by cosine"
    cosines = vectors @ target / => cosines = np.abs(vectors @ target) /
  A vector in the opposite direction counts as near (an absolute value or a square). The largest cosine is wanted, sign
  included.
zero_is_nan: "A vector of zeros has the cosine 0 with all"
    np.where(lengths > 0, lengths, 1) => lengths
  A vector of zeros gave 0 / 0, which is not a number, and argmax takes the first of those. Give it the cosine 0.
key_error: "one of the three is not in the list"
    words.index(word) for => dict(zip(words, range(len(words))))[word] for
  An unknown word raises KeyError, which a dict does by itself. ValueError is asked for: use words.index, or check
  first.
nothing_left: "no other word is"
    if len(set(rows)) == len(words): => if False:
  Where the list holds no other word, one of the three came back. Raise ValueError then.
four_words_needed: "two of them, or all three, may be the same"
    len(set(rows)) == len(words) => len(words) < 4
  A list of three words was refused, or one of two was not. Words of the question may be the same: what matters is
  whether any other word is in the list.
""")
HINTS = hints("""
- Three steps: the vector b - a + c, its cosine with every row, the best row that is none of the three.
- The cosines of all rows at once: vectors @ target / (lengths * length of target). Set those of a, b and c to -np.inf
  before np.argmax. Mind rows of length 0.
- lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(target); cosines = vectors @ target / np.where(lengths > 0,
  lengths, 1); cosines[rows] = -np.inf; return words[int(np.argmax(cosines))]
""")
task = Task(solve_analogy, points=3, difficulty=3, minutes=20, cases=cases, slips=SLIPS, hints=HINTS)
