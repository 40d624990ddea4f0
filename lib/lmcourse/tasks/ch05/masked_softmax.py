import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch05.shared import marks, normal


def masked_softmax(scores, attention_mask):
    """Return the softmax over the last axis, over the kept entries only.

    It must be right for large scores too, kept or masked, and so must the gradient with respect to the scores: it is 0
    wherever the mask is False, and never NaN.

    Args:
        scores: a tensor (..., S).
        attention_mask: bool, broadcastable to the scores; True = takes part.

    Returns:
        A tensor like the scores; rows sum to 1, or hold zeros where nothing is kept.

    >>> masked_softmax(torch.tensor([[1.0, 1.0, 5.0]]), torch.tensor([[True, True, False]])).tolist()
    [[0.5, 0.5, 0.0]]
    """
    has_key = attention_mask.any(dim=-1, keepdim=True)
    hidden = ~attention_mask & has_key  # a row with no key keeps finite scores, so that no NaN arises
    weights = scores.masked_fill(hidden, float("-inf")).softmax(dim=-1)
    return weights.masked_fill(~has_key, 0.0)


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(*shape: int, scale: float = 1.0, shift: float = 0.0) -> Tensor:
        return (normal(rng, *shape) * scale + shift).requires_grad_()

    def mask(*shape: int) -> Tensor:
        kept = torch.from_numpy(rng.random(shape) < 0.6)
        kept[..., 0] = True
        return kept

    def hidden_last(value: float) -> tuple[Tensor, Tensor]:
        scores, kept = normal(rng, 3, 5), torch.ones(3, 5, dtype=torch.bool)
        scores[:, 4], kept[:, 4] = value, False
        return scores.requires_grad_(), kept

    nothing_left = mask(5, 3)
    nothing_left[2] = False
    first_masked = marks("011 101 110 010")
    magnitudes = torch.tensor([[1e4], [1.0], [1e-30], [-1e4], [3.0]])
    far_below = torch.tensor([[-1e15, -1e15, 0.0]]).double().requires_grad_()
    lower = torch.ones(7, 7, dtype=torch.bool).tril()
    worked = torch.tensor([[1.0, 1.0, 5.0]]).double().requires_grad_()
    one_text = marks("1 0")[:, None, None].expand(2, 1, 1, 4)
    return [
        case("the worked example", worked, marks("110")),
        case("a causal mask", draw(7, 7), lower),
        case("masked keys at the beginning, in the middle and at the end", draw(4, 3), first_masked),
        case("a random mask on a batch", draw(2, 3, 5), mask(2, 3, 5)),
        case("one row of scores, with one axis", draw(5), mask(5)),
        case("as many queries as keys in each head", draw(2, 3, 4, 4), mask(2, 3, 4, 4)),
        border("one mask for all heads of a batch", draw(2, 3, 5, 7), mask(2, 1, 1, 7)),
        border("nothing masked", draw(3, 5), torch.ones(3, 5, dtype=torch.bool)),
        border("a row with no key left", draw(5, 3), nothing_left),
        border("a text with no key left, in a batch with heads", draw(2, 3, 2, 4), one_text),
        border("a fully masked table", draw(2, 3), torch.zeros(2, 3, dtype=torch.bool)),
        border("a large score that is masked, where exp would overflow", *hidden_last(900.0)),
        border("a very large score that is masked", *hidden_last(1e12)),
        border("scores near 10,000, where exp overflows", draw(3, 5, shift=1e4), mask(3, 5)),
        border("rows of different magnitudes", (normal(rng, 5, 3) * magnitudes).requires_grad_(), mask(5, 3)),
        border("large negative scores, as low as -1e9 and below", draw(3, 5, shift=-2e9), mask(3, 5)),
        border("kept scores of minus 1e15, beside a masked 0", far_below, marks("110")),
        case("float32", normal(rng, 3, 5, dtype=torch.float32), mask(3, 5)),
    ]


SLIPS = mistakes("""
zeros_after: "rows sum to 1"
    .masked_fill(hidden, float("-inf")) =>
    weights.masked_fill(~has_key, 0.0) => weights * attention_mask
  The weights were set to 0 after the softmax, so a row no longer sums to 1. Mask the scores, before it.
nan_rows: "or hold zeros where nothing is kept"
    ~attention_mask & has_key => ~attention_mask
    weights.masked_fill(~has_key, 0.0) => weights
  Right wherever a key is left. A row with none is 0/0, which is NaN and spreads into everything. Give such a row zeros.
nan_gradients: "never NaN"
    scores.masked_fill(hidden, float("-inf")) =>
        (scores + torch.zeros_like(scores).masked_fill(~attention_mask, float("-inf")))
  The values are right, but a row without a key went through the softmax with nothing but minus infinity, so that its
  gradient is NaN, even where its weights are set to 0 afterwards. Leave finite scores in such a row, take the softmax,
  then fill in zeros.
rows_become_means: "or hold zeros where nothing is kept"
    ~attention_mask & has_key => ~attention_mask
    float("-inf") => torch.finfo(scores.dtype).min
    weights.masked_fill(~has_key, 0.0) => weights
  A row without a key became a plain mean of what was hidden: all its scores are the same low number. Give such a row
  zeros.
finite_minus
    ~attention_mask & has_key => ~attention_mask
    float("-inf") => -1e9
    weights.masked_fill(~has_key, 0.0) => weights
  A number such as -1e9 is not low enough: scores may lie below it, and a row with no key left becomes a plain mean of
  what was hidden. Use minus infinity, and zeros for such a row.
inverted: "True = takes part"
    ~attention_mask & has_key => attention_mask & has_key
    attention_mask.any => (~attention_mask).any
  What should be kept is masked, and the other way round. True means: takes part.
renormalised: "kept or masked"
    .masked_fill(hidden, float("-inf")) =>
    weights.masked_fill(~has_key, 0.0) =>
        weights * attention_mask / (weights * attention_mask).sum(dim=-1, keepdim=True).clamp(min=1e-12)
  Dividing by the sum afterwards is right on paper. But a large masked score presses all others to 0 first, and there is
  nothing left to divide. Mask before the softmax.
overflow: "right for large scores too"
    weights = scores.masked_fill(hidden, float("-inf")).softmax(dim=-1) => raised = scores.exp() * attention_mask
    |    weights = raised / raised.sum(dim=-1, keepdim=True).clamp(min=1e-30)
  Right for small scores, but exp overflows when they are large and gives 0 when they are very negative. Subtract from
  each row the maximum of its kept scores first, or use torch's softmax.
any_of_all: "bool, broadcastable to the scores"
    attention_mask.any(dim=-1, keepdim=True) => attention_mask.any()
  Whether a key is left was asked for the whole mask. Ask it for each row: attention_mask.any(dim=-1, keepdim=True).
scores_detached: "the gradient with respect to the scores"
    scores.masked_fill(hidden => scores.detach().masked_fill(hidden
  Right values, but the scores were cut off: no gradient reaches them. Leave out detach, .data and torch.no_grad().
""")
CLOSE = Compare(rtol=1e-5, atol=1e-9, gradient=True)
HINTS = hints("""
- Which number becomes 0 under exp? Put it where the mask says False, before the softmax.
- attention_mask.any(dim=-1, keepdim=True) tells which rows have a key left. What happens in the softmax of a row that
  holds nothing but minus infinity?
- has_key = attention_mask.any(dim=-1, keepdim=True); fill minus infinity only where ~attention_mask & has_key, take the
  softmax, then fill zeros where ~has_key.
""")
task = Task(masked_softmax, points=3, difficulty=3, minutes=20, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
