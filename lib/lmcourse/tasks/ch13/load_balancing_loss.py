import torch
import torch.nn.functional as F

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch05.shared import double
from lmcourse.tasks.ch13.shared import GRADIENTS, drawer


def load_balancing_loss(logits):
    """Return the loss that keeps the experts' shares even.

    Each token goes to the expert with its largest logit.

    Args:
        logits: of the router, (N, E); N and E are at least 1, and no two logits of a token are equal.

    Returns:
        A tensor without dimensions. Its gradient flows through the probabilities.

    >>> even = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    >>> round(load_balancing_loss(even).item(), 3)
    1.0
    >>> round(load_balancing_loss(torch.tensor([[math.log(3), 0.0]])).item(), 3)
    1.5
    """
    num_experts = logits.shape[-1]
    probs = logits.softmax(dim=-1)
    shares = F.one_hot(logits.argmax(dim=-1), num_experts).to(probs).mean(dim=0)
    return num_experts * (shares * probs.mean(dim=0)).sum()


@drawn(3)
def cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)
    worked = torch.tensor([[1.0, 0.0], [0.0, 1.0]], dtype=torch.float64)
    return [
        case("the worked example", worked),
        case("seven tokens, five experts", draw(7, 5)),
        case("the gradients", draw(11, 3, grad=True)),
        border("one token", draw(1, 5)),
        border("an expert that no token chooses", draw(7, 3) - double([0, 9.0, 0])),
        case("a token that is less sure than the others", double([[4.0, 0, 1], [0.2, 0, 0.1], [0, 5.0, 1]])),
        border("large logits, whose exp overflows", 1e3 * draw(5, 4)),
        border("negative logits", -5 - draw(5, 3).abs()),
        case("float32", single(13, 4)),
        border("the gradients where one expert takes all", (draw(5, 3) + double([9.0, 0, 0])).requires_grad_()),
        case("more experts than tokens", draw(3, 11)),
        border(
            "two logits that differ by very little", torch.tensor([[1.0, 1.0 + 1e-10], [5.0, 0.0]], dtype=torch.float64)
        ),
    ]


SLIPS = mistakes("""
no_factor: "Return the loss that keeps the experts' shares even"
    return num_experts * => return
  The factor E is missing, or the mean over the experts was taken in place of the sum. With both right the loss is 1
  when all experts are used alike, however many there are.
probabilities_twice
    shares * probs.mean(dim=0) => probs.mean(dim=0) ** 2
  The mean probabilities were squared. One of the two factors is the share of the tokens that the expert really gets.
softmax_over_tokens: "of the router, (N, E)"
    logits.softmax(dim=-1) => logits.softmax(dim=0)
  The softmax runs over the tokens. The probabilities of one token over the experts must sum to 1.
logits_averaged: "A tensor without dimensions"
    shares * probs.mean(dim=0) => shares * logits.mean(dim=0).softmax(dim=-1)
  The logits were averaged over the tokens, and then the softmax was taken. Take each token's probabilities first, then
  their mean.
summed_over_tokens: "Return the loss that keeps the experts' shares even"
    shares * probs.mean(dim=0) => shares * probs.sum(dim=0)
  The probabilities, or the choices, were added up over the tokens, so that the loss grows with their number. Take the
  mean of both.
cut_off: "Its gradient flows through the probabilities"
    logits.softmax(dim=-1) => logits.detach().softmax(dim=-1)
  No gradient reaches the router. Leave the probabilities as they are: no detach, no .item().
overflow
    logits.softmax(dim=-1) => logits.exp() / logits.exp().sum(dim=-1, keepdim=True)
  exp of a large logit is infinite, and infinity by infinity is NaN. softmax subtracts the maximum first.
""")
HINTS = hints("""
- You need two numbers for each expert: the share of the tokens that go to it, and its mean probability.
- F.one_hot(logits.argmax(-1), E) has a 1 where a token goes; its mean over the tokens is the shares.
- probs = logits.softmax(-1); shares = F.one_hot(logits.argmax(-1), E).to(probs).mean(0); return E * (shares *
  probs.mean(0)).sum()
""")
task = Task(
    load_balancing_loss, points=2, difficulty=2, minutes=20, cases=cases, compare=GRADIENTS, slips=SLIPS, hints=HINTS
)
