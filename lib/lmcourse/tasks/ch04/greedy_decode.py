from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn


def greedy_decode(next_probs, start_id, stop_id, max_length):
    """Return the sentence that greedy search finds.

    Args:
        next_probs: a function that takes the list of tokens so far, the start token first, and returns a list of V
            probabilities for the next one, of which one is the largest.
        start_id, stop_id: the special tokens, any two ids that differ.
        max_length: how many tokens may be chosen, the stop token among them.

    Returns:
        The tokens that were chosen, without the stop token (a list of int), and whether the stop token came (a bool): a
        sentence of `max_length` tokens has not come to its end.

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


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    worked = {0: [0.0, 0.1, 0.3, 0.6], 3: [0.0, 0.2, 0.5, 0.3], 2: [0.0, 0.7, 0.1, 0.2], 1: [0.0, 1.0, 0.0, 0.0]}
    stops_at_once = {token: [0.0, 0.9, 0.05, 0.05] for token in range(4)}
    last = int(rng.integers(3, 6))
    # 0 -> last -> 2 or its mirror -> stop: ends exactly at max_length 3, the stop token counted
    chain = {0: [0.0] * 7, last: [0.0, 0.3, 0.7, 0.0, 0.0, 0.0, 0.0], 1: [0.0, 1.0] + [0.0] * 5}
    chain[0][last] = 1.0
    chain |= {token: [0.0, 0.8, 0.2, 0.0, 0.0, 0.0, 0.0] for token in (2, 3, 4, 5, 6) if token != last}
    # the special tokens are 3 and 0: 3 -> 4 -> 2 -> 1 -> 0
    others = {
        3: [0.0, 0.2, 0.1, 0.0, 0.7],
        4: [0.1, 0.3, 0.2, 0.0, 0.4],
        2: [0.2, 0.5, 0.1, 0.0, 0.2],
        1: [0.4, 0.25, 0.15, 0.0, 0.2],
        0: [0.1, 0.2, 0.5, 0.0, 0.2],
    }
    close = {token: [0.0, 1.0, 0.0, 0.0, 0.0] for token in range(5)} | {0: [0.0, 0.1, 0.3, 0.3 + 1e-10, 0.3 - 1e-10]}
    starts_anew = {0: [0.1, 0.2, 0.7], 2: [0.6, 0.1, 0.3], 1: [0.0, 1.0, 0.0]}
    again = {token: [0.0, 0.3, 0.4, 0.3 * (token == 2), 0.3 * (token != 2)] for token in range(5)}
    return [
        case("the worked example", worked, 0, 1, 5),
        case("seven tokens", _table(rng, 7, 0.21), 0, 1, 13),
        case("eleven tokens", _table(rng, 11, 0.19), 0, 1, 17),
        case("a stop token that is never above one half", _table(rng, 5, 0.4), 0, 1, 11),
        case("other special tokens", others, 3, 0, 9),
        border("the same token again and again", again, 0, 1, 4),
        border("two probabilities that are equal in float32", close, 0, 1, 4),
        border("the model stops at once: an empty sentence", stops_at_once, 0, 1, 5),
        border("the model chooses the start token, and goes on", starts_anew, 0, 1, 4),
        border("the model never stops", _table(rng, 5, 0.0), 0, 1, 7),
        border("the stop token is the last one allowed", chain, 0, 1, 3),
        border("the stop token would be the next one", chain, 0, 1, 2),
        border("one token allowed", _table(rng, 5, 0.1), 0, 1, 1),
        border("one token allowed, and it is the stop token", stops_at_once, 0, 1, 1),
        border("no token allowed", _table(rng, 5, 0.1), 0, 1, 0),
        border("fewer than no tokens allowed", _table(rng, 5, 0.1), 0, 1, -3),
    ]


SLIPS = mistakes("""
stop_kept: "without the stop token"
    return ids[1:], True => return [*ids[1:], best], True
  The stop token is part of the sentence that came back. It ends the search, and the sentence is what stands before it.
always_finished: "whether the stop token came"
    ids[1:], False => ids[1:], True
  A sentence that was cut off at max_length is called finished. Say False: it has no end of its own.
last_token_alone: "the start token first"
    next_probs(ids) => next_probs(ids[-1:])
  The model was shown the last token alone. Show it all tokens so far, the start token first.
one_less: "how many tokens may be chosen, the stop token among them"
    range(max_length) => range(max_length - 1)
  One token less than max_length was chosen. The start token is not among those that are counted.
limit_without_stop: "the stop token among them"
    return ids[1:], False => probs = next_probs(ids)
    |    return ids[1:], probs.index(max(probs)) == stop_id
  The stop token was looked for after max_length tokens had been chosen. It is one of those that are allowed: a sentence
  of max_length tokens has no end.
twice_in_a_row
    best == stop_id => best == stop_id or best == ids[-1]
  The search ended when a token came twice in a row. Only the stop token ends it.
stop_is_1: "the special tokens, any two ids that differ"
    best == stop_id => best == 1
  The stop token is always 1. Use the argument stop_id.
unchecked: "`max_length` is below 1"
    max_length < 1 => False
  The search is right, but a max_length below 1 went through. It allows nothing, not even the stop token: raise
  ValueError.
only_negative_refused: "`max_length` is below 1"
    max_length < 1 => max_length < 0
  A max_length below 0 is refused, but 0 is not. It allows nothing, not even the stop token: raise ValueError.
""")
HINTS = hints("""
- Keep a list that begins with the start token. What do you ask the model each time, and when do you leave the loop?
- for _ in range(max_length): probs = next_probs(ids); best = probs.index(max(probs)). If best is the stop token, return
  what is there without the start, and True; else append it.
- After the loop return ids[1:], False; inside it, at the stop token, return ids[1:], True. Check max_length < 1 first.
""")
task = Task(
    greedy_decode, points=3, difficulty=2, minutes=20, cases=cases, call=_call_with_model, slips=SLIPS, hints=HINTS
)
