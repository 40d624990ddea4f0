import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
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
        border("one state of width 1", *draw(1, 1, 1, 1, 1)),
        border("states of zeros", draw(2, 5, 3, 2, 7)[0], torch.zeros(2, 5, 2), *draw(2, 5, 3, 2, 7)[2:]),
    ]


SLIPS = mistakes("""
no_tanh: "Return the additive scores of a query against each state"
    torch.tanh(hidden) => hidden
  The tanh is missing. Without it the score is a sum of a part for the query and a part for the state, and the query's
  part is the same for every state: the softmax would not see the query at all.
tanh_apart
    (query @ W.T)[:, None] + keys @ U.T => torch.tanh(query @ W.T)[:, None] + torch.tanh(keys @ U.T)
    torch.tanh(hidden) => hidden
  The tanh was taken of the two parts apart. Add first: then the query moves each state along the tanh. Apart, its part
  is the same for every state and drops out of the softmax.
no_v: "Return the additive scores of a query against each state"
    torch.tanh(hidden) @ v => torch.tanh(hidden).sum(-1)
  The hidden numbers were summed as they are. Weight them by `v`: the score is v . tanh(W q + U h).
scaled
    torch.tanh(hidden) @ v => torch.tanh(hidden) @ v / len(v) ** 0.5
  The score was divided by the root of the width. That belongs to the transformer's dot product (chapter 05), not to
  this score.
v_inside
    torch.tanh(hidden) @ v => torch.tanh(hidden * v).sum(-1)
  v was multiplied before the tanh. It weights the hidden numbers after it.
softmax_taken: "Return the additive scores of a query against each state"
    torch.tanh(hidden) @ v => (torch.tanh(hidden) @ v).softmax(-1)
  These are the weights. The task asks for the scores; the softmax comes after them.
relu
    torch.tanh(hidden) => torch.relu(hidden)
  A relu was taken where the tanh should be: the hidden numbers lie between -1 and 1.
no_axis: "Return the additive scores of a query against each state"
    [:, None] =>
  The query's part has no axis for the states, so that (B, A) was added to (B, S, A) along the wrong axis, or could not
  be. Write (query @ W.T)[:, None].
squeezed: "(B, S)"
    torch.tanh(hidden) @ v => (torch.tanh(hidden) @ v).squeeze()
  squeeze took away an axis of length 1: with one sentence or one state the shape is no longer (B, S).
""")
CLOSE = Compare(rtol=1e-4, atol=1e-5, gradient=True)
HINTS = hints("""
- W q is one vector a sentence, U h_j one a state. Which dimension must the first one get, so that they add?
- query @ W.T has shape (B, A); [:, None] makes it (B, 1, A). keys @ U.T has shape (B, S, A). Add, tanh, and then `@ v`
  leaves (B, S).
- return torch.tanh((query @ W.T)[:, None] + keys @ U.T) @ v
""")
task = Task(additive_scores, points=3, difficulty=3, minutes=20, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
