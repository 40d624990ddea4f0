import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch05.shared import double
from lmcourse.tasks.ch06.shared import CLOSE, draw


def encoder_block(x, weights, num_heads):
    """Return the output of a pre-norm encoder layer.

    Large scores must not overflow.

    Args:
        x: the stream, a tensor (B, T, D).
        weights: a dict of tensors: "q", "k", "v", "o" (D, D), "up" (D, F), "down" (F, D), used as x @ w.
        num_heads: H, which divides D.

    Returns:
        A tensor (B, T, D).

    >>> eye = torch.eye(2)
    >>> weights = {name: eye for name in ("q", "k", "v", "o", "up", "down")}
    >>> out = encoder_block(torch.tensor([[[1.0, 3.0], [3.0, 1.0]]]), weights, 1)
    >>> [round(value, 3) for value in out[0, 0].tolist()]
    [0.112, 4.888]
    """
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[name]).view(B, T, num_heads, K).transpose(1, 2) for name in ("q", "k", "v"))
    shares = (q @ k.transpose(-2, -1) / math.sqrt(K)).softmax(dim=-1)  # (B, H, T, T)
    joined = (shares @ v).transpose(1, 2).reshape(B, T, D)
    x = x + joined @ weights["o"]
    return x + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]


Weights = dict[str, Tensor]


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def weights(D: int, hidden: int, dtype: torch.dtype = torch.float64) -> Weights:
        shapes = {"q": (D, D), "k": (D, D), "v": (D, D), "o": (D, D), "up": (D, hidden), "down": (hidden, D)}
        return {name: draw(rng, *shape, dtype=dtype) / shape[0] ** 0.5 for name, shape in shapes.items()}

    eye = torch.eye(2, dtype=torch.float64)
    simple = dict.fromkeys(("q", "k", "v", "o", "up", "down"), eye)
    loud = {**weights(6, 5), "q": 60 * draw(rng, 6, 6), "k": 60 * draw(rng, 6, 6)}
    magnitudes = double([[[1e4], [1.0], [1e-2]]])
    return [
        case("the worked example", double([[[1, 3], [3, 1]]]), simple, 1),
        case("five tokens, two heads", draw(rng, 1, 5, 6), weights(6, 11), 2),
        case("a batch, three heads", 2 * draw(rng, 2, 7, 6) + 1, weights(6, 5), 3),
        border("one head", draw(rng, 2, 3, 5), weights(5, 13), 1),
        case("as many texts as heads, tokens and hidden numbers", draw(rng, 3, 3, 9), weights(9, 3), 3),
        case("hidden as wide as the stream", draw(rng, 2, 4, 6), weights(6, 6), 2),
        border("heads of width one", draw(rng, 1, 4, 3), weights(3, 5), 3),
        border("tokens of different magnitudes", magnitudes * draw(rng, 1, 3, 6), weights(6, 5), 2),
        border("scores above 1,000, where exp overflows", draw(rng, 2, 4, 6), loud, 2),
        case("float32", draw(rng, 2, 5, 6, dtype=torch.float32), weights(6, 7, torch.float32), 2),
    ]


SLIPS = mistakes("""
no_second_norm: "pre-norm"
    torch.relu(F.layer_norm(x, (D,)) @ => torch.relu(x @
  The feed-forward block reads the stream as it is. It too reads it normalised.
post_norm: "pre-norm"
    y = F.layer_norm(x, (D,)) => y = x
    x = x + joined @ weights["o"] => x = F.layer_norm(x + joined @ weights["o"], (D,))
    return x + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"] =>
        return F.layer_norm(x + torch.relu(x @ weights["up"]) @ weights["down"], (D,))
  This is post-norm: each sum was normalised. In pre-norm a sublayer reads the stream normalised, and the sum is left as
  it is.
stream_normalised
    x = x + joined => x = y + joined
  Attention's output was added to the normalised stream, so the stream itself is lost. Add it to x.
one_stream: "encoder layer"
    x = x + joined => z = x + joined
    return x + torch => return z + torch
  Both sublayers read the same x, side by side. The second must read the stream after the first has added its output.
scaled_by_width: "H, which divides D"
    math.sqrt(K) => math.sqrt(D)
  The scores are divided by the root of D. Each head is K = D / H wide, and that is what counts.
reshaped_both_ways
    .view(B, T, num_heads, K).transpose(1, 2) for => .view(B, num_heads, T, K) for
    (shares @ v).transpose(1, 2) => (shares @ v)
  The heads were cut out and joined by reshape alone, so that a head got pieces of several words. Exchange words and
  heads with transpose(1, 2).
not_transposed
    (shares @ v).transpose(1, 2) => (shares @ v)
  The heads were joined without exchanging heads and words back: (B, H, T, K) must become (B, T, H, K) before it is
  reshaped to (B, T, D), or words get mixed up.
interleaved: "H, which divides D"
    .view(B, T, num_heads, K).transpose(1, 2) for => .view(B, T, K, num_heads).permute(0, 3, 1, 2) for
  Each head got every H-th column of q, k and v. Head h reads columns h K to (h + 1) K.
no_output: "a dict of tensors: "q", "k", "v", "o" (D, D), "up" (D, F), "down" (F, D), used as x @ w"
    joined @ weights["o"] => joined
  The output projection weights['o'] is missing: the heads' results must be mixed before they are added.
causal: "encoder layer"
    math.sqrt(K)).softmax => math.sqrt(K) + torch.full((T, T), -torch.inf, dtype=x.dtype).triu(1)).softmax
  A causal mask was used. An encoder may look both ways.
over_queries
    dim=-1 => dim=-2
  The softmax runs over the queries. The weights of one query over the keys must sum to 1: the last axis.
overflow: "Large scores must not overflow"
    shares = (q @ k.transpose(-2, -1) / math.sqrt(K)).softmax(dim=-1) =>
        raised = (q @ k.transpose(-2, -1) / math.sqrt(K)).exp()
    |    shares = raised / raised.sum(dim=-1, keepdim=True)
  Right for small scores, but exp overflows when they are large, and infinity divided by infinity is not a number.
  Subtract from each row its maximum first, or use torch's softmax, which does so.
no_relu: "encoder layer"
    torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) => (F.layer_norm(x, (D,)) @ weights["up"])
  There is no ReLU between weights['up'] and weights['down'].
""")
HINTS = hints("""
- Two sublayers, each: normalise the stream, compute an output from that, add it to x. Then the second, on the new x.
- (y @ weights['q']).view(B, T, H, K).transpose(1, 2) gives (B, H, T, K). After the weighted values go back:
  .transpose(1, 2).reshape(B, T, D), then @ weights['o'].
- y = F.layer_norm(x, (D,)); attention from y; x = x + joined @ weights['o']; then return x + torch.relu(F.layer_norm(x,
  (D,)) @ weights['up']) @ weights['down'].
""")
task = Task(encoder_block, points=4, difficulty=4, minutes=35, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
