"""Answers to chapter 11, written from its page alone."""

ANSWERS = [
    # expected_reward_gradient
    {
        "task": "expected_reward_gradient",
        "right": True,
        "why": "the formula",
        "source": """
def expected_reward_gradient(logits, rewards):
    p = torch.softmax(logits, dim=0)
    J = p @ rewards
    return J, p * (rewards - J)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": True,
        "why": "the Jacobian of the softmax times the rewards",
        "source": """
def expected_reward_gradient(logits, rewards):
    weights = torch.exp(logits - logits.max())
    p = weights / weights.sum()
    jacobian = torch.diag(p) - torch.outer(p, p)
    return (p * rewards).sum(), jacobian @ rewards
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": True,
        "why": "loops",
        "source": """
def expected_reward_gradient(logits, rewards):
    log_z = torch.logsumexp(logits, dim=-1)
    probs = [(z - log_z).exp() for z in logits]
    J = sum(p * r for p, r in zip(probs, rewards))
    return J, torch.stack([p * r - p * J for p, r in zip(probs, rewards)])
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "takes off the mean of the rewards, not J, which is weighted by p",
        "source": """
def expected_reward_gradient(logits, rewards):
    p = logits.softmax(0)
    return (p * rewards).sum(), p * (rewards - rewards.mean())
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "'Large logits must not overflow': takes off the mean, above which a logit may lie far",
        "source": """
def expected_reward_gradient(logits, rewards):
    weights = (logits - logits.mean()).exp()
    p = weights / weights.sum()
    J = (p * rewards).sum()
    return J, p * (rewards - J)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "only the own arm's derivative, p (1 - p) r: the other arms' rewards count, too",
        "source": """
def expected_reward_gradient(logits, rewards):
    p = logits.softmax(0)
    return (p * rewards).sum(), p * (1 - p) * rewards
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "'J, a tensor without dimensions': it is a Python float",
        "source": """
def expected_reward_gradient(logits, rewards):
    p = logits.softmax(0)
    J = (p * rewards).sum().item()
    return J, p * (rewards - J)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "'J, a tensor without dimensions': it has one dimension",
        "source": """
def expected_reward_gradient(logits, rewards):
    p = logits.softmax(0)
    J = (p * rewards).sum(dim=0, keepdim=True)
    return J, p * (rewards - J)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "the gradient is with respect to log p, p r without the baseline J, made to sum to 0 by its mean",
        "source": """
def expected_reward_gradient(logits, rewards):
    p = logits.softmax(0)
    gradient = p * rewards
    return gradient.sum(), gradient - gradient.mean()
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": None,
        "why": "with autograd; the statement says now that the formula needs none, and forbids nothing",
        "source": """
def expected_reward_gradient(logits, rewards):
    z = logits.detach().clone().requires_grad_(True)
    J = (z.softmax(0) * rewards).sum()
    J.backward()
    return J.detach(), z.grad
""",
    },
    # reply_log_prob
    {
        "task": "reply_log_prob",
        "right": True,
        "why": "log_softmax, gather, mask",
        "source": """
def reply_log_prob(logits, ids, attention_mask):
    picked = logits.log_softmax(-1).gather(-1, ids.unsqueeze(-1)).squeeze(-1)
    return picked.masked_fill(~attention_mask, 0.0).sum(1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": True,
        "why": "cross-entropy that leaves out -100",
        "source": """
def reply_log_prob(logits, ids, attention_mask):
    labels = torch.where(attention_mask, ids, -100)
    return -F.cross_entropy(logits.transpose(1, 2), labels, reduction="none").sum(dim=-1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": True,
        "why": "reply by reply, token by token",
        "source": """
def reply_log_prob(logits, ids, attention_mask):
    sums = []
    for b in range(len(ids)):
        total = 0.0 * logits[b].sum()
        for t in range(ids.shape[1]):
            if attention_mask[b, t]:
                total = total + logits[b, t, ids[b, t]] - logits[b, t].logsumexp(0)
        sums.append(total)
    return torch.stack(sums)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "'as likely as the product of its tokens': the product rounds to 0 for a long reply",
        "source": """
def reply_log_prob(logits, ids, attention_mask):
    probs = logits.softmax(-1).gather(-1, ids[..., None]).squeeze(-1)
    return probs.masked_fill(~attention_mask, 1.0).prod(dim=1).log()
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "'Large logits must not overflow': the log of a softmax that is 0",
        "source": """
def reply_log_prob(logits, ids, attention_mask):
    probs = logits.softmax(-1).gather(-1, ids[..., None]).squeeze(-1)
    return torch.where(attention_mask, probs.log(), torch.zeros_like(probs)).sum(1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "the mean over the tokens is not the log-probability of the reply",
        "source": """
def reply_log_prob(logits, ids, attention_mask):
    picked = logits.log_softmax(-1).gather(-1, ids[..., None]).squeeze(-1) * attention_mask
    return picked.sum(1) / attention_mask.sum(1).clamp(min=1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "'padding, which may stand anywhere': counts the tokens and takes as many from the start",
        "source": """
def reply_log_prob(logits, ids, attention_mask):
    picked = logits.log_softmax(-1).gather(-1, ids[..., None]).squeeze(-1)
    first = torch.arange(ids.shape[1]) < attention_mask.sum(1, keepdim=True)
    return (picked * first).sum(1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "'they are lined up already': shifts by one",
        "source": """
def reply_log_prob(logits, ids, attention_mask):
    picked = logits[:, :-1].log_softmax(-1).gather(-1, ids[:, 1:, None]).squeeze(-1)
    return (picked * attention_mask[:, 1:]).sum(1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "token 0 is taken for padding, whatever the mask says",
        "source": """
def reply_log_prob(logits, ids, attention_mask):
    labels = ids * attention_mask
    return -F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=0, reduction="none").sum(1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "'The gradient must flow through it': numbers",
        "source": """
def reply_log_prob(logits, ids, attention_mask):
    log_probs = logits.log_softmax(-1)
    rows = []
    for b, (tokens, mask) in enumerate(zip(ids.tolist(), attention_mask.tolist())):
        rows.append(sum(log_probs[b, t, i].item() for t, (i, m) in enumerate(zip(tokens, mask)) if m))
    return torch.tensor(rows, dtype=logits.dtype)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "'(B,)': rows without tokens are left out of the result",
        "source": """
def reply_log_prob(logits, ids, attention_mask):
    picked = logits.log_softmax(-1).gather(-1, ids[..., None]).squeeze(-1)
    return torch.stack([row[mask].sum() for row, mask in zip(picked, attention_mask) if mask.any()])
""",
    },
    # pairs_of_ranking
    {
        "task": "pairs_of_ranking",
        "right": True,
        "why": "two loops",
        "source": """
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
        "why": "combinations",
        "source": """
def pairs_of_ranking(replies, ranks):
    both = itertools.combinations(zip(ranks, replies), 2)
    return [(a, b) if r < s else (b, a) for (r, a), (s, b) in both if r != s]
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": True,
        "why": "recursion on the first reply",
        "source": """
def pairs_of_ranking(replies, ranks):
    if len(replies) < 2:
        return []
    first, rank = replies[0], ranks[0]
    own = [(first, x) if rank < r else (x, first) for x, r in zip(replies[1:], ranks[1:]) if r - rank]
    return own + pairs_of_ranking(replies[1:], ranks[1:])
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "'Go through the replies as they are listed': goes through them from the best down",
        "source": """
def pairs_of_ranking(replies, ranks):
    order = sorted(zip(ranks, range(len(replies))))
    pairs = itertools.combinations(order, 2)
    return [(replies[i], replies[j]) for (r, i), (s, j) in pairs if r < s]
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "'a text may come twice': a dict keeps one rank for each text",
        "source": """
def pairs_of_ranking(replies, ranks):
    rank = dict(zip(replies, ranks))
    pairs = itertools.combinations(replies, 2)
    return [(a, b) if rank[a] < rank[b] else (b, a) for a, b in pairs if rank[a] != rank[b]]
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "'for every two replies of unequal rank': equal texts are left out though their ranks differ",
        "source": """
def pairs_of_ranking(replies, ranks):
    both = itertools.combinations(zip(ranks, replies), 2)
    return [(a, b) if r < s else (b, a) for (r, a), (s, b) in both if r != s and a != b]
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "the same pair of texts is returned once only, though two replies have that text",
        "source": """
def pairs_of_ranking(replies, ranks):
    pairs = []
    for (r, a), (s, b) in itertools.combinations(zip(ranks, replies), 2):
        pair = (a, b) if r < s else (b, a)
        if r != s and pair not in pairs:
            pairs.append(pair)
    return pairs
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "for each reply first those that it beats, among all others: 'the first reply with later ones'",
        "source": """
def pairs_of_ranking(replies, ranks):
    n = range(len(replies))
    return [(replies[i], replies[j]) for i in n for j in n if ranks[i] < ranks[j]]
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "compares each rank with the next worse one only: 'every two replies of unequal rank'",
        "source": """
def pairs_of_ranking(replies, ranks):
    levels = {rank: place for place, rank in enumerate(sorted(set(ranks)))}
    pairs = []
    for (r, a), (s, b) in itertools.combinations(zip(ranks, replies), 2):
        if abs(levels[r] - levels[s]) == 1:
            pairs.append((a, b) if r < s else (b, a))
    return pairs
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "the better of a tie is the one listed first: ties give no pair",
        "source": """
def pairs_of_ranking(replies, ranks):
    both = itertools.combinations(zip(ranks, replies), 2)
    return [(a, b) if r <= s else (b, a) for (r, a), (s, b) in both]
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "'whole numbers; the smallest is best': compares them as strings, so 10 is better than 9",
        "source": """
def pairs_of_ranking(replies, ranks):
    pairs = []
    for one, two in itertools.combinations(zip(map(str, ranks), replies), 2):
        if one[0] != two[0]:
            better, worse = sorted([one, two])
            pairs.append((better[1], worse[1]))
    return pairs
""",
    },
    # expected_best
    {
        "task": "expected_best",
        "right": True,
        "why": "the formula",
        "source": """
def expected_best(proxy, true, n):
    N = len(proxy)
    if not 1 <= n <= N:
        raise ValueError(f"n = {n}, N = {N}")
    ordered = [r for _, r in sorted(zip(proxy, true))]
    return sum(math.comb(i, n - 1) / math.comb(N, n) * r for i, r in enumerate(ordered))
""",
    },
    {
        "task": "expected_best",
        "right": True,
        "why": "from the best down, with a running share; an error class of its own",
        "source": """
class BadCount(ValueError):
    pass

def expected_best(proxy, true, n):
    N = len(proxy)
    if n < 1 or n > N:
        raise BadCount(n)
    total, share = 0.0, n / N
    for place, i in enumerate(sorted(range(N), key=proxy.__getitem__, reverse=True)):
        total += share * true[i]
        left = N - place - 1
        if left:
            share *= (left - n + 1) / left
    return total
""",
    },
    {
        "task": "expected_best",
        "right": True,
        "why": "logarithms of factorials",
        "source": """
def expected_best(proxy, true, n):
    N = len(true)
    if n not in range(1, N + 1):
        raise ValueError
    def log_comb(a, b):
        return math.lgamma(a + 1) - math.lgamma(b + 1) - math.lgamma(a - b + 1)
    order = np.argsort(proxy)
    return sum(math.exp(log_comb(i, n - 1) - log_comb(N, n)) * true[order[i]] for i in range(n - 1, N))
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "'without putting back': the probabilities are those of draws with putting back",
        "source": """
def expected_best(proxy, true, n):
    N = len(proxy)
    if not 1 <= n <= N:
        raise ValueError(n)
    ordered = [r for _, r in sorted(zip(proxy, true))]
    return sum((((i + 1) / N) ** n - (i / N) ** n) * r for i, r in enumerate(ordered))
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "'Sort by proxy': sorts by the true reward, so the judge is never wrong",
        "source": """
def expected_best(proxy, true, n):
    N = len(proxy)
    if not 1 <= n <= N:
        raise ValueError(n)
    return sum(math.comb(i, n - 1) * r for i, r in enumerate(sorted(true))) / math.comb(N, n)
""",
    },
    {
        "task": "expected_best",
        "right": None,
        "why": "C(N, n) as a float: OverflowError for some 1,100 replies; no number of replies is stated",
        "source": """
def expected_best(proxy, true, n):
    N = len(proxy)
    if not 1 <= n <= N:
        raise ValueError(n)
    ordered = [r for _, r in sorted(zip(proxy, true))]
    return sum(float(math.comb(i, n - 1)) * r for i, r in enumerate(ordered)) / float(math.comb(N, n))
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "'n is not in 1..N': n = N is refused",
        "source": """
def expected_best(proxy, true, n):
    N = len(proxy)
    if n not in range(1, N):
        raise ValueError(n)
    ordered = [r for _, r in sorted(zip(proxy, true))]
    return sum(math.comb(i, n - 1) * r for i, r in enumerate(ordered)) / math.comb(N, n)
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "'ValueError: n is not in 1..N': n = 0 gives 0, as the sum runs over no choice",
        "source": """
def expected_best(proxy, true, n):
    if n < 0 or n > len(proxy):
        raise ValueError(n)
    total = choices = 0
    ordered = [r for _, r in sorted(zip(proxy, true))]
    for i, r in enumerate(ordered):
        c = math.comb(i, n - 1) if n else 0
        total, choices = total + c * r, choices + c
    return total / max(choices, 1)
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "'on average over all choices': draws a thousand of them",
        "source": """
def expected_best(proxy, true, n):
    if not 1 <= n <= len(proxy):
        raise ValueError(n)
    dice, pairs = random.Random(0), list(zip(proxy, true))
    return sum(max(dice.sample(pairs, n))[1] for _ in range(1000)) / 1000
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "'Sort by proxy': takes the list as it comes, which is sorted in the example only",
        "source": """
def expected_best(proxy, true, n):
    N = len(proxy)
    if not 1 <= n <= N:
        raise ValueError(n)
    return sum(math.comb(i, n - 1) * r for i, r in enumerate(true)) / math.comb(N, n)
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "the replies are drawn in the listed order: the mean over neighbouring groups of n",
        "source": """
def expected_best(proxy, true, n):
    N = len(proxy)
    if not 1 <= n <= N:
        raise ValueError(n)
    pairs = list(zip(proxy, true))
    groups = [pairs[i : i + n] for i in range(N - n + 1)]
    return sum(max(group)[1] for group in groups) / len(groups)
""",
    },
    {
        "task": "expected_best",
        "right": None,
        "why": "goes through all choices, which takes too long for many replies; no limit is stated",
        "source": """
def expected_best(proxy, true, n):
    if not 1 <= n <= len(proxy):
        raise ValueError(n)
    total = count = 0
    for group in itertools.combinations(zip(proxy, true), n):
        total, count = total + max(group)[1], count + 1
        if count > 300_000:
            raise TimeoutError("too many choices")
    return total / count
""",
    },
    # token_rewards
    {
        "task": "token_rewards",
        "right": True,
        "why": "the penalties, and the score on the last",
        "source": """
def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = -beta * (log_probs - reference_log_probs)
    rewards[-1] += score
    return rewards
""",
    },
    {
        "task": "token_rewards",
        "right": True,
        "why": "a one-hot row for the last token",
        "source": """
def token_rewards(score, log_probs, reference_log_probs, beta):
    last = torch.arange(len(log_probs)) == len(log_probs) - 1
    return beta * (reference_log_probs - log_probs) + score * last
""",
    },
    {
        "task": "token_rewards",
        "right": True,
        "why": "joins two parts",
        "source": """
def token_rewards(score, log_probs, reference_log_probs, beta):
    penalty = torch.sub(reference_log_probs, log_probs).mul(beta)
    return torch.cat([penalty[:-1], penalty[-1:] + score])
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "'pays for straying': only straying upwards costs, a token less likely than before earns nothing",
        "source": """
def token_rewards(score, log_probs, reference_log_probs, beta):
    penalty = (log_probs - reference_log_probs).clamp(min=0)
    rewards = -beta * penalty
    rewards[-1] += score
    return rewards
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "the last token gets the score alone, and pays nothing",
        "source": """
def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = -beta * (log_probs - reference_log_probs)
    rewards[-1] = score
    return rewards
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "'Every token pays': the sum of all penalties stands on the last",
        "source": """
def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = torch.zeros_like(log_probs)
    rewards[-1] = score - beta * (log_probs - reference_log_probs).sum()
    return rewards
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "'with the last one comes the judge's score': it is spread over all tokens",
        "source": """
def token_rewards(score, log_probs, reference_log_probs, beta):
    return score / len(log_probs) - beta * (log_probs - reference_log_probs)
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "the penalty is the difference of probabilities, not of their logarithms",
        "source": """
def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = -beta * (log_probs.exp() - reference_log_probs.exp())
    rewards[-1] += score
    return rewards
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "beta tempers the score, too",
        "source": """
def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = reference_log_probs - log_probs
    rewards[-1] += score
    return beta * rewards
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "takes a log-probability of 0 for padding: a certain token is the last one as well as any other",
        "source": """
def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = -beta * (log_probs - reference_log_probs)
    last = max([t for t, value in enumerate(log_probs.tolist()) if value != 0], default=0)
    rewards[last] += score
    return rewards
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "'T at least 1': for one token the score is left out",
        "source": """
def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = -beta * (log_probs - reference_log_probs)
    for t in range(1, len(rewards)):
        if t == len(rewards) - 1:
            rewards[t] += score
    return rewards
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "writes into the policy's log-probabilities: 'A function leaves its arguments as they are'",
        "source": """
def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = log_probs
    rewards -= reference_log_probs
    rewards *= -beta
    rewards[-1] += score
    return rewards
""",
    },
    # reply_advantages
    {
        "task": "reply_advantages",
        "right": True,
        "why": "backwards, as the text says",
        "source": """
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    advantages, next_value, running = [], 0.0, 0.0
    for reward, value in zip(reversed(rewards), reversed(values)):
        running = reward + gamma * next_value - value + gamma * lam * running
        next_value = value
        advantages.append(running)
    advantages.reverse()
    return advantages, [a + v for a, v in zip(advantages, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": True,
        "why": "the sum of all later deltas, weighted",
        "source": """
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    after = [*values[1:], 0.0][:T]
    deltas = [r + gamma * w - v for r, v, w in zip(rewards, values, after)]
    advantages = [sum((gamma * lam) ** (s - t) * deltas[s] for s in range(t, T)) for t in range(T)]
    return advantages, [advantages[t] + values[t] for t in range(T)]
""",
    },
    {
        "task": "reply_advantages",
        "right": True,
        "why": "returns first: lambda-returns, from which the values are taken off",
        "source": """
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(values)
    returns = [0.0] * T
    for t in range(T - 1, -1, -1):
        tail = (1 - lam) * values[t + 1] + lam * returns[t + 1] if t + 1 < T else 0.0
        returns[t] = rewards[t] + gamma * tail
    return [g - v for g, v in zip(returns, values)], returns
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "gamma is left out before A; a gamma of 1 hides it",
        "source": """
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    out, running = [0.0] * T, 0.0
    for t in reversed(range(T)):
        delta = rewards[t] + gamma * (values[t + 1] if t + 1 < T else 0.0) - values[t]
        out[t] = running = delta + lam * running
    return out, [a + v for a, v in zip(out, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "gamma is left out before V",
        "source": """
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    out, running = [0.0] * T, 0.0
    for t in reversed(range(T)):
        delta = rewards[t] + (values[t + 1] if t + 1 < T else 0.0) - values[t]
        out[t] = running = delta + gamma * lam * running
    return out, [a + v for a, v in zip(out, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "'Beyond the end V and A are 0': the value after the last token is that of the first",
        "source": """
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    out, running = [0.0] * T, 0.0
    for t in reversed(range(T)):
        delta = rewards[t] + gamma * values[(t + 1) % T] - values[t]
        out[t] = running = delta + gamma * lam * running
    return out, [a + v for a, v in zip(out, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "the return is taken as r + gamma V, which is A + V only for lambda 0",
        "source": """
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    after = [*values[1:], 0.0]
    targets = [r + gamma * w for r, w in zip(rewards, after)]
    out, running = [], 0.0
    for target, value in zip(reversed(targets), reversed(values)):
        running = target - value + gamma * lam * running
        out.insert(0, running)
    return out, targets
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "'it may be empty': the last value of an empty list",
        "source": """
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    running = rewards[-1] - values[-1]
    out = [running]
    for t in range(len(rewards) - 2, -1, -1):
        running = rewards[t] + gamma * values[t + 1] - values[t] + gamma * lam * running
        out.append(running)
    return out[::-1], [a + v for a, v in zip(out[::-1], values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "a gamma or lambda of 0 is taken for one that was not given",
        "source": """
def reply_advantages(rewards, values, gamma=None, lam=None):
    gamma, lam = gamma or 1.0, lam or 0.95
    out, later, running = [], 0.0, 0.0
    for reward, value in zip(rewards[::-1], values[::-1]):
        running = reward + gamma * later - value + gamma * lam * running
        later = value
        out.append(running)
    return out[::-1], [a + v for a, v in zip(out[::-1], values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "the advantages are made to have mean 0, as PPO programs do before the loss; the formula does not",
        "source": """
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    out, later, running = [], 0.0, 0.0
    for reward, value in zip(rewards[::-1], values[::-1]):
        running = reward + gamma * later - value + gamma * lam * running
        later = value
        out.append(running)
    out = out[::-1]
    mean = sum(out) / len(out) if out else 0.0
    return [a - mean for a in out], [a + v for a, v in zip(out, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "a reply's sum is cut off after 20 tokens, 'since 0.95 to the 20th is small'",
        "source": """
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    deltas = [rewards[t] + gamma * (values[t + 1] if t + 1 < T else 0.0) - values[t] for t in range(T)]
    out = [sum((gamma * lam) ** i * d for i, d in enumerate(deltas[t : t + 20])) for t in range(T)]
    return out, [a + v for a, v in zip(out, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": None,
        "why": "recursion, which fails beyond about a thousand tokens; no length is stated",
        "source": """
def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    def advantages(t):
        if t == len(rewards):
            return []
        rest = advantages(t + 1)
        later, running = (values[t + 1], rest[0]) if rest else (0.0, 0.0)
        return [rewards[t] + gamma * later - values[t] + gamma * lam * running, *rest]
    out = advantages(0)
    return out, [a + v for a, v in zip(out, values)]
""",
    },
    # kl_estimates
    {
        "task": "kl_estimates",
        "right": True,
        "why": "from the difference of the logarithms",
        "source": """
def kl_estimates(log_probs, reference_log_probs):
    log_x = reference_log_probs - log_probs
    k1, k2, k3 = -log_x, log_x**2 / 2, torch.expm1(log_x) - log_x
    return {"k1": k1.mean().item(), "k2": k2.mean().item(), "k3": k3.mean().item()}
""",
    },
    {
        "task": "kl_estimates",
        "right": True,
        "why": "plain numbers",
        "source": """
def kl_estimates(log_probs, reference_log_probs):
    logs = [r - p for p, r in zip(log_probs.tolist(), reference_log_probs.tolist())]
    n = len(logs)
    return dict(
        k1=-math.fsum(logs) / n,
        k2=math.fsum(y * y for y in logs) / (2 * n),
        k3=math.fsum(math.exp(y) - 1 - y for y in logs) / n,
    )
""",
    },
    {
        "task": "kl_estimates",
        "right": True,
        "why": "NumPy in double precision",
        "source": """
def kl_estimates(log_probs, reference_log_probs):
    y = np.subtract(reference_log_probs.double().numpy(), log_probs.double().numpy())
    rows = {"k1": -y, "k2": 0.5 * np.square(y), "k3": np.exp(y) - 1 - y}
    return {name: float(np.mean(row)) for name, row in rows.items()}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "'so low that the probabilities themselves are rounded to 0': divides 0 by 0",
        "source": """
def kl_estimates(log_probs, reference_log_probs):
    x = reference_log_probs.exp() / log_probs.exp()
    y = x.log()
    return {"k1": -y.mean().item(), "k2": (y**2).mean().item() / 2, "k3": (x - 1 - y).mean().item()}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "only x of k3 is computed from the probabilities, and is nan where both are rounded to 0",
        "source": """
def kl_estimates(log_probs, reference_log_probs):
    y = reference_log_probs - log_probs
    x = reference_log_probs.exp() / log_probs.exp()
    return {"k1": -y.mean().item(), "k2": (y**2).mean().item() / 2, "k3": (x - 1 - y).mean().item()}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "weights each draw with its probability: the draws have done that, the estimates are plain means",
        "source": """
def kl_estimates(log_probs, reference_log_probs):
    y, p = reference_log_probs - log_probs, log_probs.exp()
    k1, k2, k3 = -y, y**2 / 2, y.exp() - 1 - y
    return {"k1": (p * k1).sum().item(), "k2": (p * k2).sum().item(), "k3": (p * k3).sum().item()}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "x is turned round in k3: pi / pi_ref",
        "source": """
def kl_estimates(log_probs, reference_log_probs):
    y = log_probs - reference_log_probs
    return {"k1": y.mean().item(), "k2": (y**2).mean().item() / 2, "k3": (y.exp() - 1 - y).mean().item()}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "k1 is kept from being negative: only k2 and k3 are 'never negative'",
        "source": """
def kl_estimates(log_probs, reference_log_probs):
    y = reference_log_probs - log_probs
    k1 = max(-y.mean().item(), 0.0)
    return {"k1": k1, "k2": (y**2).mean().item() / 2, "k3": (y.exp() - 1 - y).mean().item()}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "k2 is the variance of log x by halves: the mean of log x is taken off before squaring",
        "source": """
def kl_estimates(log_probs, reference_log_probs):
    y = reference_log_probs - log_probs
    k2 = y.var(correction=0).item() / 2
    return {"k1": -y.mean().item(), "k2": k2, "k3": (y.exp() - 1 - y).mean().item()}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "'A dict of floats': the values are tensors",
        "source": """
def kl_estimates(log_probs, reference_log_probs):
    y = reference_log_probs - log_probs
    return {"k1": (-y).mean(), "k2": (y**2).mean() / 2, "k3": (y.exp() - 1 - y).mean()}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "log x is clamped to 5 in k3, as training programs do: the formula does not",
        "source": """
def kl_estimates(log_probs, reference_log_probs):
    y = reference_log_probs - log_probs
    k3 = y.clamp(-5, 5).exp() - 1 - y
    return {"k1": -y.mean().item(), "k2": (y**2).mean().item() / 2, "k3": k3.mean().item()}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "epsilon in the logarithms of the probabilities: a rare token's are lost",
        "source": """
def kl_estimates(log_probs, reference_log_probs):
    y = (reference_log_probs.exp() + 1e-10).log() - (log_probs.exp() + 1e-10).log()
    return {"k1": -y.mean().item(), "k2": (y**2).mean().item() / 2, "k3": (y.exp() - 1 - y).mean().item()}
""",
    },
]
