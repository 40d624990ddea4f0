"""Exercise `greedy_decode`."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case


def greedy_decode(next_probs, start_id, stop_id, max_length):
    """Return the sentence that greedy search finds.

    Args:
        next_probs: a function that takes the list of tokens so far, the start token first, and returns a list of V
            probabilities for the next one.
        start_id, stop_id: the special tokens.
        max_length: how many tokens may be chosen, the stop token among them.

    Returns:
        The tokens without start and stop (a list of int), and whether the stop token came (a bool).

    Raises:
        ValueError: `max_length` is below 1.

    >>> table = {0: [0.0, 0.1, 0.3, 0.6], 3: [0.0, 0.2, 0.5, 0.3], 2: [0.0, 0.7, 0.1, 0.2]}
    >>> greedy_decode(lambda ids: table[ids[-1]], 0, 1, 5)
    ([3, 2], True)
    """
    if max_length < 1:
        raise ValueError(f"`max_length` must be at least 1, got {max_length}.")
    ids = [start_id]
    for _ in range(max_length):
        probs = next_probs(ids)
        best = probs.index(max(probs))
        if best == stop_id:
            return ids[1:], True
        ids = [*ids, best]
    return ids[1:], False


NextProbs = Callable[[list[int]], list[float]]


def _call_with_model(answer: Callable[..., Any], table: Mapping[int, Sequence[float]], *args: int) -> Any:
    """Hand the answer a model: a function from the tokens so far to the next one's probabilities.

    It depends on the last token and on how many there are, so that a model that is asked the wrong thing says
    something else.
    """

    def next_probs(ids: list[int]) -> list[float]:
        if not isinstance(ids, list) or not ids or ids[0] != args[0]:
            raise ValueError("`ids` must be a list of the tokens so far, the start token first.")
        row = list(table[ids[-1]])
        return row if len(ids) % 2 else [row[0], row[1], *row[:1:-1]]  # every other step the words change places

    return answer(next_probs, *args)


def _table(rng: np.random.Generator, V: int, stop: float) -> dict[int, list[float]]:
    """A row of probabilities for each token: 0 for the start token, `stop` for the stop token, the rest shared."""
    rows = {}
    for token in range(V):
        shares = rng.dirichlet(np.ones(V - 2)) * (1 - stop)
        rows[token] = [0.0, stop, *map(float, shares)]
    return rows


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    worked = {0: [0.0, 0.1, 0.3, 0.6], 3: [0.0, 0.2, 0.5, 0.3], 2: [0.0, 0.7, 0.1, 0.2], 1: [0.0, 1.0, 0.0, 0.0]}
    stops_at_once = {token: [0.0, 0.9, 0.05, 0.05] for token in range(4)}
    last = int(rng.integers(3, 6))
    # 0 -> last -> 2 or its mirror -> stop: ends exactly at max_length 3, the stop token counted
    chain = {0: [0.0] * 7, last: [0.0, 0.3, 0.7, 0.0, 0.0, 0.0, 0.0], 1: [0.0, 1.0] + [0.0] * 5}
    chain[0][last] = 1.0
    chain |= {token: [0.0, 0.8, 0.2, 0.0, 0.0, 0.0, 0.0] for token in (2, 3, 4, 5, 6) if token != last}
    return [
        case("the worked example", worked, 0, 1, 5),
        case("seven tokens", _table(rng, 7, 0.21), 0, 1, 13),
        case("eleven tokens", _table(rng, 11, 0.19), 0, 1, 17),
        border("the model stops at once: an empty sentence", stops_at_once, 0, 1, 5),
        border("the model never stops", _table(rng, 5, 0.0), 0, 1, 7),
        border("the stop token is the last one allowed", chain, 0, 1, 3),
        border("one token allowed", _table(rng, 5, 0.1), 0, 1, 1),
        border("no token allowed", _table(rng, 5, 0.1), 0, 1, 0),
    ]


def _greedy_wrong(
    next_probs: NextProbs, start_id: int, stop_id: int, max_length: int, *, how: str
) -> tuple[list[int], bool]:
    if max_length < 1 and how != "unchecked":
        raise ValueError("max_length")
    ids, finished = [start_id], False
    for _ in range(max_length + (how == "one_more")):
        probs = next_probs([start_id, ids[-1]] if how == "last_only" and len(ids) > 1 else ids)
        best = probs.index(min(p for p in probs if p > 0)) if how == "least" else probs.index(max(probs))
        if how == "never_stops" and best == stop_id:
            best = probs.index(sorted(probs)[-2])
        if best == stop_id:
            finished = True
            if how == "stop_kept":
                ids = [*ids, best]
            break
        ids = [*ids, best]
    if how == "start_kept":
        return ids, finished
    if how == "always_finished":
        return ids[1:], True
    return ids[1:], finished


def _greedy_with_while(next_probs: NextProbs, start_id: int, stop_id: int, max_length: int) -> tuple[list[int], bool]:
    if max_length <= 0:
        raise ValueError("max_length")
    out: list[int] = []
    while len(out) < max_length:
        token = int(np.argmax(next_probs([start_id, *out])))
        if token == stop_id:
            return out, True
        out.append(token)
    return out, False


def _greedy_recursively(next_probs: NextProbs, start_id: int, stop_id: int, max_length: int) -> tuple[list[int], bool]:
    if max_length < 1:
        raise ValueError("max_length")

    def rest(ids: list[int]) -> list[int]:
        if ids[-1] == stop_id or len(ids) > max_length:
            return ids
        probs = next_probs(ids)
        return rest([*ids, max(range(len(probs)), key=probs.__getitem__)])

    found = rest([start_id])[1:]
    return (found[:-1], True) if found and found[-1] == stop_id else (found, False)


task = Task(
    greedy_decode,
    points=3,
    difficulty=2,
    minutes=20,
    cases=cases,
    call=_call_with_model,
    slips=(
        Slip(
            "stop_kept",
            partial(_greedy_wrong, how="stop_kept"),
            "The stop token is part of the sentence that came back. It ends the search; nobody says it.",
        ),
        Slip(
            "start_kept",
            partial(_greedy_wrong, how="start_kept"),
            "The start token is part of the sentence that came back. It is only there for the model to read.",
        ),
        Slip(
            "never_stops",
            partial(_greedy_wrong, how="never_stops"),
            "The sentence goes on when the likeliest token is the stop token. That is how the model says that it is "
            "done: stop there.",
        ),
        Slip(
            "always_finished",
            partial(_greedy_wrong, how="always_finished"),
            "A sentence that was cut off at max_length is called finished. Say False: it has no end of its own.",
        ),
        Slip(
            "last_token_only",
            partial(_greedy_wrong, how="last_only"),
            "The model was shown only the start and the last token. Show it all tokens so far: what comes next depends "
            "on more than the last one.",
        ),
        Slip(
            "one_more",
            partial(_greedy_wrong, how="one_more"),
            "One token more than max_length was chosen. Count the stop token among those that are allowed.",
        ),
        Slip(
            "least_likely",
            partial(_greedy_wrong, how="least"),
            "The least likely token was taken. Greedy search takes the one with the largest probability.",
        ),
        Slip(
            "unchecked",
            partial(_greedy_wrong, how="unchecked"),
            "The search is right, but a max_length below 1 went through. It allows nothing, not even the stop token: "
            "raise ValueError.",
        ),
    ),
    alternatives=(_greedy_with_while, _greedy_recursively),
    hints=(
        "Keep a list that begins with the start token. What do you ask the model each time, and when do you leave the "
        "loop?",
        "for _ in range(max_length): probs = next_probs(ids); best = probs.index(max(probs)). If best is the stop "
        "token, return what is there without the start, and True; else append it.",
        "After the loop return ids[1:], False; inside it, at the stop token, return ids[1:], True. Check max_length "
        "< 1 first.",
    ),
)
