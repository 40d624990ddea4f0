import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.tasks.ch11.shared import drawer, numbers


def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    """Return the estimate of the gradient of the expected reward, from pulls that an older policy made.

    Each pull is weighted with the ratio of its probability under the policy to that under the older one. Logits may be
    so large that exp overflows, and probabilities so small that they are rounded to 0.

    Args:
        logits: of the arms under the policy, (K,).
        old_logits: under the policy that pulled, (K,).
        arms: which arm was pulled, whole numbers (N,).
        rewards: what each pull earned, (N,).
        baseline: b, which is taken off each reward.

    Returns:
        (K,), the mean over the pulls.

    >>> old = torch.tensor([0.5, 0.25, 0.25]).log()
    >>> found = reinforce_gradient(torch.zeros(3), old, torch.tensor([0, 2]), torch.tensor([1.0, 0.0]), 0.4)
    >>> [round(value, 3) for value in found.tolist()]
    [0.222, 0.022, -0.244]
    """
    score = F.one_hot(arms, len(logits)) - logits.softmax(dim=0)  # (N, K)
    ratio = (logits.log_softmax(dim=0) - old_logits.log_softmax(dim=0))[arms].exp()  # (N,)
    return ((ratio * (rewards - baseline)).unsqueeze(1) * score).mean(dim=0)


def cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)
    generator = torch.Generator().manual_seed(seed + 1)

    def arms(n: int, count: int) -> Tensor:
        return torch.randint(n, (count,), generator=generator)

    half = numbers(0.5, 0.25, 0.25).log()
    two, third = torch.tensor([0, 2]), torch.tensor([2, 0, 0, 1])
    new, old = numbers(1.0, 0.0, -1.0), numbers(0.0, 0.5, -2.0)
    rewards, same = numbers(1.0, -2.0, 3.0, 0.5), draw(4)
    far, rare = numbers(1e4, 0.0, -1e4), numbers(0.0, -3.0, -9.0)
    return [
        case("the worked example", numbers(0, 0, 0), half, two, numbers(1.0, 0.0), 0.4),
        case("eleven pulls of five arms", draw(5), draw(5), arms(5, 11), draw(11), 0.3),
        case("pulls in a fixed order", new, old, third, rewards, 0.25),
        case("old logits that are no log-probabilities", numbers(0, 0, 0), half + 3, two, numbers(1.0, 0.0), 0.4),
        case("an arm that was never pulled", new, old, torch.tensor([0, 2, 2, 0]), numbers(1.0, 0.5, -1.0, 2.0), 0.1),
        case("float32", single(5), single(5), arms(5, 3), single(3), 0.1),
        border("the old policy is the new one", same, same.clone(), arms(4, 7), draw(7), 0.2),
        border("no baseline given", new, old, third, rewards),
        border("one arm", draw(1), draw(1), arms(1, 5), draw(5), 0.2),
        border("rewards equal to the baseline", draw(3), draw(3), arms(3, 5), torch.full((5,), 0.5).double(), 0.5),
        border("negative rewards", draw(3), draw(3), arms(3, 7), -1 - draw(7).abs(), -1.0),
        border("the same arm at every pull", new, old, torch.tensor([1, 1, 1]), numbers(1.0, 0.0, 3.0), 0.5),
        border("logits near 1,000, where exp overflows", 1000 + new, 990 + old, third, rewards, 0.3),
        border("one logit far above the others", far, far.clone(), torch.arange(3), numbers(1, 2, 3), 0.5),
        border("an arm that the old policy hardly ever pulled", new, rare, third, numbers(1, 2, 3, 4), 0.5),
        border("a baseline below 0", draw(3), draw(3), arms(3, 5), draw(5), -2.0),
    ]


SLIPS = mistakes("""
no_ratio: "Each pull is weighted with the ratio of its probability under the policy to that under the"
    ratio * (rewards - baseline) => (rewards - baseline)
  The pulls were not weighted, as if the policy itself had made them. An arm that the older policy pulled too often must
  count less: weight with p / p_old of the arm.
old_score: "of the arms under the policy, (K,)"
    - logits.softmax(dim=0) => - old_logits.softmax(dim=0)
  The derivative was taken at the older policy. It is the policy that learns: one-hot minus its own probabilities.
rounded_to_zero: "probabilities so small that they are rounded to 0"
    log_softmax(dim=0) - old_logits.log_softmax(dim=0))[arms].exp() => softmax(dim=0) / old_logits.softmax(dim=0))[arms]
  A probability that is rounded to 0 gives 0 / 0, which is not a number, or infinity. Subtract the log_softmax of both,
  and take exp of the difference.
weights_sum_to_one
    .mean(dim=0) => .sum(dim=0) / ratio.sum()
  The sum was divided by the sum of the weights. Divide by the number of pulls: that estimate is right on average.
no_baseline: "b, which is taken off each reward"
    (rewards - baseline) => rewards
  The baseline was not used. Take it off each reward; the estimate stays right on average and scatters less.
no_probs: "Return the estimate of the gradient of the expected reward, from pulls that an older policy made"
    - logits.softmax(dim=0) =>
  Only the pulled arm was moved. The derivative of log p(arm) is 1 - p for the pulled arm and -p for every other:
  one-hot minus probabilities.
written_once: "which arm was pulled, whole numbers (N,)"
    return ((ratio * (rewards - baseline)).unsqueeze(1) * score).mean(dim=0) =>
        total = -(ratio * (rewards - baseline)).sum() * logits.softmax(dim=0)
    |    total[arms] += ratio * (rewards - baseline)
    |    return total / len(arms)
  total[arms] += ... writes an arm that comes several times only once. Use index_add_, or a one-hot vector for each
  pull.
""")
CLOSE = Compare(rtol=1e-5, atol=1e-7)
HINTS = hints("""
- For one pull: by how much did it beat the baseline, and how does the log-probability of that arm change with each
  logit? And how much oftener would the policy have pulled that arm than the older one?
- The derivative of log softmax(logits)[arm] is a one-hot vector at the arm minus the probabilities. The weight is the
  exp of the difference of the two log_softmax at the arm.
- score = F.one_hot(arms, len(logits)) - logits.softmax(0); ratio = (logits.log_softmax(0) -
  old_logits.log_softmax(0))[arms].exp(); return ((ratio * (rewards - baseline)).unsqueeze(1) * score).mean(0)
""")
task = Task(
    reinforce_gradient, points=3, difficulty=3, minutes=25, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS
)
