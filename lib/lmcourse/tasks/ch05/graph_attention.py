"""Exercise `graph_attention`."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch05.shared import CLOSE, normal


def graph_attention(values, scores, edges):
    """Let every node take a weighted mean of the values that arrive along its edges.

    The weights of a node are the softmax of its scores over its senders. Large scores must not overflow. A node at
    which no edge arrives gets zeros.

    Args:
        values: a tensor (N, D), one row a node.
        scores: a tensor (N, N): scores[i, j] is how much node i wants to hear node j.
        edges: a list of different pairs (sender, receiver), in any order; it may be empty.

    Returns:
        A tensor (N, D), of the element type of the values.

    >>> values = torch.tensor([[1.0, 0.0], [0.0, 1.0], [4.0, 4.0]])
    >>> graph_attention(values, torch.zeros(3, 3), [(0, 2), (1, 2), (2, 0)]).tolist()
    [[4.0, 4.0], [0.0, 0.0], [0.5, 0.5]]
    """
    received = torch.zeros_like(values)
    for node in range(len(values)):
        senders = [sender for sender, receiver in edges if receiver == node]
        if senders:
            weights = scores[node, senders].softmax(dim=-1)
            received[node] = weights @ values[senders]
    return received


Edges = Sequence[tuple[int, int]]


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(nodes: int, width: int, dtype: torch.dtype = torch.float64) -> tuple[Tensor, Tensor]:
        return normal(rng, nodes, width, dtype=dtype), normal(rng, nodes, nodes, dtype=dtype) * 2

    def loud(scores: list[list[float]]) -> tuple[Tensor, Tensor]:
        return normal(rng, len(scores), 3), torch.tensor(scores).double()

    complete = [(sender, receiver) for sender in range(5) for receiver in range(5)]
    some = [edge for edge in complete if rng.random() < 0.5 and edge[0] != edge[1]]
    some = list(dict.fromkeys([*some, (0, 1), (2, 1), (3, 1), (4, 2), (0, 3), (2, 3)]))
    worked = torch.tensor([[1.0, 0.0], [0.0, 1.0], [4.0, 4.0]]).double(), torch.zeros(3, 3).double()
    both = [(0, 1), (2, 1), (1, 0), (2, 0)]
    return [
        case("the worked example", *worked, [(0, 2), (1, 2), (2, 0)]),
        case("the complete graph", *draw(5, 3), complete),
        case("as many features as nodes", *draw(5, 5), some),
        case("some edges, in one direction", *draw(5, 7), some),
        case("edges in no order", *draw(4, 3), [(3, 0), (0, 2), (1, 0), (3, 2), (2, 0), (1, 2)]),
        case("only edges from the past", *draw(5, 2), [edge for edge in complete if edge[0] <= edge[1]]),
        border("a node that receives nothing, zeros", *draw(5, 3), [(0, 1), (2, 1), (1, 3)]),
        border("a node that sends to nobody", *draw(4, 3), [(0, 1), (1, 3), (0, 3), (0, 0), (1, 2), (0, 2)]),
        border("no edges", *draw(3, 2), []),
        border("one edge", *draw(3, 2), [(2, 1)]),
        border("one node with an edge to itself", *draw(1, 3), [(0, 0)]),
        border("one node and no edges", *draw(1, 3), []),
        border("one feature", *draw(4, 1), [(3, 0), (2, 0), (0, 1)]),
        border(
            "scores near 1,000, where exp overflows", *loud([[1000, 1002, 1001], [1003, 1000, 1001], [0, 0, 0]]), both
        ),
        border("scores near -1,000, where exp gives 0", *loud([[0, -1000, -1001], [-999, 0, -1000], [0, 0, 0]]), both),
        border("a loud node beside a quiet one", *loud([[0, 1000, 1001], [-1000, 0, -1001], [0, 0, 0]]), both),
        border("large scores where there is no edge", *loud([[1e4, 1, 2], [0, 1e4, 1], [1e4, -1e4, 0]]), both),
        case("float32", *draw(4, 3, torch.float32), [(0, 1), (2, 1), (1, 0), (3, 3), (0, 3)]),
    ]


def _graph_by_mask(values: Tensor, scores: Tensor, edges: Edges) -> Tensor:
    keep = torch.zeros(scores.shape, dtype=torch.bool)
    for sender, receiver in edges:
        keep[receiver, sender] = True
    weights = scores.masked_fill(~keep, float("-inf")).softmax(dim=-1).nan_to_num(0.0)
    return weights @ values


def _graph_by_scatter(values: Tensor, scores: Tensor, edges: Edges) -> Tensor:
    received = torch.zeros_like(values)
    if not edges:
        return received
    senders, receivers = torch.tensor(edges).unbind(dim=1)
    own = scores[receivers, senders]
    top = torch.full_like(values[:, 0], float("-inf")).scatter_reduce(0, receivers, own, "amax")
    shares = torch.exp(own - top[receivers])
    totals = torch.zeros_like(values[:, 0]).index_add(0, receivers, shares)
    return received.index_add(0, receivers, (shares / totals[receivers])[:, None] * values[senders])


task = Task(
    graph_attention,
    points=2,
    difficulty=3,
    minutes=20,
    cases=cases,
    compare=CLOSE,
    slips=(
        Slip(
            "mean",
            ("weights @ values[senders]", "values[senders].mean(dim=0)"),
            "Every sender counts the same here, whatever the scores. Weigh the values by the softmax of their scores.",
        ),
        Slip(
            "sum",
            ("weights @ values[senders]", "values[senders].sum(dim=0)"),
            "The values are added up without weights. Attention takes a weighted mean of them.",
        ),
        Slip(
            "no_softmax",
            (".softmax(dim=-1)", ""),
            "The scores are used as weights. Put a softmax over the edges that arrive at the node.",
        ),
        Slip(
            "not_normalised",
            ("softmax(dim=-1)", "exp()"),
            "The exponentials are not divided by their sum. The weights of a node must sum to 1: softmax.",
        ),
        Slip(
            "over_all_edges",
            (
                (
                    "received = torch.zeros_like(values)",
                    "received = torch.zeros_like(values)\n"
                    "    shares = torch.stack([scores[r, s] for s, r in edges]).softmax(dim=0) if edges else None",
                ),
                (
                    "weights = scores[node, senders].softmax(dim=-1)",
                    "weights = torch.stack([shares[edges.index((sender, node))] for sender in senders])",
                ),
            ),
            "The softmax runs over all edges of the graph, so nodes compete for weight. The weights of each node, "
            "over the edges that arrive there, sum to 1.",
        ),
        Slip(
            "over_all_nodes",
            ("scores[node, senders].softmax(dim=-1)", "scores[node].softmax(dim=-1)[senders]"),
            "The softmax runs over all nodes, and only then those without an edge are left out: the weights no "
            "longer sum to 1. Take it over the senders alone.",
        ),
        Slip(
            "over_columns",
            ("scores[node, senders].softmax(dim=-1)", "scores.softmax(dim=0)[node, senders]"),
            "The softmax runs down the columns of the scores. Node i spreads its weight over its senders: take those "
            "entries of row i, then the softmax.",
        ),
        Slip(
            "backwards",
            (
                "[sender for sender, receiver in edges if receiver == node]",
                "[receiver for sender, receiver in edges if sender == node]",
            ),
            "The values are sent against the edges. An edge is (sender, receiver): a node hears those that point to "
            "it.",
        ),
        Slip(
            "both_directions",
            (
                "[sender for sender, receiver in edges if receiver == node]",
                "[i for i in range(len(values)) if (i, node) in edges or (node, i) in edges]",
            ),
            "Edges work in both directions here. An edge leads from its sender to its receiver only.",
        ),
        Slip(
            "with_itself",
            (
                "[sender for sender, receiver in edges if receiver == node]",
                "sorted({node, *(sender for sender, receiver in edges if receiver == node)})",
            ),
            "Each node hears itself, too. It does so only if there is an edge from it to itself.",
        ),
        Slip(
            "without_itself",
            ("if receiver == node]", "if receiver == node != sender]"),
            "Edges from a node to itself are left out. They count like all others.",
        ),
        Slip(
            "everybody",
            ("[sender for sender, receiver in edges if receiver == node]", "list(range(len(values)))"),
            "Every node hears all the others: the edges have no effect. Take the senders of the edges that arrive at "
            "it.",
        ),
        Slip(
            "own_kept",
            ("torch.zeros_like(values)", "values.clone()"),
            "A node that receives nothing keeps its own value here. It should get zeros, as a fully masked row does.",
        ),
        Slip(
            "own_added",
            (("torch.zeros_like(values)", "values.clone()"), ("received[node] =", "received[node] +=")),
            "What a node receives was added to its own value. Return what it receives alone.",
        ),
        Slip(
            "mean_where_nothing_arrives",
            ("torch.zeros_like(values)", "values.mean(dim=0).repeat(len(values), 1)"),
            "A node that receives nothing gets the mean of all values here. It should get zeros.",
        ),
        Slip(
            "nan_where_nothing_arrives",
            ("torch.zeros_like(values)", 'torch.full_like(values, float("nan"))'),
            "A node at which no edge arrives became NaN: the softmax of nothing. It should get zeros.",
        ),
        Slip(
            "scores_transposed",
            ("scores[node, senders]", "scores[senders, node]"),
            "Rows and columns of the scores are exchanged. scores[i, j] is how much node i wants to hear node j: the "
            "receiver chooses the row.",
        ),
        Slip(
            "best_sender",
            ("weights @ values[senders]", "values[senders][weights.argmax()]"),
            "Each node takes over the value of its best sender. It should be a mean of all of them, with the softmax "
            "as weights.",
        ),
        Slip(
            "overflow",
            (
                "scores[node, senders].softmax(dim=-1)",
                "scores[node, senders].exp() / scores[node, senders].exp().sum()",
            ),
            "Right for small scores, but exp overflows when they are large and gives 0 when they are very negative. "
            "Subtract the maximum of the node's scores first, or use torch's softmax.",
        ),
        Slip(
            "one_maximum",
            (
                "scores[node, senders].softmax(dim=-1)",
                "(scores[node, senders] - scores.max()).exp() / (scores[node, senders] - scores.max()).exp().sum()",
            ),
            "One maximum was subtracted from the scores of all nodes, so the exponentials of a quiet node are all 0. "
            "Subtract the maximum of the scores of that node's senders.",
        ),
    ),
    alternatives=(_graph_by_mask, _graph_by_scatter),
    hints=(
        "Go through the nodes. Who sends to this one?",
        "senders = [s for s, r in edges if r == node]; values[senders] is what arrives, and scores[node, senders] "
        "are their scores.",
        "received[node] = scores[node, senders].softmax(dim=-1) @ values[senders], and zeros where there is no sender.",
    ),
)
