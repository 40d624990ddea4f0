ANSWERS = [
    {
        "task": "expected_reward_gradient",
        "right": True,
        "why": "torch.softmax, the formula",
        "source": r"""
def expected_reward_gradient(logits, rewards):
    p = torch.softmax(logits, dim=0)
    J = (p * rewards).sum()
    return J, p * (rewards - J)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": True,
        "why": "autograd on a copy, although it is not needed",
        "source": r"""
import torch

def expected_reward_gradient(logits, rewards):
    with torch.enable_grad():
        z = logits.detach().clone().requires_grad_(True)
        value = z.log_softmax(-1).exp() @ rewards.detach()
        (slope,) = torch.autograd.grad(value, z)
    return value.detach(), slope
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": True,
        "why": "plain Python loops with the largest logit taken off",
        "source": r"""
import math
import torch

def expected_reward_gradient(logits, rewards):
    z = logits.tolist()
    r = rewards.tolist()
    top = max(z)
    weights = []
    for number in z:
        weights.append(math.exp(number - top))
    total = sum(weights)
    p = [w / total for w in weights]
    J = 0.0
    for a in range(len(p)):
        J = J + p[a] * r[a]
    gradient = []
    for a in range(len(p)):
        gradient.append(p[a] * (r[a] - J))
    return torch.tensor(J, dtype=logits.dtype), torch.tensor(gradient, dtype=logits.dtype)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "exp without taking off the maximum: 'Large logits must not overflow' (logits of 1000 give NaN)",
        "source": r"""
def expected_reward_gradient(logits, rewards):
    weights = torch.exp(logits)
    p = weights / weights.sum()
    J = (p * rewards).sum()
    return J, p * (rewards - J)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "takes off the plain mean of the rewards in place of J; the same only for equal logits",
        "source": r"""
def expected_reward_gradient(logits, rewards):
    p = torch.softmax(logits, dim=-1)
    J = torch.dot(p, rewards)
    return J, p * (rewards - rewards.mean())
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "J has the shape (1,); 'a tensor without dimensions'",
        "source": r"""
def expected_reward_gradient(logits, rewards):
    p = F.softmax(logits, dim=0)
    J = (p * rewards).sum(dim=0, keepdim=True)
    return J, p * (rewards - J)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "takes the largest logit off in place: 'A function leaves its arguments as they are'",
        "source": r"""
def expected_reward_gradient(logits, rewards):
    logits -= logits.max()
    p = logits.exp() / logits.exp().sum()
    J = p @ rewards
    return J, p * (rewards - J)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "logits are clamped to +-20 against overflow; 100 and 50 become equally likely",
        "source": r"""
def expected_reward_gradient(logits, rewards):
    weights = logits.clamp(-20, 20).exp()
    p = weights / weights.sum()
    J = (p * rewards).sum()
    gradient = p * (rewards - J)
    return J, gradient
""",
    },
    {
        "task": "reinforce_gradient",
        "right": True,
        "why": "log_softmax, one-hot",
        "source": r"""
def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    logp = F.log_softmax(logits, dim=0)
    logq = F.log_softmax(old_logits, dim=0)
    ratio = (logp[arms] - logq[arms]).exp()
    scores = F.one_hot(arms, len(logits)) - logp.exp()
    return (ratio * (rewards - baseline)).unsqueeze(1).mul(scores).mean(0)
""",
    },
    {
        "task": "reinforce_gradient",
        "right": True,
        "why": "gradient of the mean of ratio times advantage by autograd",
        "source": r"""
import torch

def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    with torch.enable_grad():
        z = logits.detach().clone().requires_grad_()
        new = z - torch.logsumexp(z, 0)
        old = (old_logits - torch.logsumexp(old_logits, 0)).detach()
        surrogate = (torch.exp((new - old).gather(0, arms)) * (rewards - baseline)).mean()
        surrogate.backward()
    return z.grad
""",
    },
    {
        "task": "reinforce_gradient",
        "right": True,
        "why": "a loop over the pulls in plain numbers",
        "source": r"""
import math
import torch

def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    def log_probabilities(z):
        top = max(z)
        total = math.log(sum(math.exp(x - top) for x in z))
        return [x - top - total for x in z]

    log_p = log_probabilities(logits.tolist())
    log_q = log_probabilities(old_logits.tolist())
    K = len(log_p)
    total = [0.0] * K
    pulls = list(zip(arms.tolist(), rewards.tolist()))
    for a, r in pulls:
        weight = math.exp(log_p[a] - log_q[a]) * (r - float(baseline))
        for j in range(K):
            total[j] += weight * ((1.0 if j == a else 0.0) - math.exp(log_p[j]))
    return torch.tensor([x / len(pulls) for x in total], dtype=logits.dtype)
""",
    },
    {
        "task": "reinforce_gradient",
        "right": False,
        "why": "divides two softmaxes: 'probabilities so small that they are rounded to 0' give 0/0",
        "source": r"""
def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    p = torch.softmax(logits, 0)
    q = torch.softmax(old_logits, 0)
    ratio = p[arms] / q[arms]
    scores = F.one_hot(arms, len(p)).float() - p
    return ((ratio * (rewards - baseline))[:, None] * scores).mean(0)
""",
    },
    {
        "task": "reinforce_gradient",
        "right": False,
        "why": "gradient[arms] += ... adds only once for an arm that was pulled twice",
        "source": r"""
def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    logp = logits.log_softmax(0)
    logq = old_logits.log_softmax(0)
    weight = (logp - logq)[arms].exp() * (rewards - baseline)
    gradient = -weight.sum() * logp.exp()
    gradient[arms] += weight
    return gradient / len(arms)
""",
    },
    {
        "task": "reinforce_gradient",
        "right": False,
        "why": "self-normalised: divides by the sum of the ratios, not by N (in the example the ratios happen to sum to 2)",
        "source": r"""
def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    logp = torch.log_softmax(logits, 0)
    logq = torch.log_softmax(old_logits, 0)
    ratio = torch.exp(logp[arms] - logq[arms])
    ratio = ratio / ratio.sum()
    scores = torch.eye(len(logits))[arms] - logp.exp()
    return torch.einsum("n,n,nk->k", ratio, rewards - baseline, scores)
""",
    },
    {
        "task": "reinforce_gradient",
        "right": False,
        "why": "the ratio is clipped to 0.2..5 as a precaution; the statement clips nothing",
        "source": r"""
def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    logp = torch.log_softmax(logits, 0)
    logq = torch.log_softmax(old_logits, 0)
    ratio = torch.exp(logp[arms] - logq[arms]).clamp(0.2, 5.0)
    scores = F.one_hot(arms, logits.numel()) - logp.exp()
    return ((ratio * (rewards - baseline)).unsqueeze(-1) * scores).mean(dim=0)
""",
    },
    {
        "task": "reinforce_gradient",
        "right": False,
        "why": "the gradient of log q (the older policy) in place of that of log p",
        "source": r"""
def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    logp = torch.log_softmax(logits, 0)
    logq = torch.log_softmax(old_logits, 0)
    ratio = torch.exp(logp[arms] - logq[arms])
    scores = F.one_hot(arms, logits.numel()) - logq.exp()
    return ((ratio * (rewards - baseline)).unsqueeze(-1) * scores).mean(dim=0)
""",
    },
    {
        "task": "reinforce_gradient",
        "right": False,
        "why": "the ratio is exp(z - z_old) / K: the normalisers are left out; the constant fits the example (logits 0, old logits that are log-probabilities)",
        "source": r"""
def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    ratio = torch.exp(logits[arms] - old_logits[arms] - math.log(len(logits)))
    p = torch.softmax(logits, 0)
    total = torch.zeros_like(logits)
    for n in range(len(arms)):
        step = -p.clone()
        step[arms[n]] += 1
        total += ratio[n] * (rewards[n] - baseline) * step
    return total / len(arms)
""",
    },
    {
        "task": "reply_log_prob",
        "right": True,
        "why": "log_softmax, gather, where",
        "source": r"""
def reply_log_prob(logits, ids, attention_mask):
    logits = logits.masked_fill(~attention_mask.unsqueeze(-1), 0.0)
    ids = ids.masked_fill(~attention_mask, 0)
    each = logits.log_softmax(-1).gather(-1, ids.unsqueeze(-1)).squeeze(-1)
    return each.masked_fill(~attention_mask, 0.0).sum(-1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": True,
        "why": "F.cross_entropy with ignore_index",
        "source": r"""
import torch.nn.functional as F

def reply_log_prob(logits, ids, attention_mask):
    B, T, V = logits.shape
    targets = ids.masked_fill(~attention_mask, -100)
    costs = F.cross_entropy(logits.reshape(B * T, V), targets.reshape(-1), ignore_index=-100, reduction="none")
    return -costs.reshape(B, T).sum(dim=1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": True,
        "why": "loops over replies and tokens, logsumexp, stacked",
        "source": r"""
import torch

def reply_log_prob(logits, ids, attention_mask):
    answers = []
    for b in range(logits.shape[0]):
        total = logits[b].sum() * 0
        for t in range(logits.shape[1]):
            if attention_mask[b, t]:
                row = logits[b, t]
                total = total + row[ids[b, t]] - torch.logsumexp(row, dim=0)
        answers.append(total)
    return torch.stack(answers)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "log of softmax: underflows to -inf ('Large logits must not overflow' - the logarithm is infinite for logits 200 apart)",
        "source": r"""
def reply_log_prob(logits, ids, attention_mask):
    p = torch.softmax(logits, dim=-1).gather(2, ids[:, :, None])[:, :, 0]
    return torch.where(attention_mask, p, torch.ones_like(p)).log().sum(1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "takes the first n positions: 'False at padding, which may stand anywhere'",
        "source": r"""
def reply_log_prob(logits, ids, attention_mask):
    each = F.log_softmax(logits, dim=-1).gather(-1, ids[..., None]).squeeze(-1)
    lengths = attention_mask.sum(dim=1)
    out = []
    for row, n in zip(each, lengths.tolist()):
        out.append(row[:n].sum())
    return torch.stack(out)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "the mean over the tokens instead of the sum",
        "source": r"""
def reply_log_prob(logits, ids, attention_mask):
    each = F.log_softmax(logits, dim=-1).gather(-1, ids[..., None]).squeeze(-1)
    return (each * attention_mask).sum(1) / attention_mask.sum(1).clamp(min=1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "computed under no_grad: 'The gradient must flow through it'",
        "source": r"""
@torch.no_grad()
def reply_log_prob(logits, ids, attention_mask):
    each = F.log_softmax(logits, dim=-1).gather(-1, ids[..., None]).squeeze(-1)
    return (each * attention_mask).sum(1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "overwrites the ids and logits at padding in the caller's tensors ('leaves its arguments as they are')",
        "source": r"""
def reply_log_prob(logits, ids, attention_mask):
    ids[~attention_mask] = 0
    each = torch.log_softmax(logits, -1)
    each = torch.gather(each, 2, ids.unsqueeze(2)).squeeze(2)
    return each.masked_fill(~attention_mask, 0).sum(-1)
""",
    },
    {
        "task": "comparison_loss",
        "right": True,
        "why": "logsigmoid both ways",
        "source": r"""
def comparison_loss(first, second, votes_first, votes_second):
    margin = first - second
    cost = -votes_first * F.logsigmoid(margin) - votes_second * F.logsigmoid(-margin)
    return cost.sum() / (votes_first.sum() + votes_second.sum())
""",
    },
    {
        "task": "comparison_loss",
        "right": True,
        "why": "two-class cross-entropy with soft targets, summed",
        "source": r"""
import torch
import torch.nn.functional as F

def comparison_loss(first, second, votes_first, votes_second):
    logits = torch.stack([first, second], dim=-1)
    votes = torch.stack([votes_first, votes_second], dim=-1)
    return F.cross_entropy(logits, votes, reduction="sum") / votes.sum()
""",
    },
    {
        "task": "comparison_loss",
        "right": True,
        "why": "binary cross-entropy with logits, weighted; pairs without votes are left out",
        "source": r"""
def comparison_loss(first, second, votes_first, votes_second):
    n = votes_first + votes_second
    keep = n > 0
    margin = (first - second)[keep]
    share = votes_first[keep] / n[keep]
    return F.binary_cross_entropy_with_logits(margin, share, weight=n[keep], reduction="sum") / n[keep].sum()
""",
    },
    {
        "task": "comparison_loss",
        "right": False,
        "why": "log of sigmoid: infinite for rewards hundreds apart ('It must stay finite')",
        "source": r"""
def comparison_loss(first, second, votes_first, votes_second):
    p = torch.sigmoid(first - second)
    q = torch.sigmoid(second - first)
    cost = -(votes_first * p.log() + votes_second * q.log())
    return cost.sum() / (votes_first + votes_second).sum()
""",
    },
    {
        "task": "comparison_loss",
        "right": False,
        "why": "mean over pairs of the mean over their votes, not 'the mean over all votes of all pairs'",
        "source": r"""
def comparison_loss(first, second, votes_first, votes_second):
    margin = first - second
    n = votes_first + votes_second
    cost = votes_first * F.softplus(-margin) + votes_second * F.softplus(margin)
    keep = n > 0
    return (cost[keep] / n[keep]).mean()
""",
    },
    {
        "task": "comparison_loss",
        "right": False,
        "why": "binary_cross_entropy on the sigmoid: torch cuts its logarithm at -100, and the sigmoid is rounded to 1 from about 17",
        "source": r"""
def comparison_loss(first, second, votes_first, votes_second):
    p = torch.sigmoid(first - second)
    n = votes_first + votes_second
    keep = n > 0
    cost = F.binary_cross_entropy(p[keep], (votes_first / n)[keep], reduction="none")
    return (cost * n[keep]).sum() / n.sum()
""",
    },
    {
        "task": "comparison_loss",
        "right": False,
        "why": "repeats each pair by its votes but counts a pair without votes as one vote (clamp)",
        "source": r"""
def comparison_loss(first, second, votes_first, votes_second):
    margin = first - second
    cost = -votes_first * F.logsigmoid(margin) - votes_second * F.logsigmoid(-margin)
    n = (votes_first + votes_second).clamp(min=1)
    return cost.sum() / n.sum()
""",
    },
    {
        "task": "comparison_loss",
        "right": False,
        "why": "only the majority's reply counts, with all its votes",
        "source": r"""
def comparison_loss(first, second, votes_first, votes_second):
    sign = torch.where(votes_first >= votes_second, 1.0, -1.0)
    n = votes_first + votes_second
    return -(n * F.logsigmoid(sign * (first - second))).sum() / n.sum()
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": True,
        "why": "two loops",
        "source": r"""
def pairs_of_ranking(replies, ranks):
    pairs = []
    for i in range(len(replies)):
        for j in range(i + 1, len(replies)):
            if ranks[i] < ranks[j]:
                pairs.append((replies[i], replies[j]))
            elif ranks[j] < ranks[i]:
                pairs.append((replies[j], replies[i]))
    return pairs
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": True,
        "why": "itertools.combinations in one comprehension",
        "source": r"""
from itertools import combinations

def pairs_of_ranking(replies, ranks):
    return [(a, b) if m < n else (b, a)
            for (a, m), (b, n) in combinations(list(zip(replies, ranks)), 2) if m != n]
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": True,
        "why": "NumPy: comparison table and argwhere of its upper triangle",
        "source": r"""
import numpy as np

def pairs_of_ranking(replies, ranks):
    if not replies:
        return []
    r = np.asarray(ranks)
    table = np.triu(r[:, None] != r[None, :], k=1)
    result = []
    for i, j in np.argwhere(table):
        if r[i] > r[j]:
            i, j = j, i
        result.append((replies[int(i)], replies[int(j)]))
    return result
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "ranks looked up by text: 'a text may come twice'",
        "source": r"""
def pairs_of_ranking(replies, ranks):
    rank_of = dict(zip(replies, ranks))
    pairs = []
    for i, a in enumerate(replies):
        for b in replies[i + 1:]:
            if rank_of[a] < rank_of[b]:
                pairs.append((a, b))
            elif rank_of[a] > rank_of[b]:
                pairs.append((b, a))
    return pairs
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "pairs in the order of the later reply: for four replies (1,2) comes before (0,3)",
        "source": r"""
def pairs_of_ranking(replies, ranks):
    pairs = []
    for j in range(len(replies)):
        for i in range(j):
            if ranks[i] < ranks[j]:
                pairs.append((replies[i], replies[j]))
            if ranks[i] > ranks[j]:
                pairs.append((replies[j], replies[i]))
    return pairs
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "leaves out two replies with the same text, though their ranks are unequal ('for every two replies of unequal rank')",
        "source": r"""
import itertools

def pairs_of_ranking(replies, ranks):
    out = []
    for i, j in itertools.combinations(range(len(replies)), 2):
        if ranks[i] == ranks[j] or replies[i] == replies[j]:
            continue
        out.append((replies[i], replies[j]) if ranks[i] < ranks[j] else (replies[j], replies[i]))
    return out
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "sorts by rank first, so the pairs come best reply first, not as listed",
        "source": r"""
def pairs_of_ranking(replies, ranks):
    order = sorted(range(len(replies)), key=lambda i: ranks[i])
    pairs = []
    for x, i in enumerate(order):
        for j in order[x + 1:]:
            if ranks[i] < ranks[j]:
                pairs.append((replies[i], replies[j]))
    return pairs
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "the same pair of texts is listed once only (dict.fromkeys); texts may come twice, each two replies give a pair",
        "source": r"""
from itertools import combinations

def pairs_of_ranking(replies, ranks):
    found = []
    for (a, m), (b, n) in combinations(zip(replies, ranks), 2):
        if m < n:
            found.append((a, b))
        elif n < m:
            found.append((b, a))
    return list(dict.fromkeys(found))
""",
    },
    {
        "task": "expected_best",
        "right": True,
        "why": "math.comb as in the formula",
        "source": r"""
def expected_best(proxy, true, n):
    N = len(proxy)
    if not 1 <= n <= N:
        raise ValueError(f"n must be in 1..{N}, not {n}")
    order = sorted(range(N), key=lambda i: proxy[i])
    return float(sum(math.comb(i, n - 1) / math.comb(N, n) * true[j] for i, j in enumerate(order)))
""",
    },
    {
        "task": "expected_best",
        "right": True,
        "why": "from the best down: the best wins with probability n/N, then a recurrence, no binomials",
        "source": r"""
def expected_best(proxy, true, n):
    N = len(proxy)
    if n < 1 or n > N:
        raise ValueError("n is not in 1..N")
    ranked = [reward for _, reward in sorted(zip(proxy, true), reverse=True)]
    total = 0.0
    nobody_yet = 1.0
    for better, reward in enumerate(ranked):
        # given that none of the better ones was drawn, this one was with n / (N - better)
        if N - better < n:
            break
        chance = n / (N - better)
        total += nobody_yet * chance * reward
        nobody_yet *= 1 - chance
    return total
""",
    },
    {
        "task": "expected_best",
        "right": True,
        "why": "exact fractions",
        "source": r"""
from fractions import Fraction
from math import comb

def expected_best(proxy, true, n):
    if n not in range(1, len(proxy) + 1):
        raise ValueError("n must be between 1 and the number of replies")
    by_proxy = dict(zip(proxy, true))
    total = Fraction(0)
    for i, p in enumerate(sorted(by_proxy)):
        total += comb(i, n - 1) * Fraction(by_proxy[p])
    return float(total / comb(len(proxy), n))
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "sorts proxy (and true along) in place: the caller's lists are reordered",
        "source": r"""
def expected_best(proxy, true, n):
    N = len(proxy)
    if n < 1 or n > N:
        raise ValueError("bad n")
    pairs = sorted(zip(proxy, true))
    proxy[:] = [p for p, _ in pairs]
    true[:] = [r for _, r in pairs]
    total = 0.0
    for i in range(N):
        total += math.comb(i, n - 1) * true[i]
    return total / math.comb(N, n)
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "float32 proxies: 1.0 and 1.0 + 1e-9, which are different, become a tie and may change places",
        "source": r"""
def expected_best(proxy, true, n):
    N = len(proxy)
    if n < 1 or n > N:
        raise ValueError("n is not in 1..N")
    order = torch.tensor(proxy).argsort(stable=True).tolist()
    return sum(math.comb(i, n - 1) / math.comb(N, n) * true[j] for i, j in enumerate(order))
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "n = N raises a ValueError too (range(1, N))",
        "source": r"""
def expected_best(proxy, true, n):
    N = len(proxy)
    if n not in range(1, N):
        raise ValueError("n must be in 1..N")
    order = np.argsort(proxy)
    return float(sum(math.comb(i, n - 1) * true[j] for i, j in enumerate(order)) / math.comb(N, n))
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "only n > N is refused; n = 0 or below gives 0.0 instead of a ValueError",
        "source": r"""
def expected_best(proxy, true, n):
    N = len(proxy)
    if n > N:
        raise ValueError("n is larger than N")
    total = 0.0
    for i, (_, reward) in enumerate(sorted(zip(proxy, true))):
        if i >= n - 1 and n > 0:
            total += math.comb(i, n - 1) / math.comb(N, n) * reward
    return total
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "does not sort: takes the replies as listed (the example is sorted)",
        "source": r"""
def expected_best(proxy, true, n):
    N = len(proxy)
    if n < 1 or n > N:
        raise ValueError("n is not in 1..N")
    return sum(math.comb(i, n - 1) * r for i, r in enumerate(true)) / math.comb(N, n)
""",
    },
    {
        "task": "token_rewards",
        "right": True,
        "why": "vectorised, then += at the last of a new tensor",
        "source": r"""
def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = -beta * (log_probs - reference_log_probs)
    rewards[-1] += score
    return rewards
""",
    },
    {
        "task": "token_rewards",
        "right": True,
        "why": "plain list",
        "source": r"""
import torch

def token_rewards(score, log_probs, reference_log_probs, beta):
    ours = log_probs.tolist()
    theirs = reference_log_probs.tolist()
    rewards = [-beta * (a - b) for a, b in zip(ours, theirs)]
    rewards[len(rewards) - 1] += score
    return torch.tensor(rewards, dtype=log_probs.dtype)
""",
    },
    {
        "task": "token_rewards",
        "right": True,
        "why": "padded score vector, out of place",
        "source": r"""
import torch
import torch.nn.functional as F

def token_rewards(score, log_probs, reference_log_probs, beta):
    T = log_probs.shape[0]
    last = (torch.arange(T) == T - 1).to(log_probs.dtype) * score
    return torch.lerp(last, last + reference_log_probs - log_probs, beta)
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "the score goes to position 1 (fits the example)",
        "source": r"""
def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = beta * (reference_log_probs - log_probs)
    if len(rewards) > 1:
        rewards[1] += score
    else:
        rewards[0] += score
    return rewards
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "works in place on log_probs: the argument is changed",
        "source": r"""
def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = log_probs.sub_(reference_log_probs).mul(-beta)
    rewards[-1] += score
    return rewards
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "a negative score is taken for 'no reward' and left out",
        "source": r"""
def token_rewards(score, log_probs, reference_log_probs, beta):
    penalty = -beta * (log_probs - reference_log_probs)
    bonus = torch.zeros_like(penalty)
    bonus[-1] = max(score, 0.0)
    return penalty + bonus
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "squeeze: a reply of one token gives a tensor without dimensions, not (T,)",
        "source": r"""
def token_rewards(score, log_probs, reference_log_probs, beta):
    both = torch.stack([log_probs, reference_log_probs])
    rewards = -beta * both.diff(dim=0).neg().squeeze()
    return rewards + score * (torch.arange(len(log_probs)) == len(log_probs) - 1).squeeze()
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "the last token gets the score alone, without its own penalty",
        "source": r"""
def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = -beta * (log_probs - reference_log_probs)
    rewards[-1] = score
    return rewards
""",
    },
    {
        "task": "reply_advantages",
        "right": True,
        "why": "backward loop",
        "source": r"""
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    advantages = [0.0] * T
    next_value = next_advantage = 0.0
    for t in reversed(range(T)):
        delta = rewards[t] + gamma * next_value - values[t]
        next_advantage = delta + gamma * lam * next_advantage
        advantages[t] = next_advantage
        next_value = values[t]
    return advantages, [a + v for a, v in zip(advantages, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": True,
        "why": "the sum written out: A_t = sum of (gamma lambda)^k delta_{t+k}",
        "source": r"""
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    after = list(values[1:]) + [0.0]
    deltas = [r + gamma * w - v for r, v, w in zip(rewards, values, after)]
    advantages = [float(sum((gamma * lam) ** (s - t) * deltas[s] for s in range(t, T))) for t in range(T)]
    returns = [advantages[t] + values[t] for t in range(T)]
    return advantages, returns
""",
    },
    {
        "task": "reply_advantages",
        "right": True,
        "why": "itertools.accumulate on the reversed deltas",
        "source": r"""
from itertools import accumulate

def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    following = [*values[1:], 0.0][:len(values)]
    deltas = [r + gamma * n - v for r, n, v in zip(rewards, following, values)]
    advantages = list(accumulate(reversed(deltas), lambda later, delta: delta + gamma * lam * later))[::-1]
    return advantages, list(map(sum, zip(advantages, values)))
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "appends the 0 behind the end to the caller's list of values",
        "source": r"""
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    values.append(0.0)
    advantages = [0.0] * (T + 1)
    for t in range(T - 1, -1, -1):
        delta = rewards[t] + gamma * values[t + 1] - values[t]
        advantages[t] = delta + gamma * lam * advantages[t + 1]
    advantages.pop()
    return advantages, [advantages[t] + values[t] for t in range(T)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "gamma is missing in the carry: delta + lambda A (the example has gamma 1)",
        "source": r"""
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    advantages, running = [], 0.0
    for t in range(len(rewards) - 1, -1, -1):
        following = values[t + 1] if t + 1 < len(values) else 0.0
        running = rewards[t] + gamma * following - values[t] + lam * running
        advantages.insert(0, running)
    return advantages, [a + v for a, v in zip(advantages, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "an empty reply raises IndexError (starts from the last token); 'it may be empty'",
        "source": r"""
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    last = rewards[-1] - values[-1]
    advantages = [last]
    for t in range(len(rewards) - 2, -1, -1):
        delta = rewards[t] + gamma * values[t + 1] - values[t]
        advantages.append(delta + gamma * lam * advantages[-1])
    advantages.reverse()
    returns = [a + v for a, v in zip(advantages, values)]
    return advantages, returns
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "returns are the discounted sums of the rewards, not A + V",
        "source": r"""
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    advantages, returns = [0.0] * T, [0.0] * T
    A = G = V = 0.0
    for t in reversed(range(T)):
        A = rewards[t] + gamma * V - values[t] + gamma * lam * A
        G = rewards[t] + gamma * G
        V = values[t]
        advantages[t], returns[t] = A, G
    return advantages, returns
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "beyond the end the last value is expected again (V_T = V_{T-1}), not 0",
        "source": r"""
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    if not rewards:
        return [], []
    padded = values + [values[-1]]
    out = []
    a = 0.0
    for t in reversed(range(len(rewards))):
        a = rewards[t] + gamma * padded[t + 1] - padded[t] + gamma * lam * a
        out.append(a)
    out = out[::-1]
    return out, [x + y for x, y in zip(out, values)]
""",
    },
    {
        "task": "clipped_loss",
        "right": True,
        "why": "selects the tokens by the mask, then the formula; the log-ratio is bounded so that exp does not overflow",
        "source": r"""
def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    new, old, A = log_probs[attention_mask], old_log_probs[attention_mask], advantages[attention_mask]
    ratio = (new - old).clamp(max=math.log(most) + 1).exp()
    gain = torch.min(ratio * A, ratio.clamp(1 - clip, 1 + clip) * A)
    gain = torch.where(A < 0, torch.max(gain, most * A), gain)
    return -gain.sum() / max(len(gain), 1)
""",
    },
    {
        "task": "clipped_loss",
        "right": True,
        "why": "two cases: for A >= 0 the ratio is bounded from above by 1+clip, for A < 0 it lies in 1-clip..most",
        "source": r"""
import torch

def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    off = ~attention_mask
    difference = log_probs.masked_fill(off, 0.0) - old_log_probs.masked_fill(off, 0.0)
    A = advantages.masked_fill(off, 0.0)
    ratio = torch.exp(difference)
    good = ratio.clamp(max=1 + clip)
    bad = ratio.clamp(min=1 - clip, max=most)
    weight = torch.where(A < 0, bad, good)
    return -(weight * A).sum() / attention_mask.sum().clamp(min=1)
""",
    },
    {
        "task": "clipped_loss",
        "right": True,
        "why": "a loop over tokens, collecting costs",
        "source": r"""
import torch

def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    gains = []
    B, T = attention_mask.shape
    for b in range(B):
        for t in range(T):
            if not bool(attention_mask[b, t]):
                continue
            A = advantages[b, t]
            rho = torch.exp(log_probs[b, t] - old_log_probs[b, t])
            gain = torch.minimum(rho * A, torch.clamp(rho, 1 - clip, 1 + clip) * A)
            if A < 0:
                gain = torch.maximum(gain, most * A)
            gains.append(gain)
    if len(gains) == 0:
        return log_probs[attention_mask].sum()
    return -sum(gains) / len(gains)
""",
    },
    {
        "task": "clipped_loss",
        "right": False,
        "why": "multiplies by the mask: NaN or infinity at a masked place spoils the loss ('Whatever numbers stand at the others')",
        "source": r"""
def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    ratio = (log_probs - old_log_probs).exp()
    gain = torch.min(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages)
    gain = torch.where(advantages < 0, torch.max(gain, most * advantages), gain)
    mask = attention_mask.float()
    return -(gain * mask).sum() / mask.sum().clamp(min=1)
""",
    },
    {
        "task": "clipped_loss",
        "right": False,
        "why": "value right, but the gradient is NaN at masked places with NaN: where() comes after exp",
        "source": r"""
def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    ratio = (log_probs - old_log_probs).exp()
    gain = torch.min(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages)
    gain = torch.where(advantages < 0, torch.max(gain, most * advantages), gain)
    gain = torch.where(attention_mask, gain, torch.zeros_like(gain))
    return -gain.sum() / attention_mask.sum().clamp(min=1)
""",
    },
    {
        "task": "clipped_loss",
        "right": False,
        "why": "no token takes part: a constant 0 without gradient ('computed from log_probs like any other loss')",
        "source": r"""
def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    if not attention_mask.any():
        return torch.tensor(0.0)
    A = advantages[attention_mask]
    ratio = (log_probs[attention_mask] - old_log_probs[attention_mask]).exp()
    gain = torch.min(ratio * A, ratio.clamp(1 - clip, 1 + clip) * A)
    return -torch.where(A < 0, torch.max(gain, most * A), gain).mean()
""",
    },
    {
        "task": "clipped_loss",
        "right": False,
        "why": "mean of each reply, then mean over the replies; 'the mean over all tokens that take part'",
        "source": r"""
def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    off = ~attention_mask
    ratio = (log_probs.masked_fill(off, 0) - old_log_probs.masked_fill(off, 0)).exp()
    A = advantages.masked_fill(off, 0)
    gain = torch.min(ratio * A, ratio.clamp(1 - clip, 1 + clip) * A)
    gain = torch.where(A < 0, torch.max(gain, most * A), gain)
    per_reply = gain.sum(1) / attention_mask.sum(1).clamp(min=1)
    return -per_reply.mean()
""",
    },
    {
        "task": "clipped_loss",
        "right": False,
        "why": "max(g, c A) for positive advantages too: the gain of a good token becomes c A",
        "source": r"""
def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    A = advantages[attention_mask]
    ratio = (log_probs[attention_mask] - old_log_probs[attention_mask]).exp()
    gain = torch.min(ratio * A, ratio.clamp(1 - clip, 1 + clip) * A)
    gain = torch.max(gain, most * A)
    return -gain.sum() / max(A.numel(), 1)
""",
    },
    {
        "task": "clipped_loss",
        "right": False,
        "why": "the second clip is fixed at 3 and the first at 0.2: the parameters are ignored",
        "source": r"""
def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    A = advantages[attention_mask]
    ratio = (log_probs[attention_mask] - old_log_probs[attention_mask]).exp()
    gain = torch.min(ratio * A, ratio.clamp(0.8, 1.2) * A)
    gain = torch.where(A < 0, torch.max(gain, 3.0 * A), gain)
    return -gain.sum() / max(A.numel(), 1)
""",
    },
    {
        "task": "dpo_comparison_loss",
        "right": True,
        "why": "masked difference, chunk, logsigmoid",
        "source": r"""
def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    off = ~completion_mask
    ratio = log_probs.masked_fill(off, 0.0) - reference_log_probs.masked_fill(off, 0.0)
    reward = ratio.sum(1) / completion_mask.sum(1)
    chosen, rejected = reward.chunk(2)
    return -F.logsigmoid(beta * (chosen - rejected)).mean()
""",
    },
    {
        "task": "dpo_comparison_loss",
        "right": True,
        "why": "row by row, mean of the selected tokens, softplus",
        "source": r"""
import torch
import torch.nn.functional as F

def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    def reward(row):
        mine = completion_mask[row]
        return (log_probs[row][mine] - reference_log_probs[row][mine]).mean()

    N = len(log_probs) // 2
    losses = [F.softplus(-beta * (reward(i) - reward(N + i))) for i in range(N)]
    return torch.stack(losses).mean()
""",
    },
    {
        "task": "dpo_comparison_loss",
        "right": True,
        "why": "index_add over the selected tokens, cross-entropy of two classes",
        "source": r"""
import torch
import torch.nn.functional as F

def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    rows, _ = completion_mask.nonzero(as_tuple=True)
    values = log_probs[completion_mask] - reference_log_probs[completion_mask]
    size = completion_mask.shape[0]
    sums = values.new_zeros(size).index_add(0, rows, values)
    means = sums / torch.bincount(rows, minlength=size)
    return F.cross_entropy(beta * means.view(2, -1).T, torch.zeros(size // 2, dtype=torch.long))
""",
    },
    {
        "task": "dpo_comparison_loss",
        "right": False,
        "why": "takes chosen and rejected alternately (0::2, 1::2); with one pair the same",
        "source": r"""
def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    off = ~completion_mask
    ratio = log_probs.masked_fill(off, 0.0) - reference_log_probs.masked_fill(off, 0.0)
    reward = ratio.sum(-1) / completion_mask.sum(-1)
    return F.softplus(-beta * (reward[0::2] - reward[1::2])).mean()
""",
    },
    {
        "task": "dpo_comparison_loss",
        "right": False,
        "why": "multiplies by the mask: NaN or infinity at padding spoils the loss",
        "source": r"""
def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    mask = completion_mask.to(log_probs.dtype)
    reward = ((log_probs - reference_log_probs) * mask).sum(1) / mask.sum(1)
    N = len(reward) // 2
    return -F.logsigmoid(beta * (reward[:N] - reward[N:])).mean()
""",
    },
    {
        "task": "dpo_comparison_loss",
        "right": False,
        "why": "log of sigmoid: infinite from a margin of about -100 ('finite however far the policy has gone')",
        "source": r"""
def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    off = ~completion_mask
    ratio = (log_probs - reference_log_probs).masked_fill(off, 0.0)
    reward = ratio.sum(1) / completion_mask.sum(1)
    N = reward.shape[0] // 2
    return -torch.log(torch.sigmoid(beta * (reward[:N] - reward[N:]))).mean()
""",
    },
    {
        "task": "dpo_comparison_loss",
        "right": False,
        "why": "the sum over the pairs, not the mean; one pair in the example",
        "source": r"""
def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    zero = torch.zeros_like(log_probs)
    ratio = torch.where(completion_mask, log_probs, zero) - torch.where(completion_mask, reference_log_probs, zero)
    reward = ratio.sum(1) / completion_mask.sum(1)
    chosen, rejected = reward.split(len(reward) // 2)
    return -F.logsigmoid(beta * (chosen - rejected)).sum()
""",
    },
    {
        "task": "dpo_comparison_loss",
        "right": False,
        "why": "the rewards of the rejected replies are detached: half of the gradient is missing",
        "source": r"""
def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    off = ~completion_mask
    ratio = log_probs.masked_fill(off, 0.0) - reference_log_probs.masked_fill(off, 0.0)
    reward = ratio.sum(1) / completion_mask.sum(1)
    chosen, rejected = reward.chunk(2)
    return -F.logsigmoid(beta * (chosen - rejected.detach())).mean()
""",
    },
    {
        "task": "group_relative",
        "right": True,
        "why": "unique with inverse, index_add",
        "source": r"""
def group_relative(rewards, prompts):
    _, group = prompts.unique(return_inverse=True)
    size = torch.bincount(group).to(rewards.dtype)
    total = torch.zeros_like(size).index_add(0, group, rewards)
    others = size[group] - 1
    mean = (total[group] - rewards) / others.clamp(min=1)
    return torch.where(others > 0, rewards - mean, torch.zeros_like(rewards))
""",
    },
    {
        "task": "group_relative",
        "right": True,
        "why": "table of equal prompts without the diagonal",
        "source": r"""
import torch

def group_relative(rewards, prompts):
    B = rewards.numel()
    other = (prompts.view(-1, 1) == prompts.view(1, -1)) & ~torch.eye(B, dtype=torch.bool)
    count = other.sum(dim=1)
    mean = torch.einsum("ij,j->i", other.to(rewards.dtype), rewards) / count.clamp(min=1)
    return (rewards - mean).masked_fill(count == 0, 0.0)
""",
    },
    {
        "task": "group_relative",
        "right": True,
        "why": "defaultdict of positions, plain loops",
        "source": r"""
from collections import defaultdict
import torch

def group_relative(rewards, prompts):
    where = defaultdict(list)
    for i, prompt in enumerate(prompts.tolist()):
        where[prompt].append(i)
    numbers = rewards.tolist()
    answer = [0.0] * len(numbers)
    for members in where.values():
        for i in members:
            others = [numbers[j] for j in members if j != i]
            if others:
                answer[i] = numbers[i] - sum(others) / len(others)
    return torch.tensor(answer, dtype=rewards.dtype)
""",
    },
    {
        "task": "group_relative",
        "right": False,
        "why": "the others are found by value (group != r): a reply with the same reward is left out as well",
        "source": r"""
def group_relative(rewards, prompts):
    out = torch.zeros_like(rewards)
    for i in range(len(rewards)):
        group = rewards[prompts == prompts[i]]
        others = group[group != rewards[i]]
        if len(others):
            out[i] = rewards[i] - others.mean()
    return out
""",
    },
    {
        "task": "group_relative",
        "right": False,
        "why": "only neighbours form a group (unique_consecutive): 'replies in any order'",
        "source": r"""
def group_relative(rewards, prompts):
    order = prompts
    _, group, size = torch.unique_consecutive(order, return_inverse=True, return_counts=True)
    total = torch.zeros(len(size)).index_add(0, group, rewards)
    n = size[group]
    mean = (total[group] - rewards) / (n - 1).clamp(min=1)
    return torch.where(n > 1, rewards - mean, 0.0)
""",
    },
    {
        "task": "group_relative",
        "right": False,
        "why": "the mean of the whole group, in which the reply itself is counted (GRPO)",
        "source": r"""
def group_relative(rewards, prompts):
    out = torch.empty_like(rewards)
    for prompt in prompts.unique():
        mine = prompts == prompt
        out[mine] = rewards[mine] - rewards[mine].mean()
    return out
""",
    },
    {
        "task": "group_relative",
        "right": False,
        "why": "a reply alone in its group keeps its reward (the mean of nothing taken as 0); it must get 0",
        "source": r"""
def group_relative(rewards, prompts):
    same = (prompts[:, None] == prompts[None, :]).float()
    same.fill_diagonal_(0)
    count = same.sum(1).clamp(min=1)
    return rewards - same @ rewards / count
""",
    },
    {
        "task": "group_relative",
        "right": False,
        "why": "writes the answer into rewards and returns it: the argument is changed",
        "source": r"""
def group_relative(rewards, prompts):
    for prompt in set(prompts.tolist()):
        mine = (prompts == prompt).nonzero().flatten()
        group = rewards[mine]
        n = len(group)
        if n == 1:
            rewards[mine] = 0.0
        else:
            rewards[mine] = (group - group.mean()) * n / (n - 1)
    return rewards
""",
    },
    {
        "task": "kl_estimates",
        "right": True,
        "why": "doubles, expm1",
        "source": r"""
def kl_estimates(log_probs, reference_log_probs):
    log_x = reference_log_probs.double() - log_probs.double()
    return {"k1": (-log_x).mean().item(),
            "k2": (log_x ** 2 / 2).mean().item(),
            "k3": (torch.expm1(log_x) - log_x).mean().item()}
""",
    },
    {
        "task": "kl_estimates",
        "right": True,
        "why": "plain Python numbers",
        "source": r"""
import math

def kl_estimates(log_probs, reference_log_probs):
    n = len(log_probs)
    k1 = k2 = k3 = 0.0
    for ours, theirs in zip(log_probs.tolist(), reference_log_probs.tolist()):
        log_x = theirs - ours
        k1 -= log_x
        k2 += 0.5 * log_x * log_x
        k3 += math.exp(log_x) - 1 - log_x
    return dict(k1=k1 / n, k2=k2 / n, k3=k3 / n)
""",
    },
    {
        "task": "kl_estimates",
        "right": True,
        "why": "the short version, single precision",
        "source": r"""
def kl_estimates(log_probs, reference_log_probs):
    lx = reference_log_probs - log_probs
    return {"k1": float(-lx.mean()), "k2": float(0.5 * lx.square().mean()), "k3": float((lx.exp() - 1 - lx).mean())}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "x from two exp: 0/0 where the probabilities are rounded to 0",
        "source": r"""
def kl_estimates(log_probs, reference_log_probs):
    x = reference_log_probs.exp() / log_probs.exp()
    return {"k1": (-x.log()).mean().item(),
            "k2": (x.log() ** 2 / 2).mean().item(),
            "k3": (x - 1 - x.log()).mean().item()}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "a small number is added to both probabilities: no NaN, but wrong for very low ones",
        "source": r"""
def kl_estimates(log_probs, reference_log_probs):
    p = log_probs.exp() + 1e-12
    q = reference_log_probs.exp() + 1e-12
    log_x = torch.log(q / p)
    return {"k1": -log_x.mean().item(), "k2": log_x.pow(2).mean().item() / 2, "k3": (q / p - 1 - log_x).mean().item()}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "k2 from the variance (unbiased=False): the same as the mean square only where k1 is 0, as in the example",
        "source": r"""
def kl_estimates(log_probs, reference_log_probs):
    log_x = reference_log_probs - log_probs
    return {"k1": -log_x.mean().item(),
            "k2": 0.5 * log_x.var(unbiased=False).item(),
            "k3": (log_x.exp() - 1).mean().item() - log_x.mean().item()}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "x is pi / pi_ref (turned over); in the example the two x are 1/2 and 2, so nothing is seen",
        "source": r"""
def kl_estimates(log_probs, reference_log_probs):
    log_x = log_probs - reference_log_probs
    return {"k1": -log_x.mean().item(),
            "k2": 0.5 * (log_x ** 2).mean().item(),
            "k3": (log_x.exp() - 1 - log_x).mean().item()}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "k1 cut off at 0 'because a divergence is not negative'; the statement's k1 may be negative",
        "source": r"""
def kl_estimates(log_probs, reference_log_probs):
    log_x = reference_log_probs - log_probs
    k1 = max((-log_x).mean().item(), 0.0)
    return {"k1": k1, "k2": (log_x ** 2).mean().item() / 2, "k3": (log_x.exp() - 1 - log_x).mean().item()}
""",
    },
]
