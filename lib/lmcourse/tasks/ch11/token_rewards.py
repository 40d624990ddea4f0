"""Exercise `token_rewards`."""

from functools import partial

import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
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
        border("the policy is the reference: zero KL", 1.0, numbers(-1.0, -0.5, -2.0), numbers(-1.0, -0.5, -2.0), 0.2),
        border("no penalty: beta = 0", 1.5, some(3), some(3), 0.0),
        border("a reward of zero", 0.0, some(5), some(5), 1.0),
        case("float32", 1.0, -single(3).abs(), -single(3).abs(), 0.1),
    ]


def _token_wrong(score: float, log_probs: Tensor, reference_log_probs: Tensor, beta: float, *, how: str) -> Tensor:
    ratio = log_probs - reference_log_probs
    if how == "probs":
        ratio = log_probs.exp() - reference_log_probs.exp()
    if how == "absolute":
        ratio = ratio.abs()
    rewards = (beta if how == "sign" else -beta) * ratio
    if how == "at_the_end":
        rewards = torch.cat([torch.zeros_like(ratio[:-1]), rewards.sum().reshape(1)])
    if how == "free_end":
        rewards[-1] = 0.0
    if how == "everywhere":
        return rewards + score
    if how == "spread":
        return rewards + score / len(rewards)
    rewards[0 if how == "first" else -1] += score
    return rewards


def _token_by_cat(score: float, log_probs: Tensor, reference_log_probs: Tensor, beta: float) -> Tensor:
    penalty = beta * (reference_log_probs - log_probs)
    last = torch.zeros_like(penalty)
    last[len(last) - 1] = score
    return penalty + last


def _token_by_loop(score: float, log_probs: Tensor, reference_log_probs: Tensor, beta: float) -> Tensor:
    rewards = []
    for t, (ours, theirs) in enumerate(zip(log_probs, reference_log_probs, strict=True), start=1):
        rewards.append(beta * theirs - beta * ours + (score if t == len(log_probs) else 0.0))
    return torch.stack(rewards)


task = Task(
    token_rewards,
    points=2,
    difficulty=2,
    minutes=10,
    cases=cases,
    compare=Compare(rtol=1e-5, atol=1e-7),
    slips=(
        Slip(
            "sign",
            partial(_token_wrong, how="sign"),
            "The penalty has the wrong sign: a token that is likelier under the policy than under the reference must "
            "cost, -beta (log pi - log ref).",
        ),
        Slip(
            "everywhere",
            partial(_token_wrong, how="everywhere"),
            "Every token got the reply's reward. The reward model judges the whole reply: its number comes once, with "
            "the last token.",
        ),
        Slip(
            "spread",
            partial(_token_wrong, how="spread"),
            "The reply's reward was shared out over its tokens. Nobody knows which token earned it: it comes with the "
            "last one, and the value function shares it out.",
        ),
        Slip(
            "first",
            partial(_token_wrong, how="first"),
            "The reward came with the first token. It is known when the reply is finished: with the last token.",
        ),
        Slip(
            "at_the_end",
            partial(_token_wrong, how="at_the_end"),
            "The penalty of the whole reply was put on the last token. Each token can pay its own: that says which one "
            "strayed.",
        ),
        Slip(
            "free_end",
            partial(_token_wrong, how="free_end"),
            "The last token got the reward and paid no penalty. It gets both.",
        ),
        Slip(
            "probs",
            partial(_token_wrong, how="probs"),
            "Probabilities were subtracted. The penalty is the difference of their logarithms: its mean is the KL.",
        ),
        Slip(
            "absolute",
            partial(_token_wrong, how="absolute"),
            "Tokens that are less likely than under the reference were charged as well. They earn: only the mean over "
            "the policy's own tokens, the KL, is never negative.",
        ),
    ),
    alternatives=(_token_by_cat, _token_by_loop),
    hints=(
        "Two parts: what each token pays for straying from the reference, and what the reply earns when it is done.",
        "Each token's part is -beta * (log_probs - reference_log_probs). Where does the score belong?",
        "rewards = -beta * (log_probs - reference_log_probs); rewards[-1] += score; return rewards",
    ),
)
