import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.tasks.ch11.shared import drawer, numbers


def token_rewards(score, log_probs, reference_log_probs, beta):
    """Return the reward of each token of one reply.

    Args:
        score: the judge's number for the reply, a float.
        log_probs: of its tokens under the policy, (T,), T at least 1.
        reference_log_probs: under the reference, (T,).
        beta: strength of the penalty, a float.

    Returns:
        (T,).

    >>> token_rewards(2.0, torch.tensor([-1.0, -2.0]), torch.tensor([-2.0, -1.5]), 0.5).tolist()
    [-0.5, 2.25]
    """
    rewards = -beta * (log_probs - reference_log_probs)
    rewards[-1] += score
    return rewards


def cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)

    def some(n: int) -> Tensor:
        return -draw(n).abs()

    return [
        case("the worked example", 2.0, numbers(-1.0, -2.0), numbers(-2.0, -1.5), 0.5),
        case("seven tokens", 1.3, some(7), some(7), 0.2),
        case("a bad reply", -2.5, some(5), some(5), 0.3),
        border("one token", 0.7, some(1), some(1), 0.4),
        border("no penalty: beta = 0", 1.5, some(3), some(3), 0.0),
        border("a reward of zero", 0.0, some(5), some(5), 1.0),
        case("float32", 1.0, -single(3).abs(), -single(3).abs(), 0.1),
        case("a large beta", -1.0, some(3), some(3), 10.0),
        border("one token, which the reference would not say", 1.0, numbers(-0.5), numbers(-30.0), 0.1),
        border("a whole number as the score", 2, some(3), some(3), 0.5),
        border(
            "certain tokens, whose log-probability is 0", 1.0, numbers(-1.0, 0.0, 0.0), numbers(-2.0, -0.5, 0.0), 0.5
        ),
        border("only certain tokens", 1.0, numbers(0.0, 0.0), numbers(0.0, 0.0), 0.5),
    ]


SLIPS = mistakes("""
sign: "under the reference, (T,)"
    -beta => beta
  The penalty has the wrong sign: a token that is likelier under the policy than under the reference must cost, -beta
  (log pi - log ref).
everywhere: "the judge's number for the reply, a float"
    rewards[-1] += score => rewards += score
  Every token got the reply's reward. The reward model judges the whole reply: its number comes once, with the last
  token.
spread
    rewards[-1] += score => rewards += score / len(rewards)
  The reply's reward was shared out over its tokens. Nobody knows which token earned it: it comes with the last one, and
  the value function shares it out.
first
    rewards[-1] += score => rewards[0] += score
  The reward came with the first token. It is known when the reply is finished: with the last token.
at_the_end: "(T,)"
    rewards[-1] += score => rewards = torch.eye(len(rewards))[-1].to(rewards) * (rewards.sum() + score)
  The penalty of the whole reply was put on the last token. Each token can pay its own: that says which one strayed.
free_end
    rewards[-1] += score => rewards[-1] = score
  The last token got the reward and paid no penalty. It gets both.
probs: "of its tokens under the policy, (T,), T at least 1"
    (log_probs - reference_log_probs) => (log_probs.exp() - reference_log_probs.exp())
  Probabilities were subtracted. The penalty is the difference of their logarithms: its mean is the KL.
no_score: "the judge's number for the reply, a float"
    rewards[-1] += score => pass
  The judge's score is missing. It comes with the last token, on top of that token's penalty.
score_times_beta
    rewards[-1] += score => rewards[-1] += beta * score
  The score was multiplied by beta. Only the penalty is.
no_beta: "strength of the penalty, a float"
    -beta * => -
  beta was not used. It says how much straying from the reference costs.
mean_penalty
    (log_probs - reference_log_probs) => (log_probs - reference_log_probs).mean().repeat(len(log_probs))
  Every token pays the same penalty, the mean. Each pays its own.
upwards_only
    (log_probs - reference_log_probs) => (log_probs - reference_log_probs).clamp(min=0)
  Only tokens that have become likelier pay. A token that is less likely than under the reference earns: the difference
  counts with its sign.
no_certain_tokens
    rewards[-1] => rewards[max([t for t, value in enumerate(log_probs.tolist()) if value != 0], default=0)]
  A token with the log-probability 0 was taken for padding. It is a certain token; there is no padding here, and the
  last token is the last entry.
""")
CLOSE = Compare(rtol=1e-5, atol=1e-7)
HINTS = hints("""
- Two parts: what each token pays for straying from the reference, and what the reply earns when it is done.
- Each token's part is -beta * (log_probs - reference_log_probs). Where does the score belong?
- rewards = -beta * (log_probs - reference_log_probs); rewards[-1] += score; return rewards
""")
task = Task(token_rewards, points=2, difficulty=2, minutes=10, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
