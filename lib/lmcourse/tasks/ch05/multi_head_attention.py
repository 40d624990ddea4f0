import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch05.shared import CLOSE, double, normal


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    """Return multi-head self-attention without biases.

    Large scores must not overflow.

    Args:
        x: the words, a tensor (B, T, D).
        w_q, w_k, w_v, w_o: the projections, tensors (D, D), used as x @ w. Head 0 works on the first D / H columns of
            x @ w_q, x @ w_k and x @ w_v, head 1 on the next, and so on.
        num_heads: H, which divides D.
        causal: whether each word sees only itself and the words before it.

    Returns:
        A tensor (B, T, D).

    Raises:
        ValueError: H is below 1 or does not divide D.

    >>> x, eye = torch.tensor([[[1.0, 0, 0, 0], [0, 0, 1, 0]]]), torch.eye(4)
    >>> multi_head_attention(x, eye, eye, eye, eye, 2, True).numpy().round(2).tolist()[0][1]
    [0.5, 0.0, 0.6700000166893005, 0.0]
    """
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError(f"`num_heads` must divide the width, got num_heads={num_heads}, width={D}.")
    parts = ((x @ w).reshape(B, T, num_heads, D // num_heads) for w in (w_q, w_k, w_v))
    query, key, value = (part.transpose(1, 2) for part in parts)  # (B, H, T, K)
    scores = query @ key.mT / (D // num_heads) ** 0.5
    if causal:
        future = torch.ones(T, T, dtype=torch.bool).triu(1)
        scores = scores.masked_fill(future, float("-inf"))
    context = scores.softmax(dim=-1) @ value
    return context.transpose(1, 2).reshape(B, T, D) @ w_o


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(B: int, T: int, D: int, dtype: torch.dtype = torch.float64, scale: float = 1.0) -> tuple[Tensor, ...]:
        weights = [normal(rng, D, D, dtype=dtype) / D**0.5 * 1.5 for _ in range(4)]
        return (scale * normal(rng, B, T, D, dtype=dtype), *weights)

    eye = torch.eye(4, dtype=torch.float64)
    x = double([[[1.0, 0, 0, 0], [0, 0, 1, 0]]])
    negative = [sign * torch.eye(2, dtype=torch.float64) for sign in (1, -1, 1, 1)]
    return [
        case("the worked example", x, eye, eye, eye, eye, 2, True),
        case("three heads", *draw(2, 5, 21), 3, False),
        case("three heads, causal not given", *draw(2, 5, 21), 3),
        case("as many heads as texts and words", *draw(3, 3, 9), 3, False),
        case("causal given by name", *draw(2, 4, 6), num_heads=2, causal=True),
        border("one head", *draw(3, 5, 7), 1, False),
        border("heads of width one", *draw(2, 4, 5), 5, True),
        border("one text", *draw(1, 5, 6), 2, True),
        border("scores above 1,000, where exp overflows", *draw(2, 5, 6, scale=60.0), 2, True),
        border("scores of 2,000 and 1,999", double([[[2000.0], [1999.0]]]) ** 0.5, *[torch.ones(1, 1).double()] * 4, 1),
        border("scores below -10,000, causal", double([[[150, 0], [1, 2], [-140, 3]]]), *negative, 1, True),
        case("float32", *draw(2, 3, 10, torch.float32), 5, True),
        border("scores of minus 1e12, causal", double([[[1e6, 0], [1, 2], [-1, 3]]]), *negative, 1, True),
        border("zero heads", *draw(2, 3, 6), 0),
        border("a negative number of heads", *draw(2, 3, 6), -2, True),
        border("more heads than columns", *draw(2, 3, 5), 10),
        border("four heads for six columns", *draw(1, 2, 6), 4),
    ]


SLIPS = mistakes("""
scaled_by_model_width
    (D // num_heads) ** 0.5 => D**0.5
  The scores are divided by the root of the whole width D. A head's queries and keys are only D / H wide, and that is
  the number of terms in its dot products.
no_output_projection: "Return multi-head self-attention without biases"
    .reshape(B, T, D) @ w_o => .reshape(B, T, D)
  The heads lie side by side and are not mixed yet: multiply by w_o.
always_causal: "whether each word sees only itself and the words before it"
    if causal: => if True:
  The future is hidden even where causal=False. Use the mask only if `causal` is true.
zeros_before
    float("-inf") => 0.0
  The scores of the future were set to 0, and e to the power of 0 is 1. Use minus infinity.
zeros_after
    .masked_fill(future, float("-inf")) =>
    scores.softmax(dim=-1) => (scores.softmax(dim=-1).tril() if causal else scores.softmax(dim=-1))
  The weights of the future were set to 0 after the softmax, so that the others no longer sum to 1. Mask the scores,
  before it.
past_hidden: "whether each word sees only itself and the words before it"
    triu(1) => tril(-1)
  The past is hidden and the future is seen: the wrong triangle. Hide what stands above the diagonal.
merged_by_reshape: "Head 0 works on the first D / H columns of x @ w_q, x @ w_k and x @ w_v, head 1 on the next, and"
    context.transpose(1, 2).reshape => context.reshape
  The heads were merged by reshape alone, which mixes words. Exchange heads and words first, as in merge_heads.
interleaved: "Head 0 works on the first D / H columns of x @ w_q, x @ w_k and x @ w_v, head 1 on the next, and so on"
    (x @ w).reshape(B, T, num_heads, D // num_heads) => (x @ w).reshape(B, T, D // num_heads, num_heads)
    (part.transpose(1, 2) for part in parts) => (part.permute(0, 3, 1, 2) for part in parts)
  Each head got every H-th column of queries, keys and values. Head 0 has the first D / H columns, head 1 the next.
transposed_weights: "used as x @ w"
    (x @ w) => (x @ w.T)
    @ w_o => @ w_o.T
  The transposes of the weight matrices are used. Here a projection is x @ w (torch's Linear stores the transpose).
overflow: "Large scores must not overflow"
    scores.softmax(dim=-1) => (scores.exp() / scores.exp().sum(dim=-1, keepdim=True))
  Right for small scores, but exp overflows when they are large, and infinity divided by infinity is not a number.
  Subtract from each row its maximum first, or use torch's softmax, which does so.
below_one: "H is below 1"
    num_heads < 1 or =>
  Heads that do not divide the width are refused, but 0 ends in a division by zero and a negative number is not checked.
  Raise ValueError for H below 1.
""")
HINTS = hints("""
- You have written all its parts: three projections, split, scaled attention, merge, one more projection.
- split_heads gives (B, H, T, K), and everything until merge_heads works on the last two axes. How wide is a head?
- query, key, value = (split_heads(x @ w, num_heads) for w in (w_q, w_k, w_v)); scores / root of their width; minus
  infinity where not torch.ones(T, T).tril(); then merge_heads(weights @ value) @ w_o.
""")
task = Task(
    multi_head_attention, points=3, difficulty=4, minutes=25, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS
)
