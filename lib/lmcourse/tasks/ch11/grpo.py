"""Project `GRPO`: the whole loop, with a reward that can be verified.

What only a trained policy shows is judged on prompts that it was never rewarded for: the rule is drawn from the seed,
and what is right for these prompts only the judge knows.
"""

import random
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from lmcourse.exercises import Case, Task, evidence_is, hints, mistakes, probe, properties


class GRPO:
    """Group relative policy optimisation, with replies of a fixed length.

    Args:
        policy: a module; `policy(ids)` gives the logits of the next token after every token, (B, T) -> (B, T, V).
        reward: `reward(ids)` gives the reward of each of B replies, (B, P + R) -> (B,). Each row is a prompt of P
            tokens and behind it its reply.
        reply_length: R.
        group_size: G, replies to each prompt.
        clip: epsilon of the clipped ratio.

    >>> loop = GRPO(nn.Embedding(3, 3), lambda ids: ids[:, -1].float(), reply_length=2, group_size=4)
    >>> loop.sample(torch.tensor([[0, 1], [2, 2]])).shape
    torch.Size([8, 4])
    >>> loop.advantages(torch.tensor([1.0, 1, 0, 0, 3, 3, 3, 3])).round(decimals=2)
    tensor([ 0.8700,  0.8700, -0.8700, -0.8700,  0.0000,  0.0000,  0.0000,  0.0000])
    """

    def __init__(self, policy, reward, reply_length, group_size=16, clip=0.2):
        self.policy, self.reward = policy, reward
        self.reply_length, self.group_size, self.clip = reply_length, group_size, clip

    def sample(self, prompts):
        """Sample G replies to each prompt from the policy, at temperature 1, without gradient.

        Args:
            prompts: token ids (N, P).

        Returns:
            Prompts with replies, (N * G, P + R): first the G replies to the first prompt, then those to the second.
        """
        ids = prompts.repeat_interleave(self.group_size, dim=0)
        with torch.no_grad():
            for _ in range(self.reply_length):
                probs = self.policy(ids)[:, -1].softmax(dim=-1)
                ids = torch.cat([ids, torch.multinomial(probs, 1)], dim=1)
        return ids

    def log_probs(self, ids):
        """Return the log-probability of each token of the replies, (B, P + R) -> (B, R), with gradient."""
        logits = self.policy(ids)[:, -self.reply_length - 1 : -1]
        return logits.log_softmax(dim=-1).gather(-1, ids[:, -self.reply_length :, None]).squeeze(-1)

    def advantages(self, rewards):
        """Return (r - mean of its group) / (standard deviation of its group + 1e-4), (N * G,) -> (N * G,).

        The standard deviation is the sample's, as `torch.std` has it. Where all rewards of a group are equal: 0.
        """
        groups = rewards.view(-1, self.group_size)
        return ((groups - groups.mean(dim=1, keepdim=True)) / (groups.std(dim=1, keepdim=True) + 1e-4)).flatten()

    def loss(self, ids, old_log_probs, advantages):
        """Return the clipped loss, the mean over all tokens of the replies; its gradient goes to the policy.

        Args:
            ids: prompts with replies, (B, P + R).
            old_log_probs: of the replies' tokens, under the policy that sampled them, (B, R).
            advantages: of each reply, (B,).
        """
        ratio = (self.log_probs(ids) - old_log_probs).exp()
        A = advantages[:, None]
        return -torch.minimum(ratio * A, ratio.clamp(1 - self.clip, 1 + self.clip) * A).mean()

    def fit(self, prompts):
        """Train the policy, in place.

        Args:
            prompts: token ids (N, P), N some dozens; `reward` knows no other prompts.
        """
        optimizer = torch.optim.Adam(self.policy.parameters(), lr=5e-3)
        for _ in range(250):
            ids = self.sample(prompts[torch.randperm(len(prompts))[:32]])
            advantages = self.advantages(self.reward(ids))
            with torch.no_grad():
                old = self.log_probs(ids)
            for _ in range(2):
                loss = self.loss(ids, old, advantages)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()


# ----------------------------------------------------------------------------------- what is asked, where the answer is


class _Bigrams(nn.Module):
    """A policy whose logits depend on the last token alone."""

    def __init__(self, table: Tensor) -> None:
        super().__init__()
        self.table = nn.Parameter(table.clone())

    def forward(self, ids: Tensor) -> Tensor:
        return self.table[ids]


class _Reader(nn.Module):
    """A policy that remembers all tokens before."""

    def __init__(self, vocab_size: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocab_size, 24)
        self.read, self.head = nn.GRU(24, 64, batch_first=True), nn.Linear(64, vocab_size)

    def forward(self, ids: Tensor) -> Tensor:
        logits: Tensor = self.head(self.read(self.embed(ids))[0])
        return logits


def use(answer: Callable[..., Any], asked: str, *given: Any) -> Any:
    """Make a loop and return what it gives: numbers for the judge, who knows what they should be."""
    torch.manual_seed(1)
    measures: dict[str, Callable[..., Any]] = {
        "sample": _sample,
        "log-probs": _log_probs,
        "advantages": _advantages,
        "loss": _loss,
        "learns": _learns,
    }
    return measures[asked](answer, *given)


def _nothing(ids: Tensor) -> Tensor:
    return torch.zeros(len(ids))


def _sample(answer: Any, table: Tensor, prompts: Tensor, *sizes: int) -> Tensor:
    ids: Tensor = answer(_Bigrams(table), _nothing, *sizes).sample(prompts)
    return ids


def _log_probs(answer: Any, table: Tensor, ids: Tensor, R: int) -> Tensor:
    found: Tensor = answer(_Bigrams(table), _nothing, R).log_probs(ids)
    return found.detach()


def _advantages(answer: Any, rewards: Tensor, G: int) -> Tensor:
    found: Tensor = answer(None, _nothing, 1, G).advantages(rewards)
    return found


def _loss(answer: Any, table: Tensor, ids: Tensor, old: Tensor, advantages: Tensor, R: int, *clip: float) -> Any:
    policy = _Bigrams(table)
    loss = answer(policy, _nothing, R, len(ids), *clip).loss(ids, old, advantages)
    loss.backward()
    return {"loss": loss.detach(), "gradient": policy.table.grad}


def _learns(answer: Any, V: int, R: int, prompts: Tensor, replies: Tensor, unseen: Tensor) -> Tensor:
    """The probability of every reply to prompts that were never rewarded, after training, (N, V ** R)."""
    known = {tuple(prompt): tuple(reply) for prompt, reply in zip(prompts.tolist(), replies.tolist(), strict=True)}

    def reward(ids: Tensor) -> Tensor:
        rows = [(tuple(row[:-R]), tuple(row[-R:])) for row in ids.tolist()]
        return torch.tensor([float(known[prompt] == reply) for prompt, reply in rows])

    policy = _Reader(V)
    answer(policy, reward, R).fit(prompts)
    every = torch.cartesian_prod(*[torch.arange(V)] * R)  # (V ** R, R)
    ids = torch.cat([unseen.repeat_interleave(len(every), 0), every.repeat(len(unseen), 1)], 1)
    with torch.no_grad():
        log_probs = policy(ids)[:, -R - 1 : -1].log_softmax(-1).gather(-1, ids[:, -R:, None]).squeeze(-1)
    return log_probs.sum(1).view(len(unseen), -1)


# ----------------------------------------------------------------------------------------------- what is judged outside


def judge(item: Case, evidence: Any) -> str | None:
    """What is wrong with the evidence of a case, or None."""
    kind = dict if item.of == "loss" else Tensor
    evidence_is(kind, evidence)
    by: dict[str, Callable[[Case, Any], str | None]] = {
        "samples": _judge_sample,
        "log-probs": _judge_log_probs,
        "advantages": _judge_advantages,
        "loss": _judge_loss,
        "learns": _judge_learns,
    }
    return by[item.of](item, evidence)


def _judge_sample(item: Case, ids: Tensor) -> str | None:
    _, table, prompts, R, *own = item.args
    (N, P), G = prompts.shape, own[0] if own else _GROUP
    if ids.shape != (N * G, P + R):
        return f"{N} prompts of {P} tokens with {G} replies of {R} should be {(N * G, P + R)}, got {tuple(ids.shape)}"
    if ids.is_floating_point() or int(ids.min()) < 0 or int(ids.max()) >= len(table):
        return "the replies should hold token ids"
    if not torch.equal(ids[:, :P], prompts.repeat_interleave(G, 0)):
        return "each row should begin with its prompt: first the G rows of the first prompt, then those of the second"
    if len({tuple(row) for row in ids[:G, P:].tolist()}) == 1:
        return "all replies to a prompt are the same: sample each of them from the softmax of the policy's logits"
    before, drawn = ids[:, P - 1 : -1].flatten(), ids[:, P:].flatten()
    for token in before.unique().tolist():
        after = drawn[before == token]
        shares = torch.bincount(after, minlength=len(table)).double() / len(after)
        apart = (shares - table[token].double().softmax(-1)).abs().max().item()
        if apart > 4.5 * 0.5 / len(after) ** 0.5 + 1e-3:
            return (
                f"after token {token} a token was sampled in {apart:.0%} too many or too few of {len(after)} cases: "
                "sample from the softmax of the logits after the last token, at temperature 1"
            )
    return None


def _close(found: Any, right: Tensor) -> bool:
    if not isinstance(found, Tensor) or found.shape != right.shape:
        return False
    return torch.allclose(found.double(), right.double(), rtol=1e-3, atol=1e-4)


def _right_log_probs(table: Tensor, ids: Tensor, R: int) -> Tensor:
    return table.double().log_softmax(-1)[ids[:, -R - 1 : -1], ids[:, -R:]]


def _judge_log_probs(item: Case, found: Tensor) -> str | None:
    _, table, ids, R = item.args
    if found.shape != (len(ids), R):
        return f"{len(ids)} replies of {R} tokens have {(len(ids), R)} log-probabilities, got {tuple(found.shape)}"
    if _close(found, _right_log_probs(table, ids, R)):
        return None
    late = table.double().log_softmax(-1)[ids[:, -R:], ids[:, -R:]]
    if _close(found, late):
        return "each token was looked up in the logits after itself: it is predicted by those after the token before"
    return "these are not the log-probabilities of the replies' tokens, each given the tokens before it"


def _judge_advantages(item: Case, found: Tensor) -> str | None:
    _, rewards, G = item.args
    groups = rewards.double().view(-1, G)
    plain = groups - groups.mean(1, keepdim=True)
    right = plain / (groups.std(1, keepdim=True) + 1e-4)
    if found.shape != rewards.shape:
        return f"there should be an advantage for each reply, {tuple(rewards.shape)}, got {tuple(found.shape)}"
    if not bool(found.isfinite().all()):
        return "an advantage is not finite: where all rewards of a group are equal it should be 0"
    if _close(found, right.flatten()):
        return None
    whole = (rewards - rewards.mean()) / (rewards.std() + 1e-4)
    wrong = (
        (plain, "the rewards were not divided by the standard deviation of their group"),
        (whole, "mean and standard deviation are those of the whole batch: take them in each group"),
        (plain / (groups.std(1, keepdim=True, correction=0) + 1e-4), "the standard deviation should be the sample's"),
        (groups / (groups.std(1, keepdim=True) + 1e-4), "the mean of its group was not subtracted from each reward"),
    )
    for values, reason in wrong:
        if _close(found, values.flatten()):
            return reason
    return "they should be (r - mean) / (standard deviation + 1e-4), each group of G consecutive replies for itself"


def _loss_and_gradient(item: Case, gain: Callable[[Tensor, Tensor, float], Tensor]) -> tuple[Tensor, Tensor]:
    _, table, ids, old, advantages, R, *own = item.args
    clip = own[0] if own else _CLIP
    policy = table.double().clone().requires_grad_(True)
    ratio = (policy.log_softmax(-1)[ids[:, -R - 1 : -1], ids[:, -R:]] - old.double()).exp()
    loss = -gain(ratio, advantages.double()[:, None], clip).mean()
    loss.backward()
    assert policy.grad is not None
    return loss.detach(), policy.grad


def _clipped(ratio: Tensor, A: Tensor, clip: float) -> Tensor:
    return torch.minimum(ratio * A, ratio.clamp(1 - clip, 1 + clip) * A)


def _judge_loss(item: Case, evidence: dict[str, Any]) -> str | None:
    found = evidence["loss"], evidence["gradient"]

    def fits(*right: Tensor) -> bool:
        return all(_close(one, other) for one, other in zip(found, right, strict=True))

    right = _loss_and_gradient(item, _clipped)
    if fits(*right):
        return None
    if fits(*(-part for part in right)):
        return "that is the gain, which should rise: a loss is minus it"
    if fits(*_loss_and_gradient(item, lambda ratio, A, _: ratio * A)):
        return "nothing was clipped: take the smaller of ratio * A and the clamped ratio * A"
    if fits(*_loss_and_gradient(item, lambda ratio, A, clip: ratio.clamp(1 - clip, 1 + clip) * A)):
        return "only the clamped ratio was used: take the minimum with the plain gain, so that mistakes can be undone"
    if fits(
        *_loss_and_gradient(item, lambda ratio, A, clip: torch.maximum(ratio * A, ratio.clamp(1 - clip, 1 + clip) * A))
    ):
        return "the larger of the two gains was taken: it is the smaller one"
    tokens = item.args[2].shape[0] * item.args[5]
    if fits(*(tokens * part for part in right)):
        return "the tokens were added up: take their mean"
    if _close(found[0], right[0]):
        return "the value of the loss is right and its gradient is not: something was cut off from the policy"
    return "it should be minus the mean of min(ratio A, clamp(ratio, 1 - clip, 1 + clip) A), ratio = exp(new - old)"


def _judge_learns(item: Case, log_probs: Tensor) -> str | None:
    targets, bar = item.truth
    if log_probs.shape != (len(targets), item.args[1] ** item.args[2]):
        raise ValueError("no probabilities of replies")
    log_probs = log_probs.double()
    if not bool(torch.isfinite(log_probs).all()) or bool((log_probs.logsumexp(-1).abs() > 1e-3).any()):
        raise ValueError("not normalised")
    share = log_probs.exp().gather(-1, targets[:, None]).mean().item()
    if share < bar:
        return (
            f"on prompts that were never rewarded the policy gives the right reply in {share:.0%} of the cases after "
            f"`fit`; at least {bar:.0%} are asked for"
        )
    return None


# ------------------------------------------------------------------------------------------------------------ the cases

_V, _P, _R, _UNSEEN = 5, 3, 2, 25
_BAR = 0.6  # by chance 0.04; on some seeds the right reply to a pair of tokens is never found, which leaves 0.75 to 0.9
_GROUP, _CLIP = 16, 0.2  # where a loop is made without them


def cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def draw(*sizes: int) -> Tensor:
        return torch.randn(*sizes, generator=generator)

    def ids_of(V: int, *sizes: int) -> Tensor:
        return torch.randint(V, sizes, generator=generator)

    rng = random.Random(seed)
    first, second = rng.sample(range(_V), _V), rng.sample(range(_V), _V)
    prompts = torch.cartesian_prod(*[torch.arange(_V)] * _P)[torch.randperm(_V**_P, generator=generator)]
    replies = torch.tensor([[first[a], second[c]] for a, _, c in prompts.tolist()])  # the middle one does not matter
    targets = replies[:_UNSEEN, 0] * _V + replies[:_UNSEEN, 1]
    learning = prompts[_UNSEEN:], replies[_UNSEEN:], prompts[:_UNSEEN]
    table, small, wide = draw(7, 7), draw(4, 4), 1.5 * draw(6, 6)
    ids, few = ids_of(6, 11, 5), ids_of(4, 3, 4)
    old = _right_log_probs(wide, ids, 3).float() + 0.5 * draw(11, 3)
    near = _right_log_probs(small, few, 2).float() + 0.3 * draw(3, 2)
    mixed = torch.cat([ids_of(2, 14).float(), torch.ones(7), draw(7)])
    return [
        probe("samples", "three prompts, 700 replies each", "sample", table, ids_of(7, 3, 2), 2, 700),
        probe("samples", "prompts of one token", "sample", small, ids_of(4, 2, 1), 3, 500),
        probe("samples", "groups of the size that is the default", "sample", table, ids_of(7, 60, 2), 2),
        probe("log-probs", "replies of three tokens", "log-probs", wide, ids, 3),
        probe("log-probs", "replies of one token", "log-probs", small, few, 1),
        probe("advantages", "four groups of seven, one of them of equal rewards", "advantages", mixed, 7),
        probe("advantages", "one group of five", "advantages", draw(5), 5),
        probe("advantages", "two groups of rewards that are nearly equal", "advantages", 1e-3 * draw(10), 5),
        probe("loss", "eleven replies of three tokens", "loss", wide, ids, old, draw(11), 3, 0.2),
        probe("loss", "a narrow clip", "loss", small, few, near, draw(3), 2, 0.05),
        probe("loss", "the clip that is the default", "loss", wide, ids, old, draw(11), 3),
        probe("learns", "a rule drawn for the check", "learns", _V, _R, *learning, truth=(targets, _BAR)),
    ]


SLIPS = mistakes("""
one_reply_for_all: loses samples, learns
    torch.multinomial(probs, 1) => torch.multinomial(probs[:: self.group_size], 1).repeat_interleave(self.group_size, 0)
  all replies to a prompt are the same
greedy: loses samples, learns
    torch.multinomial(probs, 1) => probs.argmax(dim=-1, keepdim=True)
  all replies to a prompt are the same
groups_interleaved: loses samples
    prompts.repeat_interleave(self.group_size, dim=0) => prompts.repeat(self.group_size, 1)
  first the G rows of the first prompt
looked_up_too_late: loses log-probs, loss, learns
    [:, -self.reply_length - 1 : -1] => [:, -self.reply_length :]
  it is predicted by those after the token before
mean_of_the_batch: loses advantages
    dim=1, keepdim=True)) / (groups.std(dim=1, keepdim=True => )) / (groups.std(
  those of the whole batch
zero_by_zero: loses advantages, learns
    groups.std(dim=1, keepdim=True) + 1e-4 => groups.std(dim=1, keepdim=True)
  not finite
no_baseline: loses advantages
    (groups - groups.mean(dim=1, keepdim=True)) => groups
  the mean of its group was not subtracted
gain_for_loss: loses loss, learns
    return -torch.minimum => return torch.minimum
  a loss is minus it
no_clip: loses loss
    -torch.minimum(ratio * A, ratio.clamp(1 - self.clip, 1 + self.clip) * A).mean() => -(ratio * A).mean()
  nothing was clipped
clamped_only: loses loss
    torch.minimum(ratio * A, => (
  only the clamped ratio was used
does_not_train: loses learns
    optimizer.step() => optimizer.zero_grad()
  never rewarded the policy gives the right reply
""")
HINTS = hints("""
- Write `sample`, `log_probs`, `advantages` and `loss` first, and check: four of the five properties need no training.
  `fit` then only calls them: sample, reward, advantages, old log-probabilities, a step or two.
- The logits after token t predict token t + 1: those for the last R tokens are logits[:, -R - 1 : -1]. Groups are rows
  of rewards.view(-1, G), as long as `sample` repeats each prompt G times before it goes to the next.
- Adam with a rate of 5e-3, 32 prompts of 16 replies an iteration and 250 iterations take some ten seconds. Print the
  mean reward: it begins at 1 / 25 and should be above 0.7 after 150 iterations.
""")
PROPERTIES = properties(f"""
samples, 2: `sample` draws whole groups from the policy's distribution, prompt by prompt.
log-probs, 1: `log_probs` gives the log-probability of each token of a reply, given those before.
advantages, 2: `advantages` compares each reply with its group; equal rewards give 0.
loss, 2: `loss` is the clipped loss, and its gradient reaches the policy.
learns, 3, 60 s: `GRPO(policy, reward, {_R}).fit(prompts)`, in 60 seconds of processor time: the policy is a fresh GRU,
  the prompts are {_V**_P - _UNSEEN} of the {_V**_P} rows of {_P} tokens, and a reply of {_R} tokens earns 1 if it
  follows a rule drawn for the check, else 0. On the other {_UNSEEN} prompts, at least {_BAR:.0%} of its replies must be
  right.
""")
task = Task(
    GRPO,
    points=10,
    difficulty=5,
    minutes=90,
    cases=cases,
    call=use,
    judge=judge,
    seconds=60.0,
    libraries=("torch._dynamo",),
    properties=PROPERTIES,
    slips=SLIPS,
    hints=HINTS,
)
