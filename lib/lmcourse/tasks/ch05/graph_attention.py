"""Exercise `graph_attention`."""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch05.shared import CLOSE, normal


def graph_attention(values, scores, edges):
    """Let every node take a weighted mean of the values that arrive along its edges.

    Args:
        values: a tensor (N, D), one row a node.
        scores: a tensor (N, N): scores[i, j] is how much node i wants to hear node j.
        edges: a list of different pairs (sender, receiver).

    Returns:
        A tensor (N, D).

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

    def draw(nodes: int, width: int) -> tuple[Tensor, Tensor]:
        return normal(rng, nodes, width), normal(rng, nodes, nodes) * 2

    complete = [(sender, receiver) for sender in range(5) for receiver in range(5)]
    some = [edge for edge in complete if rng.random() < 0.5 and edge[0] != edge[1]]
    some = [*some, (0, 1), (2, 1), (3, 1), (4, 2), (0, 3), (2, 3)]
    some = list(dict.fromkeys(some))
    worked = torch.tensor([[1.0, 0.0], [0.0, 1.0], [4.0, 4.0]]).double(), torch.zeros(3, 3).double()
    return [
        case("the worked example", *worked, [(0, 2), (1, 2), (2, 0)]),
        case("the complete graph", *draw(5, 3), complete),
        border("some edges, in one direction", *draw(5, 7), some),
        case("only edges from the past", *draw(5, 2), [edge for edge in complete if edge[0] <= edge[1]]),
        border("a node that receives nothing, zeros", *draw(5, 3), [(0, 1), (2, 1), (1, 3)]),
        border("no edges", *draw(3, 2), []),
        border("one node with an edge to itself", *draw(1, 3), [(0, 0)]),
    ]


def _graph_by_mask(values: Tensor, scores: Tensor, edges: Edges) -> Tensor:
    keep = torch.zeros(scores.shape, dtype=torch.bool)
    for sender, receiver in edges:
        keep[receiver, sender] = True
    weights = scores.masked_fill(~keep, float("-inf")).softmax(dim=-1).nan_to_num(0.0)
    return weights @ values


def _graph_by_scatter(values: Tensor, scores: Tensor, edges: Edges) -> Tensor:
    totals, received = torch.zeros(len(values), 1, dtype=values.dtype), torch.zeros_like(values)
    if not edges:
        return received
    senders, receivers = torch.tensor(edges).unbind(dim=1)
    shares = torch.exp(scores[receivers, senders] - scores.max())[:, None]
    totals.index_add_(0, receivers, shares)
    received.index_add_(0, receivers, shares * values[senders])
    return received / totals.clamp(min=torch.finfo(values.dtype).tiny)


def _graph_with(
    aggregate: Callable[..., Tensor], *, empty: str = "zeros", turned: bool = False
) -> Callable[..., Tensor]:
    def answer(values: Tensor, scores: Tensor, edges: Edges) -> Tensor:
        received = values.clone() if empty == "own" else torch.zeros_like(values)
        for node in range(len(values)):
            pairs = [(r, s) if turned else (s, r) for s, r in edges]
            senders = [sender for sender, receiver in pairs if receiver == node]
            if senders:
                received[node] = aggregate(scores[node, senders], values[senders], scores, node, senders)
        return received

    return answer


def _over_all_edges(values: Tensor, scores: Tensor, edges: Edges) -> Tensor:
    received = torch.zeros_like(values)
    if edges:
        shares = torch.stack([scores[receiver, sender] for sender, receiver in edges]).softmax(dim=0)
        for share, (sender, receiver) in zip(shares, edges, strict=True):
            received[receiver] += share * values[sender]
    return received


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
            _graph_with(lambda own, messages, *_: messages.mean(dim=0)),
            "Every sender counts the same: that is mean aggregation. Weigh the messages by the softmax of their "
            "scores.",
        ),
        Slip(
            "sum",
            _graph_with(lambda own, messages, *_: messages.sum(dim=0)),
            "The messages are added up without weights. Attention takes a weighted mean of them.",
        ),
        Slip(
            "no_softmax",
            _graph_with(lambda own, messages, *_: own @ messages),
            "The scores are used as weights. Put a softmax over the edges that arrive at the node.",
        ),
        Slip(
            "over_all_edges",
            _over_all_edges,
            "The softmax runs over all edges of the graph, so nodes compete for weight. Each node spreads its own unit "
            "over the edges that arrive there.",
        ),
        Slip(
            "backwards",
            _graph_with(lambda own, messages, *_: own.softmax(dim=-1) @ messages, turned=True),
            "The messages run against the edges. An edge is (sender, receiver): a node hears those that point to it.",
        ),
        Slip(
            "own_kept",
            _graph_with(lambda own, messages, *_: own.softmax(dim=-1) @ messages, empty="own"),
            "A node that receives nothing keeps its own value here. It shall get zeros, as a fully masked row does.",
        ),
        Slip(
            "scores_turned",
            _graph_with(lambda own, messages, scores, node, senders: scores[senders, node].softmax(dim=-1) @ messages),
            "The scores are read the wrong way round. scores[i, j] is how much node i wants to hear node j: the "
            "receiver picks the row.",
        ),
    ),
    alternatives=(_graph_by_mask, _graph_by_scatter),
    hints=(
        "Go through the nodes. Who sends to this one?",
        "senders = [s for s, r in edges if r == node]; values[senders] are the messages and scores[node, senders] "
        "their scores.",
        "received[node] = scores[node, senders].softmax(dim=-1) @ values[senders], and zeros where there is no sender.",
    ),
)
