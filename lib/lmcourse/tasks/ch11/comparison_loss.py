import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.tasks.ch11.shared import drawer, leaf, numbers


def comparison_loss(first, second, votes_first, votes_second):
    """Return the mean loss of the votes of people who compared pairs of replies, in nats.

    It stays finite for rewards that are far apart.

    Args:
        first, second: rewards of the two replies of each pair, (N,).
        votes_first, votes_second: how many people preferred the first reply, and the second one, 0 or more, (N,), of
            the element type of the rewards. They may disagree. A pair without votes does not count; there is at least
            one vote.

    Returns:
        A tensor without dimensions, the mean over all votes. The gradient must flow to the rewards.

    >>> rewards, votes = torch.tensor([math.log(3), 0.0]), torch.tensor([2.0, 1.0])
    >>> round(comparison_loss(rewards[:1], rewards[1:], votes[:1], votes[1:]).item(), 3)
    0.654
    """
    margin = first - second
    total = votes_first * F.logsigmoid(margin) + votes_second * F.logsigmoid(-margin)
    return -total.sum() / (votes_first + votes_second).sum()


def cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)
    generator = torch.Generator().manual_seed(seed + 1)

    def votes(*sizes: int) -> Tensor:
        return torch.randint(1, 9, sizes, generator=generator).double()

    one, none = numbers(1.0), numbers(0.0)
    return [
        case("the worked example", numbers(1.0986122886681098), none, numbers(2.0), one),
        case("seven pairs", draw(7), draw(7), votes(7), votes(7)),
        case("the gradients", draw(5, grad=True), draw(5, grad=True), votes(5), votes(5)),
        case("the gradients of pairs in a fixed order", leaf(1, -2), leaf(0, 1), numbers(3, 1), numbers(1, 4)),
        case("float32", single(5), single(5), votes(5).float(), votes(5).float()),
        border("one pair has no votes", numbers(1.0, 7.0), numbers(0.0, -3.0), numbers(2.0, 0.0), numbers(1.0, 0.0)),
        border("the gradients where one pair has no votes", leaf(1, 7), leaf(0, -3), numbers(2, 0), numbers(1, 0)),
        border("equal rewards", numbers(0.4, 0.4), numbers(0.4, 0.4), numbers(1.0, 2.0), numbers(0.0, 2.0)),
        border("rewards far apart: no overflow", numbers(-900, 900), numbers(100, 0), numbers(1, 1), numbers(0, 0)),
        border("the gradients of rewards far apart", leaf(-900, 900), leaf(100, 0), numbers(1, 1), numbers(0, 2)),
        border("large rewards that are close", 1e6 + numbers(0, 1), 1e6 - numbers(1, 0), numbers(1, 1), numbers(0, 2)),
    ]


SLIPS = mistakes("""
swapped: "Return the mean loss of the votes of people who compared pairs of replies, in nats"
    margin = first - second => margin = second - first
  The two replies are swapped: the loss falls when the reply with fewer votes earns more. A vote for the first reply has
  probability sigmoid(first - second).
majority: "They may disagree"
    votes_first * F.logsigmoid(margin) + votes_second * F.logsigmoid(-margin) =>
        (votes_first + votes_second) * F.logsigmoid(margin * (votes_first - votes_second).sign())
  Only the majority of each pair was counted. The votes of the others count: they keep the reward from running away.
share_as_target: "A pair without votes does not count"
    return -total.sum() / (votes_first + votes_second).sum() => votes = votes_first + votes_second
    |    return -(total / votes.clamp(min=1)).mean()
  Each pair counted once, whatever the number of its votes, and one without votes counted as 0. Add up all votes and
  divide once.
no_log: "Return the mean loss of the votes of people who compared pairs of replies, in nats"
    F.logsigmoid(margin) => (margin.sigmoid() - 1)
    F.logsigmoid(-margin) => ((-margin).sigmoid() - 1)
  That is one minus the probability. The loss is minus its logarithm: a sure mistake must cost much.
overflow: "It stays finite for rewards that are far apart"
    F.logsigmoid(margin) => margin.sigmoid().log()
    F.logsigmoid(-margin) => (1 - margin.sigmoid()).log()
  For rewards far apart the sigmoid is rounded to 0 or 1, and the loss is infinite or not a number. logsigmoid does both
  in one step, without rounding in between.
cut_off: "It stays finite for rewards that are far apart"
    margin = first - second => margin = (first - second).clamp(-100, 100)
  The differences were cut off at 100. Rewards may be farther apart, and the loss grows with the difference.
""")
CLOSE = Compare(rtol=1e-5, atol=1e-7, gradient=True)
HINTS = hints("""
- What does a single vote for the first reply cost, and what does one for the second? How many are there of each?
- A vote for the first costs -log sigmoid(first - second), a vote for the second -log sigmoid(second - first). torch has
  the logarithm of the sigmoid as one function. Add up all votes, and divide by their number.
- margin = first - second; total = votes_first * F.logsigmoid(margin) + votes_second * F.logsigmoid(-margin); return
  -total.sum() / (votes_first + votes_second).sum()
""")
task = Task(comparison_loss, points=2, difficulty=2, minutes=15, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
