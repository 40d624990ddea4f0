"""Exercise `pseudo_log_likelihood`."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case


def pseudo_log_likelihood(ids, log_probs, special_ids):
    """Return the sum of the log-probabilities of each word given all others.

    Args:
        ids: T token ids, a list of int.
        log_probs: an array of float64, shape (T, T, V): the run in which place t was hidden, its places, the words.
        special_ids: ids that are not scored.

    Returns:
        A float, in nats.

    >>> log_probs = np.log(np.full((3, 3, 5), 0.25))
    >>> log_probs[1, 1, 4] = np.log(0.5)
    >>> round(pseudo_log_likelihood([2, 4, 3], log_probs, [2, 3]), 4)
    -0.6931
    """
    words = [(t, word) for t, word in enumerate(ids) if word not in special_ids]
    return float(sum(log_probs[t, t, word] for t, word in words))


def cases(seed: int) -> list[Case]:
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
        border("an empty sentence", [], np.zeros((0, 0, 5)), [2, 3]),
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


task = Task(
    pseudo_log_likelihood,
    points=2,
    difficulty=3,
    minutes=15,
    cases=cases,
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
