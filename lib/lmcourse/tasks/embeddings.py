"""Tasks of chapter 02, first part: through a hidden vector to the scores of all words, and the gradient of its loss."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from lmcourse.exercises import Case, Compare, Slip, Task, case

CHAPTER = "02_embeddings"


def softmax_rows(scores: np.ndarray) -> np.ndarray:
    """Softmax of each row."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


# --------------------------------------------------------------------------------------------------- encode_decode


def _encode_decode(ids: Sequence[int], encoder: np.ndarray, decoder: np.ndarray) -> np.ndarray:
    if any(not 0 <= word < len(encoder) for word in ids):
        raise ValueError(f"`ids` must be in 0..V-1 with V={len(encoder)}, got {list(ids)}.")
    return encoder[np.asarray(ids, dtype=int)] @ decoder


def _encode_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def machine(n_words: int, width: int) -> tuple[np.ndarray, np.ndarray]:
        return rng.normal(size=(n_words, width)), rng.normal(size=(width, n_words))

    def ids(n_tokens: int, n_words: int) -> list[int]:
        return [int(word) for word in rng.integers(0, n_words, size=n_tokens)]

    small = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([[2.0, 0.0, -1.0], [0.0, 3.0, 1.0]])
    return [
        case("the worked example", [2, 0], *small),
        case("five words of seven, three numbers each", ids(5, 7), *machine(7, 3)),
        case("a hidden vector wider than the vocabulary", ids(3, 5), *machine(5, 11)),
        case("as many words as there are, each with as many numbers", ids(5, 5), *machine(5, 5)),
        case("one word", ids(1, 7), *machine(7, 2)),
        case("one number a word", ids(3, 5), *machine(5, 1)),
        case("the same word twice", [3, 1, 3], *machine(5, 2)),
        case("no words", [], *machine(5, 2)),
        case("an id as large as the vocabulary", [1, 5], *machine(5, 2)),
        case("a negative id", [1, -1], *machine(5, 2)),
    ]


def _encode_wrong(ids: Sequence[int], encoder: np.ndarray, decoder: np.ndarray, *, how: str) -> np.ndarray:
    if how == "negative":
        if any(word >= len(encoder) for word in ids):
            raise ValueError("too large")
        return encoder[np.asarray(ids, dtype=int)] @ decoder
    scores = _encode_decode(ids, encoder, decoder)
    hidden = encoder[np.asarray(ids, dtype=int)]
    return {
        "hidden": lambda: hidden,
        "tied": lambda: hidden @ encoder.T,
        "probabilities": lambda: softmax_rows(scores) if len(scores) else scores,
        "one_row": lambda: scores.sum(axis=0),
        "table": lambda: encoder @ decoder,
        "transposed": lambda: scores.T,
        "squashed": lambda: np.tanh(hidden) @ decoder,
    }[how]()


def _encode_by_one_hot(ids: Sequence[int], encoder: np.ndarray, decoder: np.ndarray) -> np.ndarray:
    one_hot = np.zeros((len(ids), len(encoder)))
    for row, word in enumerate(ids):
        if word < 0 or word >= one_hot.shape[1]:
            raise ValueError(word)
        one_hot[row, word] = 1.0
    return one_hot @ encoder @ decoder


def _encode_by_the_whole_table(ids: Sequence[int], encoder: np.ndarray, decoder: np.ndarray) -> np.ndarray:
    table = np.einsum("vd,dw->vw", encoder, decoder)
    known = range(table.shape[0])
    if not set(ids) <= set(known):
        raise ValueError("an unknown id")
    return np.stack([table[word] for word in ids]) if len(ids) else np.zeros((0, decoder.shape[1]))


encode_decode = Task(
    name="encode_decode",
    chapter=CHAPTER,
    points=2,
    difficulty=1,
    minutes=10,
    cases=_encode_cases,
    reference=_encode_decode,
    slips=(
        Slip(
            "hidden",
            partial(_encode_wrong, how="hidden"),
            "These are the hidden vectors, D numbers a word. One step is missing: times the decoder, which gives a "
            "score to each of the V words.",
        ),
        Slip(
            "tied",
            partial(_encode_wrong, how="tied"),
            "The hidden vectors were multiplied with the encoder turned round. Some models do share the two tables, "
            "but here the decoder has numbers of its own.",
        ),
        Slip(
            "probabilities",
            partial(_encode_wrong, how="probabilities"),
            "These are probabilities. Scores are asked for: leave the softmax out.",
        ),
        Slip(
            "one_row",
            partial(_encode_wrong, how="one_row"),
            "The rows were added up, so one row of scores came out for all words together. Each word needs one.",
        ),
        Slip(
            "table",
            partial(_encode_wrong, how="table"),
            "This is the score table of the whole vocabulary, one row for each of the V words. Give the rows of the "
            "words in `ids`, in their order.",
        ),
        Slip(
            "transposed",
            partial(_encode_wrong, how="transposed"),
            "Rows and columns are exchanged: one row a word of `ids`, one column a word of the vocabulary.",
        ),
        Slip(
            "squashed",
            partial(_encode_wrong, how="squashed"),
            "The hidden vectors were squashed with tanh. This network is linear: two matrix products and no more.",
        ),
        Slip(
            "negative",
            partial(_encode_wrong, how="negative"),
            "The scores are right, but an id of -1 silently took the last word: that is how NumPy indexes. Raise "
            "ValueError for ids below 0 and for those of V or more.",
        ),
    ),
    alternatives=(_encode_by_one_hot, _encode_by_the_whole_table),
    hints=(
        "A one-hot row times a table picks a row. You need no one-hot row to pick one.",
        "encoder[ids] picks the rows, shape (T, D); `@ decoder` makes scores of them, (T, V). An empty list needs "
        "np.asarray(ids, dtype=int).",
        "if any(not 0 <= i < len(encoder) for i in ids): raise ValueError(...); "
        "return encoder[np.asarray(ids, dtype=int)] @ decoder",
    ),
)


# ------------------------------------------------------------------------------------------------- logits_gradient


def _logits_gradient(scores: np.ndarray, targets: Sequence[int]) -> np.ndarray:
    if len(scores) == 0 or len(scores) != len(targets):
        raise ValueError(f"`scores` and `targets` must be as many, at least 1, got {len(scores)} and {len(targets)}.")
    gradient = softmax_rows(scores)
    gradient[np.arange(len(targets)), list(targets)] -= 1
    return gradient / len(targets)


def _gradient_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def targets(n_rows: int, n_words: int) -> list[int]:
        return [int(target) for target in rng.integers(0, n_words, size=n_rows)]

    return [
        case("the worked example", np.log(np.array([[2.0, 5.0, 3.0]])), [1]),
        case("three rows of seven scores", rng.normal(size=(3, 7)), targets(3, 7)),
        case("as many rows as scores", rng.normal(size=(5, 5)), targets(5, 5)),
        case("the same target in every row", rng.normal(size=(5, 3)), [2] * 5),
        case("equal scores", np.full((2, 5), float(rng.normal())), targets(2, 5)),
        case("one row", rng.normal(size=(1, 11)), targets(1, 11)),
        case("one score a row: nothing to learn", rng.normal(size=(3, 1)), [0, 0, 0]),
        case("scores near 1,000, where exp overflows", 1000 + rng.normal(size=(2, 3)), targets(2, 3)),
        case("no rows", np.zeros((0, 3)), []),
        case("fewer targets than rows", rng.normal(size=(3, 5)), [1, 2]),
    ]


def _gradient_wrong(scores: np.ndarray, targets: Sequence[int], *, how: str) -> np.ndarray:
    right = _logits_gradient(scores, targets)
    B, V = scores.shape
    one_hot = np.eye(V)[list(targets)]
    with np.errstate(all="ignore"):
        return {
            "sign": lambda: -right,
            "summed": lambda: right * B,
            "mean_of_all": lambda: right / V,
            "probabilities": lambda: right + one_hot / B,
            "scores": lambda: (scores - one_hot) / B,
            "target_only": lambda: right * one_hot,
            "one_row": lambda: right.sum(axis=0),
            "overflow": lambda: (np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True) - one_hot) / B,
            "over_rows": lambda: (softmax_rows(scores.T).T - one_hot) / B,
        }[how]()


def _gradient_by_loops(scores: np.ndarray, targets: Sequence[int]) -> np.ndarray:
    rows = [np.exp(row - max(row)) / np.exp(row - max(row)).sum() for row in scores]
    for row, target in zip(rows, targets, strict=True):
        row[target] -= 1
    if not rows:
        raise ValueError("no rows")
    return np.stack(rows) / len(rows)


def _gradient_by_one_hot(scores: np.ndarray, targets: Sequence[int]) -> np.ndarray:
    if not len(targets) or len(targets) - len(scores):
        raise ValueError("sizes")
    log_total = np.logaddexp.reduce(scores, axis=1)
    return (np.exp(scores - log_total[:, None]) - np.identity(scores.shape[1])[list(targets)]) / len(scores)


logits_gradient = Task(
    name="logits_gradient",
    chapter=CHAPTER,
    points=3,
    difficulty=2,
    minutes=15,
    cases=_gradient_cases,
    reference=_logits_gradient,
    compare=Compare(rtol=1e-7, atol=1e-12),
    slips=(
        Slip(
            "sign",
            partial(_gradient_wrong, how="sign"),
            "This is y - p, the direction in which the loss falls. The gradient points uphill: p - y.",
        ),
        Slip(
            "summed",
            partial(_gradient_wrong, how="summed"),
            "This is the gradient of the sum of the losses. The loss is their mean over the B rows: divide by B.",
        ),
        Slip(
            "mean_of_all",
            partial(_gradient_wrong, how="mean_of_all"),
            "The division is by all entries. The loss is a mean over the rows, so divide by the number of rows only.",
        ),
        Slip(
            "probabilities",
            partial(_gradient_wrong, how="probabilities"),
            "These are the probabilities, divided by B. At the word that came, 1 has to be taken off.",
        ),
        Slip(
            "scores",
            partial(_gradient_wrong, how="scores"),
            "The scores themselves were compared with the one-hot rows. Turn them into probabilities first (softmax).",
        ),
        Slip(
            "target_only",
            partial(_gradient_wrong, how="target_only"),
            "Only the word that came has a gradient here. All other scores take part too, in the sum below the "
            "softmax: each is pushed down by its probability.",
        ),
        Slip(
            "one_row",
            partial(_gradient_wrong, how="one_row"),
            "The rows were added up. Every row of scores has its own gradient: the result has the shape of `scores`.",
        ),
        Slip(
            "over_rows",
            partial(_gradient_wrong, how="over_rows"),
            "The softmax was taken down the columns. Each row is one distribution: sum over axis=1.",
        ),
        Slip(
            "overflow",
            partial(_gradient_wrong, how="overflow"),
            "Right on paper, but exp(1000) is infinite in a computer. Subtract each row's largest score first.",
        ),
    ),
    alternatives=(_gradient_by_loops, _gradient_by_one_hot),
    hints=(
        "The result of chapter 02: probabilities minus the one-hot row of the word that came, for each row.",
        "p = softmax of each row, after subtracting the row's maximum. p[np.arange(B), targets] picks one entry a row.",
        "e = np.exp(scores - scores.max(axis=1, keepdims=True)); p = e / e.sum(axis=1, keepdims=True); "
        "p[np.arange(B), targets] -= 1; return p / B",
    ),
)
