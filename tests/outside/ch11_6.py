ANSWERS = [
    # ------------------------------------------------------------------ expected_reward_gradient
    {
        "task": "expected_reward_gradient",
        "right": True,
        "why": "plain Python, shifted by the maximum, in double precision",
        "source": r"""
import math
import torch

def expected_reward_gradient(logits, rewards):
    zs = logits.tolist()
    rs = rewards.tolist()
    top = max(zs)
    weights = [math.exp(z - top) for z in zs]
    total = math.fsum(weights)
    ps = [w / total for w in weights]
    J = 0.0
    for p, r in zip(ps, rs):
        J += p * r
    gradient = []
    for p, r in zip(ps, rs):
        gradient.append(p * (r - J))
    return torch.tensor(J, dtype=logits.dtype), torch.tensor(gradient, dtype=logits.dtype)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": True,
        "why": "the Jacobian of the softmax times the rewards",
        "source": r"""
import torch

def expected_reward_gradient(logits, rewards):
    p = torch.exp(logits - torch.logsumexp(logits, dim=0))
    jacobian = torch.diag(p) - torch.outer(p, p)
    J = torch.einsum("a,a->", p, rewards)
    return J, torch.einsum("za,a->z", jacobian, rewards)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "J has shape (1,); 'J, a tensor without dimensions'",
        "source": r"""
import torch

def expected_reward_gradient(logits, rewards):
    p = torch.softmax(logits, dim=-1)
    J = (p * rewards).sum(dim=-1, keepdim=True)
    return J, p * (rewards - J)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "takes the plain mean of the rewards off in place of J; agrees only for equal logits",
        "source": r"""
import torch

def expected_reward_gradient(logits, rewards):
    p = torch.softmax(logits, dim=0)
    J = (p * rewards).sum()
    return J, p * (rewards - rewards.mean())
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "clamps the logits to +-50 against overflow: logits (100, 101) come out equal",
        "source": r"""
import torch

def expected_reward_gradient(logits, rewards):
    e = logits.clamp(-50, 50).exp()     # exp must not overflow
    p = e / e.sum()
    J = p @ rewards
    return J, p * (rewards - J)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "subtracts the maximum in place: 'A function leaves its arguments as they are'",
        "source": r"""
import torch

def expected_reward_gradient(logits, rewards):
    logits -= logits.max()
    e = torch.exp(logits)
    p = e / e.sum()
    J = (p * rewards).sum()
    return J, p * (rewards - J)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "forgets the factor p: the gradient of a single pull, not of the expectation (fails the doctest)",
        "source": r"""
import torch

def expected_reward_gradient(logits, rewards):
    p = torch.softmax(logits, dim=0)
    J = torch.dot(p, rewards)
    return J, rewards - J
""",
    },
    # ------------------------------------------------------------------ reinforce_gradient
    {
        "task": "reinforce_gradient",
        "right": True,
        "why": "a loop over pulls and arms with log-softmax",
        "source": r"""
import torch

def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    log_p = torch.log_softmax(logits, dim=0)
    log_q = torch.log_softmax(old_logits, dim=0)
    p = log_p.exp()
    K = len(logits)
    N = len(arms)
    total = torch.zeros_like(p)
    for n in range(N):
        a = int(arms[n])
        weight = torch.exp(log_p[a] - log_q[a]) * (rewards[n] - baseline)
        for j in range(K):
            if j == a:
                total[j] += weight * (1 - p[j])
            else:
                total[j] -= weight * p[j]
    return total / N
""",
    },
    {
        "task": "reinforce_gradient",
        "right": True,
        "why": "autograd of the mean of ratio times advantage, on a copy of the logits",
        "source": r"""
import torch

def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    z = logits.detach().clone().requires_grad_(True)
    index = arms.long()
    with torch.enable_grad():
        log_ratio = torch.log_softmax(z, 0)[index] - torch.log_softmax(old_logits.detach(), 0)[index]
        surrogate = (log_ratio.exp() * (rewards.detach() - baseline)).mean()
        (gradient,) = torch.autograd.grad(surrogate, z)
    return gradient
""",
    },
    {
        "task": "reinforce_gradient",
        "right": False,
        "why": "divides probabilities: 0/0 is NaN where both are rounded to 0 ('probabilities so small that they are rounded to 0')",
        "source": r"""
import torch
import torch.nn.functional as F

def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    p = torch.softmax(logits, dim=-1)
    q = torch.softmax(old_logits, dim=-1)
    ratio = p[arms] / q[arms]
    onehot = F.one_hot(arms, len(logits)).to(p.dtype)
    return ((ratio * (rewards - baseline))[:, None] * (onehot - p)).mean(dim=0)
""",
    },
    {
        "task": "reinforce_gradient",
        "right": False,
        "why": "divides by the sum of the ratios (self-normalised) instead of N; in the example the ratios happen to add up to N",
        "source": r"""
import torch
import torch.nn.functional as F

def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    log_p = F.log_softmax(logits, dim=0)
    log_q = F.log_softmax(old_logits, dim=0)
    ratio = (log_p - log_q)[arms].exp()
    grad_log = F.one_hot(arms, logits.shape[0]).to(logits.dtype) - log_p.exp()
    weights = ratio / ratio.sum()
    return (weights * (rewards - baseline)) @ grad_log
""",
    },
    {
        "task": "reinforce_gradient",
        "right": False,
        "why": "`+=` with an index tensor counts an arm that was pulled several times only once",
        "source": r"""
import torch

def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    log_p = torch.log_softmax(logits, 0)
    log_q = torch.log_softmax(old_logits, 0)
    w = torch.exp(log_p[arms] - log_q[arms]) * (rewards - baseline)
    gradient = -log_p.exp() * w.sum()
    gradient[arms] += w
    return gradient / len(arms)
""",
    },
    {
        "task": "reinforce_gradient",
        "right": False,
        "why": "one_hot without the number of arms: an error (or wrong shape) when the last arm was never pulled",
        "source": r"""
import torch
import torch.nn.functional as F

def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    log_p = F.log_softmax(logits, dim=0)
    log_q = F.log_softmax(old_logits, dim=0)
    hot = F.one_hot(arms).to(logits.dtype)
    ratio = torch.exp((hot * (log_p - log_q)).sum(1))
    return ((ratio * (rewards - baseline)).unsqueeze(1) * (hot - log_p.exp())).mean(0)
""",
    },
    {
        "task": "reinforce_gradient",
        "right": False,
        "why": "takes the gradient of the older policy's log-probability, [j = a] - q_j (fails the doctest)",
        "source": r"""
import torch

def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    log_p = logits - logits.logsumexp(0)
    log_q = old_logits - old_logits.logsumexp(0)
    ratio = (log_p[arms] - log_q[arms]).exp()
    grad_log = torch.eye(len(logits), dtype=logits.dtype)[arms] - log_q.exp()
    return torch.einsum("n,nk->k", ratio * (rewards - baseline), grad_log) / len(arms)
""",
    },
    # ------------------------------------------------------------------ reply_log_prob
    {
        "task": "reply_log_prob",
        "right": True,
        "why": "padding is made harmless first, then cross_entropy of the library",
        "source": r"""
import torch
import torch.nn.functional as F

def reply_log_prob(logits, ids, attention_mask):
    mask = attention_mask.bool()
    B, T, V = logits.shape
    safe_logits = torch.where(mask.unsqueeze(-1), logits, torch.zeros_like(logits))
    safe_ids = torch.where(mask, ids, torch.zeros_like(ids)).long()
    nll = F.cross_entropy(safe_logits.reshape(B * T, V), safe_ids.reshape(B * T), reduction="none").reshape(B, T)
    return -(nll * mask).sum(dim=1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": True,
        "why": "two loops; an empty sum of logits keeps the graph for a reply without tokens",
        "source": r"""
import torch

def reply_log_prob(logits, ids, attention_mask):
    rows = []
    for b in range(logits.shape[0]):
        total = logits[b, :0].sum()
        for t in range(logits.shape[1]):
            if bool(attention_mask[b, t]):
                z = logits[b, t]
                total = total + z[int(ids[b, t])] - torch.logsumexp(z, dim=0)
        rows.append(total)
    if not rows:
        return logits.sum(dim=(1, 2))
    return torch.stack(rows)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "log of softmax: logits (0, 200) and token 0 give -inf in place of -200",
        "source": r"""
import torch

def reply_log_prob(logits, ids, attention_mask):
    probs = torch.softmax(logits, dim=-1)          # softmax does not overflow
    picked = probs.gather(-1, ids.unsqueeze(-1)).squeeze(-1)
    picked = torch.where(attention_mask, picked, torch.ones_like(picked))
    return picked.log().sum(dim=-1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "counts the tokens and takes that many from the left; padding 'may stand anywhere'",
        "source": r"""
import torch

def reply_log_prob(logits, ids, attention_mask):
    log_probs = torch.log_softmax(logits, dim=-1)
    result = []
    for b in range(len(ids)):
        length = int(attention_mask[b].sum())
        picked = log_probs[b, torch.arange(length), ids[b, :length]]
        result.append(picked.sum())
    return torch.stack(result)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "computed from logits.data: 'The gradient must flow through it'",
        "source": r"""
import torch

def reply_log_prob(logits, ids, attention_mask):
    lp = torch.log_softmax(logits.data, dim=2)
    lp = torch.gather(lp, 2, ids[:, :, None])[:, :, 0]
    return lp.masked_fill(~attention_mask, 0.0).sum(1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "writes 0 into ids at padding: 'A function leaves its arguments as they are'",
        "source": r"""
import torch

def reply_log_prob(logits, ids, attention_mask):
    ids[~attention_mask] = 0           # there may be anything at padding
    lp = torch.log_softmax(logits, dim=-1).gather(-1, ids[..., None]).squeeze(-1)
    return torch.where(attention_mask, lp, 0.0).sum(-1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "shifts by one, as for a language model; 'they are lined up already' (fails the doctest)",
        "source": r"""
import torch

def reply_log_prob(logits, ids, attention_mask):
    lp = torch.log_softmax(logits[:, :-1], dim=-1)
    lp = lp.gather(-1, ids[:, 1:].unsqueeze(-1)).squeeze(-1)
    return (lp * attention_mask[:, 1:]).sum(dim=-1)
""",
    },
    # ------------------------------------------------------------------ comparison_loss
    {
        "task": "comparison_loss",
        "right": True,
        "why": "binary cross-entropy with soft targets, weighted by the number of votes",
        "source": r"""
import torch
import torch.nn.functional as F

def comparison_loss(first, second, votes_first, votes_second):
    votes = votes_first + votes_second
    target = votes_first / torch.where(votes > 0, votes, torch.ones_like(votes))
    summed = F.binary_cross_entropy_with_logits(first - second, target, weight=votes, reduction="sum")
    return summed / votes.sum()
""",
    },
    {
        "task": "comparison_loss",
        "right": True,
        "why": "a loop over the pairs with softplus",
        "source": r"""
import torch
import torch.nn.functional as F

def comparison_loss(first, second, votes_first, votes_second):
    loss = 0
    votes = 0
    for r1, r2, n, m in zip(first, second, votes_first, votes_second):
        # -log sigmoid(x) = softplus(-x)
        loss = loss + n * F.softplus(r2 - r1) + m * F.softplus(r1 - r2)
        votes = votes + n + m
    return loss / votes
""",
    },
    {
        "task": "comparison_loss",
        "right": False,
        "why": "log of sigmoid: infinite or NaN for rewards hundreds apart; 'It stays finite'",
        "source": r"""
import torch

def comparison_loss(first, second, votes_first, votes_second):
    p = torch.sigmoid(first - second)
    q = torch.sigmoid(second - first)
    costs = -(votes_first * p.log() + votes_second * q.log())
    return costs.sum() / (votes_first + votes_second).sum()
""",
    },
    {
        "task": "comparison_loss",
        "right": False,
        "why": "means of the pairs are averaged, each pair counts alike; 'the mean over all votes of all pairs'",
        "source": r"""
import torch
import torch.nn.functional as F

def comparison_loss(first, second, votes_first, votes_second):
    n = votes_first + votes_second
    keep = n > 0
    margin = (first - second)[keep]
    share = votes_first[keep] / n[keep]
    per_pair = -(share * F.logsigmoid(margin) + (1 - share) * F.logsigmoid(-margin))
    return per_pair.mean()
""",
    },
    {
        "task": "comparison_loss",
        "right": False,
        "why": "adds 1e-8 inside the logarithm: finite, but 18.4 for rewards 200 apart where 200 is right, and no gradient there",
        "source": r"""
import torch

def comparison_loss(first, second, votes_first, votes_second):
    eps = 1e-8
    p = torch.sigmoid(first - second)
    loss = votes_first * -torch.log(p + eps) + votes_second * -torch.log(1 - p + eps)
    return loss.sum() / (votes_first.sum() + votes_second.sum())
""",
    },
    {
        "task": "comparison_loss",
        "right": False,
        "why": "no gradient to the second replies: 'The gradient must flow to the rewards'",
        "source": r"""
import torch
import torch.nn.functional as F

def comparison_loss(first, second, votes_first, votes_second):
    d = first - second.detach()
    ll = votes_first * F.logsigmoid(d) + votes_second * F.logsigmoid(-d)
    return -ll.sum() / (votes_first + votes_second).sum()
""",
    },
    {
        "task": "comparison_loss",
        "right": False,
        "why": "the majority decides and the other votes are dropped; 'They may disagree' (fails the doctest)",
        "source": r"""
import torch
import torch.nn.functional as F

def comparison_loss(first, second, votes_first, votes_second):
    sign = torch.sign(votes_first - votes_second)
    counts = votes_first + votes_second
    return -(counts * F.logsigmoid(sign * (first - second))).sum() / counts.sum()
""",
    },
    # ------------------------------------------------------------------ pairs_of_ranking
    {
        "task": "pairs_of_ranking",
        "right": True,
        "why": "itertools.combinations of the zipped lists",
        "source": r"""
import itertools

def pairs_of_ranking(replies, ranks):
    listed = list(zip(replies, ranks))
    return [(x, y) if i < j else (y, x) for (x, i), (y, j) in itertools.combinations(listed, 2) if i != j]
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": True,
        "why": "recursion on the head of the list, written out clumsily",
        "source": r"""
def pairs_of_ranking(replies, ranks):
    result = []
    rest = list(replies)
    rest_ranks = list(ranks)
    while len(rest) > 0:
        head = rest.pop(0)
        head_rank = rest_ranks.pop(0)
        k = 0
        while k < len(rest):
            if head_rank < rest_ranks[k]:
                result = result + [(head, rest[k])]
            elif head_rank > rest_ranks[k]:
                result = result + [(rest[k], head)]
            else:
                pass   # a tie
            k = k + 1
    return result
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "sorts by rank first: the order of the pairs is not that of the list, e.g. ranks 3, 1, 2",
        "source": r"""
import itertools

def pairs_of_ranking(replies, ranks):
    ordered = sorted(zip(replies, ranks), key=lambda pair: pair[1])
    return [(a[0], b[0]) for a, b in itertools.combinations(ordered, 2) if a[1] != b[1]]
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "looks the rank up by the text, but 'a text may come twice'",
        "source": r"""
def pairs_of_ranking(replies, ranks):
    rank = dict(zip(replies, ranks))
    pairs = []
    for i, a in enumerate(replies):
        for b in replies[i + 1:]:
            if rank[a] < rank[b]:
                pairs.append((a, b))
            elif rank[b] < rank[a]:
                pairs.append((b, a))
    return pairs
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "leaves out a pair that is already there; a (better, worse) pair 'for every two replies of unequal rank', and a text may come twice",
        "source": r"""
def pairs_of_ranking(replies, ranks):
    pairs = []
    for i in range(len(replies)):
        for j in range(i + 1, len(replies)):
            if ranks[i] == ranks[j]:
                continue
            pair = (replies[i], replies[j]) if ranks[i] < ranks[j] else (replies[j], replies[i])
            if pair not in pairs:
                pairs.append(pair)
    return pairs
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "fails for an empty list (an error from the recursion); 'it may be empty'",
        "source": r"""
def pairs_of_ranking(replies, ranks):
    if len(replies) == 1:
        return []
    first, rank = replies[0], ranks[0]
    pairs = []
    for other, r in zip(replies[1:], ranks[1:]):
        if rank < r:
            pairs.append((first, other))
        if rank > r:
            pairs.append((other, first))
    return pairs + pairs_of_ranking(replies[1:], ranks[1:])
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "goes through the better replies: pairs in which a reply is the worse one come under the other's turn, e.g. ranks 2, 3, 1",
        "source": r"""
def pairs_of_ranking(replies, ranks):
    return [(a, b) for a, i in zip(replies, ranks) for b, j in zip(replies, ranks) if i < j]
""",
    },
    # ------------------------------------------------------------------ expected_best
    {
        "task": "expected_best",
        "right": True,
        "why": "exact fractions",
        "source": r"""
from fractions import Fraction
from math import comb

def expected_best(proxy, true, n):
    N = len(proxy)
    if not 1 <= n <= N:
        raise ValueError(f"n must be in 1..{N}")
    by_proxy = [t for _, t in sorted(zip(proxy, true), key=lambda pair: pair[0])]
    total = sum(Fraction(comb(i, n - 1)) * Fraction(r) for i, r in enumerate(by_proxy))
    return float(total / comb(N, n))
""",
    },
    {
        "task": "expected_best",
        "right": True,
        "why": "from the best downwards, with the probability that nobody better was drawn; returns a NumPy float (the doctest prints np.float64(6.333), the number is right)",
        "source": r"""
import numpy as np

def expected_best(proxy, true, n):
    N = len(proxy)
    if n < 1 or n > N:
        raise ValueError("n out of range")
    ordered = np.asarray(true, dtype=np.float64)[np.argsort(np.asarray(proxy))[::-1]]
    nobody_yet = 1.0
    value = np.float64(0.0)
    for position, reward in enumerate(ordered):
        left = N - position
        if n > left:
            break
        chance = n / left           # this one is among the n, none above it was
        value += nobody_yet * chance * reward
        nobody_yet *= 1 - chance
    return value
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "draws with putting back: 'without putting back' (fails the doctest)",
        "source": r"""
def expected_best(proxy, true, n):
    N = len(proxy)
    if n < 1 or n > N:
        raise ValueError("n")
    order = sorted(range(N), key=lambda i: proxy[i])
    return sum((((i + 1) / N) ** n - (i / N) ** n) * true[j] for i, j in enumerate(order))
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "n above N gives a ZeroDivisionError instead of ValueError",
        "source": r"""
from math import comb

def expected_best(proxy, true, n):
    if n < 1:
        raise ValueError("n must be at least 1")
    pairs = sorted(zip(proxy, true))
    return sum(comb(i, n - 1) * r / comb(len(pairs), n) for i, (_, r) in enumerate(pairs))
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "n = N is refused, although n may be in 1..N",
        "source": r"""
from math import comb

def expected_best(proxy, true, n):
    N = len(proxy)
    if n not in range(1, N):
        raise ValueError("n must be in 1..N")
    order = sorted(range(N), key=proxy.__getitem__)
    return sum(comb(i, n - 1) / comb(N, n) * true[j] for i, j in enumerate(order))
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "bubble sort in the caller's lists: 'A function leaves its arguments as they are'",
        "source": r"""
from math import comb

def expected_best(proxy, true, n):
    N = len(proxy)
    if n < 1 or n > N:
        raise ValueError("n is not in 1..N")
    for a in range(N):
        for b in range(N - 1 - a):
            if proxy[b] > proxy[b + 1]:
                proxy[b], proxy[b + 1] = proxy[b + 1], proxy[b]
                true[b], true[b + 1] = true[b + 1], true[b]
    total = 0.0
    for i in range(N):
        total += comb(i, n - 1) / comb(N, n) * true[i]
    return total
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "does not sort at all (the example's proxies are sorted already)",
        "source": r"""
from math import comb

def expected_best(proxy, true, n):
    N = len(true)
    if n < 1 or n > N:
        raise ValueError("n is not in 1..N")
    value = 0.0
    for i, reward in enumerate(true):
        value += comb(i, n - 1) * reward
    return value / comb(N, n)
""",
    },
    # ------------------------------------------------------------------ token_rewards
    {
        "task": "token_rewards",
        "right": True,
        "why": "plain Python over lists",
        "source": r"""
import torch

def token_rewards(score, log_probs, reference_log_probs, beta):
    result = []
    for ours, theirs in zip(log_probs.tolist(), reference_log_probs.tolist()):
        result.append(-beta * (ours - theirs))
    result[-1] = result[-1] + score
    return torch.tensor(result, dtype=log_probs.dtype)
""",
    },
    {
        "task": "token_rewards",
        "right": True,
        "why": "without writing into anything: the score times 'is the last token'",
        "source": r"""
import torch

def token_rewards(score, log_probs, reference_log_probs, beta):
    T = log_probs.shape[0]
    last = (torch.arange(T) == T - 1).to(log_probs.dtype)
    return beta * (reference_log_probs - log_probs) + score * last
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "the score goes to position 1, which is the last only in the example",
        "source": r"""
import torch

def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = -beta * (log_probs - reference_log_probs)
    rewards[1] += score
    return rewards
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "works in place on log_probs: 'A function leaves its arguments as they are'",
        "source": r"""
import torch

def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = log_probs
    rewards -= reference_log_probs
    rewards *= -beta
    rewards[-1] += score
    return rewards
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "T = 1 gives two numbers: first and last are taken as different tokens; 'T at least 1'",
        "source": r"""
import torch

def token_rewards(score, log_probs, reference_log_probs, beta):
    kl = -beta * (log_probs - reference_log_probs)
    first = kl[:1]
    middle = kl[1:-1]
    last = kl[-1:] + score
    return torch.cat([first, middle, last])
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "a negative score is not paid",
        "source": r"""
import torch

def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = (reference_log_probs - log_probs) * beta
    if score > 0:
        rewards[-1] = rewards[-1] + score
    return rewards
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "every token gets the score (fails the doctest)",
        "source": r"""
import torch

def token_rewards(score, log_probs, reference_log_probs, beta):
    return score - beta * (log_probs - reference_log_probs)
""",
    },
    # ------------------------------------------------------------------ reply_advantages
    {
        "task": "reply_advantages",
        "right": True,
        "why": "the definition as a sum over all later deltas, T squared",
        "source": r"""
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    following = list(values[1:]) + [0.0]
    deltas = [rewards[t] + gamma * following[t] - values[t] for t in range(T)]
    advantages = [sum((gamma * lam) ** (s - t) * deltas[s] for s in range(t, T)) for t in range(T)]
    returns = [a + v for a, v in zip(advantages, values)]
    return advantages, returns
""",
    },
    {
        "task": "reply_advantages",
        "right": True,
        "why": "NumPy deltas, one loop from the end; a named tuple of lists",
        "source": r"""
from collections import namedtuple
import numpy as np

Estimate = namedtuple("Estimate", "advantages returns")

def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    r = np.array(rewards, dtype=float)
    v = np.array(values, dtype=float)
    T = len(r)
    delta = r - v
    delta[:-1] += gamma * v[1:]
    A = np.zeros(T)
    running = 0.0
    for t in np.arange(T)[::-1]:
        running = delta[t] + gamma * lam * running
        A[t] = running
    return Estimate(A.tolist(), (A + v).tolist())
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "A_t = delta_t + lambda A_{t+1}, without gamma; agrees for gamma 1",
        "source": r"""
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    advantages = []
    later, next_value = 0.0, 0.0
    for r, v in zip(reversed(rewards), reversed(values)):
        delta = r + gamma * next_value - v
        later = delta + lam * later
        next_value = v
        advantages.insert(0, later)
    return advantages, [a + v for a, v in zip(advantages, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "an empty reply gives an IndexError: rewards 'may be empty'",
        "source": r"""
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    advantages = [0.0] * T
    advantages[-1] = rewards[-1] - values[-1]
    for t in range(T - 2, -1, -1):
        delta = rewards[t] + gamma * values[t + 1] - values[t]
        advantages[t] = delta + gamma * lam * advantages[t + 1]
    return advantages, [advantages[t] + values[t] for t in range(T)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "appends a 0 to the caller's values: 'A function leaves its arguments as they are'",
        "source": r"""
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    values.append(0.0)      # nothing to expect beyond the end
    A = 0.0
    advantages = []
    for t in reversed(range(len(rewards))):
        A = rewards[t] + gamma * values[t + 1] - values[t] + gamma * lam * A
        advantages.append(A)
    advantages.reverse()
    return advantages, [a + v for a, v in zip(advantages, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "`lam or 0.95`: lambda 0 is taken as 0.95 (and gamma 0 as 1)",
        "source": r"""
def reply_advantages(rewards, values, gamma=None, lam=None):
    gamma = gamma or 1.0
    lam = lam or 0.95
    T = len(rewards)
    advantages = [0.0] * (T + 1)
    for t in range(T - 1, -1, -1):
        next_value = values[t + 1] if t + 1 < T else 0.0
        advantages[t] = rewards[t] + gamma * next_value - values[t] + gamma * lam * advantages[t + 1]
    advantages = advantages[:T]
    return advantages, [a + v for a, v in zip(advantages, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "beyond the end the last value stands in place of 0 (fails the doctest)",
        "source": r"""
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    advantages = [0.0] * T
    A = 0.0
    for t in reversed(range(T)):
        delta = rewards[t] + gamma * values[min(t + 1, T - 1)] - values[t]
        A = delta + gamma * lam * A
        advantages[t] = A
    return advantages, [a + v for a, v in zip(advantages, values)]
""",
    },
    # ------------------------------------------------------------------ clipped_loss
    {
        "task": "clipped_loss",
        "right": True,
        "why": "two cases: A >= 0 bounds the ratio above by 1 + eps, A < 0 between 1 - eps and c; chosen tokens only",
        "source": r"""
import math
import torch

def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    mask = attention_mask.bool()
    A = advantages[mask]
    # above `most` nothing depends on the ratio any more: exp must not overflow there
    log_ratio = (log_probs[mask] - old_log_probs[mask]).clamp(max=math.log(most) + 1)
    ratio = log_ratio.exp()
    good = ratio.clamp(max=1 + clip)
    bad = ratio.clamp(1 - clip, most)
    gain = torch.where(A < 0, bad, good) * A
    return -gain.sum() / max(1, gain.numel())
""",
    },
    {
        "task": "clipped_loss",
        "right": True,
        "why": "a loop over the tokens with Python's if; starts from an empty sum, so that the graph is there without tokens",
        "source": r"""
import math
import torch

def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    loss = log_probs[:0].sum()
    count = 0
    B, T = log_probs.shape
    for b in range(B):
        for t in range(T):
            if not attention_mask[b, t]:
                continue
            count += 1
            A = advantages[b, t]
            difference = log_probs[b, t] - old_log_probs[b, t]
            if float(difference) > math.log(most):
                # either way the gain is a constant
                gain = (most if float(A) < 0 else 1 + clip) * A
            else:
                ratio = torch.exp(difference)
                gain = torch.minimum(ratio * A, torch.clamp(ratio, 1 - clip, 1 + clip) * A)
                if float(A) < 0:
                    gain = torch.maximum(gain, most * A)
            loss = loss - gain
    if count == 0:
        return loss
    return loss / count
""",
    },
    {
        "task": "clipped_loss",
        "right": False,
        "why": "multiplies with the mask: inf or NaN at a token that takes no part makes NaN; 'Whatever numbers stand at the others, they do not matter'",
        "source": r"""
import torch

def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    ratio = torch.exp(log_probs - old_log_probs)
    gain = torch.min(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages)
    gain = torch.where(advantages < 0, torch.max(gain, most * advantages), gain)
    mask = attention_mask.to(gain.dtype)
    return -(gain * mask).sum() / mask.sum().clamp(min=1)
""",
    },
    {
        "task": "clipped_loss",
        "right": False,
        "why": "a new constant 0 where none takes part; it must be 'computed from log_probs like any other loss, so that their gradient is 0'",
        "source": r"""
import torch

def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    if not attention_mask.any():
        return torch.tensor(0.0)
    ratio = (log_probs[attention_mask] - old_log_probs[attention_mask]).exp()
    A = advantages[attention_mask]
    gain = torch.min(ratio * A, ratio.clamp(1 - clip, 1 + clip) * A)
    gain = torch.where(A < 0, torch.max(gain, most * A), gain)
    return -gain.mean()
""",
    },
    {
        "task": "clipped_loss",
        "right": False,
        "why": "mean of the replies' means; 'the mean over all tokens that take part'",
        "source": r"""
import torch

def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    zero = torch.zeros_like(log_probs)
    A = torch.where(attention_mask, advantages, zero)
    ratio = torch.where(attention_mask, log_probs - old_log_probs, zero).exp()
    gain = torch.min(ratio * A, ratio.clamp(1 - clip, 1 + clip) * A)
    gain = torch.where(A < 0, torch.max(gain, most * A), gain)
    counts = attention_mask.sum(dim=1)
    per_reply = gain.sum(dim=1) / counts.clamp(min=1)
    return -per_reply.sum() / (counts > 0).sum().clamp(min=1)
""",
    },
    {
        "task": "clipped_loss",
        "right": False,
        "why": "clips to 1/(1 + eps) .. 1 + eps; clip is 'the bound of the ratio on both sides of 1', 1 - eps",
        "source": r"""
import torch

def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    A = advantages[attention_mask]
    ratio = torch.exp(log_probs[attention_mask] - old_log_probs[attention_mask])
    clipped = torch.clamp(ratio, 1 / (1 + clip), 1 + clip)
    gain = torch.minimum(ratio * A, clipped * A)
    gain = torch.where(A < 0, torch.maximum(gain, most * A), gain)
    return -gain.sum() / max(len(A), 1)
""",
    },
    {
        "task": "clipped_loss",
        "right": False,
        "why": "the second bound is written as 3, the argument `most` is not used",
        "source": r"""
import torch

def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    diff = (log_probs - old_log_probs).masked_fill(~attention_mask, 0.0)
    A = advantages.masked_fill(~attention_mask, 0.0)
    ratio = diff.exp()
    gain = torch.minimum(ratio * A, ratio.clamp(1.0 - clip, 1.0 + clip) * A)
    gain = torch.where(A < 0, torch.maximum(gain, 3.0 * A), gain)
    return -gain.sum() / attention_mask.sum().clamp(min=1)
""",
    },
    # ------------------------------------------------------------------ dpo_comparison_loss
    {
        "task": "dpo_comparison_loss",
        "right": True,
        "why": "masked before anything is computed, softplus",
        "source": r"""
import torch
import torch.nn.functional as F

def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    mask = completion_mask.bool()
    log_ratio = log_probs.masked_fill(~mask, 0.0) - reference_log_probs.masked_fill(~mask, 0.0)
    reward = log_ratio.sum(-1) / mask.sum(-1)
    chosen, rejected = reward.view(2, -1)
    return F.softplus(beta * (rejected - chosen)).mean()
""",
    },
    {
        "task": "dpo_comparison_loss",
        "right": True,
        "why": "a loop over the pairs with boolean indices",
        "source": r"""
import torch

def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    def reward(row):
        keep = completion_mask[row].nonzero().flatten()
        return beta * (log_probs[row, keep] - reference_log_probs[row, keep]).mean()

    N = log_probs.size(0) // 2
    losses = []
    for i in range(N):
        margin = reward(i) - reward(N + i)
        losses.append(torch.logaddexp(torch.zeros_like(margin), -margin))
    return torch.stack(losses).mean()
""",
    },
    {
        "task": "dpo_comparison_loss",
        "right": False,
        "why": "takes chosen and rejected in turns; 'the N chosen replies, then the N rejected ones' (the same for one pair)",
        "source": r"""
import torch
import torch.nn.functional as F

def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    diff = torch.where(completion_mask, log_probs - reference_log_probs, torch.zeros_like(log_probs))
    reward = diff.sum(1) / completion_mask.sum(1)
    return -F.logsigmoid(beta * (reward[0::2] - reward[1::2])).mean()
""",
    },
    {
        "task": "dpo_comparison_loss",
        "right": False,
        "why": "multiplies with the mask: -inf or NaN at padding makes NaN; 'Whatever numbers stand at the others, they do not matter'",
        "source": r"""
import torch
import torch.nn.functional as F

def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    mask = completion_mask.float()
    reward = ((log_probs - reference_log_probs) * mask).sum(dim=1) / mask.sum(dim=1)
    N = len(reward) // 2
    return -F.logsigmoid(beta * (reward[:N] - reward[N:])).mean()
""",
    },
    {
        "task": "dpo_comparison_loss",
        "right": False,
        "why": "log of sigmoid: infinite where the policy has gone far the wrong way; 'It stays finite'",
        "source": r"""
import torch

def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    diff = (log_probs - reference_log_probs).masked_fill(~completion_mask, 0)
    reward = diff.sum(1) / completion_mask.sum(1)
    chosen, rejected = reward.chunk(2)
    return -torch.log(torch.sigmoid(beta * (chosen - rejected))).mean()
""",
    },
    {
        "task": "dpo_comparison_loss",
        "right": False,
        "why": "one mean over the tokens of all chosen replies, not one for each reply; the same for one pair",
        "source": r"""
import torch
import torch.nn.functional as F

def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    N = log_probs.shape[0] // 2
    diff = log_probs - reference_log_probs
    chosen = diff[:N][completion_mask[:N]].mean()
    rejected = diff[N:][completion_mask[N:]].mean()
    return -F.logsigmoid(beta * (chosen - rejected))
""",
    },
    {
        "task": "dpo_comparison_loss",
        "right": False,
        "why": "the page's DPO: the sum over the tokens, not the mean (fails the doctest)",
        "source": r"""
import torch
import torch.nn.functional as F

def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    diff = torch.where(completion_mask, log_probs - reference_log_probs, 0.0)
    chosen, rejected = diff.sum(-1).chunk(2)
    return -F.logsigmoid(beta * (chosen - rejected)).mean()
""",
    },
    # ------------------------------------------------------------------ group_relative
    {
        "task": "group_relative",
        "right": True,
        "why": "a B x B table of who is whose other",
        "source": r"""
import torch

def group_relative(rewards, prompts):
    others = prompts[:, None] == prompts[None, :]
    others = others & ~torch.eye(len(prompts), dtype=torch.bool)
    count = others.sum(1)
    mean = torch.where(others, rewards[None, :], torch.zeros_like(rewards)[None, :]).sum(1) / count.clamp(min=1)
    return torch.where(count > 0, rewards - mean, torch.zeros_like(rewards))
""",
    },
    {
        "task": "group_relative",
        "right": True,
        "why": "dictionary of positions, plain numbers",
        "source": r"""
from collections import defaultdict
import torch

def group_relative(rewards, prompts):
    values = rewards.tolist()
    where = defaultdict(list)
    for i, prompt in enumerate(prompts.tolist()):
        where[prompt].append(i)
    result = [0.0] * len(values)
    for positions in where.values():
        for i in positions:
            others = [values[j] for j in positions if j != i]
            if others:
                result[i] = values[i] - sum(others) / len(others)
    return torch.tensor(result, dtype=rewards.dtype)
""",
    },
    {
        "task": "group_relative",
        "right": False,
        "why": "writes the advantages into rewards: 'A function leaves its arguments as they are'",
        "source": r"""
import torch

def group_relative(rewards, prompts):
    for prompt in prompts.unique():
        members = prompts == prompt
        n = int(members.sum())
        if n == 1:
            rewards[members] = 0.0
        else:
            group = rewards[members]
            rewards[members] = group - (group.sum() - group) / (n - 1)
    return rewards
""",
    },
    {
        "task": "group_relative",
        "right": False,
        "why": "finds the others by their reward: replies with the same reward are left out too, e.g. rewards 1, 1, 6",
        "source": r"""
import torch

def group_relative(rewards, prompts):
    result = torch.zeros_like(rewards)
    for i in range(len(rewards)):
        group = rewards[prompts == prompts[i]]
        others = group[group != rewards[i]]
        if len(others) > 0:
            result[i] = rewards[i] - others.mean()
    return result
""",
    },
    {
        "task": "group_relative",
        "right": False,
        "why": "groups of two get 0, as if they were alone: only 'the only one to its prompt' does",
        "source": r"""
import torch

def group_relative(rewards, prompts):
    result = torch.zeros_like(rewards)
    for i in range(len(rewards)):
        others = [rewards[j] for j in range(len(rewards)) if j != i and prompts[j] == prompts[i]]
        if len(others) > 1:
            result[i] = rewards[i] - sum(others) / len(others)
    return result
""",
    },
    {
        "task": "group_relative",
        "right": False,
        "why": "corrects GRPO's mean by n / (n - 1) with the n of the largest group; 'The groups may be of different sizes'",
        "source": r"""
import torch

def group_relative(rewards, prompts):
    _, group, counts = prompts.unique(return_inverse=True, return_counts=True)
    sums = torch.zeros(len(counts), dtype=rewards.dtype).index_add(0, group, rewards)
    n = int(counts.max())
    difference = rewards - (sums / counts)[group]
    return difference * (n / max(n - 1, 1))
""",
    },
    {
        "task": "group_relative",
        "right": False,
        "why": "GRPO's mean, in which the reply itself is counted (fails the doctest)",
        "source": r"""
import torch

def group_relative(rewards, prompts):
    result = rewards.clone()
    for p in set(prompts.tolist()):
        mine = prompts == p
        result[mine] -= rewards[mine].mean()
    return result
""",
    },
    # ------------------------------------------------------------------ kl_estimates
    {
        "task": "kl_estimates",
        "right": True,
        "why": "double precision and expm1",
        "source": r"""
import torch

def kl_estimates(log_probs, reference_log_probs):
    log_x = reference_log_probs.detach().double() - log_probs.detach().double()
    table = torch.stack([-log_x, log_x.square() / 2, torch.expm1(log_x) - log_x])
    return dict(zip(("k1", "k2", "k3"), table.mean(dim=1).tolist()))
""",
    },
    {
        "task": "kl_estimates",
        "right": True,
        "why": "a loop over Python floats",
        "source": r"""
import math

def kl_estimates(log_probs, reference_log_probs):
    k1 = k2 = k3 = 0.0
    N = len(log_probs)
    for ours, theirs in zip(log_probs.tolist(), reference_log_probs.tolist()):
        log_x = theirs - ours
        try:
            x = math.exp(log_x)
        except OverflowError:
            x = math.inf
        k1 += -log_x
        k2 += 0.5 * log_x ** 2
        k3 += x - 1 - log_x
    return {"k1": k1 / N, "k2": k2 / N, "k3": k3 / N}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "divides probabilities: NaN or inf where they 'are rounded to 0'",
        "source": r"""
import torch

def kl_estimates(log_probs, reference_log_probs):
    x = reference_log_probs.exp() / log_probs.exp()
    k1 = -x.log()
    k2 = 0.5 * x.log() ** 2
    k3 = x - 1 - x.log()
    return {"k1": k1.mean().item(), "k2": k2.mean().item(), "k3": k3.mean().item()}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "k3 with x upside down (pi / pi_ref), the same in the example, where x is 1/2 and 2",
        "source": r"""
import torch

def kl_estimates(log_probs, reference_log_probs):
    log_ratio = log_probs - reference_log_probs
    return {
        "k1": float(log_ratio.mean()),
        "k2": float((log_ratio ** 2).mean() / 2),
        "k3": float((log_ratio.exp() - 1 - log_ratio).mean()),
    }
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "k1 is not allowed below 0; only 'k2 and k3 are never negative'",
        "source": r"""
import torch

def kl_estimates(log_probs, reference_log_probs):
    log_x = reference_log_probs - log_probs
    k1 = (-log_x).mean()
    k2 = (0.5 * log_x ** 2).mean()
    k3 = (log_x.exp() - 1 - log_x).mean()
    # a divergence is never negative
    return {name: max(k.item(), 0.0) for name, k in [("k1", k1), ("k2", k2), ("k3", k3)]}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "computes in place in reference_log_probs: 'A function leaves its arguments as they are'",
        "source": r"""
import torch

def kl_estimates(log_probs, reference_log_probs):
    log_x = reference_log_probs.sub_(log_probs)
    x = log_x.exp()
    return {"k1": -log_x.mean().item(), "k2": log_x.pow(2).mean().item() / 2, "k3": (x - 1 - log_x).mean().item()}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "k2 as half the variance of log x, which is the mean square only where the mean is 0, as in the example",
        "source": r"""
import numpy as np

def kl_estimates(log_probs, reference_log_probs):
    log_x = (reference_log_probs - log_probs).double().numpy()
    return {
        "k1": float(-log_x.mean()),
        "k2": float(log_x.var() / 2),
        "k3": float((np.exp(log_x) - 1 - log_x).mean()),
    }
""",
    },
]
