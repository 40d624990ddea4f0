import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.tasks.ch11.shared import drawer


def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    """Return the mean DPO loss of comparisons, with the mean log-ratio of a token as the reward of a reply, in nats.

    It stays finite however far the policy has gone.

    Args:
        log_probs: of the tokens under the policy, (2N, T): the N chosen replies, then the N rejected ones, in the same
            order.
        reference_log_probs: the same under the reference.
        completion_mask: True where a token belongs to the reply, (2N, T), at least once in each row. Whatever numbers
            stand at the others, they do not matter.
        beta: strength of the tie.

    Returns:
        A tensor without dimensions. The gradient must flow to log_probs.

    >>> log_probs, reference = torch.tensor([[-1.0, -2.0], [-3.0, 0.0]]), torch.tensor([[-2.0, -2.0], [-2.5, 0.0]])
    >>> mask = torch.tensor([[True, True], [True, False]])
    >>> round(dpo_comparison_loss(log_probs, reference, mask, beta=2.0).item(), 3)
    0.127
    """
    log_ratio = (log_probs - reference_log_probs).masked_fill(~completion_mask, 0.0)  # (2N, T)
    chosen, rejected = (log_ratio.sum(dim=1) / completion_mask.sum(dim=1)).chunk(2)  # (N,) each
    return -F.logsigmoid(beta * (chosen - rejected)).mean()


def cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)
    generator = torch.Generator().manual_seed(seed + 1)

    def nats(*sizes: int, grad: bool = False) -> Tensor:
        return (-draw(*sizes).abs()).requires_grad_(grad)

    def mask(rows: int, width: int) -> Tensor:
        lengths = torch.randint(1, width + 1, (rows, 1), generator=generator)
        lengths[0], lengths[-1] = 1, width
        return torch.arange(width) < lengths

    def rows(*values: list[float]) -> Tensor:
        return torch.tensor(values, dtype=torch.float64)

    two_one = torch.tensor([[True, True], [True, False]])
    whole = torch.ones(2, 1, dtype=torch.bool)
    four = rows([-1.0, -2.0, -0.5], [-3.0, -1.0, -9.0], [-2.0, -2.0, -2.0], [-0.5, -7.0, -7.0])
    base = rows([-1.5, -1.0, -1.0], [-2.0, -2.0, -1.0], [-1.0, -3.0, -1.0], [-1.5, -1.0, -3.0])
    of_four = torch.tensor([[1, 1, 1], [1, 1, 0], [1, 1, 1], [1, 0, 0]]).bool()
    long_short = torch.arange(9) < torch.tensor([[9], [1]])
    far, near, infinite = rows([-5000.0], [-1.0]), rows([-1.0], [-1.0]), rows([-1, -2], [-3, -torch.inf])
    same = nats(4, 3)
    return [
        case("the worked example", rows([-1, -2], [-3, 0]), rows([-2, -2], [-2.5, 0]), two_one, 2.0),
        case("seven pairs", nats(14, 5), nats(14, 5), mask(14, 5), 1.0),
        case("beta not given", nats(6, 4), nats(6, 4), mask(6, 4)),
        case("the gradients", nats(10, 3, grad=True), nats(10, 3), mask(10, 3), 1.5),
        case("the gradients of two pairs in a fixed order", four.clone().requires_grad_(), base, of_four, 0.5),
        case("two pairs, beta not given", four, base, of_four),
        case("a mask with the prompt at the beginning", nats(4, 5), nats(4, 5), torch.arange(5).expand(4, 5) > 1, 2.0),
        case("float32", -single(6, 3).abs(), -single(6, 3).abs(), mask(6, 3), 0.7),
        border("the policy is the reference", same, same.clone(), mask(4, 3), 2.0),
        border("a long chosen reply and a short rejected one", nats(2, 9), nats(2, 9), long_short),
        border("no padding anywhere", four, base, torch.ones(4, 3, dtype=torch.bool), 0.5),
        border("far from the reference: no overflow", far, near, whole, 1.0),
        border("the gradients far from the reference", far.clone().requires_grad_(), near, whole, 1.0),
        border(
            "minus infinity at padding", infinite.requires_grad_(), rows([-2, -2], [-2.5, -torch.inf]), two_one, 2.0
        ),
        border("a small beta", four, base, of_four, 0.001),
    ]


SLIPS = mistakes("""
sums: "the mean log-ratio of a token as the reward of a reply"
    / completion_mask.sum(dim=1) =>
  The log-ratios of a reply were added up, as in DPO's own loss. Here a reply's reward is their mean, so that a long
  reply counts no more than a short one.
infinite_padding: "Whatever numbers stand at the others, they do not matter"
    .masked_fill(~completion_mask, 0.0) => * completion_mask
  At padding the numbers may be infinite, and infinity times 0 is NaN. Choose the tokens, or fill the others with 0.
every_other_row: "the N chosen replies, then the N rejected ones"
    chosen, rejected = (log => rewards = (log
    ).chunk(2)  # (N,) each => )
    |    chosen, rejected = rewards[::2], rewards[1::2]
  Chosen and rejected replies were taken in turns. The first N rows are the chosen ones, the last N the rejected ones.
no_reference: "the same under the reference"
    (log_probs - reference_log_probs) => log_probs
  The reference was left out. What counts is by how much the policy has moved: log pi - log ref, of each token.
no_beta: "strength of the tie"
    beta * (chosen - rejected) => (chosen - rejected)
  beta was not used. It says how much reward a nat from the reference is.
sum
    ).mean() => ).sum()
  The pairs were added up; the loss is the mean over the pairs.
overflow: "It stays finite however far the policy has gone"
    F.logsigmoid(beta * (chosen - rejected)) => (beta * (chosen - rejected)).sigmoid().log()
  Far from the reference the exp overflows, or the sigmoid is rounded to 0, and the loss is infinite. logsigmoid does
  both in one step.
mean_first
    F.logsigmoid(beta * (chosen - rejected)).mean() => F.logsigmoid((beta * (chosen - rejected)).mean())
  The margins were averaged before the logarithm. Each pair has a loss of its own; average those.
""")
CLOSE = Compare(rtol=1e-5, atol=1e-7, gradient=True)
HINTS = hints("""
- First make one number of each row: the reward of that reply. Then it is Bradley and Terry's loss once more.
- The reward is the mean of log_probs - reference_log_probs over the tokens of the reply: fill the others with 0, add up
  each row, divide by the row's number of tokens. chunk(2) gives the chosen half and the rejected half.
- log_ratio = (log_probs - reference_log_probs).masked_fill(~completion_mask, 0.0); chosen, rejected = (log_ratio.sum(1)
  / completion_mask.sum(1)).chunk(2); return -F.logsigmoid(beta * (chosen - rejected)).mean()
""")
task = Task(
    dpo_comparison_loss, points=3, difficulty=3, minutes=25, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS
)
