"""Exercise `additive_scores`."""

import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch04.shared import generator_of


def additive_scores(query, keys, W, U, v):
    """Return the additive scores of a query against each state.

    Args:
        query: (B, Dq).
        keys: (B, S, Dk).
        W, U, v: (A, Dq), (A, Dk), (A,).

    Returns:
        The scores, (B, S), of the element type of the arguments. The gradient must flow through them to all five.

    >>> query, keys = torch.tensor([[1.0]]), torch.tensor([[[0.0], [2.0]]])
    >>> W, U, v = torch.tensor([[1.0], [-1.0]]), torch.tensor([[0.0], [1.0]]), torch.tensor([2.0, 1.0])
    >>> [round(score, 3) for score in additive_scores(query, keys, W, U, v)[0].tolist()]
    [0.762, 2.285]
    """
    hidden = (query @ W.T)[:, None] + keys @ U.T  # (B, 1, A) + (B, S, A)
    return torch.tanh(hidden) @ v


@drawn(3)
def cases(seed: int) -> list[Case]:
    generator = generator_of(seed)

    def draw(B: int, S: int, Dq: int, Dk: int, A: int, dtype: torch.dtype = torch.float32) -> list[Tensor]:
        shapes = [(B, Dq), (B, S, Dk), (A, Dq), (A, Dk), (A,)]
        return [torch.randn(*s, generator=generator, dtype=torch.float64).to(dtype).requires_grad_() for s in shapes]

    worked = [torch.tensor(x) for x in ([[1.0]], [[[0.0], [2.0]]], [[1.0], [-1.0]], [[0.0], [1.0]], [2.0, 1.0])]
    return [
        case("the worked example", *worked),
        case("3 sentences of 5 states; widths 7, 11 and 13", *draw(3, 5, 7, 11, 13)),
        case("as many sentences as states", *draw(3, 3, 5, 2, 7)),
        case("query and states of the same width", *draw(2, 3, 5, 5, 7)),
        case("float64", *draw(2, 3, 5, 7, 11, torch.float64)),
        border("all widths equal", *draw(5, 5, 5, 5, 5)),
        border("one sentence", *draw(1, 3, 5, 7, 2)),
        border("one state for each sentence", *draw(3, 1, 5, 7, 2)),
        border("one hidden number", *draw(2, 3, 5, 7, 1)),
        border("one state of width 1", *draw(1, 1, 1, 1, 1)),
        border("a query of zeros", torch.zeros(2, 3), *draw(2, 5, 3, 2, 7)[1:]),
        border("states of zeros", draw(2, 5, 3, 2, 7)[0], torch.zeros(2, 5, 2), *draw(2, 5, 3, 2, 7)[2:]),
    ]


def _additive_by_einsum(query: Tensor, keys: Tensor, W: Tensor, U: Tensor, v: Tensor) -> Tensor:
    hidden = torch.einsum("aq,bq->ba", W, query).unsqueeze(1) + torch.einsum("ak,bsk->bsa", U, keys)
    return torch.einsum("a,bsa->bs", v, torch.tanh(hidden))


def _additive_by_joining(query: Tensor, keys: Tensor, W: Tensor, U: Tensor, v: Tensor) -> Tensor:
    both = torch.cat([query[:, None].expand(-1, keys.shape[1], -1), keys], dim=-1)  # (B, S, Dq + Dk)
    return (torch.tanh(both @ torch.cat([W, U], dim=1).T) * v).sum(-1)


task = Task(
    additive_scores,
    points=3,
    difficulty=3,
    minutes=20,
    cases=cases,
    compare=Compare(rtol=1e-4, atol=1e-5, gradient=True),
    slips=(
        Slip(
            "no_tanh",
            ("torch.tanh(hidden)", "hidden"),
            "The tanh is missing. Without it the score is a sum of a part for the query and a part for the state, "
            "and the query's part is the same for every state: the softmax would not see the query at all.",
        ),
        Slip(
            "tanh_apart",
            (
                ("(query @ W.T)[:, None] + keys @ U.T", "torch.tanh(query @ W.T)[:, None] + torch.tanh(keys @ U.T)"),
                ("torch.tanh(hidden)", "hidden"),
            ),
            "The tanh was taken of the two parts apart. Add first: then the query moves each state along the tanh. "
            "Apart, its part is the same for every state and drops out of the softmax.",
        ),
        Slip(
            "multiplied",
            ("[:, None] + keys @ U.T", "[:, None] * (keys @ U.T)"),
            "The two projections were multiplied. Bahdanau's score adds them; that is where its name comes from.",
        ),
        Slip(
            "no_v",
            ("torch.tanh(hidden) @ v", "torch.tanh(hidden).sum(-1)"),
            "The hidden numbers were summed as they are. Weight them by `v`: the score is v . tanh(W q + U h).",
        ),
        Slip(
            "averaged",
            ("torch.tanh(hidden) @ v", "torch.tanh(hidden) @ v / len(v)"),
            "The score was divided by A. It is the plain product v . tanh(W q + U h).",
        ),
        Slip(
            "scaled",
            ("torch.tanh(hidden) @ v", "torch.tanh(hidden) @ v / len(v) ** 0.5"),
            "The score was divided by the root of the width. That belongs to the transformer's dot product (chapter "
            "05), not to this score.",
        ),
        Slip(
            "v_inside",
            ("torch.tanh(hidden) @ v", "torch.tanh(hidden * v).sum(-1)"),
            "v was multiplied before the tanh. It weights the hidden numbers after it.",
        ),
        Slip(
            "tanh_last",
            ("torch.tanh(hidden) @ v", "torch.tanh(hidden @ v)"),
            "The tanh was taken of the score, at the end. It belongs on the hidden layer, before `v`.",
        ),
        Slip(
            "tanh_twice",
            ("torch.tanh(hidden) @ v", "torch.tanh(torch.tanh(hidden) @ v)"),
            "There is a tanh too many, of the score itself. A score may be any number.",
        ),
        Slip(
            "softmax_taken",
            ("torch.tanh(hidden) @ v", "(torch.tanh(hidden) @ v).softmax(-1)"),
            "These are the weights. The task asks for the scores; the softmax comes after them.",
        ),
        Slip(
            "sigmoid",
            ("torch.tanh(hidden)", "torch.sigmoid(hidden)"),
            "A sigmoid was taken where the tanh should be: the hidden numbers lie between -1 and 1.",
        ),
        Slip(
            "relu",
            ("torch.tanh(hidden)", "torch.relu(hidden)"),
            "A relu was taken where the tanh should be: the hidden numbers lie between -1 and 1.",
        ),
        Slip(
            "query_left_out",
            ("(query @ W.T)[:, None] + keys @ U.T", "keys @ U.T"),
            "The query plays no part, so every step of the decoder would look at the same states. Add W q.",
        ),
        Slip(
            "keys_left_out",
            ("(query @ W.T)[:, None] + keys @ U.T", "(query @ W.T)[:, None].expand(-1, keys.shape[1], -1)"),
            "The states play no part, so all of them have the same score. Add U h to W q.",
        ),
        Slip(
            "no_axis",
            ("[:, None]", ""),
            "The query's part has no axis for the states, so that (B, A) was added to (B, S, A) along the wrong "
            "axis, or could not be. Write (query @ W.T)[:, None].",
        ),
        Slip(
            "matrices_exchanged",
            ("(query @ W.T)[:, None] + keys @ U.T", "(query @ U.T)[:, None] + keys @ W.T"),
            "W and U are exchanged: W belongs to the query, U to the states.",
        ),
        Slip(
            "with_an_axis",
            ("torch.tanh(hidden) @ v", "(torch.tanh(hidden) @ v)[..., None]"),
            "The scores have an axis of length 1 at the end, (B, S, 1). Multiply with v as it is, or .squeeze(-1).",
        ),
        Slip(
            "squeezed",
            ("torch.tanh(hidden) @ v", "(torch.tanh(hidden) @ v).squeeze()"),
            "squeeze took away an axis of length 1: with one sentence or one state the shape is no longer (B, S).",
        ),
        Slip(
            "cut_gradient",
            ("torch.tanh(hidden) @ v", "torch.tanh(hidden).detach() @ v"),
            "The values are right, but the gradient reaches v alone (detach, .data or no_grad). W and U, and what "
            "lies below them, would never learn.",
        ),
    ),
    alternatives=(_additive_by_einsum, _additive_by_joining),
    hints=(
        "W q is one vector a sentence, U h_j one a state. Which dimension must the first one get, so that they add?",
        "query @ W.T has shape (B, A); [:, None] makes it (B, 1, A). keys @ U.T has shape (B, S, A). Add, tanh, and "
        "then `@ v` leaves (B, S).",
        "return torch.tanh((query @ W.T)[:, None] + keys @ U.T) @ v",
    ),
)
