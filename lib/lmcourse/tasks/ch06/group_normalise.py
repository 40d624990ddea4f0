import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch05.shared import double
from lmcourse.tasks.ch06.shared import CLOSE, draw


def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    """Return the norm over groups of neighbouring features: each group has a mean and a variance of its own.

    Args:
        x: a tensor (..., D); there may be no tokens at all. Large numbers that differ by little keep their digits.
        gain, bias: tensors (D,), gamma and beta, one number a feature.
        num_groups: G. The first D / G features are group 0, the next D / G group 1, and so on; with one group this is
            layer norm.
        eps: added to the variance.

    Returns:
        A tensor of the shape of x.

    Raises:
        ValueError: G is below 1 or does not divide D.

    >>> x = torch.tensor([1.0, 3.0, -5.0, 5.0])
    >>> [round(value, 3) for value in group_normalise(x, torch.ones(4), torch.zeros(4), 2).tolist()]
    [-1.0, 1.0, -1.0, 1.0]
    """
    D = x.shape[-1]
    if num_groups < 1 or D % num_groups:
        raise ValueError(f"`num_groups` must be at least 1 and divide the width {D}, got {num_groups}.")
    groups = x.unflatten(-1, (num_groups, D // num_groups))  # (..., G, D / G)
    centred = groups - groups.mean(dim=-1, keepdim=True)
    variance = centred.pow(2).mean(dim=-1, keepdim=True)
    return gain * (centred / (variance + eps).sqrt()).flatten(-2) + bias


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def learned(D: int, dtype: torch.dtype = torch.float64) -> tuple[Tensor, Tensor]:
        return draw(rng, D, dtype=dtype), draw(rng, D, dtype=dtype)

    magnitudes = double([[1e4], [1.0], [1e-2], [1e-30]])
    return [
        case("the worked example", double([1, 3, -5, 5]), double([1, 1, 1, 1]), double([0, 0, 0, 0]), 2),
        case("seven tokens, two groups of three", draw(rng, 7, 6), *learned(6), 2),
        case("a batch of sentences, three groups", 3 * draw(rng, 2, 5, 12) + 2, *learned(12), 3),
        case("one group: layer norm", draw(rng, 7, 5), *learned(5), 1),
        case("as many sentences as tokens and features", draw(rng, 4, 4, 4), *learned(4), 2),
        border("one token as a vector", 2 * draw(rng, 6) - 1, *learned(6), 3),
        border("equal numbers, whose variance is 0", double([[4, 4, 4, 1, 2, 3]]), *learned(6), 2),
        border("one token, each of its features a group", draw(rng, 1, 5), *learned(5), 5),
        border("one feature, whose variance is 0", draw(rng, 3, 1), *learned(1), 1),
        case("small numbers, where eps matters", 0.01 * draw(rng, 3, 6), *learned(6), 2, 1e-3),
        case("eps given by name", 0.1 * draw(rng, 3, 8), *learned(8), 2, eps=0.01),
        border("tokens of different magnitudes", magnitudes * draw(rng, 4, 6), *learned(6), 2),
        border("numbers near a million, which differ by little", 1e6 + draw(rng, 3, 6), *learned(6), 2),
        border("an empty sentence", torch.zeros(0, 4, dtype=torch.float64), *learned(4), 2),
        border("a batch of empty sentences", torch.zeros(2, 0, 6, dtype=torch.float64), *learned(6), 3),
        case("float32", draw(rng, 5, 12, dtype=torch.float32), *learned(12, torch.float32), 4),
        case("groups that do not divide the width", draw(rng, 2, 6), *learned(6), 4),
        border("more groups than features", draw(rng, 2, 3), *learned(3), 6),
        border("no groups", draw(rng, 2, 4), *learned(4), 0),
        border("fewer than no groups", draw(rng, 2, 4), *learned(4), -2),
        border("groups that do not divide the width, and no tokens", draw(rng, 0, 3), *learned(3), 2),
    ]


SLIPS = mistakes("""
layer_norm: "each group has a mean and a variance of its own"
    (num_groups, D // num_groups) => (1, D)
  Mean and variance run over all D features: this is layer norm, with one group. Here each group of D / G features has
  its own.
one_variance: "each group has a mean and a variance of its own"
    pow(2).mean(dim=-1, keepdim=True) => pow(2).mean(dim=(-1, -2), keepdim=True)
  Each group has its own mean here, but one variance was taken over all D features of a token. Each group has its own.
over_the_sentence: "each group has a mean and a variance of its own"
    groups.mean(dim=-1, keepdim=True) => groups.mean(dim=(-1, -3) if x.dim() > 1 else -1, keepdim=True)
    pow(2).mean(dim=-1, keepdim=True) => pow(2).mean(dim=(-1, -3) if x.dim() > 1 else -1, keepdim=True)
  Mean and variance of a group run over the whole sentence. Each token has its own: its numbers must not depend on its
  neighbours.
sample_variance
    pow(2).mean(dim=-1, keepdim=True) => pow(2).sum(dim=-1, keepdim=True) / (D // num_groups - 1)
  The variance was divided by one less than the size of a group (torch's `var` does that by default). Divide by D / G.
mean_of_squares: "Large numbers that differ by little keep their digits"
    variance = centred.pow(2).mean(dim=-1, keepdim=True) =>
        variance = groups.pow(2).mean(dim=-1, keepdim=True) - groups.mean(dim=-1, keepdim=True).pow(2)
  The variance was computed as the mean square minus the square of the mean. For large numbers the two are nearly equal
  and their difference is rounding. Subtract the mean first, then square.
eps_outside: "added to the variance"
    (variance + eps).sqrt() => (variance.sqrt() + eps)
  eps was added to the standard deviation, outside of the root. It belongs to the variance, under the root.
no_eps: "added to the variance"
    (variance + eps) => variance
  eps is missing: a token whose numbers are all equal gives 0 / 0. Add eps to the variance.
eps_ignored: "added to the variance"
    (variance + eps) => (variance + 1e-5)
  eps is 1e-5 whatever the argument says. Add `eps`.
""")
HINTS = hints("""
- Layer norm takes the mean and the variance over the last axis. Give x another shape, so that a group is the last axis.
- x.unflatten(-1, (G, D // G)) is (..., G, D / G). Normalise over the last axis, with keepdim=True, then join the two
  axes again: gain and bias have D numbers.
- g = x.unflatten(-1, (G, D // G)); c = g - g.mean(-1, keepdim=True); n = c / ((c**2).mean(-1, keepdim=True) +
  eps).sqrt(); return gain * n.flatten(-2) + bias. Check first that G divides D.
""")
task = Task(group_normalise, points=2, difficulty=3, minutes=20, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
