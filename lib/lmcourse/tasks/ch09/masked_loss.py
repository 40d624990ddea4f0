import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.layers.losses import IGNORE_INDEX
from lmcourse.tasks.ch05.shared import leaf
from lmcourse.tasks.ch09.shared import CLOSE


def masked_loss(logits, labels):
    """Return the mean cross-entropy in nats at the positions with a label.

    Large scores must not overflow.

    Args:
        logits: a tensor of shape (B, T, V).
        labels: a tensor of int64, shape (B, T); -100 where nothing is to be guessed.

    Returns:
        A tensor without dimensions, through which the gradient flows. If no position has a label: 0, computed from the
        logits like any other loss, so that their gradient is 0, too.

    >>> logits = torch.tensor([[[0.0, 0.0], [0.0, 100.0], [9.0, 0.0]]])
    >>> round(masked_loss(logits, torch.tensor([[1, -100, -100]])).item(), 4)
    0.6931
    """
    chosen = labels != -100
    log_probs = logits[chosen].log_softmax(dim=-1)  # (N, V)
    right = log_probs.gather(1, labels[chosen][:, None])
    return -right.sum() / chosen.sum().clamp(min=1)


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(label: str, B: int, T: int, V: int, share: float, dtype: torch.dtype = torch.float64) -> Case:
        logits = torch.from_numpy(rng.normal(size=(B, T, V)) * 2).to(dtype).requires_grad_()
        drawn = torch.from_numpy(rng.integers(0, V, (B, T)))
        drawn[torch.from_numpy(rng.uniform(size=(B, T)) >= share)] = IGNORE_INDEX
        drawn[0, -1] = int(rng.integers(0, V)) if share > 0 else IGNORE_INDEX
        return case(label, logits, drawn)

    def labels(*rows: list[int]) -> Tensor:
        return torch.tensor(rows)

    following = labels([0, 2], [1, IGNORE_INDEX], [IGNORE_INDEX, IGNORE_INDEX], [2, 2], [0, 1])
    low = torch.tensor([[[0.0, 2000.0], [3.0, 1.0]]])
    across = torch.from_numpy(rng.normal(size=(5, 3, 2))).mT.requires_grad_()
    worked = leaf([[[0.0, 0.0], [0.0, 100.0], [9.0, 0.0]]])
    return [
        case("the worked example", worked, labels([1, IGNORE_INDEX, IGNORE_INDEX])),
        draw("some positions", 3, 11, 7, 0.3),
        draw("rows with different numbers of hidden words", 5, 13, 3, 0.15),
        draw("one hidden word", 2, 5, 11, 1e-9),
        draw("no position is hidden", 2, 3, 5, 0.0),
        draw("every position is hidden", 2, 7, 5, 1.0),
        draw("float32", 3, 5, 13, 0.4, torch.float32),
        border("a score beyond the range of exp, no overflow", leaf([[[1000, 0, -3], [1, 2, 3]]]), labels([1, 2])),
        border("a word with almost no chance", low.requires_grad_(), labels([0, IGNORE_INDEX])),
        border("large scores where nothing is hidden", leaf([[[1e4] * 3] * 2]), labels([IGNORE_INDEX] * 2)),
        border("one row of one position", leaf([[[0.5, -1.0, 2.0]]]), labels([2])),
        border("a tensor whose rows do not lie in a row", across, following),
    ]


SLIPS = mistakes("""
mean_over_all: "Return the mean cross-entropy in nats at the positions with a label"
    chosen.sum().clamp(min=1) => labels.numel()
  The sum was divided by the number of all positions. Divide by the number of hidden ones, or the loss depends on how
  many were drawn.
sum: "Return the mean cross-entropy in nats at the positions with a label"
    / chosen.sum().clamp(min=1) =>
  This is the sum over the hidden positions. The mean is wanted.
nan: "If no position has a label: 0"
    .clamp(min=1) =>
  With nothing hidden this is 0 / 0, not a number, and one such batch ruins all weights. Give 0 then.
by_row: "A tensor without dimensions"
    return -right.sum() / chosen.sum().clamp(min=1) =>
        rows = torch.zeros_like(logits[:, 0, 0]).index_add(0, chosen.nonzero()[:, 0], -right[:, 0])
    |    return (rows / chosen.sum(1).clamp(min=1)).mean()
  The mean was taken for each row and then over the rows, so a word in a row with few blanks counts more. Take one mean
  over all hidden positions.
bits: "Return the mean cross-entropy in nats at the positions with a label"
    -right.sum() => -right.sum() / np.log(2)
  This is in bits. Losses are in nats here: use the natural logarithm.
zero_from_nowhere: "computed from the logits like any other loss"
    return -right => if not chosen.any():
    |        return torch.tensor(0.0)
    |    return -right
  With nothing hidden a new 0 was returned, which does not depend on the logits: loss.backward() fails on it. Sum over
  no positions and divide by 1; that is 0, too.
overflow: "Large scores must not overflow"
    logits[chosen].log_softmax(dim=-1) => (logits[chosen].exp() / logits[chosen].exp().sum(-1, keepdim=True)).log()
  exp of a large score is infinite, and infinity by infinity is NaN. Use log_softmax, which subtracts the maximum first.
no_token_zero: "a tensor of int64, shape (B, T)"
    labels != -100 => labels > 0
  Positions with the label 0 were left out. 0 is a token like the others; only -100 means that nothing is to be guessed.
rows_with_labels
    return -right.sum() / chosen.sum().clamp(min=1) =>
        rows = torch.zeros_like(logits[:, 0, 0]).index_add(0, chosen.nonzero()[:, 0], -right[:, 0])
    |    return (rows / chosen.sum(1).clamp(min=1)).sum() / chosen.any(1).sum().clamp(min=1)
  The mean was taken for each row, and then over the rows in which something is hidden. All hidden positions count
  alike: add them all and divide once.
""")
HINTS = hints("""
- Choose the positions first: logits[labels != -100] has shape (N, V), labels[labels != -100] has shape (N,).
- Then the usual cross-entropy: log_softmax over the last dimension, and the entry of the right word in each row. And if
  N is 0?
- log_probs = logits[chosen].log_softmax(-1); -log_probs[torch.arange(N), labels[chosen]].sum() / max(N, 1)
""")
task = Task(masked_loss, points=3, difficulty=2, minutes=15, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
