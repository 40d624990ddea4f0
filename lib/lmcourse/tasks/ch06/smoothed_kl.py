import math

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch05.shared import double
from lmcourse.tasks.ch06.shared import CLOSE, draw


def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    """Return the mean KL divergence, in nats, from the smoothed targets to the model.

    Large scores must neither overflow nor give minus infinity.

    Args:
        logits: a tensor (N, V).
        targets: whole numbers, a tensor (N,).
        smoothing: epsilon, at least 0 and less than 1.
        pad_id: targets of this id do not count. It may be any whole number, a word's or not.

    Returns:
        A scalar tensor; 0 if no target counts.

    >>> round(smoothed_kl(torch.tensor([[math.log(3), 0.0]]), torch.tensor([0]), 0.2).item(), 3)
    0.072
    """
    counts = targets != pad_id
    log_p, targets = logits[counts].log_softmax(dim=-1), targets[counts]
    q = torch.full_like(log_p, smoothing / logits.shape[-1])
    q[torch.arange(len(targets)), targets] += 1 - smoothing
    kl = (torch.xlogy(q, q) - q * log_p).sum(dim=-1)  # one for each target that counts
    return kl.sum() / max(1, len(kl))


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def ids(V: int, n: int) -> Tensor:
        return torch.from_numpy(rng.integers(1, V, size=n))

    padded = ids(7, 5)
    padded[-2:] = 0
    magnitudes = double([[1e4], [1.0], [1e-30], [-1e4]])
    return [
        case("the worked example", double([[math.log(3), 0.0]]), torch.tensor([0]), 0.2),
        case("eleven tokens, 7 words", draw(rng, 11, 7), ids(7, 11), 0.1),
        case("as many tokens as words", draw(rng, 4, 4), torch.tensor([2, 0, 3, 2]), 0.1),
        case("word 0 is a target", draw(rng, 4, 3), torch.tensor([0, 2, 0, 1]), 0.2),
        border("smoothing zero: cross-entropy", draw(rng, 5, 3), ids(3, 5), 0.0),
        case("padding does not count", draw(rng, 5, 7), padded, 0.1, 0),
        case("padding first and in between", draw(rng, 5, 4), torch.tensor([0, 3, 0, 1, 2]), 0.1, 0),
        case("padding of -1, pad_id not given", draw(rng, 4, 5), torch.tensor([3, -1, 0, -1]), 0.1),
        case("padding of -100", draw(rng, 4, 5), torch.tensor([3, -100, 0, 4]), 0.1, -100),
        border("padding of an id beyond the words", draw(rng, 4, 5), torch.tensor([3, 99, 0, 4]), 0.1, pad_id=99),
        border(
            "a row of padding with very large scores", double([[1e4, -1e4, 0], [1, 2, 3]]), torch.tensor([1, 0]), 0.1, 1
        ),
        border("nothing but padding: 0", draw(rng, 3, 5), torch.zeros(3, dtype=torch.long), 0.1, 0),
        border("no targets at all: 0", draw(rng, 0, 5), torch.zeros(0, dtype=torch.long), 0.1),
        border("nothing but padding and smoothing zero: 0", torch.zeros(3, 5).double(), torch.zeros(3).long(), 0.0, 0),
        border("one token", draw(rng, 1, 5), ids(5, 1), 0.3),
        border("equal scores", torch.zeros(2, 4, dtype=torch.float64), torch.tensor([0, 3]), 0.2),
        border("scores near 1,000, where exp overflows", 1000 * draw(rng, 3, 5), ids(5, 3), 0.1),
        border("large scores and smoothing zero", double([[0, 2000, 5], [-3000, 0, 1]]), torch.tensor([0, 1]), 0.0),
        border("rows of different magnitudes", magnitudes + draw(rng, 4, 3), torch.tensor([0, 1, 2, 0]), 0.1),
        case("float32", draw(rng, 7, 5, dtype=torch.float32), ids(5, 7), 0.1),
    ]


SLIPS = mistakes("""
cross_entropy: "KL divergence"
    torch.xlogy(q, q) - q * log_p => -q * log_p
  This is the cross-entropy of the smoothed target. The divergence is that less the target's own entropy, so that a
  perfect model gets 0: sum of q (log q - log p).
reversed: "KL divergence"
    torch.xlogy(q, q) - q * log_p => log_p.exp() * (log_p - q.clamp(min=1e-30).log())
  The divergence runs the wrong way, from the model to the target. The average is taken with the target's probabilities:
  sum of q (log q - log p).
others_only: "from the smoothed targets"
    smoothing / logits.shape[-1] => smoothing / max(1, logits.shape[-1] - 1)
    += 1 - smoothing => = 1 - smoothing
  The smoothing was spread over the V - 1 wrong words. Here it is spread over all V, the right one too: it gets 1 - eps
  + eps / V.
replaced: "from the smoothed targets"
    += 1 - smoothing => = 1 - smoothing
  The right word's eps / V was overwritten, so the target sums to less than 1. Add 1 - eps to it.
zero_times_infinity: "Large scores must neither overflow nor give minus infinity"
    torch.xlogy(q, q) => q * q.log()
  At smoothing 0 the wrong words have q = 0, and 0 * log 0 gives NaN. torch.xlogy(q, q) gives 0 there.
log_of_softmax: "Large scores must neither overflow nor give minus infinity"
    logits[counts].log_softmax(dim=-1) => logits[counts].softmax(dim=-1).log()
  log(softmax) gives minus infinity for far scores, where a probability rounds to 0. Use log_softmax.
log_of_raised_softmax
    logits[counts].log_softmax(dim=-1) => (logits[counts].softmax(dim=-1) + 1e-9).log()
  A small number was added to the probabilities before the logarithm, so far scores count too little. Use log_softmax.
divided_by_all: "the mean"
    max(1, len(kl)) => max(1, len(counts))
  The sum leaves padding out, but the mean is over all rows. Divide by the number of rows that count.
nan_for_nothing: "0 if no target counts"
    kl.sum() / max(1, len(kl)) => kl.mean()
  If no target counts, the mean of nothing is NaN. The loss is 0 then.
mean_over_all_numbers
    kl.sum() / max(1, len(kl)) => kl.sum() / max(1, q.numel())
  The sum was divided by the number of tokens times the number of words. Sum over the words, and take the mean over the
  tokens.
bits: "in nats"
    return kl.sum() => return kl.sum() / math.log(2)
  This is in bits. Losses are in nats in this course: the natural logarithm.
""")
HINTS = hints("""
- Build the target distribution q of each row first: eps / V everywhere, and 1 - eps more for the right token.
- q = torch.full_like(logits, eps / V); q[rows, targets] += 1 - eps. Then the sum over the words of q log q - q log p,
  with torch.xlogy(q, q) for q log q.
- counts = targets != pad_id; kl[counts].sum() / max(1, counts.sum()); log p is logits.log_softmax(-1).
""")
task = Task(smoothed_kl, points=3, difficulty=4, minutes=25, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
