import torch
from torch import Tensor

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch12.shared import CLOSE, drawer


def patched_states(clean, other, weights, layer, position):
    """Return the last states of a small model that reads `other`, with one vector taken from its run on `clean`.

    Each layer adds to every position the mean of all positions up to it, times a matrix: x_t + mean(x_0 .. x_t) W.

    Args:
        clean, other: two texts as embeddings, each (T, D).
        weights: a list of matrices (D, D), one a layer.
        layer: the exchange happens after this layer, counted from 0.
        position: of the vector that is exchanged.

    Returns:
        (T, D): the stream after the last layer, of the run on `other`.

    >>> clean, other = torch.tensor([[1.0], [1.0]]), torch.tensor([[3.0], [1.0]])
    >>> patched_states(clean, other, [torch.eye(1), torch.eye(1)], 0, 0).tolist()
    [[4.0], [5.5]]
    """
    count = torch.arange(1, len(other) + 1)[:, None]
    for number, weight in enumerate(weights):
        clean = clean + clean.cumsum(dim=0) / count @ weight
        other = other + other.cumsum(dim=0) / count @ weight
        if number == layer:
            other[position] = clean[position]
    return other


@drawn(3)
def cases(seed: int) -> list[Case]:
    draw = drawer(seed)

    def matrices(n: int, D: int) -> list[Tensor]:
        return [draw(D, D) / D**0.5 for _ in range(n)]

    one = torch.eye(1)
    same = draw(5, 3)
    return [
        case("the worked example", torch.tensor([[1.0], [1.0]]), torch.tensor([[3.0], [1.0]]), [one, one], 0, 0),
        case("three layers, a position in the middle", draw(7, 5), draw(7, 5), matrices(3, 5), 1, 3),
        case("as many positions as features", draw(5, 5), draw(5, 5), matrices(4, 5), 2, 1),
        case("after an early layer of five", draw(6, 3), draw(6, 3), matrices(5, 3), 0, 2),
        border("the last position", draw(5, 3), draw(5, 3), matrices(3, 3), 1, 4),
        border("the first position", draw(5, 3), draw(5, 3), matrices(3, 3), 1, 0),
        border("the last layer", draw(5, 3), draw(5, 3), matrices(3, 3), 2, 1),
        border("a model of one layer", draw(4, 3), draw(4, 3), matrices(1, 3), 0, 1),
        border("two texts that are the same", same, same.clone(), matrices(2, 3), 0, 2),
        border("one token", draw(1, 3), draw(1, 3), matrices(2, 3), 0, 0),
    ]


SLIPS = mistakes("""
before_the_layer: "the exchange happens after this layer, counted from 0"
    clean = clean + clean.cumsum(dim=0) / count @ weight
    |        other = other + other.cumsum(dim=0) / count @ weight
    |        if number == layer:
    |            other[position] = clean[position] => if number == layer:
    |            other = other.clone()
    |            other[position] = clean[position]
    |        clean = clean + clean.cumsum(dim=0) / count @ weight
    |        other = other + other.cumsum(dim=0) / count @ weight
  The vector was exchanged before the layer. Run the layer first, then exchange.
embedding_taken: "two texts as embeddings, each (T, D)"
    count = torch.arange => start, count = clean, torch.arange
    = clean[position] => = start[position]
  The vector that was put in is the embedding of `clean`. Take what the run on `clean` has after the layer.
all_positions: "Return the last states of a small model that reads `other`, with one vector taken from its run"
    other[position] = clean[position] => other = clean
  These are the states of the run on `clean`: all positions were exchanged, or the wrong run was returned. In the run on
  `other` exchange one vector.
every_layer: "a list of matrices (D, D), one a layer"
    number == layer => number >= layer
  The vector was exchanged after every later layer as well. Exchange it once, and let the later layers go on from it.
wrong_way: "Return the last states of a small model that reads `other`, with one vector taken from its run"
    other[position] = clean[position] => clean[position] = other[position]
  The vector went from `other` to `clean`. The run on `other` gets the clean vector.
""")
HINTS = hints("""
- You need two runs side by side: what is put in comes from the other one, after the same layer.
- In each layer compute both new streams. If it is the layer, copy the one row.
- for n, W in enumerate(weights): clean = clean + clean.cumsum(0) / count @ W; the same with other; if n == layer:
  other[position] = clean[position]
""")
task = Task(patched_states, points=3, difficulty=3, minutes=25, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
