"""Tasks of chapter 11, third part: the pieces of PPO, reward by token, advantage, clipped gain."""

from collections.abc import Sequence
from functools import partial

import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, case
from lmcourse.tasks.rlhf import CHAPTER, drawer, numbers

# --------------------------------------------------------------------------------------------------- token_rewards


def _token_rewards(score: float, log_probs: Tensor, reference_log_probs: Tensor, beta: float) -> Tensor:
    rewards = -beta * (log_probs - reference_log_probs)
    rewards[-1] += score
    return rewards


def _token_cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)

    def some(n: int) -> Tensor:
        return -draw(n).abs()

    return [
        case("the worked example", 2.0, numbers(-1.0, -2.0), numbers(-2.0, -1.5), 0.5),
        case("seven tokens", 1.3, some(7), some(7), 0.2),
        case("a bad reply", -2.5, some(5), some(5), 0.3),
        case("one token", 0.7, some(1), some(1), 0.4),
        case("the policy is the reference: zero KL", 1.0, numbers(-1.0, -0.5, -2.0), numbers(-1.0, -0.5, -2.0), 0.2),
        case("no penalty: beta = 0", 1.5, some(3), some(3), 0.0),
        case("a reward of zero", 0.0, some(5), some(5), 1.0),
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


token_rewards = Task(
    name="token_rewards",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=10,
    cases=_token_cases,
    reference=_token_rewards,
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

# ------------------------------------------------------------------------------------------------ reply_advantages


def _advantages(
    rewards: Sequence[float], values: Sequence[float], gamma: float = 1.0, lam: float = 0.95
) -> tuple[list[float], list[float]]:
    advantages, later = [0.0] * len(rewards), 0.0
    for t in reversed(range(len(rewards))):
        next_value = values[t + 1] if t + 1 < len(values) else 0.0
        later = rewards[t] + gamma * next_value - values[t] + gamma * lam * later
        advantages[t] = later
    return advantages, [advantage + value for advantage, value in zip(advantages, values, strict=True)]


def _advantage_cases(seed: int) -> list[Case]:
    draw = drawer(seed)

    def some(n: int) -> list[float]:
        return draw(n).tolist()

    return [
        case("the worked example", [0.0, 0.0, 1.0], [0.5, 0.4, 0.6], 1.0, 0.5),
        case("seven tokens", some(7), some(7), 0.9, 0.8),
        case("gamma and lambda as usual for replies", some(5), some(5)),
        case("one token", some(1), some(1), 0.7, 0.5),
        case("no tokens", [], [], 1.0, 0.9),
        case("lambda = 0: one step ahead", some(5), some(5), 0.9, 0.0),
        case("lambda = 1: all that came", some(5), some(5), 0.9, 1.0),
        case("values of zero", some(3), [0.0, 0.0, 0.0], 1.0, 0.9),
        case("a last value that is large", [0.0, 1.0], [0.3, 40.0], 1.0, 0.5),
    ]


def _advantages_wrong(
    rewards: Sequence[float], values: Sequence[float], gamma: float = 1.0, lam: float = 0.95, *, how: str
) -> tuple[list[float], list[float]]:
    n, later = len(rewards), 0.0
    advantages = [0.0] * n
    for t in range(n) if how == "forwards" else reversed(range(n)):
        following = values[t + 1] if t + 1 < n else (values[t] if how == "repeated_end" else 0.0)
        if how == "no_next":
            following = 0.0
        delta = rewards[t] + (1.0 if how == "no_gamma" else gamma) * following - values[t]
        if how == "no_value":
            delta += values[t]
        keep = {"no_lambda": gamma, "only_lambda": lam, "no_trace": 0.0}.get(how, gamma * lam)
        later = delta + keep * later
        advantages[t] = later
    returns = [advantage + value for advantage, value in zip(advantages, values, strict=True)]
    return advantages, list(advantages) if how == "returns" else returns


def _advantages_double_sum(
    rewards: Sequence[float], values: Sequence[float], gamma: float = 1.0, lam: float = 0.95
) -> tuple[list[float], list[float]]:
    ahead = [*values[1:], 0.0]
    deltas = [r + gamma * after - v for r, after, v in zip(rewards, ahead, values, strict=False)]
    weight = gamma * lam
    advantages = [sum(weight ** (s - t) * deltas[s] for s in range(t, len(deltas))) for t in range(len(deltas))]
    return advantages, [a + v for a, v in zip(advantages, values, strict=True)]


def _advantages_by_returns(
    rewards: Sequence[float], values: Sequence[float], gamma: float = 1.0, lam: float = 0.95
) -> tuple[list[float], list[float]]:
    """TD(lambda): R_t = r_t + gamma ((1 - lam) V_{t+1} + lam R_{t+1}); the advantage is what is left above V_t."""
    returns: list[float] = []
    after, value = 0.0, 0.0
    for reward, own in zip(list(rewards)[::-1], list(values)[::-1], strict=True):
        after = reward + gamma * ((1 - lam) * value + lam * after)
        value = own
        returns.insert(0, after)
    return [r - v for r, v in zip(returns, values, strict=True)], returns


reply_advantages = Task(
    name="reply_advantages",
    chapter=CHAPTER,
    points=4,
    difficulty=4,
    minutes=30,
    cases=_advantage_cases,
    reference=_advantages,
    compare=Compare(rtol=1e-9, atol=1e-9),
    slips=(
        Slip(
            "repeated_end",
            partial(_advantages_wrong, how="repeated_end"),
            "After the last token the last value was used once more. The reply is over there: what is still to come "
            "is 0.",
        ),
        Slip(
            "no_next",
            partial(_advantages_wrong, how="no_next"),
            "The value of the next place is missing. delta = r + gamma * V(next) - V(here): what one got and what is "
            "still expected, less what was expected.",
        ),
        Slip(
            "no_value",
            partial(_advantages_wrong, how="no_value"),
            "The value of the present place was not taken off. An advantage says by how much it went better than "
            "expected.",
        ),
        Slip(
            "no_lambda",
            partial(_advantages_wrong, how="no_lambda"),
            "lambda was not used in the recursion: A_t = delta_t + gamma * lambda * A_{t+1}.",
        ),
        Slip(
            "only_lambda",
            partial(_advantages_wrong, how="only_lambda"),
            "The recursion used lambda alone. A surprise one step later is discounted as well: gamma * lambda.",
        ),
        Slip(
            "no_gamma",
            partial(_advantages_wrong, how="no_gamma"),
            "The next value was not discounted: it counts gamma times.",
        ),
        Slip(
            "no_trace",
            partial(_advantages_wrong, how="no_trace"),
            "Only the single steps came back. Each advantage adds gamma * lambda times the next place's advantage.",
        ),
        Slip(
            "forwards",
            partial(_advantages_wrong, how="forwards"),
            "The loop runs forwards, so that a token is praised for what came before it. Go from the last token to the "
            "first.",
        ),
        Slip(
            "returns",
            partial(_advantages_wrong, how="returns"),
            "The advantages are right, but the returns are not: the value should have been advantage + value.",
        ),
    ),
    alternatives=(_advantages_double_sum, _advantages_by_returns),
    hints=(
        "Start at the last token, where nothing more is to come, and walk back with one number.",
        "delta = rewards[t] + gamma * next_value - values[t], next_value 0 beyond the end. Then A_t = delta + gamma * "
        "lam * A_{t+1}.",
        "later = 0.0; for t in reversed(range(n)): later = delta_t + gamma * lam * later; advantages[t] = later. The "
        "returns are advantages plus values.",
    ),
)

# ---------------------------------------------------------------------------------------------------- clipped_loss


def _clipped(
    log_probs: Tensor, old_log_probs: Tensor, advantages: Tensor, attention_mask: Tensor, clip: float = 0.2
) -> Tensor:
    ratio = torch.exp(log_probs - old_log_probs)
    gain = torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages)
    return -gain.masked_fill(~attention_mask, 0.0).sum() / attention_mask.sum().clamp(min=1)


def _clipped_cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)
    generator = torch.Generator().manual_seed(seed + 1)

    def mask(*sizes: int) -> Tensor:
        keep = torch.rand(*sizes, generator=generator) < 0.7
        keep[0, 0] = True
        return keep

    def near(*sizes: int) -> tuple[Tensor, Tensor]:
        old = -draw(*sizes).abs()
        return old + 0.5 * draw(*sizes), old

    two = torch.tensor([[True, True]])
    start = numbers(-1.0, -1.0).view(1, 2)
    worked = (start + torch.log(numbers(1.5, 0.9)).view(1, 2), start, numbers(2.0, -1.0).view(1, 2))
    ratios = torch.log(numbers(1.5, 0.5, 1.5, 0.5)).view(1, 4)
    new, old = near(3, 7)
    graded, before = near(2, 5)
    return [
        case("the worked example", *worked, two),
        case("three replies, some places masked", new, old, draw(3, 7), mask(3, 7)),
        case("the gradient", graded.requires_grad_(True), before, draw(2, 5), mask(2, 5)),
        case("above and below, good and bad", ratios, ratios * 0, numbers(1.0, 1.0, -1.0, -1.0).view(1, 4), ratios < 9),
        case("ratio one: the plain gradient", old.clone().requires_grad_(True), old, draw(3, 7), mask(3, 7)),
        case("nobody takes part: 0", *near(2, 3), draw(2, 3), torch.zeros(2, 3, dtype=torch.bool)),
        case("one token", *near(1, 1), draw(1, 1), torch.tensor([[True]])),
        case("a wide clip", *near(2, 3), draw(2, 3), mask(2, 3), 0.5),
        case("float32", -single(2, 3).abs(), -single(2, 3).abs(), single(2, 3), mask(2, 3)),
    ]  # fmt: skip


def _clipped_wrong(
    log_probs: Tensor, old_log_probs: Tensor, advantages: Tensor, attention_mask: Tensor, clip: float = 0.2, *, how: str
) -> Tensor:
    difference = log_probs - old_log_probs
    ratio = torch.exp(-difference if how == "inverted" else difference)
    if how == "no_exp":
        ratio = 1 + difference
    bounded = ratio.clamp(1 - clip, 1 + clip)
    if how == "one_sided":
        bounded = ratio.clamp(max=1 + clip)
    gain = torch.minimum(ratio * advantages, bounded * advantages)
    if how == "max":
        gain = torch.maximum(ratio * advantages, bounded * advantages)
    if how == "no_clip":
        gain = ratio * advantages
    if how == "always":
        gain = bounded * advantages
    if how == "sign":
        gain = -gain
    if how == "everywhere":
        return -gain.mean()
    total = -gain.masked_fill(~attention_mask, 0.0).sum()
    return total if how == "sum" else total / attention_mask.sum().clamp(min=1)


def _clipped_by_cases(
    log_probs: Tensor, old_log_probs: Tensor, advantages: Tensor, attention_mask: Tensor, clip: float = 0.2
) -> Tensor:
    ratio = (log_probs - old_log_probs).exp()
    good = torch.where(ratio > 1 + clip, torch.full_like(ratio, 1 + clip), ratio)
    bad = torch.where(ratio < 1 - clip, torch.full_like(ratio, 1 - clip), ratio)
    loss = -advantages * torch.where(advantages > 0, good, bad)
    return (loss * attention_mask).sum() / max(1, int(attention_mask.sum()))


def _clipped_by_max(
    log_probs: Tensor, old_log_probs: Tensor, advantages: Tensor, attention_mask: Tensor, clip: float = 0.2
) -> Tensor:
    kept = (log_probs[attention_mask], old_log_probs[attention_mask], advantages[attention_mask])
    ratio = torch.exp(kept[0]) / torch.exp(kept[1])
    losses = torch.max(-kept[2] * ratio, -kept[2] * torch.clip(ratio, 1.0 - clip, 1.0 + clip))
    return losses.mean() if losses.numel() else losses.sum()


clipped_loss = Task(
    name="clipped_loss",
    chapter=CHAPTER,
    points=4,
    difficulty=4,
    minutes=25,
    cases=_clipped_cases,
    reference=_clipped,
    compare=Compare(rtol=1e-5, atol=1e-7, gradient=True),
    slips=(
        Slip(
            "max",
            partial(_clipped_wrong, how="max"),
            "The larger of the two gains was taken. It is the smaller one: clipping may take a gain away, never hide a "
            "loss.",
        ),
        Slip(
            "no_clip",
            partial(_clipped_wrong, how="no_clip"),
            "Nothing was clipped: a token can be pushed as far as one batch likes. Take the smaller of ratio * A and "
            "clamped ratio * A.",
        ),
        Slip(
            "always",
            partial(_clipped_wrong, how="always"),
            "Only the clamped ratio was used. Then a good token that became unlikely gets no gradient back. Take the "
            "minimum with the plain gain.",
        ),
        Slip(
            "one_sided",
            partial(_clipped_wrong, how="one_sided"),
            "Only the upper end was clamped. For a bad token it is the lower end, 1 - clip, that stops the push.",
        ),
        Slip(
            "inverted",
            partial(_clipped_wrong, how="inverted"),
            "The ratio is upside down: it is new over old, exp(log_probs - old_log_probs).",
        ),
        Slip(
            "no_exp",
            partial(_clipped_wrong, how="no_exp"),
            "The ratio of two probabilities is the exp of the difference of their logarithms, not 1 plus it.",
        ),
        Slip(
            "sign",
            partial(_clipped_wrong, how="sign"),
            "That is the gain, which should rise. A loss falls: put a minus before it.",
        ),
        Slip(
            "everywhere",
            partial(_clipped_wrong, how="everywhere"),
            "The mean was taken over all places, masked ones too. Sum where attention_mask is True and divide by how many "
            "those are.",
        ),
        Slip(
            "sum",
            partial(_clipped_wrong, how="sum"),
            "The places were added up. Divide by the number of places that take part (at least 1).",
        ),
    ),
    alternatives=(_clipped_by_cases, _clipped_by_max),
    hints=(
        "First the ratio of the new probability to the old one. Then two gains, with it as it is and with it clamped.",
        "gain = torch.minimum(ratio * A, ratio.clamp(1 - clip, 1 + clip) * A). The loss is minus its mean over the "
        "places that take part.",
        "return -gain.masked_fill(~attention_mask, 0.0).sum() / attention_mask.sum().clamp(min=1)",
    ),
)
