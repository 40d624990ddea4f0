import torch

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.tasks.ch11.shared import drawer, numbers


def expected_reward_gradient(logits, rewards):
    """Return the expected reward and its gradient with respect to the logits.

    Large logits must not overflow.

    Args:
        logits: of the arms, (K,).
        rewards: what each arm earns, (K,).

    Returns:
        J, a tensor without dimensions, and the gradient, (K,).

    >>> J, gradient = expected_reward_gradient(torch.zeros(3), torch.tensor([1.0, 0.2, 0.0]))
    >>> round(J.item(), 3), [round(value, 3) for value in gradient.tolist()]
    (0.4, [0.2, -0.067, -0.133])
    """
    probs = logits.softmax(dim=0)
    J = (probs * rewards).sum()
    return J, probs * (rewards - J)


def cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)
    return [
        case("the worked example", numbers(0, 0, 0), numbers(1.0, 0.2, 0.0)),
        case("seven arms", draw(7), draw(7)),
        case("arms of unequal probability", numbers(2.0, -1.0, 0.0), draw(3)),
        border("one arm", draw(1), draw(1)),
        border("equal rewards", draw(5), torch.full((5,), 0.7, dtype=torch.float64)),
        border("an arm that is never pulled", numbers(0.3, -800.0, 0.1), draw(3)),
        border("negative rewards", draw(3), -1 - draw(3).abs()),
        case("float32", single(5), single(5)),
        border("logits near 1,000, where exp overflows", 1000 + draw(5), draw(5)),
        border("logits near -1,000, where exp gives 0", -1000 + draw(3), draw(3)),
        border("one logit far above the others", numbers(1e4, 0.0, -1e4), numbers(1.0, 2.0, 3.0)),
        border("rewards of zero", draw(3), torch.zeros(3, dtype=torch.float64)),
    ]


SLIPS = mistakes("""
no_mean: "Return the expected reward and its gradient with respect to the logits"
    probs * (rewards - J) => probs * rewards
  The mean reward was not taken off. Raising one logit lowers all the other probabilities, and that is what the mean
  stands for: p * (r - J).
no_probs: "Return the expected reward and its gradient with respect to the logits"
    probs * (rewards - J) => rewards - J
  An arm that is hardly ever pulled got as large a gradient as any other. Weigh r - J with the arm's probability.
plain_mean: "what each arm earns, (K,)"
    (probs * rewards).sum() => rewards.mean()
  J is the mean that the policy earns, each reward weighed with its arm's probability, not the plain mean of the
  rewards.
sign
    rewards - J => J - rewards
  The sign is turned around: this is the gradient of a loss. The reward is to rise, so an arm above the mean has a
  positive entry.
own_arm_only
    probs * (rewards - J) => probs * (1 - probs) * rewards
  Only the arm's own probability was followed. Raising one logit lowers the probabilities of all other arms, too: sum
  over all of them.
overflow: "Large logits must not overflow"
    logits.softmax(dim=0) => logits.exp() / logits.exp().sum()
  exp of a large logit is infinite, and infinity by infinity is NaN. softmax subtracts the maximum first.
one_number: "J, a tensor without dimensions, and the gradient, (K,)"
    return J, => return J.item(),
  J came back as a Python number. A tensor without dimensions is asked for.
plain_baseline
    rewards - J => rewards - rewards.mean()
  The plain mean of the rewards was taken off. Take off J, in which each reward is weighted with its arm's probability.
shifted_to_zero
    probs * (rewards - J) => probs * rewards - J / len(rewards)
  The mean of p r was taken off, the same from every arm. From each arm p J is taken off, more from the likelier ones: p
  * (r - J).
""")
CLOSE = Compare(rtol=1e-5, atol=1e-7)
HINTS = hints("""
- Begin with J, the sum over the arms of probability times reward. How does a probability change with a logit?
- The derivative of p_j with respect to logit i is p_j (1 - p_i) if j = i, and -p_j p_i if not. Sum r_j times that over
  j.
- probs = logits.softmax(0); mean = (probs * rewards).sum(); return mean, probs * (rewards - mean)
""")
task = Task(
    expected_reward_gradient, points=2, difficulty=2, minutes=15, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS
)
