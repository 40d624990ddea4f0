"""Exercise `encode_decode`."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch02.shared import softmax_rows


def encode_decode(ids, encoder, decoder):
    """Return the scores that a linear encoder and decoder give to every word.

    Args:
        ids: T word ids from 0 to V - 1, a list of int; it may be empty.
        encoder: an array of float64, shape (V, D).
        decoder: an array of float64, shape (D, V).

    Returns:
        An array of float64, shape (T, V).

    Raises:
        ValueError: an id is below 0, or V or more.

    >>> encoder = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> encode_decode([2], encoder, np.array([[2.0, 0.0, -1.0], [0.0, 3.0, 1.0]])).tolist()
    [[2.0, 3.0, 0.0]]
    """
    if any(not 0 <= word < len(encoder) for word in ids):
        raise ValueError(f"`ids` must be in 0..V-1 with V={len(encoder)}, got {ids}.")
    return encoder[np.asarray(ids, dtype=int)] @ decoder


def cases(seed: int) -> list[Case]:
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
        border("one word", ids(1, 7), *machine(7, 2)),
        border("one number a word", ids(3, 5), *machine(5, 1)),
        case("the same word twice", [3, 1, 3], *machine(5, 2)),
        border("no words", [], *machine(5, 2)),
        case("an id as large as the vocabulary", [1, 5], *machine(5, 2)),
        border("a negative id", [1, -1], *machine(5, 2)),
    ]


def _encode_wrong(ids: Sequence[int], encoder: np.ndarray, decoder: np.ndarray, *, how: str) -> np.ndarray:
    if how == "negative":
        if any(word >= len(encoder) for word in ids):
            raise ValueError("too large")
        return encoder[np.asarray(ids, dtype=int)] @ decoder
    scores = encode_decode(ids, encoder, decoder)
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


task = Task(
    encode_decode,
    points=2,
    difficulty=1,
    minutes=10,
    cases=cases,
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
