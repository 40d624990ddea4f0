import torch
from torch import Tensor

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.tasks.ch04.shared import generator_of


def alignment_share(weights, gold):
    """Return the share of target words whose largest weight is on a source word that they come from.

    Args:
        weights: (T, S), a row for each target word, T may be 0. No row has two largest weights.
        gold: a list of T entries: the right positions in the source, a list of int from 0 up; None or an empty list for
            a target word that comes from nowhere.

    Returns:
        A float from 0 to 1, over the target words that come from somewhere.

    Raises:
        ValueError: no target word comes from anywhere.

    >>> alignment_share(torch.tensor([[0.2, 0.8], [0.6, 0.4], [0.9, 0.1]]), [[1], None, [1]])
    0.5
    """
    best = weights.argmax(-1).tolist()
    hits = [best[t] in positions for t, positions in enumerate(gold) if positions]
    if not hits:
        raise ValueError("`gold` must name a source word for at least one target word.")
    return sum(hits) / len(hits)


def cases(seed: int) -> list[Case]:
    generator = generator_of(seed)

    def draw(T: int, S: int, sharpness: float = 3.0) -> tuple[Tensor, list[list[int] | None]]:
        weights = (sharpness * torch.randn(T, S, generator=generator)).softmax(-1)
        best, other = weights.argmax(-1), torch.randint(S, (T, 2), generator=generator)
        gold: list[list[int] | None] = []
        for t in range(T):
            positions = [int(best[t]), int(other[t, 0])] if t % 3 else [(int(best[t]) + 1) % S]
            gold.append(None if t % 5 == 4 else sorted(set(positions)))
        return weights, gold

    worked = torch.tensor([[0.2, 0.8], [0.6, 0.4], [0.9, 0.1]])
    three = torch.tensor([[0.4, 0.35, 0.25], [0.1, 0.3, 0.6], [0.2, 0.5, 0.3]])
    return [
        case("the worked example", worked, [[1], None, [1]]),
        case("13 target words, 11 source words", *draw(13, 11)),
        case("7 target words, 17 source words", *draw(7, 17)),
        case("the first word comes from nowhere", three, [None, [2], [0]]),
        case("weights that do not sum to 1", 10 * three, [[0], [0], [1]]),
        border("23 target words, weights that are nearly equal", *draw(23, 19, 0.4)),
        border("one target word", torch.tensor([[0.3, 0.5, 0.2]]), [[0, 1]]),
        border(
            "two weights that are equal in float32", torch.tensor([[0.3, 0.3 + 1e-10, 0.2]], dtype=torch.float64), [[0]]
        ),
        border("words that come from source word 0", three, [[0], [0], None]),
        border("no position named, which counts as nowhere", worked, [[], [0], [1]]),
        border("no position named, nor None", worked, [[], None, [0]]),
        case("words that come from nowhere only", worked, [None, None, None]),
        border("no position named at all", worked, [[], None, []]),
        border("no target words", torch.zeros(0, 3), []),
    ]


SLIPS = mistakes("""
links_counted_right
    best[t] in positions for t, positions in enumerate(gold) if positions =>
        not positions or best[t] in positions for t, positions in enumerate(gold)
  Words that come from nowhere, such as und, were counted as right. They have no right position: leave them out.
empty_lists_counted: "None or an empty list for a target word that comes from nowhere"
    if positions] => if positions is not None]
  Words with None were left out, but those with an empty list were counted as wrong. Both come from nowhere.
divided_by_all: "over the target words that come from somewhere"
    / len(hits) => / len(gold)
  The hits were divided by the number of all target words. Divide by the number of those that come from somewhere.
first_position_only: "the right positions"
    in positions for => == positions[0] for
  Only the first of several right positions was accepted. Onze in quatre vingt onze comes from ninety and from one:
  either will do.
position_zero_left_out: "a list of int from 0 up"
    if positions] => if positions and any(positions)]
  A word that comes from source word 0 was left out, since 0 counts as false. Ask whether the list is empty.
positions_from_one: "a list of int from 0 up"
    best[t] in => best[t] + 1 in
  The positions were counted from 1. They begin with 0, as argmax gives them.
positions_counted: "the right positions"
    sum(hits) / len(hits) => sum(hits) / sum(len(positions) for positions in gold if positions)
  The hits were divided by the number of right positions. Each target word counts once, however many it has.
rows_of_others: "over the target words that come from somewhere"
    gold) if positions => [positions for positions in gold if positions])
  After the words from nowhere were left out, the others were compared with the wrong rows. Keep each entry of gold with
  its row.
weight_on_the_right_position: "on a source word that they come from"
    best[t] in positions for => float(weights[t, positions].sum()) for
  This is the mean weight on the right positions. Asked is how often the largest weight lies on one.
over_the_targets: "whose largest weight"
    hits = [ => columns = weights.argmax(0).tolist() if len(weights) else []
    |    hits = [any(columns[j] == t for j in positions) for t, positions in enumerate(gold) if positions]
    |    gold = gold if hits else []
    |    hits = hits or [
  For each source word the target word with the largest weight was looked up. It is the other way: each row, a target
  word, looks along its source words.
more_than_half: "on a source word that they come from"
    best[t] in positions for => float(weights[t, positions].max()) > 0.5 for
  A weight counted only when it was above one half. The largest of the row counts, however large it is.
zero_for_nothing: "no target word comes from anywhere"
    raise => return 0.0
    |        raise
  With no word to count this says 0. A share of nothing is not 0: raise ValueError.
unchecked: "no target word comes from anywhere"
    if not hits: => if False:
  Where no word comes from anywhere this divides by 0. Raise ValueError before.
""")
HINTS = hints("""
- Row t is target word t. Where is its largest weight, and is that one of the positions in gold[t]?
- best = weights.argmax(-1).tolist(). Keep only the t for which gold[t] names a position, and take the share of those
  with best[t] in gold[t].
- hits = [best[t] in positions for t, positions in enumerate(gold) if positions]; raise ValueError if hits is empty;
  return sum(hits) / len(hits)
""")
task = Task(alignment_share, points=2, difficulty=2, minutes=15, cases=cases, slips=SLIPS, hints=HINTS)
