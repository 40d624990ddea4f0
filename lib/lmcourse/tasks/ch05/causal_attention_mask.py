import numpy as np
import torch

from lmcourse.exercises import Case, Task, border, case, hints, mistakes


def causal_attention_mask(T, S):
    """Return the mask that hides the future from the last T of S words.

    Args:
        T: number of queries, 0 or more.
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
    position = torch.arange(S - T, S)[:, None]  # of each query
    return torch.arange(S) <= position


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    T = int(rng.integers(3, 97))
    return [
        case("the worked example", 3, 5),
        case("as many keys as queries", 7, 7),
        case("more earlier keys than queries", 2, 9),
        case("a cache of earlier keys", T, T + int(rng.integers(2, 13))),
        border("one new query, which sees all", 1, 11),
        border("one query, one key", 1, 1),
        border("no queries", 0, 3),
        border("no queries and no keys", 0, 0),
        border("no keys", 2, 0),
        border("no keys, one query", 1, 0),
    ]


SLIPS = mistakes("""
top_left: "the last T of S words"
    torch.arange(S - T, S) => torch.arange(T)
  Right for a square, but with earlier keys it is aligned at the top left: the last query misses the newest keys. The T
  queries are the **last** T of the S words.
inverted: "True = takes part"
    <= => >
  True and False are exchanged. In this course True means: takes part.
strict: "Return the mask that hides the future from the last T of S words"
    <= position => < position
  A word is hidden from itself. It may see its own position: only what comes later is hidden.
one_too_many: "Return the mask that hides the future from the last T of S words"
    <= position => <= position + 1
  Every query sees one key of the future: the very word that it has to guess.
future_only: "Return the mask that hides the future from the last T of S words"
    <= position => >= position
  This is the upper triangle: each word sees itself and the future. The past is the lower one.
numbers: "A bool tensor"
    torch.arange(S) <= position => (torch.arange(S) <= position).float()
  The entries are right, but they are floats. A mask of type bool can be inverted with ~ and cannot be mistaken for
  scores.
added_to_scores: "A bool tensor"
    torch.arange(S) <= position => torch.zeros(T, S).masked_fill(torch.arange(S) > position, float("-inf"))
  These are numbers to be added to the scores, 0 and minus infinity. What is asked for is the mask itself, a bool
  tensor.
unchecked: "S is less than T"
    S < T => False
  With fewer keys than queries the first queries would see nothing at all. Raise ValueError.
equal_refused: "number of keys, at least T"
    S < T => S <= T
  As many keys as queries were refused. That is the usual case: every word is a query.
""")
HINTS = hints("""
- Draw it for T=3, S=5: the last row sees everything, each row above one key less.
- Query t is at position t + S - T of the sequence. Which keys are not later than that?
- torch.ones(T, S, dtype=torch.bool).tril(S - T), after a check that S is at least T.
""")
task = Task(causal_attention_mask, points=1, difficulty=2, minutes=10, cases=cases, slips=SLIPS, hints=HINTS)
