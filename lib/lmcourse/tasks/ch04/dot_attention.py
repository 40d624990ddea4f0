import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch04.shared import generator_of, mask


def dot_attention(query, keys, attention_mask):
    """Return what a query finds among the states of the encoder, and where.

    Args:
        query: the decoder's states, (B, D).
        keys: the encoder's states, (B, S, D).
        attention_mask: bool (B, S), True = takes part.

    Returns:
        context (B, D) and weights (B, S), through which the gradient flows. Where nothing is kept, both are zeros.
        Scores may be of any size: exp of them may be infinite, and a masked one may be far larger than the kept ones.

    >>> states = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]])
    >>> context, weights = dot_attention(torch.tensor([[1.0, 0.0]]), states, torch.tensor([[True, True, False]]))
    >>> [round(number, 2) for number in context[0].tolist()]
    [0.73, 0.27]
    """
    scores = (query[:, None] * keys).sum(-1)  # (B, S)
    filled = scores.masked_fill(~attention_mask, torch.finfo(scores.dtype).min)
    weights = filled.softmax(-1) * attention_mask
    context = (weights[:, :, None] * keys).sum(1)  # (B, D)
    return context, weights


@drawn(3)
def cases(seed: int) -> list[Case]:
    generator = generator_of(seed)

    def draw(*shape: int, dtype: torch.dtype = torch.float32, grad: bool = False) -> Tensor:
        drawn = torch.randn(*shape, generator=generator, dtype=torch.float64)
        return drawn.requires_grad_() if grad else drawn.to(dtype)

    def exact(*rows: object) -> Tensor:
        return torch.tensor(rows, dtype=torch.float64)

    def beside_padding(query: float, *states: float) -> tuple[Tensor, Tensor, Tensor]:
        return exact([query, 0.0]), exact([[state, i + 1.0] for i, state in enumerate(states)]), mask(1, 3, [2])

    worked = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]])
    holes = torch.tensor([[True, False, True, True], [False, True, False, True], [False, False, True, False]])
    far = exact([[3.0, 1.0], [3.001, 0.0], [2.0, 7.0]], [[-3.0, 1.0], [-3.001, 0.0], [-2.0, 7.0]])
    return [
        case("the worked example", torch.tensor([[1.0, 0.0]]), worked, torch.tensor([[True, True, False]])),
        case("3 sentences of 5 states, 7 wide", draw(3, 7), draw(3, 5, 7), mask(3, 5, [5, 4, 2])),
        case("as many sentences as states", draw(5, 5), draw(5, 5, 5), mask(5, 5, [5, 3, 1, 2, 4])),
        case("a mask with holes", draw(3, 2), draw(3, 4, 2), holes),
        case("float64", draw(2, 3, dtype=torch.float64), draw(2, 11, 3, dtype=torch.float64), mask(2, 11, [7, 11])),
        case("the gradients", *(draw(*shape, grad=True) for shape in ((3, 2), (3, 5, 2))), mask(3, 5, [5, 1, 3])),
        border("one state", draw(2, 5), draw(2, 1, 5), torch.ones(2, 1, dtype=torch.bool)),
        border("one sentence", draw(1, 5), draw(1, 3, 5), mask(1, 3, [2])),
        border("states of one number", draw(2, 1), draw(2, 3, 1), mask(2, 3, [3, 2])),
        border("nothing masked", draw(2, 3), draw(2, 5, 3), mask(2, 5, [5, 5])),
        border("a sentence that is fully masked", draw(2, 3), draw(2, 7, 3), mask(2, 7, [0, 5])),
        border("equal scores", torch.zeros(2, 3), draw(2, 5, 3), mask(2, 5, [5, 2])),
        border("scores near 3,000 and near -3,000", exact([1000.0, 0.0], [1000.0, 0.0]), far, mask(2, 3, [3, 2])),
        border("padding with a score far above the others", *beside_padding(1.0, -900.0, -901.0, 900.0)),
        border("kept states that score minus 1e100, beside padding", *beside_padding(1e50, -1e50, -1e50, 1.0)),
        border("kept states that score minus 1e10, beside padding", *beside_padding(1e5, -1e5, -1e5, 1.0)),
    ]


SLIPS = mistakes("""
scaled: "Return what a query finds among the states of the encoder, and where"
    keys).sum(-1) => keys).sum(-1) / query.shape[-1] ** 0.5
  The scores were divided by the root of the width. That is the transformer's form (chapter 05); here it is the plain
  dot product of Luong et al.
cosine: "Return what a query finds among the states of the encoder, and where"
    (query[:, None] * keys).sum(-1) => torch.cosine_similarity(query[:, None], keys, dim=-1)
  This is the cosine: the lengths of query and state were divided away. The dot product keeps them, and so can say how
  sure it is.
unmasked: "bool (B, S), True = takes part"
    scores.masked_fill(~attention_mask, torch.finfo(scores.dtype).min) => scores
    * attention_mask =>
  The padding got weight: `attention_mask` was not used.
zeroed_before_softmax
    scores.masked_fill(~attention_mask, torch.finfo(scores.dtype).min) => torch.where(attention_mask, scores, 0.0)
    * attention_mask =>
  Masked scores were set to 0. exp(0) is 1, so padding still gets weight. Set them to the smallest number there is.
renormalised: "a masked one may be far larger than the kept ones"
    scores.masked_fill(~attention_mask, torch.finfo(scores.dtype).min) => scores
    context = => weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-30)
    |    context =
  The padding was zeroed after the softmax, and the rest divided by its sum. If padding has a score far above the
  others, these are all 0 by then. Mask the scores before the softmax.
nan_where_all_is_masked: "Where nothing is kept, both are zeros"
    torch.finfo(scores.dtype).min => -torch.inf
  In a sentence with nothing to look at this gives NaN: the softmax of minus infinities is 0 / 0. Context and weights
  must be zeros there.
uniform_where_all_is_masked: "Where nothing is kept, both are zeros"
    * attention_mask =>
  In a sentence with nothing to look at the weights came out equal, so padding is averaged. Multiply with the mask after
  the softmax, too.
weights_first: "context (B, D) and weights (B, S)"
    return context, weights => return weights, context
  Both are right, but in the wrong order: the context comes first, then the weights.
""")
CLOSE = Compare(rtol=1e-4, atol=1e-6, gradient=True)
HINTS = hints("""
- Three steps: a score for each state, weights that sum to 1, an average. Which shape has each of them?
- Scores (B, S): (query[:, None] * keys).sum(-1). Weights: as in source_weights. Context (B, D): the states times their
  weights, summed over S.
- scores = (query[:, None] * keys).sum(-1); weights = source_weights(scores, attention_mask); context = (weights[:, :,
  None] * keys).sum(1); return context, weights
""")
task = Task(dot_attention, points=3, difficulty=3, minutes=20, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
