import numpy as np
import torch

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch05.shared import normal


def split_heads(x, num_heads):
    """Cut the width into heads.

    Args:
        x: a tensor (B, T, D).
        num_heads: H, which divides D.

    Returns:
        A tensor (B, H, T, D / H).

    Raises:
        ValueError: H is below 1 or does not divide D.

    >>> split_heads(torch.arange(8).reshape(1, 2, 4), 2).tolist()
    [[[[0, 1], [4, 5]], [[2, 3], [6, 7]]]]
    """
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError(f"`num_heads` must divide the width, got num_heads={num_heads}, width={D}.")
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", torch.arange(8.0).reshape(1, 2, 4), 2),
        case("three heads of width five", normal(rng, 2, 7, 15), 3),
        case("as many heads as words", normal(rng, 2, 3, 21), 3),
        case("as many heads as sentences", normal(rng, 5, 3, 10), 5),
        case("whole numbers that float32 does not hold", (2**24 + torch.arange(8)).reshape(1, 2, 4), 2),
        border("one head", normal(rng, 2, 3, 5), 1),
        border("heads of width one", normal(rng, 2, 5, 3), 3),
        border("one word", normal(rng, 3, 1, 14), 7),
        border("one sentence, one word, one column", normal(rng, 1, 1, 1), 1),
        case("a tensor whose rows do not lie one after the other", normal(rng, 2, 6, 5).mT, 3),
        border("a number of heads that does not divide the width", normal(rng, 2, 3, 7), 3),
        border("more heads than columns", normal(rng, 2, 3, 5), 10),
        border("zero heads", normal(rng, 2, 3, 7), 0),
        border("a negative number of heads", normal(rng, 2, 3, 6), -2),
        border("minus one head", normal(rng, 2, 3, 7), -1),
        border("a number of heads that does not divide the width, and no sentences", normal(rng, 0, 2, 7), 2),
        border("zero heads and no words", normal(rng, 2, 0, 6), 0),
    ]


SLIPS = mistakes("""
reshaped_only: "Cut the width into heads"
    reshape(B, T, num_heads, D // num_heads).transpose(1, 2) => reshape(B, num_heads, T, D // num_heads)
  The shape is right, but reshape reads the numbers in order, so a head got pieces of several words. First cut the
  width, (B, T, H, K), then exchange T and H.
not_transposed: "A tensor (B, H, T, D / H)"
    .transpose(1, 2) =>
  This is (B, T, H, K): cut, but the axes are not exchanged. The matrix product works on the last two axes, which must
  be T and K: exchange T and H.
interleaved: "Cut the width into heads"
    num_heads, D // num_heads).transpose( => D // num_heads, num_heads).permute(0, 3,
  Each head got every H-th column. Head 0 should have the first K columns, head 1 the next K.
width_for_number: "A tensor (B, H, T, D / H)"
    num_heads, D // num_heads) => D // num_heads, num_heads)
  The number of heads and their width are exchanged: there should be H heads of width D / H.
heads_first: "A tensor (B, H, T, D / H)"
    transpose(1, 2) => permute(2, 0, 1, 3)
  The heads stand before the batch, (H, B, T, K). The batch comes first: (B, H, T, K).
heads_reversed
    .transpose(1, 2) => .transpose(1, 2).flip(1)
  The heads are in the reverse order. Head 0 has the first K columns.
rest_dropped: "does not divide D"
    or D % num_heads =>
    x.reshape => x[..., : D // num_heads * num_heads].reshape
  When the heads do not divide the width, the last columns were left out without a word. Raise ValueError.
zero_divided: "H is below 1"
    num_heads < 1 or =>
  Zero heads end in a division by zero, and a negative number is not refused by this check. Raise ValueError for H below
  1, before you divide.
negative_accepted: "H is below 1"
    num_heads < 1 => num_heads == 0
  0 is refused, a negative number of heads is not. Raise ValueError for every H below 1.
""")
HINTS = hints("""
- Two steps: cut the last axis in two, (B, T, H, K), then bring H before T.
- x.reshape(B, T, H, K) cuts; transpose(1, 2) exchanges. Why is reshape(B, H, T, K) alone not the same?
- After the check: B, T, D = x.shape, then return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2).
""")
task = Task(split_heads, points=1, difficulty=2, minutes=10, cases=cases, slips=SLIPS, hints=HINTS)
