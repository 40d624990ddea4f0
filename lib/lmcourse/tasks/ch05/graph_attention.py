from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch05.shared import CLOSE, double, normal


def graph_attention(values, scores, edges):
    """Let every node take a weighted mean of the values that arrive along its edges, each edge with a score.

    The weights of a node are the softmax of the scores of the edges that arrive there. Large scores must not overflow.
    A node at which no edge arrives gets zeros.

    Args:
        values: a tensor (N, D), one row a node.
        scores: a tensor (E,): scores[e] belongs to edges[e].
        edges: a list of E pairs (sender, receiver), in any order; it may be empty. Two edges may have the same sender
            and receiver; then both count.

    Returns:
        A tensor (N, D), of the element type of the values.

    >>> values = torch.tensor([[1.0, 0.0], [0.0, 1.0], [4.0, 4.0]], dtype=torch.float64)
    >>> scores = torch.tensor([0.0, 1.0, 5.0], dtype=torch.float64)
    >>> graph_attention(values, scores, [(0, 2), (1, 2), (2, 0)]).numpy().round(3).tolist()
    [[4.0, 4.0], [0.0, 0.0], [0.269, 0.731]]
    """
    received = torch.zeros_like(values)
    for node in range(len(values)):
        arriving = [e for e in range(len(edges)) if edges[e][1] == node]
        senders = [edges[e][0] for e in arriving]
        if arriving:
            weights = scores[arriving].softmax(dim=-1)
            received[node] = weights @ values[senders]
    return received


Edges = Sequence[tuple[int, int]]


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    complete = [(sender, receiver) for sender in range(5) for receiver in range(5)]
    some = [(3, 0), (0, 1), (4, 2), (2, 1), (3, 1), (0, 3), (1, 4), (2, 3), (1, 2)]
    shuffled = [complete[number] for number in rng.permutation(25)]

    def draw(nodes: int, width: int, edges: Edges, dtype: torch.dtype = torch.float64) -> tuple[Tensor, Tensor, Edges]:
        return normal(rng, nodes, width, dtype=dtype), normal(rng, len(edges), dtype=dtype) * 2, edges

    def loud(scores: list[float]) -> tuple[Tensor, Tensor, Edges]:
        return normal(rng, 3, 3), double(scores), [(0, 1), (1, 0), (2, 1), (2, 0)]

    worked = double([[1.0, 0.0], [0.0, 1.0], [4.0, 4.0]]), double([0.0, 1.0, 5.0])
    return [
        case("the worked example", *worked, [(0, 2), (1, 2), (2, 0)]),
        case("the complete graph, its edges in no order", *draw(5, 3, shuffled)),
        case("some edges, in one direction", *draw(5, 7, some)),
        case("edges in no order", *draw(4, 3, [(3, 0), (0, 2), (1, 0), (3, 2), (2, 0), (1, 2)])),
        case("only edges from the past", *draw(5, 2, [edge for edge in complete if edge[0] <= edge[1]])),
        case("two edges from one node to another", *draw(3, 2, [(0, 1), (2, 1), (0, 1)])),
        border("the same edge three times and no other", *draw(2, 3, [(0, 1), (0, 1), (0, 1)])),
        border("a node that receives nothing, zeros", *draw(5, 3, [(0, 1), (2, 1), (1, 3)])),
        border("a node that sends to nobody", *draw(4, 3, [(0, 1), (1, 3), (0, 3), (0, 0), (1, 2), (0, 2)])),
        border("no edges", *draw(3, 2, [])),
        border("one node with an edge to itself", *draw(1, 3, [(0, 0)])),
        border("one node and no edges", *draw(1, 3, [])),
        border("scores near 1,000, where exp overflows", *loud([1000, 1002, 1001, 1003])),
        border("scores near -1,000, where exp gives 0", *loud([-1000, -1002, -1001, -1003])),
        border("a loud node beside a quiet one", *loud([1000, -1000, 1001, -1001])),
        case("float32", *draw(4, 3, [(0, 1), (2, 1), (1, 0), (3, 3), (0, 3)], torch.float32)),
    ]


SLIPS = mistakes("""
mean: "weighted mean of the values"
    weights @ values[senders] => values[senders].mean(dim=0)
  Every sender counts the same here, whatever the scores. Weigh the values by the softmax of their scores.
no_softmax: "The weights of a node are the softmax of the scores of the edges that arrive there"
    .softmax(dim=-1) =>
  The scores are used as weights. Put a softmax over the edges that arrive at the node.
over_all_edges: "The weights of a node are the softmax of the scores of the edges that arrive there"
    scores[arriving].softmax(dim=-1) => scores.softmax(dim=-1)[arriving]
  The softmax runs over all edges of the graph, so nodes compete for weight. The weights of each node, over the edges
  that arrive there, sum to 1.
backwards: "that arrive along its edges"
    if edges[e][1] == node] => if edges[e][0] == node]
    [edges[e][0] for e in arriving] => [edges[e][1] for e in arriving]
  The values are sent against the edges. An edge is (sender, receiver): a node hears those that point to it.
without_itself: "that arrive along its edges"
    if edges[e][1] == node] => if edges[e][1] == node != edges[e][0]]
  Edges from a node to itself are left out. They count like all others.
own_kept: "A node at which no edge arrives gets zeros"
    torch.zeros_like(values) => values.clone()
  A node that receives nothing keeps its own value here. It should get zeros, as a fully masked row does.
one_maximum: "Large scores must not overflow"
    scores[arriving].softmax(dim=-1) =>
        (scores[arriving] - scores.max()).exp() / (scores[arriving] - scores.max()).exp().sum()
  One maximum was subtracted from the scores of all nodes, so the exponentials of a quiet node are all 0. Subtract the
  maximum of the scores of that node's edges.
""")
HINTS = hints("""
- Go through the nodes. Which edges arrive at this one? Keep their numbers: they find the scores as well.
- arriving = [e for e in range(len(edges)) if edges[e][1] == node]; scores[arriving] are their scores. Where do these
  edges come from?
- senders = [edges[e][0] for e in arriving]; received[node] = scores[arriving].softmax(dim=-1) @ values[senders], and
  zeros where no edge arrives.
""")
task = Task(graph_attention, points=2, difficulty=3, minutes=20, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
