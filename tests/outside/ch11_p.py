"""Answers to the project of chapter 11, written from its page alone."""

from tests.outside.variants import but

PLAIN = """
import torch


class GRPO:
    def __init__(self, policy, reward, reply_length, group_size=16, clip=0.2):
        self.policy, self.reward = policy, reward
        self.reply_length, self.group_size, self.clip = reply_length, group_size, clip

    @torch.no_grad()
    def sample(self, prompts):
        ids = prompts.repeat_interleave(self.group_size, dim=0)
        for _ in range(self.reply_length):
            probs = self.policy(ids)[:, -1].softmax(-1)
            ids = torch.cat([ids, torch.multinomial(probs, 1)], dim=1)
        return ids

    def log_probs(self, ids):
        R = self.reply_length
        table = self.policy(ids[:, :-1]).log_softmax(-1)[:, -R:]
        return table.gather(-1, ids[:, -R:, None]).squeeze(-1)

    def advantages(self, rewards):
        groups = rewards.view(-1, self.group_size)
        centred = groups - groups.mean(1, keepdim=True)
        return (centred / (groups.std(1, keepdim=True) + 1e-4)).flatten()

    def loss(self, ids, old_log_probs, advantages):
        ratio = (self.log_probs(ids) - old_log_probs).exp()
        clipped = ratio.clamp(1 - self.clip, 1 + self.clip)
        return -torch.minimum(ratio * advantages[:, None], clipped * advantages[:, None]).mean()

    def fit(self, prompts):
        optimizer = torch.optim.Adam(self.policy.parameters(), lr=0.005)
        for _ in range(250):
            chosen = prompts[torch.randperm(len(prompts))[:32]]
            ids = self.sample(chosen)
            advantages = self.advantages(self.reward(ids))
            old = self.log_probs(ids).detach()
            for _ in range(2):
                optimizer.zero_grad()
                self.loss(ids, old, advantages).backward()
                optimizer.step()
"""

CATEGORICAL = """
import torch
from torch.distributions import Categorical


class GRPO:
    def __init__(self, policy, reward, reply_length, group_size=16, clip=0.2):
        self.policy = policy
        self.reward = reward
        self.R, self.G, self.eps = reply_length, group_size, clip

    def sample(self, prompts):
        N, P = prompts.shape
        rows = prompts[:, None].expand(N, self.G, P).reshape(N * self.G, P)
        with torch.no_grad():
            for _ in range(self.R):
                new = Categorical(logits=self.policy(rows)[:, -1]).sample()
                rows = torch.hstack([rows, new[:, None]])
        return rows

    def log_probs(self, ids):
        P = ids.shape[1] - self.R
        logits = self.policy(ids)[:, P - 1 : -1]
        return Categorical(logits=logits).log_prob(ids[:, P:])

    def advantages(self, rewards):
        out = torch.empty_like(rewards)
        for start in range(0, len(rewards), self.G):
            group = rewards[start : start + self.G]
            out[start : start + self.G] = (group - group.mean()) / (group.std() + 1e-4)
        return out

    def loss(self, ids, old_log_probs, advantages):
        now = self.log_probs(ids)
        r = torch.exp(now - old_log_probs.detach())
        A = advantages.unsqueeze(1).expand_as(r)
        up = torch.where(A >= 0, torch.clamp(r, max=1 + self.eps), torch.clamp(r, min=1 - self.eps))
        return -(up * A).mean()

    def fit(self, prompts):
        optimizer = torch.optim.AdamW(self.policy.parameters(), lr=4e-3, weight_decay=0.0)
        for step in range(300):
            ids = self.sample(prompts[torch.randint(len(prompts), (40,))])
            rewards = self.reward(ids).float()
            with torch.no_grad():
                old = self.log_probs(ids)
            A = self.advantages(rewards)
            for _ in range(2):
                loss = self.loss(ids, old, A)
                optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
                optimizer.step()
"""

GUMBEL = """
import torch
import torch.nn.functional as F


class GRPO:
    def __init__(self, policy, reward, reply_length, group_size=16, clip=0.2):
        self.settings = dict(R=reply_length, G=group_size, clip=clip)
        self.policy, self.reward = policy, reward

    def sample(self, prompts):
        ids = torch.cat([row.repeat(self.settings["G"], 1) for row in prompts])
        for _ in range(self.settings["R"]):
            logits = self.policy(ids)[:, -1].detach()
            noise = torch.distributions.Gumbel(torch.zeros_like(logits), 1.0).sample()
            ids = torch.cat([ids, (logits + noise).argmax(-1, keepdim=True)], 1)
        return ids

    def log_probs(self, ids):
        R = self.settings["R"]
        logits, targets = self.policy(ids)[:, -R - 1 : -1], ids[:, -R:]
        return -F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none").view(targets.shape)

    def advantages(self, rewards):
        table = rewards.reshape(-1, self.settings["G"])
        mean = table.mean(dim=1)[:, None]
        deviation = ((table - mean) ** 2).sum(1, keepdim=True).div(self.settings["G"] - 1).sqrt()
        return ((table - mean) / (deviation + 0.0001)).reshape(rewards.shape)

    def loss(self, ids, old_log_probs, advantages):
        eps = self.settings["clip"]
        ratio = torch.exp(self.log_probs(ids) - old_log_probs)
        both = torch.stack([ratio, ratio.clip(1.0 - eps, 1.0 + eps)]) * advantages[None, :, None]
        return both.amin(0).neg().mean()

    def fit(self, prompts):
        optimizer = torch.optim.RMSprop(self.policy.parameters(), lr=2e-3)
        for epoch in range(100):
            for part in prompts[torch.randperm(len(prompts))].split(25):
                ids = self.sample(part)
                advantages = self.advantages(self.reward(ids))
                old = self.log_probs(ids).detach()
                optimizer.zero_grad()
                self.loss(ids, old, advantages).backward()
                optimizer.step()
"""

TASK = "GRPO"
ANSWERS = [
    {"task": TASK, "right": True, "why": "the loop as the page has it", "source": PLAIN},
    {
        "task": TASK,
        "right": True,
        "why": "distributions, a loop over groups, one clamp by the sign",
        "source": CATEGORICAL,
    },
    {"task": TASK, "right": True, "why": "sampling by Gumbel noise, RMSprop, one step a batch", "source": GUMBEL},
    {
        "task": TASK,
        "right": False,
        "why": "groups lie across each other: first all prompts once, then again",
        "source": but(
            PLAIN, ("prompts.repeat_interleave(self.group_size, dim=0)", "prompts.repeat(self.group_size, 1)")
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the standard deviation of a population",
        "source": but(PLAIN, ("groups.std(1, keepdim=True)", "groups.std(1, keepdim=True, unbiased=False)")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the larger of the two is taken where an advantage is below 0",
        "source": but(
            PLAIN,
            (
                "-torch.minimum(ratio * advantages[:, None], clipped * advantages[:, None]).mean()",
                "-(torch.minimum(ratio, clipped) * advantages[:, None]).mean()",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the logits of the token's own position",
        "source": but(CATEGORICAL, ("self.policy(ids)[:, P - 1 : -1]", "self.policy(ids)[:, P:]")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the mean of the sums over a reply, not over all tokens",
        "source": but(CATEGORICAL, ("-(up * A).mean()", "-(up * A).sum(1).mean()")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "always the likeliest token",
        "source": but(PLAIN, ("torch.multinomial(probs, 1)", "probs.argmax(-1, keepdim=True)")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the first token of each reply is sampled once for its whole group",
        "source": but(
            PLAIN,
            (
                "        ids = prompts.repeat_interleave(self.group_size, dim=0)\n        for _ in range(self.reply_length):\n",
                "        first = torch.multinomial(self.policy(prompts)[:, -1].softmax(-1), 1)\n        ids = torch.cat([prompts, first], 1).repeat_interleave(self.group_size, dim=0)\n        for _ in range(self.reply_length - 1):\n",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "trains without sampling: the same replies all the time",
        "source": but(
            PLAIN,
            (
                "            ids = self.sample(chosen)\n",
                "            ids = self.first = getattr(self, 'first', None) if hasattr(self, 'first') else self.sample(chosen[:2])\n",
            ),
        ),
    },
]
