"""Exercise `context_windows`."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import torch

from lmcourse.exercises import Case, Slip, Task, border, case


def context_windows(ids, order, pad):
    """Return each word's context, the order - 1 words before it, and the words themselves.

    Args:
        ids: the text, a list of int; it may be empty.
        order: the length of the n-gram, the predicted word included.
        pad: the id that stands where no word is.

    Returns:
        contexts, a list of lists of order - 1 ids, the nearest word last; and the predicted ids, a list.

    Raises:
        ValueError: the order is below 1.

    >>> context_windows([5, 6, 7], 3, 0)
    ([[0, 0], [0, 5], [5, 6]], [5, 6, 7])
    """
    if order < 1:
        raise ValueError(f"`order` must be at least 1, got {order}.")
    padded = [pad] * (order - 1) + list(ids)
    contexts = [padded[place : place + order - 1] for place in range(len(ids))]
    return contexts, list(ids)


Windows = tuple[list[list[int]], list[int]]


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def text(n_tokens: int) -> list[int]:
        return [int(word) for word in rng.permutation(50)[:n_tokens] + 1]

    return [
        case("the worked example", [5, 6, 7], 3, 0),
        case("eleven words, order 4", text(11), 4, 0),
        case("another padding sign", text(7), 3, 99),
        border("order 2: one word before", text(5), 2, 0),
        case("a word that comes twice", [4, 9, 4, int(rng.integers(10, 99))], 3, 0),
        case("a text shorter than the window", text(2), 7, 0),
        border("order 1: no words before", text(5), 1, 0),
        border("one word", text(1), 3, 0),
        border("no words", [], 3, 0),
        border("order 0", text(3), 0, 0),
    ]


def _windows_wrong(ids: Sequence[int], order: int, pad: int, *, how: str) -> Windows:
    contexts, targets = context_windows(ids, order, pad)
    n = order - 1
    if how == "unpadded":
        return contexts[n:], targets[n:]
    if how == "reversed":
        return [context[::-1] for context in contexts], targets
    if how == "with_target":
        return [[*context, target] for context, target in zip(contexts, targets, strict=True)], targets
    if how == "too_long":
        wider, _ = context_windows(ids, order + 1, pad)
        return wider, targets
    if how == "following":
        padded = [*ids, *[pad] * n]
        return [padded[place + 1 : place + 1 + n] for place in range(len(ids))], targets
    if how == "late":
        shifted, _ = context_windows([*ids, pad], order, pad)
        return shifted[1:], targets
    if how == "padded_right":
        return [[word for word in context if word != pad] + [pad] * context.count(pad) for context in contexts], targets
    return [context[-1:] if n else [] for context in contexts], targets  # "one_word"


def _windows_by_unfold(ids: Sequence[int], order: int, pad: int) -> Windows:
    if order <= 0:
        raise ValueError("order")
    padded = torch.tensor([pad] * (order - 1) + list(ids))
    if not len(ids):
        return [], []
    grams = padded.unfold(0, order, 1).tolist()
    return [gram[:-1] for gram in grams], [gram[-1] for gram in grams]


def _windows_by_sliding(ids: Sequence[int], order: int, pad: int) -> Windows:
    if order < 1:
        raise ValueError("order")
    contexts, targets = [], []
    window = (order - 1) * [pad]
    for word in ids:
        contexts.append(list(window))
        targets.append(word)
        window = ([*window, word])[1:]
    return contexts, targets


task = Task(
    context_windows,
    points=2,
    difficulty=2,
    minutes=10,
    cases=cases,
    slips=(
        Slip(
            "unpadded",
            partial(_windows_wrong, how="unpadded"),
            "The first words are predicted nowhere, since they have too few words before them. Fill the missing places "
            "with the padding sign, so that every word is predicted once.",
        ),
        Slip(
            "reversed",
            partial(_windows_wrong, how="reversed"),
            "The words of each context stand in reverse. Keep the order of the text, the nearest word last: the "
            "network has its own weights for each place.",
        ),
        Slip(
            "with_target",
            partial(_windows_wrong, how="with_target"),
            "The context ends with the word that is to be predicted. A model that sees the answer learns to copy it.",
        ),
        Slip(
            "late",
            partial(_windows_wrong, how="late"),
            "The contexts are one place too late: each ends with the word to be predicted, not with the one before.",
        ),
        Slip(
            "too_long",
            partial(_windows_wrong, how="too_long"),
            "Each context holds n words. The order n counts the predicted word too: n - 1 words stand before it.",
        ),
        Slip(
            "following",
            partial(_windows_wrong, how="following"),
            "These are the words after each word. A language model predicts from what came before.",
        ),
        Slip(
            "padded_right",
            partial(_windows_wrong, how="padded_right"),
            "The padding signs stand at the end of the context. What is missing is missing at the front; the nearest "
            "word always stands last.",
        ),
        Slip(
            "one_word",
            partial(_windows_wrong, how="one_word"),
            "Each context holds only the word before. That is a bigram: give it the n - 1 words before.",
        ),
    ),
    alternatives=(_windows_by_unfold, _windows_by_sliding),
    hints=(
        "How many padding signs does the very first word need before it?",
        "padded = [pad] * (order - 1) + list(ids). Where in `padded` does the context of word 0 begin?",
        "return [padded[i : i + order - 1] for i in range(len(ids))], list(ids), after a check of the order",
    ),
)
