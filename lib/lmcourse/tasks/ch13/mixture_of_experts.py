import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch05.shared import double
from lmcourse.tasks.ch13.shared import GRADIENTS, drawer


def mixture_of_experts(x, router, up, down, k):
    """Return what the k best experts of each token say.

    Large scores must not overflow.

    Args:
        x: tokens, (N, D); N may be 0.
        router: (D, E); no two of a token's scores are equal.
        up: the first matrices of the experts, (E, D, F).
        down: the second ones, (E, F, D).
        k: 1 to E.

    Returns:
        (N, D). The gradient must flow through it, to the router too.

    >>> one = torch.ones(1, 1)
    >>> up = torch.tensor([1.0, 2.0, 5.0]).view(3, 1, 1)
    >>> scores = torch.tensor([[0.0, math.log(3), -9.0]])
    >>> round(mixture_of_experts(one, scores, up, torch.ones(3, 1, 1), 2).item(), 3)
    1.75
    """
    scores, chosen = (x @ router).topk(k, dim=-1)
    shares = scores.softmax(dim=-1)
    result = torch.zeros_like(x)
    for expert in range(len(up)):
        rows, rank = (chosen == expert).nonzero(as_tuple=True)  # the tokens that chose this one
        answers = F.relu(x[rows] @ up[expert]) @ down[expert]
        result = result.index_add(0, rows, shares[rows, rank, None] * answers)
    return result


@drawn(3)
def cases(seed: int) -> list[Case]:
    draw = drawer(seed)

    def drawn(N: int, D: int, E: int, F_: int, grad: bool = False) -> tuple[Tensor, ...]:
        return tuple(draw(*shape, grad=grad) for shape in ((N, D), (D, E), (E, D, F_), (E, F_, D)))

    single = drawer(seed, torch.float32)
    one = torch.ones(1, 1, dtype=torch.float64)
    experts = double([1.0, 2.0, 5.0]).view(3, 1, 1), torch.ones(3, 1, 1).double()
    return [
        case("the worked example", one, double([[0.0, 1.0986122886681098, -9.0]]), *experts, 2),
        case("seven tokens, five experts, two of them each", *drawn(7, 3, 5, 11), 2),
        case("three of five", *drawn(5, 2, 5, 3), 3),
        case("the gradients", *drawn(5, 3, 4, 2, grad=True), 2),
        border("one expert for each token", *drawn(5, 3, 4, 2), 1),
        border("all experts for every token, none left out", *drawn(5, 3, 3, 2), 3),
        border("no tokens", *drawn(0, 3, 5, 2), 2),
        case("float32", single(5, 3), single(3, 4), single(4, 3, 2), single(4, 2, 3), 2),
        border("large scores, whose exp overflows", draw(3, 2), 1e4 * draw(2, 4), *drawn(3, 2, 4, 3)[2:], 2),
        border("the gradients where all experts work", *drawn(3, 2, 3, 2, grad=True), 3),
        border("an input whose rows do not lie in a row", draw(3, 5).T, *drawn(5, 3, 4, 2)[1:], 2),
        border("all scores near -1e10 and below", one, double([[-3e10, -1e10, -1e10 - 1.0]]), *experts, 2),
    ]


SLIPS = mistakes("""
all_experts: "Return what the k best experts of each token say"
    .topk(k, => .topk(len(up),
  Every expert worked on every token. Only the k with the highest scores do; that is what saves the work.
not_renormalised: "Return what the k best experts of each token say"
    scores.softmax(dim=-1) => (x @ router).softmax(dim=-1).gather(1, chosen)
  The shares are those of a softmax over all experts, so the k that are used sum to less than 1. Take the softmax over
  their k scores.
least_likely
    topk(k, dim=-1) => topk(k, dim=-1, largest=False)
  The k experts with the lowest scores were chosen. Take the highest.
no_relu: "the first matrices of the experts, (E, D, F)"
    F.relu(x[rows] @ up[expert]) @ down[expert] => x[rows] @ up[expert] @ down[expert]
  The relu between the two matrices is missing: without it an expert is a single linear map.
router_cut_off: "The gradient must flow through it, to the router too"
    scores.softmax(dim=-1) => scores.detach().softmax(dim=-1)
  No gradient reaches the router, so that it never learns. Leave the scores as they are: no detach, no .item(), no
  torch.no_grad().
relu_twice
    F.relu(x[rows] @ up[expert]) @ down[expert] => F.relu(F.relu(x[rows] @ up[expert]) @ down[expert])
  relu was applied after the second matrix too. It stands between the two only: relu(x U) D.
over_tokens: "tokens, (N, D)"
    scores.softmax(dim=-1) => scores.softmax(dim=0)
  The softmax runs over the tokens. It must run over the k scores of each token, the last axis.
overflow: "Large scores must not overflow"
    scores.softmax(dim=-1) => scores.exp() / scores.exp().sum(dim=-1, keepdim=True)
  exp of a large score is infinite, and infinity by infinity is NaN. softmax subtracts the maximum first.
""")
HINTS = hints("""
- First for one token: which k experts have the highest scores, and what are their shares?
- (x @ router).topk(k, dim=-1) gives scores and numbers of the experts; softmax the scores. Then go through the experts,
  or through the tokens, and add share * answer.
- scores, chosen = (x @ router).topk(k, -1); shares = scores.softmax(-1); for e in range(len(up)): rows, rank = (chosen
  == e).nonzero(as_tuple=True); result = result.index_add(0, rows, shares[rows, rank, None] * (F.relu(x[rows] @ up[e]) @
  down[e]))
""")
task = Task(
    mixture_of_experts, points=4, difficulty=4, minutes=30, cases=cases, compare=GRADIENTS, slips=SLIPS, hints=HINTS
)
