"""Project `WordVectors`: skip-gram trained on a small text until its vectors answer analogies, with NumPy alone."""

from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np

from lmcourse.exercises import Case, Compare, Task, hints, mistakes, probe, properties


class WordVectors:
    """Skip-gram with negative sampling, trained by gradient descent on all pairs of a small text at once.

    With all pairs at once no noise word need be sampled: its expected cost is computed instead. So the result depends
    on nothing but the text and the start.

    Args:
        words: V different words, a list.
        inputs: the vectors v of the centres at the start, an array (V, D). It must not be changed.

    Attributes:
        inputs: the vectors v, an array (V, D).
        outputs: the vectors u of the neighbours, an array (V, D), at the start all 0.

    >>> model = WordVectors(["a", "b", "c"], np.ones((3, 2)))
    >>> counts = model.count([["a", "b", "c"]], window=1)
    >>> counts.astype(int).tolist()
    [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> round(float(model.loss(counts, num_negatives=5)), 4)  # six questions, each answered with one half: 6 ln 2
    4.1589
    """

    def __init__(self, words, inputs):
        self.words = list(words)
        self.inputs = inputs.copy()
        self.outputs = np.zeros_like(inputs)

    def count(self, sentences, window):
        """Return how often each word (column) is at most `window` positions from each centre (row): an array (V, V).

        Args:
            sentences: lists of words. Words of different sentences are not near each other.
            window: the largest distance, at least 1. A position is not near itself.
        """
        counts = np.zeros((len(self.words), len(self.words)))
        for sentence in sentences:
            ids = [self.words.index(word) for word in sentence]
            for i, centre in enumerate(ids):
                for near in ids[max(0, i - window) : i] + ids[i + 1 : i + 1 + window]:
                    counts[centre, near] += 1
        return counts

    def _expected(self, counts, num_negatives):
        """The share of the questions that ask for each pair: as a true neighbour, and as noise; arrays (V, V)."""
        shares = counts / counts.sum()
        noise = counts.sum(axis=0) ** 0.75
        return shares, num_negatives * shares.sum(axis=1, keepdims=True) * noise / noise.sum()

    def loss(self, counts, num_negatives):
        """Return the expected loss of a pair with `num_negatives` noise words, in nats. Large scores must not overflow.

        The noise word o is sampled in proportion to the count of o as a neighbour (its column's sum), to the power
        3/4.
        """
        near, noise = self._expected(counts, num_negatives)
        scores = self.inputs @ self.outputs.T  # (V, V): centre, neighbour
        return (near * np.logaddexp(0, -scores) + noise * np.logaddexp(0, scores)).sum()

    def fit(self, counts, num_negatives, lr, steps):
        """Take gradient steps on `inputs` and `outputs` together; return the losses, before each step and at the end.

        Returns:
            A list of steps + 1 losses.
        """
        near, noise = self._expected(counts, num_negatives)
        losses = [self.loss(counts, num_negatives)]
        for _ in range(steps):
            probs = 0.5 * (1 + np.tanh(0.5 * (self.inputs @ self.outputs.T)))  # the sigmoid of the scores
            slopes = noise * probs - near * (1 - probs)  # (V, V): of the loss, with respect to the scores
            inputs_gradient, outputs_gradient = slopes @ self.outputs, slopes.T @ self.inputs
            self.inputs = self.inputs - lr * inputs_gradient
            self.outputs = self.outputs - lr * outputs_gradient
            losses.append(self.loss(counts, num_negatives))
        return losses

    def analogy(self, a, b, c):
        """Return the word that is to c as b is to a: by the cosine of `inputs` with b - a + c, none of the three."""
        rows = [self.words.index(word) for word in (a, b, c)]
        target = self.inputs[rows[1]] - self.inputs[rows[0]] + self.inputs[rows[2]]
        cosines = self.inputs @ target / np.linalg.norm(self.inputs, axis=1)
        cosines[rows] = -np.inf
        return self.words[int(np.argmax(cosines))]


def use(answer: Callable[..., Any], asked: str, words: list[str], inputs: np.ndarray, *given: Any) -> Any:
    """What a model of the class gives, where asked with the vectors of the case."""
    start = inputs.copy()
    model = answer(words, inputs)
    if asked == "start":
        model.inputs[0] = 7.0
        return {"outputs": model.outputs, "not the caller's array": bool((inputs == start).all())}
    if asked == "count":
        return model.count(*given)
    if asked == "analogy":
        model.outputs = given[1].copy()
        return [model.analogy(*question) for question in given[0]]
    if asked == "loss":
        model.outputs = given[0].copy()
        return float(model.loss(*given[1:]))
    if asked == "fit":
        model.outputs = given[0].copy()
        losses = model.fit(*given[1:])
        return {"losses": [float(loss) for loss in losses], "inputs": model.inputs, "outputs": model.outputs}
    sentences, window, num_negatives, lr, steps, questions = given
    model.fit(model.count(sentences, window), num_negatives, lr, steps)
    return [model.analogy(*question) for question in questions]


_KINDS, _ROLES = 5, 3


def _world(rng: np.random.Generator) -> tuple[list[str], list[list[str]], list[tuple[str, str, str, str]]]:
    """Words with a kind and a role, each beside words that tell its kind and others that tell its role."""
    letters = rng.permutation(list("bcdfghjklmnpqrstvwz"))
    names = [first + vowel + second for first in letters[:9] for vowel in "aeiou" for second in letters[9:]]
    names = [str(name) for name in rng.permutation(names)]
    table = [[names.pop() for _ in range(_ROLES)] for _ in range(_KINDS)]
    of_kind = [[names.pop() for _ in range(2)] for _ in range(_KINDS)]
    of_role = [[names.pop() for _ in range(2)] for _ in range(_ROLES)]
    sentences = [
        [first, table[kind][role], second]
        for kind in range(_KINDS)
        for role in range(_ROLES)
        for first in of_kind[kind]
        for second in of_role[role]
    ]
    words = sorted({word for sentence in sentences for word in sentence})
    order = rng.permutation(len(sentences))
    questions = [
        (table[one][first], table[one][second], table[other][first], table[other][second])
        for one, other in permutations(range(_KINDS), 2)
        for first, second in permutations(range(_ROLES), 2)
    ]
    return words, [sentences[number] for number in order], questions


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    words = ["sun", "moon", "sea", "wind", "rose", "night", "king"]

    def vectors(V: int, D: int, scale: float = 1.0) -> np.ndarray:
        return scale * rng.normal(size=(V, D))

    text = [[words[int(i)] for i in rng.integers(0, 7, size=length)] for length in (11, 5, 2, 1)]
    counts = np.triu(rng.integers(0, 9, size=(7, 7)).astype(float))  # not symmetric
    counts[0, 1:] += 2.0
    row = rng.permutation(words)
    repeated = [[str(row[0]), str(row[1]), str(row[0]), str(row[0])]]
    asked = [tuple(str(word) for word in rng.permutation(words)[:3]) for _ in range(5)]
    asked.append((asked[0][0], asked[0][1], asked[0][0]))
    others = [[0.2, 0.9, 0.1], [0.9, 0.2, 0], [5, 5, 5], [0, 0, -1]]
    nearest = {
        "a": np.array([[1.0, 0, 0], [1.2, 1, 0], [0.8, -1, 0], *others]),
        "b": np.array([[1.0, 0, 0], [0, 1, 0], [1.1, 0.1, 0], *others]),
        "c": np.array([[1.0, 0, 0], [1.0, 0.1, 0], [0, 1, 0], *others]),
    }

    def learned(label: str) -> Case:
        world, sentences, questions = _world(rng)
        start = vectors(len(world), 20, 0.2)  # with fewer or larger numbers an answer can be wrong by chance
        asked_of_it = [question[:3] for question in questions]
        return probe("analogies", label, "train", world, start, sentences, 2, 3, 3.0, 600, asked_of_it)

    return [
        probe("start", "7 words, 3 numbers each", "start", words, vectors(7, 3)),
        probe("start", "one number a word", "start", words, vectors(7, 1)),
        probe("count", "four sentences, a window of 1", "count", words, vectors(7, 3), text, 1),
        probe("count", "four sentences, a window of 3", "count", words, vectors(7, 3), text, 3),
        probe("count", "a word beside itself", "count", words, vectors(7, 3), repeated, 2),
        probe("loss", "7 words, 2 noise words", "loss", words, vectors(7, 3), vectors(7, 3), counts, 2),
        probe("loss", "counts the other way round", "loss", words, vectors(7, 3), vectors(7, 3), counts.T.copy(), 5),
        probe("loss", "scores above 1,000", "loss", words, vectors(7, 3, 40.0), vectors(7, 3, 40.0), counts, 2),
        probe("fit", "one step", "fit", words, vectors(7, 3), vectors(7, 3), counts, 2, 0.5, 1),
        probe("fit", "thirty steps", "fit", words, vectors(7, 3), vectors(7, 3), counts, 3, 0.5, 30),
        probe("fit", "no step", "fit", words, vectors(7, 3), vectors(7, 3), counts, 2, 0.5, 0),
        probe("analogy", "random vectors", "analogy", words, vectors(7, 3), asked, vectors(7, 3)),
        *(
            probe("analogy", f"{name} nearer than all others", "analogy", words, near, [words[:3]], vectors(7, 3))
            for name, near in nearest.items()
        ),
        learned("a text of 60 sentences"),
        learned("another text of 60 sentences"),
        probe("analogy", "random vectors, a tenth as long", "analogy", words, vectors(7, 3, 0.1), asked, vectors(7, 3)),
    ]


SLIPS = mistakes("""
not_a_copy: loses start
    inputs.copy() => inputs
  The model works on the caller's array. Copy it, or a change to the model changes what was given.
only_after: loses count, analogies
    ids[max(0, i - window) : i] + =>
  Only words after the centre were counted. The words before it are its neighbours, too.
itself_counted: loses count
    ids[max(0, i - window) : i] + ids[i + 1 : i + 1 + window] => ids[max(0, i - window) : i + 1 + window]
  Each position was counted as its own neighbour. Leave out the position i itself.
across_sentences: loses count, analogies
    for sentence in sentences: => for sentence in [sum(sentences, [])]:
  Words of different sentences were counted as neighbours. Count within each sentence.
plain_noise: loses loss, fit
    ** 0.75 =>
  The noise words are in proportion to the counts. Raise the counts to the power 3/4 first.
noise_of_centres: loses loss, fit
    counts.sum(axis=0) ** 0.75 => counts.sum(axis=1) ** 0.75
  The noise follows the counts of the centres (rows). Noise words are neighbours: sum the columns, axis=0.
not_a_mean: loses loss, fit, analogies
    shares = counts / counts.sum() => shares = counts
  The costs of all pairs were added up. Divide by the number of pairs.
overflows: loses loss
    near * np.logaddexp(0, -scores) + noise * np.logaddexp(0, scores) =>
        near * np.log(1 + np.exp(-scores)) + noise * np.log(1 + np.exp(scores))
  exp(1000) overflows. ln(1 + exp(s)) is np.logaddexp(0, s), which does not.
uphill: loses fit, analogies
    - lr * inputs_gradient => + lr * inputs_gradient
    - lr * outputs_gradient => + lr * outputs_gradient
  The steps go uphill: subtract the gradients times the learning rate.
one_after_the_other: loses fit
    inputs_gradient, outputs_gradient = slopes @ self.outputs, slopes.T @ self.inputs
    |            self.inputs = self.inputs - lr * inputs_gradient => inputs_gradient = slopes @ self.outputs
    |            self.inputs = self.inputs - lr * inputs_gradient
    |            outputs_gradient = slopes.T @ self.inputs
  The gradient of `outputs` was computed with `inputs` that had been changed already. Compute both gradients first, then
  change both.
noise_ignored: loses fit, analogies
    slopes = noise * probs - near => slopes = -near
  The gradient leaves out the noise words. With respect to a score it is noise * p - near * (1 - p).
last_loss_missing: loses fit
    return losses => return losses[:steps]
  The loss after the last step is missing: `steps` steps give steps + 1 losses.
three_may_answer: loses analogy
    cosines[rows] = -np.inf => pass
  The three words of the question may answer here, and often one of them is the nearest. Leave them out.
a_may_answer: loses analogy
    cosines[rows] => cosines[rows[1:]]
  The word a may answer here, though it is one of the three.
b_may_answer: loses analogy
    cosines[rows] => cosines[[rows[0], rows[2]]]
  The word b may answer here, though it is one of the three.
of_both_tables: loses analogy
    cosines = self.inputs @ target / np.linalg.norm(self.inputs, axis=1) => both = self.inputs + self.outputs
    |        target = both[rows[1]] - both[rows[0]] + both[rows[2]]
    |        cosines = both @ target / np.linalg.norm(both, axis=1)
  `outputs` take part in the answer. Analogies are asked of `inputs` alone.
dot_product: loses analogy
    / np.linalg.norm(self.inputs, axis=1) =>
  The dot product favours long vectors. Divide by their lengths: the cosine is asked for.
""")
HINTS = hints("""
- You have written the parts in exercises 7 to 10. Here the noise is not sampled: noise word o has the probability q_o,
  so its expected cost is q_o times its cost, num_negatives times over.
- With scores = inputs @ outputs.T: near = counts / counts.sum(); noise = num_negatives * near.sum(axis=1,
  keepdims=True) * q; the loss is (near * np.logaddexp(0, -scores) + noise * np.logaddexp(0, scores)).sum().
- The slope of the loss with respect to the scores is noise * p - near * (1 - p), where p is the sigmoid of the scores.
  The gradient of inputs is slopes @ outputs, that of outputs slopes.T @ inputs.
""")
PROPERTIES = properties("""
start, 1: A new model keeps the vectors that it is given, as a copy, and `outputs` are all 0.
count, 2: The counts of neighbours are right, at the ends of sentences and for repeated words too.
loss, 2: The loss is the expected cost of a pair and its noise words, and large scores are safe.
fit, 2: `fit` takes the right steps on both tables at once and returns all losses.
analogy, 1: The word nearest to b - a + c by cosine is found, and never a, b or c.
analogies, 2: Trained on texts of an invented language, the vectors answer every analogy right.
""")
task = Task(
    WordVectors,
    points=10,
    difficulty=5,
    minutes=60,
    cases=cases,
    compare=Compare(rtol=1e-6, atol=1e-9, dtype=False),
    call=use,
    seconds=60.0,
    properties=PROPERTIES,
    slips=SLIPS,
    hints=HINTS,
)
