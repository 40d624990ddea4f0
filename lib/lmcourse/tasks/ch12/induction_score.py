import torch

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch12.shared import CLOSE, draw_weights


def induction_score(weights, period):
    """Return how much of its attention each head puts where an induction head looks.

    The text repeats with this period. From the second round on, the query at position t looks at position
    t - period + 1: the token that came after the earlier copy.

    Args:
        weights: of each head, (H, T, T).
        period: at least 1 and below T.

    Returns:
        (H,): the mean over all queries t = period, ..., T - 1.

    Raises:
        ValueError: a period outside 1 to T - 1.

    >>> weights = torch.tensor([[[1.0, 0, 0, 0], [0.5, 0.5, 0, 0], [0, 0.75, 0.25, 0], [0, 0, 0.25, 0.75]]])
    >>> induction_score(weights, 2).tolist()
    [0.5]
    """
    T = weights.shape[-1]
    if not 1 <= period < T:
        raise ValueError(f"`period` must be 1 to {T - 1}, got {period}.")
    queries = torch.arange(period, T)
    return weights[:, queries, queries - period + 1].mean(dim=-1)


@drawn(3)
def cases(seed: int) -> list[Case]:
    worked = torch.tensor([[[1.0, 0, 0, 0], [0.5, 0.5, 0, 0], [0, 0.75, 0.25, 0], [0, 0, 0.25, 0.75]]])
    return [
        case("the worked example", worked, 2),
        case("three heads, two rounds", draw_weights(seed, 3, 14, 14), 7),
        case("as many heads as tokens", draw_weights(seed + 1, 11, 11, 11), 5),
        case("a last round that is not whole", draw_weights(seed + 2, 2, 17, 17), 5),
        border("one head", draw_weights(seed + 3, 1, 13, 13), 3),
        border("a period of one", draw_weights(seed + 4, 2, 7, 7), 1),
        border("the longest period there is", draw_weights(seed + 5, 5, 7, 7), 6),
        border("a period of zero", draw_weights(seed + 6, 2, 7, 7), 0),
        border("a period as long as the text, one too long", draw_weights(seed + 7, 2, 7, 7), 7),
        border("a period below zero", draw_weights(seed + 8, 2, 7, 7), -2),
        border("a period far beyond the text", draw_weights(seed + 9, 2, 7, 7), 20),
        border("one token, for which there is no period", draw_weights(seed + 10, 2, 1, 1), 1),
    ]


SLIPS = mistakes("""
earlier_copy: "From the second round on, the query at position t looks at position t - period + 1: the token"
    queries - period + 1 => queries - period
  This is the weight on the earlier copy of the token itself. An induction head looks one position later, at what came
  after it.
first_round_too: "(H,): the mean over all queries t = period, ..., T - 1"
    torch.arange(period, T) => torch.arange(period - 1, T)
  The last query of the first round was counted, too. Its token has no earlier copy; begin with t = period.
second_round_only: "The text repeats with this period"
    torch.arange(period, T) => torch.arange(period, min(2 * period, T))
  Right for two rounds. Where the text goes on, count the later rounds, too.
keys_and_queries: "Return how much of its attention each head puts where an induction head looks"
    weights[:, queries, queries - period + 1] => weights[:, queries - period + 1, queries]
  Queries and keys are exchanged. Rows are the queries; above the diagonal a causal head has no weight.
all_heads: "Return how much of its attention each head puts where an induction head looks"
    .mean(dim=-1) => .mean().expand(len(weights))
  One mean over all heads was taken. Each head has a score of its own.
""")
HINTS = hints("""
- Write down t and t - period + 1 for a period of 3: which cells of the map are these?
- They lie on a diagonal below the main one. Index with two lists of positions, one for rows, one for columns.
- queries = torch.arange(period, T); return weights[:, queries, queries - period + 1].mean(dim=-1)
""")
task = Task(induction_score, points=2, difficulty=2, minutes=15, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
