import math

import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch03.shared import drawer
from lmcourse.tasks.ch05.shared import double


def text_bits(logits, targets, n_bytes):
    """Return the bits per byte that a model needs for a text.

    Args:
        logits: (T, V), T and V at least 1, floating point, finite, but of any size: exp of them may be infinite.
        targets: the ids of the tokens that came next, (T,), int64.
        n_bytes: the length of the text in bytes, an int.

    Returns:
        A float, not a tensor.

    Raises:
        ValueError: `n_bytes` is below 1.

    >>> round(text_bits(torch.tensor([[1.0, 1.0], [3.0, 3.0]]), torch.tensor([0, 1]), 2), 3)
    1.0
    """
    if n_bytes < 1:
        raise ValueError(f"`n_bytes` must be at least 1, got {n_bytes}.")
    log_probs = torch.log_softmax(logits, dim=-1)
    nats = -log_probs.gather(1, targets[:, None]).sum()
    return nats.item() / (n_bytes * math.log(2))


@drawn(3)
def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    generator = torch.Generator().manual_seed(seed)

    def ids(count: int, size: int) -> Tensor:
        return torch.randint(size, (count,), generator=generator)

    halves, sizes = double([[1.0, 1.0], [3.0, 3.0]]), double([[1e4], [-1e4], [0.0]])
    large = double([[900.0, 890.0, 0.0], [0.0, 5.0, 900.0]]) + draw(2, 3)
    return [
        case("the worked example", halves, torch.tensor([0, 1]), 2),
        case("three tokens that stand for eleven bytes", draw(3, 13), ids(3, 13), 11),
        case("more tokens than bytes", draw(7, 5), ids(7, 5), 3),
        case("targets in no order", draw(4, 3), torch.tensor([2, 0, 1, 1]), 4),
        case("float32", drawer(seed, torch.float32)(4, 3), ids(4, 3), 6),
        border("five characters of one byte each", draw(5, 7), ids(5, 7), 5),
        border("one token", draw(1, 3), ids(1, 3), 1),
        border("one token in the vocabulary, so that nothing is to be guessed", draw(3, 1), ids(3, 1), 3),
        border("logits so large that exp gives infinity", large, torch.tensor([1, 1]), 2),
        border("a token with almost no chance", double([[0.0, 2000.0], [1.0, 2.0]]), torch.tensor([0, 1]), 3),
        border("a row near 10,000, one near -10,000 and one near 0", sizes + draw(3, 5), ids(3, 5), 4),
        border("no bytes", draw(2, 3), ids(2, 3), 0),
        border("no bytes, and one token in the vocabulary", torch.zeros(3, 1), torch.tensor([0, 0, 0]), 0),
        border("fewer than no bytes", draw(2, 3), ids(2, 3), -2),
    ]


SLIPS = mistakes("""
nats: "bits"
    (n_bytes * math.log(2)) => n_bytes
  These are nats: torch's logarithm is the natural one. Divide by ln 2 to have bits.
per_token: "per byte"
    n_bytes * math => len(targets) * math
  These are bits per token. A token may stand for several bytes: divide by the number of bytes.
mean_over_both
    .sum() => .mean()
  The mean over the tokens was divided by the bytes. Add up what the tokens cost, and divide once.
softmax_then_log: "(T, V), T and V at least 1, floating point, finite, but of any size: exp of them may be infinite"
    torch.log_softmax(logits, dim=-1) => torch.softmax(logits, dim=-1).log()
  Right for small logits, but a probability that softmax rounds to 0 has the logarithm minus infinity. Use log_softmax,
  which stays finite.
epsilon
    torch.log_softmax(logits, dim=-1) => (torch.softmax(logits, dim=-1) + 1e-9).log()
  A small number was added inside the logarithm, so that an unlikely token costs too little. log_softmax needs no such
  number.
softmax_over_time
    dim=-1 => dim=0
  The softmax ran over the text instead of the vocabulary. At each position the probabilities of all tokens sum to 1:
  dim=-1.
shifted: "the ids of the tokens that came next, (T,), int64"
    log_probs.gather(1, targets[:, None]) => log_probs[:-1].gather(1, targets[1:, None])
  The targets were shifted by one. Row t of the logits belongs to targets[t] already.
a_tensor: "A float, not a tensor"
    .item() =>
  The number is right, but it is a tensor. A float is asked for: .item().
any_bytes: "`n_bytes` is below 1"
    if n_bytes < 1: => if False:
  The numbers are right, but a text of no bytes has no bits per byte. Raise ValueError.
only_zero_refused: "`n_bytes` is below 1"
    n_bytes < 1 => n_bytes == 0
  0 bytes are refused, but fewer are not. Raise ValueError for every number below 1.
one_byte_refused: "`n_bytes` is below 1"
    n_bytes < 1 => n_bytes <= 1
  A text of one byte was refused. Only numbers below 1 are wrong.
""")
CLOSE = Compare(rtol=1e-5, atol=1e-8)
HINTS = hints("""
- What did the model say about each token that came next? Add up what those tokens cost.
- torch.log_softmax(logits, dim=-1) gives the log-probabilities; .gather(1, targets[:, None]) picks one a row.
- nats = -log_probs.gather(1, targets[:, None]).sum(); return nats.item() / (n_bytes * math.log(2))
""")
task = Task(text_bits, points=3, difficulty=2, minutes=15, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
