import math

import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch05.shared import marks
from lmcourse.tasks.ch11.shared import drawer, numbers


def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    """Return PPO's policy loss, clipped twice: a bad token's loss stops growing at `most` times its advantage.

    Args:
        log_probs: of the tokens, under the policy that is trained, (B, T).
        old_log_probs: under the policy that drew them, (B, T).
        advantages: (B, T).
        attention_mask: True where a token takes part, (B, T). Whatever numbers stand at the others, they do not matter.
        clip: epsilon, the bound of the ratio on both sides of 1.
        most: c, above 1 + clip. Where the advantage is negative, the gain of a token is not less than c times it.

    Returns:
        A tensor without dimensions, the mean over all tokens that take part. The gradient must flow to log_probs. If
        none takes part: 0, computed from log_probs like any other loss, so that their gradient is 0, too.

    >>> ratio, A = torch.tensor([[1.5, 0.9]]), torch.tensor([[2.0, -1.0]])
    >>> loss = clipped_loss(ratio.log(), torch.zeros(1, 2), A, torch.tensor([[True, True]]))
    >>> round(loss.item(), 3)
    -0.75
    >>> five, bad = torch.tensor([[5.0]]), torch.tensor([[-1.0]])
    >>> round(clipped_loss(five.log(), torch.zeros(1, 1), bad, torch.tensor([[True]])).item(), 3)
    3.0
    """
    ratio = (log_probs - old_log_probs).masked_fill(~attention_mask, 0.0).exp()
    gain = torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages)
    gain = torch.where(advantages < 0, torch.maximum(gain, most * advantages), gain)
    return -gain.masked_fill(~attention_mask, 0.0).sum() / attention_mask.sum().clamp(min=1)


@drawn(8)
def cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)
    generator = torch.Generator().manual_seed(seed + 1)

    def mask(*sizes: int) -> Tensor:
        takes_part = torch.rand(*sizes, generator=generator) < 0.7
        takes_part[0, 0] = True
        return takes_part

    def near(*sizes: int) -> tuple[Tensor, Tensor]:
        old = -draw(*sizes).abs()
        return old + 0.5 * draw(*sizes), old

    def row(*values: float) -> Tensor:
        return numbers(*values).view(1, -1)

    def square(*values: float) -> Tensor:
        return numbers(*values).view(2, 2)

    nan, inf, two = math.nan, math.inf, marks("11")
    start = row(-1.0, -1.0)
    worked = (start + torch.log(numbers(1.5, 0.9)).view(1, 2), start, row(2.0, -1.0))
    ratios = torch.log(numbers(1.5, 0.5, 1.5, 0.5)).view(1, 4)
    far = torch.log(numbers(2.9, 3.1, 5.0, 5.0)).view(1, 4)
    signs = row(-1.0, -2.0, -0.5, 1.0)
    one_alone = worked[0].log_softmax(1).repeat(2, 1), -square(1, 2, 3, 4)
    four = torch.log(square(1.5, 0.5, 1.1, 3.0)).requires_grad_(), torch.zeros(2, 2).double()
    far_padding = row(-1.0, 0.0, -2.0).requires_grad_(), row(-1.5, -5000.0, -1.0)
    no_numbers = row(-1.0, nan, -2.0).requires_grad_(), row(-1.5, 0.0, -1.0)
    new, old = near(3, 7)
    graded, before = near(2, 5)
    return [
        case("the worked example", *worked, two),
        case("bad and good tokens of high ratio", far, 0 * far, signs, ratios < 9),
        case("another bound for bad tokens", far, 0 * far, signs, ratios < 9, 0.2, 4.0),
        case("another bound for bad tokens, and a wide clip", far, 0 * far, signs, ratios < 9, 0.5, 2.0),
        case("the gradients of high ratios", far.clone().requires_grad_(), 0 * far, signs, ratios < 9),
        border("a ratio of just c", row(0.0), row(0.0) - numbers(3.0).log(), -row(1.0), two[:, :1]),
        border("a bad token of ratio e to the power of 90", row(90.0, 0.0), row(0.0, 0.0), row(-2.0, 1.0), two),
        case("three replies, some tokens masked", new, old, draw(3, 7), mask(3, 7)),
        case("the gradient", graded.requires_grad_(True), before, draw(2, 5), mask(2, 5)),
        border("above and below, good and bad", ratios, 0 * ratios, row(1, 1, -1, -1), ratios < 9),
        border("ratio one: the plain gradient", old.clone().requires_grad_(True), old, draw(3, 7), mask(3, 7)),
        border("nobody takes part: 0", *near(2, 3), draw(2, 3), torch.zeros(2, 3, dtype=torch.bool)),
        border("one reply has no token that takes part", *one_alone, square(1, -1, 2, 3), marks("11 00")),
        border("one token", *near(1, 1), draw(1, 1), marks("1")),
        case("a wide clip", *near(2, 3), draw(2, 3), mask(2, 3), 0.5),
        case("float32", -single(2, 3).abs(), -single(2, 3).abs(), single(2, 3), mask(2, 3)),
        case("four tokens and a mask in a fixed order", *four, square(1, -2, 3, 5), marks("11 10")),
        border("advantages of different magnitudes", *near(1, 3), row(1e4, 1e-30, -1e4), marks("111")),
        case("a narrow clip", *near(2, 3), draw(2, 3), mask(2, 3), 0.01),
        border("a clip of 0", *near(2, 3), draw(2, 3), mask(2, 3), 0.0),
        border("ratios far from 1", row(-1.0, -30.0), row(-25.0, -1.0), row(-1.0, 1.0), two),
        border("padding that is far from its old log-probability", *far_padding, row(1, 3, -1), marks("101")),
        border("nobody takes part, and no numbers stand there", row(nan, inf), row(0, nan), row(1, inf), ~two),
        border("the gradient where padding holds no numbers", *no_numbers, row(1, nan, -1), marks("101")),
    ]


SLIPS = mistakes("""
one_clip: "Return PPO's policy loss, clipped twice: a bad token's loss stops growing at `most` times its"
    torch.where(advantages < 0, torch.maximum(gain, most * advantages), gain) => gain
  That is PPO's loss, clipped once. A bad token whose ratio is high is still pushed without limit: there, take the
  larger of the gain and c times the advantage.
bound_for_all: "Where the advantage is negative"
    torch.where(advantages < 0, torch.maximum(gain, most * advantages), gain) => torch.maximum(gain, most * advantages)
  The bound was applied to good tokens, too, whose gain it makes c times the advantage. It is only for tokens with a
  negative advantage.
always_three: "c, above 1 + clip"
    most * advantages => 3.0 * advantages
  The bound is 3 whatever was passed. Use the argument; 3 is only its default.
one_sided: "epsilon, the bound of the ratio on both sides of 1"
    clamp(1 - clip, 1 + clip) => clamp(max=1 + clip)
  Only the upper end was clamped. For a bad token it is the lower end, 1 - clip, that stops the push.
divided_by_all: "A tensor without dimensions, the mean over all tokens that take part"
    attention_mask.sum().clamp(min=1) => attention_mask.numel()
  The sum was divided by the number of all positions, padding among them. Divide by the number of tokens that take part.
by_row: "A tensor without dimensions, the mean over all tokens that take part"
    -gain.masked_fill(~attention_mask, 0.0).sum() / attention_mask.sum().clamp(min=1) =>
        -(gain.masked_fill(~attention_mask, 0.0).sum(1) / attention_mask.sum(1).clamp(min=1)).mean()
  The mean was taken for each reply, and then over the replies. All tokens that take part count alike: add them all and
  divide once.
empty_reply_is_one: "the mean over all tokens that take part"
    attention_mask.sum().clamp(min=1) => attention_mask.sum(1).clamp(min=1).sum()
  A reply in which no token takes part was counted as one token. Count all tokens that take part first; only where that
  is 0 for the whole batch a 1 is needed.
zero_from_nowhere: "If none takes part: 0, computed from log_probs like any other loss, so that their gradient is"
    return -gain => if not attention_mask.any():
    |        return torch.tensor(0.0)
    |    return -gain
  Where no token takes part a new 0 was returned, which does not depend on log_probs: loss.backward() fails on it. Sum
  over nothing and divide by 1; that is 0, too.
infinite_padding: "Whatever numbers stand at the others, they do not matter"
    .masked_fill(~attention_mask, 0.0).exp() => .exp()
    gain.masked_fill(~attention_mask, 0.0).sum() => (gain * attention_mask).sum()
  At padding the ratio may be infinite, and infinity times 0 is not a number. Choose the tokens that take part first, or
  fill the others in before the exp.
""")
CLOSE = Compare(rtol=1e-5, atol=1e-7, gradient=True)
HINTS = hints("""
- First the ratio of the new probability to the old one. Then two gains, with it as it is and with it clamped. And last,
  what is the worst that a bad token may count?
- gain = torch.minimum(ratio * A, ratio.clamp(1 - clip, 1 + clip) * A); where A is negative, the larger of that and most
  * A. The loss is minus its mean over the tokens that take part.
- gain = torch.where(A < 0, torch.maximum(gain, most * A), gain); return -gain.masked_fill(~attention_mask, 0.0).sum() /
  attention_mask.sum().clamp(min=1)
""")
task = Task(clipped_loss, points=4, difficulty=4, minutes=25, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
