import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch04.shared import generator_of, mask


def source_weights(scores, attention_mask):
    """Return the softmax of the scores over the kept tokens of each source.

    Args:
        scores: a floating-point tensor (B, S), finite, but of any size: exp of a score may be infinite, and a masked
            one may be far larger than the kept ones.
        attention_mask: a bool tensor (B, S), True = takes part.

    Returns:
        The weights (B, S), of the scores' dtype. A row sums to 1, or is all zeros when nothing is kept. The gradient
        flows through them; that of a row in which nothing is kept is zero.

    Raises:
        ValueError: the mask is not bool, or has another shape than the scores.

    >>> weights = source_weights(torch.tensor([[0.2, 0.1, 0.1, 1.0, 3.0]]), torch.tensor([[True] * 4 + [False]]))
    >>> [round(weight, 2) for weight in weights[0].tolist()]
    [0.2, 0.18, 0.18, 0.44, 0.0]
    """
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError(f"`attention_mask` must be bool of shape {tuple(scores.shape)}, got {attention_mask.dtype}.")
    filled = scores.masked_fill(~attention_mask, torch.finfo(scores.dtype).min)
    return filled.softmax(-1) * attention_mask  # the product matters only where nothing is kept


@drawn(3)
def cases(seed: int) -> list[Case]:
    generator = generator_of(seed)

    def draw(B: int, S: int, dtype: torch.dtype = torch.float32) -> Tensor:
        return (2 * torch.randn(B, S, generator=generator, dtype=torch.float64)).to(dtype).requires_grad_()

    holes = torch.rand(5, 7, generator=generator) < 0.6
    holes[:, 3] = True
    kept_far_below = torch.tensor([[-1e10, -1e10 - 1, 0.0]], dtype=torch.float64)
    return [
        case("the worked example", torch.tensor([[0.2, 0.1, 0.1, 1.0, 3.0]]), torch.tensor([[True] * 4 + [False]])),
        case("a mask with holes", draw(5, 7), holes),
        case("as many sources as tokens", draw(3, 3), mask(3, 3, [3, 1, 2])),
        case("float64", draw(2, 11, torch.float64), mask(2, 11, [11, 3])),
        border("nothing masked", draw(3, 5), torch.ones(3, 5, dtype=torch.bool)),
        border("scores that overflow exp", draw(2, 5).detach() * 100 + 200, mask(2, 5, [5, 2])),
        border("kept scores of minus 1e10, beside padding", kept_far_below, torch.tensor([[1, 1, 0]]).bool()),
        border("kept scores of minus 1e100, beside padding", 1e90 * kept_far_below, torch.tensor([[1, 1, 0]]).bool()),
        border("a row that is fully masked", draw(3, 5), mask(3, 5, [5, 0, 2])),
        border("every row fully masked", draw(2, 3).detach(), mask(2, 3, [0, 0])),
        border("a mask of floats, which is no mask", draw(2, 3), torch.ones(2, 3)),
        border("a mask of ints that are all 0", torch.zeros(2, 3), torch.zeros(2, 3, dtype=torch.int64)),
        border("a mask with one row for all", draw(2, 3), mask(1, 3, [2])),
        border("a mask with an axis too few", draw(2, 3), torch.ones(3, dtype=torch.bool)),
    ]


SLIPS = mistakes("""
zeroed_before_and_after
    filled.softmax(-1) => torch.where(attention_mask, scores, 0.0).softmax(-1)
  Masked scores were set to 0, whose exp is 1, and the padding was zeroed after the softmax: the weights that are left
  sum to less than 1. Set the scores to the smallest number there is.
zeroed_after_softmax: "A row sums to 1"
    filled.softmax => scores.softmax
  The padding was zeroed after the softmax, so the weights that are left sum to less than 1. Mask the scores before the
  softmax.
renormalised: "a masked one may be far larger than the kept ones"
    return filled.softmax(-1) * attention_mask => kept = scores.softmax(-1) * attention_mask
    |    return kept / kept.sum(-1, keepdim=True).clamp(min=1e-30)
  The padding took part in the softmax (or in the maximum that was subtracted), was zeroed, and the rest divided by its
  sum. If padding has a score far above the others, these are all 0 by then. Mask the scores first.
mask_reversed: "a bool tensor (B, S), True = takes part"
    ~attention_mask => attention_mask
    * attention_mask => * ~attention_mask
  The mask was read the wrong way round: padding got all the weight. True means that a token takes part.
nan_where_all_is_masked: "that of a row in which nothing is kept is zero"
    torch.finfo(scores.dtype).min => -torch.inf
  In a row with nothing to look at this gives NaN: the softmax of minus infinities is 0 / 0. Such a row must be all
  zeros, and so must its gradient.
uniform_where_all_is_masked: "all zeros when nothing is kept"
    * attention_mask =>
  In a row with nothing to look at the weights came out equal, so padding is averaged. Multiply with the mask after the
  softmax, too: such a row must be all zeros.
detached: "The gradient flows through them"
    filled.softmax(-1) => filled.softmax(-1).detach()
  The weights are right, but no gradient reaches the scores (detach, .data, no_grad or a new tensor made from numbers).
dtype_unchecked: "the mask is not bool"
    attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape: => attention_mask.shape != scores.shape:
    |        raise ValueError('shape')
    |    attention_mask = attention_mask.bool()
    |    if False:
  The weights are right, but a mask of floats or ints was taken for one of bools. 1.0 and 0.0 could as well be meant to
  be added: raise ValueError when the mask is not bool.
shape_unchecked: "has another shape than the scores"
    or attention_mask.shape != scores.shape =>
  The weights are right, but a mask of another shape went through, or raised another error: torch stretches one row over
  all. Raise ValueError.
""")
CLOSE = Compare(rtol=1e-5, atol=1e-6, gradient=True)
HINTS = hints("""
- What must a masked score be, so that exp of it is 0? And what happens when every score of a row is that?
- Fill the masked scores with torch.finfo(scores.dtype).min, take the softmax over the last dimension, and then multiply
  with the mask: that changes nothing but the rows that are fully masked.
- filled = scores.masked_fill(~attention_mask, torch.finfo(scores.dtype).min); return filled.softmax(-1) *
  attention_mask, after a check of dtype and shape.
""")
task = Task(source_weights, points=3, difficulty=2, minutes=20, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
