import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.tasks.ch11.shared import drawer, numbers


def kl_estimates(log_probs, reference_log_probs):
    """Return three estimates of the KL divergence from draws of the policy.

    Args:
        log_probs: of the drawn tokens under the policy, (N,), N at least 1; they may be so low that the probabilities
            themselves are rounded to 0.
        reference_log_probs: under the reference, (N,).

    Returns:
        A dict of floats with the keys "k1", "k2" and "k3".

    >>> ours, theirs = torch.tensor([0.5, 0.5]).log(), torch.tensor([0.25, 1.0]).log()
    >>> {name: round(value, 3) + 0.0 for name, value in kl_estimates(ours, theirs).items()}
    {'k1': 0.0, 'k2': 0.24, 'k3': 0.25}
    """
    log_x = reference_log_probs - log_probs
    k1, k2, k3 = -log_x, log_x**2 / 2, log_x.exp() - 1 - log_x
    return {"k1": k1.mean().item(), "k2": k2.mean().item(), "k3": k3.mean().item()}


def cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)

    def near(n: int) -> tuple[Tensor, Tensor]:
        log_probs = -draw(n).abs()
        return log_probs, log_probs + 0.6 * draw(n)

    same = -draw(5).abs()
    return [
        case("the worked example", torch.log(numbers(0.5, 0.5)), torch.log(numbers(0.25, 1.0))),
        case("eleven tokens", *near(11)),
        border("one token", *near(1)),
        border("equal policies: zero", same, same.clone()),
        border("the reference likes each token more: k1 below zero", -1 - draw(7).abs(), -draw(7).abs() * 0 - 0.5),
        case("far apart", *(5 * part for part in near(5))),
        case("float32", -single(7).abs(), -single(7).abs()),
        border("gaps of different magnitudes", numbers(-1.0, -20.0, -3.0), numbers(-1.0 - 1e-6, -3.0, -3.5)),
        border(
            "tokens so unlikely that exp gives 0", numbers(-1000.0, -2000.0, -900.0), numbers(-1000.5, -1999.0, -901.0)
        ),
        border("the policy likes each token more", numbers(-0.5, -0.25), numbers(-1.5, -2.0)),
    ]


SLIPS = mistakes("""
reversed: "Return three estimates of the KL divergence from draws of the policy"
    reference_log_probs - log_probs => log_probs - reference_log_probs
  Policy and reference are swapped. The tokens were drawn from the policy: x = ref / pi, and k1 = -log x.
sign
    = -log_x => = log_x
  k1 has the wrong sign. It is log pi - log ref, minus log x: positive on average.
not_halved
    / 2 =>
  k2 is half of the square: (log x)^2 / 2.
upside_down: "under the reference, (N,)"
    log_x.exp() - 1 - log_x => (-log_x).exp() - 1 + log_x
  k3 was made of pi / ref. x is ref / pi: its mean over the policy's own tokens is 1, and that is what keeps k3 right on
  average.
no_one
    - 1 =>
  k3 lacks the -1: for equal policies it must be 0. x - 1 - log x.
plus_log
    - 1 - log_x => - 1 + log_x
  The logarithm in k3 has the wrong sign: x - 1 - log x is never negative.
sum: "Return three estimates of the KL divergence from draws of the policy"
    k1.mean() => k1.sum()
    k2.mean() => k2.sum()
    k3.mean() => k3.sum()
  The tokens were added up; each estimate is a mean over the tokens.
tensors: "A dict of floats with the keys "k1", "k2" and "k3""
    k1.mean().item() => k1.mean()
    k2.mean().item() => k2.mean()
    k3.mean().item() => k3.mean()
  The values are tensors. Python's floats are asked for: .item().
weighted
    k1.mean() => (log_probs.exp() * k1).sum()
    k2.mean() => (log_probs.exp() * k2).sum()
    k3.mean() => (log_probs.exp() * k3).sum()
  The tokens were weighted with their probabilities. They were drawn with them already, so a plain mean is right.
ratio_of_probs: "they may be so low that the probabilities themselves are rounded to 0"
    reference_log_probs - log_probs => (reference_log_probs.exp() / log_probs.exp()).log()
  The probabilities of very unlikely tokens are rounded to 0, and 0 / 0 is not a number. Subtract the logarithms.
never_negative
    k1.mean() => k1.mean().clamp(min=0)
  k1 was kept from being negative. From a few tokens it may be: only k2 and k3 are never negative.
variance
    log_x**2 / 2 => (log_x - log_x.mean()) ** 2 / 2
  The mean of log x was taken off before squaring. k2 is half of the square of log x as it is.
""")
CLOSE = Compare(rtol=1e-4, atol=1e-6)
HINTS = hints("""
- All three are made of one number for each token: x, how much likelier it is under the reference.
- log x = reference_log_probs - log_probs. k1 = -log x, k2 = (log x)^2 / 2, k3 = x - 1 - log x.
- log_x = reference_log_probs - log_probs; k3 = (log_x.exp() - 1 - log_x).mean().item(), and so on.
""")
task = Task(kl_estimates, points=3, difficulty=3, minutes=15, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
