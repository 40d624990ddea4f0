"""Tasks of chapter 11, first part: the gradient of an expected reward, by sum and by sample; a reply's probability."""

from collections.abc import Callable
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, case

CHAPTER = "11_rlhf"


def drawer(seed: int, dtype: torch.dtype = torch.float64) -> Callable[..., Tensor]:
    """Return a function that draws tensors of the given sizes, for cases."""
    generator = torch.Generator().manual_seed(seed)

    def draw(*sizes: int, grad: bool = False) -> Tensor:
        return torch.randn(*sizes, generator=generator, dtype=dtype).requires_grad_(grad)

    return draw


def numbers(*values: float) -> Tensor:
    """Return the values as float64."""
    return torch.tensor(values, dtype=torch.float64)


# ---------------------------------------------------------------------------------------- expected_reward_gradient


def _expected(logits: Tensor, rewards: Tensor) -> tuple[Tensor, Tensor]:
    probs = logits.softmax(dim=0)
    mean = (probs * rewards).sum()
    return mean, probs * (rewards - mean)


def _expected_cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)
    return [
        case("the worked example", numbers(0, 0, 0), numbers(1.0, 0.2, 0.0)),
        case("seven arms", draw(7), draw(7)),
        case("arms of unequal probability", numbers(2.0, -1.0, 0.0), draw(3)),
        case("one arm", draw(1), draw(1)),
        case("equal rewards", draw(5), torch.full((5,), 0.7, dtype=torch.float64)),
        case("an arm that is never pulled", numbers(0.3, -800.0, 0.1), draw(3)),
        case("negative rewards", draw(3), -1 - draw(3).abs()),
        case("float32", single(5), single(5)),
    ]


def _expected_wrong(logits: Tensor, rewards: Tensor, *, how: str) -> tuple[Tensor, Tensor]:
    probs = logits.softmax(0)
    if how == "uniform":
        probs = torch.full_like(logits, 1 / len(logits))
    mean = (probs * rewards).sum()
    gradient = probs * (rewards - mean)
    if how == "plain_mean":
        mean = rewards.mean()
        gradient = probs * (rewards - mean)
    if how == "no_mean":
        gradient = probs * rewards
    if how == "no_probs":
        gradient = rewards - mean
    if how == "sign":
        gradient = -gradient
    if how == "of_probs":
        gradient = rewards.clone()
    if how == "log_probs":
        gradient = rewards * (1 - probs)
    return mean, gradient


def _expected_jacobian(logits: Tensor, rewards: Tensor) -> tuple[Tensor, Tensor]:
    weights = torch.exp(logits - logits.max())
    probs = weights / weights.sum()
    jacobian = torch.diag(probs) - torch.outer(probs, probs)
    return probs @ rewards, jacobian @ rewards


def _expected_autograd(logits: Tensor, rewards: Tensor) -> tuple[Tensor, Tensor]:
    with torch.enable_grad():
        leaf = logits.detach().clone().requires_grad_(True)
        mean = torch.dot(F.softmax(leaf, 0), rewards)
        (gradient,) = torch.autograd.grad(mean, leaf)
    return mean.detach(), gradient


expected_reward_gradient = Task(
    name="expected_reward_gradient",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=15,
    cases=_expected_cases,
    reference=_expected,
    compare=Compare(rtol=1e-5, atol=1e-7),
    slips=(
        Slip(
            "no_mean",
            partial(_expected_wrong, how="no_mean"),
            "The mean reward was not taken off. Raising one logit lowers all the other probabilities, and that is "
            "what the mean stands for: p * (r - J).",
        ),
        Slip(
            "no_probs",
            partial(_expected_wrong, how="no_probs"),
            "An arm that is hardly ever pulled got as large a gradient as any other. Weigh r - J with the arm's "
            "probability.",
        ),
        Slip(
            "plain_mean",
            partial(_expected_wrong, how="plain_mean"),
            "J is the mean that the policy earns, each reward weighed with its arm's probability, not the plain mean "
            "of the rewards.",
        ),
        Slip(
            "uniform",
            partial(_expected_wrong, how="uniform"),
            "All arms were taken to be equally likely. The probabilities are the softmax of the logits.",
        ),
        Slip(
            "sign",
            partial(_expected_wrong, how="sign"),
            "The sign is turned around: this is the gradient of a loss. The reward is to rise, so an arm above the "
            "mean has a positive entry.",
        ),
        Slip(
            "of_probs",
            partial(_expected_wrong, how="of_probs"),
            "That is the derivative with respect to the probabilities. Go on through the softmax, to the logits.",
        ),
        Slip(
            "log_probs",
            partial(_expected_wrong, how="log_probs"),
            "That is r times the derivative of each arm's own log-probability, without the arms' probabilities and "
            "without what it does to the other arms. Sum over all arms, weighed with p.",
        ),
    ),
    alternatives=(_expected_jacobian, _expected_autograd),
    hints=(
        "Begin with J, the sum over the arms of probability times reward. How does a probability change with a logit?",
        "The derivative of p_j with respect to logit i is p_j (1 - p_i) if j = i, and -p_j p_i if not. Sum r_j times "
        "that over j.",
        "probs = logits.softmax(0); mean = (probs * rewards).sum(); return mean, probs * (rewards - mean)",
    ),
)

# ---------------------------------------------------------------------------------------------- reinforce_gradient


def _reinforce(logits: Tensor, arms: Tensor, rewards: Tensor, baseline: float = 0.0) -> Tensor:
    score = F.one_hot(arms, len(logits)).to(logits.dtype) - logits.softmax(0)  # (N, K)
    return ((rewards - baseline).unsqueeze(1) * score).mean(0)


def _reinforce_cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)
    generator = torch.Generator().manual_seed(seed + 1)

    def arms(n: int, count: int) -> Tensor:
        return torch.randint(n, (count,), generator=generator)

    return [
        case("the worked example", numbers(0, 0, 0), torch.tensor([0, 2]), numbers(1.0, 0.0), 0.4),
        case("eleven pulls of five arms", draw(5), arms(5, 11), draw(11), 0.3),
        case("no baseline given", draw(3), arms(3, 7), draw(7)),
        case("one pull", draw(5), arms(5, 1), draw(1), -0.5),
        case("one arm", draw(1), arms(1, 5), draw(5), 0.2),
        case("rewards equal to the baseline", draw(3), arms(3, 5), torch.full((5,), 0.5, dtype=torch.float64), 0.5),
        case("negative rewards", draw(3), arms(3, 7), -1 - draw(7).abs(), -1.0),
        case("float32", single(5), arms(5, 3), single(3), 0.1),
    ]


def _reinforce_wrong(logits: Tensor, arms: Tensor, rewards: Tensor, baseline: float = 0.0, *, how: str) -> Tensor:
    probs = logits.softmax(0)
    pulled = F.one_hot(arms, len(logits)).to(logits.dtype)
    gain = (rewards - (0.0 if how == "no_baseline" else baseline)).unsqueeze(1)
    if how == "added":
        gain = (rewards + baseline).unsqueeze(1)
    score = pulled - probs
    if how == "no_probs":
        score = pulled
    if how == "of_prob":
        score = score * probs[arms].unsqueeze(1)
    if how == "divided":
        score = score / probs[arms].unsqueeze(1)
    terms = gain * score
    if how == "sum":
        return terms.sum(0)
    return -terms.mean(0) if how == "sign" else terms.mean(0)


def _reinforce_loop(logits: Tensor, arms: Tensor, rewards: Tensor, baseline: float = 0.0) -> Tensor:
    probs = torch.softmax(logits, dim=-1)
    total = torch.zeros_like(logits)
    for arm, reward in zip(arms.tolist(), rewards, strict=True):
        total -= (reward - baseline) * probs
        total[arm] += reward - baseline
    return total / len(rewards)


def _reinforce_autograd(logits: Tensor, arms: Tensor, rewards: Tensor, baseline: float = 0.0) -> Tensor:
    with torch.enable_grad():
        leaf = logits.detach().clone().requires_grad_(True)
        log_probs = leaf.log_softmax(0)[arms]
        surrogate = torch.mean(log_probs * (rewards - baseline))
        return torch.autograd.grad(surrogate, leaf)[0]


reinforce_gradient = Task(
    name="reinforce_gradient",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=20,
    cases=_reinforce_cases,
    reference=_reinforce,
    compare=Compare(rtol=1e-5, atol=1e-7),
    slips=(
        Slip(
            "no_baseline",
            partial(_reinforce_wrong, how="no_baseline"),
            "The baseline was not used. Take it off each reward; the estimate stays right on "
            "average and scatters less.",
        ),
        Slip(
            "added",
            partial(_reinforce_wrong, how="added"),
            "The baseline was added. What counts is by how much a pull beat it: reward - baseline.",
        ),
        Slip(
            "no_probs",
            partial(_reinforce_wrong, how="no_probs"),
            "Only the pulled arm was moved. The derivative of log p(arm) is 1 - p for the pulled arm and -p for every "
            "other: one-hot minus probabilities.",
        ),
        Slip(
            "of_prob",
            partial(_reinforce_wrong, how="of_prob"),
            "That is the derivative of the probability, not of its logarithm. A pull is drawn with its probability "
            "already: weighing it once more counts it twice.",
        ),
        Slip(
            "divided",
            partial(_reinforce_wrong, how="divided"),
            "The pulls were divided by their probability on top of the logarithm. Its derivative has that division in "
            "it already.",
        ),
        Slip(
            "sum",
            partial(_reinforce_wrong, how="sum"),
            "The pulls were added up. The estimate is their mean, so that it does not grow with the number of pulls.",
        ),
        Slip(
            "sign",
            partial(_reinforce_wrong, how="sign"),
            "The sign is turned around: an arm that did better than the baseline must become likelier.",
        ),
    ),
    alternatives=(_reinforce_loop, _reinforce_autograd),
    hints=(
        "For one pull: by how much did it beat the baseline, and how does the log-probability of that arm change with "
        "each logit?",
        "The derivative of log softmax(logits)[arm] is a one-hot vector at the arm minus the probabilities.",
        "score = F.one_hot(arms, len(logits)) - logits.softmax(0); return ((rewards - baseline).unsqueeze(1) * "
        "score).mean(0)",
    ),
)

# -------------------------------------------------------------------------------------------------- reply_log_prob


def _log_prob(logits: Tensor, ids: Tensor, attention_mask: Tensor) -> Tensor:
    of_ids = logits.log_softmax(dim=-1).gather(-1, ids.unsqueeze(-1)).squeeze(-1)  # (B, T)
    return of_ids.masked_fill(~attention_mask, 0.0).sum(1)


def _log_prob_cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)
    generator = torch.Generator().manual_seed(seed + 1)

    def ids(*sizes: int, vocab: int) -> Tensor:
        return torch.randint(vocab, sizes, generator=generator)

    def lengths(*values: int, T: int) -> Tensor:
        return torch.arange(T) < torch.tensor(values).unsqueeze(1)

    worked = torch.tensor([[[0.0, 0.0], [1.0986122886681098, 0.0], [5.0, 0.0]]], dtype=torch.float64)
    return [
        case("the worked example", worked, torch.tensor([[1, 0, 0]]), torch.tensor([[True, True, False]])),
        case("three replies of unequal length", draw(3, 7, 5), ids(3, 7, vocab=5), lengths(7, 2, 5, T=7)),
        case("the gradient", draw(2, 5, 3, grad=True), ids(2, 5, vocab=3), lengths(3, 5, T=5)),
        case("one token", draw(2, 1, 7), ids(2, 1, vocab=7), lengths(1, 1, T=1)),
        case("a fully masked reply", draw(2, 3, 5), ids(2, 3, vocab=5), lengths(3, 0, T=3)),
        case("padding on the left", draw(2, 5, 3), ids(2, 5, vocab=3), lengths(2, 4, T=5).flip(1)),
        case("float32", single(2, 3, 11), ids(2, 3, vocab=11), lengths(1, 3, T=3)),
    ]


def _log_prob_wrong(logits: Tensor, ids: Tensor, attention_mask: Tensor, *, how: str) -> Tensor:
    log_probs = logits.log_softmax(1 if how == "over_places" else -1)
    if how == "raw":
        log_probs = logits
    if how == "probs":
        log_probs = logits.softmax(-1)
    if how == "best":
        of_ids = log_probs.max(-1).values
    else:
        of_ids = log_probs.gather(-1, ids.unsqueeze(-1)).squeeze(-1)
    if how == "shifted":
        of_ids = torch.cat([of_ids[:, 1:], torch.zeros_like(of_ids[:, :1])], dim=1)
    if how != "no_mask":
        of_ids = of_ids.masked_fill(~attention_mask, 0.0)
    if how == "mean":
        return of_ids.sum(1) / attention_mask.sum(1).clamp(min=1)
    return -of_ids.sum(1) if how == "sign" else of_ids.sum(1)


def _log_prob_cross_entropy(logits: Tensor, ids: Tensor, attention_mask: Tensor) -> Tensor:
    targets = ids.masked_fill(~attention_mask, -100)
    nats = F.cross_entropy(logits.transpose(1, 2), targets, ignore_index=-100, reduction="none")
    return -nats.sum(dim=1)


def _log_prob_one_by_one(logits: Tensor, ids: Tensor, attention_mask: Tensor) -> Tensor:
    totals = []
    for scores, row, keep in zip(logits, ids, attention_mask, strict=True):
        chosen = scores[torch.arange(len(row)), row] - torch.logsumexp(scores, dim=-1)
        totals.append((chosen * keep).sum())
    return torch.stack(totals)


reply_log_prob = Task(
    name="reply_log_prob",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=15,
    cases=_log_prob_cases,
    reference=_log_prob,
    compare=Compare(rtol=1e-5, atol=1e-7, gradient=True),
    slips=(
        Slip(
            "mean",
            partial(_log_prob_wrong, how="mean"),
            "The tokens' log-probabilities were averaged. The probability of a reply is a product, so its logarithm is "
            "the sum.",
        ),
        Slip(
            "no_mask",
            partial(_log_prob_wrong, how="no_mask"),
            "Padding was counted as part of the replies. Only places where attention_mask is True take part.",
        ),
        Slip(
            "raw",
            partial(_log_prob_wrong, how="raw"),
            "Raw logits were added up. They become log-probabilities by log_softmax over the vocabulary.",
        ),
        Slip(
            "probs",
            partial(_log_prob_wrong, how="probs"),
            "Probabilities were added up. Probabilities multiply; their logarithms add.",
        ),
        Slip(
            "over_places",
            partial(_log_prob_wrong, how="over_places"),
            "The softmax was taken over the places. At each place the probabilities over the vocabulary, the last "
            "dimension, sum to 1.",
        ),
        Slip(
            "best",
            partial(_log_prob_wrong, how="best"),
            "That is the likeliest token of each place. Gather the log-probability of the token that stands there.",
        ),
        Slip(
            "shifted",
            partial(_log_prob_wrong, how="shifted"),
            "The first token was left out. The logits are lined up with the ids here already: place t "
            "scores ids[:, t].",
        ),
        Slip(
            "sign",
            partial(_log_prob_wrong, how="sign"),
            "The sign is turned around: a log-probability is never above 0.",
        ),
    ),
    alternatives=(_log_prob_cross_entropy, _log_prob_one_by_one),
    hints=(
        "First the log-probability of every token at every place, then pick the ones that stand there.",
        "log_softmax over the last dimension, gather at ids.unsqueeze(-1), then 0 where attention_mask is False.",
        "chosen = logits.log_softmax(-1).gather(-1, ids.unsqueeze(-1)).squeeze(-1); return "
        "chosen.masked_fill(~attention_mask, 0.0).sum(1)",
    ),
)
