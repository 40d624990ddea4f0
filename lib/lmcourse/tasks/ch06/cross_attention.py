import math

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch05.shared import double, marks
from lmcourse.tasks.ch06.shared import CLOSE, draw


def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    """Return one head of attention from the decoder to the encoder's output.

    Large scores must not overflow.

    Args:
        x: the decoder's stream, a tensor (B, T, D).
        memory: the encoder's output, a tensor (B, S, D).
        wq, wk: tensors (D, K).
        wv: a tensor (D, V).
        attention_mask: a bool tensor (B, S), True at tokens, False at padding; None keeps all. Each row keeps at
            least one.

    Returns:
        A tensor (B, T, V).

    >>> eye, memory = torch.eye(2), torch.tensor([[[2.0, 0.0], [0.0, 2.0]]])
    >>> looked = cross_attention(torch.tensor([[[1.0, 0.0]]]), memory, eye, eye, eye)
    >>> [round(value, 3) for value in looked[0, 0].tolist()]
    [1.609, 0.391]
    """
    scores = (x @ wq) @ (memory @ wk).transpose(-2, -1) / math.sqrt(wq.shape[1])  # (B, T, S)
    if attention_mask is not None:
        scores = scores.masked_fill(~attention_mask[:, None, :], -math.inf)
    return scores.softmax(dim=-1) @ (memory @ wv)


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def weights(D: int, K: int, V: int) -> list[Tensor]:
        return [draw(rng, D, width) / D**0.5 for width in (K, K, V)]

    def given(B: int, T: int, S: int, D: int, K: int, V: int, scale: float = 1.0) -> list[Tensor]:
        return [scale * draw(rng, B, T, D), scale * draw(rng, B, S, D), *weights(D, K, V)]

    eye = torch.eye(2, dtype=torch.float64)
    ones = [double([[1]])] * 3
    lengths = torch.tensor([[True] * 5, [True, True, False, False, False]])
    holes = marks("01011 10001")
    three, first, ends = marks("100 110 011"), marks("10"), marks("101")
    uneven = double([[[50], [1], [1e-9]]]) * draw(rng, 1, 3, 4), 50 * draw(rng, 1, 5, 4)
    huge = draw(rng, 1, 2, 3), double([[[1], [1e6], [1]]]) * draw(rng, 1, 3, 3)
    single = [part.float() for part in given(2, 3, 7, 5, 3, 2)]
    return [
        case("the worked example", double([[[1, 0]]]), double([[[2, 0], [0, 2]]]), eye, eye, eye),
        case("3 target tokens, 7 source tokens", *given(1, 3, 7, 5, 2, 3)),
        case("more target than source tokens", *given(2, 7, 3, 5, 2, 4)),
        case("a padded batch", *given(2, 3, 5, 7, 3, 2), lengths),
        case("padding at the beginning and in between", *given(2, 3, 5, 7, 3, 2), holes),
        case("as many target as source tokens", *given(2, 5, 5, 3, 3, 3), lengths),
        case("as many texts as tokens", *given(3, 3, 3, 4, 4, 4), three),
        case("attention_mask given by name, nothing padded", *given(1, 2, 3, 3, 2, 2), attention_mask=marks("111")),
        border("one source token, which gets everything", *given(2, 3, 1, 5, 2, 3)),
        border("one source token kept", *given(1, 3, 3, 5, 2, 3), three[:1]),
        border("one target token, as when writing", *given(2, 1, 4, 5, 2, 3)),
        border("width one", *given(1, 2, 3, 4, 1, 1)),
        case("strong scores", *given(1, 2, 3, 3, 11, 3, scale=5)),
        border("scores above 1,000, where exp overflows", *given(2, 3, 5, 4, 3, 2, scale=50), holes),
        border("scores of 2,000 and 1,999", double([[[1]]]), double([[[2000], [1999]]]), *ones),
        border(
            "a token that scores minus 1e12, beside padding", double([[[1e6]]]), double([[[-1e6], [5]]]), *ones, first
        ),
        border("a token that scores -20,000, beside padding", double([[[100]]]), double([[[-200], [5]]]), *ones, first),
        border("target tokens of different magnitudes", *uneven, *weights(4, 3, 2)),
        border("padding with very large numbers", *huge, *weights(3, 3, 3), ends),
        case("float32", *single),
    ]


SLIPS = mistakes("""
scaled_by_model_width: "one head of attention"
    math.sqrt(wq.shape[1]) => math.sqrt(wq.shape[0])
  The scores are divided by the root of D. It is the width of queries and keys that counts: K = wq.shape[1].
scaled_by_value_width: "a tensor (D, V)"
    math.sqrt(wq.shape[1]) => math.sqrt(wv.shape[1])
  The scores are divided by the root of the width of the values. It is the width of queries and keys that counts: K =
  wq.shape[1].
over_queries: "one head of attention"
    dim=-1 => dim=1
  The softmax runs over the target tokens. Each target token divides its weight among the source tokens: dim=-1.
unmasked: "a bool tensor (B, S), True at tokens, False at padding"
    .masked_fill(~attention_mask[:, None, :], -math.inf) =>
  `attention_mask` is ignored, so padding in the source gets weight. Its scores must be minus infinity before the
  softmax.
zeros_before: "a bool tensor (B, S), True at tokens, False at padding"
    -math.inf => 0.0
  The scores of padding were set to 0, and e to the power of 0 is 1: it still gets weight. Use minus infinity.
zeroed_after: "a bool tensor (B, S), True at tokens, False at padding"
    .masked_fill(~attention_mask[:, None, :], -math.inf) =>
    scores.softmax(dim=-1) =>
        (scores.softmax(dim=-1) if attention_mask is None else scores.softmax(dim=-1) * attention_mask[:, None, :])
  Padding got weight 0 after the softmax, and the rest no longer sums to 1. Mask the scores before it.
memory_zeroed
    .masked_fill(~attention_mask[:, None, :], -math.inf) =>
    memory @ wk => (memory if attention_mask is None else memory * attention_mask[..., None]) @ wk
    memory @ wv => (memory if attention_mask is None else memory * attention_mask[..., None]) @ wv
  Padding was set to 0 in the memory. Its scores are 0 then, and e to the power of 0 is 1: it still gets weight. Its
  scores must be minus infinity.
first_text: "a bool tensor (B, S), True at tokens, False at padding"
    ~attention_mask[:, None, :] => ~attention_mask[:1, None, :]
  The padding of the first text was used for all. Each text has its own row of `attention_mask`.
overflow: "Large scores must not overflow"
    scores.softmax(dim=-1) => (scores.exp() / scores.exp().sum(dim=-1, keepdim=True))
  Right for small scores, but exp overflows when they are large, and infinity divided by infinity is not a number.
  Subtract from each row its maximum first, or use torch's softmax, which does so.
""")
HINTS = hints("""
- Who asks, who answers? Only the queries come from the decoder.
- scores = (x @ wq) @ (memory @ wk).transpose(-2, -1) / sqrt(K), (B, T, S). What must the scores of padding be?
- scores.masked_fill(~attention_mask[:, None, :], -inf).softmax(-1) @ (memory @ wv), the mask only if given.
""")
task = Task(cross_attention, points=3, difficulty=3, minutes=20, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
