ANSWERS = [
    {
        "task": "expected_reward_gradient",
        "right": True,
        "why": "softmax and the formula",
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
        "why": "plain Python loops with the largest logit taken off",
        "source": r"""
def expected_reward_gradient(logits, rewards):
    z, r = logits.tolist(), rewards.tolist()
    top = max(z)
    e = [math.exp(v - top) for v in z]
    total = sum(e)
    p = [v / total for v in e]
    J = 0.0
    for a in range(len(p)):
        J += p[a] * r[a]
    gradient = [p[a] * (r[a] - J) for a in range(len(p))]
    return torch.tensor(J, dtype=logits.dtype), torch.tensor(gradient, dtype=logits.dtype)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": 'exp overflows; rule: "Large logits must not overflow"',
        "source": r"""
def expected_reward_gradient(logits, rewards):
    e = logits.exp()
    p = e / e.sum()
    J = p @ rewards
    return J, p * (rewards - J)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "takes off the plain mean of the rewards instead of J; agrees where the policy is uniform",
        "source": r"""
def expected_reward_gradient(logits, rewards):
    p = logits.softmax(-1)
    J = torch.dot(p, rewards)
    return J, p * (rewards - rewards.mean())
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": 'J has the shape (1,); rule: "a tensor without dimensions"',
        "source": r"""
def expected_reward_gradient(logits, rewards):
    p = F.softmax(logits, dim=-1)
    J = (p * rewards).sum(dim=0, keepdim=True)
    return J, p * (rewards - J)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "forgets the baseline J: p_a r_a is no gradient",
        "source": r"""
def expected_reward_gradient(logits, rewards):
    p = logits.softmax(0)
    return (p * rewards).sum(), p * rewards
""",
    },
    {
        "task": "reinforce_gradient",
        "right": True,
        "why": "log_softmax, ratio from the difference of logarithms, one-hot rows",
        "source": r"""
def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    log_p, log_q = logits.log_softmax(0), old_logits.log_softmax(0)
    weight = (log_p[arms] - log_q[arms]).exp() * (rewards - baseline)
    scores = F.one_hot(arms, len(logits)).to(logits.dtype) - log_p.exp()
    return (weight[:, None] * scores).mean(0)
""",
    },
    {
        "task": "reinforce_gradient",
        "right": True,
        "why": "autograd on a copy, the ratio as a constant weight",
        "source": r"""
def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    z = logits.detach().clone().requires_grad_(True)
    with torch.enable_grad():
        log_p = torch.log_softmax(z, dim=-1)
        log_ratio = log_p.detach() - torch.log_softmax(old_logits.detach(), dim=-1)
        weight = torch.exp(log_ratio[arms]) * (rewards - baseline)
        objective = (weight * log_p[arms]).sum() / len(arms)
        (gradient,) = torch.autograd.grad(objective, z)
    return gradient
""",
    },
    {
        "task": "reinforce_gradient",
        "right": False,
        "why": 'divides rounded probabilities: 0 / 0 is NaN; rule: "probabilities so small that they are rounded to 0"',
        "source": r"""
def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    p, q = logits.softmax(0), old_logits.softmax(0)
    ratio = p[arms] / q[arms]
    onehot = torch.eye(len(logits), dtype=logits.dtype)[arms]
    return (ratio * (rewards - baseline)) @ (onehot - p) / len(arms)
""",
    },
    {
        "task": "reinforce_gradient",
        "right": False,
        "why": "divides by the sum of the ratios instead of N (in the example both are 2)",
        "source": r"""
def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    log_p, log_q = logits.log_softmax(0), old_logits.log_softmax(0)
    ratio = (log_p - log_q)[arms].exp()
    ratio = ratio / ratio.sum()
    grad_log = F.one_hot(arms, len(logits)).to(logits.dtype) - log_p.exp()
    return torch.einsum("n,nk->k", ratio * (rewards - baseline), grad_log)
""",
    },
    {
        "task": "reinforce_gradient",
        "right": False,
        "why": "a baseline of 0 is replaced by the mean reward",
        "source": r"""
def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    b = baseline or rewards.mean()
    log_p, log_q = logits.log_softmax(0), old_logits.log_softmax(0)
    weight = (log_p - log_q)[arms].exp() * (rewards - b)
    return (weight[:, None] * (F.one_hot(arms, len(logits)) - log_p.exp())).mean(0)
""",
    },
    {
        "task": "reinforce_gradient",
        "right": False,
        "why": "an arm that is pulled twice is added once only (indexed +=)",
        "source": r"""
def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    log_p, log_q = logits.log_softmax(0), old_logits.log_softmax(0)
    weight = (log_p - log_q)[arms].exp() * (rewards - baseline)
    total = -weight.sum() * log_p.exp()
    total[arms] += weight
    return total / len(arms)
""",
    },
    {
        "task": "reply_log_prob",
        "right": True,
        "why": "log_softmax, gather, where",
        "source": r"""
def reply_log_prob(logits, ids, attention_mask):
    log_p = logits.log_softmax(-1).gather(-1, ids.unsqueeze(-1)).squeeze(-1)
    return torch.where(attention_mask, log_p, torch.zeros_like(log_p)).sum(1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": True,
        "why": "reply by reply, minus the summed cross-entropy of the tokens that take part",
        "source": r"""
def reply_log_prob(logits, ids, attention_mask):
    found = []
    for row, tokens, mask in zip(logits, ids, attention_mask):
        found.append(-F.cross_entropy(row[mask], tokens[mask], reduction="sum"))
    return torch.stack(found)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": 'takes the first n positions; rule: padding "may stand anywhere"',
        "source": r"""
def reply_log_prob(logits, ids, attention_mask):
    log_p = F.log_softmax(logits, dim=-1)
    out = []
    for b in range(len(ids)):
        n = int(attention_mask[b].sum())
        out.append(log_p[b, :n].gather(1, ids[b, :n, None]).sum())
    return torch.stack(out)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": 'softmax and then log: minus infinity for large logits; "Large logits must not overflow"',
        "source": r"""
def reply_log_prob(logits, ids, attention_mask):
    p = logits.softmax(-1).gather(-1, ids[..., None])[..., 0]
    return p.log().masked_fill(~attention_mask, 0.0).sum(-1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": 'plain numbers in a new tensor: "The gradient must flow through it"',
        "source": r"""
def reply_log_prob(logits, ids, attention_mask):
    log_p = torch.log_softmax(logits, dim=2)
    out = []
    for b in range(ids.shape[0]):
        total = 0.0
        for t in range(ids.shape[1]):
            if attention_mask[b, t]:
                total += log_p[b, t, ids[b, t]].item()
        out.append(total)
    return torch.tensor(out, dtype=logits.dtype)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": 'lines up once more: the logits at t are taken for the token at t + 1, though they "are lined up already"',
        "source": r"""
def reply_log_prob(logits, ids, attention_mask):
    log_p = logits[:, :-1].log_softmax(-1).gather(-1, ids[:, 1:, None]).squeeze(-1)
    return (log_p * attention_mask[:, 1:]).sum(1)
""",
    },
    {
        "task": "comparison_loss",
        "right": True,
        "why": "softplus of the differences",
        "source": r"""
def comparison_loss(first, second, votes_first, votes_second):
    margin = first - second
    cost = votes_first * F.softplus(-margin) + votes_second * F.softplus(margin)
    return cost.sum() / (votes_first + votes_second).sum()
""",
    },
    {
        "task": "comparison_loss",
        "right": True,
        "why": "stacks both directions and uses logaddexp",
        "source": r"""
def comparison_loss(first, second, votes_first, votes_second):
    rewards = torch.stack([first, second])
    votes = torch.stack([votes_first, votes_second])
    log_p = rewards - torch.logaddexp(first, second)
    return -torch.einsum("cn,cn->", votes, log_p) / torch.sum(votes)
""",
    },
    {
        "task": "comparison_loss",
        "right": False,
        "why": 'mean over the pairs of each pair\'s mean instead of "the mean over all votes"',
        "source": r"""
def comparison_loss(first, second, votes_first, votes_second):
    n = votes_first + votes_second
    cost = -(votes_first * F.logsigmoid(first - second) + votes_second * F.logsigmoid(second - first))
    used = n > 0
    return (cost[used] / n[used]).mean()
""",
    },
    {
        "task": "comparison_loss",
        "right": False,
        "why": 'log of sigmoid is minus infinity for rewards hundreds apart; "It stays finite"',
        "source": r"""
def comparison_loss(first, second, votes_first, votes_second):
    p = torch.sigmoid(first - second)
    total = -(votes_first * p.log()).sum() - (votes_second * (1 - p).log()).sum()
    return total / (votes_first.sum() + votes_second.sum())
""",
    },
    {
        "task": "comparison_loss",
        "right": False,
        "why": "bounds the probabilities from below by 1e-7: the loss of a vote cannot exceed 16.1 and has no gradient there",
        "source": r"""
def comparison_loss(first, second, votes_first, votes_second):
    p = torch.sigmoid(first - second).clamp(1e-7, 1 - 1e-7)
    cost = votes_first * p.log() + votes_second * torch.log1p(-p)
    return -cost.sum() / (votes_first.sum() + votes_second.sum())
""",
    },
    {
        "task": "comparison_loss",
        "right": False,
        "why": 'no gradient to the second replies: "The gradient must flow to the rewards"',
        "source": r"""
def comparison_loss(first, second, votes_first, votes_second):
    margin = first - second.detach()
    cost = -(votes_first * F.logsigmoid(margin) + votes_second * F.logsigmoid(-margin))
    return cost.sum() / (votes_first + votes_second).sum()
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": True,
        "why": "two loops over positions",
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
        "why": "itertools.combinations and sorting each two by rank",
        "source": r"""
def pairs_of_ranking(replies, ranks):
    both = itertools.combinations(zip(ranks, replies), 2)
    ordered = (sorted(two, key=lambda item: item[0]) for two in both)
    return [(better[1], worse[1]) for better, worse in ordered if better[0] != worse[0]]
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": 'sorted by rank first; rule: "Go through the replies as they are listed"',
        "source": r"""
def pairs_of_ranking(replies, ranks):
    order = sorted(range(len(replies)), key=lambda i: ranks[i])
    return [(replies[i], replies[j]) for i, j in itertools.combinations(order, 2) if ranks[i] < ranks[j]]
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": 'looks the rank up by the text; rule: "a text may come twice", with two ranks',
        "source": r"""
def pairs_of_ranking(replies, ranks):
    rank = dict(zip(replies, ranks))
    out = []
    for a, b in itertools.combinations(replies, 2):
        if rank[a] < rank[b]:
            out.append((a, b))
        if rank[b] < rank[a]:
            out.append((b, a))
    return out
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "neighbours only: the pair of the first and the third reply is missing",
        "source": r"""
def pairs_of_ranking(replies, ranks):
    out = []
    for i in range(len(replies) - 1):
        if ranks[i] < ranks[i + 1]:
            out.append((replies[i], replies[i + 1]))
        elif ranks[i] > ranks[i + 1]:
            out.append((replies[i + 1], replies[i]))
    return out
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": 'tied replies give a pair, too; rule: "for every two replies of unequal rank"',
        "source": r"""
def pairs_of_ranking(replies, ranks):
    out = []
    for i, a in enumerate(replies):
        for j in range(i + 1, len(replies)):
            out.append((a, replies[j]) if ranks[i] <= ranks[j] else (replies[j], a))
    return out
""",
    },
    {
        "task": "expected_best",
        "right": True,
        "why": "the formula with math.comb",
        "source": r"""
def expected_best(proxy, true, n):
    N = len(proxy)
    if not 1 <= n <= N:
        raise ValueError("n must be in 1..N")
    ordered = [r for _, r in sorted(zip(proxy, true))]
    whole = math.comb(N, n)
    return float(sum(math.comb(i, n - 1) / whole * r for i, r in enumerate(ordered)))
""",
    },
    {
        "task": "expected_best",
        "right": True,
        "why": "from the best down, each weight from the one before, no binomials",
        "source": r"""
def expected_best(proxy, true, n):
    N = len(true)
    if n < 1 or n > N:
        raise ValueError(n)
    order = np.argsort(np.array(proxy))
    weight, total = n / N, 0.0
    for i in range(N - 1, n - 2, -1):
        total += weight * true[order[i]]
        if i:
            weight *= (i - n + 1) / i
    return total
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "takes the replies as sorted already; agrees on the example",
        "source": r"""
def expected_best(proxy, true, n):
    N = len(proxy)
    if n < 1 or n > N:
        raise ValueError("n")
    return sum(math.comb(i, n - 1) * true[i] for i in range(N)) / math.comb(N, n)
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": 'sorts the caller\'s list proxy; "A function leaves its arguments as they are"',
        "source": r"""
def expected_best(proxy, true, n):
    N = len(proxy)
    if n not in range(1, N + 1):
        raise ValueError("n must be in 1..N")
    value = dict(zip(proxy, true))
    proxy.sort()
    return float(sum(math.comb(i, n - 1) / math.comb(N, n) * value[p] for i, p in enumerate(proxy)))
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "n above N gives 0 / 0 (ZeroDivisionError) instead of ValueError",
        "source": r"""
def expected_best(proxy, true, n):
    if n < 1:
        raise ValueError("n must be at least 1")
    ranked = sorted(zip(proxy, true))
    total = 0.0
    for i, (_, r) in enumerate(ranked):
        total += math.comb(i, n - 1) * r
    return total / math.comb(len(ranked), n)
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": 'draws with putting back; rule: "without putting back"',
        "source": r"""
def expected_best(proxy, true, n):
    N = len(proxy)
    if n < 1 or n > N:
        raise ValueError("n")
    ordered = [r for _, r in sorted(zip(proxy, true))]
    return sum((((i + 1) / N) ** n - (i / N) ** n) * r for i, r in enumerate(ordered))
""",
    },
    {
        "task": "token_rewards",
        "right": True,
        "why": "vectorised, the score added to the last of a new tensor",
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
        "why": "a list of numbers, token by token",
        "source": r"""
def token_rewards(score, log_probs, reference_log_probs, beta):
    out = []
    for ours, theirs in zip(log_probs.tolist(), reference_log_probs.tolist()):
        out.append(-beta * (ours - theirs))
    out[len(out) - 1] = out[-1] + score
    return torch.tensor(out, dtype=log_probs.dtype)
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "computes in place on log_probs; arguments must be left as they are",
        "source": r"""
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
        "why": "the score always goes to the second token, as in the example; it belongs to the last one",
        "source": r"""
def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = beta * (reference_log_probs - log_probs)
    rewards[1:2] += score
    return rewards
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": 'every token gets the score; it comes "with the last one"',
        "source": r"""
def token_rewards(score, log_probs, reference_log_probs, beta):
    return score - beta * (log_probs - reference_log_probs)
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "shares the penalty evenly: the mean log-ratio for each token",
        "source": r"""
def token_rewards(score, log_probs, reference_log_probs, beta):
    penalty = -beta * (log_probs - reference_log_probs).mean()
    rewards = torch.full_like(log_probs, penalty.item())
    rewards[-1] += score
    return rewards
""",
    },
    {
        "task": "reply_advantages",
        "right": True,
        "why": "loop from the end",
        "source": r"""
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    advantages = [0.0] * T
    next_value = next_advantage = 0.0
    for t in reversed(range(T)):
        delta = rewards[t] + gamma * next_value - values[t]
        advantages[t] = delta + gamma * lam * next_advantage
        next_value, next_advantage = values[t], advantages[t]
    return advantages, [a + v for a, v in zip(advantages, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": True,
        "why": "NumPy: a triangular matrix of powers times the deltas",
        "source": r"""
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    r, v = np.array(rewards, dtype=float), np.array(values, dtype=float)
    T = len(r)
    delta = r - v
    delta[:-1] += gamma * v[1:]
    gap = np.arange(T)[None, :] - np.arange(T)[:, None]
    powers = np.where(gap >= 0, float(gamma * lam) ** np.maximum(gap, 0), 0.0)
    a = powers @ delta
    return a.tolist(), (a + v).tolist()
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "gamma is forgotten before lambda; agrees for gamma 1",
        "source": r"""
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    advantages, A, V = [], 0.0, 0.0
    for r, v in zip(reversed(rewards), reversed(values)):
        A = r + gamma * V - v + lam * A
        V = v
        advantages.insert(0, A)
    return advantages, [a + v for a, v in zip(advantages, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": 'fails with an IndexError for an empty reply; rule: "it may be empty"',
        "source": r"""
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    advantages = [rewards[-1] - values[-1]]
    for t in range(len(rewards) - 2, -1, -1):
        delta = rewards[t] + gamma * values[t + 1] - values[t]
        advantages.append(delta + gamma * lam * advantages[-1])
    advantages = advantages[::-1]
    return advantages, [a + v for a, v in zip(advantages, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "appends a 0 to the caller's values; arguments must be left as they are",
        "source": r"""
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    values.append(0.0)
    A = [0.0] * (T + 1)
    for t in range(T - 1, -1, -1):
        A[t] = rewards[t] + gamma * values[t + 1] - values[t] + gamma * lam * A[t + 1]
    return A[:T], [A[t] + values[t] for t in range(T)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "the returns are the discounted sums of rewards instead of A_t + V_t",
        "source": r"""
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    advantages, returns = [0.0] * T, [0.0] * T
    A = V = G = 0.0
    for t in range(T - 1, -1, -1):
        A = rewards[t] + gamma * V - values[t] + gamma * lam * A
        V = values[t]
        G = rewards[t] + gamma * G
        advantages[t], returns[t] = A, G
    return advantages, returns
""",
    },
    {
        "task": "clipped_loss",
        "right": True,
        "why": "picks the tokens that take part first, then the formula as it stands",
        "source": r"""
def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    new, old, A = log_probs[attention_mask], old_log_probs[attention_mask], advantages[attention_mask]
    ratio = (new - old).clamp(max=60.0).exp()
    gain = torch.minimum(ratio * A, ratio.clamp(1 - clip, 1 + clip) * A)
    gain = torch.where(A < 0, torch.maximum(gain, most * A), gain)
    return -gain.sum() / max(gain.numel(), 1)
""",
    },
    {
        "task": "clipped_loss",
        "right": True,
        "why": "bounds the log-ratio by ln(most) (the same, since most is above 1 + clip), zeros at the others",
        "source": r"""
def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    zero = torch.zeros_like(log_probs)
    log_ratio = torch.where(attention_mask, log_probs, zero) - torch.where(attention_mask, old_log_probs, zero)
    A = torch.where(attention_mask, advantages, zero)
    ratio = torch.exp(torch.clamp(log_ratio, max=math.log(most)))
    bounded = torch.clamp(ratio, 1.0 - clip, 1.0 + clip)
    loss = torch.max(-ratio * A, -bounded * A)
    count = attention_mask.sum().clamp(min=1)
    return loss.sum() / count
""",
    },
    {
        "task": "clipped_loss",
        "right": False,
        "why": 'mean over all positions, not over "all tokens that take part"',
        "source": r"""
def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    diff = (log_probs - old_log_probs).masked_fill(~attention_mask, 0.0)
    A = advantages.masked_fill(~attention_mask, 0.0)
    ratio = diff.exp()
    gain = torch.minimum(ratio * A, ratio.clamp(1 - clip, 1 + clip) * A)
    gain = torch.where(A < 0, torch.maximum(gain, most * A), gain)
    return -gain.mean()
""",
    },
    {
        "task": "clipped_loss",
        "right": False,
        "why": 'multiplies by the mask: NaN or inf at padding spoils all; "Whatever numbers stand at the others, they do not matter"',
        "source": r"""
def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    ratio = (log_probs - old_log_probs).exp()
    gain = torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages)
    gain = torch.where(advantages < 0, torch.maximum(gain, most * advantages), gain)
    mask = attention_mask.to(gain.dtype)
    return -(gain * mask).sum() / mask.sum().clamp(min=1)
""",
    },
    {
        "task": "clipped_loss",
        "right": False,
        "why": 'a constant 0 if no token takes part; rule: "0, computed from log_probs", with gradient 0',
        "source": r"""
def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    if not attention_mask.any():
        return torch.zeros(())
    A = advantages[attention_mask]
    ratio = (log_probs[attention_mask] - old_log_probs[attention_mask]).exp()
    g = torch.minimum(ratio * A, ratio.clamp(1 - clip, 1 + clip) * A)
    return -torch.where(A < 0, torch.maximum(g, most * A), g).mean()
""",
    },
    {
        "task": "clipped_loss",
        "right": False,
        "why": "lower bound 1 / (1 + eps) instead of 1 - eps; ratio 0.82 with A = -1 shows it",
        "source": r"""
def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    A = advantages[attention_mask]
    ratio = (log_probs[attention_mask] - old_log_probs[attention_mask]).exp()
    g = torch.minimum(ratio * A, ratio.clamp(1 / (1 + clip), 1 + clip) * A)
    g = torch.where(A < 0, torch.maximum(g, most * A), g)
    return -g.sum() / max(len(g), 1)
""",
    },
    {
        "task": "clipped_loss",
        "right": False,
        "why": "the second clip is forgotten: a ratio of 5 with A = -1 costs 5",
        "source": r"""
def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    A = advantages[attention_mask]
    ratio = (log_probs[attention_mask] - old_log_probs[attention_mask]).exp()
    g = torch.minimum(ratio * A, ratio.clamp(1 - clip, 1 + clip) * A)
    return -g.sum() / max(len(g), 1)
""",
    },
    {
        "task": "dpo_comparison_loss",
        "right": True,
        "why": "where, sums over counts, softplus",
        "source": r"""
def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    ratio = torch.where(completion_mask, log_probs - reference_log_probs, torch.zeros_like(log_probs))
    reward = ratio.sum(1) / completion_mask.sum(1)
    chosen, rejected = reward.chunk(2)
    return F.softplus(-beta * (chosen - rejected)).mean()
""",
    },
    {
        "task": "dpo_comparison_loss",
        "right": True,
        "why": "row by row with boolean indexing",
        "source": r"""
def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    def reward(i):
        mask = completion_mask[i]
        return torch.mean(log_probs[i][mask] - reference_log_probs[i][mask])

    N = len(log_probs) // 2
    losses = [-F.logsigmoid(beta * (reward(i) - reward(N + i))) for i in range(N)]
    return sum(losses) / N
""",
    },
    {
        "task": "dpo_comparison_loss",
        "right": False,
        "why": 'multiplies by the mask: NaN at padding spoils all; "Whatever numbers stand at the others, they do not matter"',
        "source": r"""
def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    m = completion_mask.to(log_probs.dtype)
    reward = ((log_probs - reference_log_probs) * m).sum(1) / m.sum(1)
    N = len(reward) // 2
    return -F.logsigmoid(beta * (reward[:N] - reward[N:])).mean()
""",
    },
    {
        "task": "dpo_comparison_loss",
        "right": False,
        "why": 'takes the rows as chosen, rejected, chosen, rejected; rule: "the N chosen replies, then the N rejected ones"',
        "source": r"""
def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    ratio = (log_probs - reference_log_probs).masked_fill(~completion_mask, 0.0)
    reward = ratio.sum(1) / completion_mask.sum(1)
    return -F.logsigmoid(beta * (reward[0::2] - reward[1::2])).mean()
""",
    },
    {
        "task": "dpo_comparison_loss",
        "right": False,
        "why": 'log of sigmoid: infinite when the policy has gone far; rule: "It stays finite"',
        "source": r"""
def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    ratio = (log_probs - reference_log_probs).masked_fill(~completion_mask, 0.0)
    reward = beta * ratio.sum(1) / completion_mask.sum(1)
    chosen, rejected = reward.split(len(reward) // 2)
    return -(1 / (1 + torch.exp(rejected - chosen))).log().mean()
""",
    },
    {
        "task": "dpo_comparison_loss",
        "right": False,
        "why": "loss of the mean margin instead of the mean loss of the pairs; equal for a single pair",
        "source": r"""
def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    ratio = (log_probs - reference_log_probs).masked_fill(~completion_mask, 0.0)
    reward = ratio.sum(1) / completion_mask.sum(1)
    chosen, rejected = reward.view(2, -1)
    return -F.logsigmoid(beta * (chosen - rejected).mean())
""",
    },
    {
        "task": "group_relative",
        "right": True,
        "why": "a matrix that says who else answers the same prompt",
        "source": r"""
def group_relative(rewards, prompts):
    others = (prompts[:, None] == prompts[None, :]) & ~torch.eye(len(prompts), dtype=torch.bool)
    count = others.sum(1)
    mean = (others.to(rewards.dtype) @ rewards) / count.clamp(min=1)
    return torch.where(count > 0, rewards - mean, torch.zeros_like(rewards))
""",
    },
    {
        "task": "group_relative",
        "right": True,
        "why": "a dictionary of lists, plain Python",
        "source": r"""
def group_relative(rewards, prompts):
    groups = defaultdict(list)
    r, p = rewards.tolist(), prompts.tolist()
    for i, prompt in enumerate(p):
        groups[prompt].append(i)
    out = []
    for i in range(len(r)):
        others = [r[j] for j in groups[p[i]] if j != i]
        out.append(r[i] - sum(others) / len(others) if others else 0.0)
    return torch.tensor(out, dtype=rewards.dtype)
""",
    },
    {
        "task": "group_relative",
        "right": False,
        "why": "GRPO's mean of the whole group, the reply itself counted",
        "source": r"""
def group_relative(rewards, prompts):
    _, group = prompts.unique(return_inverse=True)
    n = int(group.max()) + 1
    total = torch.zeros(n, dtype=rewards.dtype).index_add(0, group, rewards)
    count = torch.zeros(n, dtype=rewards.dtype).index_add(0, group, torch.ones_like(rewards))
    return rewards - (total / count)[group]
""",
    },
    {
        "task": "group_relative",
        "right": False,
        "why": "other replies with the same reward are left out as if they were the reply itself: rewards 1, 1, 4",
        "source": r"""
def group_relative(rewards, prompts):
    out = torch.zeros_like(rewards)
    for i in range(len(rewards)):
        others = rewards[(prompts == prompts[i]) & (rewards != rewards[i])]
        if len(others):
            out[i] = rewards[i] - others.mean()
    return out
""",
    },
    {
        "task": "group_relative",
        "right": False,
        "why": "room for ten prompts only, as in the example: a prompt number of 10 or more fails",
        "source": r"""
def group_relative(rewards, prompts):
    total = torch.zeros(10, dtype=rewards.dtype).index_add(0, prompts, rewards)
    count = torch.zeros(10, dtype=rewards.dtype).index_add(0, prompts, torch.ones_like(rewards))
    n = count[prompts]
    baseline = (total[prompts] - rewards) / (n - 1).clamp(min=1)
    return (rewards - baseline) * (n > 1)
""",
    },
    {
        "task": "group_relative",
        "right": False,
        "why": "writes the advantages into rewards; arguments must be left as they are",
        "source": r"""
def group_relative(rewards, prompts):
    for prompt in prompts.unique():
        here = prompts == prompt
        group = rewards[here]
        n = len(group)
        rewards[here] = (group - group.mean()) * n / (n - 1) if n > 1 else torch.zeros_like(group)
    return rewards
""",
    },
    {
        "task": "kl_estimates",
        "right": True,
        "why": "torch in double precision, logarithms only",
        "source": r"""
def kl_estimates(log_probs, reference_log_probs):
    log_x = reference_log_probs.double() - log_probs.double()
    return {
        "k1": -log_x.mean().item(),
        "k2": (log_x**2 / 2).mean().item(),
        "k3": (log_x.expm1() - log_x).mean().item(),
    }
""",
    },
    {
        "task": "kl_estimates",
        "right": True,
        "why": "NumPy, a loop over the draws",
        "source": r"""
def kl_estimates(log_probs, reference_log_probs):
    k1 = k2 = k3 = 0.0
    n = len(log_probs)
    for ours, theirs in zip(log_probs.tolist(), reference_log_probs.tolist()):
        d = theirs - ours
        k1 += -d / n
        k2 += 0.5 * d * d / n
        k3 += float(np.exp(d) - 1 - d) / n
    return dict(k1=k1, k2=k2, k3=k3)
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": 'probabilities rounded to 0: 0 / 0 is NaN; rule: "so low that the probabilities themselves are rounded to 0"',
        "source": r"""
def kl_estimates(log_probs, reference_log_probs):
    x = reference_log_probs.exp() / log_probs.exp()
    k1 = -x.log()
    return {"k1": k1.mean().item(), "k2": (0.5 * x.log() ** 2).mean().item(), "k3": (x - 1 + k1).mean().item()}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "k1 with the wrong sign; 0 either way in the example",
        "source": r"""
def kl_estimates(log_probs, reference_log_probs):
    d = (reference_log_probs - log_probs).double()
    return {"k1": d.mean().item(), "k2": (d * d / 2).mean().item(), "k3": (d.exp() - 1 - d).mean().item()}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "k2 is half the variance of log x instead of half the mean square; agrees where the mean is 0",
        "source": r"""
def kl_estimates(log_probs, reference_log_probs):
    d = (reference_log_probs - log_probs).double()
    return {"k1": -d.mean().item(), "k2": 0.5 * d.var(unbiased=False).item(), "k3": (d.exp() - 1 - d).mean().item()}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "k3 with x upside down, pi / pi_ref; agrees on the example",
        "source": r"""
def kl_estimates(log_probs, reference_log_probs):
    d = (log_probs - reference_log_probs).double()
    return {"k1": d.mean().item(), "k2": (d**2 / 2).mean().item(), "k3": (d.exp() - 1 - d).mean().item()}
""",
    },
]
