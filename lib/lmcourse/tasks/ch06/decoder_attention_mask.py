import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Task, border, case, hints, mistakes


def decoder_attention_mask(ids, pad_id=0):
    """Return the mask of a decoder's self-attention.

    Padding may stand anywhere in a row: at its end, at its beginning, in between.

    Args:
        ids: target ids, a tensor (B, T) of whole numbers.
        pad_id: the id of padding.

    Returns:
        A bool tensor (B, 1, T, T): mask[b, 0, t, s] says whether t may look at s. The 1 is for the heads.

    >>> decoder_attention_mask(torch.tensor([[5, 6, 0]])).int().tolist()
    [[[[1, 0, 0], [1, 1, 0], [1, 1, 0]]]]
    """
    T = ids.shape[1]
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return causal & (ids != pad_id)[:, None, None, :]


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def batch(B: int, T: int, pad: int = 0) -> Tensor:
        ids = torch.from_numpy(rng.integers(1, 9, size=(B, T)))
        for row in range(1, B):
            ids[row, T - int(rng.integers(1, T)) :] = pad
        return ids

    return [
        case("the worked example", torch.tensor([[5, 6, 0]])),
        case("three sentences", batch(3, 7)),
        case("as many sentences as tokens", batch(5, 5)),
        border("another id for padding, and zero is a word", torch.tensor([[3, 0, 4, 9, 9], [0, 7, 2, 1, 9]]), 9),
        border("a negative id for padding", torch.tensor([[3, 0, 4], [0, 7, -1]]), -1),
        border("an id for padding that does not occur", torch.tensor([[3, 0, 4], [0, 7, 0]]), pad_id=99),
        border("no padding at all", torch.from_numpy(rng.integers(1, 9, size=(2, 3)))),
        border("nothing but padding in one of two rows", torch.tensor([[0, 0, 0], [5, 6, 7]])),
        border("padding first, so the first row is empty", torch.tensor([[0, 0, 3, 8]])),
        border("padding first in one row and last in the other", torch.tensor([[0, 0, 3, 8], [3, 8, 0, 0]])),
    ]


SLIPS = mistakes("""
polarity: "says whether t may look at s"
    return causal & (ids != pad_id)[:, None, None, :] => return ~(causal & (ids != pad_id)[:, None, None, :])
  Everything is the other way round: here True means hidden. In this course True means: takes part.
causal_only: "Return the mask of a decoder's self-attention"
    (ids != pad_id)[:, None, None, :] => (ids == ids)[:, None, None, :]
  The future is hidden, but padding is not: it would get weight like a word. Join both masks with &.
padding_only: "Return the mask of a decoder's self-attention"
    .tril() =>
  Padding is hidden, but the future is not: the decoder sees the answer that it has to give. Join it with a lower
  triangle.
strict: "Return the mask of a decoder's self-attention"
    .tril() => .tril(-1)
  A token may not look at itself here, so the first one has nothing to look at. The diagonal takes part.
rows: "says whether t may look at s"
    [:, None, None, :] => [:, None, :, None]
  Padding hides rows here, what padding itself would look at. It must hide columns: nobody looks at it, (ids !=
  pad_id)[:, None, None, :].
rows_and_columns: "says whether t may look at s"
    (ids != pad_id)[:, None, None, :] => (ids != pad_id)[:, None, None, :] & (ids != pad_id)[:, None, :, None]
  Padding hides columns, which is right, and rows as well. What padding itself looks at stays: only keys are hidden.
no_head_dimension: "(B, 1, T, T)"
    [:, None, None, :] => [:, None, :]
  The shape is (B, T, T). For (B, H, T, S) scores a mask needs a dimension for the heads, of size 1: (B, 1, T, T).
pad_is_zero: "the id of padding"
    ids != pad_id => ids != 0
  0 is taken for padding whatever `pad_id` says. Compare with pad_id.
greater_ids_only: "the id of padding"
    ids != pad_id => ids > pad_id
  Only ids above pad_id count as words. Every id but pad_id is a word.
itself_always: "says whether t may look at s"
    :] => :] | torch.eye(T, dtype=torch.bool)
  Padding may look at itself here. It is hidden from everybody, itself included.
ends_at_first_padding: "Padding may stand anywhere in a row: at its end, at its beginning, in between"
    (ids != pad_id) => (ids != pad_id).long().cumprod(dim=1).bool()
  Everything after the first padding is hidden. Padding may stand before and between words too: look at each id by
  itself.
padding_at_the_end: "Padding may stand anywhere in a row: at its end, at its beginning, in between"
    (ids != pad_id) => (torch.arange(T) < (ids != pad_id).sum(dim=1, keepdim=True))
  The number of words was taken for where padding begins. Padding may stand before and between words too: look at each
  id by itself.
floats: "A bool tensor"
    return causal & (ids != pad_id)[:, None, None, :] => return (causal & (ids != pad_id)[:, None, None, :]).float()
  The entries are right, but they are floats. Return a bool tensor.
integers: "A bool tensor"
    return causal & (ids != pad_id)[:, None, None, :] => return (causal & (ids != pad_id)[:, None, None, :]).int()
  The entries are right, but they are integers. Return a bool tensor.
""")
HINTS = hints("""
- Two conditions: the key is not padding, and it is not in the query's future.
- A lower triangle (T, T) for the future, (ids != pad_id) for padding; the second must vary along the columns.
- return torch.ones(T, T, dtype=torch.bool).tril() & (ids != pad_id)[:, None, None, :]
""")
task = Task(decoder_attention_mask, points=2, difficulty=2, minutes=15, cases=cases, slips=SLIPS, hints=HINTS)
