"""Answers to chapter 11, written from its page alone: the third round."""

ANSWERS = [
    # expected_reward_gradient
    {
        "task": "expected_reward_gradient",
        "right": True,
        "why": "by autograd on a copy",
        "source": """
import torch
def expected_reward_gradient(logits, rewards):
    z = logits.detach().clone().requires_grad_(True)
    with torch.enable_grad():
        J = torch.softmax(z, dim=0) @ rewards.detach()
        (g,) = torch.autograd.grad(J, z)
    return J.detach(), g
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": True,
        "why": "the Jacobian of the softmax times the rewards, exp of log_softmax",
        "source": """
import torch
def expected_reward_gradient(logits, rewards):
    p = torch.log_softmax(logits, -1).exp()
    jacobian = torch.diag(p) - torch.outer(p, p)
    return torch.dot(p, rewards), jacobian.mv(rewards)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "exp without taking off the maximum: 'Large logits must not overflow'",
        "source": """
import torch
def expected_reward_gradient(logits, rewards):
    e = torch.exp(logits)
    p = e / e.sum()
    J = (p * rewards).sum()
    return J, p * (rewards - J)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "takes off the plain mean of the rewards instead of J: right only for equal logits",
        "source": """
import torch
def expected_reward_gradient(logits, rewards):
    p = torch.softmax(logits, 0)
    return (p * rewards).sum(), p * (rewards - rewards.mean())
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "logits are clamped to +-80 against overflow: 200 against 100 becomes a tie; J is no longer that of softmax(z)",
        "source": """
import torch
def expected_reward_gradient(logits, rewards):
    e = logits.clamp(-80, 80).exp()
    p = e / e.sum()
    J = (p * rewards).sum()
    return J, p * (rewards - J)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "changes the logits in place: 'A function leaves its arguments as they are'",
        "source": """
import torch
def expected_reward_gradient(logits, rewards):
    logits -= logits.max()
    e = logits.exp()
    p = e / e.sum()
    J = (p * rewards).sum()
    return J, p * (rewards - J)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "J has shape (1,): 'J, a tensor without dimensions'",
        "source": """
import torch
def expected_reward_gradient(logits, rewards):
    p = torch.softmax(logits, dim=-1)
    J = (p * rewards).sum(dim=-1, keepdim=True)
    return J, p * (rewards - J)
""",
    },
    # reply_log_prob
    {
        "task": "reply_log_prob",
        "right": True,
        "why": "cross_entropy per token, padding replaced by where",
        "source": """
import torch
import torch.nn.functional as F
def reply_log_prob(logits, ids, attention_mask):
    B, T, V = logits.shape
    cost = F.cross_entropy(logits.reshape(B * T, V), ids.reshape(B * T), reduction="none").reshape(B, T)
    return -torch.where(attention_mask.bool(), cost, torch.zeros_like(cost)).sum(dim=1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": True,
        "why": "one reply after the other, only its own tokens",
        "source": """
import torch
def reply_log_prob(logits, ids, attention_mask):
    found = []
    for z, y, m in zip(logits, ids, attention_mask.bool()):
        z, y = z[m], y[m]
        found.append((z.gather(1, y[:, None]).squeeze(1) - z.logsumexp(dim=1)).sum())
    return torch.stack(found)
""",
    },
    {
        "task": "reply_log_prob",
        "right": True,
        "why": "torch.distributions, padding masked_fill",
        "source": """
import torch
def reply_log_prob(logits, ids, attention_mask):
    token = torch.distributions.Categorical(logits=logits).log_prob(ids)
    return token.masked_fill(~attention_mask, 0.0).sum(-1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "shifts by one although 'they are lined up already'",
        "source": """
import torch
def reply_log_prob(logits, ids, attention_mask):
    lp = torch.log_softmax(logits[:, :-1], -1).gather(-1, ids[:, 1:, None]).squeeze(-1)
    return lp.masked_fill(~attention_mask[:, 1:], 0.0).sum(1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "log of the product of probabilities: underflows for long replies or large logits",
        "source": """
import torch
def reply_log_prob(logits, ids, attention_mask):
    p = torch.softmax(logits, -1).gather(-1, ids[..., None]).squeeze(-1)
    p = torch.where(attention_mask, p, torch.ones_like(p))
    return p.prod(dim=1).log()
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "takes padding to stand at the end: 'padding, which may stand anywhere'",
        "source": """
import torch
def reply_log_prob(logits, ids, attention_mask):
    lp = torch.log_softmax(logits, -1).gather(-1, ids[..., None]).squeeze(-1)
    return torch.stack([lp[b, :int(n)].sum() for b, n in enumerate(attention_mask.sum(1))])
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "squeeze() without a dimension: for one reply the result has shape () instead of (B,)",
        "source": """
import torch
def reply_log_prob(logits, ids, attention_mask):
    lp = torch.log_softmax(logits, -1)
    lp = torch.gather(lp, 2, ids.unsqueeze(2)).squeeze(2)
    return (lp * attention_mask).sum(dim=1, keepdim=True).squeeze()
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "mean per token instead of the log of the product; NaN for a reply without tokens",
        "source": """
import torch
def reply_log_prob(logits, ids, attention_mask):
    lp = torch.log_softmax(logits, -1).gather(-1, ids[..., None]).squeeze(-1)
    m = attention_mask.float()
    return (lp * m).sum(1) / m.sum(1)
""",
    },
    # pairs_of_ranking
    {
        "task": "pairs_of_ranking",
        "right": True,
        "why": "itertools.combinations over zipped pairs",
        "source": """
from itertools import combinations
def pairs_of_ranking(replies, ranks):
    found = []
    for (a, i), (b, j) in combinations(zip(replies, ranks), 2):
        if i < j:
            found.append((a, b))
        elif j < i:
            found.append((b, a))
    return found
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": True,
        "why": "recursion: the first with the rest, then the rest",
        "source": """
def pairs_of_ranking(replies, ranks):
    if len(replies) < 2:
        return []
    first, r = replies[0], ranks[0]
    here = [(first, x) if r < s else (x, first) for x, s in zip(replies[1:], ranks[1:]) if s != r]
    return here + pairs_of_ranking(replies[1:], ranks[1:])
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "ranks by text in a dict: wrong if 'a text may come twice' with different ranks",
        "source": """
def pairs_of_ranking(replies, ranks):
    rank = dict(zip(replies, ranks))
    out = []
    for i, a in enumerate(replies):
        for b in replies[i + 1:]:
            if rank[a] < rank[b]:
                out.append((a, b))
            elif rank[a] > rank[b]:
                out.append((b, a))
    return out
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "sorts by rank first, so the pairs come in the order of the ranks, not 'as they are listed'",
        "source": """
def pairs_of_ranking(replies, ranks):
    order = sorted(range(len(replies)), key=lambda i: ranks[i])
    out = []
    for n, i in enumerate(order):
        for j in order[n + 1:]:
            if ranks[i] < ranks[j]:
                out.append((replies[i], replies[j]))
    return out
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "ties give a pair too (else branch): 'for every two replies of unequal rank'",
        "source": """
def pairs_of_ranking(replies, ranks):
    out = []
    for i in range(len(replies)):
        for j in range(i + 1, len(replies)):
            if ranks[i] <= ranks[j]:
                out.append((replies[i], replies[j]))
            else:
                out.append((replies[j], replies[i]))
    return out
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "no pair for two replies of the same text though their ranks differ: 'for every two replies of unequal rank'",
        "source": """
def pairs_of_ranking(replies, ranks):
    out = []
    for i in range(len(replies)):
        for j in range(i + 1, len(replies)):
            if replies[i] == replies[j] or ranks[i] == ranks[j]:
                continue
            out.append((replies[i], replies[j]) if ranks[i] < ranks[j] else (replies[j], replies[i]))
    return out
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "pairs gathered by the better reply: all pairs are there, in another order",
        "source": """
def pairs_of_ranking(replies, ranks):
    return [(a, b) for a, i in zip(replies, ranks) for b, j in zip(replies, ranks) if i < j]
""",
    },
    # expected_best
    {
        "task": "expected_best",
        "right": True,
        "why": "weights by recursion from the best down, without binomials",
        "source": """
def expected_best(proxy, true, n):
    N = len(proxy)
    if not 1 <= n <= N:
        raise ValueError("n must be in 1..N")
    order = sorted(range(N), key=lambda i: proxy[i])
    weight, total = n / N, 0.0
    for i in range(N - 1, n - 2, -1):
        total += weight * true[order[i]]
        if i:
            weight *= (i - n + 1) / i
    return float(total)
""",
    },
    {
        "task": "expected_best",
        "right": True,
        "why": "exact fractions, the rewards sorted with zip",
        "source": """
import math
from fractions import Fraction
def expected_best(proxy, true, n):
    N = len(proxy)
    if n < 1 or n > N:
        raise ValueError(f"n = {n} is not in 1..{N}")
    ranked = [t for _, t in sorted(zip(proxy, true))]
    all_choices = math.comb(N, n)
    return float(math.fsum(float(Fraction(math.comb(i, n - 1), all_choices)) * r for i, r in enumerate(ranked)))
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "draws with putting back: 'without putting back'; right for n = 1",
        "source": """
def expected_best(proxy, true, n):
    N = len(proxy)
    if n < 1 or n > N:
        raise ValueError("n")
    ranked = [t for _, t in sorted(zip(proxy, true))]
    return sum((((i + 1) / N) ** n - (i / N) ** n) * r for i, r in enumerate(ranked))
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "sorted by the true reward: the judge picks by proxy",
        "source": """
import math
def expected_best(proxy, true, n):
    N = len(proxy)
    if n < 1 or n > N:
        raise ValueError("n")
    return sum(math.comb(i, n - 1) * r for i, r in enumerate(sorted(true))) / math.comb(N, n)
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "n = N is refused (range(1, N)): 'ValueError: n is not in 1..N'",
        "source": """
import math
def expected_best(proxy, true, n):
    N = len(proxy)
    if n not in range(1, N):
        raise ValueError("n")
    ranked = [t for _, t in sorted(zip(proxy, true))]
    return sum(math.comb(i, n - 1) * r for i, r in enumerate(ranked)) / math.comb(N, n)
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "sorts the caller's lists: 'A function leaves its arguments as they are'",
        "source": """
import math
def expected_best(proxy, true, n):
    N = len(proxy)
    if n < 1 or n > N:
        raise ValueError("n")
    order = {p: t for p, t in zip(proxy, true)}
    proxy.sort()
    return sum(math.comb(i, n - 1) * order[p] for i, p in enumerate(proxy)) / math.comb(N, n)
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "n above N gives ZeroDivisionError, not 'a ValueError'",
        "source": """
import math
def expected_best(proxy, true, n):
    if n < 1:
        raise ValueError("n")
    N = len(proxy)
    ranked = [t for _, t in sorted(zip(proxy, true))]
    return sum(math.comb(i, n - 1) * r for i, r in enumerate(ranked)) / math.comb(N, n)
""",
    },
    # token_rewards
    {
        "task": "token_rewards",
        "right": True,
        "why": "adds the score times a one-hot of the last place",
        "source": """
import torch
def token_rewards(score, log_probs, reference_log_probs, beta):
    last = torch.zeros_like(log_probs)
    last[-1] = 1.0
    return score * last + beta * (reference_log_probs - log_probs)
""",
    },
    {
        "task": "token_rewards",
        "right": True,
        "why": "python loop over numbers",
        "source": """
import torch
def token_rewards(score, log_probs, reference_log_probs, beta):
    out = [-beta * (a - b) for a, b in zip(log_probs.tolist(), reference_log_probs.tolist())]
    out[len(out) - 1] += score
    return torch.tensor(out, dtype=log_probs.dtype)
""",
    },
    {
        "task": "token_rewards",
        "right": True,
        "why": "concatenates the head and the last token",
        "source": """
import torch
def token_rewards(score, log_probs, reference_log_probs, beta):
    penalty = (log_probs - reference_log_probs).mul(-beta)
    return torch.cat([penalty[:-1], penalty[-1:] + score])
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "the score comes with every token: 'with the last one comes the judge's score'; right for T = 1",
        "source": """
def token_rewards(score, log_probs, reference_log_probs, beta):
    return score - beta * (log_probs - reference_log_probs)
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "penalty never turns into a bonus (clamped at 0): the formula has a signed difference",
        "source": """
def token_rewards(score, log_probs, reference_log_probs, beta):
    r = -beta * (log_probs - reference_log_probs).clamp(min=0)
    r[-1] += score
    return r
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "the last token gets the score in place of its penalty, not besides it",
        "source": """
def token_rewards(score, log_probs, reference_log_probs, beta):
    r = -beta * (log_probs - reference_log_probs)
    r[-1] = score
    return r
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "works in place on log_probs: 'A function leaves its arguments as they are'",
        "source": """
def token_rewards(score, log_probs, reference_log_probs, beta):
    r = log_probs.detach()
    r -= reference_log_probs
    r *= -beta
    r[-1] += score
    return r
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "beta times the score as well",
        "source": """
def token_rewards(score, log_probs, reference_log_probs, beta):
    r = reference_log_probs - log_probs
    r[-1] += score
    return beta * r
""",
    },
    # reply_advantages
    {
        "task": "reply_advantages",
        "right": True,
        "why": "the double sum, forwards",
        "source": """
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    nxt = list(values[1:]) + [0.0]
    delta = [rewards[t] + gamma * nxt[t] - values[t] for t in range(T)]
    adv = [sum((gamma * lam) ** (s - t) * delta[s] for s in range(t, T)) for t in range(T)]
    return adv, [a + v for a, v in zip(adv, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": True,
        "why": "itertools.accumulate over the reversed deltas",
        "source": """
from itertools import accumulate
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    after = [*values, 0.0][1:]
    deltas = [r + gamma * w - v for r, w, v in zip(rewards, after, values)]
    adv = list(accumulate(reversed(deltas), lambda a, d: d + gamma * lam * a))[::-1]
    return adv, [a + v for a, v in zip(adv, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": True,
        "why": "numpy: a triangular system solved backwards, back to lists",
        "source": """
import numpy as np
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    r, v = np.array(rewards, dtype=float), np.array(values, dtype=float)
    adv, ahead, value_ahead = np.zeros(len(r)), 0.0, 0.0
    for t in reversed(range(len(r))):
        ahead = r[t] + gamma * value_ahead - v[t] + gamma * lam * ahead
        value_ahead = v[t]
        adv[t] = ahead
    return adv.tolist(), (adv + v).tolist()
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "returns are the discounted rewards, not A_t + V_t (the same only for lambda = 1)",
        "source": """
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    adv, ret, a, g, nv = [], [], 0.0, 0.0, 0.0
    for r, v in zip(reversed(rewards), reversed(values)):
        a = r + gamma * nv - v + gamma * lam * a
        g = r + gamma * g
        nv = v
        adv.insert(0, a)
        ret.insert(0, g)
    return adv, ret
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "beyond the end stands the last value again: 'Beyond the end V and A are 0'",
        "source": """
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    adv, a = [0.0] * T, 0.0
    for t in range(T - 1, -1, -1):
        following = values[min(t + 1, T - 1)]
        a = rewards[t] + gamma * following - values[t] + gamma * lam * a
        adv[t] = a
    return adv, [x + v for x, v in zip(adv, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "gamma is missing in gamma lambda A: right only for gamma = 1",
        "source": """
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    adv, a, nv = [0.0] * T, 0.0, 0.0
    for t in range(T - 1, -1, -1):
        a = rewards[t] + gamma * nv - values[t] + lam * a
        nv = values[t]
        adv[t] = a
    return adv, [x + v for x, v in zip(adv, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "appends a 0 to the caller's values: 'A function leaves its arguments as they are'",
        "source": """
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    values.append(0.0)
    T = len(rewards)
    adv = [0.0] * (T + 1)
    for t in range(T - 1, -1, -1):
        adv[t] = rewards[t] + gamma * values[t + 1] - values[t] + gamma * lam * adv[t + 1]
    return adv[:T], [adv[t] + values[t] for t in range(T)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "fails on an empty reply: 'it may be empty'",
        "source": """
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    adv = [rewards[-1] - values[-1]]
    for t in range(len(rewards) - 2, -1, -1):
        adv.append(rewards[t] + gamma * values[t + 1] - values[t] + gamma * lam * adv[-1])
    adv.reverse()
    return adv, [a + v for a, v in zip(adv, values)]
""",
    },
    # kl_estimates
    {
        "task": "kl_estimates",
        "right": True,
        "why": "expm1 in double precision",
        "source": """
import torch
def kl_estimates(log_probs, reference_log_probs):
    lx = reference_log_probs.double() - log_probs.double()
    return {"k1": (-lx).mean().item(), "k2": (lx.square() / 2).mean().item(), "k3": (torch.expm1(lx) - lx).mean().item()}
""",
    },
    {
        "task": "kl_estimates",
        "right": True,
        "why": "sums over python floats",
        "source": """
import math
def kl_estimates(log_probs, reference_log_probs):
    logs = [b - a for a, b in zip(log_probs.tolist(), reference_log_probs.tolist())]
    n = len(logs)
    k1 = math.fsum(-l for l in logs) / n
    k2 = math.fsum(0.5 * l * l for l in logs) / n
    k3 = math.fsum((math.exp(l) if l < 700 else math.inf) - 1 - l for l in logs) / n
    return dict(k1=k1, k2=k2, k3=k3)
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "probabilities first: 0 / 0 for low ones: 'so low that the probabilities themselves are rounded to 0'",
        "source": """
def kl_estimates(log_probs, reference_log_probs):
    x = reference_log_probs.exp() / log_probs.exp()
    return {"k1": (-x.log()).mean().item(), "k2": (0.5 * x.log() ** 2).mean().item(), "k3": (x - 1 - x.log()).mean().item()}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "k2 is half the square of the mean, not the mean of the squares; right for one draw",
        "source": """
def kl_estimates(log_probs, reference_log_probs):
    l = reference_log_probs - log_probs
    m = l.mean()
    return {"k1": -m.item(), "k2": (0.5 * m ** 2).item(), "k3": (l.exp() - 1 - l).mean().item()}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "k3 with x turned round (pi / pi_ref)",
        "source": """
def kl_estimates(log_probs, reference_log_probs):
    l = log_probs - reference_log_probs
    return {"k1": l.mean().item(), "k2": (0.5 * l ** 2).mean().item(), "k3": (l.exp() - 1 - l).mean().item()}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "k1 is kept from being negative (clamp): 'k2 and k3 are never negative', k1 may be",
        "source": """
def kl_estimates(log_probs, reference_log_probs):
    l = reference_log_probs - log_probs
    return {"k1": max(-l.mean().item(), 0.0), "k2": (0.5 * l ** 2).mean().item(), "k3": (l.exp() - 1 - l).mean().item()}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "returns tensors: 'A dict of floats'",
        "source": """
def kl_estimates(log_probs, reference_log_probs):
    l = reference_log_probs - log_probs
    return {"k1": -l.mean(), "k2": 0.5 * (l ** 2).mean(), "k3": (l.exp() - 1 - l).mean()}
""",
    },
]
