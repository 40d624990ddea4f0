"""Exercise `causal_attention_mask`."""

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case


def causal_attention_mask(T, S):
    """Return the mask that hides the future from the last T of S words.

    Args:
        T: number of queries.
        S: number of keys, at least T.

    Returns:
        A bool tensor (T, S), True = takes part.

    Raises:
        ValueError: S is less than T.

    >>> causal_attention_mask(3, 5).int().tolist()
    [[1, 1, 1, 0, 0], [1, 1, 1, 1, 0], [1, 1, 1, 1, 1]]
    """
    if S < T:
        raise ValueError(f"`S` must be at least T, got T={T}, S={S}.")
    place = torch.arange(S - T, S)[:, None]  # of each query
    return torch.arange(S) <= place


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    T = int(rng.integers(3, 97))
    return [
        case("the worked example", 3, 5),
        case("as many keys as queries", 7, 7),
        case("a cache of earlier keys", T, T + int(rng.integers(2, 13))),
        border("one new query, which sees all", 1, 11),
        border("one query, one key", 1, 1),
        border("no queries", 0, 3),
        border("one key too few", 5, 4),
    ]


def _mask_of(condition: Callable[..., Tensor]) -> Callable[[int, int], Tensor]:
    def answer(T: int, S: int) -> Tensor:
        if S < T:
            raise ValueError("too few keys")
        t, s = torch.arange(T)[:, None], torch.arange(S)[None]
        return condition(t, s, T, S)

    return answer


def _causal_in_loops(T: int, S: int) -> Tensor:
    if T > S:
        raise ValueError("too few keys")
    mask = torch.zeros(T, S, dtype=torch.bool)
    for t in range(T):
        mask[t, : t + 1 + S - T] = True
    return mask


def _causal_by_comparison(T: int, S: int) -> Tensor:
    if S - T < 0:
        raise ValueError("too few keys")
    places = torch.arange(S)
    return places <= places[S - T :, None]


task = Task(
    causal_attention_mask,
    points=1,
    difficulty=2,
    minutes=10,
    cases=cases,
    slips=(
        Slip(
            "top_left",
            _mask_of(lambda t, s, T, S: s <= t),
            "Right for a square, but with earlier keys it is aligned at the top left: the last query misses the newest "
            "keys. The T queries are the **last** T of the S places.",
        ),
        Slip(
            "inverted",
            _mask_of(lambda t, s, T, S: s > t + S - T),
            "True and False are exchanged. In this course True means: takes part.",
        ),
        Slip(
            "strict",
            _mask_of(lambda t, s, T, S: s < t + S - T),
            "A word is kept from itself. It may look at its own place: the past is hidden from nobody, and the present "
            "is not the future.",
        ),
        Slip(
            "one_too_many",
            _mask_of(lambda t, s, T, S: s <= t + S - T + 1),
            "Every query sees one key of the future: the very word it has to guess.",
        ),
        Slip(
            "future_only",
            _mask_of(lambda t, s, T, S: s >= t + S - T),
            "This is the upper triangle: each word sees itself and the future. The past is the lower one.",
        ),
        Slip(
            "numbers",
            _mask_of(lambda t, s, T, S: (s <= t + S - T).float()),
            "The places are right, but the mask holds numbers. A mask of type bool can be inverted with ~ and cannot "
            "be mistaken for scores.",
        ),
        Slip(
            "unchecked",
            lambda T, S: torch.ones(T, S, dtype=torch.bool).tril(S - T),
            "With fewer keys than queries the first queries would see nothing at all. Raise ValueError.",
        ),
    ),
    alternatives=(_causal_in_loops, _causal_by_comparison),
    hints=(
        "Draw it for T=3, S=5: the last row sees everything, each row above one key less.",
        "Query t is at place t + S - T of the sequence. Which keys are not later than that?",
        "torch.ones(T, S, dtype=torch.bool).tril(S - T), after a check that S is at least T.",
    ),
)
