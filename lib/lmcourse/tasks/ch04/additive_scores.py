"""Exercise `additive_scores`."""

from functools import partial

import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch04.shared import generator_of


def additive_scores(query, keys, W, U, v):
    """Return the additive scores of a query against each state.

    Args:
        query: (B, Dq).
        keys: (B, S, Dk).
        W, U, v: (A, Dq), (A, Dk), (A,).

    Returns:
        The scores, (B, S).

    >>> query, keys = torch.tensor([[1.0]]), torch.tensor([[[0.0], [2.0]]])
    >>> W, U, v = torch.tensor([[1.0], [-1.0]]), torch.tensor([[0.0], [1.0]]), torch.tensor([2.0, 1.0])
    >>> [round(score, 3) for score in additive_scores(query, keys, W, U, v)[0].tolist()]
    [0.762, 2.285]
    """
    hidden = (query @ W.T)[:, None] + keys @ U.T  # (B, 1, A) + (B, S, A)
    return torch.tanh(hidden) @ v


def cases(seed: int) -> list[Case]:
    generator = generator_of(seed)

    def draw(B: int, S: int, Dq: int, Dk: int, A: int, dtype: torch.dtype = torch.float32) -> list[Tensor]:
        shapes = [(B, Dq), (B, S, Dk), (A, Dq), (A, Dk), (A,)]
        return [torch.randn(*s, generator=generator, dtype=torch.float64).to(dtype).requires_grad_() for s in shapes]

    worked = [torch.tensor(x) for x in ([[1.0]], [[[0.0], [2.0]]], [[1.0], [-1.0]], [[0.0], [1.0]], [2.0, 1.0])]
    return [
        case("the worked example", *worked),
        case("3 sentences of 5 states; widths 7, 11 and 13", *draw(3, 5, 7, 11, 13)),
        border("all widths equal", *draw(5, 5, 5, 5, 5)),
        case("float64", *draw(2, 3, 5, 7, 11, torch.float64)),
        border("one state of width 1", *draw(1, 1, 1, 1, 1)),
    ]


def _additive_wrong(query: Tensor, keys: Tensor, W: Tensor, U: Tensor, v: Tensor, *, how: str) -> Tensor:
    q, k = (query @ W.T)[:, None], keys @ U.T
    if how == "no_tanh":
        return (q + k) @ v
    if how == "tanh_apart":
        return (q.tanh() + k.tanh()) @ v
    if how == "multiplied":
        return (q * k).tanh() @ v
    if how == "no_v":
        return (q + k).tanh().sum(-1)
    if how == "tanh_last":
        return ((q + k) @ v).tanh()
    if how == "softmaxed":
        return ((q + k).tanh() @ v).softmax(-1)
    return (q + k).sigmoid() @ v  # "sigmoid"


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
            partial(_additive_wrong, how="no_tanh"),
            "The tanh is missing. Without it the score is a sum of a part for the query and a part for the state, and "
            "the query's part is the same for every state: the softmax would not see the query at all.",
        ),
        Slip(
            "tanh_apart",
            partial(_additive_wrong, how="tanh_apart"),
            "The tanh was taken of the two parts apart. Add first: then the query moves every state's place on the "
            "tanh. Apart, its part is the same for every state and drops out of the softmax.",
        ),
        Slip(
            "multiplied",
            partial(_additive_wrong, how="multiplied"),
            "The two projections were multiplied. Bahdanau's score adds them; that is where its name comes from.",
        ),
        Slip(
            "no_v",
            partial(_additive_wrong, how="no_v"),
            "The hidden numbers were summed as they are. Weight them by `v`: the score is v . tanh(W q + U h).",
        ),
        Slip(
            "tanh_last",
            partial(_additive_wrong, how="tanh_last"),
            "The tanh was taken of the score, at the end. It belongs on the hidden layer, before `v`.",
        ),
        Slip(
            "softmax_taken",
            partial(_additive_wrong, how="softmaxed"),
            "These are the weights. The task asks for the scores; the softmax comes after them.",
        ),
        Slip(
            "sigmoid",
            partial(_additive_wrong, how="sigmoid"),
            "A sigmoid stands where the tanh should be.",
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
