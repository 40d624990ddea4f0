import torch
from torch import Tensor

from lmcourse.exercises import Case, Task, border, case, hints, mistakes


def packing_mask(segments):
    """Return who may look at whom.

    Args:
        segments: (B, T), the number of each token's example from 1 on, 0 at padding, which may stand anywhere.

    Returns:
        (B, T, T) bool; [b, t, s] says whether token t may look at token s, which is
        not after t.

    >>> packing_mask(torch.tensor([[1, 1, 2, 0]]))[0].int().tolist()
    [[1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]]
    """
    same = segments[:, :, None] == segments[:, None, :]
    return same.tril() & (segments > 0)[:, :, None]


def _segments(seed: int, B: int, T: int, most: int) -> Tensor:
    lengths = torch.randint(1, most, (B, T), generator=torch.Generator().manual_seed(seed))
    ends = lengths.cumsum(1)
    position = torch.arange(T)
    numbered = 1 + (position[None, :, None] >= ends[:, None, :]).sum(2)
    left = T - torch.arange(B)[:, None] % 3
    return numbered.masked_fill(position[None] >= left, 0)


def cases(seed: int) -> list[Case]:
    return [
        case("the worked example", torch.tensor([[1, 1, 2, 0]])),
        case("three rows of seven", _segments(seed, 3, 7, 5)),
        case("many short examples", _segments(seed + 1, 2, 11, 3)),
        case("every token an example of its own", torch.arange(1, 6)[None]),
        border("one token", torch.tensor([[1], [0]])),
        case("numbers in no order", torch.tensor([[3, 3, 1, 1, 2], [2, 1, 1, 0, 3]])),
        case("an example in two parts", torch.tensor([[1, 1, 2, 1, 2]])),
        border("large numbers", torch.tensor([[300, 300, 299, 0, 301]])),
        case("rows that differ", torch.tensor([[1, 1, 1], [1, 2, 3], [0, 0, 1]])),
        border("a tensor whose rows do not lie in a row", _segments(seed + 2, 3, 7, 4).T.contiguous().T),
    ]


SLIPS = mistakes("""
not_causal: "which is not after t"
    .tril() =>
  The future is in sight: within an example token t may see only the tokens up to t.
not_separate: "Return who may look at whom"
    same.tril() => torch.ones_like(same).tril() & (segments > 0)[:, None, :]
  Tokens see the examples that happen to stand before theirs in the row. Compare the segments.
padding
    & (segments > 0)[:, :, None] =>
  Padding sees padding: segment 0 is no example, and its rows of the mask are False throughout.
future
    tril => triu
  The causal mask is turned round: mask[b, t, s] says whether t may look at s, so s must be at most t.
strict
    tril() => tril(-1)
  No token sees itself, and the first of each example sees nothing. s = t is allowed.
numbers: "(B, T, T) bool"
    return same.tril() & (segments > 0)[:, :, None] => return (same.tril() & (segments > 0)[:, :, None]).float()
  The result holds the numbers 0 and 1. A mask of True and False is asked for.
padding_sees_itself
    & (segments > 0)[:, :, None] => & (segments > 0)[:, :, None] | torch.eye(segments.shape[1], dtype=torch.bool)
  Padding sees itself. Its rows of the mask are False throughout.
first_row_for_all
    same = => segments = segments[:1].expand(len(segments), -1)
    |    same =
  The first row was used for all. Each row has examples of its own.
""")
HINTS = hints("""
- Three conditions must hold for token t to look at token s. Write down each as a table of True and False.
- segments[:, :, None] == segments[:, None, :] compares all pairs; tril() keeps s <= t; segment 0 is padding.
- same = segments[:, :, None] == segments[:, None, :]; return same.tril() & (segments > 0)[:, :, None]
""")
task = Task(packing_mask, points=3, difficulty=3, minutes=20, cases=cases, slips=SLIPS, hints=HINTS)
