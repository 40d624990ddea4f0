import math

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch05.shared import double
from lmcourse.tasks.ch06.shared import CLOSE, draw


def embed_with_positions(ids, table, start=0):
    """Return scaled embeddings plus sinusoidal positions.

    Args:
        ids: whole numbers, a tensor (..., T); T may be 0.
        table: the embeddings, a tensor (V, D), D even.
        start: the position of the first token, 0 or more.

    Returns:
        A tensor (..., T, D) of the table's element type.

    >>> table = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])
    >>> [[round(value, 3) for value in row] for row in embed_with_positions(torch.tensor([2, 0]), table).tolist()]
    [[0.707, 1.707], [2.256, 0.54]]
    """
    D = table.shape[1]
    positions = torch.arange(start, start + ids.shape[-1], dtype=torch.float64)[:, None]
    angles = positions / 10000 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)  # (T, D / 2)
    waves = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)
    return math.sqrt(D) * table[ids] + waves.to(table.dtype)


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def ids(V: int, *shape: int) -> Tensor:
        return torch.from_numpy(rng.integers(0, V, size=shape))

    return [
        case("the worked example", torch.tensor([2, 0]), double([[1, 0], [0, 1], [0.5, 0.5]])),
        case("seven tokens, 6 wide", ids(11, 7), draw(rng, 11, 6)),
        case("a batch of sentences", ids(5, 3, 7), draw(rng, 5, 10)),
        case("as many sentences as tokens", ids(5, 4, 4), draw(rng, 5, 6)),
        case("two axes before the last", ids(5, 2, 3, 4), draw(rng, 5, 6), 2),
        border("one token further on, as when writing", ids(7, 2, 1), draw(rng, 7, 6), 13),
        border("one token", torch.tensor([1]), draw(rng, 3, 4)),
        border("a start far into a long text", ids(7, 3), draw(rng, 7, 6), 70_000),
        case("a start in the middle", ids(7, 5), draw(rng, 7, 8), start=3),
        border("a table of zeros: positions only", ids(5, 4), torch.zeros(5, 6, dtype=torch.float64), 1),
        border("an empty sentence", ids(5, 0), draw(rng, 5, 4)),
        border("a batch of empty sentences, further on", ids(5, 2, 0), draw(rng, 5, 4), 3),
        case("float32", ids(13, 5), draw(rng, 13, 6, dtype=torch.float32)),
    ]


SLIPS = mistakes("""
unscaled: "scaled embeddings"
    math.sqrt(D) * table[ids] => table[ids]
  The embedding was not multiplied by the root of D, so that the position outweighs the word.
divided: "scaled embeddings"
    math.sqrt(D) * table[ids] => table[ids] / math.sqrt(D)
  The embedding was divided by the root of D. That is what scores of attention need; here the word must become longer,
  not shorter: multiply.
scaled_by_vocabulary: "the embeddings, a tensor (V, D), D even"
    math.sqrt(D) * table[ids] => math.sqrt(len(table)) * table[ids]
  The embedding was multiplied by the root of V, the number of rows. D is the number of columns, table.shape[1].
all_scaled: "scaled embeddings"
    math.sqrt(D) * table[ids] + waves.to(table.dtype) => math.sqrt(D) * (table[ids] + waves.to(table.dtype))
  The positions were multiplied by the root of D, too. Only the embedding is.
halves: "plus sinusoidal positions"
    torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2) => torch.cat([angles.sin(), angles.cos()], dim=-1)
  All sines come first and then all cosines. In the paper they alternate: sine in column 2i, cosine in column 2i + 1.
swapped: "plus sinusoidal positions"
    [angles.sin(), angles.cos()] => [angles.cos(), angles.sin()]
  Cosines stand in the even columns and sines in the odd ones; it is the other way round.
start_ignored: "the position of the first token, 0 or more"
    torch.arange(start, start + ids.shape[-1] => torch.arange(ids.shape[-1]
  `start` is ignored: every call begins at position 0. A decoder that writes one token at a time would take each for the
  first.
sentences_as_positions: "whole numbers, a tensor (..., T)"
    start + ids.shape[-1] => start + ids.shape[0]
  The positions were counted along the first axis, which is the batch. They run along the last one of ids.
exponent: "plus sinusoidal positions"
    dtype=torch.float64) / D) => dtype=torch.float64) / 2 / D)
  The exponent is i / D; it must be 2i / D, so that the last pair is nearly 10,000 times slower than the first, not 100
  times.
double_returned: "A tensor (..., T, D) of the table's element type"
    waves.to(table.dtype) => waves
  For a table of float32 the result is float64, because the positions are. Turn them into the table's element type
  before you add them.
""")
HINTS = hints("""
- Two things are added: the token's row of the table, made longer, and a vector that only the position decides.
- table[ids] times sqrt(D). For the positions: a column of start .. start + T - 1, divided by the row 10000 **
  (arange(0, D, 2) / D), gives the angles (T, D / 2).
- torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2) interleaves the two; add it to the scaled rows and keep
  the table's dtype.
""")
task = Task(
    embed_with_positions, points=2, difficulty=2, minutes=15, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS
)
