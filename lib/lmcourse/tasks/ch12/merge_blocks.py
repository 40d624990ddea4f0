import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch12.shared import drawer


def merge_blocks(first, second):
    """Return the online softmax of two blocks of keys together, from what is kept of each.

    Of a block of scores s_j with values v_j is kept, for each query: m, the largest score; l, the sum of
    exp(s_j - m); and o, the sum of exp(s_j - m) v_j. Of a block in which a query sees no key, m is minus infinity, and
    l and o are 0. Large scores must not overflow.

    Args:
        first, second: each a tuple (m, l, o) of tensors (T, 1), (T, 1) and (T, Kv).

    Returns:
        (m, l, o) of both blocks together.

    >>> zero, one = torch.zeros(1, 1), torch.ones(1, 1)
    >>> m, l, o = merge_blocks((zero, one, 5 * one), (math.log(3) * one, one, one))
    >>> round(m.exp().item(), 3), round(l.item(), 3), round(o.item(), 3)
    (3.0, 1.333, 2.667)
    """
    m = torch.maximum(first[0], second[0])
    base = m.masked_fill(m == -torch.inf, 0.0)  # minus infinity less itself would be NaN
    factors = [(part[0] - base).exp() for part in (first, second)]
    l, o = (factors[0] * first[n] + factors[1] * second[n] for n in (1, 2))
    return m, l, o


Kept = tuple[Tensor, Tensor, Tensor]


def _kept(scores: Tensor, values: Tensor) -> Kept:
    m = scores.amax(dim=-1, keepdim=True)
    raised = (scores - m.masked_fill(m == -torch.inf, 0.0)).exp()
    return m, raised.sum(dim=-1, keepdim=True), raised @ values


@drawn(3)
def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    zero, one = torch.zeros(1, 1).double(), torch.ones(1, 1).double()
    hidden = draw(5, 3)
    hidden[1:3] = -torch.inf
    empty = torch.full((5, 4), -torch.inf, dtype=torch.float64)
    same = draw(5, 3)
    return [
        case("the worked example", (zero, one, 5 * one), (1.0986122886681098 * one, one, one)),
        case("blocks of three and five keys", _kept(draw(7, 3), draw(3, 2)), _kept(draw(7, 5), draw(5, 2))),
        case("as many queries as keys", _kept(draw(5, 5), draw(5, 5)), _kept(draw(5, 5), draw(5, 5))),
        case("a larger second block", _kept(draw(5, 2), draw(2, 3)), _kept(draw(5, 7) + 3, draw(7, 3))),
        border("large scores, whose exp overflows", *(_kept(900 * draw(5, 3), draw(3, 2)) for _ in range(2))),
        border("the same largest score in both", _kept(same, draw(3, 2)), _kept(same.flip(1), draw(3, 2))),
        border("queries that see no key of the first block", _kept(hidden, draw(3, 2)), _kept(draw(5, 4), draw(4, 2))),
        border("queries that see no key of the second block", _kept(draw(5, 4), draw(4, 2)), _kept(hidden, draw(3, 2))),
        border("queries that see no key at all", _kept(hidden, draw(3, 2)), _kept(empty, draw(4, 2))),
        border("one query", _kept(draw(1, 3), draw(3, 5)), _kept(draw(1, 3), draw(3, 5))),
        border("largest scores near -1e10", (zero - 1e10, one, 5 * one), (zero - 1e10 - 1, one, 3 * one)),
    ]


SLIPS = mistakes("""
not_rescaled: "Return the online softmax of two blocks of keys together, from what is kept of each"
    factors[0] * first[n] + factors[1] * second[n] => first[n] + second[n] + 0 * sum(factors)
  The sums were added as they are. Each was taken relative to its own largest score: rescale both to the new one first.
only_the_first: "Return the online softmax of two blocks of keys together, from what is kept of each"
    factors[1] * second[n] => second[n]
  Only the first block was rescaled. That is right where the second has the larger score, and nowhere else.
already_divided: "and o, the sum of exp(s_j - m) v_j"
    return m, l, o => return m, l, o / l.clamp(min=1e-300)
  The values were divided by l already. That is done once, at the very end: another block may follow.
nan: "Of a block in which a query sees no key, m is minus infinity, and l and o are 0"
    m.masked_fill(m == -torch.inf, 0.0) => m
  A query that sees no key in either block becomes NaN: minus infinity less minus infinity. Its l and o are 0.
overflow: "Large scores must not overflow"
    m.masked_fill(m == -torch.inf, 0.0) => 0.0 * m.masked_fill(m == -torch.inf, 0.0)
    return m, l, o => return m, l / m.exp().clamp(min=1e-300), o / m.exp().clamp(min=1e-300)
  Right for small scores, but the exponential of a large one overflows. Subtract the new largest score first.
""")
CLOSE = Compare(rtol=1e-6, atol=1e-9)
HINTS = hints("""
- What must the sum of exp(s - m1) be multiplied by to become the sum of exp(s - m)?
- By exp(m1 - m), the same for l and o. Then both blocks are on one scale and can be added.
- m = torch.maximum(m1, m2); a, b = (m1 - m).exp(), (m2 - m).exp(); l = a l1 + b l2, o = a o1 + b o2; mind rows where m
  is minus infinity
""")
task = Task(merge_blocks, points=3, difficulty=4, minutes=25, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
