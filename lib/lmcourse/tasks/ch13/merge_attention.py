import torch
from torch import Tensor

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch13.shared import GRADIENTS, drawer


def merge_attention(out_a, lse_a, out_b, lse_b):
    """Merge attention over two halves of the keys into attention over all of them.

    Args:
        out_a, out_b: the outputs of T queries over either half, (T, K).
        lse_a, lse_b: the logarithm of the sum of exp(score) over either half, (T,). It is minus infinity where a query
            may see no key of a half; its output there is 0.

    Returns:
        The output over all keys, (T, K), and the logarithm of the sum of exp(score) over all keys, (T,). A query that
        sees no key at all gets 0 and minus infinity. The gradient flows through both where a query sees a key. Large
        scores must not overflow.

    >>> out, lse = merge_attention(torch.tensor([[2.0]]), torch.tensor([0.0]),
    ...                            torch.tensor([[6.0]]), torch.tensor([math.log(3)]))
    >>> round(out.item(), 3), round(lse.item(), 3)
    (5.0, 1.386)
    """
    lse = torch.logaddexp(lse_a, lse_b)
    safe = lse.masked_fill(lse == -torch.inf, 0.0)
    out = (lse_a - safe).exp()[:, None] * out_a + (lse_b - safe).exp()[:, None] * out_b
    return out, lse


@drawn(2)
def cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)
    log3 = torch.tensor([1.0986122886681098])
    zero, gone = torch.zeros(1), torch.full((1,), -torch.inf)

    def two(T: int, K: int, *, grad: bool = False, scale: float = 1.0) -> tuple[Tensor, ...]:
        parts = (draw(T, K), scale * draw(T), draw(T, K), scale * draw(T))
        return tuple(part.requires_grad_() for part in parts) if grad else parts

    out_a, lse_a, out_b, lse_b = two(3, 2)
    lse_a[1] = -torch.inf
    out_a[1] = 0.0
    none_a, none_b = lse_a.clone(), lse_b.clone()
    none_b[1] = -torch.inf
    empty_b = out_b.clone()
    empty_b[1] = 0.0
    return [
        case("the worked example", torch.tensor([[2.0]]), zero, torch.tensor([[6.0]]), log3),
        case("seven queries", *two(7, 3)),
        case("the gradients", *two(5, 2, grad=True)),
        border("scores above 1,000, where exp overflows", *two(5, 3, scale=1e3)),
        border("both sums below the smallest float", draw(3, 2), draw(3) - 2e3, draw(3, 2), draw(3) - 2e3),
        border("one half without keys for one query", out_a, lse_a, out_b, lse_b),
        border("a query that sees no key in either half", out_a, none_a, empty_b, none_b),
        border("one query without keys at all", torch.zeros(1, 2), gone, torch.zeros(1, 2), gone),
        border("equal sums: the plain mean", draw(3, 2), torch.ones(3).double(), draw(3, 2), torch.ones(3).double()),
        case("float32", single(5, 3), single(5), single(5, 3), single(5)),
    ]


SLIPS = mistakes("""
plain_mean: "Merge attention over two halves of the keys into attention over all of them"
    (lse_a - safe).exp()[:, None] * out_a + (lse_b - safe).exp()[:, None] * out_b => (out_a + out_b) / 2
  The two outputs were averaged with equal weights. The half with the larger sum of exponentials must count for more.
summed: "Merge attention over two halves of the keys into attention over all of them"
    (lse_a - safe).exp()[:, None] * out_a + (lse_b - safe).exp()[:, None] * out_b => out_a + out_b
  The two outputs were added. Each is an average of its own half: weight them so that the weights sum to 1.
weights_exchanged: "the outputs of T queries over either half, (T, K)"
    (lse_a - safe).exp()[:, None] * out_a => (lse_a - safe).exp()[:, None] * out_b
    (lse_b - safe).exp()[:, None] * out_b => (lse_b - safe).exp()[:, None] * out_a
  The weights are exchanged: each half was multiplied by the weight of the other.
logarithms_as_weights: "the logarithm of the sum of exp(score) over either half, (T,)"
    (lse_a - safe).exp()[:, None] * out_a => (lse_a / safe)[:, None] * out_a
    (lse_b - safe).exp()[:, None] * out_b => (lse_b / safe)[:, None] * out_b
  The logarithms were used as weights. The sums themselves are the weights: exp of the differences.
overflow: "Large scores must not overflow"
    torch.logaddexp(lse_a, lse_b) => (lse_a.exp() + lse_b.exp()).log()
  Right for small numbers, but exp overflows for large ones and is 0 for very negative ones. Use torch.logaddexp, or
  subtract the larger of the two first.
nobody: "It is minus infinity where a query may see no key of a half"
    lse.masked_fill(lse == -torch.inf, 0.0) => lse
  A query that sees no key became NaN: minus infinity less minus infinity. Its weights must be 0.
""")
HINTS = hints("""
- Each output is a weighted sum of values, divided by its half's sum of exponentials. Undo the division, add, and divide
  by the sum over both.
- The weights are exp(lse_a - lse) and exp(lse_b - lse), with lse = torch.logaddexp(lse_a, lse_b).
- lse = torch.logaddexp(lse_a, lse_b); safe = lse.masked_fill(lse == -torch.inf, 0.0); out = (lse_a - safe).exp()[:,
  None] * out_a + (lse_b - safe).exp()[:, None] * out_b
""")
task = Task(
    merge_attention, points=3, difficulty=3, minutes=25, cases=cases, compare=GRADIENTS, slips=SLIPS, hints=HINTS
)
